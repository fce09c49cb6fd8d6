//! A sample report with every kind of block, on numbers that are measured or computed here.

use std::time::Instant;

use crumple_io::picture::{Image, Picture, Surface};
use crumple_io::report::{
    Bars, Card, Cell, Plot, Report, Scale, Section, Series, Table, Verdict, bytes, count, seconds,
};

use crate::shapes::ball;

/// A drawn scene and what it cost.
pub struct Drawn {
    pub name: &'static str,
    pub image: Image,
    pub seconds: f64,
    pub png_bytes: usize,
}

/// Builds the report.
pub fn report(drawn: &[Drawn]) -> Report {
    let total: f64 = drawn.iter().map(|d| d.seconds).sum();
    let largest = drawn.iter().map(|d| d.png_bytes).max().unwrap_or(0);
    let overview = Section::new("At a glance")
        .text("Everything on this page was drawn by `crumple_io::picture` and laid out by `crumple_io::report`: no GPU, no browser engine, no network.")
        .cards([
            Card::new("Pictures", drawn.len().to_string()).note("1200 × 900 pixels each"),
            Card::new("Time to draw all", seconds(total)).note("one thread"),
            Card::new("Largest PNG", bytes(largest as u64)),
            Card::new("Scripts", "0").verdict(Verdict::Good).note("works from a mail attachment"),
        ]);
    Report::new("Crumple gallery")
        .subtitle("Pictures, plots and tables as every other part of the program makes them.")
        .fact("Made by", "examples/pictures")
        .fact("Version", env!("CARGO_PKG_VERSION"))
        .fact("Threads", "1")
        .section(overview)
        .section(pictures(drawn))
        .section(cost(drawn))
        .section(bounds())
        .footer("Made by `cargo run --release -p crumple-io --example pictures`.")
}

fn pictures(drawn: &[Drawn]) -> Section {
    let find = |name: &str| drawn.iter().find(|d| d.name == name).map(|d| &d.image);
    let mut section = Section::new("Pictures")
        .text("Colliding triangles are vermilion and amber; where something hides them they are hatched.");
    if let Some(image) = find("drape") {
        section = section.picture(
            image,
            "A cloth over a body. The view was chosen so that the colliding places can be seen.",
        );
    }
    let rest = drawn.iter().filter(|d| d.name != "drape").map(|d| (&d.image, d.name));
    section.pictures(rest)
}

fn cost(drawn: &[Drawn]) -> Section {
    let points: Vec<(f64, f64)> = [8, 16, 32, 64, 110]
        .into_iter()
        .map(|n| {
            let mesh = ball(n, |_| 1.0);
            let start = Instant::now();
            let _ = Picture::new(600, 450).surface(Surface::new(&mesh.positions, &mesh.triangles)).render();
            (mesh.triangles.len() as f64, start.elapsed().as_secs_f64() * 1e3)
        })
        .collect();
    let linear = points.last().map_or(1.0, |p| p.1 / p.0);
    let mut bars = Bars::new("Time per picture", ["drawing"]).axis("milliseconds", Scale::Linear);
    let mut table = Table::new(["scene", "drawn in", "PNG", "pixels", ""]).caption("Per scene");
    for d in drawn {
        bars = bars.row(d.name, [d.seconds * 1e3]);
        let pixels = u64::from(d.image.width()) * u64::from(d.image.height());
        let verdict = if d.seconds < 1.0 {
            Cell::badge(Verdict::Good, "under a second")
        } else {
            Cell::badge(Verdict::Mixed, "slower")
        };
        table = table.row([
            d.name.into(),
            Cell::from(seconds(d.seconds)),
            bytes(d.png_bytes as u64).into(),
            count(pixels).into(),
            verdict,
        ]);
    }
    let plot = Plot::new("A ball of more and more triangles")
        .x("triangles", Scale::Log)
        .y("milliseconds per picture", Scale::Log)
        .series(Series::line("600 × 450", points.iter().copied()))
        .series(Series::line("proportional", points.iter().map(|p| (p.0, p.0 * linear))).dashed())
        .caption("Few triangles cost what the pixels cost; only then the time follows the triangles.");
    Section::new("What a picture costs")
        .badge(Verdict::Neutral, "measured now")
        .section(
            Section::new("By scene").bars(bars).details(Section::new("The same as a table").table(table)),
        )
        .section(Section::new("By size").plot(plot))
}

/// The volume of a ball between the cells that lie inside and those that touch it.
fn bounds() -> Section {
    let exact = 4.0 / 3.0 * std::f64::consts::PI;
    let rows: Vec<(f64, f64, f64)> = [4_i32, 6, 8, 12, 16, 24, 32, 48, 64]
        .into_iter()
        .map(|n| {
            let h = 2.0 / f64::from(n);
            let (mut inner, mut outer) = (0, 0);
            for i in 0..n * n * n {
                let c = [i % n, i / n % n, i / n / n].map(|k| -1.0 + h * f64::from(k));
                let far: f64 = c.iter().map(|x| x.abs().max((x + h).abs()).powi(2)).sum();
                let near: f64 = c
                    .iter()
                    .map(|x| if *x < 0.0 && x + h > 0.0 { 0.0 } else { x.abs().min((x + h).abs()).powi(2) })
                    .sum();
                inner += i32::from(far <= 1.0);
                outer += i32::from(near <= 1.0);
            }
            (f64::from(n), f64::from(inner) * h.powi(3), f64::from(outer) * h.powi(3))
        })
        .collect();
    let volume = Plot::new("Volume of the unit ball")
        .x("cells along one side", Scale::Log)
        .y("volume", Scale::Linear)
        .series(
            Series::line("middle", rows.iter().map(|r| (r.0, 0.5 * (r.1 + r.2)))).band(rows.iter().copied()),
        )
        .mark_y(exact, "exact");
    let width = Plot::new("Width of the bounds")
        .x("cells along one side", Scale::Log)
        .y("upper minus lower", Scale::Log)
        .series(Series::points("measured", rows.iter().map(|r| (r.0, r.2 - r.1))))
        .series(
            Series::line(
                "first order",
                rows.iter().map(|r| (r.0, rows[0].0 * (rows[0].2 - rows[0].1) / r.0)),
            )
            .dashed(),
        );
    let holds = rows.iter().all(|r| r.1 <= exact && exact <= r.2);
    let (verdict, word) = if holds { (Verdict::Good, "holds") } else { (Verdict::Bad, "broken") };
    Section::new("Bounds that close in")
        .badge(verdict, word)
        .verdict(
            verdict,
            word,
            "The exact volume lies between the bounds at every resolution, and they close in at first order.",
        )
        .plots([volume, width])
        .code("cargo run --release -p crumple-io --example pictures -- DIR")
}
