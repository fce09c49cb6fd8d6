//! Times the distance hierarchy on scene directories (`manifest.json` and raw arrays) beside its targets.
//!
//!     cargo run --release -p crumple --example distance_hierarchy_bench -- DIR [NAME…]
//!
//! Process CPU time on one thread unless RAYON_NUM_THREADS says otherwise; a frame's time is its best over the rounds,
//! reported is the mean over the frames. "mean" is the time of all frames in all rounds but the first, noise included: some
//! warm frames do work for those after them, which the best over the rounds hides. "cold" keeps nothing from the frame before: neither the closest pair nor a front,
//! and no effort is made to keep them for the next. "slow" takes ten steps that are a fortieth of the scene's, "creep" a
//! thousandth, to and fro, so that none is larger. The last tables are the time of a cold frame over that of a warm one,
//! update and query.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams, Partition};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};

/// A scene: milliseconds to reach for the minimum, its sum, the margin for vertex pairs, milliseconds for them, count.
struct Target {
    name: &'static str,
    minimum: (f64, f64),
    margin: f64,
    vertices: (f64, u64),
}

const TARGETS: [Target; 3] = [
    Target { name: "near-10obj", minimum: (5.4, 1505.0122), margin: 0.2, vertices: (0.44, 29895) },
    Target { name: "near-pair-100k", minimum: (2.36, 0.38), margin: 0.06, vertices: (1.7, 15522) },
    Target { name: "near-shell-100k", minimum: (23.0, 0.1397424), margin: 0.05, vertices: (24.5, 2_891_705) },
];

