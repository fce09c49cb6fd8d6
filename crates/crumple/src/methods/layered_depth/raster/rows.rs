//! Scan conversion four columns at a time, in double precision that is exact.
//!
//! Nearly all triangles that touch more than two columns are still small beside the tile: the edge functions of those
//! are integers below 2^53. The rest is left to [`Tile::each_column`].

use super::super::body::SnappedBody;
use super::edges::{FourEdges, SMALL};
use super::fragments::FragmentBuffer;
use super::tile::{ColumnRect, SnappedTriangle, Tile};
use crate::geometry::quantize::ROUND;
use crate::geometry::simd::{F64x4, Mask, Simd, multiversion};

/// A column that a triangle touches, and the bits it touches there, in one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowTouch(pub u32);

impl RowTouch {
    #[inline(always)]
    pub fn new(column: usize, lo: u32, hi: u32) -> Self {
        Self(column as u32 | lo << 16 | hi << 24)
    }

    #[inline(always)]
    pub fn column(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    #[inline(always)]
    pub fn lo(self) -> u32 {
        self.0 >> 16 & 0xff
    }

    #[inline(always)]
    pub fn hi(self) -> u32 {
        self.0 >> 24
    }

    #[inline(always)]
    pub fn mask(self) -> u128 {
        super::super::bits::span(self.lo(), self.hi())
    }
}

impl Tile {
    /// Whether [`scan_rows`](Self::scan_rows) takes a triangle: it is small, and seen from above or below.
    #[inline(always)]
    pub fn has_exact_rows(&self, shape: &SnappedTriangle) -> bool {
        let side = |k: usize| i64::from(shape.max[k]) - i64::from(shape.min[k]);
        let is_small = side(0).max(side(1)).max(i64::from(self.pixel())) <= i64::from(SMALL);
        is_small && self.open == 1 && shape.area2 != 0
    }

    /// Words that [`scan_rows`](Self::scan_rows) may write for a rectangle.
    #[inline(always)]
    pub fn room(rect: ColumnRect) -> usize {
        (rect.hi[0] - rect.lo[0] + 4) as usize * (rect.hi[1] - rect.lo[1] + 1) as usize
    }

    /// Writes the columns that a triangle touches to `touches[at..]`, row by row, and says where they end, and its layers
    /// to `layers`, as [`each_column`](Self::each_column) finds them. There must be room for both. Without `DRAW` there are layers alone.
    #[inline(always)]
    pub fn scan_rows<S: Simd, const DRAW: bool>(
        &self,
        simd: S,
        prepared: &PreparedRows,
        i: usize,
        touches: &mut [u32],
        mut at: usize,
        layers: &mut FragmentBuffer,
    ) -> usize {
        let (rect, shape) = (prepared.rects[i], &prepared.shapes[i]);
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let number = |k: usize| splat(prepared.numbers[k][i]);
        let count = S::F64x4::from_array(simd, [0.0, 1.0, 2.0, 3.0]);
        let (centre_a, centre_b, centre_c) = (number(CENTRE), number(CENTRE + 1), number(CENTRE + 2));
        let (along_a, along_b, along_c) = (number(ALONG), number(ALONG + 1), number(ALONG + 2));
        let (up_a, up_b, up_c) = (number(UP), number(UP + 1), number(UP + 2));
        let mut row_a = number(EDGE) + along_a * count;
        let mut row_b = number(EDGE + 1) + along_b * count;
        let mut row_c = number(EDGE + 2) + along_c * count;
        let (along, up, reach) = (number(ALONG_DEPTH), number(UP_DEPTH), number(REACH));
        let mut row_middle = number(MIDDLE) + along * count;
        let (lowest, highest) = (number(BITS), number(BITS + 1));
        let (floor, ceiling) = (number(RANGE), number(RANGE + 1));
        let (round, half) = (splat(ROUND), splat(0.5));
        let (unit, bottom) = (splat(self.slices().recip()), splat(f64::from(self.depth[0])));
        let step = splat(f64::from(u32::from(shape.winding() as u8) << 24));
        let triangles = splat(f64::from(prepared.ids[i]) + ROUND);
        let mut row_column = splat(self.column(rect.lo[0], rect.lo[1]) as f64 + ROUND) + count;
        let (across, four) = (splat(f64::from(1 << self.row)), splat(4.0));
        for _ in rect.lo[1]..=rect.hi[1] {
            let (mut a, mut b, mut c) = (row_a, row_b, row_c);
            let (mut middle, mut column) = (row_middle, row_column);
            let mut left = rect.hi[0] - rect.lo[0] + 1;
            loop {
                let all = 0xf >> (4 - left.min(4));
                let crossed =
                    (a + centre_a).min(b + centre_b).min(c + centre_c).gt(splat(0.0)).bitmask() & all;
                let lo = (middle - reach).clamp(lowest, highest) + round - round;
                let low = lo * splat(65536.0) + column;
                if DRAW {
                    let touched = a.min(b).min(c).gt(splat(0.0)).bitmask() & all;
                    let hi = (middle + reach).clamp(lowest, highest) + round - round;
                    (low + hi * splat(f64::from(1 << 24))).compress_low(touched, &mut touches[at..]);
                    at += touched.count_ones() as usize;
                }
                let z = ((middle - half) * unit + bottom).clamp(floor, ceiling);
                layers.push_four::<S>(crossed, z, low + step, triangles);
                left -= 4;
                if left <= 0 {
                    break;
                }
                (a, b, c) = (a + along_a * four, b + along_b * four, c + along_c * four);
                (middle, column) = (middle + along * four, column + four);
            }
            (row_a, row_b, row_c) = (row_a + up_a, row_b + up_b, row_c + up_c);
            (row_middle, row_column) = (row_middle + up, row_column + across);
        }
        at
    }

