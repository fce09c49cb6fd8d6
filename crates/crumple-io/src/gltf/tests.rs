//! Documents whose parts do not fit together.

use crate::ReadOptions;
use base64::Engine;
use serde_json::{Value, json};

use super::read;
use crate::{MeshData, ReadError, Source};

fn parse(document: &Value) -> Result<MeshData, ReadError> {
    parse_bytes(document.to_string().into_bytes())
}

fn parse_bytes(bytes: Vec<u8>) -> Result<MeshData, ReadError> {
    read("nowhere/t.gltf".as_ref(), &Source { name: "t.gltf".into(), bytes }, &ReadOptions::default())
}

/// One triangle, indexed by bytes.
fn triangle() -> Value {
    let mut bytes: Vec<u8> = Vec::new();
    for c in [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        bytes.extend(c.to_le_bytes());
    }
    bytes.extend([0, 1, 2]);
    let base64 = base64::engine::general_purpose::STANDARD.encode(&bytes);
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": 39, "uri": format!("data:;base64,{base64}")}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 3}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"},
        ],
    })
}

/// The error after one value was replaced.
fn fault(pointer: &str, value: Value) -> String {
    let mut document = triangle();
    match document.pointer_mut(pointer) {
        Some(slot) => *slot = value,
        None => {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[key] = value;
        }
    }
    parse(&document).unwrap_err().to_string()
}

#[test]
fn the_sound_document_is_read() {
    let data = parse(&triangle()).unwrap();
    assert_eq!(data.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(data.polygons.get(0), [0, 1, 2]);
}

#[test]
fn references_are_checked() {
    for (pointer, value, expected) in [
        ("/asset/version", json!("1.0"), "version 1.0 is not supported"),
        ("/scene", json!(1), "scene 1 does not exist"),
        ("/scenes/0/nodes", json!([1]), "node 1 does not exist"),
        ("/scenes/0/nodes", json!([0, 0]), "node 0 has two parents"),
        ("/nodes/0/children", json!([0]), "node 0 has two parents or is its own ancestor"),
        ("/nodes/0/mesh", json!(7), "mesh 7 does not exist"),
        ("/nodes/0/mesh", json!(-1), "not a glTF document: invalid value"),
        ("/scenes/0/nodes", json!([]), "no vertices in the scene"),
        ("/meshes/0/primitives/0/attributes", json!({}), "a primitive without positions"),
        ("/meshes/0/primitives/0/attributes/POSITION", json!(2), "accessor 2 does not exist"),
        ("/meshes/0/primitives/0/attributes/POSITION", json!(1), "accessor 1 should be Vec3 and is Scalar"),
        ("/meshes/0/primitives/0/indices", json!(0), "accessor 0 holds vertex indices that are not unsigned"),
        ("/meshes/0/primitives/0/mode", json!(7), "unknown primitive mode 7"),
        ("/accessors/0/bufferView", json!(2), "buffer view 2 does not exist"),
        ("/accessors/0/count", json!(4), "accessor 0 reaches past its buffer view"),
        ("/accessors/0/count", json!(1), "vertex index 1 (number 1) is out of range: 1 vertices"),
        ("/accessors/0/count", json!(u64::MAX), "unpacks to far more"),
        ("/accessors/0/byteOffset", json!(40), "buffer view 0 reaches past the end of buffer 0"),
        ("/accessors/0/byteOffset", json!(u64::MAX), "buffer view 0 reaches past the end"),
        ("/accessors/0/componentType", json!(5), "unknown component type 5"),
        ("/bufferViews/0/buffer", json!(3), "buffer 3 does not exist"),
        (
            "/bufferViews/0/byteLength",
            json!(40),
            "buffer view 0 reaches past the end of buffer 0, which has 39",
        ),
        ("/bufferViews/0/byteStride", json!(11), "accessor 0 reaches past its buffer view"),
        ("/bufferViews/0/byteStride", json!(0), "accessor 0 reaches past its buffer view"),
        ("/buffers/0/byteLength", json!(50), "buffer 0 should have 50 bytes and has 39"),
        ("/buffers/0/uri", json!("data:,abc"), "the data URI of buffer 0 is not base64"),
        ("/buffers/0/uri", json!("data:;base64,*"), "the data URI of buffer 0 is broken"),
        ("/buffers/0/uri", json!("http://a/b"), "not a file beside this one"),
        ("/buffers/0/uri", json!("/etc/hostname"), "not a file beside this one"),
        ("/buffers/0/uri", Value::Null, "neither a URI nor a binary chunk"),
        ("/extensionsRequired", json!(["KHR_draco_mesh_compression"]), "KHR_draco_mesh_compression"),
    ] {
        let error = fault(pointer, value);
        assert!(error.contains(expected), "{pointer}: {error}");
    }
    // The message of the system, with the name of the missing file.
    let missing = fault("/buffers/0/uri", json!("no%20such.bin"));
    assert!(missing.starts_with("nowhere/no such.bin: "), "{missing}");
    assert!(parse_bytes(b"{\n\"asset\"}".to_vec()).unwrap_err().to_string().contains("line 2: not a glTF"));
}

#[test]
fn non_finite_positions_are_refused() {
    let mut document = triangle();
    document["nodes"][0]["scale"] = json!([1e308, 1.0, 1.0]);
    assert_eq!(parse(&document).unwrap().positions[1], [1e308, 0.0, 0.0]);
    let parent = json!({"children": [0], "scale": [10.0, 1.0, 1.0]});
    document["nodes"].as_array_mut().unwrap().push(parent);
    document["scenes"][0]["nodes"] = json!([1]);
    let error = parse(&document).unwrap_err().to_string();
    assert!(error.contains("of accessor 0 is not finite"), "{error}");
}

#[test]
fn sparse_elements_are_checked() {
    let sparse = |count: u64, at: u64| {
        json!({"count": count, "indices": {"bufferView": 1, "byteOffset": at, "componentType": 5121},
               "values": {"bufferView": 0}})
    };
    let mut document = triangle();
    // Vertex 2 (the index byte at 38) becomes the first three floats.
    document["accessors"][0]["sparse"] = sparse(1, 2);
    assert_eq!(parse(&document).unwrap().positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]]);
    assert!(fault("/accessors/0/sparse", sparse(4, 0)).contains("replaces 4 elements, more than"));
    assert!(fault("/accessors/0/sparse", sparse(u64::MAX, 0)).contains("more than its buffer views hold"));
    let mut document = triangle();
    document["accessors"][0]["count"] = json!(2);
    document["accessors"][0]["sparse"] = sparse(1, 2);
    assert!(parse(&document).unwrap_err().to_string().contains("replaces element 2 of 2"));
}

