//! Scan conversion: the columns that a triangle touches, and the centre rays that it crosses.
//!
//! Both are decided by edge functions in integers, so they are exact, and the same on every machine.

use std::ops::{Add, Mul, Sub};

use super::super::lattice::Corner;
use super::tile::{ColumnRect, SnappedTriangle, Tile};

impl Tile {
    /// Calls `f(column, lo, hi)` for every column in `rect` that the triangle touches, with its bits there; `lo` and
    /// `hi` are those of the whole triangle.
    #[inline(always)]
    pub fn visit(
        &self,
        shape: &SnappedTriangle,
        rect: ColumnRect,
        (lo, hi): (u32, u32),
        mut f: impl FnMut(usize, u32, u32),
    ) {
        let across = 1 << self.row;
        let first = self.column(rect.lo[0], rect.lo[1]);
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
            _ => self.visit_large::<i64>(&wide(shape), rect, (lo, hi), f),
        }
    }

    /// Which of the four columns round a common corner the triangle touches, as bits (x, y) = 00, 10, 01, 11. The
    /// corner is the lowest of column `last`.
    ///
    /// A quadrant is missed when an edge has it wholly on its outer side: the corner is there, and both directions
    /// into the quadrant lead further out. Half of these small triangles miss one, and each miss saves its cell.
    #[inline(always)]
    fn quadrants(&self, shape: &SnappedTriangle, last: [i32; 2]) -> u32 {
        let [a, b, c] = shape.corners;
        let (b, c) = if shape.area2 < 0 { (c, b) } else { (b, c) };
        if shape.area2 == 0 {
            return 0b1111;
        }
        let px = i64::from(self.origin[0]) + (i64::from(last[0]) << self.shift);
        let py = i64::from(self.origin[1]) + (i64::from(last[1]) << self.shift);
        let mut touched = 0b1111;
        let mut miss = |from: Corner, to: Corner| {
            let (dx, dy) = (i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1]));
            let mut e = dx * (py - i64::from(from[1])) - dy * (px - i64::from(from[0]));
            if self.open == 0 {
                e += dx.abs() + dy.abs() + 1;
            }
            // The value grows by −dy along x and by dx along y.
            let along_x = if dy > 0 {
                0b1010
            } else if dy < 0 {
                0b0101
            } else {
                0b1111
            };
            let along_y = if dx > 0 {
                0b0011
            } else if dx < 0 {
                0b1100
            } else {
                0b1111
            };
            let outer = if e <= 0 { along_x & along_y } else { 0 };
            touched &= !outer;
        };
        miss(a, b);
        miss(b, c);
        miss(c, a);
        touched
    }

    /// [`visit`](Self::visit) for a triangle of several columns, and with `I = i128` for one that reaches beyond
    /// the limit.
    pub fn visit_large<I: Int>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: ColumnRect,
        bits: (u32, u32),
        mut f: impl FnMut(usize, u32, u32),
    ) {
        self.scan::<I>(corners, rect, bits, |column, lo, hi, _| f(column, lo, hi));
    }

    /// Calls `f(column, lo, hi, depth)` for every column in `rect` that the triangle touches, with its bits there and
    /// the depth at which the column's centre ray crosses it, if it does; `bits` are those of the whole triangle.
    ///
    /// A ray through an edge is settled as if the centre were moved by (ε, ε²): each ray meets a closed surface in as
    /// many entries as exits, and no sheet is met twice or never.
    #[inline(always)]
    pub fn scan<I: Int>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: ColumnRect,
        bits: (u32, u32),
        mut f: impl FnMut(usize, u32, u32, Option<f64>),
    ) {
        let edges = EdgeFunctions::<I>::new(corners, self, rect.lo);
        if edges.area2 == I::ZERO {
            self.scan_edge_on(&edges.both_sides(corners, self), rect, |column| {
                f(column, bits.0, bits.1, None)
            });
            return;
        }
        let plane = Plane::new::<I>(corners, self, rect, bits, edges.area2);
        let [ta, tb, tc] = edges.centre;
        let mut row = edges.functions;
        let mut first = self.column(rect.lo[0], rect.lo[1]);
        let mut across = 0.0;
        for _ in 0..=rect.hi[1] - rect.lo[1] {
            let [mut a, mut b, mut c] = row;
            let mut at = across;
            for column in first..=first + (rect.hi[0] - rect.lo[0]) as usize {
                if a > I::ZERO && b > I::ZERO && c > I::ZERO {
                    let (lo, hi) = plane.bits(at);
                    let is_crossed = a > ta && b > tb && c > tc;
                    f(column, lo, hi, is_crossed.then(|| plane.depth(at)));
                }
                a = a + edges.steps[0][0];
                b = b + edges.steps[1][0];
                c = c + edges.steps[2][0];
                at += plane.step[0];
            }
            for k in 0..3 {
                row[k] = row[k] + edges.steps[k][1];
            }
            first += 1 << self.row;
            across += plane.step[1];
        }
    }

    #[cold]
    fn scan_edge_on<I: Int>(&self, sides: &[(I, [I; 2])], rect: ColumnRect, mut f: impl FnMut(usize)) {
        for y in 0..=rect.hi[1] - rect.lo[1] {
            for x in 0..=rect.hi[0] - rect.lo[0] {
                let (ix, iy) = (I::from(i64::from(x)), I::from(i64::from(y)));
                if sides.iter().all(|&(e, [dx, dy])| e + dx * ix + dy * iy > I::ZERO) {
                    f(self.column(x + rect.lo[0], y + rect.lo[1]));
                }
            }
        }
    }

    /// Calls `f(column, depth, is_crossed)` for every column in `rect`: whether its centre ray crosses the triangle, as
    /// [`scan`](Self::scan) says, and where. The centres in `rect` must be those in the triangle's box.
    #[inline(always)]
    pub fn sample<I: Int>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: ColumnRect,
        mut f: impl FnMut(usize, f64, bool),
    ) {
        let [a, b, c] = *corners;
        let area2 = cross::<I>(a, b, [c[0], c[1]]);
        let (b, c, area2) = if area2 < I::ZERO { (c, b, I::ZERO - area2) } else { (b, c, area2) };
        if area2 == I::ZERO {
            return;
        }
        let pixel = i64::from(self.pixel());
        let centre =
            |k: usize| i64::from(self.origin[k]) + (i64::from(rect.lo[k]) << self.shift) + (pixel >> 1);
        let first = [centre(0), centre(1)];
        let owned = [owns::<I>(b, c), owns::<I>(c, a), owns::<I>(a, b)];
        let at = |k: usize, from: [i64; 3], to: [i64; 3]| cross::<I>(from, to, first) + owned[k];
        let depth = |e: [I; 3]| {
            let weigh = |k: usize, z: i64| (e[k] - owned[k]).to_f64() * z as f64;
            let z = weigh(0, a[2]) + weigh(1, b[2]) + weigh(2, c[2]);
            let (lo, hi) = (a[2].min(b[2]).min(c[2]) as f64, a[2].max(b[2]).max(c[2]) as f64);
            (z / area2.to_f64()).clamp(lo, hi)
        };
        let mut row = [at(0, b, c), at(1, c, a), at(2, a, b)];
        let step = |from: [i64; 3], to: [i64; 3]| {
            [I::from(from[1] - to[1]) * I::from(pixel), I::from(to[0] - from[0]) * I::from(pixel)]
        };
        let steps = [step(b, c), step(c, a), step(a, b)];
        for y in rect.lo[1]..=rect.hi[1] {
            let mut e = row;
            for x in rect.lo[0]..=rect.hi[0] {
                f(self.column(x, y), depth(e), (e[0] > I::ZERO) & (e[1] > I::ZERO) & (e[2] > I::ZERO));
                e = [e[0] + steps[0][0], e[1] + steps[1][0], e[2] + steps[2][0]];
            }
            row = [row[0] + steps[0][1], row[1] + steps[1][1], row[2] + steps[2][1]];
        }
    }
}

