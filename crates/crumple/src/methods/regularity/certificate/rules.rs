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

use super::plane::Track;
use super::simple_polygon::ProjectedContour;
use crate::epoch::Epoch;
use crate::geometry::vector::dot;
use crate::geometry::{Map, Point};
use crate::methods::regularity::directions::Directions;
use crate::methods::regularity::facing::Facing;
use crate::methods::regularity::hierarchy::Hierarchy;

/// What two regions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommonVertices {
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
    fn projection(&self, direction: usize) -> impl Fn(u32) -> Track<N> + use<'a, N> {
        let [x, y] = *self.directions.plane(direction);
        let (Map { origin, scale }, positions) = (*self.map, self.positions);
        // A loop: what `array::map` is given becomes a call for every vertex.
        move |v| {
            let mut track = [[0.0; 2]; N];
            for i in 0..N {
                let p = &positions[i][v as usize];
                let d = [(p[0] - origin[0]) * scale, (p[1] - origin[1]) * scale, (p[2] - origin[2]) * scale];
                track[i] = [dot(&x, &d), dot(&y, &d)];
            }
            track
        }
    }
}

/// Decides certificates. Holds scratch memory only.
#[derive(Debug, Default)]
pub(crate) struct Certifier<const N: usize> {
    contour: ProjectedContour<N>,
    marks: Marks,
    /// Points of the contours that were projected; whoever reads it sets it back.
    pub points: u32,
}

impl<const N: usize> Certifier<N> {
    /// Rule I: no two triangles of the region meet beyond what they share.
    pub fn rule_one(&mut self, body: &BodyView<'_, N>, n: usize) -> bool {
        let facing = &body.facing[n];
        let Some(direction) = body.directions.nearest(facing.bits, &facing.normal) else { return false };
        let project = body.projection(direction);
        self.contour.clear();
        for edges in body.hierarchy.contours.loops(n) {
            self.contour.add(edges, 0, |_| false, &project);
        }
        self.points = self.points.saturating_add(self.contour.len());
        self.contour.is_simple()
    }

    /// Rule II: no triangle of one region meets one of the other beyond what they share.
    pub fn rule_two(&mut self, body: &BodyView<'_, N>, [a, b]: [usize; 2]) -> bool {
        let facing = body.facing[a].union(&body.facing[b]);
        if facing.bits == 0 {
            return false;
        }
        let common = self.common(body, [a, b]);
        if common == CommonVertices::Nothing {
            return false;
        }
        let Some(direction) = body.directions.nearest(facing.bits, &facing.normal) else { return false };
        let project = body.projection(direction);
        self.contour.clear();
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let other = &body.hierarchy.tree.nodes[other];
            for edges in body.hierarchy.contours.loops(own) {
                self.contour.add(edges, region as u8, |outer| other.holds(outer), &project);
            }
        }
        self.points = self.points.saturating_add(self.contour.len());
        if common == CommonVertices::Edge { self.contour.is_simple() } else { self.contour.is_apart() }
    }

    /// What two regions of a body have in common.
    fn common(&mut self, body: &BodyView<'_, N>, [a, b]: [usize; 2]) -> CommonVertices {
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
