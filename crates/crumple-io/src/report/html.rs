//! Writing HTML: escaping, and tags that are closed in the order they were opened.

use std::fmt::Write;

/// A page being written.
pub(super) struct Html {
    out: String,
    open: Vec<&'static str>,
}

/// Text with the five characters replaced that mean something in HTML and SVG, in content and in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters are not allowed in a page, escaped or not.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\x7f' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

impl Html {
    pub(super) fn new() -> Self {
        Self { out: String::new(), open: Vec::new() }
    }

    /// Opens a tag; `attributes` are written as they are.
    pub(super) fn open(&mut self, tag: &'static str, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(self.out, "<{tag}{space}{attributes}>");
        self.open.push(tag);
    }

    /// Closes the tag that was opened last, which must be this one.
    pub(super) fn close(&mut self, tag: &'static str) {
        let last = self.open.pop();
        debug_assert_eq!(last, Some(tag), "tags must be closed in order");
        let _ = writeln!(self.out, "</{tag}>");
    }

    /// A tag around plain text.
    pub(super) fn element(&mut self, tag: &'static str, attributes: &str, text: &str) {
        self.open(tag, attributes);
        self.out.push_str(&escaped(text));
        self.close(tag);
    }

    /// Running text: escaped, with parts between backticks as code. A lone backtick stays as it is.
    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((code, next)) = after.split_once('`') else { break };
            self.out.push_str(&escaped(before));
            let _ = write!(self.out, "<code>{}</code>", escaped(code));
            rest = next;
        }
        self.out.push_str(&escaped(rest));
    }

    /// HTML as it is.
    pub(super) fn raw(&mut self, html: &str) {
        self.out.push_str(html);
    }

    pub(super) fn finish(self) -> String {
        debug_assert!(self.open.is_empty(), "left open: {:?}", self.open);
        self.out
    }
}
