//! Features of two opened patches that no axis separates at both ends of the step.

use super::moving_box::MovingBox;
use super::opened::Rows;
use crate::geometry::Aabb32x8;
use crate::geometry::simd::{F32x8, I32x8, Ids, Kernel, Mask, Simd, WIDTH, splat3};
use crate::patches::MAX_TRIANGLES;

/// A patch has at most three vertices or edges to a triangle.
const MAX_ROWS: usize = 3 * MAX_TRIANGLES / WIDTH;

/// How two lists of features are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// They are one list: every pair once.
    Same,
    /// They are of one body: those with a common vertex are no pairs.
    OneBody,
    TwoBodies,
}

/// The features of a list that may matter, side by side. Memory.
#[derive(Debug, Default)]
pub(crate) struct Near<const R: usize> {
    rows: Rows<R>,
    /// Which of the list each is.
    index: Vec<u16>,
}

impl<const R: usize> Near<R> {
    /// Takes the features that `masks` name, `count` of them, and returns their boxes in one.
    #[inline(always)]
    fn gather(&mut self, from: &Rows<R>, masks: &[u8; MAX_ROWS], count: usize) -> MovingBox {
        let rows = count.div_ceil(WIDTH);
        self.rows.len = count;
        self.rows.boxes.resize(rows, [Aabb32x8::EMPTY; 2]);
        self.rows.ids.resize(rows, [Ids([0; WIDTH]); R]);
        self.index.clear();
        let mut bounds = MovingBox::EMPTY;
        for row in 0..from.boxes.len() {
            let mut open = u32::from(masks[row]);
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                let place = self.index.len();
                let (to, at) = (place / WIDTH, place % WIDTH);
                let (start, end) = (from.boxes[row][0].get(lane), from.boxes[row][1].get(lane));
                self.rows.boxes[to][0].set(at, &start);
                self.rows.boxes[to][1].set(at, &end);
                bounds = bounds.union(&MovingBox { start, end });
                for k in 0..R {
                    self.rows.ids[to][k].0[at] = from.ids[row][k].0[lane];
                }
                self.index.push((row * WIDTH + lane) as u16);
            }
        }
        bounds
    }
}

/// Features of two patches; yields pairs of indices.
pub(crate) struct Candidates<'a, const P: usize, const R: usize> {
    pub probes: &'a Rows<P>,
    /// Hold all probes, and all rows.
    pub probe_bounds: &'a MovingBox,
    pub rows: &'a Rows<R>,
    pub row_bounds: &'a MovingBox,
    pub relation: Relation,
    pub near: &'a mut Near<R>,
    pub out: &'a mut Vec<[u16; 2]>,
}

impl<const P: usize, const R: usize> Kernel for Candidates<'_, P, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { probes, probe_bounds, rows, row_bounds, relation, near, out } = self;
        out.clear();
        // What lies outside the other patch's box meets nothing of it.
        let whole = Probe::<S>::of_box(simd, probe_bounds);
        let (mut masks, mut count) = ([0u8; MAX_ROWS], 0);
        for (row, boxes) in rows.boxes.iter().enumerate() {
            let open = whole.meets(boxes) & rows.lanes(row);
            masks[row] = open as u8;
            count += open.count_ones() as usize;
        }
        if count == 0 {
            return;
        }
        // Along a seam that leaves a few features of each: these are taken out, and the others are held to their box.
        if 4 * count <= 3 * rows.len && relation != Relation::Same {
            let bounds = near.gather(rows, &masks, count);
            for row in 0..near.rows.boxes.len() {
                masks[row] = near.rows.lanes(row) as u8;
            }
            let compare = Compare { probes, bounds: &bounds, rows: &near.rows, masks: &masks, relation };
            compare.run(simd, out);
            for [_, other] in out {
                *other = near.index[usize::from(*other)];
            }
        } else {
            Compare { probes, bounds: row_bounds, rows, masks: &masks, relation }.run(simd, out);
        }
    }
}

