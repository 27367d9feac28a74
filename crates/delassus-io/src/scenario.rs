//! Scenario files.

use std::fmt;
use std::marker::PhantomData;

use delassus::model::{PLANE, SPACE, absent};
use delassus::scenario::angle::ABSURD;
use delassus::scenario::{MotionData, RecordSource, Scenario, SpatialScenario};
use delassus::{ErrorKind, ImpactError, ImpactProblem, LawSpec};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use crate::error::{InputError, explain};
use crate::law::LawTable;
use crate::problem::problem_value;
use crate::read::{Format, from_tree, tree};
use crate::record::{choose_component, read_records};
use crate::scenario_tree::scenario_to_value;
use crate::spatial::{SPATIAL_HINTS, is_spatial};
use crate::tree::Node;

/// A scenario with the law that its file names.
#[derive(Debug, Clone)]
pub struct ScenarioEntry {
    /// The scenario, record files read.
    pub scenario: Scenario,
    /// The scenario as written: files of records by their names, units and intervals only where they are given.
    pub written: Scenario,
    /// The law, if the file names one.
    pub law: Option<LawSpec>,
    /// The `[law]` table as written.
    law_table: Option<toml::Value>,
    /// Its place in the file: `scenario[3]`, or empty in a file with one.
    pub path: String,
    /// What should be known of the files that it names.
    pub remarks: Vec<String>,
}

/// The scenarios of a file, in order.
#[derive(Debug, Clone)]
pub struct ScenarioDocument {
    /// The scenarios, at least one.
    pub entries: Vec<ScenarioEntry>,
    /// Whether the file is a batch (`[[scenario]]` or a JSON array).
    pub batch: bool,
}

/// Keys that scenario files have and problem files have not.
const SCENARIO_KEYS: [&str; 17] = [
    "array",
    "body",
    "chain",
    "container",
    "double_pendulum",
    "force",
    "ground",
    "integrator",
    "material",
    "output",
    "rocking_block",
    "rod",
    "scenario",
    "spring",
    "until",
    "wall",
    "world",
];

/// Whether a file describes a scenario rather than a problem, by its keys.
pub fn is_scenario(text: &str, format: Format) -> bool {
    tree(text, format).is_ok_and(|file| {
        let first = file.items().first().unwrap_or(&file);
        SCENARIO_KEYS.iter().any(|key| first.get(key).is_some())
    })
}

/// Whether the scenarios of a file are in space; none where that cannot be told.
pub fn in_space(text: &str, format: Format) -> Option<bool> {
    is_spatial(&tree(text, format).ok()?).ok()
}

/// Reads every scenario of a file. `load` gives the text of a record file that
/// the scenario names.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_scenarios(
    text: &str,
    file: &str,
    format: Format,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<ScenarioDocument, InputError> {
    let wrong = |(position, error)| InputError { file: file.into(), position, error };
    let tree = tree(text, format).map_err(wrong)?;
    let spatial = is_spatial(&tree).map_err(|error| InputError::new(file, error))?;
    if !(if spatial { SPACE } else { PLANE }) {
        return Err(InputError::new(file, absent(if spatial { 3 } else { 2 })));
    }
    if SPACE && (spatial || !PLANE) {
        let tables = from_tree(&tree, text, format).map_err(|(at, error)| wrong((at, hint(error, &SPATIAL_HINTS))))?;
        document(tables, file, |table, path| spatial_entry(table, path, load))
    } else {
        let meant = |error| three_in_plane(hint(error, &PLANAR_HINTS));
        let tables = from_tree(&tree, text, format).map_err(|(at, error)| wrong((at, meant(error))))?;
        document(tables, file, |table, path| planar_entry(table, path, load))
    }
}

fn document<S>(
    file_table: FileTable<S>,
    file: &str,
    entry: impl Fn(ScenarioTable<S>, String) -> Result<ScenarioEntry, ImpactError>,
) -> Result<ScenarioDocument, InputError> {
    let FileTable { scenarios, law, batch } = file_table;
    let wrong = |error| InputError::new(file, error);
    // Read even where every scenario has a law of its own.
    law_spec(law.as_ref()).map_err(wrong)?;
    if scenarios.is_empty() {
        return Err(wrong(ImpactError::wrong_size("scenario", "[]", "needs at least one scenario")));
    }
    let mut entries = Vec::with_capacity(scenarios.len());
    for (i, mut table) in scenarios.into_iter().enumerate() {
        let path = if batch { format!("scenario[{i}]") } else { String::new() };
        table.law = table.law.or_else(|| law.clone());
        entries.push(entry(table, path.clone()).map_err(|e| wrong(e.within(&path)))?);
    }
    Ok(ScenarioDocument { entries, batch })
}

