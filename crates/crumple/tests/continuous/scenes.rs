//! Steps of whole scenes: every impact against brute force, the first among all, and what no impact means.
//! `CRUMPLE_CCD_SCENES=100` takes more random scenes: 136 steps, 23,288 impacts, no difference.

use crate::generate::number;
use crumple::methods::brute_force::{BruteForce, impacts};
use crumple::methods::regularity::step::RegularityStep;
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{
    Bodies, BodyId, Contacts, Detector, Error, Features, Frame, Impact, Mesh, Pairs, TriangleId, VertexId,
};
use crumple_scenes::random::{Mix, scene_of};
use crumple_scenes::{Elements, Rng, Scene};

type Positions = Vec<Vec<[f64; 3]>>;

fn bodies_of(scene: &Scene) -> Bodies {
    let body = |b: &crumple_scenes::SceneBody| match &b.elements {
        Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.frames[0].len(), t),
        Elements::Tets(t) => Mesh::from_tets(&b.name, b.frames[0].len(), t),
        Elements::Points => Mesh::from_points(&b.name, b.frames[0].len()),
    };
    Bodies::new(scene.bodies.iter().map(|b| body(b).expect("scenes are valid"))).expect("scenes are small")
}

fn frame(scene: &Scene, f: usize) -> Positions {
    scene.bodies.iter().map(|b| b.frames[f].clone()).collect()
}

/// Whose features they are.
fn owners(bodies: &Bodies, features: Features) -> [BodyId; 2] {
    let of = |v: VertexId| bodies.locate_vertex(v).0;
    match features {
        Features::VertexTriangle(v, t) => [of(v), bodies.locate_triangle(t).0],
        Features::EdgeEdge(a, b) => [of(a[0]), of(b[0])],
    }
}

fn step(method: &mut SweptBvh, bodies: &Bodies, start: &Positions, end: &Positions) {
    method.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
}

fn all(method: &mut SweptBvh, pairs: Pairs) -> Vec<Impact> {
    let mut out = vec![];
    method.impacts(pairs, &|_, _| true, &mut out);
    out
}

/// What `first` must be, by its definition.
fn earliest(all: &[Impact]) -> Option<Impact> {
    let after = all.iter().map(|i| i.time.after).fold(f64::INFINITY, f64::min);
    let by = all.iter().map(|i| i.time.by).fold(f64::INFINITY, f64::min);
    let mut first = *all.iter().filter(|i| i.time.after <= by).min_by_key(|i| i.features)?;
    (first.time.after, first.time.by) = (after, by);
    Some(first)
}

/// Holds a step to brute force in every way, and says how many impacts there are.
fn hold_to_oracle(method: &mut SweptBvh, bodies: &Bodies, start: &Positions, end: &Positions) -> usize {
    step(method, bodies, start, end);
    // Patches of one triangle to many, so that regions of all sizes are asked about.
    let mut regular = RegularityStep::with_patch_size([1, 3, 8, 32][start[0].len() % 4]);
    regular.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
    let hits = impacts::impacts(bodies, Frame::from(start), Frame::from(end)).expect("finite");
    for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
        let is_asked = |features| {
            let [a, b] = owners(bodies, features);
            if a == b { pairs.within() } else { pairs.between() }
        };
        let found = all(method, pairs);
        let got: Vec<Features> = found.iter().map(|i| i.features).collect();
        let wanted: Vec<Features> = hits.iter().map(|h| h.features).filter(|&f| is_asked(f)).collect();
        assert_eq!(got, wanted, "{pairs:?}");
        assert_eq!(method.first(pairs, &|_, _| true), earliest(&found), "{pairs:?}");
        let mut again = vec![];
        regular.impacts(pairs, &|_, _| true, &mut again);
        assert_eq!(again, found, "{pairs:?} by regularity");
        assert_eq!(regular.first(pairs, &|_, _| true), earliest(&found), "{pairs:?} by regularity");
    }
    for (impact, hit) in all(method, Pairs::All).iter().zip(&hits) {
        assert!(hit.first.is_in_interval(impact.time.after, impact.time.by), "{impact:?}");
    }
    hits.len()
}

fn on_threads<R: Send>(n: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads").install(work)
}

#[test]
fn random_scenes_equal_brute_force() {
    let (mut steps, mut found) = (0, 0);
    for seed in 0..number("CRUMPLE_CCD_SCENES", 16) {
        let mix = [Mix::Surfaces, Mix::Anything, Mix::Solids][seed as usize % 3];
        let scene = scene_of(mix, seed, 48);
        let bodies = bodies_of(&scene);
        let mut method = SweptBvh::with_patch_size([3, 64, 1, 8][seed as usize % 4]);
        for f in 1..scene.frames() {
            found += hold_to_oracle(&mut method, &bodies, &frame(&scene, f - 1), &frame(&scene, f));
            steps += 1;
        }
    }
    println!("{steps} steps, {found} impacts");
    assert!(steps > 10 && found > 1000);
}

