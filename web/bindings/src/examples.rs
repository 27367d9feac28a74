//! Texts to start from: the example problems of the program and its gallery of scenarios, each in the module of the page
//! that shows them.

use serde_json::{Value, json};

macro_rules! texts {
    ($folder:literal: $($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../", $folder, "/", $name, ".toml")))),*]
    };
}

const PROBLEMS: [(&str, &str); 13] = texts!("crates/delassus-cli/examples":
    "kane", "rod_impact", "block_impact", "rod", "block", "chain3", "dimer", "foot", "cube", "stack", "clutch",
    "table", "sphere");

const SCENARIOS: [(&str, &str); 31] = texts!("scenarios":
    "rocking-block", "cradle", "bouncing-ball", "earthquake", "pulse", "dimer", "chain", "tapered-chain",
    "double-pendulum", "rod", "slider-crank", "stack", "block-on-slope", "housner-block",
    "space/cube-on-floor", "space/coin", "space/coin-rolling", "space/rocking-block", "space/block-lzb", "space/foot",
    "space/sliding-sphere", "space/billiard-break", "space/balls-and-cushion", "space/bead-column",
    "space/shaken-stack", "space/spheres-in-a-box", "space/arch", "space/cradle", "space/packing",
    "space/disks-in-a-box", "space/terrain");

/// Problems and scenarios with their names. Records that scenarios name are files of the site, which the page sends along.
pub(crate) fn all() -> Value {
    let list = |texts: &[(&str, &str)]| -> Vec<Value> {
        texts.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect()
    };
    let problems: &[_] = if cfg!(feature = "impact") { &PROBLEMS } else { &[] };
    let scenarios: &[_] = if cfg!(feature = "motion") { &SCENARIOS } else { &[] };
    let [problems, scenarios] = [problems, scenarios].map(list);
    json!({ "problems": problems, "scenarios": scenarios, "version": crate::VERSION })
}
