//! Which triangle stands for a vertex, and which for an edge: representative triangles (Curtis, Tamstorf, Manocha 2008).
//!
//! A vertex is a corner of several triangles, and an edge a side of two. Each is represented by one triangle that has it, so
//! that a pair of features is asked about where the patches of their representatives meet, and nowhere else.
//!
//! Vertices and sides of a triangle are counted by its corners in ascending order, so that it does not matter in which sense
//! a patch runs through it.

use std::collections::HashSet;

use crate::mesh::Fates;
use crate::{Mesh, TriangleId};

/// The sides of a triangle, between corners in ascending order.
const SIDES: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// What each triangle of a body represents.
///
/// # Invariant
/// Every vertex that a triangle uses, and every edge, is represented by exactly one triangle that has it. Corners that are
/// one vertex make no edge.
#[derive(Debug, Clone, Default)]
pub(crate) struct Representatives(Vec<Represented>);

/// What one triangle represents: bits 0 to 2 for its vertices, 3 to 5 for its [`SIDES`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Represented(u8);

/// A vertex, or an edge with the smaller end first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Vertex(u32),
    Edge([u32; 2]),
}

impl Represented {
    /// Whether it represents nothing.
    #[inline(always)]
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Those of a triangle's corners, in ascending order, that are vertices which it represents.
    #[inline(always)]
    pub fn vertices<T: Copy>(self, corners: [T; 3]) -> impl Iterator<Item = T> {
        (0..3).filter(move |i| self.0 >> i & 1 == 1).map(move |i| corners[i])
    }

    /// The edges that it represents, the smaller end first.
    #[inline(always)]
    pub fn edges<T: Copy>(self, corners: [T; 3]) -> impl Iterator<Item = [T; 2]> {
        (0..3).filter(move |i| self.0 >> (3 + i) & 1 == 1).map(move |i| SIDES[i].map(|k| corners[k]))
    }
}

impl Representatives {
    /// The first triangle that has a vertex or an edge represents it.
    pub fn new(mesh: &Mesh) -> Self {
        let triangles = mesh.triangles();
        let mut uses = vec![0u32; mesh.vertex_count()];
        triangles.iter().flatten().for_each(|v| uses[v.index()] += 1);
        let mut is_taken = vec![false; mesh.vertex_count()];
        // An edge with an end that is used once is in no other triangle.
        let mut taken: HashSet<[u32; 2]> = HashSet::new();
        let mut is_first = |part: Part| match part {
            Part::Vertex(v) => !std::mem::replace(&mut is_taken[v as usize], true),
            Part::Edge(ends) => ends.iter().any(|&v| uses[v as usize] == 1) || taken.insert(ends),
        };
        Self(
            triangles
                .iter()
                .map(|corners| {
                    let parts = parts(corners.map(|v| v.0));
                    Represented(parts.fold(0, |bits, (bit, part)| bits | u8::from(is_first(part)) << bit))
                })
                .collect(),
        )
    }

    /// What a triangle represents, by its number in the body.
    #[inline(always)]
    pub fn of(&self, triangle: u32) -> Represented {
        self.0[triangle as usize]
    }

