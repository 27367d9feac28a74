//! Trajectories of many bodies as arrays for numpy: `numpy.load("trajectory.npz")`.
//!
//! The file is an archive without compression (ZIP) of one array a name, as `numpy.savez` writes it. Numbers keep their
//! bits, and the same run gives the same bytes.

use delassus::model::{Model, System};
use delassus::simulate::{Energies, Sample, Trajectory};

use crate::trajectory::{ENERGIES, STEPS, displacements, steps_of};

/// Archives and their parts have lengths of 32 bits.
const LONGEST: usize = u32::MAX as usize;

/// The samples of a run as arrays: `time`, `q` and `velocity` (samples × bodies × entries in space, samples × entries in
/// the plane) with `bodies`, or `q_names` and `velocity_names`, `forces` (samples × contacts × 2) with `contacts` where contacts
/// are listed, `energy` (samples × 7) with `energies`, and `supports` (samples × supports × 2, or 3 in space) with `support_names`
/// where some move; of time-stepping `solver` (samples × 4) with `solver_names`: how the steps were solved.
///
/// # Errors
/// More than 4 GB of numbers.
pub fn write_npz(system: &Model, run: &Trajectory) -> Result<Vec<u8>, String> {
    let samples = &run.samples;
    let count = samples.len();
    let mut archive = Archive::default();
    let flat = |read: &dyn Fn(&Sample) -> Vec<f64>| samples.iter().flat_map(read).collect::<Vec<f64>>();
    archive.numbers("time", &[count], samples.iter().map(|s| s.time))?;
    let (positions, velocities) = (samples.iter().flat_map(|s| &s.q), samples.iter().flat_map(|s| &s.u));
    if let Some(space) = system.spatial() {
        let bodies = space.bodies().len();
        archive.numbers("q", &[count, bodies, 7], positions.copied())?;
        archive.numbers("velocity", &[count, bodies, 6], velocities.copied())?;
        archive.words("bodies", &space.bodies().iter().map(|body| body.name.as_str()).collect::<Vec<_>>())?;
    } else {
        archive.numbers("q", &[count, system.positions()], positions.copied())?;
        archive.numbers("velocity", &[count, system.velocities()], velocities.copied())?;
        archive.words("q_names", &system.position_names())?;
        archive.words("velocity_names", &system.velocity_names())?;
    }
    let contacts = samples.first().map_or(0, |s| s.forces.len());
    if contacts > 0 {
        let forces = samples.iter().flat_map(|s| s.forces.as_flattened());
        archive.numbers("forces", &[count, contacts, 2], forces.copied())?;
        archive.words("contacts", &run.contact_names[..contacts.min(run.contact_names.len())])?;
    }
    let energies = flat(&|s| {
        let Energies { kinetic, potential, friction, supports, damping, applied, impacts } = s.energy;
        vec![kinetic, potential, friction, supports, damping, applied, impacts]
    });
    archive.numbers("energy", &[count, ENERGIES.len()], energies.into_iter())?;
    archive.words("energies", &ENERGIES.map(|(name, _)| name))?;
    let start = displacements(system, 0.0);
    let moving: Vec<&str> = start.iter().map(|(name, _)| *name).collect();
    if let Some((_, first)) = start.first() {
        let places = flat(&|s| displacements(system, s.time).into_iter().flat_map(|(_, place)| place).collect());
        archive.numbers("supports", &[count, moving.len(), first.len()], places.into_iter())?;
        archive.words("support_names", &moving)?;
    }
    if let Some(steps_of) = steps_of(run) {
        archive.numbers("solver", &[count, STEPS.len()], samples.iter().flat_map(steps_of))?;
        archive.words("solver_names", &STEPS.map(|(name, _)| name))?;
    }
    archive.finish()
}

/// An archive as it is written.
#[derive(Default)]
struct Archive {
    out: Vec<u8>,
    /// The list of parts at its end.
    list: Vec<u8>,
    parts: u16,
}

impl Archive {
    fn numbers(&mut self, name: &str, shape: &[usize], values: impl Iterator<Item = f64>) -> Result<(), String> {
        let mut content = heading("<f8", shape);
        values.for_each(|value| content.extend_from_slice(&value.to_le_bytes()));
        self.add(name, &content)
    }

    /// Texts of one width, filled up with zeros.
    fn words<S: AsRef<str>>(&mut self, name: &str, words: &[S]) -> Result<(), String> {
        let width = words.iter().map(|word| word.as_ref().chars().count()).max().unwrap_or(0).max(1);
        let mut content = heading(&format!("<U{width}"), &[words.len()]);
        for word in words {
            let letters = word.as_ref().chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            letters.for_each(|letter| content.extend_from_slice(&letter.to_le_bytes()));
        }
        self.add(name, &content)
    }

    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), String> {
        let start = self.out.len();
        let name = format!("{name}.npy");
        if start + content.len() + name.len() + 100 > LONGEST {
            return Err("the samples take more than 4 GB: a larger output.interval makes fewer".to_owned());
        }
        // Version 2.0, no flags, stored, 1980-01-01 00:00.
        let mut common = Vec::new();
        [20u16, 0, 0, 0, 0x21].iter().for_each(|v| common.extend_from_slice(&v.to_le_bytes()));
        let length = content.len() as u32;
        [crc(content), length, length].iter().for_each(|v| common.extend_from_slice(&v.to_le_bytes()));
        common.extend_from_slice(&(name.len() as u16).to_le_bytes());
        common.extend_from_slice(&0u16.to_le_bytes());
        self.out.extend_from_slice(b"PK\x03\x04");
        self.out.extend_from_slice(&common);
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(content);
        self.list.extend_from_slice(b"PK\x01\x02");
        self.list.extend_from_slice(&20u16.to_le_bytes());
        self.list.extend_from_slice(&common);
        // No comment, first disk, no attributes, then where the part begins.
        self.list.extend_from_slice(&[0; 10]);
        self.list.extend_from_slice(&(start as u32).to_le_bytes());
        self.list.extend_from_slice(name.as_bytes());
        self.parts += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, String> {
        let start = self.out.len() as u32;
        self.out.extend_from_slice(&self.list);
        self.out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        [self.parts; 2].iter().for_each(|v| self.out.extend_from_slice(&v.to_le_bytes()));
        [self.list.len() as u32, start].iter().for_each(|v| self.out.extend_from_slice(&v.to_le_bytes()));
        self.out.extend_from_slice(&[0; 2]);
        Ok(self.out)
    }
}

/// How an array begins: its type and shape, filled up to a multiple of 64 bytes.
fn heading(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sizes.trim_end());
    while !(10 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend_from_slice(&(text.len() as u16).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
    out
}

/// The sum of bytes that archives have (CRC-32 of IEEE 802.3).
fn crc(content: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut k = 0;
        while k < 256 {
            let (mut value, mut bit) = (k as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[k] = value;
            k += 1;
        }
        table
    };
    !content.iter().fold(!0, |sum, byte| TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_headings_are_as_others_make_them() {
        // The check value of the polynomial.
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        let one = heading("<f8", &[3]);
        assert!(
            one.len().is_multiple_of(64)
                && one.ends_with(b"\n")
                && String::from_utf8_lossy(&one).contains("'shape': (3,), }")
        );
        assert!(String::from_utf8_lossy(&heading("<f8", &[3, 2])).contains("(3, 2,)"));
    }
}
