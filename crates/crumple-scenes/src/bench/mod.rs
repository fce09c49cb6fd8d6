//! The benchmark scenes.

mod surfaces;

use crate::Entry;

/// Scenes of this family.
pub static SCENES: &[Entry] = &[
    Entry {
        name: "sphere-5k",
        about: "breathing sphere, nothing touches",
        make: || surfaces::sphere("sphere-5k", 16),
    },
    Entry {
        name: "sphere-20k",
        about: "breathing sphere, nothing touches",
        make: || surfaces::sphere("sphere-20k", 32),
    },
    Entry {
        name: "sphere-80k",
        about: "breathing sphere, nothing touches",
        make: || surfaces::sphere("sphere-80k", 64),
    },
    Entry {
        name: "sphere-320k",
        about: "breathing sphere, nothing touches",
        make: || surfaces::sphere("sphere-320k", 128),
    },
    Entry {
        name: "sphere-1300k",
        about: "breathing sphere, nothing touches",
        make: || surfaces::sphere("sphere-1300k", 256),
    },
    Entry {
        name: "loop-5k",
        about: "sheet that crosses itself along one line",
        make: || surfaces::self_loop("loop-5k", 50),
    },
];
