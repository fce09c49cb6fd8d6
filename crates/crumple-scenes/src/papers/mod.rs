//! The five papers' set-ups by checklist id, with the exact counts.

pub mod ganovelli;

use crate::Entry;

/// Scenes of this family.
pub static SCENES: &[Entry] = &[];
