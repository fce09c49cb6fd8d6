//! Numbers that are computed from the cells of a table: what criteria are made of.
//!
//! A measure is data, not code: it is written into the JSON document beside the rows, so that anybody can compute it
//! again.

use serde::Serialize;

use super::lab::exponent;
use super::sheet::Sheet;

/// A number and the range that repetitions of the run give it. For counts the three are equal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span {
    pub low: f64,
    pub mid: f64,
    pub high: f64,
}

impl Span {
    /// A number without doubt.
    pub fn exact(x: f64) -> Self {
        Self { low: x, mid: x, high: x }
    }

    /// The median of some values, and the quartiles about it; of fewer than four, the least and the most.
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else { return Self::exact(f64::NAN) };
        let edge = if sorted.len() < 4 { 0 } else { sorted.len() / 4 };
        Self { low: sorted[edge], mid: sorted[sorted.len() / 2], high: sorted[last - edge] }
    }

    /// Times a number.
    pub fn scaled(self, by: f64) -> Self {
        self.map(|x| by * x)
    }

    /// Whether repetitions cannot change it.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let [a, b] = [f(self.low), f(self.high)];
        Self { low: a.min(b), mid: f(self.mid), high: a.max(b) }
    }

    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let corners = [
            f(self.low, other.low),
            f(self.low, other.high),
            f(self.high, other.low),
            f(self.high, other.high),
        ];
        let [low, high] = [
            corners.iter().copied().fold(f64::INFINITY, f64::min),
            corners.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ];
        Self { low, mid: f(self.mid, other.mid), high }
    }
}

/// How the cells of a column become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// There is one.
    Only,
    Most,
    Least,
    Sum,
    Mean,
    /// How many rows there are.
    Rows,
}

/// Which rows are meant: those where each of these columns has this value.
type Rows = Vec<(String, String)>;

/// An expression over the cells of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// One number of a column.
    Column {
        fold: Fold,
        column: String,
        rows: Rows,
    },
    /// The exponent of the power law between two columns.
    Exponent {
        x: String,
        y: String,
        rows: Rows,
    },
    /// A number of the paper, which stands in the quotation.
    Paper(f64),
    Over(Box<Measure>, Box<Measure>),
    Minus(Box<Measure>, Box<Measure>),
    Plus(Box<Measure>, Box<Measure>),
    /// How far from 1, as a factor: x or 1 / x, whichever is larger.
    Off(Box<Measure>),
}

fn column(fold: Fold, column: impl Into<String>) -> Measure {
    Measure::Column { fold, column: column.into(), rows: Vec::new() }
}

/// The cell of a column, in the one row that is meant.
pub fn cell(name: impl Into<String>) -> Measure {
    column(Fold::Only, name)
}

/// The largest of a column.
pub fn most(name: impl Into<String>) -> Measure {
    column(Fold::Most, name)
}

/// The smallest of a column.
pub fn least(name: impl Into<String>) -> Measure {
    column(Fold::Least, name)
}

/// The sum of a column.
pub fn sum(name: impl Into<String>) -> Measure {
    column(Fold::Sum, name)
}

/// The mean of a column.
pub fn mean_of(name: impl Into<String>) -> Measure {
    column(Fold::Mean, name)
}

/// The number of rows.
pub fn rows(name: impl Into<String>) -> Measure {
    column(Fold::Rows, name)
}

/// Largest over smallest of a column.
pub fn range(name: &str) -> Measure {
    most(name).over(least(name))
}

/// The exponent of the power law between two columns.
pub fn power(x: &str, y: &str) -> Measure {
    Measure::Exponent { x: x.to_owned(), y: y.to_owned(), rows: Vec::new() }
}

/// A number that the paper prints.
pub fn paper(x: f64) -> Measure {
    Measure::Paper(x)
}

impl Measure {
    /// Only rows with this value in that column, throughout the expression.
    pub fn at(mut self, name: &str, value: impl ToString) -> Self {
        self.restrict(name, &value.to_string());
        self
    }

    fn restrict(&mut self, name: &str, value: &str) {
        match self {
            Self::Column { rows, .. } | Self::Exponent { rows, .. } => {
                rows.push((name.to_owned(), value.to_owned()));
            }
            Self::Paper(_) => {}
            Self::Over(a, b) | Self::Minus(a, b) | Self::Plus(a, b) => {
                a.restrict(name, value);
                b.restrict(name, value);
            }
            Self::Off(a) => a.restrict(name, value),
        }
    }

    /// The ratio to another.
    pub fn over(self, other: Self) -> Self {
        Self::Over(Box::new(self), Box::new(other))
    }

