//! Two trees descended together, down to pairs of patches.

use super::ahead::{Ahead, Group};
use super::build::{Node, Tree};
use super::hubs;
use super::leaves::{LeafScratch, Leaves, Query};
use super::parted::Parting;
use super::taken::NodePair;
use super::work::Work;
use crate::{Features, Impact};

/// A step of all bodies, and what is asked about it.
pub(super) struct Search<'a> {
    pub trees: &'a [Tree],
    pub leaves: Leaves<'a>,
    /// What is kept from steps before.
    pub kept: Option<&'a Ahead>,
    /// Features further apart than this do not matter.
    pub distance: f64,
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
            if a.is_leaf() {
                return false;
            }
            let [c, d] = a.children;
            to.extend([[c, d], [c, c], [d, d]].map(with));
        } else if !a.is_leaf() && (b.is_leaf() || a.bounds.girth() >= b.bounds.girth()) {
            to.extend(a.children.map(|c| with([c, j])));
        } else if !b.is_leaf() {
            to.extend(b.children.map(|c| with([i, c])));
        } else {
            return false;
        }
        true
    }

    fn is_apart(&self, pair: &NodePair) -> bool {
        let represents = self.node(pair, 0).represents || self.node(pair, 1).represents;
        if !represents || self.kept.is_some_and(|kept| kept.rests(pair)) {
            return true;
        }
        let leaves = &self.leaves;
        let wide = |side: usize| {
            self.node(pair, side).bounds.widened(leaves.sides[pair.bodies[side] as usize].source.widened)
        };
        !pair.is_itself() && (wide(0).is_apart(&wide(1), leaves.horizon.until_f32()) || self.are_parted(pair))
    }

    /// Whether a plane through a hub parts two nodes.
    fn are_parted(&self, pair: &NodePair) -> bool {
        let (a, b) = (self.node(pair, 0), self.node(pair, 1));
        if a.hub == hubs::NONE || a.hub != b.hub || !pair.is_one_body() {
            return false;
        }
        let body = pair.bodies[0] as usize;
        let source = &self.leaves.sides[body].source;
        let parting = Parting { ends: [source.start, source.end], distance: self.distance };
        parting.are_parted(&self.trees[body].patches, [a.patches(), b.patches()])
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
    pub fn run(&self, pair: NodePair, scratch: &mut Scratch) -> (Vec<Impact>, Work) {
        let mut stream = self.leaves.stream();
        self.descend(pair, scratch, |pair, scratch| {
            let patches = self.patches(&pair);
            self.leaves.search(pair.bodies, patches, scratch, &mut stream);
            true
        });
        (stream.finish(), std::mem::take(&mut scratch.leaves.work))
    }

    /// All pairs of features below two nodes whose boxes meet, patch pair after patch pair; `None` if there is no room.
    pub fn list(&self, pair: NodePair, room: usize, scratch: &mut Scratch) -> (Option<Listed>, Work) {
        let (mut stream, mut groups) = (self.leaves.stream(), Vec::new());
        self.descend(pair, scratch, |pair, scratch| {
            let first = stream.listed.len();
            self.leaves.search(pair.bodies, self.patches(&pair), scratch, &mut stream);
            let end = stream.listed.len();
            if end > first {
                groups.push(Group { pair, end });
            }
            end <= room
        });
        let listed = (stream.listed.len() <= room).then_some((stream.listed, groups));
        (listed, std::mem::take(&mut scratch.leaves.work))
    }

    /// Calls `take` with all pairs of features below two nodes whose boxes meet, while it says yes, and yields what it has made of them.
    pub fn hand_out<O: Default>(
        &self,
        pair: NodePair,
        scratch: &mut Scratch,
        take: impl Fn(&mut O, Features) -> bool,
    ) -> (O, Work) {
        let (mut stream, mut out) = (self.leaves.stream(), O::default());
        self.descend(pair, scratch, |pair, scratch| {
            self.leaves.search(pair.bodies, self.patches(&pair), scratch, &mut stream);
            stream.listed.drain(..).all(|query| take(&mut out, query.features))
        });
        (out, std::mem::take(&mut scratch.leaves.work))
    }

    fn patches(&self, pair: &NodePair) -> [u32; 2] {
        [0, 1].map(|side| self.node(pair, side).patch)
    }

    /// Calls `reached` with every pair of leaves below two nodes that is not apart, while it says yes.
    fn descend(
        &self,
        pair: NodePair,
        scratch: &mut Scratch,
        mut reached: impl FnMut(NodePair, &mut LeafScratch) -> bool,
    ) {
        let Scratch { stack, leaves } = scratch;
        stack.clear();
        stack.push(pair);
        while let Some(pair) = stack.pop() {
            leaves.work.nodes += 1;
            if !self.is_apart(&pair) && !self.split(pair, stack) && !reached(pair, leaves) {
                break;
            }
        }
    }
}

/// Queries, and the pairs of patches that they belong to.
pub(super) type Listed = (Vec<Query>, Vec<Group>);
