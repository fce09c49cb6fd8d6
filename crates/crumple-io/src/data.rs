//! What a mesh file holds, before any topology is checked.

use std::ops::Range;
use std::sync::Arc;

/// The content of one mesh file, in the order of the file.
///
/// A file with neither polygons nor tets is a body of points. A file with tets ignores its separate surface
/// elements, so that `polygons` is empty whenever `tets` is not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    /// One position per vertex, as parsed to the nearest `f64` (or widened from `f32` without loss).
    pub positions: Vec<[f64; 3]>,
    /// Faces with three or more corners.
    pub polygons: Polygons,
    /// Corners of each tetrahedron.
    pub tets: Vec<[u32; 4]>,
    /// Runs of faces that belong to the same object, group and material, in file order: they cover all polygons, or
    /// there are none because the file names nothing.
    pub parts: Vec<Part>,
    /// Texture coordinates, where they were asked for ([`ReadOptions::uvs`](crate::ReadOptions::uvs)).
    pub uvs: Uvs,
    /// Files that define the materials, as the mesh file names them (`mtllib` of OBJ).
    pub material_libraries: Vec<String>,
    /// What was skipped or repaired while reading, one sentence each ("12 line elements ignored").
    pub notes: Vec<String>,
}

/// A run of faces with the names that the file gives them; an empty name is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Object: `o` of OBJ, node (or mesh) of glTF.
    pub object: Arc<str>,
    /// Group: `g` of OBJ, primitive of a glTF mesh that has several.
    pub group: Arc<str>,
    /// Material: `usemtl` of OBJ, material of a glTF primitive.
    pub material: Arc<str>,
    /// The polygons.
    pub faces: Range<usize>,
}

impl Part {
    /// Whether both have the same three names.
    pub fn same_names(&self, other: &Self) -> bool {
        self.object == other.object && self.group == other.group && self.material == other.material
    }
}

/// Texture coordinates of vertices (PLY, glTF) or of corners (OBJ).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uvs {
    /// Pairs of u and v, as they stand in the file.
    pub coordinates: Vec<[f64; 2]>,
    /// Which of them each corner of each polygon has, polygon after polygon; [`Uvs::NONE`] where it has none. If this
    /// is empty, vertex `i` has pair `i`.
    pub corners: Vec<u32>,
}

impl Uvs {
    /// A corner without texture coordinates.
    pub const NONE: u32 = u32::MAX;

    /// Whether there are none at all.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }
}

/// Polygons of any number of corners in one flat array.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygons {
    /// `starts[p]..starts[p + 1]` are the corners of polygon `p`; begins with 0.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Default for Polygons {
    fn default() -> Self {
        Self { starts: vec![0], corners: Vec::new() }
    }
}

impl Polygons {
    /// Polygons from plain triangles.
    pub fn from_triangles(triangles: &[[u32; 3]]) -> Self {
        Self::from_triangle_corners(triangles.as_flattened().to_vec())
    }

    /// Triangles from their corners, three after three.
    pub(crate) fn from_triangle_corners(corners: Vec<u32>) -> Self {
        Self { starts: (0..=(corners.len() / 3) as u32).map(|t| 3 * t).collect(), corners }
    }

    /// Appends one polygon.
    pub fn push(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.starts.push(self.corners.len() as u32);
    }

    /// Appends triangles, corner after corner.
    pub(crate) fn extend_triangles(&mut self, corners: impl ExactSizeIterator<Item = u32>) {
        let before = self.corners.len() as u32;
        let triangles = (corners.len() / 3) as u32;
        self.corners.extend(corners);
        self.starts.extend((1..=triangles).map(|t| before + 3 * t));
    }

    /// Number of polygons.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no polygon.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of corners of all polygons.
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Where the corners of polygon `p` stand among the corners of all polygons.
    pub fn corner_range(&self, p: usize) -> Range<usize> {
        self.starts[p] as usize..self.starts[p + 1] as usize
    }

    /// The corners of polygon `p`.
    pub fn get(&self, p: usize) -> &[u32] {
        &self.corners[self.corner_range(p)]
    }

    /// All polygons in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|p| self.get(p))
    }
}
