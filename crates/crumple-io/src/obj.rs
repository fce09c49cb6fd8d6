//! Wavefront OBJ.
//!
//! One vertex array and one face list, both in file order: objects, groups and materials do not split anything, they
//! are kept as [`Part`](crate::Part)s, and of `v/vt/vn` only `v` makes a vertex. Texture coordinates are kept per corner
//! where they are asked for. A face may name vertices that come later in the file.
//! `v` lines alone make a body of points. Free-form curves and surfaces, lines and points are ignored and noted.
//! A face of one or two corners is ignored and noted too; it has no number.

use crate::check::finite;
use crate::names::{Level, Names};
use crate::text::{Text, parse_f64, parse_i64, quoted};
use crate::{MeshData, Place, ReadError, ReadOptions, Source, Uvs};

/// Statements that carry no geometry, or attributes that do not concern collisions.
const IGNORED: &[&[u8]] = &[
    b"vn",
    b"s",
    b"mg",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
];

/// The most library files of one OBJ file whose names are kept.
const MOST_LIBRARIES: usize = 64;

/// Reads an OBJ file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<MeshData, ReadError> {
    let mut reader = Reader::new(source, options);
    reader.run(None)?;
    let vertices = reader.data.positions.len();
    if reader.largest_index.is_some_and(|largest| largest as usize >= vertices) {
        // Only now the number of vertices is known; the second pass stops at the line of the first fault.
        reader = Reader::new(source, options);
        reader.run(Some(vertices))?;
    }
    if vertices == 0 {
        return Err(source.error(Place::File, "no vertex (\"v\" line) in the file"));
    }
    Ok(reader.finish())
}

/// Reads some lines from the middle of a file, which has `before` vertices in front of them. Which vertices there are in
/// all is not known here: corners are not checked against it.
pub(crate) fn read_lines(source: &Source, before: usize) -> Result<MeshData, ReadError> {
    let mut reader = Reader { before, ..Reader::new(source, &ReadOptions::default()) };
    reader.run(None)?;
    Ok(reader.data)
}

struct Reader<'a> {
    source: &'a Source,
    text: Text<'a>,
    data: MeshData,
    names: Names,
    /// Whether texture coordinates are read; no longer after one that is not there.
    wants_uvs: bool,
    /// What a corner names as texture coordinates, beside `corners`.
    corner_uvs: Vec<u32>,
    corners: Vec<u32>,
    largest_index: Option<u32>,
    /// Vertices in the parts of the file before this one.
    before: usize,
    bad_uvs: Ignored,
    short_faces: Ignored,
    lines_and_points: Ignored,
    free_form: Ignored,
    unknown: Ignored,
}

/// Statements that were passed over.
#[derive(Default)]
struct Ignored {
    count: u64,
    first_line: u64,
}

