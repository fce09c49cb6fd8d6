//! glTF 2.0, as `.gltf` with its buffers or as one `.glb`.
//!
//! All meshes of the default scene, placed by the transforms of their nodes in `f64`, follow each other depth first
//! in the order of the file; within a mesh its primitives follow each other. A mesh that two nodes use comes twice.
//! Primitives of one mesh that share a position accessor share its vertices; other vertices are never merged, so
//! that a seam in normals or texture coordinates is a seam here too. A mirroring transform reverses the corners 1
//! and 2 of each triangle, as the format asks. Strips and fans become triangles; a triangle whose corners repeat
//! keeps its place. Points give vertices only; lines are ignored and noted. Skins and morph targets are ignored and
//! noted: a skinned mesh is read as stored, without its node's transform, which the format wants ignored.
//!
//! A small file can place one mesh many times over. What is unpacked is held below [`LEAST_BUDGET`], or a multiple
//! of the size of the file and its buffers where that is more.

mod accessor;
mod buffers;
mod json;
mod placement;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

use buffers::Buffers;
use json::{Document, Primitive};
use placement::{Instance, Placement};

use crate::binary::{Binary, Endian, Scalar};
use crate::check::finite;
use crate::names::{Level, Names};
use crate::{MeshData, Place, ReadError, ReadOptions, Source};

/// Bytes that any file may unpack to.
const LEAST_BUDGET: u64 = 96 << 20;
/// Bytes that a file may unpack to, per byte of its own.
const BUDGET_PER_BYTE: u64 = 32;
/// What a primitive costs even if it is empty, so that time is bounded too.
const PRIMITIVE_COST: u64 = 64;

/// Extensions without which the positions cannot be had.
const UNSUPPORTED: &[&str] = &[
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_mesh_gpu_instancing",
];

/// Reads a glTF file of either kind; `path` tells where its buffers lie.
pub(crate) fn read(path: &Path, source: &Source, options: &ReadOptions) -> Result<MeshData, ReadError> {
    let (json, glb) =
        if source.bytes.starts_with(b"glTF") { chunks(source)? } else { (&source.bytes[..], None) };
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        // In a binary file lines of the JSON chunk would mislead; its text has the place anyway.
        let place =
            if glb.is_none() && error.line() > 0 { Place::Line(error.line() as u64) } else { Place::File };
        source.error(place, format!("not a glTF document: {error}"))
    })?;
    if !document.asset.version.starts_with("2.") {
        let what = format!("glTF version {} is not supported, only 2", document.asset.version.escape_debug());
        return Err(source.error(Place::File, what));
    }
    if let Some(name) = document.extensions_required.iter().find(|name| UNSUPPORTED.contains(&name.as_str()))
    {
        return Err(source.error(Place::File, format!("needs the extension {name}, which is not supported")));
    }
    let mut reader = Reader {
        source,
        document: &document,
        buffers: Buffers::new(source, path, &document, glb),
        spent: 0,
        data: MeshData::default(),
        names: Names::default(),
        wants_uvs: options.uvs,
        ignored: Ignored::default(),
    };
    for instance in placement::instances(source, &document)? {
        reader.instance(&instance)?;
    }
    if reader.data.positions.is_empty() {
        return Err(source.error(Place::File, "no vertices in the scene"));
    }
    reader.data.notes = reader.ignored.notes();
    reader.data.parts = reader.names.finish(reader.data.polygons.len());
    if !reader.data.uvs.is_empty() {
        // Meshes after the last one with texture coordinates.
        reader.data.uvs.coordinates.resize(reader.data.positions.len(), [0.0; 2]);
    }
    Ok(reader.data)
}

/// The JSON chunk and the binary chunk of a GLB file.
fn chunks(source: &Source) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let mut binary = Binary::new(source, 4, Endian::Little);
    let version: u32 = binary.integer(Scalar::U32, "the version")?;
    if version != 2 {
        return Err(binary.error(format!("GLB version {version} is not supported, only 2")));
    }
    let length: u32 = binary.integer(Scalar::U32, "the length")?;
    if length as usize > source.bytes.len() {
        let held = source.bytes.len();
        return Err(
            source.error(Place::Byte(8), format!("the header announces {length} bytes, the file has {held}"))
        );
    }
    let (mut json, mut glb) = (None, None);
    while binary.offset() < length as usize && json.is_none() | glb.is_none() {
        let size: u32 = binary.integer(Scalar::U32, "a chunk's length")?;
        let kind = binary.take(4, "a chunk's type")?;
        let bytes = binary.take(size as usize, "a chunk")?;
        match kind {
            b"JSON" if json.is_none() => json = Some(bytes),
            b"BIN\0" if json.is_some() => glb = Some(bytes),
            _ if json.is_none() => return Err(binary.error("the first chunk is not JSON")),
            _ => {}
        }
    }
    match json {
        Some(json) => Ok((json, glb)),
        None => Err(binary.error("no JSON chunk")),
    }
}

