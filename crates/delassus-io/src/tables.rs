//! The tables of a problem file, with its keys, before they are checked.

use delassus::{
    Budget, ClutchData, ContactData, Direction, ImpactError, JointData, Mass, ProblemData, ProblemSource, SolverData,
};
use serde::Deserialize;

use crate::law::LawTable;
use crate::numbers::{Coefficients, Directions, FlatOrRows, OneDirection, OneOrMore};
use crate::short::{BlockTable, RodTable};

/// A problem, or the top of a file with several.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProblemTable {
    pub name: Option<String>,
    mass: Option<FlatOrRows>,
    velocity: Option<Vec<f64>>,
    impulse: Option<Vec<f64>>,
    contact: Option<Vec<ContactTable>>,
    clutch: Option<Vec<ClutchTable>>,
    joint: Option<Vec<JointTable>>,
    rod_impact: Option<RodTable>,
    block_impact: Option<BlockTable>,
    pub law: Option<LawTable>,
    pub solver: Option<SolverData>,
    /// Only at the top of a file: its problems.
    pub problem: Option<Vec<ProblemTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactTable {
    name: Option<String>,
    normal: Option<OneDirection>,
    tangent: Option<Directions>,
    friction: Option<Coefficients>,
    friction_static: Option<Coefficients>,
    restitution: Option<f64>,
    restitution_tangential: Option<f64>,
    stiffness: Option<f64>,
    offset: Option<OneOrMore>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClutchTable {
    name: Option<String>,
    direction: Option<OneDirection>,
    restitution: Option<f64>,
    offset: Option<OneOrMore>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JointTable {
    name: Option<String>,
    direction: Option<Directions>,
    restitution: Option<f64>,
    offset: Option<OneOrMore>,
}

impl ProblemTable {
    /// A key that belongs to a problem, if there is one.
    pub fn first_problem_key(&self) -> Option<&'static str> {
        self.keys().into_iter().find_map(|(key, given)| given.then_some(key))
    }

    fn keys(&self) -> [(&'static str, bool); 8] {
        [
            ("rod_impact", self.rod_impact.is_some()),
            ("block_impact", self.block_impact.is_some()),
            ("mass", self.mass.is_some()),
            ("velocity", self.velocity.is_some()),
            ("impulse", self.impulse.is_some()),
            ("contact", self.contact.is_some()),
            ("clutch", self.clutch.is_some()),
            ("joint", self.joint.is_some()),
        ]
    }

    /// The problem as the library takes it. Where `needs_friction`, a tangent
    /// without friction is an error.
    pub fn into_source(mut self, needs_friction: bool, budget: &mut Budget<'_>) -> Result<ProblemSource, ImpactError> {
        let given = self.keys();
        let mut given = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key);
        let form = match (self.rod_impact.take(), self.block_impact.take()) {
            (None, None) => return self.into_data(needs_friction, budget).map(ProblemSource::Full),
            (Some(rod), _) => ProblemSource::Rod(rod.rod(self.name.take())?),
            (None, Some(block)) => ProblemSource::Block(block.block(self.name.take())?),
        };
        match (given.next(), given.next()) {
            (Some(form), Some(key)) => {
                Err(ImpactError::new(key, "", format!("cannot stand beside [{form}], which says all")))
            }
            _ => Ok(form),
        }
    }

    fn into_data(self, needs_friction: bool, budget: &mut Budget<'_>) -> Result<ProblemData, ImpactError> {
        let contacts = self.contact.unwrap_or_default().into_iter().enumerate();
        let contacts = contacts.map(|(i, c)| c.into_data(i, needs_friction)).collect::<Result<_, _>>()?;
        let clutches = self.clutch.unwrap_or_default().into_iter().enumerate();
        let clutches = clutches.map(|(i, c)| c.into_data(i)).collect::<Result<_, _>>()?;
        let joints = self.joint.unwrap_or_default().into_iter().enumerate();
        let joints = joints.map(|(i, c)| c.into_data(i)).collect::<Result<_, _>>()?;
        Ok(ProblemData {
            name: self.name.unwrap_or_default(),
            mass: mass(self.mass.ok_or_else(|| missing("mass"))?, budget)?,
            velocity: self.velocity.ok_or_else(|| missing("velocity"))?,
            impulse: self.impulse.unwrap_or_default(),
            contacts,
            clutches,
            joints,
        })
    }
}

impl ContactTable {
    fn into_data(self, i: usize, needs_friction: bool) -> Result<ContactData, ImpactError> {
        let missing = |key: &str| missing(&format!("contact[{i}].{key}"));
        let tangents: Vec<Direction> = self.tangent.map(Vec::from).unwrap_or_default();
        if needs_friction && !tangents.is_empty() && self.friction.is_none() {
            let problem =
                "is missing: a tangent needs friction (a number of at least 0), except under the law kinematic";
            return Err(ImpactError::new(format!("contact[{i}].friction"), "", problem));
        }
        Ok(ContactData {
            name: self.name.ok_or_else(|| missing("name"))?,
            normal: self.normal.ok_or_else(|| missing("normal"))?.0,
            tangents,
            friction: self.friction.map(|f| f.0),
            friction_static: self.friction_static.map(|f| f.0),
            restitution: self.restitution.unwrap_or(0.0),
            restitution_tangential: self.restitution_tangential.unwrap_or(0.0),
            stiffness: self.stiffness.unwrap_or(1.0),
            offset: self.offset.map(Vec::from).unwrap_or_default(),
        })
    }
}

impl ClutchTable {
    fn into_data(self, i: usize) -> Result<ClutchData, ImpactError> {
        let missing = |key: &str| missing(&format!("clutch[{i}].{key}"));
        let offset: Vec<f64> = self.offset.map_or(vec![0.0], Vec::from);
        let &[offset] = &offset[..] else {
            let value = format!("{} entries", offset.len());
            return Err(ImpactError::new(format!("clutch[{i}].offset"), value, "needs one number"));
        };
        Ok(ClutchData {
            name: self.name.ok_or_else(|| missing("name"))?,
            direction: self.direction.ok_or_else(|| missing("direction"))?.0,
            restitution: self.restitution.unwrap_or(0.0),
            offset,
        })
    }
}

impl JointTable {
    fn into_data(self, i: usize) -> Result<JointData, ImpactError> {
        let missing = |key: &str| missing(&format!("joint[{i}].{key}"));
        Ok(JointData {
            name: self.name.ok_or_else(|| missing("name"))?,
            directions: self.direction.ok_or_else(|| missing("direction"))?.into(),
            restitution: self.restitution.unwrap_or(0.0),
            offset: self.offset.map(Vec::from).unwrap_or_default(),
        })
    }
}

fn mass(mass: FlatOrRows, budget: &mut Budget<'_>) -> Result<Mass, ImpactError> {
    match mass {
        FlatOrRows::Flat(diagonal) => Mass::diagonal(diagonal),
        FlatOrRows::Rows(rows) => {
            let n = rows.len();
            if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != n) {
                let problem = format!("the mass matrix must be square: each of its {n} rows needs {n} entries");
                return Err(ImpactError::wrong_size(format!("mass[{i}]"), format!("{} entries", row.len()), problem));
            }
            Mass::dense_within(n, rows.concat(), budget)
        }
    }
}

pub(crate) fn missing(field: &str) -> ImpactError {
    ImpactError::missing(field, "", "is missing")
}
