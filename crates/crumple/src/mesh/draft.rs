//! The next version of a body while it is edited: lists that share with the version before what both have in common.

use super::adjacency::{Adjacency, sides_of};
use super::boundary::BOUNDARY;
use super::elements::{Parts, Polygons};
use super::log::ChangedRows;
use super::rows::Rows;
use crate::Mesh;
use crate::geometry::tet::FACES;

/// A tet and one of its faces, by the tet's key.
pub(super) type TetFace = (u32, u8);

/// A version in the making. Every change costs the stars of the vertices that it touches.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub parts: Parts,
    pub adjacency: Adjacency,
    /// Ids whose elements are others now.
    pub changed: ChangedRows,
}

impl Draft {
    pub fn add_vertex(&mut self) -> u32 {
        self.adjacency.triangles.add_vertex();
        self.adjacency.tets.add_vertex();
        self.parts.vertices += 1;
        self.parts.vertices - 1
    }

    /// Appends a triangle; returns its key.
    pub fn add_triangle(&mut self, corners: [u32; 3], of: Origin) -> u32 {
        let (id, key) = self.parts.triangles.push(corners);
        match of {
            Origin::Polygon(polygon) => {
                let before = id as usize;
                self.parts.polygons.get_or_insert_with(|| Polygons::counting(before)).rows.push(polygon);
            }
            Origin::Face(place) => self.parts.faces.push(place),
        }
        self.adjacency.triangles.push();
        self.count_edges(&corners, -1);
        self.adjacency.triangles.link(id, &corners);
        self.count_edges(&corners, 1);
        self.changed.triangles.push(id);
        key
    }

    /// Removes a triangle; the last takes its id.
    pub fn remove_triangle(&mut self, id: u32) {
        let corners = self.parts.triangles.corners.get(id as usize);
        self.count_edges(&corners, -1);
        self.adjacency.triangles.unlink(id, &corners);
        self.count_edges(&corners, 1);
        let last = self.parts.triangles.len() as u32 - 1;
        let moved = self.parts.triangles.remove(id);
        if let Some(polygons) = &mut self.parts.polygons {
            take_last(&mut polygons.rows, id);
        }
        if self.parts.faces.len() > 0 {
            take_last(&mut self.parts.faces, id);
        }
        if let Some(corners) = moved {
            self.adjacency.triangles.unlink(last, &corners);
            self.adjacency.triangles.link(id, &corners);
        }
        self.adjacency.triangles.pop();
        self.changed.triangles.extend([id, last]);
    }

    /// Gives a triangle other corners.
    pub fn set_triangle(&mut self, id: u32, corners: [u32; 3]) {
        let before = self.parts.triangles.corners.get(id as usize);
        self.count_edges(&before, -1);
        self.adjacency.triangles.unlink(id, &before);
        self.count_edges(&before, 1);
        self.parts.triangles.corners.set(id as usize, corners);
        self.count_edges(&corners, -1);
        self.adjacency.triangles.link(id, &corners);
        self.count_edges(&corners, 1);
        self.changed.triangles.push(id);
    }

    /// Appends a tet; returns its key. The boundary is left to [`Draft::renew_boundary`].
    pub fn add_tet(&mut self, corners: [u32; 4]) -> u32 {
        let (id, key) = self.parts.tets.push(corners);
        self.adjacency.tets.push();
        self.adjacency.tets.link(id, &corners);
        self.changed.tets.push(id);
        key
    }

    /// Removes a tet; the last takes its id.
    pub fn remove_tet(&mut self, id: u32) {
        let corners = self.parts.tets.corners.get(id as usize);
        self.adjacency.tets.unlink(id, &corners);
        let last = self.parts.tets.len() as u32 - 1;
        if let Some(corners) = self.parts.tets.remove(id) {
            self.adjacency.tets.unlink(last, &corners);
            self.adjacency.tets.link(id, &corners);
        }
        self.adjacency.tets.pop();
        self.changed.tets.extend([id, last]);
    }

    /// Gives a tet other corners.
    pub fn set_tet(&mut self, id: u32, corners: [u32; 4]) {
        self.adjacency.tets.unlink(id, &self.parts.tets.corners.get(id as usize));
        self.parts.tets.corners.set(id as usize, corners);
        self.adjacency.tets.link(id, &corners);
        self.changed.tets.push(id);
    }

