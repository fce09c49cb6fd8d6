//! The end of a search: patches are compared by rows, one-rings are certified, and what is left is tested exactly.
//!
//! Work comes as lists that the descent left: pairs of patches, and vertices round which neighbours were not certified.
//! Lists are cut into shares; each share has its own output, so that threads need no locks and answers do not depend on
//! them.

use super::compare::{Compare, Relation};
use super::patch_rows::PatchRows;
use crate::geometry::lanes::floats::{self, Row, WIDTH};
use crate::methods::regularity::one_ring::{CertifyOneRings, TrianglesAtVertex, VertexRef};
use crate::methods::regularity::posed::{PatchPair, PatchRef, Posed};
use crate::methods::regularity::stats::RegularityStats;
use crate::narrow::tri_tri;
use crate::{TriangleId, TrianglePair, VertexId};

/// What is wanted of a pair that nothing separates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// The pair.
    Candidates,
    /// The pair if it intersects.
    Contacts,
}

/// The surfaces, and the patches of them that were opened.
#[derive(Clone, Copy)]
pub(crate) struct NarrowPhase<'a> {
    pub posed: Posed<'a>,
    /// The first triangle of each body.
    pub first_triangle: &'a [u32],
    /// The first patch of each body.
    pub first_patch: &'a [u32],
    pub opened: &'a [PatchRows],
    /// Where each patch was opened.
    pub slots: &'a [u32],
    pub want: Want,
}

/// The output of one share of work, and its scratch memory.
#[derive(Debug, Default)]
pub(crate) struct NarrowOutput {
    pub pairs: Vec<TrianglePair>,
    pub stats: RegularityStats,
    local: Vec<[u8; 2]>,
    rows: Vec<[Row; 3]>,
    at_vertex: TrianglesAtVertex,
}

impl NarrowOutput {
    /// Forgets the last query.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.stats = RegularityStats::default();
    }

    /// Takes in a pair that nothing separated: wanted as it is, or if it intersects.
    pub fn settle(&mut self, pair: TrianglePair, want: Want, intersects: impl FnOnce() -> bool) {
        self.stats.exact += 1;
        if want == Want::Candidates || intersects() {
            self.stats.contacts += u64::from(want == Want::Contacts);
            self.pairs.push(pair);
        }
    }
}

impl NarrowPhase<'_> {
    /// Compares pairs of patches.
    pub fn compare(&self, pairs: &[PatchPair], out: &mut NarrowOutput) {
        for (i, &pair) in pairs.iter().enumerate() {
            self.compare_two(pair, pairs.get(i + 1), out);
        }
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
        out.stats.tests += floats::run(Compare { a: rows_a, b: rows_b, relation, next, out: &mut local });
        for &[i, j] in &local {
            let ((ca, ta), (cb, tb)) = (self.posed.triangle(a, i.into()), self.posed.triangle(b, j.into()));
            let pair = TrianglePair::new(self.id(a.body, ta), self.id(b.body, tb));
            out.settle(pair, self.want, || {
                tri_tri::intersects(&self.posed.corners(a.body, ca), &self.posed.corners(b.body, cb))
            });
        }
        out.local = local;
    }

    /// Settles the pairs that share one of the vertices, which are sorted by kind of one-ring.
    pub fn one_rings(&self, vertices: &[VertexRef], out: &mut NarrowOutput) {
        let alike = vertices.chunk_by(|a, b| a.ring == b.ring);
        for eight in alike.flat_map(|run| run.chunks(WIDTH)) {
            let certified = floats::run(CertifyOneRings { posed: &self.posed, eight, edges: &mut out.rows });
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
        let surface = &self.posed.surfaces[body as usize];
        let positions = self.posed.positions[body as usize];
        out.at_vertex.collect(vertex, &surface.body, positions);
        let ring = surface.body.topology().triangles_at(VertexId(vertex));
        let corners = |t: TriangleId| surface.body.triangles()[t.index()].map(|v| v.0);
        for (i, &s) in ring.iter().enumerate() {
            let cs = corners(s);
            for (j, &t) in ring.iter().enumerate().skip(i + 1) {
                let ct = corners(t);
                let shares = |v: &u32| *v != vertex && ct.contains(v);
                // Two triangles meet at several vertices; the lowest settles them.
                if cs.iter().any(|v| *v < vertex && shares(v)) {
                    continue;
                }
                out.stats.tests += 1;
                if out.at_vertex.are_apart(i, j, cs.iter().any(shares)) {
                    continue;
                }
                let pair = TrianglePair::new(self.id(body, s.0), self.id(body, t.0));
                out.settle(pair, self.want, || {
                    let [ps, pt] = [cs, ct].map(|c| self.posed.corners(body, c));
                    tri_tri::meets(cs, &ps, ct, &pt)
                });
            }
        }
    }

    fn may_touch(&self, a: PatchRef, b: PatchRef) -> bool {
        self.posed.surfaces[a.body as usize].hierarchy.shared_vertices.may_touch(a.patch, b.patch)
    }

    /// Where a patch was opened.
    fn rows(&self, p: PatchRef) -> &PatchRows {
        &self.opened[self.slots[(self.first_patch[p.body as usize] + p.patch) as usize] as usize]
    }

    /// A triangle of a body, counted across bodies.
    #[inline]
    fn id(&self, body: u32, triangle: u32) -> TriangleId {
        TriangleId(self.first_triangle[body as usize] + triangle)
    }
}
