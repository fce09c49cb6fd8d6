//! `crumple proximity`: what is about to touch.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::{Answer, CloseEdgeEdge, CloseVertexTriangle, Closeness, Guarantee, Question};
use serde::Serialize;

use crate::args::{Common, ProximityArgs};
use crate::output::{self, real, thousands};
use crate::world::World;
use crate::{tile, views};

/// The JSON document.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    pub vertex_triangles: Answer<CloseVertexTriangle>,
    pub edge_edges: Answer<CloseEdgeEdge>,
    guarantee: Guarantee,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    update: f64,
    query: f64,
}

/// Lists the close pairs.
pub fn run(args: &ProximityArgs, common: &Common) -> Result<()> {
    if !(args.within.is_finite() && args.within >= 0.0) {
        bail!("--within {}: a distance is a finite number, not below 0", args.within);
    }
    let start = Instant::now();
    if let [file] = &args.files[..]
        && let Some(tile) = tile::read(file)?
    {
        let part = tile::proximity(&tile, output::seconds(start), args.within)?;
        return output::emit(common, &part, || part.text());
    }
    let mut world = World::load(&args.files)?;
    let load = output::seconds(start);
    output::explain(common, &world.scene, &[Question::Distance]);
    let (start, busy) = (Instant::now(), output::busy("searching"));
    world.scene.prepare(Question::Distance)?;
    let update = output::seconds(start);
    let start = Instant::now();
    output::hint(common, &world);
    let close = Closeness { most: args.limit, ..Closeness::below(args.within) };
    let found = world.scene.proximity(&close);
    if let Err(crumple::Error::TooManyPairs { most }) = found {
        let most = thousands(most);
        bail!("--within {}: there are more than {most} pairs; take less, or raise --limit", args.within);
    }
    let found = found?;
    drop(busy);
    let report = Report {
        schema: "crumple.proximity/1",
        vertex_triangles: found.vertex_triangles,
        edge_edges: found.edge_edges,
        guarantee: Guarantee::Proved,
        seconds: Seconds { load, update, query: output::seconds(start) },
    };
    if let Some(path) = &common.picture {
        views::proximity(common, &world.scene, &report)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let Seconds { load, update, query } = report.seconds;
    output::emit(common, &report, || {
        let times = output::in_all(&[("reading", load), ("building", update), ("searching", query)]);
        format!("{}\n{times}", report.text(args.within))
    })
}

impl Report {
    /// What was found, in one line.
    pub fn text(&self, within: f64) -> String {
        let closest = self.vertex_triangles.iter().map(|p| p.distance);
        let closest = closest.chain(self.edge_edges.iter().map(|p| p.distance)).reduce(f64::min);
        let most = closest.map_or_else(String::new, |d| format!(", the closest at {}", real(d)));
        format!(
            "{} vertex-triangle and {} edge-edge pairs closer than {}{most} ({})",
            thousands(self.vertex_triangles.len()),
            thousands(self.edge_edges.len()),
            real(within),
            self.guarantee
        )
    }
}
