//! Rules I and II (V3, V4): regions, and pairs of regions, that cannot collide.
//!
//! Both ask for a direction that every triangle faces, which is a matter of bits, and then for the projected contour:
//! that of the region, or that of the union of two. Regions that touch in vertices only are told apart in the
//! projection. Regions that touch nowhere are left to their boxes: stacked layers face the same way too, and projecting
//! them in vain cost two thirds of a frame on the loop.

use super::simple_polygon::ProjectedContour;
use crate::epoch::Epoch;
use crate::methods::regularity::posed::Posed;

/// What two regions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Common {
    Edge,
    Vertex,
    Nothing,
}

/// Decides certificates. Holds scratch memory only.
#[derive(Debug, Default)]
pub(crate) struct Certifier {
    contour: ProjectedContour,
    marks: Marks,
}

impl Certifier {
    /// Rule I: no two triangles of the region meet beyond what they share.
    pub fn rule_one(&mut self, posed: &Posed<'_>, body: usize, n: usize) -> bool {
        let surface = &posed.surfaces[body];
        let facing = &surface.facing[n];
        let Some(direction) = posed.directions.nearest(facing.bits, &facing.normal) else { return false };
        let project = posed.projection(body, direction);
        self.contour.clear();
        for edges in surface.hierarchy.contours.loops(n) {
            self.contour.add(edges, 0, |_| false, &project);
        }
        self.contour.is_simple()
    }

    /// Rule II: no triangle of one region meets one of the other beyond what they share.
    pub fn rule_two(&mut self, posed: &Posed<'_>, body: usize, [a, b]: [usize; 2]) -> bool {
        let surface = &posed.surfaces[body];
        let hierarchy = &surface.hierarchy;
        let facing = surface.facing[a].union(&surface.facing[b]);
        if facing.bits == 0 {
            return false;
        }
        let common = self.common(posed, body, [a, b]);
        if common == Common::Nothing {
            return false;
        }
        let Some(direction) = posed.directions.nearest(facing.bits, &facing.normal) else { return false };
        let project = posed.projection(body, direction);
        self.contour.clear();
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let other = &hierarchy.tree.nodes[other];
            for edges in hierarchy.contours.loops(own) {
                self.contour.add(edges, region as u8, |outer| other.holds(outer), &project);
            }
        }
        if common == Common::Edge { self.contour.is_simple() } else { self.contour.is_apart() }
    }

    /// What two regions of a body have in common.
    fn common(&mut self, posed: &Posed<'_>, body: usize, [a, b]: [usize; 2]) -> Common {
        let hierarchy = &posed.surfaces[body].hierarchy;
        let edges = |n: usize| hierarchy.contours.edges(n);
        let other = &hierarchy.tree.nodes[b];
        if edges(a).iter().any(|e| other.holds(e.outer)) {
            return Common::Edge;
        }
        let mark = self.marks.next(posed.positions[body].len());
        edges(a).iter().for_each(|e| self.marks.set(e.vertex, mark));
        if edges(b).iter().any(|e| self.marks.is_set(e.vertex, mark)) {
            Common::Vertex
        } else {
            Common::Nothing
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
