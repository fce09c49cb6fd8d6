//! The end of a search: patches are compared by rows, one-rings are certified, and what is left is tested exactly.
//!
//! Work comes as lists that the descent left: pairs of patches, and vertices round which neighbours were not certified.
//! Lists are cut into shares; each share has its own output, so that threads need no locks and answers do not depend on
//! them.

use super::compare::{Compare, Relation};
use super::patch_rows::PatchRows;
use crate::geometry::simd::{self, Row, WIDTH};
use crate::methods::regularity::hierarchy::pairs_of_copies;
use crate::methods::regularity::one_ring::{TrianglesAtVertex, VertexRef, certify_one_rings};
use crate::methods::regularity::posed::{PatchPair, PatchRef, Posed};
use crate::methods::regularity::stats::RegularityStats;
use crate::methods::regularity::surfaces::Surface;
use crate::narrow::tri_tri;
use crate::quota::Quota;
use crate::{TriangleId, TrianglePair};

/// What is wanted of a pair that nothing separates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// The pair.
    Candidates,
    /// The pair if it intersects.
    Contacts,
}

/// Where pairs go.
#[derive(Clone, Copy)]
pub(crate) struct LeafAnswer<'a> {
    pub surfaces: &'a [Surface],
    /// The first triangle of each body.
    pub first_triangle: &'a [u32],
    pub want: Want,
    pub quota: &'a Quota,
}

/// The surfaces, and the patches of them that were opened.
#[derive(Clone, Copy)]
pub(crate) struct NarrowPhase<'a> {
    pub posed: Posed<'a>,
    /// The first patch of each body.
    pub first_patch: &'a [u32],
    pub opened: &'a [PatchRows],
    /// Where each patch was opened.
    pub slots: &'a [u32],
    pub answer: LeafAnswer<'a>,
}

/// The output of one share of work, and its scratch memory.
#[derive(Debug, Default)]
pub(crate) struct NarrowOutput {
    pub pairs: Vec<TrianglePair>,
    pub stats: RegularityStats,
    local: Vec<[u8; 2]>,
    rows: Vec<[Row; 3]>,
    at_vertex: TrianglesAtVertex,
    /// Pairs of patches that a budget left.
    pub left: Vec<PatchPair>,
    /// Whether a budget left vertices.
    pub has_left_vertices: bool,
}

impl NarrowOutput {
    /// Forgets the last query.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.left.clear();
        self.has_left_vertices = false;
        self.stats = RegularityStats::default();
    }

    /// Takes in two triangles, each by its body and its number there, that nothing separated: wanted as they are, or if
    /// they intersect; their copies with them.
    pub fn settle(
        &mut self,
        answer: &LeafAnswer<'_>,
        pair: [(u32, u32); 2],
        intersects: impl FnOnce() -> bool,
    ) {
        if answer.quota.is_exceeded() {
            return;
        }
        self.stats.exact += 1;
        if answer.want == Want::Contacts && !intersects() {
            return;
        }
        let before = self.pairs.len();
        let sides = pair.map(|(body, t)| {
            let copies = &answer.surfaces[body as usize].hierarchy.copies;
            (copies, t, answer.first_triangle[body as usize])
        });
        let [a, b] = sides.map(|(_, t, first)| TriangleId(first + t));
        self.pairs.push(TrianglePair::new(a, b));
        if sides.iter().any(|(copies, ..)| !copies.is_empty()) {
            pairs_of_copies(sides, answer.quota.rest(), &mut self.pairs);
        }
        answer.quota.add(self.pairs.len() - before);
        if answer.want == Want::Contacts {
            self.stats.contacts += (self.pairs.len() - before) as u64;
        }
    }
}

impl NarrowPhase<'_> {
    /// Compares pairs of patches.
    pub fn compare(&self, pairs: &[PatchPair], out: &mut NarrowOutput) {
        self.compare_while(pairs, out, || true);
    }

    /// Compares pairs of patches as long as it may go on; returns how many.
    #[inline]
    pub fn compare_while(
        &self,
        pairs: &[PatchPair],
        out: &mut NarrowOutput,
        mut may_go_on: impl FnMut() -> bool,
    ) -> usize {
        for (i, &pair) in pairs.iter().enumerate() {
            if !may_go_on() {
                return i;
            }
            self.compare_two(pair, pairs.get(i + 1), out);
        }
        pairs.len()
    }

    /// Compares the triangles of two patches.
    fn compare_two(&self, [a, b]: PatchPair, next: Option<&PatchPair>, out: &mut NarrowOutput) {
        let relation = match () {
            () if a == b => Relation::Same,
            () if a.body == b.body && self.may_touch(a, b) => Relation::Within,
            () => Relation::Between,
        };
        let mut local = std::mem::take(&mut out.local);
        local.clear();
        let (rows_a, rows_b, next) = (self.rows(a), self.rows(b), next.map(|pair| self.rows(pair[1])));
        out.stats.tests += simd::dispatch(Compare { a: rows_a, b: rows_b, relation, next, out: &mut local });
        for &[i, j] in &local {
            let ((ca, ta), (cb, tb)) = (self.posed.triangle(a, i.into()), self.posed.triangle(b, j.into()));
            out.settle(&self.answer, [(a.body, ta), (b.body, tb)], || {
                tri_tri::intersects(&self.posed.corners(a.body, ca), &self.posed.corners(b.body, cb))
            });
        }
        out.local = local;
    }

    /// Settles the pairs that share one of the vertices, which are sorted by kind of one-ring.
    pub fn one_rings(&self, vertices: &[VertexRef], out: &mut NarrowOutput) {
        let alike = vertices.chunk_by(|a, b| a.ring == b.ring);
        for eight in alike.flat_map(|run| run.chunks(WIDTH)) {
            let certified = certify_one_rings(&self.posed, eight, &mut out.rows);
            for (i, &vertex) in eight.iter().enumerate() {
                if certified >> i & 1 == 1 {
                    out.stats.one_rings += 1;
                } else {
                    self.pairs_at(vertex, out);
                }
            }
        }
    }

    /// Settles the pairs that share a vertex, one by one.
    fn pairs_at(&self, VertexRef { body, vertex, .. }: VertexRef, out: &mut NarrowOutput) {
        let Surface { body: mesh, hierarchy, .. } = &self.posed.surfaces[body as usize];
        let positions = self.posed.positions[body as usize];
        let mut at_vertex = std::mem::take(&mut out.at_vertex);
        at_vertex.collect(vertex, mesh, &hierarchy.copies, positions);
        at_vertex.for_each_pair(positions, |[s, t], is_apart| {
            out.stats.tests += 1;
            if !is_apart {
                out.settle(&self.answer, [(body, s.id), (body, t.id)], || {
                    let [ps, pt] = [s, t].map(|t| self.posed.corners(body, t.corners));
                    tri_tri::meets(s.corners, &ps, t.corners, &pt)
                });
            }
        });
        out.at_vertex = at_vertex;
    }

    pub fn may_touch(&self, a: PatchRef, b: PatchRef) -> bool {
        self.posed.surfaces[a.body as usize].hierarchy.at_vertices().shared.may_touch(a.patch, b.patch)
    }

    /// Where a patch was opened.
    fn rows(&self, p: PatchRef) -> &PatchRows {
        &self.opened[self.slots[(self.first_patch[p.body as usize] + p.patch) as usize] as usize]
    }
}
