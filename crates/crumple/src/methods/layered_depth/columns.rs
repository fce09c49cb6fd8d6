//! The columns of one body for questions about points: which slices its surface touches, which are inside.

use std::ops::Range;

use super::bits;
use super::lattice::{Corner, Lattice};
use super::layers::{Fragment, Layers};
use super::state;
use super::window::{Rect, Shape, Walls, Window};
use crate::geometry::{Aabb, Point};
use crate::{Positions, VertexId};

/// Rays go up along z, as the exact crossings do.
const AXIS: usize = 2;

/// A lattice position cut to 15 bits: x and y in 1/256 of a column, z in 1/32768 of the depth. Cutting is monotone, so
/// what holds of whole positions holds of these; and the smallest and largest of three take an instruction each.
pub(super) type Place = [i16; 4];

/// The smallest and the largest place of a triangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlaceBox {
    pub min: Place,
    pub max: Place,
}

/// Steps of a place per column, as a power of two.
const STEPS: u32 = 8;

/// The columns over a body's box.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub lattice: Lattice,
    /// Columns along x and y, at most 128.
    pub side: i32,
    /// Rows of columns that one worker draws.
    pub rows: i32,
    whole: Window,
}

/// A large triangle in a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub triangle: u32,
    pub column: u16,
    pub lo: u8,
    pub hi: u8,
}

/// A band of rows.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Slices that the surface touches.
    pub touched: Vec<u128>,
    /// Slices that it does not touch and whose every point is inside.
    pub inside: Vec<u128>,
    /// What triangles of more than 2 × 2 columns touch.
    pub large: Vec<Touch>,
    pub layers: Layers,
    /// Small triangles whose box holds a centre.
    crossers: Vec<u32>,
}

impl Grid {
    /// The grid of a body, a little larger than its box so that nothing lies on its outer walls; `None` where the body
    /// is so thin, or so far from the origin for its size, that no lattice resolves it.
    pub fn new(bounds: &Aabb, side: i32, bands: i32) -> Option<Self> {
        let size = bounds.size();
        let largest = size.iter().fold(0.0, |m: f64, &s| m.max(s));
        let pad = |k: usize| {
            let far = bounds.min[k].abs().max(bounds.max[k].abs());
            (1e-6 * size[k]).max(1e-9 * largest).max(1e-14 * far)
        };
        let grown = Aabb {
            min: std::array::from_fn(|k| bounds.min[k] - pad(k)),
            max: std::array::from_fn(|k| bounds.max[k] + pad(k)),
        };
        let lattice = Lattice::new(&grown, AXIS, [side as u32; 2])?;
        let holds = |p: &Point| {
            let at = lattice.snap(p);
            (0..3).all(|k| at[k] > 0 && at[k] < lattice.size[k])
        };
        let rows = (side + bands - 1) / bands;
        let whole = Window::new([0, 0], lattice.shift, [side; 2], [0, lattice.size[2]], Walls::Included);
        (holds(&bounds.min) && holds(&bounds.max)).then_some(Self { lattice, side, rows, whole })
    }

    /// Bands of rows.
    pub fn bands(&self) -> usize {
        ((self.side + self.rows - 1) / self.rows) as usize
    }

    /// The window of one band.
    pub fn window(&self, band: usize) -> Window {
        let first = band as i32 * self.rows;
        let mut window = self.whole.clone();
        window.origin[1] = first << self.lattice.shift;
        window.columns[1] = self.rows.min(self.side - first);
        window
    }

    /// The place of a lattice position.
    #[inline(always)]
    pub fn place(&self, at: Corner) -> Place {
        let cut = self.lattice.shift - STEPS;
        [(at[0] >> cut) as i16, (at[1] >> cut) as i16, (at[2] >> 12) as i16, 0]
    }

    /// The bit of a depth.
    #[inline(always)]
    pub fn bit(&self, z: i32) -> u32 {
        self.whole.bit(z)
    }

    /// The place of each vertex.
    pub fn place_all(&self, positions: Positions<'_>, out: &mut Vec<Place>) {
        out.clear();
        match positions {
            Positions::F64(p) => out.extend(p.iter().map(|p| self.place(self.lattice.snap(p)))),
            Positions::F32(p) => {
                out.extend(p.iter().map(|p| self.place(self.lattice.snap(&p.map(f64::from)))));
            }
        }
    }

    /// A triangle on the lattice.
    #[inline(always)]
    pub fn shape(&self, positions: Positions<'_>, corners: &[VertexId; 3]) -> Shape {
        let at = |v: VertexId| -> Corner { self.lattice.snap(&positions.get(v.index())) };
        Shape::new([at(corners[0]), at(corners[1]), at(corners[2])])
    }

    /// The columns and bits of a box.
    #[inline(always)]
    pub fn cells(&self, b: &PlaceBox) -> (Rect, u32, u32) {
        let at = |p: &Place| [i32::from(p[0] >> STEPS), i32::from(p[1] >> STEPS)];
        let rect = Rect { lo: at(&b.min), hi: at(&b.max) };
        (rect, self.bit(i32::from(b.min[2]) << 12), self.bit((i32::from(b.max[2]) << 12) + 4095))
    }
}

/// The boxes of all triangles. No branch depends on what is loaded, so that many loads are under way at once: the
/// vertices of a large mesh come from the outer caches.
#[inline(always)]
pub(super) fn boxes(places: &[Place], triangles: &[[VertexId; 3]], out: &mut [PlaceBox]) {
    for (b, corners) in out.iter_mut().zip(triangles) {
        *b = join(places[corners[0].index()], places[corners[1].index()], places[corners[2].index()]);
    }
}

