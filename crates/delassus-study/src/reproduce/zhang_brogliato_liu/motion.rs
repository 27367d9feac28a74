//! The simulated rocking block: how it falls to its first double impact, and how it goes on.

use delassus::LawSpec;
use delassus::law::Lzb;
use delassus::scenario::{MaterialData, RockingBlock, Scenario};
use delassus::simulate::{Control, Settings, Trajectory, Until, simulate};

use super::block::Block;
use crate::reproduce::StudyError;

/// Initial data of a motion: at rest on corner A, tilted by θ(0).
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// L [m].
    pub width: f64,
    /// m [kg].
    pub mass: f64,
    /// θ(0) [rad].
    pub angle: f64,
}

/// Sections on the dispersion: Figs. 6 to 11.
pub(super) const DISPERSION: Start = Start { width: 0.24, mass: 2.0, angle: 0.12 };

impl Start {
    /// The motion of a block of this aspect ratio, friction and restitution under the
    /// Darboux–Keller law, sampled every `interval` seconds.
    pub(super) fn run(self, block: Block, until: Until, interval: Option<f64>) -> Result<Trajectory, StudyError> {
        let height = block.aspect * self.width;
        let short = RockingBlock { width: self.width, height, mass: self.mass, angle: self.angle, rate: 0.0 };
        let material = MaterialData {
            friction: Some(block.friction[0]),
            friction_static: Some(block.friction[1]),
            restitution: Some(block.restitution),
            ..MaterialData::default()
        };
        let scenario = Scenario { rocking_block: Some(short), material: vec![material], ..Scenario::default() };
        let built = scenario.build()?;
        let settings = Settings { sample_interval: interval, ..built.settings };
        let law = LawSpec::Lzb(Lzb::default());
        let run = simulate(&built.system, &built.q, &built.u, &law, &settings, &until, &mut |_| Control::Continue)?;
        if run.end.is_regular() {
            Ok(run)
        } else {
            Err(StudyError::new(format!("simulation: {} at l/L = {}", run.end.as_str(), block.aspect)))
        }
    }

    /// The block as it arrives at its first double impact: the slip of A comes from the motion.
    pub(super) fn fall(self, block: Block) -> Result<Block, StudyError> {
        let until = Until { impacts: Some(1), ..Until::time(100.0) };
        let run = self.run(block, until, None)?;
        let first = run.impacts.first().ok_or_else(|| StudyError::new("the block did not fall"))?;
        let rate = first.u_minus[2].abs() * self.width;
        Ok(Block { slip: self.slip(&first.q, &first.u_minus, block.aspect) / rate, ..block })
    }

    /// Velocity of corner A along the ground.
    pub(super) fn slip(self, q: &[f64], u: &[f64], aspect: f64) -> f64 {
        let (sin, cos) = q[2].sin_cos();
        u[0] + 0.5 * self.width * (sin + aspect * cos) * u[2]
    }

    /// Heights of the corners A and B.
    pub(super) fn heights(self, q: &[f64], aspect: f64) -> [f64; 2] {
        let (sin, cos) = q[2].sin_cos();
        let half = 0.5 * self.width;
        [q[1] - half * (sin + aspect * cos), q[1] + half * (sin - aspect * cos)]
    }
}
