//! Measures the spatial hash: speed beside the peers', and the sweeps of the paper's figures.
//!
//! `cargo run --release -p crumple --example spatial_hash_bench -- [speed|setups|sizes|choices|levels|more|all] [scene directory…]`
//!
//! `speed` (the default) times the scenes `tets-*`, or the scene directories that are named, so that the same bytes can
//! be given to other engines. `setups` is the paper's Table 2 (T25–T29, T36). `sizes` sweeps table and cell size (T30–T33), `choices` compares hash functions, tests,
//! tables and passes (T11, T18, T23) and regroups bodies (T34), `levels` mixes large and small tets (T43), `more` times
//! edges (T38), triangles (T17) and depth (T41).
//! One thread is measured in process CPU time; a frame's time is its best over several rounds, the mean over frames is told.

use std::path::Path;
use std::time::Instant;

use crumple::methods::spatial_hash::{
    Find, HashFunction, InsideTest, Levels, Passes, SpatialHash, SpatialHashParams, TableKind,
};
use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use crumple_io::{SceneDir, SceneElements};
use crumple_scenes::shapes::tet_box;
use crumple_scenes::{Elements, LazyScene, Solid};

/// The fastest peer on these scenes, milliseconds a frame on one thread.
const PEERS: [(&str, f64); 6] = [
    ("tets-A", 0.162),
    ("tets-B", 0.781),
    ("tets-C", 2.3),
    ("tets-D", 4.28),
    ("tets-E", 12.0),
    ("tets-1M", 313.0),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let what = args.first().map_or("speed", String::as_str);
    if matches!(what, "speed" | "all") {
        speed(args.get(1..).unwrap_or_default());
    }
    if matches!(what, "setups" | "all") {
        setups();
    }
    if matches!(what, "sizes" | "all") {
        table_sizes();
        cell_sizes();
    }
    if matches!(what, "choices" | "all") {
        choices();
    }
    if matches!(what, "levels" | "all") {
        levels();
    }
    if matches!(what, "more" | "all") {
        more();
    }
}

fn speed(folders: &[String]) {
    println!("scene         tets   update    query    total ms  ns/tet   peer ms  faster  results");
    let scenes = folders.iter().map(|f| Scene::open(Path::new(f)));
    let own = PEERS.iter().filter(|_| folders.is_empty()).map(|p| Scene::named(p.0));
    for scene in scenes.chain(own) {
        let t = scene.time(SpatialHashParams::default());
        let (tets, total) = (scene.mesh.tets().len(), t.update + t.query);
        let peer = PEERS.iter().find(|p| p.0 == scene.name).map_or(f64::NAN, |p| p.1);
        println!(
            "{:8} {tets:9} {:8.3} {:8.3} {total:11.3} {:7.1} {peer:9.3} {:7.1} {:8}",
            scene.name,
            t.update,
            t.query,
            total * 1e6 / tets as f64,
            peer / total,
            t.results
        );
    }
}

/// Tables 1 and 2: counts of the set-ups, and milliseconds over some steps as published and by rows.
fn setups() {
    use crumple_scenes::papers::teschner;
    const STEPS: usize = 40;
    println!(
        "\nset-up objects  tets vertices |   ave    min    max    dev ms as published |   ave    min    max    dev ms by rows"
    );
    type SetUp = fn(&str) -> LazyScene;
    let all: [(&str, SetUp); 5] =
        [("A", teschner::a), ("B", teschner::b), ("C", teschner::c), ("D", teschner::d), ("E", teschner::e)];
    for (name, make) in all {
        let scene = make(name).first(STEPS);
        let mesh = Scene::of(scene.clone().first(1)).mesh;
        let [mut published, mut rows] = [SpatialHashParams::as_published(), SpatialHashParams::default()]
            .map(|p| (SpatialHash::new(p), Vec::new()));
        for f in 0..STEPS {
            let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(f)).collect();
            let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
            for (hash, times) in [&mut published, &mut rows] {
                let (hash, mut out) = (hash.as_mut().expect("valid parameters"), Contacts::default());
                let begin = seconds();
                hash.update(&mesh, Frame::new(&bodies)).expect("finite positions");
                hash.contacts(&mesh, Frame::new(&bodies), Pairs::All, &mut out);
                times.push(1e3 * (seconds() - begin));
            }
        }
        print!("{name:6} {:7} {:5} {:8} ", mesh.meshes().len(), mesh.tets().len(), mesh.vertex_count());
        for times in [&published.1[1..], &rows.1[1..]] {
            let mean = times.iter().sum::<f64>() / times.len() as f64;
            let spread = (times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / times.len() as f64).sqrt();
            let (low, high) = times.iter().fold((f64::MAX, 0.0f64), |(l, h), &t| (l.min(t), h.max(t)));
            print!("|{mean:7.3}{low:7.3}{high:7.3}{spread:7.3}                 ");
        }
        println!();
    }
}

