//! Figs. 4 and 5: heights of the corners; Fig. 9: the angle over time.

use std::f64::consts::SQRT_2;

use delassus::simulate::{Trajectory, Until};

use super::block::{Block, asked_friction};
use super::motion::{DISPERSION, Start};
use crate::reproduce::numeric::largest;
use crate::reproduce::{Findings, StudyError, Table};
use delassus_figure::{Axis, Figure, Panel, Reference, Series};

/// The paper gives the mass alone; the rest is ours.
const REBOUNDS: Start = Start { width: 0.1, mass: 0.02, angle: 0.2 };
/// (μ, μ_s), in the paper's order.
const PAIRS: [[f64; 2]; 3] = [[0.0, 0.0], [0.01, 0.02], [0.3, 0.5]];
const ASPECTS: [(f64, &str); 3] = [(2.0, "2"), (SQRT_2, "√2"), (0.5, "1/2")];
const DURATION: f64 = 0.7;

/// One motion and what the paper says about it.
struct Rebound {
    run: Trajectory,
    /// Largest height of A after the first impact, over L.
    rise: f64,
    /// ẏ_A⁺ and ẏ_B⁺ over |ẏ_B⁻| at the first impact.
    shares: [f64; 2],
    heights: Vec<(f64, [f64; 2])>,
}

fn rebound(start: Start, aspect: f64, friction: [f64; 2], restitution: f64) -> Result<Rebound, StudyError> {
    let block = Block { restitution, ..Block::new(aspect, friction) };
    let run = start.run(block, Until::time(DURATION), Some(DURATION / 2000.0))?;
    let heights: Vec<_> = run.samples.iter().map(|s| (s.time, start.heights(&s.q, aspect))).collect();
    let first = run.impacts.first().ok_or_else(|| StudyError::new("no impact"))?;
    let after = heights.iter().filter(|h| h.0 > first.time);
    let rise = largest(after.map(|h| h.1[0] / start.width));
    let half = 0.5 * start.width;
    let [a, b] = [first.u_plus[1] - half * first.u_plus[2], first.u_plus[1] + half * first.u_plus[2]];
    let before = (first.u_minus[1] + half * first.u_minus[2]).abs();
    Ok(Rebound { rise, shares: [a / before, b / before], heights, run })
}

/// All nine motions as a figure and a table; rows by aspect ratio, columns by friction.
fn draw(found: &mut Findings, restitution: f64, caption: &str) -> Result<Vec<Vec<Rebound>>, StudyError> {
    let restitution = found.parameter("restitution", "restitution e", restitution, [0.0, 1.0])?;
    let start = Start {
        angle: found.parameter("angle", "initial angle θ(0) [rad]", REBOUNDS.angle, [0.02, 0.4])?,
        width: found.parameter("width", "width L [m]", REBOUNDS.width, [0.02, 1.0])?,
        ..REBOUNDS
    };
    let mut table = Table::new("", ["l/L", "mu", "mu_s", "time_s", "y_A_m", "y_B_m"]);
    let (mut panels, mut all) = (Vec::new(), Vec::new());
    for (aspect, name) in ASPECTS {
        let mut row = Vec::new();
        for friction in PAIRS {
            let motion = rebound(start, aspect, friction, restitution)?;
            for (time, [a, b]) in motion.heights.iter().step_by(4) {
                table.numbers([aspect, friction[0], friction[1], *time, *a, *b]);
            }
            let corner = |k: usize| motion.heights.iter().map(move |h| (h.0, 1e3 * h.1[k]));
            let panel = Panel::new(Axis::new("t [s]").range(0.0, DURATION), Axis::new("y [mm]"))
                .title(format!("l/L = {name}, μ = {}", friction[0]))
                .add(Series::line(corner(0)).index(0).label("A"))
                .add(Series::line(corner(1)).index(1).label("B"));
            panels.push(panel);
            row.push(motion);
        }
        all.push(row);
    }
    found.table(table);
    found.figure(Figure::grid(3, panels).shared_legend(), caption);
    found.note(
        "The paper gives m = 0.02 kg, the aspect ratios and the friction; η = 3/2, k_A = k_B, L = 0.1 m and \
         θ(0) = 0.2 rad are ours.",
    );
    Ok(all)
}

