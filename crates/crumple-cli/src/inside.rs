//! `crumple inside`: which points are inside a closed surface.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::methods::layered_depth::Holes;
use crumple::{Answer, BodyId, Guarantee, Question};
use serde::Serialize;

use crate::args::{Common, InsideArgs};
use crate::output::{self, thousands};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    count: usize,
    inside: Answer<bool>,
    guarantee: Guarantee,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    query: f64,
}

/// Asks for each point.
pub fn run(args: &InsideArgs, common: &Common) -> Result<()> {
    let start = Instant::now();
    let mut world = World::load(&[args.mesh.clone(), args.points.clone()])?;
    let load = output::seconds(start);
    output::explain(common, &world.scene, &[Question::Inside]);
    if world.scene.mesh(BodyId(0))?.triangles().is_empty() {
        bail!("{}: there is no surface to be inside of", args.mesh.display());
    }
    output::hint(common, &world);
    let start = Instant::now();
    let inside = ask(&mut world, if args.allow_open { Holes::Accept } else { Holes::Refuse })?;
    let seconds = Seconds { load, query: output::seconds(start) };
    if let Some(path) = &common.picture {
        views::inside(common, &world.scene, &inside)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let (count, guarantee) = (inside.iter().filter(|i| **i).count(), inside.guarantee);
    let report = Report { schema: "crumple.inside/1", count, inside, guarantee, seconds };
    output::emit(common, &report, || {
        let (n, all) = (thousands(report.count), thousands(report.inside.len()));
        let times = output::in_all(&[("reading", report.seconds.load), ("asking", report.seconds.query)]);
        format!("{n} of {all} points are inside ({guarantee})\n{times}")
    })
}

fn ask(world: &mut World, holes: Holes) -> Result<Answer<bool>> {
    world.scene.set_holes(holes);
    let points = world.scene.positions(BodyId(1))?.to_vec();
    world.scene.inside(BodyId(0), &points).map_err(|e| world.blame(0, e))
}