    /// Follows an edit at its cost. Returns the triangles that represent more than before, the new ones among them.
    pub fn follow(&mut self, before: &Mesh, now: &Mesh, fates: &Fates) -> Vec<u32> {
        let mut left: Vec<Part> = Vec::new();
        for &t in &fates.gone {
            let bits = self.0[t as usize].0;
            let parts = parts(before.triangle(TriangleId(t)).map(|v| v.0));
            left.extend(parts.filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, part)| part));
        }
        // All are read before one is written: an id may be another's new name.
        let renamed: Vec<_> = fates.renamed.iter().map(|&[old, new]| (new, self.0[old as usize])).collect();
        self.0.resize(now.triangle_count(), Represented::default());
        fates.come.iter().for_each(|&t| self.0[t as usize] = Represented::default());
        renamed.into_iter().for_each(|(new, bits)| self.0[new as usize] = bits);
        for &t in &fates.come {
            left.extend(parts(now.triangle(TriangleId(t)).map(|v| v.0)).map(|(_, part)| part));
        }
        left.sort_unstable();
        left.dedup();
        let mut changed = fates.come.clone();
        for part in left {
            changed.extend(self.give(part, now));
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Gives a vertex or an edge to the first triangle that has it, unless one represents it; says which.
    fn give(&mut self, part: Part, mesh: &Mesh) -> Option<u32> {
        let (Part::Vertex(end) | Part::Edge([end, _])) = part;
        let mut first: Option<(u32, usize)> = None;
        for t in mesh.adjacency().star(end) {
            let corners = mesh.triangle(TriangleId(t)).map(|v| v.0);
            let Some((bit, _)) = parts(corners).find(|(_, other)| *other == part) else { continue };
            if self.0[t as usize].0 >> bit & 1 == 1 {
                return None;
            }
            first = Some(first.map_or((t, bit), |first| first.min((t, bit))));
        }
        let (t, bit) = first?;
        self.0[t as usize].0 |= 1 << bit;
        Some(t)
    }
}

/// Vertices and edges of a triangle, each once, with their bits.
fn parts(corners: [u32; 3]) -> impl Iterator<Item = (usize, Part)> {
    let c = ascending(corners);
    let vertices = (0..3).filter(move |&i| i == 0 || c[i] != c[i - 1]).map(move |i| (i, Part::Vertex(c[i])));
    let edges = SIDES.map(|side| side.map(|k| c[k]));
    // Of two that are equal the first counts: [a, a, b] has a–b twice, and so has [a, b, b].
    let is_edge = move |i: usize| edges[i][0] != edges[i][1] && !edges[..i].contains(&edges[i]);
    vertices.chain((0..3).filter(move |&i| is_edge(i)).map(move |i| (3 + i, Part::Edge(edges[i]))))
}

/// Three in ascending order.
#[inline(always)]
pub(crate) fn ascending<T: Ord + Copy>([a, b, c]: [T; 3]) -> [T; 3] {
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every used vertex and every edge, in order.
    fn all_parts(mesh: &Mesh) -> Vec<Part> {
        let mut all: Vec<Part> =
            mesh.triangles().iter().flat_map(|c| parts(c.map(|v| v.0))).map(|(_, part)| part).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn represented(mesh: &Mesh, by: &Representatives) -> Vec<Part> {
        let mut all = Vec::new();
        for (t, corners) in (0..).zip(mesh.triangles()) {
            let (bits, corners) = (by.of(t), ascending(corners.map(|v| v.0)));
            all.extend(bits.vertices(corners).map(Part::Vertex));
            all.extend(bits.edges(corners).map(Part::Edge));
        }
        all.sort_unstable();
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn each_part_has_one_representative_through_edits(
            triangles in prop::collection::vec([0u32..12, 0..12, 0..12], 1..60),
            edits in prop::collection::vec((any::<prop::sample::Index>(), [0u32..12, 0..12, 0..12], 0..4u8), 0..12),
        ) {
            let mut mesh = Mesh::from_triangles("any", 12, &triangles).expect("few");
            let mut kept = Representatives::new(&mesh);
            prop_assert_eq!(represented(&mesh, &kept), all_parts(&mesh));
            for (which, corners, kind) in edits {
                let mut edit = mesh.edit();
                if kind > 0 && mesh.triangle_count() > 0 {
                    let t = TriangleId(which.index(mesh.triangle_count()) as u32);
                    edit.remove_triangle(mesh.triangle_key(t)).expect("it is there");
                }
                if kind != 1 {
                    edit.add_triangle(corners.map(crate::VertexId)).ok();
                }
                let (now, _) = edit.finish();
                let ids = now.changed_since(&mesh).expect("it was edited").triangles;
                let changed = kept.follow(&mesh, &now, &Fates::of(&mesh, &now, &ids));
                prop_assert_eq!(represented(&now, &kept), all_parts(&now));
                prop_assert!(changed.is_sorted());
                mesh = now;
            }
        }
    }
}
