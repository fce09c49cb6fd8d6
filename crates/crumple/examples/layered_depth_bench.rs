//! Times the layered method on the benchmark scenes, with the times to beat beside.
//!
//! `cargo run --release -p crumple --example layered_depth_bench -- SCENES [ROUNDS] [FILTER]`, where SCENES holds one
//! directory per scene as the peers' generator writes it. Run it with RAYON_NUM_THREADS=1: times are CPU times of the process. A frame's time is its best over the rounds,
//! and everything is rebuilt in each.

use std::path::Path;

use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};

/// Scene, frame, time to beat in ms (a tenth of the fastest boolean), true volume.
const OVERLAPS: [(&str, usize, f64, f64); 8] = [
    ("pair-knot12k-blob50k", 0, 4.29, 0.04028042561951024),
    ("pair-knot12k-blob50k", 1, 7.04, 0.5211446740561022),
    ("pair-blob50k-blob110k", 0, 12.7, 0.10251712129594068),
    ("pair-blob50k-blob110k", 1, 25.1, 3.2537716927415614),
    ("pair-blob110k-blob150k", 0, 22.1, 0.02762202685808732),
    ("pair-blob110k-blob150k", 1, 40.8, 3.481421725711035),
    ("pair-knot12k-blob520k", 0, 47.8, 0.03960713557049343),
    ("pair-knot12k-blob520k", 1, 65.3, 0.44202692829385193),
];

/// Scene, time to beat in ms (half of Embree's), points inside.
const INSIDES: [(&str, f64, usize); 5] = [
    ("inside-12k", 6.05, 15196),
    ("inside-50k", 10.9, 48769),
    ("inside-110k", 11.5, 46598),
    ("inside-150k", 13.4, 42336),
    ("inside-520k", 28.1, 39211),
];

fn numbers<const N: usize>(path: &Path) -> Vec<[u8; N]> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    bytes.chunks_exact(N).map(|c| c.try_into().expect("a whole number")).collect()
}

fn positions(scene: &Path, body: usize, frame: usize) -> Vec<[f64; 3]> {
    let flat =
        numbers::<8>(&scene.join(format!("obj{body}_v_{frame:03}.f64"))).into_iter().map(f64::from_le_bytes);
    flat.collect::<Vec<_>>().chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn surface(scene: &Path, body: usize, vertices: usize) -> Mesh {
    let flat = numbers::<4>(&scene.join(format!("obj{body}_e.u32"))).into_iter().map(u32::from_le_bytes);
    let triangles: Vec<[u32; 3]> =
        flat.collect::<Vec<_>>().chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    Mesh::from_triangles("surface", vertices, &triangles).expect("a valid scene")
}

fn best_of<R>(rounds: usize, mut run: impl FnMut() -> R) -> (f64, R) {
    let mut best: Option<(f64, R)> = None;
    for _ in 0..rounds {
        let start = cpu_time::ProcessTime::now();
        let result = run();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        if best.as_ref().is_none_or(|b| ms < b.0) {
            best = Some((ms, result));
        }
    }
    best.expect("at least one round")
}

fn main() {
    let mut args = std::env::args().skip(1);
    let scenes = args.next().expect("the directory of the scenes");
    let rounds: usize = args.next().map_or(10, |r| r.parse().expect("a number of rounds"));
    let filter = args.next().unwrap_or_default();
    println!(
        "{:<26} {:>8} {:>8}  {:>9} {:>10} {:>10} depth  layers",
        "overlap", "ms", "beat", "volume err", "lower", "upper"
    );
    for (name, frame, beat, truth) in OVERLAPS {
        let scene = Path::new(&scenes).join(name);
        if !format!("{name}#{frame}").contains(&filter) || !scene.exists() {
            continue;
        }
        let p = [positions(&scene, 0, frame), positions(&scene, 1, frame)];
        let mesh =
            Bodies::new([surface(&scene, 0, p[0].len()), surface(&scene, 1, p[1].len())]).expect("a mesh");
        let bodies = [Positions::from(&p[0]), Positions::from(&p[1])];
        {
            let params =
                LayeredDepthParams { resolution: Resolution::Pixels([128, 128]), ..Default::default() };
            let mut method = LayeredDepth::new(params).expect("good parameters");
            let mut ask =
                || method.overlap(&mesh, Frame::new(&bodies), BodyId(0), BodyId(1)).expect("closed bodies");
            ask();
            let (ms, o) = best_of(rounds, ask);
            let relative = |v: f64| (v - truth) / truth;
            println!(
                "{:<26} {ms:>8.2} {beat:>8.2}  {:>9.1e} {:>10.1e} {:>10.1e} {:?} {:?}{}",
                format!("{name}#{frame}"),
                relative(o.volume),
                relative(o.lower),
                relative(o.upper),
                o.depth_complexity,
                o.layers,
                if o.lower <= truth && truth <= o.upper { "" } else { "  BOUND BROKEN" },
            );
        }
    }
    println!("\n{:<26} {:>8} {:>8}  {:>8} {:>8}", "inside", "ms", "beat", "inside", "truth");
    for (name, beat, truth) in INSIDES {
        let scene = Path::new(&scenes).join(name);
        if !name.contains(&filter) || !scene.exists() {
            continue;
        }
        let p = [positions(&scene, 0, 0), positions(&scene, 1, 0)];
        let mesh = Bodies::new([surface(&scene, 0, p[0].len())]).expect("a mesh");
        let bodies = [Positions::from(&p[0])];
        let mut method = LayeredDepth::new(LayeredDepthParams::default()).expect("good parameters");
        let mut out = Vec::new();
        let mut ask = || {
            let mut solid = method.solid(&mesh, Frame::new(&bodies), BodyId(0)).expect("a closed body");
            solid.inside(Positions::from(&p[1]), &mut out).expect("good points");
            out.iter().filter(|&&i| i).count()
        };
        ask();
        let (ms, count) = best_of(rounds, ask);
        println!(
            "{name:<26} {ms:>8.2} {beat:>8.2}  {count:>8} {truth:>8}{}",
            if count == truth { "" } else { "  WRONG" }
        );
    }
}
