//! One judged unit: a line of the results file. It holds nothing that differs from run to run.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::links;
use super::units::{NameChunk, chunks};
use crate::output::thousands;

/// What is allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowed {
    /// Rows of all lists of a unit.
    pub pairs: usize,
    /// How deep a collision may be; any depth unless told.
    pub depth: Option<f64>,
}

/// How a unit turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    Collides,
    Broken,
}

/// A line of the results file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub schema: String,
    /// SHA-256 of the files' content and of the options that matter.
    pub key: String,
    pub name: String,
    /// The first and the last frame, of a part of a sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[usize; 2]>,
    pub frames: usize,
    /// Frames in which something collides.
    pub bad_frames: usize,
    pub pairs: usize,
    pub inside: usize,
    pub edges: usize,
    pub impacts: usize,
    /// Of the deepest collision.
    pub depth: f64,
    /// The frame with most hits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst_frame: Option<usize>,
    /// Why it could not be judged, or not all of its frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Its own page, as a path from the folder of the results file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

pub const SCHEMA: &str = "crumple.judge/1";

impl Row {
    /// The line of the file, with its end.
    pub fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    pub fn parse(line: &str) -> Result<Self> {
        let row: Self = serde_json::from_str(line).context("not a line of results")?;
        if row.schema != SCHEMA {
            anyhow::bail!("a line of the kind {:?}, which this version does not know", row.schema);
        }
        Ok(row)
    }

    /// The row for a results file in the folder `base` instead of `from`: the page is named from there.
    pub fn seen_from(self, base: &Path, from: &Path) -> Self {
        let report = self.report.map(|page| links::text(&links::relative(base, &from.join(page))));
        Self { report, ..self }
    }

    /// All rows of all lists.
    pub fn hits(&self) -> usize {
        self.pairs + self.inside + self.edges + self.impacts
    }

    pub fn verdict(&self, allowed: Allowed) -> Verdict {
        if self.problem.is_some() {
            Verdict::Broken
        } else if self.hits() > allowed.pairs || self.depth > allowed.depth.unwrap_or(f64::INFINITY) {
            Verdict::Collides
        } else {
            Verdict::Passed
        }
    }

    /// As [`super::units::Unit::order`].
    pub fn order(&self) -> (Vec<NameChunk>, usize) {
        (chunks(&self.name), self.range.map_or(0, |r| r[0]))
    }

    pub fn title(&self) -> String {
        match self.range {
            Some([from, to]) => format!("{} frames {from}-{to}", self.name),
            None => self.name.clone(),
        }
    }

    /// What was found, in one sentence.
    pub fn text(&self) -> String {
        if let (Some(problem), 0) = (&self.problem, self.frames) {
            return problem.clone();
        }
        let lists = [
            (self.pairs, "triangle pairs"),
            (self.inside, "vertices inside tets"),
            (self.edges, "edges through tets"),
            (self.impacts, "impacts between frames"),
        ];
        let found = lists.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", thousands(*n)));
        let mut words: Vec<String> = found.collect();
        if words.is_empty() {
            words.push("nothing collides".to_owned());
        }
        if self.depth > 0.0 {
            words.push(format!("depth {}", short(self.depth)));
        }
        if self.frames > 1 {
            words.push(format!("{} of {} frames", thousands(self.bad_frames), thousands(self.frames)));
        }
        if let Some(frame) = self.worst_frame.filter(|_| self.frames > 1) {
            words.push(format!("worst {frame}"));
        }
        words.extend(self.problem.clone());
        words.join(", ")
    }
}

/// A length with about four digits.
fn short(x: f64) -> String {
    if (1e-3..1e6).contains(&x) { format!("{x:.4}") } else { format!("{x:.3e}") }
}
