//! Replays the paper's three experiments with their tables of epsilons, and counts what the published rules miss.
//!
//!     cargo run --release -p crumple --example distance_hierarchy_experiments [STEP]
//!
//! Every STEP-th frame is taken, 5 unless told otherwise. "Expanded" are the pairs of regions closer than the level's
//! epsilon, from level 1 down; "there" are the pairs of last regions with vertices closer than the contact distance.

use std::error::Error;

use cpu_time::ProcessTime;
use crumple::methods::distance_hierarchy::published::{
    EXPERIMENTS, Experiment, Published, PublishedParams, Step, Verdict,
};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crumple::{Bodies, Frame, Mesh, Positions};

fn main() -> Result<(), Box<dyn Error>> {
    let stride: usize = std::env::args().nth(1).map_or(Ok(5), |s| s.parse())?;
    for experiment in &EXPERIMENTS {
        let scene = crumple_scenes::lazy(experiment.id).ok_or("no such scene")?;
        let bodies =
            scene.bodies.iter().map(|b| Mesh::from_triangles(&b.name, b.vertices, b.elements.triangles()));
        let mesh = Bodies::new(bodies.collect::<Result<Vec<_>, _>>()?)?;
        let frames: Vec<Vec<Vec<[f64; 3]>>> = (0..scene.frames)
            .step_by(stride)
            .map(|f| scene.bodies.iter().map(|b| b.positions(f)).collect())
            .collect();
        println!("{}: {}, {} steps", experiment.id, experiment.about, frames.len());
        println!(
            "  {:44} {:24} {:>8} {:>7} {:>7} {:>8} {:>8}",
            "epsilons", "expanded", "reported", "there", "missed", "surplus", "us/step"
        );
        for (i, [one, two]) in experiment.sets.iter().enumerate() {
            let name = if one == two { format!("{i} {one:?}") } else { format!("{i} {one:?} {two:?}") };
            replay(&mesh, &frames, experiment, experiment.params(i), &name)?;
        }
        replay(&mesh, &frames, experiment, experiment.computed(), "sum of the radii of the frame (eq. 6)")?;
    }
    Ok(())
}

fn slices(frame: &[Vec<[f64; 3]>]) -> Vec<Positions<'_>> {
    frame.iter().map(Positions::from).collect()
}

fn replay(
    mesh: &Bodies,
    frames: &[Vec<Vec<[f64; 3]>>],
    experiment: &Experiment,
    params: PublishedParams,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let first = slices(&frames[0]);
    let mut published = Published::new(mesh, Frame::new(&first), params)?;
    let mut truth = DistanceHierarchy::new(mesh, Frame::new(&first), DistanceParams::default())?;
    let (mut sum, mut verdict, mut seconds) = (Step::default(), Verdict::default(), 0.0);
    for f in frames {
        let bodies = slices(f);
        let frame = Frame::new(&bodies);
        let start = ProcessTime::now();
        published.update(mesh, frame)?;
        sum += &published.step();
        seconds += start.elapsed().as_secs_f64();
        truth.update(mesh, frame)?;
        verdict += published.judge(&mut truth, experiment.contact());
    }
    println!(
        "  {name:44} {:24} {:8} {:7} {:7} {:8} {:8.0}",
        format!("{:?}", sum.expanded),
        sum.collisions,
        verdict.there,
        verdict.missed,
        verdict.surplus,
        1e6 * seconds / frames.len() as f64
    );
    Ok(())
}
