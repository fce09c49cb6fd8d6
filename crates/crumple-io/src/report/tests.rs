//! The page as a browser's parser would see it.

use super::*;
use crate::picture::Picture;

/// Tags that have no end.
const VOID: [&str; 4] = ["meta", "img", "br", "hr"];

/// Walks over the tags of a page and checks that they nest; returns the attributes of each.
fn tags(html: &str) -> Vec<(String, String)> {
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        assert!(
            !rest[..start].contains('>'),
            "stray > before …{}",
            &rest[start..(start + 60).min(rest.len())]
        );
        let end = start + rest[start..].find('>').expect("tag without end");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "wrong end tag");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let name = name.trim_end_matches('/');
        found.push((name.to_owned(), attributes.to_owned()));
        assert_eq!(attributes.matches('"').count() % 2, 0, "unbalanced quotes in <{tag}>");
        if name == "style" {
            // Selectors may hold >, which is no tag there.
            rest = &rest[rest.find("</style>").expect("end of style")..];
        }
        if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

fn attribute(attributes: &str, name: &str) -> Option<String> {
    let start = attributes.find(&format!("{name}=\""))? + name.len() + 2;
    Some(attributes[start..start + attributes[start..].find('"')?].to_owned())
}

fn plot() -> Plot {
    Plot::new("Time & <size>")
        .x("triangles", Scale::Log)
        .y("milliseconds", Scale::Log)
        .series(Series::line("ours", [(1e3, 0.1), (1e4, 1.0), (1e5, f64::NAN), (1e6, 90.0), (0.0, 3.0)]))
        .series(
            Series::points("theirs \"quoted\"", [(1e3, 2.0), (1e6, 1e5)])
                .band([(1e3, 1.0, 3.0), (1e6, 1e4, 1e6)]),
        )
        .mark_x(5e4, "here")
        .mark_y(1.0, "goal")
}

fn bars() -> Bars {
    Bars::new("Ratios", ["ours", "theirs"])
        .axis("times", Scale::Log)
        .row("a very long name of a scene that does not fit into its room at all", [1.0, 30.0])
        .row("drape", [f64::NAN, -1.0])
        .mark(2.0, "goal")
}

/// A report with every kind of block and hostile text in each place.
fn whole() -> Report {
    let evil = "<script>alert('x')</script> & \"quotes\" `code <b>` `lone";
    let image = Picture::new(40, 30).render();
    let inner = Section::new(evil).text(evil).badge(Verdict::Mixed, evil);
    Report::new(evil).subtitle(evil).fact(evil, evil).footer(evil).section(
        Section::new(evil)
            .badge(Verdict::Good, evil)
            .text(evil)
            .verdict(Verdict::Bad, evil, evil)
            .cards([Card::new(evil, evil).note(evil).verdict(Verdict::Good), Card::new("", "")])
            .list([evil, ""])
            .table(
                Table::new([evil, "n"])
                    .row([Cell::from(evil), 1.into(), Cell::badge(Verdict::Neutral, evil)])
                    .caption(evil),
            )
            .picture(&image, evil)
            .pictures([(&image, evil), (&image, "")])
            .plot(plot().caption(evil))
            .plots([plot(), Plot::new(evil)])
            .bars(bars().caption(evil))
            .code(evil)
            .details(Section::new(evil).section(inner.clone()))
            .details(Section::new(evil).section(inner.clone()))
            .section(inner.clone())
            .section(inner),
    )
}

#[test]
fn tags_nest_and_hostile_text_is_shown_not_obeyed() {
    let html = whole().to_html();
    let tags = tags(&html);
    assert!(tags.iter().all(|(name, _)| !["script", "b", "link", "iframe"].contains(&name.as_str())));
    assert!(html.contains("&lt;script&gt;"));
    assert!(html.contains("<code>code &lt;b&gt;</code>"));
    assert!(html.contains("`lone"));
}

