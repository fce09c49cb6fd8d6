//! A table of numbers that prints as text, as HTML and as JSON.

use crumple_io::report::{self, Table};
use serde_json::{Map, Value as Json, json};

use super::measure::Span;
use crate::output::thousands;

/// What stands in one place of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Words.
    Text(String),
    /// A number of things.
    Count(u64),
    /// Any other number.
    Number(f64),
    /// A number that is shown with so many decimals.
    Fixed(f64, usize),
    /// A time.
    Seconds(f64),
    /// How many times something else.
    Times(f64),
    /// A share of 1.
    Share(f64),
    /// An amount of memory.
    Bytes(u64),
    /// How many times something else, with the range of the repetitions.
    TimesSpan(Span),
    /// A number with the range of the repetitions.
    Span(Span),
    /// Nothing to say: not printed in the paper, not measured.
    Nothing,
}

impl Value {
    /// A ratio with its range.
    pub fn times(span: Span) -> Self {
        Self::TimesSpan(span)
    }

    /// The number in it.
    fn number(&self) -> Option<Span> {
        match self {
            Self::Count(n) | Self::Bytes(n) => Some(Span::exact(*n as f64)),
            Self::Number(x) | Self::Fixed(x, _) | Self::Seconds(x) | Self::Times(x) | Self::Share(x) => {
                Some(Span::exact(*x))
            }
            Self::TimesSpan(span) | Self::Span(span) => Some(*span),
            Self::Text(_) | Self::Nothing => None,
        }
    }

    /// Whether it is this word or this number.
    fn is(&self, value: &str) -> bool {
        match self {
            Self::Text(text) => text == value,
            other => other.number().is_some_and(|n| value.parse() == Ok(n.mid)),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(n) => thousands(*n as usize),
            Self::Bytes(n) => report::bytes(*n),
            Self::Number(x) => digits(*x),
            Self::Fixed(x, places) => format!("{x:.places$}"),
            Self::Seconds(s) => report::seconds(*s),
            Self::Times(x) => format!("{} ×", digits(*x)),
            Self::TimesSpan(s) => format!("{} × ({}–{})", digits(s.mid), digits(s.low), digits(s.high)),
            Self::Span(s) => format!("{} ({}–{})", digits(s.mid), digits(s.low), digits(s.high)),
            Self::Share(x) => format!("{:.1} %", 100.0 * x),
            Self::Nothing => "–".to_owned(),
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::Count(n) | Self::Bytes(n) => json!(n),
            Self::Number(x) | Self::Fixed(x, _) | Self::Seconds(x) | Self::Times(x) | Self::Share(x) => {
                json!(x)
            }
            Self::TimesSpan(span) | Self::Span(span) => json!(span),
            Self::Nothing => Json::Null,
        }
    }
}

/// Numbers that differ further behind the point are shown alike.
const DECIMALS: usize = 12;
/// From here on numbers are shown without decimals and with thousands set apart.
const LARGE: f64 = 1e4;
/// Two decimals show two digits of what is no smaller.
const TWO_DECIMALS: f64 = 0.095;

/// Numbers that are nearly equal, with as many digits as tell them apart, and one more.
pub fn apart<const N: usize>(values: [f64; N]) -> [Value; N] {
    let mut places = 2;
    let shown = |places: usize| values.map(|x| format!("{x:.places$}"));
    let differ =
        |texts: &[String; N]| (0..N).all(|i| (0..i).all(|j| texts[i] != texts[j] || values[i] == values[j]));
    while places < DECIMALS && !differ(&shown(places)) {
        places += 1;
    }
    values.map(|x| Value::Fixed(x, places + 1))
}

