//! Boxes in `f32`, as the tree sees them: the image of a box under a monotone map.
//!
//! Each step of the map is monotone, so closed boxes that have a common point still have one after it. Nothing is rounded
//! outward and nothing is missed.

use crate::geometry::{Aabb, Map, Point};
use crate::{Frame, Positions};

/// The image of a box. The fourth numbers mean nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Image {
    pub low: [f32; 4],
    pub high: [f32; 4],
}

impl Image {
    /// The image of nothing.
    pub const EMPTY: Image = Image { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    /// The image of a box, kept finite so that it never meets [`Image::EMPTY`].
    pub fn of(bounds: &Aabb, map: &Map) -> Self {
        let [low, high] = [place(&bounds.min, map), place(&bounds.max, map)];
        Self { low: [low[0], low[1], low[2], 0.0], high: [high[0], high[1], high[2], 0.0] }
    }

    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    #[inline(always)]
    pub fn low3(&self) -> [f32; 3] {
        [self.low[0], self.low[1], self.low[2]]
    }

    #[inline(always)]
    pub fn high3(&self) -> [f32; 3] {
        [self.high[0], self.high[1], self.high[2]]
    }

    /// Half way between the bounds.
    #[inline(always)]
    pub fn centre(&self) -> [f32; 3] {
        std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    /// The sum of the edge lengths.
    pub fn girth(&self) -> f32 {
        (0..3).map(|k| self.high[k] - self.low[k]).sum()
    }

    #[inline(always)]
    pub fn union(&self, other: &Self) -> Self {
        let min = |a: f32, b: f32| if a < b { a } else { b };
        let max = |a: f32, b: f32| if a > b { a } else { b };
        Self {
            low: std::array::from_fn(|k| min(self.low[k], other.low[k])),
            high: std::array::from_fn(|k| max(self.high[k], other.high[k])),
        }
    }

    #[inline(always)]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// A box in space that holds everything whose image is inside this one.
    pub fn outward(&self, map: &Map) -> Aabb {
        // An image is off by at most one rounding to `f32` (2^-24 of it, or the smallest subnormal), one subtraction (2^-53)
        // and one in here; twice the first covers all three, as the scale is a power of two.
        let world = |x: f32, side: f64, k: usize| {
            let x = f64::from(x);
            let away = (x + side * (x.abs() * f64::from(f32::EPSILON) + 1e-44)) / map.scale;
            let at = map.origin[k] + away;
            at + side * (at.abs() + away.abs()) * f64::EPSILON
        };
        Aabb {
            min: std::array::from_fn(|k| world(self.low[k], -1.0, k)),
            max: std::array::from_fn(|k| world(self.high[k], 1.0, k)),
        }
    }
}

/// The image of a point, kept finite.
pub(super) fn place(p: &Point, map: &Map) -> [f32; 3] {
    map.apply(p).map(|x| x.clamp(-f32::MAX, f32::MAX))
}

/// How many positions a map looks at: the median of so many is inside the largest heap of a soup.
const SAMPLES: usize = 255;

/// A map for these positions: their median goes to zero, where `f32` is finest, and the rest keeps within a range that
/// leaves room for sums and products.
pub(super) fn fit(count: usize, position: impl Fn(usize) -> Point) -> Map {
    if count == 0 {
        return Map { origin: [0.0; 3], scale: 1.0 };
    }
    let step = count.div_ceil(SAMPLES);
    let samples: Vec<Point> = (0..count).step_by(step).map(&position).collect();
    let origin = std::array::from_fn(|k| {
        let mut along: Vec<f64> = samples.iter().map(|p| p[k]).collect();
        along.sort_unstable_by(f64::total_cmp);
        along[along.len() / 2]
    });
    let farthest = (0..count)
        .map(|i| {
            let p = position(i);
            (0..3).fold(0.0, |far: f64, k| far.max((p[k] - origin[k]).abs()))
        })
        .fold(0.0, f64::max);
    Map { origin, scale: power_below(farthest) }
}

/// A map for everything in the frame.
pub(super) fn fit_frame(frame: Frame<'_>) -> Map {
    let bodies: Vec<Positions<'_>> = frame.iter().collect();
    let mut starts = vec![0];
    for positions in &bodies {
        starts.push(starts[starts.len() - 1] + positions.len());
    }
    fit(starts[bodies.len()], |i| {
        let body = starts.partition_point(|&s| s <= i) - 1;
        bodies[body].get(i - starts[body])
    })
}

/// A power of two that brings `x` near 1; 1 where there is nothing to bring.
fn power_below(x: f64) -> f64 {
    if x < f64::MIN_POSITIVE {
        return 1.0;
    }
    let exponent = (x.to_bits() >> 52) as i64 - 1023;
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}

/// Whether everything is still well inside the range of the map, and not far from its origin.
pub(super) fn is_fit(all: &Image) -> bool {
    if all.is_empty() {
        return true;
    }
    let half = (0..3).map(|k| 0.5 * (all.high[k] - all.low[k])).fold(0.0, f32::max);
    let off = all.centre().iter().fold(0.0, |far: f32, c| far.max(c.abs()));
    // A point alone has no size to compare with.
    off <= 4.0 * half.max(1e-3) && half <= 1e6 && (half >= 1e-6 || off == 0.0)
}
