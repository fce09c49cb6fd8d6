//! What is kept of a file that may hold elements of many kinds.
//!
//! Finite-element formats (VTK, Gmsh, Medit) mix points, lines, faces and volumes. [`Elements`] takes them in
//! file order, keeps faces and tets, counts the rest by name, and in the end says in notes what was left out:
//! nothing is dropped silently. A curved (second-order or higher) face or tet is kept by its corners, which come
//! first in every format; the nodes on its sides stay vertices of the mesh, so that vertex numbers are the file's.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{MeshData, Polygons};

/// What an element is, and how its nodes are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A face of three corners; further nodes lie on its sides.
    Triangle,
    /// A face of four corners; further nodes lie on its sides.
    Quad,
    /// A face whose nodes are all corners.
    Polygon,
    /// A rectangle with its corners in rows: 0 1 / 2 3.
    Pixel,
    /// Triangles, each of which shares an edge with the one before.
    Strip,
    /// A tetrahedron of four corners; further nodes lie on its sides.
    Tet,
    /// Neither face nor tet; the name, in the plural, is for the note.
    Other(&'static str),
}

/// Elements in file order, with a count of what was left out.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    polygons: Polygons,
    tets: Vec<[u32; 4]>,
    corners: u64,
    curved: usize,
    short: usize,
    others: BTreeMap<&'static str, usize>,
}

impl Elements {
    /// Takes one element; its node numbers are known to be good. The error is a sentence without a place.
    pub fn push(&mut self, kind: Kind, nodes: &[u32]) -> Result<(), String> {
        match kind {
            Kind::Triangle => self.face("triangle", nodes, 3),
            Kind::Quad => self.face("quad", nodes, 4),
            Kind::Polygon if nodes.len() < 3 => {
                self.short += 1;
                Ok(())
            }
            Kind::Polygon => self.polygon(nodes),
            Kind::Pixel => match *nodes {
                [a, b, c, d] => self.polygon(&[a, b, d, c]),
                _ => Err(format!("a pixel has 4 corners, not {}", nodes.len())),
            },
            Kind::Strip => {
                for (i, w) in nodes.windows(3).enumerate() {
                    // Every other triangle runs backwards along the strip.
                    self.polygon(&if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })?;
                }
                self.short += usize::from(nodes.len() < 3);
                Ok(())
            }
            Kind::Tet => match *nodes {
                [a, b, c, d, ref rest @ ..] => {
                    self.tets.push([a, b, c, d]);
                    self.curved += usize::from(!rest.is_empty());
                    Ok(())
                }
                _ => Err(format!("a tet has 4 corners, not {}", nodes.len())),
            },
            Kind::Other(name) => {
                self.skip(name, 1);
                Ok(())
            }
        }
    }

    /// Takes elements that are all plain triangles or tets over the vertices `range`, at once; `false`, with nothing taken, if they
    /// are anything else or something is wrong with one: then they are to be pushed one by one, which says what.
    pub fn push_all(&mut self, kind: Kind, nodes: &[u32], ends: &[u32], range: Range<usize>) -> bool {
        let corners = match kind {
            Kind::Triangle | Kind::Polygon => 3,
            Kind::Tet => 4,
            _ => return false,
        };
        let is_plain = nodes.len() == corners * ends.len()
            && self.corners + nodes.len() as u64 <= u64::from(u32::MAX)
            && ends.iter().enumerate().all(|(e, &end)| end as usize == corners * (e + 1))
            && nodes.iter().all(|&node| (node as usize) < range.len());
        if !is_plain {
            return false;
        }
        // All of them are vertices of the mesh, whose numbers fit.
        let first = range.start as u32;
        if kind == Kind::Tet {
            self.tets.extend(nodes.as_chunks().0.iter().map(|tet: &[u32; 4]| tet.map(|v| first + v)));
        } else {
            self.corners += nodes.len() as u64;
            self.polygons.extend_triangles(nodes.iter().map(|v| first + v));
        }
        true
    }

    /// Counts elements that are not read.
    pub fn skip(&mut self, name: &'static str, count: usize) {
        if count > 0 {
            *self.others.entry(name).or_default() += count;
        }
    }

    /// The mesh of these elements over `positions`.
    pub fn into_mesh(self, positions: Vec<[f64; 3]>) -> MeshData {
        let mut notes: Vec<_> =
            self.others.iter().map(|(name, count)| format!("{count} {name} ignored")).collect();
        if self.short > 0 {
            notes.push(format!("{} faces with fewer than 3 corners ignored", self.short));
        }
        if self.curved > 0 {
            notes.push(format!("{} curved elements read by their corners, as straight ones", self.curved));
        }
        let mut polygons = self.polygons;
        if !self.tets.is_empty() && !polygons.is_empty() {
            notes.push(format!("{} surface elements ignored, because the file has tets", polygons.len()));
            polygons = Polygons::default();
        }
        MeshData { positions, polygons, tets: self.tets, notes, ..MeshData::default() }
    }

    fn face(&mut self, name: &str, nodes: &[u32], corners: usize) -> Result<(), String> {
        let Some(face) = nodes.get(..corners) else {
            return Err(format!("a {name} has {corners} corners, not {}", nodes.len()));
        };
        self.curved += usize::from(nodes.len() > corners);
        self.polygon(face)
    }

    fn polygon(&mut self, corners: &[u32]) -> Result<(), String> {
        self.corners += corners.len() as u64;
        if self.corners > u64::from(u32::MAX) {
            return Err("the faces have more than 2^32 corners".into());
        }
        self.polygons.push(corners);
        Ok(())
    }
}

