//! A body in which very many triangles meet in one vertex.
//!
//! Boxes of such triangles all hold that vertex, and no two of them are apart. [`swept_bvh`](crate::methods::swept_bvh) has planes
//! through the vertex for this, with a distance to keep; here it is asked about a body at rest.

use super::sink::{Judge, Sink};
use crate::geometry::Point;
use crate::methods::swept_bvh::SweptBvh;
use crate::{Bodies, Error, Features, Frame, Mesh, Positions};

/// Triangles in a patch: small ones, since what planes do not part is compared in full.
const PATCH: usize = 8;

/// Hands every pair of features of a body that may be closer than the judge's limit to `out`; `positions` are the body's own.
/// Yields how many there were to judge.
pub(super) fn close_pairs<O: Sink>(
    mesh: &Mesh,
    positions: &[Point],
    judge: &Judge<'_>,
    out: &mut O,
) -> Result<u64, Error> {
    let bodies = Bodies::new([mesh.clone()])?;
    let at = [Positions::from(positions)];
    let mut method = SweptBvh::with_patch_size(PATCH);
    method.update(&bodies, Frame::new(&at).step_to(Frame::new(&at)))?;
    let take = |(out, count): &mut (O, u64), features: Features| {
        if judge.near.quota.is_exceeded() {
            return;
        }
        *count += 1;
        let before = out.len();
        match features {
            Features::VertexTriangle(v, t) => out.vertex(judge, 0, v.0, t.0),
            Features::EdgeEdge(a, b) => out.edges(judge, a.map(|v| v.0), b.map(|v| v.0)),
        }
        judge.near.quota.add(out.len() - before);
    };
    let mut judged = 0;
    for (found, count) in method.close_features(judge.near.limit, &take) {
        out.append(found);
        judged += count;
    }
    Ok(judged)
}
