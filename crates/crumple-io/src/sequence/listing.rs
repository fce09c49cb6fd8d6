//! Lists of frames: `.pvd` (XML), `.series` (JSON, as in `name.vtk.series`), and numbered names.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::{Place, ReadError, Source};

/// The formats of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    Pvd,
    Series,
}

/// One row of a list.
#[derive(Debug)]
struct Row {
    file: String,
    time: Option<f64>,
}

impl Listing {
    /// The list format that the extension of `path` names.
    pub fn of(path: &Path) -> Option<Self> {
        match super::extension(path)?.0.as_str() {
            "pvd" => Some(Self::Pvd),
            "series" => Some(Self::Series),
            _ => None,
        }
    }

    /// The files of the list in the order of their times; those of equal or no time as they stand.
    pub fn read(self, source: &Source, path: &Path) -> Result<Vec<PathBuf>, ReadError> {
        let mut rows = match self {
            Self::Pvd => read_pvd(source)?,
            Self::Series => read_series(source)?,
        };
        if rows.is_empty() {
            return Err(source.error(Place::File, "the list names no file"));
        }
        if rows.iter().all(|row| row.time.is_some()) {
            rows.sort_by(|a, b| a.time.partial_cmp(&b.time).unwrap_or(Ordering::Equal));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(rows.into_iter().map(|row| folder.join(row.file)).collect())
    }
}

fn read_series(source: &Source) -> Result<Vec<Row>, ReadError> {
    #[derive(serde::Deserialize)]
    struct Series {
        files: Vec<Entry>,
    }
    #[derive(serde::Deserialize)]
    struct Entry {
        name: String,
        time: Option<f64>,
    }
    let series: Series = serde_json::from_slice(&source.bytes)
        .map_err(|e| source.error(Place::Line(e.line() as u64), format!("not a list of files: {e}")))?;
    Ok(series.files.into_iter().map(|entry| Row { file: entry.name, time: entry.time }).collect())
}

fn read_pvd(source: &Source) -> Result<Vec<Row>, ReadError> {
    let mut xml = Reader::from_reader(source.bytes.as_slice());
    let mut rows = Vec::new();
    let mut part = None;
    let mut is_open = false;
    loop {
        let at = xml.buffer_position() as usize;
        let fail = |what: String| {
            let lines = source.bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
            source.error(Place::Line(1 + lines as u64), what)
        };
        match xml.read_event().map_err(|e| fail(format!("not well-formed XML: {e}")))? {
            Event::Start(tag) if tag.name().as_ref() == b"VTKFile" => {
                if attribute(&tag, "type").map_err(fail)?.as_deref() != Some("Collection") {
                    return Err(fail("a .pvd file should be of type Collection".into()));
                }
                is_open = true;
            }
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == b"DataSet" && is_open => {
                let Some(file) = attribute(&tag, "file").map_err(fail)? else {
                    return Err(fail("a data set without a file".into()));
                };
                let time = match attribute(&tag, "timestep").map_err(fail)? {
                    None => None,
                    Some(word) => match word.trim().parse::<f64>() {
                        Ok(time) if !time.is_nan() => Some(time),
                        _ => return Err(fail(format!("timestep should be a number, not {word:?}"))),
                    },
                };
                let this_part = attribute(&tag, "part").map_err(fail)?;
                if *part.get_or_insert_with(|| this_part.clone()) != this_part {
                    return Err(fail("frames of several parts are not read: a sequence is one body".into()));
                }
                rows.push(Row { file, time });
            }
            Event::End(tag) if tag.name().as_ref() == b"VTKFile" => return Ok(rows),
            Event::Eof => return Err(fail("the file ends before </VTKFile>".into())),
            _ => {}
        }
    }
}

/// The value of an attribute. Duplicates are not looked for, which would take quadratic time.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten().find(|a| a.key.as_ref() == name.as_bytes());
    match found {
        None => Ok(None),
        Some(attribute) => match attribute.unescape_value() {
            Ok(value) => Ok(Some(value.into_owned())),
            Err(e) => Err(format!("attribute {name}: {e}")),
        },
    }
}

