//! What moves: the difference vectors of a pair, at the start and at the end of the step.
//!
//! Both pairs of features are the same problem. A vertex against a triangle is three vectors, from the vertex to the
//! corners; an edge against an edge is four, from the ends of the first to the ends of the second. In both the first
//! three are linearly dependent exactly when the four points are coplanar, and the *pairs* of vectors listed in
//! [`Motion::PAIRS`] span the areas (as vectors along the normal) that are barycentric coordinates:
//!
//! * vertex v, corners a b c seen from it: `b × c`, `c × a`, `a × b` sum to the triangle's normal n, and where v is in the
//!   plane they are λ n, μ n, ν n with the weights of v;
//! * edges a, b with d_ij = b_j − a_i: `d00 × d01`, `d11 × d10`, `d01 × d11`, `d10 × d00` sum to 2n, n = (a1 − a0) × (b1 − b0),
//!   and where the edges are coplanar they are s n, (1 − s) n, r n, (1 − r) n with the place s on a and r on b where
//!   their lines cross.
//!
//! So the features touch at a time of coplanarity with n ≠ 0 exactly when all areas have the sign of n or vanish. Where
//! n = 0 (a triangle that has collapsed, parallel edges) they touch exactly when a point lies on a segment, and each
//! pair is one such question: the origin lies on the segment from x to y when `x × y = 0` and `x · y ≤ 0`.

use crate::geometry::Point;
use crate::geometry::vector::sub;

/// Difference vectors at the start and at the end; `K` is 3 for a vertex and a triangle, 4 for two edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion<const K: usize> {
    pub start: [Point; K],
    pub end: [Point; K],
}

impl<const K: usize> Motion<K> {
    /// Which of the four points each vector runs to, and from.
    pub const ENDS: [[usize; 2]; K] = {
        let (mut ends, mut i) = ([[0; 2]; K], 0);
        while i < K {
            ends[i] = if K == 3 { [i + 1, 0] } else { [2 + i % 2, i / 2] };
            i += 1;
        }
        ends
    };

    /// The pairs of vectors whose cross products are the areas.
    pub const PAIRS: [[usize; 2]; K] = {
        let (mut pairs, mut i) = ([[0; 2]; K], 0);
        while i < K {
            pairs[i] = if K == 3 { [(i + 1) % 3, (i + 2) % 3] } else { [[0, 1], [3, 2], [1, 3], [2, 0]][i] };
            i += 1;
        }
        pairs
    };

    /// The rounded differences of four points.
    #[inline(always)]
    pub fn of(start: &[Point; 4], end: &[Point; 4]) -> Self {
        let difference = |points: &[Point; 4], [to, from]: [usize; 2]| sub(&points[to], &points[from]);
        let (mut s, mut e) = ([[0.0; 3]; K], [[0.0; 3]; K]);
        for i in 0..K {
            s[i] = difference(start, Self::ENDS[i]);
            e[i] = difference(end, Self::ENDS[i]);
        }
        Motion { start: s, end: e }
    }
}

/// The components of a cross product along `axis`: `(x × y)[axis] = x[i] y[j] − x[j] y[i]`.
pub(super) const fn plane(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}
