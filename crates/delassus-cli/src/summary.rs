//! What a batch came to, law by law, in a few lines.

use std::collections::BTreeMap;

use delassus::{ImpactOutcome, ImpactProblem, LawSpec, Status};
use delassus_study::verdict::verdict;

/// How often each law gave which verdict; the same for any order in which outcomes are added.
#[derive(Debug, Default)]
pub struct Summary {
    laws: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
}

impl Summary {
    /// Adds the outcomes of one problem.
    pub fn add(&mut self, problem: &ImpactProblem, laws: &[LawSpec], outcomes: &[ImpactOutcome]) {
        for (law, outcome) in laws.iter().zip(outcomes) {
            let short = match outcome.status() {
                Status::NotApplicable => "not applicable",
                _ => verdict(problem, law, outcome).short,
            };
            *self.laws.entry(law.name()).or_default().entry(short).or_default() += 1;
        }
    }

    /// A line a law, the most frequent verdict first.
    pub fn text(&self, problems: usize, tables: bool) -> String {
        let mut out = format!("{}{problems} problems\n", if tables { "\n" } else { "" });
        let width = self.laws.keys().map(|name| name.len()).max().unwrap_or(0);
        for (name, verdicts) in &self.laws {
            let mut verdicts: Vec<_> = verdicts.iter().collect();
            verdicts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let words: Vec<String> = verdicts.iter().map(|(short, count)| format!("{count} {short}")).collect();
            out += &format!("{name:width$}  {}\n", words.join(", "));
        }
        if !tables {
            out += "Tables of all of them: pipe the output; everything that is known: --json\n";
        }
        out
    }
}
