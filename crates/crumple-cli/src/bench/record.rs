//! Records: what was measured, kept as one CSV file a machine and day.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::machine;
use super::meter::Report;

/// The columns; seconds are means over the frames.
const HEADER: &str =
    "scene,question,method,threads,build,update,query,results,neighbour_results,guarantee,version\n";

/// Appends one row a report to `DIR/<machine>/<date>.csv`, and returns that file's name.
pub fn append<'r>(dir: &Path, reports: impl IntoIterator<Item = &'r Report>) -> Result<PathBuf> {
    let folder = dir.join(machine::name());
    let path = folder.join(machine::today() + ".csv");
    let place = || format!("cannot write {}", path.display());
    std::fs::create_dir_all(&folder).with_context(place)?;
    let mut text =
        if path.exists() { std::fs::read_to_string(&path).with_context(place)? } else { HEADER.into() };
    if !text.starts_with(HEADER) {
        bail!("{} has other columns than {}", path.display(), HEADER.trim_end());
    }
    reports.into_iter().for_each(|r| text += &row(r));
    // Whole or not at all: rows of before must not be lost on a full disk.
    crumple_io::write_file(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

fn row(r: &Report) -> String {
    let (scene, s) = (quoted(&r.scene), r.seconds);
    let mut row = format!("{scene},{},{},{}", r.question, r.method, r.threads);
    // Four digits: more are noise on every machine we know.
    for x in [s.build, s.update, s.query] {
        _ = write!(row, ",{x:.3e}");
    }
    _ = writeln!(row, ",{},{},{},{}", r.results, r.neighbour_results, r.guarantee, r.version);
    row
}

/// A field with a comma, a quote or a line's end needs quotes round it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_add_columns() {
        assert_eq!(quoted("sphere-5k"), "sphere-5k");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
