//! Many files on one page: a table of verdicts, the worst first, with links to the page of each.

use std::fmt::Write;
use std::path::Path;

use crumple_io::WriteError;

use crate::page::head;
use crate::text::{counted, escaped, thousands};

/// How a file turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It could not be read or checked.
    Broken,
    /// It collides beyond what is allowed.
    Bad,
    /// Nothing collides, or no more than is allowed.
    Good,
}

impl Verdict {
    fn badge(self) -> (&'static str, &'static str) {
        match self {
            Self::Broken => ("mixed", "broken"),
            Self::Bad => ("bad", "collides"),
            Self::Good => ("good", "passed"),
        }
    }
}

/// One file of the table.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The file or sequence.
    pub name: String,
    /// How it turned out.
    pub verdict: Verdict,
    /// Rows of all lists of all frames.
    pub hits: usize,
    /// How deep the deepest collision is.
    pub depth: f64,
    /// Frames that were checked.
    pub frames: usize,
    /// One sentence.
    pub text: String,
    /// Its own page, as a path relative to this one.
    pub link: Option<String>,
}

/// The page of many files.
#[derive(Debug, Clone, Default)]
pub struct Verdicts {
    /// The heading.
    pub title: String,
    /// The files, in any order.
    pub rows: Vec<Summary>,
}

/// Rows that are listed one by one; of those that passed, more are only counted.
const LISTED: usize = 10_000;

impl Verdicts {
    /// The whole file.
    pub fn to_html(&self) -> String {
        let mut out = head(&self.title, &[]);
        let count = |v: Verdict| self.rows.iter().filter(|r| r.verdict == v).count();
        let [broken, bad, good] = [Verdict::Broken, Verdict::Bad, Verdict::Good].map(count);
        let _ = writeln!(out, "<body>\n<header>\n<h1>{}</h1>\n<p class=\"verdict\">", escaped(&self.title));
        for (n, verdict) in [(bad, Verdict::Bad), (broken, Verdict::Broken), (good, Verdict::Good)] {
            let (class, word) = verdict.badge();
            let word = if verdict == Verdict::Bad && n > 1 { "collide" } else { word };
            if n > 0 {
                let _ = writeln!(out, "<span class=\"badge {class}\">{} {word}</span>", thousands(n));
            }
        }
        let all = counted(self.rows.len(), "file or sequence", "files and sequences");
        let _ = writeln!(out, "of {all}</p>\n</header>");
        out.push_str("<section id=\"rows\"><div class=\"scroll\"><table><thead><tr>");
        for name in ["verdict", "file", "hits", "depth", "frames", "what"] {
            let side = if matches!(name, "verdict" | "file" | "what") { " text" } else { "" };
            let _ = write!(out, "<th class=\"plain{side}\" scope=\"col\">{name}</th>");
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        let mut rows: Vec<&Summary> = self.rows.iter().collect();
        rows.sort_by(|a, b| {
            let worst = a.verdict.cmp(&b.verdict).then(b.hits.cmp(&a.hits));
            worst.then(b.depth.total_cmp(&a.depth)).then(a.name.cmp(&b.name))
        });
        rows.iter().take(LISTED.max(bad + broken)).for_each(|row| row.write(&mut out));
        out.push_str("</tbody></table></div></section>\n");
        let left = rows.len().saturating_sub(LISTED.max(bad + broken));
        if left > 0 {
            let _ = writeln!(out, "<p class=\"soft\">… and {} that passed</p>", thousands(left));
        }
        let _ =
            writeln!(out, "<footer>Made by crumple {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"));
        out
    }

    /// Writes the file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), WriteError> {
        crumple_io::write_file(path, |out| out.write_all(self.to_html().as_bytes()))
    }
}

impl Summary {
    fn write(&self, out: &mut String) {
        let (class, word) = self.verdict.badge();
        let name = escaped(&self.name);
        let name = match &self.link {
            Some(link) => format!("<a href=\"{}\">{name}</a>", escaped(&encoded(link))),
            None => name,
        };
        let depth = if self.depth > 0.0 { format!("{:.4}", self.depth) } else { String::new() };
        let _ = writeln!(
            out,
            "<tr><td><span class=\"badge {class}\">{word}</span></td><td class=\"text\">{name}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{depth}</td><td class=\"number\">{}</td><td class=\"text\">{}</td></tr>",
            thousands(self.hits),
            thousands(self.frames),
            escaped(&self.text),
        );
    }
}

/// A relative path as a link: whatever is special in one is written as `%xx`, a colon too, so that no name is a scheme.
fn encoded(path: &str) -> String {
    path.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_./".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, verdict: Verdict, hits: usize) -> Summary {
        let (text, link) = (String::new(), Some(format!("reports/{name}.html")));
        Summary { name: name.into(), verdict, hits, depth: 0.0, frames: 1, text, link }
    }

    #[test]
    fn the_worst_come_first_and_names_are_text() {
        let rows = vec![
            row("fine.obj", Verdict::Good, 0),
            row("<script>alert(1)</script>", Verdict::Bad, 3),
            row("worse.obj", Verdict::Bad, 30),
        ];
        let html = Verdicts { title: "<b>".into(), rows }.to_html();
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        let at = |what: &str| html.find(what).unwrap();
        assert!(at("worse.obj") < at("&lt;script&gt;") && at("&lt;script&gt;") < at("fine.obj"));
        assert!(html.contains("href=\"reports/%3Cscript%3Ealert%281%29%3C/script%3E.html\""));
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn no_link_is_a_scheme() {
        assert_eq!(encoded("javascript:alert(1)"), "javascript%3Aalert%281%29");
    }
}
