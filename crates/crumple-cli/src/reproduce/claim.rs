//! A sentence of a paper, and the one criterion by which a run judges it.
//!
//! A criterion is an expression over the cells of the experiment's table and a limit of [`super::limits`]. Nothing else
//! decides: who has the table and the expression, both in the JSON document, can repeat every verdict.

use serde::Serialize;

use super::limits::Limit;
use super::measure::{Measure, Span};
use super::sheet::{Sheet, digits};
use crate::output::thousands;

/// What the numbers of a run say about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    #[serde(rename = "holds")]
    Holds,
    #[serde(rename = "does not hold")]
    Fails,
    #[serde(rename = "cannot be judged")]
    Open,
}

impl Verdict {
    /// As it is printed.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Open => "cannot be judged",
        }
    }
}

/// A number from the table, in words, and the limit that it is held against.
#[derive(Debug, Clone)]
pub struct Criterion {
    /// What is measured; `{}` stands for the number, `{%}` for the number as a share.
    words: &'static str,
    measure: Measure,
    limit: &'static Limit,
}

impl Criterion {
    /// The value in this table, and whether it is within the limit. `None` where the table has no such number.
    fn judge(&self, sheet: &Sheet) -> Option<(Span, Verdict)> {
        let value = self.measure.of(sheet)?;
        let met = [value.low, value.high].map(|x| self.limit.admits(x));
        let verdict = match met {
            [true, true] if self.limit.admits(value.mid) => Verdict::Holds,
            [false, false] if !self.limit.admits(value.mid) => Verdict::Fails,
            _ => Verdict::Open,
        };
        Some((value, verdict))
    }

    fn sentence(&self, value: Span) -> String {
        let shown = if value.is_exact() && value.mid.fract() == 0.0 && value.mid >= 0.0 {
            thousands(value.mid as usize)
        } else if value.is_exact() {
            digits(value.mid)
        } else {
            format!("{} ({} to {})", digits(value.mid), digits(value.low), digits(value.high))
        };
        let words = self.words.replace("{%}", &format!("{:.1} %", 100.0 * value.mid)).replace("{}", &shown);
        format!("{words} ({})", self.limit.words())
    }
}

/// How a claim is decided.
#[derive(Debug, Clone)]
enum Judge {
    By(Criterion),
    /// Not at all, for this reason.
    Nobody(String),
}

/// A sentence of a paper and how it is judged.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The paper's own words.
    quote: &'static str,
    /// Where they stand.
    place: &'static str,
    judge: Judge,
    /// Why it fails, should it fail: a sentence, and the test that bears it out.
    cause: Option<(String, Criterion)>,
}

impl Claim {
    /// A quotation, judged by a number of the table: `words` say what the number is.
    pub fn new(
        quote: &'static str,
        place: &'static str,
        words: &'static str,
        measure: Measure,
        limit: &'static Limit,
    ) -> Self {
        Self { quote, place, judge: Judge::By(Criterion { words, measure, limit }), cause: None }
    }

    /// A quotation that no number of ours can decide.
    pub fn open(quote: &'static str, place: &'static str, why: impl Into<String>) -> Self {
        Self { quote, place, judge: Judge::Nobody(why.into()), cause: None }
    }

    /// Why the claim fails where it fails. The sentence is printed as the cause only if the numbers of the run meet the
    /// criterion.
    pub fn because(
        mut self,
        sentence: impl Into<String>,
        words: &'static str,
        measure: Measure,
        limit: &'static Limit,
    ) -> Self {
        self.cause = Some((sentence.into(), Criterion { words, measure, limit }));
        self
    }

    /// The claim against a table.
    pub fn on(&self, sheet: &Sheet) -> Judged {
        let mut judged = Judged {
            quote: self.quote,
            place: self.place,
            verdict: Verdict::Open,
            why: String::new(),
            limit: None,
            measure: None,
            value: None,
            cause: None,
        };
        match &self.judge {
            Judge::Nobody(why) => judged.why.clone_from(why),
            Judge::By(criterion) => {
                judged.limit = Some(criterion.limit);
                judged.measure = Some(criterion.measure.clone());
                match criterion.judge(sheet) {
                    None => judged.why = "this run has no such number".to_owned(),
                    Some((value, verdict)) => {
                        judged.verdict = verdict;
                        judged.value = Some(value);
                        judged.why = criterion.sentence(value);
                        if verdict == Verdict::Open {
                            judged.why += "; timings of this run lie on both sides of the limit";
                        }
                    }
                }
            }
        }
        if judged.verdict == Verdict::Fails {
            judged.cause = Some(self.cause_on(sheet));
        }
        judged
    }

    fn cause_on(&self, sheet: &Sheet) -> Cause {
        let none = |text: &str| Cause { text: text.to_owned(), tested: None, limit: None, measure: None };
        let Some((sentence, criterion)) = &self.cause else { return none("Not established.") };
        match criterion.judge(sheet) {
            Some((value, Verdict::Holds)) => Cause {
                text: sentence.clone(),
                tested: Some(criterion.sentence(value)),
                limit: Some(criterion.limit),
                measure: Some(criterion.measure.clone()),
            },
            _ => none("Not established: the explanation that we have is not borne out by this run."),
        }
    }
}

/// Why a claim fails.
#[derive(Debug, Clone, Serialize)]
pub struct Cause {
    pub text: String,
    /// The test of it and its number; `None` where none is established.
    pub tested: Option<String>,
    limit: Option<&'static Limit>,
    measure: Option<Measure>,
}

/// A claim with its verdict, as the document has it.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    pub quote: &'static str,
    pub place: &'static str,
    pub verdict: Verdict,
    /// The number and the limit in words.
    pub why: String,
    pub limit: Option<&'static Limit>,
    measure: Option<Measure>,
    value: Option<Span>,
    pub cause: Option<Cause>,
}

#[cfg(test)]
mod tests {
    use super::super::limits;
    use super::super::measure::{cell, least, most};
    use super::super::sheet::{Sheet, Value, row};
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(["method", "work", "time"]);
        row!(sheet, "old", 10_usize, Value::times(Span { low: 0.9, mid: 1.0, high: 1.2 }));
        row!(sheet, "new", 25_usize, Value::times(Span { low: 2.0, mid: 2.1, high: 2.5 }));
        sheet
    }

    #[test]
    fn the_table_decides() {
        let of = |measure, limit| Claim::new("q", "p", "{}", measure, limit).on(&sheet()).verdict;
        assert_eq!(of(most("work").over(least("work")), &limits::MORE), Verdict::Holds);
        assert_eq!(of(least("work").over(most("work")), &limits::MORE), Verdict::Fails);
        // From 0.9 to 1.2: the clock does not tell.
        assert_eq!(of(cell("time").at("method", "old"), &limits::MORE), Verdict::Open);
        assert_eq!(of(cell("time").at("method", "new"), &limits::MORE), Verdict::Holds);
        assert_eq!(of(cell("time").at("method", "none"), &limits::MORE), Verdict::Open);
    }

    #[test]
    fn a_cause_is_printed_only_when_it_is_borne_out() {
        let claim = |column: &'static str| {
            Claim::new("q", "p", "{}", least("work").over(most("work")), &limits::MORE)
                .because("It works more.", "{} ×", most(column).over(least(column)), &limits::MORE)
                .on(&sheet())
                .cause
                .expect("it fails")
        };
        assert_eq!(claim("work").text, "It works more.");
        assert_eq!(claim("work").tested.as_deref(), Some("2.50 × (more than 1)"));
        assert!(claim("nothing").tested.is_none());
    }
}
