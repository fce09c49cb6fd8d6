//! From positions in `f64` to images in `f32`.

use super::{Aabb, Point};

/// A monotone map from positions to `f32`: shift by an origin, scale by a power of two, round to nearest.
///
/// Each step is monotone, so closed boxes that overlap still overlap after the map, without any rounding outward: a box of
/// images is tight to the last bit, and nothing is missed.
///
/// # How far an image is off
/// Let x be the image of p. The subtraction is off by 2^-53 of itself, the scaling is exact, and the conversion to `f32` is
/// off by 2^-24 of the result or, among subnormal numbers, by 2^-150. Scaling down to a subnormal `f64` adds less than
/// that. So x/scale differs from p − origin by less than (|x| · 2^-23 + 2^-149)/scale, which is what
/// [`Map::above`] and [`Map::below`] allow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Map {
    /// Goes to zero.
    pub origin: [f64; 3],
    /// A power of two.
    pub scale: f64,
}

/// Scales lie between 2^-1000 and 2^1000, so that they and their reciprocals are normal numbers.
const MAX_EXPONENT: i64 = 1000;

impl Map {
    /// Nothing is moved or scaled.
    pub const IDENTITY: Self = Self { origin: [0.0; 3], scale: 1.0 };

    /// Takes the box into [−1, 1]³, its middle to zero and its farthest face to 1/2 or more; `None` for an empty box.
    /// A scene smaller than 2^-1000 stays smaller than that; one without any size is not scaled.
    pub fn fitting(bounds: &Aabb) -> Option<Self> {
        if bounds.is_empty() {
            return None;
        }
        let origin = bounds.centre();
        Some(Self::around(origin, bounds.reach_from(&origin)))
    }

    /// Takes what is at most `reach` from the origin along each axis into [−1, 1]³.
    ///
    /// Scaled by the power of two in [1/(2 reach), 1/reach), differences are in [1/2, 1) at most; rounding may make 1 of
    /// that. Differences as `f64` computes them do not exceed `reach` if it was computed likewise, by monotony.
    pub fn around(origin: Point, reach: f64) -> Self {
        if reach == 0.0 {
            return Self { origin, scale: 1.0 };
        }
        let exponent = (reach.to_bits() >> 52) as i64 - 1022;
        let exponent = exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT);
        Self { origin, scale: f64::from_bits(((1023 - exponent) as u64) << 52) }
    }

    /// The image of one point.
    #[inline(always)]
    pub fn apply(&self, p: &[f64; 3]) -> [f32; 3] {
        std::array::from_fn(|k| ((p[k] - self.origin[k]) * self.scale) as f32)
    }

    /// A coordinate along axis `k` that no position with an image of at least `x` is below.
    pub fn below(&self, x: f32, k: usize) -> f64 {
        self.back(x, -1.0, k)
    }

    /// A coordinate along axis `k` that no position with an image of at most `x` is above.
    pub fn above(&self, x: f32, k: usize) -> f64 {
        self.back(x, 1.0, k)
    }

    /// The last line covers the roundings of the sum and of itself, each 2^-53 of at most |at| + |away|.
    fn back(&self, x: f32, side: f64, k: usize) -> f64 {
        let x = f64::from(x);
        let away = (x + side * (x.abs() * f64::from(f32::EPSILON) + 1e-44)) / self.scale;
        let at = self.origin[k] + away;
        at + side * (at.abs() + away.abs()) * f64::EPSILON
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb32;
    use proptest::prelude::*;

    /// A point near another, at any distance from it and from zero.
    fn points() -> impl Strategy<Value = (Vec<Point>, Point)> {
        let number = |low: i32, high: i32| (-1.0..1.0f64, low..high).prop_map(|(x, e)| x * 2f64.powi(e));
        let point = move |low, high| [number(low, high), number(low, high), number(low, high)];
        (point(-40, 100), -340..120i32, 1..6usize).prop_flat_map(move |(centre, size, n)| {
            let near = prop::collection::vec(point(size - 30, size), n);
            (
                near.prop_map(move |v| v.into_iter().map(|d| [0, 1, 2].map(|k| centre[k] + d[k])).collect()),
                Just(centre),
            )
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn images_fill_the_cube_and_boxes_come_back_outward((points, other) in points()) {
            let bounds = Aabb::of(&points);
            let map = Map::fitting(&bounds).expect("not empty");
            let images: Vec<_> = points.iter().map(|p| map.apply(p)).collect();
            let farthest = images.iter().flatten().fold(0.0f32, |m, x| m.max(x.abs()));
            prop_assert!(farthest <= 1.0);
            prop_assert!(farthest >= 0.499 || bounds.diagonal() < 1e-290 || bounds.diagonal() == 0.0, "{}", farthest);
            prop_assert!(map.scale.to_bits() << 12 == 0, "a power of two");
            for map in [map, Map::around(other, bounds.reach_from(&other)), Map::IDENTITY] {
                let image = Aabb32::image(&bounds, &map);
                let back = image.outward(&map);
                for p in &points {
                    prop_assert!(back.contains(p), "{:?} {:?}", back, p);
                }
                // Each image alone says where its point is.
                for p in &points {
                    let x = map.apply(p);
                    prop_assert!((0..3).all(|k| map.below(x[k], k) <= p[k] && p[k] <= map.above(x[k], k)));
                }
            }
        }

        #[test]
        fn order_is_kept(a in -3.0..3.0f64, b in -3.0..3.0f64, origin in -1e9..1e9f64, e in -40..40i32) {
            let map = Map { origin: [origin; 3], scale: 2f64.powi(e) };
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            prop_assert!(map.apply(&[low; 3])[0] <= map.apply(&[high; 3])[0]);
        }
    }

    #[test]
    fn what_has_no_size_is_not_scaled() {
        assert_eq!(Map::fitting(&Aabb::EMPTY), None);
        let point = [3.0, -4.0, 1e50];
        let map = Map::fitting(&Aabb::of(&[point])).expect("not empty");
        assert_eq!((map.scale, map.apply(&point)), (1.0, [0.0; 3]));
        let whole = Map::fitting(&Aabb { min: [-1e50; 3], max: [1e50; 3] }).expect("not empty");
        assert!(whole.apply(&[1e50; 3])[0] >= 0.5);
        let tiny = Map::fitting(&Aabb { min: [0.0; 3], max: [f64::from_bits(2); 3] }).expect("not empty");
        assert_eq!((tiny.scale, tiny.apply(&[0.0; 3])[0] < 0.0), (2f64.powi(1000), true));
    }
}
