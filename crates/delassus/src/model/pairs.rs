//! Which contacts two planar bodies can have. Few bodies list those of all pairs; thousands have millions of pairs and
//! make them as they come near each other.

use std::ops::Range;

use super::contact::{ContactGeometry, Feature, Partner};
use super::{Surface, Surfaces};

/// What of a body touches other bodies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sides {
    /// Corners and disks, each with the number of the outline that a corner belongs to.
    pub features: Vec<(Feature, usize)>,
    /// Its outlines.
    pub outlines: Range<usize>,
}

/// A contact that two bodies can have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Possible {
    /// Which of the two brings the corner or disk, and its number there.
    pub side: usize,
    pub feature: usize,
    /// The disk of the other body that it touches; none for outlines.
    pub disk: Option<usize>,
    pub geometry: ContactGeometry,
}

/// The contacts that two bodies can have, always in the same order.
pub(crate) fn between<'a>(bodies: [&'a Sides; 2]) -> impl Iterator<Item = Possible> + 'a {
    let from = move |side: usize| bodies[side].features.iter().enumerate().map(move |item| (side, item));
    let all = from(0).chain(from(1));
    all.flat_map(move |(side, (feature, (own_feature, own)))| {
        let other = bodies[1 - side];
        let round = own_feature.radius > 0.0;
        // Two disks meet once.
        let disks =
            other.features.iter().enumerate().filter(move |(_, (disk, _))| round && side == 0 && disk.radius > 0.0);
        let disks = disks.map(|(k, (disk, _))| (Some(k), Partner::Round(disk.clone())));
        let outlines = other.outlines.clone().map(move |other| {
            (None, if round { Partner::Outline(other) } else { Partner::Sides { own: *own, other } })
        });
        disks.chain(outlines).map(move |(disk, partner)| Possible {
            side,
            feature,
            disk,
            geometry: ContactGeometry { feature: own_feature.clone(), partner },
        })
    })
}

/// Contacts of pairs that are not listed.
#[derive(Debug, Clone)]
pub(crate) struct Unlisted {
    pub sides: Vec<Sides>,
    /// Names of the bodies, and of their features with the body's in front.
    pub bodies: Vec<String>,
    pub features: Vec<Vec<String>>,
    pub surfaces: Surfaces,
}

impl Unlisted {
    /// Contacts of two bodies.
    pub fn of(&self, pair: [u32; 2]) -> impl Iterator<Item = Possible> {
        between(pair.map(|body| &self.sides[body as usize]))
    }

    pub fn surface(&self, pair: [u32; 2]) -> Surface {
        self.surfaces.of(pair[0] as usize, pair[1] as usize)
    }

    /// A number for a contact of two bodies that no other has, nor one of fewer than 2⁴⁰ listed ones.
    pub fn key(pair: [u32; 2], contact: usize) -> u64 {
        (u64::from(pair[0]) + 1) << 40 | u64::from(pair[1]) << 16 | contact as u64
    }

    /// The name of a contact of two bodies, as it would be listed.
    pub fn name(&self, pair: [u32; 2], contact: usize) -> String {
        let names = |possible: &Possible| {
            let [one, other] = [possible.side, 1 - possible.side].map(|side| pair[side] as usize);
            let touched = possible.disk.map_or(&self.bodies[other], |disk| &self.features[other][disk]);
            format!("{}-{touched}", self.features[one][possible.feature])
        };
        let Some(wanted) = self.of(pair).nth(contact) else { return String::new() };
        let name = names(&wanted);
        // Several outlines of one body have the same name.
        match self.of(pair).take(contact).filter(|before| names(before) == name).count() {
            0 => name,
            before => format!("{name}#{}", before + 1),
        }
    }
}
