//! Invariants, by the numbers on the method's page. Slow and plain: for tests.

use std::collections::HashMap;

use super::hierarchy::NONE;
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
        let tree = &self.hierarchy.tree;
        let below = if nodes.is_empty() { Vec::new() } else { tree.patches_below(0) };
        let places = below.into_iter().flat_map(|p| patches.places(p as usize));
        let mut ids: Vec<u32> = places.map(|place| patches.id(place)).collect();
        ids.sort_unstable();
        let all = 0..self.body.triangles().len() as u32;
        if !ids.iter().copied().eq(all.filter(|&t| !self.hierarchy.copies.is_copy(t))) {
            return Err(broken("I1", "ranks and triangles are not one to one".into()));
        }
        for (n, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf()) {
            // What edits put below a patch has no ranks of its own.
            if self.hierarchy.tree.is_divided_patch(n) {
                continue;
            }
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
        let (tree, patches) = (&self.hierarchy.tree, &self.hierarchy.patches);
        // The triangles with each directed side, and those with each edge: their lowest region, and how they are turned.
        let mut with_side: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
        let mut rank_of: HashMap<u32, u32> = HashMap::new();
        for (n, node) in tree.nodes.iter().enumerate() {
            if !node.is_leaf() || !tree.is_reachable(n) {
                continue;
            }
            let patch = node.patches[0] as usize;
            for local in 0..patches.places(patch).len() {
                let [a, b, c] = patches.triangle(patch, local);
                let id = patches.id(patches.places(patch).start + local);
                rank_of.insert(id, if node.size() > 0 { node.triangles[0] } else { NONE });
                for side in [[a, b], [b, c], [c, a]] {
                    with_side.entry(side).or_default().push(id);
                }
            }
        }
        let none = Vec::new();
        let twin = |[u, v]: [u32; 2]| {
            let (same, other) = (&with_side[&[u, v]], with_side.get(&[v, u]).unwrap_or(&none));
            match (&same[..], &other[..]) {
                ([s], [t]) if s != t => Some(*t),
                _ => None,
            }
        };
        let regions = tree
            .nodes
            .iter()
            .enumerate()
            .filter(|(n, node)| node.is_region && self.hierarchy.tree.is_reachable(*n));
        for (n, node) in regions {
            let mut count: HashMap<(u32, u32, bool), i32> = HashMap::new();
            for patch in tree.patches_below(n).into_iter().map(|p| p as usize) {
                for local in 0..patches.places(patch).len() {
                    let [a, b, c] = patches.triangle(patch, local);
                    for [u, v] in [[a, b], [b, c], [c, a]] {
                        let twin = twin([u, v]);
                        if !twin.is_some_and(|t| node.holds(rank_of[&t])) {
                            let leads = twin.is_some_and(|t| rank_of[&t] != NONE);
                            *count.entry((u, v, leads)).or_default() += 1;
                        }
                    }
                }
            }
            for edges in self.hierarchy.contours.loops(n) {
                for (i, edge) in edges.iter().enumerate() {
                    let end = edges[(i + 1) % edges.len()].vertex;
                    *count.entry((edge.vertex, end, edge.outer != NONE)).or_default() -= 1;
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
        for n in (0..self.hierarchy.tree.nodes.len()).filter(|&n| self.hierarchy.tree.is_reachable(n)) {
            let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            for patch in self.hierarchy.tree.patches_below(n) {
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
        let nodes = self.hierarchy.tree.nodes.iter().enumerate();
        for (n, node) in nodes.filter(|(n, _)| self.hierarchy.tree.is_reachable(*n)) {
            if !node.is_region && self.facing[n].bits != 0 {
                return Err(broken("I4", format!("node {n} is no region and faces something")));
            }
            if !node.is_leaf() {
                let common = node.child_range().fold(u128::MAX, |bits, child| bits & self.facing[child].bits);
                if node.is_region && !self.hierarchy.tree.is_divided_patch(n) && self.facing[n].bits != common
                {
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