struct Scene {
    mesh: Bodies,
    /// Positions by frame and body.
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

impl Scene {
    /// Ten steps from the first frame towards the second, each this part of the way.
    fn slow(&self, step: f64) -> Vec<Vec<Vec<[f64; 3]>>> {
        let part = |p: &[f64; 3], q: &[f64; 3], t: f64| std::array::from_fn(|k| p[k] + t * (q[k] - p[k]));
        let body = |b: usize, t: f64| {
            let ends = self.frames[0][b].iter().zip(&self.frames[1][b]);
            ends.map(|(p, q)| part(p, q, t)).collect()
        };
        (0..10).map(|f| (0..self.frames[0].len()).map(|b| body(b, f as f64 * step)).collect()).collect()
    }
}

/// The number behind `"key":`.
fn number(text: &str, key: &str) -> Option<usize> {
    let at = text.find(&format!("\"{key}\""))? + key.len() + 2;
    text[at..].trim_start_matches([':', ' ']).split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn load(dir: &Path) -> Result<Scene, Box<dyn Error>> {
    let manifest = fs::read_to_string(dir.join("manifest.json"))?;
    let frames = number(&manifest, "frames").ok_or("no frames")?;
    let objects: Vec<&str> =
        manifest.split("\"objects\"").nth(1).ok_or("no objects")?.split('{').skip(1).collect();
    let (mut bodies, mut positions) = (Vec::new(), vec![Vec::new(); frames]);
    for (i, object) in objects.iter().enumerate() {
        let corners = fs::read(dir.join(format!("obj{i}_e.u32")))?;
        let corner = |c: &[u8]| u32::from_le_bytes(c.try_into().expect("four bytes"));
        let corners: Vec<[u32; 3]> =
            corners.chunks_exact(12).map(|t| [corner(&t[..4]), corner(&t[4..8]), corner(&t[8..])]).collect();
        let vertices = number(object, "vertices").ok_or("no vertices")?;
        bodies.push(Mesh::from_triangles(format!("{i}"), vertices, &corners)?);
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
    let wanted: Vec<String> = args.collect();
    println!(
        "{:16} {:18} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}  results, counters of the last frame",
        "scene", "question", "build", "update", "query", "total", "mean", "target", "ratio"
    );
    let mut times = Vec::new();
    for target in &TARGETS {
        if !wanted.is_empty() && !wanted.iter().any(|w| w.starts_with(target.name)) {
            continue;
        }
        let scene = load(&Path::new(&root).join(target.name))?;
        let asked = |question: &str| {
            let full = format!("{}:{question}", target.name);
            wanted.is_empty() || wanted.iter().any(|w| full == *w || target.name == w)
        };
        for question in QUESTIONS.iter().filter(|q| asked(q.name)) {
            times.push((target.name, question.name, bench(target, question, &scene)?));
        }
    }
    for (i, title) in ["cold / warm", "by the mean"].into_iter().enumerate() {
        println!("\n{title:16} {:>12} {:>12} {:>12}", "as it is", "slow", "creep");
        for target in &TARGETS {
            let time = |name: &str| times.iter().find(|t| (t.0, t.1) == (target.name, name)).map(|t| t.2[i]);
            let ratio = |warm: &str, cold: &str| Some(time(cold)? / time(warm)?);
            let ratios = [ratio("minimum", "cold"), ratio("slow", "slow-cold"), ratio("creep", "creep-cold")];
            if let [Some(as_it_is), Some(slow), Some(creep)] = ratios {
                println!("{:16} {as_it_is:12.2} {slow:12.2} {creep:12.2}", target.name);
            }
        }
    }
    Ok(())
}

struct Question {
    name: &'static str,
    /// The part of the scene's steps that is taken; 1 for the scene as it is.
    step: f64,
    is_cold: bool,
    partition: Partition,
    ask: fn(&mut DistanceHierarchy, &Target, usize) -> f64,
    /// Milliseconds and sum to reach.
    goal: fn(&Target) -> (f64, f64),
}

const QUESTIONS: [Question; 10] = [
    Question {
        name: "minimum",
        step: 1.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |t| t.minimum,
    },
    Question {
        name: "cold",
        step: 1.0,
        is_cold: true,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |t| t.minimum,
    },
    Question {
        name: "slow",
        step: 1.0 / 40.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "slow-cold",
        step: 1.0 / 40.0,
        is_cold: true,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "creep",
        step: 1.0 / 1000.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "creep-cold",
        step: 1.0 / 1000.0,
        is_cold: true,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "octree",
        step: 1.0,
        is_cold: false,
        partition: Partition::Octree,
        ask: |h, _, _| minimum(h),
        goal: |t| t.minimum,
    },
    Question {
        name: "vertex-pairs",
        step: 1.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, t, _| h.count_all_vertices_within(t.margin) as f64,
        goal: |t| (t.vertices.0, t.vertices.1 as f64),
    },
    Question {
        name: "triangle-pairs",
        step: 1.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, t, n| {
            let pairs = (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (BodyId(a), BodyId(b))));
            pairs.map(|(a, b)| h.within(a, b, t.margin).len() as f64).sum()
        },
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "vertex-distances",
        step: 1.0,
        is_cold: false,
        partition: Partition::Median,
        ask: |h, _, _| {
            let all = h.vertex_distances(BodyId(0), BodyId(1)).unwrap_or_default();
            all.iter().map(|d| d.distance).fold(f64::INFINITY, f64::min)
        },
        goal: |_| (f64::NAN, f64::NAN),
    },
];

fn minimum(h: &mut DistanceHierarchy) -> f64 {
    h.all_pairs().iter().map(|p| p.distance.distance).sum()
}

/// Milliseconds of a frame: the best, and the mean.
fn bench(target: &Target, question: &Question, scene: &Scene) -> Result<[f64; 2], Box<dyn Error>> {
    let (goal, expected) = (question.goal)(target);
    let mut params = DistanceParams {
        partition: question.partition,
        warm_start: !question.is_cold,
        ..DistanceParams::default()
    };
    if let Some(n) = std::env::var("REGION").ok().and_then(|n| n.parse().ok()) {
        params.region_triangles = n;
    }
    let most_rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let is_slow = question.step < 1.0;
    let slow = if is_slow { scene.slow(question.step) } else { Vec::new() };
    let frames: Vec<Vec<Positions<'_>>> = (if is_slow { &slow } else { &scene.frames })
        .iter()
        .map(|f| f.iter().map(Positions::from).collect())
        .collect();
    let start = ProcessTime::now();
    let mut method = DistanceHierarchy::new(&scene.mesh, Frame::new(&frames[0]), params)?;
    let build = start.elapsed();
    let mut best = vec![[f64::INFINITY; 2]; frames.len()];
    let (mut all, mut count) = (0.0, 0);
    let mut results = vec![0.0; frames.len()];
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < most_rounds.min(3)
        || (rounds < most_rounds && begin.elapsed() < Duration::from_millis(1500))
    {
        let mut order: Vec<usize> = (0..frames.len()).collect();
        if is_slow && rounds % 2 == 1 {
            // Without the ends, which would come twice in a row.
            order = order[1..frames.len() - 1].iter().rev().copied().collect();
        }
        for f in order {
            let (best, positions) = (&mut best[f], &frames[f]);
            let start = ProcessTime::now();
            method.update(&scene.mesh, Frame::new(positions))?;
            let update = start.elapsed();
            results[f] = (question.ask)(&mut method, target, scene.mesh.meshes().len());
            let ms = [update, start.elapsed() - update].map(|t| t.as_secs_f64() * 1e3);
            if ms[0] + ms[1] < best[0] + best[1] {
                *best = ms;
            }
            if rounds > 0 {
                (all, count) = (all + ms[0] + ms[1], count + 1);
            }
        }
        rounds += 1;
    }
    let sum: f64 = results.iter().sum();
    let mean = |i: usize| best.iter().map(|b| b[i]).sum::<f64>() / best.len() as f64;
    let total = mean(0) + mean(1);
    let verdict =
        if expected.is_nan() || (sum - expected).abs() <= 1e-6 * expected.abs() { "" } else { " WRONG" };
    let s = method.stats();
    println!(
        "{:16} {:18} {:8.1} {:8.3} {:8.3} {total:8.3} {:8.3} {goal:8.2} {:6.2}  {sum}{verdict} visits {} certified {} tests {} exact {}",
        target.name,
        question.name,
        build.as_secs_f64() * 1e3,
        mean(0),
        mean(1),
        all / f64::from(count),
        total / goal,
        s.visits,
        s.certified,
        s.tests,
        s.candidates,
    );
    Ok([total, all / f64::from(count)])
}
