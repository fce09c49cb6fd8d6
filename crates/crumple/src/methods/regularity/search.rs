//! The descent (V7): within a region, and between two, until a certificate, a gap or two patches are reached.

use super::contour::Contour;
use super::directions::Directions;
use super::stats::RegularityStats;
use super::surface::Surface;
use super::{Rules, half_edges};
use crate::geometry::Point;
use crate::geometry::lanes::floats::Map;
use crate::geometry::vector::dot;

/// A patch of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PatchRef {
    pub body: u32,
    pub patch: u32,
}

/// Two patches that neither a proof nor a box keeps apart; or one twice.
pub(super) type PatchPair = [PatchRef; 2];

/// What a search looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub surfaces: &'a [Surface],
    pub positions: &'a [&'a [Point]],
    pub map: &'a Map,
    pub directions: &'a Directions,
    pub rules: Rules,
    /// Patches are single triangles.
    pub is_single: bool,
}

/// What a search found, and its scratch memory.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub stats: RegularityStats,
    pub patch_pairs: Vec<PatchPair>,
    contour: Contour,
}

impl Found {
    /// Forgets the last query.
    pub fn clear(&mut self) {
        self.stats = RegularityStats::default();
        self.patch_pairs.clear();
    }
}

/// A search at work.
pub(super) struct Search<'a> {
    pub scene: Scene<'a>,
    pub found: &'a mut Found,
}

impl Search<'_> {
    /// Looks for pairs within a node of a body.
    pub fn within(&mut self, body: usize, n: usize) {
        self.found.stats.calls += 1;
        let surface = &self.scene.surfaces[body];
        let node = &surface.hierarchy.tree.nodes[n];
        if self.is_certified(body, n) {
            self.found.stats.rule_one += 1;
            return;
        }
        if node.is_leaf() {
            if node.size() > 1 {
                self.reach(body, n, body, n);
            }
            return;
        }
        for child in node.child_range() {
            self.within(body, child);
            for other in child + 1..node.child_range().end {
                self.between(body, child, other);
            }
        }
    }

    /// Looks for pairs between two nodes of one body.
    pub fn between(&mut self, body: usize, a: usize, b: usize) {
        self.found.stats.calls += 1;
        let surface = &self.scene.surfaces[body];
        if !surface.bounds[a].overlaps(&surface.bounds[b]) {
            return;
        }
        if self.are_certified(body, a, b) {
            self.found.stats.rule_two += 1;
            return;
        }
        let nodes = &surface.hierarchy.tree.nodes;
        let (na, nb) = (&nodes[a], &nodes[b]);
        if na.is_leaf() && nb.is_leaf() {
            self.reach(body, a, body, b);
        } else if nb.is_leaf() || (!na.is_leaf() && surface.bounds[a].girth() >= surface.bounds[b].girth()) {
            na.child_range().for_each(|child| self.between(body, child, b));
        } else {
            nb.child_range().for_each(|child| self.between(body, a, child));
        }
    }

    /// Looks for pairs between nodes of two bodies.
    pub fn across(&mut self, [body_a, body_b]: [usize; 2], a: usize, b: usize) {
        self.found.stats.calls += 1;
        let (sa, sb) = (&self.scene.surfaces[body_a], &self.scene.surfaces[body_b]);
        if !sa.bounds[a].overlaps(&sb.bounds[b]) {
            return;
        }
        let (na, nb) = (&sa.hierarchy.tree.nodes[a], &sb.hierarchy.tree.nodes[b]);
        if na.is_leaf() && nb.is_leaf() {
            self.reach(body_a, a, body_b, b);
        } else if nb.is_leaf() || (!na.is_leaf() && sa.bounds[a].girth() >= sb.bounds[b].girth()) {
            na.child_range().for_each(|child| self.across([body_a, body_b], child, b));
        } else {
            nb.child_range().for_each(|child| self.across([body_a, body_b], a, child));
        }
    }

    fn reach(&mut self, body_a: usize, a: usize, body_b: usize, b: usize) {
        let patch = |body: usize, n: usize| PatchRef {
            body: body as u32,
            patch: self.scene.surfaces[body].hierarchy.tree.nodes[n].patches[0],
        };
        self.found.patch_pairs.push([patch(body_a, a), patch(body_b, b)]);
    }

    /// Rule I: no two triangles of the region meet beyond what they share.
    fn is_certified(&mut self, body: usize, n: usize) -> bool {
        let surface = &self.scene.surfaces[body];
        let sight = &surface.sights[n];
        if sight.bits == 0 || self.scene.rules == Rules::BoxesOnly {
            return false;
        }
        if self.scene.rules == Rules::AsPublished {
            return true;
        }
        let Some(direction) = self.scene.directions.nearest(sight.bits, &sight.normal) else { return false };
        let project = self.scene.projection(body, direction);
        let contour = &mut self.found.contour;
        contour.clear();
        for steps in surface.hierarchy.outlines.loops(n) {
            contour.add(steps, 0, |_| false, &project);
        }
        contour.is_simple()
    }

    /// Rule II: no triangle of one region meets one of the other beyond what they share.
    fn are_certified(&mut self, body: usize, a: usize, b: usize) -> bool {
        let surface = &self.scene.surfaces[body];
        let sight = surface.sights[a].union(&surface.sights[b]);
        if sight.bits == 0 || self.scene.rules == Rules::BoxesOnly {
            return false;
        }
        let hierarchy = &surface.hierarchy;
        let nodes = &hierarchy.tree.nodes;
        let Some(direction) = self.scene.directions.nearest(sight.bits, &sight.normal) else { return false };
        let project = self.scene.projection(body, direction);
        let contour = &mut self.found.contour;
        contour.clear();
        let mut is_joined = false;
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let is_inner = |place: u32| place != half_edges::NONE && nodes[other].holds(place);
            for steps in hierarchy.outlines.loops(own) {
                is_joined |= contour.add(steps, region as u8, is_inner, &project);
            }
        }
        if is_joined { contour.is_simple() } else { contour.is_apart() }
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
