//! Directions of contacts, joints and clutches: entries of the bodies that they move, and of no others.

/// The rows of one contact, joint or clutch over the generalized velocities that it moves. A contact moves two bodies
/// at most, however many there are. Buffers are reused.
///
/// ```
/// use delassus::model::Directions;
///
/// let mut directions = Directions::default();
/// directions.clear();
/// directions.add(3, &[[0.0, -1.0, 0.5], [1.0, 0.0, 0.25]]); // normal and tangent of the second body
/// directions.add(0, &[[0.0, 1.0, 0.5], [-1.0, 0.0, 0.25]]); // and of the first
/// assert_eq!(directions.places(), [0, 1, 2, 3, 4, 5]);
/// assert_eq!(directions.dot(0, &[0.0, 2.0, 0.0, 0.0, 3.0, 0.0]), -1.0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Directions {
    /// The velocities, increasing.
    places: Vec<usize>,
    /// Entries of each row, in the order of the places.
    rows: [Vec<f64>; 3],
}

impl Directions {
    /// Starts anew: nothing is moved.
    pub fn clear(&mut self) {
        self.places.clear();
        self.rows.iter_mut().for_each(Vec::clear);
    }

    /// Adds a body, or another group of velocities that follow each other from `first` on: its entries, row by row (three
    /// rows at most). Every group of one element has the same number of rows.
    pub fn add<const R: usize, const D: usize>(&mut self, first: usize, entries: &[[f64; D]; R]) {
        if self.places.last().is_none_or(|last| *last < first) {
            self.places.extend(first..first + D);
            for (row, entries) in self.rows.iter_mut().zip(entries) {
                row.extend_from_slice(entries);
            }
            return;
        }
        if let Some(at) = self.places.iter().position(|&place| place == first) {
            // A body that an element joins with itself.
            for (row, entries) in self.rows.iter_mut().zip(entries) {
                row[at..].iter_mut().zip(entries).for_each(|(entry, more)| *entry += more);
            }
            return;
        }
        let at = self.places.partition_point(|&place| place < first);
        self.places.splice(at..at, first..first + D);
        for (row, entries) in self.rows.iter_mut().zip(entries) {
            row.splice(at..at, *entries);
        }
    }

    /// The velocities that are moved, increasing.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The entries of a row, in the order of the [places](Self::places).
    pub fn row(&self, row: usize) -> &[f64] {
        &self.rows[row]
    }

    /// The scalar product of a row with a vector of all velocities.
    pub fn dot(&self, row: usize, u: &[f64]) -> f64 {
        self.places.iter().zip(&self.rows[row]).map(|(&place, entry)| entry * u[place]).sum()
    }
}
