//! The BucketTree on bodies that are cut, torn and fused, and on soups in motion, against brute force.

use crumple::cut::{Blade, cut, fuse};
use crumple::geometry::{Aabb, Point};
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::published::{
    Boxes, Placement, PublishedBucketTree, PublishedParams, Split,
};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams, PrimitiveTree, Undecided};
use crumple::{
    Bodies, BodyId, Budget, Contacts, Detector, Drawing, Frame, Guarantee, Mesh, Pairs, Positions, Scene,
    SurfaceMethod, Tone, TriangleId,
};
use crumple_scenes::Rng;
use crumple_scenes::papers::ganovelli;

/// Bodies and where their vertices are.
#[derive(Default)]
struct World {
    bodies: Vec<(Mesh, Vec<Point>)>,
}

impl World {
    fn new(rng: &mut Rng) -> Self {
        let mut world = Self::default();
        for name in ["first", "second"] {
            let (mut positions, mut triangles) = (Vec::new(), Vec::new());
            for y in 0..4u32 {
                for x in 0..4u32 {
                    positions.push([f64::from(x) / 3.0, f64::from(y) / 3.0, 0.3 * rng.unit()]);
                    if x < 3 && y < 3 {
                        let a = 4 * y + x;
                        triangles.extend([[a, a + 1, a + 5], [a, a + 5, a + 4]]);
                    }
                }
            }
            world.bodies.push((Mesh::from_triangles(name, 16, &triangles).unwrap(), positions));
        }
        world
    }

    fn mesh(&self) -> Bodies {
        Bodies::new(self.bodies.iter().map(|b| b.0.clone())).unwrap()
    }

    /// One random edit.
    fn edit(&mut self, rng: &mut Rng) {
        let n = rng.below(self.bodies.len());
        let count = self.bodies[n].0.triangles().len();
        // Bodies grow by cuts and shrink by tears, so that brute force can follow.
        match rng.below(if count > 120 { 3 } else { 10 }) {
            0..3 if count > 0 => self.remove(n, 1 + rng.below(1 + count / 8), rng),
            3..5 => self.insert(n, rng),
            5 => self.cut(n, rng),
            6 if self.bodies.len() > 1 && count < 40 => self.fuse(rng),
            7 if self.bodies.len() < 4 => {
                let more = World::new(rng).bodies.swap_remove(0);
                self.bodies.push(more);
            }
            _ => self.shake(rng),
        }
    }

    fn remove(&mut self, n: usize, count: usize, rng: &mut Rng) {
        let mut edit = self.bodies[n].0.edit();
        for _ in 0..count {
            let t = rng.below(self.bodies[n].0.triangles().len());
            let key = self.bodies[n].0.triangle_key(TriangleId(t as u32));
            // Already gone when it was drawn before.
            let _ = edit.remove_triangle(key);
        }
        self.bodies[n].0 = edit.finish().0;
    }

    fn insert(&mut self, n: usize, rng: &mut Rng) {
        let (body, positions) = &mut self.bodies[n];
        let mut edit = body.edit();
        let at = rng.in_box([0.0; 3], [1.0; 3]);
        let corners = std::array::from_fn(|_| edit.add_vertex());
        for _ in 0..3 {
            let by = rng.in_ball();
            positions.push(std::array::from_fn(|k| at[k] + 0.2 * by[k]));
        }
        edit.add_triangle(corners).unwrap();
        *body = edit.finish().0;
    }

    fn cut(&mut self, n: usize, rng: &mut Rng) {
        let point = |rng: &mut Rng| rng.in_box([0.0, 0.0, -0.2], [1.0, 1.0, 0.5]);
        let blade = if rng.chance(0.5) {
            Blade::plane([point(rng), point(rng), point(rng)])
        } else {
            let flat = |p: Point| [p[0], p[1], -2.0];
            let line: Vec<Point> = (0..3).map(|_| flat(point(rng))).collect();
            Blade::sweep(&line, [0.0, 0.0, 4.0])
        };
        let (body, positions) = &self.bodies[n];
        let parts = cut(body, positions, &blade.unwrap()).unwrap();
        self.bodies[n] = (parts.body, parts.positions);
    }

