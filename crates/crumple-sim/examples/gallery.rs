//! Plays built-in scenes and tells of each what a whole run shows, as a table: `cargo run --release -p crumple-sim --example gallery -- 600
//! [SCENE…]`. Milliseconds are processor time.
//!
//! *Rise* is the largest step up of the energy from one frame to the next, over its range; what is led, pulled or cut puts energy in.

use cpu_time::ProcessTime;
use crumple_sim::{Clock, gallery};

const CLOCK: Clock = || ProcessTime::now().as_duration().as_secs_f64();

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let frames: usize = args.next().ok_or("how many frames?")?.parse()?;
    let mut names: Vec<String> = args.collect();
    if names.is_empty() {
        names = gallery::ENTRIES.iter().map(|e| e.name.to_owned()).collect();
    }
    println!(
        "| scene | frames | exact intersections | least progress | momentum, largest | last | energy first | last | rise | ms a frame, mean | largest |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for name in names {
        let mut script = gallery::script(&name).ok_or("no such scene")?;
        script.world_mut().set_clock(CLOCK);
        let (mut crossings, mut seconds, mut slowest, mut progress) = (0, 0.0, 0.0_f64, 1.0_f64);
        let mut momentum = vec![length(script.world().momentum())];
        let mut energy = vec![script.world_mut().energy().total()];
        for _ in 0..frames {
            let report = script.step()?;
            crossings += report.intersections;
            progress = progress.min(report.progress);
            seconds += report.seconds.step;
            slowest = slowest.max(report.seconds.step);
            momentum.push(length(script.world().momentum()));
            energy.push(script.world_mut().energy().total());
        }
        let largest = |all: &[f64]| all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = largest(&energy) - energy.iter().copied().fold(f64::INFINITY, f64::min);
        let rise = energy.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max) / range.max(f64::MIN_POSITIVE);
        println!(
            "| {name} | {frames} | {crossings} | {progress:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} % | {:.1} | {:.1} |",
            largest(&momentum),
            momentum[frames],
            energy[0],
            energy[frames],
            1e2 * rise,
            1e3 * seconds / frames as f64,
            1e3 * slowest
        );
    }
    Ok(())
}
