//! Scan conversion: the columns that a triangle touches, and the centre rays that it crosses.
//!
//! Both are decided by edge functions in integers, so they are exact, and the same on every machine.

use std::ops::{Add, Mul, Sub};

use super::lattice::LIMIT;
use super::window::{Rect, Shape, Window};

impl Window {
    /// Calls `f(column, lo, hi)` for every column in `rect` that the triangle touches, with its bits there; `lo` and
    /// `hi` are those of the whole triangle.
    #[inline(always)]
    pub fn visit(&self, shape: &Shape, rect: Rect, (lo, hi): (u32, u32), mut f: impl FnMut(usize, u32, u32)) {
        let across = self.columns[0] as usize;
        let first = rect.lo[1] as usize * across + rect.lo[0] as usize;
        match (rect.hi[0] - rect.lo[0], rect.hi[1] - rect.lo[1]) {
            (0, 0) => f(first, lo, hi),
            (1, 0) => {
                f(first, lo, hi);
                f(first + 1, lo, hi);
            }
            (0, 1) => {
                f(first, lo, hi);
                f(first + across, lo, hi);
            }
            (1, 1) => {
                let touched = self.quadrants(shape, rect.hi);
                for (k, step) in [0, 1, across, across + 1].into_iter().enumerate() {
                    if touched & 1 << k != 0 {
                        f(first + step, lo, hi);
                    }
                }
            }
            _ => self.visit_large::<i64>(&wide(shape), rect, f),
        }
    }

    /// Which of the four columns round a common corner the triangle touches, as bits (x, y) = 00, 10, 01, 11. The
    /// corner is the lowest of column `last`.
    ///
    /// A quadrant is missed when an edge has it wholly on its outer side: the corner is there, and both directions
    /// into the quadrant lead further out. Half of these small triangles miss one, and each miss saves its cell.
    #[inline(always)]
    fn quadrants(&self, shape: &Shape, last: [i32; 2]) -> u32 {
        let [a, b, c] = shape.corners;
        let (b, c) = if shape.area2 < 0 { (c, b) } else { (b, c) };
        if shape.area2 == 0 {
            return 0b1111;
        }
        let px = i64::from(self.origin[0]) + (i64::from(last[0]) << self.shift);
        let py = i64::from(self.origin[1]) + (i64::from(last[1]) << self.shift);
        let mut touched = 0b1111;
        let mut miss = |from: [i32; 3], to: [i32; 3]| {
            let (dx, dy) = (i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1]));
            let mut e = dx * (py - i64::from(from[1])) - dy * (px - i64::from(from[0]));
            if self.open == 0 {
                e += dx.abs() + dy.abs() + 1;
            }
            // The value grows by −dy along x and by dx along y.
            let along_x = if dy > 0 { 0b1010 } else if dy < 0 { 0b0101 } else { 0b1111 };
            let along_y = if dx > 0 { 0b0011 } else if dx < 0 { 0b1100 } else { 0b1111 };
            let outer = if e <= 0 { along_x & along_y } else { 0 };
            touched &= !outer;
        };
        miss(a, b);
        miss(b, c);
        miss(c, a);
        touched
    }

    /// [`visit`](Self::visit) for a triangle of several columns, and with `I = i128` for one that reaches beyond
    /// the [`LIMIT`].
    #[inline(never)]
    pub fn visit_large<I: Int>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: Rect,
        mut f: impl FnMut(usize, u32, u32),
    ) {
        let edges = Edges::<I>::new(corners, self, rect.lo);
        let plane = Plane::new::<I>(corners, self, rect, edges.area2);
        let mut row = edges.functions;
        for y in 0..=rect.hi[1] - rect.lo[1] {
            let mut at = row;
            let first = ((y + rect.lo[1]) * self.columns[0] + rect.lo[0]) as usize;
            for x in 0..=rect.hi[0] - rect.lo[0] {
                if at[..edges.count].iter().all(|e| *e > I::ZERO) {
                    let [min, max] = plane.range(x, y);
                    let (lo, hi) = self.bits(min, max);
                    f(first + x as usize, lo, hi);
                }
                for k in 0..edges.count {
                    at[k] = at[k] + edges.steps[k][0];
                }
            }
            for k in 0..edges.count {
                row[k] = row[k] + edges.steps[k][1];
            }
        }
    }

    /// Calls `f(column, depth)` for every column in `rect` whose centre ray crosses the triangle.
    ///
    /// A ray through an edge is settled as if the centre were moved by (ε, ε²): each ray meets a closed surface in as
    /// many entries as exits, and no sheet is met twice or never.
    #[inline(always)]
    pub fn sample<I: Int>(&self, corners: &[[i64; 3]; 3], rect: Rect, mut f: impl FnMut(usize, f64)) {
        let [a, b, c] = *corners;
        let area2 = cross::<I>(a, b, [c[0], c[1]]);
        let (b, c, area2) = if area2 < I::ZERO { (c, b, I::ZERO - area2) } else { (b, c, area2) };
        if area2 == I::ZERO {
            return;
        }
        let half = i64::from(self.pixel() >> 1);
        let inverse = 1.0 / area2.to_f64();
        let (zmin, zmax) = (a[2].min(b[2]).min(c[2]) as f64, a[2].max(b[2]).max(c[2]) as f64);
        let inside = |e: I, from: [i64; 3], to: [i64; 3]| {
            e > I::ZERO || (e == I::ZERO && (to[1] < from[1] || (to[1] == from[1] && to[0] > from[0])))
        };
        for y in rect.lo[1]..=rect.hi[1] {
            for x in rect.lo[0]..=rect.hi[0] {
                let centre =
                    |k: usize, i: i32| i64::from(self.origin[k]) + (i64::from(i) << self.shift) + half;
                let p = [centre(0, x), centre(1, y)];
                let (ea, eb, ec) = (cross::<I>(b, c, p), cross::<I>(c, a, p), cross::<I>(a, b, p));
                if inside(ea, b, c) && inside(eb, c, a) && inside(ec, a, b) {
                    let z = ea.to_f64() * a[2] as f64 + eb.to_f64() * b[2] as f64 + ec.to_f64() * c[2] as f64;
                    f((y * self.columns[0] + x) as usize, (z * inverse).clamp(zmin, zmax));
                }
            }
        }
    }
}

