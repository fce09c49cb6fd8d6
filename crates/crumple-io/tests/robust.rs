//! Names that mislead, things that are no files, streams, patterns, and NumPy arrays as sequences.

use std::fs;
use std::path::{Path, PathBuf};

use crumple_io::{Format, ReadError, ReadOptions, Sequence, expand_glob, read, read_from, read_with};

fn testdata(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "meshes", name].iter().collect()
}

#[test]
fn a_wrong_extension_is_told_by_the_content() {
    let folder = tempfile::tempdir().unwrap();
    let under = |name: &str, as_name: &str| {
        let path = folder.path().join(as_name);
        fs::copy(testdata(name), &path).unwrap();
        read(&path).unwrap_err().to_string()
    };
    for (name, as_name, hint) in [
        ("box.off", "a.obj", "(the content looks like OFF, though it was read as OBJ)"),
        ("box.obj", "a.off", "(the content looks like OBJ, though it was read as OFF)"),
        ("box_little.ply", "a.stl", "(the content looks like PLY, though it was read as STL)"),
        ("box_binary.stl", "a.ply", "(the content looks like STL, though it was read as PLY)"),
        ("box.stl", "b.ply", "(the content looks like STL, though it was read as PLY)"),
        ("box.glb", "a.obj", "(the content looks like glTF, though it was read as OBJ)"),
        ("tets.ascii.vtu", "a.vtk", "(the content looks like VTK XML, though it was read as legacy VTK)"),
        (
            "tets.legacy42_ascii.vtk",
            "a.vtu",
            "(the content looks like legacy VTK, though it was read as VTK XML)",
        ),
        ("tets.gmsh22_ascii.msh", "a.mesh", "(the content looks like Gmsh, though it was read as Medit)"),
        ("points.npy", "c.ply", "(the content looks like NumPy, though it was read as PLY)"),
        ("points_packed.npz", "d.ply", "(the content looks like NumPy, though it was read as PLY)"),
    ] {
        let error = under(name, as_name);
        assert!(error.ends_with(hint), "{error}");
    }
    let unknown = under("box.off", "a.model");
    assert!(unknown.contains("unknown file type (its content looks like OFF); known are .obj"), "{unknown}");
    let path = folder.path().join("scene.obj");
    fs::write(&path, "#usda 1.0\n1\n").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("looks like USD, which is not read"), "{error}");
    // A plain fault under the right name has no hint.
    fs::write(&path, "v 0 0 0\nf 1 2 3\n").unwrap();
    assert!(!read(&path).unwrap_err().to_string().contains("looks like"));
    // Every sample that has a signature is recognised as what it is.
    for entry in fs::read_dir(testdata("")).unwrap() {
        let path = entry.unwrap().path();
        let Some(format) = Format::of(&path) else { continue };
        let bytes = crumple_io::Source::open(&path).unwrap().bytes;
        assert!(Format::sniff(&bytes).is_none_or(|seen| seen == format), "{}", path.display());
    }
}

#[test]
fn a_stream_is_read_as_the_format_that_is_named() {
    let bytes = fs::read(testdata("box.off")).unwrap();
    let box_ = read_from(bytes.as_slice(), Format::from_name("off").unwrap(), "standard input").unwrap();
    assert_eq!(box_, read(&testdata("box.off")).unwrap());
    let packed = fs::read(testdata("box_crlf.obj.gz")).unwrap();
    assert_eq!(read_from(packed.as_slice(), Format::Obj, "-").unwrap().polygons.len(), 6);
    let error = read_from(bytes.as_slice(), Format::Ply, "standard input").unwrap_err().to_string();
    assert!(error.starts_with("standard input, line 1: ") && error.contains("looks like OFF"), "{error}");
    assert_eq!(Format::sniff(&bytes), Some(Format::Off));
    assert_eq!(Format::from_name("blend"), None);
    // A file under any name, by an option.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.model");
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read_with(&path, &ReadOptions::default().with_format(Format::Off)).unwrap(), box_);
}

#[test]
fn what_is_no_file_has_its_own_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read(folder.path()), Err(ReadError::IsDirectory { .. })));
    let base = testdata("box.off");
    let cache = folder.path().join("frames.npy");
    fs::create_dir(&cache).unwrap();
    assert!(matches!(Sequence::open(&[base.clone(), cache]), Err(ReadError::IsDirectory { .. })));
    #[cfg(unix)]
    for name in ["endless.obj", "endless.f64", "endless.npy"] {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let error = match name {
            "endless.obj" => read(&link).unwrap_err(),
            _ => Sequence::open(&[base.clone(), link]).unwrap_err(),
        };
        let text = error.to_string();
        assert!(
            text.contains("a character device, not a file") || text.contains("must be a regular file"),
            "{text}"
        );
    }
}

