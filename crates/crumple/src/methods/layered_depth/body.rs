//! A body as the method needs it: judged once (closed, two-sided, oriented), followed through edits, and snapped to a lattice.

use std::collections::BTreeSet;

use super::Holes;
use super::lattice::{self, Corner, Lattice};
use super::raster::tile::SnappedTriangle;
use crate::geometry::Aabb;
use crate::geometry::simd::{I32x8, Simd, WIDTH};
use crate::{BodyId, Error, Mesh, Positions, TriangleId, VertexId};

/// A body that was judged, with its triangles turned to one side.
///
/// Edits are followed at their cost as long as the triangles run in one sense before and after; where senses differ, which
/// side is the front is a matter of whole components, and the body is judged anew.
#[derive(Debug)]
pub(crate) struct OrientedSurface {
    body: Mesh,
    /// The triangles, where they are not in one array of the body: turned to one side, or changed by edits.
    triangles: Option<Vec<[VertexId; 3]>>,
    /// The vertices that triangles use, where some are not used.
    used: Option<UsedVertices>,
    /// Edges that triangles run through more often one way than the other: a ray beside such an edge would see an entry
    /// without an exit. No such edge means that every ray is balanced.
    unbalanced: BTreeSet<[VertexId; 2]>,
}

impl OrientedSurface {
    pub fn new(body: &Mesh) -> Self {
        let topology = body.topology();
        let ids = (0..body.triangles().len() as u32).map(TriangleId);
        let turned = ids.clone().any(|t| topology.is_flipped(t)).then(|| {
            ids.zip(body.triangles())
                .map(|(t, &[a, b, c])| if topology.is_flipped(t) { [a, c, b] } else { [a, b, c] })
                .collect()
        });
        let used = (!topology.unused_vertices().is_empty()).then(|| {
            let is_used = |v: VertexId| !topology.triangles_at(v).is_empty();
            UsedVertices::new(body.vertex_count(), is_used)
        });
        let mut surface = Self { body: body.clone(), triangles: turned, used, unbalanced: BTreeSet::new() };
        surface.unbalanced = surface.find_unbalanced();
        surface
    }

    fn find_unbalanced(&self) -> BTreeSet<[VertexId; 2]> {
        let topology = self.body.topology();
        let mut sums = vec![0i32; topology.edges().len()];
        for (t, corners) in self.triangles().iter().enumerate() {
            for edge in topology.edges_of(TriangleId(t as u32)).into_iter().flatten() {
                sums[edge.index()] += balance(corners, topology.edges()[edge.index()]);
            }
        }
        let edges = sums.iter().zip(topology.edges()).filter(|&(&n, _)| n != 0);
        edges.map(|(_, edge)| *edge).collect()
    }

    /// The surface of a later version of the body, at the cost of the change; `None` where it must be judged anew.
    pub fn edited(mut self, now: &Mesh) -> Option<Self> {
        let changed = now.changed_since(&self.body)?.triangles;
        if !(self.body.is_oriented() && now.is_oriented()) {
            return None;
        }
        let triangles = self.triangles.get_or_insert_with(|| self.body.triangles().to_vec());
        let there = |count: usize| changed.iter().map(|&t| t as usize).filter(move |&t| t < count);
        let mut touched: Vec<[VertexId; 3]> = there(triangles.len()).map(|t| triangles[t]).collect();
        triangles.resize(now.triangle_count(), [VertexId(0); 3]);
        for t in there(now.triangle_count()) {
            triangles[t] = now.triangle(TriangleId(t as u32));
            touched.push(triangles[t]);
        }
        let star = |v: VertexId| now.adjacency().star(v.0).map(|t| now.triangle(TriangleId(t)));
        let edges = touched.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        for [v, w] in edges.filter(|[v, w]| v != w) {
            let edge = [v.min(w), v.max(w)];
            if star(v).map(|corners| balance(&corners, edge)).sum::<i32>() == 0 {
                self.unbalanced.remove(&edge);
            } else {
                self.unbalanced.insert(edge);
            }
        }
        let new = (self.body.vertex_count()..now.vertex_count()).map(|v| VertexId(v as u32));
        for v in new.chain(touched.into_iter().flatten()) {
            let is_used = star(v).next().is_some();
            if self.used.is_none() && is_used {
                continue;
            }
            let before = self.body.vertex_count();
            let used = self.used.get_or_insert_with(|| UsedVertices::new(before, |_| true));
            used.set(v, is_used);
        }
        self.body = now.clone();
        Some(self)
    }

