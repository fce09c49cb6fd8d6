//! Contacts within a budget, breadth-first; returns the undecided box pairs (B24).
//!
//! The trees are descended level by level, all pairs of bodies in turn, until there are some hundred pairs of regions; then
//! these are searched to their ends, some at a time. So a search that is stopped has come about equally far everywhere,
//! and what is left can be told in the time that is left. It is the descent of the plain query (`octree/pairs.rs`). What it
//! found is exact; what it did not come to is told as pairs of boxes that overlap, and every contact that is missing is in
//! one of them.

use std::time::{Duration, Instant};

use super::BucketTree;
use super::octree::Until;
use super::query::{Side, Worker, begin_worker, unpack};
use crate::budget::{Budgeted, Meter, Undecided};
use crate::quota::Quota;
use crate::{Bodies, BodyId, Budget, Contacts, Frame, FrameError, Pairs};

/// Pairs of regions from which on each is searched to its end.
const FRONT: usize = 512;

impl BucketTree {
    /// As [`Detector::update`](crate::Detector::update) and [`Ready::contacts`](crate::Ready::contacts), but the search ends
    /// when the budget is spent. The update is made in full and counts. On the calling thread, unless the budget is unlimited.
    ///
    /// ```
    /// use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
    /// use crumple::{Bodies, Budget, Contacts, Frame, Mesh, Pairs};
    /// let bodies = Bodies::new([Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?])?;
    /// let crossing = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]];
    /// let positions = vec![crossing];
    /// let mut tree = BucketTree::new(BucketTreeParams::default())?;
    /// let mut found = Contacts::default();
    /// let ended =
    ///     tree.contacts_budgeted(&bodies, Frame::from(&positions), Pairs::All, Budget::visits(100), &mut found)?;
    /// assert!(ended.undecided.is_empty() && found.triangle_pairs.len() == 1);
    /// let ended =
    ///     tree.contacts_budgeted(&bodies, Frame::from(&positions), Pairs::All, Budget::visits(0), &mut found)?;
    /// assert!(ended.undecided.len() == 1 && found.triangle_pairs.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        budget: Budget,
        out: &mut Contacts,
    ) -> Result<Budgeted, FrameError> {
        out.clear();
        let mut meter = budget.start();
        self.follow(bodies, frame)?;
        if budget.is_unlimited() {
            let stats = self.search(bodies, frame, pairs, true);
            out.triangle_pairs.extend(self.found.iter().map(|&key| unpack(key)));
            return Ok(Budgeted { stats, undecided: Vec::new() });
        }
        Ok(self.search_budgeted(bodies, frame, pairs, &mut meter, out))
    }

    /// Appends contacts until the budget is spent, sorted, and tells what is left.
    pub(super) fn search_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        meter: &mut Meter,
        out: &mut Contacts,
    ) -> Budgeted {
        let quota = Quota::new(self.most);
        let mut workers = std::mem::take(&mut self.workers);
        let sides = self.sides(bodies, frame);
        let mut used = 0;
        for pair in self.body_pairs(pairs, frame.near()) {
            begin_worker(&mut workers, &mut used, pair, &sides);
        }
        let mut is_spent = false;
        let left = |workers: &[Worker]| workers.iter().map(|w| w.lists.tasks.len()).sum::<usize>();
        while !is_spent && left(&workers[..used]) > 0 {
            if left(&workers[..used]) > FRONT {
                let mut others = workers[..used].iter_mut();
                while others.next().is_some_and(|w| w.finish_tasks(&sides, meter, &quota)) {}
                break;
            }
            for worker in &mut workers[..used] {
                let level = worker.lists.tasks.len();
                let mut opened = 0;
                while opened < level && !is_spent {
                    let granted = meter.grant(level - opened);
                    worker.descend(&sides, Until::Opened(opened, opened + granted), true, &quota);
                    opened += granted;
                    is_spent = granted == 0;
                }
                worker.lists.tasks.drop_front(opened);
            }
        }
        let undecided = workers[..used].iter().flat_map(|worker| self.undecided(worker)).collect();
        let stats = self.gather(&workers[..used]);
        self.workers = workers;
        out.triangle_pairs.extend(self.found.iter().map(|&key| unpack(key)));
        Budgeted { stats, undecided }
    }

    /// What a worker has left to do.
    fn undecided(&self, worker: &Worker) -> Vec<Undecided> {
        let tasks = &worker.lists.tasks;
        let bodies = worker.bodies.map(BodyId);
        let Some(map) = &self.map else { return Vec::new() };
        let octree = |body: BodyId| &self.trees[body.index()].octree;
        (0..tasks.len())
            .map(|n| {
                let (x, y) = tasks.get(n);
                let sides = [(octree(bodies[0]), x), (octree(bodies[1]), y)];
                let [a, b] = sides.map(|(tree, node)| u64::from(tree.count(node)));
                let is_one = bodies[0] == bodies[1] && x == y;
                let most = if is_one { a * a.saturating_sub(1) / 2 } else { a * b };
                Undecided { bodies, boxes: sides.map(|(tree, node)| tree.bounds(node).outward(map)), most }
            })
            // A triangle has nothing to meet in itself.
            .filter(|undecided| undecided.most > 0)
            .collect()
    }
}

/// Tasks that are searched to their ends take so long together between two looks at the clock.
const PIECE: Duration = Duration::from_micros(40);

impl Worker {
    /// Searches its tasks to their ends, the last first; says whether the budget lasted.
    fn finish_tasks(&mut self, sides: &[Side<'_>], meter: &mut Meter, quota: &Quota) -> bool {
        let clock = meter.clock();
        let mut waiting = std::mem::take(&mut self.lists.tasks);
        let mut piece = 1;
        let mut is_spent = false;
        while waiting.len() > 0 && !is_spent {
            // Some at a time, so that lists stay long: as many as the last ones allow to guess.
            let start = clock.is_set().then(Instant::now);
            let granted = if clock.is_late() { 0 } else { meter.count(piece.min(waiting.len())) };
            is_spent = granted == 0;
            for _ in 0..granted {
                waiting.pop().into_iter().for_each(|(x, y)| self.lists.tasks.push(x, y));
            }
            self.descend(sides, Until::Done, true, quota);
            piece = match start.map(|start| start.elapsed()) {
                Some(time) if time > PIECE => piece.div_ceil(2),
                _ => 2 * piece,
            };
        }
        self.lists.tasks = waiting;
        !is_spent
    }
}
