//! Volumes that bodies share, and points inside them, by layered depth images (Heidelberger, Teschner, Gross 2003).
//!
//! Two closed surfaces can only share what their boxes share, the *volume of interest*. Parallel rays run through it,
//! one per pixel of an image, and each notes where it enters and where it leaves a body: the body's *layers*. Sorted,
//! they say which stretches of the ray are inside; stretches inside both bodies are the intersection volume. No tree,
//! nothing kept from frame to frame: the cost follows the number of faces and pixels, however the bodies deform, and a
//! body wholly inside another is like any other.
//!
//! B. Heidelberger, M. Teschner, M. Gross: *Real-Time Volumetric Intersections of Deforming Objects*, VMV 2003,
//! pp. 461–468.
//!
//! ```
//! use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams, Resolution};
//! use crumple::{Bodies, BodyId, Frame, Mesh};
//! # let corners = |x: f64| (0..8).map(|i| [x + f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)]).collect::<Vec<_>>();
//! # let sides = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2],
//! #     [2, 4, 6], [1, 3, 5], [3, 7, 5]];
//! let positions = vec![corners(0.0), corners(0.75)]; // two unit cubes
//! let cube = Mesh::from_triangles("cube", 8, &sides)?;
//! let bodies = Bodies::new([cube.clone(), cube])?;
//! let mut method = LayeredDepth::new(LayeredDepthParams::default());
//! let mut volumes = method.update(&bodies, Frame::from(&positions))?;
//! let shared = volumes.overlap([BodyId(0), BodyId(1)], Resolution::rays(128))?;
//! assert!(shared.lower <= 0.25 && 0.25 <= shared.upper && shared.upper - shared.lower < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What can be asked
//! [`overlap`](Volumes::overlap): the volume with a lower and an upper bound, centroid, box;
//! [`refined_overlap`](Volumes::refined_overlap): the same, refined until the bounds are as near as asked.
//! [`gradient`](Volumes::gradient): how the volume changes with each vertex, the force that parts the bodies.
//! [`intersection`](Volumes::intersection): the common volume as a closed surface, an oriented manifold whose
//! vertices lie on the bodies' surfaces; [`self_intersection`](Volumes::self_intersection): the same of one body
//! that overlaps itself, and [`self_overlap`](Volumes::self_overlap) how much it does, from faces in an invalid order.
//! [`inside`](Volumes::inside): points in a body, exactly.
//!
//! # The way of a frame
//! Four machines stand on one rasteriser. All begin alike:
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | a body is judged once, then followed through edits: closed, two-sided, turned to one side | `body.rs` | 2 |
//! | a question admits its bodies | `query.rs` | |
//! | the boxes' common part is the volume of interest; its shortest side is the rays' axis | `voi.rs` | 3.1, stage 1 |
//! | so many rays | `resolution.rs` | 3.2 |
//! | vertices are snapped to integers | `lattice.rs` | |
//!
//! The rasteriser, `raster/`, for all of them:
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | a block of columns over a range of depth, and which of them a box touches | `raster/tile.rs` | |
//! | which rays a triangle crosses and which columns it touches: integers of any width, the top-left rule | `raster/reference.rs` | 3.2, stage 2 |
//! | its depth in each column | `raster/plane.rs` | |
//! | the same for at most 2 × 2 columns | `raster/small.rs` | |
//! | edge functions of four triangles at once, exact in double precision | `raster/edges.rs` | |
//! | four columns of one triangle at a time; one ray of four triangles | `raster/rows.rs` | |
//! | the rays of a whole image | `raster/centres.rs` | |
//! | depths on the rays of an image, rounded down exactly | `raster/crossings.rs` | |
//! | crossings appended without a branch and sorted by column and depth | `raster/fragments.rs` | 3.2 |
//! | sorted crossings of a ray merged into the stretches inside | `merge.rs` | 3.3, stage 3a |
//!
//! `volume/`, how much two bodies share:
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | the question, and the tiles added up | `volume/overlap.rs` | 3.3 |
//! | which triangles fall into which tile; how much snapping moved | `volume/tile_lists.rs` | |
//! | one tile: draw, read, prove, combine, integrate | `volume/solve.rs` | |
//! | which slices a surface touches, and its crossings | `volume/coverage.rs` | |
//! | triangles by what is to be done with them | `volume/classify.rs` | |
//! | a column as 128 bits | `bits.rs` | |
//! | slices inside, cut, or proved to have winding number 0 or 1 | `volume/slice_masks.rs` | |
//! | the same proof along x and y | `volume/side_proof.rs` | |
//! | what both bodies are in each slice; what is left open | `volume/cells.rs` | |
//! | integrals of depth over surfaces | `volume/integrate.rs` | |
//! | a triangle cut to a column | `volume/clip.rs` | |
//! | blocks that are too wide, cut again | `volume/refine.rs` | |
//! | one body against itself | `volume/self_overlap.rs` | 5 |
//! | how deep they are in each other, along the gradient | `volume/depth.rs` | 7 (H30) |
//!
//! `points/`, which points are inside (the question itself is `points/mod.rs`):
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | a coarse grid, 16 bits a coordinate | `points/grid.rs` | |
//! | columns: slices touched, slices inside | `points/columns.rs` | 3.3, stage 3b |
//! | after an edit where nothing moved, the columns that it touches | `points/redraw.rs` | |
//! | points beside the surface by exact signs | `points/near_surface.rs` | |
//! | surfaces with holes, by solid angles | `points/solid_angle.rs` | |
//!
//! `surface/`, the common volume as a closed surface (the question itself is `surface/mod.rs`):
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | rays along the seven edge directions of tetrahedra | `surface/rays.rs` | |
//! | corners inside, and vertices between inside and outside | `surface/corners.rs` | |
//! | vertices on sharp edges | `surface/creases.rs` | |
//! | triangles in each tetrahedron | `surface/tetrahedra.rs` | |
//!
//! `image/`, the paper's own picture, for other rasterisers and for response:
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | bodies on the lattice, and the rules of drawing them | `image/view.rs` | 3.2 |
//! | the layered depth image | `image/layers.rs` | 3.2 |
//! | stretches inside | `image/spans.rs` | 3.3 |
//! | volumes from these alone | `image/sampled.rs` | 3.3 |
//! | these as boxes | `image/span_surface.rs` | |
//! | the volume's derivative by the vertices | `image/gradient.rs` | 5 |
//! | invariants, pictures | `image/validate.rs`, `image/draw.rs` | |
//!
//! `published/mod.rs` is the paper to the letter, with one rendering per layer in `published/image.rs`.
//!
//! # How the bounds come about
//! A column is cut into slices. A slice that a surface does not touch is inside or outside as a whole, as its ray says.
//! Where one surface alone runs through the inside of the other body, the volume is the integral of its depth, exactly.
//! Only slices that both surfaces cut, and those where the winding number is not proved, count as all or nothing; they
//! lie along the curve where the surfaces cross, so the bounds close in at second order.
//!
//! # Invariants
//! I1. The layers of a ray are the triangles that it crosses by the rules of [`View`](image::View): exact integers, each edge owned by
//!     one side, so that no sheet is met twice or never.
//!
//! I2. They ascend by depth, entries before exits, then by triangle.
//!
//! I3. A ray through a closed surface has as many entries as exits.
//!
//! I4. Spans lie in the volume of interest, ascend, do not touch, and begin where all bodies are inside.
//!
//! I5. lower ≤ true volume ≤ upper, snapping included.
//!
//! [`View::validate`](image::View::validate) checks I1 to I3, [`Spans::validate`](image::Spans::validate) I4; I5 is held to exact volumes by the tests.
//!
//! # Cost
//! layers O(F + L log n), F faces, L layers, n on one ray · overlap O(F + L + touched slices) · inside O(F + P) and exact
//! signs for the few points beside the surface · intersection seven times the layers, N³ / 64 words and 9 N² to 14 N²
//! vertices for N cells along a side · memory O(F + L) · between frames
//! only the columns of the body that was last asked about points are kept, for as long as it is not moved, or moved as a whole.
//! Where it is edited and does not move, the columns that k changes touch are drawn again: O(k), and a pass over one word a triangle.
//!
//! # Where we differ from the paper
//! - One pass of rasterisation instead of n_max renderings, and no limit of 255 layers (H-A3, H-A4); ties on edges
//!   are settled so that rays stay balanced (H-A6), and what is seen edge-on has no layers (H-A7).
//! - Orientation is carried and the winding number accumulated, instead of pairing layers by turns (H-A5, H-A16).
//! - Both bodies are seen along one axis from below both boxes, so the volume of interest is never extended and no
//!   depth is flipped (H-A8 to H-A10).
//! - The volume has bounds (H-A11, H-A12), and points are decided by exact signs beside the surface (H-A13).
//! - The paper's own algorithm, without its off-by-one (H-A1), is `published`, behind the feature of that name.
//! - Boxes other than along the axes are not taken up, for the paper's reasons (H6); nor is depth peeling (H20), which is
//!   the n-pass rendering by another test.
//!
//! # When to choose it
//! For closed surfaces, whenever volume matters rather than touching triangles: response forces, clearances, how deep a
//! tool is in tissue; and for many points against one body. Not for open surfaces or cloth: they have no inside.

