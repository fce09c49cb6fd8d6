//! What hits what during a step: a BVH over patches, with boxes at both ends of the step.
//!
//! All vertices move on straight lines, together, from where they are at t = 0 to where they are at t = 1. Patches of a few
//! dozen triangles are the leaves of a BVH; every node has the box of its points at the start and the box at the end. Two trees
//! are descended together as long as no axis separates two nodes; at the leaves vertices meet triangles and edges meet edges,
//! eight boxes at a time, and what is left is streamed through the exact narrow phase
//! ([`narrow::continuous`](crate::narrow::continuous)). Nothing is asked of the topology: surfaces, soups and
//! the boundaries of tetrahedral meshes are alike. Bodies without triangles, and vertices of none, take no part.
//!
//! ```
//! use crumple::methods::swept_bvh::SweptBvh;
//! use crumple::{Bodies, Features, Frame, Mesh, Pairs, TriangleId, VertexId};
//! let sheet = Mesh::from_triangles("sheet", 3, &[[0, 1, 2]])?;
//! let spike = Mesh::from_triangles("spike", 3, &[[0, 1, 2]])?;
//! let bodies = Bodies::new([sheet, spike])?;
//! let flat = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
//! let above = vec![[1.0, 1.0, 1.0], [0.5, 1.0, 3.0], [1.0, 0.5, 3.0]];
//! let below = above.iter().map(|p| [p[0], p[1], p[2] - 2.0]).collect();
//! let (start, end) = ([flat.clone(), above], [flat, below]);
//! let mut method = SweptBvh::new();
//! method.follow(&bodies, Frame::from(&start).step_to(Frame::from(&end)))?;
//! let first = method.first(Pairs::All, &|_, _| true).expect("it goes through");
//! assert_eq!(first.features, Features::VertexTriangle(VertexId(3), TriangleId(0)));
//! assert!(first.time.after <= 0.5 && 0.5 <= first.time.by);
//! # Ok::<(), crumple::Error>(())
//! ```
//!
//! # Why two boxes suffice
//! *If along one axis node A lies below node B at t = 0 and at t = 1, nothing in A meets anything in B at any t.* Let p be a point of
//! A and q one of B, each a vertex or a convex combination of vertices with fixed weights. Then q − p along the axis is
//! linear in t and positive at both ends. ∎ The axis must be one and the same at both ends. A box of the whole path
//! (both boxes in one) holds more than that: it makes neighbours of whatever crosses the same place at different times.
//!
//! Where no axis separates at both ends, each may still do so for a while. What the three leave of [0, 1] is the window in which the
//! nodes can meet (`moving_box.rs`). It may be empty; and when the earliest impact is wanted, a window that begins after
//! one that was found is passed over. At the leaves the same is done by taking the boxes not at t = 1, but at that time.
//!
//! Boxes are in `f32`, through one map fitted to both frames. It is monotone: what an axis separates among the images it
//! separates among the positions, so that the statement above needs no rounding outward. Times between the ends do, see
//! `moving_box.rs`.
//!
//! # Every pair once
//! Every triangle is in one patch. Every vertex belongs to the first patch that has it, every edge to the first patch with a triangle
//! that has it (`owned.rs`); so each is within the box of its patch. A pair of features comes from the pair of the patches to which
//! they belong, and the descent comes to every unordered pair of patches at most once: a node against itself gives its
//! two children, each against itself and one against the other, which are disjoint. Within a patch, pairs of edges are taken in
//! order. Pairs with a common vertex are no queries. The [mesh theorem](crate::narrow::continuous) says why.
//!
//! # The way of a step
//! | step | file |
//! | --- | --- |
//! | a BVH for every version of a mesh, halved at medians | `build.rs` |
//! | who owns an edge | `owned.rs` |
//! | boxes of a node at both ends, and when two are apart | `moving_box.rs` |
//! | patches and nodes take in a step | `refit.rs` |
//! | pairs of nodes, down to pairs of patches; pairs of features to the narrow phase | `search.rs` |
//! | boxes of the features of a patch, in rows of eight | `opened.rs` |
//! | features that no axis separates at both ends | `candidates.rs` |
//! | the earliest impact, and the time up to which others matter | `earliest.rs` |
//!
//! # Invariants
//! I1. After [`SweptBvh::follow`] the boxes of every node hold the images of all vertices of its triangles, at the start and at
//! the end.
//! I2. Every used vertex, every edge and every triangle belongs to exactly one patch of its body.
//! I3. Answers depend on the step only: not on steps before, nor on threads.
//!
//! # Cost
//! follow O(V) · question O(pairs of patches that meet + candidates) · memory O(V) and some opened patches for every thread;
//! candidates are never kept, only impacts. Building a body is O(n log n), when its mesh is new or its patches have grown
//! to twice their size.
//!
//! # When to choose it
//! For every step. Within one frame [`regularity`](crate::methods::regularity) and
//! [`bucket_tree`](crate::methods::bucket_tree) answer what intersects.

