//! FBX, text and binary, by `ufbx` (feature `fbx`).
//!
//! All meshes of the scene, placed by the transforms of their nodes in `f64`, follow each other depth first in the order of
//! the file, each with its own vertices; a mesh that two nodes use comes twice. Lengths stay in the units of the file.
//! A mirroring transform reverses the corners behind the first of each polygon, so that outside stays outside. A node is an
//! object, a polygon group a group. Polygons of fewer than three corners are ignored and noted; so are
//! deformers: a skinned mesh is read as stored. Animation is not read.

use glam::DMat4;
use ufbx::{AllocatorOpts, ErrorType, FileFormat, IndexErrorHandling, LoadOpts, Matrix, Mesh, Node};

use crate::check::finite;
use crate::names::{Level, Names};
use crate::{MeshData, Place, ReadError, ReadOptions, Source, Uvs};

/// Bytes that any file may take while it is read, and per byte of its own: arrays are compressed.
const LEAST_MEMORY: usize = 256 << 20;
const MEMORY_PER_BYTE: usize = 64;
/// Corners and vertices that any file may have, and per byte of its own: a small file can place one mesh many times over.
const LEAST_BUDGET: usize = 4 << 20;
const BUDGET_PER_BYTE: usize = 2;

/// Reads an FBX file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<MeshData, ReadError> {
    let memory = LEAST_MEMORY.max(MEMORY_PER_BYTE.saturating_mul(source.bytes.len()));
    let limited = || AllocatorOpts { memory_limit: memory, ..Default::default() };
    let wanted = LoadOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        file_format: FileFormat::Fbx,
        no_format_from_content: true,
        no_format_from_extension: true,
        ignore_animation: true,
        ignore_embedded: true,
        skip_mesh_parts: true,
        skip_skin_vertices: true,
        allow_missing_vertex_position: true,
        index_error_handling: IndexErrorHandling::AbortLoading,
        ..Default::default()
    };
    let scene = ufbx::load_memory(&source.bytes, wanted).map_err(|error| {
        let what = match error.type_ {
            ErrorType::MemoryLimit => "unpacks to far more than the size of the file".to_owned(),
            _ if error.info().is_empty() => format!("not a sound FBX file: {}", &*error.description),
            _ => format!("not a sound FBX file: {}: {}", &*error.description, error.info().escape_debug()),
        };
        source.error(Place::File, what)
    })?;
    let mut reader = Reader {
        source,
        left: LEAST_BUDGET.max(BUDGET_PER_BYTE.saturating_mul(source.bytes.len())),
        wants_uvs: options.uvs,
        data: MeshData::default(),
        names: Names::default(),
        short_faces: 0,
        deformed: 0,
    };
    // The next node is the last: children go onto the stack in reverse order.
    let mut nodes: Vec<&Node> = vec![&scene.root_node];
    while let Some(node) = nodes.pop() {
        nodes.extend(node.children.iter().rev().map(AsRef::as_ref));
        if let Some(mesh) = &node.mesh {
            reader.mesh(node, mesh)?;
        }
    }
    reader.finish()
}

struct Reader<'a> {
    source: &'a Source,
    /// Corners and vertices that may still come.
    left: usize,
    wants_uvs: bool,
    data: MeshData,
    names: Names,
    short_faces: usize,
    deformed: usize,
}

