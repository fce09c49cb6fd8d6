//! Positions within the unit cube, where numbers neither overflow nor vanish.

use std::borrow::Cow;

use super::half_edges::HalfEdges;
use crate::geometry::Point;
use crate::geometry::predicates::exponent;
use crate::parallel;

/// A power of two that takes positions into [−1, 1]³. Exact, but for coordinates that are nothing beside the largest.
pub(super) struct Scale {
    /// Two factors, since the inverse of a subnormal number is no finite power of two.
    factors: [f64; 2],
    /// Whether areas and lengths could underflow or overflow without it.
    is_needed: bool,
}

impl Scale {
    pub fn of(positions: &[Point]) -> Self {
        let largest =
            positions.as_flattened().iter().fold(0f64, |m, x| if x.abs() > m { x.abs() } else { m });
        let shift = -1 - exponent(largest);
        let factors = [shift / 2, shift - shift / 2].map(|e| f64::from_bits(((1023 + e) as u64) << 52));
        Self { factors, is_needed: shift.abs() > FAR }
    }

    #[inline]
    fn apply(&self, p: &Point) -> Point {
        p.map(|x| x * self.factors[0] * self.factors[1])
    }

    /// The positions, scaled where that is needed.
    pub fn within_range<'p>(&self, positions: &'p [Point]) -> Cow<'p, [Point]> {
        if !self.is_needed {
            return positions.into();
        }
        let mut scaled = vec![[0.0; 3]; positions.len()];
        parallel::for_each_chunk(&mut scaled, parallel::WORTH, |first, scaled| {
            scaled.iter_mut().zip(&positions[first..]).for_each(|(scaled, p)| *scaled = self.apply(p));
        });
        scaled.into()
    }
}

/// Positions beyond 2 to this power, or all below its inverse, are scaled: areas are squares of lengths, and squared once more.
const FAR: i64 = 32;

/// The middle of each triangle, with all positions within the unit cube.
pub(super) fn centres_of(half_edges: &HalfEdges<'_>, positions: &[Point], scale: &Scale) -> Vec<[f32; 3]> {
    let mut centres = vec![[0f32; 3]; half_edges.corners.len()];
    parallel::for_each_chunk(&mut centres, parallel::WORTH, |first, centres| {
        for (centre, corners) in centres.iter_mut().zip(&half_edges.corners[first..]) {
            let [p, q, r] = corners.map(|v| scale.apply(&positions[v as usize]));
            *centre = std::array::from_fn(|k| ((p[k] + q[k] + r[k]) / 3.0) as f32);
        }
    });
    centres
}
