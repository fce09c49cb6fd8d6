//! `crumple inside`: which points are inside a closed surface.

use std::time::Instant;

use anyhow::{Result, bail};
use crumple::methods::brute_force;
use crumple::{BodyId, Frame, Mesh, Positions};
use serde::Serialize;

use crate::args::{Common, InsideArgs};
use crate::output::{self, duration, thousands};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    count: usize,
    inside: Vec<bool>,
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
    let world = World::load(&[args.mesh.clone(), args.points.clone()])?;
    let load = output::seconds(start);
    let surface = world.mesh.body(BodyId(0));
    if surface.triangle_list().is_empty() {
        bail!("{}: there is no surface to be inside of", args.mesh.display());
    }
    if !args.allow_open {
        refuse_open(surface, &args.mesh.display().to_string())?;
    }
    let start = Instant::now();
    let mesh = Mesh::new([surface.clone()])?;
    let slices = [Positions::from(&world.positions[0])];
    Frame::new(&world.slices()).check(&world.mesh).map_err(|e| world.blame(e))?;
    let inside =
        brute_force::inside(&mesh, Frame::new(&slices), BodyId(0), Positions::from(&world.positions[1]))?;
    let seconds = Seconds { load, query: output::seconds(start) };
    if let Some(path) = &common.picture {
        views::inside(&world, &inside).save(path)?;
    }
    let report =
        Report { schema: "crumple.inside/1", count: inside.iter().filter(|i| **i).count(), inside, seconds };
    output::emit(common, &report, || {
        let (n, all) = (thousands(report.count), thousands(report.inside.len()));
        format!("{n} of {all} points are inside ({})", duration(report.seconds.query))
    })
}

/// An open surface has no inside; says where it is open.
pub fn refuse_open(body: &crumple::Body, file: &str) -> Result<()> {
    let topology = body.topology();
    if topology.is_closed() {
        return Ok(());
    }
    let odd = |e: &crumple::EdgeId| !topology.triangles_of_edge(*e).len().is_multiple_of(2);
    let edges = (0..topology.edges().len() as u32).map(crumple::EdgeId);
    let open: Vec<crumple::EdgeId> = edges.filter(odd).collect();
    let [a, b] = topology.edges()[open[0].index()];
    let loops = topology.boundary_loops().len();
    bail!(
        "{file}: the surface is open at {} edges in {loops} loops, the first between vertices {a} and {b}",
        open.len()
    )
}
