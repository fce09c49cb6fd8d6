//! Line and scatter plots as SVG.
//!
//! A plot is usable on its own: [`Plot::to_svg`] gives a whole SVG document that follows the light or dark setting
//! of whoever shows it. Series are told apart by colour, by the shape of their markers and by dashes, so that
//! neither grey print nor colour-blind eyes lose them.

use std::fmt::Write;

pub use super::axis::Scale;

use super::axis::Axis;
use super::html::escaped;
use super::ticks::number;

/// The style of all plots and bar charts: inside a lone SVG, once in a report.
pub(super) const STYLE: &str = include_str!("plot.css");

/// How the values of a series are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Line,
    Dashed,
    Points,
    Bar,
}

/// Named values of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    /// Lower and upper bounds around the values.
    band: Vec<(f64, f64, f64)>,
    form: Form,
}

impl Series {
    /// Values joined by a line, in the given order; a value that cannot be shown makes a gap.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), band: Vec::new(), form: Form::Line }
    }

    /// Values as markers only.
    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { form: Form::Points, ..Self::line(name, points) }
    }

    /// Draws the line dashed: what was published, what is only a reference.
    pub fn dashed(mut self) -> Self {
        self.form = Form::Dashed;
        self
    }

    /// A tinted band of `(x, lower, upper)` behind the series.
    pub fn band(mut self, band: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        self.band = band.into_iter().collect();
        self
    }
}

/// A plot of values over values.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    title: String,
    pub(super) caption: String,
    x: (String, Scale),
    y: (String, Scale),
    series: Vec<Series>,
    /// Lines across the plot: vertical at x or horizontal at y, with a label.
    rules: Vec<(bool, f64, String)>,
}

/// Width and height of a plot that has a page's width for itself.
pub(super) const WHOLE: [f64; 2] = [720.0, 400.0];
/// The same for plots side by side: smaller, so that their text is not.
pub(super) const HALF: [f64; 2] = [460.0, 330.0];
/// Width of a character of tick labels and legends; a little generous, fonts differ.
pub(super) const CHARACTER: f64 = 6.9;
/// More values than this are drawn without markers, which would only make a thick line.
const MOST_MARKERS: usize = 60;

impl Plot {
    /// An empty plot with linear axes.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            x: (String::new(), Scale::Linear),
            y: (String::new(), Scale::Linear),
            series: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Name (with unit) and scale of the horizontal axis.
    pub fn x(mut self, name: impl Into<String>, scale: Scale) -> Self {
        self.x = (name.into(), scale);
        self
    }

    /// Name (with unit) and scale of the vertical axis.
    pub fn y(mut self, name: impl Into<String>, scale: Scale) -> Self {
        self.y = (name.into(), scale);
        self
    }

    /// Appends a series.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// A labelled vertical line at `x`.
    pub fn mark_x(mut self, x: f64, label: impl Into<String>) -> Self {
        self.rules.push((true, x, label.into()));
        self
    }

    /// A labelled horizontal line at `y`.
    pub fn mark_y(mut self, y: f64, label: impl Into<String>) -> Self {
        self.rules.push((false, y, label.into()));
        self
    }

