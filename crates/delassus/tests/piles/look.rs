//! What happened near one time, for looking at a scene that went wrong.

use delassus::model::System;
use delassus::simulate::{Control, simulate};

use crate::generate::Scene;

/// Impacts and events `within` of the time `at`.
pub fn around(scene: &Scene, at: f64, within: f64) -> String {
    let built = scene.scenario.build().expect("a scene that can be built");
    let mut watch = |p: &delassus::simulate::Progress| {
        if p.time > at + within { Control::Stop } else { Control::Continue }
    };
    let run = simulate(&built.system, &built.q, &built.u, &scene.law, &built.settings, &built.until, &mut watch)
        .expect("a scene that can be run");
    let name = |contact: usize| built.system.contacts()[contact].name.as_str();
    let near = |time: f64| (time - at).abs() <= within;
    let mut text = String::new();
    for impact in run.impacts.iter().filter(|i| near(i.time)) {
        let names: Vec<&str> = impact.contacts.iter().map(|c| name(*c)).collect();
        let (status, certificate) = (impact.outcome.status().as_str(), &impact.outcome.certificate);
        text += &format!("impact {:.12} {names:?} {status}, inelastic {}\n", impact.time, impact.inelastic);
        text += &format!("  {certificate:?}\n  q  {:?}\n", impact.q);
        text += &format!("  u- {:?}\n  u+ {:?}\n", impact.u_minus, impact.u_plus);
        text += &format!("  impulses {:?}\n", impact.outcome.impulses());
        let [before, after] = [&impact.outcome.gamma_minus, &impact.outcome.gamma_plus];
        text += &format!("  gamma- {before:?}\n  gamma+ {after:?}\n");
    }
    for event in run.events.iter().filter(|e| near(e.time)) {
        text += &format!("{:.12} {} {}\n", event.time, event.kind.as_str(), event.kind.contact().map_or("", name));
    }
    text
}
