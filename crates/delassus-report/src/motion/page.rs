//! A motion as a page that stands alone: player, figures linked to it, log of impacts.

use std::fmt::Write;

use delassus::simulate::{EventKind, Remark, Trajectory};
use delassus_figure::escape;
use delassus_study::motion::ending;
use delassus_study::number;

use super::scene::{Film, length};
use super::{Motion, Run, Scene, figure};
use crate::document::{data, timed_figure};

/// Impacts listed for each law; the rest is in the JSON of the run.
const MOST_ROWS: usize = 300;

/// Impacts above which their list is folded.
const FOLDED: usize = 20;

/// How a page with a player is used.
pub(crate) const LEDE: &str = "Play, or drag the time; pointing into a curve sets the time as well. Keys: space plays, \
                               arrows step, [ and ] go to the previous and next impact.";

/// The section of a page with player, figures, table and log of one motion; with a heading where `headed`. The player waits
/// for the script [`PLAYER`](crate::PLAYER).
pub fn part(motion: &Motion<'_>, headed: bool) -> String {
    let scene = Scene::new(motion.built, motion.runs);
    let mut figure = figure::figure(motion);
    figure.title.clear();
    let heading = if headed { format!("<h2>{}</h2>\n", escape(motion.title)) } else { String::new() };
    let caption = "Vertical lines or dots are impacts. The dashed line on the energies is what there was at the \
                   start with what came in: that the stack reaches it is the closure of the ledger.";
    format!(
        "<section data-part=\"\">\n{heading}{}{}<div class=\"columns\">\n<div class=\"stay\">\n\
         <div class=\"player\"><noscript>The animation needs scripts; figures and log do not.</noscript></div>\n</div>\n\
         <div>\n{}</div>\n</div>\n{}</section>\n",
        summary(motion.runs),
        data(&scene),
        timed_figure(&figure, caption),
        log(&scene, motion.runs),
    )
}

fn summary(runs: &[Run<'_>]) -> String {
    let heads =
        ["law", "how it ended", "impacts", "uplifts", "energy [J]", "lost in impacts", "ledger closed to", "checks"];
    let mut out =
        String::from("<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr>");
    for (k, head) in heads.iter().enumerate() {
        let _ = write!(out, "<th{}>{head}</th>", if (2..7).contains(&k) { " class=\"n\"" } else { "" });
    }
    out += "</tr></thead>\n<tbody>\n";
    for Run { law, trajectory: run } in runs {
        let uplifts = run.events.iter().filter(|e| matches!(e.kind, EventKind::TakeOff(_))).count();
        let (start, end) = (run.start().energy.total(), run.last().energy);
        let show = |value: f64| number::format(value, start.abs());
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{uplifts}</td>\
             <td class=\"n\">{} → {}</td><td class=\"n\">{}</td><td class=\"n\">{:.1e}</td><td>{}</td></tr>",
            escape(law),
            escape(&ending(&run.end, run.time)),
            if unlisted(run) { "not listed".to_owned() } else { run.impacts.len().to_string() },
            show(start),
            show(end.total()),
            show(-end.impacts),
            run.closure,
            checks(run)
        );
    }
    out += "</tbody></table></div>\n";
    out
}

/// Whether there were impacts of which none is listed: those of many bodies.
fn unlisted(run: &Trajectory) -> bool {
    let largest = run.samples.iter().map(|s| s.energy.kinetic).fold(0.0, f64::max);
    run.impacts.is_empty() && run.last().energy.impacts.abs() > 1e-6 * largest
}

