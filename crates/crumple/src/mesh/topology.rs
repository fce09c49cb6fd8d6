//! Adjacency of a surface and the verdicts on it, computed once per version; what few ask for, when it is asked for.

use std::sync::OnceLock;

use super::edges::{Edges, NO_EDGE};
use super::orientation::{self, Orientation};
use crate::csr::Csr;
use crate::{EdgeId, TriangleId, VertexId};

/// A walk along edges that belong to one triangle only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BoundaryLoop {
    /// Vertices in order; a closed loop does not repeat the first one.
    pub vertices: Vec<VertexId>,
    /// Whether the last vertex joins the first. Open ends occur only at non-manifold edges.
    pub is_closed: bool,
}

/// Adjacency of a surface: edges, stars, boundary loops, components, orientation, and everything that is not a
/// clean manifold, by element.
#[derive(Debug, Clone)]
pub struct Topology {
    vertices: u32,
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) triangle_edges: Vec<[u32; 3]>,
    pub(super) edge_triangles: Csr,
    component: Vec<u32>,
    component_orientation: Vec<Orientation>,
    flipped: Vec<bool>,
    non_manifold_edges: Vec<u32>,
    duplicates: Vec<(u32, u32)>,
    collapsed: Vec<u32>,
    /// Corners of the collapsed triangles: edges do not tell them.
    collapsed_corners: Vec<[u32; 3]>,
    is_closed: bool,
    vertex_triangles: OnceLock<Csr>,
    vertex_edges: OnceLock<Csr>,
    boundary_loops: OnceLock<Vec<BoundaryLoop>>,
    vertex_verdicts: OnceLock<VertexVerdicts>,
}

/// What is odd about vertices.
#[derive(Debug, Clone, Default)]
struct VertexVerdicts {
    non_manifold: Vec<u32>,
    unused: Vec<u32>,
}

impl Topology {
    pub(super) fn new(vertices: u32, triangles: &[[u32; 3]]) -> Self {
        let edges = Edges::new(vertices, triangles);
        let oriented = orientation::orient(triangles, &edges);
        let Edges { ends: edges, of_triangle: triangle_edges, triangles: edge_triangles, .. } = edges;
        let mut topology = Self {
            vertices,
            component: oriented.component,
            component_orientation: oriented.verdicts,
            flipped: oriented.flipped,
            non_manifold_edges: Vec::new(),
            duplicates: Vec::new(),
            collapsed: Vec::new(),
            collapsed_corners: Vec::new(),
            is_closed: true,
            edges,
            triangle_edges,
            edge_triangles,
            vertex_triangles: OnceLock::new(),
            vertex_edges: OnceLock::new(),
            boundary_loops: OnceLock::new(),
            vertex_verdicts: OnceLock::new(),
        };
        topology.judge_edges();
        topology.judge_collapsed(triangles);
        topology.duplicates.sort_unstable();
        topology
    }

    /// Counts the triangles of every edge. Triangles with the same vertices have the same edges: they are found at the
    /// lowest of these.
    fn judge_edges(&mut self) {
        let sorted = |t: u32| {
            let mut edges = self.triangle_edges[t as usize];
            edges.sort_unstable();
            edges
        };
        let mut here = Vec::new();
        for e in 0..self.edges.len() {
            let row = self.edge_triangles.row(e);
            self.is_closed &= row.len().is_multiple_of(2);
            if let &[a, b] = row {
                // Two that share this edge alone are the rule.
                let [a, b] = [a, b].map(|t| self.triangle_edges[t as usize]);
                if b.iter().filter(|f| a.contains(f)).count() == 1 {
                    continue;
                }
            } else if row.len() < 2 {
                continue;
            } else {
                self.non_manifold_edges.push(e as u32);
            }
            here.clear();
            let edges = row.iter().map(|&t| (sorted(t), t));
            // Of collapsed triangles edges do not tell the vertices.
            here.extend(edges.filter(|(edges, _)| edges[0] == e as u32 && edges[2] != NO_EDGE));
            here.sort_unstable();
            for group in here.chunk_by(|a, b| a.0 == b.0) {
                self.duplicates.extend(group[1..].iter().map(|&(_, t)| (t, group[0].1)));
            }
        }
    }

