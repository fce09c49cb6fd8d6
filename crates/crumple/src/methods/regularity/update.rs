//! Following a frame: one pass over the patches, then upward (V13).

use std::collections::BTreeSet;

use super::bounds::find_bounds;
use super::directions::Directions;
use super::facing::{Facing, FindFacing};
use super::hierarchy::Hierarchy;
use super::surfaces::{Due, Lift, Surface, Surfaces};
use crate::budget::Clock;
use crate::geometry::{Aabb, Map, Point, simd};
use crate::{Bodies, Frame, FrameError, Mesh, Positions, parallel};

impl Surfaces {
    /// Builds the bodies that changed, or repairs their hierarchies where `edits` allows it, then finds boxes and, where
    /// bodies will be searched against themselves, directions. Says whether bodies changed.
    pub fn follow(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        edits: Edits,
        build: impl Fn(&Mesh, &[Point]) -> Hierarchy + Copy + Send + 'static,
    ) -> Result<bool, FrameError> {
        frame.check(bodies)?;
        self.list
            .values_mut()
            .iter_mut()
            .for_each(|s| s.due = Some(Due { new_vertices: usize::MAX, ..Due::default() }));
        let is_new = self.list.follow(bodies, |id, surface, before, mesh| {
            let positions = frame.of(id);
            let edited = surface
                .filter(|_| edits == Edits::Repair)
                .zip(before)
                .and_then(|(surface, before)| surface.edited(before, mesh, positions));
            edited.unwrap_or_else(|| Surface::new(mesh, positions, build))
        });
        for ((mesh, surface), positions) in self.list.iter_mut().zip(frame.iter()) {
            if !surface.renew(positions, &build) {
                *surface = Surface::new(mesh, positions, build);
            }
        }
        if frame.is_at_rest() && self.follow_at_rest(frame) {
            return Ok(is_new);
        }
        let mut bounds = frame.bounds();
        let lift = Lift::of(&bounds);
        if let Some(lift) = lift {
            bounds = Aabb { min: lift.apply(&bounds.min), max: lift.apply(&bounds.max) };
        }
        self.map = Map::fitting(&bounds).unwrap_or(Map::IDENTITY);
        self.bounds = bounds;
        let (with_facing, clock) = (self.wants_facing, self.clock);
        for (surface, positions) in self.list.values_mut().iter_mut().zip(frame.iter()) {
            surface.take(positions, lift);
            surface.has_facing = with_facing;
            surface.pass(
                positions,
                SurfacePass { map: &self.map, directions: &self.directions, with_facing, clock },
            );
        }
        Ok(is_new)
    }

    /// Brings what edits changed up to date, when nothing else is due; says whether that was so.
    fn follow_at_rest(&mut self, frame: Frame<'_>) -> bool {
        let surfaces = self.list.values().iter().zip(frame.iter());
        let is_ready = surfaces.clone().all(|(surface, positions)| {
            let Some(due) = &surface.due else { return false };
            let mut new = due.new_vertices.min(positions.len())..positions.len();
            // The map and the bounds on errors hold within the bounds of the frame.
            !surface.is_lifted() && new.all(|v| self.bounds.contains(&positions.get(v)))
        });
        if !is_ready {
            return false;
        }
        let (map, directions, clock) = (&self.map, &self.directions, Clock::default());
        for (surface, positions) in self.list.values_mut().iter_mut().zip(frame.iter()) {
            let Due { patches, leaves, .. } = surface.due.take().unwrap_or_default();
            if leaves.is_empty() {
                continue;
            }
            let pass = SurfacePass { map, directions, with_facing: surface.has_facing, clock };
            surface.take(positions, None);
            surface.pass_over(&patches, positions, pass);
            surface.rise_from(&leaves, surface.has_facing);
        }
        true
    }

    /// Finds the directions that [`Surfaces::follow`] left out, when a query looks within bodies; the next frame
    /// prepares what this query needs.
    pub fn prepare(&mut self, frame: Frame<'_>, within: bool) {
        self.wants_facing = within;
        for (surface, positions) in self.list.values_mut().iter_mut().zip(frame.iter()) {
            if within && !surface.has_facing {
                surface.has_facing = true;
                let (map, directions, clock) = (&self.map, &self.directions, self.clock);
                let pass = SurfacePass { map, directions, with_facing: true, clock };
                surface.pass(positions, pass);
            }
        }
    }
}

