//! Times of calls that have next to nothing to do: what is left of them is overhead.

use std::error::Error;
use std::time::{Duration, Instant};

use crumple::{BodyId, Closeness, Mesh, Scene};

/// How long each call is repeated, and how often that is done; the best counts. Short, so that on a busy machine some run
/// undisturbed.
const LEAST: Duration = Duration::from_millis(1);
const ROUNDS: usize = 60;

/// Seconds of one call.
fn best(mut work: impl FnMut() -> Result<(), crumple::Error>) -> Result<f64, crumple::Error> {
    let mut found = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < LEAST {
            work()?;
            calls += 1;
        }
        found = found.min(start.elapsed().as_secs_f64() / f64::from(calls));
    }
    Ok(found)
}

/// Prints the seconds of each call on two triangles, as JSON.
pub fn print() -> Result<(), Box<dyn Error>> {
    let flat = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let moved: Vec<[f64; 3]> = flat.iter().map(|p| [p[0], p[1], 1.0]).collect();
    let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]])?;
    let mut scene = Scene::new();
    let low = scene.add(one.clone(), &flat)?;
    let high = scene.add(one, &moved)?;
    let put = |scene: &mut Scene, body: BodyId| scene.set_positions(body, &moved);
    let times = [
        ("set_positions", best(|| put(&mut scene, high))?),
        ("contacts, known already", best(|| scene.contacts().map(drop))?),
        (
            "set_positions and contacts",
            best(|| put(&mut scene, high).and_then(|()| scene.contacts().map(drop)))?,
        ),
        (
            "set_positions and proximity",
            best(|| put(&mut scene, high).and_then(|()| scene.proximity(&Closeness::below(0.5)).map(drop)))?,
        ),
        (
            "set_positions and distance",
            best(|| put(&mut scene, high).and_then(|()| scene.distance([low, high]).map(drop)))?,
        ),
        (
            "set_positions and impacts",
            best(|| put(&mut scene, high).and_then(|()| scene.impacts().map(drop)))?,
        ),
    ];
    let rows: Vec<String> = times.iter().map(|(name, seconds)| format!("\"{name}\":{seconds:e}")).collect();
    println!("{{{}}}", rows.join(","));
    Ok(())
}
