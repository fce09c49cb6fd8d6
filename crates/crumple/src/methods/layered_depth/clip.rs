//! A triangle cut to a column, and integrals over what is left.

/// A convex polygon over a column: x and y from the column's corner, z from some reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    points: [[f64; 3]; 8],
    len: usize,
}

impl Polygon {
    pub fn triangle(corners: [[f64; 3]; 3]) -> Self {
        let mut points = [[0.0; 3]; 8];
        points[..3].copy_from_slice(&corners);
        Self { points, len: 3 }
    }

    pub fn points(&self) -> &[[f64; 3]] {
        &self.points[..self.len]
    }

    /// The part between 0 and `pixel` in x and y.
    pub fn cut_to_column(&self, pixel: f64) -> Self {
        let mut polygon = *self;
        for k in 0..2 {
            let (lo, hi) = polygon.extent(k);
            if lo < 0.0 {
                polygon = polygon.cut(k, 0.0, 1.0);
            }
            if hi > pixel {
                polygon = polygon.cut(k, pixel, -1.0);
            }
        }
        polygon
    }

    /// Smallest and largest coordinate.
    pub fn extent(&self, k: usize) -> (f64, f64) {
        self.points()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (lo.min(p[k]), hi.max(p[k])))
    }

    /// The part where `side` · (coordinate `k` − `at`) is not negative.
    fn cut(&self, k: usize, at: f64, side: f64) -> Self {
        let mut kept = Self { points: [[0.0; 3]; 8], len: 0 };
        let Some(&last) = self.points().last() else { return kept };
        let (mut p, mut dp) = (last, side * (last[k] - at));
        for &q in self.points() {
            let dq = side * (q[k] - at);
            if (dp < 0.0) != (dq < 0.0) {
                let t = dp / (dp - dq);
                let mut x: [f64; 3] = std::array::from_fn(|i| p[i] + t * (q[i] - p[i]));
                x[k] = at;
                kept.push(x);
            }
            if dq >= 0.0 {
                kept.push(q);
            }
            (p, dp) = (q, dq);
        }
        kept
    }

    fn push(&mut self, p: [f64; 3]) {
        // A triangle cut by five half planes has at most eight corners.
        self.points[self.len] = p;
        self.len += 1;
    }

    /// Area seen along z, signed, and the integral of z over it.
    pub fn integrals(&self) -> (f64, f64) {
        let points = self.points();
        let (mut area, mut moment) = (0.0, 0.0);
        for k in 2..points.len() {
            let (a, b, c) = (points[0], points[k - 1], points[k]);
            let piece = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
            area += piece;
            moment += piece * (a[2] + b[2] + c[2]) / 3.0;
        }
        (area, moment)
    }

    /// The integral of max(0, t − z) over the polygon.
    pub fn below(&self, t: f64) -> f64 {
        let (lo, hi) = self.extent(2);
        if t <= lo {
            return 0.0;
        }
        let (area, moment) = if t >= hi { self.integrals() } else { self.cut(2, t, -1.0).integrals() };
        t * area - moment
    }
}
