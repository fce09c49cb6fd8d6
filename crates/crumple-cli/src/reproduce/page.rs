//! The report: one page, one section per paper, one part per experiment.

use crumple_io::picture::Image;
use crumple_io::report::{Card, Cell, Report, Section, Table, Verdict, seconds};

use super::finding::Outcome;
use super::{Done, PAPERS, Paper};

impl Outcome {
    fn colour(self) -> Verdict {
        match self {
            Self::Holds => Verdict::Good,
            Self::InPart => Verdict::Mixed,
            Self::Fails => Verdict::Bad,
        }
    }
}

/// Tables up to this length are shown beside their plots.
const FEW_ROWS: usize = 8;

/// The whole report.
pub fn report(done: &[Done], total: f64) -> Report {
    let report = Report::new("Five papers, replayed")
        .subtitle(
            "What five classic papers on collisions of deforming meshes measured, measured again by Crumple.",
        )
        .fact("Version", env!("CARGO_PKG_VERSION"))
        .fact("Experiments", done.len().to_string())
        .fact("Took", seconds(total))
        .fact("Command", "crumple reproduce")
        .section(glance(done));
    let report = PAPERS.iter().fold(report, |report, paper| {
        let of: Vec<_> = done.iter().filter(|d| std::ptr::eq(d.paper, *paper)).collect();
        if of.is_empty() { report } else { report.section(section(paper, &of)) }
    });
    report.footer("Made by `crumple reproduce`. Each experiment can be run alone: `crumple reproduce T30`.")
}

fn count<'a>(done: impl IntoIterator<Item = &'a Done>, outcome: Outcome) -> usize {
    done.into_iter().filter(|d| d.finding.outcome() == outcome).count()
}

fn glance(done: &[Done]) -> Section {
    let card = |label: &str, outcome: Outcome| {
        Card::new(label, count(done, outcome).to_string()).verdict(outcome.colour())
    };
    let section = Section::new("At a glance")
        .text(
            "The papers were measured on machines of 1994 to 2007, so their milliseconds are no target. What can be \
             repeated are shapes, ratios, orderings and optima. Each experiment below says what the paper claims, what \
             was measured here, and whether the claim holds by criteria that are computed from the numbers of this very \
             run; nothing on this page is typed in but the papers' own numbers.",
        )
        .text(
            "“As published” is the paper's algorithm with its own choices; “Crumple” is the default of the engine: the \
             same idea, repaired where it misses collisions. Times are CPU time on one thread, the best of a few \
             repetitions.",
        )
        .cards([
            Card::new("Experiments", done.len().to_string()),
            card("Hold", Outcome::Holds),
            card("Hold in part", Outcome::InPart),
            card("Do not hold", Outcome::Fails),
        ]);
    let emblems: Vec<_> = EMBLEMS.iter().filter_map(|(id, k)| emblem(done, id, *k)).collect();
    let section = if emblems.len() < 2 { section } else { section.pictures(emblems) };
    let others: Vec<_> = done.iter().filter(|d| d.finding.outcome() != Outcome::Holds).collect();
    let section = section.table(by_paper(done));
    let section = if others.is_empty() {
        section
    } else {
        section.table(verdicts(&others).caption("What does not hold, or only in part"))
    };
    let all: Vec<_> = done.iter().collect();
    section.details(Section::new(format!("All {} verdicts", all.len())).table(verdicts(&all)))
}

/// Pictures for the head of the report: experiment and number of the picture.
const EMBLEMS: [(&str, usize); 4] = [("T37", 1), ("H28", 3), ("M25", 2), ("V22", 3)];

fn emblem<'a>(done: &'a [Done], id: &str, k: usize) -> Option<(&'a Image, &'a str)> {
    let of = done.iter().find(|d| d.experiment.ids[0] == id)?;
    of.finding.pictures.get(k).map(|(image, _)| (image, of.paper.short))
}

fn by_paper(done: &[Done]) -> Table {
    let mut table = Table::new(["paper", "measured on", "experiments", "hold", "in part", "do not hold"]);
    for paper in PAPERS {
        let of = || done.iter().filter(|d| std::ptr::eq(d.paper, *paper));
        let number = |outcome| Cell::from(count(of(), outcome));
        if of().next().is_some() {
            table = table.row([
                Cell::strong(paper.short),
                Cell::from(paper.machine),
                Cell::from(of().count()),
                number(Outcome::Holds),
                number(Outcome::InPart),
                number(Outcome::Fails),
            ]);
        }
    }
    table
}

fn verdicts(done: &[&Done]) -> Table {
    let mut table = Table::new(["id", "experiment", "verdict", "why"]);
    for d in done {
        let outcome = d.finding.outcome();
        table = table.row([
            Cell::strong(d.id),
            Cell::from(d.experiment.title),
            Cell::badge(outcome.colour(), outcome.words()),
            Cell::from(d.finding.why()),
        ]);
    }
    table
}

fn section(paper: &Paper, done: &[&Done]) -> Section {
    let held = count(done.iter().copied(), Outcome::Holds);
    let verdict = if held == done.len() { Verdict::Good } else { Verdict::Mixed };
    let section = Section::new(paper.short)
        .badge(verdict, format!("{held} of {}", done.len()))
        .text(paper.citation)
        .text(paper.idea)
        .text(format!("Measured there: {}.", paper.machine));
    done.iter().fold(section, |section, d| section.section(experiment(d)))
}

fn experiment(done: &Done) -> Section {
    let finding = &done.finding;
    let outcome = finding.outcome();
    let mut section = Section::new(format!("{} · {}", done.experiment.ids.join(", "), done.experiment.title))
        .badge(outcome.colour(), outcome.words())
        .text(format!("The paper says ({}): {}", done.experiment.source, done.experiment.claim))
        .text(format!("Here: {}", finding.how))
        .verdict(outcome.colour(), outcome.words(), finding.why());
    if !finding.plots.is_empty() {
        section = section.plots(finding.plots.iter().cloned());
    }
    for pair in finding.pictures.chunks(2) {
        section = section.pictures(pair.iter().map(|(image, caption)| (image, caption.as_str())));
    }
    // Where a plot shows the numbers, a long table would only stand in the way.
    let is_folded = !finding.plots.is_empty() && finding.sheet.rows() > FEW_ROWS;
    let table = finding.sheet.html();
    section = if is_folded {
        section.details(Section::new(format!("The numbers: {} rows", finding.sheet.rows())).table(table))
    } else {
        section.table(table)
    };
    if !finding.remarks.is_empty() {
        section = section.list(finding.remarks.iter().map(String::as_str));
    }
    section
}
