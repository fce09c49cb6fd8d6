//! Things with an extent in the sorted table: edges and triangles, by the smallest corner of their boxes.

use super::Snapshot;
use super::lattice::{EDGE, Lattice, NEAR_BITS, Snapped, UNIT_BITS};
use super::rows::RowTable;
use super::vertex_buffer::VertexBuffer;
use crate::geometry::simd::Simd;

/// Boxes on the lattice, in a table for each class of sizes.
///
/// A box is in the cell of its smallest corner only, so it is met once; who looks for boxes begins as far before his own as
/// the longest of the class is long.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxTable {
    low: Vec<Snapped>,
    high: Vec<Snapped>,
    classes: Vec<Class>,
    class_of: Vec<u8>,
    chosen: Vec<bool>,
    /// Boxes and classes without the late ones.
    sorted: [usize; 2],
}

#[derive(Debug, Clone, Default)]
struct Class {
    table: RowTable,
    /// Longest extent, in units.
    reach: i32,
}

/// Classes with fewer boxes than this are joined with the next larger one.
const FEW: usize = 64;

impl BoxTable {
    /// Takes the boxes around some points each.
    pub fn fill<const N: usize>(&mut self, points: &[Snapped], elements: impl Iterator<Item = [u32; N]>) {
        self.low.clear();
        self.high.clear();
        self.push(points, elements);
        self.sort_into_classes();
        self.sorted = [self.low.len(), self.classes.len()];
    }

    fn push<const N: usize>(&mut self, points: &[Snapped], elements: impl Iterator<Item = [u32; N]>) {
        for element in elements {
            let corners = element.map(|v| points[v as usize]);
            let corner = |pick: fn(i32, i32) -> i32| -> Snapped {
                std::array::from_fn(|k| corners.iter().skip(1).fold(corners[0][k], |m, c| pick(m, c[k])))
            };
            self.low.push(corner(i32::min));
            self.high.push(corner(i32::max));
        }
    }

    /// Takes some boxes besides, numbered after all others, in place of those that were taken so before: they are a class of
    /// their own, the last.
    pub fn set_late<const N: usize>(&mut self, points: &[Snapped], elements: impl Iterator<Item = [u32; N]>) {
        let [boxes, classes] = self.sorted;
        self.low.truncate(boxes);
        self.high.truncate(boxes);
        self.class_of.truncate(boxes);
        self.push(points, elements);
        let late: Vec<u32> = (boxes as u32..self.low.len() as u32).collect();
        self.classes.resize_with(classes + usize::from(!late.is_empty()), Class::default);
        if !late.is_empty() {
            self.class_of.resize(self.low.len(), classes as u8);
            let reach = late.iter().map(|&n| self.extent(n as usize)).fold(0, i32::max);
            let class = &mut self.classes[classes];
            class.reach = reach;
            class.table.fill_some(&self.low, &late, cell_bits(reach));
        }
    }

    /// Number of boxes, with those that were taken late.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Number of boxes, without those.
    pub fn sorted_len(&self) -> usize {
        self.sorted[0]
    }

    fn extent(&self, n: usize) -> i32 {
        (0..3).map(|k| self.high[n][k] - self.low[n][k]).fold(0, i32::max)
    }

    fn sort_into_classes(&mut self) {
        // Class c holds extents of 2c − 1 and 2c bits: from one class to the next boxes are four times as long.
        let extent = |n: usize| (0..3).map(|k| self.high[n][k] - self.low[n][k]).fold(0, i32::max);
        let class = |extent: i32| (32 - extent.leading_zeros()).div_ceil(2) as usize;
        let mut counts = [0; 17];
        (0..self.low.len()).for_each(|n| counts[class(extent(n))] += 1);
        let mut joined = [0u8; 17];
        let (mut last, mut waiting, mut used) = (0, 0, 0);
        let largest = counts.iter().rposition(|&c| c > 0).unwrap_or(0);
        for c in 0..=largest {
            waiting += counts[c];
            if waiting >= FEW || c == largest {
                joined[last..=c].fill(used);
                (last, waiting, used) = (c + 1, 0, used + 1);
            }
        }
        self.class_of.clear();
        self.class_of.extend((0..self.low.len()).map(|n| joined[class(extent(n))]));
        self.classes.resize_with(used as usize, Class::default);
        for (c, class) in self.classes.iter_mut().enumerate() {
            self.chosen.clear();
            self.chosen.extend(self.class_of.iter().map(|&its| its as usize == c));
            let mine = (0..self.low.len()).filter(|&n| self.chosen[n]);
            let (count, reach) = mine.map(extent).fold((0, 0), |(n, reach), e| (n + 1, reach.max(e)));
            class.reach = reach;
            class.table.fill(&self.low, Some(&self.chosen), cell_bits(reach), count);
        }
    }

    /// Number of classes, smallest boxes first.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The class of a box.
    pub fn class(&self, n: usize) -> usize {
        self.class_of[n] as usize
    }

    /// The smallest and the largest corner of a box.
    #[inline(always)]
    pub fn corners(&self, n: usize) -> (&Snapped, &Snapped) {
        (&self.low[n], &self.high[n])
    }

    /// Adds to `near` the boxes of a class whose smallest corner allows them to meet the box from `low` to `high`; returns
    /// how many rows were read.
    #[inline(always)]
    pub fn gather<S: Simd>(
        &self,
        simd: S,
        class: usize,
        low: &[i32; 3],
        high: &[i32; 3],
        near: &mut VertexBuffer,
    ) -> u64 {
        let Class { table, reach } = &self.classes[class];
        let before = |k: usize| low[k].saturating_sub(*reach).max(-EDGE);
        table.gather(simd, &[before(0), before(1), before(2)], high, near)
    }
}

/// Cells for boxes of at most this extent.
fn cell_bits(reach: i32) -> u32 {
    (32 - reach.leading_zeros()).clamp(UNIT_BITS, NEAR_BITS)
}

/// Whether a point may have been drawn to the edge of the lattice.
pub(super) fn is_drawn(point: [i32; 3]) -> bool {
    point.iter().any(|c| c.abs() == EDGE)
}

/// Points of the lattice without wrapping: those far out are drawn to its edge, which keeps order everywhere. Returns
/// whether any were.
pub(super) fn snap_clamped(lattice: &Lattice, view: &Snapshot<'_>, out: &mut Vec<Snapped>) -> bool {
    out.clear();
    let mut drawn = false;
    for (body, positions) in view.frame.iter().enumerate() {
        out.extend((0..positions.len()).map(|v| {
            let [x, y, z] = lattice.snap_clamped(positions.get(v));
            drawn |= is_drawn([x, y, z]);
            [x, y, z, body as i32]
        }));
    }
    drawn
}
