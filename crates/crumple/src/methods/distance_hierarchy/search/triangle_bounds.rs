//! One triangle against eight: how far apart they are at least, from what is cheap to what is sharp.
//!
//! Any direction v tells two triangles apart if one is lower along it than the other. The way from centre to centre is a
//! good first one: of the pairs that boxes leave on `near-10obj`, nine of ten end there, at a tenth of the cost of their
//! exact distance. Triangles that lie side by side are told apart by their normals: on `near-shell-100k` that leaves one
//! exact test of a hundred. Steps of Gilbert's algorithm turn the way towards the corners that are closest along it.

use crate::geometry::lanes::floats::{Floats, Row, cross3, dot3, load3, splat3, sub3};

/// The corners of the triangles, the one eight times.
pub(in super::super) struct OneToEight<L: Floats> {
    a: [[L::F; 3]; 3],
    b: [[L::F; 3]; 3],
}

/// How far the triangles are apart along a way.
pub(in super::super) struct Along<L: Floats> {
    way: [L::F; 3],
    /// The gap, times the length of the way.
    gap: L::F,
    length: L::F,
}

/// More than the rounding of a gap along a way that is next to nothing.
const NOTHING: f32 = 1e-9;

impl<L: Floats> Along<L> {
    /// Which are further apart than `limit`.
    #[inline(always)]
    pub fn beyond(&self, l: L, limit: f32) -> u32 {
        // Not divided by the length, which may be 0; a way that is next to nothing rules nothing out.
        l.gt(self.gap, l.add(l.mul(self.length, l.splat(limit)), l.splat(NOTHING)))
    }

    /// How far apart they are at least; negative when that is not known.
    #[inline(always)]
    pub fn lower(&self, l: L) -> L::F {
        // Where the length is 0, so is the gap.
        l.div(l.sub(self.gap, l.splat(NOTHING)), self.length)
    }
}

impl<L: Floats> OneToEight<L> {
    /// A triangle, and eight as corner by corner in nine rows.
    #[inline(always)]
    pub fn of(l: L, a: &[[f32; 3]; 3], b: &[[Row; 3]; 3]) -> Self {
        Self {
            a: [splat3(l, a[0]), splat3(l, a[1]), splat3(l, a[2])],
            b: [load3(l, &b[0]), load3(l, &b[1]), load3(l, &b[2])],
        }
    }

    /// Along the way from centre to centre.
    #[inline(always)]
    pub fn centres(&self, l: L) -> Along<L> {
        let ([p, q, r], [s, t, u]) = (self.a, self.b);
        let mut way = [l.splat(0.0); 3];
        for k in 0..3 {
            let mine = l.add(l.add(p[k], q[k]), r[k]);
            let theirs = l.add(l.add(s[k], t[k]), u[k]);
            way[k] = l.mul(l.sub(theirs, mine), l.splat(1.0 / 3.0));
        }
        self.along(l, way)
    }

    #[inline(always)]
    fn along(&self, l: L, way: [L::F; 3]) -> Along<L> {
        let ([p, q, r], [s, t, u]) = (self.a, self.b);
        let top = l.max(l.max(dot3(l, p, way), dot3(l, q, way)), dot3(l, r, way));
        let bottom = l.min(l.min(dot3(l, s, way), dot3(l, t, way)), dot3(l, u, way));
        Along { way, gap: l.sub(bottom, top), length: l.sqrt(dot3(l, way, way)) }
    }

    /// Turned towards the corners that are closest along the way: to the point nearest to 0 between the way and their
    /// difference, both of which lead from one triangle to the other.
    #[inline(always)]
    pub fn nearer(&self, l: L, along: &Along<L>) -> Along<L> {
        let way = along.way;
        let (mut top, mut high) = (self.a[0], dot3(l, self.a[0], way));
        let (mut bottom, mut low) = (self.b[0], dot3(l, self.b[0], way));
        for c in 1..3 {
            let (p, q) = (self.a[c], self.b[c]);
            let (h, g) = (dot3(l, p, way), dot3(l, q, way));
            let (higher, lower) = (l.exceeds(h, high), l.exceeds(low, g));
            (high, low) = (l.max(h, high), l.min(g, low));
            for k in 0..3 {
                top[k] = l.pick(higher, p[k], top[k]);
                bottom[k] = l.pick(lower, q[k], bottom[k]);
            }
        }
        let back = sub3(l, way, sub3(l, bottom, top));
        let square = l.max(dot3(l, back, back), l.splat(f32::MIN_POSITIVE));
        let part = l.min(l.max(l.div(dot3(l, way, back), square), l.splat(0.0)), l.splat(1.0));
        let step = [l.mul(back[0], part), l.mul(back[1], part), l.mul(back[2], part)];
        self.along(l, sub3(l, way, step))
    }

    /// How far apart they are along the normals of either.
    #[inline(always)]
    pub fn normals(&self, l: L) -> L::F {
        l.max(above(l, self.a, self.b), above(l, self.b, self.a))
    }
}

/// How far the second triangle is from the plane of the first at least.
#[inline(always)]
fn above<L: Floats>(l: L, [p, q, r]: [[L::F; 3]; 3], others: [[L::F; 3]; 3]) -> L::F {
    let (u, v) = (sub3(l, q, p), sub3(l, r, p));
    let n = cross3(l, u, v);
    let length = l.sqrt(dot3(l, n, n));
    // A normal that is next to nothing stays short, and rules nothing out.
    let one = l.div(l.splat(1.0), l.max(length, l.splat(1e-18)));
    let n = [l.mul(n[0], one), l.mul(n[1], one), l.mul(n[2], one)];
    // Its own corners are not quite on a plane that is rounded.
    let (hu, hv, zero) = (dot3(l, n, u), dot3(l, n, v), l.splat(0.0));
    let (top, bottom) = (l.max(l.max(hu, hv), zero), l.min(l.min(hu, hv), zero));
    let h0 = dot3(l, n, sub3(l, others[0], p));
    let h1 = dot3(l, n, sub3(l, others[1], p));
    let h2 = dot3(l, n, sub3(l, others[2], p));
    let (low, high) = (l.min(l.min(h0, h1), h2), l.max(l.max(h0, h1), h2));
    l.max(l.sub(low, top), l.sub(bottom, high))
}
