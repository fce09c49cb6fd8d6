//! What is written is read back, bit by bit, and marks are where they belong.

use crumple_io::write::{PlyEncoding, obj, ply, write};
use crumple_io::{MeshData, Polygons, Source, read, read_source};
use proptest::prelude::*;

fn mesh(positions: &[[f64; 3]], faces: &[&[u32]]) -> MeshData {
    let mut polygons = Polygons::default();
    faces.iter().for_each(|face| polygons.push(face));
    MeshData { positions: positions.to_vec(), polygons, ..MeshData::default() }
}

fn sample() -> MeshData {
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1e-7]];
    mesh(&positions, &[&[0, 1, 4], &[0, 1, 2, 3], &[1, 2, 4]])
}

fn read_as(name: &str, bytes: Vec<u8>) -> MeshData {
    read_source(name.as_ref(), &Source::from_bytes(name, bytes).unwrap()).unwrap()
}

/// Bits, since -0 equals 0.
fn bits(data: &MeshData) -> Vec<[u64; 3]> {
    data.positions.iter().map(|p| p.map(f64::to_bits)).collect()
}

#[test]
fn marks_in_obj_are_materials_and_keep_the_order() {
    let mut out = Vec::new();
    // The second flag pair is the quad, of which only the second triangle collides.
    obj(&mut out, &sample(), Some(&[false, false, true, true]), Some("x.mtl")).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1e-7\n\
         usemtl free\nf 1 2 5\nusemtl collides\nf 1 2 3 4\nf 2 3 5\n"
    );
}

#[test]
fn marks_in_ply_are_colours_and_a_flag() {
    let mut out = Vec::new();
    ply(&mut out, &sample(), Some(&[true, false, false, false]), PlyEncoding::Ascii).unwrap();
    let text = String::from_utf8(out).unwrap();
    let (header, body) = text.split_once("end_header\n").unwrap();
    assert!(header.contains("property double x") && header.contains("property uchar collides"));
    assert_eq!(
        body,
        "0 0 0 217 31 26\n1 0 0 217 31 26\n1 1 0 191 191 191\n0 1 0 191 191 191\n0.5 0.5 1e-7 217 31 26\n\
         3 0 1 4 217 31 26 1\n4 0 1 2 3 191 191 191 0\n3 1 2 4 191 191 191 0\n"
    );
}

#[test]
fn marked_files_are_read_back_from_disk() {
    let directory = tempfile::tempdir().unwrap();
    let flags = [true, false, true, false];
    for name in ["a.obj", "a.ply", "b.OBJ.gz", "b.Ply.gz"] {
        let path = directory.path().join(name);
        write(&path, &sample(), Some(&flags)).unwrap();
        assert_eq!(read(&path).unwrap(), sample(), "{name}");
    }
    assert!(directory.path().join("a.mtl").exists() && directory.path().join("b.mtl").exists());
    let binary = std::fs::read(directory.path().join("a.ply")).unwrap();
    assert!(binary.starts_with(b"ply\nformat binary_little_endian 1.0\n"));
}

#[test]
fn what_does_not_fit_is_refused_before_a_file_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.ply");
    let error = write(&path, &sample(), Some(&[true])).unwrap_err().to_string();
    assert!(error.ends_with("x.ply: 1 collision flags for 4 triangles"), "{error}");
    let tets = MeshData { tets: vec![[0, 1, 2, 4]], polygons: Polygons::default(), ..sample() };
    assert!(write(&path, &tets, None).unwrap_err().to_string().contains("no tetrahedra"));
    assert!(!path.exists());
    let error = write("x.step".as_ref(), &sample(), None).unwrap_err().to_string();
    assert_eq!(error, "x.step: cannot write this file type; known are .obj .ply .vtu");
}

#[test]
fn long_polygons_and_single_precision() {
    let positions: Vec<_> = (0..300).map(|k| [f64::from(k) * 0.25, 0.0, 1.5]).collect();
    let corners: Vec<u32> = (0..300).collect();
    let data = mesh(&positions, &[&corners, &[0, 1, 2]]);
    for encoding in [PlyEncoding::Binary, PlyEncoding::Ascii] {
        let mut out = Vec::new();
        ply(&mut out, &data, None, encoding).unwrap();
        assert!(out.windows(16).any(|w| w == b"property float x"));
        assert_eq!(read_as("x.ply", out), data);
    }
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |c| c.is_finite()),
        (-100i32..100).prop_map(|k| f64::from(k) / 8.0),
        any::<f32>().prop_filter("finite", |c| c.is_finite()).prop_map(f64::from),
        Just(-0.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_mesh_comes_back(
        positions in prop::collection::vec([coordinate(), coordinate(), coordinate()], 3..12),
        faces in prop::collection::vec(prop::collection::vec(0u32..3, 3..6), 0..8),
    ) {
        let faces: Vec<&[u32]> = faces.iter().map(Vec::as_slice).collect();
        let data = mesh(&positions, &faces);
        let mut files = vec![("x.obj", Vec::new()), ("x.ply", Vec::new()), ("x.ply", Vec::new())];
        obj(&mut files[0].1, &data, None, None).unwrap();
        ply(&mut files[1].1, &data, None, PlyEncoding::Binary).unwrap();
        ply(&mut files[2].1, &data, None, PlyEncoding::Ascii).unwrap();
        for (name, bytes) in files {
            let back = read_as(name, bytes);
            prop_assert_eq!(&back, &data);
            prop_assert_eq!(bits(&back), bits(&data));
        }
    }
}
