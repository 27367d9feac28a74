//! Numbers and texts as bytes, little-endian, and back.

/// Writes.
#[derive(Debug, Default)]
pub(crate) struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn word(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn count(&mut self, value: usize) {
        self.word(value as u64);
    }

    pub fn number(&mut self, value: f64) {
        self.word(value.to_bits());
    }

    /// A list with its length.
    pub fn numbers(&mut self, values: &[f64]) {
        self.count(values.len());
        values.iter().for_each(|value| self.number(*value));
    }

    /// A list of counts with its length.
    pub fn counts(&mut self, values: &[usize]) {
        self.count(values.len());
        values.iter().for_each(|value| self.count(*value));
    }

    /// A text with its length.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads what [`Bytes`] has written; nothing where the bytes end before.
#[derive(Debug)]
pub(crate) struct Reading<'a>(pub &'a [u8]);

impl<'a> Reading<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub fn word(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    pub fn count(&mut self) -> Option<usize> {
        usize::try_from(self.word()?).ok()
    }

    pub fn number(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }

    /// The length of a list whose entries take at least that many bytes: no more than there can be.
    pub fn length(&mut self, least: usize) -> Option<usize> {
        self.count().filter(|count| count.checked_mul(least).is_some_and(|bytes| bytes <= self.0.len()))
    }

    pub fn numbers(&mut self) -> Option<Vec<f64>> {
        let count = self.length(8)?;
        (0..count).map(|_| self.number()).collect()
    }

    pub fn counts(&mut self) -> Option<Vec<usize>> {
        let count = self.length(8)?;
        (0..count).map(|_| self.count()).collect()
    }

    pub fn text(&mut self) -> Option<String> {
        let count = self.length(1)?;
        String::from_utf8(self.take(count)?.to_vec()).ok()
    }

    /// A list of things.
    pub fn list<T>(&mut self, least: usize, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.length(least)?;
        (0..count).map(|_| one(self)).collect()
    }
}
