//! What the layers of a body cost on the processor and on the graphics processor:
//! `cargo run --release --example layers_cost [adapter name]`.
//!
//! Milliseconds, best of several, by the clock and of all processors; uploads and reading back included, snapping
//! (which both need) not.

use std::time::Instant;

use cpu_time::ProcessTime;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_gpu::{Gpu, Wanted};
use crumple_scenes::shapes;

const ROUNDS: usize = 7;

fn main() {
    let wanted = std::env::args().nth(1).map_or(Wanted::Any, Wanted::Named);
    let start = Instant::now();
    let mut gpu = match Gpu::new(&wanted) {
        Ok(gpu) => gpu,
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(1);
        }
    };
    println!("adapter: {}, opened in {:.0} ms", gpu.adapter(), 1e3 * start.elapsed().as_secs_f64());
    if gpu.adapter().is_software {
        println!("A software adapter: these times say that it works, not how fast a graphics processor is.");
    }
    println!("| triangles | pixels | layers | CPU ms | its processor ms | GPU ms | its processor ms |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    // The sizes of the paper's tables: 20 n² triangles.
    for n in [24, 50, 74, 87, 161] {
        let surface = shapes::blob(n, 7, 0.3);
        let body = Mesh::from_triangles("blob", surface.positions.len(), &surface.triangles)
            .expect("a closed surface");
        let mesh = Bodies::new([body]).expect("one body");
        let bodies = [Positions::from(&surface.positions)];
        for side in [128, 512] {
            let mut method = LayeredDepth::default();
            let mut volumes = method.update(&mesh, Frame::new(&bodies)).expect("a good frame");
            let view = volumes.view_of(BodyId(0), Resolution::rays(side)).expect("a closed surface");
            let mut view = view.expect("a body with a volume");
            let (cpu, ours) = best(|| view.layers(0));
            let (time, theirs) = best(|| gpu.layers(&view, 0).expect("a device that works"));
            assert!(ours == theirs, "the layers differ");
            println!(
                "| {} | {side}² | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
                surface.triangles.len(),
                ours.as_slice().len(),
                cpu[0],
                cpu[1],
                time[0],
                time[1]
            );
        }
    }
}

/// The shortest times in milliseconds, by the clock and of all processors, and the last result.
fn best<T>(mut f: impl FnMut() -> T) -> ([f64; 2], T) {
    let (mut shortest, mut last) = ([f64::INFINITY; 2], None);
    for _ in 0..ROUNDS {
        let (clock, processors) = (Instant::now(), ProcessTime::now());
        last = Some(f());
        for (best, time) in shortest.iter_mut().zip([clock.elapsed(), processors.elapsed()]) {
            *best = best.min(1e3 * time.as_secs_f64());
        }
    }
    (shortest, last.expect("at least one round"))
}