/// The vertex with this number, if vertices are numbered from `base`, or the sentence that says which element
/// has a bad one.
#[inline]
pub(crate) fn vertex(
    number: i64,
    base: i64,
    vertices: usize,
    element: impl std::fmt::Display,
) -> Result<u32, String> {
    match u32::try_from(number.wrapping_sub(base)) {
        Ok(vertex) if (vertex as usize) < vertices => Ok(vertex),
        _ if vertices == 0 => Err(format!("{element} has vertex {number}, but there are no vertices")),
        _ => {
            let last = base + vertices as i64 - 1;
            Err(format!("{element} has vertex {number}, but vertices are numbered {base} to {last}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_keep_their_order_and_the_rest_is_noted() {
        let mut elements = Elements::default();
        elements.push(Kind::Quad, &[0, 1, 2, 3]).unwrap();
        elements.push(Kind::Other("lines"), &[0, 1]).unwrap();
        elements.push(Kind::Triangle, &[3, 2, 1, 7, 8, 9]).unwrap();
        elements.push(Kind::Pixel, &[0, 1, 2, 3]).unwrap();
        elements.push(Kind::Strip, &[4, 5, 6, 7]).unwrap();
        elements.push(Kind::Polygon, &[0, 1]).unwrap();
        elements.push(Kind::Polygon, &[0, 1, 2, 3, 4]).unwrap();
        elements.skip("hexahedra", 0);
        let mesh = elements.into_mesh(vec![[0.0; 3]; 10]);
        let faces: Vec<_> = mesh.polygons.iter().map(<[u32]>::to_vec).collect();
        assert_eq!(
            faces,
            [&[0, 1, 2, 3][..], &[3, 2, 1], &[0, 1, 3, 2], &[4, 5, 6], &[6, 5, 7], &[0, 1, 2, 3, 4]]
        );
        assert_eq!(
            mesh.notes,
            [
                "1 lines ignored",
                "1 faces with fewer than 3 corners ignored",
                "1 curved elements read by their corners, as straight ones"
            ]
        );
    }

    #[test]
    fn plain_elements_are_taken_at_once() {
        let mut elements = Elements::default();
        elements.push(Kind::Quad, &[0, 1, 2, 3]).unwrap();
        assert!(elements.push_all(Kind::Triangle, &[0, 1, 2, 2, 1, 3], &[3, 6], 4..8));
        // A node too many, a bad end, a vertex that is not there, another kind.
        assert!(!elements.push_all(Kind::Triangle, &[0, 1, 2, 0], &[3], 0..4));
        assert!(!elements.push_all(Kind::Triangle, &[0, 1, 2], &[2], 0..4));
        assert!(!elements.push_all(Kind::Triangle, &[0, 1, 4], &[3], 0..4));
        assert!(!elements.push_all(Kind::Quad, &[0, 1, 2], &[3], 0..4));
        let mesh = elements.into_mesh(vec![[0.0; 3]; 8]);
        let faces: Vec<_> = mesh.polygons.iter().map(<[u32]>::to_vec).collect();
        assert_eq!(faces, [&[0, 1, 2, 3][..], &[4, 5, 6], &[6, 5, 7]]);
        let mut solid = Elements::default();
        assert!(solid.push_all(Kind::Tet, &[0, 1, 2, 3], &[4], 1..5));
        assert_eq!(solid.into_mesh(vec![[0.0; 3]; 5]).tets, [[1, 2, 3, 4]]);
    }

    #[test]
    fn tets_push_out_the_surface() {
        let mut elements = Elements::default();
        elements.push(Kind::Triangle, &[0, 1, 2]).unwrap();
        elements.push(Kind::Tet, &[0, 1, 2, 3]).unwrap();
        assert!(elements.push(Kind::Tet, &[0, 1, 2]).is_err());
        let mesh = elements.into_mesh(vec![[0.0; 3]; 4]);
        assert!(mesh.polygons.is_empty());
        assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
        assert_eq!(mesh.notes, ["1 surface elements ignored, because the file has tets"]);
    }
}