    /// The difference to another.
    pub fn minus(self, other: Self) -> Self {
        Self::Minus(Box::new(self), Box::new(other))
    }

    /// The sum with another.
    pub fn plus(self, other: Self) -> Self {
        Self::Plus(Box::new(self), Box::new(other))
    }

    /// How far from 1, as a factor.
    pub fn off(self) -> Self {
        Self::Off(Box::new(self))
    }

    /// Its value in a table; `None` where a cell is missing or empty.
    pub fn of(&self, sheet: &Sheet) -> Option<Span> {
        let value = match self {
            Self::Paper(x) => Some(Span::exact(*x)),
            Self::Over(a, b) => Some(a.of(sheet)?.with(b.of(sheet)?, |a, b| a / b)),
            Self::Minus(a, b) => Some(a.of(sheet)?.with(b.of(sheet)?, |a, b| a - b)),
            Self::Plus(a, b) => Some(a.of(sheet)?.with(b.of(sheet)?, |a, b| a + b)),
            Self::Off(a) => Some(off(a.of(sheet)?)),
            Self::Exponent { x, y, rows } => {
                let [xs, ys] = [x, y].map(|c| sheet.numbers(c, rows));
                let points: Vec<_> = xs?.iter().zip(&ys?).map(|(x, y)| (x.mid, y.mid)).collect();
                (points.len() > 1).then(|| Span::exact(exponent(&points)))
            }
            Self::Column { fold, column, rows } => folded(*fold, &sheet.numbers(column, rows)?),
        };
        value.filter(|v| [v.low, v.mid, v.high].iter().all(|x| x.is_finite()))
    }
}

fn off(value: Span) -> Span {
    let factor = |x: f64| x.max(1.0 / x);
    let mut span = value.map(factor);
    if value.low < 1.0 && value.high > 1.0 {
        span.low = 1.0;
    }
    span
}

fn folded(fold: Fold, values: &[Span]) -> Option<Span> {
    if fold == Fold::Rows {
        return Some(Span::exact(values.len() as f64));
    }
    let (first, others) = values.split_first()?;
    let each = |f: fn(f64, f64) -> f64| {
        others.iter().fold(*first, |a, b| Span {
            low: f(a.low, b.low),
            mid: f(a.mid, b.mid),
            high: f(a.high, b.high),
        })
    };
    match fold {
        Fold::Only => others.is_empty().then_some(*first),
        Fold::Most => Some(each(f64::max)),
        Fold::Least => Some(each(f64::min)),
        Fold::Sum => Some(each(|a, b| a + b)),
        Fold::Mean => Some(each(|a, b| a + b).map(|x| x / values.len() as f64)),
        Fold::Rows => unreachable!("answered above"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::{Sheet, Value, row};
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(["set", "n", "t", "note"]);
        row!(sheet, "a", 10_usize, 4.0, "x");
        row!(sheet, "b", 20_usize, 16.0, Value::Nothing);
        row!(sheet, "b", 40_usize, 64.0, 3.0);
        sheet
    }

    fn value(m: &Measure) -> Option<f64> {
        m.of(&sheet()).map(|s| s.mid)
    }

    #[test]
    fn measures_are_computed_from_cells() {
        assert_eq!(value(&most("t").over(least("t"))), Some(16.0));
        assert_eq!(value(&cell("t").at("set", "a")), Some(4.0));
        assert_eq!(value(&cell("t").at("n", 20)), Some(16.0));
        assert_eq!(value(&cell("t").at("set", "b")), None, "two rows are not one");
        assert_eq!(value(&sum("n").at("set", "b").minus(paper(1.0))), Some(59.0));
        assert_eq!(value(&rows("n").at("set", "c")), Some(0.0));
        assert!((value(&power("n", "t")).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(value(&sum("note")), None, "words and gaps are no numbers");
        assert_eq!(value(&sum("none")), None);
    }

    #[test]
    fn spans_are_kept_through_ratios() {
        let s = Span { low: 1.0, mid: 2.0, high: 4.0 };
        assert_eq!(s.with(s, |a, b| a / b), Span { low: 0.25, mid: 1.0, high: 4.0 });
        assert_eq!(off(Span { low: 0.5, mid: 1.0, high: 1.5 }), Span { low: 1.0, mid: 1.0, high: 2.0 });
        assert_eq!(Span::of(&[5.0, 1.0, 2.0]), Span { low: 1.0, mid: 2.0, high: 5.0 });
        assert_eq!(Span::of(&[5.0, 1.0, 2.0, 3.0, 100.0]), Span { low: 2.0, mid: 3.0, high: 5.0 });
    }
}
