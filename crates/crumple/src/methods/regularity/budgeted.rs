//! Contacts within a budget (B24): the plain query in rounds, with what is left told as pairs of regions.
//!
//! A round descends until some pairs of patches are reached, opens these and settles them. Calls of the descent, pairs of
//! patches and batches of vertices are visits; the clock is looked at between them. So a search that is stopped has found
//! what is there in the regions that it came to, and one that is not stopped does what the plain query does, in the same
//! order: it costs the rounds, a few microseconds each. What is left are calls that were not made and pairs of patches that
//! were not settled: every contact that is missing is in one of them. A limited number of visits is made on the calling
//! thread, so that the answer is the same everywhere.

use super::Regularity;
use super::certificate::{Certificates, Proved};
use super::leaves::{LeafAnswer, NarrowOutput, NarrowPhase, Want};
use super::posed::{PatchPair, PatchRef, Posed};
use super::query::QueryMemory;
use super::search::{Call, Descent, NodeRef, Search};
use super::stats::RegularityStats;
use super::surfaces::Surface;
use crate::budget::{Budgeted, Clock, Meter, Undecided};
use crate::geometry::Aabb;
use crate::quota::Quota;
use crate::{Bodies, BodyId, Frame, Pairs, TrianglePair, parallel};

/// Pairs of patches of a round: what opening them takes passes between two looks at the clock.
const ROUND: usize = 128;

/// The same for each share of work, where there are threads.
const ROUND_OF_A_SHARE: usize = 32;

/// Vertices of a visit.
const BATCH: usize = 128;

impl Regularity {
    /// Appends contacts until the budget is spent, sorted, and tells what is left.
    pub(super) fn query_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        meter: &mut Meter,
        out: &mut Vec<TrianglePair>,
    ) -> Budgeted {
        self.surfaces.clock = meter.clock();
        self.surfaces.prepare(frame, pairs.within());
        self.surfaces.clock = Clock::default();
        if meter.clock().is_late() {
            // The pass may have been cut short; nothing is searched any more.
            self.surfaces.list.values_mut().iter_mut().for_each(|s| s.has_facing = false);
        }
        let positions = self.surfaces.positions(frame);
        let posed = self.surfaces.posed(&positions);
        self.memory.numbering.count(bodies, posed.surfaces);
        let first = out.len();
        let left;
        (self.stats, left) = self.memory.search_budgeted(posed, pairs, frame.near(), meter, self.most, out);
        out[first..].sort_unstable();
        let undecided = left.undecided(&posed, frame);
        Budgeted { stats: self.stats.summary(), undecided }
    }
}

/// What a budget left.
#[derive(Default)]
struct LeftOver {
    calls: Vec<Call>,
    patch_pairs: Vec<PatchPair>,
}

impl QueryMemory {
    fn search_budgeted(
        &mut self,
        posed: Posed<'_>,
        pairs: Pairs,
        near: Option<&[[BodyId; 2]]>,
        meter: &mut Meter,
        most: usize,
        out: &mut Vec<TrianglePair>,
    ) -> (RegularityStats, LeftOver) {
        let shares = if meter.is_counting() { 1 } else { parallel::shares() };
        let round = if shares == 1 { ROUND } else { ROUND_OF_A_SHARE };
        let quota = Quota::new(most);
        self.forget();
        self.outputs.resize_with(shares, NarrowOutput::default);
        self.outputs.iter_mut().for_each(NarrowOutput::clear);
        let mut descents = std::mem::take(&mut self.descents);
        let first_node = std::mem::take(&mut self.numbering.first_node);
        let search = Search { posed, certificates: Proved, first_node: &first_node, near };
        search.begin(pairs, &mut descents, shares);
        let mut left = LeftOver::default();
        loop {
            descend_some(&search, &mut descents, meter, round);
            self.patch_pairs.clear();
            for descent in &mut descents {
                self.patch_pairs.append(&mut descent.patch_pairs);
            }
            // Without a pair there is nothing left to search, or nothing to search with.
            if self.patch_pairs.is_empty() || quota.is_exceeded() || meter.is_over() {
                left.patch_pairs.append(&mut self.patch_pairs);
                break;
            }
            self.open(&posed);
            self.gather_vertices(&posed, pairs);
            if !self.settle_some(posed, meter, &quota, &mut left.patch_pairs) {
                break;
            }
        }
        descents.iter_mut().for_each(|descent| left.calls.append(&mut descent.calls));
        let mut stats = RegularityStats { opened: self.to_open.len() as u64, ..RegularityStats::default() };
        descents.iter().for_each(|d| stats += d.stats);
        for output in &self.outputs {
            stats += output.stats;
            out.extend_from_slice(&output.pairs);
        }
        (self.descents, self.numbering.first_node) = (descents, first_node);
        (stats, left)
    }

