//! Directions that all triangles of a region face (V12, V13), from one pass over its patches.
//!
//! # When a bit is certain
//! Normals are computed in `f32` from positions relative to the patch's first vertex. With u = 2^-24, M the largest
//! such coordinate and L the largest component of two edges of a triangle, a coordinate is off by uM, an edge by 4uM
//! (the difference rounds too, by u·2M at most), so a component of their cross product by 16uML from the edges and
//! 4uL² from its own roundings, with L ≤ 2M at most 24uML; L + 4uM in place of L covers the products of errors. Times
//! √3 for a vector, relative to the length |n|: a unit normal is off by less than 48uM(L + 4uM)/|n|. The largest of
//! these over the patch, plus 32u for the division and the dot products below, is the margin by which a direction
//! must be faced. A triangle whose |n| is tiny or not a number makes the margin infinite, and the patch has no bit.

use super::bounds::Bounds;
use super::directions::{Directions, MAX_DIRECTIONS};
use super::hierarchy::Patches;
use super::patch_vertices::{NO_VERTICES, PatchVertices, corner_row, prefetch};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{Floats, Map, Row, WIDTH, Work, cross3, dot3, sub3};

/// Which directions a region faces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Facing {
    /// Bit i: every triangle certainly faces direction i.
    pub bits: u128,
    /// Sum of the unit normals, roughly.
    pub normal: [f32; 3],
}

impl Facing {
    /// Of nothing: every direction.
    pub const EMPTY: Self = Self { bits: u128::MAX, normal: [0.0; 3] };

    /// Of both (Fig. 6): the common bits.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            bits: self.bits & other.bits,
            normal: std::array::from_fn(|k| self.normal[k] + other.normal[k]),
        }
    }
}

/// The boxes of a run of patches and the directions that they face.
pub(super) struct FindFacing<'a> {
    pub patches: &'a Patches,
    pub positions: &'a [Point],
    pub map: &'a Map,
    pub directions: &'a Directions,
    /// The first patch of the run.
    pub first: usize,
    pub bounds: &'a mut [Bounds],
    pub facing: &'a mut [Facing],
}

const UNIT: f32 = f32::EPSILON / 2.0;

impl Work for FindFacing<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let mut local = NO_VERTICES;
        for (i, (bounds, facing)) in self.bounds.iter_mut().zip(self.facing).enumerate() {
            let patch = self.first + i;
            prefetch(l, self.patches, self.positions, patch + 1);
            let vertices = self.patches.vertices(patch);
            let near = Map { origin: self.positions[vertices[0] as usize], scale: self.map.scale };
            *bounds = Bounds::EMPTY;
            let (mut min, mut max) = (l.load_point(&bounds.min), l.load_point(&bounds.max));
            let (mut near_min, mut near_max) = (l.load_point(&[0.0; 4]), l.load_point(&[0.0; 4]));
            for (to, &v) in local.iter_mut().zip(vertices) {
                let p = &self.positions[v as usize];
                let far = l.place(p, self.map);
                min = l.min_point(min, far);
                max = l.max_point(max, far);
                let p = l.place(p, &near);
                near_min = l.min_point(near_min, p);
                near_max = l.max_point(near_max, p);
                l.store_point(p, to);
            }
            l.store_point(min, &mut bounds.min);
            l.store_point(max, &mut bounds.max);
            let (mut low, mut high) = ([0f32; 4], [0f32; 4]);
            l.store_point(near_min, &mut low);
            l.store_point(near_max, &mut high);
            let reach = (0..3).fold(0f32, |m, k| m.max(-low[k]).max(high[k]));
            *facing = NormalBox::of(l, &local, self.patches.corners(patch), reach).facing(l, self.directions);
        }
    }
}

/// Bounds on the unit normals of a patch.
struct NormalBox {
    min: [f32; 3],
    max: [f32; 3],
    sum: [f32; 3],
    /// By how much a normal may be off, see the page.
    margin: f32,
}

impl NormalBox {
    #[inline(always)]
    fn of<L: Floats>(l: L, local: &PatchVertices, corners: &[[u8; 4]], reach: f32) -> Self {
        let mut min = [l.splat(f32::INFINITY); 3];
        let mut max = [l.splat(f32::NEG_INFINITY); 3];
        let mut sum = [l.splat(0.0); 3];
        let (mut worst, mut shortest) = (l.splat(0.0), l.splat(f32::INFINITY));
        let (one, slack) = (l.splat(1.0), l.splat(4.0 * UNIT * reach));
        for eight in corners.chunks(WIDTH) {
            let [a, b, c] = [
                corner_row(l, local, eight, 0),
                corner_row(l, local, eight, 1),
                corner_row(l, local, eight, 2),
            ];
            let (u, v) = (sub3(l, b, a), sub3(l, c, a));
            let n = cross3(l, u, v);
            let length = l.sqrt(dot3(l, n, n));
            shortest = l.min(shortest, length);
            let inverse = l.div(one, length);
            let mut edge = slack;
            for k in 0..3 {
                edge = l.max(l.max(edge, l.abs(u[k])), l.abs(v[k]));
                let unit = l.mul(n[k], inverse);
                min[k] = l.min(min[k], unit);
                max[k] = l.max(max[k], unit);
                sum[k] = l.add(sum[k], unit);
            }
            worst = l.max(worst, l.mul(l.add(edge, slack), inverse));
        }
        let mut found = Self { min: [0.0; 3], max: [0.0; 3], sum: [0.0; 3], margin: f32::INFINITY };
        for k in 0..3 {
            found.min[k] = l.least(min[k]);
            found.max[k] = l.greatest(max[k]);
            found.sum[k] = to_array(l, sum[k]).into_iter().sum();
        }
        // Minima and maxima lose a NaN, sums keep it. Below 1e-30 products of edges may have underflowed.
        let is_long = l.gt(shortest, l.splat(1e-30)) == 0xff;
        if is_long && found.sum.iter().all(|x| x.is_finite()) {
            found.margin = 48.0 * UNIT * reach * l.greatest(worst) + 32.0 * UNIT;
        }
        found
    }

    /// The directions d with n·d above the margin for every n in the box: centre·d − half-width·|d|.
    #[inline(always)]
    fn facing<L: Floats>(&self, l: L, directions: &Directions) -> Facing {
        let (mut centre, mut half) = ([l.splat(0.0); 3], [l.splat(0.0); 3]);
        for k in 0..3 {
            centre[k] = l.splat(0.5 * (self.min[k] + self.max[k]));
            half[k] = l.splat(0.5 * (self.max[k] - self.min[k]));
        }
        let margin = l.splat(self.margin);
        let mut bits = 0;
        for i in 0..MAX_DIRECTIONS / WIDTH {
            let d = [l.load(&directions.x[i]), l.load(&directions.y[i]), l.load(&directions.z[i])];
            let size = [l.abs(d[0]), l.abs(d[1]), l.abs(d[2])];
            let towards = l.sub(dot3(l, centre, d), dot3(l, half, size));
            bits |= u128::from(l.gt(towards, margin)) << (WIDTH * i);
        }
        Facing { bits, normal: self.sum }
    }
}

#[inline(always)]
fn to_array<L: Floats>(l: L, x: L::F) -> [f32; WIDTH] {
    let mut row = Row([0.0; WIDTH]);
    l.store(x, &mut row);
    row.0
}
