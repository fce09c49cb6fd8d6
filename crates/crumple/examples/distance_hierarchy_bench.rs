//! Times the distance hierarchy on scene directories (`manifest.json` and raw arrays) beside its targets.
//!
//!     cargo run --release -p crumple --example distance_hierarchy_bench -- DIR [NAME…]
//!
//! Process CPU time on one thread unless RAYON_NUM_THREADS says otherwise; a frame's time is its best over the rounds,
//! reported is the mean over the frames. "cold" forgets the frame before; "slow" takes ten steps that are a fortieth of the
//! scene's.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams, Partition};
use crumple::{Body, BodyId, Frame, Mesh, Positions};

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
    mesh: Mesh,
    /// Positions by frame and body.
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

impl Scene {
    /// Ten steps from the first frame towards the second, each a fortieth of the way.
    fn slow(&self) -> Vec<Vec<Vec<[f64; 3]>>> {
        let part = |p: &[f64; 3], q: &[f64; 3], t: f64| std::array::from_fn(|k| p[k] + t * (q[k] - p[k]));
        let body = |b: usize, t: f64| {
            let ends = self.frames[0][b].iter().zip(&self.frames[1][b]);
            ends.map(|(p, q)| part(p, q, t)).collect()
        };
        (0..10).map(|f| (0..self.frames[0].len()).map(|b| body(b, f as f64 / 40.0)).collect()).collect()
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
        bodies.push(Body::triangles(format!("{i}"), vertices, &corners)?);
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
    Ok(Scene { mesh: Mesh::new(bodies)?, frames: positions })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let root = args.next().ok_or("which directory?")?;
    let wanted: Vec<String> = args.collect();
    println!(
        "{:16} {:18} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}  results, counters of the last frame",
        "scene", "question", "build", "update", "query", "total", "target", "ratio"
    );
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
            bench(target, question, &scene)?;
        }
    }
    Ok(())
}

struct Question {
    name: &'static str,
    is_slow: bool,
    partition: Partition,
    ask: fn(&mut DistanceHierarchy, &Target, usize) -> f64,
    /// Milliseconds and sum to reach.
    goal: fn(&Target) -> (f64, f64),
}

const QUESTIONS: [Question; 8] = [
    Question {
        name: "minimum",
        is_slow: false,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |t| t.minimum,
    },
    Question {
        name: "cold",
        is_slow: false,
        partition: Partition::Median,
        ask: |h, _, _| {
            h.forget();
            minimum(h)
        },
        goal: |t| t.minimum,
    },
    Question {
        name: "slow",
        is_slow: true,
        partition: Partition::Median,
        ask: |h, _, _| minimum(h),
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "slow-cold",
        is_slow: true,
        partition: Partition::Median,
        ask: |h, _, _| {
            h.forget();
            minimum(h)
        },
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "octree",
        is_slow: false,
        partition: Partition::Octree,
        ask: |h, _, _| minimum(h),
        goal: |t| t.minimum,
    },
    Question {
        name: "vertex-pairs",
        is_slow: false,
        partition: Partition::Median,
        ask: |h, t, _| h.count_all_vertices_within(t.margin) as f64,
        goal: |t| (t.vertices.0, t.vertices.1 as f64),
    },
    Question {
        name: "triangle-pairs",
        is_slow: false,
        partition: Partition::Median,
        ask: |h, t, n| {
            let pairs = (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (BodyId(a), BodyId(b))));
            pairs.map(|(a, b)| h.within(a, b, t.margin).len() as f64).sum()
        },
        goal: |_| (f64::NAN, f64::NAN),
    },
    Question {
        name: "vertex-distances",
        is_slow: false,
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

fn bench(target: &Target, question: &Question, scene: &Scene) -> Result<(), Box<dyn Error>> {
    let (goal, expected) = (question.goal)(target);
    let mut params = DistanceParams { partition: question.partition, ..DistanceParams::default() };
    if let Some(n) = std::env::var("REGION").ok().and_then(|n| n.parse().ok()) {
        params.region_triangles = n;
    }
    let most_rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let slow = scene.slow();
    let frames: Vec<Vec<Positions<'_>>> = (if question.is_slow { &slow } else { &scene.frames })
        .iter()
        .map(|f| f.iter().map(Positions::from).collect())
        .collect();
    let start = ProcessTime::now();
    let mut method = DistanceHierarchy::new(&scene.mesh, Frame::new(&frames[0]), params)?;
    let build = start.elapsed();
    let mut best = vec![[f64::INFINITY; 2]; frames.len()];
    let mut sum = 0.0;
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < most_rounds.min(3)
        || (rounds < most_rounds && begin.elapsed() < Duration::from_millis(1500))
    {
        sum = 0.0;
        for (best, positions) in best.iter_mut().zip(&frames) {
            let start = ProcessTime::now();
            method.update(&scene.mesh, Frame::new(positions))?;
            let update = start.elapsed();
            sum += (question.ask)(&mut method, target, scene.mesh.bodies().len());
            let ms = [update, start.elapsed() - update].map(|t| t.as_secs_f64() * 1e3);
            if ms[0] + ms[1] < best[0] + best[1] {
                *best = ms;
            }
        }
        rounds += 1;
    }
    let mean = |i: usize| best.iter().map(|b| b[i]).sum::<f64>() / best.len() as f64;
    let total = mean(0) + mean(1);
    let verdict =
        if expected.is_nan() || (sum - expected).abs() <= 1e-6 * expected.abs() { "" } else { " WRONG" };
    let s = method.stats();
    println!(
        "{:16} {:18} {:8.1} {:8.3} {:8.3} {total:8.3} {goal:8.2} {:6.2}  {sum}{verdict} visits {} certified {} tests {} exact {}",
        target.name,
        question.name,
        build.as_secs_f64() * 1e3,
        mean(0),
        mean(1),
        total / goal,
        s.visits,
        s.certified,
        s.tests,
        s.candidates,
    );
    Ok(())
}
