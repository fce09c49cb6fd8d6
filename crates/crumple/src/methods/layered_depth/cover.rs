//! Stage 2: one body drawn into one window: which slices its surface touches, and the crossings of centre rays.

use super::bits;
use super::lattice;
use super::layers::Fragment;
use super::soup::Soup;
use super::window::{Rect, Shape, Window};
use crate::geometry::lanes;

/// A column that a triangle touches, and the bits it touches there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub column: u16,
    pub lo: u8,
    pub hi: u8,
}

impl Touch {
    #[inline(always)]
    pub fn mask(self) -> u128 {
        bits::span(u32::from(self.lo), u32::from(self.hi))
    }
}

/// A triangle that was drawn, with what later steps need of it, so that they need not look at its corners again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    /// Twice the area seen along the rays, as in [`Shape`]; 0 for a far triangle, which is always cut to columns.
    pub area2: i64,
    /// Sum of the depths of the corners.
    pub depths: i64,
    pub triangle: u32,
    /// Place after its last touch; the first follows the last one of the triangle before.
    pub end: u32,
    /// Signs of the normal along x and y.
    pub facing: [i8; 2],
    /// Whether all its columns belong to the window.
    pub is_enclosed: bool,
    pub is_far: bool,
}

/// The touched slices of every column.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// Touched by what is entered going up.
    pub up: Vec<u128>,
    /// Touched by what is left going up.
    pub down: Vec<u128>,
    /// Touched by what is seen edge-on.
    pub edge_on: Vec<u128>,
    has_edge_on: bool,
    pub touches: Vec<Touch>,
    pub drawn: Vec<Drawn>,
    /// Triangles strictly below the window's depth.
    pub below: Vec<u32>,
    /// A bound on the volume swept when every vertex moves by a unit along each axis: half the faces of the boxes of
    /// the triangles.
    pub swept: f64,
    /// Triangles in the walls between columns.
    pub flush: Vec<Flush>,
}

/// A triangle that lies in the wall between two columns, or beside the first or the last one: it belongs to neither, but
/// a view from the side crosses it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flush {
    /// Across x or across y.
    pub axis: usize,
    /// The column after the wall.
    pub at: i32,
    /// First and last line of columns along the axis that it may meet.
    pub lines: [i32; 2],
    pub lo: u8,
    pub hi: u8,
}

impl Flush {
    pub fn mask(self) -> u128 {
        bits::span(u32::from(self.lo), u32::from(self.hi))
    }
}

impl Cover {
    pub fn clear(&mut self, columns: usize) {
        for mask in [&mut self.up, &mut self.down] {
            mask.clear();
            mask.resize(columns, 0);
        }
        if self.has_edge_on || self.edge_on.len() != columns {
            self.edge_on.clear();
            self.edge_on.resize(columns, 0);
            self.has_edge_on = false;
        }
        self.touches.clear();
        self.drawn.clear();
        self.below.clear();
        self.swept = 0.0;
        self.flush.clear();
    }

    /// All touched slices of a column.
    #[inline(always)]
    pub fn touched(&self, column: usize) -> u128 {
        self.up[column] | self.down[column] | self.edge_on[column]
    }

