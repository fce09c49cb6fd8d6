//! Times of the spatial hash on the benchmark scenes `tets-*`, beside the fastest peer's.
//!
//! `cargo run --release -p crumple --example spatial_hash_bench -- DIR [scene…]`, where DIR holds scene directories as
//! `scenes.py` of the peers writes them.

use std::path::Path;

use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Body, Contacts, Detector, Frame, Mesh, Pairs, Positions};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let dir = args.first().map_or("/tmp/scenes", |s| s);
    let all = ["tets-A", "tets-B", "tets-C", "tets-D", "tets-E", "tets-1M"].map(String::from);
    let names = if args.len() > 1 { &args[1..] } else { &all[..] };
    for name in names {
        let scene = Scene::load(&Path::new(dir).join(name));
        let (update, query, results) = scene.time(SpatialHashParams::default());
        let total = update + query;
        let tets = scene.mesh.tets().len();
        println!(
            "{name:8} {tets:8} tets  update {:8.3} query {:8.3} total {:8.3} ms  {:6.1} ns/tet  results {results}",
            update * 1e3,
            query * 1e3,
            total * 1e3,
            total * 1e9 / tets as f64
        );
    }
}

struct Scene {
    mesh: Mesh,
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

impl Scene {
    fn load(dir: &Path) -> Self {
        let text = std::fs::read_to_string(dir.join("manifest.json")).expect("manifest");
        let number = |key: &str, from: &str| -> usize {
            let at = from.find(key).expect(key) + key.len();
            from[at..]
                .trim_start_matches([' ', ':', '"'])
                .split(|c: char| !c.is_ascii_digit())
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        let frames = number("\"frames\"", &text);
        let objects: Vec<&str> = text.split("\"kind\"").skip(1).collect();
        let mut bodies = Vec::new();
        let mut positions = vec![Vec::new(); frames];
        for (i, object) in objects.iter().enumerate() {
            let vertices = number("\"vertices\"", object);
            let read = |name: String| std::fs::read(dir.join(&name)).expect(&name);
            let e: Vec<u32> = read(format!("obj{i}_e.u32"))
                .chunks_exact(4)
                .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
                .collect();
            let tets: Vec<[u32; 4]> = e.chunks_exact(4).map(|c| c.try_into().unwrap()).collect();
            bodies.push(Body::tets(format!("{i}"), vertices, &tets).unwrap());
            for (f, frame) in positions.iter_mut().enumerate() {
                let v: Vec<f64> = read(format!("obj{i}_v_{f:03}.f64"))
                    .chunks_exact(8)
                    .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
                    .collect();
                frame.push(v.chunks_exact(3).map(|c| c.try_into().unwrap()).collect());
            }
        }
        Self { mesh: Mesh::new(bodies).unwrap(), frames: positions }
    }

    /// Mean over the frames of the best time of several rounds: update, query; and results summed over the frames.
    fn time(&self, params: SpatialHashParams) -> (f64, f64, usize) {
        let frames: Vec<Vec<Positions<'_>>> =
            self.frames.iter().map(|f| f.iter().map(Positions::from).collect()).collect();
        let mut hash = SpatialHash::new(params).unwrap();
        let mut out = Contacts::default();
        let mut best = vec![(f64::MAX, f64::MAX); frames.len()];
        let mut results = 0;
        let begin = cpu_seconds();
        let mut round = 0;
        while round < 3 || (cpu_seconds() - begin < 1.0 && round < 200) {
            results = 0;
            for (positions, best) in frames.iter().zip(&mut best) {
                let frame = Frame::new(positions);
                let t0 = cpu_seconds();
                hash.update(&self.mesh, frame).unwrap();
                let t1 = cpu_seconds();
                hash.contacts(&self.mesh, frame, Pairs::All, &mut out);
                let t2 = cpu_seconds();
                if t2 - t0 < best.0 + best.1 {
                    *best = (t1 - t0, t2 - t1);
                }
                results += out.vertex_tets.len();
            }
            round += 1;
        }
        let n = best.len() as f64;
        (best.iter().map(|b| b.0).sum::<f64>() / n, best.iter().map(|b| b.1).sum::<f64>() / n, results)
    }
}

/// CPU time of this process.
fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
