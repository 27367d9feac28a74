//! Where a parameter stands in a problem or a law.

use delassus::{ContactData, Direction, Friction, ImpactError, LawSpec, Mass, ProblemData};

/// A place that holds a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    /// A quantity of a short form.
    Short(&'static str),
    Velocity(usize),
    Impulse(usize),
    Mass(usize, usize),
    /// Of one contact or of all.
    Contact(Option<usize>, ContactPlace),
    Clutch(usize, ElementPlace),
    Joint(usize, ElementPlace),
    Law(LawPlace),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ContactPlace {
    /// Both coefficients, or one of two.
    Friction(Option<usize>),
    FrictionStatic(Option<usize>),
    Restitution,
    RestitutionTangential,
    Stiffness,
    Offset(usize),
    Normal(usize),
    Tangent(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ElementPlace {
    Restitution,
    Offset(usize),
    /// Row and entry.
    Direction(usize, usize),
}

/// A number among a law's data: its key, and indices into a list or matrix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LawPlace {
    key: String,
    indices: Vec<usize>,
}

impl Place {
    /// The place of that path, if there is one.
    pub fn parse(key: &str, data: &ProblemData, laws: &[LawSpec]) -> Option<Place> {
        let n = data.mass.size();
        let (word, indices) = indexed(key);
        match (word, &indices[..]) {
            ("velocity", &[i]) if i < n => return Some(Self::Velocity(i)),
            ("impulse", &[i]) if i < n => return Some(Self::Impulse(i)),
            ("mass", &[i]) if i < n => return Some(Self::Mass(i, i)),
            ("mass", &[i, j]) if i < n && j < n => return Some(Self::Mass(i, j)),
            _ => {}
        }
        if let Some(rest) = key.strip_prefix("law.") {
            let place = LawPlace::parse(rest);
            return laws.iter().any(|law| place.belongs_to(law)).then_some(Self::Law(place));
        }
        if let Some(rest) = key.strip_prefix("contact[*].") {
            let place = data.contacts.iter().map(|c| ContactPlace::parse(rest, c, n)).collect::<Option<Vec<_>>>()?;
            return place.first().map(|place| Self::Contact(None, *place));
        }
        if let Some((i, rest)) = element(key, "contact", data.contacts.iter().map(|c| &c.name[..])) {
            return ContactPlace::parse(rest, &data.contacts[i], n).map(|place| Self::Contact(Some(i), place));
        }
        if let Some((i, rest)) = element(key, "clutch", data.clutches.iter().map(|c| &c.name[..])) {
            return ElementPlace::parse(rest, 1, n).map(|place| Self::Clutch(i, place));
        }
        let (i, rest) = element(key, "joint", data.joints.iter().map(|c| &c.name[..]))?;
        ElementPlace::parse(rest, data.joints[i].directions.len(), n).map(|place| Self::Joint(i, place))
    }

    /// Paths for messages.
    pub fn known(data: &ProblemData, laws: &[LawSpec]) -> Vec<String> {
        let n = data.mass.size();
        let mut known: Vec<String> = (0..n).map(|i| format!("velocity[{i}]")).collect();
        known.extend((0..n).map(|i| format!("mass[{i}]")));
        for contact in &data.contacts {
            let tangential: &[&str] =
                if contact.tangents.is_empty() { &[] } else { &["friction", "restitution_tangential"] };
            let keys = tangential.iter().chain(&["restitution", "stiffness"]);
            known.extend(keys.map(|key| format!("contact.{}.{key}", contact.name)));
        }
        let others = data.clutches.iter().map(|c| ("clutch", &c.name));
        let others = others.chain(data.joints.iter().map(|j| ("joint", &j.name)));
        known.extend(others.map(|(kind, name)| format!("{kind}.{name}.restitution")));
        known.extend(Self::known_of_laws(laws));
        known
    }

    pub fn known_of_laws(laws: &[LawSpec]) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for law in laws {
            law.clone().law_mut().data(&mut |mut field| {
                for (indices, suffix) in [(&[][..], ""), (&[0], "[0]"), (&[0, 0], "[0][0]")] {
                    let name = format!("law.{}{suffix}", field.key);
                    if field.number_at(indices).is_some() && !known.contains(&name) {
                        known.push(name);
                    }
                }
            });
        }
        known
    }

    /// The entry of M that this is.
    pub fn mass_entry(&self) -> Option<(usize, usize)> {
        if let Self::Mass(i, j) = *self { Some((i, j)) } else { None }
    }

    /// Sets the number, unless it belongs to a short form, a law or M.
    pub fn set(&self, data: &mut ProblemData, value: f64) {
        match *self {
            Self::Short(_) | Self::Law(_) | Self::Mass(..) => {}
            Self::Velocity(i) => data.velocity[i] = value,
            Self::Impulse(i) => {
                data.impulse.resize(data.mass.size(), 0.0);
                data.impulse[i] = value;
            }
            Self::Contact(Some(i), place) => place.set(&mut data.contacts[i], value),
            Self::Contact(None, place) => data.contacts.iter_mut().for_each(|c| place.set(c, value)),
            Self::Clutch(i, place) => {
                let clutch = &mut data.clutches[i];
                match place {
                    ElementPlace::Restitution => clutch.restitution = value,
                    ElementPlace::Offset(_) => clutch.offset = value,
                    ElementPlace::Direction(_, k) => set_entry(&mut clutch.direction, k, value),
                }
            }
            Self::Joint(i, place) => {
                let joint = &mut data.joints[i];
                match place {
                    ElementPlace::Restitution => joint.restitution = value,
                    ElementPlace::Offset(k) => {
                        joint.offset.resize(joint.directions.len(), 0.0);
                        joint.offset[k] = value;
                    }
                    ElementPlace::Direction(row, k) => set_entry(&mut joint.directions[row], k, value),
                }
            }
        }
    }
}

impl ContactPlace {
    fn parse(key: &str, contact: &ContactData, n: usize) -> Option<Self> {
        let (word, indices) = indexed(key);
        let planar = contact.tangents.len() == 1;
        Some(match (word, &indices[..]) {
            ("friction", []) if !contact.tangents.is_empty() => Self::Friction(None),
            ("friction", &[k]) if k < contact.tangents.len() => Self::Friction(Some(k)),
            ("friction_static", []) if !contact.tangents.is_empty() => Self::FrictionStatic(None),
            ("friction_static", &[k]) if k < contact.tangents.len() => Self::FrictionStatic(Some(k)),
            ("restitution", []) => Self::Restitution,
            ("restitution_tangential", []) => Self::RestitutionTangential,
            ("stiffness", []) => Self::Stiffness,
            ("offset", &[k]) if k <= contact.tangents.len() => Self::Offset(k),
            ("normal", &[k]) if k < n => Self::Normal(k),
            ("tangent", &[k]) if planar && k < n => Self::Tangent(0, k),
            ("tangent", &[row, k]) if row < contact.tangents.len() && k < n => Self::Tangent(row, k),
            _ => return None,
        })
    }

    /// Whether a problem takes it without being built anew.
    pub fn is_set_in_place(self) -> bool {
        matches!(self, Self::Friction(_) | Self::Restitution | Self::RestitutionTangential)
    }

    fn set(self, contact: &mut ContactData, value: f64) {
        match self {
            Self::Friction(which) => set_friction(&mut contact.friction, which, value, contact.tangents.len()),
            Self::FrictionStatic(which) => {
                set_friction(&mut contact.friction_static, which, value, contact.tangents.len());
            }
            Self::Restitution => contact.restitution = value,
            Self::RestitutionTangential => contact.restitution_tangential = value,
            Self::Stiffness => contact.stiffness = value,
            Self::Offset(k) => {
                contact.offset.resize(1 + contact.tangents.len(), 0.0);
                contact.offset[k] = value;
            }
            Self::Normal(k) => set_entry(&mut contact.normal, k, value),
            Self::Tangent(row, k) => set_entry(&mut contact.tangents[row], k, value),
        }
    }
}

impl ElementPlace {
    fn parse(key: &str, rows: usize, n: usize) -> Option<Self> {
        let (word, indices) = indexed(key);
        Some(match (word, &indices[..]) {
            ("restitution", []) => Self::Restitution,
            ("offset", []) if rows == 1 => Self::Offset(0),
            ("offset", &[k]) if k < rows => Self::Offset(k),
            ("direction", &[k]) if rows == 1 && k < n => Self::Direction(0, k),
            ("direction", &[row, k]) if row < rows && k < n => Self::Direction(row, k),
            _ => return None,
        })
    }
}

impl LawPlace {
    pub fn parse(key: &str) -> Self {
        let (word, indices) = indexed(key);
        Self { key: word.to_owned(), indices }
    }

    pub fn belongs_to(&self, law: &LawSpec) -> bool {
        law.clone().with_field(&self.key, |mut field| field.number_at(&self.indices).is_some()) == Some(true)
    }

    /// Sets the number in a law that has it.
    pub fn set(&self, law: &mut LawSpec, value: f64) {
        law.with_field(&self.key, |mut field| {
            if let Some(number) = field.number_at(&self.indices) {
                *number = value;
            }
        });
    }
}

/// `tangent[0][2]` as a word and its indices; no word where they are malformed.
fn indexed(key: &str) -> (&str, Vec<usize>) {
    let (word, rest) = key.split_at(key.find('[').unwrap_or(key.len()));
    let Some(inner) = rest.strip_prefix('[') else { return (word, Vec::new()) };
    let numbers = inner.strip_suffix(']').map(|inner| inner.split("][").map(str::parse).collect::<Result<_, _>>());
    match numbers {
        Some(Ok(indices)) => (word, indices),
        _ => ("", Vec::new()),
    }
}

/// The index of an element by number or name, and the rest of the path.
fn element<'a>(key: &'a str, kind: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<(usize, &'a str)> {
    let rest = key.strip_prefix(kind)?;
    if let Some(rest) = rest.strip_prefix('[') {
        let (index, rest) = rest.split_once("].")?;
        let index = index.parse().ok()?;
        return (index < names.count()).then_some((index, rest));
    }
    let rest = rest.strip_prefix('.')?;
    // A name may hold dots: the longest one that fits.
    let fits = |(i, name): (usize, &str)| Some((i, name.len(), rest.strip_prefix(name)?.strip_prefix('.')?));
    let (i, _, rest) = names.enumerate().filter_map(fits).max_by_key(|(_, length, _)| *length)?;
    Some((i, rest))
}

fn set_friction(friction: &mut Option<Friction>, which: Option<usize>, value: f64, tangents: usize) {
    let old = friction.map_or([0.0; 2], Friction::coefficients);
    *friction = Some(match which {
        Some(0) if tangents == 2 => Friction::Orthotropic([value, old[1]]),
        Some(_) if tangents == 2 => Friction::Orthotropic([old[0], value]),
        _ => Friction::Isotropic(value),
    });
}

fn set_entry(direction: &mut Direction, k: usize, value: f64) {
    match direction {
        Direction::Dense(values) => {
            if let Some(entry) = values.get_mut(k) {
                *entry = value;
            }
        }
        Direction::Sparse(entries) => match entries.iter_mut().find(|(i, _)| *i == k) {
            Some(entry) => entry.1 = value,
            None => entries.push((k, value)),
        },
    }
}

/// Sets entries M_ij = M_ji.
pub(crate) fn set_mass(
    mass: &mut Mass,
    entries: impl Iterator<Item = ((usize, usize), f64)>,
) -> Result<(), ImpactError> {
    let mut entries = entries.peekable();
    if entries.peek().is_none() {
        return Ok(());
    }
    let n = mass.size();
    let mut full = mass.to_dense();
    for ((i, j), value) in entries {
        (full[i * n + j], full[j * n + i]) = (value, value);
    }
    let diagonal = (0..n * n).all(|k| k % (n + 1) == 0 || full[k] == 0.0);
    *mass = if diagonal { Mass::diagonal(full.into_iter().step_by(n + 1).collect())? } else { Mass::dense(n, full)? };
    Ok(())
}
