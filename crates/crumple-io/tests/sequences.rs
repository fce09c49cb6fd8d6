//! Sequences of every kind give their frames, and say which file does not fit.

use std::fs;
use std::path::{Path, PathBuf};

use crumple_io::{MeshData, Polygons, Sequence};

const FRAMES: usize = 3;
const VERTICES: usize = 4;

fn mesh() -> MeshData {
    MeshData {
        positions: vec![[0.0; 3]; VERTICES],
        polygons: Polygons::from_triangles(&[[0, 1, 2], [1, 3, 2]]),
        ..MeshData::default()
    }
}

/// A position that differs for all vertices and frames, exact in `f32`.
fn position(frame: usize, vertex: usize) -> [f64; 3] {
    [frame as f64 + 0.25, vertex as f64 - 0.5, (frame * VERTICES + vertex) as f64]
}

fn numbers() -> Vec<f64> {
    (0..FRAMES).flat_map(|f| (0..VERTICES).flat_map(move |v| position(f, v))).collect()
}

fn expect_frames(sequence: &Sequence) {
    assert_eq!(sequence.len(), FRAMES);
    let mut positions = Vec::new();
    for frame in [0, 2, 1] {
        sequence.read_frame(frame, &mut positions).unwrap();
        let expected: Vec<_> = (0..VERTICES).map(|v| position(frame, v)).collect();
        assert_eq!(positions, expected, "frame {frame}");
    }
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn pc2() -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    for word in
        [1u32.to_le_bytes(), 4u32.to_le_bytes(), 0f32.to_le_bytes(), 1f32.to_le_bytes(), 3u32.to_le_bytes()]
    {
        bytes.extend(word);
    }
    bytes.extend(numbers().iter().flat_map(|&c| (c as f32).to_le_bytes()));
    bytes
}

fn mdd() -> Vec<u8> {
    let mut bytes = [3u32.to_be_bytes(), 4u32.to_be_bytes()].concat();
    bytes.extend((0..3).flat_map(|frame| (frame as f32 / 24.0).to_be_bytes()));
    bytes.extend(numbers().iter().flat_map(|&c| (c as f32).to_be_bytes()));
    bytes
}

fn error(result: Result<Sequence, crumple_io::ReadError>) -> String {
    result.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn point_caches_give_their_frames() {
    let folder = tempfile::tempdir().unwrap();
    let f32s: Vec<u8> = numbers().iter().flat_map(|&c| (c as f32).to_le_bytes()).collect();
    let f64s: Vec<u8> = numbers().iter().flat_map(|&c| c.to_le_bytes()).collect();
    for (name, bytes) in [("a.pc2", pc2()), ("a.MDD", mdd()), ("a.F32", f32s), ("a.f64", f64s)] {
        let path = write(folder.path(), name, &bytes);
        expect_frames(&Sequence::with_cache(mesh(), &path).unwrap());
        let path = write(folder.path(), &format!("{name}.GZ"), gzip(&bytes));
        expect_frames(&Sequence::with_cache(mesh(), &path).unwrap());
    }
}

#[test]
fn a_cache_of_another_size_is_refused_at_every_length() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a.pc2", pc2()), ("a.mdd", mdd())] {
        for length in 0..bytes.len() {
            let path = write(folder.path(), name, &bytes[..length]);
            let error = error(Sequence::with_cache(mesh(), &path));
            assert!(error.contains(name), "{error}");
        }
        let path = write(folder.path(), name, [&bytes[..], b"x"].concat());
        assert!(error(Sequence::with_cache(mesh(), &path)).contains("take"));
        let mut other = mesh();
        other.positions.push([0.0; 3]);
        let path = write(folder.path(), name, &bytes);
        assert!(
            error(Sequence::with_cache(other, &path)).contains("moves 4 points, but the base mesh has 5")
        );
    }
    let path = write(folder.path(), "a.f32", [0; 49]);
    assert!(error(Sequence::with_cache(mesh(), &path)).contains("49 bytes are not frames of 4 vertices"));
    assert!(error(Sequence::with_cache(MeshData::default(), &path)).contains("no vertices"));
}

