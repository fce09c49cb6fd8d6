//! Scenes that are built in, as the text that a scene file has.
//!
//! ```
//! let mut script = crumple_sim::gallery::script("shot").expect("it is built in");
//! assert_eq!(script.step()?.intersections, 0);
//! # Ok::<(), crumple_sim::SimError>(())
//! ```

use crate::script::Script;

/// A built-in scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its scene file.
    pub text: &'static str,
}

macro_rules! entries {
    ($($name:literal),* $(,)?) => {
        /// All built-in scenes.
        pub const ENTRIES: &[Entry] = &[
            $(Entry { name: $name, text: include_str!(concat!("../gallery/", $name, ".toml")) }),*
        ];
    };
}

entries!(
    "curtain",
    "drape",
    "ganovelli",
    "madera",
    "particles",
    "pile",
    "sheets",
    "shot",
    "tear",
    "teschner-a",
    "teschner-b",
    "teschner-c",
    "teschner-d",
    "teschner-e",
    "towel",
    "volino",
);

/// A built-in scene by its name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|e| e.name == name)
}

/// A built-in scene, ready to play.
pub fn script(name: &str) -> Option<Script> {
    find(name).map(|e| Script::parse(e.text).unwrap_or_else(|error| panic!("built-in scene {name}: {error}")))
}
