//! Twins and one-rings of a surface without anything odd: one pass over the triangles round each vertex.
//!
//! Half-edges from one vertex all lead elsewhere exactly when no edge has three triangles, or two that disagree. What lies
//! across them, and the one-ring, are then found among the handful of triangles round the vertex: no edges are numbered and
//! no components searched, which took a third of building. Where a vertex is odd, the [`Topology`](crate::Topology) decides.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::half_edges::NONE;
use crate::csr::Csr;
use crate::methods::regularity::one_ring::{OneRing, OneRings};
use crate::{Mesh, parallel};

/// Vertices that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// So many triangles round a vertex are compared each with each, in lanes: six are the rule.
const FEW: usize = 8;

/// The twin of each half-edge and the one-rings, when no edge has three triangles or two that disagree, no triangle names a
/// vertex twice, and no two triangles have the same vertices.
pub(super) fn twins_and_rings(body: &Mesh) -> Option<(Vec<u32>, OneRings)> {
    let corners: &[[u32; 3]] = bytemuck::cast_slice(body.triangles());
    let corners = corners.as_flattened();
    let (at, vertices) = (body.half_edges_at(), body.vertex_count());
    let twins: Vec<AtomicU32> = corners.iter().map(|_| AtomicU32::new(NONE)).collect();
    let (mut kinds, mut starts) = (vec![OneRing::Lone; vertices], vec![0u32; vertices]);
    // A vertex with n triangles has at most n + 1 neighbours: where each row begins is known before.
    let mut neighbours = vec![0u32; corners.len() + vertices];
    let mut rest = &mut neighbours[..];
    let mut pieces = Vec::with_capacity(vertices.div_ceil(PIECE));
    for (i, (kinds, starts)) in kinds.chunks_mut(PIECE).zip(starts.chunks_mut(PIECE)).enumerate() {
        let first = i * PIECE;
        let range = at.range(first..first + kinds.len());
        let (neighbours, others) = rest.split_at_mut(range.len() + kinds.len());
        rest = others;
        pieces.push(FanPiece { first, base: range.start + first, kinds, starts, neighbours });
    }
    let is_odd = AtomicBool::new(false);
    parallel::for_each(&mut pieces, |_, piece| {
        if !is_odd.load(Ordering::Relaxed) && !piece.fill(at, corners, &twins) {
            is_odd.store(true, Ordering::Relaxed);
        }
    });
    if is_odd.into_inner() {
        return None;
    }
    let twins = twins.into_iter().map(AtomicU32::into_inner).collect();
    Some((twins, OneRings::of_parts(kinds, starts, neighbours)))
}

/// The one-rings of some vertices.
struct FanPiece<'a> {
    first: usize,
    /// Place of the first neighbour among all.
    base: usize,
    kinds: &'a mut [OneRing],
    starts: &'a mut [u32],
    neighbours: &'a mut [u32],
}

/// The triangles round one vertex: scratch memory, for few of them and for any number.
#[derive(Default)]
struct Stars {
    few: Star<[u32; FEW]>,
    many: Star<Vec<u32>>,
    sorted: Vec<(u32, u32)>,
}

#[derive(Default)]
struct Star<A> {
    /// The next corner of each triangle and the one before, counter-clockwise.
    to: A,
    from: A,
    /// The triangle that follows each, or [`NONE`].
    after: A,
}

impl FanPiece<'_> {
    /// Whether nothing is odd.
    fn fill(&mut self, at: &Csr, corners: &[u32], twins: &[AtomicU32]) -> bool {
        let mut stars = Stars::default();
        let mut next = 0;
        for i in 0..self.kinds.len() {
            let v = (self.first + i) as u32;
            let row = at.row(v as usize);
            let out = &mut self.neighbours[next..=next + row.len()];
            let kind = if row.len() <= FEW {
                let few = &mut stars.few;
                few.look_up(v, row, corners).then(|| few.ring(row, twins, out)).flatten()
            } else {
                stars.look_up_many(v, row, corners).then(|| stars.many.ring(row, twins, out)).flatten()
            };
            let Some(kind) = kind else { return false };
            (self.kinds[i], self.starts[i]) = (kind, (self.base + next) as u32);
            next += row.len() + 1;
        }
        true
    }
}

