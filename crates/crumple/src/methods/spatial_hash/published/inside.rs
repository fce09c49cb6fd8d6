//! Is a vertex in a tet? Exactly, or as the paper asks.

use glam::{DMat3, DVec3};

use super::params::InsideTest;
use crate::geometry::{Point, tet};
use crate::narrow::vertex_tet;

impl InsideTest {
    /// Whether the closed tet holds the point.
    #[inline]
    pub(super) fn contains(self, p: &Point, t: &[Point; 4]) -> bool {
        match self {
            Self::Exact => vertex_tet::contains(p, t),
            Self::Barycentric => by_barycentric_coordinates(p, t),
            Self::HalfSpaces => by_half_spaces(p, t),
        }
    }
}

/// p = x0 + A·β; inside iff every β is at least 0 and their sum at most 1 (T10). A flat tet has no A⁻¹: its β are not
/// numbers, and it holds nothing.
fn by_barycentric_coordinates(p: &Point, t: &[Point; 4]) -> bool {
    let [x0, x1, x2, x3] = t.map(DVec3::from_array);
    let a = DMat3::from_cols(x1 - x0, x2 - x0, x3 - x0);
    let beta = a.inverse() * (DVec3::from_array(*p) - x0);
    beta.cmpge(DVec3::ZERO).all() && beta.element_sum() <= 1.0
}

/// Inside iff on the inner side of four oriented faces (T11); the side of an inverted tet is the other one.
fn by_half_spaces(p: &Point, t: &[Point; 4]) -> bool {
    let side = tet::volume(t).signum();
    let p = DVec3::from_array(*p);
    tet::volume(t) != 0.0
        && tet::FACES.iter().all(|&[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|k| DVec3::from_array(t[k]));
            (b - a).cross(c - a).dot(p - a) * side <= 0.0
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_tests_agree_away_from_the_faces() {
        let upright = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let inverted = [upright[1], upright[0], upright[2], upright[3]];
        for t in [upright, inverted] {
            for (p, inside) in [
                ([0.25, 0.5, 0.25], true),
                ([0.0, 0.0, 0.0], true),
                ([1.0, 1.0, 0.0], true),
                ([0.7, 0.7, 0.7], false),
                ([-0.01, 0.5, 0.5], false),
            ] {
                for test in [InsideTest::Exact, InsideTest::Barycentric, InsideTest::HalfSpaces] {
                    assert_eq!(test.contains(&p, &t), inside, "{test:?} {p:?}");
                }
            }
        }
    }

    #[test]
    fn only_the_exact_test_sees_a_flat_tet() {
        let flat = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 2.0, 0.0]];
        let p = [0.5, 0.5, 0.0];
        assert!(InsideTest::Exact.contains(&p, &flat));
        assert!(!InsideTest::Barycentric.contains(&p, &flat));
        assert!(!InsideTest::HalfSpaces.contains(&p, &flat));
    }
}
