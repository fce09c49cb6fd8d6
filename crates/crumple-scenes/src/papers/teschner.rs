//! Teschner et al. 2003: the five set-ups of Table 1, 1000 steps each (T25–T29), and T29 regrouped (T34).

use super::vessels::vessels;
use crate::{LazyScene, bench::TetBoxes};

/// Steps the paper averages over.
const STEPS: usize = 1000;

/// Set-up A: 100 objects, 1000 tets, 1200 vertices.
pub fn a(name: &str) -> LazyScene {
    TetBoxes::A.scene(name, STEPS)
}

/// Set-up B: 8 objects, 4000 tets, 1936 vertices.
pub fn b(name: &str) -> LazyScene {
    TetBoxes::B.scene(name, STEPS)
}

/// Set-up C: 20 objects, 10,000 tets, 4840 vertices.
pub fn c(name: &str) -> LazyScene {
    TetBoxes::C.scene(name, STEPS)
}

/// Set-up D: 2 vessels, 20,514 tets, 5898 vertices.
pub fn d(name: &str) -> LazyScene {
    vessels(name, STEPS)
}

/// Set-up E: 100 objects, 50,000 tets, 24,200 vertices.
pub fn e(name: &str) -> LazyScene {
    TetBoxes::E.scene(name, STEPS)
}

/// Set-up E with its hundred objects counted as `groups` objects (T34): the same primitives in the same places.
pub fn regrouped(name: &str, groups: usize) -> LazyScene {
    let mut scene = e(name);
    scene.bodies = crate::scene::grouped(scene.bodies, groups);
    scene
}