impl Ignored {
    fn count(&mut self, line: u64) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source, options: &ReadOptions) -> Self {
        Self {
            source,
            text: Text::new(source).comment(b'#').joined_by_backslash(),
            data: MeshData::default(),
            names: Names::default(),
            wants_uvs: options.uvs,
            corner_uvs: Vec::new(),
            corners: Vec::new(),
            largest_index: None,
            before: 0,
            bad_uvs: Ignored::default(),
            short_faces: Ignored::default(),
            lines_and_points: Ignored::default(),
            free_form: Ignored::default(),
            unknown: Ignored::default(),
        }
    }

    /// Reads all lines; a face may name the first `vertices` vertices, or any if that number is not known yet.
    fn run(&mut self, vertices: Option<usize>) -> Result<(), ReadError> {
        loop {
            if let Some(keyword) = self.text.line_word() {
                self.statement(keyword, vertices)?;
            }
            if !self.text.next_line() {
                return Ok(());
            }
        }
    }

    fn statement(&mut self, keyword: &[u8], vertices: Option<usize>) -> Result<(), ReadError> {
        let line = self.text.line();
        match keyword {
            b"v" => return self.vertex(),
            b"f" | b"fo" => return self.face(vertices),
            b"vt" if self.wants_uvs => self.texture_coordinates(),
            b"vt" => {}
            b"o" => self.name(Level::Object),
            b"g" => self.name(Level::Group),
            b"usemtl" => self.name(Level::Material),
            b"mtllib" => {
                let library = String::from_utf8_lossy(self.text.rest_of_line()).into_owned();
                let libraries = &mut self.data.material_libraries;
                if libraries.len() < MOST_LIBRARIES && !libraries.contains(&library) {
                    libraries.push(library);
                }
            }
            b"l" | b"p" => self.lines_and_points.count(line),
            b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf" | b"parm"
            | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech" | b"stech" => {
                self.free_form.count(line);
            }
            _ if IGNORED.contains(&keyword) => {}
            // Exporters add statements of their own; anything that is not even a word is a broken file.
            _ if keyword.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_') => self.unknown.count(line),
            _ => return Err(self.text.error(format!("unknown statement {}", quoted(keyword)))),
        }
        Ok(())
    }

    /// `v x y z`, then perhaps a weight or a colour, which must be numbers.
    fn vertex(&mut self) -> Result<(), ReadError> {
        let text = &mut self.text;
        let p = [text.line_number("x")?, text.line_number("y")?, text.line_number("z")?];
        let place = Place::Line(text.line());
        while let Some(word) = text.line_word() {
            if parse_f64(word).is_none() {
                return Err(text.error(format!("a vertex holds numbers, not {}", quoted(word))));
            }
        }
        self.data.positions.push(finite(self.source, place, self.data.positions.len(), p)?);
        Ok(())
    }

    /// `vt u`, `vt u v` or `vt u v w`. What is no finite number becomes 0: a mesh is not refused for its texture.
    fn texture_coordinates(&mut self) {
        let mut uv = [0.0; 2];
        for (k, c) in uv.iter_mut().enumerate() {
            match self.text.line_word() {
                None if k > 0 => {}
                word => match word.and_then(parse_f64).filter(|value| value.is_finite()) {
                    Some(value) => *c = value,
                    None => self.bad_uvs.count(self.text.line()),
                },
            }
        }
        self.data.uvs.coordinates.push(uv);
    }

    fn name(&mut self, level: Level) {
        let name = self.text.rest_of_line();
        self.names.set(self.data.polygons.len(), level, name);
    }

    fn face(&mut self, vertices: Option<usize>) -> Result<(), ReadError> {
        self.corners.clear();
        self.corner_uvs.clear();
        let mut largest = 0;
        while let Some(word) = self.text.line_word() {
            let Some(Corner { vertex, uv }) = Corner::parse(word) else {
                return Err(self.text.error(format!("a face holds vertex indices, not {}", quoted(word))));
            };
            let vertex = self.vertex_of(vertex, vertices)?;
            largest = largest.max(vertex);
            self.corners.push(vertex);
            if self.wants_uvs {
                self.uv_of(uv);
            }
        }
        if !self.corners.is_empty() {
            self.largest_index = self.largest_index.max(Some(largest));
        }
        if self.corners.len() < 3 {
            self.short_faces.count(self.text.line());
            return Ok(());
        }
        if self.data.polygons.corner_count() + self.corners.len() > u32::MAX as usize {
            return Err(self.text.error("more than 4294967295 corners of faces"));
        }
        self.data.polygons.push(&self.corners);
        self.data.uvs.corners.extend_from_slice(&self.corner_uvs);
        Ok(())
    }

    /// Keeps which texture coordinates a corner has; they may come later in the file, as vertices may.
    fn uv_of(&mut self, index: Option<i64>) {
        let pair = match index {
            None => Some(Uvs::NONE),
            Some(index @ 1..) => u32::try_from(index - 1).ok().filter(|&pair| pair != Uvs::NONE),
            Some(index) => (self.data.uvs.coordinates.len() as i64)
                .checked_add(index)
                .filter(|_| index < 0)
                .and_then(|pair| u32::try_from(pair).ok()),
        };
        if pair.is_none() {
            self.bad_uvs.count(self.text.line());
        }
        self.corner_uvs.push(pair.unwrap_or(Uvs::NONE));
    }

    /// The number, from 0, of the vertex that a corner names.
    #[inline]
    fn vertex_of(&self, index: i64, vertices: Option<usize>) -> Result<u32, ReadError> {
        let so_far = self.before + self.data.positions.len();
        let vertex = match index {
            0 => return Err(self.text.error("vertex index 0 in a face: OBJ counts from 1")),
            1.. => Some(index - 1),
            _ => (so_far as i64).checked_add(index).filter(|&vertex| vertex >= 0),
        };
        match (vertex, vertices) {
            // No file has as many vertices as the largest index, so that this one is found out later.
            (Some(vertex), None) => Ok(u32::try_from(vertex).unwrap_or(u32::MAX)),
            (Some(vertex), Some(vertices)) if vertex < vertices as i64 => Ok(vertex as u32),
            (Some(_), Some(vertices)) => {
                Err(self.text.error(format!("vertex index {index} is out of range: {vertices} vertices")))
            }
            (None, _) => Err(self
                .text
                .error(format!("vertex index {index} is out of range: {so_far} vertices before this line"))),
        }
    }

    fn finish(mut self) -> MeshData {
        self.data.parts = std::mem::take(&mut self.names).finish(self.data.polygons.len());
        let pairs = self.data.uvs.coordinates.len();
        for uv in &mut self.data.uvs.corners {
            if *uv != Uvs::NONE && *uv as usize >= pairs {
                self.bad_uvs.count += 1;
                *uv = Uvs::NONE;
            }
        }
        if self.data.uvs.corners.iter().all(|&uv| uv == Uvs::NONE) {
            self.data.uvs = Uvs::default();
        }
        if self.bad_uvs.count > 0 {
            let note = format!(
                "{} texture coordinates that are not there or no numbers ignored",
                self.bad_uvs.count
            );
            self.data.notes.push(note);
        }
        self.add_notes();
        self.data
    }

    fn add_notes(&mut self) {
        for (ignored, what) in [
            (&self.short_faces, "faces with fewer than three corners"),
            (&self.lines_and_points, "line and point elements"),
            (&self.free_form, "free-form statements"),
            (&self.unknown, "unknown statements"),
        ] {
            if ignored.count > 0 {
                let note = format!("{} {what} ignored, first on line {}", ignored.count, ignored.first_line);
                self.data.notes.push(note);
            }
        }
    }
}

