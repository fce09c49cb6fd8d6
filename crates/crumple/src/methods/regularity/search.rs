//! The descent (V7): within a region, and between two, until a certificate, a gap or two patches are reached.
//!
//! Calls wait on a stack instead of recursing, so that they can be handed to threads: one thread starts, and as soon as
//! there are enough calls each thread takes its share. Which calls are made does not depend on that.

use super::Rules;
use super::bounds::Bounds;
use super::certificate::Certifier;
use super::directions::Directions;
use super::stats::RegularityStats;
use super::surface::Surface;
use super::threads;
use crate::Pairs;
use crate::broad_phase::BroadPhase;
use crate::geometry::lanes::floats::Map;
use crate::geometry::{Aabb, Point};

/// A patch of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PatchRef {
    pub body: u32,
    pub patch: u32,
}

/// Two patches that neither a proof nor a box keeps apart; or one twice.
pub(super) type PatchPair = [PatchRef; 2];

/// A node of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NodeRef {
    body: u32,
    node: u32,
}

/// A call of the paper's procedure: on two nodes, or on one twice for "within".
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    a: NodeRef,
    b: NodeRef,
}

/// What a search looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub surfaces: &'a [Surface],
    pub positions: &'a [&'a [Point]],
    pub map: &'a Map,
    pub directions: &'a Directions,
    pub rules: Rules,
    /// Patches are single triangles.
    pub is_single: bool,
    /// The number of the first node of each body.
    pub first_node: &'a [u32],
}

/// What a search found, and its scratch memory.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub stats: RegularityStats,
    pub patch_pairs: Vec<PatchPair>,
    /// Whether each node, numbered across bodies, was looked at.
    pub seen: Vec<bool>,
    calls: Vec<Call>,
    certifier: Certifier,
}

impl Found {
    fn clear(&mut self, nodes: usize) {
        self.stats = RegularityStats::default();
        self.patch_pairs.clear();
        self.seen.clear();
        self.seen.resize(nodes, false);
        self.calls.clear();
    }
}

/// Calls that one thread makes before it shares them.
const ENOUGH: usize = 256;

/// Searches all bodies. Everything found is spread over `found`, which has an entry for each share of work.
pub(super) fn search(scene: &Scene<'_>, pairs: Pairs, found: &mut Vec<Found>) {
    let shares = threads::chunks();
    let nodes = scene.surfaces.iter().map(|s| s.bounds.len()).sum();
    found.resize_with(shares, Found::default);
    found.iter_mut().for_each(|f| f.clear(nodes));
    let first = &mut found[0];
    root_calls(scene, pairs, &mut first.calls);
    if shares == 1 {
        return first.descend(scene);
    }
    // Breadth first, so that the calls left over are of similar size.
    let mut waiting = std::mem::take(&mut first.calls);
    while !waiting.is_empty() && waiting.len() < ENOUGH {
        for call in waiting.drain(..) {
            first.step(scene, call);
        }
        std::mem::swap(&mut waiting, &mut first.calls);
    }
    for (i, &call) in waiting.iter().enumerate() {
        found[i % shares].calls.push(call);
    }
    waiting.clear();
    threads::in_pieces(found, 1, |_, found| found.iter_mut().for_each(|f| f.descend(scene)));
    found[0].calls = waiting;
}

/// Each body with itself, and with those whose boxes overlap its own (V15).
fn root_calls(scene: &Scene<'_>, pairs: Pairs, calls: &mut Vec<Call>) {
    let root = |body: u32| NodeRef { body, node: 0 };
    let boxes: Vec<Aabb> =
        scene.surfaces.iter().map(|s| s.bounds.first().map_or(Aabb::EMPTY, Bounds::widened)).collect();
    if pairs.within() {
        let bodies = (0u32..).zip(&boxes).filter(|(_, b)| !b.is_empty());
        calls.extend(bodies.map(|(b, _)| Call { a: root(b), b: root(b) }));
    }
    if pairs.between() {
        let mut near = Vec::new();
        BroadPhase::default().pairs(&boxes, 0.0, &mut near);
        calls.extend(near.iter().map(|[a, b]| Call { a: root(a.0), b: root(b.0) }));
    }
}

impl Found {
    /// Makes the calls that wait, and all that follow from them.
    fn descend(&mut self, scene: &Scene<'_>) {
        while let Some(call) = self.calls.pop() {
            self.step(scene, call);
        }
    }

    /// One call: counts it, and either ends it or lets the calls wait that it asks for.
    fn step(&mut self, scene: &Scene<'_>, Call { a, b }: Call) {
        self.stats.calls += 1;
        for n in [a, b] {
            self.seen[(scene.first_node[n.body as usize] + n.node) as usize] = true;
        }
        if a == b { self.within(scene, a) } else { self.between(scene, a, b) }
    }

    fn within(&mut self, scene: &Scene<'_>, at: NodeRef) {
        let surface = &scene.surfaces[at.body as usize];
        if self.certifier.is_certified(scene, at.body as usize, at.node as usize) {
            self.stats.rule_one += 1;
            return;
        }
        let node = &surface.hierarchy.tree.nodes[at.node as usize];
        if node.is_leaf() {
            if node.size() > 1 {
                self.reach(scene, at, at);
            }
            return;
        }
        let child = |node: usize| NodeRef { body: at.body, node: node as u32 };
        for i in node.child_range() {
            for j in i..node.child_range().end {
                self.calls.push(Call { a: child(i), b: child(j) });
            }
        }
    }

    fn between(&mut self, scene: &Scene<'_>, a: NodeRef, b: NodeRef) {
        let [sa, sb] = [a, b].map(|n| &scene.surfaces[n.body as usize]);
        let (box_a, box_b) = (&sa.bounds[a.node as usize], &sb.bounds[b.node as usize]);
        if !box_a.overlaps(box_b) {
            return;
        }
        if a.body == b.body
            && self.certifier.are_certified(scene, a.body as usize, a.node as usize, b.node as usize)
        {
            self.stats.rule_two += 1;
            return;
        }
        let (na, nb) = (&sa.hierarchy.tree.nodes[a.node as usize], &sb.hierarchy.tree.nodes[b.node as usize]);
        if na.is_leaf() && nb.is_leaf() {
            self.reach(scene, a, b);
        } else if nb.is_leaf() || (!na.is_leaf() && box_a.girth() >= box_b.girth()) {
            let child = |node: usize| NodeRef { body: a.body, node: node as u32 };
            self.calls.extend(na.child_range().map(|n| Call { a: child(n), b }));
        } else {
            let child = |node: usize| NodeRef { body: b.body, node: node as u32 };
            self.calls.extend(nb.child_range().map(|n| Call { a, b: child(n) }));
        }
    }

    fn reach(&mut self, scene: &Scene<'_>, a: NodeRef, b: NodeRef) {
        self.patch_pairs.push([a, b].map(|n| PatchRef {
            body: n.body,
            patch: scene.surfaces[n.body as usize].hierarchy.tree.nodes[n.node as usize].patches[0],
        }));
    }
}
