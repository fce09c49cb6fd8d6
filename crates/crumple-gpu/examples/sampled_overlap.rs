//! The volume that two closed surfaces share, from layers that a graphics processor draws:
//! `cargo run --release --example sampled_overlap -- a.obj b.obj [resolution [any | cpu | adapter name]]`.
//!
//! This is the paper's way, stages 1 to 3a. `crumple overlap` proves bounds for the same volume, on the processor.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_gpu::{LayersOn, Wanted};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [a, b, rest @ ..] = arguments.as_slice() else {
        return Err("wanted: two mesh files [resolution [any | cpu | adapter name]]".into());
    };
    let side = rest.first().map_or(Ok(128), |n| n.parse())?;
    let mut on = match rest.get(1).map(String::as_str) {
        None => LayersOn::choose(&Wanted::Hardware),
        Some("any") => LayersOn::choose(&Wanted::Any),
        Some("cpu") => LayersOn::cpu(),
        Some(name) => LayersOn::choose(&Wanted::Named(name.into())),
    };
    let (a, b) = (crumple_io::read(Path::new(a))?, crumple_io::read(Path::new(b))?);
    let body = |data: &crumple_io::MeshData| {
        Mesh::from_polygons("surface", data.positions.len(), data.polygons.iter())
    };
    let mesh = Bodies::new([body(&a)?, body(&b)?])?;
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    let start = Instant::now();
    let mut volumes = method.update(&mesh, Frame::new(&bodies))?;
    let Some(mut view) = volumes.view([BodyId(0), BodyId(1)], Resolution::rays(side))? else {
        println!("shared volume 0: the boxes are apart");
        return Ok(());
    };
    let layers = [on.layers(&mut view, 0), on.layers(&mut view, 1)];
    let spans = layers[0].common(&layers[1])?;
    println!("shared volume about {} ({} spans on {side} x {side} rays)", spans.volume(), spans.len());
    println!("  {:.1} ms, drawn {on}", 1e3 * start.elapsed().as_secs_f64());
    Ok(())
}
