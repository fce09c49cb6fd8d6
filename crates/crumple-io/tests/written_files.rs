//! What is written is read back, bit by bit, and marks are where they belong.

use std::fs;

use crumple_io::write::{Faces, MarkedBody, PlyEncoding, obj, ply, write, write_file, write_marked};
use crumple_io::{MeshData, Polygons, ReadOptions, Source, read, read_source, read_source_with, read_with};
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

/// `mesh` as a body with flags of triangles.
fn marked<'a>(mesh: &'a MeshData, flags: &'a [bool]) -> MarkedBody<'a> {
    let mut body = MarkedBody::new("", mesh);
    body.marks.triangles = Some(flags);
    body
}

#[test]
fn marks_in_obj_are_materials_and_keep_the_order() {
    let mut out = Vec::new();
    // The second flag pair is the quad, of which only the second triangle collides.
    obj(&mut out, &[marked(&sample(), &[false, false, true, true])], Some("x.mtl")).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "mtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1e-7\n\
         usemtl free\nf 1 2 5\nusemtl collides\nf 1 2 3 4\nf 2 3 5\n"
    );
}

const DRESSED: &str = "mtllib own.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\n\
o shirt\ng front\nusemtl red\nf 1/1 2/2 3/1 4/2\nusemtl blue\nf 1 2 3\no hat\nf 2/2 3/1 4/2\n";

fn dressed() -> MeshData {
    let source = Source::from_bytes("d.obj", DRESSED.into()).unwrap();
    read_source_with("d.obj".as_ref(), &source, &ReadOptions::default().with_uvs()).unwrap()
}

#[test]
fn an_obj_comes_back_with_names_materials_and_texture() {
    let mut out = Vec::new();
    obj(&mut out, &[MarkedBody::new("ignored, since it has objects", &dressed())], None).unwrap();
    let source = Source::from_bytes("d.obj", out).unwrap();
    let back = read_source_with("d.obj".as_ref(), &source, &ReadOptions::default().with_uvs()).unwrap();
    assert_eq!(back, dressed());
}

#[test]
fn several_bodies_in_an_obj_keep_names_apart() {
    let (dressed, plain) = (dressed(), sample());
    let mut first = MarkedBody::new("person", &dressed);
    first.marks.triangles = Some(&[false, true, false, false]);
    let second = MarkedBody::new("chair\nv 0 0 0\\", &plain);
    let mut out = Vec::new();
    obj(&mut out, &[first, second], Some("m.mtl")).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        text,
        "mtllib m.mtl\nmtllib own.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\n\
         o person/shirt\ng front\nusemtl collides\nf 1/1 2/2 3/1 4/2\nusemtl blue\nf 1 2 3\n\
         o person/hat\nf 2/2 3/1 4/2\n\
         o chair v 0 0 0_\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1e-7\n\
         g default\nusemtl none\nf 5 6 9\nf 5 6 7 8\nf 6 7 9\n"
    );
    let back = read_as("x.obj", text.into_bytes());
    let names: Vec<_> = back.split_objects().into_iter().map(|object| object.name).collect();
    assert_eq!(names, ["person/shirt", "person/hat", "chair v 0 0 0_"]);
}

#[test]
fn marks_in_ply_are_colours_and_a_flag_of_vertices() {
    let mut out = Vec::new();
    ply(&mut out, &[marked(&sample(), &[true, false, false, false])], PlyEncoding::Ascii).unwrap();
    let text = String::from_utf8(out).unwrap();
    let (header, body) = text.split_once("end_header\n").unwrap();
    assert!(header.contains("property double x") && header.contains("comment colliding faces 0\n"));
    assert!(header.ends_with("element face 3\nproperty list uchar int vertex_indices\n"), "{header}");
    assert_eq!(
        body,
        "0 0 0 217 31 26 1\n1 0 0 217 31 26 1\n1 1 0 191 191 191 0\n0 1 0 191 191 191 0\n\
         0.5 0.5 1e-7 217 31 26 1\n3 0 1 4\n4 0 1 2 3\n3 1 2 4\n"
    );
}

#[test]
fn bodies_depths_and_colliding_faces_stand_in_a_ply() {
    let mesh = sample();
    let tets = MeshData { tets: vec![[0, 1, 2, 4]], polygons: Polygons::default(), ..sample() };
    let mut second = MarkedBody::new("soft", &tets);
    second.faces = Faces::Triangles(&[[0, 1, 2], [0, 2, 4]]);
    second.marks.tets = Some(&[true]);
    second.marks.depths = Some(&[0.5, 0.0, 0.0, 0.0, 0.25]);
    second.marks.triangles = Some(&[true, true]);
    let mut out = Vec::new();
    ply(&mut out, &[marked(&mesh, &[false, false, false, true]), second], PlyEncoding::Ascii).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("comment body 1 soft\ncomment colliding faces 2-4\n"), "{text}");
    assert!(text.contains("\n0 0 0 217 31 26 1 0.5 1\n"), "{text}");
    assert!(text.ends_with("3 1 2 4\n3 5 6 7\n3 5 7 9\n"), "{text}");
    // Many faces make many short lines, as readers have short buffers.
    let flags: Vec<bool> = (0..3000).map(|k| k % 3 == 0).collect();
    let many = mesh_of(3000);
    let mut out = Vec::new();
    ply(&mut out, &[marked(&many, &flags)], PlyEncoding::Ascii).unwrap();
    let text = String::from_utf8(out).unwrap();
    let numbers: Vec<usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("comment colliding faces "))
        .inspect(|line| assert!(line.len() <= 100))
        .flat_map(|line| line.split(' ').map(|word| word.parse().unwrap()))
        .collect();
    assert_eq!(numbers, (0..3000).step_by(3).collect::<Vec<_>>());
}

