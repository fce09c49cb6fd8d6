//! Rules I and II (V3, V4): regions, and pairs of regions, that cannot collide.
//!
//! Both ask for a direction that every triangle faces, which is a matter of bits, and then for the projected contour:
//! that of the region, or that of the union of two. Regions that touch in vertices only are told apart in the
//! projection. Regions that touch nowhere are left to their boxes: stacked layers face the same way too, and projecting
//! them in vain cost two thirds of a frame on the loop.

use super::simple_polygon::Contour;
use crate::epoch::Epoch;
use crate::geometry::vector::dot;
use crate::methods::regularity::Rules;
use crate::methods::regularity::search::Scene;

/// What two regions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Edge,
    Vertex,
    Nowhere,
}

/// Decides certificates. Holds scratch memory only.
#[derive(Debug, Default)]
pub(crate) struct Certifier {
    contour: Contour,
    marks: Marks,
}

impl Certifier {
    /// Rule I: no two triangles of the region meet beyond what they share.
    pub fn is_certified(&mut self, scene: &Scene<'_>, body: usize, n: usize) -> bool {
        let surface = &scene.surfaces[body];
        let sight = &surface.sights[n];
        match scene.rules {
            _ if sight.bits == 0 => return false,
            Rules::BoxesOnly => return false,
            Rules::AsPublished => return true,
            Rules::Proved => {}
        }
        let Some(direction) = scene.directions.nearest(sight.bits, &sight.normal) else { return false };
        let project = scene.projection(body, direction);
        self.contour.clear();
        for steps in surface.hierarchy.outlines.loops(n) {
            self.contour.add(steps, 0, |_| false, &project);
        }
        self.contour.is_simple()
    }

    /// Rule II: no triangle of one region meets one of the other beyond what they share.
    pub fn are_certified(&mut self, scene: &Scene<'_>, body: usize, a: usize, b: usize) -> bool {
        let surface = &scene.surfaces[body];
        let hierarchy = &surface.hierarchy;
        let sight = surface.sights[a].union(&surface.sights[b]);
        match scene.rules {
            _ if sight.bits == 0 => return false,
            Rules::BoxesOnly => return false,
            Rules::AsPublished => {
                return hierarchy.labels.as_ref().is_some_and(|l| l.are_adjacent(hierarchy, a, b));
            }
            Rules::Proved => {}
        }
        let touch = self.touch(scene, body, a, b);
        if touch == Touch::Nowhere {
            return false;
        }
        let Some(direction) = scene.directions.nearest(sight.bits, &sight.normal) else { return false };
        let project = scene.projection(body, direction);
        self.contour.clear();
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let other = &hierarchy.tree.nodes[other];
            for steps in hierarchy.outlines.loops(own) {
                self.contour.add(steps, region as u8, |outer| other.holds(outer), &project);
            }
        }
        if touch == Touch::Edge { self.contour.is_simple() } else { self.contour.is_apart() }
    }

    /// Whether two regions of a body have an edge or a vertex in common.
    fn touch(&mut self, scene: &Scene<'_>, body: usize, a: usize, b: usize) -> Touch {
        let hierarchy = &scene.surfaces[body].hierarchy;
        let steps = |n: usize| hierarchy.outlines.steps(n);
        let other = &hierarchy.tree.nodes[b];
        if steps(a).iter().any(|s| other.holds(s.outer)) {
            return Touch::Edge;
        }
        let mark = self.marks.next(scene.positions[body].len());
        steps(a).iter().for_each(|s| self.marks.set(s.vertex, mark));
        if steps(b).iter().any(|s| self.marks.is_set(s.vertex, mark)) {
            Touch::Vertex
        } else {
            Touch::Nowhere
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

impl<'a> Scene<'a> {
    /// The projection of a body's vertices along a direction, in the frame's own scale.
    fn projection(&self, body: usize, direction: usize) -> impl Fn(u32) -> [f64; 2] + use<'a> {
        let [x, y] = *self.directions.plane(direction);
        let (map, positions) = (self.map, self.positions[body]);
        move |v| {
            let p = &positions[v as usize];
            let d = std::array::from_fn(|k| (p[k] - map.origin[k]) * map.scale);
            [dot(&x, &d), dot(&y, &d)]
        }
    }
}
