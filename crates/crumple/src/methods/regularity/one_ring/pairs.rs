//! The triangles round one vertex, told apart pair by pair where the one-ring as a whole was not certified.

use super::crowded::{Crowded, MANY};
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, sub};
use crate::methods::regularity::hierarchy::Copies;
use crate::{Mesh, TriangleId, VertexId};

/// Relative error of a triple product of differences, with room: each of its roundings is 2^-53.
const UNIT: f64 = 32.0 * f64::EPSILON;

/// A triangle round the vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RingTriangle {
    /// Its number within the body.
    pub id: u32,
    pub corners: [u32; 3],
    /// Seen from the vertex: the two other corners, and their cross product.
    pub a: Point,
    pub b: Point,
    normal: Point,
}

/// The triangles round a vertex, seen from it. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct TrianglesAtVertex {
    vertex: u32,
    round: Vec<TriangleId>,
    list: Vec<RingTriangle>,
    /// No side is longer than this.
    reach: f64,
    crowded: Crowded,
}

impl TrianglesAtVertex {
    /// Takes in the triangles round a vertex, in the body's order, without copies.
    pub fn collect(&mut self, vertex: u32, body: &Mesh, copies: &Copies, positions: &[Point]) {
        self.vertex = vertex;
        self.list.clear();
        self.reach = 0.0;
        let v = &positions[vertex as usize];
        let size = |p: &Point| p[0].abs() + p[1].abs() + p[2].abs();
        self.round.clear();
        body.triangles_round(VertexId(vertex), &mut self.round);
        for t in self.round.iter().filter(|t| !copies.is_copy(t.0)) {
            let corners = body.triangle(*t).map(|c| c.0);
            let k = corners.iter().position(|&c| c == vertex).expect("a triangle at the vertex");
            let [a, b] = [1, 2].map(|i| sub(&positions[corners[(k + i) % 3] as usize], v));
            self.reach = max(self.reach, max(size(&a), size(&b)));
            self.list.push(RingTriangle { id: t.0, corners, a, b, normal: cross(&a, &b) });
        }
    }

    /// Calls `visit` for all pairs that may meet beyond what they share and whose lowest common vertex this is, and says
    /// whether they are certainly apart.
    pub fn for_each_pair(&mut self, positions: &[Point], mut visit: impl FnMut([&RingTriangle; 2], bool)) {
        if self.list.len() > MANY {
            let mut crowded = std::mem::take(&mut self.crowded);
            for [s, t] in crowded.pairs(self.vertex, &self.list, positions) {
                let pair = [&self.list[*s as usize], &self.list[*t as usize]];
                visit(pair, self.are_apart(pair));
            }
            self.crowded = crowded;
            return;
        }
        for (i, s) in self.list.iter().enumerate() {
            for t in &self.list[i + 1..] {
                // Two triangles meet at several vertices; the lowest settles them.
                if !s.corners.iter().any(|v| *v < self.vertex && t.corners.contains(v)) {
                    visit([s, t], self.are_apart([s, t]));
                }
            }
        }
    }

    /// Whether two triangles certainly meet only in the vertex, or in the edge that they share: the plane of one has the
    /// free corners of the other on one side.
    fn are_apart(&self, [s, t]: [&RingTriangle; 2]) -> bool {
        let bound = UNIT * self.reach * self.reach * self.reach;
        let certain = |x: f64| if x.abs() > bound { x } else { 0.0 };
        let share_an_edge = s.corners.iter().any(|v| *v != self.vertex && t.corners.contains(v));
        let by_plane_of = |s: &RingTriangle, t: &RingTriangle| {
            let (a, b) = (certain(dot(&s.normal, &t.a)), certain(dot(&s.normal, &t.b)));
            // A corner on the shared edge lies in both planes, so only the free one can be off the plane.
            if share_an_edge { a != 0.0 || b != 0.0 } else { (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) }
        };
        by_plane_of(s, t) || by_plane_of(t, s)
    }
}
