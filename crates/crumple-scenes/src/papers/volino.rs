//! Volino & Magnenat-Thalmann 1994: cloth on a body (V20–V22). The sphere and loop series (V18, V19) are benchmark
//! scenes.

use crate::{LazyScene, bench::drape};

/// A cloth of `cloth` cells on a body of (meridians, bands), 20 frames.
pub fn dressed(name: &str, cloth: [usize; 2], body: [usize; 2]) -> LazyScene {
    drape(name, cloth, body, 20)
}

/// The cloth of 50,000 triangles whose hierarchy the paper draws, without the body.
pub fn cloth(name: &str) -> LazyScene {
    let mut scene = drape(name, [125, 200], [8, 8], 5);
    scene.bodies.truncate(1);
    scene
}