#[test]
fn nothing_outside_is_referred_to() {
    let html = whole().to_html();
    for (name, attributes) in tags(&html) {
        if let Some(src) = attribute(&attributes, "src") {
            assert!(src.starts_with("data:image/png;base64,"), "<{name}>: {src}");
        }
        if let Some(href) = attribute(&attributes, "href") {
            assert!(href.starts_with('#'), "<{name}>: {href}");
        }
    }
    for word in ["http:", "https:", "//", "@import", "url("] {
        // Base64 may hold two slashes in a row.
        let text: String = html
            .split("src=\"data:")
            .enumerate()
            .map(|(i, part)| if i == 0 { part } else { part.split_once('"').unwrap().1 })
            .collect();
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn links_lead_to_sections_and_ids_are_unique() {
    let tags = tags(&whole().to_html());
    let ids: Vec<_> = tags.iter().filter_map(|(_, a)| attribute(a, "id")).collect();
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    let links: Vec<_> = tags.iter().filter_map(|(_, a)| attribute(a, "href")).collect();
    assert_eq!(links.len(), 3);
    assert!(links.iter().all(|l| ids.contains(&l[1..].to_owned())));
}

#[test]
fn a_picture_in_the_page_is_the_png() {
    use base64::Engine;
    let image = Picture::new(40, 30).render();
    let html = Report::new("r").section(Section::new("s").picture(&image, "c")).to_html();
    let start = html.find("base64,").unwrap() + 7;
    let data = &html[start..start + html[start..].find('"').unwrap()];
    assert_eq!(base64::engine::general_purpose::STANDARD.decode(data).unwrap(), image.to_png());
}

/// Every number in the attributes of an SVG, which must all be finite and near the canvas.
fn numbers(svg: &str) -> usize {
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let mut seen = 0;
    for (name, attributes) in tags(svg) {
        for key in ["x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "viewBox"] {
            let Some(text) = attribute(&format!(" {attributes}"), &format!(" {key}")) else { continue };
            for number in
                text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter(|n| !n.is_empty())
            {
                let value: f64 = number.parse().unwrap_or_else(|_| panic!("<{name} {key}=\"{text}\">"));
                assert!((-20.0..3000.0).contains(&value), "<{name} {key}=\"{text}\">");
                seen += 1;
            }
        }
    }
    seen
}

#[test]
fn plots_hold_only_finite_numbers_and_say_what_they_leave_out() {
    let svg = plot().to_svg();
    assert!(numbers(&svg) > 60);
    assert!(svg.contains("2 values not shown"));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.contains("<style>"));
    let svg = bars().to_svg();
    assert!(numbers(&svg) > 20);
    assert!(svg.contains("2 values not shown") && svg.contains('…'));
}

#[test]
fn odd_data_makes_a_plot_too() {
    let sets: [&[(f64, f64)]; 7] = [
        &[],
        &[(f64::NAN, f64::NAN)],
        &[(1.0, 1.0)],
        &[(0.0, 0.0), (0.0, 0.0)],
        &[(-1e308, 1e308), (1e308, -1e308)],
        &[(1e-300, 1e300), (1e300, 1e-300)],
        &[(1e15, 1.0), (1e15 + 1.0, 1.0 + 1e-15)],
    ];
    for points in sets {
        for scale in [Scale::Linear, Scale::Log] {
            let plot = Plot::new("odd")
                .x("x", scale)
                .y("y", scale)
                .series(Series::line("s", points.iter().copied()));
            numbers(&plot.to_svg());
            numbers(&Bars::new("odd", ["s"]).axis("v", scale).row("r", points.iter().map(|p| p.1)).to_svg());
        }
    }
    assert!(Plot::new("").to_svg().contains("no data"));
    assert!(Bars::new("", ["s"]).to_svg().contains("no data"));
}

#[test]
fn a_line_follows_its_data() {
    let svg = Plot::new("")
        .series(Series::line("s", [(0.0, 0.0), (1.0, 10.0), (2.0, f64::NAN), (3.0, 5.0), (4.0, 0.0)]))
        .to_svg();
    let line = svg.split("<path class=\"p-line p-s0\" d=\"").nth(1).unwrap();
    let line = &line[..line.find('"').unwrap()];
    // A gap where the value is missing: two strokes.
    assert_eq!((line.matches('M').count(), line.matches('L').count()), (2, 2));
    let points: Vec<Vec<f64>> =
        line.split(['M', 'L']).skip(1).map(|p| p.split(' ').map(|n| n.parse().unwrap()).collect()).collect();
    assert!(points.windows(2).all(|w| w[1][0] > w[0][0]), "x grows");
    assert!(points[1][1] < points[0][1], "larger values are higher up");
    assert!((points[3][1] - points[0][1]).abs() < 1e-6);
    assert!(
        ((points[2][1] - points[1][1]) - (points[3][1] - points[2][1])).abs() < 0.05,
        "equal steps are equal"
    );
}

#[test]
fn number_columns_stand_right() {
    let table = Table::new(["name", "n", "t"]).row(["a", "12", "< 1 ms"]).row(["b", "–", "3.5 s"]);
    let html = Report::new("r").section(Section::new("s").table(table)).to_html();
    let cells: Vec<_> =
        tags(&html).into_iter().filter(|t| t.0 == "td").map(|t| attribute(&t.1, "class").unwrap()).collect();
    assert_eq!(cells, ["left", "right", "right", "left", "right", "right"]);
    let table = Table::new(["n"]).row([1, 2]).align([Align::Center]);
    let html = Report::new("r").section(Section::new("s").table(table)).to_html();
    let cells: Vec<_> =
        tags(&html).into_iter().filter(|t| t.0 == "td").map(|t| attribute(&t.1, "class").unwrap()).collect();
    assert_eq!(cells, ["center", "right"]);
}
