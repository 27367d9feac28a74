//! Performance profiles of contact solvers, as figure, CSV and text.

use std::fmt::Write as _;

use delassus_figure::{Axis, Figure, Panel, Series};
use delassus_io::{csv_number, push_csv_row};
use delassus_study::contacts::Profile;

/// Share of the problems solved over the factor of the least time.
pub fn profile_figure(profile: &Profile) -> Figure {
    let steps = profile.steps();
    let end = steps.last().copied().unwrap_or(1.0).max(1.1) * 1.2;
    let series = profile.solvers.iter().enumerate().map(|(solver, name)| {
        let points = steps.iter().copied().chain([end]).map(|tau| (tau, profile.share(solver, tau)));
        Series::steps(points).index(solver).label(name.clone())
    });
    let x = Axis::new("time relative to the least, τ").log().range(1.0, end);
    let y = Axis::new("share of problems solved").range(0.0, 1.02);
    let problems = if profile.problems == 1 { "problem" } else { "problems" };
    Figure::single(Panel::new(x, y).extend(series)).title(format!("{} {problems}", profile.problems))
}

/// One row for each factor at which a share changes, one column for each solver.
pub fn profile_csv(profile: &Profile) -> String {
    let mut out = String::new();
    push_csv_row(&mut out, std::iter::once("tau").chain(profile.solvers.iter().map(String::as_str)));
    for tau in profile.steps() {
        let shares = (0..profile.solvers.len()).map(|solver| csv_number(profile.share(solver, tau)));
        push_csv_row(&mut out, std::iter::once(csv_number(tau)).chain(shares));
    }
    out
}

/// Shares at a few factors, one line for each solver.
pub fn profile_text(profile: &Profile) -> String {
    let factors = [1.0, 2.0, 5.0, 10.0, 100.0, f64::INFINITY];
    let mut out = format!("{:14}", "solved within");
    for tau in factors {
        let _ = write!(out, "{:>10}", if tau.is_finite() { format!("{tau} ×") } else { "at all".into() });
    }
    out.push('\n');
    for (solver, name) in profile.solvers.iter().enumerate() {
        let _ = write!(out, "{name:14}");
        for tau in factors {
            let _ = write!(out, "{:>8.0} %", 100.0 * profile.share(solver, tau));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_study::contacts::Run;

    #[test]
    fn csv_and_text_have_every_solver() {
        let run = |seconds, solved| Run { seconds, solved };
        let runs = [vec![run(1.0, true), run(2.0, true)], vec![run(3.0, true), run(1.0, false)]];
        let profile = Profile::new(vec!["newton".into(), "sweeps".into()], &runs);
        assert_eq!(profile_csv(&profile), "tau,newton,sweeps\n1,1,0\n3,1,0.5\n");
        assert!(profile_text(&profile).contains("newton             100 %"), "{}", profile_text(&profile));
        assert!(delassus_figure::to_svg(&profile_figure(&profile)).contains("share of problems solved"));
    }
}