pub(super) fn fig_4(found: &mut Findings) -> Result<(), StudyError> {
    let all = draw(found, 0.0, "Heights of the corners A and B of a block released from rest, e = 0.")?;
    let flat = largest(all[2].iter().map(|m| m.rise));
    found.claim("l = L/2: A after the impact", "never rebounds", format!("rises by {flat:.1e} L"), flat < 1e-6);
    let impacts = all[2].iter().map(|m| m.run.impacts.len()).max().unwrap_or(0);
    found.number("l = L/2: impacts until rest", 1.0, impacts as f64, 0.0);
    let slender: Vec<f64> = all[0].iter().map(|m| m.rise).collect();
    let grows = slender.iter().all(|&r| r > 1e-6) && slender[2] > slender[0];
    let text = slender.iter().map(|r| format!("{r:.4}")).collect::<Vec<_>>().join(", ");
    let text = format!("rises by {text} L for μ = 0, 0.01, 0.3");
    found.claim("l = 2L: A rebounds a little, more for larger μ", "yes", text, grows);
    found.note("At μ = 0.01 corner A rises a little less than without friction; at μ = 0.3 much more.");
    let more = all[0].iter().map(|m| m.run.impacts.len()).min().unwrap_or(0);
    found.explained_claim(
        "l = 2L: impacts until rest",
        "one at B, then one at A",
        format!("at least {more} until rest or {DURATION} s"),
        more > 2,
        "each double impact leaves the same share of the velocity, so the impacts repeat with shrinking height; two \
         independent codes agree.",
    );
    Ok(())
}

pub(super) fn fig_5(found: &mut Findings) -> Result<(), StudyError> {
    let all = draw(found, 0.8, "Heights of the corners A and B of a block released from rest, e = 0.8.")?;
    let [slender, middle, flat] = [&all[0], &all[1], &all[2]];
    let still = middle[0].rise;
    found.claim("l = √2 L, μ = 0: A", "does not detach", format!("rises by {still:.1e} L"), still < 1e-6);
    let series = middle[0].run.impacts.len();
    found.claim("l = √2 L, μ = 0: B", "series of impacts", format!("{series} impacts in {DURATION} s"), series > 3);
    let lifted = middle[2].rise;
    found.claim("l = √2 L, μ = 0.3: A", "detaches", format!("rises by {lifted:.3} L"), lifted > 1e-3);
    let share = |m: &Rebound| format!("A {:.3}, B {:.3} of |ẏ_B⁻|", m.shares[0], m.shares[1]);
    let strong = flat[0].shares[0] > flat[0].shares[1];
    found.claim("l = L/2, μ = 0: first impact", "strong exchange from B to A", share(&flat[0]), strong);
    let similar = (flat[2].shares[0] / flat[2].shares[1] - 1.0).abs() < 0.7;
    found.claim("l = L/2, μ = 0.3: first impact", "A and B take similar energies", share(&flat[2]), similar);
    let small = slender[0].shares[1] > 1.5 * slender[0].shares[0];
    found.claim("l = 2L, μ = 0: first rebound at B", "much larger than at A", share(&slender[0]), small);
    let larger = slender[2].shares[0] > slender[0].shares[0];
    found.claim("l = 2L, μ = 0.3: transfer to A", "much larger than for small μ", share(&slender[2]), larger);
    Ok(())
}

// The paper's aspect ratio is 1.4142, not √2.
#[allow(clippy::approx_constant)]
pub(super) fn fig_9(found: &mut Findings) -> Result<(), StudyError> {
    let friction = asked_friction(found, [0.6, 1.0])?;
    let restitution = found.parameter("restitution", "restitution e", 1.0, [0.0, 1.0])?;
    let angle = found.parameter("angle", "initial angle θ(0) [rad]", DISPERSION.angle, [0.02, 0.3])?;
    let start = Start { angle, ..DISPERSION };
    let duration = 1.0;
    let mut table = Table::new("", ["l/L", "time_s", "theta_rad"]);
    let mut panels = Vec::new();
    for aspects in [&[1.4142, 1.35, 1.5][..], &[0.3, 1.2][..]] {
        let mut panel = Panel::new(Axis::new("t [s]").range(0.0, duration), Axis::new("θ [rad]"));
        for (k, &aspect) in aspects.iter().enumerate() {
            let block = Block { restitution, ..Block::new(aspect, friction) };
            let run = start.run(block, Until::time(duration), Some(duration / 2000.0))?;
            let first = run.impacts.first().ok_or_else(|| StudyError::new("no impact"))?;
            let half = 0.5 * start.width;
            let up = [first.u_plus[1] - half * first.u_plus[2], first.u_plus[1] + half * first.u_plus[2]];
            found.claim(
                format!("l/L = {aspect}: after the first double impact"),
                "airborne",
                format!("ẏ_A⁺ = {:.4}, ẏ_B⁺ = {:.4} m/s", up[0], up[1]),
                up.iter().all(|&v| v > 1e-9),
            );
            for sample in run.samples.iter().step_by(4) {
                table.numbers([aspect, sample.time, sample.q[2]]);
            }
            let curve = run.samples.iter().map(|s| (s.time, s.q[2]));
            panel = panel.add(Series::line(curve).index(k).label(format!("l/L = {aspect}")));
        }
        panels.push(panel.add(Reference::horizontal(0.0)));
    }
    found.table(table);
    found.figure(
        Figure::grid(2, panels),
        "Angle of the block over time, μ = 0.6, μ_s = 1, e = 1, L = 0.24 m, θ(0) = 0.12 rad.",
    );
    Ok(())
}
