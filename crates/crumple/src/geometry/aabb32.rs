//! Axis-aligned boxes of images: in `f32`, in the coordinates of a frame's [`Map`]; one, and eight side by side.
//!
//! The map is monotone, so closed boxes of images overlap wherever the boxes of the positions do: nothing is rounded outward
//! and nothing is missed. [`Aabb32::outward`] leads back to the world.

use super::simd::{Row, WIDTH};
use super::vector::{max, min};
use super::{Aabb, Map};

/// A closed box of images. Each corner fills a register: the fourth numbers mean nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Aabb32 {
    pub min: [f32; 4],
    pub max: [f32; 4],
}

impl PartialEq for Aabb32 {
    fn eq(&self, other: &Self) -> bool {
        self.min3() == other.min3() && self.max3() == other.max3()
    }
}

impl Aabb32 {
    /// Holds nothing; the neutral element of [`Aabb32::union`].
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 4], max: [f32::NEG_INFINITY; 4] };

    /// From corner to corner.
    #[inline(always)]
    pub fn new(min: [f32; 3], max: [f32; 3]) -> Self {
        Self { min: [min[0], min[1], min[2], 0.0], max: [max[0], max[1], max[2], 0.0] }
    }

    /// The image of a box, kept finite so that it never touches [`Aabb32::EMPTY`]; nothing, of an empty one.
    pub fn image(bounds: &Aabb, map: &Map) -> Self {
        if bounds.is_empty() {
            return Self::EMPTY;
        }
        let finite = |p| map.apply(p).map(|x| x.clamp(-f32::MAX, f32::MAX));
        Self::new(finite(&bounds.min), finite(&bounds.max))
    }

    /// The lower corner.
    #[inline(always)]
    pub fn min3(&self) -> [f32; 3] {
        [self.min[0], self.min[1], self.min[2]]
    }

    /// The upper corner.
    #[inline(always)]
    pub fn max3(&self) -> [f32; 3] {
        [self.max[0], self.max[1], self.max[2]]
    }

    /// Whether no point is inside.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.min[k] > self.max[k])
    }

    /// Half way between the corners.
    #[inline(always)]
    pub fn centre(&self) -> [f32; 3] {
        std::array::from_fn(|k| 0.5 * (self.min[k] + self.max[k]))
    }

    /// The sum of the edge lengths, to tell which of two is larger.
    #[inline(always)]
    pub fn girth(&self) -> f32 {
        (self.max[0] - self.min[0]) + (self.max[1] - self.min[1]) + (self.max[2] - self.min[2])
    }

    /// The smallest box that holds both.
    #[inline(always)]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| max(self.max[k], other.max[k])),
        }
    }

    /// The smallest box that holds `self` and a point.
    #[inline(always)]
    pub fn with(&self, p: &[f32; 3]) -> Self {
        self.union(&Self::new(*p, *p))
    }

    /// Whether the closed boxes have a common point. Branch-free: six comparisons cost less than a misprediction.
    #[inline(always)]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).fold(true, |all, k| all & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    /// The same box in `f64`, still in the coordinates of the map.
    pub fn widened(&self) -> Aabb {
        Aabb { min: self.min3().map(f64::from), max: self.max3().map(f64::from) }
    }

    /// A box in the world that holds every position whose image is in this one; see [`Map`] for how far.
    pub fn outward(&self, map: &Map) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        Aabb {
            min: std::array::from_fn(|k| map.below(self.min[k], k)),
            max: std::array::from_fn(|k| map.above(self.max[k], k)),
        }
    }
}

/// Eight boxes, one to a lane: rows of the lower x, y, z and of the upper x, y, z, for any kind of lanes to load.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Aabb32x8 {
    pub rows: [Row; 6],
}

impl Aabb32x8 {
    /// Eight boxes that hold nothing.
    pub const EMPTY: Self = {
        let (min, max) = (Row([f32::INFINITY; WIDTH]), Row([f32::NEG_INFINITY; WIDTH]));
        Self { rows: [min, min, min, max, max, max] }
    };

    /// The box in a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Aabb32 {
        let corner =
            |row: usize| [self.rows[row].0[lane], self.rows[row + 1].0[lane], self.rows[row + 2].0[lane]];
        Aabb32::new(corner(0), corner(3))
    }

    /// Puts a box into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, bounds: &Aabb32) {
        for k in 0..3 {
            self.rows[k].0[lane] = bounds.min[k];
            self.rows[k + 3].0[lane] = bounds.max[k];
        }
    }

    /// The smallest box that holds all eight.
    pub fn union(&self) -> Aabb32 {
        (0..WIDTH).fold(Aabb32::EMPTY, |all, lane| all.union(&self.get(lane)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Boxes with corners on a small grid, so that they touch; sometimes empty.
    fn boxes() -> impl Strategy<Value = Aabb> {
        ([-4i8..4, -4..4, -4..4], [-1i8..4, 0..4, 0..4]).prop_map(|(min, size)| Aabb {
            min: min.map(f64::from),
            max: [0, 1, 2].map(|k| f64::from(min[k] + size[k])),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn what_holds_of_boxes_holds_of_their_images(a in boxes(), b in boxes(), p in [-4i8..8, -4..8, -4..8]) {
            let map = Map { origin: [0.5, -1.0, 3.0], scale: 0.125 };
            let [x, y] = [&a, &b].map(|b| Aabb32::image(b, &map));
            let (is_a, is_b) = (!a.is_empty(), !b.is_empty());
            prop_assert_eq!((!x.is_empty(), !y.is_empty()), (is_a, is_b));
            prop_assert_eq!(x.overlaps(&y), is_a && is_b && a.overlaps(&b));
            let p = p.map(f64::from);
            if is_a && is_b {
                prop_assert_eq!(x.union(&y), Aabb32::image(&a.union(&b), &map));
                prop_assert_eq!(x.with(&map.apply(&p)), Aabb32::image(&a.with(&p), &map));
                prop_assert_eq!(x.centre(), map.apply(&a.centre()));
                let [w, h, d] = a.size().map(|s| 0.125 * s as f32);
                prop_assert_eq!(x.girth(), w + h + d);
                prop_assert_eq!(x.outward(&map).union(&a), x.outward(&map));
            }
            prop_assert_eq!(x.widened().is_empty(), !is_a);
        }

        #[test]
        fn lanes_keep_their_boxes(all in prop::collection::vec(boxes(), 8)) {
            let mut eight = Aabb32x8::EMPTY;
            prop_assert!(eight.union().is_empty());
            let boxes: Vec<_> = all.iter().map(|b| Aabb32::image(b, &Map::IDENTITY)).collect();
            boxes.iter().enumerate().for_each(|(lane, b)| eight.set(lane, b));
            prop_assert!(boxes.iter().enumerate().all(|(lane, b)| eight.get(lane) == *b));
            prop_assert_eq!(eight.union(), boxes.iter().fold(Aabb32::EMPTY, |all, b| all.union(b)));
        }
    }

    #[test]
    fn far_images_stay_finite() {
        let map = Map { origin: [0.0; 3], scale: 2f64.powi(200) };
        let far = Aabb32::image(&Aabb { min: [1e50; 3], max: [1e50; 3] }, &map);
        assert!(far.min[0].is_finite() && !far.overlaps(&Aabb32::EMPTY) && far.overlaps(&far));
        assert_eq!(Aabb32::EMPTY.outward(&map), Aabb::EMPTY);
    }
}