    /// Settles the pairs of patches and the vertices of a round; says whether the budget lasted.
    fn settle_some(
        &mut self,
        posed: Posed<'_>,
        meter: &mut Meter,
        quota: &Quota,
        left: &mut Vec<PatchPair>,
    ) -> bool {
        let first_triangle = &self.numbering.first_triangle;
        let narrow = NarrowPhase {
            posed,
            first_patch: &self.numbering.first_patch,
            opened: &self.opened,
            slots: &self.slots,
            answer: LeafAnswer { surfaces: posed.surfaces, first_triangle, want: Want::Contacts, quota },
        };
        let (pairs, vertices) = (&self.patch_pairs, &self.vertices);
        shared(pairs.len(), &mut self.outputs, meter, |range, out, meter| {
            let pairs = &pairs[range];
            let done = narrow.compare_while(pairs, out, || !meter.is_spent());
            out.left.extend_from_slice(&pairs[done..]);
        });
        shared(vertices.len(), &mut self.outputs, meter, |range, out, meter| {
            for batch in vertices[range].chunks(BATCH) {
                if meter.clock().is_late() || meter.count(1) == 0 {
                    out.has_left_vertices = true;
                    return;
                }
                narrow.one_rings(batch, out);
            }
        });
        let has_left_vertices = self.outputs.iter().any(|out| out.has_left_vertices);
        self.outputs.iter_mut().for_each(|out| left.append(&mut out.left));
        if has_left_vertices {
            // Neighbours in these pairs may not have been looked at.
            let are_neighbours =
                |[a, b]: &PatchPair| a.body == b.body && (a == b || narrow.may_touch(*a, *b));
            left.extend(pairs.iter().filter(|pair| are_neighbours(pair)));
            let key = |[a, b]: &PatchPair| [a.body, a.patch, b.body, b.patch];
            left.sort_unstable_by_key(key);
            left.dedup_by_key(|pair| key(pair));
        }
        left.is_empty()
    }
}

/// Lets each descent go on until it has reached so many pairs of patches, or the budget is spent.
fn descend_some<C: Certificates>(
    search: &Search<'_, C>,
    descents: &mut [Descent],
    meter: &mut Meter,
    round: usize,
) {
    if let [only] = descents {
        return only.descend_while(search, round, meter);
    }
    // As long as there are few calls they are made here, then dealt out.
    let shares = descents.len();
    let waiting: usize = descents.iter().map(|d| d.calls.len()).sum();
    if waiting < shares {
        let (first, others) = descents.split_first_mut().expect("there are shares");
        others.iter_mut().for_each(|other| first.calls.append(&mut other.calls));
        let (enough, mut next) = (8 * shares, 0);
        while next < first.calls.len() && first.calls.len() - next < enough && !meter.is_spent() {
            let call = first.calls[next];
            next += 1;
            first.make(search, call);
        }
        first.calls.drain(..next);
        let all = std::mem::take(&mut first.calls);
        for (i, call) in all.into_iter().enumerate() {
            descents[i % shares].calls.push(call);
        }
    }
    let meter = *meter;
    parallel::for_each(descents, |_, descent| descent.descend_while(search, round, &mut { meter }));
}

