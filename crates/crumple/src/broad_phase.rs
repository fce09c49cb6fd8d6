//! Which bodies are near each other, by their boxes.
//!
//! A small tree over the boxes, halved at the median of the longer side and built anew every frame: O(n log n) for n
//! bodies, however they lie, plus the pairs that are found. A sweep along one axis needs n^(5/3) in a full room: 8000
//! bodies on a 20 × 20 × 20 grid share a slab with 800 others each. A body as large as the room lengthens the boxes above
//! its own leaf only.
//!
//! # Invariants
//! I1. Every body with a box that is not empty is in exactly one leaf.
//! I2. A node's box holds the boxes below it.

use crate::BodyId;
use crate::geometry::Aabb;
use crate::patches::halve;

/// Boxes in a leaf: few enough to compare each with each.
const LEAF: usize = 4;

/// Finds near pairs of bodies; keeps its memory between frames.
#[derive(Debug, Default)]
pub(crate) struct BroadPhase {
    order: Vec<u32>,
    nodes: Vec<BoxNode>,
    waiting: Vec<[u32; 2]>,
}

/// A node of the tree. The first child of an inner node follows it.
#[derive(Debug, Clone, Copy)]
struct BoxNode {
    bounds: Aabb,
    /// Its bodies, as a range of the order.
    start: u32,
    end: u32,
    /// The second child; 0 in a leaf.
    second: u32,
}

/// Differences, squares and sums are off by less than 10 · 2^-53 of themselves.
fn limit_sq(margin: f64) -> f64 {
    margin * margin * (1.0 + 1e-14)
}

impl BroadPhase {
    /// Replaces `out` by every pair of bodies, the smaller id first, sorted, whose boxes are not certainly further apart
    /// than `margin`, and says how many boxes were compared. An empty box is near nothing.
    pub fn pairs(&mut self, boxes: &[Aabb], margin: f64, out: &mut Vec<[BodyId; 2]>) -> usize {
        out.clear();
        self.build(boxes);
        if self.nodes.is_empty() || margin.is_nan() || margin < 0.0 {
            return 0;
        }
        let mut compared = 0;
        let limit_sq = limit_sq(margin);
        let is_near = |p: &Aabb, q: &Aabb| p.distance_sq(q) <= limit_sq;
        self.waiting.push([0, 0]);
        while let Some([i, j]) = self.waiting.pop() {
            compared += 1;
            let (p, q) = (self.nodes[i as usize], self.nodes[j as usize]);
            if i == j && p.second != 0 {
                self.waiting.extend([[i + 1, i + 1], [p.second, p.second], [i + 1, p.second]]);
            } else if !is_near(&p.bounds, &q.bounds) {
                continue;
            } else if p.second != 0 && (q.second == 0 || p.end - p.start >= q.end - q.start) {
                self.waiting.extend([[i + 1, j], [p.second, j]]);
            } else if q.second != 0 {
                self.waiting.extend([[i, j + 1], [i, q.second]]);
            } else {
                for s in p.start..p.end {
                    for t in if i == j { s + 1 } else { q.start }..q.end {
                        compared += 1;
                        let [a, b] = [self.order[s as usize], self.order[t as usize]];
                        if is_near(&boxes[a as usize], &boxes[b as usize]) {
                            out.push([BodyId(a.min(b)), BodyId(a.max(b))]);
                        }
                    }
                }
            }
        }
        out.sort_unstable();
        compared
    }

    /// The same; where pairs are `known` that hold all such, only those are compared.
    pub fn pairs_among(
        &mut self,
        known: Option<&[[BodyId; 2]]>,
        boxes: &[Aabb],
        margin: f64,
        out: &mut Vec<[BodyId; 2]>,
    ) {
        let Some(known) = known else {
            self.pairs(boxes, margin, out);
            return;
        };
        let limit_sq = limit_sq(margin);
        out.clear();
        out.extend(known.iter().filter(|pair| {
            let [p, q] = pair.map(|body| &boxes[body.index()]);
            !p.is_empty() && !q.is_empty() && p.distance_sq(q) <= limit_sq
        }));
    }

