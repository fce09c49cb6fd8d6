//! Which triangles of a tile are drawn, which are only sampled, and which are left alone.
//!
//! Eight at a time and without a branch, so that what follows are plain lists, each worked through by a short loop.

use super::super::body::{SnappedBody, boxes};
use super::super::lattice::LIMIT;
use super::super::raster::tile::Tile;
use crate::geometry::simd::{I32x8, Mask, Simd, WIDTH, multiversion};

/// The triangles of a tile by what is to be done with them.
///
/// What lies strictly above or below the tile's depth is sampled only: its bits would say nothing that the winding
/// number of the centre ray does not. What touches the end of the depth is drawn, because a surface that passes there
/// leaves no uniform end to the run that it continues.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// Drawn, over one column or two.
    pub small: Vec<u32>,
    /// Drawn and sampled, over more columns.
    pub large: Vec<u32>,
    /// Sampled, with one centre in the box.
    pub sampled: Vec<u32>,
    /// The columns of these centres.
    pub centres: Vec<u32>,
    /// Sampled, with several centres in the box.
    pub rows: Vec<u32>,
    /// Strictly below the tile's depth, in wanted columns.
    pub below: Vec<u32>,
    /// In no column's interior.
    pub flush: Vec<u32>,
    /// Reach beyond the limit.
    pub far: Vec<u32>,
}

/// Columns that matter.
#[derive(Debug, Default)]
pub(crate) struct WantedColumns {
    /// Of those before a corner along both sides, how many are wanted.
    sums: Vec<u32>,
    across: usize,
}

impl WantedColumns {
    /// Takes over which columns of a tile are wanted.
    pub fn set(&mut self, tile: &Tile, flags: &[bool]) {
        self.across = tile.columns[0] as usize + 1;
        self.sums.clear();
        self.sums.resize(self.across, 0);
        for flags in flags.chunks(1 << tile.row) {
            let mut row = 0;
            self.sums.push(0);
            for &flag in &flags[..self.across - 1] {
                row += u32::from(flag);
                self.sums.push(row + self.sums[self.sums.len() - self.across]);
            }
        }
    }

    /// Whether any column from the first to the last along both sides is wanted.
    #[inline(always)]
    fn any(&self, lo: [i32; 2], hi: [i32; 2]) -> bool {
        let at = |x: i32, y: i32| self.sums[y as usize * self.across + x as usize];
        at(hi[0] + 1, hi[1] + 1) + at(lo[0], lo[1]) != at(lo[0], hi[1] + 1) + at(hi[0] + 1, lo[1])
    }
}

impl Classes {
    pub fn clear(&mut self) {
        let Self { small, large, sampled, centres, rows, below, flush, far } = self;
        [small, large, sampled, centres, rows, below, flush, far].into_iter().for_each(Vec::clear);
    }
}

/// Triangles that are classified before the lists grow.
const BATCH: usize = 256;

/// A part of a list, with room for eight more.
struct IdBuffer {
    ids: [i32; BATCH + WIDTH],
    len: usize,
}

impl IdBuffer {
    fn new() -> Self {
        Self { ids: [0; BATCH + WIDTH], len: 0 }
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, ids: S::I32x8, mask: u32) {
        ids.compress(mask, &mut self.ids[self.len..]);
        self.len += mask.count_ones() as usize;
    }

    fn move_to(&mut self, list: &mut Vec<u32>) {
        list.extend(self.ids[..self.len].iter().map(|&t| t as u32));
        self.len = 0;
    }
}