/// Keys of space in planar files.
const PLANAR_HINTS: [(&str, &str); 16] = [
    ("orientation", "a planar body has an angle; for space give world.dimension = 3"),
    ("spin", "a planar body has a rate; for space give world.dimension = 3"),
    ("density", "is known in space only: world.dimension = 3"),
    ("array", "is known in space only: world.dimension = 3"),
    ("container", "is known in space only: world.dimension = 3"),
    ("terrain", "is known in space only: world.dimension = 3"),
    ("mesh", "is known in space only: world.dimension = 3"),
    ("sphere", "belongs to space (world.dimension = 3); in the plane it is a disk"),
    ("cuboid", "belongs to space (world.dimension = 3); in the plane it is a box"),
    ("cylinder", "belongs to space (world.dimension = 3); in the plane it is a disk or a box"),
    ("capsule", "belongs to space (world.dimension = 3); in the plane it is a compound of a box and disks"),
    ("convex", "belongs to space (world.dimension = 3); in the plane it is a polygon"),
    ("coin", "belongs to space: world.dimension = 3"),
    ("foot", "belongs to space: world.dimension = 3"),
    ("depth", "a block with depth is in space: world.dimension = 3"),
    ("packing", "belongs to space: world.dimension = 3"),
];

/// Says of an unknown key what is meant.
fn hint(error: ImpactError, hints: &[(&str, &str)]) -> ImpactError {
    let unknown = error.kind == ErrorKind::Unknown;
    let key = error.field.rsplit('.').next().unwrap_or_default().to_owned();
    let given = |name: &str| key == name || error.value.trim_matches('\'') == name;
    match hints.iter().find(|(name, _)| unknown && given(name)) {
        Some((_, meant)) => ImpactError { problem: (*meant).to_owned(), ..error },
        None => error,
    }
}

/// Adds to the message of a vector of three numbers in a planar file that those belong to space.
fn three_in_plane(error: ImpactError) -> ImpactError {
    let key = error.field.rsplit('.').next().unwrap_or_default();
    let vector = ["gravity", "position", "velocity", "point", "normal", "direction"].contains(&key);
    if !vector || error.value != "3 entries" {
        return error;
    }
    ImpactError { problem: format!("{} in the plane; for space give world.dimension = 3", error.problem), ..error }
}

/// An entry of scenarios that are in space.
fn spatial_entry(
    table: ScenarioTable<SpatialScenario>,
    path: String,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<ScenarioEntry, ImpactError> {
    let ScenarioTable { mut scenario, law } = table;
    let written = Scenario::from(scenario.clone());
    let motions = scenario.motions().map(|(list, i, motion)| (format!("{list}[{i}].motion"), motion));
    let mut remarks = read_all_records(motions, load)?;
    absurd_angles(&written, &mut remarks);
    let spec = law_spec(law.as_ref())?;
    Ok(ScenarioEntry { scenario: scenario.into(), written, law: spec, law_table: law, path, remarks })
}

/// Warns of angles of more than a turn.
fn absurd_angles(scenario: &Scenario, remarks: &mut Vec<String>) {
    fn walk(value: &serde_json::Value, path: &str, remarks: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(table) => {
                for (key, value) in table {
                    walk(value, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, remarks);
                }
            }
            serde_json::Value::Array(list) => {
                list.iter().enumerate().for_each(|(i, value)| walk(value, &format!("{path}[{i}]"), remarks));
            }
            value => {
                let key = path.rsplit('.').next().unwrap_or_default().split('[').next().unwrap_or_default();
                // The roll of a coin is a spin.
                let is_angle = ["angle", "angles", "phase", "tilt", "lean"].contains(&key)
                    || ["orientation.roll", "orientation.pitch", "orientation.yaw"].iter().any(|k| path.ends_with(k));
                remarks.extend(value.as_f64().filter(|_| is_angle).and_then(|angle| absurd_angle(path, angle)));
            }
        }
    }
    // Only for a warning: what cannot be written has none.
    walk(&scenario_to_value(scenario).unwrap_or_default(), "", remarks);
}

/// What to say of an angle of a file, if it is more than a turn.
pub(crate) fn absurd_angle(path: &str, angle: f64) -> Option<String> {
    (angle.abs() > ABSURD)
        .then(|| format!("{path} = {angle} rad is more than a turn; degrees are written \"{angle}deg\""))
}

fn law_spec(law: Option<&toml::Value>) -> Result<Option<LawSpec>, ImpactError> {
    let Some(value) = law else { return Ok(None) };
    let tree = Node::deserialize(value.clone()).map_err(|e| explain("law", e.message()))?;
    let table = LawTable::deserialize(&tree).map_err(|fault| explain(&fault.path(), fault.message()).within("law"))?;
    table.spec().map(Some)
}