mod build;
mod candidates;
mod earliest;
mod moving_box;
mod opened;
mod owned;
mod refit;
mod search;

use self::build::Tree;
use self::earliest::{Horizon, choose};
use self::moving_box::{MARGIN, MovingBox};
use self::opened::Source;
use self::search::{NodePair, Scratch, Search, Side};
use crate::broad_phase::BroadPhase;
use crate::geometry::{Aabb, Map, Point};
use crate::mesh::PerBody;
use crate::narrow::continuous::{ImpactTime, edge_edge, vertex_triangle};
use crate::patches::MAX_TRIANGLES;
use crate::{Bodies, BodyId, Error, Features, Frame, Impact, Pairs, VertexId, parallel};

/// Triangles in a patch.
const PATCH: usize = 32;

/// Finds what hits what during a step, see [the page](self).
#[derive(Debug)]
pub struct SweptBvh {
    patch_size: usize,
    trees: PerBody<Tree>,
    /// The first vertex and triangle of each body, and the totals last.
    firsts: Vec<[u32; 2]>,
    /// Positions of all bodies at both ends.
    start: Vec<Point>,
    end: Vec<Point>,
    map: Map,
    /// The box of the whole path of each body; empty without triangles.
    paths: Vec<Aabb>,
    /// Which of them overlap.
    near: Vec<[BodyId; 2]>,
    broad_phase: BroadPhase,
    /// Counts questions, so that what was opened for one is not taken for another.
    epoch: u32,
    boxes: Vec<MovingBox>,
    scratch: Scratch,
}

impl Default for SweptBvh {
    fn default() -> Self {
        Self::new()
    }
}

impl SweptBvh {
    /// The method's name, as the program spells it.
    pub const NAME: &'static str = "swept-bvh";

    /// Knows of no bodies yet.
    pub fn new() -> Self {
        Self::with_patch_size(PATCH)
    }

