//! One body: its elements, checked once.

use std::sync::{Arc, OnceLock};

use super::adjacency::Adjacency;
use super::boundary::{BOUNDARY, boundary_faces};
use super::draft::TetFace;
use super::log::{ChangedRows, Log, Stamp};
use super::orientation::Orientation;
use super::rows::Rows;
use super::table::Table;
use super::tet_topology::TetTopology;
use super::topology::Topology;
use crate::counting_sort::CountingSort;
use crate::csr::Csr;
use crate::parallel;
use crate::{MeshError, PolygonId, TetId, TetKey, TriangleId, TriangleKey, VertexId};

/// The elements of one body; positions come separately with every frame.
///
/// A body is a surface (triangles, or polygons split as fans from their first vertex), a tetrahedral mesh (whose
/// triangles are its boundary), or bare points. It never changes: [`Mesh::edit`] yields the next version, which shares
/// with this one what both have in common. Clones share everything.
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
    pub name: Arc<str>,
    /// One and the same for all versions of a body.
    pub lineage: Arc<()>,
    pub version: u32,
    pub stamp: Stamp,
    pub log: Log,
    pub parts: Parts,
    pub adjacency: OnceLock<Adjacency>,
    topology: OnceLock<Topology>,
    half_edges: OnceLock<Csr>,
    /// How many edges there are, and how many of an odd number of triangles.
    edge_counts: OnceLock<[usize; 2]>,
    tet_topology: OnceLock<TetTopology>,
}

/// The lists of a version; a clone shares them.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub vertices: u32,
    pub triangles: Table<3>,
    pub tets: Table<4>,
    /// For a tetrahedral body: the tet, by its key, and local face behind each triangle.
    pub faces: Rows<TetFace>,
    /// The way back: for each key of a tet the keys of the triangles that are its faces. Made by the first edit.
    face_triangles: Rows<[u32; 4]>,
    /// For polygons that are not all triangles: the polygon of each triangle.
    pub polygons: Option<Polygons>,
    /// Number of polygons as given.
    pub polygon_count: u32,
}

/// The polygon of each triangle.
#[derive(Debug)]
pub(super) struct Polygons {
    pub rows: Rows<u32>,
    /// In one array, once that is asked for.
    flat: OnceLock<Vec<u32>>,
}

impl Clone for Polygons {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), flat: OnceLock::new() }
    }
}

impl Polygons {
    /// Every triangle a polygon of its own.
    pub fn counting(triangles: usize) -> Self {
        Self { rows: (0..triangles as u32).collect::<Vec<u32>>().into(), flat: OnceLock::new() }
    }
}

impl Parts {
    /// The key of the triangle that is a face of a tet, or [`BOUNDARY`].
    pub fn face_triangle(&self, tet_key: u32, face: u8) -> u32 {
        let key = tet_key as usize;
        if key < self.face_triangles.len() { self.face_triangles.get(key)[face as usize] } else { BOUNDARY }
    }

    pub fn set_face_triangle(&mut self, tet_key: u32, face: u8, triangle: u32) {
        let key = tet_key as usize;
        while self.face_triangles.len() <= key {
            self.face_triangles.push([BOUNDARY; 4]);
        }
        let mut row = self.face_triangles.get(key);
        row[face as usize] = triangle;
        self.face_triangles.set(key, row);
    }

