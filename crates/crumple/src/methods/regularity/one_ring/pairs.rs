//! The triangles round one vertex, told apart pair by pair where the one-ring as a whole was not certified.

use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, sub};
use crate::{Mesh, VertexId};

/// Relative error of a triple product of differences, with room: each of its roundings is 2^-53.
const UNIT: f64 = 32.0 * f64::EPSILON;

/// A triangle seen from one of its vertices: the two others, and their cross product.
#[derive(Debug, Clone, Copy)]
struct SeenTriangle {
    a: Point,
    b: Point,
    normal: Point,
}

/// The triangles round a vertex, seen from it, to be told apart pair by pair. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct TrianglesAtVertex {
    list: Vec<SeenTriangle>,
    /// No side is longer than this.
    reach: f64,
}

impl TrianglesAtVertex {
    /// Takes in the triangles round a vertex, in the body's order.
    pub fn collect(&mut self, vertex: u32, body: &Mesh, positions: &[Point]) {
        self.list.clear();
        self.reach = 0.0;
        let v = &positions[vertex as usize];
        let size = |p: &Point| p[0].abs() + p[1].abs() + p[2].abs();
        for &t in body.topology().triangles_at(VertexId(vertex)) {
            let corners = body.triangles()[t.index()];
            let k = corners.iter().position(|c| c.0 == vertex).expect("a triangle at the vertex");
            let [a, b] = [1, 2].map(|i| sub(&positions[corners[(k + i) % 3].index()], v));
            self.reach = max(self.reach, max(size(&a), size(&b)));
            self.list.push(SeenTriangle { a, b, normal: cross(&a, &b) });
        }
    }

    /// Whether triangles `i` and `j` round the vertex certainly meet only in the vertex, or in the edge that they share: the
    /// plane of one has the free corners of the other on one side.
    pub fn are_apart(&self, i: usize, j: usize, share_an_edge: bool) -> bool {
        let bound = UNIT * self.reach * self.reach * self.reach;
        let certain = |x: f64| if x.abs() > bound { x } else { 0.0 };
        let by_plane_of = |s: &SeenTriangle, t: &SeenTriangle| {
            let (a, b) = (certain(dot(&s.normal, &t.a)), certain(dot(&s.normal, &t.b)));
            // A corner on the shared edge lies in both planes, so only the free one can be off the plane.
            if share_an_edge { a != 0.0 || b != 0.0 } else { (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) }
        };
        let (s, t) = (&self.list[i], &self.list[j]);
        by_plane_of(s, t) || by_plane_of(t, s)
    }
}
