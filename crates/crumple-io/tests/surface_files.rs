//! What the small files in `testdata/meshes` hold, number by number.

use std::path::PathBuf;

use crumple_io::{MeshData, read};

fn sample(name: &str) -> MeshData {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "meshes", name].iter().collect();
    read(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn faces(data: &MeshData) -> Vec<Vec<u32>> {
    data.polygons.iter().map(<[u32]>::to_vec).collect()
}

const BOX: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.25],
];
const QUADS: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

fn triangles() -> Vec<Vec<u32>> {
    QUADS.iter().flat_map(|&[a, b, c, d]| [vec![a, b, c], vec![a, c, d]]).collect()
}

#[test]
fn every_quad_format_gives_the_same_box() {
    for name in
        ["box.obj", "box_crlf.obj.gz", "box_ascii_crlf.ply", "box_little.ply", "box.off", "box_colours.off"]
    {
        let data = sample(name);
        assert_eq!(data.positions, BOX, "{name}");
        assert_eq!(faces(&data), QUADS, "{name}");
        assert!(data.tets.is_empty());
        let notes: &[&str] = if name == "box_little.ply" { &["1 elements \"camera\" ignored"] } else { &[] };
        assert_eq!(data.notes, notes, "{name}");
    }
}

#[test]
fn triangle_formats_give_the_same_triangles() {
    let data = sample("box_big.ply");
    assert_eq!((&data.positions[..], faces(&data)), (&BOX[..], triangles()));
}

#[test]
fn stl_vertices_are_numbered_by_first_occurrence() {
    // The corners of the first triangles: 0 3 2, 0 2 1, 4 5 6, 4 6 7.
    let order = [0, 3, 2, 1, 4, 5, 6, 7];
    let renamed = |v: &u32| order.iter().position(|o| o == v).unwrap() as u32;
    for name in ["box.stl", "box_binary.stl"] {
        let data = sample(name);
        assert_eq!(data.positions, order.map(|v| BOX[v as usize]), "{name}");
        let expected: Vec<Vec<u32>> = triangles().iter().map(|t| t.iter().map(renamed).collect()).collect();
        assert_eq!(faces(&data), expected, "{name}");
    }
}

#[test]
fn strips_restart_and_alternate() {
    let data = sample("strip.ply");
    assert_eq!(faces(&data), [[0, 1, 2], [2, 1, 3], [2, 3, 4], [3, 5, 4]]);
    assert_eq!(data.positions[4], [2.0, 0.0, 0.1]);
}

#[test]
fn short_faces_have_no_number() {
    let data = sample("short_faces.off");
    assert_eq!(faces(&data), [[0, 1, 2], [3, 3, 1]]);
    assert_eq!(data.notes, ["2 faces with fewer than three corners ignored"]);
}

#[test]
fn gltf_meshes_are_placed_by_their_nodes() {
    let data = sample("box.gltf");
    let shifted = BOX.map(|[x, y, z]| [x + 10.0, y, z]);
    let mirrored = BOX.map(|[x, y, z]| [10.0 - 2.0 * x, y, z]);
    assert_eq!(data.positions, [shifted, mirrored].concat());
    let mut expected = triangles();
    // A mirrored box keeps its outside outside.
    expected.extend(triangles().iter().map(|t| vec![t[0] + 8, t[2] + 8, t[1] + 8]));
    assert_eq!(faces(&data), expected);

    let data = sample("box.glb");
    assert_eq!(data.positions, BOX.map(|[x, y, z]| [-y, x, z + 0.5]));
    assert_eq!(faces(&data), triangles());
}

#[test]
fn gltf_primitives_share_their_position_accessor() {
    let data = sample("strip_fan.gltf");
    assert_eq!(
        data.positions,
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
    );
    assert_eq!(faces(&data), [[0, 1, 2], [1, 3, 2], [2, 3, 4], [2, 4, 0], [4, 3, 0], [3, 1, 0]]);
    assert_eq!(data.notes, ["1 primitives of lines ignored"]);
}

#[test]
fn points_are_bodies_without_faces() {
    let three = [[0.1, 0.2, 0.3], [-1e-3, 2.0, 3.0], [1.0, 2.0, 0.0]];
    assert_eq!(sample("points.xyz").positions, three);
    assert_eq!(sample("points.csv").positions, three);
    assert!(sample("points.csv").positions[2][2].is_sign_negative());
    let data = sample("points.obj");
    assert_eq!(data.positions, three[..2]);
    assert!(data.polygons.is_empty() && data.tets.is_empty());
}

#[test]
fn extensions_ignore_case_and_unknown_ones_list_the_known() {
    use crumple_io::{Format, Source, read_source};
    assert_eq!(Format::of("A/B.C.OBJ".as_ref()), Some(Format::Obj));
    assert_eq!(Format::of("x.Ply.GZ".as_ref()), Some(Format::Ply));
    assert_eq!(Format::of("obj".as_ref()), None);
    let source = Source::from_bytes("x.step", Vec::new()).unwrap();
    let error = read_source("x.step".as_ref(), &source).unwrap_err().to_string();
    assert!(error.starts_with("x.step: unknown file type; known are ") && error.contains(".obj .ply .stl"));
}
