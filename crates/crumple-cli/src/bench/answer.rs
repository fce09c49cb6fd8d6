//! What a question is answered with: a count or an amount.

use serde::Serialize;

/// A count stays an integer in JSON; a volume or a distance does not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// How many.
    Count(u64),
    /// How much.
    Amount(f64),
}

impl std::ops::AddAssign for Number {
    fn add_assign(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::Count(a), Self::Count(b)) => Self::Count(a + b),
            (a, b) => Self::Amount(a.amount() + b.amount()),
        };
    }
}

impl Number {
    /// As a real number.
    pub fn amount(self) -> f64 {
        match self {
            Self::Count(n) => n as f64,
            Self::Amount(x) => x,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(n) => n.fmt(f),
            Self::Amount(x) => x.fmt(f),
        }
    }
}

/// The answer to a question in one frame, or summed over frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// What the question counts or measures.
    pub results: Number,
    /// Pairs of triangles with a common vertex, counted apart (question self).
    pub neighbours: u64,
    /// Rigorous bounds of the amount, where the question has them.
    pub bounds: Option<[f64; 2]>,
}

impl Answer {
    /// A plain count.
    pub fn count(n: usize) -> Self {
        Self { results: Number::Count(n as u64), neighbours: 0, bounds: None }
    }

    /// An amount without bounds.
    pub fn amount(x: f64) -> Self {
        Self { results: Number::Amount(x), neighbours: 0, bounds: None }
    }

    /// Whether this is the expected answer: a count is equal, bounds hold it, an amount agrees to nine digits.
    pub fn is(&self, expected: f64) -> bool {
        match (self.results, self.bounds) {
            (Number::Count(n), _) => n as f64 == expected,
            (_, Some([lower, upper])) => lower <= expected && expected <= upper,
            (Number::Amount(x), None) => (x - expected).abs() <= 1e-9 * expected.abs(),
        }
    }
}

impl std::ops::AddAssign for Answer {
    fn add_assign(&mut self, other: Self) {
        self.results += other.results;
        self.neighbours += other.neighbours;
        self.bounds = match (self.bounds, other.bounds) {
            (Some(x), Some(y)) => Some([x[0] + y[0], x[1] + y[1]]),
            _ => None,
        };
    }
}
