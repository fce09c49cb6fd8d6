//! What steps cost by each method: `CRUMPLE_DATA=DIR cargo test --release -p crumple --test continuous -- --ignored timing
//! --nocapture`. CPU time of one thread, best of three, mean of two steps; without the data only scenes of our own.

use cpu_time::ProcessTime;
use crumple::methods::regularity::step::RegularityStep;
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{Bodies, Frame, Impact, Mesh, Pairs};

type Positions = Vec<Vec<[f64; 3]>>;

/// Recorded frames, and where they are below the data directory.
const PAIRS: [(&str, [&str; 2]); 3] = [
    ("rod-twist", ["3036.ply", "3037.ply"]),
    ("cloth-ball", ["cloth_ball92.ply", "cloth_ball93.ply"]),
    ("n-body-simulation", ["balls16_18.ply", "balls16_19.ply"]),
];
const SCENES: [&str; 6] =
    ["sphere-320k", "loop-320k", "drape-large", "near-10obj", "crumple-100k", "soup-100k"];

fn recorded(name: &str, frames: [&str; 2]) -> Option<(Bodies, Vec<Positions>)> {
    let data = std::path::PathBuf::from(std::env::var_os("CRUMPLE_DATA")?).join("frame-pairs").join(name);
    let [start, end] = frames.map(|f| crumple_io::read(&data.join(f)).expect("frame"));
    let triangles: Vec<[u32; 3]> =
        start.polygons.iter().map(|p| p.try_into().expect("triangles only")).collect();
    let mesh = Mesh::from_triangles(name, start.positions.len(), &triangles).expect("sound");
    Some((Bodies::new([mesh]).expect("few"), vec![vec![start.positions], vec![end.positions]]))
}

fn generated(name: &str) -> (Bodies, Vec<Positions>) {
    let scene = crumple_scenes::lazy(name).expect("registered");
    let mesh = |b: &crumple_scenes::LazyBody| {
        Mesh::from_triangles(&b.name, b.vertices, b.elements.triangles()).expect("sound")
    };
    let bodies = Bodies::new(scene.bodies.iter().map(mesh)).expect("few");
    (
        bodies,
        (0..scene.frames.min(3)).map(|f| scene.bodies.iter().map(|b| b.positions(f)).collect()).collect(),
    )
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let start = ProcessTime::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

/// Mean times of following, of all impacts and of the first, and the number of impacts.
fn measure<M>(
    mut method: M,
    frames: &[Positions],
    follow: impl Fn(&mut M, Frame<'_>),
    all: impl Fn(&mut M, &mut Vec<Impact>),
    first: impl Fn(&mut M) -> Option<Impact>,
) -> ([f64; 3], usize) {
    let (mut mean, mut count, steps) = ([0.0; 3], 0, frames.len() - 1);
    for step in frames.windows(2) {
        let (mut best, mut out) = ([f64::INFINITY; 3], Vec::new());
        for _ in 0..3 {
            let step = Frame::from(&step[0]).step_to(Frame::from(&step[1]));
            let times = [
                milliseconds(|| follow(&mut method, step)),
                milliseconds(|| all(&mut method, &mut out)),
                milliseconds(|| _ = first(&mut method)),
            ];
            best = std::array::from_fn(|i| best[i].min(times[i]));
        }
        count += out.len();
        mean = std::array::from_fn(|i| mean[i] + best[i] / steps as f64);
    }
    (mean, count)
}

#[test]
#[ignore = "minutes, and nothing to assert but that both methods find the same"]
fn timing() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let recorded = PAIRS.iter().filter_map(|(name, frames)| Some((*name, recorded(name, *frames)?)));
    for (name, (bodies, frames)) in recorded.chain(SCENES.map(|name| (name, generated(name)))) {
        one.install(|| {
            let (plain, some) = measure(
                SweptBvh::new(),
                &frames,
                |m, step| m.update(&bodies, step).expect("finite"),
                |m, out| m.impacts(Pairs::All, &|_, _| true, out),
                |m| m.first(Pairs::All, &|_, _| true),
            );
            let (regular, others) = measure(
                RegularityStep::default(),
                &frames,
                |m, step| m.update(&bodies, step).expect("finite"),
                |m, out| m.impacts(Pairs::All, &|_, _| true, out),
                |m| m.first(Pairs::All, &|_, _| true),
            );
            assert_eq!(some, others, "{name}");
            for (method, [follow, all, first]) in [("swept-bvh", plain), ("regularity", regular)] {
                println!(
                    "{name:18} {method:10} follow {follow:6.2} all {all:7.2} first {first:7.2} ms, {some} impacts"
                );
            }
        });
    }
}
