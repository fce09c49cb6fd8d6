//! Sections and what stands in them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::html::{Html, escaped};
use super::{Bars, Plot, Table, Verdict, plot};
use crate::picture::Image;

/// A key figure: a large value with its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    label: String,
    value: String,
    note: String,
    verdict: Verdict,
}

impl Card {
    /// A label and the value that it stands for.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into(), note: String::new(), verdict: Verdict::Neutral }
    }

    /// Small text below the value.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Colours the card.
    pub fn verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }
}

/// A picture in the report.
#[derive(Debug, Clone)]
struct Figure {
    png: String,
    size: [u32; 2],
    caption: String,
}

impl Figure {
    fn new(image: &Image, caption: String) -> Self {
        Self { png: STANDARD.encode(image.to_png()), size: [image.width(), image.height()], caption }
    }

    fn write(&self, page: &mut Html) {
        page.open("figure", "");
        let [width, height] = self.size;
        let alt = escaped(&self.caption);
        page.raw(&format!(
            "<img alt=\"{alt}\" width=\"{width}\" height=\"{height}\" src=\"data:image/png;base64,"
        ));
        page.raw(&self.png);
        page.raw("\">\n");
        caption(page, &self.caption);
        page.close("figure");
    }
}

fn caption(page: &mut Html, text: &str) {
    if !text.is_empty() {
        page.open("figcaption", "");
        page.text(text);
        page.close("figcaption");
    }
}

#[derive(Debug, Clone)]
enum Block {
    Text(String),
    Verdict(Verdict, String, String),
    Cards(Vec<Card>),
    List(Vec<String>),
    Table(Table),
    Pictures(Vec<Figure>),
    /// SVG and the caption below it.
    Plots(Vec<(String, String)>),
    Code(String),
    /// Words of the link, file name, address with the data in it.
    Download(String, String, String),
    Details(String, Section),
    Section(Section),
}

/// A titled part of a report.
#[derive(Debug, Clone)]
pub struct Section {
    title: String,
    verdict: Option<(Verdict, String)>,
    blocks: Vec<Block>,
}

impl Section {
    /// An empty section.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), verdict: None, blocks: Vec::new() }
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// A badge beside the section's title, shown in the table of contents too.
    pub fn badge(mut self, verdict: Verdict, text: impl Into<String>) -> Self {
        self.verdict = Some((verdict, text.into()));
        self
    }