    pub fn is_of(&self, body: &Mesh) -> bool {
        self.body.is_same(body)
    }

    /// Whether it is of the same body, before or after edits.
    pub fn is_version_of(&self, body: &Mesh) -> bool {
        self.body.is_version_of(body)
    }

    /// Corners of each triangle, ids within the body.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        match &self.triangles {
            Some(triangles) => triangles,
            None => self.body.triangles(),
        }
    }

    /// Whether every ray has as many entries as exits.
    pub fn is_balanced(&self) -> bool {
        self.unbalanced.is_empty()
    }

    /// The error that an open or one-sided surface is, unless holes are allowed.
    pub fn admit(&self, id: BodyId, holes: Holes) -> Result<(), Error> {
        let (Some(&edge), edges) = (self.unbalanced.first(), self.unbalanced.len()) else { return Ok(()) };
        if self.body.is_closed() {
            Err(Error::OneSided { body: id, edge, edges })
        } else if holes == Holes::Refuse {
            Err(Error::Open { body: id, edge, edges, loops: self.body.topology().boundary_loops().len() })
        } else {
            Ok(())
        }
    }

    /// The box of the vertices that triangles use; `all` is that of all vertices.
    pub fn bounds(&self, positions: Positions<'_>, all: impl FnOnce() -> Aabb) -> Aabb {
        match &self.used {
            Some(used) => used.list.iter().fold(Aabb::EMPTY, |b, v| b.with(&positions.get(v.index()))),
            None if self.triangles().is_empty() => Aabb::EMPTY,
            None => all(),
        }
    }
}

/// How much more often a triangle runs along an edge than against it. A collapsed one holds an edge twice, once each way.
fn balance(corners: &[VertexId; 3], [a, b]: [VertexId; 2]) -> i32 {
    let sides = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
    sides.iter().map(|side| i32::from(*side == [a, b]) - i32::from(*side == [b, a])).sum()
}

/// The vertices that triangles use, in any order, and where each is in the list.
#[derive(Debug)]
struct UsedVertices {
    list: Vec<VertexId>,
    place: Vec<u32>,
}

impl UsedVertices {
    /// The place of a vertex that is not used.
    const NONE: u32 = u32::MAX;

    fn new(vertices: usize, is_used: impl Fn(VertexId) -> bool) -> Self {
        let mut used = Self { list: Vec::new(), place: vec![Self::NONE; vertices] };
        (0..vertices as u32).map(VertexId).filter(|&v| is_used(v)).for_each(|v| used.set(v, true));
        used
    }

    fn set(&mut self, v: VertexId, is_used: bool) {
        if self.place.len() <= v.index() {
            self.place.resize(v.index() + 1, Self::NONE);
        }
        let place = self.place[v.index()];
        if is_used && place == Self::NONE {
            self.place[v.index()] = self.list.len() as u32;
            self.list.push(v);
        } else if !is_used && place != Self::NONE {
            self.list.swap_remove(place as usize);
            self.place[v.index()] = Self::NONE;
            if let Some(moved) = self.list.get(place as usize) {
                self.place[moved.index()] = place;
            }
        }
    }
}

/// A body whose vertices are snapped to a lattice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SnappedBody<'a> {
    pub triangles: &'a [[VertexId; 3]],
    pub vertices: &'a [Corner],
    pub positions: Positions<'a>,
    pub lattice: Lattice,
    /// Whether some triangle may reach beyond the limit.
    pub has_far: bool,
    /// The largest move of a coordinate by snapping, in units.
    pub most_moved: f64,
}

