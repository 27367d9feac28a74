//! Impacts of a step as the results list them, with their certificate.

use std::collections::HashMap;

use super::blocks::{Block, Kind};
use super::sweep::FEW;
use crate::answer::LawAnswer;
use crate::certify::certify;
use crate::claim::{Claim, ElementClaim};
use crate::mass::Mass;
use crate::model::{Bodies, SUPPORT, Touch};
use crate::problem::{ContactData, Direction, ElementKind, ImpactProblem, JointData, ProblemData};
use crate::simulate::trajectory::SimulatedImpact;

/// Bodies up to which impacts are listed one by one.
const BODIES: usize = 12;
/// Impacts listed at most.
const MOST: usize = 10_000;

/// Lists impacts.
pub(super) struct Recorder {
    few: bool,
    /// Numbers of the names of contacts.
    names: HashMap<String, usize>,
    pub listed: usize,
    /// Impacts that were not listed.
    pub unlisted: usize,
}

/// A step in which something struck.
pub(super) struct Struck<'a> {
    /// Its start.
    pub t: f64,
    /// Positions of the impact.
    pub q: &'a [f64],
    /// Velocities before, without contacts, and after.
    pub u: &'a [f64],
    pub free: &'a [f64],
    pub next: &'a [f64],
}

impl Recorder {
    pub fn new(bodies: usize) -> Self {
        Self { few: bodies <= BODIES, names: HashMap::new(), listed: 0, unlisted: 0 }
    }

    /// Knows the names that a run so far has given to contacts.
    pub fn knows(&mut self, names: &[String]) {
        self.names = names.iter().cloned().enumerate().map(|(index, name)| (name, index)).collect();
    }

    /// The impact of a step.
    pub fn impact<const D: usize, const R: usize>(
        &mut self,
        system: &dyn Bodies<D, R>,
        state: &Struck<'_>,
        touches: &[Touch<D, R>],
        blocks: &[Block<D, R>],
        names: &mut Vec<String>,
    ) -> Option<SimulatedImpact> {
        if !self.few || blocks.len() > FEW || self.listed >= MOST {
            self.unlisted += 1;
            return None;
        }
        let Struck { t, q, u, free, next } = *state;
        let n = u.len();
        let sizes = system.mass_blocks();
        let mut entries = vec![0.0; sizes.iter().map(|size| size * size).sum()];
        system.mass(q, &mut entries);
        let mass = Mass::of_blocks(&sizes, &entries).ok()?;
        let change: Vec<f64> = free.iter().zip(u).map(|(free, u)| free - u).collect();
        let mut force = vec![0.0; n];
        mass.multiply(&change, &mut force);
        let mut data = ProblemData::new(mass, u.to_vec()).with_impulse(force);
        let (mut contacts, mut frames, mut impulses, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (k, block) in blocks.iter().enumerate() {
            let direction = |r: usize| {
                let mut full = vec![0.0; n];
                for side in (0..2).filter(|&s| block.bodies[s] != SUPPORT) {
                    let at = D * block.bodies[side];
                    (0..D).for_each(|i| full[at + i] += block.w[side][r][i]);
                }
                Direction::from(full)
            };
            match block.kind {
                Kind::Contact(friction) => {
                    let touch = &touches[k];
                    let index = self.index(system, touch, &contacts, names);
                    contacts.push(index);
                    frames.push(system.touch_frame(touch, q));
                    let mut contact = ContactData::new(format!("{k}"), direction(0));
                    if friction > 0.0 {
                        contact.tangents = (1..R).map(direction).collect();
                        contact = contact.friction(friction);
                    }
                    let count = 1 + contact.tangents.len();
                    contact.offset = touch.offset[1][..count].to_vec();
                    // A contact that is still open a little may close: its velocity is measured from that.
                    contact.offset[0] += room(block, touch);
                    impulses.extend_from_slice(&block.x[..count]);
                    rows.push(count);
                    data.contacts.push(contact);
                }
                Kind::Joint => {
                    for r in (0..R).filter(|&r| block.w.iter().any(|side| side[r].iter().any(|v| *v != 0.0))) {
                        let mut joint = JointData::new(format!("{k}.{r}"), [direction(r)]);
                        joint.offset = vec![block.constant[r]];
                        data.joints.push(joint);
                        impulses.push(block.x[r]);
                    }
                }
            }
        }
        let problem = ImpactProblem::new(data).ok()?;
        // ξ = γ⁺ + εγ⁻, where ε is what the step took: none for contacts that did not strike.
        let mut claim = Claim::default();
        let gamma = problem.gamma_minus();
        claim.each(&problem, |element| {
            let contact = element.contact.filter(|_| element.kind == ElementKind::Normal);
            let taken = contact.map_or(0.0, |at| (blocks[at].constant[0] - touches[at].offset[1][0]).min(0.0));
            let before = gamma[element.rows.start];
            ElementClaim::Newton { restitution: if taken < 0.0 && before < 0.0 { taken / before } else { 0.0 } }
        });
        let outcome = certify(&problem, &claim, LawAnswer { impulses, ..LawAnswer::default() });
        self.listed += 1;
        Some(SimulatedImpact {
            time: t,
            contacts,
            q: q.to_vec(),
            u_minus: u.to_vec(),
            u_plus: next.to_vec(),
            kinetic_after: outcome.energy.after,
            frames,
            rows,
            outcome,
            inelastic: false,
            modes: Vec::new(),
        })
    }

    /// The number of a contact's name; several of one name in an impact are numbered.
    fn index<const D: usize, const R: usize>(
        &mut self,
        system: &dyn Bodies<D, R>,
        touch: &Touch<D, R>,
        taken: &[usize],
        names: &mut Vec<String>,
    ) -> usize {
        if let Some(listed) = system.listed(touch) {
            return listed;
        }
        let base = system.touch_name(touch);
        for number in 1.. {
            let name = if number == 1 { base.clone() } else { format!("{base}#{number}") };
            let index = *self.names.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            });
            if !taken.contains(&index) {
                return index;
            }
        }
        0
    }
}

/// How fast a contact that is open a little may close.
fn room<const D: usize, const R: usize>(block: &Block<D, R>, touch: &Touch<D, R>) -> f64 {
    (block.constant[0] - touch.offset[1][0]).max(0.0)
}
