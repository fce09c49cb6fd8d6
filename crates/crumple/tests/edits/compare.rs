//! After every edit: what each structure that followed it answers, beside brute force and what is made afresh.

use crumple::methods::brute_force::{self, Ask, BruteForce};
use crumple::methods::layered_depth::LayeredDepth;
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{
    Bodies, BodyId, Closeness, Contacts, Detector, Frame, Mesh, Orientation, Pairs, Proximity, Scene, TetId,
    TriangleId, TrianglePair, VertexId,
};

use super::shapes::Point;
use super::world::World;

impl World {
    pub fn compare(&mut self, what: &str) {
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
        self.compare_inside(what);
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
    /// now and then. While nothing moved, most steps are at rest: they go on as the one before did, or not at all.
    fn compare_steps(&mut self, what: &str) {
        let is_at_rest = self.is_at_rest && !self.compared.is_multiple_of(4);
        if !is_at_rest {
            self.motion = self.compared;
        }
        let (turn, far) = (self.motion as f64, if self.motion.is_multiple_of(3) { 0.0 } else { 0.03 });
        let way = |b: usize, v: usize| {
            let phase = 0.1 * v as f64 + 2.0 * b as f64 + turn;
            [0.0, 2.0, 4.0].map(|k| far * (phase + k).sin() * if v.is_multiple_of(3) { 1.0 } else { 0.2 })
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
        let step = if is_at_rest { step.at_rest() } else { step };
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

    /// Points inside the block, by layers that follow every edit, beside brute force; surfaces with holes are refused in the
    /// same words as by new ones.
    fn compare_inside(&mut self, what: &str) {
        let (frame, solid) = (Frame::from(&self.positions), BodyId(2));
        let at = &self.positions[solid.index()];
        let between = |n: usize| -> Point {
            let [p, q] = [13 * n + self.compared, 29 * n].map(|n| at[n % at.len()]);
            std::array::from_fn(|k| 0.5 * (p[k] + q[k]))
        };
        let points: Vec<Point> = (0..64).map(between).collect();
        let truth = brute_force::inside(&self.bodies, frame, solid, points[..].into()).unwrap();
        let found = self.layers.update(&self.bodies, frame).unwrap().inside(solid, &points).unwrap();
        assert_eq!(found, truth, "points inside after {what}");
        let found = self.scenes[1].inside(solid, &points).unwrap();
        assert_eq!(found[..], truth[..], "points inside in a scene after {what}");
        let mut afresh = LayeredDepth::default();
        for id in [BodyId(0), BodyId(1)] {
            let [found, expected] = [&mut self.layers, &mut afresh]
                .map(|layers| layers.update(&self.bodies, frame).unwrap().inside(id, &points).unwrap_err());
            assert_eq!(found.to_string(), expected.to_string(), "a surface with holes after {what}");
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
