//! One contact between its states: what its impulses do when velocities change.

use crate::simulate::stepping::blocks::{Block, Kind, dot};
use crate::solve::contact::factor::inverse;

/// The weight that holds steps of impulses back, in units of the inverse mobility, and that of joints.
const WEIGHT: f64 = 1e9;
const JOINT: f64 = 1e6;
/// Factor within which z and λ are kept about what the energy asks for.
const NEAR: f64 = 1e3;
/// What is left at least of z and λ in a step.
const LEFT: f64 = 1e-2;

/// What obeys which law.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Law {
    /// Rows that nothing moves.
    Idle,
    Joint,
    Smooth,
    Rough(f64),
}

#[derive(Debug, Clone, Copy)]
pub struct Point<const R: usize> {
    law: Law,
    /// Inverse mobility of the first row: the unit of energies; and what holds steps of impulses back, by rows.
    per: f64,
    back: [f64; R],
    /// Impulses, and the velocities ξ that they meet.
    pub x: [f64; R],
    xi: [f64; R],
    z: f64,
    lambda: f64,
    /// Steps.
    dx: [f64; R],
    dxi: [f64; R],
    dz: f64,
    dlambda: f64,
    /// dx = constants − H dξ: the constants, H, and what the weight leaves of either.
    pub constants: [f64; R],
    pub rows: [[f64; R]; R],
    left: [[f64; R]; R],
}

impl<const R: usize> Point<R> {
    /// From the impulses at hand, moved to the inside by the energy e, in squares of velocities.
    pub fn new<const D: usize>(block: &Block<D, R>, v: &[[f64; D]], e: f64) -> Self {
        let (xi, mobility) = (block.xi(v), block.mobility());
        let law = match block.kind {
            Kind::Joint => Law::Joint,
            Kind::Contact(_) if mobility[0] <= 0.0 => Law::Idle,
            Kind::Contact(friction) if friction > 0.0 && R > 1 => Law::Rough(friction),
            Kind::Contact(_) => Law::Smooth,
        };
        let zero = [0.0; R];
        let mut point = Self {
            law,
            per: if mobility[0] > 0.0 { 1.0 / mobility[0] } else { 0.0 },
            back: mobility.map(|m| m / WEIGHT),
            x: block.x,
            xi,
            z: 0.0,
            lambda: 0.0,
            dx: zero,
            dxi: zero,
            dz: 0.0,
            dlambda: 0.0,
            constants: zero,
            rows: [zero; R],
            left: [zero; R],
        };
        match law {
            Law::Idle => point.x = zero,
            Law::Joint => {
                (0..R).filter(|&r| mobility[r] > 0.0).for_each(|r| point.rows[r][r] = JOINT / mobility[r]);
            }
            Law::Smooth | Law::Rough(_) => {
                let (x, e) = (&mut point.x, e * point.per);
                x[0] = x[0].max((e * point.per).sqrt());
                point.z = xi[0].max(e / x[0]);
                if let Law::Rough(friction) = law {
                    let (slip, limit) = (across(&xi, &xi).sqrt(), friction * x[0]);
                    let inside = if slip > 0.0 { (e / slip).min(0.5 * limit) } else { 0.5 * limit };
                    let (size, most) = (across(x, x).sqrt(), limit - inside);
                    if size > most {
                        (1..R).for_each(|r| x[r] *= most / size);
                    }
                    point.lambda = e / point.sides(friction).inside;
                }
            }
        }
        point
    }