/// Triangles without neighbours, and some that share vertices or are collapsed, on a lattice: everything is a tie.
fn lattice(seed: u64, count: usize) -> (Bodies, Positions, Positions) {
    let mut rng = Rng::new(seed);
    let (mut meshes, mut start, mut end) = (vec![], vec![], vec![]);
    for name in ["a", "b"] {
        let vertices = 2 * count;
        let mut point = || [0; 3].map(|_| rng.below(4) as f64);
        start.push((0..vertices).map(|_| point()).collect::<Vec<_>>());
        end.push((0..vertices).map(|_| point()).collect::<Vec<_>>());
        let corners: Vec<[u32; 3]> = (0..count).map(|_| [0; 3].map(|_| rng.below(vertices) as u32)).collect();
        meshes.push(Mesh::from_triangles(name, vertices, &corners).expect("in range"));
    }
    (Bodies::new(meshes).expect("few"), start, end)
}

#[test]
fn tied_soups_equal_brute_force() {
    let mut found = 0;
    for seed in 0..12 {
        let (bodies, start, end) = lattice(seed, 9);
        let mut method = SweptBvh::with_patch_size(1 + seed as usize % 4);
        found += hold_to_oracle(&mut method, &bodies, &start, &end);
        assert_eq!(hold_to_oracle(&mut method, &bodies, &start, &start), {
            let hits = impacts::impacts(&bodies, Frame::from(&start), Frame::from(&start)).expect("finite");
            hits.len()
        });
    }
    assert!(found > 500, "{found}");
}

/// Too many impacts for brute force to take long over: threads, patch sizes and steps before agree to the bit.
#[test]
fn equal_on_any_threads_with_any_patches_and_after_updates() {
    let (seeds, size) = if cfg!(debug_assertions) { (4, 100) } else { (12, 600) };
    for seed in 0..seeds {
        let scene = scene_of(Mix::Surfaces, seed, size);
        let bodies = bodies_of(&scene);
        let mut kept = SweptBvh::with_patch_size(7);
        for f in 1..scene.frames() {
            let (start, end) = (frame(&scene, f - 1), frame(&scene, f));
            step(&mut kept, &bodies, &start, &end);
            let expected = (all(&mut kept, Pairs::All), kept.first(Pairs::All, &|_, _| true));
            assert_eq!(earliest(&expected.0), expected.1);
            for (threads, size) in [(1, 64), (2, 16), (3, 32), (4, 1)] {
                let fresh = on_threads(threads, || {
                    let mut fresh = SweptBvh::with_patch_size(size);
                    step(&mut fresh, &bodies, &start, &end);
                    (all(&mut fresh, Pairs::All), fresh.first(Pairs::All, &|_, _| true))
                });
                assert!(fresh == expected, "{} step {f}, {threads} threads, {size}", scene.name);
            }
        }
    }
}

#[test]
fn bodies_come_and_go_and_are_kept_apart() {
    let scene =
        (0..).map(|seed| scene_of(Mix::Surfaces, seed, 60)).find(|s| s.bodies.len() == 3 && s.frames() > 1);
    let scene = scene.expect("one in three has three bodies");
    let (start, end) = (frame(&scene, 0), frame(&scene, 1));
    let bodies = bodies_of(&scene);
    let mut method = SweptBvh::with_patch_size(4);
    assert!(all(&mut method, Pairs::All).is_empty() && method.first(Pairs::All, &|_, _| true).is_none());
    step(&mut method, &bodies, &start, &end);
    let whole = all(&mut method, Pairs::All);
    for (x, y) in [(0, 1), (1, 2), (2, 2)] {
        let is_asked = |a: BodyId, b: BodyId| a == BodyId(x) && b == BodyId(y);
        let mut some = vec![];
        method.impacts(Pairs::All, &is_asked, &mut some);
        let wanted: Vec<Impact> = (whole.iter().copied())
            .filter(|i| {
                let [a, b] = owners(&bodies, i.features);
                is_asked(a.min(b), a.max(b))
            })
            .collect();
        assert_eq!(some, wanted);
    }
    // The first body is gone: the same impacts of the others, renamed.
    let fewer = Bodies::new(bodies.meshes()[1..].to_vec()).expect("few");
    step(&mut method, &fewer, &start[1..].to_vec(), &end[1..].to_vec());
    let (vertices, triangles) =
        (bodies.vertex_range(BodyId(0)).end as u32, bodies.triangle_range(BodyId(0)).end as u32);
    let renamed: Vec<Features> = (whole.iter())
        .filter(|i| !owners(&bodies, i.features).contains(&BodyId(0)))
        .map(|i| match i.features {
            Features::VertexTriangle(v, t) => {
                Features::VertexTriangle(VertexId(v.0 - vertices), TriangleId(t.0 - triangles))
            }
            Features::EdgeEdge(a, b) => {
                let shift = |v: VertexId| VertexId(v.0 - vertices);
                Features::EdgeEdge(a.map(shift), b.map(shift))
            }
        })
        .collect();
    let found: Vec<Features> = all(&mut method, Pairs::All).iter().map(|i| i.features).collect();
    assert_eq!(found, renamed);
    let one = Frame::from(&start);
    assert!(matches!(method.update(&bodies, one), Err(Error::NoStep)));
}

