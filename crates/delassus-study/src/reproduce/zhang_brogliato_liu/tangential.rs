//! Figs. 8 and 11: the tangential velocity of A during the impact.

use delassus::law::TangentialState;
use delassus::simulate::Until;

use super::block::{Block, asked_friction};
use super::motion::DISPERSION;
use crate::reproduce::numeric::{largest, linspace};
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// What happens along the ground during the impact.
struct Passage {
    /// Total normal impulse, from 0 to 1, and v_t over |ẏ_B⁻|.
    points: Vec<(f64, f64)>,
    slips: bool,
    reverses: bool,
}

fn passage(aspect: f64, friction: [f64; 2]) -> Result<Passage, StudyError> {
    let outcome = DISPERSION.fall(Block::new(aspect, friction))?.impact(true)?;
    let path = outcome.answer.path.ok_or_else(|| StudyError::new("lzb recorded no path"))?;
    let samples = path.tau.len();
    let total = |i: usize| path.impulses[i * path.rows] + path.impulses[i * path.rows + 2];
    let end = total(samples - 1);
    let points: Vec<_> = (0..samples).map(|i| (total(i) / end, path.gamma[i * path.rows + 1])).collect();
    let slips = (0..samples).any(|i| path.states_at(i).iter().any(|s| s.tangential == Some(TangentialState::Slip)));
    let (low, high) = points.iter().fold((0f64, 0f64), |(a, b), p| (a.min(p.1), b.max(p.1)));
    Ok(Passage { points, slips, reverses: low < -1e-9 && high > 1e-9 })
}

/// v_t of A while the block falls, over time.
fn approach(aspect: f64, friction: [f64; 2]) -> Result<Vec<(f64, f64)>, StudyError> {
    let until = Until { impacts: Some(1), ..Until::time(100.0) };
    let run = DISPERSION.run(Block::new(aspect, friction), until, Some(2e-4))?;
    let first = run.impacts.first().map_or(0.0, |i| i.time);
    let falling = run.samples.iter().filter(|s| s.time < first);
    Ok(falling.map(|s| (s.time, DISPERSION.slip(&s.q, &s.u, aspect))).collect())
}

/// `reach` bounds the velocity axes, so that rounding is not magnified where nothing slips.
fn draw(
    found: &mut Findings,
    friction: [f64; 2],
    aspects: &[f64],
    reach: [f64; 2],
    caption: &str,
) -> Result<(), StudyError> {
    let mut table = Table::new("during", ["l/L", "normal_impulse_share", "v_t"]);
    let mut early = Table::new("before", ["l/L", "time_s", "v_t_m/s"]);
    let mut before = Panel::new(Axis::new("t [s]"), Axis::new("v_{t,A} [m/s]").range(-reach[0], reach[0]))
        .title("before the impact");
    let mut panel = Panel::new(
        Axis::new("normal impulse / total").range(0.0, 1.0),
        Axis::new("v_{t,A} / |ẏ_{B}^{−}|").range(-reach[1], reach[1]),
    )
    .title("during the impact");
    for (k, &aspect) in aspects.iter().enumerate() {
        // ẏ_B⁻ = −1.
        let passed = passage(aspect, friction)?;
        for &(x, y) in &passed.points {
            table.numbers([aspect, x, y]);
        }
        let fall = approach(aspect, friction)?;
        for &(time, v) in fall.iter().step_by(5) {
            early.numbers([aspect, time, v]);
        }
        before = before.add(Series::line(fall).index(k).label(format!("l/L = {aspect}")));
        panel = panel.add(Series::line(passed.points).index(k).label(format!("l/L = {aspect}")));
    }
    found.table(early);
    found.table(table);
    let panels = vec![before.add(Reference::horizontal(0.0)), panel.add(Reference::horizontal(0.0))];
    found.figure(Figure::grid(2, panels).shared_legend(), caption);
    Ok(())
}

pub(super) fn fig_8(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked_friction(found, [0.6, 1.0])?;
    let mut fastest = 0f64;
    for aspect in linspace(0.2, 5.0, 49) {
        let passed = passage(aspect, friction)?;
        fastest = largest(passed.points.iter().map(|p| p.1.abs()).chain([fastest]));
    }
    found.explained(
        "largest |v_t|/|ẏ_B⁻| during the impact, 0.2 ≤ l/L ≤ 5",
        "slip for l/L < 1",
        0.0,
        fastest,
        1e-9,
        "two independent codes find that everything sticks: stick needs at most |Λ_T/Λ_N| = 3a/(4a² + 1) ≤ 0.75 < μ_s = 1.",
    );
    let slender = linspace(1.0, 5.0, 17)
        .try_fold(false, |any, aspect| Ok::<_, StudyError>(any || passage(aspect, friction)?.slips))?;
    found.claim("slender blocks, l/L ≥ 1", "stick", if slender { "some slip" } else { "all of 17 stick" }, !slender);
    draw(
        found,
        friction,
        &[0.3, 0.75, 1.2, 2.0],
        [0.1, 0.8],
        "Tangential velocity of A before and during the first double impact, μ = 0.6, μ_s = 1, e = 1: it stays zero.",
    )
}

pub(super) fn fig_11(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked_friction(found, [0.3, 0.5])?;
    let stick = passage(2.0, friction)?;
    let still = largest(stick.points.iter().map(|p| p.1.abs()));
    found.number("l/L = 2: largest |v_t|/|ẏ_B⁻| (stick)", 0.0, still, 1e-9);
    let one_way = passage(1.2, friction)?;
    found.claim(
        "l/L = 1.2",
        "slip in one direction",
        if one_way.slips && !one_way.reverses { "slip in one direction" } else { "otherwise" },
        one_way.slips && !one_way.reverses,
    );
    let flat = passage(0.3, friction)?;
    found.claim(
        "l/L = 0.3",
        "slip with reversal",
        if flat.reverses {
            "slip with reversal"
        } else if flat.slips {
            "slip without reversal"
        } else {
            "stick"
        },
        flat.reverses,
    );
    draw(
        found,
        friction,
        &[0.3, 1.2, 2.0],
        [0.1, 0.8],
        "Tangential velocity of A before and during the first double impact, μ = 0.3, μ_s = 0.5, e = 1.",
    )
}
