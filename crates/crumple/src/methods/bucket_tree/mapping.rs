//! The map from positions to the `f32` of the trees: fitted to a frame, and kept while everything is well inside.

use crate::geometry::{Aabb32, Map, Point};
use crate::{Frame, Positions};

/// The image of a point, kept finite.
pub(super) fn to_f32(p: &Point, map: &Map) -> [f32; 3] {
    map.apply(p).map(|x| x.clamp(-f32::MAX, f32::MAX))
}

/// How many positions a map looks at: the median of so many is inside the largest heap of a soup.
const SAMPLES: usize = 255;

/// A map for these positions: their median goes to zero, where `f32` is finest, and the rest keeps within a range that
/// leaves room for sums and products.
pub(super) fn fit(count: usize, position: impl Fn(usize) -> Point) -> Map {
    if count == 0 {
        return Map::IDENTITY;
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
    Map::around(origin, farthest)
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

/// Whether everything is still well inside the range of the map, and not far from its origin.
pub(super) fn is_fit(all: &Aabb32) -> bool {
    if all.is_empty() {
        return true;
    }
    let half = (0..3).map(|k| 0.5 * (all.max[k] - all.min[k])).fold(0.0, f32::max);
    let off = all.centre().iter().fold(0.0, |far: f32, c| far.max(c.abs()));
    // A point alone has no size to compare with.
    off <= 4.0 * half.max(1e-3) && half <= 1e6 && (half >= 1e-6 || off == 0.0)
}
