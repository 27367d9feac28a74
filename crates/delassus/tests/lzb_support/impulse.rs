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
//!
//! Contacts with equal or opposite tangents share their tangential velocity
//! and act as one (the split that minimises Σ dP_t²/(μ_s dP_n) brings all of
//! them to their static limits at once); other tangents must be independent.

mod extrapolation;

use super::reference::Reference;
use extrapolation::{Step, add};

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

#[derive(Clone, Copy, PartialEq, Debug)]
enum Grip {
    Idle,
    Stick,
    Slip(f64),
}

/// Contacts with one tangential velocity.
struct Group {
    tangent: Vec<f64>,
    members: Vec<usize>,
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

    /// Limits of the friction of a group, kinetic and static.
    fn limits(&self, group: &Group, pushes: &[f64]) -> [f64; 2] {
        let contact = |j: usize| &self.problem.contacts[j];
        let kinetic = group.members.iter().map(|&j| contact(j).friction * pushes[j]).sum();
        [kinetic, group.members.iter().map(|&j| contact(j).friction_static * pushes[j]).sum()]
    }

    /// dP_t/dP_i of the groups and du/dP_i.
    fn balance(&self, pushes: &[f64], grips: &[Grip]) -> (Vec<f64>, Vec<f64>) {
        let mut rate = vec![0.0; self.size];
        for (normal, &p) in self.normals.iter().zip(pushes).filter(|(_, p)| **p > 0.0) {
            add(&mut rate, p, normal);
        }
        let mut friction = vec![0.0; grips.len()];
        for (g, group) in self.groups.iter().enumerate() {
            if let Grip::Slip(sign) = grips[g] {
                friction[g] = -sign * self.limits(group, pushes)[0];
                add(&mut rate, friction[g], &group.tangent);
            }
        }
        // Sticking groups: what is left of the rate is orthogonal to their
        // tangents, made orthogonal to each other one by one.
        let stuck: Vec<usize> = (0..grips.len()).filter(|&g| grips[g] == Grip::Stick).collect();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let mut mixed: Vec<Vec<f64>> = Vec::new();
        for (n, &g) in stuck.iter().enumerate() {
            let mut direction = self.groups[g].tangent.clone();
            let mut mixture = vec![0.0; stuck.len()];
            mixture[n] = 1.0;
            for (b, m) in basis.iter().zip(&mixed) {
                let share = -dot(b, &self.groups[g].tangent) / dot(b, b);
                add(&mut direction, share, b);
                add(&mut mixture, share, m);
            }
            basis.push(direction);
            mixed.push(mixture);
        }
        for (b, m) in basis.iter().zip(&mixed) {
            let share = -dot(b, &rate) / dot(b, b);
            add(&mut rate, share, b);
            stuck.iter().zip(m).for_each(|(&g, m)| friction[g] += share * m);
        }
        (friction, rate)
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

    /// A step and the state at its end.
    fn step(&self, y: &[f64], slope: &[f64], h: f64, mode: &Mode) -> (Step, Vec<f64>) {
        let step = extrapolation::step(y, slope, h, |state| self.derivative(state, mode));
        let end = y.iter().zip(&step.change).map(|(a, b)| a + b).collect();
        (step, end)
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
            margins[self.normals.len() + g] = margin / (100.0 * TINY);
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
    fn dips(&self, y: &[f64], slope: &[f64], h: f64, mode: &Mode, step: &Step, end: &[f64], limit: &[f64]) -> bool {
        let below = |(m, l): (&f64, &f64)| *m < l - HARMLESS / TINY;
        if step.passed.iter().any(|state| self.margins(state, mode).iter().zip(limit).any(below)) {
            return true;
        }
        let [from, to] = [y, end].map(|y| self.signed_velocities(y, mode));
        let [rise, fall] = [slope, &self.derivative(end, mode)].map(|slope| self.signed_velocities(slope, mode));
        (0..limit.len()).any(|k| {
            let (a, b, s, t) = (from[k], to[k], h * rise[k], h * fall[k]);
            let cubic = |x: f64| a + x * (s + x * (3.0 * (b - a) - 2.0 * s - t + x * (s + t - 2.0 * (b - a))));
            s < 0.0 && t > 0.0 && (1..32).any(|i| below((&cubic(i as f64 / 32.0), &limit[k])))
        })
    }

    /// Among all combinations of stick and slip of the groups with pushing
    /// contacts and without velocity, the most sticking one that is consistent.
    /// (With μ_s = μ all have the same forces W_t dP_t.)
    fn decide(&self, y: &[f64], pushes: &[f64], old: &[Grip]) -> Option<Vec<Grip>> {
        let mut grips = vec![Grip::Idle; self.groups.len()];
        let mut resting = Vec::new();
        for (g, group) in self.groups.iter().enumerate() {
            let velocity = dot(&group.tangent, y);
            if self.limits(group, pushes)[1] > 0.0 {
                if old[g] == Grip::Stick || velocity.abs() < 10.0 * TINY * self.speed {
                    resting.push(g);
                } else {
                    grips[g] = Grip::Slip(velocity.signum());
                }
            }
        }
        let mut best: Option<(usize, Vec<Grip>)> = None;
        for code in 0..3_usize.pow(resting.len() as u32) {
            let mut rest = code;
            let mut sticking = 0;
            for &g in &resting {
                grips[g] = [Grip::Stick, Grip::Slip(1.0), Grip::Slip(-1.0)][rest % 3];
                sticking += usize::from(rest % 3 == 0);
                rest /= 3;
            }
            let (friction, rate) = self.balance(pushes, &grips);
            let size = dot(&rate, &rate).sqrt();
            let holds = resting.iter().all(|&g| {
                let tangent = &self.groups[g].tangent;
                match grips[g] {
                    Grip::Slip(sign) => sign * dot(tangent, &rate) >= -1e-13 * size * dot(tangent, tangent).sqrt(),
                    _ => friction[g].abs() <= self.limits(&self.groups[g], pushes)[1] * (1.0 + 100.0 * TINY),
                }
            });
            if holds && best.as_ref().is_none_or(|(most, _)| sticking > *most) {
                best = Some((sticking, grips.clone()));
            }
        }
        best.map(|(_, grips)| grips)
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
            let (mut step, mut next) = self.step(y, &slope, h, &mode);
            let error = self.error(y, &step);
            let factor = 0.8 * error.max(1e-30).powf(-1.0 / extrapolation::ORDER);
            if error > 1.0 {
                h *= factor.clamp(0.1, 0.8);
                if h * rate < 1e-30 * self.norm {
                    return None;
                }
                continue;
            }
            if (self.size..y.len()).any(|i| next[i] < 0.2 * y[i]) {
                h *= 0.7; // not past an opening
                continue;
            }
            let start = self.margins(y, &mode);
            let limit: Vec<f64> = start.iter().map(|m| m.min(0.0) - 1.0).collect();
            let over = self.margins(&next, &mode).iter().zip(&limit).any(|(m, l)| m < l);
            let event = over.then(|| self.locate(y, &slope, h, &mode, &start, &limit));
            let length = event.unwrap_or(h);
            if event.is_some() {
                (step, next) = self.step(y, &slope, length, &mode);
            }
            if self.dips(y, &slope, length, &mode, &step, &next, &limit) {
                h = 0.5 * length;
                continue;
            }
            *y = next;
            if event.is_some() {
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

    /// Length of the step to just past the first of the events seen at its end.
    fn locate(&self, y: &[f64], slope: &[f64], h: f64, mode: &Mode, start: &[f64], limit: &[f64]) -> f64 {
        let (mut low, mut high, mut trial) = ((0.0, start.to_vec()), (h, Vec::new()), h);
        loop {
            let width = high.0 - low.0;
            let margins = self.margins(&self.step(y, slope, trial, mode).1, mode);
            let past = |k: &usize| margins[*k] < limit[*k];
            if (0..limit.len()).any(|k| past(&k)) {
                if (0..limit.len()).filter(past).all(|k| margins[k] >= limit[k] - 2.0) {
                    return trial;
                }
                high = (trial, margins);
            } else {
                low = (trial, margins);
            }
            if high.0 - low.0 <= 4.0 * f64::EPSILON * high.0 {
                return high.0;
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
