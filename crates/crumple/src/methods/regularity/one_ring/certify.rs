//! One-rings, certified eight at a time.

use super::VertexRef;
use super::topology::OneRing;
use crate::geometry::simd::{self, Row, WIDTH};
use crate::methods::regularity::posed::Posed;
use crate::vertex_fan::{CertifyFans, Fan};

/// Which of up to eight vertices, all with the same kind of one-ring, have triangles that certainly do not meet beyond what
/// they share: bit i for vertex i.
pub(crate) fn certify_one_rings(posed: &Posed<'_>, eight: &[VertexRef], edges: &mut Vec<[Row; 3]>) -> u32 {
    let is_open = match eight[0].ring {
        OneRing::Lone | OneRing::Irregular => return 0,
        OneRing::Closed(_) => false,
        OneRing::Open(_) => true,
    };
    let fan = |v: &VertexRef| Fan {
        positions: posed.positions[v.body as usize],
        vertex: v.vertex,
        neighbours: posed.surfaces[v.body as usize].hierarchy.at_vertices().one_rings.neighbours(v.vertex),
    };
    // A short batch repeats its last.
    let fans: [Fan<'_>; WIDTH] = std::array::from_fn(|i| fan(&eight[i.min(eight.len() - 1)]));
    simd::dispatch(CertifyFans { fans, is_open, scale: posed.map.scale, edges })
}
