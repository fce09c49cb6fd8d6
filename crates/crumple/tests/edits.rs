//! Bodies that are cut, torn, split and fused while they deform: after every edit the answers are those of brute force, and
//! what is kept is no more than what is needed. `CRUMPLE_EDITS` says how many edits.

// A counting allocator cannot be written otherwise; it only passes calls on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use crumple::cut::{Blade, FreshCuts, coincident, cut, fuse};
use crumple::methods::brute_force::{self, Ask, BruteForce};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::regularity::step::RegularityStep;
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{
    Bodies, BodyId, Closeness, Contacts, Detector, Frame, Mesh, Orientation, Pairs, Proximity, Scene,
    SurfaceMethod, TetId, TriangleId, TrianglePair, VertexId,
};
use crumple_scenes::Rng;

/// Counts the memory that is held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; counting neither allocates nor touches the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller promises what `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `at` came from `System` with this layout.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

type Point = [f64; 3];

/// A sheet of n × n squares over [0, 1]², with waves.
fn sheet(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for y in 0..=n {
        for x in 0..=n {
            let (x, y) = (f64::from(x) / f64::from(n), f64::from(y) / f64::from(n));
            positions.push([x, y, 0.1 * (5.0 * x).sin() * (4.0 * y).cos()]);
        }
    }
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let mut triangles = Vec::new();
    for y in 0..n {
        for x in 0..n {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (Mesh::from_triangles("sheet", positions.len(), &triangles).unwrap(), positions)
}

/// A block of n³ cubes, each of six tets.
fn block(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for z in 0..=n {
        for y in 0..=n {
            for x in 0..=n {
                positions.push([x, y, z].map(|i| 0.2 + 0.5 * f64::from(i) / f64::from(n)));
            }
        }
    }
    let at = |p: [u32; 3]| (p[2] * (n + 1) + p[1]) * (n + 1) + p[0];
    let mut tets = Vec::new();
    for cell in 0..n * n * n {
        let corner = [cell % n, cell / n % n, cell / n / n];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut p = corner;
            let mut ids = [at(p); 4];
            for (i, axis) in order.into_iter().enumerate() {
                p[axis] += 1;
                ids[i + 1] = at(p);
            }
            let odd = matches!(order, [0, 2, 1] | [1, 0, 2] | [2, 1, 0]);
            tets.push(if odd { [ids[0], ids[2], ids[1], ids[3]] } else { ids });
        }
    }
    (Mesh::from_tets("block", positions.len(), &tets).unwrap(), positions)
}

/// Triangles without neighbours.
fn soup(count: u32, rng: &mut Rng) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for _ in 0..count {
        let at = rng.in_box([0.0; 3], [1.0; 3]);
        for _ in 0..3 {
            let by = rng.in_ball();
            positions.push(std::array::from_fn(|k| at[k] + 0.1 * by[k]));
        }
    }
    let triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (Mesh::from_triangles("soup", positions.len(), &triangles).unwrap(), positions)
}

/// The same bodies in scenes, in detectors and as plain lists.
struct World {
    scenes: [Scene; 3],
    fresh: FreshCuts,
    bucket_tree: BucketTree,
    regularity: Regularity,
    /// With small regions, so that bodies of these sizes have many.
    hierarchies: [DistanceHierarchy; 2],
    spatial_hash: SpatialHash,
    /// Of vertices and edges.
    edge_hash: SpatialHash,
    triangle_hash: SpatialHash,
    /// With small patches, so that bodies of these sizes have many.
    swept: [SweptBvh; 2],
    regular_steps: [RegularityStep; 2],
    bodies: Bodies,
    positions: Vec<Vec<Point>>,
    /// Whether nothing moved since the detectors were asked.
    is_at_rest: bool,
    /// How often they were.
    compared: usize,
}

