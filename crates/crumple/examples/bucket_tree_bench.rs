//! The BucketTree against the clock: the paper's experiments, and soups that peers can read.
//!
//! `cargo run --release -p crumple --example bucket_tree_bench -- paper`
//! : update time of both algorithms against the number of primitives and against alpha (figure 3), against levels
//!   (figure 4), and the time to find 1000 bucket collisions (table 1).
//!
//! `… -- soup COUNT ALPHA FRAMES`
//! : update and all colliding pairs of one soup.
//!
//! `… -- write DIR COUNT ALPHA FRAMES`
//! : the same soup as a scene directory.

use std::{fs, path::Path};

use cpu_time::ProcessTime;
use crumple::methods::bucket_tree::{Boxes, BucketTree, BucketTreeParams, Depth, Placement, Split};
use crumple::{Bodies, BodyId, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use crumple_scenes::papers::ganovelli;
use crumple_scenes::{LazyScene, Scene};

/// Rounds over the frames; each frame counts with its best.
const ROUNDS: usize = 15;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|s| s.parse::<f64>().ok());
    match (args.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("paper"), ..) => paper(),
        (Some("soup"), Some(n), Some(alpha), Some(frames)) => {
            soup(&ganovelli::soup("soup", n as usize, alpha, frames as usize).collect());
        }
        (Some("write"), ..) if args.len() == 5 => {
            let [n, alpha, frames] = [2, 3, 4].map(|i| number(i).expect("a number"));
            let scene = ganovelli::soup("soup", n as usize, alpha, frames as usize);
            write(Path::new(&args[1]), &scene).expect("the directory can be written");
        }
        _ => eprintln!("paper | soup COUNT ALPHA FRAMES | write DIR COUNT ALPHA FRAMES"),
    }
}

fn mesh(scene: &Scene) -> Bodies {
    let body = |b: &crumple_scenes::SceneBody| {
        Mesh::from_triangles(&b.name, b.frames[0].len(), b.elements.triangles()).expect("scenes are valid")
    };
    Bodies::new(scene.bodies.iter().map(body)).expect("scenes are small")
}

fn positions(scene: &Scene, frame: usize) -> Vec<Positions<'_>> {
    scene.bodies.iter().map(|b| Positions::from(&b.frames[frame])).collect()
}

fn ms(seconds: f64) -> f64 {
    1e3 * seconds
}

/// Seconds of processor time.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ProcessTime::now();
    let out = work();
    (start.elapsed().as_secs_f64(), out)
}

fn soup(scene: &Scene) {
    let mesh = mesh(scene);
    let first = positions(scene, 0);
    for placement in [Placement::Direct, Placement::Sorted] {
        let params = BucketTreeParams { placement, ..Default::default() };
        let mut tree = BucketTree::new(&mesh, Frame::new(&first), params).expect("the parameters are good");
        let frames = scene.frames();
        let (mut update, mut query) = (vec![f64::MAX; frames], vec![f64::MAX; frames]);
        let (mut total, mut stats) = (0, Default::default());
        let mut out = Contacts::default();
        for round in 0..ROUNDS {
            for f in 0..frames {
                let now = positions(scene, f);
                let frame = Frame::new(&now);
                update[f] = update[f].min(timed(|| tree.update(&mesh, frame).expect("finite")).0);
                let (seconds, s) = timed(|| tree.contacts(&mesh, frame, Pairs::Within, &mut out));
                query[f] = query[f].min(seconds);
                stats = s;
                total += if round == 0 { out.triangle_pairs.len() } else { 0 };
            }
        }
        let mean = |v: &[f64]| ms(v.iter().sum::<f64>() / frames as f64);
        let (u, q) = (mean(&update), mean(&query));
        let per = 1e6 * (u + q) / mesh.triangles().len() as f64;
        println!(
            "{placement:?}: update {u:.3} + query {q:.3} = {:.3} ms, {per:.1} ns per triangle, {total} pairs",
            u + q
        );
        println!("  {stats:?}");
    }
}

