//! The triangles of a body on the lattice.

use super::lattice::{self, Corner, Lattice};
use super::window::Shape;
use crate::{Positions, VertexId};

/// Where to find the triangles of a body on the lattice.
#[derive(Clone, Copy)]
pub(super) struct Soup<'a> {
    pub triangles: &'a [[VertexId; 3]],
    pub vertices: &'a [Corner],
    pub positions: Positions<'a>,
    pub lattice: &'a Lattice,
    /// Whether some triangle may reach beyond the limit.
    pub has_far: bool,
}

impl Soup<'_> {
    #[inline(always)]
    pub fn shape(&self, triangle: u32) -> Shape {
        Shape::new(lattice::corners(self.vertices, &self.triangles[triangle as usize]))
    }

    /// The corners of a far triangle, exactly.
    pub fn wide(&self, triangle: u32) -> [[i64; 3]; 3] {
        self.triangles[triangle as usize].map(|v| self.lattice.snap_wide(&self.positions.get(v.index())))
    }
}
