//! The shared suite: the scene files of `testdata/scenes`, built into the crate so that tests need no directory, and a
//! reference to every adversarial scene.

macro_rules! suite {
    ($($name:literal)*) => {
        const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../scenes/", $name, ".toml")))),*];
    };
}

suite! {
    "blobs"
    "boxes-stacked"
    "cloth-between-balls"
    "cloth-on-ball"
    "knot-thick"
    "mid-crumple"
    "mid-drape"
    "mid-loop"
    "mid-sphere"
    "mid-tets"
    "moebius-three"
    "near-boxes"
    "near-sheets"
    "near-shells"
    "near-tori"
    "pawns"
    "points-in-blob"
    "points-in-torus"
    "points-in-two"
    "rod-looped"
    "sheet-crumple"
    "sheet-f32"
    "sheet-loop"
    "sheet-loop-aligned"
    "sheet-ripple"
    "sheet-rolled"
    "sheet-snapped"
    "sheet-squashed"
    "sheets-coplanar-snapped"
    "soup-coherent"
    "soup-far"
    "soup-free"
    "soup-snapped"
    "soup-teleport"
    "tet-ball-in-box"
    "tet-bar-looped"
    "tet-boxes"
    "tet-boxes-negative"
    "tet-soup"
    "tet-soup-snapped"
    "tet-tubes"
    "tets-and-cloth"
    "tets-far"
    "tets-squashed"
    "two-triangles"
}

/// Name and text of each scene: the files in order of name, then the adversarial scenes. [`crate::toml::parse`] reads
/// the text.
pub fn suite() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().chain(crate::adversarial::FILES).copied()
}
