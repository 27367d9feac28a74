//! The built-in map of how a block overturns by a pulse.

use std::f64::consts::TAU;

use delassus::scenario::MotionData;
use delassus_study::number;

use super::Args;
use crate::failure::Failure;
use crate::scenarios::read_scenario_files;

/// Periods from this part of 2π/p up to it.
const SHORTEST: f64 = 0.1;
/// Accelerations from g tan α, at which rocking begins, up to so many times that.
const STRONGEST: f64 = 12.0;

/// The arguments with axes and measure of the map of a pulse, where it is asked for.
pub fn completed(args: &Args) -> Result<Args, Failure> {
    let mut args = args.clone();
    let Some(count) = args.pulse else { return Ok(args) };
    let scenarios = read_scenario_files(std::slice::from_ref(&args.file))?;
    let wrong = |what: &str| Failure::Input(format!("--pulse: {}: {what}", scenarios.files[0]));
    let [(_, entry)] = &scenarios.entries[..] else { return Err(wrong("needs one scenario")) };
    let scenario = &entry.scenario;
    let block = scenario.rocking_block.as_ref().ok_or_else(|| wrong("needs a rocking_block"))?;
    let pulse = scenario.ground.iter().find_map(|ground| {
        let within = |motion: &MotionData, place: &str| match motion {
            MotionData::Pulse { .. } => Some(format!("ground.{}.motion{place}.pulse", ground.name)),
            _ => None,
        };
        match ground.motion.as_ref()? {
            MotionData::Several(parts) => {
                parts.iter().enumerate().find_map(|(k, part)| within(part, &format!("[{k}]")))
            }
            one => within(one, ""),
        }
    });
    let pulse = pulse.ok_or_else(|| wrong("needs a ground with motion.pulse"))?;
    let [gx, gy] = scenario.world.gravity.vector();
    let gravity = gx.hypot(gy);
    // p² = 3g/4R with half the diagonal R.
    let longest = TAU / (1.5 * gravity / block.width.hypot(block.height)).sqrt();
    let least = gravity * block.width / block.height;
    let axis = |key: &str, from: f64, to: f64| {
        let [from, to] = [from, to].map(|value| number::format(value, 0.0));
        format!("{pulse}.{key}={from}:{to}:{count}")
    };
    args.x.get_or_insert_with(|| axis("period", SHORTEST * longest, longest));
    args.y.get_or_insert_with(|| axis("acceleration", least, STRONGEST * least));
    args.measure.get_or_insert_with(|| "overturning".to_owned());
    Ok(args)
}
