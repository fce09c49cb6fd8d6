//! What hits what during a step: a BVH over patches, with boxes at both ends of the step.
//!
//! All vertices move on straight lines, together, from where they are at t = 0 to where they are at t = 1. Patches of a few
//! dozen triangles are the leaves of a BVH; every node has the box of its points at the start and the box at the end. Two trees
//! are descended together as long as no axis separates two nodes; at the leaves vertices meet triangles and edges meet edges,
//! eight boxes at a time, and what is left is streamed through the exact narrow phase
//! (`narrow::continuous`). Nothing is asked of the topology: surfaces, soups and
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
//! method.update(&bodies, Frame::from(&start).step_to(Frame::from(&end)))?;
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
//! one that was found is passed over. The window of two nodes holds those of their children, whose boxes are within theirs, so
//! nothing is passed down. At the leaves the same is done by taking the boxes not at t = 1, but at that time.
//!
//! Boxes are in `f32`, through one map fitted to both frames. It is monotone: what an axis separates among the images it
//! separates among the positions, so that the statement above needs no rounding outward. Times between the ends do, see
//! `moving_box.rs`.
//!
//! # Every pair once
//! Every triangle is in one patch. Every vertex, and every edge, has one representative triangle among those that have it
//! (`representatives.rs`), and belongs to that one's patch; so each is within the box of its patch. A pair of features comes from the
//! pair of the patches to which they belong, and the descent comes to every unordered pair of patches at most once: a node against itself gives its
//! two children, each against itself and one against the other, which are disjoint. Within a patch, pairs of edges are taken in
//! order. Pairs with a common vertex are no queries. The mesh theorem of `narrow::continuous` says why.
//!
//! # Very many triangles at one vertex
//! Their boxes all hold the vertex, so that none are apart, and pairs of features would be as many as pairs of triangles. Such triangles
//! stand by themselves in the tree, ordered by their directions from the vertex (`hubs.rs`), and a plane through the vertex, or
//! through an edge that all have, parts those of different directions (`parted.rs`, with the proof).
//!
//! # The way of a frame
//! | step | file |
//! | --- | --- |
//! | positions of all bodies at both ends, bodies that may meet | `taken.rs` |
//! | a BVH for every version of a mesh, halved at medians | `build.rs` |
//! | vertices of very many triangles, for themselves | `hubs.rs` |
//! | which triangle stands for a vertex or an edge | `representatives.rs` |
//! | the same tree after an edit | `edits.rs` |
//! | boxes of a node at both ends, and when two are apart | `moving_box.rs` |
//! | patches and nodes take in a step, or what edits changed of it | `refit.rs` |
//! | pairs of nodes, down to pairs of patches | `search.rs` |
//! | planes that part triangles round one vertex | `parted.rs` |
//! | pairs of patches: their features to the narrow phase | `leaves.rs` |
//! | boxes of the features of a patch, in rows of eight | `opened.rs` |
//! | features that no axis separates at both ends | `candidates.rs` |
//! | the earliest impact, and the time up to which others matter | `earliest.rs` |
//! | clearances kept over steps, relative to the motion that is expected | `ahead.rs` |
//! | how much work it was | `work.rs` |
//!
//! # Invariants
//! I1. After [`SweptBvh::update`] the boxes of every node hold the images of all vertices of its triangles, at the start and at
//! the end.
//! I2. Every used vertex, every edge and every triangle belongs to exactly one patch of its body.
//! I3. Answers depend on the step only: not on steps before, nor on threads.
//!
//! # Steps that follow each other
//! Where steps go on from each other and motion is smooth, one search looks several steps ahead: it lists the pairs of features that
//! come near each other if every vertex goes on as it does, and the next steps ask about these, and search only what
//! strays from the expected motion. Nothing is missed, `ahead.rs` says why. On a shirt of 2,745 triangles that swings it looks about
//! four steps ahead, and lists 1,000 to 2,000 pairs.
//!
//! # Cost
//! follow O(V) · question O(pairs of patches that meet + candidates) · memory O(V) and some opened patches for every thread;
//! candidates are not kept, but for those of steps ahead: at most six to a triangle, and 2^20 in all. Building a body is O(n log n), when its mesh is new or its patches have grown
//! to twice their size; an edit of k triangles costs O(k log n) until one in eight has come or gone (`edits.rs`), and so does follow in a
//! step [at rest](crate::Frame::at_rest).
//!
//! # When to choose it
//! For steps of soups, for distances above zero, and for surfaces that are not smooth. On others
//! [`regularity::step`](crate::methods::regularity::step) searches the same leaves and reaches fewer of them; its page has the times of both,
//! and a [`Scene`](crate::Scene) takes what is less work. Within one frame
//! [`regularity`](crate::methods::regularity) and [`bucket_tree`](crate::methods::bucket_tree) answer what intersects.

