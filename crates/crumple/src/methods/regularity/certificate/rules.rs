//! Rules I and II (V3, V4): regions, and pairs of regions, that cannot collide.
//!
//! Both ask for a direction that every triangle faces, which is a matter of bits, and then for the projected contour:
//! that of the region, or that of the union of two. Regions that touch in vertices only are told apart in the
//! projection. Regions that touch nowhere are left to their boxes: stacked layers face the same way too, and projecting
//! them in vain cost two thirds of a frame on the loop.
//!
//! # Through a step
//! *If every triangle of a region faces one direction at all times of a step, its projected contours neither touch nor
//! cross at any time, and exactly one of them runs counter-clockwise at the start, then no two points of the region meet at
//! any time.* The contours keep their sense of rotation, since the signed area of a simple polygon is continuous in time and
//! never zero. So at each time the theorem for a surface at rest applies (`simple_polygon`): the projection is one to one,
//! and so is the region. ∎ The same for the contour of the union of two regions. Contours are followed in time by the signs of
//! Bernstein ordinates (`plane`).

use super::contour::Projection;
use super::kept::{Kept, KeptContours, Regions};
use super::simple_polygon::{Case, ProjectedContour};
use crate::epoch::Epoch;
use crate::geometry::{Map, Point};
use crate::methods::regularity::directions::Directions;
use crate::methods::regularity::facing::Facing;
use crate::methods::regularity::hierarchy::Hierarchy;

/// Contours of so many points are cut anew in each frame. With 64 a character in motion took 7 % more, a T-shirt 11 %.
const LONG: u32 = 24;

/// What two regions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CommonVertices {
    #[default]
    Edge,
    Vertex,
    Nothing,
}

/// A body as the rules see it, at rest (N = 1) or through a step (N = 2).
#[derive(Clone, Copy)]
pub(crate) struct BodyView<'a, const N: usize> {
    pub hierarchy: &'a Hierarchy,
    /// The directions that each node faces, throughout.
    pub facing: &'a [Facing],
    pub directions: &'a Directions,
    /// Where vertices are, at the start and at the end.
    pub positions: [&'a [Point]; N],
    pub map: &'a Map,
}

impl<'a, const N: usize> BodyView<'a, N> {
    /// The projection of vertices along a direction, in the frame's own scale.
    fn projection(&self, direction: usize) -> Projection<'a, N> {
        Projection { plane: self.directions.plane(direction), map: self.map, positions: self.positions }
    }
}

/// Decides certificates. Holds scratch memory only.
#[derive(Debug, Default)]
pub(crate) struct Certifier<const N: usize> {
    contour: ProjectedContour<N>,
    marks: Marks,
    known: KnownCommons,
    kept: KeptContours,
    /// Points of the contours that were projected; whoever reads it sets it back.
    pub points: u32,
}

impl<const N: usize> Certifier<N> {
    /// Rule I: no two triangles of the region meet beyond what they share.
    pub fn rule_one(&mut self, body: &BodyView<'_, N>, n: usize) -> bool {
        let facing = &body.facing[n];
        let key = (body.hierarchy.version, [n as u32; 2]);
        if self.holds_as_kept(body, facing, key) {
            return true;
        }
        let Some(direction) = body.directions.nearest(facing.bits, &facing.normal) else { return false };
        let projection = body.projection(direction);
        self.contour.clear();
        for edges in body.hierarchy.contours.loops(n) {
            self.contour.add_projected(edges, 0, |_| false, &projection);
        }
        self.decide(Case::Joined, key, direction)
    }