/// Figures 3 and 4: time against table size 99, 199, 299, …
fn table_sizes() {
    for name in ["tets-D", "tets-A"] {
        let scene = Scene::named(name).first(1);
        println!("\n{name}: table size, ms as published, ms by rows, longest entry, met per tet");
        for n in (0..).map(|k| 99 + 100 * (1u32 << k) - 100).take_while(|&n| n < 30_000) {
            let published = SpatialHashParams { table_size: Some(n), ..SpatialHashParams::as_published() };
            let rows = SpatialHashParams { table_size: Some(n), ..SpatialHashParams::default() };
            let (a, b, s) = (scene.time(published), scene.time(rows), scene.statistics(published));
            let met = s.met as f64 / scene.mesh.tets().len() as f64;
            println!("{n:8} {:9.3} {:9.3} {:7} {met:9.1}", a.total(), b.total(), s.longest_entry);
        }
    }
}

/// Figures 5 and 6: time against cell size, as a multiple of the mean edge length.
fn cell_sizes() {
    for (name, n) in [("tets-D", 9973), ("tets-A", 4999)] {
        let scene = Scene::named(name).first(1);
        let published = SpatialHashParams { table_size: Some(n), ..SpatialHashParams::as_published() };
        let edge = scene.statistics(published).cell_size;
        println!(
            "\n{name}: cell size / mean edge {edge:.4}, ms as published, ms by rows, cells per tet (p), vertices per cell (q)"
        );
        for factor in [0.25, 0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0] {
            let size = Some(edge * factor);
            let published = SpatialHashParams { cell_size: size, ..published };
            let rows = SpatialHashParams { cell_size: size, ..SpatialHashParams::default() };
            let (a, b, s) = (scene.time(published), scene.time(rows), scene.statistics(published));
            println!(
                "{factor:8.2} {:9.3} {:9.3} {:7.2} {:7.2}",
                a.total(),
                b.total(),
                s.cells_per_tet,
                s.vertices_per_cell
            );
        }
    }
}

/// Hash functions, tests, tables, passes, and the number of bodies.
fn choices() {
    let scene = Scene::named("tets-D").first(1);
    println!("\ntets-D: ms at table size 499 and 9973");
    let show = |label: &str, params: SpatialHashParams| {
        let [small, large] =
            [499, 9973].map(|n| scene.time(SpatialHashParams { table_size: Some(n), ..params }).total());
        println!("{label:28} {small:9.3} {large:9.3}");
    };
    let published = SpatialHashParams::as_published();
    for hash in HashFunction::ALL {
        show(&format!("hash {hash:?}"), SpatialHashParams { hash, ..published });
    }
    for test in [InsideTest::Barycentric, InsideTest::HalfSpaces, InsideTest::Exact] {
        show(&format!("test {test:?}"), SpatialHashParams { test, ..published });
    }
    show("sorted table", SpatialHashParams { table: TableKind::Sorted, ..published });
    show("one pass", SpatialHashParams { passes: Passes::One, ..published });
    println!("\nset-up E as 1, 10 and 100 bodies: ms by rows, ms as published");
    for groups in [1, 10, 100] {
        let scene = Scene::of(crumple_scenes::papers::teschner::regrouped("regrouped", groups).first(2));
        let (a, b) = (scene.time(SpatialHashParams::default()), scene.time(published));
        println!("{groups:8} {:9.3} {:9.3}  results {} {}", a.total(), b.total(), a.results, b.results);
    }
}

