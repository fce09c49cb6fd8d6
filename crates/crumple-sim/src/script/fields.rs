//! Reading a table key by key, so that every mistake is told with its line.

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ScriptError;

/// One table of the file, and which of its keys were asked for.
pub(super) struct Fields<'a> {
    text: &'a str,
    /// Where the table is.
    span: Range<usize>,
    table: &'a DeTable<'a>,
    asked: RefCell<Vec<&'static str>>,
}

type Value<'a> = &'a Spanned<DeValue<'a>>;

impl<'a> Fields<'a> {
    pub fn new(text: &'a str, span: Range<usize>, table: &'a DeTable<'a>) -> Self {
        Self { text, span, table, asked: RefCell::default() }
    }

    /// What is wrong with a key, or with the table where the key is missing.
    pub fn wrong(&self, key: &str, expected: impl Into<String>) -> ScriptError {
        let (span, found) = match self.find(key) {
            Some(value) => (value.span(), shortened(&self.text[value.span()])),
            None => (self.span.clone(), "nothing".to_owned()),
        };
        ScriptError {
            line: line_of(self.text, span.start),
            what: format!("{key}: expected {}, found {found}", expected.into()),
        }
    }

    /// A mistake of the table as a whole.
    pub fn mistake(&self, what: impl Into<String>) -> ScriptError {
        ScriptError { line: line_of(self.text, self.span.start), what: what.into() }
    }

    fn find(&self, key: &str) -> Option<Value<'a>> {
        self.table.iter().find(|(k, _)| k.get_ref().as_ref() == key).map(|(_, v)| v)
    }

    fn get(&self, key: &'static str) -> Option<Value<'a>> {
        self.asked.borrow_mut().push(key);
        self.find(key)
    }

    /// An error for the first key that nobody asked for.
    pub fn finish(self) -> Result<(), ScriptError> {
        let mut known = self.asked.borrow().clone();
        known.sort_unstable();
        known.dedup();
        match self.table.keys().find(|k| !known.contains(&k.get_ref().as_ref())) {
            None => Ok(()),
            Some(key) => Err(ScriptError {
                line: line_of(self.text, key.span().start),
                what: format!("unknown key {}; known here are {}", key.get_ref(), known.join(", ")),
            }),
        }
    }

    pub fn string(&self, key: &'static str) -> Result<Option<&'a str>, ScriptError> {
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(s)) => Ok(Some(s)),
            Some(_) => Err(self.wrong(key, "a string")),
        }
    }

    pub fn required(&self, key: &'static str) -> Result<&'a str, ScriptError> {
        self.string(key)?.ok_or_else(|| self.wrong(key, "a string"))
    }

    pub fn number(&self, key: &'static str) -> Result<Option<f64>, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        number(value).map(Some).ok_or_else(|| self.wrong(key, "a finite number"))
    }

    pub fn number_or(&self, key: &'static str, default: f64) -> Result<f64, ScriptError> {
        Ok(self.number(key)?.unwrap_or(default))
    }

    pub fn count_or(&self, key: &'static str, default: usize, most: usize) -> Result<usize, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        let expected = || self.wrong(key, format!("an integer from 0 to {most}"));
        count(value).filter(|n| *n <= most).ok_or_else(expected)
    }

    pub fn numbers<const N: usize>(&self, key: &'static str) -> Result<Option<[f64; N]>, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        list(value, number).map(Some).ok_or_else(|| self.wrong(key, format!("{N} numbers")))
    }

    pub fn numbers_or<const N: usize>(
        &self,
        key: &'static str,
        default: [f64; N],
    ) -> Result<[f64; N], ScriptError> {
        Ok(self.numbers(key)?.unwrap_or(default))
    }

    pub fn counts_or<const N: usize>(
        &self,
        key: &'static str,
        default: [usize; N],
        most: usize,
    ) -> Result<[usize; N], ScriptError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        let read = |v: Value<'a>| count(v).filter(|n| (1..=most).contains(n));
        list(value, read).ok_or_else(|| self.wrong(key, format!("{N} integers from 1 to {most}")))
    }

    /// Two points: the corners of a box, or the ends of an edge.
    pub fn points(&self, key: &'static str) -> Result<Option<[[f64; 3]; 2]>, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let read = |v: Value<'a>| list(v, number);
        list(value, read).map(Some).ok_or_else(|| self.wrong(key, "two points, [[x, y, z], [x, y, z]]"))
    }

    pub fn table(&self, key: &'static str) -> Result<Option<Fields<'a>>, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(t) => Ok(Some(Fields::new(self.text, value.span(), t))),
            _ => Err(self.wrong(key, "a table")),
        }
    }

    /// A list of tables; none when the key is not there.
    pub fn tables(&self, key: &'static str) -> Result<Vec<Fields<'a>>, ScriptError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let DeValue::Array(all) = value.get_ref() else { return Err(self.wrong(key, "a list of tables")) };
        let mut out = Vec::new();
        for one in all.iter() {
            match one.get_ref() {
                DeValue::Table(t) => out.push(Fields::new(self.text, one.span(), t)),
                _ => return Err(self.wrong(key, "a list of tables")),
            }
        }
        Ok(out)
    }
}

/// The line of a byte, counted from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    text.as_bytes()[..byte.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}

fn number(value: Value<'_>) -> Option<f64> {
    let x: f64 = match value.get_ref() {
        DeValue::Integer(n) if n.radix() == 10 => n.as_str().parse().ok()?,
        DeValue::Float(x) => x.as_str().parse().ok()?,
        _ => return None,
    };
    (x.abs() <= 1e30).then_some(x)
}

fn count(value: Value<'_>) -> Option<usize> {
    let n = value.get_ref().as_integer()?;
    usize::from_str_radix(n.as_str(), n.radix()).ok()
}

fn list<'a, T, const N: usize>(value: Value<'a>, read: impl Fn(Value<'a>) -> Option<T>) -> Option<[T; N]> {
    let all: Option<Vec<T>> = value.get_ref().as_array()?.iter().map(read).collect();
    all?.try_into().ok()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
