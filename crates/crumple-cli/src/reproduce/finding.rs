//! What an experiment found: numbers, claims, plots, pictures.

use crumple_io::picture::Image;
use crumple_io::report::Plot;

use super::claim::{Claim, Judged, Verdict};
use super::sheet::Sheet;

/// What an experiment found.
pub struct Finding {
    /// What was done: scene, steps, parameters.
    pub how: String,
    /// The numbers.
    pub sheet: Sheet,
    pub plots: Vec<Plot>,
    pub pictures: Vec<(Image, String)>,
    /// What is to be seen beyond the claims.
    pub remarks: Vec<String>,
    claims: Vec<Claim>,
}

impl Finding {
    /// Numbers and how they came about; claims follow.
    pub fn new(how: impl Into<String>, sheet: Sheet) -> Self {
        Self {
            how: how.into(),
            sheet,
            plots: Vec::new(),
            pictures: Vec::new(),
            remarks: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// A sentence of the paper, which the numbers judge.
    pub fn claim(mut self, claim: Claim) -> Self {
        self.claims.push(claim);
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

    /// Something that no claim covers and that is worth knowing.
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    /// Every claim with its verdict.
    pub fn judged(&self) -> Vec<Judged> {
        self.claims.iter().map(|claim| claim.on(&self.sheet)).collect()
    }
}

/// All verdicts of an experiment as one: it fails where one claim fails, and holds only where all hold. `None` where
/// nothing is claimed.
pub fn overall(judged: &[Judged]) -> Option<Verdict> {
    let any = |verdict| judged.iter().any(|j| j.verdict == verdict);
    match () {
        () if judged.is_empty() => None,
        () if any(Verdict::Fails) => Some(Verdict::Fails),
        () if any(Verdict::Open) => Some(Verdict::Open),
        () => Some(Verdict::Holds),
    }
}

/// `2 hold, 1 does not`.
pub fn tally(judged: &[Judged]) -> String {
    let count = |verdict| judged.iter().filter(|j| j.verdict == verdict).count();
    let say =
        |n: usize, one: &str, many: &str| (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { many }));
    let parts = [
        say(count(Verdict::Holds), "holds", "hold"),
        say(count(Verdict::Fails), "does not", "do not"),
        say(count(Verdict::Open), "open", "open"),
    ];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if text.is_empty() { "nothing claimed".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::limits;
    use super::super::measure::sum;
    use super::super::sheet::row;
    use super::*;

    #[test]
    fn one_lost_claim_is_not_diluted() {
        let finding = |columns: &[&'static str]| {
            let mut sheet = Sheet::new(["none", "one"]);
            row!(sheet, 0_usize, 1_usize);
            let all = columns.iter().map(|c| Claim::new("q", "p", "{}", sum(*c), &limits::NONE));
            all.fold(Finding::new("", sheet), Finding::claim).judged()
        };
        assert_eq!(overall(&finding(&[])), None);
        assert_eq!(overall(&finding(&["none", "none"])), Some(Verdict::Holds));
        assert_eq!(overall(&finding(&["none", "none", "one"])), Some(Verdict::Fails));
        assert_eq!(overall(&finding(&["none", "no such column"])), Some(Verdict::Open));
        assert_eq!(tally(&finding(&["none", "one", "gap", "one"])), "1 holds, 2 do not, 1 open");
        assert_eq!(tally(&[]), "nothing claimed");
    }
}
