//! How much nearer the two sides of pairs have come along their directions, eight pairs at a time.
//!
//! The gap of a pair is how far the lowest corner of one side is above the highest of the other. Since it was aimed it has shrunk by no more than
//! the furthest way down of a corner of the one and the furthest way up of a corner of the other. Of some hundred thousand pairs in a violent
//! frame that leaves a few hundred to be looked at.

use crumple::geometry::simd::{F32x4, F32x8, I32x8, Kernel, Row, Simd, dispatch, dot3};
use glam::DVec3;

use super::pair::Kind;
use crate::order::larger;

/// What is gone through often of a pair: half of its memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    /// The corners; of two edges the first is marked in a bit that no vertex has.
    v: [u32; 4],
    /// The direction, and how much nearer both may come before the pair is to be looked at.
    row: [f32; 4],
}

const MARK: u32 = 1 << 31;

impl Guard {
    pub fn new(kind: Kind, [p, q, r, s]: [u32; 4], [x, y, z]: [f32; 3], room: f32) -> Self {
        Self { v: [p | if kind == Kind::EdgeEdge { MARK } else { 0 }, q, r, s], row: [x, y, z, room] }
    }

    /// The same with another room.
    pub fn with_room(mut self, room: f32) -> Self {
        self.row[3] = room;
        self
    }

    /// The corners.
    #[inline]
    pub fn vertices(&self) -> [u32; 4] {
        self.v.map(|v| v & !MARK)
    }
}

/// How far every vertex is from where it was when the pairs were aimed.
#[derive(Debug, Default)]
pub(super) struct Ways {
    ways: Vec<[f32; 4]>,
    /// No way of a corner along a direction is off by more, and what follows loses less.
    error: f32,
}

impl Ways {
    pub fn measure(&mut self, x: &[DVec3], at: &[DVec3]) {
        self.ways.clear();
        let mut longest = 0.0_f64;
        self.ways.extend(x.iter().zip(at).map(|(x, at)| {
            let way = *x - *at;
            longest = larger(longest, way.length_squared());
            let [x, y, z] = way.as_vec3().to_array();
            [x, y, z, 0.0]
        }));
        // A unit in the last place of the way, three of its product with the direction, one of the sum: below 2^-21 of both sides' ways.
        self.error = (1e-6 * longest.sqrt()) as f32;
    }

    /// How much nearer the sides of every pair have come, at most; negative where they have gone apart.
    pub fn nearing(&self, guards: &[Guard], out: &mut Vec<f32>) {
        out.clear();
        out.reserve(guards.len() + 8);
        self.each_eight(guards, |_, nearing, _| out.extend_from_slice(nearing));
        out.truncate(guards.len());
    }

    /// Which pairs' sides may have come nearer than their rooms, in order.
    pub fn beyond(&self, guards: &[Guard], out: &mut Vec<u32>) {
        out.clear();
        self.each_eight(guards, |first, nearing, eight| {
            for (i, (nearing, guard)) in nearing.iter().zip(eight).enumerate() {
                if guard.row[3] < *nearing {
                    out.push((first + i) as u32);
                }
            }
        });
    }

    fn each_eight(&self, guards: &[Guard], take: impl FnMut(usize, &[f32; 8], &[Guard])) {
        dispatch(Nearing { guards, ways: self, take });
    }
}

/// Hands out eight at a time: the number of the first, how much nearer they have come, and the pairs, of which the last may be fewer.
struct Nearing<'a, F> {
    guards: &'a [Guard],
    ways: &'a Ways,
    take: F,
}

impl<F: FnMut(usize, &[f32; 8], &[Guard])> Kernel for Nearing<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let ways = &self.ways.ways[..];
        let error = S::F32x8::splat(simd, self.ways.error);
        for (k, eight) in self.guards.chunks(8).enumerate() {
            // The last fills what is missing. Indices first: closures over lanes stay calls.
            let last = eight.len() - 1;
            let (mut ids, mut kinds) = ([[0; 8]; 4], [0; 8]);
            for i in 0..8 {
                let v = &eight[i.min(last)].v;
                (ids[0][i], ids[1][i], ids[2][i], ids[3][i]) = (v[0] & !MARK, v[1], v[2], v[3]);
                kinds[i] = v[0] as i32;
            }
            let row = |i: usize| S::F32x4::load(simd, &eight[i.min(last)].row);
            let n = S::F32x4::transpose([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]);
            let p = dot3(eight_at(simd, ways, &ids[0]), n);
            let q = dot3(eight_at(simd, ways, &ids[1]), n);
            let r = dot3(eight_at(simd, ways, &ids[2]), n);
            let s = dot3(eight_at(simd, ways, &ids[3]), n);
            let is_edges = S::I32x8::load(simd, &kinds).lt(S::I32x8::splat(simd, 0));
            let down = S::F32x8::select(is_edges, p.min(q), p);
            let up = r.max(s).max(S::F32x8::select(is_edges, r, q));
            let mut row = Row([0.0; 8]);
            (up - down + error).store(&mut row);
            (self.take)(8 * k, &row.0, eight);
        }
    }
}

/// Eight points.
#[inline(always)]
fn eight_at<S: Simd>(simd: S, points: &[[f32; 4]], ids: &[u32; 8]) -> [S::F32x8; 3] {
    let [a, b, c, d, e, f, g, h] = *ids;
    S::F32x4::transpose([
        S::F32x4::load(simd, &points[a as usize]),
        S::F32x4::load(simd, &points[b as usize]),
        S::F32x4::load(simd, &points[c as usize]),
        S::F32x4::load(simd, &points[d as usize]),
        S::F32x4::load(simd, &points[e as usize]),
        S::F32x4::load(simd, &points[f as usize]),
        S::F32x4::load(simd, &points[g as usize]),
        S::F32x4::load(simd, &points[h as usize]),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::pair::{Meeting, Pair};
    use super::*;

    #[test]
    fn no_gap_shrinks_by_more() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / 8e6 - 1.0
        };
        let mut points = |scale: f64| -> Vec<DVec3> {
            (0..400).map(|_| DVec3::new(next(), next(), next()) * scale).collect()
        };
        let (at, shift) = (points(1.0), points(0.1));
        let x: Vec<DVec3> = at.iter().zip(&shift).map(|(p, d)| *p + *d).collect();
        let meeting = Meeting { thickness: 0.1, friction: 0.0 };
        // 99 pairs, of both kinds in turn and in stretches.
        let pairs: Vec<Pair> = (0..99_u32)
            .map(|i| {
                let kind = if i % 3 == 0 || i > 60 { Kind::EdgeEdge } else { Kind::VertexTriangle };
                let mut pair = Pair::new(kind, [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3], meeting);
                pair.aim_anew(f64::NEG_INFINITY, &at);
                pair
            })
            .collect();
        let guards: Vec<Guard> = pairs.iter().map(Pair::guard).collect();
        let (mut ways, mut nearing) = (Ways::default(), Vec::new());
        ways.measure(&x, &at);
        ways.nearing(&guards, &mut nearing);
        assert_eq!(nearing.len(), 99);
        let mut tight = 0;
        for (pair, nearing) in pairs.iter().zip(nearing) {
            let (was, is) = (pair.gap(&at), pair.gap(&x));
            assert!(is >= was - f64::from(nearing), "{:?} {was} {is} {nearing}", pair.v);
            tight += usize::from(is < was - f64::from(nearing) + 1e-5);
        }
        assert!(tight > 10, "{tight}");
    }
}
