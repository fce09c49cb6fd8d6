//! Points near the surface: which triangles decide about them, and what they say.
//!
//! Such a point lies in a run of touched slices. Above the run the winding number is known; from there down to the point
//! the triangles of the run count, by exact signs. A point sees the triangles whose box meets the stretch from the point
//! to the end of its run.

use std::ops::Range;
use std::sync::atomic::{AtomicI32, Ordering};

use super::super::bits;
use super::columns::{Columns, LargeTouch};
use super::grid::{self, ACROSS, COUNTS, CellSpan, GridBox, GridPoint, REACH};
use crate::narrow::winding::{RayCrossing, crossing};
use crate::{Positions, VertexId};

/// On the surface: no sum of crossings comes near.
const ON: i32 = i32::MAX / 2;

/// Triangles that are classified at a time, and pairs that are gathered before they are tested.
const BATCH: usize = 512;

/// A point near the surface.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NearPoint {
    /// The stretch from the point to the end of its run.
    reach: GridBox,
    column: u32,
    index: u32,
    /// Winding number above the run.
    above: i32,
    slices: (u8, u8),
}

impl NearPoint {
    /// A point at a place whose run has the given end, and winding number above.
    #[inline(always)]
    pub fn new(index: usize, place: GridPoint, end: u32, above: i32) -> Self {
        let (column, slice) = grid::column(place);
        let [x, y, ..] = place;
        Self {
            reach: GridBox { min: place, max: [x, y, grid::top_of(end - 1), 0] },
            column: column as u32,
            index: index as u32,
            above,
            slices: (slice as u8, (end - 1) as u8),
        }
    }
}

/// All near points of a question, by column.
#[derive(Debug, Default)]
pub(crate) struct NearPoints {
    points: Vec<NearPoint>,
    /// First point of each column, and the total last.
    starts: Vec<u32>,
    /// Slices that the points reach, per column.
    needed: Vec<u128>,
    windings: Vec<AtomicI32>,
}

impl NearPoints {
    /// Takes the points that were found.
    pub fn sort<'a>(&mut self, found: impl Iterator<Item = &'a NearPoint> + Clone) {
        let columns = ACROSS * ACROSS;
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        self.needed.clear();
        self.needed.resize(columns + REACH, 0);
        for n in found.clone() {
            self.starts[n.column as usize] += 1;
            self.needed[n.column as usize] |= bits::span(n.slices.0.into(), n.slices.1.into());
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.points.resize(sum as usize, NearPoint::default());
        for n in found {
            let place = &mut self.starts[n.column as usize];
            self.points[*place as usize] = *n;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.windings.clear();
        self.windings.extend(self.points.iter().map(|n| AtomicI32::new(n.above)));
    }

    /// The points and whether they are inside.
    pub fn answers(&self) -> impl Iterator<Item = (usize, bool)> {
        let winding = |k: usize| self.windings[k].load(Ordering::Relaxed);
        self.points.iter().enumerate().map(move |(k, n)| (n.index as usize, winding(k) != 0))
    }

    /// The points in a column and `more` after it.
    #[inline(always)]
    fn of(&self, column: usize, more: usize) -> Range<u32> {
        self.starts[column]..self.starts[column + more + 1]
    }
}

/// A surface and points, as they were given and on the grid.
#[derive(Clone, Copy)]
pub(crate) struct PointQuery<'a> {
    pub near: &'a NearPoints,
    pub triangles: &'a [[VertexId; 3]],
    pub grid_points: &'a [GridPoint],
    pub positions: Positions<'a>,
    pub points: Positions<'a>,
}