mod ahead;
mod build;
mod candidates;
pub(crate) mod earliest;
mod edits;
pub(crate) mod hubs;
pub(crate) mod leaves;
pub(crate) mod moving_box;
pub(crate) mod opened;
mod parted;
mod refit;
pub(crate) mod representatives;
mod search;
pub(crate) mod taken;
#[cfg(test)]
mod tests;
pub(crate) mod work;

use self::ahead::Ahead;
use self::build::Tree;
use self::earliest::{Horizon, choose, time_of};
use self::leaves::{Ask, Leaves, Side};
use self::moving_box::{MARGIN, MovingBox};
use self::search::{Listed, Scratch, Search};
use self::taken::{NodePair, TakenStep};
use self::work::Work;
use crate::geometry::Point;
use crate::mesh::PerBody;
use crate::patches::MAX_TRIANGLES;
use crate::{Bodies, BodyId, Error, Features, Frame, Impact, Pairs, parallel};

/// Triangles in a patch. With 16 or 64 the scenes of the table of `regularity::step` take 0.90 to 1.24 times as long.
const PATCH: usize = 32;

/// Finds what hits what during a step, see [the page](self).
#[derive(Debug)]
pub struct SweptBvh {
    patch_size: usize,
    trees: PerBody<Tree>,
    step: TakenStep,
    /// Where the last step began and ended, and whether this one begins there.
    last: [Vec<Point>; 2],
    continues: bool,
    ahead: Ahead,
    boxes: Vec<MovingBox>,
    scratch: Scratch,
    work: Work,
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
    #[doc(hidden)]
    pub fn with_patch_size(triangles: usize) -> Self {
        Self {
            patch_size: triangles.clamp(1, MAX_TRIANGLES),
            trees: PerBody::default(),
            step: TakenStep::default(),
            last: Default::default(),
            continues: false,
            ahead: Ahead::default(),
            boxes: Vec::new(),
            scratch: Scratch::default(),
            work: Work::default(),
        }
    }

    /// Takes in a step, from `step.before()` to `step`. Meshes that are the same version as before are not built again, and edits
    /// are followed. A step [at rest](Frame::at_rest) costs the edits.
    pub fn update(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<(), Error> {
        if step.before().is_none() {
            return Err(Error::NoStep);
        }
        step.check(bodies)?;
        let step = step.trusted();
        self.continues = false;
        let is_at_rest =
            step.is_at_rest() && self.trees.are_in_place(bodies) && self.step.take_edited(bodies, step)?;
        if !is_at_rest {
            let [start, end] = &mut self.last;
            std::mem::swap(start, &mut self.step.start);
            std::mem::swap(end, &mut self.step.end);
            self.step.take(bodies, step, None::<fn(&Point) -> Point>)?;
            self.trees.values_mut().iter_mut().for_each(|tree| tree.due = None);
        }
        let (step, size) = (&self.step, self.patch_size);
        let are_new = self.trees.follow(bodies, |body, tree, before, mesh| {
            let start = step.ends(body.index())[0];
            let edited = tree.zip(before).and_then(|(tree, before)| tree.edited(before, mesh, start));
            edited.unwrap_or_else(|| Tree::new(mesh, start, size))
        });
        if is_at_rest && !are_new {
            return Ok(());
        }
        self.continues = !are_new && self.last[1] == step.start;
        if self.continues {
            self.ahead.follow(self.trees.values(), &self.step.end);
        } else {
            self.ahead.end();
        }
        if is_at_rest {
            self.fit();
        }
        Ok(())
    }

    /// What the last question cost, roughly in nanoseconds; the same on any machine.
    pub(crate) fn cost(&self) -> f64 {
        // Patches of triangles that are near each other lie face to face; those of neighbours meet along seams.
        self.work.cost(2200.0)
    }

    /// Whether it answers from what is kept of steps before.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.ahead.is_on()
    }

