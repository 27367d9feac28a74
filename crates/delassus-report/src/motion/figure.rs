//! Quantities of a motion over time, with impacts marked, and where the energy went.

use delassus::model::System;
use delassus::simulate::{Energies, Quantity, Sample, Trajectory};
use delassus_figure::{Area, Axis, Color, Dash, Figure, LegendPlace, Panel, Reference, Series};
use delassus_study::motion::shown;

use super::scene::run_color;
use super::{Motion, Run};
use crate::labels::coordinate_symbol;

/// Impacts beyond which no lines are drawn for them: they would be a grey field.
const MOST_LINES: usize = 80;
/// Curves of contacts, under all laws, beyond which gaps and forces are not drawn: nobody could tell them apart.
const MOST_CURVES: usize = 6;
/// A contact that comes as near as this part of the system's size takes part in the motion.
const NEAR: f64 = 0.01;

/// The figure of a motion: a panel for each quantity, and one for the energy under each law.
pub fn figure(motion: &Motion<'_>) -> Figure {
    let mut panels = quantity_panels(motion);
    if motion.scenario.output.plot.is_empty() {
        panels.extend(contact_panels(motion));
    }
    let several = motion.runs.len() > 1;
    panels.extend(motion.runs.iter().map(|run| {
        let panel = energy_panel(run.trajectory, motion.runs);
        if several { panel.title(format!("energy under {}", run.law)) } else { panel.title("energy") }
    }));
    let mut figure = Figure::grid(1, panels).title(motion.title).aspect(0.34);
    figure.letters = false;
    figure
}

/// A panel for each quantity that the scenario asks for, else for those that say most.
pub fn quantity_panels(motion: &Motion<'_>) -> Vec<Panel> {
    let quantities = shown(motion.scenario, &motion.built.system, motion.runs[0].trajectory);
    quantities.iter().map(|(quantity, name)| panel(motion, *quantity, name)).collect()
}

fn panel(motion: &Motion<'_>, quantity: Quantity, name: &str) -> Panel {
    let several = motion.runs.len() > 1;
    let mut panel = Panel::new(
        time_axis(motion.runs.iter().map(|run| run.trajectory)),
        Axis::new(format!("{} [{}]", coordinate_symbol(name), quantity.unit(name))),
    );
    if let [run] = motion.runs {
        panel = panel.extend(impact_lines(run.trajectory));
    }
    for Run { law, trajectory } in motion.runs {
        let k = run_color(motion.runs, law);
        let breaks = quantity.jumps() && !matches!(quantity, Quantity::Energy(_));
        let mut series = Series::line(curve(trajectory, breaks, |sample| quantity.read(sample))).index(k);
        if several {
            series = series.label(*law);
        }
        panel = panel.add(series);
        // Under several laws lines would not say whose impacts they are.
        if several && !quantity.jumps() {
            let at = |time: f64| (time, value_at(&trajectory.samples, quantity, time));
            let points = marked_times(trajectory).into_iter().map(at);
            panel = panel.add(Series::scatter(points).index(k).marker_size(2.6).label(format!("impacts under {law}")));
        }
    }
    panel.legend(LegendPlace::Right)
}

/// From 0 to the longest time, the same for all panels that lie above one another.
fn time_axis<'a>(runs: impl Iterator<Item = &'a Trajectory>) -> Axis {
    Axis::new("t [s]").range(0.0, runs.map(|run| run.time).fold(0.0, f64::max))
}

