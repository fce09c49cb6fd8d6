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
//! # The way of a frame
//! Ours differs from the paper in how, not in what: cells along x are read as one range, eight tets search together, and
//! only what integers leave open, about one vertex in a hundred, is decided from positions by exact signs.
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | parameters | `params.rs` | section 4 |
//! | bodies and frame | `update.rs` | pass 1 |
//! | eight neighbouring tets are a bundle | `bundles/mod.rs` | |
//! | follow an edit where it is | `edits.rs`, `bundles/edit.rs` | |
//! | cell sizes, measured on a sample of the tets in every frame, several where tets differ in size | `sizing.rs` | section 4.3 |
//! | positions rounded to integers, 8192 to a cell, by a function that never changes order | `lattice.rs` | |
//! | vertices sorted by cell; cells that follow each other along x have slots that follow each other | `rows.rs` | sections 3.1, 4.1 |
//! | shares for threads, weights, sorted answers | `query.rs`, `workers.rs` | pass 2 |
//! | a bundle looks into the cells of its common box once | `bundles/search.rs`, `vertex_buffer.rs` | pass 2 |
//! | each vertex against eight boxes and faces, on the lattice | `bundles/filter.rs` | section 4.4 |
//! | invariants; the structure drawn | `validate.rs`, `draw.rs` | |
//!
//! | other questions | file |
//! | --- | --- |
//! | edges through tets, triangles that intersect | `edges.rs`, `triangles.rs`, `boxes.rs` |
//! | how deep a vertex is, and which way is out | `depth.rs` |
//! | contact, or an inverted tet | `inversion.rs` |
//!
//! | as published (crate feature `published`) | file | in the paper |
//! | --- | --- | --- |
//! | parameters: every alternative that the paper compares | `published/params.rs` | section 4 |
//! | cells and hash functions | `published/cell.rs` | sections 3.1, 4.1 |
//! | the table, with time stamps or sorted | `published/table.rs` | sections 3.1, 4.2 |
//! | one pass or two, cell by cell | `published/cells.rs` | section 3 |
//! | barycentric coordinates, half-spaces or exact signs | `published/inside.rs` | section 4.4 |
//! | frame, answers, invariants, counts | `published/query.rs`, `published/validate.rs`, `published/statistics.rs` | section 5 |
//!
//! # Invariants
//! I1. After `update` the lattice holds the positions of the frame, and rounding kept their order.
//! I2. At each level each tested vertex is in the table once, in the slot of its cell, or in the small one beside it, to which
//!     edits add; what is in a table and not tested any more is known to be dead.
//! I3. Each tet is in one bundle of its body, with its corners.
//! I4. As published: each item is in the entries of its cells and nowhere else; an entry whose stamp is not this
//!     frame's is empty, whatever it holds.
//! # Cost
//! update O(V) per level · an edit of k elements O(k log k) where nothing moved · search O(T·p·q / 8), p rows per bundle, q vertices per row · memory 16 bytes a vertex and 24
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
mod bundles;
mod depth;
mod draw;
mod edges;
mod edits;
mod inversion;
mod lattice;
mod params;
#[cfg(feature = "published")]
pub mod published;
mod query;
mod rows;
mod sizing;
mod triangles;
mod update;
mod validate;
mod vertex_buffer;
mod workers;

#[doc(hidden)]
pub use depth::PenetrationDepth;
pub use depth::VertexDepth;
pub use inversion::Cause;
pub use params::{Find, SpatialHashParams, Touch, VertexChoice};
pub(crate) use params::{check_weld, is_welded};

use crate::{Bodies, BodyId, Frame, Mesh, ParamError, Positions, VertexTet};
use bundles::Bundles;
use edges::Edges;
use edits::LateVertices;
use lattice::Snapped;
use rows::RowTable;
use sizing::Sizing;
use triangles::Triangles;
use workers::Workers;

/// Bodies and the frame they are in.
#[derive(Clone, Copy)]
struct Snapshot<'a> {
    bodies: &'a Bodies,
    frame: Frame<'a>,
}

impl<'a> Snapshot<'a> {
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
    /// The bodies that `used` was made for.
    bodies: Vec<Mesh>,
    /// Which vertices are tested; `None` when all are.
    used: Option<Vec<bool>>,
    bundles: Bundles,
    sizing: Sizing,
    snapped: Vec<Snapped>,
    tables: Vec<RowTable>,
    late: LateVertices,
    edges: Edges,
    triangles: Triangles,
    /// Pairs of a vertex and a tet, packed.
    found: Workers<u64>,
    depths: PenetrationDepth,
}

impl SpatialHash {
    /// Checks the parameters. Any mesh will do, so the first `update` takes it.
    pub fn new(params: SpatialHashParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            bodies: Vec::new(),
            used: None,
            bundles: Bundles::default(),
            sizing: Sizing::default(),
            snapped: Vec::new(),
            tables: Vec::new(),
            late: LateVertices::default(),
            edges: Edges::default(),
            triangles: Triangles::default(),
            found: Workers::default(),
            depths: PenetrationDepth::default(),
        })
    }

    /// Depth and direction for each row of `contacts`, as [`PenetrationDepth::compute`] finds them, on the lattice of the
    /// last update.
    pub fn penetrations(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<VertexDepth>,
    ) {
        self.depths.compute_on(&self.sizing.lattice, Snapshot { bodies, frame }, contacts, out);
    }
}
