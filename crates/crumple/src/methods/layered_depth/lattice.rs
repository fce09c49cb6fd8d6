//! The lattice on which everything is counted: vertices snapped to integers, so that sampling is exact.
//!
//! The volume of interest is seen along one axis (z, the rays' direction) and cut into pixels (x, y). A pixel is
//! 2^`shift` lattice units wide and the whole about 2^27, so that products of coordinates fit 64 bits and edge
//! functions are exact integers: no filter, no epsilon, and a compute shader can count the very same. Snapping moves
//! the vertices of all triangles alike by at most half a unit; a closed surface stays closed, and what the move may
//! do to a volume is part of its bounds (`MOVE`).

use crate::geometry::quantize;
use crate::geometry::{Aabb, Point};
use crate::{Positions, VertexId};

/// A vertex in lattice units: x and y in the image, z along the rays, and 0, so that a register takes it whole.
pub(crate) type Corner = [i32; 4];

/// Coordinates are held within ±`LIMIT`: differences then fit 32 bits, products of them 63. Triangles with a corner
/// there are "far" and are drawn by the wide path.
pub(crate) const LIMIT: i32 = 1 << 30;

/// The largest move of a coordinate within the limit by snapping, in units: half a unit, and two roundings of
/// (p − origin) · scale, which is below 2^30, so that together they are less than 2^-22.
pub(crate) const MOVE: f64 = 0.500001;

/// Units across the volume of interest, as a power of two.
pub(crate) const UNITS: u32 = 27;

/// Most pixels along a side.
pub(crate) const MAX_RESOLUTION: u32 = 1 << 13;

/// An affine map from space to integers: the volume of interest is 2^27 units deep along the rays, and the longer side
/// of the image 2^26 to 2^27 units wide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// The axes of space that x, y and z of the lattice run along: a cyclic turn, which keeps orientation.
    pub axes: [usize; 3],
    origin: Point,
    scale: Point,
    /// Pixels along x and y.
    pub resolution: [u32; 2],
    /// log2 of the units across a pixel, 14 to 27.
    pub shift: u32,
    /// Units of the volume of interest along x, y and z; it begins at 0.
    pub size: [i32; 3],
}

impl Lattice {
    /// The lattice of a box seen along `axis`; `None` where the box has no volume that numbers could express.
    pub(crate) fn new(bounds: &Aabb, axis: usize, resolution: [u32; 2]) -> Option<Self> {
        let axes = [(axis + 1) % 3, (axis + 2) % 3, axis];
        let most = resolution[0].max(resolution[1]);
        let shift = UNITS - most.next_power_of_two().trailing_zeros();
        let size = [(resolution[0] << shift) as i32, (resolution[1] << shift) as i32, 1 << UNITS];
        let origin = axes.map(|k| bounds.min[k]);
        let scale: Point =
            std::array::from_fn(|k| f64::from(size[k]) / (bounds.max[axes[k]] - bounds.min[axes[k]]));
        let ok = scale.iter().all(|s| s.is_normal() && *s > 0.0 && s.recip().is_normal());
        ok.then_some(Self { axes, origin, scale, resolution, shift, size })
    }

    /// The lattice of positions that are lattice units already: `depth` pixels deep, x, y and z as they are.
    pub(crate) fn of_units(resolution: [u32; 2], shift: u32, depth: u32) -> Self {
        let size = [resolution[0], resolution[1], depth].map(|n| (n << shift) as i32);
        Self { axes: [0, 1, 2], origin: [0.0; 3], scale: [1.0; 3], resolution, shift, size }
    }

    /// Whether the box lies in the range of the wide path.
    pub(crate) fn reaches(&self, bounds: &Aabb) -> bool {
        const FAR: f64 = (1u64 << 60) as f64;
        (0..3).all(|k| self.real(&bounds.min, k).abs() < FAR && self.real(&bounds.max, k).abs() < FAR)
    }

    /// Whether all of a box lies within the limit, so that no triangle of it is far.
    pub(crate) fn holds(&self, bounds: &Aabb) -> bool {
        (0..3).all(|k| {
            self.real(&bounds.min, k) > f64::from(1 - LIMIT)
                && self.real(&bounds.max, k) < f64::from(LIMIT - 1)
        })
    }

    /// The largest move of a coordinate of a body by snapping, in units. Far from the volume of interest the two
    /// roundings of (p − origin) · scale, at most 2^-53 of it each, are more than half a unit.
    pub(crate) fn most_moved(&self, bounds: &Aabb) -> f64 {
        let ends = [&bounds.min, &bounds.max];
        let farthest = (0..6).fold(0.0, |far: f64, i| far.max(self.real(ends[i / 3], i % 3).abs()));
        MOVE.max(0.5 + farthest * 2f64.powi(-51))
    }

