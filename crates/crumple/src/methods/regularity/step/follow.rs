//! Taking in a step: positions at both ends, boxes at both ends, and the directions that regions face throughout.
//!
//! # When a bit is certain
//! As for a frame ([`facing`](crate::methods::regularity::facing)), with M the largest of both ends. The mixed normal, half the
//! sum of two cross products, is off by 48uM² as they are and by 8uM² from the rounding of the sum, a component of which is at
//! most 16M²: times √3 less than 98uM², which the 100 there covers.

use super::RegularityStep;
use crate::geometry::simd::{
    self, F32x8, Kernel, NormalBounds, Simd, WIDTH, add3, cross3, edges, scale3, short_row,
};
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::mesh::Fates;
use crate::methods::regularity::bounds::find_bounds;
use crate::methods::regularity::directions::Directions;
use crate::methods::regularity::facing::{Facing, localise};
use crate::methods::regularity::hierarchy::{Edited, Hierarchy};
use crate::methods::regularity::patch_vertices::{NO_VERTICES, prefetch};
use crate::methods::regularity::surfaces::Lift;
use crate::methods::swept_bvh::moving_box::MovingBox;
use crate::methods::swept_bvh::representatives::Representatives;
use crate::patches::Patches;
use crate::{Bodies, Error, Frame, Mesh, parallel};

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

/// One body.
#[derive(Debug)]
pub(crate) struct MovingSurface {
    pub hierarchy: Hierarchy,
    pub representatives: Representatives,
    /// The boxes of each node.
    pub boxes: Vec<MovingBox>,
    /// The directions that each node faces throughout; valid when `has_facing`.
    pub facing: Vec<Facing>,
    has_facing: bool,
    patch_boxes: Vec<[Aabb32; 2]>,
    patch_facing: Vec<Facing>,
}

impl MovingSurface {
    fn new(mesh: &Mesh, positions: &[Point], patch: usize) -> Self {
        let hierarchy = Hierarchy::new(mesh, positions, patch);
        let (nodes, patches) = (hierarchy.tree.nodes.len(), hierarchy.patches.len());
        Self {
            representatives: Representatives::new(mesh),
            boxes: vec![MovingBox::EMPTY; nodes],
            facing: vec![Facing::default(); nodes],
            has_facing: false,
            patch_boxes: vec![[Aabb32::EMPTY; 2]; patches],
            patch_facing: vec![Facing::default(); patches],
            hierarchy,
        }
    }

    /// Follows an edit at its cost, with the body where `positions` are; `None` when the hierarchy must be built anew, which it must
    /// at once when it is worn: a step has no background.
    fn edited(mut self, before: &Mesh, now: &Mesh, positions: &[Point]) -> Option<Self> {
        let ids = &now.changed_since(before)?.triangles[..];
        self.hierarchy.repair(&Edited { before, now, ids, positions })?;
        if self.hierarchy.is_worn() {
            return None;
        }
        self.representatives.follow(before, now, &Fates::of(before, now, ids));
        let (nodes, patches) = (self.hierarchy.tree.nodes.len(), self.hierarchy.patches.len());
        self.boxes.resize(nodes, MovingBox::EMPTY);
        self.facing.resize(nodes, Facing::default());
        self.patch_boxes.resize(patches, [Aabb32::EMPTY; 2]);
        self.patch_facing.resize(patches, Facing::default());
        Some(self)
    }

    /// Boxes, and directions where asked, of every patch and then of every node.
    fn refit(&mut self, ends: [&[Point]; 2], map: &Map, directions: Option<&Directions>) {
        let patches = &self.hierarchy.patches;
        self.has_facing = directions.is_some();
        if let Some(directions) = directions {
            let out = (&mut self.patch_boxes[..], &mut self.patch_facing[..]);
            parallel::for_each_chunk_of_two(out, PIECE, |first, boxes, facing| {
                simd::dispatch(FindMovingFacing { patches, ends, map, directions, first, boxes, facing });
            });
        } else {
            parallel::for_each_chunk(&mut self.patch_boxes, PIECE, |first, boxes| {
                for (i, of_patch) in boxes.iter_mut().enumerate() {
                    for (positions, out) in ends.into_iter().zip(of_patch) {
                        let out = std::slice::from_mut(out);
                        find_bounds(patches, positions, map, first + i, out);
                    }
                }
            });
        }
        // Children stand behind their parents.
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate().rev() {
            let patch = node.patches[0] as usize;
            self.boxes[n] = if node.is_leaf() {
                let [start, end] = self.patch_boxes[patch];
                MovingBox { start, end }
            } else {
                node.child_range().fold(MovingBox::EMPTY, |all, c| all.union(&self.boxes[c]))
            };
            self.facing[n] = match (node.is_region, node.is_leaf()) {
                (true, true) => self.patch_facing[patch],
                (true, false) => node.child_range().fold(Facing::EMPTY, |all, c| all.union(&self.facing[c])),
                (false, _) => Facing::default(),
            };
        }
    }
}