    /// What to see in it; shown below the plot in a report.
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = text.into();
        self
    }

    /// A whole SVG document.
    pub fn to_svg(&self) -> String {
        document(&self.fragment(WHOLE))
    }

    /// The SVG element alone, to stand in a page that has the style.
    pub(super) fn fragment(&self, [width, height]: [f64; 2]) -> String {
        let mut keys: Vec<_> = self.series.iter().map(|s| (s.name.as_str(), s.form)).collect();
        if keys.len() == 1 {
            keys.clear();
        }
        let title = if self.title.is_empty() { 0.0 } else { 26.0 };
        let (legend, legend_height) = legend(&keys, 16.0, title + 8.0, width - 24.0);
        let top = title + legend_height + 16.0;
        let bottom = height - 50.0;

        let xs =
            self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0).chain(s.band.iter().map(|b| b.0)));
        let ys = self
            .series
            .iter()
            .flat_map(|s| s.points.iter().map(|p| p.1).chain(s.band.iter().flat_map(|b| [b.1, b.2])));
        let marked = |is_x: bool| self.rules.iter().filter(move |r| r.0 == is_x).map(|r| r.1);
        let y = Axis::new(self.y.1, ys.chain(marked(false)), bottom, top);
        let widest = y.ticks(5).iter().map(|(_, t)| t.label.chars().count()).max().unwrap_or(1);
        let left = 34.0 + CHARACTER * widest as f64;
        let right = width - 18.0;
        let x = Axis::new(self.x.1, xs.chain(marked(true)), left, right);

        let mut out = start(width, height, &self.title);
        out += &legend;
        for (at, tick) in y.ticks(5) {
            let _ = write!(
                out,
                "<line class=\"p-grid\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>"
            );
            text(&mut out, "p-tick p-end", left - 8.0, at + 4.0, &tick.label);
        }
        for (at, tick) in x.ticks(if width < 600.0 { 4 } else { 6 }) {
            let _ = write!(
                out,
                "<line class=\"p-grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>"
            );
            text(&mut out, "p-tick p-middle", at, bottom + 18.0, &tick.label);
        }
        let _ = write!(out, "<path class=\"p-axis\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>");
        text(&mut out, "p-name p-middle", 0.5 * (left + right), height - 10.0, &self.x.0);
        let middle = 0.5 * (top + bottom);
        let _ = write!(
            out,
            "<text class=\"p-name p-middle\" transform=\"translate(14 {middle:.1}) rotate(-90)\">{}</text>",
            escaped(&self.y.0)
        );
        for (is_x, value, label) in &self.rules {
            if let Some(at) = if *is_x { x.place(*value) } else { y.place(*value) } {
                let path = if *is_x {
                    format!("M{at:.1} {top:.1}V{bottom:.1}")
                } else {
                    format!("M{left:.1} {at:.1}H{right:.1}")
                };
                let _ = write!(out, "<path class=\"p-rule\" d=\"{path}\"/>");
                if *is_x {
                    // On the side that has room for the words.
                    let (class, shift) =
                        if at > 0.6 * right { ("p-note p-end", -6.0) } else { ("p-note", 6.0) };
                    text(&mut out, class, at + shift, top + 13.0, label);
                } else {
                    text(&mut out, "p-note p-end", right - 4.0, at - 6.0, label);
                }
            }
        }
        for (k, series) in self.series.iter().enumerate() {
            draw(&mut out, series, k, &x, &y);
        }
        let all = || self.series.iter().flat_map(|s| &s.points);
        let hidden = all().filter(|p| !(self.x.1.shows(p.0) && self.y.1.shows(p.1))).count();
        let shown = all().count() - hidden;
        if shown == 0 {
            text(&mut out, "p-note p-middle", 0.5 * (left + right), middle, "no data");
        }
        if hidden > 0 {
            text(&mut out, "p-note p-end", right, top - 4.0, &not_shown(hidden));
        }
        out += "</svg>\n";
        out
    }
}

/// Says how many values are missing from a plot.
pub(super) fn not_shown(n: usize) -> String {
    format!("{n} value{} not shown", if n == 1 { "" } else { "s" })
}

/// A fragment with the name space and the style that make it a file of its own.
pub(super) fn document(fragment: &str) -> String {
    let svg = fragment.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    svg.replacen("</title>", &format!("</title><style>{STYLE}</style>"), 1)
}

/// The opening tag, the accessible title and the visible one.
pub(super) fn start(width: f64, height: f64, title: &str) -> String {
    let mut out = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\"><title>{}</title>",
        escaped(title)
    );
    if !title.is_empty() {
        text(&mut out, "p-title", 16.0, 20.0, title);
    }
    out
}

pub(super) fn text(out: &mut String, class: &str, x: f64, y: f64, text: &str) {
    if !text.is_empty() {
        let _ = write!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
    }
}