/// The worst that certificates say.
fn checks(run: &Trajectory) -> String {
    if unlisted(run) {
        return "<span class=\"badge missing\">○ impacts not listed</span>".to_owned();
    }
    let gains = run.impacts.iter().filter(|i| i.outcome.certificate.energetic > 1e-9).count();
    let wrong = run.impacts.iter().filter(|i| !i.outcome.certificate.is_consistent()).count();
    match (gains, wrong) {
        (0, 0) if !run.end.is_regular() => "<span class=\"badge missing\">○ stopped early</span>".to_owned(),
        (0, 0) => "<span class=\"badge good\">✓ all consistent</span>".to_owned(),
        (0, wrong) => format!("<span class=\"badge bad\">✗ {wrong} impacts not consistent</span>"),
        (gains, _) => format!("<span class=\"badge bad\">✗ energy grew in {gains} impacts</span>"),
    }
}

fn log(scene: &Scene, runs: &[Run<'_>]) -> String {
    let mut out = String::new();
    let several = scene.films.len() > 1;
    for (film, run) in scene.films.iter().zip(runs) {
        let name = if several { format!("Impacts under {}", film.law) } else { "Impacts".to_owned() };
        let _ = writeln!(out, "<h2>{}</h2>", escape(&name));
        if unlisted(run.trajectory) {
            out += "<p>Those of many bodies are not listed one by one.</p>\n";
        } else if film.impacts.is_empty() {
            out += "<p>None.</p>\n";
        } else if several || film.impacts.len() > FOLDED {
            let _ = writeln!(out, "<details>\n<summary>{} impacts</summary>", film.impacts.len());
            out += &rows(film);
            out += "</details>\n";
        } else {
            out += &rows(film);
        }
        let (single, whole): (Vec<_>, Vec<_>) = run.trajectory.log.iter().partition(|remark| remark.of_one_impact);
        out += &list(&whole);
        if !single.is_empty() {
            let _ = writeln!(out, "<details>\n<summary>{} remarks on single impacts</summary>", single.len());
            out += &list(&single);
            out += "</details>\n";
        }
    }
    out
}

/// Remarks with their times.
fn list(remarks: &[&Remark]) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let line =
        |remark: &&Remark| format!("<li>t = {} s: {}</li>\n", number::format(remark.time, 0.0), escape(&remark.text));
    format!("<ul>\n{}</ul>\n", remarks.iter().map(line).collect::<String>())
}

fn rows(film: &Film) -> String {
    let mut out = String::from(
        "<div class=\"wide\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\n<thead><tr><th class=\"n\">t [s]</th><th>contacts</th><th class=\"n\">impulses [N s]</th>\
         <th class=\"n\">kinetic energy [J]</th><th>certificate</th><th class=\"screen\"></th></tr></thead>\n<tbody>\n",
    );
    for blow in film.impacts.iter().take(MOST_ROWS) {
        let sizes: Vec<f64> = blow.impulses().iter().map(|impulse| f64::from(length(impulse))).collect();
        let scale = number::scale(&sizes);
        // What is told in single precision has six digits.
        let short = |v: f64| if v <= 1e-6 * scale { "0".to_owned() } else { number::format(v, 0.0) };
        let impulses = sizes.iter().map(|v| short(*v)).collect::<Vec<_>>().join(", ");
        let time = number::format(blow.time, 0.0);
        let sign = if blow.mood == "good" { "✓" } else { "✗" };
        let _ = writeln!(
            out,
            "<tr><td class=\"n\">{time}</td><td>{}</td><td class=\"n\">{impulses}</td><td class=\"n\">{} → {}</td>\
             <td class=\"words\"><span class=\"badge {}\">{sign} {}</span> {}</td>\
             <td class=\"screen\"><button type=\"button\" data-time=\"{}\" aria-label=\"show the impact at {time} s\">show</button></td></tr>",
            escape(&blow.contacts.join(", ")),
            number::format(blow.energy[0], 0.0),
            number::format(blow.energy[1], blow.energy[0]),
            blow.mood,
            escape(&blow.verdict),
            escape(&blow.words),
            blow.time
        );
    }
    out += "</tbody></table></div>\n";
    if film.impacts.len() > MOST_ROWS {
        let _ = writeln!(out, "<p>and {} more (delassus run --json)</p>", film.impacts.len() - MOST_ROWS);
    }
    out
}
