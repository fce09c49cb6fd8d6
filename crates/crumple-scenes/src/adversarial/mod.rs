//! Small scenes that break a rule of thumb each.

use crate::Entry;

/// Scenes of this family.
pub static SCENES: &[Entry] = &[];
