//! A window: a block of at most 64 × 64 columns over a range of depth, and which of its cells a triangle touches.
//!
//! Coverage is conservative and exact: a column is visited when the triangle meets its open interior (for questions
//! about volume, where a face that lies in the wall between two columns belongs to neither), or when the triangle may
//! meet its closed hull including what snapping moved (for questions about points).

use std::ops::{Add, Mul, Sub};

use super::bits::SLICES;
use super::lattice::{Corner, LIMIT};

/// Most columns along a side of a window.
pub(super) const SIDE: u32 = 64;

/// Columns and slices in lattice units.
#[derive(Debug, Clone)]
pub(super) struct Window {
    /// Smallest x and y.
    pub origin: [i32; 2],
    /// log2 of the units across a column.
    pub shift: u32,
    /// Columns along x and y.
    pub columns: [i32; 2],
    /// The range of depth that is cut into slices.
    pub depth: [i32; 2],
    /// Slices per unit of depth, times 2^48.
    slices_per_unit: i64,
    /// 1 where a column is its open interior, 0 where it is closed and swollen by a unit.
    open: i32,
}

/// Whether a column owns its walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walls {
    /// A column is its open interior.
    Excluded,
    /// A column is its closed hull and one unit more.
    Included,
}

/// A triangle in lattice units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub corners: [Corner; 3],
    pub min: Corner,
    pub max: Corner,
    /// Twice the area seen along the rays; positive when the corners turn counter-clockwise, the normal then leans
    /// towards +z.
    pub area2: i64,
}

impl Shape {
    #[inline(always)]
    pub fn new(corners: [Corner; 3]) -> Self {
        let [a, b, c] = corners;
        let min = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let max = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        let d = |p: Corner, k: usize| i64::from(p[k]) - i64::from(a[k]);
        let area2 = d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0);
        Self { corners, min, max, area2 }
    }

    /// What the winding number gains when a ray crosses upward: 1 on entering, −1 on leaving, 0 edge-on.
    #[inline(always)]
    pub fn step(&self) -> i32 {
        i32::from(self.area2 < 0) - i32::from(self.area2 > 0)
    }
}

/// Columns in both directions, ends included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub lo: [i32; 2],
    pub hi: [i32; 2],
}

impl Window {
    /// A window over `depth`, which must not be empty.
    pub fn new(origin: [i32; 2], shift: u32, columns: [i32; 2], depth: [i32; 2], walls: Walls) -> Self {
        let range = i64::from(depth[1]) - i64::from(depth[0]);
        debug_assert!(range > 0 && range <= 1 << 27);
        // Rounded up, so that the last unit of depth is in the last slice and the end of the range is above it: with
        // d < range, d · per / 2^48 < 126 because range² < 126 · 2^48.
        let slices_per_unit = ((i64::from(SLICES) << 48) + range - 1) / range;
        let open = i32::from(walls == Walls::Excluded);
        Self { origin, shift, columns, depth, slices_per_unit, open }
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        (self.columns[0] * self.columns[1]) as usize
    }

    /// Units across a column.
    pub fn pixel(&self) -> i32 {
        1 << self.shift
    }

    /// The bit of a depth.
    #[inline(always)]
    pub fn bit(&self, z: i32) -> u32 {
        let d = i64::from(z.clamp(self.depth[0] - 1, self.depth[1])) - i64::from(self.depth[0]);
        ((d * self.slices_per_unit >> 48) + 1).max(0) as u32
    }

    /// The lowest depth of a bit, 1 to 127.
    pub fn depth_of(&self, bit: u32) -> i32 {
        let k = i64::from(bit) - 1;
        let d = (k << 48) / self.slices_per_unit;
        let d = if d * self.slices_per_unit >> 48 < k { d + 1 } else { d };
        self.depth[0] + d as i32
    }

    /// The bits of a range of depth. What is flat in the wall between two slices belongs to the upper one, except at
    /// the bottom of the window, so that a flat bottom and a flat top touch no slice.
    #[inline(always)]
    pub fn bits(&self, min: i32, max: i32) -> (u32, u32) {
        let hi = self.bit(max - self.open);
        if hi == 0 {
            return (0, 0);
        }
        let lo = self.bit(min);
        (lo, hi.max(lo))
    }