/// Shares items out, each share with its output; on one thread with the one meter, which counts.
fn shared(
    items: usize,
    outputs: &mut [NarrowOutput],
    meter: &mut Meter,
    work: impl Fn(std::ops::Range<usize>, &mut NarrowOutput, &mut Meter) + Sync,
) {
    if let [only] = outputs {
        return work(0..items, only, meter);
    }
    let meter = *meter;
    parallel::for_each_share(items, outputs, |range, out| work(range, out, &mut { meter }));
}

impl Descent {
    /// Makes calls until so many pairs of patches are reached, none waits, or the budget is spent.
    fn descend_while<C: Certificates>(&mut self, search: &Search<'_, C>, round: usize, meter: &mut Meter) {
        while self.patch_pairs.len() < round && !self.calls.is_empty() && !meter.is_spent() {
            if let Some(call) = self.calls.pop() {
                self.make(search, call);
            }
        }
    }
}

impl LeftOver {
    fn undecided(&self, posed: &Posed<'_>, frame: Frame<'_>) -> Vec<Undecided> {
        let space = |body: u32, at: &dyn Fn(&Surface) -> Aabb| {
            let surface = &posed.surfaces[body as usize];
            // Scaled positions are not in space.
            if surface.is_lifted() { frame.of(BodyId(body)).bounds() } else { at(surface) }
        };
        let of_node = |n: NodeRef| {
            let bounds = space(n.body, &|s| s.bounds[n.node as usize].outward(posed.map));
            (bounds, posed.surfaces[n.body as usize].triangles_under(n.node as usize))
        };
        let of_patch = |p: PatchRef| {
            let bounds = space(p.body, &|s| s.patch_bounds[p.patch as usize].outward(posed.map));
            (bounds, posed.surfaces[p.body as usize].triangles_of(p.patch))
        };
        let calls = self.calls.iter().filter_map(|&Call { a, b }| {
            let [sa, sb] = [a, b].map(|n| &posed.surfaces[n.body as usize].bounds[n.node as usize]);
            let may_meet = a == b || sa.overlaps(sb);
            may_meet.then(|| undecided([a.body, b.body], a == b, [of_node(a), of_node(b)]))
        });
        let patches = self.patch_pairs.iter();
        let patches = patches.map(|&[a, b]| undecided([a.body, b.body], a == b, [of_patch(a), of_patch(b)]));
        // A triangle has nothing to meet in itself.
        calls.chain(patches).filter(|u| u.most > 0).collect()
    }
}

/// Two parts with so many triangles each, or one twice.
fn undecided(bodies: [u32; 2], is_one: bool, [(box_a, a), (box_b, b)]: [(Aabb, u64); 2]) -> Undecided {
    let most = if is_one { a * a.saturating_sub(1) / 2 } else { a * b };
    Undecided { bodies: bodies.map(BodyId), boxes: [box_a, box_b], most }
}

impl Surface {
    /// Triangles of a patch, those included that are copies of some.
    fn triangles_of(&self, patch: u32) -> u64 {
        let (patches, copies) = (&self.hierarchy.patches, &self.hierarchy.copies);
        let places = patches.places(patch as usize);
        if copies.is_empty() {
            return places.len() as u64;
        }
        places.map(|place| 1 + copies.of(patches.id(place)).len() as u64).sum()
    }

    /// Triangles of a node.
    fn triangles_under(&self, node: usize) -> u64 {
        let node = &self.hierarchy.tree.nodes[node];
        match () {
            () if node.is_leaf() => self.triangles_of(node.patches[0]),
            // Edits changed how many there are.
            () if self.body.version() > 0 || !self.hierarchy.copies.is_empty() => {
                node.child_range().map(|child| self.triangles_under(child)).sum()
            }
            () => u64::from(node.size()),
        }
    }
}