/// The corners of a triangle after one of them and before it, counter-clockwise; whether all three are different.
#[inline]
fn others(vertex: u32, half_edge: u32, corners: &[u32]) -> ([u32; 2], bool) {
    let k = half_edge % 3;
    // Branch-free: which corner it is, is an unpredictable branch.
    let to = corners[(if k == 2 { half_edge - 2 } else { half_edge + 1 }) as usize];
    let from = corners[before(half_edge) as usize];
    ([to, from], to != from && to != vertex && from != vertex)
}

/// The half-edge before, round the same triangle.
#[inline]
fn before(half_edge: u32) -> u32 {
    if half_edge.is_multiple_of(3) { half_edge + 2 } else { half_edge - 1 }
}

impl Star<[u32; FEW]> {
    /// Finds the corners round a vertex and what follows each triangle. Whether nothing is odd: each half-edge from the vertex
    /// leads elsewhere.
    fn look_up(&mut self, v: u32, row: &[u32], corners: &[u32]) -> bool {
        let mut is_sound = true;
        self.to = [NONE; FEW];
        for (i, &half_edge) in row.iter().enumerate() {
            let ([to, from], is_triangle) = others(v, half_edge, corners);
            (self.to[i], self.from[i]) = (to, from);
            is_sound &= is_triangle;
        }
        for i in 0..row.len() {
            let (mut found, mut same) = (NONE, 0);
            for j in 0..FEW {
                found = if self.to[j] == self.from[i] { j as u32 } else { found };
                same += u32::from(self.to[j] == self.to[i]);
            }
            self.after[i] = found;
            is_sound &= same == 1;
        }
        is_sound
    }
}

impl Stars {
    /// The same for any number of triangles, by sorting.
    fn look_up_many(&mut self, v: u32, row: &[u32], corners: &[u32]) -> bool {
        let Self { many: Star { to, from, after }, sorted, .. } = self;
        let mut is_sound = true;
        to.clear();
        from.clear();
        after.clear();
        for &half_edge in row {
            let (ends, is_triangle) = others(v, half_edge, corners);
            to.push(ends[0]);
            from.push(ends[1]);
            is_sound &= is_triangle;
        }
        sorted.clear();
        sorted.extend(to.iter().zip(0..).map(|(&to, j)| (to, j)));
        sorted.sort_unstable();
        after.extend(from.iter().map(|from| {
            let found = sorted.binary_search_by_key(from, |&(to, _)| to);
            found.map_or(NONE, |place| sorted[place].1)
        }));
        is_sound && sorted.windows(2).all(|two| two[0].0 != two[1].0)
    }
}

impl<A: AsRef<[u32]>> Star<A> {
    /// Writes down the twins of the sides into the vertex, and lists the neighbours if the triangles form one fan. `None` when
    /// two triangles have the same vertices.
    fn ring(&self, row: &[u32], twins: &[AtomicU32], out: &mut [u32]) -> Option<OneRing> {
        let n = row.len();
        let (to, from, all_after) =
            (&self.to.as_ref()[..n], &self.from.as_ref()[..n], &self.after.as_ref()[..n]);
        // An open fan starts at the one triangle that follows none: the sum of all numbers less that of those that follow.
        let (mut start, mut ends) = (0usize, 0);
        for i in 0..n {
            let after = all_after[i];
            start = start.wrapping_add(i);
            if after == NONE {
                ends += 1;
                continue;
            }
            if from[after as usize] == to[i] {
                return None;
            }
            start = start.wrapping_sub(after as usize);
            // The side into the vertex, and the one out of it in the triangle that follows.
            twins[before(row[i]) as usize].store(row[after as usize], Ordering::Relaxed);
        }
        if n < 2 {
            return Some(OneRing::Lone);
        }
        if ends > 1 {
            return Some(OneRing::Irregular);
        }
        let start = if ends == 1 { start.min(n - 1) } else { 0 };
        let (mut here, mut seen) = (start, 0);
        loop {
            out[seen] = to[here];
            seen += 1;
            let after = all_after[here];
            if after == NONE {
                out[seen] = from[here];
                break;
            }
            here = after as usize;
            if here == start || seen == n {
                break;
            }
        }
        Some(match (seen == n, ends) {
            (false, _) => OneRing::Irregular,
            (true, 0) => OneRing::Closed(n as u32),
            (true, _) => OneRing::Open(n as u32 + 1),
        })
    }
}
