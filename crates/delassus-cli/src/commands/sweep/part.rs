//! Parts of a sweep, for several machines.

/// A part of all cases: those whose number leaves the same remainder, so that all parts take about
/// the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// From 1.
    pub index: usize,
    /// The number of parts.
    pub of: usize,
    /// The number of cases of the whole sweep.
    pub total: usize,
    /// Stands for the study.
    pub study: u64,
}

/// Begins the first line of a part.
const MARK: &str = "# delassus sweep part ";

impl Part {
    /// Reads `K/N`.
    pub fn parse(text: &str) -> Result<(usize, usize), String> {
        let wrong = || format!("--shard {text}: needs K/N, such as 1/4 for the first of four parts");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (Ok(index), Ok(of)) = (index.trim().parse(), of.trim().parse()) else { return Err(wrong()) };
        if !(1..=of).contains(&index) {
            return Err(format!("--shard {text}: K must lie between 1 and N"));
        }
        Ok((index, of))
    }

    /// Whether a case belongs to it.
    pub fn holds(&self, case: usize) -> bool {
        case < self.total && case % self.of == self.index - 1
    }

    /// The number of its cases.
    pub fn cases(&self) -> usize {
        (self.total + self.of - self.index) / self.of
    }

    /// The line before the table in files of parts; nothing where it is all.
    pub fn first_line(&self) -> String {
        if self.of == 1 {
            return String::new();
        }
        format!("{MARK}{} of {}, {} cases in all, study {:016x}\n", self.index, self.of, self.total, self.study)
    }

    /// The part that the first line of a file names, and the rest of the file.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let (line, rest) = text.split_once('\n')?;
        let words: Vec<&str> = line.strip_prefix(MARK)?.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let [index, "of", of, total, "cases", "in", "all", "study", study] = words[..] else { return None };
        let part = Self {
            index: index.parse().ok()?,
            of: of.parse().ok()?,
            total: total.parse().ok()?,
            study: u64::from_str_radix(study, 16).ok()?,
        };
        (part.of > 1 && (1..=part.of).contains(&part.index)).then_some((part, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_case_once() {
        for total in 0..20 {
            for of in 1..6 {
                let parts: Vec<Part> = (1..=of).map(|index| Part { index, of, total, study: 7 }).collect();
                for case in 0..total {
                    assert_eq!(parts.iter().filter(|part| part.holds(case)).count(), 1);
                }
                for part in parts {
                    assert_eq!(part.cases(), (0..total).filter(|case| part.holds(*case)).count());
                    let text = part.first_line() + "case\n";
                    assert_eq!(Part::read(&text), (of > 1).then_some((part, "case\n")));
                }
            }
        }
        assert_eq!(Part::parse("2/3"), Ok((2, 3)));
        for wrong in ["", "3", "0/3", "4/3", "a/b", "1/0"] {
            assert!(Part::parse(wrong).is_err(), "{wrong}");
        }
    }
}
