//! What layers cost beside the least that any method does each frame: the boxes and unit normals of all triangles.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p crumple --example layered_depth_floor -- SCENES [ROUNDS]`, where SCENES
//! holds one directory per scene as the peers' generator writes it. Times are CPU times of the process, the best of the
//! rounds; everything is rebuilt in each. *boxes, normals* reads every triangle's corners through its indices and writes
//! a box and a unit normal, in double precision as the positions are, in the order of the file. *layers* is all that
//! [`LayeredDepth::view`] and `layers_into` do for both bodies at 128 × 128: checks, the volume of interest, snapping,
//! crossings, sorting. *surface* is the columns of the second body over its whole box, with touched slices and winding
//! numbers, as `LayeredDepth::solid` builds them for questions about points.

use std::path::Path;

use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams, Layers};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};

const SCENES: [&str; 4] =
    ["pair-knot12k-blob50k", "pair-blob50k-blob110k", "pair-blob110k-blob150k", "pair-knot12k-blob520k"];

fn numbers<const N: usize>(path: &Path) -> Vec<[u8; N]> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    bytes.chunks_exact(N).map(|c| c.try_into().expect("a whole number")).collect()
}

fn positions(scene: &Path, body: usize, frame: usize) -> Vec<[f64; 3]> {
    let flat =
        numbers::<8>(&scene.join(format!("obj{body}_v_{frame:03}.f64"))).into_iter().map(f64::from_le_bytes);
    flat.collect::<Vec<_>>().chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn triangles(scene: &Path, body: usize) -> Vec<[u32; 3]> {
    let flat = numbers::<4>(&scene.join(format!("obj{body}_e.u32"))).into_iter().map(u32::from_le_bytes);
    flat.collect::<Vec<_>>().chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn best_of(rounds: usize, mut run: impl FnMut()) -> f64 {
    run();
    (0..rounds)
        .map(|_| {
            let start = cpu_time::ProcessTime::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        })
        .fold(f64::INFINITY, f64::min)
}

/// The lower and upper end of a triangle's box, and its unit normal.
type Floor = [[f64; 3]; 3];

fn boxes_and_normals(points: &[[f64; 3]], triangles: &[[u32; 3]], out: &mut [Floor]) {
    for (out, t) in out.iter_mut().zip(triangles) {
        let [a, b, c] = [points[t[0] as usize], points[t[1] as usize], points[t[2] as usize]];
        let (u, v) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let min = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let max = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        *out = [min, max, n.map(|x| x / length)];
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let scenes = args.next().expect("the directory of the scenes");
    let rounds: usize = args.next().map_or(20, |r| r.parse().expect("a number of rounds"));
    println!(
        "{:<26} {:>14} {:>10} {:>6}   {:>14} {:>10} {:>6}",
        "scene#frame", "boxes, normals", "layers", "ratio", "of the second", "surface", "ratio"
    );
    for name in SCENES {
        for frame in 0..2 {
            let scene = Path::new(&scenes).join(name);
            let points = [positions(&scene, 0, frame), positions(&scene, 1, frame)];
            let faces = [triangles(&scene, 0), triangles(&scene, 1)];
            let body = |k: usize| {
                Mesh::from_triangles("surface", points[k].len(), &faces[k]).expect("a valid scene")
            };
            let mesh = Bodies::new([body(0), body(1)]).expect("a mesh");
            let bodies = [Positions::from(&points[0]), Positions::from(&points[1])];
            let mut out = [vec![Floor::default(); faces[0].len()], vec![Floor::default(); faces[1].len()]];
            let mut floor = [0, 1].map(|k| {
                best_of(rounds, || {
                    boxes_and_normals(&points[k], &faces[k], std::hint::black_box(&mut out[k]));
                })
            });
            let mut method = LayeredDepth::new(LayeredDepthParams::default()).expect("good parameters");
            let mut layers: [Option<Layers>; 2] = [None, None];
            let drawn = best_of(rounds, || {
                let view = method.view(&mesh, Frame::new(&bodies), BodyId(0), BodyId(1));
                let mut view = view.expect("closed bodies").expect("a common volume");
                for (k, layers) in layers.iter_mut().enumerate() {
                    let lattice = *view.lattice();
                    view.layers_into(k, layers.get_or_insert_with(|| Layers::empty(lattice)));
                }
            });
            let surface = best_of(rounds, || {
                method.solid(&mesh, Frame::new(&bodies), BodyId(1)).expect("a closed body");
            });
            floor[0] += floor[1];
            println!(
                "{:<26} {:>14.2} {drawn:>10.2} {:>6.2}   {:>14.2} {surface:>10.2} {:>6.2}",
                format!("{name}#{frame}"),
                floor[0],
                drawn / floor[0],
                floor[1],
                surface / floor[1]
            );
        }
    }
}