multiversion! {
    /// Classifies a list of triangles. Those that lie only in columns that are not wanted are not drawn.
    pub fn classify<S: Simd>(
        simd: S,
        classes: &mut Classes,
        tile: &Tile,
        body: &SnappedBody<'_>,
        list: &[u32],
        wanted: Option<&WantedColumns>,
    ) {
        let half = tile.pixel() >> 1;
        let (zero, one) = (S::I32x8::splat(simd, 0), S::I32x8::splat(simd, 1));
        // The columns of two coordinates, held within the tile.
        let columns = |k: usize, min: S::I32x8, max: S::I32x8, first: i32, last: i32| {
            let (first, last) =
                (S::I32x8::splat(simd, first - tile.origin[k]), S::I32x8::splat(simd, last - tile.origin[k]));
            let end = S::I32x8::splat(simd, tile.columns[k] - 1);
            let lo = (min + first) >> tile.shift;
            let hi = (max + last) >> tile.shift;
            [lo.max(zero), hi.min(end)]
        };
        let above = |x: S::I32x8, limit: S::I32x8| x.gt(limit);
        let [mut small, mut large, mut below] = [IdBuffer::new(), IdBuffer::new(), IdBuffer::new()];
        let [mut sampled, mut centres, mut rows] = [IdBuffer::new(), IdBuffer::new(), IdBuffer::new()];
        for batch in list.chunks(BATCH) {
            for eight in batch.chunks(WIDTH) {
                let all = (1 << eight.len()) - 1;
                let last = eight.len() - 1;
                let ids: [i32; WIDTH] = std::array::from_fn(|i| eight[i.min(last)] as i32);
                let [min, max] = boxes(simd, body.vertices, |i| body.triangles[ids[i] as usize]);
                let [x0, x1] = columns(0, min[0], max[0], 0, -tile.open);
                let [y0, y1] = columns(1, min[1], max[1], 0, -tile.open);
                let mut rect = (!(above(x0, x1) | above(y0, y1))).bitmask() & all;
                let (is_row, is_line) = ((!above(y1, y0)).bitmask(), (!above(x1, x0)).bitmask());
                let is_short = (!(above(x1, x0 + one) | above(y1, y0 + one))).bitmask();
                let is_small = is_short & (is_row | is_line);
                let [cx0, cx1] = columns(0, min[0], max[0], half - 1, -half);
                let [cy0, cy1] = columns(1, min[1], max[1], half - 1, -half);
                let centre = (!(above(cx0, cx1) | above(cy0, cy1))).bitmask();
                let bottom = S::I32x8::splat(simd, tile.depth[0]);
                let is_over = (!max[2].lt(bottom)).bitmask();
                let is_under = (!above(min[2], S::I32x8::splat(simd, tile.depth[1]))).bitmask();
                if body.has_far {
                    let limits = |k: usize| {
                        let (low, high) =
                            (S::I32x8::splat(simd, 1 - LIMIT), S::I32x8::splat(simd, LIMIT - 1));
                        min[k].lt(low) | above(max[k], high)
                    };
                    let far = !(!(limits(0) | limits(1) | limits(2))).bitmask() & all;
                    classes.far.extend((0..WIDTH).filter(|i| far >> i & 1 != 0).map(|i| ids[i] as u32));
                    let flush = all & !rect & !far;
                    classes.flush.extend((0..WIDTH).filter(|i| flush >> i & 1 != 0).map(|i| ids[i] as u32));
                    rect &= !far;
                } else if rect != all {
                    let flush = all & !rect;
                    classes.flush.extend((0..WIDTH).filter(|i| flush >> i & 1 != 0).map(|i| ids[i] as u32));
                }
                let mut asked = rect;
                if let Some(wanted) = wanted {
                    let mut ends = [[0; WIDTH]; 4];
                    x0.compress(0xff, &mut ends[0]);
                    y0.compress(0xff, &mut ends[1]);
                    x1.compress(0xff, &mut ends[2]);
                    y1.compress(0xff, &mut ends[3]);
                    for i in (0..WIDTH).filter(|i| rect >> i & 1 != 0) {
                        let is_wanted = wanted.any([ends[0][i], ends[1][i]], [ends[2][i], ends[3][i]]);
                        asked &= !(u32::from(!is_wanted) << i);
                    }
                }
                let drawn = asked & is_over & is_under;
                let ids = S::I32x8::load(simd, &ids);
                small.add::<S>(ids, drawn & is_small);
                large.add::<S>(ids, drawn & !is_small);
                let sample = rect & centre & !(drawn & !is_small);
                let is_one = (!(above(cx1, cx0) | above(cy1, cy0))).bitmask();
                sampled.add::<S>(ids, sample & is_one);
                centres.add::<S>(cx0 | (cy0 << tile.row), sample & is_one);
                rows.add::<S>(ids, sample & !is_one);
                below.add::<S>(ids, asked & !is_over);
            }
            small.move_to(&mut classes.small);
            large.move_to(&mut classes.large);
            sampled.move_to(&mut classes.sampled);
            centres.move_to(&mut classes.centres);
            rows.move_to(&mut classes.rows);
            below.move_to(&mut classes.below);
        }
    }
}
