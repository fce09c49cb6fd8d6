//! Wavefront OBJ, with two materials that tell colliding faces from free ones.

use std::io::{self, Write};

use super::{check, marked_polygons, number};
use crate::MeshData;

/// Writes a surface or points as OBJ. With flags, faces use the materials `collides` and `free` of `library`, whose
/// content is [`obj_materials`]; the order of the faces stays.
pub fn obj(
    out: &mut dyn Write,
    mesh: &MeshData,
    collides: Option<&[bool]>,
    library: Option<&str>,
) -> io::Result<()> {
    check(mesh, collides)?;
    if let Some(library) = library {
        writeln!(out, "mtllib {library}")?;
    }
    for p in &mesh.positions {
        out.write_all(b"v")?;
        for &c in p {
            out.write_all(b" ")?;
            number(out, c)?;
        }
        out.write_all(b"\n")?;
    }
    let marked = collides.map(|flags| marked_polygons(mesh, flags));
    let mut current = None;
    for (k, polygon) in mesh.polygons.iter().enumerate() {
        let mark = marked.as_ref().map(|marked| marked[k]);
        if mark != current {
            current = mark;
            writeln!(out, "usemtl {}", if mark == Some(true) { "collides" } else { "free" })?;
        }
        out.write_all(b"f")?;
        for &corner in polygon {
            write!(out, " {}", u64::from(corner) + 1)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the material library that marked OBJ files use: red for `collides`, grey for `free`.
pub fn obj_materials(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"newmtl collides\nKd 0.85 0.12 0.10\nnewmtl free\nKd 0.75 0.75 0.75\n")
}