mod bits;
mod body;
#[doc(hidden)]
pub mod image;
mod lattice;
mod merge;
mod points;
#[cfg(feature = "published")]
pub mod published;
mod query;
mod raster;
mod resolution;
mod surface;
mod voi;
mod volume;

pub use image::gradient::Gradient;
#[doc(hidden)]
pub use points::Solid;
pub use query::Volumes;
pub use resolution::Resolution;
pub use surface::IntersectionSurface;
pub use volume::depth::VolumeDepth;
pub use volume::overlap::Overlap;
pub use volume::refine::{Refined, Stop, Tolerance};
pub use volume::self_overlap::SelfOverlap;

use self::body::OrientedSurface;
use self::image::view::WorkerLayers;
use self::lattice::Corner;
use self::points::InsideScratch;
use self::volume::overlap::TileResult;
use self::volume::solve::TileScratch;
use self::volume::tile_lists::TileLists;
use crate::{Bodies, Frame, FrameError};

/// What is done with a surface that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Holes {
    /// It is an error that says where it is open.
    #[default]
    Refuse,
    /// It is sampled as it is, and the unbalanced rays are counted.
    Accept,
}

/// Parameters of [`LayeredDepth`]; construct them with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayeredDepthParams {
    /// What is done with open surfaces; refused by default.
    pub holes: Holes,
}

