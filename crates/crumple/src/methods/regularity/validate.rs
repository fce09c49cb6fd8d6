//! Invariants, by the numbers on the method's page. Slow and plain: for tests.

use std::collections::HashMap;

use super::hierarchy::{HalfEdges, NONE, next};
use super::surfaces::{Surface, Surfaces};
use crate::geometry::vector::{cross, dot, sub};
use crate::geometry::{Map, Point};
use crate::{Broken, Frame};

fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "regularity", invariant, what }
}

impl Surfaces {
    /// Checks every body.
    pub fn validate(&self, frame: Frame<'_>) -> Result<(), Broken> {
        for (surface, given) in self.list.values().iter().zip(frame.iter()) {
            surface.check_intervals()?;
            surface.check_contours()?;
            surface.check_boxes(surface.positions(given), &self.map)?;
            if surface.has_facing {
                surface.check_facing(self, surface.positions(given))?;
            }
        }
        Ok(())
    }
}

impl Surface {
    /// I1: ranks and triangles, but for copies, are one to one; children divide their parent's interval.
    fn check_intervals(&self) -> Result<(), Broken> {
        let (patches, nodes) = (&self.hierarchy.patches, &self.hierarchy.tree.nodes);
        let mut ids: Vec<u32> = (0..patches.triangle_count()).map(|rank| patches.id(rank)).collect();
        ids.sort_unstable();
        let all = 0..self.body.triangles().len() as u32;
        if !ids.iter().copied().eq(all.filter(|&t| !self.hierarchy.copies.is_copy(t))) {
            return Err(broken("I1", "ranks and triangles are not one to one".into()));
        }
        for (n, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf()) {
            let mut at = node.triangles[0];
            for child in node.child_range() {
                if nodes[child].triangles[0] != at || nodes[child].parent as usize != n {
                    return Err(broken("I1", format!("child {child} does not follow its sibling under {n}")));
                }
                at = nodes[child].triangles[1];
            }
            if at != node.triangles[1] {
                return Err(broken("I1", format!("the children of {n} do not fill it")));
            }
        }
        Ok(())
    }

    /// I2: the contour of a region has exactly the half-edges whose twin is not in it, in closed loops.
    fn check_contours(&self) -> Result<(), Broken> {
        let patches = &self.hierarchy.patches;
        let order: Vec<u32> = (0..patches.triangle_count()).map(|rank| patches.id(rank)).collect();
        let half_edges = HalfEdges::new(&self.body, &self.hierarchy.copies).reordered(&order);
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate().filter(|(_, node)| node.is_region) {
            let mut count: HashMap<(u32, u32, u32), i32> = HashMap::new();
            for h in 3 * node.triangles[0]..3 * node.triangles[1] {
                let twin = half_edges.twins[h as usize];
                let outer = if twin == NONE { NONE } else { twin / 3 };
                if !node.holds(outer) {
                    let end = half_edges.start(next(h));
                    *count.entry((half_edges.start(h), end, outer)).or_default() += 1;
                }
            }
            for edges in self.hierarchy.contours.loops(n) {
                for (i, edge) in edges.iter().enumerate() {
                    let end = edges[(i + 1) % edges.len()].vertex;
                    *count.entry((edge.vertex, end, edge.outer)).or_default() -= 1;
                }
            }
            if let Some((edge, _)) = count.iter().find(|(_, c)| **c != 0) {
                return Err(broken(
                    "I2",
                    format!("the contour of node {n} and its border differ at {edge:?}"),
                ));
            }
        }
        Ok(())
    }

    /// I3: the box of a node is the smallest that holds the images of its vertices.
    fn check_boxes(&self, positions: &[Point], map: &Map) -> Result<(), Broken> {
        let patches = &self.hierarchy.patches;
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate() {
            let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            for patch in node.patches[0]..node.patches[1] {
                for &v in patches.vertices(patch as usize) {
                    let p = map.apply(&positions[v as usize]);
                    (0..3).for_each(|k| (min[k], max[k]) = (min[k].min(p[k]), max[k].max(p[k])));
                }
            }
            if self.bounds[n].min3() != min || self.bounds[n].max3() != max {
                return Err(broken("I3", format!("node {n} has the box {:?}", self.bounds[n])));
            }
        }
        Ok(())
    }

    /// I4: a set bit means that every triangle of the region faces that direction; what is no region has no bit.
    fn check_facing(&self, all: &Surfaces, positions: &[Point]) -> Result<(), Broken> {
        let patches = &self.hierarchy.patches;
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate() {
            if !node.is_region && self.facing[n].bits != 0 {
                return Err(broken("I4", format!("node {n} is no region and faces something")));
            }
            if !node.is_leaf() {
                let common = node.child_range().fold(u128::MAX, |bits, child| bits & self.facing[child].bits);
                if node.is_region && self.facing[n].bits != common {
                    return Err(broken("I4", format!("node {n} has other bits than its children in common")));
                }
                continue;
            }
            let patch = node.patches[0] as usize;
            for direction in (0..128).filter(|d| self.facing[n].bits >> d & 1 == 1) {
                let [x, y] = all.directions.plane(direction);
                let towards = cross(x, y);
                for local in 0..patches.places(patch).len() {
                    let [p, q, r] = patches.triangle(patch, local).map(|v| positions[v as usize]);
                    // In the scale of boxes, so that no product underflows.
                    let [u, v] = [&q, &r].map(|x| sub(x, &p).map(|d| d * all.map.scale));
                    if dot(&cross(&u, &v), &towards) <= 0.0 {
                        return Err(broken(
                            "I4",
                            format!("triangle {local} of patch {patch} looks away from {direction}"),
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}