impl World {
    fn new(rng: &mut Rng) -> Self {
        let list = [sheet(11), soup(40, rng), block(2)];
        let mut scenes: [Scene; 3] = std::array::from_fn(|_| Scene::new());
        scenes[1].use_surface_method(SurfaceMethod::BucketTree);
        scenes[2].use_surface_method(SurfaceMethod::Regularity);
        for scene in &mut scenes {
            for (mesh, positions) in &list {
                scene.add(mesh.clone(), positions).unwrap();
            }
        }
        Self {
            scenes,
            fresh: FreshCuts::new(),
            bucket_tree: BucketTree::new(BucketTreeParams::default()).unwrap(),
            regularity: Regularity::new(RegularityParams::default()).unwrap(),
            hierarchies: [2, 8].map(|region_triangles| {
                let params = DistanceHierarchyParams { region_triangles, ..Default::default() };
                DistanceHierarchy::new(params).unwrap()
            }),
            spatial_hash: SpatialHash::new(SpatialHashParams::default()).unwrap(),
            edge_hash: SpatialHash::new(SpatialHashParams {
                find: Find { vertex_tets: true, edge_tets: true, triangle_pairs: false },
                ..SpatialHashParams::default()
            })
            .unwrap(),
            triangle_hash: SpatialHash::new(SpatialHashParams {
                find: Find { vertex_tets: false, edge_tets: false, triangle_pairs: true },
                ..SpatialHashParams::default()
            })
            .unwrap(),
            swept: [4, 32].map(SweptBvh::with_patch_size),
            regular_steps: [4, 32].map(RegularityStep::with_patch_size),
            bodies: Bodies::new(list.iter().map(|(mesh, _)| mesh.clone())).unwrap(),
            positions: list.into_iter().map(|(_, positions)| positions).collect(),
            is_at_rest: false,
            compared: 0,
        }
    }

    fn mesh(&self, id: BodyId) -> Mesh {
        self.bodies.mesh(id).clone()
    }

    /// Puts a body back to what it was, when it has become too large or too small.
    fn renew(&mut self, id: BodyId, rng: &mut Rng) {
        let (mesh, positions) = vec![sheet(11), soup(40, rng), block(2)].swap_remove(id.index());
        for scene in &mut self.scenes {
            scene.replace(id, mesh.clone(), &positions).unwrap();
        }
        self.bodies.set_mesh(id, mesh).unwrap();
        self.positions[id.index()] = positions;
        self.is_at_rest = false;
        // What is left of old cuts would be looked for in the new body.
        self.fresh = FreshCuts::new();
        for scene in &mut self.scenes {
            scene.forget_cuts();
        }
    }

    fn deform(&mut self, rng: &mut Rng) {
        for (b, positions) in self.positions.iter_mut().enumerate() {
            let by = rng.in_ball();
            for p in positions.iter_mut() {
                let own = rng.in_ball();
                *p = std::array::from_fn(|k| p[k] + 0.01 * by[k] + 0.004 * own[k]);
            }
            for scene in &mut self.scenes {
                scene.set_positions(BodyId(b as u32), &*positions).unwrap();
            }
        }
        self.is_at_rest = false;
    }

