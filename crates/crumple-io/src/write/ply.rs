//! PLY, text or binary, with a colour and a flag per vertex.

use std::io::{self, Write};

use super::{MarkedBody, Marks, number};

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

/// The longest line of a comment: readers have buffers of fixed size.
const COMMENT: usize = 100;

/// Writes surfaces or points as PLY. Coordinates are `float` where that loses nothing, else `double`.
///
/// Marks stand at the vertices: a colour (`red`, `green`, `blue`) and a flag (`collides`, 0 or 1), with `depth` where depths
/// are given and `body` where there are several bodies. Faces have no properties, since common readers take no scalars
/// there; which of them collide is told in comments of the header, `comment colliding faces 3 7-12`, by their numbers in
/// this file. Texture coordinates (`s`, `t`) are kept where they belong to vertices; tets are written as the faces given
/// beside them.
pub fn ply(out: &mut dyn Write, bodies: &[MarkedBody<'_>], encoding: PlyEncoding) -> io::Result<()> {
    bodies.iter().try_for_each(MarkedBody::check_surface)?;
    let layout = Layout::of(bodies);
    header(out, bodies, encoding, &layout)?;
    let mut rows = RowWriter { out, encoding, started: false };
    for (b, body) in bodies.iter().enumerate() {
        let marked = body.marked_vertices().unwrap_or_else(|| vec![false; body.positions.len()]);
        for (v, p) in body.positions.iter().enumerate() {
            for &c in p {
                if layout.single { rows.float(c as f32)? } else { rows.double(c)? }
            }
            if layout.has_uvs {
                let [s, t] = body.uvs.map_or([0.0; 2], |uvs| uvs.coordinates[v]);
                rows.double(s)?;
                rows.double(t)?;
            }
            if layout.has_flags {
                rows.colour(marked[v])?;
                rows.byte(u8::from(marked[v]))?;
            }
            if layout.has_depths {
                rows.double(body.marks.depths.map_or(0.0, |depths| depths[v]))?;
            }
            if bodies.len() > 1 {
                rows.integer(b as u32)?;
            }
            rows.end()?;
        }
    }
    let mut first = 0;
    for body in bodies {
        for face in body.faces.iter() {
            if layout.wide_lists {
                rows.integer(face.len() as u32)?
            } else {
                rows.byte(face.len() as u8)?
            }
            for &corner in face {
                rows.integer(first + corner)?;
            }
            rows.end()?;
        }
        first += body.positions.len() as u32;
    }
    Ok(())
}

/// What all rows have, so that bodies can share a table.
struct Layout {
    vertices: usize,
    faces: usize,
    single: bool,
    wide_lists: bool,
    has_uvs: bool,
    has_flags: bool,
    has_depths: bool,
}

impl Layout {
    fn of(bodies: &[MarkedBody<'_>]) -> Self {
        let mut faces = bodies.iter().flat_map(|body| body.faces.iter());
        Self {
            vertices: bodies.iter().map(|body| body.positions.len()).sum(),
            faces: bodies.iter().map(|body| body.faces.len()).sum(),
            single: bodies.iter().flat_map(|b| b.positions.as_flattened()).all(|&c| f64::from(c as f32) == c),
            wide_lists: faces.any(|face| face.len() > 255),
            has_uvs: bodies.iter().all(|body| body.uvs.is_some_and(|uvs| uvs.corners.is_empty()))
                && !bodies.is_empty(),
            has_flags: bodies.iter().any(|body| {
                let Marks { triangles, tets, vertices, .. } = body.marks;
                triangles.is_some() || tets.is_some() || vertices.is_some()
            }),
            has_depths: bodies.iter().any(|body| body.marks.depths.is_some()),
        }
    }
}

fn header(
    out: &mut dyn Write,
    bodies: &[MarkedBody<'_>],
    encoding: PlyEncoding,
    layout: &Layout,
) -> io::Result<()> {
    if layout.vertices > u32::MAX as usize {
        return super::refuse("more than 4294967295 vertices in one file".into());
    }
    let format = match encoding {
        PlyEncoding::Binary => "binary_little_endian",
        PlyEncoding::Ascii => "ascii",
    };
    writeln!(out, "ply\nformat {format} 1.0")?;
    for (b, body) in bodies.iter().enumerate().filter(|(_, body)| !body.name.is_empty()) {
        let name: String = body.name.replace(char::is_control, " ").chars().take(COMMENT).collect();
        writeln!(out, "comment body {b} {name}")?;
    }
    comment_faces(out, bodies)?;
    let float = if layout.single { "float" } else { "double" };
    writeln!(out, "element vertex {}", layout.vertices)?;
    write!(out, "property {float} x\nproperty {float} y\nproperty {float} z\n")?;
    if layout.has_uvs {
        out.write_all(b"property double s\nproperty double t\n")?;
    }
    if layout.has_flags {
        out.write_all(
            b"property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar collides\n",
        )?;
    }
    if layout.has_depths {
        out.write_all(b"property double depth\n")?;
    }
    if bodies.len() > 1 {
        out.write_all(b"property int body\n")?;
    }
    if layout.faces > 0 {
        let count = if layout.wide_lists { "uint" } else { "uchar" };
        // Programs know "int" best.
        let index = if layout.vertices <= i32::MAX as usize { "int" } else { "uint" };
        writeln!(out, "element face {}\nproperty list {count} {index} vertex_indices", layout.faces)?;
    }
    out.write_all(b"end_header\n")
}

/// The numbers of the marked faces, runs as `first-last`.
fn comment_faces(out: &mut dyn Write, bodies: &[MarkedBody<'_>]) -> io::Result<()> {
    const START: &str = "comment colliding faces";
    let flags =
        bodies.iter().flat_map(|body| body.marked_faces().unwrap_or_else(|| vec![false; body.faces.len()]));
    let mut line = START.to_owned();
    let mut flags = flags.enumerate().filter(|(_, mark)| *mark).map(|(face, _)| face).peekable();
    while let Some(first) = flags.next() {
        let mut last = first;
        while flags.next_if_eq(&(last + 1)).is_some() {
            last += 1;
        }
        let run = if first == last { format!(" {first}") } else { format!(" {first}-{last}") };
        if line.len() + run.len() > COMMENT {
            writeln!(out, "{line}")?;
            line = START.to_owned();
        }
        line.push_str(&run);
    }
    if line.len() > START.len() { writeln!(out, "{line}") } else { Ok(()) }
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
