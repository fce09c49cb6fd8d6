//! The descent (V7): within a region, and between two, until a certificate, a gap or two patches are reached.
//!
//! Calls wait on a stack instead of recursing, so that they can be handed to threads: one thread starts, and as soon as
//! there are enough calls each thread takes its share. Which calls are made does not depend on that.

use super::certificate::{Certificates, Certifier};
use super::posed::{PatchPair, PatchRef, Posed};
use super::stats::RegularityStats;
use crate::broad_phase::BroadPhase;
use crate::geometry::{Aabb, Aabb32};
use crate::{BodyId, Pairs, parallel};

/// A node of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeRef {
    pub body: u32,
    pub node: u32,
}

/// A call of the paper's procedure: on two nodes, or on one twice for "within".
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub a: NodeRef,
    pub b: NodeRef,
}

/// What is searched, and what may be skipped.
pub(crate) struct Search<'a, C> {
    pub posed: Posed<'a>,
    pub certificates: C,
    /// The number of the first node of each body.
    pub first_node: &'a [u32],
    /// Pairs of bodies that hold all that may touch, where they are known.
    pub near: Option<&'a [[BodyId; 2]]>,
}

/// A descent: what it found, and its scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Descent {
    pub stats: RegularityStats,
    pub patch_pairs: Vec<PatchPair>,
    /// Whether each node, numbered across bodies, was looked at.
    pub seen: Vec<bool>,
    pub(super) calls: Vec<Call>,
    certifier: Certifier<1>,
}

/// Calls that are made in rounds before threads go on alone.
const ENOUGH: usize = 256;

/// Rounds are shared from so many nodes on, some 30k triangles: below, a round takes less than waking a thread.
const LARGE: usize = 1 << 10;

/// Hands calls to descents, one after the other.
fn deal(calls: &mut Vec<Call>, descents: &mut [Descent]) {
    let shares = descents.len();
    calls.drain(..).enumerate().for_each(|(i, call)| descents[i % shares].calls.push(call));
}

impl<C: Certificates> Search<'_, C> {
    /// Searches all bodies. Everything found is spread over `descents`, which has an entry for each share of work.
    pub fn run(&self, pairs: Pairs, descents: &mut Vec<Descent>) {
        let shares = parallel::shares();
        let first = self.begin(pairs, descents, shares);
        if shares == 1 {
            return first.descend(self);
        }
        // Breadth first, so that the calls left over are of similar size.
        let mut waiting = std::mem::take(&mut first.calls);
        let is_large = self.posed.surfaces.iter().map(|s| s.bounds.len()).sum::<usize>() > LARGE;
        while !waiting.is_empty() && waiting.len() < ENOUGH {
            if is_large && waiting.len() > 1 {
                // A smooth surface has hardly more calls than these, and the contours that they look at are its longest.
                deal(&mut waiting, descents);
                parallel::for_each(descents, |_, descent| descent.make_once(self));
                descents.iter_mut().for_each(|descent| waiting.append(&mut descent.calls));
            } else {
                let first = &mut descents[0];
                waiting.drain(..).for_each(|call| first.make(self, call));
                std::mem::swap(&mut waiting, &mut first.calls);
            }
        }
        deal(&mut waiting, descents);
        parallel::for_each(descents, |_, descent| descent.descend(self));
        descents[0].calls = waiting;
    }

    /// Prepares so many descents; the first has the roots to begin with.
    pub(super) fn begin<'d>(
        &self,
        pairs: Pairs,
        descents: &'d mut Vec<Descent>,
        shares: usize,
    ) -> &'d mut Descent {
        let nodes = self.posed.surfaces.iter().map(|s| s.bounds.len()).sum();
        descents.resize_with(shares, Descent::default);
        descents.iter_mut().for_each(|d| d.clear(nodes));
        self.root_calls(pairs, &mut descents[0].calls);
        &mut descents[0]
    }

    /// Each body with itself, and with those whose boxes overlap its own (V15).
    fn root_calls(&self, pairs: Pairs, calls: &mut Vec<Call>) {
        let root = |body: u32| NodeRef { body, node: 0 };
        let surfaces = self.posed.surfaces.iter();
        let boxes: Vec<Aabb> =
            surfaces.map(|s| s.bounds.first().map_or(Aabb::EMPTY, Aabb32::widened)).collect();
        if pairs.within() {
            let bodies = (0u32..).zip(&boxes).filter(|(_, b)| !b.is_empty());
            calls.extend(bodies.map(|(b, _)| Call { a: root(b), b: root(b) }));
        }
        if pairs.between() {
            let mut near = Vec::new();
            BroadPhase::default().pairs_among(self.near, &boxes, 0.0, &mut near);
            calls.extend(near.iter().map(|[a, b]| Call { a: root(a.0), b: root(b.0) }));
        }
    }
}

