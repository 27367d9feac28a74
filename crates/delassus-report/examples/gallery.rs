//! Draws one figure of every kind into a folder (default `target/gallery`): to judge the style.

use delassus_figure::*;
use delassus_report::html::{Badge, Row, Section, number, page};
use std::f64::consts::PI;

fn lines() -> Figure {
    let curve = |k: usize| {
        let e = 0.95 - 0.1 * k as f64;
        Series::function(0.0, 10.0, 4000, move |t| e.powf(t) * (t * (1.0 + 0.1 * k as f64)).cos())
            .label(format!("ε = {e:.2}, θ₀ = {}°", 5 * k))
    };
    let panel = Panel::new(Axis::new("time t [s]"), Axis::new("normal velocity γ₁⁺ [m/s]"))
        .extend((0..6).map(curve))
        .add(Reference::horizontal(0.0));
    Figure::single(panel).title("Six laws, one block")
}

fn regimes() -> Figure {
    let names = ["sticking", "slip reversal", "sliding"];
    let categories = names.map(Category::new).to_vec();
    let lower = |e: f64| 0.2 + 0.3 * e * e;
    let upper = |e: f64| 0.5 + 0.35 * (1.0 - e);
    let regions = Regions::new(CellGrid::uniform((0.0, 1.0), 400, (0.0, 1.0), 400), categories, |e, m| {
        usize::from(m < upper(e)) + usize::from(m < lower(e))
    });
    let panel = Panel::new(Axis::new("restitution ε_{N} [–]"), Axis::new("friction μ [–]"))
        .add(regions)
        .add(Series::function(0.0, 1.0, 200, lower).color(Color::BLACK).label("μ_{1}(ε)"))
        .add(Series::function(0.0, 1.0, 200, upper).color(Color::BLACK).dash(Dash::Dashed).label("μ_{2}(ε)"))
        .add(Text::new(0.25, 0.88, "I  stick"))
        .add(Text::new(0.5, 0.47, "II  reversal"))
        .add(Text::new(0.5, 0.12, "III  slide"));
    Figure::single(panel)
}

fn heat() -> Figure {
    let field = Field::new(CellGrid::uniform((-PI, PI), 300, (0.0, 2.0), 200), |x, y| {
        1e-4 * (x.sin() * (2.0 * y).cos() + 0.3 * y)
    })
    .label("energy loss D [J]");
    let panel = Panel::new(Axis::new("phase φ [rad]").pi(), Axis::new("ω/ω₀ [–]"))
        .add(field.clone())
        .add(field.contour(0.0).color(Color::WHITE))
        .add(field.contour(5e-5).color(Color::WHITE).dash(Dash::Dashed))
        .add(Series::scatter([(0.5, 0.5), (-1.5, 1.5)]).color(Color::WHITE));
    Figure::single(panel)
}

fn panels() -> Figure {
    let line = |n: f64| {
        Panel::new(Axis::new("t [s]"), Axis::new("γ⁺ [m/s]"))
            .title("time history")
            .add(Series::function(0.0, 5.0, 500, move |t| (n * t).sin()).label("Newton"))
            .add(Series::function(0.0, 5.0, 500, move |t| 0.6 * (n * t).cos()).label("Poisson"))
    };
    let law = Panel::new(
        Axis::new("−Λ").ticks_at([(-1.0, "−μΛ_{N}"), (1.0, "μΛ_{N}")]).range(-1.6, 1.6),
        Axis::new("γ").range(-1.2, 1.2),
    )
    .title("Coulomb")
    .arrows()
    .add(Series::line([(-1.0, -1.2), (-1.0, 0.0), (1.0, 0.0), (1.0, 1.2)]).width(1.6))
    .add(Text::new(1.0, 0.8, "slip").anchor(Anchor::Start).offset(5.0, 0.0))
    .add(Arrow::new((0.3, 0.7), (0.6, 0.05)))
    .add(Text::new(0.3, 0.8, "stick"));
    let decay = Panel::new(Axis::new("stiffness k [N/m]").log(), Axis::new("error [–]").log())
        .title("convergence")
        .add(Series::line((0..9).map(|i| (10f64.powi(i), 10f64.powf(-0.8 * i as f64)))).markers().label("Newton"))
        .add(Series::line((0..9).map(|i| (10f64.powi(i), 10f64.powf(-0.4 * i as f64)))).markers().label("Poisson"));
    let cloud = Panel::new(Axis::new("angle of incidence α [°]"), Axis::new("e_{T} [–]"))
        .title("experiment")
        .add(
            Area::band((0..=60).map(|a| (a as f64, 0.55 + 0.006 * a as f64, 0.65 + 0.006 * a as f64)))
                .fill(Color::PALE, 1.0)
                .label("±8 %"),
        )
        .add(
            Series::scatter([
                (1.84, 0.793),
                (3.7, 0.745),
                (9.5, 0.673),
                (20.0, 0.597),
                (30.1, 0.688),
                (39.4, 0.771),
                (49.7, 0.848),
                (60.0, 0.901),
            ])
            .index(2)
            .label("Kharaz 2001"),
        );
    let map = Panel::new(Axis::new("width [m]"), Axis::new("height [m]")).title("regions with patterns").add(
        Regions::new(
            CellGrid::uniform((0.0, 1e-12), 60, (0.0, 2e12), 60),
            vec![
                Category::new("A").hatch(Hatch::Rising),
                Category::new("B"),
                Category::new("C").hatch(Hatch::Crossed),
                Category::new("none").color(Color::PALE),
            ],
            |x, y| ((x * 1e12 + 1e-12 * y) * 1.3) as usize % 4,
        )
        .edges(),
    );
    Figure::grid(3, vec![line(2.0), law, decay, cloud, map, line(1.0).title("shared styles")])
        .title("A page of panels: θ̇, √2, ≤, γ₁⁺, Λ^{−}")
        .width(560.0)
        .aspect(0.85)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or("target/gallery".into());
    std::fs::create_dir_all(&folder)?;
    for (name, figure) in [("lines", lines()), ("regimes", regimes()), ("heat", heat()), ("panels", panels())] {
        std::fs::write(format!("{folder}/{name}.svg"), to_svg(&figure))?;
        std::fs::write(format!("{folder}/{name}.png"), to_png(&figure, 200.0)?)?;
    }
    let row = |quantity: &str, paper: &str, ours: f64, verdict| Row {
        quantity: quantity.into(),
        paper: paper.into(),
        independent: String::new(),
        ours: number(ours),
        tolerance: "1e-3 relative".into(),
        verdict,
    };
    let sections = [
        Section::new("Curves")
            .verdict(Badge::Agrees)
            .text("Six damped oscillations, told apart by colour and dash.")
            .row(row("γ⁺ of contact 1 [m/s]", "0.725", 0.7249, Badge::Agrees))
            .row(row("time of first zero [s]", "", PI / 2.0, Badge::Open))
            .figure(lines(), "Figure 1. One law a curve."),
        Section::new("Map of regimes")
            .verdict(Badge::Differs)
            .figure(regimes(), "Figure 2. Regimes over restitution and friction."),
        Section::new("Field").figure(heat(), "Figure 3. Energy loss."),
        Section::new("Panels").verdict(Badge::Open).figure(panels(), "Figure 4. Everything at once."),
    ];
    let text = "Every kind of figure, for judging the style.";
    std::fs::write(format!("{folder}/index.html"), page("Gallery", text, &sections))?;
    Ok(())
}
