//! The part of the glTF 2.0 document that places triangles.
//!
//! Own structures instead of a crate's: the `gltf` crate insists on parts that do not concern geometry (min and
//! max, materials, images), and its validation and accessors index without checking. Rare fields are boxed, so
//! that a file of nothing but `{},{},{}` unpacks to some twenty times its size and not to a hundred times.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    pub scene: Option<u32>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    pub asset: Asset,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<u32>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: Shape,
    pub sparse: Option<Box<Sparse>>,
}

/// How many components an accessor's element has.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Shape {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

/// Elements that differ from the accessor's own.
#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: u64,
    pub uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: u32,
    pub byte_length: u64,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_stride: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Material {
    pub name: Option<Box<str>>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub name: Option<Box<str>>,
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<u32>,
    pub material: Option<u32>,
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Attributes {
    pub position: Option<u32>,
    #[serde(rename = "TEXCOORD_0")]
    pub texture: Option<u32>,
}

fn triangles() -> u32 {
    4
}

#[derive(Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub children: Box<[u32]>,
    pub mesh: Option<u32>,
    pub name: Option<Box<str>>,
    #[serde(default)]
    pub skin: Option<u32>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<u32>,
}
