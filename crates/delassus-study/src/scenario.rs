//! The numbers of a scenario by their path.

use delassus::ImpactError;
use delassus::model::AccelerationUnit;
use delassus::scenario::{MotionData, RecordSource, Scenario};
use delassus_io::{scenario_from_value, scenario_to_value};
use serde_json::Value;

/// A scenario as a tree, so that any of its numbers can be set by its path. Recorded accelerations
/// stay outside: they are thousands of numbers that nobody varies one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioNumbers {
    tree: Value,
    records: Vec<(RecordPlace, Vec<f64>)>,
}

/// Where a number of a scenario stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPlace {
    key: String,
    /// As a JSON pointer: that of the table or list it stands in, and its own word.
    parent: String,
    word: String,
    /// Whether only whole numbers can stand there.
    whole: bool,
}

impl NumberPlace {
    /// Whether both paths lead to the same number.
    pub(crate) fn is_where(&self, other: &Self) -> bool {
        (&self.parent, &self.word) == (&other.parent, &other.word)
    }

    /// Its path.
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Where the record of a support stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordPlace {
    /// The list of supports: `ground`, `wall` or `container`.
    list: &'static str,
    line: usize,
    /// Its place in a list of motions.
    part: Option<usize>,
}

/// A record of a scenario in the plane or in space: all but its direction.
#[derive(Debug)]
pub struct Recorded<'a> {
    /// Which component of its file, while that has not been read.
    pub component: &'a mut Option<String>,
    /// Where the accelerations come from.
    pub source: &'a mut Option<String>,
    /// Their unit.
    pub units: &'a mut Option<AccelerationUnit>,
    /// Time between samples \[s\].
    pub interval: &'a mut Option<f64>,
    /// Accelerations, in these units.
    pub acceleration: &'a mut Vec<f64>,
    /// Factor on the accelerations.
    pub scale: &'a mut f64,
}

impl<'a, D> From<&'a mut RecordSource<D>> for Recorded<'a> {
    fn from(record: &'a mut RecordSource<D>) -> Self {
        let RecordSource { component, source, units, interval, acceleration, scale, .. } = record;
        Self { component, source, units, interval, acceleration, scale }
    }
}

