//! What is closer than a distance: every vertex against every triangle, every edge against every edge.

use crate::geometry::{Aabb, Point};
use crate::narrow::close_features::{edge_edge, vertex_triangle};
use crate::{
    Bodies, Closeness, EdgeEdge, Frame, FrameError, Proximity, TriangleId, VertexId, VertexTriangle,
};

/// Every pair of a vertex and a triangle of which it is no corner, and every pair of edges of triangles without a common vertex,
/// that are closer than [`Closeness`] says; each once, sorted. Thickness must be there for every body, and reach for every vertex.
pub fn proximity(bodies: &Bodies, frame: Frame<'_>, close: &Closeness<'_>) -> Result<Proximity, FrameError> {
    let (mut now, mut then) = (Vec::new(), Vec::new());
    let positions = frame.flat(bodies, &mut now)?;
    let rest = close.rest.map(|rest| rest.flat(bodies, &mut then)).transpose()?;
    let mut out = Proximity::default();
    let wanted = |v: VertexId, w: VertexId| {
        let (a, b) = (bodies.locate_vertex(v).0, bodies.locate_vertex(w).0);
        let is_asked = close.pairs.asks_for(a == b) && close.names(a, b);
        is_asked.then(|| (close.of(a.index(), b.index()), rest.filter(|_| a == b)))
    };
    for vertex in (0..bodies.vertex_count() as u32).map(VertexId) {
        for (t, corners) in bodies.triangles().iter().enumerate() {
            let Some((limit, rest)) = wanted(vertex, corners[0]) else { continue };
            let limit = Closeness::between(close.reach, limit, [&[vertex], corners]);
            let near = |at: &[Point]| {
                let (p, t) = (at[vertex.index()], corners.map(|v| at[v.index()]));
                if is_far(&[p], &t, limit) { None } else { vertex_triangle(&p, &t, limit) }
            };
            if corners.contains(&vertex) || rest.is_some_and(|rest| near(rest).is_some()) {
                continue;
            }
            out.vertex_triangles.extend(near(positions).map(|found| VertexTriangle {
                vertex,
                triangle: TriangleId(t as u32),
                distance: found.distance,
                weights: found.weights[1],
                normal: found.normal,
                feature: found.features[1],
            }));
        }
    }
    let edges = edges(bodies);
    for (i, &a) in edges.iter().enumerate() {
        for &b in &edges[i + 1..] {
            let Some((limit, rest)) = wanted(a[0], b[0]) else { continue };
            let limit = Closeness::between(close.reach, limit, [&a, &b]);
            let near = |at: &[Point]| {
                let [p, q] = [a, b].map(|e| e.map(|v| at[v.index()]));
                if is_far(&p, &q, limit) { None } else { edge_edge(&p, &q, limit) }
            };
            if a.contains(&b[0]) || a.contains(&b[1]) || rest.is_some_and(|rest| near(rest).is_some()) {
                continue;
            }
            out.edge_edges.extend(near(positions).map(|found| EdgeEdge {
                a,
                b,
                distance: found.distance,
                weights: [found.weights[0][1], found.weights[1][1]],
                normal: found.normal,
                features: found.features,
            }));
        }
    }
    out.sort();
    Ok(out)
}

/// Whether boxes are certainly further apart than the limit.
fn is_far(a: &[Point], b: &[Point], limit: f64) -> bool {
    Aabb::of(a).distance_sq(&Aabb::of(b)) > (limit * limit).max(1e-280) * (1.0 + 1e-12)
}

/// Every edge of a triangle once, the smaller end first, sorted.
fn edges(bodies: &Bodies) -> Vec<[VertexId; 2]> {
    let of = |&[p, q, r]: &[VertexId; 3]| [[p, q], [q, r], [r, p]].map(|[v, w]| [v.min(w), v.max(w)]);
    let mut edges: Vec<_> = bodies.triangles().iter().flat_map(of).filter(|[v, w]| v != w).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
