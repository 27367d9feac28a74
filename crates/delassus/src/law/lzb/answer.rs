//! What is said at the end of an impact.

use crate::answer::{LawAnswer, Status};

use super::impact::{Halted, Impact};
use super::thresholds::energy;
use crate::answer::ContactEnergy;

impl Impact<'_> {
    /// Writes the answer in physical units.
    pub fn write(self, ended: Result<(), Halted>, answer: &mut LawAnswer) {
        let scaled = &self.data.scaled;
        answer.impulses.clear();
        answer
            .impulses
            .extend(self.data.impulse.iter().zip(&scaled.units.inverse).map(|(l, s)| l * s * scaled.velocity));
        let energy = scaled.velocity * scaled.velocity;
        answer.contact_energy.clear();
        answer.contact_energy.extend(self.data.contacts.iter().map(|c| ContactEnergy {
            stored: c.account.stored * energy,
            returned: c.account.returned * energy,
            lost: c.account.lost * energy,
            held: c.account.held * energy,
            friction: c.account.friction * energy,
            compressions: c.account.compressions,
        }));
        answer.stats.iterations = self.steps;
        answer.stats.events = self.happened;
        let name = |c: usize| &self.problem.contacts()[c].name;
        let so_far = || format!("{} steps and {} events", self.steps, self.happened);
        match ended {
            Ok(()) => {
                let accounts = &answer.contact_energy;
                let (held, stored) = accounts.iter().fold((0.0, 0.0), |(h, s), a| (h + a.held, s + a.stored));
                if held > energy::MENTIONED * stored {
                    let wedged = (0..accounts.len()).filter(|&c| accounts[c].held > energy::MENTIONED * held);
                    let names: Vec<&str> = wedged.map(|c| name(c).as_str()).collect();
                    answer.warnings.push(format!(
                        "friction wedges {}: at rest with {held:.4e} J left in the springs, which nothing sets free; \
                         impulses count up to that rest, and those that follow balance each other",
                        names.join(", ")
                    ));
                }
            }
            Err(Halted::TooManySteps) => {
                answer.give_up(&self.budget, self.steps);
                answer.warnings.push(format!(
                    "the impact was still going on after {}: the contacts hit one another without end, or the step \
                     limit is too low",
                    so_far()
                ));
            }
            Err(Halted::Driven(c)) => {
                answer.status = Status::NoSolution;
                answer.warnings.push(format!(
                    "{} approaches, and joints or clutches let no impulse of a contact change that: it is driven shut",
                    name(c)
                ));
            }
            Err(Halted::Pressed(c)) => {
                answer.status = Status::Stalled;
                answer.warnings.push(format!(
                    "moving supports press {} without end: after {} it stores far more energy than the motion had",
                    name(c),
                    so_far()
                ));
            }
            Err(Halted::Repeats(changes)) => {
                answer.status = Status::Stalled;
                answer.warnings.push(format!(
                    "after {} every {changes} changes of contacts bring the same state again: the contacts hit one \
                     another without end",
                    so_far()
                ));
            }
            Err(Halted::Stalled) => {
                answer.status = Status::Stalled;
                answer.warnings.push(format!(
                    "the impact could not be followed further after {}: stick and slip, or opening and closing, \
                     alternate without progress",
                    so_far()
                ));
            }
        }
        answer.path = self.path;
    }
}
