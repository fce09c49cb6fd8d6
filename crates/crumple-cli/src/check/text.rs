//! What `check` tells people: a verdict, the worst frames and places first.

use crumple::{Cause, Contact, Place};

use super::baseline::Known;
use super::report::{FrameRow, LoadSeconds, Report};
use crate::output::{self, duration, thousands};

/// How many rows of a list are shown to people.
const SHOWN: usize = 8;

impl Report {
    pub fn text(&self) -> String {
        let mut bodies = output::table(["body", "vertices", "triangles", "tets"]);
        for b in &self.bodies {
            bodies.add_row([
                b.name.clone(),
                thousands(b.vertices),
                thousands(b.triangles),
                thousands(b.tets),
            ]);
        }
        let mut lines = vec![bodies.to_string()];
        if let [frame] = &self.frames[..] {
            lines.push(frame.text());
            lines.extend(self.places(frame, SHOWN));
            lines.extend(self.diagnostics(frame));
        } else {
            lines.extend(self.sequence());
        }
        lines.extend(self.hints.iter().map(|hint| format!("hint: {hint}")));
        lines.push(self.times());
        lines.join("\n")
    }

    /// Where the time went.
    pub fn times(&self) -> String {
        let frames: f64 = self.frames.iter().map(|f| f.seconds.update + f.seconds.query).sum();
        let LoadSeconds { load, build, read, wait } = self.seconds;
        let mut parts = vec![("reading", load), ("building", build), ("checking", frames)];
        if read > 0.0 {
            parts.push(("waiting for frames", wait));
        }
        let ahead = if read > 0.0 {
            format!("; frames were read in {} beside it", duration(read))
        } else {
            String::new()
        };
        output::in_all(&parts) + &ahead
    }

    /// The places of a frame, the worst first.
    fn places<'a>(&'a self, frame: &'a FrameRow, most: usize) -> impl Iterator<Item = String> + 'a {
        let left = frame.places.len().saturating_sub(most);
        let more = (left > 0).then(|| format!("  … and {left} more places (--json lists all)"));
        frame.places.iter().take(most).map(|p| self.place(p)).chain(more)
    }

    fn place(&self, place: &Place) -> String {
        let [a, b] = place.bodies.map(|b| &self.bodies[b.index()].name);
        let who = if place.bodies[0] == place.bodies[1] { a.clone() } else { format!("{a} with {b}") };
        let [x, y, z] = place.centre;
        format!(
            "  {who}: {} pairs at ({x:.4}, {y:.4}, {z:.4}), crossing {:.4} long, {:.4} across",
            thousands(place.contacts),
            place.length,
            place.size
        )
    }

    fn diagnostics(&self, frame: &FrameRow) -> Vec<String> {
        let mut lines: Vec<String> = (frame.diagnostics.iter().take(SHOWN))
            .map(|d| format!("  note: {}: {}", self.bodies[d.body.index()].name, d.text))
            .collect();
        if frame.diagnostics.len() > SHOWN {
            let left = frame.diagnostics.len() - SHOWN;
            lines.push(format!("  … and {left} more notes (--json lists all)"));
        }
        lines
    }

    /// Which frames collide, and the worst of them with their worst place.
    fn sequence(&self) -> Vec<String> {
        let mut bad: Vec<&FrameRow> = self.frames.iter().filter(|f| f.collides()).collect();
        let mut lines = vec![format!("{} of {} frames collide", bad.len(), self.frames.len())];
        if bad.is_empty() {
            return lines;
        }
        lines[0] += &format!(": {}", ranges(&bad));
        bad.sort_by_key(|f| (std::cmp::Reverse(f.hits()), f.frame));
        lines.push("the worst:".to_owned());
        for frame in bad.iter().take(SHOWN) {
            lines.push(format!("{}: {}", frame.title(), frame.text()));
            lines.extend(self.places(frame, 1).take(1));
        }
        if bad.len() > SHOWN {
            lines.push(format!("… and {} more frames (--json lists all)", bad.len() - SHOWN));
        }
        lines
    }
}

/// Runs of frames that collide, as `3-17, 20`, or by their files.
fn ranges(bad: &[&FrameRow]) -> String {
    let runs: Vec<String> = bad
        .chunk_by(|a, b| a.frame + 1 == b.frame)
        .map(|run| match (run[0], run[run.len() - 1]) {
            (FrameRow { name: Some(first), .. }, FrameRow { name: Some(last), .. }) if run.len() > 1 => {
                format!("{first} to {last}")
            }
            (FrameRow { name: Some(one), .. }, _) => one.clone(),
            (one, _) if run.len() == 1 => one.frame.to_string(),
            (first, last) => format!("{}-{}", first.frame, last.frame),
        })
        .collect();
    let shown = runs.iter().take(2 * SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if runs.len() > 2 * SHOWN { format!("{shown}, …") } else { shown }
}

impl FrameRow {
    /// The frame as a person names it: its number, and its file where it has one.
    pub fn title(&self) -> String {
        self.name
            .as_ref()
            .map_or_else(|| format!("frame {}", self.frame), |n| format!("frame {} ({n})", self.frame))
    }

    fn text(&self) -> String {
        let time = duration(self.seconds.update + self.seconds.query);
        format!("{} ({}, {}, {time})", self.verdict(), self.method, self.guarantee)
    }

    /// What was found, in one line.
    pub fn verdict(&self) -> String {
        let mut found = Vec::new();
        let within = self.triangle_pairs.iter().filter(|c| Contact::is_within_a_body(c)).count();
        let between = self.triangle_pairs.len() - within;
        let inverted = self.vertex_tets.iter().filter(|p| p.cause == Cause::Inverted).count();
        let inside = match inverted {
            0 => "vertices inside tets".to_owned(),
            n => format!("vertices inside tets ({} because a tet is inverted)", thousands(n)),
        };
        for (n, what) in [
            (within, "intersecting triangle pairs within bodies"),
            (between, "between bodies"),
            (self.vertex_tets.len(), inside.as_str()),
            (self.edge_tets.len(), "edges through tets"),
            (self.impacts.as_ref().map_or(0, |i| i.len()), "impacts since the frame before"),
        ] {
            if n > 0 {
                found.push(format!("{} {what}", thousands(n)));
            }
        }
        let known = self.known.as_ref().map_or(0, Known::len);
        let mut but = if known > 0 { format!(" ({} known)", thousands(known)) } else { String::new() };
        if self.fresh_cut.is_some() {
            but += " beside the lips of the cut";
        }
        let undecided = self.undecided();
        if undecided > 0 {
            found.push(format!("{} pairs of regions undecided", thousands(undecided)));
        }
        match &found[..] {
            [] if known > 0 => format!("nothing new collides{but}"),
            [] => format!("nothing collides{but}"),
            some => some.join(", ") + &but,
        }
    }
}
