//! Boxes at both ends of a step: one pass over the positions of every patch, then upward.

use std::collections::BTreeSet;

use super::build::{Node, Tree};
use super::moving_box::MovingBox;
use crate::geometry::simd::multiversion;
use crate::geometry::{Aabb32, Map, Point};
use crate::parallel;

/// Patches that are worth a task of their own.
const CHUNK: usize = 64;

/// A tree whose patches have grown to this many times their girths serves badly, and is built anew.
const LOOSE: f64 = 2.0;

impl Tree {
    /// Fits all boxes to a step of this body. `boxes` is memory to use again.
    pub fn refit(&mut self, start: &[Point], end: &[Point], map: &Map, boxes: &mut Vec<MovingBox>) {
        boxes.clear();
        boxes.resize(self.patches.len(), MovingBox::EMPTY);
        let patches = &self.patches;
        parallel::for_each_chunk(boxes, CHUNK, |first, boxes| {
            for (i, bounds) in boxes.iter_mut().enumerate() {
                *bounds = patch_box(patches.vertices(first + i), start, end, map);
            }
        });
        // Children stand behind their parent.
        for i in (0..self.nodes.len()).rev() {
            self.fit_node(i, boxes[self.nodes[i].patch as usize]);
        }
        (self.map, self.due) = (Some(*map), Some(Vec::new()));
    }

    /// The same where the boxes are those of this step and map but for what edits changed, at their cost; says whether that was so.
    pub fn refit_edited(&mut self, start: &[Point], end: &[Point], map: &Map) -> bool {
        if self.map != Some(*map) {
            return false;
        }
        let Some(due) = &mut self.due else { return false };
        let mut waiting: BTreeSet<u32> = due.drain(..).collect();
        // Parents stand before their children: the last is ready.
        while let (Some(node), Some(upkeep)) = (waiting.pop_last(), &self.upkeep) {
            waiting.extend(upkeep.parent(node));
            let Node { patch, children, .. } = self.nodes[node as usize];
            let vertices = if children[0] == 0 { self.patches.vertices(patch as usize) } else { &[] };
            self.fit_node(node as usize, patch_box(vertices, start, end, map));
        }
        true
    }

    /// The box of a node: that of its patch, or, where it is no leaf, of its children.
    #[inline(always)]
    fn fit_node(&mut self, node: usize, of_patch: MovingBox) {
        let Node { children, patch, .. } = self.nodes[node];
        let (bounds, represents) = if self.nodes[node].is_leaf() {
            (of_patch, self.represents[patch as usize])
        } else {
            let [a, b] = children.map(|c| &self.nodes[c as usize]);
            (a.bounds.union(&b.bounds), a.represents || b.represents)
        };
        (self.nodes[node].bounds, self.nodes[node].represents) = (bounds, represents);
    }

    /// Whether the boxes, just refitted with this map, are so loose that another tree would be better.
    pub fn is_loose(&mut self, map: &Map) -> bool {
        let leaves = self.nodes.iter().filter(|n| n.is_leaf() && n.bounds != MovingBox::EMPTY);
        let girth = leaves.map(|n| f64::from(n.bounds.start.girth())).sum::<f64>() / map.scale;
        if self.girth_when_built == f64::INFINITY {
            self.girth_when_built = girth;
        }
        girth > LOOSE * self.girth_when_built
    }
}

multiversion! {
    /// The smallest boxes of the images of some vertices.
    fn patch_box(vertices: &[u32], start: &[Point], end: &[Point], map: &Map) -> MovingBox {
        let mut bounds = MovingBox::EMPTY;
        for &v in vertices {
            let (p, q) = (map.apply(&start[v as usize]), map.apply(&end[v as usize]));
            bounds = bounds.union(&MovingBox { start: Aabb32::new(p, p), end: Aabb32::new(q, q) });
        }
        bounds
    }
}