    /// Every drawn triangle with its touches.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (&Drawn, &[Touch])> {
        let mut start = 0;
        self.drawn.iter().map(move |drawn| {
            let first = std::mem::replace(&mut start, drawn.end as usize);
            (drawn, &self.touches[first..start])
        })
    }

    /// Draws a list of triangles. What lies in columns that are not `wanted` is sampled only.
    pub fn draw_all(
        &mut self,
        window: &Window,
        soup: &Soup<'_>,
        list: &[u32],
        wanted: &[bool],
        layers: &mut Vec<Fragment>,
    ) {
        lanes::run(DrawAll { cover: self, window, soup, list, wanted, layers });
    }

    /// Draws one triangle that lies within the limit.
    ///
    /// What lies strictly above or below the window's depth is sampled only: its bits would say nothing that the
    /// winding number of the centre ray does not. What touches the end of the depth is drawn, because a surface that
    /// passes there leaves no uniform end to the run that it continues.
    #[inline(always)]
    fn draw(&mut self, window: &Window, id: u32, shape: &Shape, wanted: &[bool], layers: &mut Vec<Fragment>) {
        let Some(rect) = window.rect(&shape.min, &shape.max) else {
            self.note_flush(window, shape);
            return;
        };
        let step = shape.step();
        let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
        let fragment = |column: usize, z: f64| {
            let bit = window.bit(floor(z)).clamp(lo, hi) as u8;
            Fragment { z, triangle: id, column: column as u16, bit, step: step as i8 }
        };
        let is_small = rect.hi[0] - rect.lo[0] <= 1 && rect.hi[1] - rect.lo[1] <= 1;
        let is_wanted = window.any(rect, wanted);
        self.swept += swept(window, shape);
        if is_wanted && window.meets_depth(shape) {
            let mask = match step {
                1 => &mut self.up,
                -1 => &mut self.down,
                _ => {
                    self.has_edge_on = true;
                    &mut self.edge_on
                }
            };
            let mut touch = |column: usize, lo: u32, hi: u32| {
                mask[column] |= bits::span(lo, hi);
                self.touches.push(Touch { column: column as u16, lo: lo as u8, hi: hi as u8 });
            };
            if is_small {
                window.visit(shape, rect, (lo, hi), touch);
            } else {
                window.scan::<i64>(&super::raster::wide(shape), rect, (lo, hi), |column, lo, hi, z| {
                    touch(column, lo, hi);
                    if let Some(z) = z {
                        // Any slice that is touched here does: all are in one run.
                        let (column, bit, step) = (column as u16, lo as u8, step as i8);
                        layers.push(Fragment { z, triangle: id, column, bit, step });
                    }
                });
            }
            self.drawn.push(Drawn {
                area2: shape.area2,
                depths: shape.depths(),
                triangle: id,
                end: self.touches.len() as u32,
                facing: shape.facing(),
                is_enclosed: window.encloses(&shape.min, &shape.max),
                is_far: false,
            });
            if !is_small {
                return;
            }
        } else if is_wanted && shape.max[2] < window.depth[0] {
            self.below.push(id);
        }
        if let Some(centres) = window.centres(&shape.min, &shape.max) {
            let corners = super::raster::wide(shape);
            window.sample::<i64>(&corners, centres, |column, z| layers.push(fragment(column, z)));
        }
    }

    /// Remembers a triangle that no column owns, if it lies in a wall.
    #[cold]
    fn note_flush(&mut self, window: &Window, shape: &Shape) {
        self.swept += swept(window, shape);
        for axis in 0..2 {
            let from = shape.min[axis] - window.origin[axis];
            let (at, other) = (from >> window.shift, 1 - axis);
            let is_wall = shape.min[axis] == shape.max[axis] && at << window.shift == from;
            let first = ((shape.min[other] - window.origin[other]) >> window.shift).max(0);
            let last =
                ((shape.max[other] - window.origin[other]) >> window.shift).min(window.columns[other] - 1);
            if is_wall
                && (0..=window.columns[axis]).contains(&at)
                && first <= last
                && window.meets_depth(shape)
            {
                let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
                self.flush.push(Flush { axis, at, lines: [first, last], lo: lo as u8, hi: hi as u8 });
            }
        }
    }

    /// Draws one triangle that reaches beyond the limit.
    #[cold]
    fn draw_far(
        &mut self,
        window: &Window,
        id: u32,
        shape: &Shape,
        corners: &[[i64; 3]; 3],
        layers: &mut Vec<Fragment>,
    ) {
        if window.rect(&shape.min, &shape.max).is_none() {
            self.note_flush(window, shape);
        }
        let area2 = area2_wide(corners);
        let step = i8::from(area2 < 0) - i8::from(area2 > 0);
        let mask = match step {
            1 => &mut self.up,
            -1 => &mut self.down,
            _ => {
                self.has_edge_on = true;
                &mut self.edge_on
            }
        };
        let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
        let rect: Option<Rect> = window.rect(&shape.min, &shape.max);
        if window.meets_depth(shape) {
            if let Some(rect) = rect {
                window.visit_large::<i128>(corners, rect, (lo, hi), |column, lo, hi| {
                    mask[column] |= bits::span(lo, hi);
                    self.touches.push(Touch { column: column as u16, lo: lo as u8, hi: hi as u8 });
                });
            }
            let end = self.touches.len() as u32;
            self.drawn.push(Drawn {
                area2: i64::from(-step),
                depths: 0,
                triangle: id,
                end,
                facing: [0; 2],
                is_enclosed: false,
                is_far: true,
            });
        } else if shape.max[2] < window.depth[0] {
            self.below.push(id);
        }
        self.swept += swept(window, shape);
        if let Some(rect) = window.centres(&shape.min, &shape.max) {
            window.sample::<i128>(corners, rect, |column, z| {
                let held = z.clamp(f64::from(-lattice::LIMIT), f64::from(lattice::LIMIT));
                let bit = window.bit(floor(held)).clamp(lo, hi) as u8;
                layers.push(Fragment { z, triangle: id, column: column as u16, bit, step });
            });
        }
    }
}

