//! The regions as spheres, and the lines between those that a search compares, by level as in the paper's figure 7.

use super::regions::refit::Now;
use super::regions::{Region, Regions};
use super::search::Side;
use super::{BodyState, DistanceHierarchy};
use crate::budget::Clock;
use crate::geometry::Point;
use crate::narrow::tri_tri_distance;
use crate::{Drawing, Tone, TriangleId};

/// Segments of a circle.
const SEGMENTS: usize = 24;
/// Levels of spheres, from the largest regions down; more hide each other.
const SPHERE_LEVELS: u8 = 2;
/// A level with more lines than this is a tangle, and the last that is drawn.
const LINES: usize = 400;

impl DistanceHierarchy {
    /// Shows the regions as spheres, and what the searches compare as lines.
    pub fn draw(&self, into: &mut Drawing) {
        // Regions that no question has got to since the last update are refitted on the side.
        let fitted: Vec<Option<Regions>> = self.bodies.iter().map(|s| self.fitted(s)).collect();
        let side = |b: usize| {
            let (state, positions) = (&self.bodies[b], &self.positions[..]);
            fitted[b].as_ref().map(|regions| Side::new(state, regions, positions))
        };
        for side in (0..self.bodies.len()).filter_map(side) {
            self.spheres(&side, side.regions.root, 0, into);
        }
        self.draw_lines(into);
    }

    /// Shows only what the searches compare, as lines between middle vertices, level after level, and the closest features.
    pub(crate) fn draw_lines(&self, into: &mut Drawing) {
        for (bodies, pair) in self.records.sorted() {
            let fitted = bodies.map(|b| self.fitted(self.state(b)));
            let [Some(s), Some(t)] = &fitted else { continue };
            let side = |b: usize, regions| Side::new(self.state(bodies[b]), regions, &self.positions);
            self.lines(&[side(0, s), side(1, t)], pair, into);
        }
    }

    /// The regions of a body, all up to date.
    fn fitted(&self, state: &BodyState) -> Option<Regions> {
        let mut regions = state.regions.clone()?;
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        regions.refit(
            regions.root,
            Now { frame: self.frame, positions, map: &self.scale.map, clock: Clock::default() },
        );
        Some(regions)
    }

    fn spheres(&self, side: &Side<'_>, region: Region, level: u8, into: &mut Drawing) {
        let regions = side.regions;
        let centre = side.vertex(regions.middle(region));
        let radius = f64::from(regions.bound(region).radius) / self.scale.map.scale;
        into.points.push((centre, Tone::Level(level)));
        if level > 0 {
            circles(&centre, radius, Tone::Level(level), into);
        }
        if !region.is_block() && level < SPHERE_LEVELS {
            let node = regions.node(region);
            node.child[..node.count].iter().for_each(|&c| self.spheres(side, c, level + 1, into));
        }
    }

    /// Lines between the middle vertices of regions that the recorded distance does not rule out, and the closest
    /// features.
    fn lines(&self, sides: &[Side<'_>; 2], pair: [u32; 2], into: &mut Drawing) {
        let corners = [0, 1].map(|i| sides[i].corners(pair[i]));
        let closest = tri_tri_distance::closest(&corners[0], &corners[1]);
        let limit = self.scale.limit(closest.upper);
        let trees = sides.map(|s| s.regions);
        let mut pairs = vec![trees.map(|t| t.root)];
        for level in 0..u8::MAX {
            pairs = children(trees, &pairs, limit);
            if pairs.is_empty() || pairs.len() > LINES {
                break;
            }
            for regions in &pairs {
                let [p, q] = [0, 1].map(|i| sides[i].vertex(trees[i].middle(regions[i])));
                into.lines.push((p, q, Tone::Level(level)));
            }
        }
        into.lines.push((closest.a.point, closest.b.point, Tone::Hit));
        for i in 0..2 {
            let point = [closest.a.point, closest.b.point][i];
            into.points.push((point, Tone::Hit));
            into.triangles.push((TriangleId(sides[i].state.first_triangle + pair[i]), Tone::Hit));
        }
    }
}

/// The pairs one level further down that are not certainly further apart than the limit; none below two blocks.
fn children(trees: [&Regions; 2], pairs: &[[Region; 2]], limit: f32) -> Vec<[Region; 2]> {
    let below = |tree: usize, region: Region| -> Vec<Region> {
        if region.is_block() {
            return vec![region];
        }
        let node = trees[tree].node(region);
        node.child[..node.count].to_vec()
    };
    let mut out = Vec::new();
    for &[x, y] in pairs.iter().filter(|p| !p.iter().all(|r| r.is_block())) {
        for &c in &below(0, x) {
            let near = |d: &&Region| trees[0].bound(c).distance(trees[1].bound(**d)) <= limit;
            out.extend(below(1, y).iter().filter(near).map(|&d| [c, d]));
        }
    }
    out
}

/// Three circles that stand for a sphere.
fn circles(centre: &Point, radius: f64, tone: Tone, into: &mut Drawing) {
    for axis in 0..3 {
        let at = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / SEGMENTS as f64;
            let mut p = *centre;
            p[(axis + 1) % 3] += radius * angle.cos();
            p[(axis + 2) % 3] += radius * angle.sin();
            p
        };
        into.lines.extend((0..SEGMENTS).map(|i| (at(i), at(i + 1), tone)));
    }
}
