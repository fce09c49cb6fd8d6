//! One body: its elements, checked once.

use std::sync::{Arc, OnceLock};

use super::boundary::boundary_faces;
use super::tet_topology::TetTopology;
use super::topology::Topology;
use crate::{MeshError, PolygonId, TetId, TetKey, TriangleId, TriangleKey, VertexId};

/// The elements of one body; positions come separately with every frame.
///
/// A body is a surface (triangles, or polygons split as fans from their first vertex), a tetrahedral mesh (whose
/// triangles are its boundary), or bare points. It never changes: [`Mesh::edit`] yields the next version. Clones
/// share everything.
///
/// ```
/// use crumple::Mesh;
/// let square = Mesh::from_triangles("square", 4, &[[0, 1, 2], [0, 2, 3]])?;
/// assert_eq!(square.topology().boundary_loops().len(), 1);
/// # Ok::<(), crumple::MeshError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mesh {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub name: String,
    /// One and the same for all versions of a body.
    pub lineage: Arc<()>,
    pub version: u32,
    pub vertices: u32,
    pub triangles: Vec<[u32; 3]>,
    pub tets: Vec<[u32; 4]>,
    /// For a tetrahedral body: the tet and local face behind each triangle.
    pub faces: Vec<(TetId, u8)>,
    /// For polygons that are not all triangles: the polygon of each triangle.
    pub polygons: Option<Vec<u32>>,
    /// Number of polygons as given.
    pub polygon_count: u32,
    /// Keys, ascending; `None` while they equal the ids.
    pub triangle_keys: Option<Vec<u32>>,
    pub tet_keys: Option<Vec<u32>>,
    /// The next keys to give out.
    pub next_triangle_key: u32,
    pub next_tet_key: u32,
    pub topology: OnceLock<Topology>,
    pub tet_topology: OnceLock<TetTopology>,
}

impl Mesh {
    /// A surface of triangles. Zero-area, repeated and duplicate triangles are kept, and named by diagnostics.
    pub fn from_triangles(
        name: impl Into<String>,
        vertices: usize,
        triangles: &[[u32; 3]],
    ) -> Result<Self, MeshError> {
        let vertices = count(vertices, "vertices")?;
        count(triangles.len(), "triangles")?;
        check_corners("triangle", vertices, triangles)?;
        Ok(Self::assemble(
            name.into(),
            vertices,
            triangles.to_vec(),
            Vec::new(),
            Vec::new(),
            None,
            triangles.len(),
        ))
    }

