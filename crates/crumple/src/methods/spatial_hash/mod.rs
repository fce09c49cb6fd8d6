//! Vertices in tetrahedra by hashing space (Teschner et al. 2003).

mod bundles;
mod counting_sort;
mod filter;
mod lattice;
mod near;
mod params;
mod query;
mod rows;
mod sizing;
mod threads;
mod update;

pub use params::{
    Find, HashFunction, InsideTest, Levels, Passes, SpatialHashParams, TableKind, VertexChoice,
};

use crate::{Body, BodyId, BuildError, Frame, FrameError, Mesh, Positions};
use bundles::Bundles;
use lattice::Snapped;
use rows::RowTable;
use sizing::Sizing;

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

    /// Position of a vertex of a known body.
    #[inline(always)]
    fn position(&self, body: usize, vertex: u32) -> [f64; 3] {
        let start = self.mesh.vertex_range(BodyId(body as u32)).start;
        self.bodies()[body].get(vertex as usize - start)
    }

    /// Corners of a tet.
    fn tet(&self, tet: usize) -> [[f64; 3]; 4] {
        let (body, _) = self.mesh.locate_tet(crate::TetId(tet as u32));
        self.mesh.tets()[tet].map(|v| self.position(body.index(), v.0))
    }
}

/// The method at work; see the [module page](self).
#[derive(Debug, Clone)]
pub struct SpatialHash {
    params: SpatialHashParams,
    /// The bodies that `used` was made for.
    bodies: Vec<Body>,
    /// Which vertices are tested; `None` when all are.
    used: Option<Vec<bool>>,
    bundles: Bundles,
    sizing: Sizing,
    snapped: Vec<Snapped>,
    tables: Vec<RowTable>,
    workers: Vec<query::Worker>,
    keys: Vec<u64>,
}

impl SpatialHash {
    /// Checks the parameters, and updates to the first frame.
    pub fn new(mesh: &Mesh, frame: Frame<'_>, params: SpatialHashParams) -> Result<Self, BuildError> {
        params.check()?;
        let mut made = Self {
            params,
            bodies: Vec::new(),
            used: None,
            bundles: Bundles::default(),
            sizing: Sizing::default(),
            snapped: Vec::new(),
            tables: Vec::new(),
            workers: Vec::new(),
            keys: Vec::new(),
        };
        made.follow(mesh, frame)?;
        Ok(made)
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &SpatialHashParams {
        &self.params
    }

    fn follow(&mut self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(mesh)?;
        let view = MeshView { mesh, frame };
        self.update_bodies(&view);
        self.update_tables(&view);
        Ok(())
    }
}
