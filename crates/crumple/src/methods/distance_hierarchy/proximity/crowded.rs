//! A body in which very many triangles meet in one vertex.
//!
//! Boxes of such triangles all hold that vertex, and no two of them are apart. [`swept_bvh`](crate::methods::swept_bvh) has planes
//! through the vertex for this, with a distance to keep; here it is asked about a body at rest.

use super::block_pair::FirstIds;
use super::elements::Elements;
use super::found::FoundPairs;
use crate::geometry::Point;
use crate::methods::swept_bvh::SweptBvh;
use crate::quota::Quota;
use crate::{Bodies, Error, Features, Frame, Mesh, Positions};

/// Triangles in a patch: small ones, since what planes do not part is compared in full.
const PATCH: usize = 8;

/// Adds every pair of features of a body that may be closer than the limit; `positions` are the body's own.
pub(super) fn close_pairs(
    mesh: &Mesh,
    positions: &[Point],
    limit: f64,
    (elements, first): (&Elements, FirstIds),
    quota: &Quota,
    out: &mut FoundPairs,
) -> Result<(), Error> {
    let bodies = Bodies::new([mesh.clone()])?;
    let at = [Positions::from(positions)];
    let mut method = SweptBvh::with_patch_size(PATCH);
    method.update(&bodies, Frame::new(&at).step_to(Frame::new(&at)))?;
    let take = |out: &mut FoundPairs, features: Features| {
        if quota.is_exceeded() {
            return false;
        }
        match features {
            Features::VertexTriangle(v, t) => out.vertex(first.vertex + v.0, first.triangle + t.0),
            Features::EdgeEdge(a, b) => {
                let [a, b] = [a, b].map(|e| elements.table.number([e[0].0.min(e[1].0), e[0].0.max(e[1].0)]));
                if let (Some(a), Some(b)) = (a, b) {
                    out.edges(first.edge + a, first.edge + b);
                }
            }
        }
        quota.add(1);
        true
    };
    for found in method.close_features(limit, &take) {
        out.append(&found);
    }
    Ok(())
}
