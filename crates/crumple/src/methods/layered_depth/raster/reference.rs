//! The rasteriser, once: which centre rays a triangle crosses, and which columns it touches.
//!
//! Both are decided by edge functions in integers, so they are exact, and the same on every machine. The integers are
//! as wide as the coordinates need: 32 bits for points on a coarse grid, 64 within the limit of a lattice, 128 beyond.
//! The files beside this one find the same four columns or four triangles at a time.

use std::ops::{Add, Mul, Sub};

use super::plane::Plane;
use super::tile::{ColumnRect, SnappedTriangle, Tile};

/// An integer in which edge functions do not overflow.
pub(crate) trait RasterInt:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    const ZERO: Self;
    /// A number that fits.
    fn of(x: i64) -> Self;
    fn abs(self) -> Self;
    /// A step from one column to the next; the one after the last may leave the range, and is not looked at.
    fn step(self, by: Self) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! int {
    ($($int:ident)*) => { $(
        impl RasterInt for $int {
            const ZERO: Self = 0;

            #[inline(always)]
            fn of(x: i64) -> Self {
                x as Self
            }

            #[inline(always)]
            fn abs(self) -> Self {
                self.abs()
            }

            #[inline(always)]
            fn step(self, by: Self) -> Self {
                self.wrapping_add(by)
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )* };
}
int!(i32 i64 i128);

/// The edge function: twice the area of (from, to, p), positive where p lies to the left.
#[inline(always)]
pub(crate) fn edge<I: RasterInt>(from: [I; 2], to: [I; 2], p: [I; 2]) -> I {
    (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])
}

/// The top-left rule: whether a ray through an edge of a triangle that turns counter-clockwise counts as inside of it,
/// with y up and x to the right a left edge or a bottom one. It is as if each ray were moved by (ε, ε²): a closed surface
/// is entered as often as it is left, and no sheet is met twice or never.
#[inline(always)]
pub(crate) fn is_top_left<I: RasterInt>(from: [I; 2], to: [I; 2]) -> bool {
    to[1] < from[1] || (to[1] == from[1] && to[0] > from[0])
}

/// Rays through the middles of columns that are 2^`shift` wide; column (0, 0) begins at `origin`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayGrid {
    pub origin: [i32; 2],
    pub shift: u32,
}

impl RayGrid {
    #[inline(always)]
    fn centre<I: RasterInt>(&self, column: [i32; 2]) -> [I; 2] {
        let half = 1i64 << (self.shift - 1);
        let at = |k: usize| i64::from(self.origin[k]) + (i64::from(column[k]) << self.shift) + half;
        [I::of(at(0)), I::of(at(1))]
    }
}

/// A triangle as the rays see it, from above or below.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenTriangle<I> {
    corners: [[I; 2]; 3],
    /// Twice the area, more than zero.
    pub area2: I,
    /// What the winding number gains where a ray crosses upward: 1 on entering, −1 on leaving.
    pub winding: i32,
}

impl<I: RasterInt> SeenTriangle<I> {
    /// `None` for a triangle that is seen edge-on: no ray crosses it.
    #[inline(always)]
    pub fn new([a, b, c]: [[I; 2]; 3]) -> Option<Self> {
        let area2 = edge(a, b, c);
        let winding = if area2 < I::ZERO { 1 } else { -1 };
        (area2 != I::ZERO).then(|| Self { corners: [a, b, c], area2: area2.abs(), winding })
    }

    /// The edge across from each corner, counter-clockwise.
    #[inline(always)]
    fn edges(&self) -> [[[I; 2]; 2]; 3] {
        let [a, b, c] = self.corners;
        if self.winding < 0 { [[b, c], [c, a], [a, b]] } else { [[c, b], [a, c], [b, a]] }
    }

    /// Calls `f(column, weights)` for every column in `rect` whose ray crosses the triangle, row by row. The weights of
    /// the corners add up to twice the area.
    #[inline(always)]
    pub fn each_centre(&self, rays: &RayGrid, rect: ColumnRect, mut f: impl FnMut([i32; 2], [I; 3])) {
        let (first, pixel) = (rays.centre(rect.lo), I::of(1 << rays.shift));
        let edges = self.edges();
        // Less by one where a ray through the edge counts as outside: inside is where none is negative.
        let ties = edges.map(|[from, to]| I::of(i64::from(is_top_left(from, to)) - 1));
        let at = |k: usize| edge(edges[k][0], edges[k][1], first) + ties[k];
        let along = edges.map(|[from, to]| (from[1] - to[1]) * pixel);
        let up = edges.map(|[from, to]| (to[0] - from[0]) * pixel);
        let mut row = [at(0), at(1), at(2)];
        for y in rect.lo[1]..=rect.hi[1] {
            let mut e = row;
            for x in rect.lo[0]..=rect.hi[0] {
                if (e[0] >= I::ZERO) & (e[1] >= I::ZERO) & (e[2] >= I::ZERO) {
                    f([x, y], [e[0] - ties[0], e[1] - ties[1], e[2] - ties[2]]);
                }
                e = [e[0].step(along[0]), e[1].step(along[1]), e[2].step(along[2])];
            }
            row = [row[0].step(up[0]), row[1].step(up[1]), row[2].step(up[2])];
        }
    }
}