/// The box of three places.
#[inline(always)]
fn join(p: Place, q: Place, r: Place) -> PlaceBox {
    PlaceBox {
        min: std::array::from_fn(|k| p[k].min(q[k]).min(r[k])),
        max: std::array::from_fn(|k| p[k].max(q[k]).max(r[k])),
    }
}

impl Columns {
    /// Draws all triangles into the band and reads off what is inside.
    #[inline(always)]
    pub fn draw(
        &mut self,
        grid: &Grid,
        band: usize,
        boxes: &[PlaceBox],
        triangles: &[[VertexId; 3]],
        positions: Positions<'_>,
    ) {
        let window = grid.window(band);
        for mask in [&mut self.touched, &mut self.inside] {
            mask.clear();
            mask.resize(window.len(), 0);
        }
        self.large.clear();
        self.crossers.clear();
        let layers = self.layers.clear();
        let across = grid.side as usize;
        let (first_row, last_row) =
            (band as i32 * grid.rows, band as i32 * grid.rows + window.columns[1] - 1);
        for (t, b) in boxes.iter().enumerate() {
            let (mut rect, lo, hi) = grid.cells(b);
            if rect.lo[1] > last_row || rect.hi[1] < first_row {
                continue;
            }
            let is_small = is_small(&rect);
            rect.lo[1] = rect.lo[1].max(first_row) - first_row;
            rect.hi[1] = rect.hi[1].min(last_row) - first_row;
            if is_small {
                let column = rect.lo[1] as usize * across + rect.lo[0] as usize;
                let mask = bits::span(lo, hi);
                self.touched[column] |= mask;
                if rect.hi[0] > rect.lo[0] {
                    self.touched[column + 1] |= mask;
                }
                if rect.hi[1] > rect.lo[1] {
                    self.touched[column + across] |= mask;
                    if rect.hi[0] > rect.lo[0] {
                        self.touched[column + across + 1] |= mask;
                    }
                }
                if has_centre(b, 0) && has_centre(b, 1) {
                    self.crossers.push(t as u32);
                }
            } else {
                let shape = grid.shape(positions, &triangles[t]);
                let bits = window.bits(shape.min[2], shape.max[2]);
                window.scan::<i64>(&super::raster::wide(&shape), rect, bits, |column, lo, hi, z| {
                    self.touched[column] |= bits::span(lo, hi);
                    self.large.push(Touch {
                        triangle: t as u32,
                        column: column as u16,
                        lo: lo as u8,
                        hi: hi as u8,
                    });
                    if let Some(z) = z {
                        layers.push(fragment(&window, &shape, t as u32, column, z));
                    }
                });
            }
        }
        // Corners are fetched for many triangles before any is looked at, so that the caches answer all at once.
        let mut shapes = [Shape::default(); 32];
        for block in self.crossers.chunks(shapes.len()) {
            for (shape, &t) in shapes.iter_mut().zip(block) {
                *shape = grid.shape(positions, &triangles[t as usize]);
            }
            for (shape, &t) in shapes.iter().zip(block) {
                if let Some(rect) = window.centres(&shape.min, &shape.max) {
                    window.sample::<i64>(&super::raster::wide(shape), rect, |column, z| {
                        layers.push(fragment(&window, shape, t, column, z));
                    });
                }
            }
        }
        self.layers.sort(window.len());
        self.read();
    }

    /// Between touched runs the winding number of the centre ray is that of the whole slice.
    fn read(&mut self) {
        for (c, inside) in self.inside.iter_mut().enumerate() {
            let column = self.layers.column(c);
            if column.is_empty() {
                continue;
            }
            let mut end = 0;
            for run in state::runs(self.touched[c], column, 0) {
                if run.below != 0 {
                    *inside |= bits::of(&(end..run.slices.start));
                }
                end = run.slices.end;
            }
        }
    }

    /// The run of touched slices that holds a bit, and the winding number above it.
    pub fn run_at(&self, column: usize, bit: u32) -> (Range<u32>, i32) {
        let run = state::runs(self.touched[column], self.layers.column(column), 0)
            .find(|run| run.slices.contains(&bit))
            .expect("the slice is touched");
        (run.slices, run.above)
    }
}

/// Whether a triangle has at most 2 × 2 columns.
#[inline(always)]
pub(super) fn is_small(rect: &Rect) -> bool {
    rect.hi[0] - rect.lo[0] <= 1 && rect.hi[1] - rect.lo[1] <= 1
}

/// Whether the box may hold a centre along x or y; exact signs decide.
#[inline(always)]
fn has_centre(b: &PlaceBox, k: usize) -> bool {
    const HALF: i16 = 1 << (STEPS - 1);
    // Centres at or before the upper end, against centres before the lower one; in 32 bits, for the last column.
    (i32::from(b.max[k]) + i32::from(HALF)) >> STEPS > (i32::from(b.min[k]) + i32::from(HALF) - 1) >> STEPS
}

#[inline(always)]
fn fragment(window: &Window, shape: &Shape, triangle: u32, column: usize, z: f64) -> Fragment {
    let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
    let bit = window.bit(z as i32).clamp(lo, hi) as u8;
    Fragment { z, triangle, column: column as u16, bit, step: shape.step() as i8 }
}
