//! The course of an impact as JSON, from laws that follow it.

use delassus::ImpactProblem;
use delassus::law::{ContactEnergy, ImpactPath, NormalState, PathState, TangentialState};
use serde::Serialize;

/// Samples along the impact: one entry per sample in each list.
#[derive(Debug, Serialize)]
pub(crate) struct PathRecord<'a> {
    tau: &'a [f64],
    impulses: Vec<&'a [f64]>,
    velocities: Vec<&'a [f64]>,
    gamma: Vec<&'a [f64]>,
    compressions: Vec<&'a [f64]>,
    states: Vec<Vec<StateRecord>>,
}

#[derive(Debug, Serialize)]
struct StateRecord {
    normal: &'static str,
    tangential: Option<&'static str>,
}

impl<'a> PathRecord<'a> {
    pub fn new(path: &'a ImpactPath) -> Self {
        let samples = || 0..path.len();
        Self {
            tau: &path.tau,
            impulses: samples().map(|i| path.impulses_at(i)).collect(),
            velocities: samples().map(|i| path.velocities_at(i)).collect(),
            gamma: samples().map(|i| path.gamma_at(i)).collect(),
            compressions: samples().map(|i| path.compressions_at(i)).collect(),
            states: samples().map(|i| path.states_at(i).iter().map(state).collect()).collect(),
        }
    }
}

fn state(state: &PathState) -> StateRecord {
    StateRecord {
        normal: match state.normal {
            NormalState::Open => "open",
            NormalState::Compression => "compression",
            NormalState::Expansion => "expansion",
        },
        tangential: state.tangential.map(|t| match t {
            TangentialState::Stick => "stick",
            TangentialState::Slip => "slip",
        }),
    }
}

/// The energy account of a contact \[J\].
#[derive(Debug, Serialize)]
pub(crate) struct ContactEnergyRecord<'a> {
    name: &'a str,
    stored: f64,
    returned: f64,
    lost: f64,
    /// Only where friction wedges the contact.
    #[serde(skip_serializing_if = "is_zero")]
    held: f64,
    friction: f64,
    compressions: usize,
}

/// One record per contact, or none where the law keeps no account.
pub(crate) fn contact_energy<'a>(
    problem: &'a ImpactProblem,
    account: &[ContactEnergy],
) -> Option<Vec<ContactEnergyRecord<'a>>> {
    let record = |(contact, energy): (&'a delassus::Contact, &ContactEnergy)| ContactEnergyRecord {
        name: &contact.name,
        stored: energy.stored,
        returned: energy.returned,
        lost: energy.lost,
        held: energy.held,
        friction: energy.friction,
        compressions: energy.compressions,
    };
    (!account.is_empty()).then(|| problem.contacts().iter().zip(account).map(record).collect())
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
