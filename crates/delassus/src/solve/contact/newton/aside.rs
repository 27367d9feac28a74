//! Patches of a group use the buffers of the group: what belongs to it is put aside for them.

use super::{ByBodies, Newton, OPEN};

/// What was found out about a group: its order of elimination, and how linear systems of it are solved.
#[derive(Debug)]
pub(in super::super) struct Aside {
    order: Vec<u32>,
    by_bodies: Option<ByBodies>,
    entries: f64,
    work: f64,
    iterates: bool,
}

impl<const D: usize> Newton<D> {
    /// Leaves the linear system at hand.
    pub(super) fn leave(&mut self) {
        self.active.iter().for_each(|&i| self.place[i as usize] = OPEN);
        self.active.clear();
        self.rows.clear();
        self.pushed.clear();
    }

    /// Puts what was found out about a group aside, for patches of it. Contacts beside these make no step.
    pub(in super::super) fn put_aside(&mut self) -> Aside {
        self.leave();
        self.move_r.fill(0.0);
        let (order, by_bodies) = (std::mem::take(&mut self.order), self.by_bodies.take());
        Aside { order, by_bodies, entries: self.entries, work: self.work, iterates: self.iterates }
    }

    /// Takes that back.
    pub(in super::super) fn take_back(&mut self, aside: Aside) {
        self.leave();
        (self.order, self.by_bodies, self.entries) = (aside.order, aside.by_bodies, aside.entries);
        (self.work, self.iterates) = (aside.work, aside.iterates);
    }
}
