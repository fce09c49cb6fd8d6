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

/// The columns over a body's box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub lattice: Lattice,
    /// Columns along x and y.
    pub side: i32,
    /// Rows of columns that one worker draws.
    pub rows: i32,
}

/// A vertex as the drawing loop sees it: column and slice, and how many centres lie before it along x and y. The
/// smallest and largest of three of these take one instruction each, and settle most triangles.
pub(super) type Place = [i16; 8];

/// A triangle in a column.
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
    pub touches: Vec<Touch>,
    pub layers: Layers,
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
        (holds(&bounds.min) && holds(&bounds.max)).then_some(Self { lattice, side, rows })
    }

    /// Bands of rows.
    pub fn bands(&self) -> usize {
        ((self.side + self.rows - 1) / self.rows) as usize
    }

    /// The window of one band.
    pub fn window(&self, band: usize) -> Window {
        let first = band as i32 * self.rows;
        let rows = self.rows.min(self.side - first);
        let origin = [0, first << self.lattice.shift];
        Window::new(origin, self.lattice.shift, [self.side, rows], [0, self.lattice.size[2]], Walls::Included)
    }

    /// The place of each vertex.
    pub fn place_all(&self, positions: Positions<'_>, out: &mut Vec<Place>) {
        let window = self.window(0);
        let half = (window.pixel() >> 1) - 1;
        let place = |p: &Point| -> Place {
            let [x, y, z] = self.lattice.snap(p);
            let shift = self.lattice.shift;
            // Centres strictly before the vertex: a ray through it counts as passing after it.
            let centres = |v: i32| ((v + half) >> shift) as i16;
            [(x >> shift) as i16, (y >> shift) as i16, window.bit(z) as i16, centres(x), centres(y), 0, 0, 0]
        };
        out.clear();
        match positions {
            Positions::F64(p) => out.extend(p.iter().map(place)),
            Positions::F32(p) => out.extend(p.iter().map(|p| place(&p.map(f64::from)))),
        }
    }

    /// A triangle on the lattice.
    #[inline(always)]
    pub fn shape(&self, positions: Positions<'_>, corners: &[VertexId; 3]) -> Shape {
        let at = |v: VertexId| -> Corner { self.lattice.snap(&positions.get(v.index())) };
        Shape::new([at(corners[0]), at(corners[1]), at(corners[2])])
    }
}

#[inline(always)]
fn join(a: &Place, b: &Place, c: &Place, f: impl Fn(i16, i16) -> i16) -> Place {
    let mut out = [0; 8];
    for k in 0..8 {
        out[k] = f(f(a[k], b[k]), c[k]);
    }
    out
}

impl Columns {
    /// Draws all triangles into the band and reads off what is inside.
    pub fn draw(
        &mut self,
        grid: &Grid,
        band: usize,
        places: &[Place],
        triangles: &[[VertexId; 3]],
        positions: Positions<'_>,
    ) {
        let window = grid.window(band);
        for mask in [&mut self.touched, &mut self.inside] {
            mask.clear();
            mask.resize(window.len(), 0);
        }
        self.touches.clear();
        let layers = self.layers.clear();
        let across = grid.side as usize;
        let first_row = (band as i32 * grid.rows) as i16;
        let last_row = first_row + window.columns[1] as i16 - 1;
        for (t, corners) in triangles.iter().enumerate() {
            let [a, b, c] =
                [&places[corners[0].index()], &places[corners[1].index()], &places[corners[2].index()]];
            let (min, max) = (join(a, b, c, i16::min), join(a, b, c, i16::max));
            let (y0, y1) = (min[1].max(first_row), max[1].min(last_row));
            if y0 > y1 {
                continue;
            }
            let (width, height) = (max[0] - min[0], y1 - y0);
            let (lo, hi) = (min[2] as u8, max[2] as u8);
            let column = (y0 - first_row) as usize * across + min[0] as usize;
            let mut touch = |column: usize, lo: u8, hi: u8| {
                self.touched[column] |= bits::span(u32::from(lo), u32::from(hi));
                self.touches.push(Touch { triangle: t as u32, column: column as u16, lo, hi });
            };
            let has_centre = min[3] < max[3] && min[4] < max[4];
            if width <= 1 && height <= 1 {
                touch(column, lo, hi);
                if width > 0 {
                    touch(column + 1, lo, hi);
                }
                if height > 0 {
                    touch(column + across, lo, hi);
                    if width > 0 {
                        touch(column + across + 1, lo, hi);
                    }
                }
                if has_centre {
                    let shape = grid.shape(positions, corners);
                    if let Some(rect) = window.centres(&shape.min, &shape.max) {
                        window.sample::<i64>(&super::raster::wide(&shape), rect, |column, z| {
                            layers.push(fragment(&window, &shape, t as u32, column, z));
                        });
                    }
                }
            } else {
                let shape = grid.shape(positions, corners);
                let rect = Rect {
                    lo: [i32::from(min[0]), i32::from(y0 - first_row)],
                    hi: [i32::from(max[0]), i32::from(y1 - first_row)],
                };
                window.scan::<i64>(&super::raster::wide(&shape), rect, |column, lo, hi, z| {
                    touch(column, lo as u8, hi as u8);
                    layers.extend(z.map(|z| fragment(&window, &shape, t as u32, column, z)));
                });
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
            let mut gap = |slices: Range<u32>, winding: i32| {
                if winding != 0 {
                    *inside |= bits::of(&slices);
                }
            };
            for run in state::runs(self.touched[c], column, 0) {
                gap(end..run.slices.start, run.below);
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

#[inline(always)]
fn fragment(window: &Window, shape: &Shape, triangle: u32, column: usize, z: f64) -> Fragment {
    let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
    let bit = window.bit(z as i32).clamp(lo, hi) as u8;
    Fragment { z, triangle, column: column as u16, bit, step: shape.step() as i8 }
}
