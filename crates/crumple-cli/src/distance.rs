//! `crumple distance`: how close two surfaces are, and where.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::narrow::Feature;
use crumple::{BodyId, Containment, Distance, NearPair, Question, Witness};
use serde::Serialize;

use crate::args::{Common, DistanceArgs};
use crate::output::{self, duration, real, thousands};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    distance: f64,
    lower: f64,
    upper: f64,
    contains: Option<&'static str>,
    a: End,
    b: End,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairRow>>,
    guarantee: crumple::Guarantee,
    seconds: Seconds,
}

#[derive(Serialize)]
struct End {
    feature: &'static str,
    triangle: u32,
    point: [f64; 3],
}

/// A pair of triangles within the margin.
#[derive(Serialize)]
struct PairRow {
    a: u32,
    b: u32,
    distance: f64,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    query: f64,
}

/// Measures.
pub fn run(args: &DistanceArgs, common: &Common) -> Result<()> {
    if let Some(margin) = args.within.filter(|m| !(m.is_finite() && *m >= 0.0)) {
        bail!("--within {margin}: a margin is a finite number, not below 0");
    }
    let start = Instant::now();
    let mut world = World::load(&[args.a.clone(), args.b.clone()])?;
    let load = output::seconds(start);
    output::explain(common, &world.scene, &[Question::Distance]);
    let start = Instant::now();
    let [a, b] = [BodyId(0), BodyId(1)];
    let Some(found) = world.scene.distance([a, b])? else {
        let empty = if world.scene.mesh(a)?.triangles().is_empty() { &args.a } else { &args.b };
        bail!("{}: there is no triangle to measure from", empty.display());
    };
    let pairs = args.within.map(|m| world.scene.closer_than([a, b], m)).transpose()?;
    let seconds = Seconds { load, query: output::seconds(start) };
    if let Some(path) = &common.picture {
        views::distance(common, &world.scene, &found)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let report = Report::new(&found, pairs, seconds);
    output::emit(common, &report, || report.text())
}

impl Report {
    fn new(found: &Distance, pairs: Option<Vec<NearPair>>, seconds: Seconds) -> Self {
        let end = |w: &Witness| End {
            feature: match w.feature {
                Feature::Vertex(_) => "vertex",
                Feature::Edge(_) => "edge",
                Feature::Face => "face",
            },
            triangle: w.triangle.0,
            point: w.point,
        };
        let row = |n: NearPair| PairRow { a: n.pair.a.0, b: n.pair.b.0, distance: n.distance };
        Self {
            schema: "crumple.distance/1",
            distance: found.distance,
            lower: found.lower,
            upper: found.upper,
            contains: found.contains.map(|c| if c == Containment::A { "a" } else { "b" }),
            a: end(&found.a),
            b: end(&found.b),
            pairs: pairs.map(|p| p.into_iter().map(row).collect()),
            guarantee: found.guarantee,
            seconds,
        }
    }

    fn text(&self) -> String {
        let place = |e: &End| format!("{} of triangle {} at {:?}", e.feature, e.triangle, e.point);
        let mut lines = vec![
            format!(
                "distance {} ({}, {})",
                real(self.distance),
                self.guarantee,
                duration(self.seconds.query)
            ),
            format!("  from a: {}", place(&self.a)),
            format!("  to b:   {}", place(&self.b)),
        ];
        if let Some(outer) = self.contains {
            lines.push(format!("  {outer} contains the other"));
        }
        if let Some(pairs) = &self.pairs {
            lines.push(format!("  {} pairs of triangles within the margin", thousands(pairs.len())));
        }
        lines.join("\n")
    }
}
