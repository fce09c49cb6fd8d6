//! What a run tells.

use std::path::Path;

use anyhow::Result;
use crumple_sim::{Blocker, Energy, StageSeconds, StepReport};
use serde::Serialize;

use crate::output::{self, duration, thousands};

/// The JSON document.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    scene: String,
    frames: usize,
    /// Pairs of triangles that intersect at the end of each frame, by exact detection.
    intersections: Vec<usize>,
    contacts: Vec<usize>,
    held: Vec<usize>,
    /// The share of the wanted motion that was made in each frame.
    progress: Vec<f64>,
    passes: Vec<u32>,
    torn: usize,
    /// What held vertices back last.
    blocked_by: Vec<Blocker>,
    /// Pairs that crossed at the start and were taken apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untangled: Option<usize>,
    pub first_energy: Energy,
    pub last_energy: Energy,
    seconds: StageSeconds,
}

impl Report {
    pub fn new(scene: &str) -> Self {
        Self {
            schema: "crumple.simulate/1",
            scene: scene.to_owned(),
            frames: 0,
            intersections: Vec::new(),
            contacts: Vec::new(),
            held: Vec::new(),
            progress: Vec::new(),
            passes: Vec::new(),
            torn: 0,
            blocked_by: Vec::new(),
            untangled: None,
            first_energy: Energy::default(),
            last_energy: Energy::default(),
            seconds: StageSeconds::default(),
        }
    }

    pub fn add(&mut self, step: &StepReport) {
        self.frames += 1;
        self.intersections.push(step.intersections);
        self.contacts.push(step.contacts);
        self.held.push(step.held);
        self.progress.push(step.progress);
        self.passes.push(step.passes);
        self.torn += step.torn;
        if !step.blocked_by.is_empty() {
            self.blocked_by.clone_from(&step.blocked_by);
        }
        self.seconds.add(&step.seconds);
    }

    /// Beside the frames.
    pub fn save(&self, folder: &Path) -> Result<()> {
        let document = serde_json::to_string(self)? + "\n";
        Ok(crumple_io::write_file(&folder.join("report.json"), |out| out.write_all(document.as_bytes()))?)
    }

    /// For people.
    pub fn text(&self) -> String {
        let crossed = self.intersections.iter().filter(|n| **n > 0).count();
        let verdict = match crossed {
            0 => "nothing intersects in any of them".to_owned(),
            n => format!(
                "{n} of them have intersections, at most {}",
                self.intersections.iter().max().unwrap_or(&0)
            ),
        };
        let per_frame = |s: f64| duration(s / self.frames.max(1) as f64);
        let s = &self.seconds;
        let mut table = output::table(["stage", "time per frame"]);
        let rows = [
            ("everything", s.step),
            ("finding what is near", s.detect),
            ("solving", s.solve),
            ("proving that nothing crosses", s.certify),
            ("exact detection", s.verify),
            ("cutting and tearing", s.cut),
        ];
        for (stage, seconds) in rows.into_iter().filter(|r| r.1 > 0.0) {
            table.add_row([stage.to_owned(), per_frame(seconds)]);
        }
        let mean = self.contacts.iter().sum::<usize>() / self.contacts.len().max(1);
        let held: usize = self.held.iter().sum();
        let mut lines = vec![
            format!("{}: {} frames, {verdict}", self.scene, self.frames),
            format!(
                "{} contacts in the mean; {} vertices held back in all",
                thousands(mean),
                thousands(held)
            ),
        ];
        if let Some(n) = self.untangled {
            lines.push(format!("{} pairs that crossed at the start were taken apart", thousands(n)));
        }
        if self.torn > 0 {
            lines.push(format!("{} facets torn", thousands(self.torn)));
        }
        lines.push(table.to_string());
        lines.push(crate::output::in_all(&[("simulating", self.seconds.step)]));
        lines.join("\n")
    }
}
