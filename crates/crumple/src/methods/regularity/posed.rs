//! What a query looks at: the surfaces, and where their vertices are in the frame.

use super::certificate::BodyView;
use super::directions::Directions;
use super::surfaces::Surface;
use crate::geometry::{Map, Point};

/// All surfaces at the positions of one frame.
#[derive(Clone, Copy)]
pub(crate) struct Posed<'a> {
    pub surfaces: &'a [Surface],
    pub positions: &'a [&'a [Point]],
    pub map: &'a Map,
    pub directions: &'a Directions,
}

/// A patch of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PatchRef {
    pub body: u32,
    pub patch: u32,
}

/// Two patches that neither a proof nor a box keeps apart; or one twice.
pub(crate) type PatchPair = [PatchRef; 2];

impl<'a> Posed<'a> {
    /// One body as the rules see it.
    pub fn view(&self, body: usize) -> BodyView<'a, 1> {
        let Surface { hierarchy, facing, .. } = &self.surfaces[body];
        let positions = [self.positions[body]];
        BodyView { hierarchy, facing, directions: self.directions, positions, map: self.map }
    }

    /// Vertices of a triangle of a patch, and its number within its body.
    #[inline]
    pub fn triangle(&self, p: PatchRef, local: usize) -> ([u32; 3], u32) {
        let patches = &self.surfaces[p.body as usize].hierarchy.patches;
        let rank = patches.places(p.patch as usize).start + local;
        (patches.triangle(p.patch as usize, local), patches.id(rank))
    }

    /// Where the vertices of a triangle of a body are.
    #[inline]
    pub fn corners(&self, body: u32, triangle: [u32; 3]) -> [Point; 3] {
        triangle.map(|v| self.positions[body as usize][v as usize])
    }
}
