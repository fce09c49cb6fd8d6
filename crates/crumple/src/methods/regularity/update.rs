//! Following a frame: one pass over the patches, then upward (V13).

use super::bounds::FindBounds;
use super::directions::Directions;
use super::facing::{Facing, FindFacing};
use super::hierarchy::Hierarchy;
use super::surfaces::{Lift, Surface, Surfaces};
use crate::geometry::{Aabb, Aabb32, Map, Point, simd};
use crate::{Bodies, Frame, FrameError, Mesh, Positions, parallel};

impl Surfaces {
    /// Builds the bodies that changed, then finds boxes and, where bodies will be searched against themselves,
    /// directions. Says whether bodies changed.
    pub fn follow(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        build: impl Fn(&Mesh, &[Point]) -> Hierarchy,
    ) -> Result<bool, FrameError> {
        frame.check(bodies)?;
        let is_new = self.list.follow(bodies, |id, mesh| Surface::new(mesh, frame.of(id), &build));
        let mut bounds = frame.bounds();
        let lift = Lift::of(&bounds);
        if let Some(lift) = lift {
            bounds = Aabb { min: lift.apply(&bounds.min), max: lift.apply(&bounds.max) };
        }
        self.map = Map::fitting(&bounds).unwrap_or(Map::IDENTITY);
        let with_facing = self.wants_facing;
        for (surface, positions) in self.list.values_mut().iter_mut().zip(frame.iter()) {
            surface.take(positions, lift);
            surface.has_facing = with_facing;
            surface
                .pass(positions, SurfacePass { map: &self.map, directions: &self.directions, with_facing });
        }
        Ok(is_new)
    }

    /// Finds the directions that [`Surfaces::follow`] left out, when a query looks within bodies; the next frame
    /// prepares what this query needs.
    pub fn prepare(&mut self, frame: Frame<'_>, within: bool) {
        self.wants_facing = within;
        for (surface, positions) in self.list.values_mut().iter_mut().zip(frame.iter()) {
            if within && !surface.has_facing {
                surface.has_facing = true;
                let pass = SurfacePass { map: &self.map, directions: &self.directions, with_facing: true };
                surface.pass(positions, pass);
            }
        }
    }
}

/// What a pass over a surface needs.
#[derive(Clone, Copy)]
struct SurfacePass<'a> {
    map: &'a Map,
    directions: &'a Directions,
    with_facing: bool,
}

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

impl Surface {
    /// Boxes, and directions where asked, of every patch and then of every node.
    fn pass(&mut self, given: Positions<'_>, pass: SurfacePass<'_>) {
        let mut bounds = std::mem::take(&mut self.patch_bounds);
        let mut facing = std::mem::take(&mut self.patch_facing);
        let positions = self.positions(given);
        let (patches, map, directions) = (&self.hierarchy.patches, pass.map, pass.directions);
        if pass.with_facing {
            let out = (&mut bounds[..], &mut facing[..]);
            parallel::for_each_chunk_of_two(out, PIECE, |first, bounds, facing| {
                simd::dispatch(FindFacing { patches, positions, map, directions, first, bounds, facing });
            });
        } else {
            parallel::for_each_chunk(&mut bounds, PIECE, |first, out| {
                simd::dispatch(FindBounds { patches, positions, map, first, out });
            });
        }
        (self.patch_bounds, self.patch_facing) = (bounds, facing);
        self.rise(pass.with_facing);
    }

    /// From the patches to the root. Children stand behind their parents.
    fn rise(&mut self, with_facing: bool) {
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate().rev() {
            let patch = node.patches[0] as usize;
            self.bounds[n] = if node.is_leaf() {
                self.patch_bounds[patch]
            } else {
                node.child_range().fold(Aabb32::EMPTY, |b, c| b.union(&self.bounds[c]))
            };
            if with_facing {
                self.facing[n] = match (node.is_region, node.is_leaf()) {
                    (false, _) => Facing::default(),
                    (true, true) => self.patch_facing[patch],
                    (true, false) => node.child_range().fold(Facing::EMPTY, |s, c| s.union(&self.facing[c])),
                };
            }
        }
    }
}
