//! Tables.

use super::Verdict;
use super::html::{Html, escaped};

/// Tables of more columns are set smaller.
const MANY: usize = 8;

/// Where text stands in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
    /// Badges, short marks.
    Center,
}

impl Align {
    fn class(self) -> &'static str {
        match self {
            Self::Left => "class=\"left\"",
            Self::Right => "class=\"right\"",
            Self::Center => "class=\"center\"",
        }
    }
}

/// What stands in one place of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    text: String,
    badge: Option<Verdict>,
    strong: bool,
}

impl Cell {
    /// A coloured badge with a word or two in it.
    pub fn badge(verdict: Verdict, text: impl Into<String>) -> Self {
        Self { text: text.into(), badge: Some(verdict), strong: false }
    }

    /// Text in bold: the best of a row, the total.
    pub fn strong(text: impl Into<String>) -> Self {
        Self { text: text.into(), badge: None, strong: true }
    }

    /// Whether it reads like a number, maybe with a unit.
    fn is_number(&self) -> bool {
        let text = self.text.trim_start_matches(['-', '−', '+', '<', '>', '~', '≈', '≤', '≥', '±', ' ']);
        let dash = matches!(self.text.as_str(), "" | "-" | "–" | "—");
        self.badge.is_none() && (dash || text.starts_with(|c: char| c.is_ascii_digit()))
    }
}

macro_rules! cell_from {
    ($($from:ty),*) => {$(
        impl From<$from> for Cell {
            fn from(text: $from) -> Self {
                Self { text: text.to_string(), badge: None, strong: false }
            }
        }
    )*};
}

cell_from!(&str, String, &String, char, u8, u16, u32, u64, usize, i32, i64, f32, f64);

/// A table with a head. Columns of numbers are aligned to the right unless told otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
    align: Vec<Align>,
    caption: String,
}

impl Table {
    /// A table with these column titles.
    pub fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self {
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            align: Vec::new(),
            caption: String::new(),
        }
    }

    /// Appends a row; missing cells are empty, and a longer row adds columns without title.
    pub fn row<C: Into<Cell>>(mut self, cells: impl IntoIterator<Item = C>) -> Self {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the alignment of the first columns; the others stay automatic.
    pub fn align(mut self, align: impl IntoIterator<Item = Align>) -> Self {
        self.align = align.into_iter().collect();
        self
    }

    /// A line above the table.
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = text.into();
        self
    }

    fn alignment(&self, column: usize) -> Align {
        let automatic = || {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column)).peekable();
            if cells.peek().is_some() && cells.all(Cell::is_number) { Align::Right } else { Align::Left }
        };
        self.align.get(column).copied().unwrap_or_else(automatic)
    }

    pub(super) fn write(&self, page: &mut Html) {
        let columns = self.rows.iter().map(Vec::len).fold(self.head.len(), usize::max);
        let align: Vec<_> = (0..columns).map(|c| self.alignment(c)).collect();
        page.open("div", "class=\"scroll\"");
        page.open("table", if columns > MANY { "class=\"wide\"" } else { "" });
        if !self.caption.is_empty() {
            page.open("caption", "");
            page.text(&self.caption);
            page.close("caption");
        }
        page.open("thead", "");
        page.open("tr", "");
        for (column, align) in align.iter().enumerate() {
            page.open("th", &format!("scope=\"col\" {}", align.class()));
            page.text(self.head.get(column).map_or("", String::as_str));
            page.close("th");
        }
        page.close("tr");
        page.close("thead");
        page.open("tbody", "");
        for row in &self.rows {
            page.open("tr", "");
            for (column, align) in align.iter().enumerate() {
                // On a narrow page each row is a list, and every cell says what it is.
                let title = escaped(self.head.get(column).map_or("", String::as_str));
                page.open("td", &format!("{} data-title=\"{title}\"", align.class()));
                if let Some(cell) = row.get(column) {
                    cell.write(page);
                }
                page.close("td");
            }
            page.close("tr");
        }
        page.close("tbody");
        page.close("table");
        page.close("div");
    }
}

impl Cell {
    fn write(&self, page: &mut Html) {
        match self.badge {
            Some(verdict) => {
                page.element("span", &format!("class=\"badge {}\"", verdict.class()), &self.text)
            }
            None if self.strong => page.element("strong", "", &self.text),
            None => page.text(&self.text),
        }
    }
}
