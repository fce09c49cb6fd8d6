//! The plane of a triangle over a tile: the bits and the depth in each column.

use super::reference::RasterInt;
use super::tile::{ColumnRect, Tile};
use crate::geometry::quantize;

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
    pub fn new<I: RasterInt>(
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
        let round = |x: f64| quantize::nearest(x) as u32;
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
