//! Points as rows of numbers: `.xyz`, `.csv`, `.txt`, `.pts`.
//!
//! One point per row. The first row decides how columns are parted: by `;` if it has one, else by `,` if it has
//! one, else by blanks. A first row that is not numbers is a header; if it names `x`, `y` and `z` (case and
//! quotes ignored), those columns are taken, else the first three. A first row that is one integer is the number
//! of points and is checked. Every row has the columns of the first; columns that are not coordinates are ignored.
//! `#` starts a comment.

use crate::check::finite;
use crate::text::{Text, parse_f64, parse_i64, quoted};
use crate::{MeshData, Place, ReadError, Source};

/// Reads a file of points.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let mut rows = Rows::new(source);
    let mut data = MeshData::default();
    let mut fields = Vec::new();
    if !rows.next(&mut fields)? {
        return Err(source.error(Place::File, "no points in the file"));
    }
    let mut layout = None;
    let mut announced = None;
    if let [single] = fields[..]
        && let Some(count) = parse_i64(single)
    {
        announced = Some((count, rows.line));
        fields.clear();
    } else if parse_f64(fields[0]).is_none() {
        layout = Some(Layout::from_header(&rows, &fields)?);
        fields.clear();
    }
    while !fields.is_empty() || rows.next(&mut fields)? {
        let layout = match layout {
            Some(layout) => layout,
            None => *layout.insert(Layout::first_three(&rows, fields.len())?),
        };
        let p = layout.position(&rows, &fields)?;
        data.positions.push(finite(source, Place::Line(rows.line), data.positions.len(), p)?);
        fields.clear();
    }
    if let Some((count, line)) = announced
        && count != data.positions.len() as i64
    {
        let what = format!("{count} points announced, {} found", data.positions.len());
        return Err(source.error(Place::Line(line), what));
    }
    if data.positions.is_empty() {
        return Err(source.error(Place::File, "no points in the file"));
    }
    if let Some(layout) = layout.filter(|layout| layout.columns > 3) {
        data.notes.push(format!("{} columns besides x, y and z ignored", layout.columns - 3));
    }
    Ok(data)
}

/// Which column holds what.
#[derive(Clone, Copy)]
struct Layout {
    columns: usize,
    xyz: [usize; 3],
}

impl Layout {
    fn first_three(rows: &Rows<'_>, columns: usize) -> Result<Self, ReadError> {
        if columns < 3 {
            return Err(rows.error(format!("a point needs three columns, there are {columns}")));
        }
        Ok(Self { columns, xyz: [0, 1, 2] })
    }

    fn from_header(rows: &Rows<'_>, names: &[&[u8]]) -> Result<Self, ReadError> {
        // Random bytes make a header too; names are text.
        if let Some(bad) = names
            .iter()
            .find(|name| std::str::from_utf8(name).map_or(true, |name| name.chars().any(char::is_control)))
        {
            return Err(rows.error(format!("{} is neither a number nor a column name", quoted(bad))));
        }
        let mut layout = Self::first_three(rows, names.len())?;
        let column =
            |wanted: &[u8]| names.iter().position(|name| unquoted(name).eq_ignore_ascii_case(wanted));
        if let (Some(x), Some(y), Some(z)) = (column(b"x"), column(b"y"), column(b"z")) {
            layout.xyz = [x, y, z];
        }
        Ok(layout)
    }

    fn position(&self, rows: &Rows<'_>, fields: &[&[u8]]) -> Result<[f64; 3], ReadError> {
        if fields.len() != self.columns {
            let what = format!("{} columns, where the first row has {}", fields.len(), self.columns);
            return Err(rows.error(what));
        }
        let mut p = [0.0; 3];
        for ((c, &column), name) in p.iter_mut().zip(&self.xyz).zip(["x", "y", "z"]) {
            let field = fields[column];
            *c = parse_f64(field)
                .ok_or_else(|| rows.error(format!("{name} should be a number, not {}", quoted(field))))?;
        }
        Ok(p)
    }
}

fn unquoted(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name).trim_ascii()
}

/// The rows of the file, split into fields.
struct Rows<'a> {
    source: &'a Source,
    text: Text<'a>,
    /// `None` until the first row has been seen; then the byte that parts fields, or a space for any blanks.
    separator: Option<u8>,
    line: u64,
}

impl<'a> Rows<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, text: Text::new(source), separator: None, line: 0 }
    }

    /// Splits the next row that is not empty or a comment; `false` at the end of the file.
    fn next(&mut self, fields: &mut Vec<&'a [u8]>) -> Result<bool, ReadError> {
        fields.clear();
        loop {
            self.line = self.text.line();
            let row = self.text.rest_of_line();
            let row = row.split(|&b| b == b'#').next().unwrap_or_default().trim_ascii();
            let more = self.text.next_line();
            if !row.is_empty() {
                self.split(row, fields);
                return Ok(true);
            }
            if !more {
                return Ok(false);
            }
        }
    }

    fn split(&mut self, row: &'a [u8], fields: &mut Vec<&'a [u8]>) {
        let separator = *self.separator.get_or_insert_with(|| {
            [b';', b','].into_iter().find(|separator| row.contains(separator)).unwrap_or(b' ')
        });
        if separator == b' ' {
            fields.extend(row.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()));
        } else {
            fields.extend(row.split(|&b| b == separator).map(<[u8]>::trim_ascii));
        }
    }

    fn error(&self, what: impl Into<String>) -> ReadError {
        self.source.error(Place::Line(self.line), what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MeshData, ReadError> {
        read(&Source { name: "t.csv".into(), bytes: text.as_bytes().to_vec() })
    }

    fn fault(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn separators_headers_and_columns() {
        let expected = [[1.0, 2.0, 3.0], [-1.5, 0.25, 1e-3]];
        for text in [
            "1 2 3\n-1.5 0.25 1e-3\n",
            "# points\n\n1\t2   3\r\n-1.5 0.25 .001",
            "1,2,3\n-1.5, 0.25, 1e-3\n",
            "1;2;3\n-1.5;0.25;1e-3\n",
            "X,Y,Z\n1,2,3\n-1.5,0.25,1e-3\n",
            "id;\"z\";\"y\";\"x\"\n7;3;2;1\n;1e-3;0.25;-1.5\n",
            "a b c d\n1 2 3 4\n-1.5 0.25 1e-3 4\n",
            "2\n1 2 3 9 9 9\n-1.5 0.25 1e-3 9 9 9\n",
        ] {
            assert_eq!(parse(text).unwrap().positions, expected, "{text}");
        }
        assert_eq!(parse("x,y,z,d\n1,2,3,4\n").unwrap().notes, ["1 columns besides x, y and z ignored"]);
    }

    #[test]
    fn faults_name_the_line() {
        assert!(fault("1 2 3\n4 5\n").contains("line 2: 2 columns, where the first row has 3"));
        assert!(fault("1,2,3\n4,,5\n").contains("line 2: y should be a number, not \"\""));
        assert!(fault("x,y,z\n1,2\n").contains("line 2: 2 columns"));
        assert!(fault("1 2\n").contains("line 1: a point needs three columns"));
        assert!(fault("3\n1 2 3\n").contains("line 1: 3 points announced, 1 found"));
        assert!(fault("1 2 nan\n").contains("line 1: vertex 0 is not finite"));
        assert!(fault("\n# nothing\n").contains("no points"));
        assert!(fault("x y z\n").contains("no points"));
        assert!(fault("\u{1}, 2, 3\n").contains("neither a number nor a column name"));
    }
}
