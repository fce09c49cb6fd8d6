//! What a mesh file holds, before any topology is checked.

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
    /// What was skipped or repaired while reading, one sentence each ("12 line elements ignored").
    pub notes: Vec<String>,
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
        let mut polygons = Self::default();
        for t in triangles {
            polygons.push(t);
        }
        polygons
    }

    /// Appends one polygon.
    pub fn push(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.starts.push(self.corners.len() as u32);
    }

    /// Number of polygons.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no polygon.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The corners of polygon `p`.
    pub fn get(&self, p: usize) -> &[u32] {
        &self.corners[self.starts[p] as usize..self.starts[p + 1] as usize]
    }

    /// All polygons in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|p| self.get(p))
    }
}
