//! Checks of [`ProblemData`] and construction of the problem.

use std::collections::HashMap;

use super::{
    Contact, ContactData, Direction, Element, ElementKind, External, Friction, ImpactProblem, ProblemData,
    check_coefficient, check_vector,
};
use crate::budget::Budget;
use crate::columns::Columns;
use crate::error::{ImpactError, finite};
use crate::operator::DelassusOperator;

pub(super) fn build(data: ProblemData, budget: &mut Budget<'_>) -> Result<ImpactProblem, ImpactError> {
    let n = data.mass.size();
    check_vector("velocity", &data.velocity, n)?;
    if !data.impulse.is_empty() {
        check_vector("impulse", &data.impulse, n)?;
    }
    if data.contacts.is_empty() && data.clutches.is_empty() && data.joints.is_empty() {
        return Err(ImpactError::wrong_size("contact", "[]", "needs at least one contact, clutch or joint"));
    }
    check_names(&data)?;

    let mut builder =
        Builder { n, directions: Columns::default(), offset: Vec::new(), elements: Vec::new(), contacts: Vec::new() };
    for (i, contact) in data.contacts.into_iter().enumerate() {
        builder.contact(i, contact)?;
    }
    for (i, clutch) in data.clutches.into_iter().enumerate() {
        let path = format!("clutch[{i}]");
        check_element_restitution(&path, clutch.restitution)?;
        let start = builder.offset.len();
        builder.direction(&format!("{path}.direction"), &clutch.direction)?;
        finite(|| format!("{path}.offset"), clutch.offset)?;
        builder.offset.push(clutch.offset);
        builder.element(clutch.name, ElementKind::Clutch, start, clutch.restitution);
    }
    for (i, joint) in data.joints.into_iter().enumerate() {
        let path = format!("joint[{i}]");
        check_element_restitution(&path, joint.restitution)?;
        if joint.directions.is_empty() {
            return Err(ImpactError::wrong_size(format!("{path}.direction"), "[]", "needs at least one direction"));
        }
        let start = builder.offset.len();
        for (k, direction) in joint.directions.iter().enumerate() {
            builder.direction(&format!("{path}.direction[{k}]"), direction)?;
        }
        builder.offsets(&path, &joint.offset, joint.directions.len())?;
        builder.element(joint.name, ElementKind::Joint, start, joint.restitution);
    }

    let external = data.impulse.iter().any(|&f| f != 0.0).then(|| External {
        impulse: data.impulse,
        velocity_change: Vec::new(),
        relative_change: Vec::new(),
    });
    let mut problem = ImpactProblem {
        name: data.name,
        mass: data.mass,
        directions: builder.directions,
        response: Columns::default(),
        operator: DelassusOperator::empty(),
        elements: builder.elements,
        contacts: builder.contacts,
        moving: builder.offset.iter().any(|&chi| chi != 0.0),
        offset: builder.offset,
        u_minus: data.velocity,
        gamma_minus: Vec::new(),
        momentum_minus: Vec::new(),
        energy_minus: 0.0,
        external,
        scales: Vec::new(),
        scratch: Vec::new(),
        entries: Vec::new(),
        lanes: Vec::new(),
    };
    if !problem.assemble(&mut |work| budget.work(work)) {
        return Err(budget.stopped("directions"));
    }
    check_range(&problem)?;
    Ok(problem)
}

/// Energies and squares of directions beyond this, or below its reciprocal, are refused.
const LARGEST: f64 = 1e250;

/// Larger coefficients of restitution only lead out of the range of numbers.
pub(crate) const MOST_RESTITUTION: f64 = 1e50;

/// Finite numbers whose products are not: sizes at the end of the range of f64.
pub(super) fn check_range(problem: &ImpactProblem) -> Result<(), ImpactError> {
    let energy = problem.mass.energy(&problem.u_minus);
    if energy.is_nan() || energy > LARGEST {
        return Err(ImpactError::new("velocity", "", format!("gives a kinetic energy above {LARGEST:e}")));
    }
    for (i, element) in problem.elements.iter().enumerate() {
        for row in element.rows.clone() {
            let (g, gamma) = (problem.operator.get(row, row), problem.gamma_minus[row]);
            if !((1.0 / LARGEST..=LARGEST).contains(&g) && gamma.is_finite()) {
                let before = problem.elements[..i].iter().filter(|e| e.kind == element.kind).count();
                let field = match element.kind {
                    ElementKind::Normal => format!("contact[{before}].normal"),
                    ElementKind::Friction => format!("contact[{}].tangent", element.contact.unwrap_or(before)),
                    ElementKind::Clutch => format!("clutch[{before}].direction"),
                    ElementKind::Joint => format!("joint[{before}].direction"),
                };
                let reason = format!(
                    "is so large or so small that wᵀM⁻¹w is not within 1/{LARGEST:e} and {LARGEST:e}, or wᵀu⁻ not finite"
                );
                return Err(ImpactError::new(field, "", reason));
            }
        }
    }
    // Last, because it divides by the squares of the directions.
    let driving = problem.driving_energy();
    if driving.is_nan() || driving > LARGEST {
        let (field, energy) = match problem.external {
            Some(_) => ("impulse", "½FᵀM⁻¹F"),
            None => ("offset", "½χ²/(wᵀM⁻¹w)"),
        };
        return Err(ImpactError::new(field, "", format!("gives an energy {energy} above {LARGEST:e}")));
    }
    Ok(())
}

