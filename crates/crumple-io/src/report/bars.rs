//! Bar charts: named rows with one bar per series, lying, so that long names can be read.

use std::fmt::Write;

use super::axis::{Axis, Scale};
use super::html::escaped;
use super::plot::{CHARACTER, Form, document, legend, not_shown, start, text};
use super::ticks::number;

/// A chart of lying bars, grouped by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    title: String,
    pub(super) caption: String,
    axis: (String, Scale),
    series: Vec<String>,
    rows: Vec<(String, Vec<f64>)>,
    marks: Vec<(f64, String)>,
}

const WIDTH: f64 = 720.0;
const BAR: f64 = 15.0;

impl Bars {
    /// An empty chart; `series` names the bars of each row, in order.
    pub fn new<S: Into<String>>(title: impl Into<String>, series: impl IntoIterator<Item = S>) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            axis: (String::new(), Scale::Linear),
            series: series.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Name (with unit) and scale of the values.
    pub fn axis(mut self, name: impl Into<String>, scale: Scale) -> Self {
        self.axis = (name.into(), scale);
        self
    }

    /// Appends a row with one value per series; NaN leaves a bar out.
    pub fn row(mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        self.rows.push((name.into(), values.into_iter().collect()));
        self
    }

    /// A labelled line across all rows: a goal, parity.
    pub fn mark(mut self, value: f64, label: impl Into<String>) -> Self {
        self.marks.push((value, label.into()));
        self
    }

    /// What to see in it; shown below the chart in a report.
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = text.into();
        self
    }

    /// A whole SVG document.
    pub fn to_svg(&self) -> String {
        document(&self.fragment())
    }

    /// The SVG element alone, to stand in a page that has the style.
    pub(super) fn fragment(&self) -> String {
        let mut keys: Vec<_> = self.series.iter().map(|name| (name.as_str(), Form::Bar)).collect();
        if keys.len() == 1 {
            keys.clear();
        }
        let title = if self.title.is_empty() { 0.0 } else { 26.0 };
        let (legend, legend_height) = legend(&keys, 16.0, title + 8.0, WIDTH - 24.0);
        let has_notes = self.marks.iter().any(|m| !m.1.is_empty());
        let top = title + legend_height + if has_notes { 30.0 } else { 14.0 };
        let row_height = |values: &[f64]| BAR * values.len().max(1) as f64 + 12.0;
        let bottom = top + self.rows.iter().map(|r| row_height(&r.1)).sum::<f64>().max(20.0);
        let height = bottom + 50.0;

        let longest = self.rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
        let left = (24.0 + CHARACTER * longest as f64).min(0.4 * WIDTH);
        // Room for the number at the end of the longest bar.
        let right = WIDTH - 64.0;
        let values = || self.rows.iter().flat_map(|r| &r.1).copied();
        let zero = std::iter::once(0.0).filter(|_| self.axis.1 == Scale::Linear);
        // On a logarithmic axis the shortest bar must not vanish into the axis.
        let shortest = values()
            .filter(|v| self.axis.1 == Scale::Log && self.axis.1.shows(*v))
            .fold(f64::INFINITY, f64::min);
        let axis = Axis::new(
            self.axis.1,
            values().chain(self.marks.iter().map(|m| m.0)).chain(zero).chain([shortest * 0.5]),
            left,
            right,
        );

        let mut out = start(WIDTH, height, &self.title);
        out += &legend;
        for (at, tick) in axis.ticks(5) {
            let _ = write!(
                out,
                "<line class=\"p-grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>"
            );
            text(&mut out, "p-tick p-middle", at, bottom + 18.0, &tick.label);
        }
        let mut y = top;
        for (name, values) in &self.rows {
            let height = row_height(values);
            let room = ((left - 16.0) / CHARACTER) as usize;
            text(&mut out, "p-key p-end", left - 10.0, y + 0.5 * height + 4.0, &shortened(name, room));
            for (k, value) in values.iter().enumerate() {
                if let Some(end) = axis.place(*value) {
                    let (from, to) = (axis.base().min(end), axis.base().max(end));
                    let bar_top = y + 6.0 + BAR * k as f64;
                    let series = self.series.get(k).map_or("", String::as_str);
                    let _ = write!(
                        out,
                        "<rect class=\"p-bar p-s{}\" x=\"{from:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"2\"><title>{}</title></rect>",
                        k % 8,
                        bar_top + 1.0,
                        (to - from).max(1.0),
                        BAR - 2.0,
                        escaped(&format!("{name} {series}: {}", number(*value))),
                    );
                    text(&mut out, "p-value", to + 5.0, bar_top + BAR - 3.5, &number(*value));
                }
            }
            y += height;
        }
        let base = axis.base();
        let _ = write!(out, "<path class=\"p-axis\" d=\"M{base:.1} {top:.1}V{bottom:.1}\"/>");
        for (value, label) in &self.marks {
            if let Some(at) = axis.place(*value) {
                let _ = write!(out, "<path class=\"p-rule\" d=\"M{at:.1} {:.1}V{bottom:.1}\"/>", top - 4.0);
                text(&mut out, "p-note p-middle", at, top - 9.0, label);
            }
        }
        text(&mut out, "p-name p-middle", 0.5 * (left + right), height - 10.0, &self.axis.0);
        let hidden = values().filter(|v| !self.axis.1.shows(*v)).count();
        if self.rows.is_empty() {
            text(&mut out, "p-note p-middle", 0.5 * (left + right), 0.5 * (top + bottom), "no data");
        }
        if hidden > 0 {
            text(&mut out, "p-note p-end", WIDTH - 16.0, height - 10.0, &not_shown(hidden));
        }
        out += "</svg>\n";
        out
    }
}

/// The name cut with an ellipsis to at most `room` characters.
fn shortened(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    name.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}
