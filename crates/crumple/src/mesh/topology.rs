//! Adjacency of a surface and the verdicts on it, computed once per version.

use super::orientation::{self, Orientation};
use crate::csr::Csr;
use crate::{EdgeId, TriangleId, VertexId};

/// No edge: the two corners are the same vertex.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// A walk along edges that belong to one triangle only.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) triangle_edges: Vec<[u32; 3]>,
    pub(super) edge_triangles: Csr,
    vertex_triangles: Csr,
    vertex_edges: Csr,
    boundary_loops: Vec<BoundaryLoop>,
    component: Vec<u32>,
    component_orientation: Vec<Orientation>,
    flipped: Vec<bool>,
    non_manifold_edges: Vec<u32>,
    non_manifold_vertices: Vec<u32>,
    duplicates: Vec<(u32, u32)>,
    collapsed: Vec<u32>,
    unused_vertices: Vec<u32>,
    is_closed: bool,
}

impl Topology {
    pub(super) fn new(vertices: u32, triangles: &[[u32; 3]]) -> Self {
        let (edges, triangle_edges) = number_edges(vertices, triangles);
        let edge_triangles = Csr::from_pairs(
            edges.len(),
            triangle_edges
                .iter()
                .enumerate()
                .flat_map(|(t, es)| es.iter().filter(|&&e| e != NO_EDGE).map(move |&e| (e, t as u32))),
        );
        let vertex_triangles = Csr::from_pairs(
            vertices as usize,
            triangles.iter().enumerate().flat_map(|(t, c)| distinct(*c).map(move |v| (v, t as u32))),
        );
        let vertex_edges = Csr::from_pairs(
            vertices as usize,
            edges.iter().enumerate().flat_map(|(e, ends)| ends.iter().map(move |&v| (v, e as u32))),
        );
        let oriented = orientation::orient(triangles, &edges, &triangle_edges, &edge_triangles);
        let mut topology = Self {
            boundary_loops: Vec::new(),
            component: oriented.component,
            component_orientation: oriented.verdicts,
            flipped: oriented.flipped,
            non_manifold_edges: Vec::new(),
            non_manifold_vertices: Vec::new(),
            duplicates: Vec::new(),
            collapsed: Vec::new(),
            unused_vertices: Vec::new(),
            is_closed: true,
            edges,
            triangle_edges,
            edge_triangles,
            vertex_triangles,
            vertex_edges,
        };
        topology.judge_edges();
        topology.judge_vertices(vertices, triangles);
        topology.boundary_loops = topology.walk_boundary(triangles);
        topology
    }

    fn judge_edges(&mut self) {
        for e in 0..self.edges.len() {
            let n = self.edge_triangles.row(e).len();
            if n > 2 {
                self.non_manifold_edges.push(e as u32);
            }
            self.is_closed &= n.is_multiple_of(2);
        }
    }

    fn judge_vertices(&mut self, vertices: u32, triangles: &[[u32; 3]]) {
        let sorted = |t: u32| {
            let mut c = triangles[t as usize];
            c.sort_unstable();
            c
        };
        self.collapsed = (0..triangles.len() as u32)
            .filter(|&t| {
                let [a, b, c] = triangles[t as usize];
                a == b || b == c || c == a
            })
            .collect();
        let mut mine = Vec::new();
        let mut fan = Fan {
            stamp: vec![u32::MAX; triangles.len()],
            crossed: vec![u32::MAX; self.edges.len()],
            reached: Vec::new(),
        };
        for v in 0..vertices {
            let star = self.vertex_triangles.row(v as usize);
            if star.is_empty() {
                self.unused_vertices.push(v);
                continue;
            }
            mine.clear();
            mine.extend(star.iter().copied().filter(|&t| sorted(t)[0] == v));
            mine.sort_unstable_by_key(|&t| (sorted(t), t));
            for group in mine.chunk_by(|&a, &b| sorted(a) == sorted(b)) {
                self.duplicates.extend(group[1..].iter().map(|&t| (t, group[0])));
            }
            if !self.is_one_fan(v, star, &mut fan) {
                self.non_manifold_vertices.push(v);
            }
        }
        self.duplicates.sort_unstable();
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

    fn walk_boundary(&self, triangles: &[[u32; 3]]) -> Vec<BoundaryLoop> {
        let is_border = |e: u32| self.edge_triangles.row(e as usize).len() == 1;
        let mut used = vec![false; self.edges.len()];
        // Edges before the cursor of a vertex are used up, so that a fan of a million edges is walked once.
        let mut cursor = vec![0u32; self.vertex_edges.rows()];
        let mut loops = Vec::new();
        for first in 0..self.edges.len() as u32 {
            if used[first as usize] || !is_border(first) {
                continue;
            }
            used[first as usize] = true;
            let [start, mut at] = self.directed(first, triangles);
            let mut vertices = vec![VertexId(start)];
            while at != start {
                vertices.push(VertexId(at));
                let row = self.vertex_edges.row(at as usize);
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
    fn directed(&self, edge: u32, triangles: &[[u32; 3]]) -> [u32; 2] {
        let [a, b] = self.edges[edge as usize];
        let t = triangles[self.edge_triangles.row(edge as usize)[0] as usize];
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
        bytemuck::cast_slice(self.vertex_triangles.row(vertex.index()))
    }

    /// The edges at a vertex, ascending.
    #[doc(hidden)]
    pub fn edges_at(&self, vertex: VertexId) -> &[EdgeId] {
        bytemuck::cast_slice(self.vertex_edges.row(vertex.index()))
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
        &self.boundary_loops
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
        bytemuck::cast_slice(&self.non_manifold_vertices)
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
        bytemuck::cast_slice(&self.unused_vertices)
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

/// Numbers the edges in sorted order; edge `k` of a triangle joins corners `k` and `k + 1`.
fn number_edges(vertices: u32, triangles: &[[u32; 3]]) -> (Vec<[u32; 2]>, Vec<[u32; 3]>) {
    let ends = |place: u32| {
        let (t, k) = (place as usize / 3, place as usize % 3);
        let (a, b) = (triangles[t][k], triangles[t][(k + 1) % 3]);
        [a.min(b), a.max(b)]
    };
    let places = (0..3 * triangles.len() as u32).filter(|&p| ends(p)[0] != ends(p)[1]);
    let mut rows = Csr::from_pairs(vertices as usize, places.map(|p| (ends(p)[0], p)));
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(triangles.len() * 3 / 2);
    let mut triangle_edges = vec![[NO_EDGE; 3]; triangles.len()];
    for v in 0..vertices as usize {
        let row = rows.row_mut(v);
        row.sort_unstable_by_key(|&p| (ends(p)[1], p));
        for &p in row.iter() {
            if edges.last() != Some(&ends(p)) {
                edges.push(ends(p));
            }
            triangle_edges[p as usize / 3][p as usize % 3] = edges.len() as u32 - 1;
        }
    }
    (edges, triangle_edges)
}