    /// One random edit of one body; says what it was.
    fn edit(&mut self, rng: &mut Rng) -> &'static str {
        let id = BodyId(rng.below(3) as u32);
        let mesh = self.mesh(id);
        let size = if mesh.is_solid() { mesh.tet_count() } else { mesh.triangle_count() };
        if !(8..420).contains(&size) || mesh.vertex_count() > 3000 {
            self.renew(id, rng);
            return "renew";
        }
        match rng.below(10) {
            0..4 => self.remove(id, &mesh, rng),
            4..6 => self.split(id, &mesh, rng),
            6 if !mesh.is_solid() => self.insert(id, &mesh, rng),
            7..9 => self.cut(id, rng),
            9 if !mesh.is_solid() => self.fuse(id, rng),
            _ => self.remove(id, &mesh, rng),
        }
    }

    fn apply(&mut self, id: BodyId, change: impl Fn(&mut crumple::Edit) -> Result<(), crumple::MeshError>) {
        let mut made = None;
        for scene in &mut self.scenes {
            let changes = scene.edit(id, &change).unwrap();
            made.get_or_insert((scene.mesh(id).unwrap().clone(), changes));
        }
        let (mesh, changes) = made.unwrap();
        changes.extend_positions(&mut self.positions[id.index()]);
        self.bodies.set_mesh(id, mesh).unwrap();
    }

    fn remove(&mut self, id: BodyId, mesh: &Mesh, rng: &mut Rng) -> &'static str {
        let some = 1 + rng.below(4);
        if mesh.is_solid() {
            let mut keys: Vec<_> =
                (0..some).map(|_| mesh.tet_key(TetId(rng.below(mesh.tet_count()) as u32))).collect();
            keys.sort_unstable();
            keys.dedup();
            self.apply(id, |edit| keys.iter().try_for_each(|&k| edit.remove_tet(k)));
        } else {
            let key = |t: usize| mesh.triangle_key(TriangleId(t as u32));
            let mut keys: Vec<_> = (0..some).map(|_| key(rng.below(mesh.triangle_count()))).collect();
            keys.sort_unstable();
            keys.dedup();
            self.apply(id, |edit| keys.iter().try_for_each(|&k| edit.remove_triangle(k)));
        }
        "remove"
    }

    fn split(&mut self, id: BodyId, mesh: &Mesh, rng: &mut Rng) -> &'static str {
        let edges = if mesh.is_solid() { mesh.tet_topology().edges() } else { mesh.topology().edges() };
        let [a, b] = edges[rng.below(edges.len())];
        let at = 0.2 + 0.6 * rng.unit();
        self.apply(id, |edit| edit.split_edge(a, b, at).map(drop));
        "split"
    }

    /// A triangle somewhere, or on an edge that is there.
    fn insert(&mut self, id: BodyId, mesh: &Mesh, rng: &mut Rng) -> &'static str {
        let at = rng.in_box([0.0; 3], [1.0; 3]);
        let new: [Point; 3] = std::array::from_fn(|_| {
            let by = rng.in_ball();
            std::array::from_fn(|k| at[k] + 0.1 * by[k])
        });
        let edges = mesh.topology().edges();
        let edge = edges[rng.below(edges.len())];
        let is_joined = rng.chance(0.5);
        self.apply(id, |edit| {
            let [a, b] = if is_joined { edge } else { [new[0], new[1]].map(|p| edit.add_vertex_at(p)) };
            let c = edit.add_vertex_at(new[2]);
            edit.add_triangle([a, b, c]).map(drop)
        });
        "insert"
    }

    fn cut(&mut self, id: BodyId, rng: &mut Rng) -> &'static str {
        let point = |rng: &mut Rng| rng.in_box([0.0, 0.0, -0.2], [1.0, 1.0, 0.5]);
        let blade = if rng.chance(0.3) {
            Blade::plane([point(rng), point(rng), point(rng)])
        } else if rng.chance(0.3) {
            // A pyramid, with one side or without.
            let corners: [Point; 4] = std::array::from_fn(|_| point(rng));
            let sides = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];
            Blade::surface(&corners, &sides[rng.below(2)..])
        } else {
            let flat = |p: Point| [p[0], p[1], -2.0];
            let line: Vec<Point> = (0..3).map(|_| flat(point(rng))).collect();
            Blade::sweep(&line, [0.0, 0.0, 4.0])
        };
        let blade = blade.unwrap();
        let plain = cut(self.bodies.mesh(id), &self.positions[id.index()], &blade).unwrap();
        for scene in &mut self.scenes {
            let done = scene.cut(id, &blade).unwrap();
            assert_eq!((&done.changes, scene.positions(id).unwrap()), (&plain.changes, &plain.positions[..]));
            assert_eq!(done.body.triangles(), plain.body.triangles());
        }
        self.fresh.add(id, &plain);
        self.bodies.set_mesh(id, plain.body).unwrap();
        self.positions[id.index()] = plain.positions;
        "cut"
    }

    /// A small sheet becomes part of a body, welded where they coincide.
    fn fuse(&mut self, id: BodyId, rng: &mut Rng) -> &'static str {
        let (other, mut at) = sheet(2);
        let to = self.positions[id.index()][rng.below(self.positions[id.index()].len())];
        at.iter_mut().for_each(|p| *p = std::array::from_fn(|k| to[k] + 0.2 * p[k]));
        let own = (self.bodies.mesh(id), &self.positions[id.index()][..]);
        let weld = coincident(own.1, &at, 1e-9);
        let one = fuse(own, (&other, &at), &weld).unwrap();
        for scene in &mut self.scenes {
            scene.replace(id, one.body.clone(), &one.positions).unwrap();
        }
        self.bodies.set_mesh(id, one.body).unwrap();
        self.positions[id.index()] = one.positions;
        self.is_at_rest = false;
        "fuse"
    }

    fn compare(&mut self, what: &str) {
        let frame = Frame::from(&self.positions);
        let mut truth = Contacts::default();
        let mut oracle = BruteForce::new(Ask { triangles: true, vertices: false, edges: false });
        oracle.update(&self.bodies, frame).unwrap().contacts(Pairs::All, &mut truth);
        let detectors: [&mut dyn Detector; 3] =
            [&mut self.bucket_tree, &mut self.regularity, &mut self.triangle_hash];
        for detector in detectors {
            let mut found = Contacts::default();
            let frame = if self.is_at_rest { frame.at_rest() } else { frame };
            let name = detector.name();
            let mut ready = detector.update(&self.bodies, frame).unwrap();
            ready.contacts(Pairs::All, &mut found);
            assert_eq!(found.triangle_pairs, truth.triangle_pairs, "{name} after {what}");
            ready.validate().unwrap_or_else(|broken| panic!("{name} after {what}: {broken}"));
        }
        self.compare_distances(what);
        self.compare_hash(what);
        self.compare_steps(what);
        self.is_at_rest = true;
        self.compared += 1;
        let frame = Frame::from(&self.positions);
        self.fresh.filter(&self.bodies, frame, &mut truth);
        for scene in &mut self.scenes {
            let answer = scene.contacts().unwrap();
            let bodies = scene.bodies();
            let global = |t: crumple::Element<TriangleId>| {
                TriangleId(bodies.triangle_range(t.body).start as u32 + t.id.0)
            };
            let found: Vec<TrianglePair> =
                answer.iter().map(|c| TrianglePair::new(global(c.a), global(c.b))).collect();
            assert_eq!(found, truth.triangle_pairs, "{} in a scene after {what}", answer.method);
        }
        self.compare_tets(what);
        self.check_lists(what);
    }

    /// Distances of all pairs, and what is close, while the hierarchies follow every edit; brute force is asked now and then.
    fn compare_distances(&mut self, what: &str) {
        let frame = Frame::from(&self.positions);
        let frame = if self.is_at_rest { frame.at_rest() } else { frame };
        let close = Closeness::below(0.01);
        let is_asked = self.compared.is_multiple_of(8);
        let ids = || self.bodies.body_ids();
        let pairs = ids().flat_map(|a| ids().filter(move |b| a < *b).map(move |b| [a, b]));
        let truth: Vec<_> = pairs
            .filter(|_| is_asked)
            .filter_map(|[a, b]| {
                let found = brute_force::distance(&self.bodies, frame, a, b).unwrap()?;
                Some(([a, b], found.distance, found.a.triangle, found.b.triangle, found.contains))
            })
            .collect();
        let mut near = is_asked.then(|| brute_force::proximity(&self.bodies, frame, &close).unwrap());
        for hierarchy in &mut self.hierarchies {
            hierarchy.update(&self.bodies, frame).unwrap();
            let found: Vec<_> = hierarchy
                .all_pairs()
                .into_iter()
                .map(|d| (d.bodies, d.distance))
                .map(|(bodies, d)| (bodies, d.distance, d.a.triangle, d.b.triangle, d.contains))
                .collect();
            if is_asked {
                assert_eq!(found, truth, "distances after {what}");
            }
            let mut found = Proximity::default();
            hierarchy.proximity(&close, &mut found).unwrap();
            let pairs = |p: &Proximity| {
                let vertices: Vec<_> = p.vertex_triangles.iter().map(|v| (v.vertex, v.triangle)).collect();
                (vertices, p.edge_edges.iter().map(|e| (e.a, e.b)).collect::<Vec<_>>())
            };
            // Where brute force was not asked, hierarchies of other regions are.
            let near = near.get_or_insert_with(|| found.clone());
            assert_eq!(pairs(&found), pairs(near), "proximity after {what}");
            let checked = hierarchy.validate(&self.bodies, frame);
            checked.unwrap_or_else(|broken| panic!("distance hierarchy after {what}: {broken}"));
        }
    }

    /// What hits what while everything goes on a little, by methods that follow every edit, beside one that is new; brute force is asked
    /// now and then.
    fn compare_steps(&mut self, what: &str) {
        let turn = self.compared as f64;
        let way = |b: usize, v: usize| {
            let phase = 0.1 * v as f64 + 2.0 * b as f64 + turn;
            [0.0, 2.0, 4.0].map(|k| 0.03 * (phase + k).sin() * if v.is_multiple_of(3) { 1.0 } else { 0.2 })
        };
        let bodies = self.positions.iter().enumerate();
        let end: Vec<Vec<Point>> = bodies
            .map(|(b, at)| {
                let goes_on = |(v, p): (usize, &Point)| std::array::from_fn(|k| p[k] + way(b, v)[k]);
                at.iter().enumerate().map(goes_on).collect()
            })
            .collect();
        let (start, end) = (Frame::from(&self.positions), Frame::from(&end));
        let step = start.step_to(end);
        let mut new = SweptBvh::new();
        new.update(&self.bodies, step).unwrap();
        let (mut truth, mut found) = (Vec::new(), Vec::new());
        new.impacts(Pairs::All, &|_, _| true, &mut truth);
        let first = new.first(Pairs::All, &|_, _| true);
        if self.compared.is_multiple_of(64) {
            let hits = brute_force::impacts::impacts(&self.bodies, start, end).unwrap();
            let features = truth.iter().map(|impact| impact.features);
            assert!(features.eq(hits.iter().map(|hit| hit.features)), "impacts after {what}");
        }
        for method in &mut self.swept {
            method.update(&self.bodies, step).unwrap();
            method.impacts(Pairs::All, &|_, _| true, &mut found);
            assert!(found == truth, "impacts by boxes after {what}");
            assert_eq!(
                method.first(Pairs::All, &|_, _| true),
                first,
                "the first impact by boxes after {what}"
            );
        }
        for method in &mut self.regular_steps {
            method.update(&self.bodies, step).unwrap();
            method.impacts(Pairs::All, &|_, _| true, &mut found);
            assert!(found == truth, "impacts by regularity after {what}");
            assert_eq!(
                method.first(Pairs::All, &|_, _| true),
                first,
                "the first impact by regularity after {what}"
            );
        }
    }

    /// Vertices and edges in tets, by hashes that follow every edit; brute force is asked for edges now and then.
    fn compare_hash(&mut self, what: &str) {
        let frame = Frame::from(&self.positions);
        let (mut truth, mut found) = (Contacts::default(), Contacts::default());
        let edges = self.compared.is_multiple_of(4);
        let mut oracle = BruteForce::new(Ask { triangles: false, vertices: true, edges });
        oracle.update(&self.bodies, frame).unwrap().contacts(Pairs::All, &mut truth);
        let frame = if self.is_at_rest { frame.at_rest() } else { frame };
        let mut ready = self.spatial_hash.update(&self.bodies, frame).unwrap();
        ready.contacts(Pairs::All, &mut found);
        assert_eq!(found.vertex_tets, truth.vertex_tets, "spatial hash after {what}");
        ready.validate().unwrap_or_else(|broken| panic!("spatial hash after {what}: {broken}"));
        let mut ready = self.edge_hash.update(&self.bodies, frame).unwrap();
        ready.contacts(Pairs::All, &mut found);
        assert_eq!(found.vertex_tets, truth.vertex_tets, "hash of vertices and edges after {what}");
        if edges {
            assert_eq!(found.edge_tets, truth.edge_tets, "hash of edges after {what}");
        }
    }

    /// Vertices in tets, while no cut is fresh.
    fn compare_tets(&mut self, what: &str) {
        if self.scenes[0].has_fresh_cuts() {
            return;
        }
        let mut truth = Contacts::default();
        let mut oracle = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
        oracle.update(&self.bodies, Frame::from(&self.positions)).unwrap().contacts(Pairs::All, &mut truth);
        let bodies = &self.bodies;
        let answer = self.scenes[0].vertices_in_tets().unwrap();
        let found: Vec<_> = answer
            .iter()
            .map(|v| {
                let vertex = bodies.vertex_range(v.vertex.body).start as u32 + v.vertex.id.0;
                let tet = bodies.tet_range(v.tet.body).start as u32 + v.tet.id.0;
                (VertexId(vertex), TetId(tet))
            })
            .collect();
        let truth: Vec<_> = truth.vertex_tets.iter().map(|c| (c.vertex, c.tet)).collect();
        assert_eq!(found, truth, "vertices in tets after {what}");
        // Depths that were followed are those that are found afresh.
        let depths = self.scenes[0].penetrations().unwrap();
        if self.compared.is_multiple_of(4) {
            let mut afresh = Scene::new();
            for (mesh, positions) in bodies.meshes().iter().zip(&self.positions) {
                afresh.add(mesh.clone(), positions).unwrap();
            }
            assert_eq!(depths[..], afresh.penetrations().unwrap()[..], "depths after {what}");
        }
    }

    /// What is carried from version to version is what is found afresh.
    fn check_lists(&self, what: &str) {
        let afresh = Bodies::new(self.bodies.meshes().iter().cloned()).unwrap();
        assert_eq!(
            (self.bodies.triangles(), self.bodies.tets()),
            (afresh.triangles(), afresh.tets()),
            "{what}"
        );
        for mesh in self.bodies.meshes() {
            let plain = |c: &[VertexId; 3]| c.map(|v| v.0);
            let triangles: Vec<_> = mesh.triangles().iter().map(plain).collect();
            let new = Mesh::from_triangles("new", mesh.vertex_count(), &triangles).unwrap();
            let (kept, found) = (mesh.adjacency(), new.topology());
            assert_eq!(kept.edge_count(), found.edges().len(), "{what}");
            assert_eq!(kept.is_closed(), found.is_closed(), "{what}");
            assert_eq!(kept.non_manifold_edge_count(), found.non_manifold_edges().len(), "{what}");
            let steps: usize =
                found.boundary_loops().iter().map(|l| l.vertices.len() - usize::from(!l.is_closed)).sum();
            assert_eq!(kept.border_edge_count(), steps, "{what}");
            assert!(!kept.is_oriented() || found.orientation() == Orientation::Consistent, "{what}");
            for v in (0..mesh.vertex_count() as u32).map(VertexId).step_by(7) {
                assert_eq!(kept.triangles_at(v), found.triangles_at(v), "{what}");
                assert_eq!(kept.tets_at(v).len(), mesh.tets().iter().filter(|t| t.contains(&v)).count());
            }
            for (t, corners) in mesh.triangles().iter().enumerate() {
                let t = TriangleId(t as u32);
                assert_eq!(mesh.triangle_with_key(mesh.triangle_key(t)), Some(t));
                assert_eq!(mesh.triangle(t), *corners);
            }
            if mesh.is_solid() {
                let tets: Vec<_> = mesh.tets().iter().map(|t| t.map(|v| v.0)).collect();
                let solid = Mesh::from_tets("new", mesh.vertex_count(), &tets).unwrap();
                let sorted = |mesh: &Mesh| {
                    let mut all = mesh.triangles().to_vec();
                    all.sort_unstable();
                    all
                };
                assert_eq!(sorted(mesh), sorted(&solid), "the boundary after {what}");
                for t in (0..mesh.triangle_count() as u32).map(TriangleId) {
                    let (tet, face) = mesh.tet_of(t).unwrap();
                    let corners = crumple::geometry::tet::FACES[face as usize].map(|c| mesh.tet(tet)[c]);
                    assert_eq!(mesh.triangle(t), corners);
                }
            }
        }
    }
}