#[test]
fn patterns_are_expanded_in_natural_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["f1.ply", "f2.ply", "f10.ply", "f010.ply", "g.ply", "f3.obj", "odd[1].ply"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let names = |pattern: &str| -> Vec<String> {
        let found = expand_glob(&format!("{}/{pattern}", folder.path().display())).unwrap();
        found.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names("f[0-9].ply"), ["f1.ply", "f2.ply"]);
    let all = names("f*.ply");
    assert_eq!(all.len(), 4);
    assert_eq!(all[..2], ["f1.ply", "f2.ply"]);
    assert_eq!(names("f?.*"), ["f1.ply", "f2.ply", "f3.obj"]);
    // A file of that very name, and a name that is no pattern.
    assert_eq!(names("odd[1].ply"), ["odd[1].ply"]);
    assert_eq!(expand_glob("not there.ply").unwrap(), [Path::new("not there.ply")]);
    let error = expand_glob(&format!("{}/h*.ply", folder.path().display())).unwrap_err();
    assert!(matches!(error, ReadError::NoMatch { .. }));
    assert!(expand_glob("a***b").unwrap_err().to_string().contains("not a pattern"));
}

/// An array as NumPy writes it.
fn npy(kind: &str, fortran: bool, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    header.push_str(&" ".repeat(117 - header.len()));
    header.push('\n');
    [b"\x93NUMPY\x01\x00", &118u16.to_le_bytes()[..], header.as_bytes(), numbers].concat()
}

#[test]
fn numpy_arrays_are_frames_of_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.obj");
    fs::write(&base, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let at = |f: usize, v: usize, k: usize| (100 * f + 10 * v + k) as f64 + 0.5;
    let mut c = Vec::new();
    (0..2).for_each(|f| (0..3).for_each(|v| (0..3).for_each(|k| c.push(at(f, v, k)))));
    let mut fortran = Vec::new();
    (0..3).for_each(|k| (0..3).for_each(|v| (0..2).for_each(|f| fortran.push(at(f, v, k)))));
    let le = |numbers: &[f64]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let be =
        |numbers: &[f64]| -> Vec<u8> { numbers.iter().flat_map(|&n| (n as f32).to_be_bytes()).collect() };
    let open = |bytes: Vec<u8>, name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        Sequence::open(&[base.clone(), path])
    };
    for (bytes, name) in [
        (npy("<f8", false, "(2, 3, 3)", &le(&c)), "c.npy"),
        (npy(">f4", false, "(2, 3, 3)", &be(&c)), "big.npy"),
        (npy("<f8", true, "(2, 3, 3)", &le(&fortran)), "fortran.npy"),
        (npy(">f4", true, "(2, 3, 3)", &be(&fortran)), "fortran_big.npy"),
    ] {
        let sequence = open(bytes, name).unwrap();
        assert_eq!(sequence.len(), 2, "{name}");
        let mut positions = Vec::new();
        for f in [1, 0] {
            sequence.read_frame(f, &mut positions).unwrap();
            assert_eq!(positions, [0, 1, 2].map(|v| [at(f, v, 0), at(f, v, 1), at(f, v, 2)]), "{name}");
        }
    }
    assert_eq!(open(npy("<f8", false, "(3, 3)", &le(&c[..9])), "one.npy").unwrap().len(), 1);
    for (bytes, expected) in [
        (npy("<f8", false, "(2, 4, 3)", &le(&c)), "take 192 bytes, but 144 follow"),
        (npy("<f8", false, "(3, 2, 3)", &le(&c)), "it moves 2 points, but the base mesh has 3 vertices"),
        (npy("<i4", false, "(2, 3, 3)", &le(&c)), "numbers are of type <i4"),
        (npy("<f8", false, "(0, 3, 3)", &[]), "it has 0 frames"),
        (npy("<f8", false, "(2, 3, 3)", &le(&c[1..])), "bytes, but 136 follow"),
        (b"nothing".to_vec(), "begins with"),
        (Vec::new(), "begins with"),
        (npy("<f8", true, "(2, 3, 3)", &le(&[f64::NAN; 18])), ""),
    ] {
        let error = match open(bytes, "bad.npy") {
            Err(error) => error,
            Ok(sequence) => sequence.read_frame(1, &mut Vec::new()).unwrap_err(),
        };
        assert!(error.to_string().contains(expected), "{error}");
    }
    let frame = npy("<f8", false, "(2, 3, 3)", &le(&[f64::NAN; 18]));
    let error = open(frame, "nan.npy").unwrap().read_frame(1, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("byte 200: frame 1: vertex 0 is not finite"), "{error}");
}

#[test]
fn numpy_archives_are_read() {
    let expected = read(&testdata("points.npy")).unwrap();
    assert_eq!(expected.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.5, -1.5]]);
    for name in ["points.npz", "points_packed.npz", "points_fortran_big.npy"] {
        assert_eq!(read(&testdata(name)).unwrap(), expected, "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.obj");
    fs::write(&base, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n").unwrap();
    for name in ["points.npz", "points_packed.npz"] {
        let sequence = Sequence::open(&[base.clone(), testdata(name)]).unwrap();
        let mut positions = Vec::new();
        sequence.read_frame(0, &mut positions).unwrap();
        assert_eq!(positions, expected.positions);
    }
    // Cut anywhere, an archive is refused: its table is at its end.
    let whole = fs::read(testdata("points_packed.npz")).unwrap();
    for end in 0..whole.len() {
        assert!(read_from(&whole[..end], Format::Numpy, "cut").is_err(), "{end} bytes");
    }
}