/// What a word of a face says: `v`, `v/vt`, `v//vn` or `v/vt/vn`, as numbers of the file.
struct Corner {
    vertex: i64,
    uv: Option<i64>,
}

impl Corner {
    #[inline]
    fn parse(word: &[u8]) -> Option<Self> {
        let end = word.iter().position(|&byte| byte == b'/').unwrap_or(word.len());
        let vertex = parse_i64(&word[..end])?;
        let mut corner = Self { vertex, uv: None };
        let Some(rest) = word.get(end + 1..) else { return Some(corner) };
        let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
        if end > 0 {
            corner.uv = Some(parse_i64(&rest[..end])?);
        }
        match rest.get(end + 1..) {
            None | Some([]) => Some(corner),
            Some(normal) => parse_i64(normal).map(|_| corner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MeshData, ReadError> {
        read(&Source { name: "t.obj".into(), bytes: text.as_bytes().to_vec() }, &ReadOptions::default())
    }

    fn fault(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    fn faces(data: &MeshData) -> Vec<Vec<u32>> {
        data.polygons.iter().map(<[u32]>::to_vec).collect()
    }

    const THREE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

    #[test]
    fn every_form_of_a_corner() {
        let data =
            parse(&format!("{THREE}f 1 2 3\nf 1/1 2/2 3/3\nf 1//5 2//5 3//5\nf -3/1/1 -2/1/1 -1/1/1\n"));
        assert_eq!(faces(&data.unwrap()), vec![vec![0, 1, 2]; 4]);
        assert!(fault(&format!("{THREE}f 1 2 x")).contains("line 4: a face holds vertex indices, not \"x\""));
        assert!(fault(&format!("{THREE}f 1 2 3/a")).contains("not \"3/a\""));
        assert!(fault(&format!("{THREE}f 1 2 3/1/1/1")).contains("not \"3/1/1/1\""));
    }

    #[test]
    fn vertices_may_follow_and_order_is_the_files() {
        let data =
            parse("f 1 2 3 4\ng a\nv 0 0 0 0.5\nv 1 0 0 1 0 0\no b\nv 1 1 0\nv 0 1e-1 -0.0\n").unwrap();
        assert_eq!(faces(&data), [[0, 1, 2, 3]]);
        assert_eq!(data.positions[3], [0.0, 0.1, 0.0]);
        assert!(data.positions[3][2].is_sign_negative());
        assert!(data.notes.is_empty());
    }

    #[test]
    fn bad_indices_name_line_and_index() {
        assert_eq!(
            fault(&format!("{THREE}f 1 2 3\nf 1 2 4\nf 1 2 9\n")),
            "t.obj, line 5: vertex index 4 is out of range: 3 vertices"
        );
        assert_eq!(
            fault(&format!("{THREE}f -4 2 3\n")),
            "t.obj, line 4: vertex index -4 is out of range: 3 vertices before this line"
        );
        assert!(fault(&format!("{THREE}f 0 1 2\n")).contains("line 4: vertex index 0"));
        assert!(
            fault(&format!("{THREE}f 1 2 99999999999\n"))
                .contains("line 4: vertex index 99999999999 is out of range: 3 vertices")
        );
        assert!(fault(&format!("{THREE}f 1 2 -9223372036854775807\n")).contains("out of range"));
        assert!(fault(&format!("{THREE}f 1 4\n")).contains("line 4: vertex index 4 is out of range"));
        assert!(fault("v 0 0 0\nv 1 0\n").contains("line 2: the line ends where z should be"));
        assert!(fault("v 0 0 nan\n").contains("line 1: vertex 0 is not finite"));
        assert!(fault("v 0 0 1e999\n").contains("not finite"));
        assert!(fault("v 0 0 0 red\n").contains("not \"red\""));
        assert!(fault("# nothing\n").contains("no vertex"));
        assert!(fault("v1 0 0 0\n").contains("unknown statement \"v1\""));
    }

    #[test]
    fn what_is_ignored_is_noted() {
        let data = parse(&format!("{THREE}l 1 2\nf 1 2\nf 1\nf 1 1 2\nxyz 3\ncurv 1 2\nvn 0 0 1\n")).unwrap();
        assert_eq!(faces(&data), [[0, 0, 1]]);
        assert_eq!(
            data.notes,
            [
                "2 faces with fewer than three corners ignored, first on line 5",
                "1 line and point elements ignored, first on line 4",
                "1 free-form statements ignored, first on line 9",
                "1 unknown statements ignored, first on line 8",
            ]
        );
    }

    #[test]
    fn a_backslash_continues_a_line() {
        let data = parse(&format!("{THREE}f 1 \\\r\n2 \\\n 3\\\n\n")).unwrap();
        assert_eq!(faces(&data), [[0, 1, 2]]);
    }
}
