//! Newton's linear systems by the velocities of bodies, where many contacts share few of them.
//!
//! With G = F Fᵀ by bodies (F_ia: the rows of contact i in the velocities of body a, in which its mass is one) the rows
//! P A + Q of [`newton`](super::newton) have the step y = Q⁻¹(b − P F v) with v = Fᵀy, so that
//!
//! ```text
//! (1 + Fᵀ Q⁻¹ P F) v = Fᵀ Q⁻¹ b
//! ```
//!
//! has six rows a body instead of three a contact: where bricks touch flat, that takes a hundredth of the multiplications.
//! Q is made regular by a small multiple of P, which costs digits of a step and none of the answer.

use super::LARGE;
use super::factor::{Factors, Symbolic, inverse};
use super::krylov::Rows;
use super::linearise::Linear;
use super::order::minimum_degree;
use super::scaled::{System, Triple};

/// Coordinates of a body in space.
const C: usize = 6;
/// No body: that side does not move.
const NONE: u32 = u32::MAX;
/// Contacts for each body from which on the matrix keeps how it came about.
const CONTACTS: usize = 4;
/// Multiple of P in Q.
const REGULAR: f64 = 1e-9;

/// A side's three rows in the velocities of its body.
type Directions = [[f64; C]; 3];

/// How a matrix came about: for each contact two bodies with its rows in their velocities.
#[derive(Debug, Clone, Default)]
pub(super) struct Sides {
    body: Vec<[u32; 2]>,
    rows: Vec<[Directions; 2]>,
    bodies: usize,
}

impl Sides {
    /// For matrices of contacts in space that share few bodies: `touched` of them.
    pub(super) fn fit(dimension: usize, contacts: usize, coordinates: usize, touched: usize) -> bool {
        LARGE && dimension == 3 && coordinates == C && contacts >= CONTACTS * touched
    }

    /// From inverse masses and what `sides` says of each contact: body and directions. `None` where an inverse mass is not
    /// positive semidefinite.
    pub(super) fn new<'a>(
        contacts: usize,
        inverse_mass: &[f64],
        sides: impl Fn(usize) -> [Option<super::ContactSide<'a>>; 2],
    ) -> Option<Self> {
        let roots: Vec<[[f64; C]; C]> = inverse_mass.chunks_exact(C * C).map(root).collect::<Option<_>>()?;
        let (mut body, mut rows) = (Vec::with_capacity(contacts), Vec::with_capacity(contacts));
        for sides in (0..contacts).map(sides) {
            body.push(sides.map(|side| side.map_or(NONE, |side| side.body as u32)));
            rows.push(sides.map(|side| {
                let mut rows = [[0.0; C]; 3];
                if let Some(side) = side {
                    for (row, direction) in rows.iter_mut().zip(side.directions.chunks_exact(C)) {
                        for (k, root) in roots[side.body].iter().enumerate() {
                            for (entry, root) in row.iter_mut().zip(root) {
                                *entry += direction[k] * root;
                            }
                        }
                    }
                }
                rows
            }));
        }
        Some(Self { body, rows, bodies: roots.len() })
    }

    /// The sides of a contact that move.
    fn of(&self, contact: usize) -> impl Iterator<Item = (u32, &Directions)> {
        self.body[contact].into_iter().zip(&self.rows[contact]).filter(|(body, _)| *body != NONE)
    }
}

