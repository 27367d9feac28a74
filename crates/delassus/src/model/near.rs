//! Which bodies are near each other, in time that grows with their number.
//!
//! Balls around the bodies are sorted into cells of a grid. The pairs found are kept with some room to
//! spare, and looked for again only when a body has moved by half of it.

/// Room to spare, in units of the middle radius.
const SKIN: f64 = 0.3;
/// Bodies larger than this, in units of the middle radius, are held against all others instead of making
/// every cell as large as they are.
const LARGE: f64 = 4.0;
/// Cells along one axis: further ones share the last.
const CELLS: f64 = ((1u64 << 20) - 2) as f64;

/// Balls up to which all pairs are looked at.
const FEW: usize = 12;

/// Pairs of balls that may meet, smaller index first: among them all that do.
pub(crate) fn meeting(centres: &[[f64; 3]], radii: &[f64]) -> Vec<[u32; 2]> {
    if centres.len() > FEW {
        let mut near = Near::default();
        near.search(centres, radii, 0.0);
        return near.pairs;
    }
    // A distance that is no number must not pass for a large one.
    let meet = |i: usize, j: usize| {
        let distance = squared(&centres[i], &centres[j]);
        distance.is_nan() || distance <= (radii[i] + radii[j]).powi(2)
    };
    let all = (0..centres.len()).flat_map(|i| (i + 1..centres.len()).map(move |j| (i, j)));
    all.filter(|&(i, j)| meet(i, j)).map(|(i, j)| [i as u32, j as u32]).collect()
}

/// Which balls meet, asked again and again while they move.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    near: Near,
    pub centres: Vec<[f64; 3]>,
    pub radii: Vec<f64>,
}

impl Watch {
    /// As [`meeting`]: some pairs that do not meet are among them.
    pub fn meeting(
        &mut self,
        centres: impl Iterator<Item = [f64; 3]>,
        radii: impl Iterator<Item = f64>,
    ) -> &[[u32; 2]] {
        self.centres.clear();
        self.centres.extend(centres);
        self.radii.clear();
        self.radii.extend(radii);
        self.near.pairs(&self.centres, &self.radii, 0.0)
    }
}

/// Pairs of bodies that are near each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Near {
    /// Where the bodies were when the pairs were found.
    anchors: Vec<[f64; 3]>,
    pairs: Vec<[u32; 2]>,
    skin: f64,
    /// Cell and body, sorted.
    cells: Vec<(u64, u32)>,
    large: Vec<u32>,
}

impl Near {
    /// Pairs that may be closer than `margin`, smaller index first: among them all pairs of balls with
    /// these centres and radii that are.
    pub fn pairs(&mut self, centres: &[[f64; 3]], radii: &[f64], margin: f64) -> &[[u32; 2]] {
        let room = 0.5 * (self.skin - margin);
        let still = self.anchors.len() == centres.len()
            && self.anchors.iter().zip(centres).all(|(a, b)| squared(a, b) <= room * room)
            && room > 0.0;
        if !still {
            self.search(centres, radii, margin);
        }
        &self.pairs
    }

