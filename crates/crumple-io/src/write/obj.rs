//! Wavefront OBJ: objects, groups, polygons, texture coordinates and materials as they were, with what collides as a
//! material of its own.

use std::io::{self, Write};

use super::{MarkedBody, number};
use crate::{Part, Uvs};

/// Writes surfaces or points as OBJ, body after body; the order of vertices and faces stays.
///
/// * Objects: a body without objects is one object of the body's name. One with objects keeps their names, with the
///   body's name and a slash before them where there are several bodies.
/// * Materials: of a body with flags, a face that collides has the material `collides` instead of its own; the others
///   keep theirs, and have `free` where they had none. `library` names the file that defines these two, whose content is
///   [`obj_materials`]; the libraries that a body came with stay named as they were.
/// * Tets are written as the faces given beside them.
pub fn obj(out: &mut dyn Write, bodies: &[MarkedBody<'_>], library: Option<&str>) -> io::Result<()> {
    bodies.iter().try_for_each(MarkedBody::check_surface)?;
    let mut libraries: Vec<&str> = library.into_iter().collect();
    libraries.extend(bodies.iter().flat_map(|body| body.material_libraries).map(String::as_str));
    for (k, library) in libraries.iter().enumerate() {
        if !libraries[..k].contains(library) {
            writeln!(out, "mtllib {}", line(library))?;
        }
    }
    let mut writer = BodyWriter { out, is_alone: bodies.len() == 1, vertices: 1, uvs: 1, current: None };
    bodies.iter().try_for_each(|body| writer.body(body))
}

/// Writes the material library that marked OBJ files use: red for `collides`, grey for `free`.
pub fn obj_materials(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"newmtl collides\nKd 0.85 0.12 0.10\nnewmtl free\nKd 0.75 0.75 0.75\n")
}

struct BodyWriter<'w> {
    out: &'w mut dyn Write,
    is_alone: bool,
    /// The number that the next body's first vertex has in the file.
    vertices: u64,
    /// The number that the next body's first texture coordinates have.
    uvs: u64,
    /// Object, group and material that the file is in.
    current: Option<[String; 3]>,
}

impl BodyWriter<'_> {
    fn body(&mut self, body: &MarkedBody<'_>) -> io::Result<()> {
        let has_objects = body.parts.iter().any(|part| !part.object.is_empty());
        if !has_objects && !body.name.is_empty() {
            writeln!(self.out, "o {}", line(body.name))?;
        }
        for p in body.positions {
            self.row("v", p)?;
        }
        for pair in body.uvs.iter().flat_map(|uvs| &uvs.coordinates) {
            self.row("vt", pair)?;
        }
        let marked = body.marked_faces();
        let mut parts = body.parts.iter().peekable();
        for f in 0..body.faces.len() {
            while parts.next_if(|part| part.faces.end <= f).is_some() {}
            let names = self.names(body, has_objects, parts.peek().copied(), marked.as_ref().map(|m| m[f]));
            self.enter(names)?;
            self.face(body, f)?;
        }
        self.vertices += body.positions.len() as u64;
        self.uvs += body.uvs.map_or(0, |uvs| uvs.coordinates.len() as u64);
        Ok(())
    }

    /// Object, group and material of a face; the object is empty where the body is one.
    fn names(
        &self,
        body: &MarkedBody<'_>,
        has_objects: bool,
        part: Option<&Part>,
        mark: Option<bool>,
    ) -> [String; 3] {
        let own = |name: fn(&Part) -> &str| part.map_or("", name);
        let object = match own(|part| &part.object) {
            _ if !has_objects => String::new(),
            "" => line(if body.name.is_empty() { "unnamed" } else { body.name }),
            object if self.is_alone || body.name.is_empty() => line(object),
            object => line(&format!("{}/{object}", body.name)),
        };
        let material = match (mark, own(|part| &part.material)) {
            (Some(true), _) => "collides",
            (Some(false), "") => "free",
            (_, material) => material,
        };
        [object, line(own(|part| &part.group)), line(material)]
    }

    /// Writes the statements that lead from the current names to these.
    fn enter(&mut self, names: [String; 3]) -> io::Result<()> {
        let before = self.current.take().unwrap_or_default();
        // A name cannot be taken back; the format calls the group of no name "default".
        for (k, (keyword, none)) in [("o", ""), ("g", "default"), ("usemtl", "none")].iter().enumerate() {
            match (&names[k], &before[k]) {
                (now, before) if now == before => {}
                (now, _) if now.is_empty() && none.is_empty() => {}
                (now, _) if now.is_empty() => writeln!(self.out, "{keyword} {none}")?,
                (now, _) => writeln!(self.out, "{keyword} {now}")?,
            }
        }
        self.current = Some(names);
        Ok(())
    }

    fn row(&mut self, keyword: &str, numbers: &[f64]) -> io::Result<()> {
        self.out.write_all(keyword.as_bytes())?;
        for &c in numbers {
            self.out.write_all(b" ")?;
            number(self.out, c)?;
        }
        self.out.write_all(b"\n")
    }

    fn face(&mut self, body: &MarkedBody<'_>, f: usize) -> io::Result<()> {
        self.out.write_all(b"f")?;
        let corners = body.uvs.map(|uvs| &uvs.corners).filter(|corners| !corners.is_empty());
        for (&corner, at) in body.faces.get(f).iter().zip(body.faces.corner_range(f)) {
            write!(self.out, " {}", u64::from(corner) + self.vertices)?;
            let pair = match corners {
                Some(corners) => corners[at],
                None if body.uvs.is_some() => corner,
                None => Uvs::NONE,
            };
            if pair != Uvs::NONE {
                write!(self.out, "/{}", u64::from(pair) + self.uvs)?;
            }
        }
        self.out.write_all(b"\n")
    }
}

/// A name that keeps to its line: no control characters, and no backslash at its end, which would join the next line.
fn line(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    let kept = name.trim_end_matches('\\');
    format!("{kept}{}", "_".repeat(name.len() - kept.len()))
}