/// Layered depth images at work.
#[derive(Debug, Default)]
pub struct LayeredDepth {
    params: LayeredDepthParams,
    surfaces: Vec<OrientedSurface>,
    /// Where the surface of a body was found last.
    places: Vec<usize>,
    vertices: [Vec<Corner>; 2],
    lists: [TileLists; 2],
    results: Vec<TileResult>,
    scratch: Pool,
    inside: InsideScratch,
    workers: Vec<WorkerLayers>,
}

impl LayeredDepth {
    /// A method without bodies yet; they are looked at when they are first asked about.
    #[must_use]
    pub fn new(params: LayeredDepthParams) -> Self {
        Self { params, ..Self::default() }
    }

    /// Takes a frame, about which the returned value answers. Of bodies that are the same version as before their
    /// orientation is known already; of the body that was last asked about points
    /// the columns are kept (H19). Nothing else is, from frame to frame.
    pub fn update<'a>(&'a mut self, bodies: &'a Bodies, frame: Frame<'a>) -> Result<Volumes<'a>, FrameError> {
        frame.check(bodies)?;
        Ok(Volumes { method: self, bodies, frame, is_still: false })
    }
}

/// One scratch memory per thread.
pub(crate) type Pool = crate::parallel::PerThread<TileScratch>;
