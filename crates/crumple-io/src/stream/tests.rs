use std::path::Path;

use super::*;
use crate::read;

/// Positions, faces and tets.
type Content = (Vec<[f64; 3]>, Vec<Vec<u32>>, Vec<[u32; 4]>);

fn streamed(path: &Path) -> Result<Content, ReadError> {
    let stream = MeshStream::of(path)?.expect("it can be streamed");
    let (mut points, mut faces, mut tets) = (Vec::new(), Vec::new(), Vec::new());
    stream.vertices(|p| {
        points.push(p);
        Ok::<(), ReadError>(())
    })?;
    stream.polygons(|corners| {
        faces.push(corners.to_vec());
        Ok::<(), ReadError>(())
    })?;
    stream.tets(|corners| {
        tets.push(corners);
        Ok::<(), ReadError>(())
    })?;
    // As in a mesh that is read whole.
    if !tets.is_empty() {
        faces.clear();
    }
    Ok((points, faces, tets))
}

fn write(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn assert_same(path: &Path) {
    let whole = read(path).unwrap();
    let (points, faces, tets) = streamed(path).unwrap();
    assert_eq!(points, whole.positions);
    assert_eq!(faces, whole.polygons.iter().map(<[u32]>::to_vec).collect::<Vec<_>>());
    assert_eq!(tets, whole.tets);
}

/// What the stream says of a file that it refuses; a mesh of many pieces is not for a message.
fn refusal(path: &Path) -> String {
    let Err(error) = streamed(path) else { panic!("{} is read", path.display()) };
    error.to_string()
}

/// Both ways refuse it in the same words.
fn assert_refused(path: &Path, what: &str) {
    let whole = read(path).unwrap_err().to_string();
    assert_eq!(refusal(path), whole);
    assert!(whole.contains(what), "{whole}");
}

#[test]
fn medit_of_many_pieces_is_as_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let count = 300_000;
    let mut text = String::from("\u{feff}MeshVersionFormatted 2\nDimension\n3 # a comment\nVertices ");
    text += &format!("{count}\n");
    for k in 0..count {
        // Records over several lines, and several on one.
        let gap = ["\n", " ", "\r\n", " # said\n"][k % 4];
        text += &format!("{k}.5 {}{gap}-1e-3 0{gap}", 1.0 / (k as f64 + 3.0));
    }
    text += "Edges 1 1 2 0\nRidges 1 1\nTriangles 1\n1 2 3 0\nUnheardOf 2 7 7\nQuadrilaterals 1 1 2 3 4 0\n";
    let faces = format!("{text}End\n");
    assert!(faces.len() > PIECE);
    assert_same(&write(folder.path(), "faces.mesh", faces.as_bytes()));
    let rows: String = (1..=count - 3).map(|k| format!("{k} {} {} {} 9\n", k + 1, k + 2, k + 3)).collect();
    let solid = format!("{text}Tetrahedra {}\n{rows}End\n", count - 3);
    assert_same(&write(folder.path(), "solid.mesh", solid.as_bytes()));
    let bad = solid.replace("\n250000 250001", "\n250000 x");
    assert_refused(&write(folder.path(), "bad.mesh", bad.as_bytes()), "should be an integer");
    let cut = &solid[..solid.len() - 4];
    assert_refused(&write(folder.path(), "cut.mesh", cut.as_bytes()), "ends without \"End\"");
    let long = solid.replacen("Tetrahedra", &format!("#{}\nTetrahedra", "x".repeat(10 << 20)), 1);
    let long = write(folder.path(), "long.mesh", long.as_bytes());
    let error = refusal(&long);
    assert!(error.contains("a record of more than 1048576 bytes"), "{error}");
}

