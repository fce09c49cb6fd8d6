//! Volumes that bodies share, by layered depth images.

mod bins;
mod bits;
mod boxes;
mod cells;
mod clip;
mod columns;
mod cover;
mod crossings;
mod error;
mod gradient;
mod inside;
mod integrate;
mod lateral;
mod lattice;
mod layer;
mod layers;
mod overlap;
mod raster;
mod refine;
mod self_overlap;
mod soup;
mod spans;
mod state;
mod surface;
#[cfg(test)]
mod tests;
mod tile;
mod view;
pub mod voi;
mod window;

use std::sync::{Mutex, MutexGuard};

pub use boxes::SpanSurface;
pub use error::LayeredError;
pub use gradient::Gradient;
pub use inside::Solid;
pub use lattice::Lattice;
pub use layer::{BadLayers, Layer, Layers};
pub use overlap::Overlap;
pub use refine::{Refined, Stop, Tolerance};
pub use self_overlap::SelfOverlap;
pub use spans::{Span, Spans};
pub use view::View;
pub use voi::{Near, Voi};

use self::bins::Bins;
use self::inside::InsideScratch;
use self::lattice::{Corner, MAX_RESOLUTION};
use self::overlap::Tile;
use self::surface::Surface;
use self::tile::Scratch;
use crate::geometry::lanes;
use crate::{BodyId, Mesh, ParamError};

/// How finely the volume of interest is sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// Pixels along the two sides, whatever their lengths; 1 to 8192 each.
    Pixels([u32; 2]),
    /// The length of a pixel's side in space; at most 8192 pixels are taken along a side (H-A15).
    PixelSize(f64),
}

impl Resolution {
    fn of(self, voi: &Voi) -> [u32; 2] {
        match self {
            Self::Pixels(n) => n,
            Self::PixelSize(length) => {
                let size = voi.bounds.size();
                [(voi.axis + 1) % 3, (voi.axis + 2) % 3]
                    .map(|k| (size[k] / length).ceil().clamp(1.0, f64::from(MAX_RESOLUTION)) as u32)
            }
        }
    }
}

/// What is done with a surface that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holes {
    /// It is an error that says where it is open.
    #[default]
    Refuse,
    /// It is sampled as it is, and the unbalanced rays are counted.
    Accept,
}

/// Parameters of [`LayeredDepth`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayeredDepthParams {
    /// Pixels across the volume of interest; 128 × 128 by default, as in the paper's tables.
    pub resolution: Resolution,
    /// What is done with open surfaces; refused by default.
    pub holes: Holes,
}

impl Default for LayeredDepthParams {
    fn default() -> Self {
        Self { resolution: Resolution::Pixels([128, 128]), holes: Holes::Refuse }
    }
}

/// Layered depth images at work.
#[derive(Debug)]
pub struct LayeredDepth {
    params: LayeredDepthParams,
    surfaces: Vec<Surface>,
    vertices: [Vec<Corner>; 2],
    bins: [Bins; 2],
    tiles: Vec<Tile>,
    scratch: Pool,
    inside: InsideScratch,
    parts: Vec<view::Part>,
}

impl LayeredDepth {
    /// Checks the parameters; bodies are looked at when they are first asked about.
    pub fn new(params: LayeredDepthParams) -> Result<Self, ParamError> {
        let fault = |value: String, expected| ParamError { parameter: "resolution", value, expected };
        match params.resolution {
            Resolution::Pixels(n) if n.iter().any(|&n| n == 0 || n > MAX_RESOLUTION) => {
                return Err(fault(format!("{n:?}"), "1 to 8192 pixels along each side"));
            }
            Resolution::PixelSize(s) if !(s > 0.0 && s.is_finite()) => {
                return Err(fault(s.to_string(), "a positive length"));
            }
            _ => {}
        }
        Ok(Self {
            params,
            surfaces: Vec::new(),
            vertices: Default::default(),
            bins: Default::default(),
            tiles: Vec::new(),
            scratch: Pool::default(),
            inside: InsideScratch::default(),
            parts: Vec::new(),
        })
    }

    /// The parameters.
    pub fn params(&self) -> &LayeredDepthParams {
        &self.params
    }

    /// The places of the judged surfaces of bodies, or why one cannot be used.
    fn admit_all(&mut self, mesh: &Mesh, ids: &[BodyId]) -> Result<Vec<usize>, LayeredError> {
        for &id in ids {
            self.admit(mesh, id)?;
        }
        // Judging a new body may have moved the others; now nothing moves any more.
        ids.iter().map(|&id| self.admit(mesh, id)).collect()
    }

    /// The place of a body's judged surface, or why it cannot be used.
    fn admit(&mut self, mesh: &Mesh, id: BodyId) -> Result<usize, LayeredError> {
        let bodies = mesh.bodies();
        let body = bodies.get(id.index()).ok_or(LayeredError::NoBody { body: id, bodies: bodies.len() })?;
        let known = self.surfaces.iter().position(|s| s.is_of(body));
        let place = known.unwrap_or_else(|| {
            // Versions that have left the mesh are forgotten.
            self.surfaces.retain(|s| bodies.iter().any(|b| s.is_of(b)));
            self.surfaces.push(Surface::new(body));
            self.surfaces.len() - 1
        });
        self.surfaces[place].admit(id, self.params.holes)?;
        Ok(place)
    }
}

/// One scratch memory per worker.
#[derive(Debug, Default)]
struct Pool(Vec<Mutex<Scratch>>);

impl Pool {
    fn reserve(&mut self, workers: usize) {
        self.0.resize_with(workers.max(self.0.len()), Mutex::default);
    }

    fn get(&self, worker: usize) -> MutexGuard<'_, Scratch> {
        self.0[worker].lock().expect("a worker panicked")
    }
}

/// The number of this worker in its pool.
fn worker() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_thread_index().unwrap_or(0)
    }
    #[cfg(not(feature = "parallel"))]
    {
        0
    }
}

/// Runs `f` on every item, on all workers of the current pool.
fn for_each<T: Send>(items: &mut [T], f: impl Fn((usize, &mut T)) + Sync + Send) {
    #[cfg(feature = "parallel")]
    if bins::workers() > 1 {
        use rayon::prelude::*;
        items.par_iter_mut().enumerate().for_each(f);
        return;
    }
    items.iter_mut().enumerate().for_each(f);
}

/// Runs `f` on ranges that make up `0..len`, on all workers of the current pool.
fn for_ranges(len: usize, f: impl Fn(std::ops::Range<usize>) + Sync + Send) {
    #[cfg(feature = "parallel")]
    if bins::workers() > 1 {
        use rayon::prelude::*;
        let chunk = len.div_ceil(4 * bins::workers()).max(1024);
        (0..len.div_ceil(chunk)).into_par_iter().for_each(|k| f(k * chunk..((k + 1) * chunk).min(len)));
        return;
    }
    f(0..len);
}

/// Runs `f` in code that is compiled for the processor at hand as well as for the oldest of its kind. What `f` calls
/// must be inlined to gain from it. Rounding is the same in both.
#[inline(always)]
fn compiled_for_this_processor<R>(f: impl FnOnce() -> R) -> R {
    struct Call<F>(F);
    impl<R, F: FnOnce() -> R> lanes::Work for Call<F> {
        type Output = R;

        #[inline(always)]
        fn run<L: lanes::Lanes>(self, _: L) -> R {
            (self.0)()
        }
    }
    lanes::run(Call(f))
}