/// Names with their colours, wrapped to the width; returns the SVG and the height taken.
pub(super) fn legend(keys: &[(&str, Form)], left: f64, top: f64, right: f64) -> (String, f64) {
    let (mut out, mut x, mut y) = (String::new(), left, top + 10.0);
    for (k, (name, form)) in keys.iter().enumerate() {
        let width = 40.0 + CHARACTER * name.chars().count() as f64;
        if x > left && x + width > right {
            (x, y) = (left, y + 20.0);
        }
        let (series, middle) = (k % 8, y - 4.0);
        let _ = match form {
            Form::Line => write!(out, "<path class=\"p-line p-s{series}\" d=\"M{x:.1} {middle:.1}h20\"/>"),
            Form::Dashed => {
                write!(out, "<path class=\"p-line p-s{series} p-dashed\" d=\"M{x:.1} {middle:.1}h20\"/>")
            }
            Form::Bar => write!(
                out,
                "<rect class=\"p-bar p-s{series}\" x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"10\" rx=\"2\"/>",
                x + 6.0,
                y - 9.0
            ),
            Form::Points => Ok(()),
        };
        if *form != Form::Bar {
            marker(&mut out, k, x + 10.0, middle, None);
        }
        text(&mut out, "p-key", x + 26.0, y, name);
        x += width;
    }
    (out, if keys.is_empty() { 0.0 } else { y - top + 6.0 })
}

/// A marker whose shape and colour tell the series.
fn marker(out: &mut String, k: usize, x: f64, y: f64, note: Option<String>) {
    let shape = match k % 4 {
        0 => format!("M{:.2} {y:.2}a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z", x - 3.6),
        1 => format!("M{:.2} {:.2}h6.4v6.4h-6.4z", x - 3.2, y - 3.2),
        2 => format!("M{x:.2} {:.2}l4.4 7.4h-8.8z", y - 4.6),
        _ => format!("M{x:.2} {:.2}l4.6 4.6l-4.6 4.6l-4.6 -4.6z", y - 4.6),
    };
    let _ = match note {
        Some(note) => write!(
            out,
            "<path class=\"p-dot p-s{}\" d=\"{shape}\"><title>{}</title></path>",
            k % 8,
            escaped(&note)
        ),
        None => write!(out, "<path class=\"p-dot p-s{}\" d=\"{shape}\"/>", k % 8),
    };
}

fn draw(out: &mut String, series: &Series, k: usize, x: &Axis, y: &Axis) {
    let band: Vec<_> = series
        .band
        .iter()
        .filter_map(|(v, low, high)| Some((x.place(*v)?, y.place(*low)?, y.place(*high)?)))
        .collect();
    if band.len() > 1 {
        let mut path = String::new();
        let upper = band.iter().map(|b| (b.0, b.2));
        for (i, (px, py)) in upper.chain(band.iter().rev().map(|b| (b.0, b.1))).enumerate() {
            let _ = write!(path, "{}{px:.2} {py:.2}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = write!(out, "<path class=\"p-band p-s{}\" d=\"{path}Z\"/>", k % 8);
    }
    let places: Vec<_> = series.points.iter().map(|p| Some((x.place(p.0)?, y.place(p.1)?))).collect();
    if series.form != Form::Points {
        let mut path = String::new();
        let mut is_down = false;
        for place in &places {
            if let Some((px, py)) = place {
                let _ = write!(path, "{}{px:.2} {py:.2}", if is_down { 'L' } else { 'M' });
            }
            is_down = place.is_some();
        }
        let dash = if series.form == Form::Dashed { " p-dashed" } else { "" };
        if !path.is_empty() {
            let _ = write!(out, "<path class=\"p-line p-s{}{dash}\" d=\"{path}\"/>", k % 8);
        }
    }
    if series.form == Form::Points || places.len() <= MOST_MARKERS {
        for (place, (vx, vy)) in places.iter().zip(&series.points) {
            if let Some((px, py)) = place {
                marker(out, k, *px, *py, Some(format!("{}: {}, {}", series.name, number(*vx), number(*vy))));
            }
        }
    }
}
