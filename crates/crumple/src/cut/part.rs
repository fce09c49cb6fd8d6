//! Parting a body along facets that lie on the blade.
//!
//! Elements round a vertex hang together through facets (edges of triangles, faces of tets). A facet on the blade with
//! elements on both sides holds no more. Where that leaves a vertex with several groups of elements, each group but one
//! gets a copy of it. A vertex at the tip of a slit keeps one group, and so stays one.

use std::collections::BTreeSet;

use super::blade::Blade;
use crate::geometry::Point;
use crate::{Changes, Mesh, MeshError, VertexId};

/// A parted body.
pub(super) struct Parted {
    pub body: Mesh,
    pub changes: Changes,
    pub seam: Vec<[VertexId; 2]>,
}

/// What is known about the vertices.
struct Vertices<'a> {
    positions: &'a [Point],
    on_blade: &'a BTreeSet<VertexId>,
    blade: &'a Blade,
}

/// An element at a facet of it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Joint<const N: usize> {
    /// Sorted, the opposite corner replaced by the largest possible id.
    facet: [VertexId; N],
    /// On which side of the blade it is, as seen from the middle of the facet; `None` where it lies in the blade.
    is_beyond: Option<bool>,
    /// The place of the element in the star.
    element: usize,
}

/// Parts a body none of whose elements reaches across the blade.
pub(super) fn part(
    body: &Mesh,
    positions: &[Point],
    on_blade: &BTreeSet<VertexId>,
    blade: &Blade,
) -> Result<Parted, MeshError> {
    let vertices = Vertices { positions, on_blade, blade };
    let mut edit = body.edit();
    let mut seam = Vec::new();
    for &v in on_blade {
        if body.is_solid() {
            let star = body.adjacency().tets_at(v);
            let corners: Vec<[VertexId; 4]> = star.iter().map(|t| body.tet(*t)).collect();
            for group in vertices.groups_to_copy(v, &corners) {
                let takers: Vec<_> = group.iter().map(|&i| body.tet_key(star[i])).collect();
                seam.push([v, edit.duplicate_vertex_of_tets(v, &takers)?]);
            }
        } else {
            let star = body.adjacency().triangles_at(v);
            let corners: Vec<[VertexId; 3]> = star.iter().map(|t| body.triangle(*t)).collect();
            for group in vertices.groups_to_copy(v, &corners) {
                let takers: Vec<_> = group.iter().map(|&i| body.triangle_key(star[i])).collect();
                seam.push([v, edit.duplicate_vertex(v, &takers)?]);
            }
        }
    }
    let (body, changes) = edit.finish();
    Ok(Parted { body, changes, seam })
}

impl Vertices<'_> {
    /// The elements round a vertex that part from it: groups of places in `star`. The group that keeps the vertex is left
    /// out: of those on the near side the one with the first element.
    fn groups_to_copy<const N: usize>(&self, v: VertexId, star: &[[VertexId; N]]) -> Vec<Vec<usize>> {
        let mut joints: Vec<Joint<N>> = Vec::new();
        for (element, corners) in star.iter().enumerate() {
            for apex in corners.iter().filter(|&&w| w != v) {
                let mut facet = corners.map(|w| if w == *apex { VertexId(u32::MAX) } else { w });
                facet.sort_unstable();
                joints.push(Joint { facet, is_beyond: self.is_beyond_facet(&facet, corners), element });
            }
        }
        joints.sort_unstable();
        let mut leader: Vec<usize> = (0..star.len()).collect();
        fn find(leader: &mut [usize], mut i: usize) -> usize {
            while leader[i] != i {
                leader[i] = leader[leader[i]];
                i = leader[i];
            }
            i
        }
        for same in joints.chunk_by(|a, b| a.facet == b.facet) {
            // What lies in the blade comes first, and belongs to both sides.
            let flush = same[0].is_beyond.is_none().then_some(&same[0]);
            for (i, other) in same.iter().enumerate().skip(1) {
                let with = flush.unwrap_or(&same[i - 1]);
                if flush.is_some() || with.is_beyond == other.is_beyond {
                    let (a, b) = (find(&mut leader, with.element), find(&mut leader, other.element));
                    leader[a.max(b)] = a.min(b);
                }
            }
        }
        let mut groups: Vec<(bool, Vec<usize>)> = Vec::new();
        for i in 0..star.len() {
            let own = find(&mut leader, i);
            match groups.iter_mut().find(|(_, g)| g[0] == own) {
                Some((_, group)) => group.push(i),
                None => groups.push((self.is_beyond(self.at(v), &star[i]) == Some(true), vec![own])),
            }
        }
        groups.sort_by_key(|(side, group)| (*side, group[0]));
        groups.into_iter().skip(1).map(|(_, group)| group).collect()
    }

    /// The side of an element as seen from the middle of a facet of it that is on the blade; always the same where a corner is
    /// not. Corners will not do: where the blade ends, what is seen from there depends on the direction.
    fn is_beyond_facet<const N: usize>(
        &self,
        facet: &[VertexId; N],
        element: &[VertexId; N],
    ) -> Option<bool> {
        let corners = facet.iter().filter(|v| v.0 != u32::MAX);
        if !corners.clone().all(|v| self.on_blade.contains(v)) {
            return Some(false);
        }
        self.is_beyond(middle(corners.map(|v| self.at(*v))), element)
    }

    /// The side of an element as seen from a point on the blade, or next to it; `None` where the element lies in it.
    fn is_beyond<const N: usize>(&self, from: Point, element: &[VertexId; N]) -> Option<bool> {
        // No edge between two corners off the blade crosses it, so that any of them stands for the element.
        if let Some(off) = element.iter().find(|w| !self.on_blade.contains(w)) {
            return Some(self.blade.is_beyond(&from, &self.at(*off)));
        }
        let corners = element.map(|v| self.at(v));
        let is_flush = N == 3 && self.blade.holds([corners[0], corners[1], corners[2]]);
        (!is_flush).then(|| self.blade.is_beyond(&from, &middle(corners.into_iter())))
    }

    fn at(&self, v: VertexId) -> Point {
        self.positions[v.index()]
    }
}

fn middle(points: impl Iterator<Item = Point>) -> Point {
    let (sum, count) = points.fold(([0.0; 3], 0.0), |(s, n), p| ([0, 1, 2].map(|k| s[k] + p[k]), n + 1.0));
    sum.map(|x| x / count)
}
