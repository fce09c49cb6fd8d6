//! `crumple overlap`: the volume that two closed surfaces share.

use std::time::Instant;

use anyhow::{Context, Result};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams, Overlap, Resolution};
use crumple::{BodyId, Frame, Question};
use serde::Serialize;

use crate::args::{Common, MethodArg, OverlapArgs};
use crate::methods;
use crate::output::{self, duration};
use crate::views;
use crate::world::World;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    volume: f64,
    lower: f64,
    upper: f64,
    resolution: [u32; 2],
    depth_complexity: [u32; 2],
    centroid: Option<[f64; 3]>,
    bounds: Option<[[f64; 3]; 2]>,
    guarantee: crumple::Guarantee,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    query: f64,
}

/// Measures.
pub fn run(args: &OverlapArgs, common: &Common) -> Result<()> {
    let start = Instant::now();
    let world = World::load(&[args.a.clone(), args.b.clone()])?;
    let load = output::seconds(start);
    methods::explain(common, MethodArg::Auto, &world.mesh, &[Question::Overlap]);
    let start = Instant::now();
    let found = measure(&world, args.resolution)?;
    let seconds = Seconds { load, query: output::seconds(start) };
    if let Some(path) = &common.picture {
        views::overlap(common, &world, &found)
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let report = Report {
        schema: "crumple.overlap/1",
        volume: found.volume,
        lower: found.lower,
        upper: found.upper,
        resolution: found.resolution,
        depth_complexity: found.depth_complexity,
        centroid: found.centroid,
        bounds: found.bounds,
        guarantee: found.guarantee,
        seconds,
    };
    output::emit(common, &report, || report.text())
}

fn measure(world: &World, resolution: u32) -> Result<Overlap> {
    let params = LayeredDepthParams {
        resolution: Resolution::Pixels([resolution; 2]),
        ..LayeredDepthParams::default()
    };
    let slices = world.slices();
    LayeredDepth::new(params)?
        .overlap(&world.mesh, Frame::new(&slices), BodyId(0), BodyId(1))
        .map_err(|e| world.blame_layers(e))
}

impl Report {
    fn text(&self) -> String {
        let [nx, ny] = self.resolution;
        format!(
            "shared volume {} (between {} and {})\n  {nx} x {ny} rays, {}",
            self.volume,
            self.lower,
            self.upper,
            duration(self.seconds.query)
        )
    }
}
