//! The report: one page, one section per paper, one part per experiment.

use crumple_io::picture::Image;
use crumple_io::report::{Align, Card, Cell, Report, Section, Table, Verdict as Colour, seconds};

use super::before::BEFORE;
use super::claim::{Judged, Verdict};
use super::finding::{overall, tally};
use super::{Done, PAPERS, Paper, Setting, choices, limits};

impl Verdict {
    fn colour(self) -> Colour {
        match self {
            Self::Holds => Colour::Good,
            Self::Fails => Colour::Bad,
            Self::Open => Colour::Mixed,
        }
    }
}

/// Tables up to this length are shown beside their plots.
const FEW_ROWS: usize = 8;

/// Values of constants are shown up to this length.
const LONGEST: usize = 60;

/// The whole report.
pub fn report(done: &[Done], setting: &Setting, total: f64) -> Report {
    let report = Report::new("Five papers, replayed").subtitle(
        "What five classic papers on collisions of deforming meshes measured, measured again by Crumple.",
    );
    let report = setting.facts().into_iter().fold(report, |report, (name, value)| report.fact(name, value));
    let report =
        report.fact("Experiments", done.len().to_string()).fact("Took", seconds(total)).section(glance(done));
    let report = PAPERS.iter().fold(report, |report, paper| {
        let of: Vec<_> = done.iter().filter(|d| std::ptr::eq(d.paper, *paper)).collect();
        if of.is_empty() { report } else { report.section(section(paper, &of)) }
    });
    report
        .section(changes(done))
        .section(all_limits(done))
        .section(all_choices())
        .footer("Made by `crumple reproduce`. Each experiment can be run alone: `crumple reproduce T30`.")
}

fn all<'a>(done: impl IntoIterator<Item = &'a Done>) -> Vec<Judged> {
    done.into_iter().flat_map(|d| d.judged.iter().cloned()).collect()
}

fn count(judged: &[Judged], verdict: Verdict) -> usize {
    judged.iter().filter(|j| j.verdict == verdict).count()
}

fn glance(done: &[Done]) -> Section {
    let judged = all(done);
    let card = |label: &str, v: Verdict| Card::new(label, count(&judged, v).to_string()).verdict(v.colour());
    let section = Section::new("At a glance")
        .text(
            "The papers were measured on machines of 1994 to 2007, so their milliseconds are no target. What can be \
             repeated are shapes, ratios, orderings and optima. Each claim is a sentence of the paper, and one number \
             judges it: computed from the cells of the table beside it, held against a limit that is listed with its \
             reason at the end of the page. Typed in are the papers' own numbers, the limits, and what was chosen for our \
             scenes and sweeps: every such constant is listed there with its reason, too.",
        )
        .text(
            "Counts do not depend on the machine. Times are CPU time on one thread, contenders in turn; a ratio of times \
             is given with the range of its repetitions, and where the limit lies within that range the claim cannot be \
             judged. “As published” is the paper's algorithm with its own choices; “Crumple” is the engine's default: the \
             same idea, repaired where it misses collisions.",
        )
        .cards([
            Card::new("Claims", judged.len().to_string()),
            card("Hold", Verdict::Holds),
            card("Do not hold", Verdict::Fails),
            card("Cannot be judged", Verdict::Open),
        ]);
    let emblems: Vec<_> = EMBLEMS.iter().filter_map(|(id, k)| emblem(done, id, *k)).collect();
    let section = if emblems.len() < 2 { section } else { section.pictures(emblems) };
    let section = PAPERS.iter().fold(section, |section, paper| {
        let of = all(done.iter().filter(|d| std::ptr::eq(d.paper, *paper)));
        if of.is_empty() { section } else { section.section(summary(paper, &of)) }
    });
    let lost = verdicts(done, |j| j.verdict == Verdict::Fails);
    let section = match lost {
        Some(table) => section.table(table.caption("What does not hold, and why")),
        None => section,
    };
    match verdicts(done, |_| true) {
        Some(table) => section.details(Section::new(format!("All {} verdicts", judged.len())).table(table)),
        None => section,
    }
}

/// The abstract of a paper.
fn summary(paper: &Paper, judged: &[Judged]) -> Section {
    let lost = count(judged, Verdict::Fails);
    let colour = if lost == 0 { Colour::Good } else { Colour::Neutral };
    Section::new(paper.short).badge(colour, tally(judged)).text(paper.summary)
}

/// Pictures for the head of the report: experiment and number of the picture.
const EMBLEMS: [(&str, usize); 4] = [("T37", 1), ("H28", 3), ("M25", 4), ("V22", 0)];

fn emblem<'a>(done: &'a [Done], id: &str, k: usize) -> Option<(&'a Image, &'a str)> {
    let of = done.iter().find(|d| d.experiment.ids[0] == id)?;
    of.finding.pictures.get(k).map(|(image, _)| (image, of.paper.short))
}

fn because(j: &Judged) -> String {
    let Some(cause) = &j.cause else { return j.why.clone() };
    let tested = cause.tested.as_ref().map(|t| format!(" Tested: {t}.")).unwrap_or_default();
    format!("{}. {}{tested}", j.why, cause.text)
}

