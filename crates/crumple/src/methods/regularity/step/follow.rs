//! Taking in a step: positions at both ends, boxes at both ends, and the directions that regions face throughout.
//!
//! # When a bit is certain
//! As for a frame ([`facing`](crate::methods::regularity::facing)), with M the largest of both ends. The mixed normal, half the
//! sum of two cross products, is off by 48uM² as they are and by 8uM² from the rounding of the sum, a component of which is at
//! most 16M²: times √3 less than 98uM², which the 100 there covers.

use std::collections::BTreeSet;

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
    /// The map of the boxes, and what edits changed since they were found; `None` when all are due.
    due: Option<(Map, DueBoxes)>,
}

/// Parts of a surface that are due.
#[derive(Debug, Default)]
struct DueBoxes {
    patches: Vec<u32>,
    leaves: Vec<u32>,
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
            due: None,
            hierarchy,
        }
    }

    /// Follows an edit at its cost, with the body where `positions` are; `None` when the hierarchy must be built anew, which it must
    /// at once when it is worn: a step has no background.
    fn edited(mut self, before: &Mesh, now: &Mesh, positions: &[Point]) -> Option<Self> {
        let ids = &now.changed_since(before)?.triangles[..];
        let repaired = self.hierarchy.repair(&Edited { before, now, ids, positions })?;
        if self.hierarchy.is_worn() {
            return None;
        }
        self.representatives.follow(before, now, &Fates::of(before, now, ids));
        self.boxes.splice(0..0, std::iter::repeat_n(MovingBox::EMPTY, repaired.before));
        self.facing.splice(0..0, std::iter::repeat_n(Facing::default(), repaired.before));
        if let Some((_, due)) = &mut self.due {
            *due = DueBoxes { patches: repaired.patches, leaves: repaired.leaves };
        }
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
        (0..self.hierarchy.tree.nodes.len()).rev().for_each(|n| self.fit_node(n));
        self.due = Some((*map, DueBoxes::default()));
    }

    /// The same where the boxes are those of this step and map but for what edits changed, at their cost; says whether that was so.
    fn refit_edited(&mut self, ends: [&[Point]; 2], map: &Map, directions: &Directions) -> bool {
        let Some((_, due)) = self.due.as_mut().filter(|(of_boxes, _)| of_boxes == map) else { return false };
        let DueBoxes { patches: some, leaves } = std::mem::take(due);
        let patches = &self.hierarchy.patches;
        for first in some.into_iter().map(|patch| patch as usize) {
            let boxes = &mut self.patch_boxes[first..=first];
            // Directions are found with the boxes; where none are wanted they do no harm.
            let facing = &mut self.patch_facing[first..=first];
            simd::dispatch(FindMovingFacing { patches, ends, map, directions, first, boxes, facing });
        }
        let mut waiting: BTreeSet<u32> = leaves.into_iter().collect();
        while let Some(n) = waiting.pop_last() {
            let parent = self.hierarchy.tree.nodes[n as usize].parent;
            waiting.extend((n != parent).then_some(parent));
            self.fit_node(n as usize);
        }
        true
    }

    /// Box and directions of a node, from its patch or its children.
    fn fit_node(&mut self, n: usize) {
        let node = &self.hierarchy.tree.nodes[n];
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

impl RegularityStep {
    /// Takes in a step, from `step.before()` to `step`. Meshes that are the same version as before are not built again, and edits
    /// are followed. A step [at rest](Frame::at_rest) costs the edits.
    pub fn update(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<(), Error> {
        let bounds = step.before().map_or(Aabb::EMPTY, |before| before.bounds()).union(&step.bounds());
        let lift = Lift::of(&bounds);
        let is_at_rest = step.is_at_rest()
            && !(self.is_lifted || lift.is_some())
            && self.surfaces.are_in_place(bodies)
            && self.step.take_edited(bodies, step)?;
        if !is_at_rest {
            self.step.take(bodies, step, lift.map(|lift| move |p: &Point| lift.apply(p)))?;
            self.is_lifted = lift.is_some();
            self.surfaces.values_mut().iter_mut().for_each(|surface| surface.due = None);
        }
        let (step, patch) = (&self.step, self.patch);
        self.surfaces.follow(bodies, |body, surface, before, mesh| {
            let start = step.ends(body.index())[0];
            let edited =
                surface.zip(before).and_then(|(surface, before)| surface.edited(before, mesh, start));
            edited.unwrap_or_else(|| MovingSurface::new(mesh, start, patch))
        });
        for (body, surface) in self.surfaces.values_mut().iter_mut().enumerate() {
            let ends = self.step.ends(body);
            if !surface.refit_edited(ends, &self.step.map, &self.directions) {
                surface.refit(ends, &self.step.map, self.wants_facing.then_some(&self.directions));
            }
        }
        Ok(())
    }

    /// Finds the directions that [`RegularityStep::update`] left out, when a question looks within bodies; the next step prepares
    /// what this question needs.
    pub(super) fn prepare(&mut self, within: bool) {
        self.wants_facing = within;
        let surfaces = self.surfaces.values_mut().iter_mut().enumerate();
        for (body, surface) in surfaces.filter(|(_, surface)| within && !surface.has_facing) {
            surface.refit(self.step.ends(body), &self.step.map, Some(&self.directions));
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
