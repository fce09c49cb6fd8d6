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
        (0..2).all(|k| {
            min[k] >= self.origin[k] && max[k] <= self.origin[k] + (self.columns[k] << self.shift)
        })
    }

    /// Calls `f(column, lo, hi)` for every column that the triangle touches, with its bits there.
    #[inline(always)]
    pub fn visit(&self, shape: &Shape, mut f: impl FnMut(usize, u32, u32)) {
        let Some(rect) = self.rect(&shape.min, &shape.max) else { return };
        if rect.hi[0] - rect.lo[0] <= 1 && rect.hi[1] - rect.lo[1] <= 1 {
            let (lo, hi) = self.bits(shape.min[2], shape.max[2]);
            for y in rect.lo[1]..=rect.hi[1] {
                for x in rect.lo[0]..=rect.hi[0] {
                    f((y * self.columns[0] + x) as usize, lo, hi);
                }
            }
        } else {
            self.visit_large::<i64>(&shape.corners.map(|c| c.map(i64::from)), rect, f);
        }
    }

    /// [`visit`](Self::visit) for a triangle of several columns, and with `I = i128` for one that reaches beyond
    /// the [`LIMIT`].
    pub fn visit_large<I: Int>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: Rect,
        mut f: impl FnMut(usize, u32, u32),
    ) {
        let edges = Edges::<I>::new(corners, self, rect.lo);
        let plane = Plane::new(corners, self, rect.lo);
        for y in 0..=rect.hi[1] - rect.lo[1] {
            for x in 0..=rect.hi[0] - rect.lo[0] {
                if edges.touch(x, y) {
                    let [min, max] = plane.range(x, y);
                    let (lo, hi) = self.bits(min, max);
                    f(((y + rect.lo[1]) * self.columns[0] + x + rect.lo[0]) as usize, lo, hi);
                }
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
                let centre = |k: usize, i: i32| {
                    i64::from(self.origin[k]) + (i64::from(i) << self.shift) + half
                };
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
    /// Value at the first column, step along x, step along y; an edge-on triangle has both sides of each edge.
    functions: [[I; 3]; 6],
    count: usize,
}

impl<I: Int> Edges<I> {
    fn new(corners: &[[i64; 3]; 3], window: &Window, first: [i32; 2]) -> Self {
        let [a, b, c] = *corners;
        let area2 = cross::<I>(a, b, [c[0], c[1]]);
        let (b, c) = if area2 < I::ZERO { (c, b) } else { (b, c) };
        let pixel = i64::from(window.pixel());
        let p = [0, 1].map(|k| i64::from(window.origin[k]) + i64::from(first[k]) * pixel);
        let mut functions = [[I::ZERO; 3]; 6];
        let mut count = 0;
        let both = area2 == I::ZERO;
        for (from, to) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)].into_iter().take(3 + 3 * usize::from(both))
        {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            if dx == 0 && dy == 0 {
                continue;
            }
            // The largest value over the column; swollen by a unit where walls are included.
            let most = I::from(dx.max(0) - dy.min(0)) * I::from(pixel);
            let swell = I::from((dx.abs() + dy.abs()) * i64::from(1 - window.open) + 1 - i64::from(window.open));
            functions[count] = [
                cross::<I>(from, to, p) + most + swell,
                I::ZERO - I::from(dy) * I::from(pixel),
                I::from(dx) * I::from(pixel),
            ];
            count += 1;
        }
        Self { functions, count }
    }

    #[inline(always)]
    fn touch(&self, x: i32, y: i32) -> bool {
        let (x, y) = (I::from(i64::from(x)), I::from(i64::from(y)));
        self.functions[..self.count].iter().all(|&[e, dx, dy]| e + dx * x + dy * y > I::ZERO)
    }
}

/// The range of depth over a column, from the plane of the triangle.
struct Plane {
    /// Depth at the middle of the first column, its steps, half its range over a column and what rounding may hide.
    middle: f64,
    step: [f64; 2],
    reach: f64,
    range: [i64; 2],
}

impl Plane {
    fn new(corners: &[[i64; 3]; 3], window: &Window, first: [i32; 2]) -> Self {
        let [a, b, c] = *corners;
        let range = [a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2])];
        let d = |p: [i64; 3], k: usize| (p[k] - a[k]) as f64;
        let area2 = d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0);
        let gx = (d(b, 2) * d(c, 1) - d(b, 1) * d(c, 2)) / area2;
        let gy = (d(b, 0) * d(c, 2) - d(b, 2) * d(c, 0)) / area2;
        let pixel = f64::from(window.pixel());
        let p = [0, 1].map(|k| f64::from(window.origin[k]) + (f64::from(first[k]) + 0.5) * pixel - a[k] as f64);
        let middle = a[2] as f64 + gx * p[0] + gy * p[1];
        let swell = pixel / 2.0 + f64::from(1 - window.open);
        // Rounding of the slopes and of the sum, relative to everything that entered them. The slopes of a thin
        // triangle lose digits in area2; then `sloppy` is large and the range is the triangle's own.
        let extent = (0..2).fold(0.0, |e: f64, k| {
            e.max(p[k].abs() + 64.0 * pixel + d(b, k).abs() + d(c, k).abs())
        });
        let size = d(b, 2).abs() + d(c, 2).abs();
        let rise = (gx.abs() + gy.abs()) * extent + a[2].abs() as f64 + size;
        let lost = 1e-15 * (d(b, 0) * d(c, 1)).abs().max((d(b, 1) * d(c, 0)).abs()) / area2.abs();
        let slack = size * extent / area2.abs() * (d(b, 0).abs() + d(b, 1).abs() + d(c, 0).abs() + d(c, 1).abs());
        let sloppy = (1e-14 + 4.0 * lost) * rise + 4e-15 * slack;
        let reach = (gx.abs() + gy.abs()) * swell + 2.0 + sloppy;
        Self { middle, step: [gx * pixel, gy * pixel], reach, range }
    }

    #[inline(always)]
    fn range(&self, x: i32, y: i32) -> [i32; 2] {
        let middle = self.middle + f64::from(x) * self.step[0] + f64::from(y) * self.step[1];
        let (lo, hi) = (middle - self.reach, middle + self.reach);
        // Written so that NaN, from an edge-on triangle, leaves the triangle's own range.
        let lo = if lo > self.range[0] as f64 { lo } else { self.range[0] as f64 };
        let hi = if hi < self.range[1] as f64 { hi } else { self.range[1] as f64 };
        let hold = |z: f64| z.clamp(f64::from(-LIMIT), f64::from(LIMIT));
        let (lo, hi) = (hold(lo).floor() as i32, hold(hi).ceil() as i32);
        [lo.min(hi), hi]
    }
}
