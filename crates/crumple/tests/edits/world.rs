//! Bodies in scenes, in detectors and as plain lists, and what is done to them.

use crumple::cut::{Blade, FreshCuts, coincident, cut, fuse};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::layered_depth::LayeredDepth;
use crumple::methods::regularity::step::RegularityStep;
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{Bodies, BodyId, Mesh, Scene, SurfaceMethod, TetId, TriangleId};
use crumple_scenes::Rng;

use super::shapes::{Point, block, sheet, soup};

/// The same bodies in scenes, in detectors and as plain lists.
pub struct World {
    pub scenes: [Scene; 3],
    pub fresh: FreshCuts,
    pub bucket_tree: BucketTree,
    pub regularity: Regularity,
    /// With small regions, so that bodies of these sizes have many.
    pub hierarchies: [DistanceHierarchy; 2],
    pub spatial_hash: SpatialHash,
    /// Of vertices and edges.
    pub edge_hash: SpatialHash,
    pub triangle_hash: SpatialHash,
    /// With small patches, so that bodies of these sizes have many.
    pub swept: [SweptBvh; 2],
    pub regular_steps: [RegularityStep; 2],
    pub layers: LayeredDepth,
    pub bodies: Bodies,
    pub positions: Vec<Vec<Point>>,
    /// Whether nothing moved since the detectors were asked.
    pub is_at_rest: bool,
    /// How often they were.
    pub compared: usize,
    /// Says how everything goes on in a step.
    pub motion: usize,
}

impl World {
    pub fn new(rng: &mut Rng) -> Self {
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
            layers: LayeredDepth::default(),
            bodies: Bodies::new(list.iter().map(|(mesh, _)| mesh.clone())).unwrap(),
            positions: list.into_iter().map(|(_, positions)| positions).collect(),
            is_at_rest: false,
            compared: 0,
            motion: 0,
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

    pub fn deform(&mut self, rng: &mut Rng) {
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
    pub fn edit(&mut self, rng: &mut Rng) -> &'static str {
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
}
