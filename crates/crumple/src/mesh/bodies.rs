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
        let starts = starts(&bodies)?;
        let (mut triangles, mut tets) = (Vec::new(), Vec::new());
        for (body, [v, ..]) in bodies.iter().zip(&starts) {
            triangles.extend(body.triangles().iter().map(|c| c.map(|c| c.0 + v)));
            tets.extend(body.tets().iter().map(|c| c.map(|c| c.0 + v)));
        }
        Ok(Self { bodies, triangles, tets, starts })
    }

    /// The next version of the scene, with one body replaced.
    #[doc(hidden)]
    pub fn with_mesh(&self, id: BodyId, body: Mesh) -> Result<Self, MeshError> {
        let mut next = self.clone();
        next.set_mesh(id, body)?;
        Ok(next)
    }

    /// Replaces one body. When the new one came from the old one by edits, that costs the change, and where its counts have
    /// changed, a pass over the lists of the bodies behind it.
    pub fn set_mesh(&mut self, id: BodyId, body: Mesh) -> Result<(), MeshError> {
        let Some(changed) = body.changed_since(&self.bodies[id.index()]) else {
            let mut bodies = std::mem::take(&mut self.bodies);
            let old = std::mem::replace(&mut bodies[id.index()], body);
            return match Self::new(bodies.iter().cloned()) {
                Ok(next) => {
                    *self = next;
                    Ok(())
                }
                Err(error) => {
                    bodies[id.index()] = old;
                    self.bodies = bodies;
                    Err(error)
                }
            };
        };
        let old = std::mem::replace(&mut self.bodies[id.index()], body);
        let starts = match starts(&self.bodies) {
            Ok(starts) => starts,
            Err(error) => {
                self.bodies[id.index()] = old;
                return Err(error);
            }
        };
        let (first, mesh) = (starts[id.index()], &self.bodies[id.index()]);
        let [triangles, tets] = [self.range(id, 1), self.range(id, 2)];
        resize(&mut self.triangles, triangles, mesh.triangle_count());
        resize(&mut self.tets, tets, mesh.tet_count());
        let moved = mesh.vertex_count() as i64 - old.vertex_count() as i64;
        if moved != 0 {
            let end = starts[id.index() + 1];
            let shift = |v: &mut u32| *v = (i64::from(*v) + moved) as u32;
            self.triangles[end[1] as usize..].as_flattened_mut().iter_mut().for_each(shift);
            self.tets[end[2] as usize..].as_flattened_mut().iter_mut().for_each(shift);
        }
        let global = |v: VertexId| v.0 + first[0];
        for &t in changed.triangles.iter().filter(|&&t| (t as usize) < mesh.triangle_count()) {
            self.triangles[(first[1] + t) as usize] = mesh.triangle(TriangleId(t)).map(global);
        }
        for &t in changed.tets.iter().filter(|&&t| (t as usize) < mesh.tet_count()) {
            self.tets[(first[2] + t) as usize] = mesh.tet(TetId(t)).map(global);
        }
        self.starts = starts;
        Ok(())
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

/// First vertex, triangle and tet of each body, and the totals last.
fn starts(bodies: &[Mesh]) -> Result<Vec<[u32; 3]>, MeshError> {
    let mut starts = vec![[0u32; 3]];
    for body in bodies {
        let [v, t, s] = *starts.last().expect("never empty");
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
            add(t, body.triangle_count(), "triangles")?,
            add(s, body.tet_count(), "tets")?,
        ]);
    }
    Ok(starts)
}

/// Makes a range of rows longer or shorter at its end.
fn resize<const N: usize>(rows: &mut Vec<[u32; N]>, range: Range<usize>, len: usize) {
    let (old, end) = (range.len(), range.end);
    if len > old {
        rows.splice(end..end, std::iter::repeat_n([0; N], len - old));
    } else {
        rows.drain(range.start + len..end);
    }
}
