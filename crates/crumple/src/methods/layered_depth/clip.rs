//! A triangle cut to a column, and integrals over what is left.

/// A convex polygon over a column, its depth from some reference, and its integrals.
#[derive(Debug)]
pub(super) struct Polygon {
    points: Points,
    /// Area seen along the rays, signed.
    pub area: f64,
    /// The integral of depth over that area.
    pub moment: f64,
    pub lowest: f64,
    pub highest: f64,
}

/// Up to eight corners: a triangle cut by five half spaces has no more.
#[derive(Debug)]
struct Points {
    at: [[f64; 3]; 8],
    len: usize,
}

impl Polygon {
    /// The part of a triangle over the column of a given lowest corner and width; `None` where there is none.
    #[inline(always)]
    pub fn cut_to_column(corners: &[[f64; 3]; 3], corner: [f64; 2], pixel: f64) -> Option<Self> {
        let from = |p: [f64; 3]| [p[0] - corner[0], p[1] - corner[1], p[2]];
        let [a, b, c] = [from(corners[0]), from(corners[1]), from(corners[2])];
        let mut points = Points { at: [[0.0; 3]; 8], len: 3 };
        (points.at[0], points.at[1], points.at[2]) = (a, b, c);
        let beyond = |k: usize, at: f64| {
            let (lo, hi) = (min(min(a[k], b[k]), c[k]), max(max(a[k], b[k]), c[k]));
            if at > 0.0 { hi > at } else { lo < at }
        };
        if beyond(0, 0.0) {
            points = points.cut(0, 0.0, 1.0);
        }
        if beyond(0, pixel) {
            points = points.cut(0, pixel, -1.0);
        }
        if beyond(1, 0.0) {
            points = points.cut(1, 0.0, 1.0);
        }
        if beyond(1, pixel) {
            points = points.cut(1, pixel, -1.0);
        }
        (points.len >= 3).then(|| points.measure())
    }

    /// The integral of max(0, t − depth) over the polygon.
    #[inline(always)]
    pub fn below(&self, t: f64) -> f64 {
        if t <= self.lowest {
            0.0
        } else if t >= self.highest {
            t * self.area - self.moment
        } else {
            let part = self.points.cut(2, t, -1.0);
            let (area, moment) = part.integrals();
            t * area - moment
        }
    }
}

impl Points {
    /// The part where `side` · (coordinate `k` − `at`) is not negative.
    #[inline(always)]
    fn cut(&self, k: usize, at: f64, side: f64) -> Self {
        let mut kept = Self { at: [[0.0; 3]; 8], len: 0 };
        if self.len == 0 {
            return kept;
        }
        let mut p = self.at[self.len - 1];
        let mut dp = side * (p[k] - at);
        for &q in &self.at[..self.len] {
            let dq = side * (q[k] - at);
            if (dp < 0.0) != (dq < 0.0) {
                let t = dp / (dp - dq);
                let mut x = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])];
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
        for pair in self.at[..self.len].windows(2).skip(1) {
            let (b, c) = (pair[0], pair[1]);
            let piece = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            area += piece;
            moment += piece * (a[2] + b[2] + c[2]);
        }
        (0.5 * area, moment / 6.0)
    }

    #[inline(always)]
    fn measure(self) -> Polygon {
        let (area, moment) = self.integrals();
        let (mut lowest, mut highest) = (self.at[0][2], self.at[0][2]);
        for p in &self.at[1..self.len] {
            (lowest, highest) = (min(lowest, p[2]), max(highest, p[2]));
        }
        Polygon { points: self, area, moment, lowest, highest }
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
