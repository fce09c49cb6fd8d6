//! How close two surfaces are, and where.

use glam::DVec3;

use crate::geometry::Aabb;
use crate::narrow::Feature;
use crate::narrow::distance_bounds::length_above;
use crate::{Guarantee, TriangleId, TrianglePair};

/// One end of a shortest connection.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Witness {
    /// The triangle, with its id in the mesh.
    pub triangle: TriangleId,
    /// The part of the triangle that holds the point.
    pub feature: Feature,
    /// The point.
    pub point: [f64; 3],
}

/// Which of two bodies holds the other without touching it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Containment {
    /// Body a holds body b.
    A,
    /// Body b holds body a.
    B,
}

impl Containment {
    /// The same with the bodies in the other order.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The distance between the surfaces of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Distance {
    /// The distance found; 0 only when the surfaces intersect.
    pub distance: f64,
    /// The true distance is not below this.
    pub lower: f64,
    /// The true distance is not above this.
    pub upper: f64,
    /// The point of body a.
    pub a: Witness,
    /// The point of body b.
    pub b: Witness,
    /// Whether one closed surface lies wholly inside the other; it never changes the distance.
    pub contains: Option<Containment>,
    /// What the answer is worth.
    pub guarantee: Guarantee,
}

impl Distance {
    /// What the boxes of two bodies, and a point of each, say: not above the distance of the points, not below that of the boxes.
    pub(crate) fn by_boxes(boxes: [Aabb; 2], [a, b]: [Witness; 2]) -> Self {
        let upper = length_above(DVec3::from_array(a.point) - DVec3::from_array(b.point));
        // More than the rounding of differences, squares, sums and root.
        let lower = (boxes[0].distance_sq(&boxes[1]).sqrt() * (1.0 - 1e-14)).min(upper);
        Self { distance: upper, lower, upper, a, b, contains: None, guarantee: Guarantee::Partial }
    }
}

/// Two triangles of different bodies (or of one) that are close.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NearPair {
    /// The triangles.
    pub pair: TrianglePair,
    /// How far apart they are.
    pub distance: f64,
}