fn verdicts(done: &[Done], wanted: impl Fn(&Judged) -> bool) -> Option<Table> {
    let mut table = Table::new(["id", "claim", "verdict", "why"]).align([Align::Left; 4]);
    let mut is_empty = true;
    for d in done {
        for j in d.judged.iter().filter(|j| wanted(j)) {
            is_empty = false;
            table = table.row([
                Cell::strong(d.id),
                Cell::from(format!("“{}”", j.quote)),
                Cell::badge(j.verdict.colour(), j.verdict.words()),
                Cell::from(because(j)),
            ]);
        }
    }
    (!is_empty).then_some(table)
}

fn section(paper: &Paper, done: &[&Done]) -> Section {
    let judged = all(done.iter().copied());
    let colour = if count(&judged, Verdict::Fails) == 0 { Colour::Good } else { Colour::Neutral };
    let section = Section::new(paper.short)
        .badge(colour, tally(&judged))
        .text(paper.citation)
        .text(paper.idea)
        .text(format!("Measured there: {}.", paper.machine));
    done.iter().fold(section, |section, d| section.section(experiment(d)))
}

fn experiment(done: &Done) -> Section {
    let finding = &done.finding;
    let colour = overall(&done.judged).map_or(Colour::Neutral, Verdict::colour);
    let mut section = Section::new(format!("{} · {}", done.experiment.ids.join(", "), done.experiment.title))
        .badge(colour, tally(&done.judged))
        .text(format!("{}: {}", done.experiment.source, done.experiment.claim))
        .text(format!("Here: {}", finding.how));
    for j in &done.judged {
        let words = format!("“{}” ({}): {}", j.quote, j.place, because(j));
        section = section.verdict(j.verdict.colour(), j.verdict.words(), words);
    }
    if !finding.plots.is_empty() {
        section = section.plots(finding.plots.iter().cloned());
    }
    for pair in finding.pictures.chunks(2) {
        section = section.pictures(pair.iter().map(|(image, caption)| (image, caption.as_str())));
    }
    // Where a plot shows the numbers, a long table would only stand in the way.
    let is_folded = !finding.plots.is_empty() && finding.sheet.rows() > FEW_ROWS;
    let file = format!("{}.csv", done.experiment.ids[0]);
    let table = finding.sheet.html();
    let download = |section: Section| {
        section.download(format!("{file}: these numbers, unrounded"), &file, "text/csv", &finding.sheet.csv())
    };
    section = if is_folded {
        let rows = format!("The numbers: {} rows", finding.sheet.rows());
        section.details(download(Section::new(rows).table(table)))
    } else {
        download(section.table(table))
    };
    if !finding.remarks.is_empty() {
        section = section.list(finding.remarks.iter().map(String::as_str));
    }
    section
}

/// What was said before, and what is said now.
fn changes(done: &[Done]) -> Section {
    let mut table = Table::new(["id", "before", "now", "what changed"]).align([Align::Left; 4]);
    for b in BEFORE {
        let now = done.iter().find(|d| d.experiment.ids.contains(&b.id));
        let now = now.map_or("not run".to_owned(), |d| tally(&d.judged));
        table = table.row([Cell::strong(b.id), Cell::from(b.verdict), Cell::from(now), Cell::from(b.reason)]);
    }
    Section::new("What changed").details(
        Section::new("Verdicts before and now")
            .text("Before, an experiment had one verdict from all its criteria together: it held where all were met, did not where none was, and held in part between. 40 of 51 held, 9 in part, 2 did not. Now each sentence has a verdict of its own.")
            .table(table),
    )
}

/// Every constant of the experiments.
fn all_choices() -> Section {
    let mut table = Table::new(["file", "constant", "value", "why"]).align([Align::Left; 4]);
    for c in choices::all() {
        // Tables of a paper and lists of scenes are long, and stand in the experiments' own tables.
        let short: String = c.value.chars().take(LONGEST).collect();
        let value = if short.len() < c.value.len() { format!("{short} …") } else { short };
        table =
            table.row([Cell::from(c.file), Cell::strong(c.name), Cell::from(value), Cell::from(c.reason)]);
    }
    Section::new("Choices")
        .details(Section::new("Every constant of the experiments, as it stands in their source").table(table))
}

/// Every limit, its reason, and the experiments that use it.
fn all_limits(done: &[Done]) -> Section {
    let mut table = Table::new(["limit", "a number must be", "reason", "used by"]).align([Align::Left; 4]);
    for limit in limits::ALL {
        let mut users: Vec<&str> = done
            .iter()
            .filter(|d| {
                d.judged.iter().any(|j| j.limit.is_some_and(|l| std::ptr::eq(l, *limit) || l == *limit))
            })
            .map(|d| d.id)
            .collect();
        users.dedup();
        table = table.row([
            Cell::strong(limit.name()),
            Cell::from(limit.words()),
            Cell::from(limit.reason()),
            Cell::from(if users.is_empty() { "causes only, or none".to_owned() } else { users.join(", ") }),
        ]);
    }
    Section::new("Limits")
        .text("All numbers that verdicts are held against. None is set elsewhere.")
        .table(table)
}
