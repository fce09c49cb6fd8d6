//! When time is short: the coarse before the fine, and what is left undecided (B24).
//!
//! The trees are descended level by level, all pairs of bodies at once, so that a search that is stopped has come equally
//! far everywhere. What it found is exact; what it did not come to is told as pairs of boxes that overlap, and every
//! contact that is missing is in one of them.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::descent::Hierarchy;
use super::structure::Structure;
use super::{BodyTree, BucketTree, Split};
use crate::geometry::Aabb;
use crate::geometry::triangle::corners;
use crate::narrow::tri_tri;
use crate::{Bodies, BodyId, Contacts, Frame, Pairs, Stats, TriangleId, TrianglePair};

/// How much a search may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// So many pairs of nodes: the same answer on every machine.
    Visits(u64),
    /// So long, to a few microseconds. Not for targets without a clock.
    Time(Duration),
}

/// How a search under a [`Budget`] ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Hurried {
    /// What it cost.
    pub stats: Stats,
    /// Where it did not come to an answer; empty when it is complete.
    pub undecided: Vec<Undecided>,
}

/// Parts of two bodies, or of one, that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Undecided {
    /// The bodies; the same twice for one with itself.
    pub bodies: [BodyId; 2],
    /// Boxes round the parts.
    pub boxes: [Aabb; 2],
}

/// Two nodes to be compared; the same twice for what is below one.
struct Task {
    bodies: [u32; 2],
    nodes: [u32; 2],
}

/// How many visits pass between two looks at the clock: some microseconds.
const BREATH: u64 = 32;

impl BucketTree {
    /// As [`Detector::contacts`](crate::Detector::contacts), but ends when the budget is spent.
    pub fn contacts_within(
        &self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        budget: Budget,
        out: &mut Contacts,
    ) -> Hurried {
        out.clear();
        let start = matches!(budget, Budget::Time(_)).then(Instant::now);
        let is_spent = |visits: u64| match (budget, start) {
            (Budget::Visits(most), _) => visits >= most,
            (Budget::Time(most), Some(start)) => visits.is_multiple_of(BREATH) && start.elapsed() >= most,
            (Budget::Time(_), None) => true,
        };
        let mut stats = Stats::default();
        let mut tasks: VecDeque<Task> = VecDeque::new();
        for pair in self.body_pairs(pairs) {
            if let [Some(x), Some(y)] = pair.map(|b| Hierarchy::root(&self.trees[b as usize].tree)) {
                tasks.push_back(Task { bodies: pair, nodes: [x, y] });
            }
        }
        while !is_spent(stats.visits)
            && let Some(task) = tasks.pop_front()
        {
            stats.visits += 1;
            self.open(bodies, frame, &task, &mut tasks, &mut stats, out);
        }
        out.triangle_pairs.sort_unstable();
        stats.contacts = out.triangle_pairs.len() as u64;
        Hurried { stats, undecided: tasks.iter().map(|t| self.undecided(t)).collect() }
    }

    /// Compares two nodes; what is below them and overlaps goes to the end of the list, leaves are settled.
    fn open(
        &self,
        bodies: &Bodies,
        frame: Frame<'_>,
        task: &Task,
        tasks: &mut VecDeque<Task>,
        stats: &mut Stats,
        out: &mut Contacts,
    ) {
        let ([a, b], [x, y]) = (task.bodies.map(|b| &self.trees[b as usize].tree), task.nodes);
        let is_self = task.bodies[0] == task.bodies[1];
        let (mut below_x, mut below_y) = ([0; 8], [0; 8]);
        let (in_x, in_y) = (Hierarchy::children(a, x, &mut below_x), Hierarchy::children(b, y, &mut below_y));
        let mut push = |x: u32, y: u32| {
            stats.tests += 1;
            if (is_self && x == y) || a.image(x).overlaps(&b.image(y)) {
                tasks.push_back(Task { bodies: task.bodies, nodes: [x, y] });
            }
        };
        match (in_x, in_y) {
            (0, 0) => self.settle(bodies, frame, task, stats, out),
            _ if is_self && x == y => {
                for i in 0..in_x {
                    below_x[i..in_x].iter().for_each(|&c| push(below_x[i], c));
                }
            }
            (0, _) => below_y[..in_y].iter().for_each(|&c| push(x, c)),
            (_, 0) => below_x[..in_x].iter().for_each(|&c| push(c, y)),
            _ => {
                let volume = |of: &Structure, node: u32| of.image(node).volume();
                if (volume(a, x) >= volume(b, y)) == (self.params.split == Split::Larger) {
                    below_x[..in_x].iter().for_each(|&c| push(c, y));
                } else {
                    below_y[..in_y].iter().for_each(|&c| push(x, c));
                }
            }
        }
    }

    /// Tests the triangles of two leaves.
    fn settle(&self, bodies: &Bodies, frame: Frame<'_>, task: &Task, stats: &mut Stats, out: &mut Contacts) {
        let [a, b]: [&BodyTree; 2] = task.bodies.map(|b| &self.trees[b as usize]);
        let [in_a, in_b] = task.bodies.map(|b| bodies.triangle_range(BodyId(b)).start as u32);
        let [at_a, at_b] = [(a, 0), (b, 1)].map(|(tree, side)| {
            let body = task.bodies[side] as usize;
            tree.positions(frame.of(BodyId(body as u32)))
        });
        let is_self = task.bodies[0] == task.bodies[1];
        Hierarchy::items(&a.tree, task.nodes[0], |i| {
            let of_i = a.triangles()[i as usize];
            let p = corners(at_a, of_i);
            let around = Aabb::of(&p.map(|x| *x));
            Hierarchy::items(&b.tree, task.nodes[1], |j| {
                if is_self && task.nodes[0] == task.nodes[1] && i >= j {
                    return;
                }
                let of_j = b.triangles()[j as usize];
                let q = corners(at_b, of_j);
                stats.tests += 1;
                if !around.overlaps(&Aabb::of(&q.map(|x| *x))) {
                    return;
                }
                stats.candidates += 1;
                let meet =
                    if is_self { tri_tri::meets_at(of_i, p, of_j, q) } else { tri_tri::intersects_at(p, q) };
                if meet {
                    let (s, t) = (in_a + i, in_b + j);
                    out.triangle_pairs
                        .push(TrianglePair { a: TriangleId(s.min(t)), b: TriangleId(s.max(t)) });
                }
            });
        });
    }

    fn undecided(&self, task: &Task) -> Undecided {
        let boxes = [0, 1].map(|side| {
            let tree = &self.trees[task.bodies[side] as usize].tree;
            tree.image(task.nodes[side]).outward(&self.map)
        });
        Undecided { bodies: task.bodies.map(BodyId), boxes }
    }
}