    /// Fits all boxes to the step, and builds trees anew that fit badly.
    fn fit(&mut self) {
        let (step, size, boxes) = (&self.step, self.patch_size, &mut self.boxes);
        for (body, (mesh, tree)) in self.trees.iter_mut().enumerate() {
            let [start, end] = step.ends(body);
            if tree.refit_edited(start, end, &step.map) {
                continue;
            }
            tree.refit(start, end, &step.map, boxes);
            if !self.ahead.is_on() && tree.is_loose(&step.map) {
                *tree = Tree::new(mesh, start, size);
                tree.refit(start, end, &step.map, boxes);
                tree.is_loose(&step.map);
            }
        }
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
        let corners = |t| self.step.corners(self.trees.meshes(), t);
        choose(&found, &horizon, |features| time_of(features, corners, [&self.step.start, &self.step.end]))
    }

    /// The first features that come within `thickness` (above 0) of each other, and a time before which everything is
    /// certainly further apart. Conservative: a time may be early by what `narrow::continuous::separation`
    /// states. Pairs with a common vertex do not count; what is as close at the start has time 0.
    ///
    /// Boxes are wider by half the thickness, rounded up, so that boxes with a gap between them hold nothing that is close.
    pub(crate) fn first_closer_than(
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
        self.work = Work::default();
        let ask = thickness.map_or(Ask::Touch, Ask::Within);
        let is_kept = ask == Ask::Touch && self.is_ahead(pairs, allows);
        let roots = self.step.roots(pairs, allows, thickness);
        let mut found = Vec::new();
        if is_kept {
            found = self.ask_listed(horizon);
            if roots.iter().all(|root| self.ahead.rests(root)) {
                return found;
            }
        }
        self.fit();
        let epoch = self.step.next_epoch();
        let (step, kept) = (&self.step, is_kept.then_some(&self.ahead));
        let sides = sides(self.trees.values(), step, widened(thickness.unwrap_or(0.0), step));
        let leaves = leaves(&sides, step, horizon, ask, epoch);
        let distance = thickness.unwrap_or(0.0);
        let search = Search { trees: self.trees.values(), leaves, kept, distance };
        let tasks = search.tasks(roots, task_count());
        for (impacts, work) in
            parallel::map(tasks, &mut self.scratch, |scratch, pair| search.run(pair, scratch))
        {
            found.extend(impacts);
            self.work += work;
        }
        found
    }

    /// Calls `take` with every pair of features within bodies that may come within `distance` of each other, each once, in no
    /// order: with all that do, and some that do not. A thread ends its share when `take` says no. Yields what each has made of it.
    pub(crate) fn close_features<O: Default + Send>(
        &mut self,
        distance: f64,
        take: &(impl Fn(&mut O, Features) -> bool + Sync),
    ) -> Vec<O> {
        self.work = Work::default();
        let roots = self.step.roots(Pairs::Within, &|_, _| true, Some(distance));
        self.fit();
        let (epoch, horizon) = (self.step.next_epoch(), Horizon::all());
        let sides = sides(self.trees.values(), &self.step, widened(distance, &self.step));
        let leaves = leaves(&sides, &self.step, &horizon, Ask::List(distance), epoch);
        let search = Search { trees: self.trees.values(), leaves, kept: None, distance };
        let tasks = search.tasks(roots, task_count());
        let parts =
            parallel::map(tasks, &mut self.scratch, |scratch, pair| search.hand_out(pair, scratch, take));
        let mut out = Vec::new();
        for (part, work) in parts {
            out.push(part);
            self.work += work;
        }
        out
    }

