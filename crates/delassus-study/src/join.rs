//! Pieces of boundary put together to curves.

use std::collections::BTreeMap;

use crate::regime::Regime;
use crate::trace::Piece;

/// A curve between two regimes; closed if its ends are equal.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// The regimes it divides, the smaller one first.
    pub between: [Regime; 2],
    /// Its points, at least two.
    pub points: Vec<[f64; 2]>,
}

/// An end of a piece: where, and between which regimes.
type End = ([Regime; 2], [u64; 2]);

fn end(piece: &Piece, last: bool) -> End {
    let point = if last { piece.points.last() } else { piece.points.first() };
    // Adding 0 makes one zero of the two.
    (piece.between, point.map_or([0; 2], |p| p.map(|v| (v + 0.0).to_bits())))
}

/// Joins pieces that divide the same regimes where exactly two of them meet.
/// The order of the curves follows that of the pieces.
pub fn join(pieces: Vec<Piece>) -> Vec<Boundary> {
    let mut meeting: BTreeMap<End, Vec<usize>> = BTreeMap::new();
    for (i, piece) in pieces.iter().enumerate() {
        for last in [false, true] {
            meeting.entry(end(piece, last)).or_default().push(i);
        }
    }
    let goes_on = |at: &End| meeting.get(at).is_some_and(|m| m.len() == 2);
    let mut used = vec![false; pieces.len()];
    let mut curves = Vec::new();
    // Open curves from their ends, then what is left are loops.
    let ends = (0..pieces.len()).flat_map(|i| [(i, false), (i, true)]);
    let open = ends.filter(|&(i, last)| !goes_on(&end(&pieces[i], last)));
    let starts: Vec<_> = open.chain((0..pieces.len()).map(|i| (i, false))).collect();
    for (mut i, mut reversed) in starts {
        if used[i] {
            continue;
        }
        let mut curve = Boundary { between: pieces[i].between, points: Vec::new() };
        loop {
            used[i] = true;
            // A joint belongs to both pieces.
            let skip = usize::from(!curve.points.is_empty());
            let points = &pieces[i].points;
            match reversed {
                false => curve.points.extend(points.iter().skip(skip)),
                true => curve.points.extend(points.iter().rev().skip(skip)),
            }
            let here = end(&pieces[i], !reversed);
            let next = meeting.get(&here).filter(|m| m.len() == 2).and_then(|m| m.iter().find(|&&k| !used[k]));
            let Some(&next) = next else { break };
            reversed = end(&pieces[next], true) == here;
            i = next;
        }
        curves.push(curve);
    }
    curves
}