fn mesh_of(triangles: usize) -> MeshData {
    MeshData { polygons: Polygons::from_triangles(&vec![[0, 1, 2]; triangles]), ..sample() }
}

#[test]
fn a_ply_keeps_texture_coordinates_of_vertices() {
    let mut mesh = sample();
    mesh.uvs.coordinates = (0..5).map(|k| [f64::from(k) / 3.0, 0.25]).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.ply");
    write(&path, &mesh, None).unwrap();
    assert_eq!(read_with(&path, &ReadOptions::default().with_uvs()).unwrap(), mesh);
}

#[test]
fn a_failed_write_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.txt");
    fs::write(&path, "before").unwrap();
    let full = |out: &mut dyn std::io::Write| {
        out.write_all(&vec![b'x'; 1 << 20])?;
        Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
    };
    let error = write_file(&path, full).unwrap_err().to_string();
    assert!(error.contains("kept.txt: "), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    assert!(write_file(&folder.path().join("new.txt"), full).is_err());
    // Nothing is left over.
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["kept.txt"]);
    write_file(&path, |out| out.write_all(b"after")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "after");
    let error = write_file(folder.path(), |_| Ok(())).unwrap_err().to_string();
    assert!(error.ends_with("is a directory"), "{error}");
    let error = write_file(&folder.path().join("no/where.txt"), |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("where.txt: "), "{error}");
}

#[cfg(unix)]
#[test]
fn links_are_followed_devices_written_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    write_file(&link, |out| out.write_all(b"new")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
    assert!(write_file(&file, |_| Ok(())).unwrap_err().to_string().ends_with("is read-only"));
    write_file("/dev/null".as_ref(), |out| out.write_all(b"gone")).unwrap();
    if std::path::Path::new("/dev/full").exists() {
        let error = write("/dev/full".as_ref(), &sample(), None).unwrap_err().to_string();
        assert!(error.contains("/dev/full"), "{error}");
        assert!(write_file("/dev/full".as_ref(), |out| out.write_all(b"x")).is_err());
    }
}

#[test]
fn marked_files_are_read_back_from_disk() {
    let directory = tempfile::tempdir().unwrap();
    let flags = [true, false, true, false];
    for name in ["a.obj", "a.ply", "b.OBJ.gz", "b.Ply.gz"] {
        let path = directory.path().join(name);
        write(&path, &sample(), Some(&flags)).unwrap();
        let back = read(&path).unwrap();
        assert_eq!((&back.positions, &back.polygons), (&sample().positions, &sample().polygons), "{name}");
    }
    assert!(directory.path().join("a.mtl").exists() && directory.path().join("b.mtl").exists());
    let binary = std::fs::read(directory.path().join("a.ply")).unwrap();
    assert!(binary.starts_with(b"ply\nformat binary_little_endian 1.0\n"));
}

#[test]
fn what_does_not_fit_is_refused_before_a_file_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.ply");
    let sample = sample();
    let error = write(&path, &sample, Some(&[true])).unwrap_err().to_string();
    assert!(error.ends_with("x.ply: 1 collision flags for 4 triangles"), "{error}");
    let mut body = marked(&sample, &[true; 4]);
    body.marks.depths = Some(&[0.0]);
    assert!(write_marked(&path, &[body]).unwrap_err().to_string().ends_with("1 depths for 5 vertices"));
    let mut broken = sample.clone();
    broken.polygons.push(&[0, 1, 9]);
    let error = write(&path, &broken, None).unwrap_err().to_string();
    assert!(error.ends_with("vertex 9 in an element, but there are 5 vertices"), "{error}");
    let tets = MeshData { tets: vec![[0, 1, 2, 4]], polygons: Polygons::default(), ..sample.clone() };
    assert!(write(&path, &tets, None).unwrap_err().to_string().contains("no tetrahedra"));
    assert!(!path.exists());
    let error = write("x.step".as_ref(), &sample, None).unwrap_err().to_string();
    assert_eq!(error, "x.step: cannot write this file type; known are .obj .ply .vtu");
}

#[test]
fn long_polygons_and_single_precision() {
    let positions: Vec<_> = (0..300).map(|k| [f64::from(k) * 0.25, 0.0, 1.5]).collect();
    let corners: Vec<u32> = (0..300).collect();
    let data = mesh(&positions, &[&corners, &[0, 1, 2]]);
    for encoding in [PlyEncoding::Binary, PlyEncoding::Ascii] {
        let mut out = Vec::new();
        ply(&mut out, &[MarkedBody::new("", &data)], encoding).unwrap();
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
        obj(&mut files[0].1, &[MarkedBody::new("", &data)], None).unwrap();
        ply(&mut files[1].1, &[MarkedBody::new("", &data)], PlyEncoding::Binary).unwrap();
        ply(&mut files[2].1, &[MarkedBody::new("", &data)], PlyEncoding::Ascii).unwrap();
        for (name, bytes) in files {
            let back = read_as(name, bytes);
            prop_assert_eq!(&back, &data);
            prop_assert_eq!(bits(&back), bits(&data));
        }
    }
}
