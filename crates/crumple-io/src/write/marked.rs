//! What the writers take: bodies with names, and what collides in them.

use std::io;
use std::ops::Range;

use super::refuse;
use crate::{MeshData, Part, Polygons, Uvs};

/// A body to be written, with what collides marked.
///
/// ```
/// use crumple_io::write::MarkedBody;
/// let cloth = crumple_io::MeshData::default();
/// let mut body = MarkedBody::new("cloth", &cloth);
/// body.marks.triangles = Some(&[]);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct MarkedBody<'a> {
    /// Its name; empty for none.
    pub name: &'a str,
    /// Where its vertices are, in this frame.
    pub positions: &'a [[f64; 3]],
    /// Its faces as its file gave them; of a tet mesh, the boundary triangles, for formats that have no tets.
    pub faces: Faces<'a>,
    /// Its tets; empty for a surface.
    pub tets: &'a [[u32; 4]],
    /// Objects, groups and materials of the faces.
    pub parts: &'a [Part],
    /// Texture coordinates of the faces.
    pub uvs: Option<&'a Uvs>,
    /// Files that define the materials.
    pub material_libraries: &'a [String],
    /// What collides.
    pub marks: Marks<'a>,
}

/// What collides in a body. `None` means that nothing is known about it, which is not the same as "nothing collides".
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks<'a> {
    /// A flag for each triangle, where a face of `k` corners counts as a fan of `k - 2` triangles from its first.
    pub triangles: Option<&'a [bool]>,
    /// A flag for each tet.
    pub tets: Option<&'a [bool]>,
    /// A flag for each vertex. Without it, the corners of marked faces and tets are the marked vertices.
    pub vertices: Option<&'a [bool]>,
    /// How deep each vertex is inside something, 0 where it is not.
    pub depths: Option<&'a [f64]>,
}

/// Faces of any kind.
#[derive(Debug, Clone, Copy)]
pub enum Faces<'a> {
    /// As a file gives them.
    Polygons(&'a Polygons),
    /// Triangles only.
    Triangles(&'a [[u32; 3]]),
}

impl<'a> Faces<'a> {
    /// Number of faces.
    pub fn len(&self) -> usize {
        match self {
            Self::Polygons(polygons) => polygons.len(),
            Self::Triangles(triangles) => triangles.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The corners of face `f`.
    pub fn get(&self, f: usize) -> &'a [u32] {
        match *self {
            Self::Polygons(polygons) => polygons.get(f),
            Self::Triangles(triangles) => &triangles[f],
        }
    }

    /// All faces in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [u32]> + use<'a> {
        let faces = *self;
        (0..faces.len()).map(move |f| faces.get(f))
    }

    fn corner_count(&self) -> usize {
        match self {
            Self::Polygons(polygons) => polygons.corner_count(),
            Self::Triangles(triangles) => 3 * triangles.len(),
        }
    }

    pub(super) fn corner_range(&self, f: usize) -> Range<usize> {
        match self {
            Self::Polygons(polygons) => polygons.corner_range(f),
            Self::Triangles(_) => 3 * f..3 * f + 3,
        }
    }
}

impl<'a> MarkedBody<'a> {
    /// The mesh as its file gave it, with nothing marked. Other positions and marks are set as fields.
    pub fn new(name: &'a str, mesh: &'a MeshData) -> Self {
        Self {
            name,
            positions: &mesh.positions,
            faces: Faces::Polygons(&mesh.polygons),
            tets: &mesh.tets,
            parts: &mesh.parts,
            uvs: Some(&mesh.uvs).filter(|uvs| !uvs.is_empty()),
            material_libraries: &mesh.material_libraries,
            marks: Marks::default(),
        }
    }

    /// Whether each face has a marked triangle; `None` without flags of triangles.
    pub(super) fn marked_faces(&self) -> Option<Vec<bool>> {
        let flags = self.marks.triangles?;
        let mut first = 0;
        let mark = |face: &[u32]| {
            let triangles = first..first + face.len() - 2;
            first = triangles.end;
            flags[triangles].contains(&true)
        };
        Some(self.faces.iter().map(mark).collect())
    }

    /// Whether each vertex is marked; `None` without any flags.
    pub(super) fn marked_vertices(&self) -> Option<Vec<bool>> {
        if let Some(flags) = self.marks.vertices {
            return Some(flags.to_vec());
        }
        let faces = self.marked_faces();
        if faces.is_none() && self.marks.tets.is_none() {
            return None;
        }
        let mut marked = vec![false; self.positions.len()];
        let faces = faces.unwrap_or_default();
        let of_faces = self.faces.iter().zip(&faces).filter(|(_, mark)| **mark).flat_map(|(face, _)| face);
        let flags = self.marks.tets.unwrap_or_default();
        let of_tets = self.tets.iter().zip(flags).filter(|(_, mark)| **mark).flat_map(|(tet, _)| tet);
        of_faces.chain(of_tets).for_each(|&vertex| marked[vertex as usize] = true);
        Some(marked)
    }

    /// Refuses what contradicts itself.
    pub(super) fn check(&self) -> io::Result<()> {
        let vertices = self.positions.len();
        let corners = self.faces.iter().flatten().chain(self.tets.as_flattened());
        if let Some(bad) = corners.into_iter().find(|&&corner| corner as usize >= vertices) {
            return refuse(format!("vertex {bad} in an element, but there are {vertices} vertices"));
        }
        if let Some(f) = self.faces.iter().position(|face| face.len() < 3) {
            return refuse(format!("face {f} has fewer than three corners"));
        }
        let triangles = self.faces.iter().map(|face| face.len() - 2).sum();
        let rows = [
            (self.marks.triangles.map(<[bool]>::len), "collision flags", triangles, "triangles"),
            (self.marks.tets.map(<[bool]>::len), "collision flags", self.tets.len(), "tets"),
            (self.marks.vertices.map(<[bool]>::len), "collision flags", vertices, "vertices"),
            (self.marks.depths.map(<[f64]>::len), "depths", vertices, "vertices"),
        ];
        for (held, what, needed, of) in rows {
            if let Some(held) = held.filter(|&held| held != needed) {
                return refuse(format!("{held} {what} for {needed} {of}"));
            }
        }
        if let Some(uvs) = self.uvs {
            let (held, needed) = match uvs.corners.len() {
                0 => (uvs.coordinates.len(), vertices),
                corners => (corners, self.faces.corner_count()),
            };
            if held != needed {
                return refuse(format!("{held} texture coordinates for {needed} vertices or corners"));
            }
            let pairs = uvs.coordinates.len();
            if let Some(bad) = uvs.corners.iter().find(|&&uv| uv != Uvs::NONE && uv as usize >= pairs) {
                return refuse(format!("texture coordinates {bad} of a corner, but there are {pairs}"));
            }
        }
        let mut end = 0;
        for part in self.parts {
            if part.faces.start != end || part.faces.end < end {
                return refuse(format!("a part of the faces {:?} after face {end}", part.faces));
            }
            end = part.faces.end;
        }
        if !self.parts.is_empty() && end != self.faces.len() {
            return refuse(format!("the parts have {end} faces, the body has {}", self.faces.len()));
        }
        Ok(())
    }

    /// Refuses what a surface format cannot hold either.
    pub(super) fn check_surface(&self) -> io::Result<()> {
        if !self.tets.is_empty() && self.faces.is_empty() {
            return refuse(format!(
                "the format has no tetrahedra ({} given): write their boundary, or a .vtu",
                self.tets.len()
            ));
        }
        self.check()
    }
}