struct Builder {
    n: usize,
    directions: Columns,
    offset: Vec<f64>,
    elements: Vec<Element>,
    contacts: Vec<Contact>,
}

impl Builder {
    fn contact(&mut self, i: usize, contact: ContactData) -> Result<(), ImpactError> {
        let path = format!("contact[{i}]");
        check_restitution(i, contact.restitution, contact.restitution_tangential)?;
        check_friction(i, contact.friction, contact.friction_static, contact.tangents.len())?;
        if !(contact.stiffness.is_finite() && contact.stiffness > 0.0) {
            return Err(ImpactError::out_of_range(
                format!("{path}.stiffness"),
                contact.stiffness,
                "must be positive and finite",
            ));
        }
        if contact.tangents.len() > 2 {
            let count = format!("{} rows", contact.tangents.len());
            return Err(ImpactError::new(format!("{path}.tangent"), count, "a contact has one tangent or two"));
        }
        let normal = self.offset.len();
        self.direction(&format!("{path}.normal"), &contact.normal)?;
        for (k, tangent) in contact.tangents.iter().enumerate() {
            let field =
                if contact.tangents.len() == 1 { format!("{path}.tangent") } else { format!("{path}.tangent[{k}]") };
            self.direction(&field, tangent)?;
        }
        let rows = 1 + contact.tangents.len();
        self.offsets(&path, &contact.offset, rows)?;
        let tangents = normal + 1..normal + rows;
        let index = self.contacts.len();
        let element = self.elements.len();
        self.elements.push(Element {
            name: contact.name.clone(),
            kind: ElementKind::Normal,
            rows: normal..normal + 1,
            contact: Some(index),
            restitution: contact.restitution,
            friction: [0.0; 2],
            normal,
        });
        if !tangents.is_empty() {
            self.elements.push(Element {
                name: format!("{}.friction", contact.name),
                kind: ElementKind::Friction,
                rows: tangents.clone(),
                contact: Some(index),
                restitution: contact.restitution_tangential,
                friction: contact.friction.map_or([0.0; 2], |f| f.limited().coefficients()),
                normal,
            });
        }
        self.contacts.push(Contact {
            name: contact.name,
            normal,
            tangents,
            element,
            friction: contact.friction.map(Friction::limited),
            friction_static: contact.friction_static.map(Friction::limited),
            restitution: contact.restitution,
            restitution_tangential: contact.restitution_tangential,
            stiffness: contact.stiffness,
        });
        Ok(())
    }

    /// Adds a clutch or joint with the rows from `start` to the last one.
    fn element(&mut self, name: String, kind: ElementKind, start: usize, restitution: f64) {
        let rows = start..self.offset.len();
        let element = Element { name, kind, rows, contact: None, restitution, friction: [0.0; 2], normal: start };
        self.elements.push(element);
    }

    fn offsets(&mut self, path: &str, offset: &[f64], rows: usize) -> Result<(), ImpactError> {
        if !offset.is_empty() && offset.len() != rows {
            let value = format!("{} entries", offset.len());
            return Err(ImpactError::wrong_size(
                format!("{path}.offset"),
                value,
                format!("needs {rows}, one per direction"),
            ));
        }
        for k in 0..rows {
            let value = offset.get(k).copied().unwrap_or(0.0);
            self.offset.push(finite(|| format!("{path}.offset[{k}]"), value)?);
        }
        Ok(())
    }