    /// Whether a triangle has a point within the closed range of depth.
    #[inline(always)]
    pub fn meets_depth(&self, shape: &Shape) -> bool {
        shape.min[2] <= self.depth[1] && shape.max[2] >= self.depth[0]
    }

    /// The columns that a box touches, cut to the window; `None` where there are none.
    #[inline(always)]
    pub fn rect(&self, min: &Corner, max: &Corner) -> Option<Rect> {
        let lo = [0, 1].map(|k| ((min[k] - self.origin[k]) >> self.shift).max(0));
        let hi =
            [0, 1].map(|k| ((max[k] - self.open - self.origin[k]) >> self.shift).min(self.columns[k] - 1));
        (lo[0] <= hi[0] && lo[1] <= hi[1]).then_some(Rect { lo, hi })
    }

    /// Whether a box lies within the window's columns.
    #[inline(always)]
    pub fn encloses(&self, min: &Corner, max: &Corner) -> bool {
        (0..2).all(|k| min[k] >= self.origin[k] && max[k] <= self.origin[k] + (self.columns[k] << self.shift))
    }

    /// Calls `f(column, lo, hi)` for every column in `rect` that the triangle touches, with its bits there; `lo` and
    /// `hi` are those of the whole triangle.
    #[inline(always)]
    pub fn visit(&self, shape: &Shape, rect: Rect, (lo, hi): (u32, u32), mut f: impl FnMut(usize, u32, u32)) {
        if rect.hi[0] - rect.lo[0] <= 1 && rect.hi[1] - rect.lo[1] <= 1 {
            let row = |y: i32| (y * self.columns[0]) as usize;
            f(row(rect.lo[1]) + rect.lo[0] as usize, lo, hi);
            if rect.hi[0] > rect.lo[0] {
                f(row(rect.lo[1]) + rect.hi[0] as usize, lo, hi);
            }
            if rect.hi[1] > rect.lo[1] {
                f(row(rect.hi[1]) + rect.lo[0] as usize, lo, hi);
                if rect.hi[0] > rect.lo[0] {
                    f(row(rect.hi[1]) + rect.hi[0] as usize, lo, hi);
                }
            }
        } else {
            self.visit_large::<i64>(&shape.corners.map(|c| c.map(i64::from)), rect, f);
        }
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

    /// Calls `f(column, depth)` for every column whose centre ray crosses the triangle.
    ///
    /// A ray through an edge is settled as if the centre were moved by (ε, ε²): each ray meets a closed surface in as
    /// many entries as exits, and no sheet is met twice or never.
    #[inline(always)]
    pub fn sample(&self, shape: &Shape, f: impl FnMut(usize, f64)) {
        if shape.area2 == 0 {
            return;
        }
        if let Some(rect) = self.centres(&shape.min, &shape.max) {
            self.sample_rect::<i64>(&shape.corners.map(|c| c.map(i64::from)), rect, f);
        }
    }

    /// The columns whose centres lie in a box, cut to the window.
    #[inline(always)]
    pub fn centres(&self, min: &Corner, max: &Corner) -> Option<Rect> {
        let half = self.pixel() >> 1;
        let lo = [0, 1].map(|k| ((min[k] - self.origin[k] + half - 1) >> self.shift).max(0));
        let hi = [0, 1].map(|k| ((max[k] - self.origin[k] - half) >> self.shift).min(self.columns[k] - 1));
        (lo[0] <= hi[0] && lo[1] <= hi[1]).then_some(Rect { lo, hi })
    }

    /// [`sample`](Self::sample) over given columns.
    pub fn sample_rect<I: Int>(&self, corners: &[[i64; 3]; 3], rect: Rect, mut f: impl FnMut(usize, f64)) {
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
            edges.drop_points(corners);
        }
        edges
    }

    /// Takes out the edges that are seen as points, which have no sides.
    #[cold]
    fn drop_points(&mut self, _corners: &[[i64; 3]; 3]) {
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
