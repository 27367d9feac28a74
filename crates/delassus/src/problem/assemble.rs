//! M⁻¹W and G from the numbers of a problem.

use super::ImpactProblem;
use crate::small::wide::{self, LANES, WIDE};

impl ImpactProblem {
    /// Everything that follows from M, W, χ, F and u⁻; `false` where `ask`, which learns the multiplications done, ended it.
    #[inline]
    pub(super) fn assemble(&mut self, ask: &mut impl FnMut(f64) -> bool) -> bool {
        let n = self.mass.size();
        let m = self.directions.len();
        let mut assembled = false;
        // Where the pattern of Y is known and full it stays.
        if let (Some(y), Some(w)) = (self.response.as_full_mut(), self.directions.as_full()) {
            assembled = self.mass.solve_full_columns(w, y);
        }
        if !assembled && !self.respond(ask) {
            return false;
        }
        if !self.operator.assemble(&self.directions, &self.response, n, ask) {
            return false;
        }
        self.scales.resize(self.elements.len(), 0.0);
        for (element, scale) in self.elements.iter().zip(&mut self.scales) {
            let mut trace = 0.0;
            element.each_row(|i| trace += self.operator.get(i, i));
            let dimension = element.rows.end - element.rows.start;
            *scale = if dimension == 1 { trace.sqrt() } else { (trace / dimension as f64).sqrt() };
        }
        if let Some(external) = &mut self.external {
            external.velocity_change.clear();
            external.velocity_change.extend_from_slice(&external.impulse);
            self.mass.solve(&mut external.velocity_change);
            external.relative_change.clear();
            for j in 0..m {
                external.relative_change.push(self.directions.dot(j, &external.velocity_change));
            }
        }
        self.update_gamma();
        true
    }

    /// Y = M⁻¹W where its pattern is not known yet, or M not one small block.
    fn respond(&mut self, ask: &mut dyn FnMut(f64) -> bool) -> bool {
        if self.mass.as_large().is_some() {
            return self.respond_to_many(ask);
        }
        let (n, m) = (self.mass.size(), self.directions.len());
        self.scratch.clear();
        self.scratch.resize(n, 0.0);
        self.response.clear();
        for j in 0..m {
            self.entries.clear();
            self.mass.solve_sparse(
                self.directions.indices(j),
                self.directions.values(j),
                &mut self.scratch,
                &mut |i, v| self.entries.push((i, v)),
            );
            self.response.push(n, self.entries.iter().copied());
            // Large blocks beside others.
            let entries = self.entries.len();
            if entries >= WIDE && !ask((entries * entries) as f64) {
                return false;
            }
        }
        true
    }

    /// Y = M⁻¹W, several columns at a time, where M is one large block.
    #[cold]
    fn respond_to_many(&mut self, ask: &mut dyn FnMut(f64) -> bool) -> bool {
        let (n, m) = (self.mass.size(), self.directions.len());
        let Some(factor) = self.mass.as_large() else { return true };
        let (columns, lanes) = (self.response.make_full(n, m), &mut self.lanes);
        for (group, columns) in columns.chunks_mut(LANES * n).enumerate() {
            lanes.clear();
            lanes.resize(n, [0.0; LANES]);
            let first = LANES * group;
            for j in first..first + columns.len() / n {
                self.directions.column(j).for_each(|(i, value)| lanes[i][j - first] = value);
            }
            wide::solve_lanes(n, factor, lanes);
            for (lane, column) in columns.chunks_mut(n).enumerate() {
                column.iter_mut().zip(&*lanes).for_each(|(entry, lanes)| *entry = lanes[lane]);
            }
            if !ask((LANES * n * n) as f64) {
                return false;
            }
        }
        true
    }
}
