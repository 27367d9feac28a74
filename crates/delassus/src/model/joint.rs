//! Joints and clutches between bodies, or between a body and a support.

use super::planar::Pose;
use super::vector::{Vec2, cross, turn};
use super::{Directions, RowState, Support};

/// A point of a body, of a support, or of the resting plane; in space with three coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor<const N: usize = 2> {
    /// Body and point in its frame, from its centre of mass.
    Body(usize, [f64; N]),
    /// Support and the point at which it was placed.
    Support(usize, [f64; N]),
    /// A point that never moves.
    World([f64; N]),
}

/// What a joint holds together.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// The points coincide.
    Pin,
    /// The point of A stays on a line through the point of B, and A does not
    /// turn against B.
    Slider {
        /// Unit normal of the line in the frame of B.
        normal: [f64; 2],
        /// θ_A − θ_B \[rad\].
        angle: f64,
    },
    /// The points coincide and A does not turn against B.
    Weld {
        /// θ_A − θ_B \[rad\].
        angle: f64,
    },
}

/// A joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// Point of A.
    pub a: Anchor,
    /// Point of B.
    pub b: Anchor,
    /// What it holds.
    pub kind: JointKind,
}

/// A one-way clutch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clutch {
    /// Point of A.
    pub a: Anchor,
    /// Point of B.
    pub b: Anchor,
    /// Free sense: of the rotation ω_A − ω_B (its sign counts), or of the
    /// velocity v_A − v_B along a fixed direction.
    pub sense: Sense,
}

/// The free sense of a clutch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sense {
    /// γ = ±(ω_A − ω_B).
    Rotation(f64),
    /// γ = axis · (v_A − v_B).
    Axis([f64; 2]),
}

/// An anchor at one state.
pub(super) struct Held {
    pub position: Vec2,
    pub velocity: Vec2,
    /// Acceleration where u̇ = 0.
    pub acceleration: Vec2,
    body: Option<(usize, Vec2)>,
    angle: f64,
    pub rate: f64,
    /// Velocity of a support; 0 for a body.
    pub support: Vec2,
}

impl Anchor {
    pub(super) fn at(&self, t: f64, q: &[f64], u: &[f64], supports: &[Support]) -> Held {
        match *self {
            Self::Body(body, point) => {
                let pose = Pose::of(body, q, u);
                let rho = pose.turned(point);
                Held {
                    position: pose.position + rho,
                    velocity: pose.velocity + pose.rate * turn(rho),
                    acceleration: -pose.rate * pose.rate * rho,
                    body: Some((body, rho)),
                    angle: q[3 * body + 2],
                    rate: pose.rate,
                    support: Vec2::zeros(),
                }
            }
            Self::Support(support, point) => {
                let moved = supports[support].motion.at(t);
                Held {
                    position: Vec2::new(point[0], point[1]) + moved.position,
                    velocity: moved.velocity,
                    acceleration: moved.acceleration,
                    body: None,
                    angle: 0.0,
                    rate: 0.0,
                    support: moved.velocity,
                }
            }
            Self::World(point) => Held {
                position: Vec2::new(point[0], point[1]),
                velocity: Vec2::zeros(),
                acceleration: Vec2::zeros(),
                body: None,
                angle: 0.0,
                rate: 0.0,
                support: Vec2::zeros(),
            },
        }
    }
}

impl Held {
    /// Adds `force` at the anchor to the generalized forces.
    pub fn push(&self, force: Vec2, out: &mut [f64]) {
        if let Some((body, rho)) = self.body {
            out[3 * body] += force.x;
            out[3 * body + 1] += force.y;
            out[3 * body + 2] += cross(rho, force);
        }
    }

    /// Adds a moment.
    pub fn twist(&self, moment: f64, out: &mut [f64]) {
        if let Some((body, _)) = self.body {
            out[3 * body + 2] += moment;
        }
    }

    /// Adds what a force at the anchor does to a direction.
    fn direct(&self, force: Vec2, out: &mut Directions) {
        self.direct_at(self.body.map_or(Vec2::zeros(), |(_, rho)| rho), force, out);
    }

