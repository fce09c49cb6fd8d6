//! The end of a search: patches are opened, compared by rows, and what is left is tested exactly.
//!
//! Work comes as lists that the descent left: pairs of patches, and vertices round which neighbours wait. Lists are cut
//! into chunks; each chunk has its own output, so that threads need no locks and answers do not depend on them.

use super::compare::{Compare, Relation};
use super::patch_rows::Opened;
use crate::geometry::lanes::floats::{self, Row, WIDTH};
use crate::methods::regularity::one_ring::{CertifyFans, Spokes, Star};
use crate::methods::regularity::search::{PatchPair, PatchRef, Scene};
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

/// A vertex of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VertexRef {
    pub body: u32,
    pub vertex: u32,
    pub star: Star,
}

/// What the leaves need beyond the scene.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'a> {
    pub scene: Scene<'a>,
    /// The first triangle of each body.
    pub first_triangle: &'a [u32],
    /// The first patch of each body.
    pub first_patch: &'a [u32],
    pub opened: &'a [Opened],
    /// Where each patch was opened.
    pub slots: &'a [u32],
    pub want: Want,
}

/// The output of one chunk, and its scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub pairs: Vec<TrianglePair>,
    pub stats: RegularityStats,
    local: Vec<[u8; 2]>,
    rows: Vec<[Row; 3]>,
    spokes: Spokes,
}

impl Chunk {
    /// Forgets the last query.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.stats = RegularityStats::default();
    }

    fn settle(&mut self, is_wanted: bool, pair: TrianglePair, want: Want) {
        self.stats.exact += 1;
        if is_wanted {
            self.stats.contacts += u64::from(want == Want::Contacts);
            self.pairs.push(pair);
        }
    }
}

impl Leaves<'_> {
    /// Compares pairs of patches.
    pub fn compare(&self, pairs: &[PatchPair], chunk: &mut Chunk) {
        for (i, &pair) in pairs.iter().enumerate() {
            if self.scene.is_single {
                self.test_single(pair, chunk);
            } else {
                self.compare_two(pair, pairs.get(i + 1), chunk);
            }
        }
    }

    /// Compares the triangles of two patches.
    fn compare_two(&self, pair: PatchPair, next: Option<&PatchPair>, chunk: &mut Chunk) {
        let [a, b] = pair;
        let relation = match () {
            () if a == b => Relation::Same,
            () if a.body == b.body && self.may_touch(a, b) => Relation::Within,
            () => Relation::Between,
        };
        let mut local = std::mem::take(&mut chunk.local);
        local.clear();
        let (a_open, b_open, next) = (self.open(a), self.open(b), next.map(|pair| self.open(pair[1])));
        chunk.stats.tests += floats::run(Compare { a: a_open, b: b_open, relation, next, out: &mut local });
        for &[i, j] in &local {
            let (ta, tb) = (self.triangle(a, i.into()), self.triangle(b, j.into()));
            let is_wanted = self.want == Want::Candidates || {
                let corners =
                    |p: PatchRef, t: [u32; 3]| t.map(|v| self.scene.positions[p.body as usize][v as usize]);
                tri_tri::intersects(&corners(a, ta.0), &corners(b, tb.0))
            };
            chunk.settle(is_wanted, TrianglePair::new(ta.1, tb.1), self.want);
        }
        chunk.local = local;
    }

    /// Tests the only triangles of two patches, neighbours or not.
    fn test_single(&self, [a, b]: PatchPair, chunk: &mut Chunk) {
        chunk.stats.tests += 1;
        let (ta, tb) = (self.triangle(a, 0), self.triangle(b, 0));
        let is_wanted = self.want == Want::Candidates || {
            let [pa, pb] = [(a, ta.0), (b, tb.0)]
                .map(|(p, t)| t.map(|v| self.scene.positions[p.body as usize][v as usize]));
            if a.body == b.body {
                tri_tri::meets(ta.0, &pa, tb.0, &pb)
            } else {
                tri_tri::intersects(&pa, &pb)
            }
        };
        chunk.settle(is_wanted, TrianglePair::new(ta.1, tb.1), self.want);
    }

    /// Settles the pairs that share one of the vertices, which are sorted by kind of star.
    pub fn stars(&self, vertices: &[VertexRef], chunk: &mut Chunk) {
        let alike = vertices.chunk_by(|a, b| a.star == b.star);
        for eight in alike.flat_map(|run| run.chunks(WIDTH)) {
            let certified = floats::run(CertifyFans { scene: &self.scene, eight, spokes: &mut chunk.rows });
            for (i, &vertex) in eight.iter().enumerate() {
                if certified >> i & 1 == 1 {
                    chunk.stats.stars += 1;
                } else {
                    self.pairs_at(vertex, chunk);
                }
            }
        }
    }

    /// Settles the pairs that share a vertex, one by one.
    fn pairs_at(&self, VertexRef { body, vertex, .. }: VertexRef, chunk: &mut Chunk) {
        let surface = &self.scene.surfaces[body as usize];
        let positions = self.scene.positions[body as usize];
        chunk.spokes.collect(vertex, &surface.body, positions);
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
                chunk.stats.tests += 1;
                if chunk.spokes.are_apart(i, j, cs.iter().any(shares)) {
                    continue;
                }
                let is_wanted = self.want == Want::Candidates || {
                    let [ps, pt] = [cs, ct].map(|c| c.map(|v| positions[v as usize]));
                    tri_tri::meets(cs, &ps, ct, &pt)
                };
                let [s, t] = [s, t].map(|t| TriangleId(self.first_triangle[body as usize] + t.0));
                chunk.settle(is_wanted, TrianglePair::new(s, t), self.want);
            }
        }
    }

    fn may_touch(&self, a: PatchRef, b: PatchRef) -> bool {
        self.scene.surfaces[a.body as usize].hierarchy.borders.may_touch(a.patch, b.patch)
    }

    /// Where a patch was opened.
    fn open(&self, p: PatchRef) -> &Opened {
        &self.opened[self.slots[(self.first_patch[p.body as usize] + p.patch) as usize] as usize]
    }

    /// Vertices and id of a triangle of a patch.
    #[inline]
    fn triangle(&self, p: PatchRef, local: usize) -> ([u32; 3], TriangleId) {
        let patches = &self.scene.surfaces[p.body as usize].hierarchy.patches;
        let place = patches.places(p.patch as usize).start + local;
        let id = self.first_triangle[p.body as usize] + patches.id(place);
        (patches.triangle(p.patch as usize, local), TriangleId(id))
    }
}