impl RegularityStep {
    /// Takes in a step, from `step.before()` to `step`. Meshes that are the same version as before are not built again, and edits
    /// are followed.
    pub fn update(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<(), Error> {
        let bounds = step.before().map_or(Aabb::EMPTY, |before| before.bounds()).union(&step.bounds());
        let lift = Lift::of(&bounds);
        self.step.take(bodies, step, lift.map(|lift| move |p: &Point| lift.apply(p)))?;
        let (step, patch) = (&self.step, self.patch);
        self.surfaces.follow(bodies, |body, surface, before, mesh| {
            let start = step.ends(body.index())[0];
            let edited =
                surface.zip(before).and_then(|(surface, before)| surface.edited(before, mesh, start));
            edited.unwrap_or_else(|| MovingSurface::new(mesh, start, patch))
        });
        self.refit(self.wants_facing, |_| true);
        Ok(())
    }

    /// Finds the directions that [`RegularityStep::update`] left out, when a question looks within bodies; the next step prepares
    /// what this question needs.
    pub(super) fn prepare(&mut self, within: bool) {
        self.wants_facing = within;
        if within {
            self.refit(true, |surface| !surface.has_facing);
        }
    }

    fn refit(&mut self, with_facing: bool, is_due: impl Fn(&MovingSurface) -> bool) {
        let directions = with_facing.then_some(&self.directions);
        for (body, surface) in self.surfaces.values_mut().iter_mut().enumerate().filter(|(_, s)| is_due(s)) {
            surface.refit(self.step.ends(body), &self.step.map, directions);
        }
    }
}

/// The boxes of a run of patches at both ends, and the directions that they face throughout.
pub(crate) struct FindMovingFacing<'a> {
    pub patches: &'a Patches,
    pub ends: [&'a [Point]; 2],
    pub map: &'a Map,
    pub directions: &'a Directions,
    /// The first patch of the run.
    pub first: usize,
    pub boxes: &'a mut [[Aabb32; 2]],
    pub facing: &'a mut [Facing],
}

impl Kernel for FindMovingFacing<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut local = [NO_VERTICES; 2];
        let half = S::F32x8::splat(simd, 0.5);
        for (i, (boxes, facing)) in self.boxes.iter_mut().zip(self.facing).enumerate() {
            let patch = self.first + i;
            let vertices = self.patches.vertices(patch);
            if vertices.is_empty() {
                (*boxes, *facing) = ([Aabb32::EMPTY; 2], Facing::EMPTY);
                continue;
            }
            let mut reach = 0f32;
            for end in 0..2 {
                let positions = self.ends[end];
                prefetch(simd, self.patches, positions, patch + 1);
                reach = reach.max(localise(
                    simd,
                    vertices,
                    positions,
                    self.map,
                    &mut boxes[end],
                    &mut local[end],
                ));
            }
            let mut normals = NormalBounds::<S>::new(simd);
            for some in self.patches.corners(patch).chunks(WIDTH) {
                let (eight, short);
                if let Ok(full) = some.try_into() {
                    eight = full;
                } else {
                    short = short_row(some);
                    eight = &short;
                }
                let [u0, v0] = edges(simd, &local[0], eight);
                let [u1, v1] = edges(simd, &local[1], eight);
                normals.add(simd, cross3(u0, v0));
                normals.add(simd, cross3(u1, v1));
                let mixed = add3(cross3(u0, v1), cross3(u1, v0));
                normals.add(simd, scale3(mixed, half));
            }
            *facing = Facing::of(simd, &normals.reduce(), reach, self.directions);
        }
    }
}
