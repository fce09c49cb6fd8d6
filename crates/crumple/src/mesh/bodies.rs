//! All meshes of a scene with one id space.

use std::ops::Range;

use super::Mesh;
use crate::{BodyId, MeshError, TetId, TriangleId, VertexId};

/// The bodies of one scene, their ids laid end to end: vertices, triangles and tets of a body are one contiguous
/// range each.
///
/// ```
/// use crumple::{Mesh, BodyId, Bodies, TriangleId};
/// let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]])?;
/// let mesh = Bodies::new([one.clone(), one])?;
/// assert_eq!(mesh.locate_triangle(TriangleId(1)), (BodyId(1), TriangleId(0)));
/// # Ok::<(), crumple::MeshError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bodies {
    bodies: Vec<Mesh>,
    triangles: Vec<[u32; 3]>,
    tets: Vec<[u32; 4]>,
    /// First vertex, triangle and tet of each body, and the totals last.
    starts: Vec<[u32; 3]>,
}

impl Bodies {
    /// Bodies in the order that numbers them.
    pub fn new(bodies: impl IntoIterator<Item = Mesh>) -> Result<Self, MeshError> {
        let bodies: Vec<Mesh> = bodies.into_iter().collect();
        let mut starts = vec![[0u32; 3]];
        let (mut triangles, mut tets) = (Vec::new(), Vec::new());
        for body in &bodies {
            let [v, t, s] = *starts.last().expect("never empty");
            let shift = |c: VertexId| c.0 + v;
            let add = |a: u32, n: usize, element| {
                let sum = u64::from(a) + n as u64;
                if sum >= u64::from(u32::MAX) {
                    Err(MeshError::TooMany { element, count: sum })
                } else {
                    Ok(sum as u32)
                }
            };
            starts.push([
                add(v, body.vertex_count(), "vertices")?,
                add(t, body.triangles().len(), "triangles")?,
                add(s, body.tets().len(), "tets")?,
            ]);
            triangles.extend(body.triangles().iter().map(|c| c.map(shift)));
            tets.extend(body.tets().iter().map(|c| c.map(shift)));
        }
        Ok(Self { bodies, triangles, tets, starts })
    }

    /// The next version of the scene, with one body replaced.
    #[doc(hidden)]
    pub fn with_mesh(&self, id: BodyId, body: Mesh) -> Result<Self, MeshError> {
        let mut bodies = self.bodies.clone();
        bodies[id.index()] = body;
        Self::new(bodies)
    }

    /// All bodies.
    pub fn meshes(&self) -> &[Mesh] {
        &self.bodies
    }

    /// One body.
    pub fn mesh(&self, id: BodyId) -> &Mesh {
        &self.bodies[id.index()]
    }

    /// Ids of all bodies.
    pub fn body_ids(&self) -> impl ExactSizeIterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// Number of vertices of all bodies.
    pub fn vertex_count(&self) -> usize {
        self.starts[self.bodies.len()][0] as usize
    }

    /// Corners of every triangle, ids across bodies.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        bytemuck::cast_slice(&self.triangles)
    }

    /// Corners of every tet, ids across bodies.
    pub fn tets(&self) -> &[[VertexId; 4]] {
        bytemuck::cast_slice(&self.tets)
    }

    /// Vertex ids of a body.
    pub fn vertex_range(&self, body: BodyId) -> Range<usize> {
        self.range(body, 0)
    }

    /// Triangle ids of a body.
    pub fn triangle_range(&self, body: BodyId) -> Range<usize> {
        self.range(body, 1)
    }

    /// Tet ids of a body.
    pub fn tet_range(&self, body: BodyId) -> Range<usize> {
        self.range(body, 2)
    }

    fn range(&self, body: BodyId, kind: usize) -> Range<usize> {
        self.starts[body.index()][kind] as usize..self.starts[body.index() + 1][kind] as usize
    }

    /// The body of a vertex and its id there.
    pub fn locate_vertex(&self, vertex: VertexId) -> (BodyId, VertexId) {
        let (body, id) = self.locate(vertex.0, 0);
        (body, VertexId(id))
    }

    /// The body of a triangle and its id there.
    pub fn locate_triangle(&self, triangle: TriangleId) -> (BodyId, TriangleId) {
        let (body, id) = self.locate(triangle.0, 1);
        (body, TriangleId(id))
    }

    /// The body of a tet and its id there.
    pub fn locate_tet(&self, tet: TetId) -> (BodyId, TetId) {
        let (body, id) = self.locate(tet.0, 2);
        (body, TetId(id))
    }

    fn locate(&self, id: u32, kind: usize) -> (BodyId, u32) {
        debug_assert!(id < self.starts[self.bodies.len()][kind]);
        let body = self.starts.partition_point(|s| s[kind] <= id) - 1;
        (BodyId(body as u32), id - self.starts[body][kind])
    }
}