    fn direct_at(&self, rho: Vec2, force: Vec2, out: &mut Directions) {
        if let Some((body, _)) = self.body {
            out.add(3 * body, &[[force.x, force.y, cross(rho, force)]]);
        }
    }

    /// The same of a moment.
    fn direct_turn(&self, moment: f64, out: &mut Directions) {
        if let Some((body, _)) = self.body {
            out.add(3 * body, &[[0.0, 0.0, moment]]);
        }
    }

    fn centre(&self) -> Vec2 {
        self.body.map_or(self.position, |(_, rho)| self.position - rho)
    }
}

impl JointKind {
    /// Number of scalar conditions.
    pub fn rows(&self) -> usize {
        match self {
            Self::Pin | Self::Slider { .. } => 2,
            Self::Weld { .. } => 3,
        }
    }
}

/// e · (p_A − p_B) with a fixed direction e.
fn along(e: Vec2, a: &Held, b: &Held, out: &mut Directions) -> RowState {
    a.direct(e, out);
    b.direct(-e, out);
    RowState {
        residual: e.dot(&(a.position - b.position)),
        offset: e.dot(&(a.support - b.support)),
        bias: e.dot(&(a.acceleration - b.acceleration)),
        angular: false,
    }
}

/// θ_A − θ_B.
fn turning(angle: f64, a: &Held, b: &Held, out: &mut Directions) -> RowState {
    a.direct_turn(1.0, out);
    b.direct_turn(-1.0, out);
    RowState { residual: a.angle - b.angle - angle, angular: true, ..RowState::default() }
}

impl Joint {
    pub(super) fn row(
        &self,
        row: usize,
        t: f64,
        q: &[f64],
        u: &[f64],
        supports: &[Support],
        out: &mut Directions,
    ) -> RowState {
        let (a, b) = (self.a.at(t, q, u, supports), self.b.at(t, q, u, supports));
        out.clear();
        match self.kind {
            JointKind::Pin | JointKind::Weld { .. } if row < 2 => {
                let e = if row == 0 { Vec2::x() } else { Vec2::y() };
                let state = along(e, &a, &b, out);
                // In the middle of a step of time-stepping the points are a little apart. Both sides feel a force at one point
                // between them, so that several joints between the same bodies hold no more than they should.
                out.clear();
                let between = 0.5 * (a.position + b.position);
                a.direct_at(between - a.centre(), e, out);
                b.direct_at(between - b.centre(), -e, out);
                state
            }
            JointKind::Slider { normal, angle } if row == 0 => {
                // As both sides have it, for the same reason.
                let n = super::rotate(Vec2::new(normal[0], normal[1]), 0.5 * (a.angle - angle + b.angle));
                // As for a corner on an edge of B: the lever goes to A's point.
                let rho = a.position - b.centre();
                a.direct(n, out);
                b.direct_at(rho, -n, out);
                let frame =
                    if b.body.is_some() { b.velocity + b.rate * turn(a.position - b.position) } else { b.velocity };
                let relative = a.velocity - frame;
                let still = if b.body.is_some() { Vec2::zeros() } else { b.acceleration };
                let acceleration = a.acceleration - still - 2.0 * b.rate * turn(relative) + b.rate * b.rate * rho;
                RowState {
                    residual: n.dot(&(a.position - b.position)),
                    offset: n.dot(&(a.support - b.support)),
                    bias: n.dot(&acceleration),
                    angular: false,
                }
            }
            JointKind::Slider { angle, .. } | JointKind::Weld { angle } => turning(angle, &a, &b, out),
            JointKind::Pin => RowState::default(),
        }
    }
}

impl Clutch {
    pub(super) fn row(&self, t: f64, q: &[f64], u: &[f64], supports: &[Support], out: &mut Directions) -> RowState {
        let (a, b) = (self.a.at(t, q, u, supports), self.b.at(t, q, u, supports));
        out.clear();
        match self.sense {
            Sense::Rotation(sign) => {
                a.direct_turn(sign, out);
                b.direct_turn(-sign, out);
                RowState { angular: true, ..RowState::default() }
            }
            Sense::Axis(axis) => {
                let state = along(Vec2::new(axis[0], axis[1]), &a, &b, out);
                RowState { residual: 0.0, ..state }
            }
        }
    }
}
