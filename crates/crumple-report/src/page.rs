//! The page as one file.

use std::fmt::Write;
use std::io;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crumple_io::WriteError;
use crumple_io::picture::palette;
use rayon::prelude::*;
use serde::Serialize;

use crate::chunk::{self, PointsHead};
use crate::recorder::{FrameRecord, Recorder, SHOWN};
use crate::text::{counted, escaped, json, policy_hash, thousands};
use crate::thumbnails::{SIZE, Thumbnail};

/// The scripts of the page, in the order in which they build on each other.
const SCRIPTS: [&str; 7] = [
    include_str!("page/decode.js"),
    include_str!("page/vector.js"),
    include_str!("page/draw.js"),
    include_str!("page/camera.js"),
    include_str!("page/timeline.js"),
    include_str!("page/tables.js"),
    include_str!("page/main.js"),
];
pub(crate) const STYLE: &str = include_str!("page/style.css");

/// A page, ready to be written.
#[derive(Debug)]
pub struct Page {
    recorder: Recorder,
    thumbnails: Vec<Thumbnail>,
}

/// What the scripts are told; everything else is in chunks.
#[derive(Serialize)]
struct Data<'a> {
    up: [f64; 3],
    centre: [f64; 3],
    radius: f64,
    highlight: String,
    bodies: Vec<BodyData<'a>>,
    points: Vec<&'a PointsHead>,
    marks: Vec<MarksHead<'a>>,
    frames: &'a [FrameRecord],
    /// Ranks of the frames that collide, the worst first.
    worst: Vec<usize>,
}

#[derive(Serialize)]
struct BodyData<'a> {
    name: &'a str,
    color: String,
    vertices: usize,
    triangles: usize,
    tets: usize,
    drawn: usize,
}

#[derive(Serialize)]
struct MarksHead<'a> {
    #[serde(flatten)]
    points: &'a PointsHead,
    triangles: usize,
}

impl Page {
    pub(crate) fn new(mut recorder: Recorder) -> Self {
        let up = recorder.options.up;
        let meshes = &recorder.meshes;
        let places = |frame: usize| recorder.frames[frame].places.iter().enumerate();
        let worst: Vec<_> = match &recorder.worst[..] {
            // Of one bad frame the worst places, of many frames each one's worst place.
            [one] => places(one.frame).take(SHOWN).map(|p| (one, p)).collect(),
            many => many.iter().filter_map(|w| places(w.frame).next().map(|p| (w, p))).collect(),
        };
        let thumbnails = worst.into_par_iter().map(|(w, place)| w.draw(meshes, place, up)).collect();
        recorder.worst.clear();
        Self { recorder, thumbnails }
    }

