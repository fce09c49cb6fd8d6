//! PLY, text or binary, with colours and a flag per face.

use std::io::{self, Write};

use super::{check, marked_polygons, number};
use crate::MeshData;

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlyEncoding {
    /// Little-endian binary.
    #[default]
    Binary,
    /// Decimal text.
    Ascii,
}

/// Red for what collides.
const COLLIDES: [u8; 3] = [217, 31, 26];
/// Grey for the rest.
const FREE: [u8; 3] = [191, 191, 191];

/// Writes a surface or points as PLY. Coordinates are `float` where that loses nothing, else `double`.
///
/// With flags, each face has a colour (`red`, `green`, `blue`) and the flag (`collides`, 0 or 1), and each vertex the
/// colour of the faces around it, since some programs show only the colours of vertices.
pub fn ply(
    out: &mut dyn Write,
    mesh: &MeshData,
    collides: Option<&[bool]>,
    encoding: PlyEncoding,
) -> io::Result<()> {
    check(mesh, collides)?;
    let faces = collides.map(|flags| marked_polygons(mesh, flags));
    let single = mesh.positions.iter().flatten().all(|&c| f64::from(c as f32) == c);
    let wide_lists = mesh.polygons.iter().any(|polygon| polygon.len() > 255);
    // Programs know "int" best.
    let index = if mesh.positions.len() <= i32::MAX as usize { "int" } else { "uint" };
    let colour =
        if faces.is_some() { "property uchar red\nproperty uchar green\nproperty uchar blue\n" } else { "" };
    let format = match encoding {
        PlyEncoding::Binary => "binary_little_endian",
        PlyEncoding::Ascii => "ascii",
    };
    let float = if single { "float" } else { "double" };
    writeln!(out, "ply\nformat {format} 1.0\nelement vertex {}", mesh.positions.len())?;
    write!(out, "property {float} x\nproperty {float} y\nproperty {float} z\n{colour}")?;
    if !mesh.polygons.is_empty() {
        let count = if wide_lists { "uint" } else { "uchar" };
        writeln!(out, "element face {}\nproperty list {count} {index} vertex_indices", mesh.polygons.len())?;
        write!(out, "{colour}{}", if faces.is_some() { "property uchar collides\n" } else { "" })?;
    }
    out.write_all(b"end_header\n")?;

    let mut rows = RowWriter { out, encoding, started: false };
    let vertices = faces.as_ref().map(|faces| marked_vertices(mesh, faces));
    for (v, p) in mesh.positions.iter().enumerate() {
        for &c in p {
            if single { rows.float(c as f32)? } else { rows.double(c)? }
        }
        if let Some(vertices) = &vertices {
            rows.colour(vertices[v])?;
        }
        rows.end()?;
    }
    for (k, polygon) in mesh.polygons.iter().enumerate() {
        if wide_lists {
            rows.integer(polygon.len() as u32)?
        } else {
            rows.byte(polygon.len() as u8)?
        }
        for &corner in polygon {
            rows.integer(corner)?;
        }
        if let Some(faces) = &faces {
            rows.colour(faces[k])?;
            rows.byte(u8::from(faces[k]))?;
        }
        rows.end()?;
    }
    Ok(())
}

/// Whether each vertex belongs to a marked polygon.
fn marked_vertices(mesh: &MeshData, faces: &[bool]) -> Vec<bool> {
    let mut marked = vec![false; mesh.positions.len()];
    for (polygon, _) in mesh.polygons.iter().zip(faces).filter(|(_, mark)| **mark) {
        polygon.iter().for_each(|&corner| marked[corner as usize] = true);
    }
    marked
}

/// Writes the values of a row one after the other.
struct RowWriter<'a> {
    out: &'a mut dyn Write,
    encoding: PlyEncoding,
    started: bool,
}

impl RowWriter<'_> {
    /// The raw bytes, or the text after a blank.
    fn value(&mut self, bytes: &[u8], text: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.encoding == PlyEncoding::Binary {
            return self.out.write_all(bytes);
        }
        if self.started {
            self.out.write_all(b" ")?;
        }
        self.started = true;
        text(self.out)
    }

    fn float(&mut self, value: f32) -> io::Result<()> {
        // All digits of the f64, since readers of text may take it as one.
        self.value(&value.to_le_bytes(), |out| number(out, f64::from(value)))
    }

    fn double(&mut self, value: f64) -> io::Result<()> {
        self.value(&value.to_le_bytes(), |out| number(out, value))
    }

    fn integer(&mut self, value: u32) -> io::Result<()> {
        self.value(&value.to_le_bytes(), |out| write!(out, "{value}"))
    }

    fn byte(&mut self, value: u8) -> io::Result<()> {
        self.value(&[value], |out| write!(out, "{value}"))
    }

    fn colour(&mut self, marked: bool) -> io::Result<()> {
        let colour = if marked { COLLIDES } else { FREE };
        colour.into_iter().try_for_each(|channel| self.byte(channel))
    }

    fn end(&mut self) -> io::Result<()> {
        self.started = false;
        if self.encoding == PlyEncoding::Ascii { self.out.write_all(b"\n") } else { Ok(()) }
    }
}