    /// Makes the way from tets to their faces, once.
    pub fn find_face_triangles(&mut self) {
        if self.face_triangles.len() > 0 {
            return;
        }
        let mut all = vec![[BOUNDARY; 4]; self.tets.len()];
        for t in 0..self.faces.len() {
            let (tet, face) = self.faces.get(t);
            all[tet as usize][face as usize] = t as u32;
        }
        self.face_triangles = all.into();
    }
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
        faces: Vec<TetFace>,
        polygons: Option<Vec<u32>>,
        polygon_count: usize,
    ) -> Self {
        let parts = Parts {
            vertices,
            triangles: triangles.into(),
            tets: tets.into(),
            faces: faces.into(),
            face_triangles: Rows::default(),
            polygons: polygons.map(|p| Polygons { rows: p.into(), flat: OnceLock::new() }),
            polygon_count: polygon_count as u32,
        };
        Self { inner: Arc::new(Inner::new(name.into(), Arc::default(), 0, Log::default(), parts)) }
    }

    /// The next version, with what is known of its neighbourhoods.
    pub(super) fn next(&self, parts: Parts, adjacency: Adjacency, changed: ChangedRows) -> Self {
        let old = &*self.inner;
        let log = old.log.then(old.stamp, changed);
        let next = Inner::new(old.name.clone(), old.lineage.clone(), old.version + 1, log, parts);
        next.adjacency.set(adjacency).expect("it is new");
        Self { inner: Arc::new(next) }
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.inner.parts
    }

    /// Which elements, by their ids, are not what they were in another version that this one came from; `None` when it
    /// did not, or too many edits ago. Costs the changes.
    pub(crate) fn changed_since(&self, before: &Mesh) -> Option<ChangedRows> {
        if self.is_same(before) {
            return Some(ChangedRows::default());
        }
        self.inner.log.since(before.inner.stamp)
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
        self.inner.parts.vertices as usize
    }

    /// Corners of each triangle, ids within the body. After an edit the list is laid out anew when this is first asked.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        bytemuck::cast_slice(self.inner.parts.triangles.flat())
    }

    /// Corners of each triangle, when they lie in one array: before the first edit, or once that array was asked for.
    pub(crate) fn flat_triangles(&self) -> Option<&[[u32; 3]]> {
        self.inner.parts.triangles.known_flat()
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.inner.parts.triangles.len()
    }

    /// Corners of one triangle, at no more cost after an edit than before.
    #[inline]
    pub fn triangle(&self, triangle: TriangleId) -> [VertexId; 3] {
        self.inner.parts.triangles.corners.get(triangle.index()).map(VertexId)
    }

    /// Corners of each tetrahedron, ids within the body. After an edit the list is laid out anew when this is first asked.
    pub fn tets(&self) -> &[[VertexId; 4]] {
        bytemuck::cast_slice(self.inner.parts.tets.flat())
    }

    /// Number of tets.
    pub fn tet_count(&self) -> usize {
        self.inner.parts.tets.len()
    }

    /// Corners of one tet, at no more cost after an edit than before.
    #[inline]
    pub fn tet(&self, tet: TetId) -> [VertexId; 4] {
        self.inner.parts.tets.corners.get(tet.index()).map(VertexId)
    }

    /// Whether it is a tetrahedral mesh.
    pub fn is_solid(&self) -> bool {
        self.tet_count() > 0
    }

    /// The tet behind a boundary triangle and the local vertex opposite to it; `None` on a plain surface.
    pub fn tet_of(&self, triangle: TriangleId) -> Option<(TetId, u8)> {
        let parts = &self.inner.parts;
        if triangle.index() >= parts.faces.len() {
            return None;
        }
        let (key, face) = parts.faces.get(triangle.index());
        parts.tets.id_of(key).map(|tet| (TetId(tet), face))
    }

    /// The polygon that a triangle was split from (its own number on a surface of triangles).
    pub fn polygon_of(&self, triangle: TriangleId) -> PolygonId {
        let polygons = self.inner.parts.polygons.as_ref();
        PolygonId(polygons.map_or(triangle.0, |p| p.rows.get(triangle.index())))
    }

    /// The polygon of each triangle, when polygons and triangles are not the same things.
    pub fn polygons(&self) -> Option<&[PolygonId]> {
        let polygons = self.inner.parts.polygons.as_ref()?;
        let all = match polygons.rows.as_slice() {
            Some(all) => all,
            None => polygons.flat.get_or_init(|| polygons.rows.to_vec()),
        };
        Some(bytemuck::cast_slice(all))
    }

    /// Number of polygons as given.
    pub fn polygon_count(&self) -> usize {
        self.inner.parts.polygon_count as usize
    }

    /// The stable key of a triangle.
    pub fn triangle_key(&self, triangle: TriangleId) -> TriangleKey {
        TriangleKey(self.inner.parts.triangles.key(triangle.0))
    }

    /// The triangle of that key in this version.
    pub fn triangle_with_key(&self, key: TriangleKey) -> Option<TriangleId> {
        self.inner.parts.triangles.id_of(key.0).map(TriangleId)
    }

    /// The stable key of a tet.
    pub fn tet_key(&self, tet: TetId) -> TetKey {
        TetKey(self.inner.parts.tets.key(tet.0))
    }

    /// The tet of that key in this version.
    pub fn tet_with_key(&self, key: TetKey) -> Option<TetId> {
        self.inner.parts.tets.id_of(key.0).map(TetId)
    }

    /// What is next to what: found once for a body, then carried through its edits at the cost of the change.
    pub fn adjacency(&self) -> &Adjacency {
        let parts = &self.inner.parts;
        self.inner.adjacency.get_or_init(|| {
            Adjacency::new(parts.vertices as usize, parts.triangles.flat(), parts.tets.flat())
        })
    }

    /// Components, boundary loops and verdicts of the surface, computed on first use and kept.
    pub fn topology(&self) -> &Topology {
        let parts = &self.inner.parts;
        self.inner.topology.get_or_init(|| Topology::new(parts.vertices, parts.triangles.flat()))
    }

    /// Edges and neighbours of the tets, computed on first use and kept.
    pub fn tet_topology(&self) -> &TetTopology {
        let parts = &self.inner.parts;
        self.inner.tet_topology.get_or_init(|| TetTopology::new(parts.vertices, parts.tets.flat()))
    }

    /// The half-edges from each vertex, ascending: `3 t + k` starts at corner `k` of triangle `t`. Found on first use and kept.
    pub(crate) fn half_edges_at(&self) -> &Csr {
        self.inner.half_edges.get_or_init(|| {
            let parts = &self.inner.parts;
            let mut sorted = CountingSort::default();
            sorted.fill(parts.triangles.flat().as_flattened(), parts.vertices as usize);
            sorted.into_csr()
        })
    }

    /// Appends the triangles at a vertex, ascending, from whatever is known already.
    pub(crate) fn triangles_round(&self, vertex: VertexId, out: &mut Vec<TriangleId>) {
        if let Some(known) = self.inner.half_edges.get() {
            // One that names the vertex twice comes twice, one after the other.
            let mut last = u32::MAX;
            out.extend(
                known
                    .row(vertex.index())
                    .iter()
                    .map(|h| h / 3)
                    .filter_map(|t| (std::mem::replace(&mut last, t) != t).then_some(TriangleId(t))),
            );
            return;
        }
        match self.inner.topology.get() {
            Some(known) => out.extend_from_slice(known.triangles_at(vertex)),
            None => out.extend(self.adjacency().triangles_at(vertex)),
        }
    }

    /// The tets at a vertex, in any order, from whatever is known already.
    pub(crate) fn tets_round(&self, vertex: VertexId) -> impl Iterator<Item = TetId> {
        let known = self.inner.adjacency.get().is_none().then(|| self.inner.tet_topology.get()).flatten();
        let listed = known.map(|known| known.tets_at(vertex).iter().copied());
        let star = known.is_none().then(|| self.adjacency().tet_star(vertex.0).map(TetId));
        listed.into_iter().flatten().chain(star.into_iter().flatten())
    }

    /// Number of edges of the surface, from whatever is known already.
    pub(crate) fn edge_count(&self) -> usize {
        match (self.inner.adjacency.get(), self.inner.topology.get()) {
            (Some(known), _) => known.edge_count(),
            (None, Some(known)) => known.edges().len(),
            (None, None) => self.edge_counts()[0],
        }
    }

    /// Counts edges, and those of an odd number of triangles, at their lower ends: all of the topology takes three times as long.
    fn edge_counts(&self) -> [usize; 2] {
        *self.inner.edge_counts.get_or_init(|| {
            let (triangles, at) = (self.inner.parts.triangles.flat(), self.half_edges_at());
            let vertices: Vec<u32> = (0..self.vertex_count() as u32).collect();
            let counts =
                parallel::map_chunks(&vertices, parallel::WORTH, &mut Vec::new(), |ends, vertices| {
                    let [mut all, mut odd] = [0; 2];
                    for &v in vertices {
                        ends.clear();
                        for &half_edge in at.row(v as usize) {
                            let (corners, k) = (triangles[half_edge as usize / 3], half_edge as usize % 3);
                            ends.extend(
                                [corners[(k + 1) % 3], corners[(k + 2) % 3]].into_iter().filter(|&w| w > v),
                            );
                        }
                        ends.sort_unstable();
                        for edge in ends.chunk_by(|a, b| a == b) {
                            all += 1;
                            odd += edge.len() % 2;
                        }
                    }
                    [all, odd]
                });
            counts.into_iter().fold([0; 2], |[all, odd], [a, o]| [all + a, odd + o])
        })
    }

    /// Pairs of triangles that meet in a vertex, each in both orders and with itself.
    pub(crate) fn meeting_pairs(&self) -> u64 {
        let pairs = |n: usize| (n * n) as u64;
        let vertices = 0..self.vertex_count();
        if let Some(known) = self.inner.half_edges.get() {
            return vertices.map(|v| pairs(known.row(v).len())).sum();
        }
        let mut counts = vec![0usize; vertices.len()];
        self.triangles().as_flattened().iter().for_each(|v| counts[v.index()] += 1);
        counts.into_iter().map(pairs).sum()
    }

    /// Whether every edge of the surface belongs to an even number of triangles, from whatever is known already.
    pub(crate) fn is_closed(&self) -> bool {
        match (self.inner.adjacency.get(), self.inner.topology.get()) {
            (Some(known), _) => known.is_closed(),
            (None, Some(known)) => known.is_closed(),
            (None, None) => self.edge_counts()[1] == 0,
        }
    }

    /// Whether neighbouring triangles run in the same sense, from whatever is known already.
    pub(crate) fn is_oriented(&self) -> bool {
        match self.inner.adjacency.get() {
            Some(known) => known.is_oriented(),
            None => self.topology().orientation() == Orientation::Consistent,
        }
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

impl Inner {
    fn new(name: Arc<str>, lineage: Arc<()>, version: u32, log: Log, parts: Parts) -> Self {
        Self {
            name,
            lineage,
            version,
            stamp: Stamp::new(),
            log,
            parts,
            adjacency: OnceLock::new(),
            topology: OnceLock::new(),
            half_edges: OnceLock::new(),
            edge_counts: OnceLock::new(),
            tet_topology: OnceLock::new(),
        }
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

/// Its elements; polygons are told by their triangles.
#[cfg(feature = "serde")]
impl serde::Serialize for Mesh {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Mesh", 4)?;
        out.serialize_field("name", self.name())?;
        out.serialize_field("vertices", &self.vertex_count())?;
        out.serialize_field("triangles", self.triangles())?;
        out.serialize_field("tets", self.tets())?;
        out.end()
    }
}