    fn fuse(&mut self, rng: &mut Rng) {
        let b = self.bodies.swap_remove(rng.below(self.bodies.len()));
        let n = rng.below(self.bodies.len());
        let a = &self.bodies[n];
        let one = fuse((&a.0, &a.1), (&b.0, &b.1), &[]).unwrap();
        self.bodies[n] = (one.body, one.positions);
    }

    fn shake(&mut self, rng: &mut Rng) {
        let far = if rng.chance(0.1) { 5.0 } else { 0.05 };
        for (_, positions) in &mut self.bodies {
            let by = rng.in_ball();
            for p in positions {
                let own = rng.in_ball();
                *p = std::array::from_fn(|k| p[k] + far * by[k] + 0.02 * own[k]);
            }
        }
    }
}

fn answer(detector: &mut dyn Detector, mesh: &Bodies, frame: Frame<'_>) -> Contacts {
    let mut out = Contacts::default();
    detector.update(mesh, frame).unwrap().contacts(Pairs::All, &mut out);
    out
}

/// The paper's choices, but boxes that miss nothing, and a sort that gives up.
const FITTED: PublishedParams = PublishedParams {
    placement: Placement::Sorted,
    levels: 4,
    split: Split::Smaller,
    boxes: Boxes::Refitted,
    slack: 0.125,
    sort_budget: 8,
};

fn fixed(params: PublishedParams) -> Box<dyn Detector> {
    Box::new(PublishedBucketTree::new(params).unwrap())
}

fn follow_edits(seed: u64, steps: usize) {
    // Patient; placing everything anew; the paper's octree with boxes fitted to what the buckets hold.
    let makes: [fn() -> Box<dyn Detector>; 3] = [
        || Box::new(BucketTree::new(BucketTreeParams::default()).unwrap()),
        || Box::new(BucketTree::new(BucketTreeParams { slack: 0.0, patience: 1.0 }).unwrap()),
        || fixed(PublishedParams { levels: 2, ..FITTED }),
    ];
    let mut rng = Rng::new(seed);
    let mut world = World::new(&mut rng);
    let mut followers: Vec<Box<dyn Detector>> = makes.iter().map(|make| make()).collect();
    let mut oracle = BruteForce::surfaces();
    let mut hits = 0;
    for step in 0..steps {
        world.edit(&mut rng);
        let mesh = world.mesh();
        let slices: Vec<Positions<'_>> = world.bodies.iter().map(|b| Positions::from(&b.1)).collect();
        let frame = Frame::new(&slices);
        oracle.update(&mesh, frame).unwrap();
        let expected = answer(&mut oracle, &mesh, frame);
        hits += expected.triangle_pairs.len();
        for (n, (make, tree)) in makes.iter().zip(&mut followers).enumerate() {
            tree.update(&mesh, frame).unwrap().validate().unwrap();
            assert_eq!(answer(&mut **tree, &mesh, frame), expected, "step {step}, tree {n}");
            assert_eq!(answer(&mut *make(), &mesh, frame), expected, "step {step}, tree {n}, afresh");
        }
    }
    assert!(hits > steps, "the edits make collisions");
}

#[test]
fn every_edit_of_thousands_equals_brute_force() {
    follow_edits(1, 2000);
}

#[test]
fn two_threads_follow_edits_too() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| follow_edits(2, 300));
}

