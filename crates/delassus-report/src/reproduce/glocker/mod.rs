//! Glocker (2014), Energetic consistency conditions for standard impacts, Part II.

use super::Study;

pub(super) const STUDIES: &[Study] = &[];