#[test]
fn zeros_without_bytes_and_instances_without_end_are_bounded() {
    let mut document = triangle();
    let accessor = document["accessors"][0].as_object_mut().unwrap();
    accessor.remove("bufferView");
    assert_eq!(parse(&document).unwrap().positions, [[0.0; 3]; 3]);
    document["accessors"][0]["count"] = json!(1u64 << 40);
    assert!(parse(&document).unwrap_err().to_string().contains("unpacks to far more"));

    let mut document = triangle();
    document["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    document["accessors"][0]["count"] = json!(1000);
    document["nodes"] = json!(vec![json!({"mesh": 0}); 5000]);
    document["scenes"][0]["nodes"] = json!((0..5000).collect::<Vec<_>>());
    assert!(parse(&document).unwrap_err().to_string().contains("unpacks to far more"));
}

#[test]
fn glb_chunks_are_checked() {
    let json = br#"{"asset":{"version":"2.0"}} "#;
    let glb = |version: u32, length: u32, kind: &[u8; 4]| {
        let mut bytes = b"glTF".to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(json);
        parse_bytes(bytes).unwrap_err().to_string()
    };
    let length = 20 + json.len() as u32;
    assert!(glb(2, length, b"JSON").contains("no vertices in the scene"));
    assert!(glb(1, length, b"JSON").contains("GLB version 1"));
    assert!(glb(2, length + 1, b"JSON").contains("byte 8: the header announces"));
    assert!(glb(2, length, b"BIN\0").contains("the first chunk is not JSON"));
    assert!(glb(2, 12, b"JSON").contains("no JSON chunk"));
    assert!(parse_bytes(b"glTF\x02\0\0".to_vec()).unwrap_err().to_string().contains("ends in the version"));
}
