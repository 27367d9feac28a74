//! Words of a text file, one after the other, with their places; the file need not fit into memory.

use std::io::BufRead;

use delassus::ImpactError;

use crate::error::InputError;

/// Reads words that white space separates.
pub(super) struct Scanner<'a, R> {
    name: &'a str,
    source: R,
    word: Vec<u8>,
    /// A word that was read but not taken.
    pending: bool,
    line: usize,
    column: usize,
    /// Where the word begins.
    place: (usize, usize),
}

impl<'a, R: BufRead> Scanner<'a, R> {
    pub(super) fn new(name: &'a str, source: R) -> Self {
        Self { name, source, word: Vec::new(), pending: false, line: 1, column: 1, place: (1, 1) }
    }

    /// An error at the word at hand.
    pub(super) fn error(&self, field: &str, problem: impl Into<String>) -> Box<InputError> {
        let value = String::from_utf8_lossy(&self.word[..self.word.len().min(40)]).into_owned();
        let error = ImpactError::new(field, value, problem.into());
        Box::new(InputError { file: self.name.into(), position: Some(self.place), error })
    }

    /// The next word; `false` at the end of the file.
    fn advance(&mut self) -> Result<bool, Box<InputError>> {
        if std::mem::take(&mut self.pending) {
            return Ok(true);
        }
        self.word.clear();
        loop {
            let bytes = match self.source.fill_buf() {
                Ok(bytes) => bytes,
                Err(e) => {
                    let error = ImpactError::new("", "", format!("cannot read: {e}"));
                    return Err(Box::new(InputError {
                        file: self.name.into(),
                        position: Some((self.line, self.column)),
                        error,
                    }));
                }
            };
            if bytes.is_empty() {
                if self.word.is_empty() {
                    self.place = (self.line, self.column);
                }
                return Ok(!self.word.is_empty());
            }
            let mut used = 0;
            let mut ended = false;
            for &byte in bytes {
                if byte.is_ascii_whitespace() {
                    if !self.word.is_empty() {
                        ended = true;
                        break;
                    }
                    used += 1;
                    (self.line, self.column) =
                        if byte == b'\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
                } else {
                    if self.word.is_empty() {
                        self.place = (self.line, self.column);
                    }
                    used += 1;
                    self.column += 1;
                    self.word.push(byte);
                }
            }
            self.source.consume(used);
            if ended {
                return Ok(true);
            }
        }
    }

    /// The next word as text, without taking it; `None` at the end.
    pub(super) fn peek(&mut self) -> Result<Option<&str>, Box<InputError>> {
        if !self.advance()? {
            return Ok(None);
        }
        self.pending = true;
        Ok(std::str::from_utf8(&self.word).ok().or(Some("")))
    }

    /// Whether an entry "row column : value" follows: the word after two numbers is a colon. Numbers of q have a
    /// point or an exponent, as Siconos writes them.
    pub(super) fn peek_is_entry(&mut self) -> Result<bool, Box<InputError>> {
        Ok(self.peek()?.is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())))
    }

    /// Drops the rest of the line.
    pub(super) fn skip_line(&mut self) -> Result<(), Box<InputError>> {
        self.pending = false;
        let mut rest = Vec::new();
        self.source.read_until(b'\n', &mut rest).map_err(|e| self.error("", format!("cannot read: {e}")))?;
        (self.line, self.column) = (self.line + 1, 1);
        Ok(())
    }

    /// The line that the last word ended on; its line break is passed over.
    pub(super) fn end_line(&mut self) -> Result<(), Box<InputError>> {
        self.skip_line()
    }

    /// The next word, parsed.
    fn parsed<T: std::str::FromStr>(&mut self, field: &str, kind: &str) -> Result<T, Box<InputError>> {
        if !self.advance()? {
            self.word.clear();
            return Err(self.error(field, format!("the file ends where {kind} is expected")));
        }
        let text = std::str::from_utf8(&self.word).unwrap_or_default();
        text.parse().map_err(|_| self.error(field, format!("needs {kind}")))
    }

    /// A whole number, at most `most`.
    pub(super) fn count(&mut self, field: &str, most: usize) -> Result<usize, Box<InputError>> {
        let count: usize = self.parsed(field, "a whole number")?;
        if count > most { Err(self.error(field, format!("must be at most {most}"))) } else { Ok(count) }
    }

    /// A finite number.
    pub(super) fn number(&mut self, field: &str) -> Result<f64, Box<InputError>> {
        let number: f64 = self.parsed(field, "a number")?;
        if number.is_finite() { Ok(number) } else { Err(self.error(field, "must be finite")) }
    }

    /// Takes a word that must be this one.
    pub(super) fn expect(&mut self, word: &str) -> Result<(), Box<InputError>> {
        if self.advance()? && self.word == word.as_bytes() {
            Ok(())
        } else {
            Err(self.error("matrix", format!("needs '{word}'")))
        }
    }

    /// Numbers, as many as asked for. Nothing is reserved for them before they are there.
    pub(super) fn numbers(&mut self, field: &str, count: usize) -> Result<Vec<f64>, Box<InputError>> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.push(self.number(field)?);
        }
        Ok(numbers)
    }
}