    /// Writes the layers of up to four triangles, one centre ray each, that of a column in whose box the centre lies. False
    /// where one of the triangles is not small. There must be room for four.
    #[inline(always)]
    pub fn sample_four<S: Simd>(
        &self,
        simd: S,
        body: &SnappedBody<'_>,
        triangles: &[u32; 4],
        columns: &[u32; 4],
        is_there: u32,
        layers: &mut FragmentBuffer,
    ) -> bool {
        let corners = [
            body.corners(triangles[0]),
            body.corners(triangles[1]),
            body.corners(triangles[2]),
            body.corners(triangles[3]),
        ];
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let at = |i: usize, k: usize| {
            let place = self.coordinates(columns[i] as usize)[k] << self.shift;
            f64::from(self.origin[k] + place + (self.pixel() >> 1))
        };
        let px = S::F64x4::from_array(simd, [at(0, 0), at(1, 0), at(2, 0), at(3, 0)]);
        let py = S::F64x4::from_array(simd, [at(0, 1), at(1, 1), at(2, 1), at(3, 1)]);
        let edges = FourEdges::new(simd, &corners, [px, py]);
        if (edges.side - splat(f64::from(SMALL))).gt(splat(0.0)).any() {
            return false;
        }
        let crossed =
            edges.inner(0).min(edges.inner(1)).min(edges.inner(2)).gt(splat(0.0)).bitmask() & is_there;
        let ([ab, bc, ca], [az, bz, cz]) = (edges.values, edges.z);
        let z = (bc * az + ca * bz + ab * cz) / edges.area2();
        let z = z.clamp(az.min(bz).min(cz), az.max(bz).max(cz));
        let sign = edges.sign;
        // Any slice that the triangle touches does: all are in one run.
        let word = |i: usize| {
            let [a, b, c] = corners[i];
            let bit = self.bits(a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2])).0;
            f64::from(columns[i] | bit << 16) + ROUND
        };
        // 1 where the ray enters, 255 where it leaves.
        let step = (sign * splat(127.0) + splat(128.0)) * splat(f64::from(1 << 24));
        let words = step + S::F64x4::from_array(simd, [word(0), word(1), word(2), word(3)]);
        let id = |i: usize| f64::from(triangles[i]) + ROUND;
        let ids = S::F64x4::from_array(simd, [id(0), id(1), id(2), id(3)]);
        layers.push_four::<S>(crossed, z, words, ids);
        true
    }
}

/// Triangles that are prepared at a time.
pub(crate) const BATCH: usize = 128;

// The numbers of a triangle: edge functions at their largest over the first column; what leads from there to its centre;
// steps along x and along y.
const EDGE: usize = 0;
const CENTRE: usize = 3;
const ALONG: usize = 6;
const UP: usize = 9;
// In slices: depth at the first centre, less by a half, its steps, half its range over a column and what rounding may
// hide. First and last bit; least and greatest depth, in units.
const MIDDLE: usize = 12;
const ALONG_DEPTH: usize = 13;
const UP_DEPTH: usize = 14;
const REACH: usize = 15;
const BITS: usize = 16;
const RANGE: usize = 18;

/// Triangles with all that [`Tile::scan_rows`] needs, found for four at a time.
#[derive(Debug)]
pub(crate) struct PreparedRows {
    pub len: usize,
    pub ids: [u32; BATCH],
    pub shapes: [SnappedTriangle; BATCH],
    pub rects: [ColumnRect; BATCH],
    numbers: [[f64; BATCH]; 20],
}

impl Default for PreparedRows {
    fn default() -> Self {
        let rect = ColumnRect { lo: [0; 2], hi: [0; 2] };
        Self {
            len: 0,
            ids: [0; BATCH],
            shapes: [SnappedTriangle::default(); BATCH],
            rects: [rect; BATCH],
            numbers: [[0.0; BATCH]; 20],
        }
    }
}

