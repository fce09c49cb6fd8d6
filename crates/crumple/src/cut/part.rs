//! Parting a body along facets that lie on the blade.
//!
//! Elements round a vertex hang together through facets (edges of triangles, faces of tets). A facet on the blade with
//! elements on both sides holds no more. Where that leaves a vertex with several groups of elements, each group but one
//! gets a copy of it. A vertex at the tip of a slit keeps one group, and so stays one.

use std::collections::BTreeMap;

use super::blade::{Blade, Piece};
use crate::geometry::{Point, Sign};
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
    /// The pieces of the blade that vertices are on.
    pieces: &'a BTreeMap<VertexId, Piece>,
    blade: &'a Blade,
}

/// Parts a body none of whose elements reaches across the blade.
pub(super) fn part(
    body: &Mesh,
    positions: &[Point],
    pieces: &BTreeMap<VertexId, Piece>,
    blade: &Blade,
) -> Result<Parted, MeshError> {
    let vertices = Vertices { positions, pieces, blade };
    let mut edit = body.edit();
    let mut seam = Vec::new();
    for &v in pieces.keys() {
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
    /// out: of those on the negative side the one with the first element.
    fn groups_to_copy<const N: usize>(&self, v: VertexId, star: &[[VertexId; N]]) -> Vec<Vec<usize>> {
        let mut joints: Vec<([VertexId; N], usize, bool)> = Vec::new();
        for (i, element) in star.iter().enumerate() {
            for apex in element.iter().filter(|&&w| w != v) {
                // The other corners, sorted; the apex moves to the end of the list as the largest possible id.
                let mut facet = element.map(|w| if w == *apex { VertexId(u32::MAX) } else { w });
                facet.sort_unstable();
                joints.push((facet, i, self.is_ahead(*apex, &facet)));
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
        for facet in joints.chunk_by(|a, b| a.0 == b.0) {
            let is_cut = self.span(&facet[0].0).is_some();
            for side in [false, true] {
                let mut same = facet.iter().filter(|j| (is_cut && j.2) == side).map(|j| j.1);
                let Some(first) = same.next() else { continue };
                for other in same {
                    let (a, b) = (find(&mut leader, first), find(&mut leader, other));
                    leader[a.max(b)] = a.min(b);
                }
            }
        }
        let mut groups: Vec<(Sign, Vec<usize>)> = Vec::new();
        for i in 0..star.len() {
            let own = find(&mut leader, i);
            match groups.iter_mut().find(|(_, g)| g[0] == own) {
                Some((_, group)) => group.push(i),
                None => groups.push((0, vec![own])),
            }
        }
        for (side, group) in &mut groups {
            *side = group.iter().map(|&i| self.side_of(v, &star[i])).find(|&s| s != 0).unwrap_or(0);
        }
        groups.sort_by_key(|(side, group)| (*side, group[0]));
        groups.into_iter().skip(1).map(|(_, group)| group).collect()
    }

    fn piece(&self, v: VertexId) -> Option<Piece> {
        self.pieces.get(&v).copied()
    }

    /// The pieces that the corners of a facet are on, when that is one or two neighbouring ones.
    fn span<const N: usize>(&self, facet: &[VertexId; N]) -> Option<(Piece, Piece)> {
        let mut span: Option<(Piece, Piece)> = None;
        for v in facet.iter().filter(|v| v.0 != u32::MAX) {
            let piece = self.piece(*v)?;
            let (low, high) = span.unwrap_or((piece, piece));
            span = Some((low.min(piece), high.max(piece)));
        }
        span.filter(|(low, high)| high - low <= 1)
    }

    /// Whether the element with this apex over a facet is on the positive side of the blade.
    fn is_ahead<const N: usize>(&self, apex: VertexId, facet: &[VertexId; N]) -> bool {
        let is_off = self.piece(apex).is_none();
        is_off
            && self.span(facet).is_some_and(|span| self.blade.side(span, &self.positions[apex.index()]) > 0)
    }

    /// The side of an element as seen from a vertex on the blade.
    fn side_of<const N: usize>(&self, v: VertexId, element: &[VertexId; N]) -> Sign {
        let Some(piece) = self.piece(v) else { return 0 };
        let off = element.iter().filter(|&&w| self.piece(w).is_none());
        off.map(|w| self.blade.side((piece, piece), &self.positions[w.index()]))
            .find(|&s| s != 0)
            .unwrap_or(0)
    }
}