    fn build(&mut self, boxes: &[Aabb]) {
        self.nodes.clear();
        self.order.clear();
        self.order.extend((0..boxes.len() as u32).filter(|&b| !boxes[b as usize].is_empty()));
        if !self.order.is_empty() {
            let mut order = std::mem::take(&mut self.order);
            self.grow(boxes, &mut order, 0);
            self.order = order;
        }
    }

    /// Makes the node of these bodies, and those below it. Halving ends after 32 levels at most.
    fn grow(&mut self, boxes: &[Aabb], order: &mut [u32], start: u32) {
        let node = self.nodes.len();
        let bounds = order.iter().fold(Aabb::EMPTY, |all, &b| all.union(&boxes[b as usize]));
        self.nodes.push(BoxNode { bounds, start, end: start + order.len() as u32, second: 0 });
        if order.len() <= LEAF {
            return;
        }
        // Twice the middle. Ties by number, so that the tree does not depend on the order of the last frame.
        let middle = |&b: &u32, k: usize| boxes[b as usize].min[k] + boxes[b as usize].max[k];
        let half = order.len() / 2;
        let (low, high) = halve(order, half, middle, |&b| b.into());
        self.grow(boxes, low, start);
        self.nodes[node].second = self.nodes.len() as u32;
        self.grow(boxes, high, start + half as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_pairs(boxes: &[Aabb], margin: f64) -> Vec<[BodyId; 2]> {
        let mut out = Vec::new();
        for a in 0..boxes.len() {
            for b in a + 1..boxes.len() {
                if boxes[a].distance_sq(&boxes[b]) <= margin * margin {
                    out.push([BodyId(a as u32), BodyId(b as u32)]);
                }
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn equals_every_box_with_every_box(
            corners in prop::collection::vec(([0i8..12, 0..12, 0..12], [0i8..4, 0..4, 0..9]), 0..60),
            margin in 0i8..4,
        ) {
            // Coordinates on a small grid, so that boxes touch; every seventh is empty.
            let boxes: Vec<Aabb> = corners.iter().enumerate().map(|(i, (low, size))| match i % 7 {
                6 => Aabb::EMPTY,
                _ => Aabb {
                    min: low.map(f64::from),
                    max: std::array::from_fn(|k| f64::from(low[k] + size[k])),
                },
            }).collect();
            let mut out = vec![[BodyId(9); 2]];
            let mut broad = BroadPhase::default();
            broad.pairs(&boxes, f64::from(margin), &mut out);
            prop_assert_eq!(&out, &all_pairs(&boxes, f64::from(margin)));
            let mut wide = Vec::new();
            broad.pairs(&boxes, 4.0, &mut wide);
            let mut among = vec![[BodyId(9); 2]];
            broad.pairs_among(Some(&wide), &boxes, f64::from(margin), &mut among);
            prop_assert_eq!(&among, &out);
            broad.pairs(&boxes[..boxes.len() / 2], 0.0, &mut out);
            prop_assert_eq!(&out, &all_pairs(&boxes[..boxes.len() / 2], 0.0));
        }
    }

    #[test]
    fn the_work_stays_near_linear_in_a_full_room_with_a_floor() {
        let mut broad = BroadPhase::default();
        let mut out = Vec::new();
        let mut each = Vec::new();
        for side in [5usize, 10, 20] {
            let cell = |i: usize| [i % side, i / side % side, i / side / side].map(|x| x as f64);
            let mut boxes: Vec<Aabb> =
                (0..side.pow(3)).map(|i| Aabb { min: cell(i), max: cell(i).map(|x| x + 0.9) }).collect();
            boxes.push(Aabb { min: [0.0; 3], max: [side as f64, side as f64, 0.5] });
            each.push(broad.pairs(&boxes, 0.0, &mut out) as f64 / boxes.len() as f64);
            assert_eq!(out.len(), side * side, "each body of the lowest storey stands on the floor");
        }
        assert!(each[2] < 1.5 * each[1], "boxes compared for each of 125, 1000 and 8000 bodies: {each:?}");
    }
}