impl RecordPlace {
    /// Changes the record there.
    pub fn change(self, scenario: &mut Scenario, mut change: impl FnMut(Recorded<'_>)) {
        each_record(scenario, &mut |place, record| {
            if place == self {
                change(record);
            }
        });
    }
}

/// Sees every record of a scenario, with its place.
fn each_record(scenario: &mut Scenario, see: &mut dyn FnMut(RecordPlace, Recorded<'_>)) {
    fn look<D>(
        list: &'static str,
        line: usize,
        motion: &mut Option<MotionData<D>>,
        see: &mut dyn FnMut(RecordPlace, Recorded<'_>),
    ) {
        match motion {
            Some(MotionData::Record(source)) => see(RecordPlace { list, line, part: None }, source.into()),
            Some(MotionData::Several(parts)) => {
                for (k, part) in parts.iter_mut().enumerate() {
                    if let MotionData::Record(source) = part {
                        see(RecordPlace { list, line, part: Some(k) }, source.into());
                    }
                }
            }
            _ => {}
        }
    }
    match &mut scenario.space {
        Some(space) => space.motions().for_each(|(list, i, motion)| look(list, i, motion, see)),
        None => {
            for (list, lines) in [("ground", &mut scenario.ground), ("wall", &mut scenario.wall)] {
                lines.iter_mut().enumerate().for_each(|(i, line)| look(list, i, &mut line.motion, see));
            }
        }
    }
}

impl ScenarioNumbers {
    /// The numbers of this scenario.
    ///
    /// # Errors
    /// A scenario that cannot be written.
    pub fn new(scenario: &Scenario) -> Result<Self, ImpactError> {
        let mut rest = scenario.clone();
        let mut records = Vec::new();
        each_record(&mut rest, &mut |place, record| records.push((place, std::mem::take(record.acceleration))));
        Ok(Self { tree: scenario_to_value(&rest)?, records })
    }

    /// The place that a path names: `rocking_block.height`, `body[0].velocity[1]`,
    /// `ground.floor.motion…` (by name), `material.friction` (the only one of a list). The number may
    /// be absent, if it could stand there.
    ///
    /// # Errors
    /// No such number.
    pub fn place(&self, key: &str) -> Result<NumberPlace, ImpactError> {
        let place = self.existing(key).or_else(|| self.possible(key));
        place.ok_or_else(|| ImpactError::unknown(key, "", "is no parameter of this scenario"))
    }

    fn existing(&self, key: &str) -> Option<NumberPlace> {
        let pointer = self.pointer(key)?;
        let number = self.tree.pointer(&pointer).filter(|value| value.is_number())?;
        let (parent, word) = pointer.rsplit_once('/')?;
        let mut place =
            NumberPlace { key: key.to_owned(), parent: parent.to_owned(), word: word.to_owned(), whole: false };
        // A count is written as a whole number, but so are many others.
        if number.is_u64() {
            let mut copy = self.clone();
            copy.set(&place, 0.5);
            place.whole = copy.scenario().is_err();
        }
        Some(place)
    }

    /// The place of a number that is not there but could be: then the scenario can be read with it.
    fn possible(&self, key: &str) -> Option<NumberPlace> {
        let (owner, word) = key.rsplit_once('.')?;
        let mut parent = self.pointer(owner)?;
        if let Some([_]) = self.tree.pointer(&parent)?.as_array().map(Vec::as_slice) {
            parent += "/0";
        }
        let place = |whole| NumberPlace { key: key.to_owned(), parent: parent.clone(), word: word.to_owned(), whole };
        [place(false), place(true)].into_iter().find(|place| {
            let mut copy = self.clone();
            copy.set(place, 1.0);
            copy != *self && copy.scenario().is_ok()
        })
    }

    /// The record that a path names, as `ground.floor.motion.record.file`.
    pub fn record(&self, key: &str) -> Option<RecordPlace> {
        let owner = [".file", ".pga"].iter().find_map(|end| key.strip_suffix(end)).unwrap_or(key);
        let pointer = self.pointer(owner)?;
        let words: Vec<&str> = pointer.split('/').collect();
        let (list, line, part) = match words[..] {
            ["", list, line, "motion", "record"] => (list, line, None),
            ["", list, line, "motion", part, "record"] => (list, line, Some(part.parse::<usize>().ok()?)),
            _ => return None,
        };
        let line = line.parse::<usize>().ok()?;
        let mut places = self.records.iter().map(|(place, _)| *place);
        places.find(|place| (place.list, place.line, place.part) == (list, line, part))
    }

    /// Of anything that a path names, the place as a JSON pointer.
    fn pointer(&self, key: &str) -> Option<String> {
        let spread = key.replace('[', ".").replace(']', "");
        let (mut here, mut path) = (&self.tree, String::new());
        for word in spread.split('.') {
            if let (Value::Array(list), Err(_)) = (here, word.parse::<usize>()) {
                let named = list.iter().position(|entry| entry.get("name").is_some_and(|name| name == word));
                let index = named.or((list.len() == 1).then_some(0))?;
                here = &list[index];
                path += &format!("/{index}");
                if named.is_some() {
                    continue;
                }
            }
            path += &format!("/{word}");
            here = self.tree.pointer(&path)?;
        }
        Some(path)
    }

    /// The paths of all numbers, for messages; long lists are left out.
    pub fn known(&self) -> Vec<String> {
        fn walk(value: &Value, path: &str, out: &mut Vec<String>) {
            match value {
                Value::Number(_) => out.push(path.to_owned()),
                Value::Object(table) => {
                    let dot = if path.is_empty() { "" } else { "." };
                    table.iter().for_each(|(key, value)| walk(value, &format!("{path}{dot}{key}"), out));
                }
                Value::Array(list) if list.len() <= 8 => {
                    list.iter().enumerate().for_each(|(i, value)| walk(value, &format!("{path}[{i}]"), out));
                }
                _ => {}
            }
        }
        let mut out = Vec::new();
        walk(&self.tree, "", &mut out);
        out
    }

    /// Sets a number.
    pub fn set(&mut self, place: &NumberPlace, value: f64) {
        const EXACT: f64 = 9e15;
        let number = match place.whole && (0.0..=EXACT).contains(&value) && value.fract() == 0.0 {
            true => Value::from(value as u64),
            false => Value::from(value),
        };
        match self.tree.pointer_mut(&place.parent) {
            Some(Value::Object(table)) => {
                table.insert(place.word.clone(), number);
            }
            Some(Value::Array(list)) => {
                if let Some(entry) = place.word.parse::<usize>().ok().and_then(|i| list.get_mut(i)) {
                    *entry = number;
                }
            }
            _ => {}
        }
    }

    /// The scenario with these numbers.
    ///
    /// # Errors
    /// A number that cannot stand where it is.
    pub fn scenario(&self) -> Result<Scenario, ImpactError> {
        let mut scenario = scenario_from_value(&self.tree)?;
        let mut accelerations = self.records.iter();
        each_record(&mut scenario, &mut |_, record| {
            if let Some((_, acceleration)) = accelerations.next() {
                record.acceleration.clone_from(acceleration);
            }
        });
        Ok(scenario)
    }
}

#[cfg(test)]
mod tests {
    use delassus::scenario::{LineData, MaterialData, RockingBlock};

    use super::*;

    fn scenario() -> Scenario {
        let source = RecordSource {
            direction: [1.0, 0.0],
            file: None,
            component: None,
            source: None,
            units: None,
            interval: Some(0.01),
            acceleration: vec![0.0, 1.0, -1.0],
            scale: 1.0,
        };
        let motion = Some(MotionData::Several(vec![
            MotionData::Harmonic { direction: [1.0, 0.0], amplitude: 0.1, frequency: 1.0, phase: 0.0 },
            MotionData::Record(source),
        ]));
        let floor = LineData { name: "floor".into(), point: [0.0; 2], normal: None, angle: None, motion };
        let block = RockingBlock { width: 1.0, height: 2.0, mass: 1.0, angle: 0.0, rate: 0.0 };
        Scenario {
            rocking_block: Some(block),
            ground: vec![floor],
            material: vec![MaterialData::default()],
            ..Scenario::default()
        }
    }

    #[test]
    fn numbers_are_set_whether_they_are_written_or_not() {
        let mut numbers = ScenarioNumbers::new(&scenario()).unwrap();
        assert_eq!(numbers.scenario().unwrap(), scenario());
        for (key, value) in [
            ("rocking_block.height", 3.0),
            ("material.friction", 0.25),
            ("ground.floor.motion[0].harmonic.amplitude", 0.2),
            ("ground[0].motion[1].record.scale", 2.0),
            ("until.impacts", 3.0),
            ("until.time", 3.5),
            ("integrator.max_events", 7.0),
        ] {
            let place = numbers.place(key).unwrap();
            numbers.set(&place, value);
        }
        let mut expected = scenario();
        expected.rocking_block.as_mut().unwrap().height = 3.0;
        expected.material[0].friction = Some(0.25);
        let Some(MotionData::Several(parts)) = &mut expected.ground[0].motion else { panic!() };
        parts[0] = MotionData::Harmonic { direction: [1.0, 0.0], amplitude: 0.2, frequency: 1.0, phase: 0.0 };
        let MotionData::Record(source) = &mut parts[1] else { panic!() };
        source.scale = 2.0;
        (expected.until.impacts, expected.until.time) = (Some(3), Some(3.5));
        expected.integrator.max_events = 7;
        assert_eq!(numbers.scenario().unwrap(), expected);
        // A count that is no whole number is refused, not rounded.
        let place = numbers.place("until.impacts").unwrap();
        numbers.set(&place, 2.5);
        assert!(numbers.scenario().is_err());
        for unknown in ["rocking_block.hight", "until", "ground.wall.angle", "material.friction.more", "name", ""] {
            assert!(numbers.place(unknown).is_err(), "{unknown}");
        }
    }

    #[test]
    fn records_are_found_by_their_path() {
        let numbers = ScenarioNumbers::new(&scenario()).unwrap();
        let place = numbers.record("ground.floor.motion[1].record.file").unwrap();
        let mut found = Vec::new();
        place.change(&mut scenario(), |record| found.clone_from(record.acceleration));
        assert_eq!(found, [0.0, 1.0, -1.0]);
        for unknown in ["ground.floor.motion[0].record.file", "ground.floor.motion[0].harmonic", "until.file"] {
            assert_eq!(numbers.record(unknown), None, "{unknown}");
        }
    }
}
