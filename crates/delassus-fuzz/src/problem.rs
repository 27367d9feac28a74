//! Impact problems and laws from bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use delassus::law::{Choice, Form, Kinematic, Lzb, Moreau, NumberOrMatrix, Order, Sequential, Stronge};
use delassus::{
    ClutchData, ContactData, Direction, Friction, JointData, LawSpec, Limits, Mass, Options, ProblemData, Solutions,
};

use crate::number::Number;

/// A problem, a law and what is asked for.
#[derive(Debug)]
pub struct Question {
    /// The problem; bytes may make one that is refused.
    pub data: ProblemData,
    /// The law.
    pub law: LawSpec,
    /// What is asked for.
    pub options: Options,
}

#[derive(Arbitrary, Debug)]
enum MassKind {
    Diagonal,
    /// LLᵀ.
    Factored,
    /// Any numbers, most of them no mass matrix.
    Any,
}

#[derive(Arbitrary, Debug, Clone, Copy, PartialEq)]
enum Likeness {
    Own,
    Own2,
    /// The directions of the element before.
    Copied,
    /// Those turned around.
    Opposite,
}

fn numbers(u: &mut Unstructured, count: usize) -> Result<Vec<f64>> {
    (0..count).map(|_| Ok(u.arbitrary::<Number>()?.0)).collect()
}

fn direction(u: &mut Unstructured, n: usize, before: Option<&Direction>) -> Result<Direction> {
    Ok(match (u.arbitrary::<Likeness>()?, before) {
        (Likeness::Copied, Some(before)) => before.clone(),
        (Likeness::Opposite, Some(Direction::Dense(values))) => Direction::Dense(values.iter().map(|v| -v).collect()),
        (Likeness::Own2, _) => {
            let index = u.int_in_range(0..=n - 1)?;
            Direction::Sparse(vec![(index, u.arbitrary::<Number>()?.0)])
        }
        _ => Direction::Dense(numbers(u, n)?),
    })
}

fn mass(u: &mut Unstructured, n: usize) -> Result<Option<Mass>> {
    let mass = match u.arbitrary::<MassKind>()? {
        MassKind::Diagonal => {
            let values = (0..n).map(|_| Ok(u.arbitrary::<Number>()?.positive(1.0))).collect::<Result<_>>()?;
            Mass::diagonal(values)
        }
        MassKind::Factored => {
            let factor = numbers(u, n * n)?;
            let entry = |i: usize, j: usize| match i.cmp(&j) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => Number(factor[i * n + i]).positive(1.0),
                std::cmp::Ordering::Greater => factor[i * n + j],
            };
            let product = |i: usize, j: usize| (0..n).map(|k| entry(i, k) * entry(j, k)).sum();
            Mass::dense(n, (0..n * n).map(|k| product(k / n, k % n)).collect())
        }
        MassKind::Any => Mass::dense(n, numbers(u, n * n)?),
    };
    Ok(mass.ok())
}

/// Coefficients: mostly within their range.
fn coefficient(u: &mut Unstructured) -> Result<f64> {
    let value = u.arbitrary::<Number>()?.0;
    Ok(if u.ratio(15, 16)? { value.abs() } else { value })
}

fn contact(u: &mut Unstructured, n: usize, before: Option<&ContactData>, index: usize) -> Result<ContactData> {
    let mut contact = ContactData::new(format!("c{index}"), direction(u, n, before.map(|c| &c.normal))?);
    let tangents = [0, 1, 1, 2][usize::from(u.int_in_range(0..=3u8)?)];
    for k in 0..tangents {
        contact = contact.tangent(direction(u, n, before.and_then(|c| c.tangents.get(k)))?);
    }
    if tangents > 0 && u.ratio(31, 32)? {
        let first = coefficient(u)?;
        contact.friction = Some(match u.ratio(1, 4)? && tangents == 2 {
            true => Friction::Orthotropic([first, coefficient(u)?]),
            false => Friction::Isotropic(first),
        });
        if u.ratio(1, 4)? {
            contact = contact.friction_static(first + coefficient(u)?);
        }
    }
    contact.restitution = coefficient(u)?;
    if u.ratio(1, 2)? {
        contact.restitution = contact.restitution.min(1.0);
    }
    if u.ratio(1, 4)? {
        contact.restitution_tangential = coefficient(u)?.min(1.0);
    }
    if u.ratio(1, 4)? {
        contact.stiffness = u.arbitrary::<Number>()?.positive(1.0);
    }
    if u.ratio(1, 8)? {
        contact.offset = numbers(u, 1 + tangents)?;
    }
    Ok(contact)
}