impl Descent {
    fn clear(&mut self, nodes: usize) {
        self.stats = RegularityStats::default();
        self.patch_pairs.clear();
        self.seen.clear();
        self.seen.resize(nodes, false);
        self.calls.clear();
    }

    /// Makes the calls that wait; those that they ask for wait then.
    fn make_once<C: Certificates>(&mut self, search: &Search<'_, C>) {
        let mut calls = std::mem::take(&mut self.calls);
        let count = calls.len();
        calls.iter().for_each(|&call| self.make(search, call));
        // In one list, so that its memory is used again.
        calls.append(&mut self.calls);
        calls.drain(..count);
        self.calls = calls;
    }

    /// Makes the calls that wait, and all that follow from them.
    fn descend<C: Certificates>(&mut self, search: &Search<'_, C>) {
        while let Some(call) = self.calls.pop() {
            self.make(search, call);
        }
    }

    /// Makes one call: counts it, and either ends it or lets the calls wait that it asks for.
    pub(super) fn make<C: Certificates>(&mut self, search: &Search<'_, C>, Call { a, b }: Call) {
        self.stats.calls += 1;
        for n in [a, b] {
            self.seen[(search.first_node[n.body as usize] + n.node) as usize] = true;
        }
        if a == b { self.within(search, a) } else { self.between(search, a, b) }
    }

    fn within<C: Certificates>(&mut self, search: &Search<'_, C>, at: NodeRef) {
        let (body, n) = (at.body as usize, at.node as usize);
        if search.certificates.rule_one(&mut self.certifier, &search.posed, body, n) {
            self.stats.rule_one += 1;
            return;
        }
        let node = &search.posed.surfaces[body].hierarchy.tree.nodes[n];
        if node.is_leaf() {
            let patches = &search.posed.surfaces[body].hierarchy.patches;
            if patches.places(node.patches[0] as usize).len() > 1 {
                self.reach(&search.posed, at, at);
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

    fn between<C: Certificates>(&mut self, search: &Search<'_, C>, a: NodeRef, b: NodeRef) {
        let [sa, sb] = [a, b].map(|n| &search.posed.surfaces[n.body as usize]);
        let (box_a, box_b) = (&sa.bounds[a.node as usize], &sb.bounds[b.node as usize]);
        if !box_a.overlaps(box_b) {
            return;
        }
        if a.body == b.body {
            let regions = [a, b].map(|n| n.node as usize);
            if search.certificates.rule_two(&mut self.certifier, &search.posed, a.body as usize, regions) {
                self.stats.rule_two += 1;
                return;
            }
        }
        let (na, nb) = (&sa.hierarchy.tree.nodes[a.node as usize], &sb.hierarchy.tree.nodes[b.node as usize]);
        if na.is_leaf() && nb.is_leaf() {
            self.reach(&search.posed, a, b);
        } else if nb.is_leaf() || (!na.is_leaf() && box_a.girth() >= box_b.girth()) {
            let child = |node: usize| NodeRef { body: a.body, node: node as u32 };
            self.calls.extend(na.child_range().map(|n| Call { a: child(n), b }));
        } else {
            let child = |node: usize| NodeRef { body: b.body, node: node as u32 };
            self.calls.extend(nb.child_range().map(|n| Call { a, b: child(n) }));
        }
    }

    fn reach(&mut self, posed: &Posed<'_>, a: NodeRef, b: NodeRef) {
        self.patch_pairs.push([a, b].map(|n| PatchRef {
            body: n.body,
            patch: posed.surfaces[n.body as usize].hierarchy.tree.nodes[n.node as usize].patches[0],
        }));
    }
}