/// Mixed meshes: levels by size against the best single cell size.
fn levels() {
    let moved = |s: Solid, by: [f64; 3]| s.mapped(|p| std::array::from_fn(|k| p[k] + by[k]));
    let fine = || tet_box([30, 20, 10], [1.5, 1.0, 0.5]);
    let coarse = tet_box([12, 8, 8], [12.0, 8.0, 8.0]);
    let huge = Solid {
        positions: vec![[-40.0, -30.0, -20.0], [50.0, -35.0, 10.0], [0.0, 60.0, -5.0], [3.0, 2.0, 40.0]],
        tets: vec![[0, 1, 2, 3]],
    };
    let thin = Solid {
        positions: vec![[-4.0, -3.0, -2.0], [4.0, 3.0, 2.0], [4.0, 3.01, 2.0], [-4.0, -3.0, -1.99]],
        tets: vec![[0, 1, 2, 3]],
    };
    let near = || moved(fine(), [0.4137, 0.3071, 0.2113]);
    let cases = [
        ("fine alone", vec![fine(), near()]),
        ("fine, one huge", vec![fine(), near(), huge.clone()]),
        ("fine, one thin", vec![fine(), near(), thin.clone()]),
        ("fine and coarse", vec![fine(), near(), coarse.clone()]),
        ("all", vec![fine(), near(), coarse, huge, thin]),
    ];
    println!("\nmixed sizes: ms with levels, ms with the best single cell size, ratio");
    for (name, solids) in cases {
        let scene = Scene::still(name, solids);
        let ours = scene.time(SpatialHashParams::default());
        let single = |k: i32| {
            let cell_size = Some(0.05 * 2f64.powf(f64::from(k) / 2.0));
            scene.time(SpatialHashParams { cell_size, levels: Levels::One, ..SpatialHashParams::default() })
        };
        let best =
            (0..14).map(single).min_by(|a, b| a.total().total_cmp(&b.total())).expect("fourteen sizes");
        assert_eq!(ours.results, best.results);
        let ratio = ours.total() / best.total();
        println!("{name:20} {:9.3} {:9.3} {ratio:7.2}  results {}", ours.total(), best.total(), ours.results);
    }
}

/// What a search for edges, for triangles and the depths add to that for vertices.
fn more() {
    println!(
        "\nms a frame: vertices in tets, edges through tets, triangles that intersect, depth of every vertex inside"
    );
    for name in ["tets-B", "tets-D", "tets-E"] {
        let scene = Scene::named(name).first(2);
        let find = |vertex_tets, edge_tets, triangle_pairs| {
            let find = Find { vertex_tets, edge_tets, triangle_pairs };
            scene.time(SpatialHashParams { find, ..SpatialHashParams::default() }).total()
        };
        let [vertices, edges, triangles] =
            [find(true, false, false), find(false, true, false), find(false, false, true)];
        println!("{name:8} {vertices:9.3} {edges:9.3} {triangles:9.3} {:9.3}", scene.time_depth());
    }
}

/// A mesh and its frames in memory.
struct Scene {
    name: String,
    mesh: Bodies,
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

/// Milliseconds a frame.
struct Time {
    update: f64,
    query: f64,
    results: usize,
}

impl Time {
    fn total(&self) -> f64 {
        self.update + self.query
    }
}

impl Scene {
    fn named(name: &str) -> Self {
        Self::of(crumple_scenes::lazy(name).expect("a registered scene"))
    }

    fn of(scene: LazyScene) -> Self {
        let body = |b: &crumple_scenes::LazyBody| match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let bodies: Vec<Mesh> = scene.bodies.iter().map(|b| body(b).expect("a valid body")).collect();
        let frames =
            (0..scene.frames).map(|f| scene.bodies.iter().map(|b| b.positions(f)).collect()).collect();
        Self { name: scene.name, mesh: Bodies::new(bodies).expect("a valid mesh"), frames }
    }

