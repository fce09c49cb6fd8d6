//! What an experiment found: criteria, numbers, plots, pictures.

use crumple_io::picture::Image;
use crumple_io::report::Plot;

use super::sheet::Sheet;

/// How a claim fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Every criterion is met.
    Holds,
    /// Some are.
    InPart,
    /// None is.
    Fails,
}

impl Outcome {
    /// As it is printed.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::InPart => "holds in part",
            Self::Fails => "does not hold",
        }
    }
}

/// A criterion that numbers of the run meet or do not meet.
struct Criterion {
    is_met: bool,
    /// The number and the limit it was held against.
    text: String,
}

/// What an experiment found.
pub struct Finding {
    /// What was done: scene, steps, parameters.
    pub how: String,
    /// The numbers.
    pub sheet: Sheet,
    pub plots: Vec<Plot>,
    pub pictures: Vec<(Image, String)>,
    /// What is to be seen beyond the claim.
    pub remarks: Vec<String>,
    criteria: Vec<Criterion>,
}

impl Finding {
    /// Numbers and how they came about; criteria follow.
    pub fn new(how: impl Into<String>, sheet: Sheet) -> Self {
        Self {
            how: how.into(),
            sheet,
            plots: Vec::new(),
            pictures: Vec::new(),
            remarks: Vec::new(),
            criteria: Vec::new(),
        }
    }

    /// One criterion of the claim, with the numbers that decide it in the text.
    pub fn check(mut self, is_met: bool, text: impl Into<String>) -> Self {
        self.criteria.push(Criterion { is_met, text: text.into() });
        self
    }

    /// Appends a plot.
    pub fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// Appends a picture and what it shows.
    pub fn picture(mut self, image: Image, caption: impl Into<String>) -> Self {
        self.pictures.push((image, caption.into()));
        self
    }

    /// Something that the claim does not cover and that is worth knowing.
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    /// The verdict.
    pub fn outcome(&self) -> Outcome {
        match self.criteria.iter().filter(|c| c.is_met).count() {
            n if n == self.criteria.len() => Outcome::Holds,
            0 => Outcome::Fails,
            _ => Outcome::InPart,
        }
    }

    /// The criteria in one line: those that are met, then those that are not.
    pub fn why(&self) -> String {
        let listed = |met: bool| -> Vec<&str> {
            self.criteria.iter().filter(|c| c.is_met == met).map(|c| c.text.as_str()).collect()
        };
        match (listed(true), listed(false)) {
            (met, missed) if missed.is_empty() => met.join("; "),
            (met, missed) if met.is_empty() => format!("not met: {}", missed.join("; ")),
            (met, missed) => format!("{}; not met: {}", met.join("; "), missed.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_criteria() {
        let finding = || Finding::new("", Sheet::new(["x"]));
        let [all, some, none] = [[true, true], [true, false], [false, false]]
            .map(|[a, b]| finding().check(a, "first").check(b, "second"));
        assert_eq!(
            [all.outcome(), some.outcome(), none.outcome()],
            [Outcome::Holds, Outcome::InPart, Outcome::Fails]
        );
        assert_eq!(all.why(), "first; second");
        assert_eq!(some.why(), "first; not met: second");
        assert_eq!(none.why(), "not met: first; second");
    }
}