fn planar_entry(
    table: ScenarioTable<Scenario>,
    path: String,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<ScenarioEntry, ImpactError> {
    let ScenarioTable { mut scenario, law } = table;
    let spec = law_spec(law.as_ref())?;
    let written = scenario.clone();
    let Scenario { ground, wall, .. } = &mut scenario;
    let grounds = ground.iter_mut().enumerate().map(|(i, l)| (format!("ground[{i}].motion"), &mut l.motion));
    let walls = wall.iter_mut().enumerate().map(|(i, l)| (format!("wall[{i}].motion"), &mut l.motion));
    let mut remarks = read_all_records(grounds.chain(walls), load)?;
    absurd_angles(&written, &mut remarks);
    Ok(ScenarioEntry { scenario, written, law: spec, law_table: law, path, remarks })
}

/// Reads the record files that motions name into their accelerations; gives what should be known of them.
fn read_all_records<'a, D: 'a>(
    motions: impl Iterator<Item = (String, &'a mut Option<MotionData<D>>)>,
    load: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, ImpactError> {
    let mut remarks = Vec::new();
    for (place, motion) in motions {
        match motion {
            Some(MotionData::Record(source)) => {
                read_record_source(&format!("{place}.record"), source, load, &mut remarks)?
            }
            Some(MotionData::Several(parts)) => {
                for (k, part) in parts.iter_mut().enumerate() {
                    if let MotionData::Record(source) = part {
                        read_record_source(&format!("{place}[{k}].record"), source, load, &mut remarks)?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(remarks)
}

/// Reads the file that a record names into its accelerations; adds what should be known of it to the remarks.
///
/// # Errors
/// A file that `load` cannot give; a record that is none, or whose unit or interval is not known: `place` is
/// where the record stands.
pub fn read_record_source<D>(
    place: &str,
    source: &mut RecordSource<D>,
    load: &dyn Fn(&str) -> Result<String, String>,
    remarks: &mut Vec<String>,
) -> Result<(), ImpactError> {
    let Some(name) = source.file.take() else { return Ok(()) };
    let wrong = |problem: String| ImpactError::new(format!("{place}.file"), format!("{name:?}"), problem);
    if !source.acceleration.is_empty() {
        return Err(wrong("give either a file or accelerations".to_owned()));
    }
    let records = read_records(&name, &load(&name).map_err(&wrong)?).map_err(&wrong)?;
    let told = |e: ImpactError| ImpactError { problem: format!("{} ({name})", e.problem), ..e }.within(place);
    let data = choose_component(records, source.component.take().as_deref()).map_err(told)?;
    let settled = data.settle(source.units, source.interval).map_err(told)?;
    let name = data.named(&name);
    remarks.extend(data.remarks.iter().map(|remark| format!("record {name}: {remark}")));
    (source.units, source.interval) = (Some(settled.units), Some(settled.interval));
    (source.acceleration, source.source) = (settled.acceleration, Some(name));
    Ok(())
}

/// The scenario as a file, short forms expanded.
///
/// # Errors
/// A short form whose numbers are out of range.
pub fn write_expanded(entry: &ScenarioEntry) -> Result<String, ImpactError> {
    let wrong = |e: &dyn std::fmt::Display| ImpactError::new("scenario", "", e.to_string());
    let mut file = scenario_to_value(&entry.scenario.expand()?)?;
    if let (Some(table), Some(law)) = (file.as_object_mut(), &entry.law_table) {
        table.insert("law".into(), serde_json::to_value(law).map_err(|e| wrong(&e))?);
    }
    toml::to_string(&file).map_err(|e| wrong(&e))
}

/// A problem as a file that the reader of problems takes, with a law: with its data as the scenario
/// gives it, where that names the law.
///
/// # Errors
/// A problem that cannot be written.
pub fn write_problem(
    name: &str,
    problem: &ImpactProblem,
    law: &LawSpec,
    entry: &ScenarioEntry,
) -> Result<String, ImpactError> {
    let mut table = problem_value(problem);
    let own = entry.law_table.as_ref().filter(|_| entry.law.as_ref().is_some_and(|own| own.name() == law.name()));
    let law = match own {
        Some(table) => serde_json::to_value(table).ok(),
        None => Some(serde_json::json!({ "name": law.name() })),
    };
    if let (Some(table), Some(law)) = (table.as_object_mut(), law) {
        table.insert("name".into(), name.into());
        table.insert("law".into(), law);
    }
    toml::to_string(&table).map_err(|e| ImpactError::new("problem", "", e.to_string()))
}

/// A file with scenarios of one dimension.
struct FileTable<S> {
    scenarios: Vec<ScenarioTable<S>>,
    /// The law beside a list of scenarios, which those have that name none.
    law: Option<toml::Value>,
    batch: bool,
}

struct ScenarioTable<S> {
    scenario: S,
    law: Option<toml::Value>,
}

impl<'de, S: Deserialize<'de> + Default + PartialEq> Deserialize<'de> for FileTable<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor<S>(PhantomData<S>);
        impl<'de, S: Deserialize<'de> + Default + PartialEq> Visitor<'de> for FileVisitor<S> {
            type Value = FileTable<S>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scenario or a list of scenarios")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<FileTable<S>, A::Error> {
                let scenarios = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(FileTable { scenarios, law: None, batch: true })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FileTable<S>, A::Error> {
                let mut aside = Aside::default();
                let scenario = S::deserialize(MapAccessDeserializer::new(Picking { map, aside: &mut aside }))?;
                match aside.scenarios {
                    None => Ok(FileTable {
                        scenarios: vec![ScenarioTable { scenario, law: aside.law }],
                        law: None,
                        batch: false,
                    }),
                    Some(scenarios) if scenario == S::default() => {
                        Ok(FileTable { scenarios, law: aside.law, batch: true })
                    }
                    Some(_) => {
                        Err(Error::custom("a file with [[scenario]] tables must have all but [law] inside them"))
                    }
                }
            }
        }
        deserializer.deserialize_any(FileVisitor(PhantomData))
    }
}

impl<'de, S: Deserialize<'de>> Deserialize<'de> for ScenarioTable<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TableVisitor<S>(PhantomData<S>);
        impl<'de, S: Deserialize<'de>> Visitor<'de> for TableVisitor<S> {
            type Value = ScenarioTable<S>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a scenario")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ScenarioTable<S>, A::Error> {
                let mut aside = Aside::<S>::default();
                let scenario = S::deserialize(MapAccessDeserializer::new(Picking { map, aside: &mut aside }))?;
                if aside.scenarios.is_some() {
                    return Err(Error::custom("scenarios cannot be nested"));
                }
                Ok(ScenarioTable { scenario, law: aside.law })
            }
        }
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

/// Keys that are no part of a scenario itself.
struct Aside<S> {
    law: Option<toml::Value>,
    scenarios: Option<Vec<ScenarioTable<S>>>,
}

impl<S> Default for Aside<S> {
    fn default() -> Self {
        Self { law: None, scenarios: None }
    }
}

/// The `[law]` table as written. As in problem files `null` is no value, here and at its keys, which
/// TOML has no word for.
struct LawAsWritten(toml::Value);

impl<'de> Deserialize<'de> for LawAsWritten {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LawVisitor;
        impl<'de> Visitor<'de> for LawVisitor {
            type Value = LawAsWritten;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a law or a table with its name and data")
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<LawAsWritten, E> {
                Ok(LawAsWritten(name.into()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LawAsWritten, A::Error> {
                let mut table = toml::Table::new();
                while let Some((key, value)) = map.next_entry::<String, Option<toml::Value>>()? {
                    let Some(value) = value else { continue };
                    if table.contains_key(&key) {
                        return Err(A::Error::custom(format!("duplicate field `{key}`")));
                    }
                    table.insert(key, value);
                }
                Ok(LawAsWritten(table.into()))
            }
        }
        deserializer.deserialize_any(LawVisitor)
    }
}

/// Passes a map on without the keys that are picked aside.
struct Picking<'a, A, S> {
    map: A,
    aside: &'a mut Aside<S>,
}

impl<'de, A: MapAccess<'de>, S: Deserialize<'de>> MapAccess<'de> for Picking<'_, A, S> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, mut seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Scenario(key)) => return Ok(Some(key)),
                Some(Key::Law(_)) if self.aside.law.is_some() => return Err(A::Error::duplicate_field("law")),
                Some(Key::List(_)) if self.aside.scenarios.is_some() => {
                    return Err(A::Error::duplicate_field("scenario"));
                }
                Some(Key::Law(unused)) => {
                    let law: Option<LawAsWritten> = self.map.next_value()?;
                    (self.aside.law, seed) = (law.map(|law| law.0), unused);
                }
                Some(Key::List(unused)) => (self.aside.scenarios, seed) = (Some(self.map.next_value()?), unused),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A key of a file with scenarios; those picked aside give the seed back.
enum Key<K, T> {
    Law(K),
    List(K),
    Scenario(T),
}

/// Reads a [`Key`], so that an unknown one is reported at its place.
struct KeySeed<K>(K);

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<K> {
    type Value = Key<K, K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for KeySeed<K> {
    type Value = Key<K, K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        match key {
            "law" => Ok(Key::Law(self.0)),
            "scenario" => Ok(Key::List(self.0)),
            _ => {
                let known = self.0.deserialize(key.into_deserializer()).map(Key::Scenario);
                known.map_err(|e: E| E::custom(format!("{}, `law`", e.to_string().trim_end())))
            }
        }
    }
}
