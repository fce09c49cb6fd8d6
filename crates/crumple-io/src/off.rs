//! OFF, the Object File Format, as text.
//!
//! `OFF`, and with vertex colours, normals or texture coordinates (`COFF`, `NOFF`, `STOFF` and combinations),
//! which are ignored. A vertex and a face take one line each; what follows the coordinates or the corners on
//! that line is ignored. The keyword may be missing, or stuck to the first count (`OFF490 518 0`), and the edge
//! count may be missing. Faces of fewer than three corners are ignored and noted; they have no number.

use crate::check::{capacity, finite, vertex_index};
use crate::text::{Text, parse_i64, quoted};
use crate::{MeshData, Place, ReadError, Source};

/// Reads an OFF file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let mut text = Text::new(source).comment(b'#');
    let (vertices, faces) = header(&mut text)?;
    let mut data = MeshData::default();
    // "0 0 0\n" is the shortest vertex.
    data.positions.reserve(capacity(vertices, text.remaining(), 6));
    for vertex in 0..vertices {
        next_row(&mut text, "vertex", vertex, vertices)?;
        let p = [text.line_number("x")?, text.line_number("y")?, text.line_number("z")?];
        data.positions.push(finite(source, Place::Line(text.line()), data.positions.len(), p)?);
    }
    let mut corners = Vec::new();
    let mut short = 0u64;
    for face in 0..faces {
        next_row(&mut text, "face", face, faces)?;
        let count: u64 = text.line_integer("the number of corners")?;
        corners.clear();
        for _ in 0..count {
            let index = text.line_integer("a vertex index")?;
            corners.push(vertex_index(source, Place::Line(text.line()), index, data.positions.len())?);
        }
        if count < 3 {
            short += 1;
        } else {
            data.polygons.push(&corners);
        }
    }
    if short > 0 {
        data.notes.push(format!("{short} faces with fewer than three corners ignored"));
    }
    text.next_line();
    if text.word().is_some() {
        data.notes.push(format!("lines after the last face ignored, from line {} on", text.line()));
    }
    Ok(data)
}

/// The numbers of vertices and faces.
fn header(text: &mut Text<'_>) -> Result<(u64, u64), ReadError> {
    let Some(first) = text.word() else { return Err(text.error("empty file")) };
    let keyword_length = first.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    // "4OFF" and "nOFF" have points of another dimension; a digit that starts a count is no keyword.
    if first.eq_ignore_ascii_case(b"4OFF")
        || first.to_ascii_lowercase().ends_with(b"noff") && first[0] == b'n'
    {
        return Err(text.error(format!("{} has points that are not three-dimensional", quoted(first))));
    }
    let (keyword, stuck) = first.split_at(keyword_length);
    if !keyword.is_empty() && !is_keyword(keyword) || keyword.is_empty() && parse_i64(first).is_none() {
        return Err(text.error(format!("not an OFF file: starts with {}", quoted(first))));
    }
    let vertices = if stuck.is_empty() {
        let mut ahead = text.clone();
        if ahead.word().is_some_and(|word| word.eq_ignore_ascii_case(b"BINARY")) {
            return Err(text.error("binary OFF is not supported; convert it to text"));
        }
        text.integer("the number of vertices")?
    } else {
        parse_i64(stuck)
            .and_then(|count| u64::try_from(count).ok())
            .ok_or_else(|| text.error(format!("not an OFF header: {}", quoted(first))))?
    };
    let faces = text.integer("the number of faces")?;
    if let Some(edges) = text.line_word()
        && parse_i64(edges).is_none()
    {
        return Err(text.error(format!("the number of edges should be an integer, not {}", quoted(edges))));
    }
    if let Some(more) = text.line_word() {
        return Err(text.error(format!("{} after the three counts", quoted(more))));
    }
    Ok((vertices, faces))
}

/// `[ST][C][N]OFF`, case ignored.
fn is_keyword(word: &[u8]) -> bool {
    let mut rest = word.to_ascii_uppercase();
    for prefix in [&b"ST"[..], b"C", b"N"] {
        if rest.starts_with(prefix) {
            rest.drain(..prefix.len());
        }
    }
    rest == b"OFF"
}

/// Goes to the next line that holds a word.
fn next_row(text: &mut Text<'_>, what: &str, row: u64, rows: u64) -> Result<(), ReadError> {
    if text.next_row() {
        return Ok(());
    }
    Err(text.error(format!("the file ends before {what} {row} of {rows}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MeshData, ReadError> {
        read(&Source { name: "t.off".into(), bytes: text.as_bytes().to_vec() })
    }

    fn fault(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    const BODY: &str = "0 0 0\n1 0 0 # corner\n\n0 1 0\n3 0 1 2\n";

    #[test]
    fn every_form_of_the_header() {
        for head in [
            "OFF\n3 1 0\n",
            "OFF 3 1 0\n",
            "off\n# c\n3 1\n",
            "OFF3 1 0\n",
            "3 1 0\n",
            "COFF 3 1 0\n",
            "STCNOFF\n3 1 3\n",
        ] {
            let data = parse(&format!("{head}{BODY}")).unwrap();
            assert_eq!(data.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "{head}");
            assert_eq!(data.polygons.get(0), [0, 1, 2]);
            assert!(data.notes.is_empty());
        }
        assert!(fault("OFF BINARY\n").contains("binary OFF"));
        assert!(fault("4OFF\n3 1 0\n").contains("not three-dimensional"));
        assert!(fault("nOFF 5\n3 1 0\n").contains("not three-dimensional"));
        assert!(fault("PLY\n").contains("not an OFF file"));
        assert!(fault("").contains("empty file"));
        assert!(fault("OFF\n3 1 0 7\n").contains("after the three counts"));
        assert!(fault("OFF\n-3 1 0\n").contains("out of range: -3"));
    }

    #[test]
    fn counts_and_indices_are_checked() {
        assert!(fault("OFF\n3 1 0\n0 0 0\n").contains("the file ends before vertex 1 of 3"));
        assert!(fault(&format!("OFF\n3 2 0\n{BODY}")).contains("the file ends before face 1 of 2"));
        assert_eq!(
            fault("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
            "t.off, line 4: vertex index 1 is out of range: 1 vertices"
        );
        assert!(fault("OFF\n1 1 0\n0 0 0\n3 0 0\n").contains("line 4: the line ends where a vertex index"));
        assert!(fault("OFF\n1 0 0\n0 inf 0\n").contains("line 3: vertex 0 is not finite"));
        assert!(fault("OFF\n99999999999999 1 0\n0 0 0\n").contains("before vertex 1 of 99999999999999"));
        assert!(fault("OFF\n1 1 0\n0 0 0\n999999999999 0").contains("the line ends where"));
    }

    #[test]
    fn what_is_ignored_is_noted() {
        let data = parse("OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2 255 0 0\n0\nmore\n").unwrap();
        assert_eq!(data.polygons.len(), 1);
        assert_eq!(
            data.notes,
            [
                "2 faces with fewer than three corners ignored",
                "lines after the last face ignored, from line 9 on"
            ]
        );
        assert_eq!(parse("OFF\n0 0 0\n").unwrap(), MeshData::default());
    }
}