impl Tile {
    /// The rays through the middles of the columns.
    #[inline(always)]
    fn rays(&self) -> RayGrid {
        RayGrid { origin: self.origin, shift: self.shift }
    }

    /// Calls `f(column, depth)` for every column in `rect` whose centre ray crosses the triangle. The centres in `rect`
    /// must be those in the triangle's box.
    #[inline(always)]
    pub fn each_crossing<I: RasterInt>(
        &self,
        corners: &[[i64; 3]; 3],
        rect: ColumnRect,
        mut f: impl FnMut(usize, f64),
    ) {
        let Some(seen) = SeenTriangle::new(corners.map(|[x, y, _]| [I::of(x), I::of(y)])) else { return };
        let z = corners.map(|c| c[2]);
        let (lo, hi) = (z[0].min(z[1]).min(z[2]) as f64, z[0].max(z[1]).max(z[2]) as f64);
        seen.each_centre(&self.rays(), rect, |[x, y], weights| {
            let weigh = |k: usize| weights[k].to_f64() * z[k] as f64;
            let depth = (weigh(0) + weigh(1) + weigh(2)) / seen.area2.to_f64();
            f(self.column(x, y), depth.clamp(lo, hi));
        });
    }

    /// Calls `f(column, lo, hi, depth)` for every column in `rect` that the triangle touches, with its bits there and
    /// the depth at which the column's centre ray crosses it, if it does; `bits` are those of the whole triangle.
    ///
    /// Whether a ray through an edge crosses is settled by the [top-left rule](is_top_left).
    #[inline(always)]
    pub fn each_column<I: RasterInt>(
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
    fn scan_edge_on<I: RasterInt>(&self, sides: &[(I, [I; 2])], rect: ColumnRect, mut f: impl FnMut(usize)) {
        for y in 0..=rect.hi[1] - rect.lo[1] {
            for x in 0..=rect.hi[0] - rect.lo[0] {
                let (ix, iy) = (I::of(i64::from(x)), I::of(i64::from(y)));
                if sides.iter().all(|&(e, [dx, dy])| e + dx * ix + dy * iy > I::ZERO) {
                    f(self.column(x + rect.lo[0], y + rect.lo[1]));
                }
            }
        }
    }
}

/// Corners in 64 bits.
#[inline(always)]
pub(crate) fn wide(shape: &SnappedTriangle) -> [[i64; 3]; 3] {
    shape.corners.map(|[x, y, z, _]| [i64::from(x), i64::from(y), i64::from(z)])
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

impl<I: RasterInt> EdgeFunctions<I> {
    #[inline(always)]
    fn new(corners: &[[i64; 3]; 3], tile: &Tile, first: [i32; 2]) -> Self {
        let [a, b, c] = corners.map(|[x, y, _]| [I::of(x), I::of(y)]);
        let area2 = edge(a, b, c);
        let (b, c) = if area2 < I::ZERO { (c, b) } else { (b, c) };
        let pixel = i64::from(tile.pixel());
        let at = |k: usize| I::of(i64::from(tile.origin[k]) + i64::from(first[k]) * pixel);
        let (pixel, half, p) = (I::of(pixel), I::of(pixel >> 1), [at(0), at(1)]);
        let mut edges =
            Self { area2, functions: [I::ZERO; 3], centre: [I::ZERO; 3], steps: [[I::ZERO; 2]; 3] };
        let mut set = |k: usize, from: [I; 2], to: [I; 2]| {
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            // The largest value over the column; swollen by a unit where walls are included.
            let most = (dx.max(I::ZERO) - dy.min(I::ZERO)) * pixel + swell(tile, dx, dy);
            edges.functions[k] = edge(from, to, p) + most;
            edges.centre[k] = most - (dx - dy) * half - I::of(i64::from(is_top_left(from, to)));
            edges.steps[k] = [(I::ZERO - dy) * pixel, dx * pixel];
        };
        set(0, a, b);
        set(1, b, c);
        set(2, c, a);
        edges
    }

    /// Both sides of each edge of an edge-on triangle; of an edge that is seen as a point, what holds everywhere.
    fn both_sides(&self, corners: &[[i64; 3]; 3], tile: &Tile) -> [(I, [I; 2]); 6] {
        let mut sides = [(I::of(1), [I::ZERO; 2]); 6];
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let (dx, dy) = (I::of(to[0] - from[0]), I::of(to[1] - from[1]));
            if (dx, dy) == (I::ZERO, I::ZERO) {
                continue;
            }
            // From the largest value over a column to the largest of its negative.
            let swell = swell(tile, dx, dy);
            let spread = (dx.abs() + dy.abs()) * I::of(i64::from(tile.pixel())) + swell + swell;
            let [sx, sy] = self.steps[k];
            sides[2 * k] = (self.functions[k], [sx, sy]);
            sides[2 * k + 1] = (spread - self.functions[k], [I::ZERO - sx, I::ZERO - sy]);
        }
        sides
    }
}

/// What an edge function gains when a column is swollen by a unit.
#[inline(always)]
fn swell<I: RasterInt>(tile: &Tile, dx: I, dy: I) -> I {
    if tile.open == 1 { I::ZERO } else { dx.abs() + dy.abs() + I::of(1) }
}
