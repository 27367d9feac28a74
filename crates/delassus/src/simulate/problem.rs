//! The problem of an impact within a run: built once for each set of contacts that takes part, then its numbers are
//! set in place.

use super::motion::MovingSystem;
use crate::columns::Columns;
use crate::error::ImpactError;
use crate::mass::Mass;
use crate::model::{Directions, System};
use crate::problem::{ClutchData, ContactData, Direction, ImpactProblem, JointData, MassEntries, ProblemData};

/// Sets of contacts whose problems are kept: rocking alternates between a few.
const SETS: usize = 8;

/// How contacts take part in an impact.
#[derive(Debug, Default)]
pub(super) struct Participants {
    /// Restitution of each of them, normal and tangential.
    pub restitution: Vec<[f64; 2]>,
    /// What each of them approaches faster than its velocity says (contacts pressed together without a collision).
    pub pressed: Vec<f64>,
    /// Whether clutches lose their restitution.
    pub inelastic: bool,
}

/// Problems of the sets of contacts seen last. Buffers are reused.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// The last one used comes last.
    known: Vec<(Vec<usize>, ImpactProblem)>,
    /// Blocks of M.
    mass: Vec<f64>,
    rows: Columns,
    offset: Vec<f64>,
    /// Directions of one contact, clutch or joint.
    element: Directions,
}

impl Problems {
    /// The problem set last.
    pub fn current(&self) -> Option<&ImpactProblem> {
        self.known.last().map(|(_, problem)| problem)
    }

    /// Sets the problem of an impact of these contacts at the state of a run.
    pub fn set(
        &mut self,
        motion: &MovingSystem<'_>,
        contacts: &[usize],
        who: &Participants,
    ) -> Result<(), ImpactError> {
        let system = motion.system();
        let (q, u) = (motion.state.q(), motion.state.u());
        self.read_rows(motion, contacts, who);
        let full = system.diagonal_mass().is_none();
        if full {
            if self.mass.is_empty() {
                self.mass.resize(system.mass_blocks().iter().map(|size| size * size).sum(), 0.0);
            }
            system.mass(q, &mut self.mass);
        }
        let known = self.known.iter().position(|(known, _)| known == contacts);
        match known {
            Some(place) => self.known[place..].rotate_left(1),
            None => {
                let problem = self.build(system, contacts, u)?;
                if self.known.len() == SETS {
                    self.known.remove(0);
                }
                self.known.push((contacts.to_vec(), problem));
            }
        }
        let Some((_, problem)) = self.known.last_mut() else { return Ok(()) };
        // Also where it was built just now, so that its last bits do not depend on when that was: a run that goes on from a
        // snapshot builds its problems anew. A diagonal mass does not depend on the position.
        let mass = full.then_some(MassEntries::Blocks(&self.mass));
        problem.set_rows(mass, &self.rows, &self.offset, u)?;
        for (i, [normal, tangential]) in who.restitution.iter().enumerate() {
            problem.set_restitution(i, *normal, *tangential)?;
        }
        let first = problem.elements().len() - system.clutches().len() - system.joints().len();
        for (i, clutch) in system.clutches().iter().enumerate() {
            problem.set_element_restitution(first + i, if who.inelastic { 0.0 } else { clutch.restitution })?;
        }
        Ok(())
    }

    /// Directions and offsets, row by row.
    fn read_rows(&mut self, motion: &MovingSystem<'_>, contacts: &[usize], who: &Participants) {
        let (system, pieces) = (motion.system(), &motion.dynamics.pieces);
        let (t, q, u) = (motion.state.t, motion.state.q(), motion.state.u());
        let Self { rows, offset, element, .. } = self;
        rows.clear();
        offset.clear();
        for (&c, pressed) in contacts.iter().zip(&who.pressed) {
            let state = system.contact(c, pieces[c], t, q, u, element);
            rows.push_places(u.len(), element.places(), element.row(0));
            offset.push(state.offset[0] - pressed);
            if !system.contacts()[c].surface.is_smooth() {
                for k in 1..=system.tangents() {
                    rows.push_places(u.len(), element.places(), element.row(k));
                    offset.push(state.offset[k]);
                }
            }
        }
        for i in 0..system.clutches().len() {
            offset.push(system.clutch(i, t, q, u, element).offset);
            rows.push_places(u.len(), element.places(), element.row(0));
        }
        for (j, joint) in system.joints().iter().enumerate() {
            for row in 0..joint.rows {
                offset.push(system.joint(j, row, t, q, u, element).offset);
                rows.push_places(u.len(), element.places(), element.row(0));
            }
        }
    }

    /// Builds the problem of a new set of contacts from the rows read before.
    fn build(&self, system: &dyn System, contacts: &[usize], u: &[f64]) -> Result<ImpactProblem, ImpactError> {
        let mass = match system.diagonal_mass() {
            Some(diagonal) => Mass::diagonal(diagonal.to_vec())?,
            None => Mass::of_blocks(&system.mass_blocks(), &self.mass)?,
        };
        let mut data = ProblemData::new(mass, u);
        let direction = |i: usize| {
            let values = self.rows.values(i);
            if values.len() == u.len() {
                Direction::Dense(values.to_vec())
            } else {
                Direction::Sparse(self.rows.column(i).collect())
            }
        };
        let mut rows = (0..self.rows.len()).map(direction).zip(self.offset.iter().copied());
        for &c in contacts {
            let point = &system.contacts()[c];
            let surface = point.surface;
            let Some((normal, offset)) = rows.next() else { break };
            let mut contact = ContactData::new(point.name.clone(), normal).stiffness(surface.stiffness);
            contact.offset = vec![offset];
            if !surface.is_smooth() {
                for (tangent, offset) in rows.by_ref().take(system.tangents()) {
                    contact.tangents.push(tangent);
                    contact.offset.push(offset);
                }
                contact.friction = Some(surface.friction.into());
                contact.friction_static = Some(surface.friction_static.into());
            }
            data.contacts.push(contact);
        }
        for clutch in system.clutches() {
            let Some((direction, offset)) = rows.next() else { break };
            data.clutches.push(ClutchData { name: clutch.name.clone(), direction, restitution: 0.0, offset });
        }
        for joint in system.joints() {
            let (directions, offset) = rows.by_ref().take(joint.rows).unzip();
            data.joints.push(JointData { name: joint.name.clone(), directions, restitution: 0.0, offset });
        }
        ImpactProblem::new(data)
    }
}
