//! Colliding buckets, and the triangles in them.

use super::octree::FixedOctree;
use super::{Boxes, FixedTree, PublishedBucketTree, Split};
use crate::detector::Method;
use crate::geometry::Aabb;
use crate::geometry::triangle::corners;
use crate::methods::bucket_tree::descent::{self, Both, Hierarchy};
use crate::methods::bucket_tree::draw::Sketch;
use crate::methods::bucket_tree::query::{self, Located, meet, pack, unpack};
use crate::methods::bucket_tree::validate::broken;
use crate::parallel;
use crate::{
    Bodies, BodyId, Broken, Candidates, Contacts, Drawing, Error, Frame, FrameError, Guarantee, Pairs, Stats,
};

/// Two bodies, or twice the same, and what was found between them.
struct Task {
    bodies: [u32; 2],
    found: Vec<u64>,
    stats: Stats,
}

impl PublishedBucketTree {
    /// Number of pairs of buckets of two bodies whose boxes overlap, and what the descent cost (B16); twice the same body
    /// compares it with itself.
    pub fn bucket_collisions(&self, bodies: [BodyId; 2]) -> Result<(usize, Stats), Error> {
        if let Some(&body) = bodies.iter().find(|b| b.index() >= self.trees.len()) {
            return Err(Error::NoBody { body });
        }
        let (mut count, mut stats) = (0, Stats::default());
        self.bucket_pairs(bodies.map(|b| b.0), &mut stats, |_, _| count += 1);
        Ok((count, stats))
    }

    /// Calls `found` with the buckets of two bodies whose boxes overlap.
    fn bucket_pairs(&self, bodies: [u32; 2], stats: &mut Stats, found: impl FnMut(u32, u32)) {
        let [a, b]: [&FixedOctree; 2] = bodies.map(|b| &self.trees[b as usize].octree);
        let opens_first: fn(&Aabb, &Aabb) -> bool = match self.params.split {
            Split::Larger => descent::is_larger,
            Split::Smaller => |a, b| !descent::is_larger(a, b),
        };
        let mut both = Both { a, b, opens_first, stats, found };
        match (a.root(), b.root()) {
            (Some(x), _) if bodies[0] == bodies[1] => both.within(x),
            (Some(x), Some(y)) => both.between(x, y),
            _ => {}
        }
    }

    /// Fills `self.found`, sorted; `exact` tells whether candidates are tested.
    fn search(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, exact: bool) -> Stats {
        let extents = self.trees.iter().map(|tree| tree.octree.extent());
        let mut tasks: Vec<Task> = query::body_pairs(extents, pairs, frame.near())
            .into_iter()
            .map(|bodies| Task { bodies, found: Vec::new(), stats: Stats::default() })
            .collect();
        parallel::for_each(&mut tasks, |_, task| self.compare(bodies, frame, exact, task));
        self.found.clear();
        let mut stats = Stats::default();
        for task in &tasks {
            self.found.extend_from_slice(&task.found);
            stats += task.stats;
        }
        self.found.sort_unstable();
        stats.contacts = self.found.len() as u64;
        stats
    }

    /// Tests the triangles of colliding buckets.
    fn compare(&self, bodies: &Bodies, frame: Frame<'_>, exact: bool, task: &mut Task) {
        let [a, b]: [&FixedTree; 2] = task.bodies.map(|b| &self.trees[b as usize]);
        let is_self = task.bodies[0] == task.bodies[1];
        let located = |tree: usize| {
            let triangles = &self.trees[tree].triangles;
            let positions = triangles.positions(frame.of(BodyId(tree as u32)));
            Located { corners: triangles.corners(), positions }
        };
        let [in_a, in_b] = task.bodies.map(|b| located(b as usize));
        let [first_a, first_b] = task.bodies.map(|b| bodies.triangle_range(BodyId(b)).start as u32);
        let around = |of: Located<'_>, t: u32| {
            let all = corners(of.positions, of.corners[t as usize]);
            all.iter().fold(Aabb::EMPTY, |bounds, p| bounds.with(p))
        };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut tests, mut candidates) = (0, 0);
        let mut stats = Stats::default();
        self.bucket_pairs(task.bodies, &mut stats, |x, y| {
            a.octree.list(x, &mut left);
            b.octree.list(y, &mut right);
            for (n, &i) in left.iter().enumerate() {
                let of_i = around(in_a, i);
                let others = if is_self && x == y { &right[n + 1..] } else { &right[..] };
                tests += others.len() as u64;
                for &j in others.iter().filter(|&&j| of_i.overlaps(&around(in_b, j))) {
                    candidates += 1;
                    if !exact || meet(is_self, in_a, i, in_b, j) {
                        task.found.push(pack(first_a + i, first_b + j));
                    }
                }
            }
        });
        stats.tests += tests;
        stats.candidates += candidates;
        task.stats = stats;
    }
}

impl Method for PublishedBucketTree {
    fn name(&self) -> &'static str {
        "bucket-tree-published"
    }

    fn guarantee(&self) -> Guarantee {
        if self.params.boxes == Boxes::Refitted { Guarantee::Proved } else { Guarantee::AsPublished }
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let stats = self.search(bodies, frame, pairs, false);
        out.triangle_pairs.extend(self.found.iter().map(|&k| unpack(k)));
        Stats { contacts: 0, ..stats }
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let stats = self.search(bodies, frame, pairs, true);
        out.triangle_pairs.extend(self.found.iter().map(|&k| unpack(k)));
        stats
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        for (b, (tree, positions)) in self.trees.iter().zip(frame.iter()).enumerate() {
            let (triangles, map) = (&tree.triangles, self.map.as_ref());
            let is_placed = map.is_some_and(|map| triangles.images(positions, map) == triangles.keyed.images);
            if !triangles.mesh.is_same(&bodies.meshes()[b]) || !is_placed {
                return Err(broken("F1", format!("the tree of body {b} is that of another frame")));
            }
            if let Err((invariant, what)) = tree.octree.check(&triangles.keyed) {
                return Err(broken(invariant, format!("body {b}: {what}")));
            }
        }
        Ok(())
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        let trees = self.trees.iter().map(|t| (&t.triangles, &t.octree));
        Sketch { bodies, frame, found: &self.found }.draw(trees, into);
    }
}
