//! Times the regularity method on scene directories (`manifest.json` and raw arrays) beside its targets.
//!
//!     cargo run --release -p crumple --example regularity_bench -- DIR [NAME…]
//!
//! Process CPU time on one thread; a frame's time is its best over the rounds, reported is the mean over the frames.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use crumple::methods::regularity::{Regularity, RegularityParams, RegularityStats};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};

/// Scene, what is asked, one body only, milliseconds to reach.
const TARGETS: [(&str, Pairs, Option<usize>, f64); 17] = [
    ("sphere-5k", Pairs::Within, None, f64::NAN),
    ("sphere-20k", Pairs::Within, None, 2.91 / 5.0),
    ("sphere-80k", Pairs::Within, None, f64::NAN),
    ("sphere-320k", Pairs::Within, None, 9.6),
    ("sphere-1300k", Pairs::Within, None, 40.0),
    ("loop-5k", Pairs::Within, None, f64::NAN),
    ("loop-80k", Pairs::Within, None, 1.8),
    ("loop-320k", Pairs::Within, None, 8.3),
    ("crumple-20k", Pairs::Within, None, 6.0),
    ("crumple-100k", Pairs::Within, None, 26.0),
    ("drape-large", Pairs::Within, Some(0), 1.9),
    ("drape-small", Pairs::Between, None, 0.9),
    ("drape-large", Pairs::Between, None, 5.5),
    ("pair-knot12k-blob50k", Pairs::Between, None, 0.83),
    ("pair-blob50k-blob110k", Pairs::Between, None, 2.7),
    ("pair-blob110k-blob150k", Pairs::Between, None, 4.8),
    ("pair-knot12k-blob520k", Pairs::Between, None, 8.0),
];

struct Scene {
    mesh: Bodies,
    /// Positions by frame and body.
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

/// The number behind `"key":`.
fn number(text: &str, key: &str) -> Option<usize> {
    let at = text.find(&format!("\"{key}\""))? + key.len() + 2;
    text[at..].trim_start_matches([':', ' ']).split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn load(dir: &Path, only: Option<usize>) -> Result<Scene, Box<dyn Error>> {
    let manifest = fs::read_to_string(dir.join("manifest.json"))?;
    let frames = number(&manifest, "frames").ok_or("no frames")?;
    let objects: Vec<&str> =
        manifest.split("\"objects\"").nth(1).ok_or("no objects")?.split('{').skip(1).collect();
    let (mut bodies, mut positions) = (Vec::new(), vec![Vec::new(); frames]);
    for (i, object) in objects.iter().enumerate() {
        if only.is_some_and(|o| o != i) {
            continue;
        }
        let corners = fs::read(dir.join(format!("obj{i}_e.u32")))?;
        let corner = |c: &[u8]| u32::from_le_bytes(c.try_into().expect("four bytes"));
        let corners: Vec<[u32; 3]> =
            corners.chunks_exact(12).map(|t| [corner(&t[..4]), corner(&t[4..8]), corner(&t[8..])]).collect();
        bodies.push(Mesh::from_triangles(
            format!("{i}"),
            number(object, "vertices").ok_or("no vertices")?,
            &corners,
        )?);
        for (f, at) in positions.iter_mut().enumerate() {
            let raw = fs::read(dir.join(format!("obj{i}_v_{f:03}.f64")))?;
            let number = |c: &[u8]| f64::from_le_bytes(c.try_into().expect("eight bytes"));
            at.push(
                raw.chunks_exact(24)
                    .map(|p| [number(&p[..8]), number(&p[8..16]), number(&p[16..])])
                    .collect(),
            );
        }
    }
    Ok(Scene { mesh: Bodies::new(bodies)?, frames: positions })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let root = args.next().ok_or("which directory?")?;
    let names: Vec<String> = args.collect();
    println!(
        "{:24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}  counters of the last frame",
        "scene", "build", "update", "query", "total", "target", "ratio"
    );
    for (name, pairs, only, target) in TARGETS {
        if !names.is_empty() && !names.iter().any(|n| name.starts_with(n.as_str())) {
            continue;
        }
        let scene = load(&Path::new(&root).join(name), only)?;
        bench(name, &scene, pairs, target)?;
    }
    Ok(())
}

fn bench(name: &str, scene: &Scene, pairs: Pairs, target: f64) -> Result<(), Box<dyn Error>> {
    let frames: Vec<Vec<Positions<'_>>> =
        scene.frames.iter().map(|f| f.iter().map(Positions::from).collect()).collect();
    let start = ProcessTime::now();
    let mut method = Regularity::new(&scene.mesh, Frame::new(&frames[0]), RegularityParams::default())?;
    let build = start.elapsed();
    let mut out = Contacts::default();
    let mut best = vec![[f64::INFINITY; 2]; frames.len()];
    let (mut results, mut neighbours, mut stats) = (0, 0, RegularityStats::default());
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 3 || (rounds < 30 && begin.elapsed() < Duration::from_millis(1500)) {
        (results, neighbours) = (0, 0);
        for (f, positions) in frames.iter().enumerate() {
            let frame = Frame::new(positions);
            let start = ProcessTime::now();
            method.update(&scene.mesh, frame)?;
            let update = start.elapsed();
            method.contacts(&scene.mesh, frame, pairs, &mut out);
            let ms = [update, start.elapsed() - update].map(|t| t.as_secs_f64() * 1e3);
            if ms[0] + ms[1] < best[f][0] + best[f][1] {
                best[f] = ms;
            }
            for pair in &out.triangle_pairs {
                let [a, b] = [pair.a, pair.b].map(|t| scene.mesh.triangles()[t.index()]);
                let shares = a.iter().any(|v| b.contains(v));
                neighbours += usize::from(shares);
                results += usize::from(!shares);
            }
            stats = method.stats();
        }
        rounds += 1;
    }
    let mean = |i: usize| best.iter().map(|b| b[i]).sum::<f64>() / best.len() as f64;
    let total = mean(0) + mean(1);
    println!(
        "{name:24} {:8.1} {:8.3} {:8.3} {total:8.3} {target:8.2} {:6.2}  results {results} + {neighbours} A {} B {} I {} II {} stars {} opened {} exact {}",
        build.as_secs_f64() * 1e3,
        mean(0),
        mean(1),
        total / target,
        stats.calls,
        stats.tests,
        stats.rule_one,
        stats.rule_two,
        stats.stars,
        stats.opened,
        stats.exact,
    );
    Ok(())
}
