//! Stage 2: one body in one window: which slices its surface touches, and the layers on the centre rays.

use super::bits;
use super::lattice::{self, Corner, Lattice};
use super::window::{Shape, Window};
use crate::geometry::Point;
use crate::{Positions, VertexId};

/// One crossing of a centre ray and a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fragment {
    /// Depth in lattice units.
    pub z: f64,
    pub triangle: u32,
    pub column: u16,
    /// The slice, as a bit of the window.
    pub bit: u8,
    /// 1 where the ray enters, −1 where it leaves.
    pub step: i8,
}

/// Where to find the triangles of a body on the lattice.
#[derive(Clone, Copy)]
pub(super) struct Soup<'a> {
    pub triangles: &'a [[VertexId; 3]],
    pub vertices: &'a [Corner],
    pub positions: Positions<'a>,
    pub lattice: &'a Lattice,
}

impl Soup<'_> {
    #[inline(always)]
    pub fn shape(&self, triangle: u32) -> Shape {
        Shape::new(lattice::corners(self.vertices, &self.triangles[triangle as usize]))
    }

    /// The corners of a far triangle, exactly.
    pub fn wide(&self, triangle: u32) -> [[i64; 3]; 3] {
        self.triangles[triangle as usize].map(|v| self.lattice.snap_wide(&self.positions.get(v.index())))
    }

    /// The corners in space.
    pub fn points(&self, triangle: u32) -> [Point; 3] {
        self.triangles[triangle as usize].map(|v| self.positions.get(v.index()))
    }
}

/// The touched slices of every column and the sorted layers.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// Touched by what is entered going up.
    pub up: Vec<u128>,
    /// Touched by what is left going up.
    pub down: Vec<u128>,
    /// Touched by what is seen edge-on.
    pub edge_on: Vec<u128>,
    has_edge_on: bool,
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
    }

    /// All touched slices of a column.
    #[inline(always)]
    pub fn touched(&self, column: usize) -> u128 {
        self.up[column] | self.down[column] | self.edge_on[column]
    }

    /// Draws one triangle that lies within the limit.
    ///
    /// What lies strictly above or below the window's depth is sampled only: its bits would say nothing that the
    /// winding number of the centre ray does not. What touches the end of the depth is drawn, because a surface that
    /// passes there leaves no uniform end to the run that it continues.
    #[inline(always)]
    pub fn draw(&mut self, window: &Window, id: u32, shape: &Shape, layers: &mut Vec<Fragment>) {
        let Some(rect) = window.rect(&shape.min, &shape.max) else { return };
        let step = shape.step();
        let (lo, hi) = window.bits(shape.min[2], shape.max[2]);
        if window.meets_depth(shape) {
            let mask = match step {
                1 => &mut self.up,
                -1 => &mut self.down,
                _ => {
                    self.has_edge_on = true;
                    &mut self.edge_on
                }
            };
            window.visit(shape, rect, (lo, hi), |column, lo, hi| mask[column] |= bits::span(lo, hi));
        }
        window.sample(shape, |column, z| {
            let bit = window.bit(floor(z)).clamp(lo, hi) as u8;
            layers.push(Fragment { z, triangle: id, column: column as u16, bit, step: step as i8 });
        });
    }

    /// Draws one triangle that reaches beyond the limit.
    #[cold]
    pub fn draw_far(
        &mut self,
        window: &Window,
        id: u32,
        shape: &Shape,
        corners: &[[i64; 3]; 3],
        layers: &mut Vec<Fragment>,
    ) {
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
        if let Some(rect) = window.rect(&shape.min, &shape.max).filter(|_| window.meets_depth(shape)) {
            window.visit_large::<i128>(corners, rect, |column, lo, hi| mask[column] |= bits::span(lo, hi));
        }
        if let Some(rect) = window.centres(&shape.min, &shape.max) {
            window.sample_rect::<i128>(corners, rect, |column, z| {
                let held = z.clamp(f64::from(-lattice::LIMIT), f64::from(lattice::LIMIT));
                let bit = window.bit(floor(held)).clamp(lo, hi) as u8;
                layers.push(Fragment { z, triangle: id, column: column as u16, bit, step });
            });
        }
    }
}

/// Twice the area of a far triangle as the rays see it.
pub(super) fn area2_wide([a, b, c]: &[[i64; 3]; 3]) -> i128 {
    let d = |p: &[i64; 3], k: usize| i128::from(p[k]) - i128::from(a[k]);
    d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0)
}

/// The layers of one body in one window, column after column.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// First layer of each column, and the total last.
    pub starts: Vec<u32>,
    /// Sorted by column, depth, entries before exits, triangle.
    pub fragments: Vec<Fragment>,
    unsorted: Vec<Fragment>,
}

impl Layers {
    pub fn clear(&mut self) -> &mut Vec<Fragment> {
        self.unsorted.clear();
        &mut self.unsorted
    }

    /// Sorts what was drawn: by counting into columns, then each short list on its own.
    pub fn sort(&mut self, columns: usize) {
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        for f in &self.unsorted {
            self.starts[f.column as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.fragments.clear();
        self.fragments
            .resize(self.unsorted.len(), Fragment { z: 0.0, triangle: 0, column: 0, bit: 0, step: 0 });
        for f in &self.unsorted {
            let place = &mut self.starts[f.column as usize];
            self.fragments[*place as usize] = *f;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for c in 0..columns {
            let column = &mut self.fragments[self.starts[c] as usize..self.starts[c + 1] as usize];
            if column.len() > 1 {
                column.sort_unstable_by(|a, b| {
                    a.z.total_cmp(&b.z).then(b.step.cmp(&a.step)).then(a.triangle.cmp(&b.triangle))
                });
            }
        }
    }

    /// The layers of a column, lowest first.
    #[inline(always)]
    pub fn column(&self, column: usize) -> &[Fragment] {
        &self.fragments[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}

/// Rounds down; the number must fit. Without a call: the baseline has no instruction for it.
#[inline(always)]
fn floor(z: f64) -> i32 {
    let whole = z as i32;
    whole - i32::from(f64::from(whole) > z)
}