/// L with L Lᵀ = a; rows and columns of zeros stay zeros.
fn root(a: &[f64]) -> Option<[[f64; C]; C]> {
    let mut l = [[0.0; C]; C];
    for i in 0..C {
        for j in 0..=i {
            let rest = a[i * C + j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i == j && (rest < 0.0 || rest == 0.0 && a[i * C + i] != 0.0) {
                return None;
            }
            l[i][j] = if i == j {
                rest.sqrt()
            } else if l[j][j] > 0.0 {
                rest / l[j][j]
            } else {
                0.0
            };
        }
    }
    Some(l)
}

/// The system of a group of contacts.
#[derive(Debug, Default)]
pub(super) struct ByBodies {
    /// Place of each body in the order of elimination, or `NONE`.
    place: Vec<u32>,
    symbolic: Symbolic,
    factors: Factors<C>,
    /// Blocks of each row in the order of elimination, columns increasing.
    start: Vec<usize>,
    column: Vec<u32>,
    block: Vec<[[f64; C]; C]>,
    velocity: Vec<[f64; C]>,
    /// Q⁻¹P and Q⁻¹b of each active contact.
    response: Vec<([Triple; 3], Triple)>,
    /// Multiplications of a factorisation.
    pub(super) work: f64,
}

impl ByBodies {
    /// For the contacts of a group, where the factors take at most that many multiplications.
    pub(super) fn new(sides: &Sides, contacts: &[u32], most: f64) -> Option<Self> {
        if !LARGE {
            return None;
        }
        let mut bodies: Vec<u32> = contacts.iter().flat_map(|&i| sides.of(i as usize)).map(|side| side.0).collect();
        crate::small::sort(&mut bodies);
        bodies.dedup();
        let mut place = vec![NONE; sides.bodies];
        bodies.iter().enumerate().for_each(|(k, &body)| place[body as usize] = k as u32);
        let mut lists: Vec<Vec<u32>> = (0..bodies.len() as u32).map(|k| vec![k]).collect();
        for &i in contacts {
            if let [Some(a), Some(b)] = sides.body[i as usize].map(|body| place.get(body as usize).copied()) {
                lists[a as usize].push(b);
                lists[b as usize].push(a);
            }
        }
        lists.iter_mut().for_each(|list| {
            crate::small::sort(list);
            list.dedup();
        });
        let cube = (C * C * C) as f64;
        let (order, products) = minimum_degree(bodies.len(), |k| &lists[k], most / cube)?;
        let mut rank = vec![0u32; bodies.len()];
        order.iter().enumerate().for_each(|(k, &node)| rank[node as usize] = k as u32);
        bodies.iter().enumerate().for_each(|(k, &body)| place[body as usize] = rank[k]);
        let (mut start, mut column) = (vec![0], Vec::new());
        for &node in &order {
            let mut row: Vec<u32> = lists[node as usize].iter().map(|&other| rank[other as usize]).collect();
            crate::small::sort(&mut row);
            column.extend(row);
            start.push(column.len());
        }
        let neighbours = |k: usize, out: &mut Vec<u32>| out.extend(&column[start[k]..start[k + 1]]);
        let symbolic = Symbolic::new(bodies.len(), neighbours, usize::MAX)?;
        Some(Self { place, symbolic, start, column, work: products * cube, ..Self::default() })
    }

    /// Steps y of the active contacts, in their order; `rhs` is what is missing in their rows. `false` where the system is
    /// singular.
    pub(super) fn solve(
        &mut self,
        rows: &Rows<'_, '_>,
        sides: &Sides,
        rhs: impl Fn(u32, &Linear) -> Triple,
        steps: &mut Vec<Triple>,
    ) -> bool {
        let &Rows { system, active, epsilon, .. } = rows;
        self.block.clear();
        self.block.resize(self.column.len(), [[0.0; C]; C]);
        self.velocity.clear();
        self.velocity.resize(self.symbolic.len(), [0.0; C]);
        self.response.clear();
        steps.clear();
        for &contact in active {
            let (i, linear) = (contact as usize, rows.of::<3>(contact));
            let rhs = rhs(contact, &linear);
            let Some(response) = respond(&system.blocks[i], &linear, rhs, epsilon) else { return false };
            self.add(system, sides, i, &response);
            self.response.push(response);
        }
        let (start, column, block) = (&self.start, &self.column, &self.block);
        let computed = self.factors.compute(&self.symbolic, |k, row| {
            for (&j, block) in column[start[k]..start[k + 1]].iter().zip(&block[start[k]..]) {
                row[j as usize] = *block;
            }
            (0..C).for_each(|c| row[k][c][c] += 1.0);
        });
        if !computed {
            return false;
        }
        self.factors.solve(&self.symbolic, &mut self.velocity);
        if !self.velocity.iter().flatten().all(|v| v.is_finite()) {
            return false;
        }
        for (&i, (response, free)) in active.iter().zip(&self.response) {
            let i = i as usize;
            let mut eta = [0.0; 3];
            for (body, rows) in sides.of(i) {
                let velocity = &self.velocity[self.place[body as usize] as usize];
                let scaled = left(system, i, rows);
                for (eta, row) in eta.iter_mut().zip(&scaled) {
                    *eta += row.iter().zip(velocity).map(|(row, v)| row * v).sum::<f64>();
                }
            }
            let taken = |k: usize| (0..3).map(|l| response[k][l] * eta[l]).sum::<f64>();
            steps.push(std::array::from_fn(|k| free[k] - taken(k)));
        }
        true
    }

    /// Adds Fᵀ Q⁻¹ P F and Fᵀ Q⁻¹ b of a contact.
    fn add(&mut self, system: &System<'_>, sides: &Sides, i: usize, (response, free): &([Triple; 3], Triple)) {
        for (body, rows) in sides.of(i) {
            let a = self.place[body as usize] as usize;
            let own = right(system, i, rows);
            for (row, free) in own.iter().zip(free) {
                self.velocity[a].iter_mut().zip(row).for_each(|(sum, row)| *sum += row * free);
            }
            for (other, rows) in sides.of(i) {
                let b = self.place[other as usize];
                let scaled = left(system, i, rows);
                let row = &self.column[self.start[a]..self.start[a + 1]];
                let Ok(at) = row.binary_search(&b) else { continue };
                let block = &mut self.block[self.start[a] + at];
                for (k, own) in own.iter().enumerate() {
                    let mut moved = [0.0; C];
                    for (response, scaled) in response[k].iter().zip(&scaled) {
                        moved.iter_mut().zip(scaled).for_each(|(sum, scaled)| *sum += response * scaled);
                    }
                    for (out, own) in block.iter_mut().zip(own) {
                        out.iter_mut().zip(&moved).for_each(|(out, moved)| *out += own * moved);
                    }
                }
            }
        }
    }
}

/// The rows of a contact that act, so scaled that they give velocities, and so that they take impulses.
fn left(system: &System<'_>, i: usize, rows: &Directions) -> Directions {
    let block = &system.blocks[i];
    chosen(block.rows, block.index, block.to_eta, rows)
}

fn right(system: &System<'_>, i: usize, rows: &Directions) -> Directions {
    let block = &system.blocks[i];
    chosen(block.rows, block.index, block.to_r, rows)
}

fn chosen(count: usize, index: [u8; 3], scale: Triple, rows: &Directions) -> Directions {
    let mut out = [[0.0; C]; 3];
    for k in 0..count {
        out[k] = rows[index[k] as usize].map(|v| scale[k] * v);
    }
    out
}

/// Q⁻¹P and Q⁻¹b of a contact.
fn respond(block: &super::scaled::Scaled, linear: &Linear, rhs: Triple, epsilon: f64) -> Option<([Triple; 3], Triple)> {
    let mut q = linear.q;
    for (k, row) in q.iter_mut().enumerate() {
        for (l, entry) in row.iter_mut().enumerate() {
            *entry += (epsilon + REGULAR) * linear.p[k][l] * block.a[l][l];
        }
        // A row that carries nothing.
        if k >= block.rows {
            *row = [0.0; 3];
            row[k] = 1.0;
        }
    }
    let inverse = inverse(&q)?;
    let times = |k: usize, l: usize| (0..block.rows).map(|m| inverse[k][m] * linear.p[m][l]).sum::<f64>();
    let response = std::array::from_fn(|k| std::array::from_fn(|l| times(k, l)));
    let free = std::array::from_fn(|k| (0..block.rows).map(|m| inverse[k][m] * rhs[m]).sum::<f64>());
    Some((response, free))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inverse masses are L Lᵀ, also of bodies that can move in some directions only; what is none is refused.
    #[test]
    fn roots_of_inverse_masses() {
        let mut a = [0.0; 36];
        (0..6).for_each(|k| a[7 * k] = if k == 2 { 0.0 } else { 2.0 + k as f64 });
        (a[3 * 6 + 4], a[4 * 6 + 3]) = (1.5, 1.5);
        let l = root(&a).unwrap();
        for i in 0..6 {
            for j in 0..6 {
                let product: f64 = (0..6).map(|k| l[i][k] * l[j][k]).sum();
                assert!((product - a[6 * i + j]).abs() < 1e-14);
            }
        }
        a[0] = -1.0;
        assert!(root(&a).is_none());
    }
}
