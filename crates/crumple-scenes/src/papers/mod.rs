//! The five papers' set-ups by checklist id, with the exact counts.

use crate::Entry;

/// Scenes of this family.
pub static SCENES: &[Entry] = &[];
