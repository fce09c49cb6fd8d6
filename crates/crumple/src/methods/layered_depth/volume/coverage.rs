//! Stage 2: one body drawn into one tile: which slices its surface touches, and the crossings of centre rays.

use super::super::bits;
use super::super::body::SnappedBody;
use super::super::lattice;
use super::super::raster::fragments::{Fragment, FragmentBuffer};
use super::super::raster::reference::wide;
use super::super::raster::rows::{self, PreparedRows, RowTouch, prepare};
use super::super::raster::tile::{ColumnRect, SnappedTriangle, Tile};
use super::classify::{Classes, WantedColumns, classify};
use super::tile_lists::TileList;
use crate::geometry::simd::multiversion;

/// A triangle that was drawn, with what later steps need of it, so that they need not look at its corners again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    /// Twice the area seen along the rays, as in [`SnappedTriangle`]; 0 for a far triangle, which is always cut to columns.
    pub area2: i64,
    /// Sum of the depths of the corners.
    pub depths: i64,
    pub triangle: u32,
    /// Place after its last touch; the first follows the last one of the triangle before.
    pub end: u32,
    /// The signs of the normal along x and y.
    facing: [i8; 2],
    /// Whether all its columns belong to the tile.
    pub is_enclosed: bool,
    pub is_far: bool,
}

/// The touched slices of every column.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    /// Touched by what is entered going up.
    pub up: Vec<u128>,
    /// Touched by what is left going up.
    pub down: Vec<u128>,
    /// Touched by what is seen edge-on.
    pub edge_on: Vec<u128>,
    has_edge_on: bool,
    /// Touched by what faces −, neither way and + along x, and along y.
    pub facing: [[Vec<u128>; 3]; 2],
    /// [Touches](Touch) of all that was drawn, as words.
    pub touches: Vec<u32>,
    pub drawn: Vec<Drawn>,
    /// Triangles strictly below the tile's depth.
    pub below: Vec<u32>,
    classes: Classes,
    prepared: Option<Box<PreparedRows>>,
    /// Triangles that were to be drawn but have no exact rows, few or none.
    odd: Vec<u32>,
}