#[test]
fn a_lying_cache_header_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = pc2();
    bytes[28..32].copy_from_slice(&i32::MAX.to_le_bytes());
    let path = write(folder.path(), "a.pc2", &bytes);
    assert!(error(Sequence::with_cache(mesh(), &path)).contains("2147483647 frames"));
    bytes[28..32].copy_from_slice(&(-1i32).to_le_bytes());
    let path = write(folder.path(), "a.pc2", &bytes);
    assert!(error(Sequence::with_cache(mesh(), &path)).contains("-1 frames"));
    let mut bytes = mdd();
    bytes[..4].copy_from_slice(&i32::MAX.to_be_bytes());
    let path = write(folder.path(), "a.mdd", &bytes);
    assert!(error(Sequence::with_cache(mesh(), &path)).contains("2147483647 frames"));
}

#[test]
fn a_position_that_is_not_finite_names_frame_and_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let mut values = numbers();
    values[(VERTICES + 2) * 3 + 1] = f64::NAN;
    let path =
        write(folder.path(), "a.f64", values.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<u8>>());
    let sequence = Sequence::with_cache(mesh(), &path).unwrap();
    let mut positions = Vec::new();
    sequence.read_frame(0, &mut positions).unwrap();
    let error = sequence.read_frame(1, &mut positions).unwrap_err().to_string();
    assert!(error.ends_with("a.f64, byte 144: frame 1: vertex 2 is not finite: (1.25, NaN, 6)"), "{error}");
}

/// Legacy VTK text of a frame with these faces.
fn vtk(frame: usize, faces: &[[u32; 3]]) -> String {
    let mut text =
        format!("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS {VERTICES} double\n");
    for v in 0..VERTICES {
        let [x, y, z] = position(frame, v);
        text += &format!("{x} {y} {z}\n");
    }
    text += &format!("POLYGONS {} {}\n", faces.len(), 4 * faces.len());
    for [a, b, c] in faces {
        text += &format!("3 {a} {b} {c}\n");
    }
    text
}

const FACES: [[u32; 3]; 2] = [[0, 1, 2], [1, 3, 2]];

#[test]
fn lists_of_files_give_their_frames() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<_> =
        (0..FRAMES).map(|f| write(folder.path(), &format!("f{}.vtk", 9 + f), vtk(f, &FACES))).collect();
    expect_frames(&Sequence::open(&files).unwrap());
    let mut shell = files.clone();
    shell.sort();
    assert_ne!(shell, files);
    expect_frames(&Sequence::open(&shell).unwrap());
    let pvd = r#"<VTKFile type="Collection"><Collection><DataSet timestep="0" file="f9.vtk"/>
        <DataSet timestep="1" file="f10.vtk"/><DataSet timestep="2" file="f11.vtk"/></Collection></VTKFile>"#;
    let pvd = write(folder.path(), "a.PVD", pvd);
    let sequence = Sequence::open(std::slice::from_ref(&pvd)).unwrap();
    expect_frames(&sequence);
    assert_eq!(sequence.file(1), folder.path().join("f10.vtk"));
    assert_eq!(sequence.mesh().polygons, mesh().polygons);
    let series =
        r#"{"files":[{"name":"f9.vtk","time":0},{"name":"f10.vtk","time":1},{"name":"f11.vtk","time":2}]}"#;
    let series = write(folder.path(), "a.vtk.series", series);
    expect_frames(&Sequence::open(&[series]).unwrap());
    let cache = write(folder.path(), "a.pc2", pc2());
    expect_frames(&Sequence::open(&[files[2].clone(), cache.clone()]).unwrap());

    assert!(error(Sequence::open(&[])).contains("no file"));
    assert!(error(Sequence::open(&[files[0].clone(), pvd])).contains("a.PVD: a list of frames"));
    assert!(
        error(Sequence::open(std::slice::from_ref(&cache))).contains("a.pc2: a point cache is given second")
    );
    assert!(error(Sequence::open(&[cache, files[0].clone()])).contains("a.pc2: a point cache"));
    let missing = Sequence::open(&[files[0].clone(), folder.path().join("gone.vtk")]).unwrap();
    let error = missing.read_frame(1, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("gone.vtk"), "{error}");
}