    /// H at the velocities ξ.
    pub fn look(&mut self, xi: [f64; R]) {
        self.xi = xi;
        let mut h = [[0.0; R]; R];
        match self.law {
            Law::Idle | Law::Joint => return,
            Law::Smooth => h[0][0] = self.x[0] / self.z,
            Law::Rough(friction) => {
                h[0][0] = self.x[0] / self.z;
                let sides = self.sides(friction);
                let drag = self.drag(&sides);
                for r in 1..R {
                    h[r][0] = drag[r] * h[0][0];
                    let unit = std::array::from_fn(|c| if c == r { sides.limit } else { 0.0 });
                    let column = self.turn(&unit, &sides);
                    (1..R).for_each(|c| h[c][r] = column[c]);
                }
            }
        }
        // dx is what the law says at ξ + dξ + back·dx.
        let one = |r, c| f64::from(u8::from(r == c));
        let held: [[f64; R]; R] = std::array::from_fn(|r| std::array::from_fn(|c| one(r, c) + h[r][c] * self.back[c]));
        self.left = inverse(&held).unwrap_or([[0.0; R]; R]);
        let left = &self.left;
        self.rows = std::array::from_fn(|r| std::array::from_fn(|c| (0..R).map(|i| left[r][i] * h[i][c]).sum()));
    }

    /// The constants of steps towards the energy e, with so much of the products of the last steps.
    pub fn aim(&mut self, e: f64, second: f64) {
        let (x, xi, e) = (&self.x, &self.xi, e * self.per);
        let mut k = [0.0; R];
        match self.law {
            Law::Idle => return,
            Law::Joint => {
                self.constants = std::array::from_fn(|r| -self.rows[r][r] * xi[r]);
                return;
            }
            Law::Smooth | Law::Rough(_) => k[0] = (e - second * self.dx[0] * self.dz - x[0] * xi[0]) / self.z,
        }
        if let Law::Rough(friction) = self.law {
            let sides = self.sides(friction);
            let lambda = self.lambda;
            let along = e - second * self.dlambda * sides.change(x, &self.dx) - lambda * sides.inside;
            let products = self.products(friction, second);
            let wanted = std::array::from_fn(|r| -(sides.limit * xi[r] + lambda * x[r]) - products[r]);
            let (turned, drag) = (self.turn(&wanted, &sides), self.drag(&sides));
            let inwards = along * sides.limit / (sides.both * lambda);
            (1..R).for_each(|r| k[r] = turned[r] + drag[r] * k[0] - x[r] * inwards);
        }
        self.constants = std::array::from_fn(|r| dot(&self.left[r], &k));
    }

    /// The steps that go with a change of ξ, for the same constants.
    pub fn follow(&mut self, change: &[f64; R], e: f64, second: f64) {
        let dx: [f64; R] = std::array::from_fn(|r| self.constants[r] - dot(&self.rows[r], change));
        let dxi: [f64; R] = std::array::from_fn(|r| change[r] + self.back[r] * dx[r]);
        let (x, xi, lambda) = (&self.x, &self.xi, self.lambda);
        let mut dlambda = 0.0;
        if let Law::Rough(friction) = self.law {
            let sides = self.sides(friction);
            let square = across(x, x);
            dlambda = if square > 0.25 * sides.limit * sides.limit {
                let products = self.products(friction, second);
                let lacks = |r: usize| {
                    let turned = sides.limit * (dxi[r] + xi[r]) + friction * xi[r] * dx[0];
                    turned + lambda * (x[r] + dx[r]) + products[r]
                };
                -(1..R).map(|r| x[r] * lacks(r)).sum::<f64>() / square
            } else {
                let along = e * self.per - second * self.dlambda * sides.change(x, &self.dx);
                (along - lambda * (sides.inside + sides.change(x, &dx))) / sides.inside
            };
        }
        self.dz = dxi[0] + xi[0] - self.z;
        (self.dx, self.dxi, self.dlambda) = (dx, dxi, dlambda);
    }

    /// How far the step may go until the impulses reach the edge of the cone.
    pub fn longest(&self) -> f64 {
        let (x, dx) = (&self.x, &self.dx);
        let apex = if dx[0] < 0.0 { -x[0] / dx[0] } else { f64::INFINITY };
        match self.law {
            Law::Idle | Law::Joint => f64::INFINITY,
            Law::Smooth => apex,
            Law::Rough(friction) => {
                let form = |a: &[f64; R], b: &[f64; R]| across(a, b) - friction * friction * a[0] * b[0];
                let (a, b, c) = (form(dx, dx), form(x, dx), form(x, x));
                let square = b * b - a * c;
                let root = if square >= 0.0 { b + square.sqrt() } else { 0.0 };
                if root > 0.0 { apex.min(-c / root) } else { apex }
            }
        }
    }