multiversion! {
    /// Takes triangles, at most [`BATCH`], and the rectangles to be scanned for them.
    pub fn prepare<S: Simd>(
        simd: S,
        prepared: &mut PreparedRows,
        tile: &Tile,
        body: &SnappedBody<'_>,
        ids: &[u32],
        rect: impl Fn(&SnappedTriangle) -> Option<ColumnRect>,
    ) {
        prepared.len = ids.len();
        for i in 0..ids.len().next_multiple_of(4) {
            // The last four may be fewer; the last one then fills the rest.
            let id = ids[i.min(ids.len() - 1)];
            let shape = body.shape(id);
            prepared.rects[i] = rect(&shape).unwrap_or(ColumnRect { lo: [0; 2], hi: [-1; 2] });
            (prepared.ids[i], prepared.shapes[i]) = (id, shape);
        }
        for first in (0..ids.len()).step_by(4) {
            prepared.prepare_four(simd, tile, first);
        }
    }
}

impl PreparedRows {
    #[inline(always)]
    fn prepare_four<S: Simd>(&mut self, simd: S, tile: &Tile, at: usize) {
        let Self { shapes, rects, numbers, .. } = self;
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let of = |f: [f64; 4]| S::F64x4::from_array(simd, f);
        let from = |i: usize, k: usize| f64::from(tile.origin[k] + (rects[at + i].lo[k] << tile.shift));
        let to = |i: usize, k: usize| f64::from(rects[at + i].hi[k] - rects[at + i].lo[k]);
        let corners =
            [shapes[at].corners, shapes[at + 1].corners, shapes[at + 2].corners, shapes[at + 3].corners];
        // From the corner of the first column.
        let (x, y) = (
            of([from(0, 0), from(1, 0), from(2, 0), from(3, 0)]),
            of([from(0, 1), from(1, 1), from(2, 1), from(3, 1)]),
        );
        let of_four = FourEdges::new(simd, &corners, [x, y]);
        let FourEdges { from: [ax, ay], values, dx, dy, z: [az, bz, cz], .. } = of_four;
        let (zero, half, one) = (splat(0.0), splat(0.5), splat(1.0));
        let pixel = splat(f64::from(tile.pixel()));
        for k in 0..3 {
            let most = (dx[k].max(zero) - dy[k].min(zero)) * pixel;
            (values[k] + most).store(&mut numbers[EDGE + k][at..]);
            let centre = (dx[k] - dy[k]) * half * pixel - most + of_four.top_left(k);
            centre.store(&mut numbers[CENTRE + k][at..]);
            ((zero - dy[k]) * pixel).store(&mut numbers[ALONG + k][at..]);
            (dx[k] * pixel).store(&mut numbers[UP + k][at..]);
        }
        // As in `Plane::new`, where the bounds of the roundings are explained; turned over like the edges.
        let (bx, by, bz) = (dx[0], dy[0], bz - az);
        let (cx, cy, cz) = (zero - dx[2], zero - dy[2], cz - az);
        let inverse = one / of_four.area2();
        let (gx, gy) = ((bz * cy - by * cz) * inverse, (bx * cz - bz * cx) * inverse);
        let (px, py) = (half * pixel - ax, half * pixel - ay);
        let start = splat(f64::from(tile.depth[0]));
        let middle = (az - start) + gx * px + gy * py;
        let (ex, ey, ez) = (bx.abs() + cx.abs(), by.abs() + cy.abs(), bz.abs() + cz.abs());
        let (columns, rows) =
            (of([to(0, 0), to(1, 0), to(2, 0), to(3, 0)]), of([to(0, 1), to(1, 1), to(2, 1), to(3, 1)]));
        let far_x = px.abs().max((px + columns * pixel).abs());
        let far_y = py.abs().max((py + rows * pixel).abs());
        let hidden = ez * inverse.abs() * (ey * far_x + ex * far_y) + az.abs() + start.abs();
        let reach = (gx.abs() + gy.abs()) * half * pixel + splat(3.0) + splat(1e-13) * hidden;
        let slices = splat(tile.slices());
        (middle * slices + half).store(&mut numbers[MIDDLE][at..]);
        (gx * pixel * slices).store(&mut numbers[ALONG_DEPTH][at..]);
        (gy * pixel * slices).store(&mut numbers[UP_DEPTH][at..]);
        (reach * slices + splat(1e-6)).store(&mut numbers[REACH][at..]);
        for i in at..at + 4 {
            let [low, high] = [shapes[i].min[2], shapes[i].max[2]];
            let (lo, hi) = tile.bits(low, high);
            (numbers[BITS][i], numbers[BITS + 1][i]) = (f64::from(lo), f64::from(hi));
            (numbers[RANGE][i], numbers[RANGE + 1][i]) = (f64::from(low), f64::from(high));
        }
    }
}
