//! What hits what between two frames: every vertex against every triangle, every edge against every edge.
//!
//! Written apart from `narrow::continuous` and sharing nothing with it: integers of any size, polynomials as lists of
//! coefficients, roots by Sturm's theorem, normals and weights as polynomials of full degree (up to four) instead of an
//! axis to project along. A query takes a fifth of a millisecond. Only with the feature `oracle`.

mod algebraic;
mod query;
#[cfg(test)]
mod tests;

pub use query::{Instant, edge_edge, point_edge, point_point, vertex_triangle};

use crate::geometry::{Aabb, Point};
use crate::{Bodies, Features, Frame, FrameError, TriangleId, VertexId};

/// A vertex that hits a triangle, or an edge that hits an edge, and when.
#[derive(Debug)]
pub struct Hit {
    /// The features.
    pub features: Features,
    /// The first contact.
    pub first: Instant,
}

/// All hits of a step from one frame to the next, within and between bodies, sorted by their features.
pub fn impacts(bodies: &Bodies, start: Frame<'_>, end: Frame<'_>) -> Result<Vec<Hit>, FrameError> {
    let (mut start_scratch, mut end_scratch) = (Vec::new(), Vec::new());
    let start = start.flat(bodies, &mut start_scratch)?;
    let end = end.flat(bodies, &mut end_scratch)?;
    let swept = |ids: &[VertexId]| {
        Aabb::of(&ids.iter().flat_map(|v| [start[v.index()], end[v.index()]]).collect::<Vec<_>>())
    };
    let at = |p: &[Point], ids: [VertexId; 4]| ids.map(|v| p[v.index()]);
    let mut edges: Vec<[VertexId; 2]> = (bodies.triangles().iter())
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[a, b]| a != b)
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut vertices: Vec<VertexId> = bodies.triangles().iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();

    let mut hits = Vec::new();
    for &v in &vertices {
        for (t, corners) in bodies.triangles().iter().enumerate() {
            if corners.contains(&v) || !swept(&[v]).overlaps(&swept(corners)) {
                continue;
            }
            let ids = [v, corners[0], corners[1], corners[2]];
            if let Some(first) = vertex_triangle(&at(start, ids), &at(end, ids)) {
                hits.push(Hit { features: Features::VertexTriangle(v, TriangleId(t as u32)), first });
            }
        }
    }
    for (i, a) in edges.iter().enumerate() {
        for b in &edges[i + 1..] {
            if a.iter().any(|v| b.contains(v)) || !swept(a).overlaps(&swept(b)) {
                continue;
            }
            let ids = [a[0], a[1], b[0], b[1]];
            if let Some(first) = edge_edge(&at(start, ids), &at(end, ids)) {
                hits.push(Hit { features: Features::EdgeEdge(*a, *b), first });
            }
        }
    }
    Ok(hits)
}