    /// The same with patches of at most that many triangles, from 1 to 64; others are clamped. Answers do not depend on it.
    pub fn with_patch_size(triangles: usize) -> Self {
        Self {
            patch_size: triangles.clamp(1, MAX_TRIANGLES),
            trees: PerBody::default(),
            firsts: Vec::new(),
            start: Vec::new(),
            end: Vec::new(),
            map: Map::IDENTITY,
            paths: Vec::new(),
            near: Vec::new(),
            broad_phase: BroadPhase::default(),
            epoch: 0,
            boxes: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Takes in a step, from `step.before()` to `step`. Meshes that are the same version as before are not built again.
    pub fn follow(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<(), Error> {
        let before = step.before().ok_or(Error::NoStep)?;
        step.check(bodies)?;
        self.start.clear();
        self.end.clear();
        for body in bodies.body_ids() {
            before.of(body).append_to(&mut self.start);
            step.of(body).append_to(&mut self.end);
        }
        let (start, end) = (&self.start, &self.end);
        let path = |body| {
            let range = bodies.vertex_range(body);
            Aabb::of(&start[range.clone()]).union(&Aabb::of(&end[range]))
        };
        self.paths.clear();
        self.paths.extend(
            bodies
                .body_ids()
                .map(|body| if bodies.mesh(body).triangles().is_empty() { Aabb::EMPTY } else { path(body) }),
        );
        self.broad_phase.pairs(&self.paths, 0.0, &mut self.near);
        let whole = self.paths.iter().fold(Aabb::EMPTY, |all, path| all.union(path));
        self.map = Map::fitting(&whole).unwrap_or(Map::IDENTITY);
        let (map, size, boxes) = (self.map, self.patch_size, &mut self.boxes);
        self.trees.follow(bodies, |body, mesh| Tree::new(mesh, &start[bodies.vertex_range(body)], size));
        for (body, (mesh, tree)) in bodies.body_ids().zip(self.trees.iter_mut()) {
            let range = bodies.vertex_range(body);
            let (start, end) = (&start[range.clone()], &end[range]);
            tree.refit(start, end, &map, boxes);
            if tree.is_loose(&map) {
                *tree = Tree::new(mesh, start, size);
                tree.refit(start, end, &map, boxes);
                tree.is_loose(&map);
            }
        }
        let firsts = (bodies.body_ids())
            .map(|body| [bodies.vertex_range(body).start as u32, bodies.triangle_range(body).start as u32]);
        let totals = [bodies.vertex_count() as u32, bodies.triangles().len() as u32];
        self.firsts.clear();
        self.firsts.extend(firsts.chain([totals]));
        Ok(())
    }

    /// Replaces `out` by all impacts of the step within or between bodies, sorted by their features. Only pairs of bodies that
    /// `allows` are searched; a body against itself is asked for as a pair too.
    pub fn impacts(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        out: &mut Vec<Impact>,
    ) {
        *out = self.search(pairs, allows, &Horizon::all(), None);
        out.sort_unstable_by_key(|impact| impact.features);
        debug_assert!(out.is_sorted_by(|a, b| a.features < b.features), "each pair once");
    }

    /// The earliest impact of the step. Its time holds the first contact of all; where several pairs may be the
    /// first, the least by features is told.
    pub fn first(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
    ) -> Option<Impact> {
        let horizon = Horizon::first();
        let found = self.search(pairs, allows, &horizon, None);
        choose(&found, &horizon, |features| self.time(features))
    }

    /// The first features that come within `thickness` (above 0) of each other, and a time before which everything is
    /// certainly further apart. Conservative: a time may be early by what [`separation`](crate::narrow::continuous::separation)
    /// states. Pairs with a common vertex do not count; what is as close at the start has time 0.
    ///
    /// Boxes are wider by half the thickness, rounded up, so that boxes with a gap between them hold nothing that is close.
    pub fn first_closer_than(
        &mut self,
        thickness: f64,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
    ) -> Option<(Features, f64)> {
        let found = self.search(pairs, allows, &Horizon::first(), Some(thickness));
        let first = found.iter().map(|i| (i.time.after, i.features));
        first.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(time, features)| (features, time))
    }

    fn search(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        horizon: &Horizon,
        thickness: Option<f64>,
    ) -> Vec<Impact> {
        // The margin covers the roundings of images and of this product.
        let widened = thickness.map_or(0.0, |d| (0.5 * d * self.map.scale) as f32 * (1.0 + MARGIN) + MARGIN);
        self.epoch = self.epoch.wrapping_add(1);
        let sides: Vec<Side<'_>> = (self.firsts.windows(2).zip(self.trees.values()))
            .map(|(first, tree)| {
                let vertices = first[0][0] as usize..first[1][0] as usize;
                let ends = [&self.start[vertices.clone()], &self.end[vertices]];
                let source = Source { tree, start: ends[0], end: ends[1], map: &self.map, widened };
                Side::new(source, first[0])
            })
            .collect();
        let is_there = |body: &BodyId| !self.trees[*body].nodes.is_empty();
        let bodies = (0..self.trees.len() as u32).map(BodyId);
        let within = bodies.filter(|_| pairs.within()).filter(is_there).map(|body| [body; 2]);
        let near = match thickness {
            None => self.near.clone(),
            Some(d) => {
                let mut near = Vec::new();
                self.broad_phase.pairs(&self.paths, d, &mut near);
                near
            }
        };
        let between = near.into_iter().filter(|_| pairs.between());
        let roots = (within.chain(between).filter(|&[a, b]| allows(a, b)))
            .map(|[a, b]| NodePair { bodies: [a.0, b.0], nodes: [0, 0] })
            .collect();
        let (start, end, epoch) = (&self.start[..], &self.end[..], self.epoch);
        let search = Search { sides: &sides, start, end, horizon, thickness, epoch };
        let tasks = search.tasks(roots, if parallel::threads() == 1 { 1 } else { 32 * parallel::threads() });
        parallel::map(tasks, &mut self.scratch, |scratch, pair| search.run(pair, scratch)).concat()
    }

    /// When two features first touch.
    fn time(&self, features: Features) -> Option<ImpactTime> {
        let (ask, vertices): (fn(&_, &_, f64) -> _, _) = match features {
            Features::VertexTriangle(v, t) => {
                // Bodies without triangles begin where the next one does: the last that begins there has it.
                let body = self.firsts.partition_point(|first| first[1] <= t.0) - 1;
                let [first_vertex, first_triangle] = self.firsts[body];
                let corners = self.trees.meshes()[body].triangles()[(t.0 - first_triangle) as usize];
                let [t0, t1, t2] = corners.map(|v| VertexId(v.0 + first_vertex));
                (vertex_triangle, [v, t0, t1, t2])
            }
            Features::EdgeEdge([v0, v1], [w0, w1]) => (edge_edge, [v0, v1, w0, w1]),
        };
        ask(&vertices.map(|v| self.start[v.index()]), &vertices.map(|v| self.end[v.index()]), 1.0)
    }
}