#[test]
fn other_faces_are_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let first = write(folder.path(), "1.vtk", vtk(0, &FACES));
    for (faces, what) in [
        (&[[0, 1, 2], [1, 2, 3]][..], "face 1 has the corners 1 2 3, against 1 3 2"),
        (&[[1, 3, 2], [0, 1, 2]], "face 0 has the corners 1 3 2, against 0 1 2"),
        (&[[0, 1, 2]], "1 faces, against 2"),
    ] {
        let second = write(folder.path(), "2.vtk", vtk(1, faces));
        let sequence = Sequence::open(&[first.clone(), second]).unwrap();
        let error = sequence.read_frame(1, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("2.vtk: ") && error.contains(what) && error.contains("1.vtk"), "{error}");
    }
}

#[test]
fn the_sample_sequences_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sequences");
    let path = |name: &str| folder.join(name);
    let obj = Sequence::open(&[path("flap_0.obj"), path("flap_1.obj"), path("flap_2.obj")]).unwrap();
    let lists = [
        vec![path("flap.pvd")],
        vec![path("flap.vtk.series")],
        vec![path("flap_0.obj"), path("flap.pc2")],
        vec![path("flap_0.obj"), path("flap.mdd")],
        vec![path("flap_0.obj"), path("flap.f32")],
        vec![path("flap_0.obj"), path("flap.f64.gz")],
    ];
    for paths in lists {
        let sequence = Sequence::open(&paths).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(sequence.len(), obj.len(), "{paths:?}");
        assert_eq!(sequence.mesh().polygons, obj.mesh().polygons, "{paths:?}");
        for frame in 0..obj.len() {
            let (mut here, mut there) = (Vec::new(), Vec::new());
            sequence.read_frame(frame, &mut here).unwrap();
            obj.read_frame(frame, &mut there).unwrap();
            assert_eq!(here, there, "{paths:?}, frame {frame}");
        }
    }
}

#[test]
fn shared_sequences_begin_with_their_base_mesh() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    for (name, frames, vertices, faces) in
        [("rumba-dancer", 36, 12811, 25472), ("tshirt-drape", 251, 1426, 2745)]
    {
        let folder = data.join("sequences").join(name);
        let sequence = Sequence::open(&[folder.join("topology.obj"), folder.join("positions.f32")]).unwrap();
        assert_eq!(sequence.len(), frames);
        assert_eq!((sequence.mesh().positions.len(), sequence.mesh().polygons.len()), (vertices, faces));
        let mut positions = Vec::new();
        for frame in 0..frames {
            sequence.read_frame(frame, &mut positions).unwrap();
        }
        sequence.read_frame(0, &mut positions).unwrap();
        let base = sequence.mesh().positions.iter().map(|p| p.map(|c| f64::from(c as f32)));
        assert!(positions.iter().copied().eq(base), "{name}");
    }
    for (folder, first, second) in [
        ("cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"),
        ("n-body-simulation", "balls16_18.ply", "balls16_19.ply"),
        ("rod-twist", "3036.ply", "3037.ply"),
    ] {
        let folder = data.join("frame-pairs").join(folder);
        let sequence = Sequence::open(&[folder.join(first), folder.join(second)]).unwrap();
        assert_eq!(sequence.len(), 2);
        sequence.read_frame(1, &mut Vec::new()).unwrap();
    }
}