/// Three digits or so.
pub fn digits(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        a if !a.is_finite() => "–".to_owned(),
        a if a >= LARGE && x < 0.0 => format!("-{}", thousands(a.round() as usize)),
        a if a >= LARGE => thousands(x.round() as usize),
        a if a >= 100.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.1}"),
        a if a >= TWO_DECIMALS => format!("{x:.2}"),
        a if a >= 1e-3 => format!("{x:.4}"),
        _ => format!("{x:.1e}"),
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Value {
    fn from(n: u64) -> Self {
        Self::Count(n)
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Self::Count(n as u64)
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

/// A time in milliseconds, as the papers print them.
pub fn ms(milliseconds: f64) -> Value {
    Value::Seconds(milliseconds * 1e-3)
}

/// Tables with more columns and at most so many rows stand upright on the page.
const WIDE: usize = 8;
const FEW: usize = 6;

/// Titled columns and rows of values.
#[derive(Debug, Clone)]
pub struct Sheet {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// No rows yet.
    pub fn new<const N: usize>(columns: [&str; N]) -> Self {
        Self { columns: columns.map(str::to_owned).into(), rows: Vec::new() }
    }

    /// Appends a row; one value per column.
    pub fn row<const N: usize>(&mut self, values: [Value; N]) {
        assert_eq!(N, self.columns.len(), "one value per column");
        self.rows.push(values.into());
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let mut table = crate::output::table([]);
        table.set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(Value::shown));
        }
        for (c, column) in table.column_iter_mut().enumerate() {
            if self.is_numeric(c) {
                column.set_cell_alignment(comfy_table::CellAlignment::Right);
            }
        }
        table.to_string()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The numbers of a column in the rows that have these values in those columns; `None` where there is no such
    /// column, or something in it is not a number.
    pub fn numbers(&self, column: &str, rows: &[(String, String)]) -> Option<Vec<Span>> {
        let find = |name: &str| self.columns.iter().position(|c| c == name);
        let place = find(column)?;
        let keys = rows.iter().map(|(c, v)| Some((find(c)?, v))).collect::<Option<Vec<_>>>()?;
        let meant = self.rows.iter().filter(|row| keys.iter().all(|(c, v)| row[*c].is(v)));
        meant.map(|row| row[place].number()).collect()
    }

    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().all(|row| !matches!(row[column], Value::Text(_)))
    }

    /// For a report. A wide table with few rows stands upright: its columns are rows, so that it fits the page.
    pub fn html(&self) -> Table {
        if self.columns.len() > WIDE && self.rows.len() <= FEW {
            return self.upright();
        }
        let align = (0..self.columns.len())
            .map(|c| if self.is_numeric(c) { report::Align::Right } else { report::Align::Left });
        let table = Table::new(self.columns.iter().map(String::as_str)).align(align);
        self.rows.iter().fold(table, |table, row| table.row(row.iter().map(Value::shown)))
    }

    fn upright(&self) -> Table {
        let of = |column: usize| self.rows.iter().map(move |row| row[column].shown());
        let head = std::iter::once(self.columns[0].clone()).chain(of(0));
        let align =
            std::iter::once(report::Align::Left).chain(self.rows.iter().map(|_| report::Align::Right));
        let table = Table::new(head).align(align);
        (1..self.columns.len()).fold(table, |table, column| {
            table.row(std::iter::once(self.columns[column].clone()).chain(of(column)))
        })
    }

    /// For a spreadsheet, with all digits; a ratio with a range has three columns.
    pub fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let is_span =
            |c: usize| self.rows.iter().any(|r| matches!(r[c], Value::TimesSpan(_) | Value::Span(_)));
        let wide: Vec<bool> = (0..self.columns.len()).map(is_span).collect();
        let mut head = Vec::new();
        for (name, wide) in self.columns.iter().zip(&wide) {
            head.push(quoted(name));
            if *wide {
                head.extend(["least", "most"].map(|w| quoted(&format!("{name}, {w}"))));
            }
        }
        let mut out = head.join(",") + "\n";
        for row in &self.rows {
            let mut cells = Vec::new();
            for (value, wide) in row.iter().zip(&wide) {
                match (value.number(), value) {
                    (Some(n), _) if *wide => cells.extend([n.mid, n.low, n.high].map(|x| x.to_string())),
                    (Some(n), _) => cells.push(n.mid.to_string()),
                    (None, Value::Text(text)) => cells.push(quoted(text)),
                    (None, _) if *wide => cells.extend([const { String::new() }; 3]),
                    (None, _) => cells.push(String::new()),
                }
            }
            out += &(cells.join(",") + "\n");
        }
        out
    }

    /// One object per row, keyed by column.
    pub fn json(&self) -> Vec<Json> {
        let object = |row: &Vec<Value>| {
            let pairs = self.columns.iter().cloned().zip(row.iter().map(Value::json));
            Json::Object(pairs.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }
}

/// A row of a [`Sheet`] from anything that has a place in one.
macro_rules! row {
    ($sheet:expr, $($value:expr),+ $(,)?) => {
        $sheet.row([$($crate::reproduce::sheet::Value::from($value)),+])
    };
}
pub(super) use row;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_print_in_three_forms() {
        let mut sheet = Sheet::new(["set-up", "n", "t"]);
        row!(sheet, "A", 1200_usize, ms(4.3));
        row!(sheet, "B", 1936_usize, Value::Nothing);
        assert!(sheet.text().contains("1,200") && sheet.text().contains("4.30 ms"));
        assert_eq!(sheet.json()[0], json!({"set-up": "A", "n": 1200, "t": 0.0043}));
        assert_eq!(sheet.json()[1]["t"], Json::Null);
    }

    #[test]
    fn spreadsheets_have_all_digits_and_ranges() {
        let mut sheet = Sheet::new(["a \"b\"", "t"]);
        row!(sheet, "x, y", Value::times(Span { low: 0.5, mid: 1.25, high: 2.0 }));
        row!(sheet, Value::Nothing, Value::Nothing);
        let lines: Vec<String> = sheet.csv().lines().map(str::to_owned).collect();
        assert_eq!(lines[0], "\"a \"\"b\"\"\",\"t\",\"t, least\",\"t, most\"");
        assert_eq!(&lines[1..], ["\"x, y\",1.25,0.5,2", ",,,"]);
    }

    #[test]
    fn near_numbers_have_the_digits_in_which_they_differ() {
        let text = |values| apart::<2>(values).map(|v| v.shown());
        assert_eq!(text([0.45, 0.46]), ["0.450", "0.460"]);
        assert_eq!(text([0.450_01, 0.450_02]), ["0.450010", "0.450020"]);
        assert_eq!(text([1.0, 1.0]), ["1.000", "1.000"]);
        assert_eq!(apart([0.450_012_345, 0.5])[0].json(), json!(0.450_012_345));
    }

    #[test]
    fn numbers_have_three_digits() {
        let written = [0.0, 1.0, 0.5, 12.34, 123.4, 12_345.6, 0.0123, 1e-7].map(digits);
        assert_eq!(written, ["0", "1.00", "0.50", "12.3", "123", "12,346", "0.0123", "1.0e-7"]);
        assert_eq!([-12_345.6, f64::INFINITY].map(digits), ["-12,346", "–"]);
    }
}
