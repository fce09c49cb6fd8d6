//! What hits what during a step, by shape regularity over time.
//!
//! All vertices move on straight lines, together, from where they are at t = 0 to where they are at t = 1. The question is
//! that of [`swept_bvh`](crate::methods::swept_bvh), and so are the leaves: features of two patches, eight boxes at a time,
//! streamed through the exact narrow phase. What is different is how few leaves are reached. A BVH must open every patch,
//! and every pair of neighbouring patches, since their boxes meet at the seam; here the rules of this method dismiss whole
//! regions of a smooth surface, for all times at once.
//!
//! # The rules over a step
//! **Facing.** A triangle with edges a(t) = (1 − t) a₀ + t a₁ and b(t), likewise, has the normal
//! n(t) = a × b = (1 − t)² n₀ + 2t(1 − t) nₘ + t² n₁ with n₀ = a₀ × b₀, n₁ = a₁ × b₁, nₘ = ½ (a₀ × b₁ + a₁ × b₀). The weights are
//! not negative and sum to 1: if n₀, nₘ and n₁ have positive dot products with a direction, so has n(t) at all times. The two
//! ends do not suffice; a triangle may turn over and back. So the bits of a patch come from the box of all three unit vectors of
//! its triangles (`follow.rs`), and go upward as those of a frame do.
//!
//! **Rule I.** *If every triangle of a region faces one direction at all times, its projected contours neither touch nor cross
//! at any time, and exactly one of them runs counter-clockwise at the start, then no two points of the region meet at any
//! time.* While contours are simple and disjoint their signed areas, continuous in time, do not vanish; so they keep their sense
//! of rotation, and at each time the theorem for a surface at rest applies: the projection covers each point once at most, hence
//! is one to one on the region, and so is the region itself. ∎ **Rule II** is the same for the contour of the union of two regions.
//!
//! **Contours over time.** A star-shaped contour is the simplest: if about a centre that moves on a straight line every contour edge
//! turns counter-clockwise at all times (three positive Bernstein ordinates of a quadratic), and the contour winds once round it
//! at the start, then it is simple throughout, since the polar angle grows along it and the winding number, an integer, cannot
//! change while the centre is not on the contour. ∎ But contours run along edges of triangles, in zigzag: one in twenty is
//! star-shaped. So the general test is made to work over time instead (`certificate`): runs that
//! advance in one direction at both ends are free of crossings, and of other edges each pair is separated by an axis at both
//! ends or by the line of one of them at all times. What is star-shaped passes it too. Where it fails, the search descends.
//!
//! What is certified may be passed over: the mesh theorem of `narrow::continuous` asks for pairs of
//! features of two triangles only, and a pair of features is looked for where the patches to which the two belong meet. If these are in one
//! certified region, or in two whose union is certified, the features do not meet.
//!
//! # The way of a step
//! | step | file |
//! | --- | --- |
//! | positions, boxes at both ends, directions faced throughout | `follow.rs` |
//! | pairs of nodes: boxes over time, rules over time, down to patches | `descent.rs` |
//! | pairs of patches, the earliest impact | [`swept_bvh`](crate::methods::swept_bvh) |
//!
//! # Invariants
//! I1. After [`RegularityStep::update`] the boxes of a node hold the images of its vertices, at the start and at the end.
//! I2. A set bit means that every triangle of the region faces that direction at all times of the step.
//! I3. Every used vertex, every edge and every triangle (but copies) belongs to exactly one patch, and a pair of patches is
//! reached at most once. After an edit, too: the hierarchy is repaired as that of a frame is, and built anew when it is worn.
//! I4. Answers depend on the step only: not on steps before, nor on threads.
//!
//! # Cost
//! follow O(n), 24 ns a triangle, or O(k log n) after edits of k triangles in a step [at rest](crate::Frame::at_rest) · question O(k log n + c) as for a frame, k triangles that nearly hit something during the step ·
//! memory about 150 bytes a triangle; candidates are never kept.
//!
//! Milliseconds a step with follow, all impacts and the first alone, one thread of an AMD EPYC that was busy, impacts of
//! one or two steps (`CRUMPLE_DATA=DIR cargo test --release -p crumple --test continuous -- --ignored timing --nocapture`):
//!
//! | scene | triangles | impacts | boxes alone: all, first | this: all, first |
//! | --- | --: | --: | --: | --: |
//! | sphere-320k | 327,680 | 0 | 145, 151 | 10.3, 9.9 |
//! | loop-320k | 320,000 | 51,749 | 241, 175 | 86, 17 |
//! | drape-large | 167,000 | 50,657 | 148, 113 | 85, 40 |
//! | near-10obj | 16,560 | 0 | 8.5, 8.4 | 6.7, 7.0 |
//! | crumple-100k | 100,352 | 89,033 | 233, 101 | 203, 83 |
//! | rod-twist (published) | 79,864 | 4,944 | 226, 200 | 221, 181 |
//! | cloth-ball (published) | 92,230 | 113,854 | 440, 143 | 591, 217 |
//!
//! The last one is a cloth crumpled into layers, where no region is smooth and patches of neighbours have looser boxes than
//! patches of triangles that are near each other. A [`Scene`](crate::Scene) counts the work of both ways and takes the other
//! where it is less.

mod descent;
mod follow;
#[cfg(test)]
mod tests;

use self::descent::{MovingSearch, ProvedThroughout, StepRules, StepScratch};
use self::follow::MovingSurface;
use super::certificate::BodyView;
use super::directions::{Directions, MAX_DIRECTIONS};
use crate::mesh::PerBody;
use crate::methods::swept_bvh::earliest::{Horizon, choose, time_of};
use crate::methods::swept_bvh::leaves::{Ask, Leaves};
use crate::methods::swept_bvh::taken::TakenStep;
use crate::methods::swept_bvh::work::Work;
use crate::patches::MAX_TRIANGLES;
use crate::{BodyId, Features, Impact, Pairs, TriangleId, parallel};