    #[inline(always)]
    fn real(&self, p: &Point, k: usize) -> f64 {
        (p[self.axes[k]] - self.origin[k]) * self.scale[k]
    }

    /// The nearest lattice point, each coordinate held within ±2^30, and 0; a triangle with a corner there is *far*.
    #[inline(always)]
    pub fn snap(&self, p: &[f64; 3]) -> [i32; 4] {
        let at = |k: usize| {
            let v = self.real(p, k);
            let v = if v < f64::from(LIMIT) { v } else { f64::from(LIMIT) };
            let v = if v > f64::from(-LIMIT) { v } else { f64::from(-LIMIT) };
            quantize::nearest(v)
        };
        [at(0), at(1), at(2), 0]
    }

    /// The nearest lattice point of a body that the lattice [reaches](Self::reaches).
    pub(crate) fn snap_wide(&self, p: &Point) -> [i64; 3] {
        std::array::from_fn(|k| self.real(p, k).round_ties_even() as i64)
    }

    /// Snaps all vertices of a body.
    pub(crate) fn snap_all(&self, positions: Positions<'_>, out: &mut Vec<Corner>) {
        out.clear();
        match positions {
            Positions::F64(p) => out.extend(p.iter().map(|p| self.snap(p))),
            Positions::F32(p) => out.extend(p.iter().map(|p| self.snap(&p.map(f64::from)))),
        }
    }

    /// World units per lattice unit along x, y and z.
    pub fn unit(&self) -> [f64; 3] {
        self.scale.map(f64::recip)
    }

    /// The volume in space of so many lattice cubes. One axis after the other: the volume of a single cube may be too
    /// small for a number.
    pub fn volume(&self, cubes: f64) -> f64 {
        self.scale.iter().fold(cubes, |volume, scale| volume / scale)
    }

    /// Bounds of the volume in space of so many lattice cubes, or a little less and a little more: rounded outward at
    /// each step, so that they are bounds also where numbers end.
    pub(crate) fn volume_bounds(&self, [lower, upper]: [f64; 2]) -> [f64; 2] {
        let down = |v: f64, s: &f64| (v / s).next_down().max(0.0);
        let up = |v: f64, s: &f64| if v > 0.0 { (v / s).next_up() } else { 0.0 };
        [self.scale.iter().fold(lower.max(0.0), down), self.scale.iter().fold(upper, up)]
    }

    /// The lattice cubes that fill a volume in space.
    pub(crate) fn cubes(&self, volume: f64) -> f64 {
        self.scale.iter().fold(volume, |cubes, scale| cubes * scale)
    }

    /// The place of a pixel among all, row after row.
    #[inline]
    pub fn column(&self, [x, y]: [u32; 2]) -> usize {
        y as usize * self.resolution[0] as usize + x as usize
    }

    /// Number of pixels.
    pub fn columns(&self) -> usize {
        self.resolution[0] as usize * self.resolution[1] as usize
    }

    /// Where the ray of a pixel runs, in lattice units: the middle of the pixel.
    #[inline]
    pub fn centre(&self, pixel: [u32; 2]) -> [i32; 2] {
        pixel.map(|i| ((i << self.shift) + (1 << (self.shift - 1))) as i32)
    }

    /// A lattice position in space.
    pub fn world(&self, p: [f64; 3]) -> [f64; 3] {
        let mut world = [0.0; 3];
        for k in 0..3 {
            world[self.axes[k]] = self.origin[k] + p[k] / self.scale[k];
        }
        world
    }
}

/// The corners of a triangle.
#[inline(always)]
pub(crate) fn corners(vertices: &[Corner], triangle: &[VertexId; 3]) -> [Corner; 3] {
    [vertices[triangle[0].index()], vertices[triangle[1].index()], vertices[triangle[2].index()]]
}

/// Whether a corner was held at the limit.
#[inline(always)]
pub(crate) fn is_far(c: &[Corner; 3]) -> bool {
    // Coordinates are held within ±LIMIT = ±2^30, so bit 30 of the magnitude is set only there.
    let far = |p: &Corner| (p[0].unsigned_abs() | p[1].unsigned_abs() | p[2].unsigned_abs()) >> 30;
    far(&c[0]) | far(&c[1]) | far(&c[2]) != 0
}
