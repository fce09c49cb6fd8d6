//! Which detector answers: the choice behind `--method`.

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{BuildError, Detector, Frame, Mesh};

use crate::args::MethodArg;

/// What is looked for in tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tets {
    /// Vertices inside them.
    Vertices,
    /// Vertices inside them and edges through them.
    VerticesAndEdges,
}

/// The detector for intersecting triangles. Regularity is exact on every surface, soups included, and the fastest.
pub fn surfaces(method: MethodArg, mesh: &Mesh, frame: Frame<'_>) -> Result<Box<dyn Detector>, BuildError> {
    Ok(match method {
        MethodArg::BruteForce => Box::new(BruteForce::surfaces()),
        MethodArg::BucketTree => Box::new(BucketTree::new(mesh, frame, BucketTreeParams::default())?),
        MethodArg::Auto | MethodArg::Regularity | MethodArg::SpatialHash => {
            Box::new(Regularity::new(mesh, frame, RegularityParams::default())?)
        }
    })
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
