//! The results file: one line a unit, only ever appended to, so that a run that was stopped at any moment goes on.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::row::Row;

/// Rows of a file, the last of each unit.
pub fn read(path: &Path) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        match Row::parse(line.trim_end()) {
            Ok(row) => rows.push(row),
            // A line without an end was being written when the run was stopped.
            Err(_) if !line.ends_with('\n') => {}
            Err(error) => bail!("{}, line {}: {error:#}", path.display(), number + 1),
        }
    }
    Ok(latest(rows))
}

/// Of each unit the last row, in the order of units.
pub fn latest(rows: Vec<Row>) -> Vec<Row> {
    let mut of_unit = BTreeMap::new();
    for row in rows {
        of_unit.insert(row.order(), row);
    }
    of_unit.into_values().collect()
}

/// Rows by title and key of their unit.
pub type Done = HashMap<(String, String), Row>;

/// An open results file.
pub struct Results {
    file: File,
    path: std::path::PathBuf,
    done: Done,
}

impl Results {
    /// Opens a file to go on with, or makes it. A line that was cut off by a stop is removed.
    pub fn open(path: &Path) -> Result<Self> {
        let name = || format!("cannot open {}", path.display());
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(name)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(name)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..whole])
            .with_context(|| format!("{} is no results file", path.display()))?;
        let mut done = Done::new();
        for (number, line) in text.lines().enumerate() {
            let row = Row::parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1))?;
            done.insert((row.title(), row.key.clone()), row);
        }
        if whole < bytes.len() {
            file.set_len(whole as u64).with_context(name)?;
        }
        file.seek(SeekFrom::End(0)).with_context(name)?;
        Ok(Self { file, path: path.to_owned(), done })
    }

    /// What was there already.
    pub fn take_done(&mut self) -> Done {
        std::mem::take(&mut self.done)
    }

    /// Appends a row by one write: a stop leaves it whole, absent, or cut off at the end of the file.
    pub fn append(&mut self, row: &Row) -> Result<()> {
        self.file
            .write_all(row.line()?.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