/// The mesh theorem: a clean start and no impact, then no crossing at any time.
#[test]
fn no_impact_means_no_crossing_in_between() {
    let (mut quiet, mut hit) = (0, 0);
    for seed in 0..if cfg!(debug_assertions) { 200 } else { 2000 } {
        let scene = scene_of([Mix::Surfaces, Mix::Closed][seed as usize % 2], seed, 48);
        let bodies = bodies_of(&scene);
        let (start, last) = (frame(&scene, 0), frame(&scene, scene.frames() - 1));
        let crossings = |at: &Positions| {
            let mut out = Contacts::default();
            let mut method = BruteForce::surfaces();
            method.update(&bodies, Frame::from(at)).expect("finite").contacts(Pairs::All, &mut out);
            out.triangle_pairs.len()
        };
        if crossings(&start) > 0 {
            continue;
        }
        let mut rng = Rng::new(seed);
        // A part of the way to the last frame, and every vertex shaken, a little or a lot.
        let (part, reach) = (rng.below(9) as f64 / 8.0, [0.01, 1.0][seed as usize / 2 % 2]);
        let mix = |a: &Positions, b: &Positions, t: f64| -> Positions {
            let point = |(a, b): (&[f64; 3], &[f64; 3])| [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]));
            a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(point).collect()).collect()
        };
        let mut end = mix(&start, &last, part);
        for x in end.iter_mut().flatten().flatten() {
            *x += reach * (rng.below(17) as f64 / 8.0 - 1.0);
        }
        let mut method = SweptBvh::with_patch_size(5);
        step(&mut method, &bodies, &start, &end);
        if method.first(Pairs::All, &|_, _| true).is_some() {
            hit += 1;
            continue;
        }
        quiet += 1;
        for i in 1..=100 {
            let t = f64::from(i) / 100.0;
            assert_eq!(crossings(&mix(&start, &end, t)), 0, "{} at {t}", scene.name);
        }
    }
    println!("{quiet} without an impact, {hit} with");
    assert!(quiet > 2 && hit > 2, "{quiet} {hit}");
}

/// Two frames of a simulation: as many impacts as are published, and the first of them.
fn published(name: &str, frames: [&str; 2], expected: [usize; 2]) {
    let Some(data) = std::env::var_os("CRUMPLE_DATA") else {
        println!("skipped: CRUMPLE_DATA does not name the data directory");
        return;
    };
    if cfg!(debug_assertions) {
        println!("skipped: takes too long without optimisation");
        return;
    }
    let data = std::path::PathBuf::from(data).join("frame-pairs").join(name);
    let [start, end] = frames.map(|f| crumple_io::read(&data.join(f)).expect("frame"));
    let triangles: Vec<[u32; 3]> =
        start.polygons.iter().map(|p| p.try_into().expect("triangles only")).collect();
    let mesh = Mesh::from_triangles(name, start.positions.len(), &triangles).expect("sound");
    let bodies = Bodies::new([mesh]).expect("few");
    let mut method = SweptBvh::new();
    step(&mut method, &bodies, &vec![start.positions], &vec![end.positions]);
    let found = all(&mut method, Pairs::All);
    let edges = found.iter().filter(|i| matches!(i.features, Features::EdgeEdge(..))).count();
    assert_eq!([edges, found.len() - edges], expected, "{name}");
    assert_eq!(method.first(Pairs::All, &|_, _| true), earliest(&found), "{name}");
}

#[test]
fn rod_twist() {
    published("rod-twist", ["3036.ply", "3037.ply"], [4179, 765]);
}

#[test]
fn cloth_ball() {
    published("cloth-ball", ["cloth_ball92.ply", "cloth_ball93.ply"], [94822, 19032]);
}

#[test]
fn n_body() {
    published("n-body-simulation", ["balls16_18.ply", "balls16_19.ply"], [41031, 9459]);
}
