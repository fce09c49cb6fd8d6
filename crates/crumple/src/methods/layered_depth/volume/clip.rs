//! A triangle cut to a column, and integrals over what is left.

use crate::geometry::vector::{max, min};

/// A knife for one triangle after the other: cuts a row off it, and columns off the row, from left to right.
#[derive(Debug)]
pub(crate) struct Clipper {
    /// The triangle from the corner of the tile.
    corners: [[f64; 3]; 3],
    polygons: [Points; 3],
    /// Which of the polygons is what is left of the row, which the piece over the last column, and which is free.
    rest: usize,
    piece: usize,
    free: usize,
    row: i32,
    /// Smallest and largest x of what is left of the row.
    range: (f64, f64),
    /// Area of the piece seen along the rays, signed.
    pub area: f64,
    /// The integral of depth over that area.
    pub moment: f64,
    pub lowest: f64,
    pub highest: f64,
}

impl Default for Clipper {
    fn default() -> Self {
        Self {
            corners: [[0.0; 3]; 3],
            polygons: Default::default(),
            rest: 0,
            piece: 1,
            free: 2,
            row: i32::MIN,
            range: (0.0, 0.0),
            area: 0.0,
            moment: 0.0,
            lowest: 0.0,
            highest: 0.0,
        }
    }
}

/// Up to eight corners: a triangle cut by five half spaces has no more.
#[derive(Debug, Default)]
struct Points {
    at: [[f64; 3]; 8],
    len: usize,
}

impl Clipper {
    /// Takes a triangle.
    #[inline(always)]
    pub fn take(&mut self, corners: [[f64; 3]; 3]) {
        self.corners = corners;
        self.row = i32::MIN;
    }

    /// The piece over a column; false where there is none. Columns of a triangle must be asked for row by row, and in
    /// each row from left to right.
    #[inline(always)]
    pub fn column(&mut self, [x, y]: [i32; 2], pixel: f64) -> bool {
        if y != self.row {
            self.cut_row(y, pixel);
        }
        let (left, right) = (f64::from(x) * pixel, f64::from(x + 1) * pixel);
        let (lo, hi) = self.range;
        if lo < left {
            self.split_rest::<0>(left);
        }
        self.range.0 = right;
        if hi > right {
            // What lies below the cut is the piece, what lies above is left.
            self.split_rest::<0>(right);
        } else {
            std::mem::swap(&mut self.rest, &mut self.piece);
            self.polygons[self.rest].len = 0;
        }
        let piece = &self.polygons[self.piece];
        if piece.len < 3 {
            return false;
        }
        (self.area, self.moment) = piece.integrals();
        (self.lowest, self.highest) = piece.extent(2);
        true
    }

    /// Splits what is left: the part below becomes the piece, the part above is left.
    #[inline(always)]
    fn split_rest<const K: usize>(&mut self, at: f64) {
        let [rest, piece, free] = (self.polygons)
            .get_disjoint_mut([self.rest, self.piece, self.free])
            .expect("three different places");
        rest.split::<K>(at, piece, free);
        std::mem::swap(&mut self.rest, &mut self.free);
    }

    #[inline(always)]
    fn cut_row(&mut self, y: i32, pixel: f64) {
        self.row = y;
        let rest = &mut self.polygons[self.rest];
        (rest.at[0], rest.at[1], rest.at[2], rest.len) =
            (self.corners[0], self.corners[1], self.corners[2], 3);
        let (low, high) = (f64::from(y) * pixel, f64::from(y + 1) * pixel);
        let (lo, hi) = rest.extent(1);
        if lo < low {
            self.split_rest::<1>(low);
        }
        if hi > high {
            self.split_rest::<1>(high);
            std::mem::swap(&mut self.rest, &mut self.piece);
        }
        self.range = self.polygons[self.rest].extent(0);
    }

    /// The integral of max(0, t − depth) over the piece.
    #[inline(always)]
    pub fn below(&mut self, t: f64) -> f64 {
        if t <= self.lowest {
            0.0
        } else if t >= self.highest {
            t * self.area - self.moment
        } else {
            let (area, moment) = self.polygons[self.piece].integrals_below(t);
            t * area - moment
        }
    }
}

impl Points {
    /// The parts below and above `at` along axis `K`.
    #[inline(always)]
    fn split<const K: usize>(&self, at: f64, below: &mut Self, above: &mut Self) {
        (below.len, above.len) = (0, 0);
        if self.len == 0 {
            return;
        }
        let mut p = self.at[self.len - 1];
        for &q in &self.at[..self.len] {
            if (p[K] < at) != (q[K] < at) {
                let t = (at - p[K]) / (q[K] - p[K]);
                let mut x = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])];
                x[K] = at;
                below.push(x);
                above.push(x);
            }
            if q[K] < at {
                below.push(q);
            } else {
                above.push(q);
            }
            p = q;
        }
    }

    /// [`integrals`](Self::integrals) of the part below a depth.
    #[inline(always)]
    fn integrals_below(&self, t: f64) -> (f64, f64) {
        let (mut below, mut above) = (Self::default(), Self::default());
        self.split::<2>(t, &mut below, &mut above);
        below.integrals()
    }

    /// Smallest and largest coordinate.
    #[inline(always)]
    fn extent(&self, k: usize) -> (f64, f64) {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in &self.at[..self.len] {
            (lo, hi) = (min(lo, p[k]), max(hi, p[k]));
        }
        (lo, hi)
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
