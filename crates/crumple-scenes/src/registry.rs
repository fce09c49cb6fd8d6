//! Scenes by name.

use crate::{LazyScene, Scene, adversarial, bench, papers};

/// One registered scene.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What to ask for.
    pub name: &'static str,
    /// One line: what it is and why it exists.
    pub about: &'static str,
    /// Builds it; positions are computed when asked for.
    pub make: fn() -> LazyScene,
}

/// A table of scenes: name, one line about it, and a function from the name to the scene.
macro_rules! scenes {
    ($($name:literal, $about:literal, $make:expr;)*) => {
        /// Scenes of this family.
        pub static SCENES: &[$crate::Entry] =
            &[$($crate::Entry { name: $name, about: $about, make: || $make($name) }),*];
    };
}
pub(crate) use scenes;

/// Every registered scene: benchmarks, the papers' set-ups, adversarial scenes.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    bench::SCENES.iter().chain(papers::SCENES).chain(adversarial::SCENES)
}

/// Every name that [`by_name`] and [`lazy`] know.
pub fn names() -> impl Iterator<Item = &'static str> {
    entries().map(|e| e.name)
}

/// The scene of this name, computed frame by frame.
pub fn lazy(name: &str) -> Option<LazyScene> {
    entries().find(|e| e.name == name).map(|e| (e.make)())
}

/// The scene of this name with all its frames in memory. The papers' set-ups have up to 1000 frames (`T29`: 0.6 GB);
/// prefer [`lazy`] for those.
pub fn by_name(name: &str) -> Option<Scene> {
    lazy(name).map(LazyScene::collect)
}
