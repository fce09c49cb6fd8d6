//! The objects of one file as meshes of their own.

use std::collections::HashMap;

use crate::{MeshData, Part, Polygons, Uvs};

/// One object of a file, with the way back to the numbers of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// Its name; empty where the file gives none.
    pub name: String,
    /// Its faces, over no more vertices than they use.
    pub mesh: MeshData,
    /// `vertices[v]` is the number that vertex `v` of `mesh` has in the file; ascending.
    pub vertices: Vec<u32>,
    /// `faces[f]` is the number that polygon `f` of `mesh` has in the file; ascending.
    pub faces: Vec<u32>,
}

impl MeshData {
    /// The objects of an OBJ file or the nodes of a glTF file as separate meshes, in the order of their first face.
    ///
    /// Faces belong together when they have the same object name; in a file without objects, the same group name.
    /// A name that comes again continues its object. A vertex that faces of two objects use is in both; one that no face
    /// uses is in none. A file without names, and one of tets or points, is one object as it stands.
    pub fn split_objects(&self) -> Vec<Object> {
        if self.parts.is_empty() || self.polygons.is_empty() {
            return vec![self.as_one_object()];
        }
        let has_objects = self.parts.iter().any(|part| !part.object.is_empty());
        let name_of = |part: &Part| if has_objects { part.object.clone() } else { part.group.clone() };
        let mut number = HashMap::new();
        let mut runs: Vec<(String, Vec<&Part>)> = Vec::new();
        for part in &self.parts {
            let name = name_of(part);
            let object = *number.entry(name.clone()).or_insert(runs.len());
            if object == runs.len() {
                runs.push((name.to_string(), Vec::new()));
            }
            runs[object].1.push(part);
        }
        let mut local = vec![Uvs::NONE; self.positions.len()];
        let mut local_uv = vec![Uvs::NONE; self.uvs.coordinates.len()];
        runs.into_iter().map(|(name, parts)| self.extract(name, &parts, &mut local, &mut local_uv)).collect()
    }

    fn as_one_object(&self) -> Object {
        Object {
            name: String::new(),
            mesh: self.clone(),
            vertices: (0..self.positions.len() as u32).collect(),
            faces: (0..self.polygons.len() as u32).collect(),
        }
    }

    /// The faces of `parts` as a mesh. `local` and `local_uv` are all [`Uvs::NONE`] before and after.
    fn extract(&self, name: String, parts: &[&Part], local: &mut [u32], local_uv: &mut [u32]) -> Object {
        let faces: Vec<u32> =
            parts.iter().flat_map(|part| part.faces.clone()).map(|face| face as u32).collect();
        let vertices = used(faces.iter().flat_map(|&face| self.polygons.get(face as usize)), local);
        let mut mesh = MeshData {
            positions: vertices.iter().map(|&v| self.positions[v as usize]).collect(),
            material_libraries: self.material_libraries.clone(),
            ..MeshData::default()
        };
        let mut polygon = Vec::new();
        let mut polygons = Polygons::default();
        for &face in &faces {
            polygon.clear();
            polygon.extend(self.polygons.get(face as usize).iter().map(|&corner| local[corner as usize]));
            polygons.push(&polygon);
        }
        mesh.polygons = polygons;
        let mut start = 0;
        for part in parts {
            let end = start + part.faces.len();
            mesh.parts.push(Part { faces: start..end, ..(*part).clone() });
            start = end;
        }
        if !self.uvs.is_empty() && self.uvs.corners.is_empty() {
            mesh.uvs.coordinates = vertices.iter().map(|&v| self.uvs.coordinates[v as usize]).collect();
        } else if !self.uvs.is_empty() {
            let corners = || {
                faces.iter().flat_map(|&face| &self.uvs.corners[self.polygons.corner_range(face as usize)])
            };
            let pairs = used(corners().filter(|&&uv| uv != Uvs::NONE), local_uv);
            mesh.uvs.coordinates = pairs.iter().map(|&uv| self.uvs.coordinates[uv as usize]).collect();
            let renumbered = |&uv: &u32| if uv == Uvs::NONE { uv } else { local_uv[uv as usize] };
            mesh.uvs.corners =
                if pairs.is_empty() { Vec::new() } else { corners().map(renumbered).collect() };
            pairs.iter().for_each(|&uv| local_uv[uv as usize] = Uvs::NONE);
        }
        vertices.iter().for_each(|&v| local[v as usize] = Uvs::NONE);
        Object { name, mesh, vertices, faces }
    }
}

/// The numbers that occur, ascending; `local[number]` becomes the rank of each. Costs what occurs, not what there is.
fn used<'a>(numbers: impl Iterator<Item = &'a u32>, local: &mut [u32]) -> Vec<u32> {
    let mut found = Vec::new();
    for &number in numbers {
        if std::mem::replace(&mut local[number as usize], 0) == Uvs::NONE {
            found.push(number);
        }
    }
    found.sort_unstable();
    for (rank, &number) in found.iter().enumerate() {
        local[number as usize] = rank as u32;
    }
    found
}
