//! Stick or slip in the form of impulses, with one tangent per contact.
//!
//! Contacts with equal or opposite tangents share their tangential velocity
//! and act as one (the split that minimises Σ dP_t²/(μ_s dP_n) brings all of
//! them to their static limits at once); other tangents must be independent.

use super::extrapolation::add;
use super::{Path, TINY, dot};

/// Share of the static limit up to which a contact sticks.
pub const HOLDS: f64 = 1.0 + 100.0 * TINY;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Grip {
    Idle,
    Stick,
    Slip(f64),
}

/// Contacts with one tangential velocity.
pub struct Group {
    pub tangent: Vec<f64>,
    pub members: Vec<usize>,
}

impl Path<'_> {
    /// Limits of the friction of a group, kinetic and static.
    pub fn limits(&self, group: &Group, pushes: &[f64]) -> [f64; 2] {
        let contact = |j: usize| &self.problem.contacts[j];
        let kinetic = group.members.iter().map(|&j| contact(j).friction * pushes[j]).sum();
        [kinetic, group.members.iter().map(|&j| contact(j).friction_static * pushes[j]).sum()]
    }

    /// dP_t/dP_i of the groups and du/dP_i.
    pub fn balance(&self, pushes: &[f64], grips: &[Grip]) -> (Vec<f64>, Vec<f64>) {
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

    /// Grips of the groups with pushing contacts. Where μ_s > μ the answer hangs
    /// on the order of release, which the law prescribes; otherwise every
    /// combination is tried.
    pub fn decide(&self, y: &[f64], pushes: &[f64], old: &[Grip]) -> Option<Vec<Grip>> {
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
        if self.problem.contacts.iter().any(|c| c.friction_static > c.friction) {
            self.release(pushes, &resting, grips)
        } else {
            self.try_all(pushes, &resting, grips)
        }
    }

    /// Among all combinations of stick and slip of the `resting` groups the most
    /// sticking one that is consistent. (All have the same W_t dP_t.)
    fn try_all(&self, pushes: &[f64], resting: &[usize], mut grips: Vec<Grip>) -> Option<Vec<Grip>> {
        let mut best: Option<(usize, Vec<Grip>)> = None;
        for code in 0..3_usize.pow(resting.len() as u32) {
            let mut rest = code;
            let mut sticking = 0;
            for &g in resting {
                grips[g] = [Grip::Stick, Grip::Slip(1.0), Grip::Slip(-1.0)][rest % 3];
                sticking += usize::from(rest % 3 == 0);
                rest /= 3;
            }
            let consistent = self.shares(pushes, resting, &grips).iter().all(|&share| share <= HOLDS);
            if consistent && best.as_ref().is_none_or(|(most, _)| sticking > *most) {
                best = Some((sticking, grips.clone()));
            }
        }
        best.map(|(_, grips)| grips)
    }

    /// Lets go of one group after the other, the one with the largest share of
    /// its static limit first, to slip against the force that held it. `None`
    /// if one then slips against its acceleration.
    fn release(&self, pushes: &[f64], resting: &[usize], mut grips: Vec<Grip>) -> Option<Vec<Grip>> {
        resting.iter().for_each(|&g| grips[g] = Grip::Stick);
        loop {
            let shares = self.shares(pushes, resting, &grips);
            let sticking = (0..resting.len()).filter(|&i| grips[resting[i]] == Grip::Stick);
            match sticking.max_by(|&i, &k| shares[i].total_cmp(&shares[k])) {
                Some(i) if shares[i] > HOLDS => {
                    let (friction, _) = self.balance(pushes, &grips);
                    grips[resting[i]] = Grip::Slip(-friction[resting[i]].signum());
                }
                _ => return shares.iter().all(|&share| share <= HOLDS).then_some(grips),
            }
        }
    }

    /// Shares of the static limits that the `resting` groups use; of a group that
    /// slips 0, or ∞ if against its acceleration.
    fn shares(&self, pushes: &[f64], resting: &[usize], grips: &[Grip]) -> Vec<f64> {
        let (friction, rate) = self.balance(pushes, grips);
        let share = |&g: &usize| {
            let tangent = &self.groups[g].tangent;
            match grips[g] {
                Grip::Slip(sign) => {
                    let none = 1e-13 * (dot(&rate, &rate) * dot(tangent, tangent)).sqrt();
                    if sign * dot(tangent, &rate) < -none { f64::INFINITY } else { 0.0 }
                }
                _ => friction[g].abs() / self.limits(&self.groups[g], pushes)[1],
            }
        };
        resting.iter().map(share).collect()
    }
}
