//! JUnit XML, which build servers read.

use std::fmt::Write;

use super::row::{Allowed, Row, Verdict};

/// One test case a unit.
pub fn xml(rows: &[Row], allowed: Allowed) -> String {
    let count = |wanted: Verdict| rows.iter().filter(|r| r.verdict(allowed) == wanted).count();
    let (failures, errors) = (count(Verdict::Collides), count(Verdict::Broken));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", rows.len());
    let _ = writeln!(out, "<testsuites {counts}>\n<testsuite name=\"crumple judge\" {counts}>");
    for row in rows {
        let name = escaped(&row.title());
        let text = escaped(&row.text());
        let _ = write!(out, "<testcase classname=\"crumple\" name=\"{name}\"");
        let _ = match row.verdict(allowed) {
            Verdict::Passed => writeln!(out, "/>"),
            Verdict::Collides => writeln!(out, "><failure message=\"{text}\"/></testcase>"),
            Verdict::Broken => writeln!(out, "><error message=\"{text}\"/></testcase>"),
        };
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_a_case_and_names_are_text() {
        let row = |name: &str, pairs: usize, problem: Option<&str>| {
            let text = format!(
                r#"{{"schema":"crumple.judge/1","key":"k","name":{},"frames":1,"bad_frames":0,"pairs":{pairs},"inside":0,"edges":0,"impacts":0,"depth":0.0}}"#,
                serde_json::to_string(name).unwrap()
            );
            Row { problem: problem.map(str::to_owned), ..Row::parse(&text).unwrap() }
        };
        let rows =
            [row("a<b>\u{1}", 0, None), row("b", 5, None), row("c", 2, None), row("d", 0, Some("\"bad\""))];
        let xml = xml(&rows, Allowed { pairs: 2, depth: None });
        assert!(xml.contains("tests=\"4\" failures=\"1\" errors=\"1\""));
        assert!(xml.contains("name=\"a&lt;b&gt;\u{fffd}\"/>"));
        assert!(xml.contains("<failure message=\"5 triangle pairs\"/>"));
        assert!(xml.contains("&quot;bad&quot;"));
    }
}
