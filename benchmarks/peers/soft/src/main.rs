//! Soft bodies of rapier3d and of crumple-sim on the same meshes, one thread each, with exact detection over both.
//!
//! `cargo run --release -- [SCENE…] [--frames N] [--substeps N] [--ours]`; scenes: cloth-64 cloth-96 sheets cubes. What stays is a
//! ball or a floor of the same size: rapier's own shapes, our meshes. Everything else of both is as it comes, self contacts on.
//! Times are of the processor, so that other work on the machine does not count; `--ours` leaves rapier out.

mod scenes;

use cpu_time::ThreadTime;
use crumple::{Mesh, Scene};
use crumple_sim::{Cloth, Settings, Solid, StageSeconds, Surface, World};
use rapier3d::prelude::*;
use scenes::Setup;

const DT: f64 = 1.0 / 60.0;

/// Milliseconds and exact intersections of every frame.
#[derive(Default)]
struct Run {
    times: Vec<f64>,
    crossings: Vec<usize>,
    /// Where our time went, mean of the second half.
    stages: String,
}

/// Seconds of this thread.
fn seconds() -> f64 {
    thread_local!(static START: ThreadTime = ThreadTime::now());
    START.with(|start| start.elapsed().as_secs_f64())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (mut names, mut frames, mut substeps, mut is_ours_alone) = (Vec::new(), 90, 4, false);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--frames" => frames = args.next().ok_or("--frames needs a number")?.parse()?,
            "--substeps" => substeps = args.next().ok_or("--substeps needs a number")?.parse()?,
            "--ours" => is_ours_alone = true,
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = scenes::NAMES.map(str::to_owned).to_vec();
    }
    println!("{frames} frames of 1/60 s, {substeps} substeps; ms a frame, median of the second half");
    println!(
        "scene        vertices     tets  triangles |  rapier  crossed frames  last | crumple  crossed frames  last | ratio"
    );
    for name in names {
        let setup =
            scenes::setup(&name).ok_or_else(|| format!("no scene {name}; one of {:?}", scenes::NAMES))?;
        let theirs = if is_ours_alone { Run::default() } else { rapier(&setup, frames, substeps)? };
        let ours = crumple(&setup, frames, substeps)?;
        let vertices: usize = setup.bodies.iter().map(|b| b.positions.len()).sum();
        let tets: usize = setup.bodies.iter().map(|b| b.tets.len()).sum();
        let triangles: usize = meshes(&setup)?.iter().map(|m| m.triangles().len()).sum();
        println!(
            "{name:10} {vertices:10} {tets:8} {triangles:10} | {} | {} | {:5.1}",
            theirs.row(),
            ours.row(),
            theirs.median() / ours.median()
        );
        println!("           {}", ours.stages);
    }
    Ok(())
}

impl Run {
    fn median(&self) -> f64 {
        let mut half = self.times[self.times.len() / 2..].to_vec();
        half.sort_by(f64::total_cmp);
        half.get(half.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn row(&self) -> String {
        let crossed = self.crossings.iter().filter(|n| **n > 0).count();
        format!("{:7.1} {crossed:15} {:5}", self.median(), self.crossings.last().copied().unwrap_or(0))
    }
}

fn meshes(setup: &Setup) -> Result<Vec<Mesh>, crumple::MeshError> {
    let mesh = |b: &scenes::Soft| match b.tets.is_empty() {
        true => Mesh::from_triangles("soft", b.positions.len(), &b.triangles),
        false => Mesh::from_tets("soft", b.positions.len(), &b.tets),
    };
    setup.bodies.iter().map(mesh).collect()
}

fn rapier(setup: &Setup, frames: usize, substeps: usize) -> Result<Run, Box<dyn std::error::Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.81, 0.0);
    world.integration_parameters.dt = DT as f32;
    world.integration_parameters.num_solver_iterations = substeps;
    if let Some(radius) = setup.ball {
        world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::ball(radius as f32));
    }
    if let Some(height) = setup.floor {
        let at = Vector::new(0.0, height as f32 - 0.5, 0.0);
        world.insert(RigidBodyBuilder::fixed().translation(at), ColliderBuilder::cuboid(10.0, 0.5, 10.0));
    }
    let mut judge = Scene::new();
    let mut soft = Vec::new();
    for (body, mesh) in setup.bodies.iter().zip(meshes(setup)?) {
        soft.push((
            world.insert_soft_body(body.builder.clone().self_contacts(true)),
            judge.add(mesh, &body.positions[..])?,
        ));
    }
    let mut run = Run::default();
    for _ in 0..frames {
        let begin = ThreadTime::now();
        world.step();
        run.times.push(1e3 * begin.elapsed().as_secs_f64());
        for (handle, id) in &soft {
            let at: Vec<[f64; 3]> =
                world.soft_bodies[*handle].particle_positions().map(scenes::widen).collect();
            judge.set_positions(*id, &at[..])?;
        }
        run.crossings.push(judge.contacts()?.len());
    }
    Ok(run)
}

fn crumple(setup: &Setup, frames: usize, substeps: usize) -> Result<Run, Box<dyn std::error::Error>> {
    let mut world = World::new(Settings { substeps: substeps as u32, ..Settings::default() })?;
    for body in &setup.bodies {
        if body.tets.is_empty() {
            world.add_cloth("soft", &body.positions, &body.triangles, Cloth::default())?;
        } else {
            let solid = Solid { young: 3e4, ..Solid::default() };
            world.add_solid("soft", &body.positions, &body.tets, solid)?;
        }
    }
    if let Some(radius) = setup.ball {
        let ball = crumple_scenes::shapes::icosphere(12).mapped(|p| p.map(|x| radius * x));
        world.add_fixed("ball", &ball.positions, &ball.triangles, Surface::with_friction(0.5))?;
    }
    if let Some(height) = setup.floor {
        let (corners, triangles) = scenes::floor(height);
        world.add_fixed("floor", &corners, &triangles, Surface::with_friction(0.5))?;
    }
    world.set_clock(seconds);
    let mut run = Run::default();
    let (mut stages, mut passes, mut watched, mut contacts) = (StageSeconds::default(), 0, 0, 0);
    for frame in 0..frames {
        let report = world.step(DT)?;
        run.times.push(1e3 * report.seconds.step);
        run.crossings.push(report.intersections);
        if 2 * frame >= frames {
            stages.add(&report.seconds);
            (passes, watched, contacts) =
                (passes + report.passes, watched + report.watched, contacts + report.contacts);
        }
    }
    let per_frame = 1.0 / (frames - frames.div_ceil(2)).max(1) as f64;
    let ms = |s: f64| 1e3 * s * per_frame;
    run.stages = format!(
        "detect {:.1} solve {:.1} certify {:.1} verify {:.1}; passes {:.2} watched {:.0} contacts {:.0}",
        ms(stages.detect),
        ms(stages.solve),
        ms(stages.certify),
        ms(stages.verify),
        f64::from(passes) * per_frame,
        watched as f64 * per_frame,
        contacts as f64 * per_frame
    );
    Ok(run)
}
