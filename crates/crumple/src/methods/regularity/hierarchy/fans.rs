//! Twins and one-rings of a surface without anything odd: one pass over the triangles round each vertex.
//!
//! Half-edges from one vertex all lead elsewhere exactly when no edge has three triangles, or two that disagree. What lies
//! across them, and the one-ring, are then found among the handful of triangles round the vertex: no edges are numbered and
//! no components searched, which took a third of building. Where a vertex is odd, the [`Topology`](crate::Topology) decides.
//! One-rings are found for themselves, when a query is left with neighbours to test: on a smooth surface none is.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::half_edges::NONE;
use crate::csr::Csr;
use crate::geometry::simd::{I32x8 as _, Ids, Mask as _, WIDTH, multiversion};
use crate::methods::regularity::one_ring::{OneRing, OneRings};
use crate::{Mesh, parallel};

/// Vertices that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// So many triangles round a vertex are compared each with each, in lanes: six are the rule.
const FEW: usize = WIDTH;

/// The twin of each half-edge, when no edge has three triangles or two that disagree, no triangle names a vertex twice, and no two
/// triangles have the same vertices.
pub(super) fn twins(body: &Mesh) -> Option<Vec<u32>> {
    let triangles: &[[u32; 3]] = bytemuck::cast_slice(body.triangles());
    if !are_sound(triangles) {
        return None;
    }
    let at = body.half_edges_at();
    let twins: Vec<AtomicU32> = triangles.as_flattened().iter().map(|_| AtomicU32::new(NONE)).collect();
    let is_odd = AtomicBool::new(false);
    parallel::for_each_range(body.vertex_count(), PIECE, |vertices| {
        if !is_odd.load(Ordering::Relaxed) && !join_sides(vertices, at, triangles, &twins) {
            is_odd.store(true, Ordering::Relaxed);
        }
    });
    (!is_odd.into_inner()).then(|| twins.into_iter().map(AtomicU32::into_inner).collect())
}

/// Whether no triangle names a vertex twice.
fn are_sound(triangles: &[[u32; 3]]) -> bool {
    let is_odd = AtomicBool::new(false);
    parallel::for_each_range(triangles.len(), PIECE, |range| {
        let twice = |&[a, b, c]: &[u32; 3]| a == b || b == c || c == a;
        if triangles[range].iter().fold(false, |any, corners| any | twice(corners)) {
            is_odd.store(true, Ordering::Relaxed);
        }
    });
    !is_odd.into_inner()
}

multiversion! {
    /// Writes down what lies across the sides into some vertices. Whether nothing is odd.
    fn join_sides<S: Simd>(
        simd: S,
        vertices: Range<usize>,
        at: &Csr,
        triangles: &[[u32; 3]],
        twins: &[AtomicU32],
    ) -> bool {
        let (mut to, mut from, mut into) = (Ids([NONE; FEW]), [NONE; FEW], [0; FEW]);
        let mut many = (Star::default(), Vec::new());
        let mut is_sound = true;
        for v in vertices {
            let row = at.row(v);
            if row.len() > FEW {
                is_sound &= many.0.look_up(row, triangles, &mut many.1) && many.0.join(row, twins);
                continue;
            }
            to.0 = [NONE; FEW];
            for (i, &half_edge) in row.iter().enumerate() {
                ([to.0[i], from[i]], into[i]) = others(half_edge, triangles);
            }
            let all = S::I32x8::load_ids(simd, &to);
            let among = |w: u32| all.eq(S::I32x8::splat(simd, w as i32)).bitmask();
            for i in 0..row.len() {
                // Each half-edge from the vertex leads elsewhere.
                is_sound &= among(to.0[i]) == 1 << i;
                let after = among(from[i]);
                if after != 0 {
                    let after = after.trailing_zeros() as usize % FEW;
                    // If not, two triangles have the same vertices.
                    is_sound &= from[after] != to.0[i];
                    // The side into the vertex, and the one out of it in the triangle that follows.
                    twins[into[i] as usize].store(row[after], Ordering::Relaxed);
                }
            }
        }
        is_sound
    }
}

