//! Vertices in tetrahedra by hashing space (Teschner et al. 2003).
//!
//! Space is an endless grid; a hash folds its cells into a table of fixed size. First every vertex is dropped into the
//! entry of its cell. Then every tetrahedron walks the cells that its box covers and tests the vertices it meets. No
//! tree, no neighbours, no box around the world: the cost follows the number of elements, not the shape they make.
//! Self-collision needs nothing more: a vertex is tested against every tet that does not own it.
//!
//! M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross: *Optimized Spatial Hashing for Collision Detection
//! of Deformable Objects*, VMV 2003, pp. 47–54.
//!
//! ```
//! use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
//! use crumple::{Mesh, Contacts, Detector, Frame, Bodies, Pairs, Positions};
//!
//! let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let moved: Vec<[f64; 3]> = corners.iter().map(|p| [p[0] + 0.2, p[1] + 0.2, p[2] + 0.2]).collect();
//! let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
//! let mesh = Bodies::new([tet.clone(), tet])?;
//! let positions = [Positions::from(&corners), Positions::from(&moved)];
//! let frame = Frame::new(&positions);
//!
//! let mut hash = SpatialHash::new(SpatialHashParams::default())?;
//! let mut contacts = Contacts::default();
//! hash.update(&mesh, frame)?.contacts(Pairs::All, &mut contacts);
//! assert_eq!(contacts.vertex_tets.len(), 1); // vertex 4 in tet 0
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The fast way
//! The default differs from the paper in how, not in what:
//! 1. `lattice`: positions are rounded to integers, 8192 to a cell, by a function that never changes order. Boxes are
//!    compared as integers without any margin, and what wraps at 2^32 costs time only.
//! 2. `rows`: the hash gives cells that follow each other along x entries that follow each other, and the table is
//!    sorted by entry. A tet reads a row of cells as one range of arrays, eight vertices at a time; the part of its box
//!    in that row tells strangers of other rows apart, and leaves no vertex that is met twice.
//! 3. `bundles`: eight neighbouring tets look into the cells of their common box once, and then test each vertex found
//!    together, one tet a lane: first boxes, then faces (`filter`), still on the lattice.
//! 4. Only what the lattice leaves open, about one vertex in a hundred, is decided from positions by exact signs.
//! 5. `sizing`: cell sizes are measured on a sample of the tets in every frame, several where tets differ in size.
//!
//! `cells` is the paper to the letter, with every alternative that it compares: hash functions, table sizes, cell sizes,
//! one pass or two, barycentric coordinates or half-spaces, time stamps or sorting; [`SpatialHashParams`] chooses.
//!
//! # Invariants
//! I1. After `update` the lattice holds the positions of the frame, and rounding kept their order.
//! I2. At each level each tested vertex is in the table once, in the slot of its cell.
//! I3. Each tet is in one bundle of its body, with its corners.
//! I4. Cell by cell: each item is in the entries of its cells and nowhere else; an entry whose stamp is not this
//!     frame's is empty, whatever it holds.
//! # Cost
//! update O(V) per level · search O(T·p·q / 8), p rows per bundle, q vertices per row · memory 16 bytes a vertex and 24
//! more for each level, 21 a tet. On one core of the machine that the peers ran on: 30 to 46 ns a tet, update included
//! (peers: 195 to 313), from 4000 to a million tets; as published 340 to 520.
//! # Where we differ from the paper
//! - Exact signs decide, with inverted and flat tets as they are; the paper's 3×3 system loses both (T-A10).
//! - The cell is kept with the vertex, or told by the box of the row: hash collisions cost no candidate and no duplicate
//!   (T-A8).
//! - Cells are rounded down below zero too, and hashed without sign (T-A3, T-A4); stamps begin at 1 and are cleared when
//!   they wrap (T-A6); tets that cover too many cells are tested in full (T-A5).
//! - Vertices that no element uses are left out, those of surfaces are tested too (T-A12).
//! - Edges that pass through a tet are found on request (T38), as are triangles that intersect (T17), and how deep each
//!   vertex is ([`PenetrationDepth`], T41).
//! # When to choose it
//! For solids, always: nothing needs to be kept from frame to frame, so fracture and teleportation are free. For surfaces
//! the regularity method knows more.

mod boxes;
mod bundle_search;
mod bundles;
mod cause;
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
    Find, HashFunction, InsideTest, Levels, Passes, SpatialHashParams, Strangers, TableKind, Touch,
    VertexChoice,
};

use crate::{Bodies, BodyId, Frame, Mesh, ParamError, Positions, VertexTet};
use bundles::Bundles;
pub use cause::Cause;
pub use cell::Cell;
use cells::CellTables;
pub use depth::{Penetration, PenetrationDepth};
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
    bodies: &'a Bodies,
    frame: Frame<'a>,
}

impl<'a> MeshView<'a> {
    /// Positions of vertices of one body.
    #[inline(always)]
    fn positions<const N: usize>(&self, body: usize, vertices: [u32; N]) -> [[f64; 3]; N] {
        let start = self.bodies.vertex_range(BodyId(body as u32)).start;
        let mut out = [[0.0; 3]; N];
        match self.frame.of(BodyId(body as u32)) {
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
        let (body, _) = self.bodies.locate_triangle(crate::TriangleId(triangle as u32));
        self.positions(body.index(), self.bodies.triangles()[triangle].map(|v| v.0))
    }

    /// Corners of a tet.
    fn tet(&self, tet: usize) -> [[f64; 3]; 4] {
        let (body, _) = self.bodies.locate_tet(crate::TetId(tet as u32));
        self.positions(body.index(), self.bodies.tets()[tet].map(|v| v.0))
    }
}

/// The method at work; see the [module page](self).
#[derive(Debug, Clone)]
pub struct SpatialHash {
    params: SpatialHashParams,
    /// Whether the rows of the sorted table are read as ranges: the fast way.
    by_rows: bool,
    /// The bodies that `used` was made for.
    bodies: Vec<Mesh>,
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
    depths: PenetrationDepth,
    keys: Vec<u64>,
}

impl SpatialHash {
    /// Checks the parameters. Any mesh will do, so the first `update` takes it.
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
            depths: PenetrationDepth::default(),
            keys: Vec::new(),
        })
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &SpatialHashParams {
        &self.params
    }

    /// Depth and direction for each row of `contacts`, by [`PenetrationDepth::compute`].
    pub fn penetrations(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<Penetration>,
    ) {
        self.depths.compute(bodies, frame, contacts, out);
    }
}
