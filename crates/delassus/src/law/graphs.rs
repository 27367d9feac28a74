//! The graphs of the element laws as data: the set-valued map of each element
//! in each phase, for figures [Glocker2014, Figs. 3–8].
//!
//! Scalar elements have a graph in the plane (−Λ, γ): a polyline that goes on
//! to infinity at its ends. Friction in two dimensions has a reservoir of −Λ,
//! a disk or an ellipse: inside it the contact sticks, at its boundary it may
//! slip along the outward normal.

use crate::elementary::Elementary;
use crate::problem::{Element, ElementKind, ImpactProblem};

/// The phase whose law is drawn, with the impulses that size it (m entries each).
#[derive(Debug, Clone, Copy)]
pub enum Phase<'a> {
    /// Newton's law: ξ = γ⁺ + εγ⁻ over −Λ.
    Newton {
        /// Λ.
        impulses: &'a [f64],
    },
    /// Compression: γ° over −Λ⁻.
    Compression {
        /// Λ⁻.
        compression: &'a [f64],
    },
    /// Decompression: γ⁺ over −Λ⁺.
    Decompression {
        /// Λ⁻.
        compression: &'a [f64],
        /// Λ⁺.
        decompression: &'a [f64],
    },
}

/// The graph of an element's law.
#[derive(Debug, Clone, PartialEq)]
pub enum Graph {
    /// Points (−Λ, γ) of a maximal monotone curve.
    Curve {
        /// Corners, from left to right and upwards.
        corners: Vec<[f64; 2]>,
        /// Direction in which the curve comes from infinity to the first corner.
        from: [f64; 2],
        /// Direction in which it leaves the last corner to infinity.
        to: [f64; 2],
    },
    /// Impulses −Λ of friction in two dimensions.
    Reservoir {
        /// Centre.
        centre: [f64; 2],
        /// Half axes along the two tangents.
        half_axes: [f64; 2],
    },
}

impl Graph {
    /// The curve cut off at `reach` beyond its corners, ready to plot; the
    /// boundary of a reservoir as a closed polygon of 120 corners.
    pub fn polyline(&self, reach: f64) -> Vec<[f64; 2]> {
        match self {
            Self::Curve { corners, from, to } => {
                let (Some(first), Some(last)) = (corners.first(), corners.last()) else { return Vec::new() };
                let mut points = vec![[first[0] - reach * from[0], first[1] - reach * from[1]]];
                points.extend_from_slice(corners);
                points.push([last[0] + reach * to[0], last[1] + reach * to[1]]);
                points
            }
            Self::Reservoir { .. } => self.boundary(120).into_iter().map(|(point, _)| point).collect(),
        }
    }

    /// Points of the boundary of a reservoir with the slip direction that
    /// belongs to each (the outward normal), closed; empty for curves and for a single point.
    pub fn boundary(&self, points: usize) -> Vec<([f64; 2], [f64; 2])> {
        let Self::Reservoir { centre, half_axes: [a, b] } = *self else { return Vec::new() };
        if a == 0.0 && b == 0.0 {
            return Vec::new();
        }
        let at = |k: usize| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / points.max(1) as f64).sine_cosine();
            // The gradient of the gauge, up to a factor: (c/a, s/b).
            let length = (b * c).hypotenuse(a * s);
            let normal = if length > 0.0 { [b * c / length, a * s / length] } else { [c, s] };
            ([centre[0] + a * c, centre[1] + b * s], normal)
        };
        (0..=points).map(at).collect()
    }
}

