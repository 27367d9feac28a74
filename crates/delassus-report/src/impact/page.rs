//! Impacts as a page that stands alone.

use std::fmt::Write;

use delassus::Status;
use delassus_figure::escape;
use delassus_study::number;
use delassus_study::verdict::{Mood, verdict};

use super::{Impact, figure};
use crate::document::svg;

/// What a page of impacts shows.
pub(crate) const LEDE: &str =
    "The same impact under each law: what it answers, and what a check that knows nothing of the law says.";

/// The section of a page with verdicts, figure and numbers of one impact; with a heading where `headed`.
pub fn part(impact: &Impact<'_>, headed: bool) -> String {
    let mut out = String::from("<section>\n");
    if headed {
        let _ = writeln!(out, "<h2>{}</h2>", escape(impact.title));
    }
    out += &verdicts(impact);
    let mut figure = figure(impact);
    figure.title.clear();
    let caption = "Impulses must lie in their cones and relative velocities above zero; an energy above the dashed \
                   line came from nowhere. Lines lead to an answer by the way that its law takes.";
    let _ = writeln!(
        out,
        "<figure class=\"large\" tabindex=\"0\">\n{}<figcaption>{}</figcaption>\n</figure>",
        svg(&figure, "velocities, impulses in their cones, relative velocities and energies under each law"),
        escape(caption)
    );
    out += &numbers(impact);
    out + "</section>\n"
}

fn verdicts(impact: &Impact<'_>) -> String {
    let mut out = String::from(
        "<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table class=\"verdicts\">\n<thead><tr><th>law</th><th>verdict</th><th class=\"n\">energy</th>\
         <th>in words</th></tr></thead>\n<tbody>\n",
    );
    for (k, law, outcome) in impact.applying() {
        let judged = verdict(impact.problem, law, outcome);
        let (class, sign) = match judged.mood {
            Mood::Good => ("good", "✓"),
            Mood::Bad => ("bad", "✗"),
            Mood::Missing => ("missing", "○"),
        };
        let share = match outcome.status().has_answer() {
            true => number::percent(outcome.energy.change() / outcome.energy.before),
            false => "–".to_owned(),
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\" style=\"color: var(--s{})\">{}</th><td><span class=\"badge {class}\">{sign} {}</span></td>\
             <td class=\"n\">{share}</td><td class=\"words\">{}</td></tr>",
            k % 7,
            escape(law.name()),
            escape(judged.short),
            escape(&judged.long)
        );
    }
    let refused = impact.laws.iter().zip(impact.outcomes).filter(|(_, o)| o.status() == Status::NotApplicable);
    for (law, outcome) in refused {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td><span class=\"badge missing\">○ not applicable</span></td>\
             <td class=\"n\">–</td><td class=\"words\">{}</td></tr>",
            escape(law.name()),
            escape(outcome.reason.as_deref().unwrap_or_default())
        );
    }
    out + "</tbody></table></div>\n"
}

/// All numbers, a column a law.
fn numbers(impact: &Impact<'_>) -> String {
    let mut out = String::from(
        "<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>quantity</th><th class=\"n\">before</th>",
    );
    for (_, law, _) in impact.applying() {
        let _ = write!(out, "<th class=\"n\">{}</th>", escape(law.name()));
    }
    out += "</tr></thead>\n<tbody>\n";
    let mut row = |label: &str, before: String, after: Vec<String>| {
        let cells: String = after.iter().map(|text| format!("<td class=\"n\">{}</td>", escape(text))).collect();
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>{cells}</tr>",
            escape(label),
            escape(&before)
        );
    };
    let problem = impact.problem;
    let outcomes: Vec<_> = impact.applying().map(|(_, _, outcome)| outcome).collect();
    let scale = number::scale(problem.u_minus());
    let show = |values: &[f64], scale: f64| match values {
        [] => "–".to_owned(),
        [one] => number::format(*one, scale),
        many => number::vector(many),
    };
    for i in 0..problem.coordinates() {
        let after = outcomes.iter().map(|o| show(o.u_plus.get(i..=i).unwrap_or_default(), scale));
        row(&format!("velocity u[{i}]"), number::format(problem.u_minus()[i], scale), after.collect());
    }
    for (i, element) in problem.elements().iter().enumerate() {
        let rows = element.rows.clone();
        let part = |values: &[f64]| show(values.get(rows.clone()).unwrap_or_default(), number::scale(values));
        let before = part(problem.gamma_minus());
        let velocities = outcomes.iter().map(|o| part(&o.gamma_plus)).collect();
        // Along directions of clutches and joints units are those of the problem's coordinates.
        let [speed, push] = if element.contact.is_some() { [" [m/s]", " [N s]"] } else { ["", ""] };
        row(&format!("{}: relative velocity γ{speed}", element.name), before, velocities);
        let impulses = outcomes.iter().map(|o| part(o.impulses())).collect();
        row(&format!("{}: impulse Λ{push}", element.name), String::new(), impulses);
        let states = outcomes.iter().map(|o| o.states.get(i).map_or("–", |s| s.as_str()).to_owned()).collect();
        row(&format!("{}: state", element.name), String::new(), states);
    }
    out + "</tbody></table></div>\n"
}
