//! Sampled directions (V12): one bit each for "all triangles of this region face it".

use crate::geometry::Point;
use crate::geometry::simd::{DirectionRows, Row, WIDTH};
use crate::geometry::vector::{cross, dot};

/// The most directions: one bit each in a `u128`.
pub(crate) const MAX_DIRECTIONS: usize = 128;

const ROWS: usize = MAX_DIRECTIONS / WIDTH;

/// Sampled directions, as far apart as possible.
#[derive(Debug)]
pub(crate) struct Directions {
    /// Coordinates for the bit tests, axis by axis; zero beyond the last direction, which no normal faces.
    pub rows: DirectionRows,
    /// Two axes of the plane that each direction looks at; their cross product is the direction.
    planes: Vec<[Point; 2]>,
}

impl Directions {
    /// `count` directions: the corners of an icosahedron for 12, and its faces too for 32, as in the paper; a spiral
    /// from pole to pole for any other number.
    pub fn new(count: usize) -> Self {
        let list = match count {
            12 => icosahedron(),
            32 => with_faces(icosahedron()),
            _ => spiral(count),
        };
        let mut directions = Self { rows: [[Row([0.0; WIDTH]); ROWS]; 3], planes: Vec::new() };
        for (i, d) in list.iter().enumerate() {
            for (rows, x) in directions.rows.iter_mut().zip(d) {
                rows[i / WIDTH].0[i % WIDTH] = *x as f32;
            }
            directions.planes.push(plane(d));
        }
        directions
    }

    /// A direction, as the bit tests have it.
    #[cfg(feature = "published")]
    pub fn get(&self, direction: usize) -> Point {
        self.rows.each_ref().map(|rows| f64::from(rows[direction / WIDTH].0[direction % WIDTH]))
    }

    /// Two axes, whose cross product is the direction up to rounding.
    pub fn plane(&self, direction: usize) -> &[Point; 2] {
        &self.planes[direction]
    }

    /// Of the directions whose bit is set, the one nearest to `normal`.
    pub fn nearest(&self, bits: u128, normal: &[f32; 3]) -> Option<usize> {
        let (mut best, mut best_dot) = (None, f32::NEG_INFINITY);
        let mut rest = bits;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let at = |rows: &[Row; ROWS]| rows[i / WIDTH].0[i % WIDTH];
            let [x, y, z] = &self.rows;
            let dot = at(x) * normal[0] + at(y) * normal[1] + at(z) * normal[2];
            if dot > best_dot {
                (best, best_dot) = (Some(i), dot);
            }
        }
        best
    }
}

fn unit(v: Point) -> Point {
    let length = dot(&v, &v).sqrt();
    v.map(|x| x / length)
}

fn icosahedron() -> Vec<Point> {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = Vec::new();
    for a in [-1.0, 1.0] {
        for b in [-g, g] {
            corners.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]].map(unit));
        }
    }
    corners
}

/// Adds the middles of the faces, which are triples of corners at the smallest angle.
fn with_faces(corners: Vec<Point>) -> Vec<Point> {
    let touch = |a: &Point, b: &Point| dot(a, b) > 0.4;
    let mut all = corners.clone();
    for (i, a) in corners.iter().enumerate() {
        for (j, b) in corners.iter().enumerate().skip(i + 1) {
            for c in &corners[j + 1..] {
                if touch(a, b) && touch(b, c) && touch(c, a) {
                    all.push(unit(std::array::from_fn(|k| a[k] + b[k] + c[k])));
                }
            }
        }
    }
    all
}

fn spiral(count: usize) -> Vec<Point> {
    let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / count as f64;
            let r = (1.0 - z * z).sqrt();
            let (sin, cos) = (turn * i as f64).sin_cos();
            [r * cos, r * sin, z]
        })
        .collect()
}

/// Axes at no special angle to the coordinate axes, so that the rows of a regular mesh do not line up with them.
fn plane(d: &Point) -> [Point; 2] {
    let least = (0..3).min_by(|&i, &j| d[i].abs().total_cmp(&d[j].abs())).expect("three axes");
    let mut helper = [0.0; 3];
    helper[least] = 1.0;
    let a = unit(cross(d, &helper));
    let b = cross(d, &a);
    let (sin, cos) = 0.577f64.sin_cos();
    let x = std::array::from_fn(|k| cos * a[k] + sin * b[k]);
    [x, cross(d, &x)]
}
