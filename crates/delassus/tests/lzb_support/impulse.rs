//! The law `lzb` in the form of [ZBL 2012, eqs. (11)–(13)]: potential energies
//! E_j over the normal impulse P_i of a primary contact,
//!
//! ```text
//! dP_j/dP_i = (k_j/k_i)^{1/(η+1)} (E_j/E_i)^{η/(η+1)}      dE_j = −c_j v_j dP_j      M du = W dP
//! ```
//!
//! No compressions, no time: extrapolated midpoint steps (Gragg, Bulirsch,
//! Stoer), events at ends of steps found by secants on the step length, and
//! stick or slip by trying every combination. The primary contact is one with
//! a large force. E_j = 0 is a spurious equilibrium of this form; contacts
//! leave it with an energy far below what is resolved.

mod extrapolation;
mod friction;

use super::reference::Reference;
use extrapolation::{Step, add};
use friction::{Grip, Group, HOLDS};

/// Compressions, relative to the one that stores all energy, and velocities,
/// relative to the largest, that count as zero.
const TINY: f64 = 1e-13;
/// Error of a step in ln E, and in velocities.
const TOLERANCE: f64 = 1e-13;
/// Largest change of velocities in a step.
const LARGEST_CHANGE: f64 = 0.03;
/// Depth in velocities, and in hundredths of the static limit, up to which an
/// excursion past an event and back within a step does no harm.
const HARMLESS: f64 = 1e-9;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Open,
    Loading,
    Unloading,
}

/// What stays the same between two events, but for the primary contact.
#[derive(Clone)]
struct Mode {
    phases: Vec<Phase>,
    grips: Vec<Grip>,
    primary: usize,
}

/// A problem in velocities scaled by √m, so that the metric is that of Euclid.
/// A state is these velocities and then the energies.
struct Path<'a> {
    problem: &'a Reference,
    normals: Vec<Vec<f64>>,
    groups: Vec<Group>,
    size: usize,
    /// Norm and largest contact velocity at the start, and energy.
    norm: f64,
    speed: f64,
    energy: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// u⁺. `None` if the method gives up.
pub fn solve(problem: &Reference) -> Option<Vec<f64>> {
    let root: Vec<f64> = problem.mass.iter().map(|m| m.sqrt()).collect();
    let scaled = |w: &[f64]| -> Vec<f64> { w.iter().zip(&root).map(|(w, r)| w / r).collect() };
    let normals: Vec<_> = problem.contacts.iter().map(|c| scaled(&c.normal)).collect();
    let mut groups: Vec<Group> = Vec::new();
    for (j, contact) in problem.contacts.iter().enumerate().filter(|(_, c)| !c.tangent.is_empty()) {
        let tangent = scaled(&contact.tangent);
        let equal = |g: &&mut Group| {
            let (cross, own) = (dot(&g.tangent, &tangent).abs(), dot(&tangent, &tangent));
            (cross - own).abs() < 1e-14 * own && (dot(&g.tangent, &g.tangent) - own).abs() < 1e-14 * own
        };
        match groups.iter_mut().find(equal) {
            Some(group) => group.members.push(j),
            None => groups.push(Group { tangent, members: vec![j] }),
        }
    }
    let mut y: Vec<f64> = problem.velocity.iter().zip(&root).map(|(u, r)| u * r).collect();
    let speeds = normals.iter().chain(groups.iter().map(|g| &g.tangent)).map(|w| dot(w, &y).abs());
    let speed = speeds.fold(0.0, f64::max);
    let norm = dot(&y, &y).sqrt();
    let size = y.len();
    y.extend(normals.iter().map(|_| 0.0));
    let path = Path { problem, normals, groups, size, norm, speed, energy: 0.5 * norm * norm };
    path.follow(&mut y)?;
    Some(y.iter().zip(&root).map(|(s, r)| s / r).collect())
}