/// A box of n × n squares a side, closed.
fn closed_box(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions: Vec<Point> = Vec::new();
    let mut triangles = Vec::new();
    let mut at = std::collections::HashMap::new();
    for side in 0..6 {
        let (axis, is_high) = (side / 2, side % 2 == 1);
        let mut corner = |i: u32, j: u32| {
            let mut p = [0; 3];
            (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (if is_high { n } else { 0 }, i, j);
            *at.entry(p).or_insert_with(|| {
                positions.push(p.map(|x| f64::from(x) / f64::from(n)));
                positions.len() as u32 - 1
            })
        };
        for i in 0..n {
            for j in 0..n {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                let [b, d] = if is_high { [b, d] } else { [d, b] };
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    (Mesh::from_triangles("box", positions.len(), &triangles).unwrap(), positions)
}

/// Whether one body holds another, while both are edited: components come off and grow together, the outer surface opens, closes
/// and is turned in part.
#[test]
fn containment_follows_edits() {
    let mut rng = Rng::new(7);
    let mut scene = Scene::new();
    let (outer, at) = closed_box(6);
    let outer = scene.add(outer, &at).unwrap();
    let (inner, at) = sheet(7);
    let at: Vec<Point> = at.iter().map(|p| p.map(|x| 0.2 + 0.6 * x)).collect();
    let inner = scene.add(inner, &at).unwrap();
    let mut seen = [0; 3];
    for edit in 0..200 {
        match rng.below(6) {
            // A hole that is closed by the next edit of this kind, or the turned triangle there is turned back.
            0 | 1 => {
                let mesh = scene.mesh(outer).unwrap().clone();
                let t = TriangleId(rng.below(mesh.triangle_count()) as u32);
                let [a, b, c] = mesh.triangle(t);
                let is_opened = rng.chance(0.2);
                let change = |edit: &mut crumple::Edit| {
                    edit.remove_triangle(mesh.triangle_key(t))?;
                    if is_opened { Ok(()) } else { edit.add_triangle([a, c, b]).map(drop) }
                };
                scene.edit(outer, change).unwrap();
            }
            2 => {
                let (mesh, at) = closed_box(6);
                scene.replace(outer, mesh, &at).unwrap();
            }
            3 if edit % 5 == 0 => {
                // A piece of its own, which may lie outside.
                let by = rng.in_box([0.3; 3], [1.4; 3]);
                scene
                    .edit(inner, |edit| {
                        let new =
                            [0.0, 0.05, 0.1].map(|x| edit.add_vertex_at([by[0] + x, by[1], by[2] + x * x]));
                        edit.add_triangle(new)
                    })
                    .unwrap();
            }
            _ => {
                let mesh = scene.mesh(inner).unwrap().clone();
                if mesh.triangle_count() < 20 {
                    let (mesh, _) = sheet(7);
                    scene.replace(inner, mesh, &at).unwrap();
                } else {
                    let key = mesh.triangle_key(TriangleId(rng.below(mesh.triangle_count()) as u32));
                    scene.edit(inner, |edit| edit.remove_triangle(key)).unwrap();
                }
            }
        }
        let found = scene.distances(f64::INFINITY).unwrap();
        let truth =
            brute_force::distance(scene.bodies(), scene.current_frame(), outer, inner).unwrap().unwrap();
        assert_eq!(found[0].distance.distance, truth.distance, "edit {edit}");
        assert_eq!(found[0].distance.contains, truth.contains, "edit {edit}");
        seen[truth.contains.map_or(2, |c| c as usize)] += 1;
    }
    assert!(seen[0] > 20 && seen[2] > 20, "{seen:?}");
}

/// A hierarchy that edits have worn is replaced by one that was built in the background, while edits and motions go on.
#[test]
fn a_worn_hierarchy_is_replaced_while_edits_go_on() {
    let mut rng = Rng::new(3);
    let list = [sheet(60), soup(150, &mut rng)];
    let mut positions: Vec<Vec<Point>> = list.iter().map(|(_, at)| at.clone()).collect();
    let mut bodies = Bodies::new(list.iter().map(|(mesh, _)| mesh.clone())).unwrap();
    let mut regularity = Regularity::new(RegularityParams::default()).unwrap();
    let mut bucket_tree = BucketTree::new(BucketTreeParams::default()).unwrap();
    let mut pairs = 0;
    for round in 0..70 {
        let mesh = bodies.mesh(BodyId(0)).clone();
        let mut edit = mesh.edit();
        let first = rng.below(mesh.triangle_count());
        for n in 0..50 {
            let t = TriangleId(((first + 97 * n) % mesh.triangle_count()) as u32);
            edit.remove_triangle(mesh.triangle_key(t)).unwrap();
        }
        let edge = mesh.triangle(TriangleId(((first + 40) % mesh.triangle_count()) as u32));
        edit.split_edge(edge[0], edge[1], 0.4).ok();
        let (mesh, changes) = edit.finish();
        changes.extend_positions(&mut positions[0]);
        bodies.set_mesh(BodyId(0), mesh).unwrap();
        let is_moved = round % 3 == 0;
        if is_moved {
            positions[0].iter_mut().for_each(|p| p[2] += 0.002 * rng.in_ball()[2]);
        }
        let frame = Frame::from(&positions);
        let frame = if is_moved || round == 0 { frame } else { frame.at_rest() };
        let [mut found, mut truth] = [Contacts::default(), Contacts::default()];
        let mut ready = regularity.update(&bodies, frame).unwrap();
        ready.contacts(Pairs::All, &mut found);
        ready.validate().unwrap_or_else(|broken| panic!("round {round}: {broken}"));
        bucket_tree.update(&bodies, frame).unwrap().contacts(Pairs::All, &mut truth);
        assert_eq!(found.triangle_pairs, truth.triangle_pairs, "round {round}");
        pairs += truth.triangle_pairs.len();
    }
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn random_edits_cuts_and_fuses_equal_brute_force() {
    let edits = std::env::var("CRUMPLE_EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut rng = Rng::new(19);
    let mut world = World::new(&mut rng);
    world.compare("nothing");
    for edit in 0..edits {
        let what = world.edit(&mut rng);
        world.compare(&format!("edit {edit}, {what}"));
        if rng.chance(0.4) {
            world.deform(&mut rng);
            world.compare(&format!("a motion after edit {edit}"));
        }
        if (edit + 1) % 500 == 0 {
            eprintln!(
                "{} edits, {} comparisons, {} kB held",
                edit + 1,
                world.compared,
                HELD.load(Ordering::Relaxed) >> 10
            );
        }
    }
    // A scene that has followed every edit holds little more than one that is built of what is left.
    let [auto, ..] = world.scenes;
    drop((world.bucket_tree, world.regularity));
    let before = HELD.load(Ordering::Relaxed);
    drop(auto);
    let kept = before - HELD.load(Ordering::Relaxed);
    let mut afresh = Scene::new();
    for (mesh, positions) in world.bodies.meshes().iter().zip(&world.positions) {
        let triangles: Vec<_> = mesh.triangles().iter().map(|c| c.map(|v| v.0)).collect();
        let tets: Vec<_> = mesh.tets().iter().map(|c| c.map(|v| v.0)).collect();
        let mesh = if mesh.is_solid() {
            Mesh::from_tets("new", positions.len(), &tets)
        } else {
            Mesh::from_triangles("new", positions.len(), &triangles)
        };
        afresh.add(mesh.unwrap(), positions).unwrap();
    }
    afresh.prepare(crumple::Question::Contacts).unwrap();
    let _ = afresh.contacts().unwrap();
    let before = HELD.load(Ordering::Relaxed);
    drop(afresh);
    let needed = before - HELD.load(Ordering::Relaxed);
    // Hierarchies are repaired into memory behind what they had, up to a part of the body and some hundred kB besides.
    let slack = world.bodies.meshes().len() << 21;
    assert!(kept < 4 * needed + slack, "{kept} bytes kept, {needed} needed");
}
