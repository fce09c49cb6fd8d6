//! A triangle cut to a column, and integrals over what is left.

/// A knife: two buffers between which a polygon goes from cut to cut, used again for each piece.
#[derive(Debug, Default)]
pub(super) struct Clipper {
    points: [Points; 2],
    at: usize,
    /// Area of the piece seen along the rays, signed.
    pub area: f64,
    /// The integral of depth over that area.
    pub moment: f64,
    pub lowest: f64,
    pub highest: f64,
}

/// Up to eight corners: a triangle cut by five half spaces has no more.
#[derive(Debug, Default)]
struct Points {
    at: [[f64; 3]; 8],
    len: usize,
}

impl Clipper {
    /// Takes the part of a triangle over the column of a given lowest corner and width; false where there is none.
    #[inline(always)]
    pub fn cut_to_column(&mut self, corners: &[[f64; 3]; 3], corner: [f64; 2], pixel: f64) -> bool {
        let from = |p: [f64; 3]| [p[0] - corner[0], p[1] - corner[1], p[2]];
        let (a, b, c) = (from(corners[0]), from(corners[1]), from(corners[2]));
        self.at = 0;
        let first = &mut self.points[0];
        (first.at[0], first.at[1], first.at[2], first.len) = (a, b, c, 3);
        let lowest = |k: usize| min(min(a[k], b[k]), c[k]);
        let highest = |k: usize| max(max(a[k], b[k]), c[k]);
        if lowest(0) < 0.0 {
            self.cut::<0>(0.0, 1.0);
        }
        if highest(0) > pixel {
            self.cut::<0>(pixel, -1.0);
        }
        if lowest(1) < 0.0 {
            self.cut::<1>(0.0, 1.0);
        }
        if highest(1) > pixel {
            self.cut::<1>(pixel, -1.0);
        }
        let piece = &self.points[self.at];
        if piece.len < 3 {
            return false;
        }
        (self.area, self.moment) = piece.integrals();
        (self.lowest, self.highest) = (piece.at[0][2], piece.at[0][2]);
        for p in &piece.at[1..piece.len] {
            (self.lowest, self.highest) = (min(self.lowest, p[2]), max(self.highest, p[2]));
        }
        true
    }

    #[inline(always)]
    fn cut<const K: usize>(&mut self, at: f64, side: f64) {
        let [a, b] = &mut self.points;
        if self.at == 0 {
            a.cut::<K>(at, side, b)
        } else {
            b.cut::<K>(at, side, a)
        }
        self.at ^= 1;
    }

    /// The integral of max(0, t − depth) over the piece.
    #[inline(always)]
    pub fn below(&mut self, t: f64) -> f64 {
        if t <= self.lowest {
            0.0
        } else if t >= self.highest {
            t * self.area - self.moment
        } else {
            let [a, b] = &mut self.points;
            let (piece, spare) = if self.at == 0 { (a, b) } else { (b, a) };
            piece.cut::<2>(t, -1.0, spare);
            let (area, moment) = spare.integrals();
            t * area - moment
        }
    }
}

impl Points {
    /// The part where `side` · (coordinate `K` − `at`) is not negative.
    #[inline(always)]
    fn cut<const K: usize>(&self, at: f64, side: f64, kept: &mut Self) {
        kept.len = 0;
        if self.len == 0 {
            return;
        }
        let mut p = self.at[self.len - 1];
        let mut dp = side * (p[K] - at);
        for &q in &self.at[..self.len] {
            let dq = side * (q[K] - at);
            if (dp < 0.0) != (dq < 0.0) {
                let t = dp / (dp - dq);
                let mut x = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])];
                x[K] = at;
                kept.push(x);
            }
            if dq >= 0.0 {
                kept.push(q);
            }
            (p, dp) = (q, dq);
        }
    }

    #[inline(always)]
    fn push(&mut self, p: [f64; 3]) {
        self.at[self.len & 7] = p;
        self.len += 1;
    }

    /// Area seen along the rays, signed, and the integral of depth over it.
    #[inline(always)]
    fn integrals(&self) -> (f64, f64) {
        let (mut area, mut moment) = (0.0, 0.0);
        let a = self.at[0];
        for k in 2..self.len {
            let (b, c) = (self.at[k - 1], self.at[k & 7]);
            let piece = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            area += piece;
            moment += piece * (a[2] + b[2] + c[2]);
        }
        (0.5 * area, moment * (1.0 / 6.0))
    }
}

/// One instruction, unlike `f64::min`.
#[inline(always)]
fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// One instruction, unlike `f64::max`.
#[inline(always)]
fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