/// [`Cover::draw_all`], compiled for the processor at hand.
struct DrawAll<'a, 'b> {
    cover: &'a mut Cover,
    window: &'a Window,
    soup: &'a Soup<'b>,
    list: &'a [u32],
    wanted: &'a [bool],
    layers: &'a mut Vec<Fragment>,
}

impl lanes::Work for DrawAll<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: lanes::Lanes>(self, _: L) {
        let Self { cover, window, soup, list, wanted, layers } = self;
        // Corners are fetched for many triangles before any is drawn, so that the caches answer all at once.
        let mut fetched = [(0, Shape::default()); 16];
        for block in list.chunks(fetched.len()) {
            for (fetched, &t) in fetched.iter_mut().zip(block) {
                *fetched = (t, soup.shape(t));
            }
            for (t, shape) in &fetched[..block.len()] {
                if soup.has_far && lattice::is_far(&shape.corners) {
                    cover.draw_far(window, *t, shape, &soup.wide(*t), layers);
                } else {
                    cover.draw(window, *t, shape, wanted, layers);
                }
            }
        }
    }
}

/// Half the faces of the triangle's box, cut to the window; nothing where it lies above or below the volume of interest,
/// which holds all that may be common.
#[inline(always)]
fn swept(window: &Window, shape: &Shape) -> f64 {
    const DEEP: f64 = (1 << lattice::UNITS) as f64 + 2.0;
    // In double precision: differences of single ones, off by 16 units here, would not cover a small triangle.
    let size = |k: usize| f64::from(shape.max[k]) - f64::from(shape.min[k]) + 2.0;
    let min = |a: f64, b: f64| if a < b { a } else { b };
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let x = min(size(0), f64::from(window.columns[0] << window.shift));
    let y = min(size(1), f64::from(window.columns[1] << window.shift));
    let z = min(f64::from(shape.max[2]), DEEP) - max(f64::from(shape.min[2]), -2.0) + 2.0;
    if z < 0.0 {
        return 0.0;
    }
    // The factor covers the roundings.
    0.500_001 * (x * y + y * z + z * x)
}

/// Twice the area of a far triangle as the rays see it.
fn area2_wide([a, b, c]: &[[i64; 3]; 3]) -> i128 {
    let d = |p: &[i64; 3], k: usize| i128::from(p[k]) - i128::from(a[k]);
    d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0)
}

/// Rounds down; the number must fit. Without a call: the baseline has no instruction for it.
#[inline(always)]
fn floor(z: f64) -> i32 {
    let whole = z as i32;
    whole - i32::from(f64::from(whole) > z)
}