impl Path<'_> {
    fn velocity(&self, y: &[f64], j: usize) -> f64 {
        dot(&self.normals[j], y)
    }

    /// Least energy of a contact that pushes.
    fn floor(&self) -> f64 {
        self.energy * TINY.powf(self.problem.exponent + 1.0)
    }

    /// F_j up to a common factor.
    fn force(&self, y: &[f64], j: usize) -> f64 {
        let eta = self.problem.exponent;
        let energy = y[self.size + j].max(0.0) / self.energy;
        (self.problem.contacts[j].stiffness * energy.powf(eta)).powf(1.0 / (eta + 1.0))
    }

    /// dP_j/dP_i.
    fn pushes(&self, y: &[f64], mode: &Mode) -> Vec<f64> {
        let own = self.force(y, mode.primary);
        let pushing = |j: usize| mode.phases[j] != Phase::Open;
        (0..self.normals.len()).map(|j| if pushing(j) { self.force(y, j) / own } else { 0.0 }).collect()
    }

    fn derivative(&self, y: &[f64], mode: &Mode) -> Vec<f64> {
        let pushes = self.pushes(y, mode);
        let (_, mut rate) = self.balance(&pushes, &mode.grips);
        for (j, p) in pushes.iter().enumerate() {
            let share = match mode.phases[j] {
                Phase::Open => 0.0,
                Phase::Loading => 1.0,
                Phase::Unloading => self.problem.contacts[j].restitution.powi(-2),
            };
            rate.push(-share * self.velocity(y, j) * p);
        }
        rate
    }

    fn step(&self, y: &[f64], slope: &[f64], h: f64, mode: &Mode) -> Step {
        extrapolation::step(y, slope, h, |state| self.derivative(state, mode))
    }

    /// Error of a step relative to what is allowed.
    fn error(&self, y: &[f64], step: &Step) -> f64 {
        let eta = self.problem.exponent;
        let mut worst = 0.0_f64;
        for (i, (&y, (&change, &coarse))) in y.iter().zip(step.change.iter().zip(&step.coarse)).enumerate() {
            let difference = (change - coarse).abs();
            let allowed = if i < self.size {
                0.1 * TOLERANCE * self.norm
            } else {
                let energy = y.min(y + change).max(0.0);
                // A compression may err by TINY/10 of the largest one.
                let rest = (eta + 1.0) * (energy / self.energy).powf(eta / (eta + 1.0)) * self.energy;
                TOLERANCE * energy + 0.1 * TINY * rest
            };
            if difference.is_nan() {
                return f64::INFINITY;
            } else if difference > 0.0 {
                worst = worst.max(difference / allowed);
            }
        }
        worst
    }

    /// How far the state is from every event, in units of what counts as zero.
    fn margins(&self, y: &[f64], mode: &Mode) -> Vec<f64> {
        let mut margins = self.signed_velocities(y, mode);
        let pushes = self.pushes(y, mode);
        let (friction, _) = self.balance(&pushes, &mode.grips);
        for (g, group) in self.groups.iter().enumerate().filter(|&(g, _)| mode.grips[g] == Grip::Stick) {
            let margin = 1.0 - friction[g].abs() / self.limits(group, &pushes)[1];
            margins[self.normals.len() + g] = margin / (HOLDS - 1.0);
        }
        margins
    }

    /// Those margins that are velocities, and zeros. Linear in `y`.
    fn signed_velocities(&self, y: &[f64], mode: &Mode) -> Vec<f64> {
        let unit = TINY * self.speed;
        let normals = self.normals.iter().zip(&mode.phases).map(|(normal, phase)| match phase {
            Phase::Loading => -dot(normal, y) / unit,
            Phase::Open | Phase::Unloading => dot(normal, y) / unit,
        });
        let tangents = self.groups.iter().zip(&mode.grips).map(|(group, grip)| match grip {
            Grip::Slip(sign) => sign * dot(&group.tangent, y) / unit,
            Grip::Idle | Grip::Stick => 0.0,
        });
        normals.chain(tangents).collect()
    }

    /// Whether a margin falls below its limit within a step though it does not
    /// at the end: by the states passed, and by cubics through both ends.
    fn dips(&self, y: &[f64], slope: &[f64], mode: &Mode, step: &Step, limit: &[f64]) -> bool {
        let below = |(m, l): (&f64, &f64)| *m < l - HARMLESS / TINY;
        if step.passed.iter().any(|state| self.margins(state, mode).iter().zip(limit).any(below)) {
            return true;
        }
        let [from, to] = [y, &step.end].map(|y| self.signed_velocities(y, mode));
        let [rise, fall] = [slope, &self.derivative(&step.end, mode)].map(|slope| self.signed_velocities(slope, mode));
        (0..limit.len()).any(|k| {
            let (a, b, s, t) = (from[k], to[k], step.length * rise[k], step.length * fall[k]);
            let cubic = |x: f64| a + x * (s + x * (3.0 * (b - a) - 2.0 * s - t + x * (s + t - 2.0 * (b - a))));
            s < 0.0 && t > 0.0 && (1..32).any(|i| below((&cubic(i as f64 / 32.0), &limit[k])))
        })
    }

    /// Leaves the state without energy: δ_j = −v_j τ, E_j = k_j δ_j^{η+1}/(η+1),
    /// P_j = k_j (−v_j)^η τ^{η+1}/(η+1).
    fn begin(&self, y: &mut [f64], mode: &mut Mode) -> Option<()> {
        let eta = self.problem.exponent;
        let stiffness = |j: usize| self.problem.contacts[j].stiffness;
        let approach: Vec<f64> = (0..self.normals.len())
            .map(|j| if mode.phases[j] == Phase::Loading { -self.velocity(y, j) } else { 0.0 })
            .collect();
        // So short that velocities change by 1e-5^{η+1} of the fastest approach.
        let energy = |j: usize| 0.5 * approach[j].powi(2) / dot(&self.normals[j], &self.normals[j]);
        let most = (0..approach.len()).map(energy).fold(0.0, f64::max);
        let longest = |j: usize| ((eta + 1.0) * most / stiffness(j)).powf(1.0 / (eta + 1.0)) / approach[j];
        let time = 1e-5 * (0..approach.len()).map(longest).fold(f64::INFINITY, f64::min);
        let impulse = |j: usize| stiffness(j) * approach[j].powf(eta) * time.powf(eta + 1.0) / (eta + 1.0);
        let impulses: Vec<f64> = (0..approach.len()).map(impulse).collect();
        mode.grips = self.decide(y, &impulses, &mode.grips)?;
        let (_, change) = self.balance(&impulses, &mode.grips);
        add(y, 1.0, &change);
        for j in (0..approach.len()).filter(|&j| mode.phases[j] == Phase::Loading) {
            y[self.size + j] = (approach[j] * impulses[j]).max(self.floor());
        }
        Some(())
    }

    /// New phases and grips at an event. `None` without a consistent one.
    fn turn(&self, y: &mut [f64], mode: &mut Mode) -> Option<()> {
        for j in 0..self.normals.len() {
            let v = self.velocity(y, j);
            let energy = &mut y[self.size + j];
            mode.phases[j] = match mode.phases[j] {
                Phase::Open if v <= -TINY * self.speed => Phase::Loading,
                Phase::Loading if v > 0.0 && self.problem.contacts[j].restitution == 0.0 => Phase::Open,
                Phase::Loading if v > 0.0 => Phase::Unloading,
                Phase::Unloading if *energy <= self.floor() => Phase::Open,
                Phase::Unloading if v < 0.0 => Phase::Loading,
                same => same,
            };
            if mode.phases[j] == Phase::Open {
                *energy = 0.0;
            }
        }
        let pushing = |j: &usize| mode.phases[*j] != Phase::Open;
        if (0..self.normals.len()).all(|j| y[self.size + j] == 0.0) {
            if (0..self.normals.len()).any(|j| pushing(&j)) {
                self.begin(y, mode)?;
            }
            return Some(());
        }
        for j in (0..self.normals.len()).filter(pushing) {
            y[self.size + j] = y[self.size + j].max(self.floor());
        }
        self.lead(y, mode);
        mode.grips = self.decide(y, &self.pushes(y, mode), &mode.grips)?;
        Some(())
    }

    /// Makes the largest force the primary one if it is twice the present one;
    /// the ratio of their impulses.
    fn lead(&self, y: &[f64], mode: &mut Mode) -> f64 {
        let old = self.force(y, mode.primary);
        let force = |j: usize| self.force(y, j);
        let largest = (0..self.normals.len()).max_by(|&a, &b| force(a).total_cmp(&force(b))).unwrap_or(0);
        if force(largest) < 2.0 * old {
            return 1.0;
        }
        mode.primary = largest;
        if old > 0.0 { force(largest) / old } else { 1.0 }
    }

    fn follow(&self, y: &mut Vec<f64>) -> Option<()> {
        let mut mode = Mode {
            phases: vec![Phase::Open; self.normals.len()],
            grips: vec![Grip::Idle; self.groups.len()],
            primary: 0,
        };
        self.turn(y, &mut mode)?;
        let mut h = f64::INFINITY;
        for _ in 0..100_000 {
            if mode.phases.iter().all(|&p| p == Phase::Open) {
                return Some(());
            }
            h *= self.lead(y, &mut mode);
            let slope = self.derivative(y, &mode);
            let rate = dot(&slope[..self.size], &slope[..self.size]).sqrt();
            h = h.min(LARGEST_CHANGE * self.norm / rate);
            for i in self.size..y.len() {
                // Not past an opening, nor far along a singular start.
                let part = if slope[i] < 0.0 { 0.7 } else { 4.0 };
                if slope[i] != 0.0 {
                    h = h.min(part * y[i] / slope[i].abs());
                }
            }
            let mut step = self.step(y, &slope, h, &mode);
            let error = self.error(y, &step);
            let factor = 0.8 * error.max(1e-30).powf(-1.0 / extrapolation::ORDER);
            if error > 1.0 {
                h *= factor.clamp(0.1, 0.8);
                if h * rate < 1e-30 * self.norm {
                    return None;
                }
                continue;
            }
            if (self.size..y.len()).any(|i| step.end[i] < 0.2 * y[i]) {
                h *= 0.7; // not past an opening
                continue;
            }
            let start = self.margins(y, &mode);
            let limit: Vec<f64> = start.iter().map(|m| m.min(0.0) - 1.0).collect();
            let event = self.margins(&step.end, &mode).iter().zip(&limit).any(|(m, l)| m < l);
            if event {
                step = self.locate(y, &slope, h, &mode, &start, &limit);
            }
            if self.dips(y, &slope, &mode, &step, &limit) {
                h = 0.5 * step.length;
                continue;
            }
            *y = step.end;
            if event {
                self.turn(y, &mut mode)?;
                continue;
            }
            h *= factor.clamp(0.3, 3.0);
            let opens = |j: usize| match mode.phases[j] {
                Phase::Open => false,
                // A velocity may be past zero and yet count as zero.
                Phase::Loading => y[self.size + j] < 0.5 * self.floor(),
                Phase::Unloading => y[self.size + j] <= self.floor(),
            };
            if (0..self.normals.len()).any(opens) {
                self.turn(y, &mut mode)?;
            }
        }
        None
    }

    /// The step to just past the first of the events seen at the end of a
    /// step of length `h`.
    fn locate(&self, y: &[f64], slope: &[f64], h: f64, mode: &Mode, start: &[f64], limit: &[f64]) -> Step {
        let (mut low, mut high, mut trial) = ((0.0, start.to_vec()), (h, Vec::new()), h);
        loop {
            let width = high.0 - low.0;
            let step = self.step(y, slope, trial, mode);
            let margins = self.margins(&step.end, mode);
            let past = |k: &usize| margins[*k] < limit[*k];
            if (0..limit.len()).any(|k| past(&k)) {
                if (0..limit.len()).filter(past).all(|k| margins[k] >= limit[k] - 2.0) {
                    return step;
                }
                high = (trial, margins);
            } else {
                low = (trial, margins);
            }
            if high.0 - low.0 <= 4.0 * f64::EPSILON * high.0 {
                return self.step(y, slope, high.0, mode);
            }
            // Secants to just beyond the limits, halves where they gain little.
            let secant = |k: usize| {
                let (a, b) = (low.1[k] - limit[k] + 1.0, high.1[k] - limit[k] + 1.0);
                if b < 1.0 { a / (a - b) } else { 1.0 }
            };
            let part = (0..limit.len()).map(secant).fold(1.0, f64::min);
            let slow = trial < h && high.0 - low.0 > 0.5 * width;
            trial = low.0 + (high.0 - low.0) * if slow || part >= 1.0 { 0.5 } else { part };
        }
    }
}
