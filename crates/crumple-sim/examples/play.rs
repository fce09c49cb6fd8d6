//! Plays a built-in scene and tells what every frame cost: `cargo run --release -p crumple-sim --example play -- drape 120`.
//! Milliseconds are processor time, of all threads together.

use cpu_time::ProcessTime;
use crumple_sim::gallery;

fn clock() -> f64 {
    ProcessTime::now().as_duration().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "drape".to_owned());
    let mut script = gallery::script(&name).ok_or("no such scene")?;
    script.world_mut().set_clock(clock);
    let frames = args.next().map_or(Ok(script.frames()), |n| n.parse())?;
    println!(
        "frame passes substeps contacts watched held progress intersections      ms  detect   solve certify  verify"
    );
    let mut sum = 0.0;
    for frame in 0..frames {
        let r = script.step()?;
        sum += r.seconds.step;
        let s = r.seconds;
        if frame % (frames / 20).max(1) == 0 || r.intersections > 0 || frame + 1 == frames {
            println!(
                "{:5} {:6} {:8} {:8} {:7} {:4} {:8.4} {:13} {:7.1} {:7.1} {:7.1} {:7.1} {:7.1}",
                r.frame,
                r.passes,
                r.substeps,
                r.contacts,
                r.watched,
                r.held,
                r.progress,
                r.intersections,
                1e3 * s.step,
                1e3 * s.detect,
                1e3 * s.solve,
                1e3 * s.certify,
                1e3 * s.verify
            );
        }
    }
    let world = script.world();
    for id in world.bodies() {
        let mut speeds: Vec<f64> =
            world.velocities(id)?.iter().map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
        speeds.sort_by(f64::total_cmp);
        let at = |q: f64| speeds[((speeds.len() - 1) as f64 * q) as usize];
        println!(
            "  {}: {} pieces, speeds {:.3} {:.3} {:.3} {:.3}",
            world.mesh(id)?.name(),
            world.mesh(id)?.topology().component_count(),
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        );
    }
    println!("{name}: {:.2} ms a frame, hash {:016x}", 1e3 * sum / frames as f64, script.world().hash());
    Ok(())
}