/// The one-rings, under the same conditions.
pub(super) fn rings(body: &Mesh) -> Option<OneRings> {
    let triangles: &[[u32; 3]] = bytemuck::cast_slice(body.triangles());
    if !are_sound(triangles) {
        return None;
    }
    let (at, vertices) = (body.half_edges_at(), body.vertex_count());
    let (mut kinds, mut starts) = (vec![OneRing::Lone; vertices], vec![0u32; vertices]);
    // A vertex with n triangles has at most n + 1 neighbours: where each row begins is known before.
    let mut neighbours = vec![0u32; 3 * triangles.len() + vertices];
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
        if !is_odd.load(Ordering::Relaxed) && !piece.fill(at, triangles) {
            is_odd.store(true, Ordering::Relaxed);
        }
    });
    (!is_odd.into_inner()).then(|| OneRings::of_parts(kinds, starts, neighbours))
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

/// The triangles round one vertex.
#[derive(Default)]
struct Star {
    /// The next corner of each triangle and the one before, counter-clockwise.
    to: Vec<u32>,
    from: Vec<u32>,
    /// The triangle that follows each, or [`NONE`].
    after: Vec<u32>,
}

impl FanPiece<'_> {
    /// Whether nothing is odd.
    fn fill(&mut self, at: &Csr, triangles: &[[u32; 3]]) -> bool {
        let (mut star, mut sorted) = (Star::default(), Vec::new());
        let mut next = 0;
        for i in 0..self.kinds.len() {
            let row = at.row(self.first + i);
            let out = &mut self.neighbours[next..=next + row.len()];
            let is_sound = star.look_up(row, triangles, &mut sorted);
            let Some(kind) = is_sound.then(|| star.ring(row.len(), out)).flatten() else { return false };
            (self.kinds[i], self.starts[i]) = (kind, (self.base + next) as u32);
            next += row.len() + 1;
        }
        true
    }
}

/// The half-edges of a triangle after one of them and before it, and the corners where they begin, counter-clockwise.
#[inline(always)]
fn others(half_edge: u32, triangles: &[[u32; 3]]) -> ([u32; 2], u32) {
    // Branch-free: which corner it is, is an unpredictable branch.
    let (t, k) = (half_edge / 3, half_edge as usize % 3);
    let (corners, [after, before]) = (&triangles[t as usize], [[1, 2], [2, 0], [0, 1]][k]);
    ([corners[after], corners[before]], 3 * t + before as u32)
}

impl Star {
    /// Finds the corners round a vertex and what follows each triangle. Whether nothing is odd: each half-edge from the vertex
    /// leads elsewhere.
    fn look_up(&mut self, row: &[u32], triangles: &[[u32; 3]], sorted: &mut Vec<(u32, u32)>) -> bool {
        let Self { to, from, after } = self;
        let mut is_sound = true;
        to.clear();
        from.clear();
        after.clear();
        for &half_edge in row {
            let (ends, _) = others(half_edge, triangles);
            to.push(ends[0]);
            from.push(ends[1]);
        }
        if row.len() <= FEW {
            // Each with each: six are the rule.
            for (i, end) in from.iter().enumerate() {
                after.push(to.iter().position(|start| start == end).map_or(NONE, |j| j as u32));
                is_sound &= to[..i].iter().all(|&other| other != to[i]);
            }
            return is_sound;
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

    /// Writes down the twins of the sides into the vertex; whether no two triangles have the same vertices.
    fn join(&self, row: &[u32], twins: &[AtomicU32]) -> bool {
        for (i, &after) in self.after.iter().enumerate().filter(|(_, after)| **after != NONE) {
            if self.from[after as usize] == self.to[i] {
                return false;
            }
            let side = if row[i].is_multiple_of(3) { row[i] + 2 } else { row[i] - 1 };
            twins[side as usize].store(row[after as usize], Ordering::Relaxed);
        }
        true
    }

    /// Lists the neighbours if the `n` triangles form one fan. `None` when two triangles have the same vertices.
    fn ring(&self, n: usize, out: &mut [u32]) -> Option<OneRing> {
        let (to, from, all_after) = (&self.to[..n], &self.from[..n], &self.after[..n]);
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
