//! What the paper's figures show of the structure: a level of the hierarchy (Fig. 3), the vertices stored round a region
//! (Fig. 4), the sampled directions and the bits that remain of them (Figs 5 and 6).

use super::Published;
use super::adjacency::{ToldNeighbours, label};
use crate::geometry::Point;
use crate::{Bodies, BodyId, Drawing, Error, Frame, Tone};

/// Which of the [directions](Published::directions) are faced, one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacingBits {
    /// By each triangle of the body; 0 where a triangle has no area.
    pub triangles: Vec<u128>,
    /// By all of them: what is left at the root after all ANDs.
    pub whole: u128,
}

/// The shape of a body's hierarchy.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TreeShape {
    /// Levels, that of the root included; 0 for a body without triangles.
    pub levels: usize,
    /// The most children of a node.
    pub most_children: usize,
    /// Children of a node that has some, on average.
    pub mean_children: f64,
}

impl Published {
    /// How deep and how wide the hierarchy of a body is.
    pub fn shape(&self, body: BodyId) -> Result<TreeShape, Error> {
        let nodes = &self.surfaces.get(body)?.hierarchy.tree.nodes;
        let inner: Vec<u32> = nodes.iter().filter(|n| !n.is_leaf()).map(|n| n.children).collect();
        Ok(TreeShape {
            levels: nodes.iter().map(|n| usize::from(n.level) + 1).max().unwrap_or(0),
            most_children: inner.iter().copied().max().unwrap_or(0) as usize,
            mean_children: inner.iter().map(|&n| f64::from(n)).sum::<f64>() / inner.len().max(1) as f64,
        })
    }

    /// Paints every body with its regions at one level, and outlines them. Branches that end above show their leaves.
    pub fn draw_level(&self, bodies: &Bodies, frame: Frame<'_>, level: usize, into: &mut Drawing) {
        self.surfaces.draw_level(bodies, frame, level, into);
    }

    /// Paints a region (the number of its [`Tone::Group`] in another drawing) and what lies across its contour: for each
    /// edge the highest region that does not hold it. Stored vertices are points.
    pub fn draw_stored(
        &self,
        bodies: &Bodies,
        frame: Frame<'_>,
        (body, region): (BodyId, u32),
        into: &mut Drawing,
    ) -> Result<(), Error> {
        let surface = self.surfaces.get(body)?;
        let nodes = &surface.hierarchy.tree.nodes;
        let n = (region as usize).min(nodes.len().saturating_sub(1));
        let edges = surface.hierarchy.contours.loops(n).flatten();
        let mut across: Vec<usize> = edges.filter_map(|edge| label(nodes, n, edge.outer)).collect();
        across.sort_unstable();
        across.dedup();
        for other in across {
            surface.paint(bodies, body, other, into);
        }
        surface.paint(bodies, body, n, into);
        surface.outline(frame, body, n, Tone::Visited, into);
        let positions = surface.positions(frame.of(body));
        let stored = self.adjacency.get(body.index()).map_or(&[][..], |lists| lists.stored(n));
        into.points.extend(stored.iter().map(|&v| (positions[v as usize], Tone::Hit)));
        Ok(())
    }

    /// Whether the stored vertices tell all neighbours on a body, by looking at every two regions: for small bodies. `None`
    /// unless the rules are [`Rules::AsPublished`](super::Rules::AsPublished).
    pub fn told_neighbours(&self, body: BodyId) -> Result<Option<ToldNeighbours>, Error> {
        let surface = self.surfaces.get(body)?;
        Ok(self.adjacency.get(body.index()).map(|lists| lists.told(&surface.hierarchy, &surface.body)))
    }

    /// The sampled directions (Fig. 5).
    pub fn directions(&self) -> Vec<Point> {
        (0..self.params.directions).map(|i| self.surfaces.directions.get(i)).collect()
    }

    /// Which directions the triangles of a body face, and which all of them do (Fig. 6).
    pub fn facing(&mut self, frame: Frame<'_>, body: BodyId) -> Result<FacingBits, Error> {
        self.surfaces.prepare(frame, true);
        let surface = self.surfaces.get(body)?;
        let mut triangles = vec![0; surface.body.triangles().len()];
        for (patch, facing) in surface.patch_facing.iter().enumerate() {
            // A leaf is one triangle.
            triangles[surface.hierarchy.patches.id(patch) as usize] = facing.bits;
        }
        Ok(FacingBits { triangles, whole: surface.facing.first().map_or(0, |root| root.bits) })
    }
}