    /// Rule II: no triangle of one region meets one of the other beyond what they share.
    pub fn rule_two(&mut self, body: &BodyView<'_, N>, [a, b]: [usize; 2]) -> bool {
        let facing = body.facing[a].union(&body.facing[b]);
        if facing.bits == 0 {
            return false;
        }
        let key = (body.hierarchy.version, [a as u32, b as u32]);
        if self.holds_as_kept(body, &facing, key) {
            return true;
        }
        let case = match self.common(body, [a, b]) {
            CommonVertices::Nothing => return false,
            CommonVertices::Edge => Case::Joined,
            CommonVertices::Vertex => Case::Apart,
        };
        let Some(direction) = body.directions.nearest(facing.bits, &facing.normal) else { return false };
        let projection = body.projection(direction);
        self.contour.clear();
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let other = &body.hierarchy.tree.nodes[other];
            for edges in body.hierarchy.contours.loops(own) {
                self.contour.add_projected(edges, region as u8, |outer| other.holds(outer), &projection);
            }
        }
        self.decide(case, key, direction)
    }

    /// Tests what was added, and keeps where it was cut if that is worth while.
    fn decide(&mut self, case: Case, key: Regions, direction: usize) -> bool {
        self.points = self.points.saturating_add(self.contour.len());
        let is_certain = self.contour.is_certain(case);
        if is_certain && self.contour.len() > LONG {
            self.kept.set(key, Kept { direction, case, cuts: self.contour.cuts() });
        }
        is_certain
    }

    /// Whether the rule that held in a frame before does so along the same direction, with contours cut as they were then.
    fn holds_as_kept(&mut self, body: &BodyView<'_, N>, facing: &Facing, key: Regions) -> bool {
        let Some(kept) = self.kept.get(key).filter(|kept| facing.bits >> kept.direction & 1 == 1) else {
            return false;
        };
        self.contour.exchange(&mut kept.cuts);
        self.points = self.points.saturating_add(self.contour.len());
        let is_certain = self.contour.is_certain_again(kept.case, &body.projection(kept.direction));
        self.contour.exchange(&mut kept.cuts);
        if !is_certain || kept.cuts.is_worn() {
            self.kept.remove(key);
        }
        is_certain
    }

    /// What two regions of a body have in common.
    fn common(&mut self, body: &BodyView<'_, N>, regions: [usize; 2]) -> CommonVertices {
        let key = (body.hierarchy.version, regions.map(|n| n as u32));
        if let Some(common) = self.known.get(key) {
            return common;
        }
        let common = self.find_common(body, regions);
        self.known.set(key, common);
        common
    }

    fn find_common(&mut self, body: &BodyView<'_, N>, [a, b]: [usize; 2]) -> CommonVertices {
        let hierarchy = body.hierarchy;
        let edges = |n: usize| hierarchy.contours.edges(n);
        let other = &hierarchy.tree.nodes[b];
        if edges(a).iter().any(|e| other.holds(e.outer)) {
            return CommonVertices::Edge;
        }
        let mark = self.marks.next(body.positions[0].len());
        edges(a).iter().for_each(|e| self.marks.set(e.vertex, mark));
        if edges(b).iter().any(|e| self.marks.is_set(e.vertex, mark)) {
            CommonVertices::Vertex
        } else {
            CommonVertices::Nothing
        }
    }
}

/// What regions have in common does not change from frame to frame, and much the same regions are asked about: to find out anew
/// took a fifth of a frame on the loop. What comes later to the same slot takes it.
#[derive(Debug, Default)]
struct KnownCommons(Vec<Known>);

/// Regions by their numbers and the last bits of the version: 16 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    version: u32,
    regions: [u32; 2],
    common: CommonVertices,
}

impl KnownCommons {
    const SLOTS_LOG2: u32 = 15;

    fn slot((version, [a, b]): Regions) -> usize {
        let hash = (version << 40 ^ u64::from(a) << 32 ^ u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - Self::SLOTS_LOG2)) as usize
    }

    fn get(&self, key: Regions) -> Option<CommonVertices> {
        let known = self.0.get(Self::slot(key))?;
        (known.version == key.0 as u32 && known.regions == key.1).then_some(known.common)
    }

    fn set(&mut self, (version, regions): Regions, common: CommonVertices) {
        // No hierarchy has version 0.
        self.0.resize(1 << Self::SLOTS_LOG2, Known::default());
        self.0[Self::slot((version, regions))] = Known { version: version as u32, regions, common };
    }
}

/// Marks on vertices, forgotten all at once.
#[derive(Debug, Default)]
struct Marks {
    of: Vec<u32>,
    epoch: Epoch,
}

impl Marks {
    /// A mark that no vertex has; there are `n`.
    fn next(&mut self, n: usize) -> u32 {
        if self.of.len() < n {
            self.of.resize(n, 0);
        }
        self.epoch.advance(|| self.of.fill(0));
        self.epoch.stamp()
    }

    #[inline]
    fn set(&mut self, vertex: u32, mark: u32) {
        self.of[vertex as usize] = mark;
    }

    #[inline]
    fn is_set(&self, vertex: u32, mark: u32) -> bool {
        self.of[vertex as usize] == mark
    }
}
