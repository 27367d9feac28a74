//! Parameters: numbers of a problem or its laws, by the path they have in files.

use delassus::{BlockImpact, ImpactError, LawSpec, ProblemData, ProblemSource, RodImpact, SolverData};

use crate::place::{Place, set_mass};

/// What is varied: a problem and the laws it is resolved under.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The problem as written.
    pub source: ProblemSource,
    /// One law, or two to compare.
    pub laws: Vec<LawSpec>,
    /// Limits and method of each answer; a limit of time has no meaning here.
    pub solver: SolverData,
}

impl Case {
    /// A problem under these laws.
    pub fn new(source: ProblemSource, laws: impl Into<Vec<LawSpec>>) -> Self {
        Self { source, laws: laws.into(), solver: SolverData::default() }
    }
}

/// An error where two paths, as `contact.C.friction` and `contact[0].friction`, lead to the same number: the value of one
/// of them would be passed over in silence.
pub(crate) fn check_varied_once<'a, T>(
    places: &'a [T],
    same: impl Fn(&T, &T) -> bool,
    key: impl Fn(&'a T) -> &'a str,
) -> Result<(), ImpactError> {
    for (k, one) in places.iter().enumerate() {
        if let Some(other) = places[..k].iter().find(|other| same(one, other)) {
            return Err(ImpactError::duplicate(key(one), "", format!("is the same number as {}", key(other))));
        }
    }
    Ok(())
}

/// A number of a problem or a law that can be varied: `velocity[0]`,
/// `contact[1].friction`, `contact.C.friction`, `contact[*].friction` (all of
/// them), `mass[0]` or `mass[0][1]` (with its mirror image), `law.exponent`,
/// and the quantities of a short form, `rod.angle`, `block.aspect`.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    key: String,
    place: Place,
}

impl Parameter {
    /// The parameter of that path.
    ///
    /// # Errors
    /// No such parameter in this case.
    pub fn parse(key: &str, case: &Case) -> Result<Self, ImpactError> {
        let data = case.source.data()?;
        let place = match short_quantity(key, &case.source) {
            Some(quantity) => Place::Short(quantity),
            None => Place::parse(key, &data, &case.laws)
                .ok_or_else(|| ImpactError::unknown(key, "", "is no parameter of this problem"))?,
        };
        Ok(Self { key: key.to_owned(), place })
    }

    /// The path.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The parameters of a case, for messages: one path for each kind of number.
    pub fn known(case: &Case) -> Vec<String> {
        let mut known = Vec::new();
        match &case.source {
            ProblemSource::Full(_) => {}
            ProblemSource::Rod(_) => known.extend(RodImpact::QUANTITIES.iter().map(|q| format!("rod.{q}"))),
            ProblemSource::Block(_) => known.extend(BlockImpact::QUANTITIES.iter().map(|q| format!("block.{q}"))),
        }
        match case.source.data() {
            Ok(data) => known.extend(Place::known(&data, &case.laws)),
            Err(_) => known.extend(Place::known_of_laws(&case.laws)),
        }
        known
    }

    /// Sets the parameter where it is a quantity of the short form or of a law.
    pub(crate) fn set_in_case(&self, case: &mut Case, value: f64) {
        match &self.place {
            Place::Short(name) => {
                let quantity = match &mut case.source {
                    ProblemSource::Rod(rod) => rod.quantity(name),
                    ProblemSource::Block(block) => block.quantity(name),
                    ProblemSource::Full(_) => None,
                };
                if let Some(quantity) = quantity {
                    *quantity = value;
                }
            }
            Place::Law(place) => case.laws.iter_mut().for_each(|law| place.set(law, value)),
            _ => {}
        }
    }

    /// Sets the parameters that are numbers of the problem in full.
    pub(crate) fn set_in_data(axes: &[Self], data: &mut ProblemData, values: &[f64]) -> Result<(), ImpactError> {
        axes.iter().zip(values).for_each(|(axis, &value)| axis.place.set(data, value));
        // M is checked as a whole: with one of two new entries it may not be positive definite.
        let entries = axes.iter().zip(values).filter_map(|(axis, &value)| Some((axis.place.mass_entry()?, value)));
        set_mass(&mut data.mass, entries)
    }

    /// Whether both paths lead to the same number.
    pub(crate) fn is_where(&self, other: &Self) -> bool {
        self.place == other.place
    }

    /// Whether of the problem only u⁻ and the coefficients of contacts depend on it, if anything does.
    pub(crate) fn is_set_in_place(&self) -> bool {
        match &self.place {
            Place::Velocity(_) | Place::Law(_) => true,
            Place::Contact(_, place) => place.is_set_in_place(),
            Place::Short(name) => [
                "normal_velocity",
                "tangential_velocity",
                "velocity_ratio",
                "rate",
                "slip",
                "restitution",
                "restitution_tangential",
            ]
            .contains(name),
            _ => false,
        }
    }
}

/// The quantity of a short form that a path names: `rod.angle` or `rod_impact.angle`.
fn short_quantity(key: &str, source: &ProblemSource) -> Option<&'static str> {
    let (form, name) = key.split_once('.')?;
    let (forms, names): ([&str; 2], &[&'static str]) = match source {
        ProblemSource::Full(_) => return None,
        ProblemSource::Rod(_) => (["rod", "rod_impact"], &RodImpact::QUANTITIES),
        ProblemSource::Block(_) => (["block", "block_impact"], &BlockImpact::QUANTITIES),
    };
    names.iter().copied().find(|n| *n == name && forms.contains(&form))
}
