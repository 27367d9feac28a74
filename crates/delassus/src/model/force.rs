//! Springs, dampers and applied forces.

use super::joint::Anchor;
use super::vector::Vec2;
use super::{Expression, Power, Support};

/// A spring with a damper beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spring {
    /// One end.
    pub a: Anchor,
    /// The other end.
    pub b: Anchor,
    /// Stiffness \[N/m\], or \[N m/rad\] for torsion.
    pub stiffness: f64,
    /// Damping \[N s/m\] or \[N m s/rad\].
    pub damping: f64,
    /// Length \[m\] or angle θ_A − θ_B \[rad\] without force.
    pub length: f64,
    /// Whether it acts on the angle between the bodies.
    pub torsion: bool,
}

/// A force and a moment on a body as functions of time, in fixed directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// Point of attack.
    pub at: Anchor,
    /// Components of the force \[N\].
    pub force: [Expression; 2],
    /// Moment \[N m\].
    pub torque: Expression,
}

impl Spring {
    pub(super) fn act(&self, t: f64, q: &[f64], u: &[f64], supports: &[Support], out: &mut [f64]) -> Power {
        let (a, b) = (self.a.at(t, q, u, supports), self.b.at(t, q, u, supports));
        if self.torsion {
            let rate = a.rate - b.rate;
            let moment = -self.stiffness * (self.stretch(t, q, supports)) - self.damping * rate;
            a.twist(moment, out);
            b.twist(-moment, out);
            return Power { damping: -self.damping * rate * rate, ..Power::default() };
        }
        let span = a.position - b.position;
        let length = span.norm();
        // At zero length a spring has no direction and, unless prestressed, no force.
        if length == 0.0 {
            return Power::default();
        }
        let e = span / length;
        let rate = e.dot(&(a.velocity - b.velocity));
        let force = -(self.stiffness * (length - self.length) + self.damping * rate) * e;
        a.push(force, out);
        b.push(-force, out);
        Power {
            damping: -self.damping * rate * rate,
            applied: 0.0,
            supports: force.dot(&b.support) - force.dot(&a.support),
        }
    }

    fn stretch(&self, t: f64, q: &[f64], supports: &[Support]) -> f64 {
        let angle = |anchor: &Anchor| match anchor {
            Anchor::Body(body, _) => q[3 * body + 2],
            _ => 0.0,
        };
        let position = |anchor: &Anchor| match anchor {
            Anchor::Body(body, point) => {
                let centre = Vec2::new(q[3 * body], q[3 * body + 1]);
                centre + super::rotate(Vec2::new(point[0], point[1]), q[3 * body + 2])
            }
            Anchor::Support(support, point) => Vec2::new(point[0], point[1]) + supports[*support].motion.at(t).position,
            Anchor::World(point) => Vec2::new(point[0], point[1]),
        };
        let extent =
            if self.torsion { angle(&self.a) - angle(&self.b) } else { (position(&self.a) - position(&self.b)).norm() };
        extent - self.length
    }

    pub(super) fn potential(&self, t: f64, q: &[f64], supports: &[Support]) -> f64 {
        0.5 * self.stiffness * self.stretch(t, q, supports).powi(2)
    }
}

impl Applied {
    pub(super) fn act(&self, t: f64, q: &[f64], u: &[f64], supports: &[Support], out: &mut [f64]) -> f64 {
        let held = self.at.at(t, q, u, supports);
        let force = Vec2::new(self.force[0].at(t), self.force[1].at(t));
        let torque = self.torque.at(t);
        held.push(force, out);
        held.twist(torque, out);
        force.dot(&held.velocity) + torque * held.rate
    }

    pub(super) fn is_constant(&self) -> bool {
        self.force.iter().all(Expression::is_constant) && self.torque.is_constant()
    }
}
