//! Vertices in tetrahedra by hashing space (Teschner et al. 2003).

mod boxes;
mod bundle_search;
mod bundles;
mod cell;
mod cells;
mod counting_sort;
mod depth;
mod draw;
mod edges;
mod filter;
mod found;
mod inside;
mod lattice;
mod near;
mod params;
mod query;
mod rows;
mod sizing;
mod statistics;
mod table;
mod threads;
mod triangles;
mod update;
mod validate;

pub use params::{
    Find, HashFunction, InsideTest, Levels, Passes, SpatialHashParams, Strangers, TableKind, VertexChoice,
};

use crate::{Body, BodyId, Frame, Mesh, ParamError, Positions};
use bundles::Bundles;
pub use cell::Cell;
use cells::CellTables;
pub use depth::Penetration;
use edges::Edges;
use found::Found;
use lattice::Snapped;
use rows::RowTable;
use sizing::Sizing;
pub use statistics::HashStatistics;
use triangles::Triangles;

/// A mesh and the frame it is in.
#[derive(Clone, Copy)]
struct MeshView<'a> {
    mesh: &'a Mesh,
    frame: Frame<'a>,
}

impl<'a> MeshView<'a> {
    fn bodies(&self) -> &'a [Positions<'a>] {
        self.frame.bodies()
    }

    /// Positions of vertices of one body.
    #[inline(always)]
    fn positions<const N: usize>(&self, body: usize, vertices: [u32; N]) -> [[f64; 3]; N] {
        let start = self.mesh.vertex_range(BodyId(body as u32)).start;
        let mut out = [[0.0; 3]; N];
        match self.bodies()[body] {
            Positions::F64(p) => {
                for (to, v) in out.iter_mut().zip(vertices) {
                    *to = p[v as usize - start];
                }
            }
            Positions::F32(p) => {
                for (to, v) in out.iter_mut().zip(vertices) {
                    *to = p[v as usize - start].map(f64::from);
                }
            }
        }
        out
    }

    /// Corners of a triangle.
    fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let (body, _) = self.mesh.locate_triangle(crate::TriangleId(triangle as u32));
        self.positions(body.index(), self.mesh.triangles()[triangle].map(|v| v.0))
    }

    /// Corners of a tet.
    fn tet(&self, tet: usize) -> [[f64; 3]; 4] {
        let (body, _) = self.mesh.locate_tet(crate::TetId(tet as u32));
        self.positions(body.index(), self.mesh.tets()[tet].map(|v| v.0))
    }
}

/// The method at work; see the [module page](self).
#[derive(Debug, Clone)]
pub struct SpatialHash {
    params: SpatialHashParams,
    /// Whether the rows of the sorted table are read as ranges: the fast way.
    by_rows: bool,
    /// The bodies that `used` was made for.
    bodies: Vec<Body>,
    /// Which vertices are tested; `None` when all are.
    used: Option<Vec<bool>>,
    bundles: Bundles,
    sizing: Sizing,
    snapped: Vec<Snapped>,
    tables: Vec<RowTable>,
    cells: CellTables,
    edges: Edges,
    triangles: Triangles,
    workers: Vec<Found>,
    keys: Vec<u64>,
}

impl SpatialHash {
    /// Checks the parameters. The first `update` takes the mesh.
    pub fn new(params: SpatialHashParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            by_rows: params.is_by_rows(),
            bodies: Vec::new(),
            used: None,
            bundles: Bundles::default(),
            sizing: Sizing::default(),
            snapped: Vec::new(),
            tables: Vec::new(),
            cells: CellTables::default(),
            edges: Edges::default(),
            triangles: Triangles::default(),
            workers: Vec::new(),
            keys: Vec::new(),
        })
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &SpatialHashParams {
        &self.params
    }
}