/// 1 where a ray through the edge counts as inside of it, else 0; added to an integer edge function this turns
/// "not negative" into "positive".
#[inline(always)]
fn owns<I: Int>(from: [i64; 3], to: [i64; 3]) -> I {
    I::from(i64::from(to[1] < from[1] || (to[1] == from[1] && to[0] > from[0])))
}

/// Corners in 64 bits.
#[inline(always)]
pub(crate) fn wide(shape: &SnappedTriangle) -> [[i64; 3]; 3] {
    let w = |c: Corner| [i64::from(c[0]), i64::from(c[1]), i64::from(c[2])];
    [w(shape.corners[0]), w(shape.corners[1]), w(shape.corners[2])]
}

/// 64 bits for what lies within the limit, 128 for what does not.
pub(crate) trait Int:
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
struct EdgeFunctions<I> {
    /// Twice the area of the triangle.
    area2: I,
    /// Values at the first column.
    functions: [I; 3],
    /// What the values must exceed for the centre to be inside.
    centre: [I; 3],
    /// Steps along x and along y.
    steps: [[I; 2]; 3],
}

impl<I: Int> EdgeFunctions<I> {
    #[inline(always)]
    fn new(corners: &[[i64; 3]; 3], tile: &Tile, first: [i32; 2]) -> Self {
        let [a, b, c] = *corners;
        let area2 = cross::<I>(a, b, [c[0], c[1]]);
        let (b, c) = if area2 < I::ZERO { (c, b) } else { (b, c) };
        let pixel = i64::from(tile.pixel());
        let px = i64::from(tile.origin[0]) + i64::from(first[0]) * pixel;
        let py = i64::from(tile.origin[1]) + i64::from(first[1]) * pixel;
        let mut edges =
            Self { area2, functions: [I::ZERO; 3], centre: [I::ZERO; 3], steps: [[I::ZERO; 2]; 3] };
        let mut set = |k: usize, from: [i64; 3], to: [i64; 3]| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            // The largest value over the column; swollen by a unit where walls are included.
            let most = I::from(dx.max(0) - dy.min(0)) * I::from(pixel) + swell::<I>(tile, dx, dy);
            edges.functions[k] = cross::<I>(from, to, [px, py]) + most;
            edges.centre[k] = most - I::from(dx - dy) * I::from(pixel >> 1) - owns::<I>(from, to);
            edges.steps[k] = [I::ZERO - I::from(dy) * I::from(pixel), I::from(dx) * I::from(pixel)];
        };
        set(0, a, b);
        set(1, b, c);
        set(2, c, a);
        edges
    }

    /// Both sides of each edge of an edge-on triangle; of an edge that is seen as a point, what holds everywhere.
    fn both_sides(&self, corners: &[[i64; 3]; 3], tile: &Tile) -> [(I, [I; 2]); 6] {
        let mut sides = [(I::from(1), [I::ZERO; 2]); 6];
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            if (dx, dy) == (0, 0) {
                continue;
            }
            // From the largest value over a column to the largest of its negative.
            let swell = swell::<I>(tile, dx, dy);
            let spread = I::from(dx.abs() + dy.abs()) * I::from(i64::from(tile.pixel())) + swell + swell;
            let [sx, sy] = self.steps[k];
            sides[2 * k] = (self.functions[k], [sx, sy]);
            sides[2 * k + 1] = (spread - self.functions[k], [I::ZERO - sx, I::ZERO - sy]);
        }
        sides
    }
}

