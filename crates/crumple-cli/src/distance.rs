//! `crumple distance`: how close two surfaces are, and where.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::{Answer, BodyId, Containment, Distance, Feature, NearPair, Question, Witness};
use serde::Serialize;

use crate::args::{Common, DistanceArgs};
use crate::output::{self, real, thousands};
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
    let (start, busy) = (Instant::now(), output::busy("measuring"));
    let [a, b] = [BodyId(0), BodyId(1)];
    let found = match output::budget(args.budget_ms, args.budget_visits)? {
        None => world.scene.distance([a, b])?,
        Some(budget) => world.scene.distance_budgeted([a, b], budget)?,
    };
    let Some(found) = found else {
        let empty = if world.scene.mesh(a)?.triangles().is_empty() { &args.a } else { &args.b };
        bail!("{}: there is no triangle to measure from", empty.display());
    };
    output::hint(common, &world);
    let pairs = args.within.map(|margin| near(&mut world, margin, args.limit, found.distance)).transpose()?;
    let seconds = Seconds { load, query: output::seconds(start) };
    drop(busy);
    if let Some(path) = &common.picture {
        let compared = world.scene.draw_distances()?;
        views::distance(common, &world.scene, &found, &compared)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let report = Report::new(&found, pairs, seconds);
    output::emit(common, &report, || report.text())
}

/// The pairs within the margin, unless they are more than anyone wants.
fn near(world: &mut World, margin: f64, limit: usize, distance: f64) -> Result<Answer<NearPair>> {
    let pairs = world.scene.closer_than_at_most([BodyId(0), BodyId(1)], margin, limit);
    if let Err(crumple::Error::TooManyPairs { most }) = pairs {
        bail!(
            "--within {margin}: there are more than {} pairs, and the bodies are {} apart; take a smaller margin, or raise --limit",
            thousands(most),
            real(distance)
        );
    }
    Ok(pairs?)
}

impl Report {
    fn new(found: &Distance, pairs: Option<Answer<NearPair>>, seconds: Seconds) -> Self {
        let end = |w: &Witness| End {
            feature: match w.feature {
                Feature::Vertex(_) => "vertex",
                Feature::Edge(_) => "edge",
                Feature::Face => "face",
            },
            triangle: w.triangle.0,
            point: w.point,
        };
        let row = |n: &NearPair| PairRow { a: n.pair.a.0, b: n.pair.b.0, distance: n.distance };
        Self {
            schema: "crumple.distance/1",
            distance: found.distance,
            lower: found.lower,
            upper: found.upper,
            contains: found.contains.map(|c| if c == Containment::A { "a" } else { "b" }),
            a: end(&found.a),
            b: end(&found.b),
            pairs: pairs.map(|p| p.iter().map(row).collect()),
            guarantee: found.guarantee,
            seconds,
        }
    }

    fn text(&self) -> String {
        let place = |e: &End| format!("{} of triangle {} at {:?}", e.feature, e.triangle, e.point);
        let mut lines = vec![
            format!("distance {} ({})", real(self.distance), self.guarantee),
            format!("  from a: {}", place(&self.a)),
            format!("  to b:   {}", place(&self.b)),
        ];
        if self.lower < self.upper && self.guarantee != crumple::Guarantee::Proved {
            lines.push(format!("  surely between {} and {}", real(self.lower), real(self.upper)));
        }
        if let Some(outer) = self.contains {
            lines.push(format!("  {outer} contains the other"));
        }
        if let Some(pairs) = &self.pairs {
            lines.push(format!("  {} pairs of triangles within the margin", thousands(pairs.len())));
        }
        lines.push(output::in_all(&[("reading", self.seconds.load), ("measuring", self.seconds.query)]));
        lines.join("\n")
    }
}