/// Corners in 64 bits.
#[inline(always)]
pub(super) fn wide(shape: &Shape) -> [[i64; 3]; 3] {
    let w = |c: [i32; 3]| [i64::from(c[0]), i64::from(c[1]), i64::from(c[2])];
    [w(shape.corners[0]), w(shape.corners[1]), w(shape.corners[2])]
}

/// 64 bits for what lies within the limit, 128 for what does not.
pub(super) trait Int:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + PartialOrd + From<i64>
{
    const ZERO: Self;
    fn to_f64(self) -> f64;
}

impl Int for i64 {
    const ZERO: Self = 0;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
}

impl Int for i128 {
    const ZERO: Self = 0;
    fn to_f64(self) -> f64 {
        self as f64
    }
}

/// Twice the area of (from, to, p), positive where p lies to the left.
#[inline(always)]
fn cross<I: Int>(from: [i64; 3], to: [i64; 3], p: [i64; 2]) -> I {
    I::from(to[0] - from[0]) * I::from(p[1] - from[1]) - I::from(to[1] - from[1]) * I::from(p[0] - from[0])
}

/// The three edge functions at the corner of each column that lies most to their inside.
struct Edges<I> {
    /// Twice the area of the triangle.
    area2: I,
    /// Values at the first column; an edge-on triangle has both sides of each edge.
    functions: [I; 6],
    /// Steps along x and along y.
    steps: [[I; 2]; 6],
    count: usize,
}

