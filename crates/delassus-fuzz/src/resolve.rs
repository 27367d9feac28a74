//! Every law on problems made from bytes.

use delassus::{ImpactOutcome, ImpactProblem, LawSpec, Options, Status, Workspace, resolve_into};
use delassus_io::write_outcomes;

use crate::check::check;
use crate::problem::Question;

/// Makes a problem, asks a law and checks the answer.
pub fn run(bytes: &[u8]) {
    let Some(question) = Question::new(bytes) else { return };
    let Ok(problem) = ImpactProblem::new(question.data.clone()) else { return };
    let outcome = ask(&problem, &question.law, &question.options);
    if let Some(outcome) = outcome {
        check(&question.data, &problem, &outcome);
    }
}

/// The outcome, also as JSON; none where the law refuses a coefficient.
pub fn ask(problem: &ImpactProblem, law: &LawSpec, options: &Options) -> Option<ImpactOutcome> {
    let (mut work, mut outcome) = (Workspace::default(), ImpactOutcome::default());
    resolve_into(problem, law, options, &mut work, &mut outcome).ok()?;
    // Buffers that were used before change nothing.
    let mut again = outcome.clone();
    assert!(resolve_into(problem, law, options, &mut work, &mut again).is_ok());
    assert_eq!(outcome.status(), again.status());
    if outcome.status() == Status::Solved {
        assert_eq!(outcome.u_plus, again.u_plus, "reused buffers change the answer");
    }
    let mut text = Vec::new();
    write_outcomes(&mut text, problem, [(law.name(), &outcome)]);
    assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok(), "no JSON: {}", String::from_utf8_lossy(&text));
    Some(outcome)
}
