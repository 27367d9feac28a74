//! Height fields and meshes of scenarios.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::build::unit;
use super::data::SpatialScenario;
use crate::error::{ImpactError, moderate, moderate_positive};
use crate::model::{Facets, Relief, ReliefFault, SpatialMotion, SpatialSupport, SpatialSystem, Vec3};
use crate::scenario::motion::{MotionData, parts};

/// A height field: a support over a grid, each cell two triangles. Beside it there is nothing.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct TerrainData {
    /// Name.
    pub name: String,
    /// Heights \[m\]: rows along y, each along x.
    pub heights: Vec<Vec<f64>>,
    /// Distances along x and y \[m\].
    pub spacing: [f64; 2],
    /// Where the first height of the first row is, at height 0 \[m\]; default the origin.
    #[cfg_attr(feature = "serde", serde(default))]
    pub position: [f64; 3],
    /// Its motion, or a list of motions that add up; default none.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "crate::scenario::forms::motion")
    )]
    pub motion: Option<MotionData<[f64; 3]>>,
}

/// A support of triangles.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct MeshData {
    /// Name.
    pub name: String,
    /// Points \[m\].
    pub vertices: Vec<[f64; 3]>,
    /// Triangles as numbers of points from 0, counter-clockwise seen from the free side.
    pub triangles: Vec<[usize; 3]>,
    /// Its motion, or a list of motions that add up; default none.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "crate::scenario::forms::motion")
    )]
    pub motion: Option<MotionData<[f64; 3]>>,
}

/// Most triangles of a support.
const MOST: usize = 1 << 22;

impl TerrainData {
    fn triangles(&self, path: &str) -> Result<(Vec<Vec3>, Vec<[usize; 3]>), ImpactError> {
        for (k, v) in self.spacing.iter().enumerate() {
            moderate_positive(|| format!("{path}.spacing[{k}]"), *v)?;
        }
        let (rows, columns) = (self.heights.len(), self.heights.first().map_or(0, Vec::len));
        if rows < 2 || columns < 2 || rows * columns > MOST / 2 {
            let problem = format!("needs at least 2 rows of 2 heights, and at most {} in all", MOST / 2);
            return Err(ImpactError::wrong_size(format!("{path}.heights"), format!("{rows} rows"), problem));
        }
        let mut points = Vec::with_capacity(rows * columns);
        for (j, row) in self.heights.iter().enumerate() {
            if row.len() != columns {
                let problem = format!("needs {columns} heights, as the first row has");
                let given = format!("{} heights", row.len());
                return Err(ImpactError::wrong_size(format!("{path}.heights[{j}]"), given, problem));
            }
            for (i, height) in row.iter().enumerate() {
                moderate(|| format!("{path}.heights[{j}][{i}]"), *height)?;
                let place = Vec3::new(i as f64 * self.spacing[0], j as f64 * self.spacing[1], *height);
                points.push(Vec3::from(self.position) + place);
            }
        }
        let cells = (0..rows - 1).flat_map(|j| (0..columns - 1).map(move |i| j * columns + i));
        let triangles = cells.flat_map(|k| [[k, k + 1, k + columns + 1], [k, k + columns + 1, k + columns]]);
        Ok((points, triangles.collect()))
    }
}

impl MeshData {
    fn triangles(&self, path: &str) -> Result<(Vec<Vec3>, Vec<[usize; 3]>), ImpactError> {
        for (k, v) in self.vertices.iter().enumerate() {
            for (i, v) in v.iter().enumerate() {
                moderate(|| format!("{path}.vertices[{k}][{i}]"), *v)?;
            }
        }
        if self.triangles.is_empty() || self.triangles.len() > MOST {
            let given = format!("{} triangles", self.triangles.len());
            return Err(ImpactError::wrong_size(format!("{path}.triangles"), given, format!("needs 1 to {MOST}")));
        }
        let count = self.vertices.len();
        for (k, triangle) in self.triangles.iter().enumerate() {
            if let Some(corner) = triangle.iter().find(|&&corner| corner >= count) {
                let problem = format!("must be below {count}, the number of vertices: the first one is 0");
                return Err(ImpactError::out_of_range(format!("{path}.triangles[{k}]"), corner, problem));
            }
        }
        Ok((self.vertices.iter().map(|v| Vec3::from(*v)).collect(), self.triangles.clone()))
    }
}

/// Adds the supports of triangles, after all planes.
pub(super) fn add(full: &SpatialScenario, system: &mut SpatialSystem) -> Result<(), ImpactError> {
    for (i, terrain) in full.terrain.iter().enumerate() {
        for v in terrain.position {
            moderate(|| format!("terrain[{i}].position"), v)?;
        }
        let path = format!("terrain[{i}]");
        let motion = motion(&path, terrain.motion.as_ref(), full)?;
        add_one(&path, SpatialSupport { name: terrain.name.clone(), motion }, terrain.triangles(&path)?, system)?;
    }
    for (i, mesh) in full.mesh.iter().enumerate() {
        let path = format!("mesh[{i}]");
        let motion = motion(&path, mesh.motion.as_ref(), full)?;
        add_one(&path, SpatialSupport { name: mesh.name.clone(), motion }, mesh.triangles(&path)?, system)?;
    }
    Ok(())
}

fn motion(
    path: &str,
    data: Option<&MotionData<[f64; 3]>>,
    full: &SpatialScenario,
) -> Result<SpatialMotion, ImpactError> {
    Ok(SpatialMotion { parts: parts(&format!("{path}.motion"), data, full.until.time, &unit)? })
}

fn add_one(
    path: &str,
    support: SpatialSupport,
    (points, triangles): (Vec<Vec3>, Vec<[usize; 3]>),
    system: &mut SpatialSystem,
) -> Result<(), ImpactError> {
    let relief = Relief::new(system.supports.len(), points, &triangles).map_err(|fault| match fault {
        ReliefFault::Flat(k) => {
            let given = format!("{:?}", triangles[k]);
            ImpactError::new(format!("{path}.triangles[{k}]"), given, "has its corners in one line")
        }
        ReliefFault::Edge(ends) => {
            let problem = "is an edge of two triangles in the same direction: each edge has one on either side, both \
                           counter-clockwise";
            ImpactError::new(format!("{path}.triangles"), format!("{ends:?}"), problem)
        }
    })?;
    system.supports.push(support);
    system.facets.push(Facets::new(&relief));
    system.reliefs.push(relief);
    Ok(())
}