impl<I: Int> Edges<I> {
    #[inline(always)]
    fn new(corners: &[[i64; 3]; 3], window: &Window, first: [i32; 2]) -> Self {
        let [a, b, c] = *corners;
        let area2 = cross::<I>(a, b, [c[0], c[1]]);
        let (b, c) = if area2 < I::ZERO { (c, b) } else { (b, c) };
        let pixel = i64::from(window.pixel());
        let p = [0, 1].map(|k| i64::from(window.origin[k]) + i64::from(first[k]) * pixel);
        let mut edges = Self { area2, functions: [I::ZERO; 6], steps: [[I::ZERO; 2]; 6], count: 0 };
        let mut add = |from: [i64; 3], to: [i64; 3]| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            // The largest value over the column; swollen by a unit where walls are included.
            let most = I::from(dx.max(0) - dy.min(0)) * I::from(pixel);
            let swell = if window.open == 1 { I::ZERO } else { I::from(dx.abs() + dy.abs() + 1) };
            edges.functions[edges.count] = cross::<I>(from, to, p) + most + swell;
            edges.steps[edges.count] = [I::ZERO - I::from(dy) * I::from(pixel), I::from(dx) * I::from(pixel)];
            edges.count += 1;
        };
        add(a, b);
        add(b, c);
        add(c, a);
        if area2 == I::ZERO {
            for (from, to) in [(b, a), (c, b), (a, c)] {
                add(from, to);
            }
            edges.drop_points();
        }
        edges
    }

    /// Takes out the edges that are seen as points, which have no sides.
    #[cold]
    fn drop_points(&mut self) {
        let mut kept = 0;
        for k in 0..self.count {
            if self.steps[k] != [I::ZERO; 2] {
                self.functions[kept] = self.functions[k];
                self.steps[kept] = self.steps[k];
                kept += 1;
            }
        }
        self.count = kept;
    }
}

/// The range of depth over a column, from the plane of the triangle.
struct Plane {
    /// Depth at the middle of the first column, its steps, half its range over a column and what rounding may hide.
    middle: f64,
    step: [f64; 2],
    reach: f64,
    range: [f64; 2],
}

impl Plane {
    #[inline(always)]
    fn new<I: Int>(corners: &[[i64; 3]; 3], window: &Window, rect: Rect, area2: I) -> Self {
        let [a, b, c] = *corners;
        let hold = |z: i64| z.clamp(i64::from(-LIMIT), i64::from(LIMIT)) as f64;
        let range = [hold(a[2].min(b[2]).min(c[2])), hold(a[2].max(b[2]).max(c[2]))];
        let d = |p: [i64; 3], k: usize| (p[k] - a[k]) as f64;
        let inverse = 1.0 / area2.to_f64();
        let gx = (d(b, 2) * d(c, 1) - d(b, 1) * d(c, 2)) * inverse;
        let gy = (d(b, 0) * d(c, 2) - d(b, 2) * d(c, 0)) * inverse;
        let pixel = f64::from(window.pixel());
        let from =
            |k: usize, i: i32| f64::from(window.origin[k]) + (f64::from(i) + 0.5) * pixel - a[k] as f64;
        let (px, py) = (from(0, rect.lo[0]), from(1, rect.lo[1]));
        let middle = a[2] as f64 + gx * px + gy * py;
        let swell = pixel * 0.5 + f64::from(1 - window.open);
        // Roundings of the slopes, at the farthest column, and of the sum: each slope is two products over an exact
        // area, so it is off by four roundings of their magnitude.
        let [ex, ey, ez] = [0, 1, 2].map(|k| d(b, k).abs() + d(c, k).abs());
        let far = [px.abs().max(from(0, rect.hi[0]).abs()), py.abs().max(from(1, rect.hi[1]).abs())];
        let hidden = 2e-15 * (ez * inverse.abs() * (ey * far[0] + ex * far[1]) + (a[2] as f64).abs());
        let reach = (gx.abs() + gy.abs()) * swell + 3.0 + hidden;
        Self { middle, step: [gx * pixel, gy * pixel], reach, range }
    }

    #[inline(always)]
    fn range(&self, x: i32, y: i32) -> [i32; 2] {
        let middle = self.middle + f64::from(x) * self.step[0] + f64::from(y) * self.step[1];
        let (lo, hi) = (middle - self.reach, middle + self.reach);
        // Written so that NaN, from an edge-on triangle, leaves the triangle's own range. Casting cuts towards zero,
        // which the reach allows for.
        let lo = if lo > self.range[0] { lo } else { self.range[0] };
        let hi = if hi < self.range[1] { hi } else { self.range[1] };
        let (lo, hi) = (lo as i32, hi as i32);
        [lo.min(hi), hi]
    }
}
