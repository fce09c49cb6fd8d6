//! Hollow tubes of tets along a curve.

use std::f64::consts::TAU;

use super::grid_tets;
use crate::{
    Solid, trig,
    vector::{Point, add, cross, scale, sub, unit},
};

/// How finely a tube is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TubeGrid {
    /// Cells round the tube; even, so that the cubes fit.
    pub around: usize,
    /// Cells along the tube.
    pub along: usize,
    /// Cells through the wall.
    pub wall: usize,
    /// How many cubes are cut into six tets rather than five.
    pub six: usize,
}

impl TubeGrid {
    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.around * (self.along + 1) * (self.wall + 1)
    }

    /// Number of tets.
    pub fn tets(&self) -> usize {
        let cubes = self.around * self.along * self.wall;
        5 * cubes + self.six.min(cubes)
    }

    /// The tets, not yet oriented.
    pub fn elements(&self) -> Vec<[u32; 4]> {
        grid_tets([self.around, self.along, self.wall], true, self.six)
    }

    /// Positions along a curve.
    pub fn positions(&self, curve: &dyn Centreline) -> Vec<Point> {
        const STEP: f64 = 1.0 / 65_536.0;
        // (curve point, normal, binormal) of each cross-section, reused for all angles.
        let sections: Vec<[Point; 3]> = (0..=self.along)
            .map(|j| {
                let t = j as f64 / self.along as f64;
                let tangent = unit(sub(curve.centre(t + STEP), curve.centre(t - STEP)));
                let normal = unit(cross(tangent, [0.0, 1.0, 0.0]));
                [curve.centre(t), normal, cross(tangent, normal)]
            })
            .collect();
        let mut positions = Vec::with_capacity(self.vertices());
        for i in 0..self.around {
            let (s, c) = trig::sin_cos(TAU * i as f64 / self.around as f64);
            for (j, [centre, normal, binormal]) in sections.iter().enumerate() {
                let out = add(scale(*normal, c), scale(*binormal, s));
                for k in 0..=self.wall {
                    let r = curve.radius(j as f64 / self.along as f64, k as f64 / self.wall as f64);
                    positions.push(add(*centre, scale(out, r)));
                }
            }
        }
        positions
    }
}

/// The curve that a tube follows, over t in [0, 1]. It must nowhere run along the y axis.
pub trait Centreline {
    /// Where the tube's axis is.
    fn centre(&self, t: f64) -> Point;
    /// Radius of the wall at depth `w`: 0 is its inner side, 1 its outer side.
    fn radius(&self, t: f64, w: f64) -> f64;
}

/// A straight tube along z from -length/2 to length/2.
pub fn tet_tube(grid: TubeGrid, inner: f64, outer: f64, length: f64) -> Solid {
    struct Straight([f64; 3]);
    impl Centreline for Straight {
        fn centre(&self, t: f64) -> Point {
            [0.0, 0.0, self.0[2] * (t - 0.5)]
        }
        fn radius(&self, _: f64, w: f64) -> f64 {
            self.0[0] + (self.0[1] - self.0[0]) * w
        }
    }
    let around = grid.around.max(4).next_multiple_of(2);
    let grid = TubeGrid { around, along: grid.along.max(1), wall: grid.wall.max(1), ..grid };
    let positions = grid.positions(&Straight([inner, outer, length]));
    Solid { positions, tets: grid.elements() }.oriented()
}
