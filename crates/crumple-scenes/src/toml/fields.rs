//! Reading a table key by key, so that every error names the key it is about.

use std::{cell::RefCell, collections::BTreeSet, ops::RangeInclusive};

use ::toml::{Table, Value};

use super::TomlError;

/// Largest magnitude of a number in a scene file; products of a few stay finite.
const LARGEST: f64 = 1e100;

/// One table of the file, where it is, and which keys were asked for.
pub(super) struct Fields<'a> {
    path: String,
    table: &'a Table,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(path: impl Into<String>, table: &'a Table) -> Self {
        Self { path: path.into(), table, asked: RefCell::default() }
    }

    /// The full name of a key: `body[1].shape.cells`.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn wrong(&self, key: &str, expected: impl Into<String>) -> TomlError {
        let found = self.table.get(key).map_or_else(|| "nothing".to_owned(), describe);
        TomlError::Wrong { key: self.path(key), expected: expected.into(), found }
    }

    fn get(&self, key: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(key);
        self.table.get(key)
    }

    pub(super) fn has(&self, key: &'static str) -> bool {
        self.get(key).is_some()
    }

    /// An error for the first key that nobody asked for.
    pub(super) fn finish(self) -> Result<(), TomlError> {
        let known = self.asked.borrow();
        match self.table.keys().find(|k| !known.contains(k.as_str())) {
            None => Ok(()),
            Some(k) => {
                let known = known.iter().copied().collect::<Vec<_>>().join(", ");
                Err(TomlError::Unknown { key: self.path(k), known })
            }
        }
    }

    pub(super) fn string(&self, key: &'static str) -> Result<Option<&'a str>, TomlError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(s)) => Ok(Some(s)),
            Some(_) => Err(self.wrong(key, "a string")),
        }
    }

    pub(super) fn flag(&self, key: &'static str) -> Result<bool, TomlError> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Boolean(b)) => Ok(*b),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    pub(super) fn number(&self, key: &'static str) -> Result<Option<f64>, TomlError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        as_number(value).map(Some).ok_or_else(|| self.wrong(key, "a number of magnitude up to 1e100"))
    }

    pub(super) fn number_or(&self, key: &'static str, default: f64) -> Result<f64, TomlError> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    pub(super) fn positive_or(&self, key: &'static str, default: f64) -> Result<f64, TomlError> {
        let x = self.number_or(key, default)?;
        if x > 0.0 { Ok(x) } else { Err(self.wrong(key, "a number above 0")) }
    }

    pub(super) fn count_or(
        &self,
        key: &'static str,
        default: usize,
        range: RangeInclusive<usize>,
    ) -> Result<usize, TomlError> {
        let expected = || self.wrong(key, format!("an integer from {} to {}", range.start(), range.end()));
        match self.get(key) {
            None => Ok(default),
            Some(v) => as_count(v).filter(|n| range.contains(n)).ok_or_else(expected),
        }
    }

    pub(super) fn seed_or(&self, key: &'static str, default: u64) -> Result<u64, TomlError> {
        match self.get(key) {
            None => Ok(default),
            Some(Value::Integer(n)) if *n >= 0 => Ok(*n as u64),
            Some(_) => Err(self.wrong(key, "an integer from 0 on")),
        }
    }

    pub(super) fn counts_or<const N: usize>(
        &self,
        key: &'static str,
        default: [usize; N],
        range: RangeInclusive<usize>,
    ) -> Result<[usize; N], TomlError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        let list = fixed(value, |v| as_count(v).filter(|n| range.contains(n)));
        list.ok_or_else(|| self.wrong(key, format!("{N} integers from {} to {}", range.start(), range.end())))
    }

    pub(super) fn numbers_or<const N: usize>(
        &self,
        key: &'static str,
        default: [f64; N],
    ) -> Result<[f64; N], TomlError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        fixed(value, as_number).ok_or_else(|| self.wrong(key, format!("{N} numbers")))
    }

    /// A list of equal rows of numbers, such as positions.
    pub(super) fn rows(&self, key: &'static str) -> Result<Option<Vec<[f64; 3]>>, TomlError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let rows = value.as_array().and_then(|a| a.iter().map(|v| fixed(v, as_number)).collect());
        rows.map(Some).ok_or_else(|| self.wrong(key, "a list of [x, y, z]"))
    }

    /// A list of lists of rows: one list of positions per frame.
    pub(super) fn frames(&self, key: &'static str) -> Result<Option<Vec<Vec<[f64; 3]>>>, TomlError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let frame = |v: &Value| v.as_array()?.iter().map(|v| fixed(v, as_number)).collect::<Option<Vec<_>>>();
        let frames = value.as_array().and_then(|a| a.iter().map(frame).collect());
        frames.map(Some).ok_or_else(|| self.wrong(key, "a list of frames, each a list of [x, y, z]"))
    }

    /// A list of elements: vertex indices, each below `vertices`.
    pub(super) fn elements<const N: usize>(
        &self,
        key: &'static str,
        vertices: usize,
    ) -> Result<Option<Vec<[u32; N]>>, TomlError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let index = |v: &Value| as_count(v).filter(|&n| n < vertices).map(|n| n as u32);
        let rows = value.as_array().and_then(|a| a.iter().map(|v| fixed(v, index)).collect());
        rows.map(Some).ok_or_else(|| self.wrong(key, format!("lists of {N} vertex indices below {vertices}")))
    }

    pub(super) fn table(&self, key: &'static str) -> Result<Option<Fields<'a>>, TomlError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Table(t)) => Ok(Some(Fields::new(self.path(key), t))),
            Some(_) => Err(self.wrong(key, "a table")),
        }
    }

    /// One table, or a list of tables.
    pub(super) fn tables(&self, key: &'static str) -> Result<Vec<Fields<'a>>, TomlError> {
        match self.get(key) {
            None => Ok(vec![]),
            Some(Value::Table(t)) => Ok(vec![Fields::new(self.path(key), t)]),
            Some(Value::Array(list)) => list
                .iter()
                .enumerate()
                .map(|(k, v)| match v {
                    Value::Table(t) => Ok(Fields::new(format!("{}[{k}]", self.path(key)), t)),
                    _ => Err(self.wrong(key, "a list of tables")),
                })
                .collect(),
            Some(_) => Err(self.wrong(key, "a list of tables")),
        }
    }
}

fn as_number(value: &Value) -> Option<f64> {
    let x = match value {
        Value::Integer(n) => *n as f64,
        Value::Float(x) => *x,
        _ => return None,
    };
    (x.abs() <= LARGEST).then_some(x)
}

fn as_count(value: &Value) -> Option<usize> {
    value.as_integer().and_then(|n| usize::try_from(n).ok())
}

fn fixed<const N: usize, T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<[T; N]> {
    let list: Option<Vec<T>> = value.as_array()?.iter().map(read).collect();
    list?.try_into().ok()
}

/// What was found instead, short enough for one line.
fn describe(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