    fn judge_collapsed(&mut self, triangles: &[[u32; 3]]) {
        let all = self.triangle_edges.iter().enumerate().filter(|(_, edges)| edges.contains(&NO_EDGE));
        self.collapsed = all.map(|(t, _)| t as u32).collect();
        self.collapsed_corners = self.collapsed.iter().map(|&t| triangles[t as usize]).collect();
        let mut sorted: Vec<([u32; 3], u32)> =
            self.collapsed_corners.iter().copied().zip(self.collapsed.iter().copied()).collect();
        sorted.iter_mut().for_each(|(corners, _)| corners.sort_unstable());
        sorted.sort_unstable();
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            self.duplicates.extend(group[1..].iter().map(|&(_, t)| (t, group[0].1)));
        }
    }

    /// The corners of a triangle, from its edges.
    fn corners(&self, triangle: u32) -> [u32; 3] {
        let edges = self.triangle_edges[triangle as usize];
        if edges.contains(&NO_EDGE) {
            let place = self.collapsed.binary_search(&triangle).expect("it has less than three edges");
            return self.collapsed_corners[place];
        }
        let ends = edges.map(|e| self.edges[e as usize]);
        // A corner is what the edges on both sides of it have in common.
        std::array::from_fn(|k| {
            let [v, w] = ends[k];
            if ends[(k + 2) % 3].contains(&v) { v } else { w }
        })
    }

    fn vertex_triangles(&self) -> &Csr {
        self.vertex_triangles.get_or_init(|| {
            let all = 0..self.triangle_edges.len() as u32;
            Csr::from_pairs(
                self.vertices as usize,
                all.flat_map(|t| distinct(self.corners(t)).map(move |v| (v, t))),
            )
        })
    }

    fn vertex_edges(&self) -> &Csr {
        self.vertex_edges.get_or_init(|| {
            let ends = self.edges.iter().enumerate();
            Csr::from_pairs(
                self.vertices as usize,
                ends.flat_map(|(e, ends)| ends.iter().map(move |&v| (v, e as u32))),
            )
        })
    }

    fn vertex_verdicts(&self) -> &VertexVerdicts {
        self.vertex_verdicts.get_or_init(|| {
            let mut found = VertexVerdicts::default();
            let mut fan = Fan {
                stamp: vec![u32::MAX; self.triangle_edges.len()],
                crossed: vec![u32::MAX; self.edges.len()],
                reached: Vec::new(),
            };
            for v in 0..self.vertices {
                let star = self.vertex_triangles().row(v as usize);
                if star.is_empty() {
                    found.unused.push(v);
                } else if !self.is_one_fan(v, star, &mut fan) {
                    found.non_manifold.push(v);
                }
            }
            found
        })
    }

    /// Whether the triangles round a vertex hang together through edges that end there.
    fn is_one_fan(&self, v: u32, star: &[u32], fan: &mut Fan) -> bool {
        fan.reached.clear();
        fan.reach(v, star[0]);
        let mut next = 0;
        while next < fan.reached.len() {
            for &e in &self.triangle_edges[fan.reached[next] as usize] {
                // Each edge once: thousands of triangles may share one.
                if e != NO_EDGE && self.edges[e as usize].contains(&v) && fan.cross(v, e) {
                    self.edge_triangles.row(e as usize).iter().for_each(|&t| fan.reach(v, t));
                }
            }
            next += 1;
        }
        fan.reached.len() == star.len()
    }

    fn walk_boundary(&self) -> Vec<BoundaryLoop> {
        let is_border = |e: u32| self.edge_triangles.row(e as usize).len() == 1;
        if !(0..self.edges.len() as u32).any(is_border) {
            return Vec::new();
        }
        let vertex_edges = self.vertex_edges();
        let mut used = vec![false; self.edges.len()];
        // Edges before the cursor of a vertex are used up, so that a fan of a million edges is walked once.
        let mut cursor = vec![0u32; vertex_edges.rows()];
        let mut loops = Vec::new();
        for first in 0..self.edges.len() as u32 {
            if used[first as usize] || !is_border(first) {
                continue;
            }
            used[first as usize] = true;
            let [start, mut at] = self.directed(first);
            let mut vertices = vec![VertexId(start)];
            while at != start {
                vertices.push(VertexId(at));
                let row = vertex_edges.row(at as usize);
                let place = &mut cursor[at as usize];
                while row.get(*place as usize).is_some_and(|&e| used[e as usize] || !is_border(e)) {
                    *place += 1;
                }
                let Some(&e) = row.get(*place as usize) else { break };
                used[e as usize] = true;
                let [a, b] = self.edges[e as usize];
                at = if a == at { b } else { a };
            }
            loops.push(BoundaryLoop { vertices, is_closed: at == start });
        }
        loops
    }

    /// A border edge in the direction in which its triangle runs through it.
    fn directed(&self, edge: u32) -> [u32; 2] {
        let [a, b] = self.edges[edge as usize];
        let t = self.corners(self.edge_triangles.row(edge as usize)[0]);
        if (0..3).any(|k| t[k] == a && t[(k + 1) % 3] == b) { [a, b] } else { [b, a] }
    }

    /// Every edge once, smaller vertex first, sorted.
    pub fn edges(&self) -> &[[VertexId; 2]] {
        bytemuck::cast_slice(&self.edges)
    }

    /// The edges of a triangle; edge `k` joins corners `k` and `k + 1`. `None` where both are one vertex.
    pub(crate) fn edges_of(&self, triangle: TriangleId) -> [Option<EdgeId>; 3] {
        self.triangle_edges[triangle.index()].map(|e| (e != NO_EDGE).then_some(EdgeId(e)))
    }

    /// The triangles of an edge, ascending.
    #[doc(hidden)]
    pub fn triangles_of_edge(&self, edge: EdgeId) -> &[TriangleId] {
        bytemuck::cast_slice(self.edge_triangles.row(edge.index()))
    }

    /// The triangles round a vertex, ascending.
    pub fn triangles_at(&self, vertex: VertexId) -> &[TriangleId] {
        bytemuck::cast_slice(self.vertex_triangles().row(vertex.index()))
    }

    /// The edges at a vertex, ascending.
    #[doc(hidden)]
    pub fn edges_at(&self, vertex: VertexId) -> &[EdgeId] {
        bytemuck::cast_slice(self.vertex_edges().row(vertex.index()))
    }

    /// The vertices joined to a vertex by an edge.
    pub fn neighbours(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> {
        self.edges_at(vertex).iter().map(move |e| {
            let [a, b] = self.edges()[e.index()];
            if a == vertex { b } else { a }
        })
    }

    /// Walks along the edges of one triangle only.
    pub fn boundary_loops(&self) -> &[BoundaryLoop] {
        self.boundary_loops.get_or_init(|| self.walk_boundary())
    }

    /// Number of components; triangles that share an edge are in the same one.
    pub fn component_count(&self) -> usize {
        self.component_orientation.len()
    }

    /// The component of a triangle.
    #[doc(hidden)]
    pub fn component_of(&self, triangle: TriangleId) -> usize {
        self.component[triangle.index()] as usize
    }

    /// The orientation of one component.
    pub(crate) fn component_orientation(&self, component: usize) -> Orientation {
        self.component_orientation[component]
    }

    /// The worst orientation of any component.
    pub fn orientation(&self) -> Orientation {
        self.component_orientation.iter().copied().max().unwrap_or(Orientation::Consistent)
    }

    /// Whether a triangle must be turned round so that its component is consistently oriented (the majority of the
    /// component stays as it is; the first triangle decides a tie). Meaningless on non-orientable components.
    #[doc(hidden)]
    pub fn is_flipped(&self, triangle: TriangleId) -> bool {
        self.flipped[triangle.index()]
    }

    /// Edges of three or more triangles.
    pub fn non_manifold_edges(&self) -> &[EdgeId] {
        bytemuck::cast_slice(&self.non_manifold_edges)
    }

    /// Vertices whose triangles do not form one fan.
    #[doc(hidden)]
    pub fn non_manifold_vertices(&self) -> &[VertexId] {
        bytemuck::cast_slice(&self.vertex_verdicts().non_manifold)
    }

    /// Triangles with the same vertices as an earlier one: (duplicate, first).
    pub(crate) fn duplicates(&self) -> impl ExactSizeIterator<Item = (TriangleId, TriangleId)> {
        self.duplicates.iter().map(|&(d, f)| (TriangleId(d), TriangleId(f)))
    }

    /// Triangles that name one vertex twice.
    pub(crate) fn collapsed(&self) -> &[TriangleId] {
        bytemuck::cast_slice(&self.collapsed)
    }

    /// Vertices that no triangle uses.
    #[doc(hidden)]
    pub fn unused_vertices(&self) -> &[VertexId] {
        bytemuck::cast_slice(&self.vertex_verdicts().unused)
    }

    /// Whether every edge belongs to an even number of triangles.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Scratch of [`Topology::is_one_fan`]: the triangles reached round the vertex that stamps them, and the edges crossed.
struct Fan {
    stamp: Vec<u32>,
    crossed: Vec<u32>,
    reached: Vec<u32>,
}

impl Fan {
    fn reach(&mut self, vertex: u32, triangle: u32) {
        if std::mem::replace(&mut self.stamp[triangle as usize], vertex) != vertex {
            self.reached.push(triangle);
        }
    }

    /// Whether the edge is crossed for the first time round this vertex.
    fn cross(&mut self, vertex: u32, edge: u32) -> bool {
        std::mem::replace(&mut self.crossed[edge as usize], vertex) != vertex
    }
}

fn distinct([a, b, c]: [u32; 3]) -> impl Iterator<Item = u32> + Clone {
    let second = (b != a).then_some(b);
    let third = (c != a && c != b).then_some(c);
    std::iter::once(a).chain(second).chain(third)
}
