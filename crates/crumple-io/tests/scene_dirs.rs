//! Scene directories: what is written is read back to the bit, and each broken file is named.

use std::fs;
use std::path::Path;

use crumple_io::{SceneBody, SceneDir, SceneElements};

const FRAMES: usize = 2;

fn bodies() -> Vec<SceneBody> {
    let body = |name: &str, vertices, elements| SceneBody { name: name.into(), vertices, elements };
    vec![
        body("sheet", 4, SceneElements::Triangles(vec![[0, 1, 2], [1, 3, 2]])),
        body("block", 5, SceneElements::Tets(vec![[0, 1, 2, 3], [4, 3, 2, 1]])),
        body("probe", 3, SceneElements::Points),
    ]
}

fn positions(body: usize, frame: usize, vertices: usize) -> Vec<[f64; 3]> {
    (0..vertices).map(|v| [0.1 * v as f64, 1.0 / (1 + frame) as f64, body as f64 / 3.0]).collect()
}

fn write(folder: &Path) -> SceneDir {
    let scene = SceneDir::create(folder, "small", FRAMES, bodies()).unwrap();
    for (i, body) in scene.bodies.iter().enumerate() {
        for frame in 0..FRAMES {
            scene.write_positions(i, frame, &positions(i, frame, body.vertices)).unwrap();
        }
    }
    scene
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let scene = SceneDir::open(folder.path()).unwrap();
    assert_eq!((scene.name.as_str(), scene.frames), ("small", FRAMES));
    assert_eq!(scene.bodies, bodies());
    let mut read = Vec::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        for frame in 0..FRAMES {
            scene.read_positions(i, frame, &mut read).unwrap();
            assert_eq!(read, positions(i, frame, body.vertices));
        }
    }
    let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    assert!(
        manifest.contains("\"kind\": \"tri\"") && manifest.contains("\"kind\": \"points\""),
        "{manifest}"
    );
    let elements = fs::read(folder.path().join("obj1_e.u32")).unwrap();
    assert_eq!(elements[16..20], [4, 0, 0, 0]);
    assert_eq!(fs::metadata(folder.path().join("obj2_v_001.f64")).unwrap().len(), 72);
}

#[test]
fn every_broken_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let open = || SceneDir::open(folder.path()).map(|_| ()).unwrap_err().to_string();
    for name in ["manifest.json", "obj0_e.u32", "obj1_e.u32", "obj0_v_000.f64", "obj2_v_001.f64"] {
        write(folder.path());
        let bytes = fs::read(file(name)).unwrap();
        for length in (0..bytes.len() - 1).step_by(7) {
            fs::write(file(name), &bytes[..length]).unwrap();
            assert!(open().contains(name), "{name} cut to {length}");
        }
        fs::remove_file(file(name)).unwrap();
        assert!(open().contains(name));
    }
    write(folder.path());
    fs::write(file("obj2_e.u32"), [0; 4]).unwrap();
    assert!(open().contains("obj2_e.u32: it has 4 bytes where the manifest asks for 0"));

    write(folder.path());
    let mut elements = fs::read(file("obj0_e.u32")).unwrap();
    elements[16] = 4;
    fs::write(file("obj0_e.u32"), elements).unwrap();
    assert!(open().ends_with("obj0_e.u32, byte 12: element 1 has vertex 4, but there are 4 vertices"));

    let manifest = fs::read_to_string(file("manifest.json")).unwrap();
    for (from, to, what) in [
        ("\"frames\": 2", "\"frames\": 0", "no frames"),
        ("\"frames\": 2", "\"frames\": 999999999999", "obj0_v_002.f64"),
        ("\"tri\"", "\"hex\"", "line 7: not a scene"),
        ("\"elements\": 2", "\"elements\": 18446744073709551615", "manifest asks for"),
    ] {
        write(folder.path());
        fs::write(file("manifest.json"), manifest.replacen(from, to, 1)).unwrap();
        assert!(open().contains(what), "{}", open());
    }
}

#[test]
fn positions_that_are_not_finite_name_the_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path());
    scene.write_positions(0, 1, &[[0.0; 3], [0.0; 3], [0.0, f64::INFINITY, 0.0], [0.0; 3]]).unwrap();
    let error = scene.read_positions(0, 1, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.ends_with("obj0_v_001.f64, byte 48: vertex 2 is not finite: (0, inf, 0)"), "{error}");
    assert!(scene.write_positions(0, 1, &[[0.0; 3]]).is_err());
    let bad =
        SceneBody { name: "b".into(), vertices: 2, elements: SceneElements::Triangles(vec![[0, 1, 2]]) };
    assert!(SceneDir::create(folder.path(), "bad", 1, vec![bad]).is_err());
}
