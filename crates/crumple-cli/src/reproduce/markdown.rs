//! The record of a run as Markdown: where it ran, an abstract of each paper, every verdict.

use super::before::BEFORE;
use super::claim::Verdict;
use super::finding::tally;
use super::{Done, PAPERS, Setting};

/// Text that stands in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The whole record.
pub fn record(done: &[Done], setting: &Setting) -> String {
    let all: Vec<_> = done.iter().flat_map(|d| d.judged.iter().cloned()).collect();
    let mut out = String::from("# Five papers, replayed: a recorded run\n\n");
    out += "The numbers of one run of `crumple reproduce --json`, whose document is [reproduction.json](reproduction.json); every run on another \
            machine makes its own, and `--out FILE.md` writes it like this. The JSON has the rows of all tables and how each number is computed from them; a test computes every verdict again. Each claim is a \
            sentence of the paper, judged by one number of the run and a limit; the page `crumple-report/reproduce.html` has \
            the tables, plots and pictures, and the reasons of the limits.\n\n";
    out += &format!("**{} claims of {} experiments: {}.**\n\n", all.len(), done.len(), tally(&all));
    out += "| | |\n| --- | --- |\n";
    for (name, value) in setting.facts() {
        out += &format!("| {name} | {} |\n", cell(&value));
    }
    for paper in PAPERS {
        let of: Vec<_> = done.iter().filter(|d| std::ptr::eq(d.paper, *paper)).collect();
        if of.is_empty() {
            continue;
        }
        let judged: Vec<_> = of.iter().flat_map(|d| d.judged.iter().cloned()).collect();
        out += &format!("\n## {}\n\n{}\n\n{}\n\n", paper.short, paper.citation, paper.summary);
        if judged.is_empty() {
            out += "Nothing is claimed; the page has the table.\n";
            continue;
        }
        out += &format!("{} claims: {}.\n\n", judged.len(), tally(&judged));
        out += "| id | the paper says | verdict | why |\n| --- | --- | --- | --- |\n";
        for d in of {
            for j in &d.judged {
                let mut why = j.why.clone();
                if let Some(cause) = j.cause.as_ref().filter(|_| j.verdict == Verdict::Fails) {
                    let tested = cause.tested.as_ref().map(|t| format!(" Tested: {t}.")).unwrap_or_default();
                    why += &format!(". Cause: {}{tested}", cause.text);
                }
                out += &format!(
                    "| {} | “{}” ({}) | {} | {} |\n",
                    d.id,
                    cell(j.quote),
                    j.place,
                    j.verdict.words(),
                    cell(&why)
                );
            }
        }
    }
    out += "\n## What changed\n\nBefore, an experiment had one verdict from all its criteria together: it held where all were met, did not where none was, and \
            held in part between; 40 of 51 held, 9 in part, 2 did not. Now each sentence has a verdict of its own.\n\n| id | before | now | what changed |\n| --- | --- | --- | --- |\n";
    for b in BEFORE {
        let now = done.iter().find(|d| d.experiment.ids.contains(&b.id));
        let now = now.map_or("not run".to_owned(), |d| tally(&d.judged));
        out += &format!("| {} | {} | {now} | {} |\n", b.id, b.verdict, cell(b.reason));
    }
    out
}
