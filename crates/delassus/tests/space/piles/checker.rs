//! Judges a run from its samples alone, with geometry of its own.
//!
//! Two convex bodies are apart where a direction separates them: the search for one climbs from many starts and knows
//! nothing of faces, edges and features.

use super::scene::{Pile, Random, Shape};
use delassus::Certificate;
use delassus::simulate::{End, SimulatedImpact, Trajectory};

#[derive(Debug)]
pub enum Verdict {
    Right,
    /// The run says itself that it is not.
    Unfinished(String),
    Wrong(String),
}

type V = [f64; 3];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(v: V) -> V {
    let size = dot(v, v).sqrt();
    if size > 0.0 { v.map(|x| x / size) } else { [0.0, 0.0, 1.0] }
}

/// A shape where it is: q holds its place and the unit quaternion.
struct Placed<'a> {
    shape: &'a Shape,
    q: &'a [f64],
}

impl Placed<'_> {
    fn place(&self) -> V {
        [self.q[0], self.q[1], self.q[2]]
    }

    /// A direction of the world in the body's frame: v + 2w(v × −p) + …, by the conjugate quaternion.
    fn seen(&self, v: V) -> V {
        let (w, p) = (self.q[3], [-self.q[4], -self.q[5], -self.q[6]]);
        let cross = |a: V, b: V| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let t = cross(p, v).map(|x| 2.0 * x);
        let more = cross(p, t);
        std::array::from_fn(|i| v[i] + w * t[i] + more[i])
    }

    /// The largest extent along a direction, from the origin of the world.
    fn support(&self, direction: V) -> f64 {
        let local = self.seen(direction);
        let own = match self.shape {
            Shape::Points(points, radius) => {
                points.iter().map(|p| dot(*p, local)).fold(f64::NEG_INFINITY, f64::max) + radius
            }
            Shape::Cylinder(radius, half) => radius * local[0].hypot(local[1]) + half * local[2].abs(),
        };
        dot(self.place(), direction) + own
    }
}

/// How far two bodies are apart along a direction from b to a.
fn apart_along(a: &Placed<'_>, b: &Placed<'_>, d: V) -> f64 {
    -a.support(d.map(|x| -x)) - b.support(d)
}

/// The best of a climb over directions: at least that far are they apart.
fn separation(a: &Placed<'_>, b: &Placed<'_>, enough: f64) -> f64 {
    let (p, q) = (a.place(), b.place());
    let mut random = Random(17);
    let mut best = f64::NEG_INFINITY;
    for start in 0..40 {
        let mut d = match start {
            0 => unit(std::array::from_fn(|i| p[i] - q[i])),
            _ => unit(std::array::from_fn(|_| random.between(-1.0, 1.0))),
        };
        let mut here = apart_along(a, b, d);
        let mut reach = 0.5;
        while reach > 1e-8 {
            let mut moved = false;
            for _ in 0..8 {
                let next = unit(std::array::from_fn(|i| d[i] + reach * random.between(-1.0, 1.0)));
                let there = apart_along(a, b, next);
                if there > here {
                    (d, here, moved) = (next, there, true);
                }
            }
            if here >= enough {
                return here;
            }
            if !moved {
                reach *= 0.5;
            }
        }
        best = best.max(here);
    }
    best
}

/// A cylinder is a prism with 24 sides to other bodies: they may be that deep in the round one, in radii.
const PRISM: f64 = 0.0087;

pub fn check(pile: &Pile, run: &Trajectory) -> Verdict {
    if !matches!(run.end, End::Completed | End::AtRest) {
        return Verdict::Unfinished(run.end.as_str().to_owned());
    }
    match (fault(pile, run), inaccurate(run)) {
        (Some(what), _) => Verdict::Wrong(what),
        (None, Some(what)) => Verdict::Unfinished(what),
        (None, None) => Verdict::Right,
    }
}

fn fault(pile: &Pile, run: &Trajectory) -> Option<String> {
    let weightiest = run.samples.iter().map(|s| s.energy.kinetic).fold(0.0, f64::max);
    let mut fastest: f64 = 0.0;
    for (k, sample) in run.samples.iter().enumerate() {
        if sample.q.iter().chain(&sample.u).any(|v| !v.is_finite()) {
            return Some(format!("t = {}: a number is none", sample.time));
        }
        let turning = |u: &[f64]| 0.11 * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5]).sqrt();
        let speed = |u: &[f64]| (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt() + turning(u);
        fastest = sample.u.chunks_exact(6).map(speed).fold(fastest, f64::max);
        // A step brings bodies as deep as they move in half of it, each.
        let deep = pile.step * (fastest + 9.81 * 0.02) + 1e-6;
        let placed: Vec<Placed<'_>> =
            pile.shapes.iter().zip(sample.q.chunks_exact(7)).map(|(shape, q)| Placed { shape, q }).collect();
        for (i, a) in placed.iter().enumerate() {
            let below = a.support([0.0, 0.0, -1.0]);
            if below > deep {
                return Some(format!("t = {}: b{i} is {below:e} deep in the floor", sample.time));
            }
            for (side, half) in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]].iter().zip(pile.half.iter().cycle())
            {
                let beyond = a.support([side[0], side[1], 0.0]) - half;
                if beyond > deep {
                    return Some(format!("t = {}: b{i} is {beyond:e} deep in a wall", sample.time));
                }
            }
            for (j, b) in placed.iter().enumerate().skip(i + 1) {
                let round = |shape: &Shape| if let Shape::Cylinder(radius, _) = shape { PRISM * radius } else { 0.0 };
                let allowed = deep + round(a.shape) + round(b.shape);
                let apart = separation(a, b, -allowed);
                if apart < -allowed {
                    return Some(format!("t = {}: b{i} and b{j} overlap by {:e}", sample.time, -apart));
                }
            }
        }
        // Nothing feeds energy; first order in the step where bodies without symmetry are struck while they turn.
        let grown =
            sample.energy.total() - run.samples[..k].iter().map(|s| s.energy.total()).fold(f64::INFINITY, f64::min);
        if k > 0 && grown > 2e-3 * weightiest {
            return Some(format!("t = {}: the energy has grown by {grown:e} of {weightiest:e}", sample.time));
        }
    }
    None
}

/// An impact that its certificate calls inaccurate. Steps are solved to 1e-8 of the largest velocity that calls for impulses,
/// which may be far above that of an impact: up to 1e-6 is what was asked for.
fn inaccurate(run: &Trajectory) -> Option<String> {
    let off = |impact: &&SimulatedImpact| {
        let Certificate { kinematic, kinetic, energetic, momentum, inclusion, .. } = impact.outcome.certificate;
        [kinematic, kinetic, energetic, momentum, inclusion.unwrap_or(0.0)].iter().any(|residual| *residual > 1e-6)
    };
    let impact = run.impacts.iter().find(off)?;
    let names: Vec<_> = impact.contacts.iter().map(|&c| run.contact_names[c].as_str()).collect();
    let (status, certificate) = (impact.outcome.status().as_str(), impact.outcome.certificate);
    Some(format!("t = {}: {status} impact of {}, {certificate:?}", impact.time, names.join(", ")))
}