/// Gaps and normal forces of the contacts that close. Under several laws colours tell laws and dashes contacts.
fn contact_panels(motion: &Motion<'_>) -> Vec<Panel> {
    let (system, runs) = (&motion.built.system, motion.runs);
    let gap = |contact: usize, sample: &Sample| {
        let gap = system.approach(contact, sample.time, &sample.q, &sample.u).0;
        // Where it faces nothing the curve breaks off.
        if gap.is_finite() { gap } else { f64::NAN }
    };
    let near = NEAR * system.size();
    let samples = || runs.iter().flat_map(|run| &run.trajectory.samples);
    let closes = |contact: &usize| samples().any(|sample| gap(*contact, sample) < near);
    let contacts: Vec<usize> = (0..system.contacts().len()).filter(closes).collect();
    if contacts.is_empty() || contacts.len() * runs.len() > MOST_CURVES {
        return Vec::new();
    }
    let panel = |label: &str, breaks: bool, read: &dyn Fn(usize, &Sample) -> f64| {
        let mut panel = Panel::new(time_axis(runs.iter().map(|run| run.trajectory)), Axis::new(label));
        if let [run] = runs {
            panel = panel.extend(impact_lines(run.trajectory));
        }
        for Run { law, trajectory } in runs {
            let k = run_color(runs, law);
            for (place, &contact) in contacts.iter().enumerate() {
                let (points, name) =
                    (curve(trajectory, breaks, |sample| read(contact, sample)), &system.contacts()[contact].name);
                let series = Series::line(points);
                panel = panel.add(match runs.len() {
                    1 => series.index(place).label(name),
                    _ => series.index(k).dash(Dash::of_series(place)).label(format!("{name} under {law}")),
                });
            }
        }
        panel.legend(LegendPlace::Right)
    };
    let mut panels = vec![panel("gap [m]", false, &gap)];
    // Time-stepping knows impulses of steps, not forces.
    if samples().any(|sample| sample.forces.iter().any(|force| force[0] != 0.0)) {
        let force = |contact: usize, sample: &Sample| sample.forces.get(contact).map_or(0.0, |f| f[0]);
        panels.push(panel("normal force [N]", true, &force));
    }
    panels
}

/// Lines at impacts; they share an entry of the legend.
fn impact_lines(run: &Trajectory) -> Vec<Reference> {
    let faint = |time| Reference::vertical(time).style(Color::hex(0xd9b8a0), Dash::Solid).label("impact");
    marked_times(run).into_iter().map(faint).collect()
}

/// Times of impacts that can be told apart; none where they would fill the figure.
fn marked_times(run: &Trajectory) -> Vec<f64> {
    let mut times: Vec<f64> = Vec::new();
    for impact in &run.impacts {
        if times.last().is_none_or(|last| impact.time - last > run.time / 300.0) {
            times.push(impact.time);
        }
    }
    if times.len() > MOST_LINES { Vec::new() } else { times }
}

/// What is read from the samples; a quantity that jumps breaks at impacts.
fn curve(run: &Trajectory, breaks: bool, read: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    let mut points = Vec::with_capacity(run.samples.len());
    let mut impacts = run.impacts.iter().map(|impact| impact.time).peekable();
    for sample in &run.samples {
        let mut passed = false;
        while impacts.next_if(|time| *time < sample.time).is_some() {
            passed = true;
        }
        if passed && breaks {
            points.push((sample.time, f64::NAN));
        }
        points.push((sample.time, read(sample)));
    }
    points
}

/// The value between samples.
fn value_at(samples: &[Sample], quantity: Quantity, time: f64) -> f64 {
    let after = samples.partition_point(|s| s.time < time).clamp(1, samples.len().max(2) - 1);
    let (Some(a), Some(b)) = (samples.get(after - 1), samples.get(after)) else { return f64::NAN };
    let (from, to) = (quantity.read(a), quantity.read(b));
    let part = if b.time > a.time { (time - a.time) / (b.time - a.time) } else { 0.0 };
    from + part * (to - from)
}