#[test]
fn soups_large_enough_for_threads() {
    // Above the sizes at which work is shared, and above one bucket.
    let scene = ganovelli::clouds("clouds", 20_000, 20.0, 3).collect();
    let mesh = Bodies::new(
        scene
            .bodies
            .iter()
            .map(|b| Mesh::from_triangles(&b.name, b.frames[0].len(), b.elements.triangles()).unwrap()),
    )
    .unwrap();
    let run = |threads: usize, make: &(dyn Fn() -> Box<dyn Detector> + Sync)| -> Vec<Contacts> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let slices = |f: usize| -> Vec<Positions<'_>> {
                scene.bodies.iter().map(|b| Positions::from(&b.frames[f])).collect()
            };
            let mut tree = make();
            (0..3)
                .map(|f| {
                    let now = slices(f);
                    tree.update(&mesh, Frame::new(&now)).unwrap();
                    tree.update(&mesh, Frame::new(&now)).unwrap().validate().unwrap();
                    answer(&mut *tree, &mesh, Frame::new(&now))
                })
                .collect()
        })
    };
    let ours = || -> Box<dyn Detector> { Box::new(BucketTree::new(BucketTreeParams::default()).unwrap()) };
    let expected = run(1, &ours);
    assert!(expected.iter().all(|c| c.triangle_pairs.len() > 1000));
    assert_eq!(run(2, &ours), expected);
    let anew = BucketTreeParams { patience: 1.0, ..Default::default() };
    assert_eq!(run(2, &|| Box::new(BucketTree::new(anew).unwrap())), expected);
    assert_eq!(run(2, &|| fixed(FITTED)), expected);
    assert_eq!(run(2, &|| fixed(PublishedParams { placement: Placement::Direct, ..FITTED })), expected);
}

#[test]
fn a_large_tree_shrinks_and_grows() {
    // Enough for several buckets, so that octants are made and given up by edits alone.
    let mut rng = Rng::new(9);
    for slack in [0.125, 0.0] {
        let params = BucketTreeParams { slack, ..Default::default() };
        let mut tree = PrimitiveTree::new(params).unwrap();
        let mut names = Vec::new();
        let segment = |rng: &mut Rng| {
            let a = rng.in_ball();
            let by = rng.in_ball();
            [a, std::array::from_fn(|k| a[k] + 0.1 * by[k])]
        };
        for round in 0..2 {
            for step in 0..4000 {
                names.push(tree.insert(segment(&mut rng)).unwrap());
                if step % 1000 == 999 {
                    hold(&mut tree);
                }
            }
            let left = if round == 0 { 40 } else { 0 };
            while names.len() > left {
                tree.remove(names.swap_remove(rng.below(names.len()))).unwrap();
                if let Some(&id) = names.first() {
                    tree.set(id, segment(&mut rng)).unwrap();
                }
                if names.len() % 800 == 0 {
                    hold(&mut tree);
                }
            }
        }
        assert!(tree.is_empty() && tree.buckets().is_empty());
    }
}

fn hold(tree: &mut PrimitiveTree<[Point; 2]>) {
    tree.validate().unwrap();
    let all: Vec<_> = tree.iter().map(|(id, s)| (id, crumple::geometry::Aabb::of(s))).collect();
    let mut expected = Vec::new();
    for (i, (a, p)) in all.iter().enumerate() {
        expected.extend(all[i + 1..].iter().filter(|(_, q)| p.overlaps(q)).map(|(b, _)| (*a, *b)));
    }
    let mut found = Vec::new();
    tree.pairs(&mut found);
    assert!(found == expected, "{} pairs, expected {}", found.len(), expected.len());
}

#[test]
fn as_published_misses_what_reaches_out_of_its_cell() {
    // Two long triangles that cross far from their middles, and a frame of others that makes the cells small.
    let mut positions = vec![
        [-0.4, 0.0, 0.0],
        [1.0, 0.01, 0.0],
        [-0.4, 0.02, 0.0],
        [0.95, -1.0, -0.1],
        [0.95, 1.02, 0.1],
        [0.96, -1.0, -0.1],
    ];
    for corner in 0..8 {
        let at: Point = std::array::from_fn(|k| if corner >> k & 1 == 1 { 2.0 } else { -2.0 });
        positions.extend([at, at.map(|x| x + 0.01), [at[0], at[1] + 0.01, at[2]]]);
    }
    let triangles: Vec<[u32; 3]> = (0..10).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Bodies::new([Mesh::from_triangles("soup", positions.len(), &triangles).unwrap()]).unwrap();
    let slices = [Positions::from(&positions)];
    let frame = Frame::new(&slices);
    let mut published = PublishedBucketTree::new(PublishedParams::default()).unwrap();
    assert_eq!(published.guarantee(), Guarantee::AsPublished);
    assert_eq!(answer(&mut published, &mesh, frame).triangle_pairs.len(), 0);
    let fitted = PublishedParams { boxes: Boxes::Refitted, ..PublishedParams::default() };
    let mut fitted = PublishedBucketTree::new(fitted).unwrap();
    assert_eq!(fitted.guarantee(), Guarantee::Proved);
    assert_eq!(answer(&mut fitted, &mesh, frame).triangle_pairs.len(), 1);
}