/// The graph of one element's law in a phase.
pub fn graph(problem: &ImpactProblem, element: &Element, phase: Phase<'_>) -> Graph {
    // Decompression shifts the reservoir by the part of Λ⁻ that is given back in any case.
    let returned = |row: usize| match phase {
        Phase::Decompression { compression, .. } => element.restitution * compression[row],
        _ => 0.0,
    };
    let row = element.rows.start;
    match element.kind {
        ElementKind::Normal | ElementKind::Clutch => {
            Graph::Curve { corners: vec![[-returned(row), 0.0]], from: [1.0, 0.0], to: [0.0, 1.0] }
        }
        ElementKind::Joint => Graph::Curve { corners: vec![[0.0, 0.0]], from: [1.0, 0.0], to: [1.0, 0.0] },
        ElementKind::Friction => {
            let Some(contact) = element.contact.map(|c| &problem.contacts()[c]) else {
                return Graph::Reservoir { centre: [0.0; 2], half_axes: [0.0; 2] };
            };
            let normal = contact.normal;
            let size = match phase {
                Phase::Newton { impulses } => impulses[normal],
                Phase::Compression { compression } => compression[normal],
                Phase::Decompression { decompression, .. } => decompression[normal] - returned(normal),
            };
            let size = size.max(0.0);
            let [a, b] = contact.friction.map_or([0.0; 2], |f| f.coefficients()).map(|mu| mu * size);
            if element.rows.len() == 2 {
                return Graph::Reservoir { centre: [-returned(row), -returned(row + 1)], half_axes: [a, b] };
            }
            let centre = -returned(row);
            let corners = if a > 0.0 { vec![[centre - a, 0.0], [centre + a, 0.0]] } else { vec![[centre, 0.0]] };
            Graph::Curve { corners, from: [0.0, 1.0], to: [0.0, 1.0] }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactData, Friction, JointData, Mass, ProblemData};

    fn problem() -> ImpactProblem {
        let mass = Mass::diagonal(vec![1.0; 6]).unwrap();
        let unit = |k: usize| (0..6).map(|i| f64::from(u8::from(i == k))).collect::<Vec<f64>>();
        let planar = ContactData::new("A", unit(0)).tangent(unit(1)).friction(0.5).restitution(0.8);
        let spatial = ContactData::new("B", unit(2)).tangent(unit(3)).tangent(unit(4));
        let mut data = ProblemData::new(mass, vec![-1.0; 6])
            .with_contact(planar.restitution_tangential(0.4))
            .with_contact(spatial.friction(Friction::Orthotropic([0.2, 0.4])).restitution(0.5));
        data.joints.push(JointData {
            name: "J".into(),
            directions: vec![unit(5).into()],
            restitution: 0.0,
            offset: vec![],
        });
        ImpactProblem::new(data).unwrap()
    }

    #[test]
    fn graphs_of_both_phases() {
        let problem = problem();
        let compression = [2.0, -0.6, 1.0, 0.1, 0.2, 3.0];
        let decompression = [2.0, 0.0, 0.5, 0.0, 0.0, 0.0];
        let draw = |k: usize, phase| graph(&problem, &problem.elements()[k], phase);
        let first = Phase::Compression { compression: &compression };
        let second = Phase::Decompression { compression: &compression, decompression: &decompression };
        let curve = |corners: &[[f64; 2]], from, to| Graph::Curve { corners: corners.to_vec(), from, to };
        // Fig. 3: the corner moves to the left by εΛ⁻.
        assert_eq!(draw(0, first), curve(&[[0.0, 0.0]], [1.0, 0.0], [0.0, 1.0]));
        assert_eq!(draw(0, second), curve(&[[-1.6, 0.0]], [1.0, 0.0], [0.0, 1.0]));
        // Fig. 5: half width μΛ_k⁻, then μ(Λ_k⁺ − ε_iΛ_k⁻) around −ε_iΛ_i⁻.
        assert_eq!(draw(1, first), curve(&[[-1.0, 0.0], [1.0, 0.0]], [0.0, 1.0], [0.0, 1.0]));
        let Graph::Curve { corners, .. } = draw(1, second) else { panic!("a curve") };
        assert!((corners[0][0] - (0.24 - 0.6)).abs() < 1e-15 && (corners[1][0] - (0.24 + 0.6)).abs() < 1e-15);
        // Fig. 8: an ellipse.
        assert_eq!(draw(3, first), Graph::Reservoir { centre: [0.0; 2], half_axes: [0.2, 0.4] });
        // Fig. 4: a line.
        assert_eq!(draw(4, second), curve(&[[0.0, 0.0]], [1.0, 0.0], [1.0, 0.0]));
        assert_eq!(draw(4, second).polyline(2.0), [[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]]);
    }

    #[test]
    fn slip_is_along_the_outward_normal() {
        let ellipse = Graph::Reservoir { centre: [1.0, 0.0], half_axes: [2.0, 1.0] };
        for (point, normal) in ellipse.boundary(16) {
            let (x, y) = ((point[0] - 1.0) / 2.0, point[1]);
            assert!((x * x + y * y - 1.0).abs() < 1e-14);
            assert!((normal[0] * y - 0.5 * normal[1] * x).abs() < 1e-14 && normal[0] * x + normal[1] * y > 0.0);
            assert!((normal[0].hypot(normal[1]) - 1.0).abs() < 1e-14);
        }
        // Fig. 6, right: no reservoir left.
        assert!(Graph::Reservoir { centre: [0.0; 2], half_axes: [0.0; 2] }.boundary(8).is_empty());
    }
}