    /// Writes the file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), WriteError> {
        crumple_io::write_file(path, |out| self.write(&mut |text: &str| out.write_all(text.as_bytes())))
    }

    /// The whole file.
    pub fn to_html(&self) -> String {
        let mut out = String::new();
        // Appending to a string does not fail.
        let _ = self.write(&mut |text: &str| {
            out.push_str(text);
            Ok(())
        });
        out
    }

    fn write(&self, put: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.join("\n"));
        put(&head(&self.recorder.options.title, &[&script]))?;
        put(&self.body())?;
        put(&format!("<script type=\"application/json\" id=\"data\">{}</script>\n", json(&self.data())))?;
        self.chunks(put)?;
        put(&format!("<script>{script}</script>\n</body>\n</html>\n"))
    }

    /// Packed geometry, one element a chunk.
    fn chunks(&self, put: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let mut raw: Vec<(String, std::borrow::Cow<'_, [u8]>)> = Vec::new();
        for (k, body) in self.recorder.bodies.iter().enumerate() {
            raw.push((format!("t{k}"), chunk::numbers(&body.thin.triangles).into()));
        }
        for (k, points) in self.recorder.points.iter().enumerate() {
            raw.push((format!("p{k}"), (&points.bytes[..]).into()));
        }
        for (k, frame) in self.recorder.frames.iter().enumerate() {
            raw.push((format!("m{k}"), (&frame.marks.points.bytes[..]).into()));
            raw.push((format!("o{k}"), chunk::numbers(&frame.marks.of).into()));
        }
        // A few at a time: all cores pack, and memory holds no second copy of everything.
        for some in raw.chunks(64) {
            let packed: Vec<String> = some.par_iter().map(|(_, bytes)| chunk::packed(bytes)).collect();
            for ((name, _), text) in some.iter().zip(&packed) {
                put(&format!("<script type=\"text/plain\" id=\"{name}\">{text}</script>\n"))?;
            }
        }
        Ok(())
    }

    fn data(&self) -> Data<'_> {
        let r = &self.recorder;
        let [low, high] = if r.bounds[0][0] <= r.bounds[1][0] { r.bounds } else { [[-1.0; 3], [1.0; 3]] };
        let bodies = r.meshes.iter().zip(&r.bodies).enumerate().map(|(b, (mesh, record))| BodyData {
            name: mesh.name(),
            color: palette::body(b).css(),
            vertices: mesh.vertex_count(),
            triangles: mesh.triangles().len(),
            tets: mesh.tets().len(),
            drawn: record.thin.triangles.len(),
        });
        let marks =
            r.frames.iter().map(|f| MarksHead { points: &f.marks.points.head, triangles: f.marks.triangles });
        let side = |k: usize| 0.5 * high[k] - 0.5 * low[k];
        let radius = (0..3).map(|k| side(k) * side(k)).sum::<f64>().sqrt();
        Data {
            up: r.options.up,
            centre: std::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k]),
            radius: if radius > 0.0 { radius } else { 1.0 },
            highlight: palette::HIGHLIGHT.css(),
            bodies: bodies.collect(),
            points: r.points.iter().map(|p| &p.head).collect(),
            marks: marks.collect(),
            frames: &r.frames,
            worst: worst(&r.frames),
        }
    }

    /// Everything that can be seen without a script, and the places where the scripts put the rest.
    fn body(&self) -> String {
        let r = &self.recorder;
        let mut out = String::from("<body>\n<header>\n");
        let _ = writeln!(out, "<h1>{}</h1>", escaped(&r.options.title));
        let _ = writeln!(out, "<p class=\"verdict\">{}</p>\n</header>", self.verdict());
        out.push_str("<noscript><p class=\"warning\">The pictures below need no script; looking around, the time line and the table of places do.</p></noscript>\n");
        out.push_str("<p class=\"warning\" id=\"trouble\" hidden></p>\n");
        let is_still = r.frames.len() < 2;
        let frame = include_str!("page/frame.html");
        let worst = if self.thumbnails.is_empty() {
            "<p class=\"soft\">Nothing collides.</p>\n".to_owned()
        } else {
            self.thumbnails.iter().map(|t| self.thumbnail(t, is_still)).collect()
        };
        let heading = if is_still { "Worst places" } else { "Worst frames" };
        let filled = frame
            .replace("{{timeline}}", if is_still { " hidden" } else { "" })
            .replace("{{worst-heading}}", heading);
        // Last, and by splitting: names within must not be taken for slots.
        let (before, after) = filled.split_once("{{worst}}").unwrap_or((&filled, ""));
        let _ = write!(out, "{before}{worst}{after}");
        self.notes(&mut out);
        self.facts(&mut out);
        out
    }

    fn verdict(&self) -> String {
        let frames = &self.recorder.frames;
        let bad = frames.iter().filter(|f| f.hits > 0).count();
        let broken = frames.iter().filter(|f| f.problem.is_some()).count();
        let mut words = Vec::new();
        let sums = frames.iter().fold([0; 5], |s, f| {
            [s[0] + f.pairs[0], s[1] + f.pairs[1], s[2] + f.inside, s[3] + f.edges, s[4] + f.impacts]
        });
        let what = [
            ["triangle pair intersects within a body", "triangle pairs intersect within bodies"],
            ["triangle pair intersects between bodies", "triangle pairs intersect between bodies"],
            ["vertex is inside a tet", "vertices are inside tets"],
            ["edge goes through a tet", "edges go through tets"],
            ["impact between frames", "impacts between frames"],
        ];
        let found = sums.iter().zip(what).filter(|(n, _)| **n > 0);
        words.extend(found.map(|(n, [one, many])| counted(*n, one, many)));
        let mut text = if words.is_empty() { "Nothing collides".to_owned() } else { words.join(", ") };
        if frames.len() > 1 {
            let verb = if bad == 1 { "collides" } else { "collide" };
            text = if bad == 0 {
                format!("Nothing collides in {}", counted(frames.len(), "frame", "frames"))
            } else {
                format!("{} of {} frames {verb}: {text}", thousands(bad), thousands(frames.len()))
            };
        }
        let (class, badge) = if bad > 0 { ("bad", "collides") } else { ("good", "clear") };
        let mut out = String::new();
        if bad > 0 || broken < frames.len() {
            let _ = write!(out, "<span class=\"badge {class}\">{badge}</span> {}", escaped(&text));
        }
        if broken > 0 {
            let what = counted(broken, "frame could not be checked", "frames could not be checked");
            let _ = write!(out, " <span class=\"badge mixed\">{what}</span>");
        }
        out
    }

    fn thumbnail(&self, thumbnail: &Thumbnail, is_still: bool) -> String {
        let frame = &self.recorder.frames[thumbnail.frame];
        let row = &frame.places[thumbnail.place];
        let pairs = match (row.pairs, row.inside) {
            (0, n) => counted(n, "vertex inside", "vertices inside"),
            (n, _) => counted(n, "pair", "pairs"),
        };
        let title = if is_still {
            format!("Place {}: {pairs}", thumbnail.place + 1)
        } else {
            let name = frame.name.as_ref().map_or_else(String::new, |n| format!(" ({n})"));
            format!("Frame {}{name}: {}", frame.frame, counted(frame.hits, "hit", "hits"))
        };
        let who = self.who(row);
        let [width, height] = SIZE;
        format!(
            "<button type=\"button\" class=\"thumb\" data-frame=\"{}\" data-place=\"{}\">\
             <img alt=\"\" width=\"{width}\" height=\"{height}\" src=\"data:image/png;base64,{}\">\
             <span><b>{}</b><br>{}</span></button>\n",
            thumbnail.frame,
            thumbnail.place,
            STANDARD.encode(&thumbnail.png),
            escaped(&title),
            escaped(&who),
        )
    }

    fn who(&self, row: &crate::places::PlaceRow) -> String {
        let [a, b] = [0, 1].map(|side| {
            let body = self.recorder.meshes[row.bodies[side] as usize].name();
            match row.parts.as_ref().map(|p| &p[side]).filter(|p| !p.is_empty()) {
                Some(part) => format!("{body} ({part})"),
                None => body.to_owned(),
            }
        });
        if a == b { format!("{a} with itself") } else { format!("{a} with {b}") }
    }

    /// What is left out of the picture, what could not be checked, what is odd.
    fn notes(&self, out: &mut String) {
        let r = &self.recorder;
        let mut notes = Vec::new();
        for (mesh, body) in r.meshes.iter().zip(&r.bodies) {
            let (drawn, all) = (body.thin.triangles.len(), mesh.triangles().len());
            if drawn < all {
                let (drawn, all, name) = (thousands(drawn), thousands(all), mesh.name());
                notes.push(format!("{name}: {drawn} of {all} triangles are drawn, to keep the page small; every colliding triangle is drawn as it is, and the verdict is about all of them."));
            }
        }
        let kept = r.frames.iter().filter(|f| !f.chunks.is_empty()).count();
        let checked = r.frames.iter().filter(|f| f.problem.is_none()).count();
        if kept < checked {
            notes.push(format!("Of {} frames, {} keep the positions of their surfaces, to keep the page small; the others are drawn on the surface of the frame before them, with their own colliding triangles.", thousands(checked), thousands(kept)));
        }
        let left: usize = r.frames.iter().map(|f| f.left).sum();
        if left > 0 {
            notes.push(format!("The table lists the {} longest places of a frame; {} smaller ones are not listed, but counted.", r.options.most_places, thousands(left)));
        }
        let problems = r.frames.iter().filter_map(|f| {
            let name = f.name.as_ref().map_or_else(String::new, |n| format!(" ({n})"));
            f.problem.as_ref().map(|p| format!("Frame {}{name} was not checked: {p}", f.frame))
        });
        notes.extend(problems);
        notes.extend(r.notes.iter().cloned());
        if notes.is_empty() {
            return;
        }
        out.push_str("<section id=\"notes\"><h2>Notes</h2>\n<ul>\n");
        for note in notes.iter().take(200) {
            let _ = writeln!(out, "<li>{}</li>", escaped(note));
        }
        if notes.len() > 200 {
            let _ = writeln!(out, "<li>… and {} more</li>", thousands(notes.len() - 200));
        }
        out.push_str("</ul></section>\n");
    }

    fn facts(&self, out: &mut String) {
        let r = &self.recorder;
        out.push_str("<footer>\n<dl>\n");
        let command = Some(("Command".to_owned(), r.options.command.clone())).filter(|c| !c.1.is_empty());
        let version = ("Made by".to_owned(), format!("crumple {}", env!("CARGO_PKG_VERSION")));
        for (label, value) in command.iter().chain(&r.facts).chain([&version]) {
            let _ = writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(label), escaped(value));
        }
        out.push_str("</dl>\n</footer>\n");
    }
}

/// Ranks of the frames that collide, the worst first.
fn worst(frames: &[FrameRecord]) -> Vec<usize> {
    let mut bad: Vec<usize> = (0..frames.len()).filter(|&k| frames[k].hits > 0).collect();
    bad.sort_by_key(|&k| (std::cmp::Reverse(frames[k].hits), k));
    bad
}

/// The head of a page that runs these scripts and nothing else.
pub(crate) fn head(title: &str, scripts: &[&str]) -> String {
    let hashes: Vec<String> = scripts.iter().map(|s| policy_hash(s)).collect();
    let script = if hashes.is_empty() { "'none'".to_owned() } else { hashes.join(" ") };
    let policy = format!(
        "default-src 'none'; script-src {script}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        policy_hash(STYLE)
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n",
        escaped(title)
    )
}

#[cfg(test)]
mod tests;
