//! Processor time of the engine's own calls.

use std::error::Error;
use std::path::Path;

use cpu_time::ProcessTime;
use crumple::{BodyId, Closeness};
use crumple_io::SceneDir;

use crate::answers::{load, positions};

/// Rounds over all frames; a frame's time is its best.
const ROUNDS: usize = 3;

/// Prints `set` and `ask` in seconds, means over the frames of the best of several rounds, and the number of results.
pub fn print(folder: &Path, question: &str) -> Result<(), Box<dyn Error>> {
    let dir = SceneDir::open(folder)?;
    let mut scene = load(&dir)?;
    let frames: Vec<Vec<Vec<[f64; 3]>>> = (0..dir.frames)
        .map(|f| (0..dir.bodies.len()).map(|b| positions(&dir, b, f)).collect())
        .collect::<Result<_, _>>()?;
    let (mut set, mut ask) = (vec![f64::INFINITY; dir.frames], vec![f64::INFINITY; dir.frames]);
    let mut results = 0;
    for _ in 0..ROUNDS {
        results = 0;
        for (f, frame) in frames.iter().enumerate() {
            let start = ProcessTime::now();
            for (b, positions) in frame.iter().enumerate() {
                scene.set_positions(BodyId(b as u32), positions)?;
            }
            set[f] = set[f].min(start.elapsed().as_secs_f64());
            let start = ProcessTime::now();
            results += match question {
                "contacts" => scene.contacts()?.len(),
                "penetrations" => scene.penetrations()?.len(),
                "vertices_in_tets" => scene.vertices_in_tets()?.len(),
                "impacts" => {
                    let found = scene.impacts()?;
                    found.vertex_triangles.len() + found.edge_edges.len()
                }
                "nothing" => scene.ids().count(),
                within => {
                    let found = scene.proximity(&Closeness::below(within.parse()?))?;
                    found.vertex_triangles.len() + found.edge_edges.len()
                }
            };
            ask[f] = ask[f].min(start.elapsed().as_secs_f64());
        }
    }
    let mean = |seconds: &[f64]| seconds.iter().sum::<f64>() / seconds.len() as f64;
    println!("{{\"set\":{},\"ask\":{},\"results\":{results}}}", mean(&set), mean(&ask));
    Ok(())
}
