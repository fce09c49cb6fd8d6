//! Tetrahedra: orientation, volume, faces.

use super::vector::{cross, dot, sub};
use super::{Point, Sign, predicates};

/// Corners of the face opposite corner i, ordered so that its normal points out of a tet of positive orientation.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Sign of the volume, exactly: 1 when corner 3 is where the normal of corners 0, 1, 2 points, −1 when inverted.
#[inline]
pub fn orientation(t: &[Point; 4]) -> Sign {
    predicates::orient3d(&t[0], &t[1], &t[2], &t[3])
}

/// The volume, negative when inverted.
#[cfg_attr(not(any(feature = "internals", feature = "published")), allow(dead_code))]
pub fn volume(t: &[Point; 4]) -> f64 {
    dot(&cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0])), &sub(&t[3], &t[0])) / 6.0
}

/// The triangle opposite corner `i`.
#[inline]
pub fn face(t: &[Point; 4], i: usize) -> [Point; 3] {
    FACES[i].map(|k| t[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_a_positive_tet_point_outward() {
        let t = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(orientation(&t), 1);
        assert!((volume(&t) - 1.0 / 6.0).abs() < 1e-15);
        for i in 0..4 {
            let [a, b, c] = face(&t, i);
            assert_eq!(predicates::orient3d(&a, &b, &c, &t[i]), -1, "face {i}");
        }
    }
}