    fn search(&mut self, centres: &[[f64; 3]], radii: &[f64], margin: f64) {
        self.anchors.clear();
        self.anchors.extend_from_slice(centres);
        let mut sorted = radii.to_vec();
        crate::small::sort_by(&mut sorted, f64::total_cmp);
        let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let ordinary = sorted.iter().rev().copied().find(|r| *r <= LARGE * middle).unwrap_or(middle);
        self.skin = margin + SKIN * middle;
        let cell = 2.0 * ordinary + self.skin;
        let low: [f64; 3] = std::array::from_fn(|k| centres.iter().map(|c| c[k]).fold(f64::INFINITY, f64::min));
        self.cells.clear();
        self.large.clear();
        self.pairs.clear();
        for (i, (centre, radius)) in centres.iter().zip(radii).enumerate() {
            if *radius > ordinary {
                self.large.push(i as u32);
                continue;
            }
            let index = |k: usize| ((centre[k] - low[k]) / cell).clamp(0.0, CELLS) as u64 + 1;
            self.cells.push((key([index(0), index(1), index(2)]), i as u32));
        }
        crate::small::sort(&mut self.cells);
        let skin = self.skin;
        let close = |i: u32, j: u32| {
            let (i, j) = (i as usize, j as usize);
            let reach = radii[i] + radii[j] + skin;
            squared(&centres[i], &centres[j]) <= reach * reach
        };
        let mut from = 0;
        while from < self.cells.len() {
            let here = self.cells[from].0;
            let to = from + self.cells[from..].partition_point(|c| c.0 == here);
            for (k, &(_, i)) in self.cells[from..to].iter().enumerate() {
                let rest = self.cells[from + k + 1..to].iter().map(|c| c.1);
                self.pairs.extend(rest.filter(|&j| close(i, j)).map(|j| [i.min(j), i.max(j)]));
            }
            for ahead in AHEAD {
                let there = here.wrapping_add_signed(ahead);
                let start = self.cells.partition_point(|c| c.0 < there);
                let others = self.cells[start..].iter().take_while(|c| c.0 == there);
                for &(_, j) in others {
                    let near = self.cells[from..to].iter().map(|c| c.1).filter(|&i| close(i, j));
                    self.pairs.extend(near.map(|i| [i.min(j), i.max(j)]));
                }
            }
            from = to;
        }
        for (k, &i) in self.large.iter().enumerate() {
            let later = self.large[k + 1..].iter().copied();
            let all = self.cells.iter().map(|c| c.1).chain(later);
            self.pairs.extend(all.filter(|&j| close(i, j)).map(|j| [i.min(j), i.max(j)]));
        }
        // The order of the bodies, not of the cells.
        crate::small::sort(&mut self.pairs);
    }
}

fn squared(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)
}

const fn key([x, y, z]: [u64; 3]) -> u64 {
    x << 42 | y << 21 | z
}

/// From a cell to those neighbours whose key is larger: each pair of cells is looked at once.
const AHEAD: [i64; 13] = {
    const X: i64 = 1 << 42;
    const Y: i64 = 1 << 21;
    [1, Y - 1, Y, Y + 1, X - Y - 1, X - Y, X - Y + 1, X - 1, X, X + 1, X + Y - 1, X + Y, X + Y + 1]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_all_pairs_hold_while_bodies_move() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut centres: Vec<[f64; 3]> = (0..300).map(|_| std::array::from_fn(|_| 8.0 * random())).collect();
        let radii: Vec<f64> = (0..300).map(|i| if i < 2 { 3.0 } else { 0.3 + 0.3 * random() }).collect();
        let (mut near, mut watch) = (Near::default(), Watch::default());
        for _ in 0..50 {
            centres.iter_mut().flatten().for_each(|x| *x += 0.04 * (random() - 0.5));
            let found = near.pairs(&centres, &radii, 0.01).to_vec();
            let watched = watch.meeting(centres.iter().copied(), radii.iter().copied());
            let (few, many) = (meeting(&centres[..FEW], &radii[..FEW]), meeting(&centres, &radii));
            for i in 0..300usize {
                for j in i + 1..300 {
                    let reach = radii[i] + radii[j] + 0.01;
                    if squared(&centres[i], &centres[j]) <= reach * reach {
                        assert!(found.binary_search(&[i as u32, j as u32]).is_ok(), "{i} {j}");
                    }
                    if squared(&centres[i], &centres[j]) <= (radii[i] + radii[j]).powi(2) {
                        let pair = [i as u32, j as u32];
                        assert!(watched.binary_search(&pair).is_ok(), "{i} {j}");
                        assert!(many.binary_search(&pair).is_ok() && (j >= FEW || few.contains(&pair)), "{i} {j}");
                    }
                }
            }
            assert!(found.windows(2).all(|w| w[0] < w[1]) && found.len() < 6000, "{}", found.len());
        }
    }
}