impl PointQuery<'_> {
    /// Counts a range of triangles; large ones are left to [`count_large`](Self::count_large).
    #[inline(always)]
    pub fn count(&self, range: Range<usize>, cells: &[CellSpan]) {
        let mut pairs = PointTriangles::new();
        let mut kept_ids = [0u32; BATCH];
        let mut boxes = [GridBox::default(); BATCH];
        for first in range.clone().step_by(BATCH) {
            let batch = &cells[first..(first + BATCH).min(range.end)];
            // Most triangles have no point below. They are sorted out branch-free; the branch would be unpredictable.
            let mut kept = 0;
            for (t, cells) in (first as u32..).zip(batch) {
                let columns: &[u128; REACH] =
                    self.near.needed[cells.column()..].first_chunk().expect("rows are long enough");
                let counts = &COUNTS[cells.shape()];
                let needed = columns[0]
                    | (columns[1] & counts[0])
                    | (columns[ACROSS] & counts[1])
                    | (columns[ACROSS + 1] & counts[2]);
                let (lo, hi) = cells.slices();
                kept_ids[kept] = t;
                kept += usize::from((needed & bits::span(lo, hi) != 0) & !cells.is_large());
            }
            for (b, &t) in boxes.iter_mut().zip(&kept_ids[..kept]) {
                *b = grid::join(self.grid_points, &self.triangles[t as usize]);
            }
            for (b, &t) in boxes.iter().zip(&kept_ids[..kept]) {
                let (column, shape) = (cells[t as usize].column(), cells[t as usize].shape());
                self.meet(self.near.of(column, shape & 1), b, t, &mut pairs);
                if shape & 2 != 0 {
                    self.meet(self.near.of(column + ACROSS, shape & 1), b, t, &mut pairs);
                }
            }
        }
        self.cross(&mut pairs);
    }

    /// Counts the large triangles of a band.
    pub fn count_large(&self, band: &Columns) {
        let mut pairs = PointTriangles::new();
        for &LargeTouch { triangle: t, column, lo, hi } in &band.large {
            let (lo, hi) = (u32::from(lo), u32::from(hi));
            if self.near.needed[column as usize] & bits::span(lo, hi) == 0 {
                continue;
            }
            // Only what the triangle touches in this column belongs to the run.
            let mut b = grid::join(self.grid_points, &self.triangles[t as usize]);
            b.min[2] = b.min[2].max(grid::bottom_of(lo));
            b.max[2] = b.max[2].min(grid::top_of(hi));
            self.meet(self.near.of(column as usize, 0), &b, t, &mut pairs);
        }
        self.cross(&mut pairs);
    }

    /// Lists the points that may see a triangle.
    #[inline(always)]
    fn meet(&self, points: Range<u32>, b: &GridBox, t: u32, pairs: &mut PointTriangles) {
        for k in points {
            if self.near.points[k as usize].reach.meets(b) {
                pairs.list[pairs.len] = (k, t);
                pairs.len += 1;
                if pairs.len == BATCH {
                    self.cross(pairs);
                }
            }
        }
    }

    /// Tests the listed pairs.
    #[inline(never)]
    fn cross(&self, pairs: &mut PointTriangles) {
        // Positions are fetched for many pairs before any is tested, so that the caches answer all at once.
        let mut fetched = [([0.0; 3], [[0.0; 3]; 3]); 16];
        for block in pairs.list[..pairs.len].chunks(fetched.len()) {
            for (into, &(k, t)) in fetched.iter_mut().zip(block) {
                let [a, b, c] = self.triangles[t as usize];
                let at = |v: VertexId| self.positions.get(v.index());
                *into = (self.points.get(self.near.points[k as usize].index as usize), [at(a), at(b), at(c)]);
            }
            for ((point, corners), &(k, _)) in fetched.iter().zip(block) {
                let step = match crossing(point, corners) {
                    RayCrossing::None => continue,
                    RayCrossing::Through(step) => i32::from(step),
                    RayCrossing::On => ON,
                };
                self.near.windings[k as usize].fetch_add(step, Ordering::Relaxed);
            }
        }
        pairs.len = 0;
    }
}

/// Points and triangles that they may see.
struct PointTriangles {
    list: [(u32, u32); BATCH],
    len: usize,
}

impl PointTriangles {
    fn new() -> Self {
        Self { list: [(0, 0); BATCH], len: 0 }
    }
}