fn law(u: &mut Unstructured, contacts: usize, coordinates: usize) -> Result<LawSpec> {
    let mut laws = LawSpec::all();
    let mut law = laws.swap_remove(u.choose_index(laws.len())?);
    let optional = |u: &mut Unstructured| Ok(if u.ratio(1, 2)? { Some(coefficient(u)?) } else { None });
    match &mut law {
        LawSpec::Moreau(Moreau { restitution }) => *restitution = optional(u)?,
        LawSpec::Lzb(Lzb { exponent, keep_gaps, max_steps, .. }) => {
            if u.ratio(1, 2)? {
                *exponent = u.arbitrary::<Number>()?.positive(1.0);
            }
            *keep_gaps = u.arbitrary()?;
            *max_steps = Some(2000);
        }
        LawSpec::Sequential(Sequential { order }) => *order = *u.choose(&[Order::Fastest, Order::Listed])?,
        LawSpec::Stronge(Stronge { stiffness_ratio }) if u.ratio(1, 2)? => {
            *stiffness_ratio = u.arbitrary::<Number>()?.positive(1.0);
        }
        LawSpec::Kinematic(law) => *law = kinematic(u, contacts, coordinates)?,
        _ => {}
    }
    Ok(law)
}

fn kinematic(u: &mut Unstructured, contacts: usize, coordinates: usize) -> Result<Kinematic> {
    let mut law = Kinematic::default();
    let matrix = |u: &mut Unstructured, rows: usize, columns: usize| {
        (0..rows).map(|_| numbers(u, columns)).collect::<Result<Vec<_>>>()
    };
    if u.ratio(1, 3)? {
        law.restitution_matrix = Some(matrix(u, contacts, contacts)?);
    }
    if u.ratio(1, 3)? {
        let rest = coordinates.saturating_sub(contacts);
        law.tangential_matrix = Some(match u.arbitrary()? {
            true => NumberOrMatrix::Uniform(u.arbitrary::<Number>()?.0),
            false => NumberOrMatrix::Full(matrix(u, rest, rest)?),
        });
    }
    if u.ratio(1, 4)? {
        law.form = Some(*u.choose(Form::ALL)?);
        law.restitution = if u.arbitrary()? { Some(coefficient(u)?) } else { None };
    }
    Ok(law)
}

impl Question {
    /// A question from bytes; none where they are too few or make no mass matrix.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        Self::read(&mut Unstructured::new(bytes)).ok().flatten()
    }

    fn read(u: &mut Unstructured) -> Result<Option<Self>> {
        let n = u.int_in_range(1..=6usize)?;
        let Some(mass) = mass(u, n)? else { return Ok(None) };
        let mut data = ProblemData::new(mass, numbers(u, n)?);
        for index in 0..u.int_in_range(0..=4usize)? {
            let contact = contact(u, n, data.contacts.last(), index)?;
            data.contacts.push(contact);
        }
        for index in 0..u.int_in_range(0..=5usize)?.saturating_sub(3) {
            let mut clutch = ClutchData::new(format!("k{index}"), direction(u, n, None)?);
            clutch.restitution = if u.ratio(1, 4)? { u.arbitrary::<Number>()?.0 } else { 0.0 };
            clutch.offset = if u.ratio(1, 8)? { u.arbitrary::<Number>()?.0 } else { 0.0 };
            data.clutches.push(clutch);
        }
        for index in 0..u.int_in_range(0..=5usize)?.saturating_sub(3) {
            let rows = u.int_in_range(1..=2usize)?;
            let directions = (0..rows).map(|_| direction(u, n, None)).collect::<Result<Vec<_>>>()?;
            let mut joint = JointData::new(format!("j{index}"), directions);
            joint.restitution = if u.ratio(1, 4)? { u.arbitrary::<Number>()?.0 } else { 0.0 };
            joint.offset = if u.ratio(1, 8)? { numbers(u, rows)? } else { Vec::new() };
            data.joints.push(joint);
        }
        if u.ratio(1, 8)? {
            data.impulse = numbers(u, n)?;
        }
        let law = law(u, data.contacts.len(), n)?;
        let options = Options {
            solutions: *u.choose(&[Solutions::First, Solutions::Preferred, Solutions::All])?,
            eigenvalues: u.arbitrary()?,
            path: u.arbitrary()?,
            // A small budget of work.
            limits: Limits { iterations: Some(5000), ..Limits::default() },
        };
        Ok(Some(Self { data, law, options }))
    }
}
