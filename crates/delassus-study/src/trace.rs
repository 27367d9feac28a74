//! Boundaries between regimes inside one square of a grid.
//!
//! Along an edge whose ends differ the change is found by bisection. A square
//! that two such points of the same two regimes cut is crossed by one piece of
//! boundary, if there is one between them. Any other (a saddle, a narrow tongue, a point where three regimes meet) is divided
//! into four until its parts are simple or as small as the tolerance, where the
//! pieces meet in a point. Bisection and division take the same midpoints, so
//! pieces of neighbouring squares end in the same point, to the bit.

use crate::grid::Grid;
use crate::regime::Regime;

/// Squares into which one square of the grid is divided at most.
const MOST_SQUARES: usize = 512;
/// A chord is halved at most this often.
const MOST_HALVINGS: usize = 10;

/// How finely boundaries are followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Points on edges are found to this part of the range.
    edge: f64,
    /// Evaluations in one square of the grid, beyond which it is left coarse.
    most: usize,
}

impl Accuracy {
    /// To 1e-6 of the range: for impacts, which take microseconds.
    pub const FINE: Accuracy = Accuracy { edge: 1e-8, most: 1_000_000 };

    /// To 1e-3 of the range and at most 120 evaluations a square: for motions,
    /// which take milliseconds and whose boundaries can be as rough as dust.
    pub const COARSE: Accuracy = Accuracy { edge: 1e-5, most: 120 };

    /// Points where regimes meet are found to this part of the range.
    fn junction(self) -> f64 {
        20.0 * self.edge
    }

    /// A piece of boundary between its points deviates by at most this part of the range.
    fn chord(self) -> f64 {
        50.0 * self.edge
    }

    /// Regimes narrower than this part of the range along an edge (a sign that passes through
    /// zero within its tolerance) do not interrupt a boundary.
    fn narrow(self) -> f64 {
        100.0 * self.edge
    }
}

/// A piece of the boundary between two regimes.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// The regimes it divides, the smaller one first.
    pub between: [Regime; 2],
    /// Its points, at least two.
    pub points: Vec<[f64; 2]>,
}

/// Appends the pieces of boundary in the square whose lower left corner is the
/// given grid point. `regimes` holds the regime at every grid point, row by
/// row; `regime` evaluates it elsewhere within the grid's range. Returns
/// whether the boundary was followed to the end, not left coarse because it is
/// too rough.
///
/// Parts narrower than the grid's spacing that no grid point hits are not seen: a curve that
/// enters them ends.
pub fn trace_square(
    grid: &Grid,
    regimes: &[Regime],
    [column, row]: [usize; 2],
    accuracy: Accuracy,
    regime: impl FnMut(f64, f64) -> Regime,
    pieces: &mut Vec<Piece>,
) -> bool {
    let at = |column, row| regimes[row * grid.x.len() + column];
    let corners = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
    if corners.iter().all(|c| *c == corners[0]) {
        return true;
    }
    let square = Square { x: [grid.x[column], grid.x[column + 1]], y: [grid.y[row], grid.y[row + 1]], corners };
    let mut tracer = Tracer { grid, lengths: grid.lengths(), accuracy, regime, pieces, squares: 0, evaluations: 0 };
    tracer.square(&square);
    !tracer.is_exhausted()
}

/// Corner regimes run counter-clockwise from the lower left.
struct Square {
    x: [f64; 2],
    y: [f64; 2],
    corners: [Regime; 4],
}

struct Tracer<'a, F> {
    grid: &'a Grid,
    lengths: [f64; 2],
    accuracy: Accuracy,
    regime: F,
    pieces: &'a mut Vec<Piece>,
    squares: usize,
    evaluations: usize,
}

/// A change of regime along an edge, in the sense of rising coordinates.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    at: f64,
    /// The other coordinate.
    fixed: f64,
    from: Regime,
    to: Regime,
}

impl Cut {
    fn point(&self) -> [f64; 2] {
        if self.axis == 0 { [self.at, self.fixed] } else { [self.fixed, self.at] }
    }

    fn between(&self) -> [Regime; 2] {
        pair(self.from, self.to)
    }
}

fn pair(a: Regime, b: Regime) -> [Regime; 2] {
    [a.min(b), a.max(b)]
}