/// What becomes of a hierarchy when its body is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edits {
    /// It is repaired where it changed.
    Repair,
    /// It is built anew.
    #[cfg(feature = "published")]
    Rebuild,
}

/// What a pass over a surface needs.
#[derive(Clone, Copy)]
struct SurfacePass<'a> {
    map: &'a Map,
    directions: &'a Directions,
    with_facing: bool,
    /// A pass ends early when it is late.
    clock: Clock,
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
                if pass.clock.is_late() {
                    return;
                }
                simd::dispatch(FindFacing { patches, positions, map, directions, first, bounds, facing });
            });
        } else {
            parallel::for_each_chunk(&mut bounds, PIECE, |first, out| {
                if pass.clock.is_late() {
                    return;
                }
                find_bounds(patches, positions, map, first, out);
            });
        }
        (self.patch_bounds, self.patch_facing) = (bounds, facing);
        self.rise(pass.with_facing);
    }

    /// The same for some patches only, without the nodes.
    fn pass_over(&mut self, some: &[u32], given: Positions<'_>, pass: SurfacePass<'_>) {
        let mut bounds = std::mem::take(&mut self.patch_bounds);
        let mut facing = std::mem::take(&mut self.patch_facing);
        let positions = self.positions(given);
        let (patches, map, directions) = (&self.hierarchy.patches, pass.map, pass.directions);
        for first in some.iter().map(|&p| p as usize) {
            let (bounds, facing) = (&mut bounds[first..first + 1], &mut facing[first..first + 1]);
            if pass.with_facing {
                simd::dispatch(FindFacing { patches, positions, map, directions, first, bounds, facing });
            } else {
                find_bounds(patches, positions, map, first, bounds);
            }
        }
        (self.patch_bounds, self.patch_facing) = (bounds, facing);
    }

    /// From the patches to the root. Children stand behind their parents.
    fn rise(&mut self, with_facing: bool) {
        for n in (0..self.hierarchy.tree.nodes.len()).rev() {
            self.fit(n, with_facing);
        }
    }

    /// From some leaves, and what may be below them since an edit, to the root.
    fn rise_from(&mut self, leaves: &[u32], with_facing: bool) {
        let mut waiting: BTreeSet<usize> = leaves.iter().map(|&n| n as usize).collect();
        while let Some(n) = waiting.pop_last() {
            waiting.insert(self.hierarchy.tree.nodes[n].parent as usize);
            self.fit(n, with_facing);
            if n == 0 {
                return;
            }
        }
    }

    /// Box and directions of a node, from its patch or its children.
    fn fit(&mut self, n: usize, with_facing: bool) {
        let nodes = &self.hierarchy.tree.nodes;
        let node = &nodes[n];
        if node.is_leaf() {
            let patch = node.patches[0] as usize;
            self.bounds[n] = self.patch_bounds[patch];
            if with_facing {
                self.facing[n] = if node.is_region { self.patch_facing[patch] } else { Facing::default() };
            }
            return;
        }
        let kids = node.child_range();
        let (first, others) = self.bounds[kids.clone()].split_first().expect("no leaf");
        self.bounds[n] = others.iter().fold(*first, |all, b| all.union(b));
        if with_facing {
            self.facing[n] = if !node.is_region {
                Facing::default()
            } else if nodes[kids.clone()].iter().all(|kid| kid.is_region) {
                let (first, others) = self.facing[kids].split_first().expect("no leaf");
                others.iter().fold(*first, |all, s| all.union(s))
            } else {
                kids.fold(Facing::EMPTY, |s, c| s.union(&self.facing_of_part(c)))
            };
        }
    }

    /// The directions of a node, whether it is a region or a part of one that outgrew its patch.
    fn facing_of_part(&self, n: usize) -> Facing {
        let node = &self.hierarchy.tree.nodes[n];
        match (node.is_region, node.is_leaf()) {
            (true, _) => self.facing[n],
            (false, true) => self.patch_facing[node.patches[0] as usize],
            (false, false) => node.child_range().fold(Facing::EMPTY, |s, c| s.union(&self.facing_of_part(c))),
        }
    }
}