    /// Goes this part of the step; z and λ are kept near what the energy e asks for.
    pub fn advance(&mut self, length: f64, e: f64) {
        self.go(length);
        let near = |value: f64, wanted: f64| value.max(wanted / NEAR).min(wanted * NEAR);
        let e = e * self.per;
        if let Law::Smooth | Law::Rough(_) = self.law {
            self.z = near(self.z, e / self.x[0]);
        }
        if let Law::Rough(friction) = self.law {
            self.lambda = near(self.lambda, e / self.sides(friction).inside);
        }
    }

    /// The energy after this part of the step, in squares of velocities.
    pub fn energy_after(&self, length: f64) -> f64 {
        let mut point = *self;
        point.go(length);
        let energy = match self.law {
            Law::Idle | Law::Joint => return 0.0,
            Law::Smooth => point.x[0] * point.z,
            Law::Rough(friction) => 0.5 * (point.x[0] * point.z + point.lambda * point.sides(friction).inside),
        };
        (energy / self.per).max(0.0)
    }

    fn go(&mut self, length: f64) {
        (0..R).for_each(|r| self.x[r] += length * self.dx[r]);
        self.z = (self.z + length * self.dz).max(LEFT * self.z);
        self.lambda = (self.lambda + length * self.dlambda).max(LEFT * self.lambda);
    }

    /// Products of the last steps in μ x_N ξ_T + λ x_T.
    fn products(&self, friction: f64, part: f64) -> [f64; R] {
        std::array::from_fn(|r| part * (self.dlambda * self.dx[r] + friction * self.dx[0] * self.dxi[r]))
    }

    fn sides(&self, friction: f64) -> Sides {
        let limit = friction * self.x[0];
        let square = across(&self.x, &self.x);
        let part = square / (limit * limit);
        Sides {
            friction,
            limit,
            inside: 0.5 * (limit - square / limit),
            both: 0.5 * (limit * limit + square),
            growth: 0.5 * friction * (1.0 + part),
        }
    }

    /// The change of x_T for a change b of μ x_N ξ_T + λ x_T, at the same x_N. Along x_T it is next to nothing where the contact slips;
    /// that part is taken apart, because it is the difference of large numbers.
    fn turn(&self, b: &[f64; R], sides: &Sides) -> [f64; R] {
        let x = &self.x;
        let square = across(x, x);
        let along = if square > 0.0 { across(b, x) / square } else { 0.0 };
        let part = sides.inside * sides.limit / sides.both;
        let turned = |r: usize| (b[r] - along * x[r] + along * part * x[r]) / self.lambda;
        std::array::from_fn(|r| if r == 0 { 0.0 } else { turned(r) })
    }

    /// The change of x_T with x_N.
    fn drag(&self, sides: &Sides) -> [f64; R] {
        let turned = self.turn(&self.xi.map(|xi| -sides.friction * xi), sides);
        let along = sides.growth * sides.limit / sides.both;
        std::array::from_fn(|r| if r == 0 { 0.0 } else { turned[r] + along * self.x[r] })
    }
}

/// Where tangential impulses are in their disk.
struct Sides {
    friction: f64,
    /// Its radius μ x_N.
    limit: f64,
    /// g, and its growth with x_N.
    inside: f64,
    growth: f64,
    /// (μ²x_N² + |x_T|²)/2.
    both: f64,
}

impl Sides {
    /// The change of g.
    fn change<const R: usize>(&self, x: &[f64; R], dx: &[f64; R]) -> f64 {
        self.growth * dx[0] - across(x, dx) / self.limit
    }
}

/// Product of the tangential parts.
fn across<const R: usize>(a: &[f64; R], b: &[f64; R]) -> f64 {
    (1..R).map(|r| a[r] * b[r]).sum()
}