#[derive(Default)]
struct Ignored {
    lines: u64,
    skins: u64,
    targets: u64,
    left_over: u64,
}

impl Ignored {
    fn notes(&self) -> Vec<String> {
        [
            (self.lines, "primitives of lines ignored"),
            (self.skins, "skins ignored: meshes as stored, in their bind pose"),
            (self.targets, "primitives with morph targets: targets ignored"),
            (self.left_over, "indices that make no whole triangle ignored"),
        ]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect()
    }
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    buffers: Buffers<'a>,
    /// Bytes unpacked so far, roughly.
    spent: u64,
    data: MeshData,
    names: Names,
    wants_uvs: bool,
    ignored: Ignored,
}

impl Reader<'_> {
    fn instance(&mut self, instance: &Instance) -> Result<(), ReadError> {
        let Some(mesh) = self.document.meshes.get(instance.mesh as usize) else {
            return Err(self.fault(format!("mesh {} does not exist", instance.mesh)));
        };
        let place = if instance.skinned { Placement::IDENTITY } else { instance.place };
        self.ignored.skins += u64::from(instance.skinned);
        // First vertex and number of vertices of each position accessor that this mesh has used.
        let mut placed = HashMap::new();
        self.set_name(Level::Object, &self.object_name(instance));
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.spend(PRIMITIVE_COST)?;
            self.ignored.targets += u64::from(!primitive.targets.is_empty());
            match primitive.mode {
                0 | 4..=6 => {}
                1..=3 => {
                    self.ignored.lines += 1;
                    continue;
                }
                mode => {
                    return Err(self.fault(format!("mesh {}: unknown primitive mode {mode}", instance.mesh)));
                }
            }
            let Some(positions) = primitive.attributes.position else {
                return Err(self.fault(format!("mesh {}: a primitive without positions", instance.mesh)));
            };
            let (first, count) = match placed.get(&positions) {
                Some(&range) => range,
                None => *placed.entry(positions).or_insert(self.vertices(positions, &place)?),
            };
            if self.wants_uvs
                && let Some(uvs) = primitive.attributes.texture
            {
                self.texture(uvs, first, count)?;
            }
            let group = if mesh.primitives.len() > 1 { format!("primitive {number}") } else { String::new() };
            self.set_name(Level::Group, &group);
            let material =
                primitive.material.and_then(|material| self.document.materials.get(material as usize));
            self.set_name(Level::Material, material.and_then(|m| m.name.as_deref()).unwrap_or_default());
            if primitive.mode != 0 {
                let corners = self.corners(primitive, count)?;
                self.triangles(primitive.mode, &corners, first, place.mirrors())?;
            }
        }
        Ok(())
    }

    /// The node's name, else its mesh's, else its number, so that two nodes are two objects.
    fn object_name(&self, instance: &Instance) -> String {
        let node = instance.node.and_then(|node| self.document.nodes.get(node as usize));
        let mesh = self.document.meshes.get(instance.mesh as usize);
        match (node.and_then(|node| node.name.as_deref()), mesh.and_then(|mesh| mesh.name.as_deref())) {
            (Some(name), _) if !name.is_empty() => name.into(),
            (_, Some(name)) if instance.node.is_none() && !name.is_empty() => name.into(),
            _ => match instance.node {
                Some(node) => format!("node {node}"),
                None => format!("mesh {}", instance.mesh),
            },
        }
    }

    fn set_name(&mut self, level: Level, name: &str) {
        self.names.set(self.data.polygons.len(), level, name.as_bytes());
    }

    /// Reads the texture coordinates of the `count` vertices from `first` on.
    fn texture(&mut self, accessor: u32, first: u32, count: u32) -> Result<(), ReadError> {
        let held = accessor::count(self.source, self.document, &mut self.buffers, accessor)?;
        self.spend(held.saturating_mul(32))?;
        let pairs = accessor::pairs(self.source, self.document, &mut self.buffers, accessor)?;
        self.data.uvs.coordinates.resize(self.data.positions.len(), [0.0; 2]);
        let slots = &mut self.data.uvs.coordinates[first as usize..(first + count) as usize];
        for (slot, pair) in slots.iter_mut().zip(pairs) {
            *slot = pair.map(|c| if c.is_finite() { c } else { 0.0 });
        }
        Ok(())
    }

    /// Appends the vertices of an accessor; returns the first and their number.
    fn vertices(&mut self, accessor: u32, place: &Placement) -> Result<(u32, u32), ReadError> {
        let count = accessor::count(self.source, self.document, &mut self.buffers, accessor)?;
        // Once as read, once as placed.
        self.spend(count.saturating_mul(if self.wants_uvs { 64 } else { 48 }))?;
        let points = accessor::points(self.source, self.document, &mut self.buffers, accessor)?;
        let first = self.data.positions.len();
        self.data.positions.reserve(points.len());
        for (k, point) in points.into_iter().enumerate() {
            let p = finite(self.source, Place::File, first + k, place.apply(point))
                .map_err(|_| self.fault(format!("vertex {k} of accessor {accessor} is not finite")))?;
            self.data.positions.push(p);
        }
        // The budget keeps both far below 2^32 for any file of less than 6 GB.
        match (u32::try_from(first), u32::try_from(self.data.positions.len() - first)) {
            (Ok(first), Ok(count)) if first.checked_add(count).is_some() => Ok((first, count)),
            _ => Err(self.fault("more than 4294967295 vertices".into())),
        }
    }

    /// The primitive's vertices in drawing order, counted within its accessor.
    fn corners(&mut self, primitive: &Primitive, vertices: u32) -> Result<Vec<u32>, ReadError> {
        let Some(accessor) = primitive.indices else {
            self.spend(u64::from(vertices) * 4)?;
            return Ok((0..vertices).collect());
        };
        let count = accessor::count(self.source, self.document, &mut self.buffers, accessor)?;
        self.spend(count.saturating_mul(4))?;
        let corners = accessor::indices(self.source, self.document, &mut self.buffers, accessor)?;
        match corners.iter().position(|&corner| corner >= vertices) {
            None => Ok(corners),
            Some(at) => Err(self.fault(format!(
                "accessor {accessor}: vertex index {} (number {at}) is out of range: {vertices} vertices",
                corners[at]
            ))),
        }
    }

    fn triangles(&mut self, mode: u32, corners: &[u32], first: u32, mirrored: bool) -> Result<(), ReadError> {
        // Three corners and a start, whether separate or by strip.
        let count = if mode == 4 { corners.len() / 3 } else { corners.len().saturating_sub(2) };
        self.spend(count as u64 * 16)?;
        let mut push = |[a, b, c]: [u32; 3]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            self.data.polygons.push(&[first + a, first + b, first + c]);
        };
        match mode {
            4 => {
                let (triangles, rest) = corners.as_chunks();
                triangles.iter().for_each(|&triangle| push(triangle));
                self.ignored.left_over += rest.len() as u64;
            }
            5 => {
                for (k, window) in corners.windows(3).enumerate() {
                    // Every second triangle of a strip runs the other way round.
                    push([window[0], window[1 + k % 2], window[2 - k % 2]]);
                }
            }
            _ => {
                for pair in corners.get(1..).unwrap_or_default().windows(2) {
                    push([pair[0], pair[1], corners[0]]);
                }
            }
        }
        Ok(())
    }

    /// Takes `bytes` from what this file may unpack to.
    fn spend(&mut self, bytes: u64) -> Result<(), ReadError> {
        self.spent = self.spent.saturating_add(bytes);
        let held = self.source.bytes.len() as u64 + self.buffers.file_bytes();
        if self.spent <= LEAST_BUDGET.max(BUDGET_PER_BYTE.saturating_mul(held)) {
            return Ok(());
        }
        Err(self.fault("unpacks to far more than the size of the file".into()))
    }

    fn fault(&self, what: String) -> ReadError {
        self.source.error(Place::File, what)
    }
}