    fn direction(&mut self, path: &str, direction: &Direction) -> Result<(), ImpactError> {
        match direction {
            Direction::Dense(values) => {
                check_vector(path, values, self.n)?;
                if values.iter().all(|&v| v == 0.0) {
                    return Err(zero_direction(path));
                }
                self.directions.push_full(values);
            }
            Direction::Sparse(entries) => {
                let mut sorted = entries.clone();
                crate::small::sort_by(&mut sorted, |a, b| a.0.cmp(&b.0));
                for (k, &(i, v)) in sorted.iter().enumerate() {
                    if i >= self.n {
                        let problem = format!("index must be below {}, the number of generalized velocities", self.n);
                        return Err(ImpactError::new(path, format!("entry {i}"), problem));
                    }
                    if k > 0 && sorted[k - 1].0 == i {
                        return Err(ImpactError::duplicate(path, format!("entry {i}"), "is given twice"));
                    }
                    finite(|| format!("{path}[{i}]"), v)?;
                }
                if sorted.iter().all(|&(_, v)| v == 0.0) {
                    return Err(zero_direction(path));
                }
                self.directions.push(self.n, sorted.into_iter().filter(|&(_, v)| v != 0.0));
            }
        }
        Ok(())
    }
}

fn zero_direction(path: &str) -> ImpactError {
    ImpactError::new(path, "0", "a direction must not be zero")
}

fn check_names(data: &ProblemData) -> Result<(), ImpactError> {
    let contacts = data.contacts.iter().enumerate().map(|(i, c)| (format!("contact[{i}].name"), &c.name));
    let clutches = data.clutches.iter().enumerate().map(|(i, c)| (format!("clutch[{i}].name"), &c.name));
    let joints = data.joints.iter().enumerate().map(|(i, c)| (format!("joint[{i}].name"), &c.name));
    let mut seen: HashMap<String, String> = HashMap::new();
    let frictions = data.contacts.iter().enumerate().filter(|(_, c)| !c.tangents.is_empty());
    let frictions = frictions.map(|(i, c)| (format!("contact[{i}].name"), format!("{}.friction", c.name)));
    for (path, name) in contacts.chain(clutches).chain(joints).map(|(p, n)| (p, n.clone())).chain(frictions) {
        if name.is_empty() {
            return Err(ImpactError::missing(path, "\"\"", "an element needs a name"));
        }
        if let Some(first) = seen.get(&name) {
            let problem = format!("names must be unique, and {first} is the same");
            return Err(ImpactError::duplicate(path, format!("{name:?}"), problem));
        }
        seen.insert(name, path);
    }
    Ok(())
}

pub(super) fn check_restitution(i: usize, normal: f64, tangential: f64) -> Result<(), ImpactError> {
    check_coefficient(|| format!("contact[{i}].restitution"), normal, 0.0)?;
    if normal > MOST_RESTITUTION {
        let problem = format!("must be at most {MOST_RESTITUTION:e}");
        return Err(ImpactError::new(format!("contact[{i}].restitution"), normal, problem));
    }
    if !(0.0..=1.0).contains(&tangential) {
        let field = format!("contact[{i}].restitution_tangential");
        return Err(ImpactError::out_of_range(field, tangential, "must lie in [0, 1]"));
    }
    Ok(())
}

pub(super) fn check_friction(
    i: usize,
    friction: Option<Friction>,
    friction_static: Option<Friction>,
    tangents: usize,
) -> Result<(), ImpactError> {
    for (key, value) in [("friction", friction), ("friction_static", friction_static)] {
        let Some(value) = value else { continue };
        let field = || format!("contact[{i}].{key}");
        if tangents == 0 && !value.is_zero() {
            return Err(ImpactError::new(
                field(),
                value.coefficients()[0],
                "friction needs a tangent (the direction along which it acts)",
            ));
        }
        match value {
            Friction::Isotropic(mu) => check_coefficient(field, mu, 0.0)?,
            Friction::Orthotropic(mu) => {
                if tangents != 2 {
                    let given = format!("[{}, {}]", mu[0], mu[1]);
                    return Err(ImpactError::new(field(), given, "two coefficients need two tangents"));
                }
                for (k, mu) in mu.into_iter().enumerate() {
                    check_coefficient(|| format!("contact[{i}].{key}[{k}]"), mu, 0.0)?;
                }
            }
        }
    }
    if let Some(fixed) = friction_static {
        let Some(kinetic) = friction else {
            let value = fixed.coefficients()[0];
            return Err(ImpactError::missing(format!("contact[{i}].friction_static"), value, "needs friction as well"));
        };
        for (s, k) in fixed.coefficients().into_iter().zip(kinetic.coefficients()) {
            if s < k {
                let problem = format!("must not be below the kinetic friction {k}");
                return Err(ImpactError::new(format!("contact[{i}].friction_static"), s, problem));
            }
        }
    }
    Ok(())
}

/// Clutches and joints: Newton's coefficient lies above −1.
pub(super) fn check_element_restitution(path: &str, value: f64) -> Result<(), ImpactError> {
    if value > -1.0 && value <= MOST_RESTITUTION {
        Ok(())
    } else {
        let problem = format!("must be a finite number above -1 and at most {MOST_RESTITUTION:e}");
        Err(ImpactError::new(format!("{path}.restitution"), value, problem))
    }
}