    fn still(name: &str, solids: Vec<Solid>) -> Self {
        let body = |s: &Solid| Mesh::from_tets(name, s.positions.len(), &s.tets).expect("a valid body");
        let mesh = Bodies::new(solids.iter().map(body)).expect("a valid mesh");
        Self { name: name.into(), mesh, frames: vec![solids.into_iter().map(|s| s.positions).collect()] }
    }

    fn open(folder: &Path) -> Self {
        let scene = SceneDir::open(folder).expect("a scene directory");
        let body = |b: &crumple_io::SceneBody| match &b.elements {
            SceneElements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            SceneElements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            SceneElements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let bodies: Vec<Mesh> = scene.bodies.iter().map(|b| body(b).expect("a valid body")).collect();
        let positions = |b: usize, f: usize| {
            let mut out = Vec::new();
            scene.read_positions(b, f, &mut out).expect("positions");
            out
        };
        let frames =
            (0..scene.frames).map(|f| (0..bodies.len()).map(|b| positions(b, f)).collect()).collect();
        Self { name: scene.name.clone(), mesh: Bodies::new(bodies).expect("a valid mesh"), frames }
    }

    fn first(mut self, frames: usize) -> Self {
        self.frames.truncate(frames);
        self
    }

    fn statistics(&self, params: SpatialHashParams) -> crumple::methods::spatial_hash::HashStatistics {
        let positions: Vec<Positions<'_>> = self.frames[0].iter().map(Positions::from).collect();
        let frame = Frame::new(&positions);
        let mut hash = SpatialHash::new(params).expect("valid parameters");
        hash.update(&self.mesh, frame).expect("finite positions");
        hash.statistics(&self.mesh, frame)
    }

    fn time_depth(&self) -> f64 {
        let positions: Vec<Positions<'_>> = self.frames[0].iter().map(Positions::from).collect();
        let frame = Frame::new(&positions);
        let mut hash = SpatialHash::new(SpatialHashParams::default()).expect("valid parameters");
        let (mut out, mut depths) = (Contacts::default(), Vec::new());
        hash.update(&self.mesh, frame).expect("finite positions");
        hash.contacts(&self.mesh, frame, Pairs::All, &mut out);
        let once = |_| {
            let begin = seconds();
            hash.penetrations(&self.mesh, frame, &out.vertex_tets, &mut depths);
            1e3 * (seconds() - begin)
        };
        (0..10).map(once).fold(f64::MAX, f64::min)
    }

    fn time(&self, params: SpatialHashParams) -> Time {
        let frames: Vec<Vec<Positions<'_>>> =
            self.frames.iter().map(|f| f.iter().map(Positions::from).collect()).collect();
        let mut hash = SpatialHash::new(params).expect("valid parameters");
        let mut out = Contacts::default();
        let mut best = vec![(f64::MAX, 0.0, 0.0); frames.len()];
        let (begin, mut round, mut results) = (seconds(), 0, 0);
        while round < 3 || (seconds() - begin < 0.5 && round < 200) {
            results = 0;
            for (positions, best) in frames.iter().zip(&mut best) {
                let frame = Frame::new(positions);
                let t0 = seconds();
                hash.update(&self.mesh, frame).expect("finite positions");
                let t1 = seconds();
                hash.contacts(&self.mesh, frame, Pairs::All, &mut out);
                let t2 = seconds();
                if t2 - t0 < best.0 {
                    *best = (t2 - t0, t1 - t0, t2 - t1);
                }
                results += out.vertex_tets.len();
            }
            round += 1;
        }
        let mean =
            |part: fn(&(f64, f64, f64)) -> f64| 1e3 * best.iter().map(part).sum::<f64>() / best.len() as f64;
        Time { update: mean(|b| b.1), query: mean(|b| b.2), results }
    }
}

/// CPU time of the process on one thread, wall time on more; `CRUMPLE_CPU_TIME` asks for CPU time on any number, which tells the
/// overhead of sharing on a busy machine.
fn seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse::<usize>().ok());
    if threads.unwrap_or(0) == 1 || std::env::var_os("CRUMPLE_CPU_TIME").is_some() {
        cpu_time::ProcessTime::now().as_duration().as_secs_f64()
    } else {
        START.with(|s| s.elapsed().as_secs_f64())
    }
}
