use std::path::Path;

use super::*;
use crate::read;

/// Positions and faces.
type Content = (Vec<[f64; 3]>, Vec<Vec<u32>>);

fn streamed(path: &Path) -> Result<Content, ReadError> {
    let stream = MeshStream::of(path)?.expect("it can be streamed");
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    stream.vertices(|p| {
        points.push(p);
        Ok::<(), ReadError>(())
    })?;
    stream.polygons(|corners| {
        faces.push(corners.to_vec());
        Ok::<(), ReadError>(())
    })?;
    Ok((points, faces))
}

fn write(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn assert_same(path: &Path) {
    let whole = read(path).unwrap();
    let (points, faces) = streamed(path).unwrap();
    assert_eq!(points, whole.positions);
    assert_eq!(faces, whole.polygons.iter().map(<[u32]>::to_vec).collect::<Vec<_>>());
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
