//! The hierarchy as pictures: a level of it (Fig. 3), and the regions that a query looked at (Figs. 7 to 10).

use super::search::Descent;
use super::surfaces::{Surface, Surfaces};
use crate::{Bodies, BodyId, Drawing, Frame, Tone, TriangleId};

impl Surfaces {
    /// Paints the smallest regions that a query looked at, and outlines them.
    pub fn draw_seen(&self, bodies: &Bodies, frame: Frame<'_>, descents: &[Descent], into: &mut Drawing) {
        let mut first = 0;
        for (body, surface) in bodies.body_ids().zip(self.list.values()) {
            let nodes = &surface.hierarchy.tree.nodes;
            let seen = |n: usize| descents.iter().any(|d| d.seen.get(first + n) == Some(&true));
            for (n, node) in nodes.iter().enumerate() {
                if seen(n) && !node.child_range().any(seen) {
                    surface.paint(bodies, body, n, into);
                    surface.outline(frame, body, n, Tone::Visited, into);
                }
            }
            first += nodes.len();
        }
    }

    /// Paints every body with its regions at one level, and outlines them. Branches that end above show their patches.
    #[cfg(any(test, feature = "published"))]
    pub fn draw_level(&self, bodies: &Bodies, frame: Frame<'_>, level: usize, into: &mut Drawing) {
        for (body, surface) in bodies.body_ids().zip(self.list.values()) {
            for (n, node) in surface.hierarchy.tree.nodes.iter().enumerate() {
                let at = usize::from(node.level);
                if at == level || (at < level && node.is_leaf()) {
                    let tone = Tone::Level(level.min(255) as u8);
                    surface.paint(bodies, body, n, into);
                    surface.outline(frame, body, n, tone, into);
                }
            }
        }
    }
}

impl Surface {
    /// Paints the triangles of a node.
    pub fn paint(&self, bodies: &Bodies, body: BodyId, n: usize, into: &mut Drawing) {
        let (tree, patches) = (&self.hierarchy.tree, &self.hierarchy.patches);
        let start = bodies.triangle_range(body).start as u32;
        for place in tree.patches_below(n).into_iter().flat_map(|p| patches.places(p as usize)) {
            let id = patches.id(place);
            let all = std::iter::once(&id).chain(self.hierarchy.copies.of(id));
            into.triangles.extend(all.map(|t| (TriangleId(start + t), Tone::Group(n as u32))));
        }
    }

    /// The contour of a region; the box of a cluster.
    pub fn outline(&self, frame: Frame<'_>, body: BodyId, n: usize, tone: Tone, into: &mut Drawing) {
        let positions = self.positions(frame.of(body));
        let node = &self.hierarchy.tree.nodes[n];
        if !node.is_region {
            let patches = self.hierarchy.tree.patches_below(n);
            let vertices = patches.into_iter().flat_map(|p| self.hierarchy.patches.vertices(p as usize));
            let bounds =
                crate::geometry::Aabb::of(&vertices.map(|&v| positions[v as usize]).collect::<Vec<_>>());
            into.boxes.push((bounds.min, bounds.max, tone));
        }
        for edges in self.hierarchy.contours.loops(n) {
            for (i, edge) in edges.iter().enumerate() {
                let end = edges[(i + 1) % edges.len()].vertex;
                into.lines.push((positions[edge.vertex as usize], positions[end as usize], tone));
            }
        }
    }
}
