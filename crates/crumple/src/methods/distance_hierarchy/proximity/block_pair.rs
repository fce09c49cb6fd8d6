//! Two blocks: which of their vertices and triangles, and which of their edges, may be close.
//!
//! Boxes of rows are compared with boxes of rows, eight at a time, then the boxes of one row with that of the other, and then one of
//! its elements with the eight of the other. What is left waits until there is enough of it for [`super::separation`].

use super::super::regions::Region;
use super::elements::Elements;
use super::found::FoundPairs;
use super::rows::{BoxRows, Extent, Span};
use super::separation::{self, Waiting};
use crate::Stats;
use crate::geometry::simd::{I32x8, Ids, Kernel, Mask, Simd, overlaps};

/// Scratch: pairs of elements whose boxes overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct NearElements {
    /// Vertices of either side with triangles of the other, by their places in the rows.
    vertices: [Waiting; 2],
    edges: Waiting,
}

/// Finds every pair of elements of some pairs of blocks that may be closer than they reach.
pub(super) struct FeaturePass<'a> {
    pub elements: [&'a Elements; 2],
    /// Where the ids of either body begin.
    pub first: [FirstIds; 2],
    /// Whether both bodies are one: then no pair of blocks comes twice.
    pub same: bool,
    pub pairs: &'a [[Region; 2]],
    pub near: &'a mut NearElements,
    pub stats: &'a mut Stats,
    pub out: &'a mut FoundPairs,
}

/// Where the ids of a body begin among those of all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FirstIds {
    pub vertex: u32,
    pub triangle: u32,
    pub edge: u32,
}

impl Kernel for FeaturePass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { elements: [a, b], first, same, pairs, near, stats, out } = self;
        let NearElements { vertices: [forth, back], edges } = near;
        let mut tests = 0;
        for &[x, y] in pairs {
            let (x, y) = (x.index(), y.index());
            let is_one = same && x == y;
            let meeting = Meeting { same, among: false };
            tests += meeting.rows(simd, &a.vertices.part(x), &b.triangles.part(y), forth);
            if !is_one {
                tests += meeting.rows(simd, &b.vertices.part(y), &a.triangles.part(x), back);
            }
            let meeting = Meeting { same, among: is_one };
            tests += meeting.rows(simd, &a.edges.part(x), &b.edges.part(y), edges);
            if forth.are_many() {
                separation::vertices(simd, [a, b], first, forth, out);
            }
            if back.are_many() {
                separation::vertices(simd, [b, a], [first[1], first[0]], back, out);
            }
            if edges.are_many() {
                separation::edges(simd, [a, b], first, edges, out);
            }
        }
        separation::vertices(simd, [a, b], first, forth, out);
        separation::vertices(simd, [b, a], [first[1], first[0]], back, out);
        separation::edges(simd, [a, b], first, edges, out);
        stats.tests += 8 * tests;
    }
}

/// The rows of one block.
struct Part<'a, const N: usize> {
    rows: &'a BoxRows<N>,
    first_row: usize,
    first_group: usize,
    end_group: usize,
    extent: &'a Extent,
}

impl<const N: usize> BoxRows<N> {
    #[inline(always)]
    fn part(&self, block: usize) -> Part<'_, N> {
        let Span { first_row, rows, first_group, .. } = self.spans[block];
        Part {
            rows: self,
            first_row: first_row as usize,
            first_group: first_group as usize,
            end_group: (first_group + rows.div_ceil(8)) as usize,
            extent: &self.extents[block],
        }
    }
}

const LANES: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// How elements of two blocks meet.
#[derive(Clone, Copy)]
struct Meeting {
    /// In one body: those with a common vertex are no pair.
    same: bool,
    /// In one list: each pair comes once.
    among: bool,
}

impl Meeting {
    /// Notes the pairs of elements whose boxes overlap. Yields how often eight boxes were compared with one.
    #[inline(always)]
    fn rows<S: Simd, const N: usize, const M: usize>(
        self,
        simd: S,
        a: &Part<'_, N>,
        b: &Part<'_, M>,
        out: &mut Waiting,
    ) -> u64 {
        let mut tests = 0;
        for g in a.first_group..a.end_group {
            let group = &a.rows.groups[g];
            let mut near = overlaps(simd, group, b.extent.low, b.extent.high);
            while near != 0 {
                let i = near.trailing_zeros() as usize;
                near &= near - 1;
                let (row, bound) = (a.first_row + 8 * (g - a.first_group) + i, Extent::of(group, i));
                for h in b.first_group..b.end_group {
                    let others = &b.rows.groups[h];
                    let mut nearer = overlaps(simd, others, bound.low, bound.high);
                    tests += 1;
                    while nearer != 0 {
                        let j = nearer.trailing_zeros() as usize;
                        nearer &= nearer - 1;
                        let other = b.first_row + 8 * (h - b.first_group) + j;
                        if !self.among || other >= row {
                            tests += self.eights(
                                simd,
                                (a.rows, row),
                                (b.rows, other),
                                &Extent::of(others, j),
                                out,
                            );
                        }
                    }
                }
            }
        }
        tests
    }

    /// The elements of two rows; `bound` is the box of the second.
    #[inline(always)]
    fn eights<S: Simd, const N: usize, const M: usize>(
        self,
        simd: S,
        (a, row): (&BoxRows<N>, usize),
        (b, other): (&BoxRows<M>, usize),
        bound: &Extent,
        out: &mut Waiting,
    ) -> u64 {
        let (mine, theirs) = (&a.boxes[row], &b.boxes[other]);
        let eight = S::I32x8::load(simd, &LANES) + S::I32x8::splat(simd, 8 * other as i32);
        let mut ones = overlaps(simd, mine, bound.low, bound.high);
        let tests = 1 + u64::from(ones.count_ones());
        while ones != 0 {
            let i = ones.trailing_zeros() as usize;
            ones &= ones - 1;
            let one = Extent::of(mine, i);
            let mut near = overlaps(simd, theirs, one.low, one.high);
            if self.among && row == other {
                near &= !1 << i;
            }
            if self.same && near != 0 {
                // Most of what is near on one surface hangs together.
                near &= !shared(simd, &a.corners[row], i, &b.corners[other]);
            }
            if near != 0 {
                out.add::<S>((8 * row + i) as u32, eight, near);
            }
        }
        tests
    }
}

/// Which of eight elements have a common vertex with one of another eight.
#[inline(always)]
fn shared<S: Simd, const N: usize, const M: usize>(
    simd: S,
    mine: &[Ids; N],
    i: usize,
    theirs: &[Ids; M],
) -> u32 {
    let mut all = 0;
    for ids in theirs {
        let ids = S::I32x8::load_ids(simd, ids);
        for own in mine {
            all |= ids.eq(S::I32x8::splat(simd, own.0[i] as i32)).bitmask();
        }
    }
    all
}
