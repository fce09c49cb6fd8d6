//! Pairs of nodes, until boxes or a rule dismiss them for all times, or two patches are reached.

use super::MovingSurface;
use crate::Impact;
use crate::methods::regularity::certificate::{BodyView, Certifier};
use crate::methods::regularity::hierarchy::Node;
use crate::methods::swept_bvh::leaves::{LeafScratch, Leaves, Stream};
use crate::methods::swept_bvh::taken::NodePair;
use crate::methods::swept_bvh::work::Work;

/// What may excuse a region, or two regions of one body, for the whole of a step.
pub(crate) trait StepRules: Sync {
    /// Whether no two features of region `n` that have no vertex in common meet.
    fn rule_one(&self, certifier: &mut Certifier<2>, view: &BodyView<'_, 2>, body: u32, n: usize) -> bool;

    /// Whether no feature of one region meets one of the other with which it has no vertex in common.
    fn rule_two(
        &self,
        certifier: &mut Certifier<2>,
        view: &BodyView<'_, 2>,
        body: u32,
        regions: [usize; 2],
    ) -> bool;
}

/// Rules I and II with contours over time: nothing is missed.
pub(crate) struct ProvedThroughout;

impl StepRules for ProvedThroughout {
    fn rule_one(&self, certifier: &mut Certifier<2>, view: &BodyView<'_, 2>, _: u32, n: usize) -> bool {
        certifier.rule_one(view, n)
    }

    fn rule_two(
        &self,
        certifier: &mut Certifier<2>,
        view: &BodyView<'_, 2>,
        _: u32,
        regions: [usize; 2],
    ) -> bool {
        certifier.rule_two(view, regions)
    }
}

/// A step of all bodies, and what is asked about it.
pub(crate) struct MovingSearch<'a, R> {
    pub rules: &'a R,
    pub surfaces: &'a [MovingSurface],
    /// The bodies as the rules see them.
    pub views: &'a [BodyView<'a, 2>],
    pub leaves: Leaves<'a>,
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(crate) struct StepScratch {
    stack: Vec<NodePair>,
    certifier: Certifier<2>,
    leaves: LeafScratch,
}

impl<R: StepRules> MovingSearch<'_, R> {
    fn node(&self, pair: &NodePair, side: usize) -> &Node {
        &self.surfaces[pair.bodies[side] as usize].hierarchy.tree.nodes[pair.nodes[side] as usize]
    }

    /// Whether a node is a patch of one triangle, or of none.
    fn is_single(&self, pair: &NodePair) -> bool {
        let (node, patches) = (self.node(pair, 0), &self.surfaces[pair.bodies[0] as usize].hierarchy.patches);
        node.is_leaf() && patches.places(node.patches[0] as usize).len() < 2
    }

    /// Whether nothing below two nodes meets during the step, up to the horizon.
    fn is_dismissed(&self, pair: &NodePair, certifier: &mut Certifier<2>) -> bool {
        let [i, j] = pair.nodes.map(|n| n as usize);
        let view = &self.views[pair.bodies[0] as usize];
        if pair.is_itself() {
            return self.is_single(pair) || self.rules.rule_one(certifier, view, pair.bodies[0], i);
        }
        let boxes = |side: usize, n: usize| &self.surfaces[pair.bodies[side] as usize].boxes[n];
        boxes(0, i).is_apart(boxes(1, j), self.leaves.horizon.until_f32())
            || (pair.is_one_body() && self.rules.rule_two(certifier, view, pair.bodies[0], [i, j]))
    }

    /// Puts the pairs below a pair in its place; "no" if both are leaves. A node against itself becomes its children, each
    /// against itself and against the others; of two nodes the larger is opened.
    fn split(&self, pair: NodePair, to: &mut Vec<NodePair>) -> bool {
        let (a, b) = (self.node(&pair, 0), self.node(&pair, 1));
        let [i, j] = pair.nodes;
        let with = |nodes: [usize; 2]| NodePair { nodes: nodes.map(|n| n as u32), ..pair };
        if pair.is_itself() {
            for c in a.child_range() {
                to.extend((c..a.child_range().end).map(|d| with([c, d])));
            }
            return !a.is_leaf();
        }
        let girth = |side: usize, n: u32| self.surfaces[pair.bodies[side] as usize].boxes[n as usize].girth();
        if !a.is_leaf() && (b.is_leaf() || girth(0, i) >= girth(1, j)) {
            to.extend(a.child_range().map(|c| with([c, j as usize])));
        } else {
            to.extend(b.child_range().map(|c| with([i as usize, c])));
        }
        !(a.is_leaf() && b.is_leaf())
    }

    /// Splits pairs until there are at least `count`, or none can be split.
    pub fn tasks(&self, mut pairs: Vec<NodePair>, count: usize, scratch: &mut StepScratch) -> Vec<NodePair> {
        let mut next = Vec::new();
        while pairs.len() < count {
            let mut any = false;
            for pair in pairs.drain(..) {
                if self.is_dismissed(&pair, &mut scratch.certifier) {
                    continue;
                }
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
    pub fn run(&self, pair: NodePair, scratch: &mut StepScratch) -> (Vec<Impact>, Work) {
        let mut stream = self.leaves.stream();
        let mut stack = std::mem::take(&mut scratch.stack);
        stack.push(pair);
        while let Some(pair) = stack.pop() {
            scratch.leaves.work.nodes += 1;
            if !self.is_dismissed(&pair, &mut scratch.certifier) && !self.split(pair, &mut stack) {
                self.patches(&pair, &mut scratch.leaves, &mut stream);
            }
        }
        scratch.stack = stack;
        let mut work = std::mem::take(&mut scratch.leaves.work);
        work.points += std::mem::take(&mut scratch.certifier.points);
        (stream.finish(), work)
    }

    fn patches(&self, pair: &NodePair, scratch: &mut LeafScratch, stream: &mut Stream<'_>) {
        let patches = [0, 1].map(|side| self.node(pair, side).patches[0]);
        self.leaves.search(pair.bodies, patches, scratch, stream);
    }
}
