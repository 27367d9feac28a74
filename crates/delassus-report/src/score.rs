//! Scores of laws as a figure: quartiles of the errors side by side, with the bound.

use delassus_figure::{Area, Axis, Color, Dash, Figure, LegendPlace, Marker, Panel, Reference, Series, series_color};
use delassus_study::score::Score;

/// The laws that were scored, the best on top, and what no law can beat.
pub fn figure(scores: &[Score], title: &str) -> Figure {
    let laws: Vec<&Score> = scores.iter().skip(1).filter(|score| score.reason.is_none()).collect();
    let place = |k: usize| (laws.len() - k) as f64;
    let ticks = laws.iter().enumerate().map(|(k, score)| (place(k), score.name.clone()));
    let x = Axis::new("‖u^{+} − measured‖_{M} / ‖u^{−}‖_{M}");
    let y = Axis::new("").ticks_at(ticks).range(0.4, laws.len() as f64 + 0.6);
    let mut panel = Panel::new(x, y);
    if let Some(bound) = scores.first() {
        let [low, _, high] = bound.quartiles;
        let tall = laws.len() as f64 + 0.6;
        let band = Area::polygon([(low, 0.4), (high, 0.4), (high, tall), (low, tall)]);
        // Where every measurement can be met exactly the band is thinner than the line.
        if high - low > 1e-9 {
            panel = panel.add(band.fill(Color::GREY, 0.2).label("best impulse: quartiles"));
        }
        let line = Reference::vertical(bound.quartiles[1]).style(Color::BLACK, Dash::Dashed);
        panel = panel.add(line.label("best impulse: median, no law can beat it"));
    }
    for (k, score) in laws.iter().enumerate() {
        let ([low, middle, high], y, color) = (score.quartiles, place(k), series_color(0));
        let half = 0.24;
        let bar = Area::polygon([(low, y - half), (high, y - half), (high, y + half), (low, y + half)]);
        let first = k == 0;
        let label = |text: &str| if first { text.to_owned() } else { String::new() };
        panel = panel.add(bar.fill(color, 0.35).label(label("quartiles")));
        let [from, to] = score.intervals[1];
        let interval = Series::line([(from, y), (to, y)]).color(color).dash(Dash::Solid).width(2.0);
        panel = panel.add(interval.label(label("95 % interval of the median")));
        panel = panel.add(Series::scatter([(middle, y)]).color(color).marker(Marker::Circle).label(label("median")));
    }
    let tall = (0.12 * laws.len() as f64 + 0.25).clamp(0.4, 1.4);
    Figure::single(panel.legend(LegendPlace::Below)).width(400.0).aspect(tall).title(title)
}