/// Triangles in a patch. With 64 the sphere of the table takes 14.5 ms instead of 10.3, the others the same within 8 %.
const PATCH: usize = 32;

/// Nanoseconds to a triangle that are much for a question; taking in a step has 24.
const MUCH: f64 = 60.0;

/// Finds what hits what during a step, see [the page](self).
#[derive(Debug)]
pub struct RegularityStep {
    /// Triangles of a patch.
    patch: usize,
    surfaces: PerBody<MovingSurface>,
    directions: Directions,
    step: TakenStep,
    /// Whether its positions are scaled.
    is_lifted: bool,
    /// Whether the last question looked within bodies, for which the next step prepares directions.
    wants_facing: bool,
    scratch: StepScratch,
    work: Work,
}

impl Default for RegularityStep {
    fn default() -> Self {
        Self::with_patch_size(PATCH)
    }
}

impl RegularityStep {
    /// The method's name, as the program spells it.
    pub const NAME: &'static str = "regularity";

    /// Patches of at most that many triangles, from 1 to 64; others are clamped. Answers do not depend on it.
    #[doc(hidden)]
    pub fn with_patch_size(triangles: usize) -> Self {
        Self {
            patch: triangles.clamp(1, MAX_TRIANGLES),
            surfaces: PerBody::default(),
            directions: Directions::new(MAX_DIRECTIONS),
            step: TakenStep::default(),
            is_lifted: false,
            wants_facing: true,
            scratch: StepScratch::default(),
            work: Work::default(),
        }
    }

    /// What the last question cost, roughly in nanoseconds; the same on any machine.
    pub(crate) fn cost(&self) -> f64 {
        self.work.cost(1500.0)
    }

    /// Whether the last question was so much work that boxes may do with less: it came to more pairs of patches than there are
    /// patches, or the rules took longer than taking in the step.
    pub(crate) fn is_rough(&self) -> bool {
        let patches: usize = self.surfaces.values().iter().map(|s| s.hierarchy.patches.len()).sum();
        self.work.patches as usize > patches || self.cost() > MUCH * self.step.triangle_count() as f64
    }

    /// Replaces `out` by all impacts of the step within or between bodies, sorted by their features. Only pairs of bodies that
    /// `allows` are searched; a body against itself is asked for as a pair too.
    pub fn impacts(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        out: &mut Vec<Impact>,
    ) {
        *out = self.search(pairs, allows, &Horizon::all());
        self.add_copies(out);
        out.sort_unstable_by_key(|impact| impact.features);
        debug_assert!(out.is_sorted_by(|a, b| a.features < b.features), "each pair once");
    }

    /// The earliest impact of the step. Its time holds the first contact of all; where several pairs may be the
    /// first, the least by features is told.
    pub fn first(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
    ) -> Option<Impact> {
        let horizon = Horizon::first();
        // A copy has a larger number than its first, so the least by features is never one.
        let found = self.search(pairs, allows, &horizon);
        let corners = |t| self.step.corners(self.surfaces.meshes(), t);
        choose(&found, &horizon, |features| time_of(features, corners, [&self.step.start, &self.step.end]))
    }

    fn search(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        horizon: &Horizon,
    ) -> Vec<Impact> {
        self.search_by(&ProvedThroughout, pairs, allows, horizon)
    }

    fn search_by(
        &mut self,
        rules: &impl StepRules,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        horizon: &Horizon,
    ) -> Vec<Impact> {
        self.prepare(pairs.within());
        let epoch = self.step.next_epoch();
        let roots = self.step.roots(pairs, allows, None);
        let (step, directions, surfaces) = (&self.step, &self.directions, self.surfaces.values());
        let (mut sides, mut views) = (Vec::new(), Vec::new());
        for (body, MovingSurface { hierarchy, representatives, facing, .. }) in surfaces.iter().enumerate() {
            sides.push(step.side(body, &hierarchy.patches, representatives, 0.0));
            let (positions, map) = (step.ends(body), &step.map);
            views.push(BodyView { hierarchy, facing, directions, positions, map });
        }
        let (start, end) = (&step.start[..], &step.end[..]);
        let leaves = Leaves { sides: &sides, start, end, horizon, ask: Ask::Touch, epoch };
        let search = MovingSearch { rules, surfaces, views: &views, leaves };
        let count = if parallel::threads() == 1 { 1 } else { 32 * parallel::threads() };
        let tasks = search.tasks(roots, count, &mut self.scratch);
        let parts = parallel::map(tasks, &mut self.scratch, |scratch, pair| search.run(pair, scratch));
        let (mut found, mut work) = (Vec::new(), Work::default());
        for (impacts, of_part) in parts {
            found.extend(impacts);
            work += of_part;
        }
        self.work = work;
        found
    }

    /// Adds what hits the copies of triangles that were hit.
    fn add_copies(&self, impacts: &mut Vec<Impact>) {
        for (body, surface) in self.surfaces.values().iter().enumerate() {
            let (copies, triangles) = (&surface.hierarchy.copies, self.step.triangles(body));
            if copies.is_empty() {
                continue;
            }
            for i in 0..impacts.len() {
                let Impact { features: Features::VertexTriangle(v, t), time } = impacts[i] else { continue };
                if triangles.contains(&t.0) {
                    let of_it = copies.of(t.0 - triangles.start).iter();
                    impacts.extend(of_it.map(|c| Impact {
                        features: Features::VertexTriangle(v, TriangleId(triangles.start + c)),
                        time,
                    }));
                }
            }
        }
    }
}
