//! From Python's arrays to the data of a problem.

use std::collections::BTreeMap;

use delassus::{Budget, ClutchData, ContactData, Direction, Friction, ImpactError, JointData, Mass};
use numpy::{PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;

/// A direction: all entries, or those that are not zero.
#[derive(FromPyObject)]
pub enum DirectionArgument<'py> {
    /// An array.
    Dense(PyReadonlyArray1<'py, f64>),
    /// A dictionary.
    Sparse(BTreeMap<usize, f64>),
}

impl From<DirectionArgument<'_>> for Direction {
    fn from(argument: DirectionArgument<'_>) -> Self {
        match argument {
            DirectionArgument::Dense(values) => Self::Dense(values.as_array().to_vec()),
            DirectionArgument::Sparse(entries) => Self::Sparse(entries.into_iter().collect()),
        }
    }
}

/// One coefficient, or one along each tangent.
#[derive(FromPyObject)]
pub enum FrictionArgument {
    /// The same in all directions.
    One(f64),
    /// Along the first and the second tangent.
    Two([f64; 2]),
}

impl From<FrictionArgument> for Friction {
    fn from(argument: FrictionArgument) -> Self {
        match argument {
            FrictionArgument::One(mu) => Self::Isotropic(mu),
            FrictionArgument::Two(mu) => Self::Orthotropic(mu),
        }
    }
}

/// The attributes of `delassus.Contact`.
#[derive(FromPyObject)]
pub struct ContactArgument<'py> {
    name: String,
    #[pyo3(attribute("_normal"))]
    normal: DirectionArgument<'py>,
    #[pyo3(attribute("_tangents"))]
    tangents: Vec<DirectionArgument<'py>>,
    friction: Option<FrictionArgument>,
    friction_static: Option<FrictionArgument>,
    restitution: f64,
    restitution_tangential: f64,
    stiffness: f64,
    offset: Option<PyReadonlyArray1<'py, f64>>,
}

impl From<ContactArgument<'_>> for ContactData {
    fn from(contact: ContactArgument<'_>) -> Self {
        Self {
            name: contact.name,
            normal: contact.normal.into(),
            tangents: contact.tangents.into_iter().map(Direction::from).collect(),
            friction: contact.friction.map(Friction::from),
            friction_static: contact.friction_static.map(Friction::from),
            restitution: contact.restitution,
            restitution_tangential: contact.restitution_tangential,
            stiffness: contact.stiffness,
            offset: contact.offset.map(|offset| offset.as_array().to_vec()).unwrap_or_default(),
        }
    }
}

/// The attributes of `delassus.Clutch`.
#[derive(FromPyObject)]
pub struct ClutchArgument<'py> {
    name: String,
    #[pyo3(attribute("_direction"))]
    direction: DirectionArgument<'py>,
    restitution: f64,
    offset: f64,
}

impl From<ClutchArgument<'_>> for ClutchData {
    fn from(clutch: ClutchArgument<'_>) -> Self {
        let ClutchArgument { name, direction, restitution, offset } = clutch;
        Self { name, direction: direction.into(), restitution, offset }
    }
}

/// The attributes of `delassus.Joint`.
#[derive(FromPyObject)]
pub struct JointArgument<'py> {
    name: String,
    #[pyo3(attribute("_directions"))]
    directions: Vec<DirectionArgument<'py>>,
    restitution: f64,
    offset: Option<PyReadonlyArray1<'py, f64>>,
}

impl From<JointArgument<'_>> for JointData {
    fn from(joint: JointArgument<'_>) -> Self {
        Self {
            name: joint.name,
            directions: joint.directions.into_iter().map(Direction::from).collect(),
            restitution: joint.restitution,
            offset: joint.offset.map(|offset| offset.as_array().to_vec()).unwrap_or_default(),
        }
    }
}

/// M as given, not factored yet: its diagonal, or its size and all entries.
pub enum MassArgument {
    /// The diagonal.
    Diagonal(Vec<f64>),
    /// The number of rows, and the entries row by row.
    Dense(usize, Vec<f64>),
}

impl MassArgument {
    /// Factors it. To be called without the interpreter, as that may take long.
    pub fn factored(self, budget: &mut Budget<'_>) -> Result<Mass, ImpactError> {
        match self {
            Self::Diagonal(entries) => Mass::diagonal(entries),
            Self::Dense(n, entries) => Mass::dense_within(n, entries, budget),
        }
    }
}

/// M from its diagonal (n) or in full (n, n).
pub fn mass(entries: &PyReadonlyArrayDyn<'_, f64>) -> Result<MassArgument, ImpactError> {
    let view = entries.as_array();
    match view.shape() {
        [_] => Ok(MassArgument::Diagonal(view.iter().copied().collect())),
        [n, m] if n == m => Ok(MassArgument::Dense(*n, view.iter().copied().collect())),
        shape => {
            let problem = "needs shape (n,), the diagonal, or (n, n)";
            Err(ImpactError::new("mass", format!("array of shape {shape:?}"), problem))
        }
    }
}

/// Numbers that are the same for all rows of a batch, or differ from row to row.
pub struct Field<'py> {
    values: PyReadonlyArray1<'py, f64>,
    /// Whether every row has its own.
    pub varies: bool,
}

impl<'py> FromPyObject<'_, 'py> for Field<'py> {
    type Error = PyErr;

    /// A pair: the numbers in a line, one row after the other, and whether they vary.
    fn extract(pair: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (values, varies) = pair.extract()?;
        Ok(Self { values, varies })
    }
}

impl Field<'_> {
    /// The numbers of the rows, `size` each.
    pub fn rows(&self, size: usize) -> PyResult<Rows<'_>> {
        Ok(Rows { values: self.values.as_slice()?, size, varies: self.varies })
    }
}

/// The numbers of a [`Field`], row by row.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    values: &'a [f64],
    size: usize,
    /// Whether every row has its own.
    pub varies: bool,
}

impl<'a> Rows<'a> {
    /// Those of a row.
    #[inline]
    pub fn of(&self, row: usize) -> &'a [f64] {
        let first = if self.varies { row * self.size } else { 0 };
        &self.values[first..first + self.size]
    }

    /// Whether there are numbers for that many rows.
    pub fn covers(&self, rows: usize) -> bool {
        self.values.len() == self.size * if self.varies { rows } else { 1 }
    }
}