/// Puts names that differ only in their numbers, and come sorted as a shell sorts them, into number order.
pub(super) fn by_number(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let keys: Vec<Vec<Chunk>> = paths.iter().map(|path| chunks(&path.to_string_lossy())).collect();
    let is_one_pattern = keys.windows(2).all(|pair| {
        pair[0].len() == pair[1].len()
            && pair[0].iter().zip(&pair[1]).all(|pair| match pair {
                (Chunk::Number(_), Chunk::Number(_)) => true,
                (a, b) => a == b,
            })
    });
    if !is_one_pattern || !paths.is_sorted() {
        return paths;
    }
    let mut rows: Vec<_> = keys.into_iter().zip(paths).collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    rows.into_iter().map(|(_, path)| path).collect()
}

/// A run of digits or of other characters; a number is its length without leading zeros, then its digits.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Chunk {
    Number((usize, String)),
    Word(String),
}

/// The name as words and numbers, which compare so that `f2` comes before `f10`.
pub(crate) fn chunks(name: &str) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        chunks.push(if is_digit {
            let digits = chunk.trim_start_matches('0');
            Chunk::Number((digits.len(), digits.to_owned()))
        } else {
            Chunk::Word(chunk.to_owned())
        });
        rest = after;
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    fn read(listing: Listing, text: &str) -> Result<Vec<PathBuf>, String> {
        let source = Source { name: "list".into(), bytes: text.into() };
        listing.read(&source, Path::new("run/list")).map_err(|e| e.to_string())
    }

    #[test]
    fn shell_order_becomes_number_order_and_any_other_order_stays() {
        let sorted = by_number(names(&["d/f1.obj", "d/f10.obj", "d/f2.obj"]));
        assert_eq!(sorted, names(&["d/f1.obj", "d/f2.obj", "d/f10.obj"]));
        for kept in
            [&["f2.obj", "f10.obj", "f1.obj"][..], &["a1.obj", "a10.obj", "b2.obj"], &["f08.ply", "f9.ply"]]
        {
            assert_eq!(by_number(names(kept)), names(kept));
        }
    }

    #[test]
    fn a_pvd_is_sorted_by_time() {
        let pvd = r#"<?xml version="1.0"?>
            <VTKFile type="Collection"><Collection>
            <DataSet timestep="0.5" part="0" file="a&amp;b.vtu"/>
            <DataSet timestep="1e-1" group="" part="0" file="c.vtu"></DataSet>
            </Collection></VTKFile>"#;
        assert_eq!(read(Listing::Pvd, pvd).unwrap(), names(&["run/c.vtu", "run/a&b.vtu"]));
        let cut = &pvd[..pvd.len() - 4];
        assert_eq!(read(Listing::Pvd, cut).unwrap_err().split(':').next(), Some("list, line 5"));
        let parts = pvd.replacen("part=\"0\"", "part=\"1\"", 1);
        assert!(read(Listing::Pvd, &parts).unwrap_err().contains("line 4: frames of several parts"));
        assert!(read(Listing::Pvd, &pvd.replace("0.5", "x")).unwrap_err().contains("line 3: timestep"));
        assert!(
            read(Listing::Pvd, &pvd.replace("Collection\"", "Image\"")).unwrap_err().contains("Collection")
        );
        assert!(read(Listing::Pvd, &pvd.replace("&amp;", "&evil;")).unwrap_err().contains("evil"));
    }

    #[test]
    fn a_series_is_json() {
        let series = r#"{"file-series-version":"1.0","files":[{"name":"b.vtk","time":2},{"name":"a.vtk","time":1.5}]}"#;
        assert_eq!(read(Listing::Series, series).unwrap(), names(&["run/a.vtk", "run/b.vtk"]));
        let untimed = r#"{"files":[{"name":"b.vtk","time":2},{"name":"a.vtk"}]}"#;
        assert_eq!(read(Listing::Series, untimed).unwrap(), names(&["run/b.vtk", "run/a.vtk"]));
        assert!(read(Listing::Series, r#"{"files":[]}"#).unwrap_err().contains("names no file"));
        assert!(read(Listing::Series, &series[..40]).unwrap_err().starts_with("list, line 1: not a list"));
        let deep = "[".repeat(2_000_000);
        assert!(read(Listing::Series, &deep).is_err());
    }
}