    /// Counts the edges of a triangle, as they are now, or takes them off.
    fn count_edges(&mut self, corners: &[u32; 3], times: i32) {
        let Adjacency { triangles: stars, edges, .. } = &mut self.adjacency;
        let table = &self.parts.triangles.corners;
        let mut done: [[u32; 2]; 3] = [[u32::MAX; 2]; 3];
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let edge = [a.min(b), a.max(b)];
            // A collapsed triangle has one edge twice.
            if a != b && !done.contains(&edge) {
                edges.add(sides_of(edge, stars, |t| table.get(t as usize)).into_iter(), times);
            }
            done[k] = edge;
        }
    }

    /// Brings the boundary of a tetrahedral body up to date with the tets that are not what they were in `base`. A face
    /// that was there keeps its key, known by its tet's key and local place.
    pub fn renew_boundary(&mut self, base: &Mesh, tets: &[u32]) -> BoundaryChanges {
        let mut faces_found: Vec<TetFace> = Vec::new();
        for &key in tets {
            for (parts, adjacency) in [(base.parts(), base.adjacency()), (&self.parts, &self.adjacency)] {
                let Some(id) = parts.tets.id_of(key) else { continue };
                for face in 0..4 {
                    tets_at_face(parts, adjacency, (id, face), &mut faces_found);
                }
            }
        }
        faces_found.sort_unstable();
        faces_found.dedup();
        let mut changes = BoundaryChanges::default();
        let mut same = Vec::new();
        for (key, face) in faces_found {
            let was = self.parts.face_triangle(key, face);
            same.clear();
            if let Some(id) = self.parts.tets.id_of(key) {
                tets_at_face(&self.parts, &self.adjacency, (id, face), &mut same);
            }
            let is_border = same.len() == 1;
            match (was, is_border) {
                (BOUNDARY, false) => {}
                (BOUNDARY, true) => {
                    let new = self.add_triangle(self.face_corners(key, face), Origin::Face((key, face)));
                    self.parts.set_face_triangle(key, face, new);
                    changes.added.push(new);
                }
                (triangle, false) => {
                    let id = self.parts.triangles.id_of(triangle).expect("a face that was there");
                    self.remove_triangle(id);
                    self.parts.set_face_triangle(key, face, BOUNDARY);
                    changes.removed.push(triangle);
                }
                (triangle, true) => {
                    let id = self.parts.triangles.id_of(triangle).expect("a face that was there");
                    let corners = self.face_corners(key, face);
                    if self.parts.triangles.corners.get(id as usize) != corners {
                        self.set_triangle(id, corners);
                        changes.changed.push(triangle);
                    }
                }
            }
        }
        changes
    }

    fn face_corners(&self, key: u32, face: u8) -> [u32; 3] {
        let id = self.parts.tets.id_of(key).expect("a tet that is there");
        let tet = self.parts.tets.corners.get(id as usize);
        FACES[face as usize].map(|c| tet[c])
    }
}

/// Appends every place of the same three vertices as a face of a tet, itself included.
fn tets_at_face(parts: &Parts, adjacency: &Adjacency, (tet, face): (u32, u8), out: &mut Vec<TetFace>) {
    let sorted = |tet: u32, face: u8| {
        let corners = parts.tets.corners.get(tet as usize);
        let mut face = FACES[face as usize].map(|c| corners[c]);
        face.sort_unstable();
        face
    };
    let wanted = sorted(tet, face);
    for other in adjacency.tets.sorted(wanted[0]) {
        let same = (0..4).filter(|&f| sorted(other, f) == wanted);
        out.extend(same.map(|f| (parts.tets.key(other), f)));
    }
}

/// What a triangle comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// Of a surface: the polygon that it belongs to.
    Polygon(u32),
    /// Of a tetrahedral body: the face that it is.
    Face(TetFace),
}

/// Keys of boundary triangles, in the order of their faces_found.
#[derive(Debug, Default)]
pub(super) struct BoundaryChanges {
    pub removed: Vec<u32>,
    pub added: Vec<u32>,
    pub changed: Vec<u32>,
}

/// Removes a row; the last takes its place.
fn take_last<T: Copy>(rows: &mut Rows<T>, row: u32) {
    let last = rows.pop().expect("as many rows as triangles");
    if (row as usize) < rows.len() {
        rows.set(row as usize, last);
    }
}
