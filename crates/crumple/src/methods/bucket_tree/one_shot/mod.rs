//! Contacts between bodies that are asked about once: cells cull most triangles before a tree is made.
//!
//! A tree costs 150 ns a triangle, and of two bodies that touch most triangles are nowhere near the other. So the triangles are
//! streamed through cells first ([`occupancy`](self::occupancy)): what shares no cell with another body goes, at a few ns each. What is left,
//! some thousands, gets the tree and the exact tests. Nothing is made for contacts within bodies, and nothing is kept.

mod cells;
mod occupancy;
#[cfg(test)]
mod tests;

use self::occupancy::{Culling, TriangleSoup};
use super::BucketTree;
use crate::detector::Method;
use crate::geometry::{Aabb, Map, Point};
use crate::methods::swept_bvh::hubs::is_crowded;
use crate::{Bodies, BodyId, Contacts, Frame, Mesh, Pairs, Stats, TriangleId};

/// Fewer triangles than this get their trees at once: that takes less than a millisecond.
const FEW: usize = 4096;

/// Where bodies are, and which of them are near each other.
pub(crate) struct OneShot<'a> {
    pub meshes: &'a [Mesh],
    pub positions: &'a [Vec<Point>],
    /// The boxes of the bodies.
    pub boxes: &'a [Aabb],
    /// Bodies whose boxes overlap, as far as they are asked for.
    pub near: &'a [[BodyId; 2]],
    /// More contacts than this are of no use.
    pub most: usize,
}

/// Two triangles of different bodies, each by its body and its number there.
pub(crate) type Touching = [(BodyId, TriangleId); 2];

impl OneShot<'_> {
    /// All contacts between bodies that are near, sorted; `None` where a method that looks at all triangles does better.
    pub fn contacts(&self) -> Option<(Vec<Touching>, Stats)> {
        let mut is_near = vec![false; self.meshes.len()];
        self.near.iter().flatten().for_each(|b| is_near[b.index()] = true);
        let triangles = |(m, is_near): (&Mesh, &bool)| if *is_near { m.triangle_count() } else { 0 };
        let total: usize = self.meshes.iter().zip(&is_near).map(triangles).sum();
        if total == 0 {
            return Some((Vec::new(), Stats::default()));
        }
        let common = |[a, b]: &[BodyId; 2]| self.boxes[a.index()].intersection(&self.boxes[b.index()]);
        let region = self.near.iter().map(common).fold(Aabb::EMPTY, |all, b| all.union(&b));
        if total < FEW || region.is_empty() {
            return None;
        }
        self.contacts_in_region(&region, &is_near)
    }

    /// The same in the region that bodies have in common, of those that are near another.
    fn contacts_in_region(&self, region: &Aabb, is_near: &[bool]) -> Option<(Vec<Touching>, Stats)> {
        let soups: Vec<TriangleSoup<'_>> = (self.meshes.iter().zip(self.positions).zip(is_near))
            .map(|((mesh, positions), is_near)| TriangleSoup {
                triangles: if *is_near { bytemuck::cast_slice(mesh.triangles()) } else { &[] },
                positions,
            })
            .collect();
        let kept = Culling::of(region).cull(&soups)?;
        let left: Vec<Mesh> = soups.iter().zip(&kept).map(|(soup, kept)| remainder(soup, kept)).collect();
        // Trees do not tell apart what meets in one vertex.
        if kept.iter().zip(&left).any(|(kept, mesh)| kept.len() > FEW && is_crowded(mesh)) {
            return None;
        }
        let left = Bodies::new(left).expect("no more than the bodies have");
        let mut tree = BucketTree::for_one_look(Map::fitting(region));
        tree.follow(&left, Frame::from(self.positions).trusted())
            .expect("checked when they were handed over");
        tree.limit(self.most);
        let (mut found, frame) = (Contacts::default(), Frame::from(self.positions).trusted());
        let stats = Method::contacts(&mut tree, &left, frame, Pairs::Between, &mut found);
        let own = |t: TriangleId| {
            let (body, t) = left.locate_triangle(t);
            (body, TriangleId(kept[body.index()][t.index()]))
        };
        // What is kept is in ascending order, so that the pairs are.
        Some((found.triangle_pairs.iter().map(|p| [own(p.a), own(p.b)]).collect(), stats))
    }
}

/// A body of the triangles that are kept.
fn remainder(soup: &TriangleSoup<'_>, kept: &[u32]) -> Mesh {
    let triangles: Vec<[u32; 3]> = kept.iter().map(|&t| soup.triangles[t as usize]).collect();
    Mesh::from_triangles("", soup.positions.len(), &triangles).expect("they come from a mesh")
}
