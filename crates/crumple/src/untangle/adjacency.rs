//! Edges, triangles and vertices of all bodies and how they hang together, in ids across bodies.

use crate::narrow::Feature;
use crate::{Bodies, BodyId, EdgeId, TriangleId, VertexId};

/// A vertex, an edge or a triangle, by its id across bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// A vertex.
    Vertex(u32),
    /// An edge; edges are numbered body after body.
    Edge(u32),
    /// The inside of a triangle.
    Triangle(u32),
}

/// The adjacency of all bodies.
pub(crate) struct Adjacency<'b> {
    bodies: &'b Bodies,
    /// The first edge of each body, and the total last.
    edge_starts: Vec<u32>,
}

impl<'b> Adjacency<'b> {
    pub fn new(bodies: &'b Bodies) -> Self {
        let mut edge_starts = vec![0];
        for mesh in bodies.meshes() {
            let last = edge_starts[edge_starts.len() - 1];
            edge_starts.push(last + mesh.topology().edges().len() as u32);
        }
        Self { bodies, edge_starts }
    }

    pub fn bodies(&self) -> &'b Bodies {
        self.bodies
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [u32; 3] {
        self.bodies.triangles()[triangle as usize].map(|v| v.0)
    }

    /// The component of a triangle, by numbers across bodies.
    pub fn component(&self, triangle: u32) -> usize {
        let (body, id) = self.bodies.locate_triangle(TriangleId(triangle));
        // A body has no more components than triangles.
        self.bodies.triangle_range(body).start + self.bodies.mesh(body).topology().component_of(id)
    }

    /// The part of a triangle that a feature names.
    pub fn part(&self, triangle: u32, feature: Feature) -> Part {
        match feature {
            Feature::Face => Part::Triangle(triangle),
            Feature::Vertex(k) => Part::Vertex(self.corners(triangle)[usize::from(k)]),
            Feature::Edge(k) => {
                let (body, id) = self.bodies.locate_triangle(TriangleId(triangle));
                let edges = self.bodies.mesh(body).topology().edges_of(id);
                match edges[usize::from(k)] {
                    Some(edge) => Part::Edge(self.edge_starts[body.index()] + edge.0),
                    // Both ends are one vertex.
                    None => Part::Vertex(self.corners(triangle)[usize::from(k)]),
                }
            }
        }
    }

    fn locate_edge(&self, edge: u32) -> (BodyId, EdgeId) {
        let body = self.edge_starts.partition_point(|&s| s <= edge) - 1;
        (BodyId(body as u32), EdgeId(edge - self.edge_starts[body]))
    }

    /// The ends of an edge.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        let (body, id) = self.locate_edge(edge);
        let first = self.bodies.vertex_range(body).start as u32;
        self.bodies.mesh(body).topology().edges()[id.index()].map(|v| first + v.0)
    }

    /// Whether an edge belongs to one triangle only.
    pub fn is_border(&self, edge: u32) -> bool {
        let (body, id) = self.locate_edge(edge);
        self.bodies.mesh(body).topology().triangles_of_edge(id).len() == 1
    }

    /// The edges at a vertex, each with its other end.
    pub fn edges_at(&self, vertex: u32) -> impl Iterator<Item = (u32, u32)> + use<'b> {
        let (body, id) = self.bodies.locate_vertex(VertexId(vertex));
        let (first_edge, first) = (self.edge_starts[body.index()], vertex - id.0);
        let topology = self.bodies.mesh(body).topology();
        topology.edges_at(id).iter().map(move |e| {
            let [a, b] = topology.edges()[e.index()];
            (first_edge + e.0, first + if a == id { b.0 } else { a.0 })
        })
    }

    /// The vertices joined to a vertex by an edge.
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + use<'b> {
        self.edges_at(vertex).map(|(_, v)| v)
    }
}
