//! The descent (V7): within a region, and between two, until a certificate, a gap or two patches are reached.

use super::Rules;
use super::contour::Contour;
use super::directions::Directions;
use super::stats::RegularityStats;
use super::surface::Surface;
use crate::epoch::Epoch;
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
    marks: Marks,
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
        let touch = self.touch(body, a, b);
        if touch == Touch::Nowhere {
            return false;
        }
        let hierarchy = &surface.hierarchy;
        let nodes = &hierarchy.tree.nodes;
        let Some(direction) = self.scene.directions.nearest(sight.bits, &sight.normal) else { return false };
        let project = self.scene.projection(body, direction);
        let contour = &mut self.found.contour;
        contour.clear();
        for (region, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let is_inner = |place: u32| nodes[other].holds(place);
            for steps in hierarchy.outlines.loops(own) {
                contour.add(steps, region as u8, is_inner, &project);
            }
        }
        if touch == Touch::Edge { contour.is_simple() } else { contour.is_apart() }
    }

    /// Whether two regions of a body have an edge or a vertex in common.
    fn touch(&mut self, body: usize, a: usize, b: usize) -> Touch {
        let hierarchy = &self.scene.surfaces[body].hierarchy;
        let steps = |n: usize| hierarchy.outlines.steps(n);
        let other = &hierarchy.tree.nodes[b];
        if steps(a).iter().any(|s| other.holds(s.outer)) {
            return Touch::Edge;
        }
        let mark = self.found.marks.next(self.scene.positions[body].len());
        steps(a).iter().for_each(|s| self.found.marks.set(s.vertex, mark));
        if steps(b).iter().any(|s| self.found.marks.is_set(s.vertex, mark)) {
            Touch::Vertex
        } else {
            Touch::Nowhere
        }
    }
}

/// What two regions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Touch {
    Edge,
    Vertex,
    Nowhere,
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

    fn set(&mut self, vertex: u32, mark: u32) {
        self.of[vertex as usize] = mark;
    }

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
