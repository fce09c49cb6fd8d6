//! Headers that lie, rows that end early, orders that differ.

use super::read;
use crate::ReadOptions;
use crate::{MeshData, ReadError, Source};

fn parse(bytes: &[u8]) -> Result<MeshData, ReadError> {
    read(&Source { name: "t.ply".into(), bytes: bytes.to_vec() }, &ReadOptions::default())
}

fn fault(bytes: &[u8]) -> String {
    parse(bytes).unwrap_err().to_string()
}

/// A text file with `vertices` and `faces` announced.
fn text(vertices: u64, faces: u64, body: &str) -> Vec<u8> {
    format!(
        "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n{body}"
    )
    .into_bytes()
}

fn binary(vertices: u64, faces: u64, body: &[u8]) -> Vec<u8> {
    let header = String::from_utf8(text(vertices, faces, "")).unwrap();
    let mut bytes = header.replace("ascii", "binary_little_endian").into_bytes();
    bytes.extend(body);
    bytes
}

#[test]
fn headers() {
    assert!(fault(b"PLY\n").contains("line 1: not a PLY file"));
    assert!(fault(b"ply\nformat ascii 2.0\n").contains("line 2: unknown version \"2.0\""));
    assert!(fault(b"ply\nformat utf8 1.0\n").contains("unknown format \"utf8\""));
    assert!(fault(b"ply\nelement vertex -1\n").contains("line 2: the number of elements is out of range"));
    assert!(fault(b"ply\nproperty int x\n").contains("a property before the first element"));
    assert!(fault(b"ply\nelement a 1\nproperty real x\n").contains("unknown number type \"real\""));
    assert!(fault(b"ply\nelement a 1\nproperty list float int x\n").contains("must be an integer type"));
    assert!(fault(b"ply\nelement a 1\nelement a 1\n").contains("line 3: element \"a\" twice"));
    assert!(fault(b"ply\nelement a 1\nproperty int x\nproperty int x\n").contains("property \"x\" twice"));
    assert!(fault(b"ply\nelement a 1\nproperty int").contains("where a name should be"));
    assert!(fault(b"ply\nwhat\n").contains("line 2: unknown header line \"what\""));
    assert!(fault(b"ply\ncomment only\n").contains("ends inside the header"));
    assert!(fault(b"ply\nend_header\n").contains("no format line"));
    assert!(fault(b"ply\nformat ascii 1.0\nend_header\n").contains("no element \"vertex\""));
    let many: String = (0..1001).map(|k| format!("element e{k} 0\n")).collect();
    assert!(fault(format!("ply\n{many}").as_bytes()).contains("more than 1000 elements"));
    let flat = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nend_header\n0 0\n";
    assert!(fault(flat).contains("no number \"z\""));
    let bare = b"ply\nformat ascii 1.0\nelement vertex 0\nproperty int x\nproperty int y\nproperty int z\n\
        element face 1\nproperty int a\nend_header\n0\n";
    assert!(fault(bare).contains("element \"face\" has no list \"vertex_indices\""));
}

#[test]
fn text_rows() {
    let data = parse(&text(3, 2, "0 0 0\n1 0 0\n\n0 1 0.1\n3 0 1 2\n2 0 1\nmore\n")).unwrap();
    assert_eq!(data.positions[2], [0.0, 1.0, 0.1]);
    assert_eq!(data.polygons.len(), 1);
    assert_eq!(
        data.notes,
        [
            "1 faces with fewer than three corners ignored",
            "lines after the last element ignored, from line 16 on"
        ]
    );
    assert!(fault(&text(2, 0, "0 0 0\n")).contains("the file ends before vertex 1 of 2"));
    assert!(fault(&text(1, 0, "0 0\n")).contains("line 10: the line ends where z should be"));
    assert!(fault(&text(1, 0, "0 0 0 0\n")).contains("\"0\" is more than the properties"));
    assert!(fault(&text(1, 0, "0 0 nan\n")).contains("line 10: vertex 0 is not finite"));
    assert!(
        fault(&text(1, 1, "0 0 0\n3 0 0 1\n"))
            .contains("line 11: vertex index 1 is out of range: 1 vertices")
    );
    assert!(fault(&text(1, 1, "0 0 0\n3 0 0 -1\n")).contains("vertex index -1 is out of range"));
    assert!(fault(&text(1, 1, "0 0 0\n-3 0 0 0\n")).contains("the count of a list is out of range: -3"));
    assert!(fault(&text(u64::MAX >> 1, 0, "0 0 0\n")).contains("ends before vertex 1 of"));
}

#[test]
fn binary_rows() {
    let vertex = [0u8; 12];
    let face = [3u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let data = parse(&binary(1, 1, &[&vertex[..], &face, &[7]].concat())).unwrap();
    assert_eq!(data.polygons.get(0), [0, 0, 0]);
    assert_eq!(data.notes, ["1 bytes after the last element ignored"]);
    let start = binary(1, 1, &[]).len();
    let cut = fault(&binary(1, 1, &[&vertex[..], &face[..12]].concat()));
    assert!(
        cut.contains(&format!("byte {}: the data ends in a list of vertex indices", start + 13)),
        "{cut}"
    );
    assert!(fault(&binary(u64::MAX >> 1, 0, &vertex)).contains("ends before vertex 1 of"));
    let wrong = [&vertex[..], &[3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
    assert!(fault(&binary(1, 1, &wrong)).contains("vertex index 1 is out of range"));
    let infinite = [f32::INFINITY.to_le_bytes(), [0; 4], [0; 4]].concat();
    assert!(fault(&binary(1, 0, &infinite)).contains("vertex 0 is not finite"));
}

#[test]
fn faces_may_come_first_and_empty_elements_cost_nothing() {
    let bytes = b"ply\nformat ascii 1.0\nelement nothing 9000000000000000000\nelement face 1\n\
        property list uchar int vertex_index\nelement vertex 3\nproperty double z\nproperty double y\n\
        property double x\nend_header\n3 2 1 0\n1 2 3\n4 5 6\n7 8 9\n";
    let data = parse(bytes).unwrap();
    assert_eq!(data.positions, [[3.0, 2.0, 1.0], [6.0, 5.0, 4.0], [9.0, 8.0, 7.0]]);
    assert_eq!(data.polygons.get(0), [2, 1, 0]);
}

#[test]
fn a_lone_carriage_return_ends_a_header_line() {
    // The data begins with a line feed byte, which is part of it.
    let mut bytes = binary(1, 0, &[]);
    bytes.iter_mut().filter(|b| **b == b'\n').for_each(|b| *b = b'\r');
    bytes.extend([0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(parse(&bytes).unwrap().positions, [[f64::from(f32::from_bits(10)), 0.0, 0.0]]);
}
