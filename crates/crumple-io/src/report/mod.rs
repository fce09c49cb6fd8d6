//! One self-contained HTML file: text, key figures, tables, pictures and plots.
//!
//! No script, no font, no picture is loaded from anywhere: styles are inline, pictures are base64 PNG, plots are
//! inline SVG. The page follows the reader's light or dark setting, has a table of contents, reads well on a
//! phone and prints well.
//!
//! ```
//! use crumple_io::report::{Card, Plot, Report, Scale, Section, Series, Table, Verdict};
//!
//! let plot = Plot::new("Time per frame")
//!     .x("triangles", Scale::Log)
//!     .y("milliseconds", Scale::Log)
//!     .series(Series::line("regularity", [(5e3, 0.1), (8e4, 1.4)]))
//!     .series(Series::line("brute force", [(5e3, 410.0), (8e4, 1.1e5)]).dashed());
//! let html = Report::new("Cloth over a body")
//!     .subtitle("What was found in 60 frames")
//!     .section(
//!         Section::new("Contacts")
//!             .cards([Card::new("Colliding pairs", "1 284"), Card::new("Missed", "0").verdict(Verdict::Good)])
//!             .text("Found by `regularity`, compared with brute force.")
//!             .table(Table::new(["frame", "pairs"]).row(["0", "12"]).row(["1", "31"]))
//!             .plot(plot),
//!     )
//!     .to_html();
//! assert!(html.starts_with("<!doctype html>"));
//! ```
//!
//! # Invariants
//! R1. Every text is escaped; a file name with `<` in it is shown, not obeyed. `Text in backticks` becomes code, in
//!     running text only.
//! R2. The file refers to nothing outside itself.
//! R3. Every number in a plot is finite; a value that cannot be shown (not a number, not positive on a logarithmic
//!     axis) is left out and counted below the plot.

mod axis;
mod bars;
mod html;
mod number;
mod plot;
mod section;
mod table;
pub(crate) mod ticks;

#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use html::Html;

pub use bars::Bars;
pub use number::{bytes, count, seconds};
pub use plot::{Plot, Scale, Series};
pub use section::{Card, Section};
pub use table::{Align, Cell, Table};

/// How something turned out; decides the colour of a badge or a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// As hoped: holds, passed, clear.
    Good,
    /// Partly.
    Mixed,
    /// Not as hoped: does not hold, failed, collides.
    Bad,
    /// No judgement.
    #[default]
    Neutral,
}

impl Verdict {
    fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Mixed => "mixed",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// A report, built from top to bottom.
#[derive(Debug, Clone)]
pub struct Report {
    title: String,
    subtitle: String,
    facts: Vec<(String, String)>,
    sections: Vec<Section>,
    footer: String,
}

impl Report {
    /// An empty report.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            facts: Vec::new(),
            sections: Vec::new(),
            footer: String::new(),
        }
    }

    /// A sentence below the title.
    pub fn subtitle(mut self, text: impl Into<String>) -> Self {
        self.subtitle = text.into();
        self
    }

    /// A labelled fact in the head of the report: program version, machine, command.
    pub fn fact(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((label.into(), value.into()));
        self
    }

    /// Appends a section.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// A line at the end.
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    /// The whole file.
    pub fn to_html(&self) -> String {
        let mut page = Html::new();
        page.raw("<!doctype html>\n");
        page.open("html", "lang=\"en\"");
        page.open("head", "");
        page.raw("<meta charset=\"utf-8\">\n");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
        page.element("title", "", &self.title);
        page.open("style", "");
        page.raw(include_str!("style.css"));
        page.raw(plot::STYLE);
        page.close("style");
        page.close("head");
        page.open("body", "");
        self.head(&mut page);
        page.open("div", "class=\"columns\"");
        self.contents(&mut page);
        page.open("main", "");
        for (k, section) in self.sections.iter().enumerate() {
            section.write(&mut page, 2, &format!("s{}", k + 1));
        }
        page.close("main");
        page.close("div");
        if !self.footer.is_empty() {
            page.open("footer", "");
            page.text(&self.footer);
            page.close("footer");
        }
        page.close("body");
        page.close("html");
        page.finish()
    }

    /// Writes the file.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        crate::write::save(path.as_ref(), |out| out.write_all(self.to_html().as_bytes()))
    }

    fn head(&self, page: &mut Html) {
        page.open("header", "");
        page.element("h1", "", &self.title);
        if !self.subtitle.is_empty() {
            page.open("p", "class=\"subtitle\"");
            page.text(&self.subtitle);
            page.close("p");
        }
        if !self.facts.is_empty() {
            page.open("dl", "class=\"facts\"");
            for (label, value) in &self.facts {
                page.open("div", "");
                page.element("dt", "", label);
                page.element("dd", "", value);
                page.close("div");
            }
            page.close("dl");
        }
        page.close("header");
    }

    fn contents(&self, page: &mut Html) {
        page.open("nav", "aria-label=\"Contents\"");
        page.open("ol", "");
        for (k, section) in self.sections.iter().enumerate() {
            section.write_link(page, &format!("s{}", k + 1));
        }
        page.close("ol");
        page.close("nav");
    }
}
