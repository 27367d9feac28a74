//! The contacts of pairs of bodies, looked up at every step for all pairs that are near.

/// Contacts by pair of bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Between {
    /// Per body, where the pairs begin in which it has the smaller index; one more for the end.
    rows: Vec<usize>,
    /// The other body of each pair, rising from pair to pair of a body.
    others: Vec<u32>,
    /// Where the contacts of each pair begin; one more for the end.
    starts: Vec<usize>,
    contacts: Vec<usize>,
}

impl Between {
    /// From pairs of bodies (smaller index first) with one contact each, in the order of the contacts.
    pub fn new(bodies: usize, mut pairs: Vec<([u32; 2], usize)>) -> Self {
        crate::small::sort(&mut pairs);
        let mut table = Self { rows: vec![0; bodies + 1], ..Self::default() };
        let mut last = None;
        for &(pair, contact) in &pairs {
            if last != Some(pair) {
                last = Some(pair);
                table.starts.push(table.contacts.len());
                table.others.push(pair[1]);
                table.rows[pair[0] as usize + 1] = table.others.len();
            }
            table.contacts.push(contact);
        }
        table.starts.push(table.contacts.len());
        // Bodies without pairs begin where those before them end.
        (1..=bodies).for_each(|b| table.rows[b] = table.rows[b].max(table.rows[b - 1]));
        table
    }

    /// The contacts of two bodies, the smaller index first.
    pub fn of(&self, a: u32, b: u32) -> &[usize] {
        let from = self.rows[a as usize];
        let row = &self.others[from..self.rows[a as usize + 1]];
        // Mostly every body can touch every other.
        let likely = (b - a) as usize - 1;
        let place = if row.get(likely) == Some(&b) { Some(likely) } else { row.binary_search(&b).ok() };
        place.map_or(&[], |k| &self.contacts[self.starts[from + k]..self.starts[from + k + 1]])
    }

    /// All pairs that can touch.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let row = |a: usize| self.others[self.rows[a]..self.rows[a + 1]].iter().map(move |&b| [a, b as usize]);
        (0..self.rows.len().saturating_sub(1)).flat_map(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_each_pair_its_contacts() {
        let listed = [[0, 3], [0, 1], [2, 3], [0, 3], [2, 4], [0, 2]];
        let table = Between::new(6, listed.iter().enumerate().map(|(k, pair)| (*pair, k)).collect());
        for a in 0..6 {
            for b in a + 1..6 {
                let wanted: Vec<usize> = (0..listed.len()).filter(|&k| listed[k] == [a, b]).collect();
                assert_eq!(table.of(a, b), wanted, "{a} {b}");
            }
        }
        assert_eq!(table.pairs().collect::<Vec<_>>(), [[0, 1], [0, 2], [0, 3], [2, 3], [2, 4]]);
    }
}