/// Mean update time over the frames, best of the rounds.
fn update_time(scene: &Scene, params: BucketTreeParams) -> f64 {
    let mesh = mesh(scene);
    let first = positions(scene, 0);
    let mut tree = BucketTree::new(&mesh, Frame::new(&first), params).expect("the parameters are good");
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        // Back to the start, so that each timed step is one step of the motion.
        tree.update(&mesh, Frame::new(&first)).expect("finite");
        let mut sum = 0.0;
        for f in 1..scene.frames() {
            let now = positions(scene, f);
            sum += timed(|| tree.update(&mesh, Frame::new(&now)).expect("finite")).0;
        }
        best = best.min(sum / (scene.frames() - 1) as f64);
    }
    ms(best)
}

fn with(placement: Placement, levels: u8) -> BucketTreeParams {
    BucketTreeParams { placement, depth: Depth::Levels(levels), ..Default::default() }
}

fn paper() {
    const FRAMES: usize = 20;
    println!("figure 3: update, ms, 4 levels\ncount  alpha  algorithm 1  algorithm 2  as published");
    for count in [1_000, 5_000, 10_000, 15_000, 50_000] {
        for alpha in [0.0, 15.0, 180.0] {
            let scene = ganovelli::soup("soup", count, alpha, FRAMES).collect();
            let direct = update_time(&scene, with(Placement::Direct, 4));
            let sorted = update_time(&scene, with(Placement::Sorted, 4));
            let published = update_time(&scene, BucketTreeParams::as_published());
            println!("{count:5}  {alpha:5}  {direct:11.3}  {sorted:11.3}  {published:12.3}");
        }
    }
    println!("figure 4: update, ms, 15000 primitives, alpha 15\nlevels  algorithm 1  algorithm 2");
    let scene = ganovelli::soup("soup", 15_000, 15.0, FRAMES).collect();
    for levels in 1..=7 {
        let direct = update_time(&scene, with(Placement::Direct, levels));
        let sorted = update_time(&scene, with(Placement::Sorted, levels));
        println!("{levels:6}  {direct:11.3}  {sorted:11.3}");
    }
    println!(
        "table 1: 1000 bucket collisions of two soups of 15000\nlevels  split    ms  box tests per collision"
    );
    let scene = ganovelli::clouds("clouds", 15_000, 15.0, 1).collect();
    let (mesh, first) = (mesh(&scene), positions(&scene, 0));
    for levels in [3, 4, 5] {
        for split in [Split::Larger, Split::Smaller] {
            let params = BucketTreeParams { split, boxes: Boxes::Cells, ..with(Placement::Direct, levels) };
            let tree = BucketTree::new(&mesh, Frame::new(&first), params).expect("the parameters are good");
            let (mut best, mut found, mut tests) = (f64::MAX, 0, 0);
            for _ in 0..ROUNDS {
                let (seconds, (count, stats)) = timed(|| tree.bucket_collisions(BodyId(0), BodyId(1)));
                best = best.min(seconds);
                (found, tests) = (count, stats.tests);
            }
            let per_thousand = ms(best) * 1000.0 / found as f64;
            let rule = format!("{split:?}");
            println!("{levels:6}  {rule:7}  {per_thousand:.4}  {:.2}", tests as f64 / found as f64);
        }
    }
}

/// The scene as raw arrays with a manifest, as the peers read it.
fn write(dir: &Path, scene: &LazyScene) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let objects: Vec<String> = (scene.bodies.iter())
        .map(|b| {
            format!(
                r#"{{"name": "{}", "vertices": {}, "elements": {}}}"#,
                b.name,
                b.vertices,
                b.elements.len()
            )
        })
        .collect();
    let manifest = format!(
        r#"{{"name": "{}", "frames": {}, "objects": [{}]}}"#,
        scene.name,
        scene.frames,
        objects.join(", ")
    );
    fs::write(dir.join("manifest.json"), manifest)?;
    for (i, body) in scene.bodies.iter().enumerate() {
        let elements: Vec<u8> =
            body.elements.triangles().iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        fs::write(dir.join(format!("obj{i}_e.u32")), elements)?;
        for f in 0..scene.frames {
            let bytes: Vec<u8> = body.positions(f).iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
            fs::write(dir.join(format!("obj{i}_v_{f:03}.f64")), bytes)?;
        }
    }
    Ok(())
}