impl Coverage {
    pub fn clear(&mut self, columns: usize) {
        for mask in [&mut self.up, &mut self.down].into_iter().chain(self.facing.as_flattened_mut()) {
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
    }

    /// All touched slices of a column.
    #[inline(always)]
    pub fn touched(&self, column: usize) -> u128 {
        self.up[column] | self.down[column] | self.edge_on[column]
    }

    /// Draws the triangles of a list. What lies in columns that are not `wanted` is sampled only.
    pub fn draw(
        &mut self,
        tile: &Tile,
        body: &SnappedBody<'_>,
        list: TileList<'_>,
        wanted: Option<&WantedColumns>,
        layers: &mut FragmentBuffer,
    ) {
        let mut classes = std::mem::take(&mut self.classes);
        classes.clear();
        for list in list.slices() {
            classify(&mut classes, tile, body, list, wanted);
        }
        for &t in &classes.far {
            self.draw_far(tile, t, &body.shape(t), &body.wide(t), layers);
        }
        for &t in &classes.flush {
            self.draw_flush(tile, &body.shape(t));
        }
        self.below.extend(&classes.below);
        // Each step on its own: all in one, the processor has too few registers.
        draw_small(self, tile, body, &classes.small);
        let mut prepared = self.prepared.take().unwrap_or_default();
        for ids in classes.large.chunks(rows::BATCH) {
            prepare(&mut prepared, tile, body, ids, |shape| tile.rect(&shape.min, &shape.max));
            draw_large(self, tile, &prepared, layers);
        }
        let mut odd = std::mem::take(&mut self.odd);
        for t in odd.drain(..) {
            self.draw_odd(tile, t, &body.shape(t), layers);
        }
        self.odd = odd;
        sample_four(tile, body, &classes, layers);
        for ids in classes.rows.chunks(rows::BATCH) {
            prepare(&mut prepared, tile, body, ids, |shape| tile.centres(&shape.min, &shape.max));
            sample_rows(tile, &prepared, layers);
        }
        mark_masks(self);
        (self.classes, self.prepared) = (classes, Some(prepared));
    }

    /// Draws a triangle that no column owns, if it lies in a wall: a view from the side crosses it unseen, so that a
    /// run that begins or ends there may prove nothing. What faces both ways proves nothing.
    #[cold]
    fn draw_flush(&mut self, tile: &Tile, shape: &SnappedTriangle) {
        for axis in 0..2 {
            let from = shape.min[axis] - tile.origin[axis];
            let (at, other) = (from >> tile.shift, 1 - axis);
            let is_wall = shape.min[axis] == shape.max[axis] && at << tile.shift == from;
            let first = ((shape.min[other] - tile.origin[other]) >> tile.shift).max(0);
            let last = ((shape.max[other] - tile.origin[other]) >> tile.shift).min(tile.columns[other] - 1);
            if !is_wall || !tile.meets_depth(shape) {
                continue;
            }
            let (lo, hi) = tile.bits(shape.min[2], shape.max[2]);
            for line in first..=last {
                for beside in [at - 1, at].into_iter().filter(|i| (0..tile.columns[axis]).contains(i)) {
                    let [x, y] = if axis == 0 { [beside, line] } else { [line, beside] };
                    let column = tile.column(x, y);
                    self.facing[axis].iter_mut().for_each(|mask| mask[column] |= bits::span(lo, hi));
                }
            }
        }
    }

    /// Draws one triangle that is edge-on, or large beside the tile.
    #[cold]
    fn draw_odd(&mut self, tile: &Tile, id: u32, shape: &SnappedTriangle, layers: &mut FragmentBuffer) {
        let Some(rect) = tile.rect(&shape.min, &shape.max) else { return };
        let (step, bits) = (shape.winding() as i8, tile.bits(shape.min[2], shape.max[2]));
        layers.make_room(rect.len());
        tile.each_column::<i64>(&wide(shape), rect, bits, |column, lo, hi, z| {
            self.touches.push(RowTouch::new(column, lo, hi).0);
            // Any slice that is touched here does: all are in one run.
            let (column, bit, is_crossed) = (column as u16, lo as u8, z.is_some());
            let z = z.unwrap_or(0.0);
            layers.push_if(is_crossed, Fragment { z, triangle: id, column, bit, step });
        });
        self.drawn.push(Drawn::new(tile, id, shape, self.touches.len()));
    }

    /// Draws one triangle that reaches beyond the limit.
    #[cold]
    fn draw_far(
        &mut self,
        tile: &Tile,
        id: u32,
        shape: &SnappedTriangle,
        corners: &[[i64; 3]; 3],
        layers: &mut FragmentBuffer,
    ) {
        if tile.rect(&shape.min, &shape.max).is_none() {
            self.draw_flush(tile, shape);
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
        let (lo, hi) = tile.bits(shape.min[2], shape.max[2]);
        let rect: Option<ColumnRect> = tile.rect(&shape.min, &shape.max);
        if tile.meets_depth(shape) {
            if let Some(rect) = rect {
                tile.each_column::<i128>(corners, rect, (lo, hi), |column, lo, hi, _| {
                    mask[column] |= bits::span(lo, hi);
                    // Rare, and not worth a proof from the side.
                    let facing = self.facing.as_flattened_mut();
                    facing.iter_mut().for_each(|mask| mask[column] |= bits::span(lo, hi));
                    self.touches.push(RowTouch::new(column, lo, hi).0);
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
        } else if shape.max[2] < tile.depth[0] {
            self.below.push(id);
        }
        if let Some(rect) = tile.centres(&shape.min, &shape.max) {
            layers.make_room(rect.len());
            tile.each_crossing::<i128>(corners, rect, |column, z| {
                let held = z.clamp(f64::from(-lattice::LIMIT), f64::from(lattice::LIMIT));
                let bit = tile.bit(floor(held)).clamp(lo, hi) as u8;
                layers.push_if(true, Fragment { z, triangle: id, column: column as u16, bit, step });
            });
        }
    }
}

impl Drawn {
    #[inline(always)]
    fn new(tile: &Tile, triangle: u32, shape: &SnappedTriangle, end: usize) -> Self {
        Self {
            area2: shape.area2,
            depths: shape.depths(),
            triangle,
            end: end as u32,
            facing: shape.facing(),
            is_enclosed: tile.encloses(&shape.min, &shape.max),
            is_far: false,
        }
    }
}

multiversion! {
    /// Finds the columns of triangles that touch one or two.
    fn draw_small(cover: &mut Coverage, tile: &Tile, body: &SnappedBody<'_>, list: &[u32]) {
        let Coverage { touches, drawn, .. } = cover;
        for &t in list {
            let shape = &body.shape(t);
            let Some(rect) = tile.rect(&shape.min, &shape.max) else { continue };
            tile.visit(shape, rect, tile.bits(shape.min[2], shape.max[2]), |column, lo, hi| {
                touches.push(RowTouch::new(column, lo, hi).0);
            });
            drawn.push(Drawn::new(tile, t, shape, touches.len()));
        }
    }
}

multiversion! {
    /// Finds the columns and the layers of triangles that touch more.
    fn draw_large<S: Simd>(
        simd: S,
        cover: &mut Coverage,
        tile: &Tile,
        prepared: &PreparedRows,
        layers: &mut FragmentBuffer,
    ) {
        let Coverage { touches, drawn, odd, .. } = cover;
        let mut at = touches.len();
        for i in 0..prepared.len {
            let (rect, shape) = (prepared.rects[i], &prepared.shapes[i]);
            if !tile.has_exact_rows(shape) {
                odd.push(prepared.ids[i]);
                continue;
            }
            layers.make_room(rect.len());
            let room = Tile::room(rect);
            if touches.len() < at + room {
                touches.resize(at + room + 4096, 0);
            }
            at = tile.scan_rows::<S, true>(simd, prepared, i, touches, at, layers);
            drawn.push(Drawn::new(tile, prepared.ids[i], shape, at));
        }
        touches.truncate(at);
    }
}

multiversion! {
    /// Finds the layers of triangles whose columns are found otherwise or do not matter.
    fn sample_four<S: Simd>(
        simd: S,
        tile: &Tile,
        body: &SnappedBody<'_>,
        classes: &Classes,
        layers: &mut FragmentBuffer,
    ) {
        for (triangles, columns) in classes.sampled.chunks(4).zip(classes.centres.chunks(4)) {
            // The last four may be fewer; the first then fills the rest.
            let four = |list: &[u32]| std::array::from_fn(|i| *list.get(i).unwrap_or(&list[0]));
            let is_there = 0xf >> (4 - triangles.len());
            layers.make_room(4);
            if !tile.sample_four(simd, body, &four(triangles), &four(columns), is_there, layers) {
                for (&t, &column) in triangles.iter().zip(columns) {
                    let place = tile.coordinates(column as usize);
                    sample(tile, t, &body.shape(t), ColumnRect { lo: place, hi: place }, layers);
                }
            }
        }
    }
}

multiversion! {
    /// The same for triangles with several centres in their box.
    fn sample_rows<S: Simd>(simd: S, tile: &Tile, prepared: &PreparedRows, layers: &mut FragmentBuffer) {
        for i in 0..prepared.len {
            let (centres, shape) = (prepared.rects[i], &prepared.shapes[i]);
            layers.make_room(centres.len());
            if tile.has_exact_rows(shape) {
                tile.scan_rows::<S, false>(simd, prepared, i, &mut [], 0, layers);
            } else {
                sample(tile, prepared.ids[i], shape, centres, layers);
            }
        }
    }
}

/// The layers of a triangle on the centre rays of a rectangle.
#[cold]
fn sample(
    tile: &Tile,
    triangle: u32,
    shape: &SnappedTriangle,
    centres: ColumnRect,
    layers: &mut FragmentBuffer,
) {
    let step = shape.winding() as i8;
    // Any slice that the triangle touches does: all are in one run.
    let bit = tile.bits(shape.min[2], shape.max[2]).0 as u8;
    tile.each_crossing::<i64>(&wide(shape), centres, |column, z| {
        layers.push_if(true, Fragment { z, triangle, column: column as u16, bit, step });
    });
}

multiversion! {
    /// Enters what was drawn into the masks of the columns.
    fn mark_masks(cover: &mut Coverage) {
        let Coverage { up, down, edge_on, has_edge_on, facing: [along_x, along_y], touches, drawn, .. } =
            cover;
        let mut start = 0;
        for drawn in drawn.iter() {
            let touches = &touches[std::mem::replace(&mut start, drawn.end as usize)..drawn.end as usize];
            if drawn.is_far {
                continue;
            }
            let mask = if drawn.area2 < 0 {
                &mut up[..]
            } else if drawn.area2 > 0 {
                &mut down[..]
            } else {
                *has_edge_on = true;
                &mut edge_on[..]
            };
            let [x, y] = drawn.facing.map(|f| (f + 1) as usize % 3);
            let (x, y) = (&mut along_x[x][..mask.len()], &mut along_y[y][..mask.len()]);
            for &touch in touches {
                let (column, touched) = (RowTouch(touch).column(), RowTouch(touch).mask());
                mask[column] |= touched;
                x[column] |= touched;
                y[column] |= touched;
            }
        }
    }
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