fn middle(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

impl<F: FnMut(f64, f64) -> Regime> Tracer<'_, F> {
    fn at(&mut self, x: f64, y: f64) -> Regime {
        self.evaluations += 1;
        (self.regime)(x, y)
    }

    fn is_exhausted(&self) -> bool {
        self.evaluations >= self.accuracy.most
    }

    fn square(&mut self, square: &Square) {
        let &Square { x, y, corners: [a, b, c, d] } = square;
        let mut cuts = Vec::new();
        self.edge(0, [x[0], x[1]], y[0], [a, b], &mut cuts);
        self.edge(1, [y[0], y[1]], x[1], [b, c], &mut cuts);
        self.edge(0, [x[0], x[1]], y[1], [d, c], &mut cuts);
        self.edge(1, [y[0], y[1]], x[0], [a, d], &mut cuts);
        match &cuts[..] {
            [] => {}
            [first, second] if first.between() == second.between() && self.piece(first, second) => {}
            _ => {
                let centre = [middle(x[0], x[1]), middle(y[0], y[1])];
                let junction = self.accuracy.junction();
                let small = x[1] - x[0] <= junction * self.lengths[0] && y[1] - y[0] <= junction * self.lengths[1];
                self.squares += 4;
                let many = self.squares > MOST_SQUARES || self.is_exhausted();
                if small || many || self.cannot_divide(square, centre) {
                    for cut in cuts {
                        self.pieces.push(Piece { between: cut.between(), points: vec![cut.point(), centre] });
                    }
                } else {
                    self.divide(square, centre);
                }
            }
        }
    }

    /// Whether the middle is not between the ends any more.
    fn cannot_divide(&self, square: &Square, [x, y]: [f64; 2]) -> bool {
        x <= square.x[0] || x >= square.x[1] || y <= square.y[0] || y >= square.y[1]
    }

    fn divide(&mut self, square: &Square, [mx, my]: [f64; 2]) {
        let &Square { x: [x0, x1], y: [y0, y1], corners: [a, b, c, d] } = square;
        let (below, right, above, left) = (self.at(mx, y0), self.at(x1, my), self.at(mx, y1), self.at(x0, my));
        let centre = self.at(mx, my);
        for (x, y, corners) in [
            ([x0, mx], [y0, my], [a, below, centre, left]),
            ([mx, x1], [y0, my], [below, b, right, centre]),
            ([mx, x1], [my, y1], [centre, right, c, above]),
            ([x0, mx], [my, y1], [left, centre, above, d]),
        ] {
            self.square(&Square { x, y, corners });
        }
    }

    /// Changes along an edge parallel to `axis`, where the other coordinate is `fixed`.
    fn edge(&mut self, axis: usize, ends: [f64; 2], fixed: f64, regimes: [Regime; 2], cuts: &mut Vec<Cut>) {
        let first = cuts.len();
        self.search(axis, ends, fixed, regimes, cuts);
        let mut k = first + 1;
        while k < cuts.len() {
            let (one, two) = (cuts[k - 1], cuts[k]);
            if two.at - one.at > self.accuracy.narrow() * self.lengths[axis] {
                k += 1;
                continue;
            }
            cuts.remove(k);
            if one.from == two.to {
                cuts.remove(k - 1);
                k = k.max(first + 2) - 1;
            } else {
                cuts[k - 1] = Cut { at: middle(one.at, two.at), to: two.to, ..one };
            }
        }
    }

    /// All changes between two points that bisection meets.
    fn search(&mut self, axis: usize, [a, b]: [f64; 2], fixed: f64, [from, to]: [Regime; 2], cuts: &mut Vec<Cut>) {
        if from == to {
            return;
        }
        let cut = Cut { axis, at: middle(a, b), fixed, from, to };
        let close = b - a <= self.accuracy.edge * self.lengths[axis] || cut.at <= a || cut.at >= b;
        if close || self.is_exhausted() {
            cuts.push(cut);
            return;
        }
        let [x, y] = cut.point();
        let between = self.at(x, y);
        self.search(axis, [a, cut.at], fixed, [from, between], cuts);
        self.search(axis, [cut.at, b], fixed, [between, to], cuts);
    }

    /// Adds the piece from one cut to the other, with points between them where the boundary is
    /// curved; `false` where the boundary takes another way.
    fn piece(&mut self, first: &Cut, second: &Cut) -> bool {
        let (between, p, q) = (first.between(), first.point(), second.point());
        let mut points = vec![p];
        let found = self.bend(between, p, q, MOST_HALVINGS, &mut points);
        if found {
            points.push(q);
            self.pieces.push(Piece { between, points });
        }
        found
    }

    /// Appends the points of the boundary strictly between `p` and `q`; `false` where it is not
    /// found between them.
    fn bend(
        &mut self,
        between: [Regime; 2],
        p: [f64; 2],
        q: [f64; 2],
        halvings: usize,
        points: &mut Vec<[f64; 2]>,
    ) -> bool {
        let [dx, dy] = [(q[0] - p[0]) / self.lengths[0], (q[1] - p[1]) / self.lengths[1]];
        let length = dx.hypot(dy);
        let chord = self.accuracy.chord();
        if halvings == 0 || length <= 2.0 * chord || self.is_exhausted() {
            return true;
        }
        let across = [-dy / length, dx / length];
        let centre = [middle(p[0], q[0]), middle(p[1], q[1])];
        if self.change(between, centre, across, chord).is_some() {
            return true;
        }
        let Some(ends) = [0.05, 0.5].iter().find_map(|w| self.change(between, centre, across, w * length)) else {
            return false;
        };
        let found = self.bisect(centre, across, ends);
        if !self.bend(between, p, found, halvings - 1, points) {
            return false;
        }
        points.push(found);
        self.bend(between, found, q, halvings - 1, points)
    }

    /// The regimes at `centre ± width · across`, if they are the two that the boundary divides.
    fn change(
        &mut self,
        between: [Regime; 2],
        centre: [f64; 2],
        across: [f64; 2],
        width: f64,
    ) -> Option<(f64, [Regime; 2])> {
        let ends = [-width, width].map(|w| {
            let [x, y] = self.shifted(centre, across, w);
            self.at(x, y)
        });
        (ends[0] != ends[1] && pair(ends[0], ends[1]) == between).then_some((width, ends))
    }

    fn bisect(&mut self, centre: [f64; 2], across: [f64; 2], (width, ends): (f64, [Regime; 2])) -> [f64; 2] {
        let (mut low, mut high) = (-width, width);
        while high - low > self.accuracy.edge {
            let mid = middle(low, high);
            let [x, y] = self.shifted(centre, across, mid);
            if self.at(x, y) == ends[0] { low = mid } else { high = mid }
        }
        self.shifted(centre, across, middle(low, high))
    }

    /// `centre + by · across` in parts of the ranges, held within the grid.
    fn shifted(&self, centre: [f64; 2], across: [f64; 2], by: f64) -> [f64; 2] {
        let hold = |points: &[f64], v: f64| match points {
            [first, .., last] => v.clamp(*first, *last),
            _ => v,
        };
        let [x, y] = [0, 1].map(|k| centre[k] + by * across[k] * self.lengths[k]);
        [hold(&self.grid.x, x), hold(&self.grid.y, y)]
    }
}
