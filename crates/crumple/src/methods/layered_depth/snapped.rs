//! The triangles of a body on the lattice.

use super::lattice::{self, Corner, Lattice};
use super::raster::tile::Shape;
use crate::geometry::lanes::{Lanes, WIDTH};
use crate::{Positions, VertexId};

/// Where to find the triangles of a body on the lattice.
#[derive(Clone, Copy)]
pub(crate) struct Soup<'a> {
    pub triangles: &'a [[VertexId; 3]],
    pub vertices: &'a [Corner],
    pub positions: Positions<'a>,
    pub lattice: &'a Lattice,
    /// Whether some triangle may reach beyond the limit.
    pub has_far: bool,
}

impl Soup<'_> {
    #[inline(always)]
    pub fn corners(&self, triangle: u32) -> [Corner; 3] {
        lattice::corners(self.vertices, &self.triangles[triangle as usize])
    }

    #[inline(always)]
    pub fn shape(&self, triangle: u32) -> Shape {
        Shape::new(self.corners(triangle))
    }

    /// The corners of a far triangle, exactly.
    pub fn wide(&self, triangle: u32) -> [[i64; 3]; 3] {
        self.triangles[triangle as usize].map(|v| self.lattice.snap_wide(&self.positions.get(v.index())))
    }
}

/// The boxes of eight triangles, lane by lane: smallest and largest x, y and z.
#[inline(always)]
pub(crate) fn boxes<L: Lanes>(
    lanes: L,
    vertices: &[Corner],
    triangle: impl Fn(usize) -> [VertexId; 3],
) -> [[L::Ints; 3]; 2] {
    let mut numbers = [[0; WIDTH]; 3];
    for i in 0..WIDTH {
        let [a, b, c] = triangle(i);
        (numbers[0][i], numbers[1][i], numbers[2][i]) = (a.0 as i32, b.0 as i32, c.0 as i32);
    }
    let a = lanes.pick(vertices, &numbers[0]);
    let b = lanes.pick(vertices, &numbers[1]);
    let c = lanes.pick(vertices, &numbers[2]);
    let min = |k: usize| lanes.min(lanes.min(a[k], b[k]), c[k]);
    let max = |k: usize| lanes.max(lanes.max(a[k], b[k]), c[k]);
    [[min(0), min(1), min(2)], [max(0), max(1), max(2)]]
}
