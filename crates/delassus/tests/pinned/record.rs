//! Lines of the files, and how they are compared.

use std::fmt::Write as _;
use std::path::PathBuf;

/// Numbers may differ by this share of the sum of the sizes of what they add up.
const TOLERANCE: f64 = 1e-11;
/// Differences that a failure shows.
const SHOWN: usize = 12;
const ACCEPT: &str = "DELASSUS_PINNED=accept cargo test -p delassus --test pinned";

/// A number with what it is called and the size of the terms that it adds up.
struct Number {
    label: char,
    value: f64,
    size: f64,
}

/// What is known of one problem.
#[derive(Default)]
pub struct Record {
    name: String,
    words: String,
    numbers: Vec<Number>,
}

impl Record {
    pub fn new(name: String) -> Self {
        Self { name, ..Self::default() }
    }

    /// Adds a word that must not change, unless it is empty.
    pub fn word(&mut self, word: impl std::fmt::Display) {
        let word = word.to_string();
        if !(word.is_empty() || self.words.is_empty()) {
            self.words.push(' ');
        }
        self.words += &word;
    }

    /// Adds a vector as the weighted sum of its entries; nothing for an empty one.
    pub fn numbers<'a>(&mut self, label: char, values: impl IntoIterator<Item = &'a f64>) {
        self.numbers_beside(label, 0.0, values);
    }

    /// The same for numbers whose errors are relative to something else: velocities after beside those before.
    pub fn numbers_beside<'a>(&mut self, label: char, other: f64, values: impl IntoIterator<Item = &'a f64>) {
        let mut number = Number { label, value: 0.0, size: other };
        let mut any = false;
        for (i, v) in values.into_iter().enumerate() {
            // Weights between one and two, all different.
            let term = v * (1.0 + (0.618_033_988_749_894_9 * (i + 1) as f64).fract());
            number.value += term;
            number.size += term.abs();
            any = true;
        }
        if any {
            self.numbers.push(number);
        }
    }

    fn line(&self) -> String {
        let mut line = format!("{} | {} |", self.name, self.words);
        for n in &self.numbers {
            write!(line, " {}{:.11e}", n.label, n.value).unwrap();
        }
        line
    }

    /// What differs from a line, in words.
    fn difference(&self, line: &str) -> Option<String> {
        let mut parts = line.split(" |");
        let (name, words, numbers) = (parts.next()?, parts.next().unwrap_or("").trim(), parts.next().unwrap_or(""));
        let before: Vec<&str> = numbers.split_whitespace().collect();
        let mut told = Vec::new();
        if name != self.name {
            told.push(format!("another problem stood here: {name}"));
        }
        if words != self.words {
            told.push(format!("was `{words}`, is `{}`", self.words));
        }
        if before.len() != self.numbers.len() {
            told.push(format!("had {} numbers, has {}", before.len(), self.numbers.len()));
        }
        for (n, before) in self.numbers.iter().zip(&before) {
            let value: f64 = before.get(1..).and_then(|t| t.parse().ok()).unwrap_or(f64::NAN);
            let change = n.value - value;
            // Not a number is a difference, too; what is infinite stays so.
            let same = change.abs() <= TOLERANCE * n.size || n.value == value;
            if !before.starts_with(n.label) || !same {
                told.push(format!("{before} is {}{:.11e} (changed by {change:.1e})", n.label, n.value));
            }
        }
        (!told.is_empty()).then(|| format!("{}: {}", self.name, told.join("; ")))
    }
}

/// All lines of a file.
#[derive(Default)]
pub struct Records(pub Vec<Record>);

impl Records {
    /// Compares with the file, or writes it where that is asked for.
    pub fn compare(&self, file: &str) {
        let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pinned/{file}.txt"));
        if std::env::var("DELASSUS_PINNED").is_ok_and(|v| v == "accept") {
            let text: String = self.0.iter().map(|r| r.line() + "\n").collect();
            std::fs::write(&place, text).unwrap();
            return;
        }
        let text = std::fs::read_to_string(&place).unwrap_or_else(|e| panic!("{}: {e}; {ACCEPT}", place.display()));
        let lines: Vec<&str> = text.lines().collect();
        let known = self.0.iter().zip(&lines);
        let mut changed: Vec<String> = known.filter_map(|(record, line)| record.difference(line)).collect();
        if lines.len() != self.0.len() {
            changed.push(format!("{} problems, {} before", self.0.len(), lines.len()));
        }
        let shown = changed.iter().take(SHOWN).map(|c| format!("\n  {c}")).collect::<String>();
        assert!(
            changed.is_empty(),
            "{} of {} differ in {file}.txt:{shown}\nIf that is meant: {ACCEPT}",
            changed.len(),
            self.0.len()
        );
    }
}

/// The difference between a line and a record is told, and none where there is none.
#[test]
fn differences_are_told() {
    let mut record = Record::new("a/1".into());
    record.word("solved");
    record.numbers('u', &[1.0, -2.0]);
    let line = record.line();
    assert_eq!(record.difference(&line), None);
    let told = |line: &str| record.difference(line).unwrap();
    assert!(told(&line.replace("solved", "stalled")).contains("was `stalled`, is `solved`"));
    assert!(told(&line.replace("a/1", "a/2")).contains("another problem"));
    let (head, number) = line.rsplit_once('u').unwrap();
    let other = number.parse::<f64>().unwrap() + 1e-9;
    assert!(told(&format!("{head}u{other:.11e}")).contains("changed by -1.0e-9"));
    assert!(told(&format!("{head}p{number}")).contains("is u"));
    assert!(told(&format!("{head}uNaN")).contains("NaN"));
    assert!(told(head).contains("had 0 numbers, has 1"));
}