/// What an edge function gains when a column is swollen by a unit.
#[inline(always)]
fn swell<I: Int>(tile: &Tile, dx: i64, dy: i64) -> I {
    if tile.open == 1 { I::ZERO } else { I::from(dx.abs() + dy.abs() + 1) }
}

/// The bits and the depth of a triangle over a column, from its plane. Depths are counted in slices here.
pub(crate) struct Plane {
    /// At the middle of the first column, in slices from bit 0.
    pub middle: f64,
    /// Steps along x and y.
    pub step: [f64; 2],
    /// Half the range over a column, and what rounding may hide.
    pub reach: f64,
    /// The bits of the whole triangle.
    bits: (f64, f64),
    /// Units per slice, the depth at which bit 1 begins, and the triangle's range of depth.
    pub unit: f64,
    pub start: f64,
    pub range: [f64; 2],
}

impl Plane {
    #[inline(always)]
    pub fn new<I: Int>(
        corners: &[[i64; 3]; 3],
        tile: &Tile,
        rect: ColumnRect,
        bits: (u32, u32),
        area2: I,
    ) -> Self {
        let [a, b, c] = *corners;
        let range = [a[2].min(b[2]).min(c[2]) as f64, a[2].max(b[2]).max(c[2]) as f64];
        let d = |p: [i64; 3], k: usize| (p[k] - a[k]) as f64;
        let inverse = 1.0 / area2.to_f64();
        let gx = (d(b, 2) * d(c, 1) - d(b, 1) * d(c, 2)) * inverse;
        let gy = (d(b, 0) * d(c, 2) - d(b, 2) * d(c, 0)) * inverse;
        let pixel = f64::from(tile.pixel());
        let from = |k: usize, i: i32| f64::from(tile.origin[k]) + (f64::from(i) + 0.5) * pixel - a[k] as f64;
        let (px, py) = (from(0, rect.lo[0]), from(1, rect.lo[1]));
        let start = f64::from(tile.depth[0]);
        let middle = (a[2] as f64 - start) + gx * px + gy * py;
        let swell = pixel * 0.5 + f64::from(1 - tile.open);
        // Roundings of the slopes, at the farthest column, and of the sum: each slope is two products over an exact
        // area, so it is off by four roundings of their magnitude.
        let [ex, ey, ez] =
            [d(b, 0).abs() + d(c, 0).abs(), d(b, 1).abs() + d(c, 1).abs(), d(b, 2).abs() + d(c, 2).abs()];
        let far = [px.abs().max(from(0, rect.hi[0]).abs()), py.abs().max(from(1, rect.hi[1]).abs())];
        let hidden = ez * inverse.abs() * (ey * far[0] + ex * far[1]) + (a[2] as f64).abs() + start.abs();
        let reach = (gx.abs() + gy.abs()) * swell + 3.0 + 1e-13 * hidden;
        let slices = tile.slices();
        Self {
            middle: middle * slices + 1.0,
            step: [gx * pixel * slices, gy * pixel * slices],
            // One millionth of a slice covers the roundings of this scaling and of the steps.
            reach: reach * slices + 1e-6,
            bits: (f64::from(bits.0), f64::from(bits.1)),
            unit: slices.recip(),
            start,
            range,
        }
    }

    /// The bits at `at` slices from the middle of the first column, within those of the triangle.
    #[inline(always)]
    pub fn bits(&self, at: f64) -> (u32, u32) {
        let hold = |x: f64| {
            let x = if x > self.bits.0 { x } else { self.bits.0 };
            if x < self.bits.1 { x } else { self.bits.1 }
        };
        // Rounds to the nearest; half a slice less rounds down, and where that is one too low nothing is lost. A cast
        // would take three times as many instructions.
        let round = |x: f64| (x + 6_755_399_441_055_744.0).to_bits() as u32;
        let middle = self.middle + at - 0.5;
        (round(hold(middle - self.reach)), round(hold(middle + self.reach)))
    }

    /// The depth at `at` slices from the middle of the first column, held within the triangle's range.
    #[inline(always)]
    pub fn depth(&self, at: f64) -> f64 {
        let z = (self.middle + at - 1.0) * self.unit + self.start;
        let z = if z > self.range[0] { z } else { self.range[0] };
        if z < self.range[1] { z } else { self.range[1] }
    }
}
