//! What budgets cost, and how well they are kept: contacts and distances within 1 to 50 ms, and within one that is never spent.
//!
//! `cargo run --release -p crumple-bench --example budgets`: a table in Markdown, wall milliseconds, the median of 15 frames.

use std::time::{Duration, Instant};

use crumple::{BodyId, Budget, Mesh, Scene};
use crumple_scenes::{Elements, by_name};

const FRAMES: usize = 15;
const SCENES: [&str; 4] = ["clouds-15k", "clouds-100k", "drape-large", "near-shell-100k"];

/// Where the vertices of every body are.
type Pose = Vec<Vec<[f64; 3]>>;

/// A scene at its first frame, and positions of two frames between which it goes back and forth.
fn stage(name: &str) -> Result<(Scene, [Pose; 2]), Box<dyn std::error::Error>> {
    let given = by_name(name).ok_or("no such scene")?;
    let mut scene = Scene::new();
    for body in &given.bodies {
        let Elements::Triangles(triangles) = &body.elements else { continue };
        scene.add(Mesh::from_triangles(&body.name, body.frames[0].len(), triangles)?, &body.frames[0])?;
    }
    let at = |frame: usize| given.bodies.iter().map(|b| b.frames[frame].clone()).collect();
    Ok((scene, [at(0), at(1)]))
}

/// The median time of a question after every vertex has moved.
fn median(
    scene: &mut Scene,
    poses: &[Pose; 2],
    mut ask: impl FnMut(&mut Scene) -> Result<bool, crumple::Error>,
) -> Result<(f64, usize), crumple::Error> {
    let (mut times, mut complete) = (Vec::new(), 0);
    for frame in 0..FRAMES + 2 {
        for (id, positions) in (0..).map(BodyId).zip(&poses[frame % 2]) {
            scene.set_positions(id, positions)?;
        }
        let start = Instant::now();
        let is_complete = ask(scene)?;
        // The first frames build.
        if frame > 1 {
            times.push(start.elapsed());
            complete += usize::from(is_complete);
        }
    }
    times.sort_unstable();
    Ok((1e3 * times[FRAMES / 2].as_secs_f64(), complete))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budgets = [1, 5, 20, 50].map(|ms| Budget::time(Duration::from_millis(ms)));
    println!("| scene | question | plain | never spent | / plain | 1 ms | 5 ms | 20 ms | 50 ms |");
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: |");
    for name in SCENES {
        let (mut scene, poses) = stage(name)?;
        let never = Budget::time(Duration::from_secs(3600));
        let both = [BodyId(0), BodyId(1)];
        for question in ["contacts", "distance"] {
            let is_contacts = question == "contacts";
            let (plain, _) = median(&mut scene, &poses, |s| {
                if is_contacts { s.contacts().map(|_| true) } else { s.distance(both).map(|_| true) }
            })?;
            let mut within = |budget: Budget| {
                median(&mut scene, &poses, |s| {
                    if is_contacts {
                        return Ok(s.contacts_budgeted(budget)?.is_complete());
                    }
                    let found = s.distance_budgeted(both, budget)?;
                    Ok(found.is_none_or(|d| d.guarantee == crumple::Guarantee::Proved))
                })
            };
            let (all, _) = within(never)?;
            print!("| {name} | {question} | {plain:.2} | {all:.2} | {:.2} |", all / plain);
            for budget in budgets {
                let (time, complete) = within(budget)?;
                print!(" {time:.2}{} |", if complete == FRAMES { ", complete" } else { "" });
            }
            println!();
        }
    }
    Ok(())
}