    /// Whether pairs are listed for this step; lists them if that is due.
    fn is_ahead(&mut self, pairs: Pairs, allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync)) -> bool {
        if self.ahead.is_on() && !self.ahead.covers(pairs, allows) {
            self.ahead.end();
        }
        if self.ahead.is_on() || !self.continues {
            return self.ahead.is_on();
        }
        let (trees, last) = (self.trees.values(), [&self.last[0][..], &self.last[1][..]]);
        let Some(roots) = self.ahead.expect(trees, &self.step, last, pairs, allows) else { return false };
        match self.list(roots) {
            Some((queries, groups)) => {
                self.ahead.keep(queries, groups, self.trees.values(), &self.step.end);
                self.ahead.is_on()
            }
            None => {
                self.ahead.give_up();
                false
            }
        }
    }

    /// Everything that the expected motion may bring together; `None` if that is too much.
    fn list(&mut self, roots: Vec<NodePair>) -> Option<Listed> {
        let (expected, boxes) = (&self.ahead.step, &mut self.boxes);
        for (body, (_, tree)) in self.trees.iter_mut().enumerate() {
            let [start, end] = expected.ends(body);
            tree.refit(start, end, &expected.map, boxes);
            tree.due = None;
        }
        // The difference of two deviations, at most the leeway along every axis, is no longer than √3 times that.
        let distance = 1.7321 * self.ahead.leeway;
        let (epoch, horizon) = (self.step.next_epoch(), Horizon::all());
        let sides = sides(self.trees.values(), expected, widened(self.ahead.leeway, expected));
        let leaves = leaves(&sides, expected, &horizon, Ask::List(distance), epoch);
        let search = Search { trees: self.trees.values(), leaves, kept: None, distance };
        let (tasks, room) = (search.tasks(roots, task_count()), self.ahead.room());
        let parts = parallel::map(tasks, &mut self.scratch, |scratch, pair| search.list(pair, room, scratch));
        let (mut queries, mut groups) = Listed::default();
        for (part, work) in parts {
            self.work += work;
            let (more, of_them) = part?;
            let first = queries.len();
            queries.extend(more);
            groups.extend(of_them.into_iter().map(|g| ahead::Group { end: first + g.end, ..g }));
        }
        (queries.len() <= room).then_some((queries, groups))
    }

    /// The impacts of the pairs that are listed for this step.
    fn ask_listed(&mut self, horizon: &Horizon) -> Vec<Impact> {
        let leaves = leaves(&[], &self.step, horizon, Ask::Touch, 0);
        let mut stream = leaves.stream();
        for query in self.ahead.queries() {
            leaves.ask(query, &mut stream);
            self.work.queries += 1;
        }
        stream.finish()
    }
}

/// How many tasks a search is cut into.
fn task_count() -> usize {
    if parallel::threads() == 1 { 1 } else { 32 * parallel::threads() }
}

/// By how much boxes are wider, so that those with a gap between them hold nothing within a distance of each other. The margin
/// covers the roundings of images and of the product.
fn widened(distance: f64, step: &TakenStep) -> f32 {
    if distance == 0.0 { 0.0 } else { (0.5 * distance * step.map.scale) as f32 * (1.0 + MARGIN) + MARGIN }
}

fn sides<'a>(trees: &'a [Tree], step: &'a TakenStep, widened: f32) -> Vec<Side<'a>> {
    (trees.iter().enumerate())
        .map(|(body, tree)| step.side(body, &tree.patches, &tree.representatives, widened))
        .collect()
}

fn leaves<'a>(
    sides: &'a [Side<'a>],
    step: &'a TakenStep,
    horizon: &'a Horizon,
    ask: Ask,
    epoch: u32,
) -> Leaves<'a> {
    Leaves { sides, start: &step.start, end: &step.end, horizon, ask, epoch }
}