#[test]
fn tetgen_is_as_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    for base in [0, 1] {
        let count = 300_000;
        let points: String =
            (0..count).map(|k| format!("{} {k} 0.{k} 1e-9 5 6 # said\n\n", k + base)).collect();
        let node = write(folder.path(), "a.node", format!("{count} 3 1 1\n{points}").as_bytes());
        let tets: String = (0..count - 3)
            .map(|k| format!("{k} {} {} {} {} 7\n", k + base, k + 1 + base, k + 2 + base, k + 3 + base))
            .collect();
        let ele = write(folder.path(), "a.ele", format!("# tets\n{} 4 1\n{tets}", count - 3).as_bytes());
        assert!(points.len() > PIECE);
        assert_same(&node);
        assert_same(&ele);
        write(folder.path(), "b.node", format!("3 3\n{}", "0 1 2 3\n1 1 2 3\n2 1 1 1\n").as_bytes());
        let wrong = write(folder.path(), "b.ele", b"1 4\n0 0 1 2 3\n");
        assert_refused(&wrong, "tet 0");
    }
    let alone = write(folder.path(), "c.node", b"1 3\n0 1 2 3\n");
    assert!(MeshStream::of(&alone).unwrap().is_none(), "a body of points is read whole");
}

#[test]
fn obj_of_many_pieces_is_as_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("# a comment\no part\n");
    // More than one piece of text, with faces among the vertices, by numbers from both ends, over several lines.
    for k in 0..120_000 {
        text += &format!("v {k}.25 -1e-3 {}\nvn 0 0 1\nv 1 {k} 2\nv 0.5 {k} 7 # end\r\n", f64::from(k) / 3.0);
        text += &format!("f -3//1 -2//1 -1//1\nf {} \\\n {} {}/1 1\n", 3 * k + 1, 3 * k + 2, 3 * k + 3);
    }
    assert!(text.len() > PIECE);
    assert_same(&write(folder.path(), "a.obj", text.as_bytes()));
    let bad = text.replace("v 1 100000 2", "v 1 x 2");
    let path = write(folder.path(), "bad.obj", bad.as_bytes());
    assert_eq!(streamed(&path).unwrap_err().to_string(), read(&path).unwrap_err().to_string());
}

#[test]
fn ply_is_as_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let head = |order: &str| {
        format!(
            "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty uchar red\nproperty float x\nproperty double z\nproperty short y\nelement face 3\nproperty list uchar int vertex_indices\nproperty uchar flag\nend_header\n"
        )
    };
    let rows = [(1.5_f32, 2.5_f64, 3_i16), (0.0, -1.0, -7), (9.0, 1e300, 0), (0.1, 0.1, 1)];
    let faces: [&[i32]; 3] = [&[0, 1, 2], &[3, 2], &[0, 1, 2, 3]];
    for order in ["little", "big"] {
        let mut bytes = head(order).into_bytes();
        for (x, z, y) in rows {
            bytes.push(200);
            if order == "little" {
                bytes.extend(x.to_le_bytes().iter().chain(&z.to_le_bytes()).chain(&y.to_le_bytes()));
            } else {
                bytes.extend(x.to_be_bytes().iter().chain(&z.to_be_bytes()).chain(&y.to_be_bytes()));
            }
        }
        for face in faces {
            bytes.push(face.len() as u8);
            for v in face {
                bytes.extend(if order == "little" { v.to_le_bytes() } else { v.to_be_bytes() });
            }
            bytes.push(7);
        }
        assert_same(&write(folder.path(), "a.ply", &bytes));
        let cut = write(folder.path(), "cut.ply", &bytes[..bytes.len() - 3]);
        assert!(streamed(&cut).is_err());
        let short = write(folder.path(), "short.ply", &bytes[..head(order).len() + 5]);
        assert!(MeshStream::of(&short).is_err());
        let mut wrong = bytes.clone();
        let corner = wrong.len() - 2;
        wrong[corner] = 99;
        let error = streamed(&write(folder.path(), "wrong.ply", &wrong)).unwrap_err().to_string();
        assert!(error.contains("face 2 has a corner that is not among 4 vertices"), "{error}");
    }
}

#[test]
fn what_cannot_be_streamed_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n";
    assert!(MeshStream::of(&write(folder.path(), "text.ply", text)).unwrap().is_none());
    assert!(MeshStream::of(&write(folder.path(), "a.stl", b"solid\n")).unwrap().is_none());
    assert!(MeshStream::of(&folder.path().join("none.obj")).is_err());
    assert!(MeshStream::of(folder.path()).is_err());
}
