//! Which detector answers: the choice behind `--method`.

use crumple::Detector;
use crumple::methods::brute_force::{Ask, BruteForce};

use crate::args::MethodArg;

/// The detector for intersecting triangles.
pub fn surfaces(method: MethodArg) -> Box<dyn Detector> {
    match method {
        MethodArg::Auto | MethodArg::BruteForce => Box::new(BruteForce::surfaces()),
    }
}

/// The detector for vertices inside tets and edges through them.
pub fn solids(method: MethodArg) -> Box<dyn Detector> {
    match method {
        MethodArg::Auto | MethodArg::BruteForce => Box::new(BruteForce::solids()),
    }
}

/// The detector for vertices inside tets only.
pub fn vertex_tets(method: MethodArg) -> Box<dyn Detector> {
    match method {
        MethodArg::Auto | MethodArg::BruteForce => {
            Box::new(BruteForce::new(Ask { triangles: false, vertices: true, edges: false }))
        }
    }
}