impl<'a> SnappedBody<'a> {
    /// A body with this box, whose vertices were snapped by [`Lattice::snap_all`].
    pub fn new(
        lattice: Lattice,
        triangles: &'a [[VertexId; 3]],
        (vertices, positions): (&'a [Corner], Positions<'a>),
        bounds: &Aabb,
    ) -> Self {
        let (has_far, most_moved) = (!lattice.holds(bounds), lattice.most_moved(bounds));
        Self { triangles, vertices, positions, lattice, has_far, most_moved }
    }
}

impl SnappedBody<'_> {
    #[inline(always)]
    pub fn corners(&self, triangle: u32) -> [Corner; 3] {
        lattice::corners(self.vertices, &self.triangles[triangle as usize])
    }

    #[inline(always)]
    pub fn shape(&self, triangle: u32) -> SnappedTriangle {
        SnappedTriangle::new(self.corners(triangle))
    }

    /// The corners of a far triangle, exactly.
    pub fn wide(&self, triangle: u32) -> [[i64; 3]; 3] {
        self.triangles[triangle as usize].map(|v| self.lattice.snap_wide(&self.positions.get(v.index())))
    }
}

/// The boxes of eight triangles, lane by lane: smallest and largest x, y and z.
#[inline(always)]
pub(crate) fn boxes<S: Simd>(
    simd: S,
    vertices: &[Corner],
    triangle: impl Fn(usize) -> [VertexId; 3],
) -> [[S::I32x8; 3]; 2] {
    let mut numbers = [[0; WIDTH]; 3];
    for i in 0..WIDTH {
        let [a, b, c] = triangle(i);
        (numbers[0][i], numbers[1][i], numbers[2][i]) = (a.0 as i32, b.0 as i32, c.0 as i32);
    }
    let a = S::I32x8::gather(simd, vertices, &numbers[0]);
    let b = S::I32x8::gather(simd, vertices, &numbers[1]);
    let c = S::I32x8::gather(simd, vertices, &numbers[2]);
    let min = |k: usize| a[k].min(b[k]).min(c[k]);
    let max = |k: usize| a[k].max(b[k]).max(c[k]);
    [[min(0), min(1), min(2)], [max(0), max(1), max(2)]]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::TriangleKey;

    /// What is asked of a surface: triangles, unbalanced edges, and vertices that are used where not all are.
    type Facts = (Vec<[VertexId; 3]>, Vec<[VertexId; 2]>, Option<Vec<VertexId>>);

    fn facts(surface: &OrientedSurface) -> Facts {
        let used = surface.used.as_ref().map(|used| {
            let mut list = used.list.clone();
            list.sort_unstable();
            list
        });
        let all = surface.body.vertex_count();
        let used = used.filter(|list| list.len() < all);
        (surface.triangles().to_vec(), surface.unbalanced.iter().copied().collect(), used)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn a_surface_that_was_edited_is_as_one_that_was_judged_anew(
            seeds in prop::collection::vec((0u32..4, 0u32..64, 0u32..64), 1..40),
        ) {
            let sides: [[u32; 3]; 8] =
                [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
            let mut mesh = Mesh::from_triangles("octahedron", 7, &sides).expect("sound");
            let mut surface = OrientedSurface::new(&mesh);
            for (what, a, b) in seeds {
                let triangle = TriangleId(a % mesh.triangle_count().max(1) as u32);
                let mut edit = mesh.edit();
                let vertex = |n: u32| VertexId(n % mesh.vertex_count() as u32);
                if mesh.triangle_count() > 0 && what == 0 {
                    edit.remove_triangle(mesh.triangle_key(triangle)).expect("there");
                } else if mesh.triangle_count() > 0 && what == 1 {
                    let [p, q, _] = mesh.triangle(triangle);
                    if p != q {
                        edit.split_edge(p, q, 0.5).expect("an edge");
                    }
                } else {
                    // Turned and collapsed ones among them.
                    let corners = [vertex(a), vertex(b), vertex(a / 3 + b)];
                    let _: TriangleKey = edit.add_triangle(corners).expect("vertices that are there");
                }
                mesh = edit.finish().0;
                let anew = OrientedSurface::new(&mesh);
                surface = surface.edited(&mesh).unwrap_or_else(|| OrientedSurface::new(&mesh));
                prop_assert_eq!(facts(&surface), facts(&anew));
            }
        }
    }
}
