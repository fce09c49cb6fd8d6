//! A body as the method needs it: judged once per version (closed, two-sided, oriented), and snapped to a lattice.

use super::Holes;
use super::lattice::{self, Corner, Lattice};
use super::raster::tile::SnappedTriangle;
use crate::geometry::Aabb;
use crate::geometry::simd::{I32x8, Simd, WIDTH};
use crate::{BodyId, Error, Mesh, Positions, TriangleId, VertexId};

/// A body that was judged, with its triangles turned to one side.
#[derive(Debug)]
pub(crate) struct OrientedSurface {
    body: Mesh,
    /// Triangles of consistent orientation, where the body's own are not.
    turned: Option<Vec<[VertexId; 3]>>,
    /// The vertices that triangles use, where some are not used.
    used: Option<Vec<VertexId>>,
    /// The first edge that is not balanced, and how many there are.
    unbalanced: Option<([VertexId; 2], usize)>,
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
            let vertices = (0..body.vertex_count() as u32).map(VertexId);
            vertices.filter(|&v| !topology.triangles_at(v).is_empty()).collect()
        });
        let mut surface = Self { body: body.clone(), turned, used, unbalanced: None };
        surface.unbalanced = surface.find_unbalanced();
        surface
    }

    /// Edges that triangles run through more often one way than the other: a ray beside such an edge would see an
    /// entry without an exit. No such edge means that every ray is balanced.
    fn find_unbalanced(&self) -> Option<([VertexId; 2], usize)> {
        let topology = self.body.topology();
        let mut balance = vec![0i32; topology.edges().len()];
        for (t, corners) in self.triangles().iter().enumerate() {
            for edge in topology.edges_of(TriangleId(t as u32)).into_iter().flatten() {
                let [a, b] = topology.edges()[edge.index()];
                let along = (0..3).filter(|&k| corners[k] == a && corners[(k + 1) % 3] == b).count() as i32;
                let against = (0..3).filter(|&k| corners[k] == b && corners[(k + 1) % 3] == a).count() as i32;
                // A collapsed triangle holds an edge twice, once each way.
                balance[edge.index()] += along - against;
            }
        }
        let mut edges = balance.iter().zip(topology.edges()).filter(|&(&n, _)| n != 0);
        let &first = edges.next()?.1;
        Some((first, 1 + edges.count()))
    }

    pub fn is_of(&self, body: &Mesh) -> bool {
        self.body.is_same(body)
    }

    /// Corners of each triangle, ids within the body.
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        self.turned.as_deref().unwrap_or(self.body.triangles())
    }

    /// Whether every ray has as many entries as exits.
    pub fn is_balanced(&self) -> bool {
        self.unbalanced.is_none()
    }

    /// The error that an open or one-sided surface is, unless holes are allowed.
    pub fn admit(&self, id: BodyId, holes: Holes) -> Result<(), Error> {
        let topology = self.body.topology();
        match self.unbalanced {
            None => Ok(()),
            Some((edge, edges)) if topology.is_closed() => Err(Error::OneSided { body: id, edge, edges }),
            Some((edge, edges)) if holes == Holes::Refuse => {
                Err(Error::Open { body: id, edge, edges, loops: topology.boundary_loops().len() })
            }
            Some(_) => Ok(()),
        }
    }

    /// The box of the vertices that triangles use; `all` is that of all vertices.
    pub fn bounds(&self, positions: Positions<'_>, all: impl FnOnce() -> Aabb) -> Aabb {
        match &self.used {
            Some(used) => used.iter().fold(Aabb::EMPTY, |b, v| b.with(&positions.get(v.index()))),
            None if self.triangles().is_empty() => Aabb::EMPTY,
            None => all(),
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
