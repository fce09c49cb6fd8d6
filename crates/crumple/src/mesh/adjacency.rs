//! Adjacency that follows edits: what is round a vertex, borders, orientation, closedness.
//!
//! [`Topology`](super::Topology) has all of a surface, components and boundary loops included, and is found anew for each
//! version that is asked for it. What is here is carried from version to version at the cost of the change: the stars of the
//! vertices that an edit touches.

use super::stars::Stars;
use crate::{TetId, TriangleId, VertexId};

/// What is next to what in one version of a body, kept through edits; see [`Mesh::adjacency`](crate::Mesh::adjacency).
///
/// ```
/// use crumple::{Mesh, TriangleKey, VertexId};
/// let tet = Mesh::from_triangles("tet", 4, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert!(tet.adjacency().is_closed() && tet.adjacency().is_oriented());
/// let mut edit = tet.edit();
/// edit.remove_triangle(TriangleKey(0))?;
/// let (open, _) = edit.finish();
/// assert_eq!(open.adjacency().border_edge_count(), 3);
/// assert_eq!(open.adjacency().triangles_at(VertexId(0)).len(), 2);
/// # Ok::<(), crumple::MeshError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Adjacency {
    pub(super) triangles: Stars<3>,
    pub(super) tets: Stars<4>,
    pub(super) edges: EdgeCounts,
}

impl Adjacency {
    pub(super) fn new(vertices: usize, triangles: &[[u32; 3]], tets: &[[u32; 4]]) -> Self {
        let stars = Stars::new(vertices, triangles);
        let edges = EdgeCounts::of_all(vertices, &stars, triangles);
        Self { triangles: stars, tets: Stars::new(vertices, tets), edges }
    }

    /// The triangles that use a vertex, ascending.
    pub fn triangles_at(&self, vertex: VertexId) -> Vec<TriangleId> {
        self.triangles.sorted(vertex.0).into_iter().map(TriangleId).collect()
    }

    /// The triangles that use a vertex, in any order; one that names it twice comes twice.
    pub(crate) fn star(&self, vertex: u32) -> impl Iterator<Item = u32> + Clone + use<'_> {
        self.triangles.at(vertex)
    }

    /// The tets that use a vertex, in any order.
    pub(crate) fn tet_star(&self, vertex: u32) -> impl Iterator<Item = u32> + Clone + use<'_> {
        self.tets.at(vertex)
    }

    /// The tets that use a vertex, ascending.
    pub fn tets_at(&self, vertex: VertexId) -> Vec<TetId> {
        self.tets.sorted(vertex.0).into_iter().map(TetId).collect()
    }

    /// Number of edges of the surface.
    pub fn edge_count(&self) -> usize {
        self.edges.all as usize
    }

    /// Number of edges of one triangle only.
    pub fn border_edge_count(&self) -> usize {
        self.edges.border as usize
    }

    /// Number of edges of three or more triangles.
    pub fn non_manifold_edge_count(&self) -> usize {
        self.edges.crowded as usize
    }

    /// Whether every edge belongs to an even number of triangles.
    pub fn is_closed(&self) -> bool {
        self.edges.odd == 0
    }

    /// Whether the two triangles of every edge of two run through it in opposite directions.
    pub fn is_oriented(&self) -> bool {
        self.edges.twisted == 0
    }
}

/// How many edges there are of each sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EdgeCounts {
    pub all: u32,
    /// Of one triangle.
    pub border: u32,
    /// Of an odd number of triangles.
    pub odd: u32,
    /// Of more than two.
    pub crowded: u32,
    /// Of two that run through it in the same direction.
    pub twisted: u32,
}

/// A side of a triangle: the triangle, and whether it runs from the lower vertex to the higher.
type Side = (u32, bool);

impl EdgeCounts {
    fn of_all(vertices: usize, stars: &Stars<3>, triangles: &[[u32; 3]]) -> Self {
        let mut counts = Self::default();
        let mut sides: Vec<(u32, Side)> = Vec::new();
        for v in 0..vertices as u32 {
            sides.clear();
            let mut last = u32::MAX;
            // Lists ascend, so that what comes twice comes twice in a row.
            for t in stars.at(v) {
                if std::mem::replace(&mut last, t) == t {
                    continue;
                }
                let c = triangles[t as usize];
                for k in 0..3 {
                    let (a, b) = (c[k], c[(k + 1) % 3]);
                    if a.min(b) == v && a != b {
                        sides.push((a.max(b), (t, a < b)));
                    }
                }
            }
            sides.sort_unstable();
            for edge in sides.chunk_by(|a, b| a.0 == b.0) {
                counts.add(edge.iter().map(|(_, side)| *side), 1);
            }
        }
        counts
    }

    /// Counts one edge, or takes it off.
    pub fn add(&mut self, sides: impl Iterator<Item = Side>, times: i32) {
        let mut first: Option<Side> = None;
        let (mut n, mut is_twisted) = (0, false);
        for side in sides {
            n += 1;
            is_twisted = first.is_some_and(|f| f.0 != side.0 && f.1 == side.1);
            first = first.or(Some(side));
        }
        let count = |of: &mut u32, is: bool| *of = of.wrapping_add_signed(if is { times } else { 0 });
        count(&mut self.all, n > 0);
        count(&mut self.border, n == 1);
        count(&mut self.odd, n % 2 == 1);
        count(&mut self.crowded, n > 2);
        count(&mut self.twisted, n == 2 && is_twisted);
    }
}

/// The sides of triangles along the edge of two vertices.
pub(super) fn sides_of([v, w]: [u32; 2], stars: &Stars<3>, corners: impl Fn(u32) -> [u32; 3]) -> Vec<Side> {
    let mut sides = Vec::new();
    for t in stars.sorted(v) {
        let c = corners(t);
        for k in 0..3 {
            let (a, b) = (c[k], c[(k + 1) % 3]);
            if [a, b] == [v, w] || [b, a] == [v, w] {
                sides.push((t, a < b));
            }
        }
    }
    sides
}
