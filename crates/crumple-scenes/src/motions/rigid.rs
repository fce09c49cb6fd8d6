//! Drift and spin, stretch, squash.

use crate::vector::{Point, Rotation, add, mul, scale, sub};

/// Drift and spin without deformation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rigid {
    /// Shift per frame.
    pub velocity: Point,
    /// Axis of the spin, through `centre`.
    pub axis: Point,
    /// Radians per frame.
    pub spin: f64,
    /// A point of the axis, at frame 0; it drifts along.
    pub centre: Point,
}

impl Rigid {
    /// Where `p` is in frame `f`.
    pub fn at(&self, p: Point, f: f64) -> Point {
        let turned = if self.spin == 0.0 {
            // Nothing is rounded when nothing turns: grid coordinates stay on their grid.
            p
        } else {
            add(Rotation::about(self.axis, self.spin * f).apply(sub(p, self.centre)), self.centre)
        };
        add(turned, scale(self.velocity, f))
    }
}

/// Scale along the axes about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Growth per frame along each axis; -0.1 shrinks by a tenth of the rest size, and beyond -1 in all it inverts.
    pub rate: Point,
}

impl Stretch {
    /// Where `p` is in frame `f`.
    pub fn at(&self, p: Point, f: f64) -> Point {
        mul(p, self.rate.map(|r| 1.0 + r * f))
    }
}

/// Press along one axis: what lies beyond a moving wall is laid flat onto the wall, so that triangles become coplanar,
/// tets lose their volume, and ties are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Squash {
    /// 0, 1 or 2 for x, y, z.
    pub axis: usize,
    /// Where the wall is in frame 0; everything with a larger coordinate is pressed onto it.
    pub wall: f64,
    /// The wall's motion per frame (negative moves it into the body).
    pub rate: f64,
}

impl Squash {
    /// Where `p` is in frame `f`.
    pub fn at(&self, mut p: Point, f: f64) -> Point {
        p[self.axis] = p[self.axis].min(self.wall + self.rate * f);
        p
    }
}