    /// A paragraph; parts between backticks are set as code.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.with(Block::Text(text.into()))
    }

    /// A coloured line: a badge, and a sentence that says why.
    pub fn verdict(self, verdict: Verdict, badge: impl Into<String>, why: impl Into<String>) -> Self {
        self.with(Block::Verdict(verdict, badge.into(), why.into()))
    }

    /// Key figures, side by side.
    pub fn cards(self, cards: impl IntoIterator<Item = Card>) -> Self {
        self.with(Block::Cards(cards.into_iter().collect()))
    }

    /// Bullet points.
    pub fn list<S: Into<String>>(self, items: impl IntoIterator<Item = S>) -> Self {
        self.with(Block::List(items.into_iter().map(Into::into).collect()))
    }

    /// A table.
    pub fn table(self, table: Table) -> Self {
        self.with(Block::Table(table))
    }

    /// A picture over the full width.
    pub fn picture(self, image: &Image, caption: impl Into<String>) -> Self {
        self.with(Block::Pictures(vec![Figure::new(image, caption.into())]))
    }

    /// Pictures side by side, as many in a row as fit.
    pub fn pictures<'i, S: Into<String>>(self, pictures: impl IntoIterator<Item = (&'i Image, S)>) -> Self {
        self.with(Block::Pictures(pictures.into_iter().map(|(i, c)| Figure::new(i, c.into())).collect()))
    }

    /// A plot over the full width.
    pub fn plot(self, plot: Plot) -> Self {
        self.plots([plot])
    }

    /// Plots side by side, as many in a row as fit.
    pub fn plots(self, plots: impl IntoIterator<Item = Plot>) -> Self {
        let plots: Vec<_> = plots.into_iter().collect();
        let size = if plots.len() > 1 { plot::HALF } else { plot::WHOLE };
        self.with(Block::Plots(plots.into_iter().map(|p| (p.fragment(size), p.caption)).collect()))
    }

    /// A bar chart over the full width.
    pub fn bars(self, bars: Bars) -> Self {
        self.with(Block::Plots(vec![(bars.fragment(), bars.caption)]))
    }

    /// Preformatted text: a command line, program output.
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Block::Code(text.into()))
    }

    /// A link to data that the page itself holds: the reader saves it under `file`.
    pub fn download(self, words: impl Into<String>, file: &str, media: &str, data: &str) -> Self {
        let address = format!("data:{media};charset=utf-8;base64,{}", STANDARD.encode(data));
        self.with(Block::Download(words.into(), file.to_owned(), address))
    }

    /// A part that is folded away until the reader opens it; its title is the line to click on.
    pub fn details(self, section: Section) -> Self {
        self.with(Block::Details(section.title.clone(), section))
    }

    /// A section within this one.
    pub fn section(self, section: Section) -> Self {
        self.with(Block::Section(section))
    }

    /// The sections directly within this one.
    fn inner(&self) -> impl Iterator<Item = &Section> {
        self.blocks.iter().filter_map(|b| if let Block::Section(s) = b { Some(s) } else { None })
    }

    pub(super) fn write_link(&self, page: &mut Html, id: &str) {
        page.open("li", "");
        page.open("a", &format!("href=\"#{id}\""));
        page.text(&self.title);
        page.close("a");
        if let Some((verdict, text)) = &self.verdict {
            page.element("span", &format!("class=\"badge {}\"", verdict.class()), text);
        }
        if self.inner().next().is_some() {
            page.open("ol", "");
            for (k, section) in self.inner().enumerate() {
                section.write_link(page, &format!("{id}-{}", k + 1));
            }
            page.close("ol");
        }
        page.close("li");
    }

    pub(super) fn write(&self, page: &mut Html, level: usize, id: &str) {
        page.open("section", &format!("id=\"{id}\""));
        let heading = ["h2", "h3", "h4", "h5"][(level - 2).min(3)];
        page.open(heading, "");
        page.text(&self.title);
        if let Some((verdict, text)) = &self.verdict {
            page.element("span", &format!("class=\"badge {}\"", verdict.class()), text);
        }
        page.close(heading);
        self.write_blocks(page, level, id);
        page.close("section");
    }

    fn write_blocks(&self, page: &mut Html, level: usize, id: &str) {
        let (mut inner, mut folded) = (0, 0);
        for block in &self.blocks {
            match block {
                Block::Text(text) => {
                    page.open("p", "");
                    page.text(text);
                    page.close("p");
                }
                Block::Verdict(verdict, badge, why) => {
                    page.open("p", &format!("class=\"verdict {}\"", verdict.class()));
                    page.element("span", &format!("class=\"badge {}\"", verdict.class()), badge);
                    page.text(why);
                    page.close("p");
                }
                Block::Cards(cards) => {
                    page.open("div", "class=\"cards\"");
                    cards.iter().for_each(|card| card.write(page));
                    page.close("div");
                }
                Block::List(items) => {
                    page.open("ul", "");
                    for item in items {
                        page.open("li", "");
                        page.text(item);
                        page.close("li");
                    }
                    page.close("ul");
                }
                Block::Table(table) => table.write(page),
                Block::Pictures(figures) => {
                    page.open("div", &format!("class=\"figures {}\"", many(figures.len())));
                    figures.iter().for_each(|figure| figure.write(page));
                    page.close("div");
                }
                Block::Plots(plots) => {
                    page.open("div", &format!("class=\"figures {}\"", many(plots.len())));
                    for (svg, text) in plots {
                        page.open("figure", "class=\"chart\"");
                        page.raw(svg);
                        caption(page, text);
                        page.close("figure");
                    }
                    page.close("div");
                }
                Block::Code(text) => page.element("pre", "", text),
                Block::Download(words, file, address) => {
                    let [file, address] = [file, address].map(|a| escaped(a));
                    page.open("p", "class=\"download\"");
                    page.open("a", &format!("download=\"{file}\" href=\"{address}\""));
                    page.text(words);
                    page.close("a");
                    page.close("p");
                }
                Block::Details(summary, section) => {
                    page.open("details", "");
                    page.open("summary", "");
                    page.text(summary);
                    page.close("summary");
                    folded += 1;
                    section.write_blocks(page, level, &format!("{id}-d{folded}"));
                    page.close("details");
                }
                Block::Section(section) => {
                    inner += 1;
                    section.write(page, level + 1, &format!("{id}-{inner}"));
                }
            }
        }
    }
}

fn many(n: usize) -> &'static str {
    if n > 1 { "many" } else { "one" }
}

impl Card {
    fn write(&self, page: &mut Html) {
        page.open("div", &format!("class=\"card {}\"", self.verdict.class()));
        page.element("div", "class=\"label\"", &self.label);
        page.element("div", "class=\"value\"", &self.value);
        if !self.note.is_empty() {
            page.open("div", "class=\"note\"");
            page.text(&self.note);
            page.close("div");
        }
        page.close("div");
    }
}