    /// A surface of polygons, each split as a fan from its first vertex; polygons of fewer than three corners
    /// keep their number and have no triangle.
    pub fn from_polygons<'p>(
        name: impl Into<String>,
        vertices: usize,
        polygons: impl IntoIterator<Item = &'p [u32]>,
    ) -> Result<Self, MeshError> {
        let vertices = count(vertices, "vertices")?;
        let (mut triangles, mut owners, mut given) = (Vec::new(), Vec::new(), 0u32);
        let mut plain = true;
        for polygon in polygons {
            if let Some(&vertex) = polygon.iter().find(|&&v| v >= vertices) {
                return Err(MeshError::VertexOutOfRange {
                    element: "polygon",
                    index: given,
                    vertex,
                    vertices,
                });
            }
            plain &= polygon.len() == 3;
            for k in 1..polygon.len().saturating_sub(1) {
                triangles.push([polygon[0], polygon[k], polygon[k + 1]]);
                owners.push(given);
            }
            given = given.checked_add(1).ok_or(MeshError::TooMany { element: "polygons", count: 1 << 32 })?;
        }
        count(triangles.len(), "triangles")?;
        let owners = (!plain).then_some(owners);
        Ok(Self::assemble(name.into(), vertices, triangles, Vec::new(), Vec::new(), owners, given as usize))
    }

    /// A tetrahedral mesh. Its triangles are its boundary faces, ordered by (tet, local face opposite vertex
    /// 0..3), facing outward where the tet is positively oriented.
    pub fn from_tets(name: impl Into<String>, vertices: usize, tets: &[[u32; 4]]) -> Result<Self, MeshError> {
        let vertices = count(vertices, "vertices")?;
        if tets.len() >= (u32::MAX / 4) as usize {
            return Err(MeshError::TooMany { element: "tets", count: tets.len() as u64 });
        }
        check_corners("tet", vertices, tets)?;
        let (triangles, faces) = boundary_faces(vertices, tets);
        let given = triangles.len();
        Ok(Self::assemble(name.into(), vertices, triangles, tets.to_vec(), faces, None, given))
    }

    /// Bare points.
    pub fn from_points(name: impl Into<String>, vertices: usize) -> Result<Self, MeshError> {
        let vertices = count(vertices, "vertices")?;
        Ok(Self::assemble(name.into(), vertices, Vec::new(), Vec::new(), Vec::new(), None, 0))
    }

    fn assemble(
        name: String,
        vertices: u32,
        triangles: Vec<[u32; 3]>,
        tets: Vec<[u32; 4]>,
        faces: Vec<(TetId, u8)>,
        polygons: Option<Vec<u32>>,
        polygon_count: usize,
    ) -> Self {
        let (next_triangle_key, next_tet_key) = (triangles.len() as u32, tets.len() as u32);
        Self::from_inner(Inner {
            name,
            lineage: Arc::default(),
            version: 0,
            vertices,
            triangles,
            tets,
            faces,
            polygons,
            polygon_count: polygon_count as u32,
            triangle_keys: None,
            tet_keys: None,
            next_triangle_key,
            next_tet_key,
            topology: OnceLock::new(),
            tet_topology: OnceLock::new(),
        })
    }

    pub(super) fn from_inner(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// 0 for a body as it was made, one more after each edit.
    pub fn version(&self) -> u32 {
        self.inner.version
    }

    /// Number of vertices, used or not.
    pub fn vertex_count(&self) -> usize {
        self.inner.vertices as usize
    }

    /// Corners of each triangle, ids within the body.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        bytemuck::cast_slice(&self.inner.triangles)
    }

    /// Corners of each tetrahedron, ids within the body.
    pub fn tets(&self) -> &[[VertexId; 4]] {
        bytemuck::cast_slice(&self.inner.tets)
    }

    /// Whether it is a tetrahedral mesh.
    pub fn is_solid(&self) -> bool {
        !self.inner.tets.is_empty()
    }

    /// The tet behind a boundary triangle and the local vertex opposite to it; `None` on a plain surface.
    pub fn tet_of(&self, triangle: TriangleId) -> Option<(TetId, u8)> {
        self.inner.faces.get(triangle.index()).copied()
    }

    /// The polygon that a triangle was split from (its own number on a surface of triangles).
    pub fn polygon_of(&self, triangle: TriangleId) -> PolygonId {
        PolygonId(self.inner.polygons.as_ref().map_or(triangle.0, |p| p[triangle.index()]))
    }

    /// The polygon of each triangle, when polygons and triangles are not the same things.
    pub fn polygons(&self) -> Option<&[PolygonId]> {
        self.inner.polygons.as_deref().map(bytemuck::cast_slice)
    }

    /// Number of polygons as given.
    pub fn polygon_count(&self) -> usize {
        self.inner.polygon_count as usize
    }

    /// The stable key of a triangle.
    pub fn triangle_key(&self, triangle: TriangleId) -> TriangleKey {
        TriangleKey(self.inner.triangle_keys.as_ref().map_or(triangle.0, |k| k[triangle.index()]))
    }

    /// The triangle of that key in this version.
    pub fn triangle_with_key(&self, key: TriangleKey) -> Option<TriangleId> {
        place(&self.inner.triangle_keys, self.inner.triangles.len(), key.0).map(TriangleId)
    }

    /// The stable key of a tet.
    pub fn tet_key(&self, tet: TetId) -> TetKey {
        TetKey(self.inner.tet_keys.as_ref().map_or(tet.0, |k| k[tet.index()]))
    }

    /// The tet of that key in this version.
    pub fn tet_with_key(&self, key: TetKey) -> Option<TetId> {
        place(&self.inner.tet_keys, self.inner.tets.len(), key.0).map(TetId)
    }

    /// Adjacency and verdicts of the surface, computed on first use and kept.
    pub fn topology(&self) -> &Topology {
        self.inner.topology.get_or_init(|| Topology::new(self.inner.vertices, &self.inner.triangles))
    }

    /// Edges and neighbours of the tets, computed on first use and kept.
    pub fn tet_topology(&self) -> &TetTopology {
        self.inner.tet_topology.get_or_init(|| TetTopology::new(self.inner.vertices, &self.inner.tets))
    }

    /// Whether both are the very same version of the same body.
    pub fn is_same(&self, other: &Mesh) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Whether both are versions of the same body: one was edited into the other, or both come from a third.
    #[doc(hidden)]
    pub fn is_version_of(&self, other: &Mesh) -> bool {
        Arc::ptr_eq(&self.inner.lineage, &other.inner.lineage)
    }

    /// Equal for meshes that [are the same](Mesh::is_same), as long as one of them is kept.
    pub(super) fn identity(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }

    /// Equal for [versions of the same body](Mesh::is_version_of), as long as one of them is kept.
    pub(super) fn lineage(&self) -> usize {
        Arc::as_ptr(&self.inner.lineage).addr()
    }
}

fn place(keys: &Option<Vec<u32>>, len: usize, key: u32) -> Option<u32> {
    match keys {
        None => ((key as usize) < len).then_some(key),
        Some(keys) => keys.binary_search(&key).ok().map(|i| i as u32),
    }
}

fn count(n: usize, element: &'static str) -> Result<u32, MeshError> {
    // One below the maximum, which stands for "none" inside.
    if n >= u32::MAX as usize { Err(MeshError::TooMany { element, count: n as u64 }) } else { Ok(n as u32) }
}

pub(super) fn check_corners<const N: usize>(
    element: &'static str,
    vertices: u32,
    elements: &[[u32; N]],
) -> Result<(), MeshError> {
    for (index, corners) in elements.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v >= vertices) {
            return Err(MeshError::VertexOutOfRange { element, index: index as u32, vertex, vertices });
        }
    }
    Ok(())
}