impl Reader<'_> {
    /// Appends a mesh where its node places it.
    fn mesh(&mut self, node: &Node, mesh: &Mesh) -> Result<(), ReadError> {
        let (vertices, corners) = (&mesh.vertices, &mesh.vertex_indices);
        self.left = match self.left.checked_sub(vertices.len() + corners.len() + mesh.faces.len()) {
            Some(left) => left,
            None => return Err(self.fault("unpacks to far more than the size of the file".into())),
        };
        self.deformed += usize::from(!mesh.all_deformers.is_empty());
        let place = matrix(&node.geometry_to_world);
        let is_mirrored = place.determinant() < 0.0;
        let first = self.data.positions.len();
        if u32::try_from(first + vertices.len()).is_err() {
            return Err(self.fault("more than 4294967295 vertices".into()));
        }
        for (k, v) in vertices.iter().enumerate() {
            let placed = place.transform_point3(glam::DVec3::new(v.x, v.y, v.z)).to_array();
            self.data.positions.push(finite(self.source, Place::File, first + k, placed)?);
        }
        let first_pair = self.texture(mesh);
        let name = match &*node.element.name {
            "" => format!("node {}", node.element.typed_id),
            name => name.to_owned(),
        };
        self.set_name(Level::Object, &name);
        let mut polygon: Vec<u32> = Vec::new();
        for (f, face) in mesh.faces.iter().enumerate() {
            if face.num_indices < 3 {
                self.short_faces += 1;
                continue;
            }
            let group = mesh.face_group.get(f).and_then(|&g| mesh.face_groups.get(g as usize));
            self.set_name(Level::Group, group.map_or("", |group| &*group.name));
            let material = mesh.face_material.get(f).map(|&m| m as usize);
            // A node can have materials of its own for a mesh that several nodes use.
            let material = material.and_then(|m| node.materials.get(m).or_else(|| mesh.materials.get(m)));
            self.set_name(Level::Material, material.map_or("", |material| &*material.element.name));
            polygon.clear();
            polygon.extend(face.index_begin..face.index_begin + face.num_indices);
            if is_mirrored {
                polygon[1..].reverse();
            }
            if self.wants_uvs {
                let pair = |&at: &u32| match (first_pair, mesh.vertex_uv.indices.get(at as usize)) {
                    (Some(first_pair), Some(&index)) => first_pair + index,
                    _ => Uvs::NONE,
                };
                self.data.uvs.corners.extend(polygon.iter().map(pair));
            }
            for corner in &mut polygon {
                *corner = self.vertex(corners.get(*corner as usize), vertices.len())? + first as u32;
            }
            self.data.polygons.push(&polygon);
        }
        Ok(())
    }

    /// The vertex of a corner, counted within its mesh.
    fn vertex(&self, corner: Option<&u32>, vertices: usize) -> Result<u32, ReadError> {
        match corner {
            Some(&vertex) if (vertex as usize) < vertices => Ok(vertex),
            _ => Err(self.fault(format!("a polygon has a corner that is none of {vertices} vertices"))),
        }
    }

    /// Appends the texture coordinates of a mesh; the number of the first.
    fn texture(&mut self, mesh: &Mesh) -> Option<u32> {
        if !self.wants_uvs || !mesh.vertex_uv.exists {
            return None;
        }
        let first = u32::try_from(self.data.uvs.coordinates.len()).ok()?;
        let number = |c: f64| if c.is_finite() { c } else { 0.0 };
        self.data.uvs.coordinates.extend(mesh.vertex_uv.values.iter().map(|uv| [number(uv.x), number(uv.y)]));
        Some(first)
    }

    fn set_name(&mut self, level: Level, name: &str) {
        self.names.set(self.data.polygons.len(), level, name.as_bytes());
    }

    fn finish(mut self) -> Result<MeshData, ReadError> {
        if self.data.positions.is_empty() {
            return Err(self.fault("no vertices in the scene".into()));
        }
        if self.data.uvs.coordinates.is_empty() || self.data.uvs.corners.is_empty() {
            self.data.uvs = Uvs::default();
        }
        self.data.parts = self.names.finish(self.data.polygons.len());
        let notes = [
            (self.short_faces, "polygons of fewer than three corners ignored"),
            (self.deformed, "meshes with skins or other deformers: meshes as stored"),
        ];
        let told = notes.iter().filter(|(count, _)| *count > 0);
        self.data.notes = told.map(|(count, what)| format!("{count} {what}")).collect();
        Ok(self.data)
    }

    fn fault(&self, what: String) -> ReadError {
        self.source.error(Place::File, what)
    }
}

fn matrix(m: &Matrix) -> DMat4 {
    DMat4::from_cols_array(&[
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13, m.m23,
        1.0,
    ])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn sample() -> Vec<u8> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/meshes/box.fbx");
        std::fs::read(path).expect("a sample file")
    }

    fn read_text(text: String) -> Result<MeshData, ReadError> {
        read(&Source::from_bytes("box.fbx", text.into_bytes())?, &ReadOptions::default().with_uvs())
    }

    #[test]
    fn two_nodes_place_the_same_box_and_one_mirrors_it() {
        let data = read_text(String::from_utf8(sample()).unwrap()).unwrap();
        let unit = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
        ];
        assert_eq!(data.positions[..6], unit);
        assert_eq!(data.positions[6..8], [[1.0, 1.0, 1.0], [0.0, 1.0, 1.25]]);
        // Mirrored in x, twice as large, moved by 10.
        let placed: Vec<_> =
            data.positions[..8].iter().map(|p| [10.0 - 2.0 * p[0], 2.0 * p[1], 2.0 * p[2]]).collect();
        assert_eq!(data.positions[8..], placed);
        let faces: Vec<_> = data.polygons.iter().map(<[u32]>::to_vec).collect();
        assert_eq!(faces[..2], [[0, 3, 2, 1], [4, 5, 6, 7]]);
        assert_eq!(faces[6..8], [[8, 9, 10, 11], [12, 15, 14, 13]]);
        let names: Vec<_> = data.parts.iter().map(|p| (&*p.object, &*p.material, p.faces.clone())).collect();
        assert_eq!(
            names,
            [("left", "grey", 0..2), ("left", "red", 2..6), ("right", "grey", 6..8), ("right", "red", 8..12)]
        );
        assert_eq!(data.uvs.coordinates.len(), 8);
        assert_eq!(data.uvs.corners[..4], [0, 1, 2, 3]);
        assert!(data.notes.is_empty(), "{:?}", data.notes);
    }

    #[test]
    fn faults_are_errors_that_say_what_is_wrong() {
        let text = String::from_utf8(sample()).unwrap();
        let cases = [
            ("0,3,2,-2,", "0,3,2,-9,", "not a sound FBX file"),
            ("a: 0,0,0,", "a: 1e999,0,0,", "vertex 0 is not finite"),
            ("Vertices: *24 {", "Vertices: *24 {{", "not a sound FBX file"),
        ];
        for (from, to, told) in cases {
            assert!(text.contains(from), "{from}");
            let error = read_text(text.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(error.starts_with("box.fbx: ") && error.contains(told), "{error}");
        }
        for bytes in [&b""[..], b"Kaydara FBX Binary  \0", b"v 0 0 0\n"] {
            let source = Source::from_bytes("x.fbx", bytes.to_vec()).unwrap();
            let error = read(&source, &ReadOptions::default());
            assert!(error.expect_err("no FBX").to_string().starts_with("x.fbx: "));
        }
    }
}