#[test]
fn the_picture_shows_colliding_buckets() {
    let scene = ganovelli::clouds("clouds", 600, 20.0, 1).collect();
    let mesh = Bodies::new(
        scene
            .bodies
            .iter()
            .map(|b| Mesh::from_triangles(&b.name, b.frames[0].len(), b.elements.triangles()).unwrap()),
    )
    .unwrap();
    let slices: Vec<Positions<'_>> = scene.bodies.iter().map(|b| Positions::from(&b.frames[0])).collect();
    let frame = Frame::new(&slices);
    let ours: Box<dyn Detector> = Box::new(BucketTree::new(BucketTreeParams::default()).unwrap());
    for mut tree in [ours, fixed(PublishedParams { levels: 2, ..FITTED })] {
        let hits = answer(&mut *tree, &mesh, frame).triangle_pairs;
        let mut drawing = Drawing::default();
        tree.update(&mesh, frame).unwrap().draw(&mut drawing);
        let marked = drawing.boxes.iter().filter(|b| b.2 == Tone::Hit).count();
        assert!(!hits.is_empty() && marked > 0 && marked < drawing.boxes.len());
        assert!(drawing.boxes.iter().all(|(low, high, _)| (0..3).all(|k| low[k] <= high[k])));
        // Every triangle that collides is drawn, with its leaf and not with the whole soup.
        let is_drawn = |t: TriangleId| drawing.triangles.contains(&(t, Tone::Hit));
        assert!(hits.iter().all(|pair| is_drawn(pair.a) && is_drawn(pair.b)));
        assert!(drawing.triangles.len() < mesh.triangles().len());
    }
    let mut tree = PublishedBucketTree::new(PublishedParams { levels: 2, ..FITTED }).unwrap();
    tree.update(&mesh, frame).unwrap();
    let (count, stats) = tree.bucket_collisions([BodyId(0), BodyId(1)]).unwrap();
    assert!(count > 0 && stats.tests >= count as u64);
    assert!(tree.bucket_collisions([BodyId(0), BodyId(2)]).is_err());
}