/// All probes within a box against the rows.
struct Compare<'a, const P: usize, const R: usize> {
    probes: &'a Rows<P>,
    bounds: &'a MovingBox,
    rows: &'a Rows<R>,
    /// The lanes that matter.
    masks: &'a [u8; MAX_ROWS],
    relation: Relation,
}

impl<const P: usize, const R: usize> Compare<'_, P, R> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, out: &mut Vec<[u16; 2]>) {
        let Self { probes, rows, relation, .. } = *self;
        let whole = Probe::<S>::of_box(simd, self.bounds);
        for (probe_row, boxes) in probes.boxes.iter().enumerate() {
            let mut open = whole.meets(boxes) & probes.lanes(probe_row);
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                let probe = Probe::<S>::of_lane(simd, boxes, lane);
                let first = if relation == Relation::Same { probe_row } else { 0 };
                for row in first..rows.boxes.len() {
                    let mut found = u32::from(self.masks[row]);
                    if relation == Relation::Same && row == probe_row {
                        found &= !1 << lane;
                    }
                    if found == 0 {
                        continue;
                    }
                    found &= probe.meets(&rows.boxes[row]);
                    if found != 0 && relation != Relation::TwoBodies {
                        found &= !sharing::<S, P, R>(simd, probes, (probe_row, lane), rows, row);
                    }
                    while found != 0 {
                        let other = row * WIDTH + found.trailing_zeros() as usize;
                        found &= found - 1;
                        out.push([(probe_row * WIDTH + lane) as u16, other as u16]);
                    }
                }
            }
        }
    }
}

/// Bits of the lanes whose feature has a vertex in common with the probe.
#[inline(always)]
fn sharing<S: Simd, const P: usize, const R: usize>(
    simd: S,
    probes: &Rows<P>,
    (probe_row, lane): (usize, usize),
    rows: &Rows<R>,
    row: usize,
) -> u32 {
    let mut shared = 0;
    for i in 0..P {
        let v = S::I32x8::splat(simd, probes.ids[probe_row][i].0[lane] as i32);
        for k in 0..R {
            shared |= S::I32x8::load_ids(simd, &rows.ids[row][k]).eq(v).bitmask();
        }
    }
    shared
}

/// One moving box, to be compared with eight: lower and upper corner at the start, lower and upper corner at the end.
struct Probe<S: Simd> {
    simd: S,
    start: [[S::F32x8; 3]; 2],
    end: [[S::F32x8; 3]; 2],
}

impl<S: Simd> Probe<S> {
    #[inline(always)]
    fn of_box(simd: S, bounds: &MovingBox) -> Self {
        let MovingBox { start, end } = bounds;
        Self {
            simd,
            start: [splat3(simd, start.min3()), splat3(simd, start.max3())],
            end: [splat3(simd, end.min3()), splat3(simd, end.max3())],
        }
    }

    #[inline(always)]
    fn of_lane(simd: S, [start, end]: &[Aabb32x8; 2], lane: usize) -> Self {
        Self::of_box(simd, &MovingBox { start: start.get(lane), end: end.get(lane) })
    }

    /// Bits of the boxes that no axis separates at both ends.
    #[inline(always)]
    fn meets(&self, [start, end]: &[Aabb32x8; 2]) -> u32 {
        let x = self.is_separated(start, end, 0);
        let y = self.is_separated(start, end, 1);
        let z = self.is_separated(start, end, 2);
        (x | y | z).bitmask() ^ 0xff
    }

    #[inline(always)]
    fn is_separated(&self, start: &Aabb32x8, end: &Aabb32x8, k: usize) -> S::Mask8 {
        let above = S::F32x8::load(self.simd, &start.rows[k]).gt(self.start[1][k])
            & S::F32x8::load(self.simd, &end.rows[k]).gt(self.end[1][k]);
        let below = S::F32x8::load(self.simd, &start.rows[k + 3]).lt(self.start[0][k])
            & S::F32x8::load(self.simd, &end.rows[k + 3]).lt(self.end[0][k]);
        above | below
    }
}
