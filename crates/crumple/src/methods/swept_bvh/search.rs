//! Two trees descended together, down to pairs of patches.

use super::build::{Node, Tree};
use super::leaves::{LeafScratch, Leaves};
use super::taken::NodePair;
use crate::Impact;

/// A step of all bodies, and what is asked about it.
pub(super) struct Search<'a> {
    pub trees: &'a [Tree],
    pub leaves: Leaves<'a>,
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    stack: Vec<NodePair>,
    leaves: LeafScratch,
}

impl Search<'_> {
    fn node(&self, pair: &NodePair, side: usize) -> &Node {
        &self.trees[pair.bodies[side] as usize].nodes[pair.nodes[side] as usize]
    }

    /// Puts the pairs below a pair in its place; "no" if both are leaves. A node against itself becomes its children, each
    /// against itself and one against the other; of two nodes the larger is opened.
    fn split(&self, pair: NodePair, to: &mut Vec<NodePair>) -> bool {
        let (a, b) = (self.node(&pair, 0), self.node(&pair, 1));
        let [i, j] = pair.nodes;
        let with = |nodes| NodePair { nodes, ..pair };
        if pair.is_itself() {
            if a.second == 0 {
                return false;
            }
            to.extend([[i + 1, a.second], [i + 1, i + 1], [a.second, a.second]].map(with));
        } else if a.second != 0 && (b.second == 0 || a.bounds.girth() >= b.bounds.girth()) {
            to.extend([[i + 1, j], [a.second, j]].map(with));
        } else if b.second != 0 {
            to.extend([[i, j + 1], [i, b.second]].map(with));
        } else {
            return false;
        }
        true
    }

    fn is_apart(&self, pair: &NodePair) -> bool {
        let leaves = &self.leaves;
        let wide = |side: usize| {
            self.node(pair, side).bounds.widened(leaves.sides[pair.bodies[side] as usize].source.widened)
        };
        !pair.is_itself() && wide(0).is_apart(&wide(1), leaves.horizon.until_f32())
    }

    /// Splits pairs until there are at least `count`, or none can be split.
    pub fn tasks(&self, mut pairs: Vec<NodePair>, count: usize) -> Vec<NodePair> {
        let mut next = Vec::new();
        while pairs.len() < count {
            let mut any = false;
            for pair in pairs.drain(..).filter(|pair| !self.is_apart(pair)) {
                if self.split(pair, &mut next) {
                    any = true;
                } else {
                    next.push(pair);
                }
            }
            std::mem::swap(&mut pairs, &mut next);
            if !any {
                break;
            }
        }
        pairs
    }

    /// All impacts of what is below two nodes, in no order; up to the horizon, and perhaps some after it.
    pub fn run(&self, pair: NodePair, scratch: &mut Scratch) -> Vec<Impact> {
        let mut stream = self.leaves.stream();
        let mut stack = std::mem::take(&mut scratch.stack);
        stack.push(pair);
        while let Some(pair) = stack.pop() {
            if !self.is_apart(&pair) && !self.split(pair, &mut stack) {
                let patches = [0, 1].map(|side| self.node(&pair, side).patch);
                self.leaves.search(pair.bodies, patches, &mut scratch.leaves, &mut stream);
            }
        }
        scratch.stack = stack;
        stream.finish()
    }
}