/// The ledger: kinetic and potential energy and what was lost lie above one another, and the line on
/// top is what there was at the start with what came in. That they meet is the closure of the ledger.
/// The time axis is that of all `runs`.
pub fn energy_panel(run: &Trajectory, runs: &[Run<'_>]) -> Panel {
    let start = run.start().energy;
    let lowest = run.samples.iter().map(|s| s.energy.potential).fold(start.potential, f64::min);
    let lost = |work: f64| (-work).max(0.0);
    let gained = |work: f64| work.max(0.0);
    type Part = (&'static str, u32, fn(&Energies) -> f64);
    let parts: [Part; 7] = [
        // Its zero means nothing: the least that occurred is a better one.
        ("potential above its least", 0x8fb8de, |e| e.potential),
        ("kinetic", 0xf4b183, |e| e.kinetic),
        ("lost in impacts", 0xc9a0c4, |e| e.impacts),
        ("lost in friction", 0xb5b5b5, |e| e.friction),
        ("lost in dampers", 0xd9d08a, |e| e.damping),
        ("given to supports", 0x9fd3c0, |e| e.supports),
        ("given to applied forces", 0xd6c2a5, |e| e.applied),
    ];
    let mut panel = Panel::new(time_axis(runs.iter().map(|run| run.trajectory)), Axis::new("energy [J]"));
    let mut below = vec![0.0; run.samples.len()];
    let scale = run.samples.iter().map(|s| s.energy.kinetic + s.energy.potential - lowest).fold(0.0, f64::max);
    for (k, (name, color, part)) in parts.into_iter().enumerate() {
        let height = |e: &Energies| match k {
            0 => e.potential - lowest,
            1 => e.kinetic,
            _ => lost(part(e)),
        };
        let band: Vec<(f64, f64, f64)> =
            run.samples.iter().zip(&below).map(|(s, low)| (s.time, *low, low + height(&s.energy))).collect();
        if band.iter().all(|(_, low, high)| high - low <= 1e-12 * scale) {
            continue;
        }
        below = band.iter().map(|(_, _, high)| *high).collect();
        panel = panel.add(Area::band(band).fill(Color::hex(color), 1.0).label(name));
    }
    let put_in =
        |e: &Energies| [e.impacts, e.friction, e.damping, e.supports, e.applied].map(gained).iter().sum::<f64>();
    let total = run.samples.iter().map(|s| (s.time, start.total() - lowest + put_in(&s.energy)));
    let top = Series::line(total).color(Color::BLACK).dash(Dash::Dashed).width(0.9).label("at the start + put in");
    panel.add(top).legend(LegendPlace::Right)
}

#[cfg(test)]
mod tests {
    use delassus::LawSpec;
    use delassus::scenario::Built;
    use delassus::simulate::{Control, simulate};
    use delassus_figure::Layer;
    use delassus_io::{Format, read_scenarios};

    use super::*;

    #[test]
    fn lines_at_impacts_are_in_the_legend_and_forces_break_there() {
        let text = "[rocking_block]\nwidth = 0.24\nheight = 0.48\nmass = 2.0\nangle = 0.12\n[until]\ntime = 0.4\n";
        let document = read_scenarios(text, "", Format::Toml, &|_| Err(String::new())).unwrap();
        let scenario = &document.entries[0].scenario;
        let mut built = scenario.build().unwrap();
        built.settings.sample_interval = Some(1e-3);
        let Built { system, q, u, settings, until } = &built;
        let law = LawSpec::by_name("newton").unwrap();
        let run = simulate(system, q, u, &law, settings, until, &mut |_| Control::Continue).unwrap();
        assert!(!run.impacts.is_empty());
        let runs = [Run { law: "newton", trajectory: &run }];
        let drawn = figure(&Motion { title: "", scenario, built: &built, runs: &runs });
        let breaks = |label: &str| {
            let panel = drawn.panels.iter().find(|panel| panel.y.label == label).expect(label);
            let told = |layer: &Layer| matches!(layer, Layer::Reference(line) if line.label == "impact");
            assert!(panel.layers.iter().any(told) && panel.legend == LegendPlace::Right, "{label}");
            let broken = |layer: &Layer| matches!(layer, Layer::Series(s) if s.points.iter().any(|p| p[1].is_nan()));
            panel.layers.iter().any(broken)
        };
        assert_eq!(["block.θ [rad]", "gap [m]", "normal force [N]"].map(breaks), [false, false, true]);
        // Under two laws: a curve for each contact and law.
        let runs = ["newton", "poisson"].map(|law| Run { law, trajectory: &run });
        let drawn = figure(&Motion { title: "", scenario, built: &built, runs: &runs });
        let gaps = drawn.panels.iter().find(|panel| panel.y.label == "gap [m]").unwrap();
        let labels = gaps.layers.iter().map(|layer| if let Layer::Series(s) = layer { s.label.as_str() } else { "" });
        let labels: Vec<&str> = labels.collect();
        assert_eq!(labels, ["A under newton", "B under newton", "A under poisson", "B under poisson"]);
    }
}
