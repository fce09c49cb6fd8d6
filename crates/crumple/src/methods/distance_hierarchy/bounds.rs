//! What a region is known to lie in, what that says about distances, and what rounding may cost.

use super::regions::{Node, Region, Regions};
use crate::geometry::simd::{F32x8, Mask, Row, Simd};
use crate::geometry::{Aabb, Map};

/// From the world to the cube from −1 to 1, and back for distances.
///
/// An image is off by at most 2^-25 per coordinate, so a distance between images by less than 2^-23. Every lower bound
/// here is computed from images by fewer than twelve roundings of numbers below 4, which adds less than 48 units of
/// 2^-24; together that is below 2^-18 plus 2^-18 of the result. [`Scale::limit`] allows twice as much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub map: Map,
}

/// Twice what the comment on [`Scale`] proves.
pub(super) const SLACK: f64 = 1.0 / (1 << 17) as f64;

/// Images are in [−1, 1]³: no two of them are as far apart.
const EVERYWHERE: f64 = 16.0;

impl Scale {
    /// For positions in a box.
    pub fn of(extent: &Aabb) -> Self {
        Self { map: Map::fitting(extent).unwrap_or(Map::IDENTITY) }
    }

    /// A pair whose lower bound is above this is certainly further apart than `distance`. Finite, however small the scene is.
    pub fn limit(&self, distance: f64) -> f32 {
        // Rounded up: the conversion is off by 2^-24 of the value, an eighth of the slack's surplus.
        (distance * self.map.scale * (1.0 + SLACK) + SLACK).min(EVERYWHERE) as f32
    }

    /// No pair with a lower bound of at least `bound` is closer than this.
    pub fn certain(&self, bound: f32) -> f64 {
        ((f64::from(bound) - SLACK) / (1.0 + SLACK)).max(0.0) / self.map.scale
    }
}

/// A box, and the paper's sphere: its centre is the image of the region's middle vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bound {
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub centre: [f32; 3],
    /// ε of the region in the paper, rounded up.
    pub radius: f32,
}

/// More than the rounding of a sum of squares and its root.
pub(super) const UP: f32 = 1.0 + 1.0 / (1 << 20) as f32;

/// More than the root of what is lost where three squares underflow, each less than 2^-149.
pub(super) const TINY: f32 = 1.0 / (1u128 << 70) as f32;

impl Bound {
    pub const EMPTY: Self =
        Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3], centre: [0.0; 3], radius: 0.0 };

    /// A distance that no two images in these regions go below, up to rounding.
    pub fn distance(&self, other: &Bound) -> f32 {
        let (mut boxes, mut centres) = (0.0, 0.0);
        for k in 0..3 {
            let gap = (other.min[k] - self.max[k]).max(self.min[k] - other.max[k]).max(0.0);
            boxes += gap * gap;
            let step = other.centre[k] - self.centre[k];
            centres += step * step;
        }
        boxes.sqrt().max(centres.sqrt() - (self.radius + other.radius))
    }
}

/// What is known of a distance while searching: pairs with a lower bound above `limit` do not matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchLimit {
    pub limit: f32,
    /// Middle vertices closer than this (squared) are worth a look; negative to look at none.
    pub middles_sq: f32,
    /// The regions of the closest middle vertices met since this was taken.
    pub middles: Option<[Region; 2]>,
}

impl SearchLimit {
    /// For a limit that does not change.
    pub fn fixed(limit: f32) -> Self {
        Self { limit, middles_sq: -1.0, middles: None }
    }
}

/// Hands every pair of children of two regions, not both blocks, with its lower bound to `found`, or to `ruled_out` when
/// that is above the limit.
///
/// When both have children and neither is much larger, all 64 pairs are compared, as in the paper; otherwise the
/// larger one is expanded and the other waits (M-A8).
#[inline(always)]
pub(super) fn expand<S: Simd>(
    simd: S,
    [a, b]: [&Regions; 2],
    [x, y]: [Region; 2],
    near: &mut SearchLimit,
    mut found: impl FnMut(f32, Region, Region),
    mut ruled_out: impl FnMut(f32, Region, Region),
) {
    let (bound_x, bound_y) = (a.bound(x), b.bound(y));
    let split_x = !x.is_block() && (y.is_block() || bound_x.radius >= 0.5 * bound_y.radius);
    let split_y = !y.is_block() && (x.is_block() || bound_y.radius >= 0.5 * bound_x.radius);
    if split_x && split_y {
        let (nx, ny) = (a.node(x), b.node(y));
        for i in 0..nx.count {
            against(
                simd,
                &nx.bound_of(i),
                ny,
                near,
                |j| [nx.child[i], ny.child[j]],
                &mut found,
                &mut ruled_out,
            );
        }
    } else if split_y {
        let ny = b.node(y);
        against(simd, bound_x, ny, near, |j| [x, ny.child[j]], &mut found, &mut ruled_out);
    } else {
        let nx = a.node(x);
        against(simd, bound_y, nx, near, |i| [nx.child[i], y], &mut found, &mut ruled_out);
    }
}

/// [`Bound::distance`] to the children of a node, as [`expand`] hands them out; the closest middle vertices are noted.
#[inline(always)]
pub(super) fn against<S: Simd>(
    simd: S,
    bound: &Bound,
    node: &Node,
    near: &mut SearchLimit,
    pair: impl Fn(usize) -> [Region; 2],
    found: &mut impl FnMut(f32, Region, Region),
    ruled_out: &mut impl FnMut(f32, Region, Region),
) {
    let zero = S::F32x8::splat(simd, 0.0);
    let (mut boxes, mut centres) = (zero, zero);
    for k in 0..3 {
        let below = S::F32x8::load(simd, &node.rows[k]) - S::F32x8::splat(simd, bound.max[k]);
        let above = S::F32x8::splat(simd, bound.min[k]) - S::F32x8::load(simd, &node.rows[3 + k]);
        let gap = below.max(above).max(zero);
        boxes = boxes + gap * gap;
        let step = S::F32x8::load(simd, &node.rows[6 + k]) - S::F32x8::splat(simd, bound.centre[k]);
        centres = centres + step * step;
    }
    let radii = S::F32x8::load(simd, &node.rows[9]) + S::F32x8::splat(simd, bound.radius);
    let lower = boxes.sqrt().max(centres.sqrt() - radii);
    let matter = lower.le(S::F32x8::splat(simd, near.limit)).bitmask() & node.lanes();
    let closer = S::F32x8::splat(simd, near.middles_sq).gt(centres).bitmask() & matter;
    let mut row = Row([0.0; 8]);
    if closer != 0 {
        centres.store(&mut row);
        for i in (0..node.count).filter(|i| closer >> i & 1 == 1) {
            if row.0[i] < near.middles_sq {
                (near.middles_sq, near.middles) = (row.0[i], Some(pair(i)));
            }
        }
    }
    lower.store(&mut row);
    for i in 0..node.count {
        let [x, y] = pair(i);
        if matter >> i & 1 == 1 {
            found(row.0[i], x, y);
        } else {
            ruled_out(row.0[i], x, y);
        }
    }
}
