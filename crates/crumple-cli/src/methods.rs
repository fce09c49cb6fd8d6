//! Which detector answers: the choice behind `--method`.

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{Bodies, BuildError, Detector, Question, SurfaceMethod};

use crate::args::{Common, MethodArg};
use crate::output;

/// What is looked for in tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tets {
    /// Vertices inside them.
    Vertices,
    /// Vertices inside them and edges through them.
    VerticesAndEdges,
}

/// The detector for intersecting triangles.
pub fn surfaces(method: MethodArg, mesh: &Bodies) -> Box<dyn Detector> {
    let method = match method {
        MethodArg::BruteForce => SurfaceMethod::BruteForce,
        MethodArg::BucketTree => SurfaceMethod::BucketTree,
        MethodArg::Regularity => SurfaceMethod::Regularity,
        MethodArg::Auto | MethodArg::SpatialHash => SurfaceMethod::for_bodies(mesh.meshes()),
    };
    method.build()
}

/// Says with `-v` which methods answer these questions, and why.
pub fn explain(common: &Common, method: MethodArg, mesh: &Bodies, questions: &[Question]) {
    for choice in crumple::explain(mesh.meshes()).iter().filter(|c| questions.contains(&c.question)) {
        output::remark(common, || match method {
            MethodArg::Auto => choice.to_string(),
            forced => format!("{}: as asked for, --method {}", choice.question, forced.name()),
        });
    }
}

/// The detector for what is inside tets.
pub fn solids(method: MethodArg, tets: Tets) -> Result<Box<dyn Detector>, BuildError> {
    let edges = tets == Tets::VerticesAndEdges;
    Ok(match method {
        MethodArg::BruteForce => Box::new(BruteForce::new(Ask { triangles: false, vertices: true, edges })),
        _ => {
            let find = Find { vertex_tets: true, edge_tets: edges, triangle_pairs: false };
            Box::new(SpatialHash::new(SpatialHashParams { find, ..SpatialHashParams::default() })?)
        }
    })
}