#[test]
fn a_search_within_a_budget_tells_what_it_left_out() {
    let scene = ganovelli::clouds("clouds", 1_500, 20.0, 1).collect();
    let bodies = scene.bodies.iter();
    let bodies =
        bodies.map(|b| Mesh::from_triangles(&b.name, b.frames[0].len(), b.elements.triangles()).unwrap());
    let mesh = Bodies::new(bodies).unwrap();
    let slices: Vec<Positions<'_>> = scene.bodies.iter().map(|b| Positions::from(&b.frames[0])).collect();
    let frame = Frame::new(&slices);
    let around = |t: TriangleId| {
        let (body, local) = mesh.locate_triangle(t);
        let corners = mesh.mesh(body).triangles()[local.index()];
        (body, Aabb::of(&corners.map(|v| slices[body.index()].get(v.index()))))
    };
    let mut tree = BucketTree::new(BucketTreeParams::default()).unwrap();
    let all = answer(&mut tree, &mesh, frame).triangle_pairs;
    let mut out = Contacts::default();
    let mut counts = Vec::new();
    let whole = Budget::visits(u64::MAX - 1);
    let whole = tree.contacts_budgeted(&mesh, frame, Pairs::All, whole, &mut out).unwrap().stats.visits;
    for visits in [0, 1, 30, whole / 2, whole - 1, whole] {
        let budget = Budget::visits(visits);
        let ended = tree.contacts_budgeted(&mesh, frame, Pairs::All, budget, &mut out).unwrap();
        assert!(ended.stats.visits <= visits && out.triangle_pairs.is_sorted());
        for pair in &all {
            let is_found = out.triangle_pairs.binary_search(pair).is_ok();
            let ((i, p), (j, q)) = (around(pair.a), around(pair.b));
            let covers = |u: &Undecided, [i, j]: [BodyId; 2], [p, q]: [Aabb; 2]| {
                u.bodies == [i, j] && u.boxes[0].overlaps(&p) && u.boxes[1].overlaps(&q)
            };
            let is_left = |u: &Undecided| covers(u, [i, j], [p, q]) || i == j && covers(u, [j, i], [q, p]);
            assert!(is_found || ended.undecided.iter().any(is_left), "{visits}: {pair:?} is nowhere");
        }
        assert!(out.triangle_pairs.iter().all(|pair| all.binary_search(pair).is_ok()));
        counts.push(out.triangle_pairs.len());
        assert_eq!(ended.undecided.is_empty(), visits == whole);
    }
    assert!(counts.is_sorted() && counts[0] == 0 && *counts.last().unwrap() == all.len(), "{counts:?}");
    let long = Budget::time(std::time::Duration::from_secs(3600));
    assert!(tree.contacts_budgeted(&mesh, frame, Pairs::All, long, &mut out).unwrap().undecided.is_empty());
    assert_eq!(out.triangle_pairs, all);
    let none = Budget::time(std::time::Duration::ZERO);
    assert!(!tree.contacts_budgeted(&mesh, frame, Pairs::All, none, &mut out).unwrap().undecided.is_empty());
}

/// A soup of two triangles that cross, at height z.
fn crossing(z: f64) -> (Mesh, Vec<Point>) {
    let at = vec![
        [0.0, 0.0, z],
        [1.0, 0.0, z],
        [0.0, 1.0, z],
        [0.2, 0.2, z - 1.0],
        [0.3, 0.2, z + 1.0],
        [0.2, 0.3, z + 1.0],
    ];
    (Mesh::from_triangles("soup", 6, &[[0, 1, 2], [3, 4, 5]]).unwrap(), at)
}

#[test]
fn a_body_whose_triangles_are_gone_leaves_nothing_behind() {
    let none: Vec<Point> = Vec::new();
    for (points, positions) in [(1, vec![[0.0; 3]]), (0, none)] {
        let mut scene = Scene::new();
        scene.use_surface_method(SurfaceMethod::BucketTree);
        let (soup, at) = crossing(0.0);
        let first = scene.add(soup, &at).unwrap();
        let (soup, at) = crossing(5.0);
        scene.add(soup, &at).unwrap();
        assert_eq!(scene.contacts().unwrap().len(), 2);
        // Points in the place of triangles: the tree of the version before must not be fitted to them.
        let probe = Mesh::from_points("probe", points).unwrap();
        scene.replace(first, probe, &positions).unwrap();
        assert_eq!(scene.contacts().unwrap().len(), 1);
        let (soup, at) = crossing(0.5);
        scene.replace(first, soup, &at).unwrap();
        assert_eq!(scene.contacts().unwrap().len(), 2);
    }
}

#[test]
fn points_may_move_into_the_place_of_a_soup() {
    let mut scene = Scene::new();
    scene.use_surface_method(SurfaceMethod::BucketTree);
    let (soup, at) = crossing(0.0);
    scene.add(soup.clone(), &at).unwrap();
    let gone = scene.add(soup.clone(), &crossing(5.0).1).unwrap();
    scene.add(Mesh::from_points("probe", 1).unwrap(), &vec![[0.0; 3]]).unwrap();
    assert_eq!(scene.contacts().unwrap().len(), 2);
    scene.add(soup, &crossing(9.0).1).unwrap();
    assert_eq!(scene.contacts().unwrap().len(), 3);
    scene.remove(gone).unwrap();
    assert_eq!(scene.contacts().unwrap().len(), 2);
}
