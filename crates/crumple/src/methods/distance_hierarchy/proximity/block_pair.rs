//! Two blocks: which of their vertices and triangles, and which of their edges, may be close.

use super::super::bounds::{Bound, UP};
use super::super::regions::{Region, Regions, at};
use super::super::search::block_pair::{Rows, Triangle};
use super::super::search::triangle_bounds::OneToEight;
use super::Judge;
use super::elements::Elements;
use crate::geometry::simd::{Kernel, Simd};
use crate::{Proximity, Stats};

/// Scratch: the elements of one block near the other.
#[derive(Debug, Default)]
pub(super) struct NearElements {
    /// A vertex or an edge as a triangle, with its number.
    ones: Vec<(Triangle, u32)>,
    /// Rows of eight, by their place, and which of the eight.
    rows: Vec<(u32, u32)>,
}

/// Hands every pair of elements of some pairs of blocks that may be closer than the limit to the judge.
pub(super) struct FeaturePass<'a> {
    pub trees: [&'a Regions; 2],
    pub elements: [&'a Elements; 2],
    /// Whether both trees are one: then no pair of blocks comes twice.
    pub same: bool,
    pub limit: f32,
    pub pairs: &'a [[Region; 2]],
    pub near: &'a mut NearElements,
    pub stats: &'a mut Stats,
    pub judge: &'a Judge<'a>,
    pub out: &'a mut Proximity,
}

impl Kernel for FeaturePass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let pairs = self.pairs;
        for &[x, y] in pairs {
            if self.judge.near.quota.is_exceeded() {
                break;
            }
            let before = self.out.len();
            let blocks = [x.index(), y.index()];
            let is_one = self.same && x == y;
            self.vertices(simd, 0, blocks);
            if !is_one {
                self.vertices(simd, 1, [blocks[1], blocks[0]]);
            }
            self.edge_pairs(simd, blocks, is_one);
            self.judge.near.quota.add(self.out.len() - before);
        }
    }
}

impl FeaturePass<'_> {
    /// The own vertices of a block of this side against the triangles of one of the other side.
    #[inline(always)]
    fn vertices<S: Simd>(&mut self, simd: S, side: usize, [mine, other]: [usize; 2]) {
        let (tree, others) = (self.trees[side], self.trees[1 - side]);
        let (block, facing) = (&tree.blocks[mine], &others.blocks[other]);
        let rows = self.elements[1 - side].triangles(other, facing.count.into());
        self.near.rows(simd, rows, facing.count.into(), &tree.bounds[mine], self.limit);
        if self.near.rows.is_empty() {
            return;
        }
        let chunks = tree.chunks(block);
        self.near.ones.clear();
        let own = (0..block.own).map(|s| (Triangle::new([at(chunks, s); 3], 0), u32::from(s)));
        self.near
            .ones
            .extend(own.filter(|(t, _)| t.distance_sq(&others.bounds[other]) <= square(self.limit)));
        let triangles = &others.triangles[facing.first as usize..];
        let found = |one: u32, eighth: u32| {
            self.judge.vertex(side, tree.vertex(block, one as usize), triangles[eighth as usize], self.out);
        };
        self.near.compare(simd, rows, self.limit, self.stats, found);
    }

    /// The own edges of two blocks.
    #[inline(always)]
    fn edge_pairs<S: Simd>(&mut self, simd: S, [mine, other]: [usize; 2], is_one: bool) {
        let (rows, count) = self.elements[1].edges(other);
        self.near.rows(simd, rows, count, &self.trees[0].bounds[mine], self.limit);
        if self.near.rows.is_empty() {
            return;
        }
        let (ones, own) = self.elements[0].edges(mine);
        self.near.ones.clear();
        let bound = &self.trees[1].bounds[other];
        let edges = (0..own).map(|i| (ones[i / 8].element(i % 8), i as u32));
        self.near.ones.extend(edges.filter(|(t, _)| t.distance_sq(bound) <= square(self.limit)));
        let found = |one: u32, eighth: u32| {
            if !is_one || one < eighth {
                let a = self.elements[0].ends(self.trees[0], mine, one as usize);
                let b = self.elements[1].ends(self.trees[1], other, eighth as usize);
                self.judge.edges(a, b, self.out);
            }
        };
        self.near.compare(simd, rows, self.limit, self.stats, found);
    }
}

/// The square of a limit, rounded up.
#[inline(always)]
fn square(limit: f32) -> f32 {
    limit * limit * UP
}

impl NearElements {
    /// Notes which of some elements are near a box.
    #[inline(always)]
    fn rows<S: Simd>(&mut self, simd: S, rows: &[Rows], count: usize, bound: &Bound, limit: f32) {
        self.rows.clear();
        for (i, row) in rows.iter().enumerate() {
            let near = row.near(simd, &bound.min, &bound.max, square(limit)) & first_lanes(count - 8 * i);
            if near != 0 {
                self.rows.push((i as u32, near));
            }
        }
    }

    /// Hands out the pairs that neither boxes nor planes put further apart than the limit.
    #[inline(always)]
    fn compare<S: Simd>(
        &self,
        simd: S,
        rows: &[Rows],
        limit: f32,
        stats: &mut Stats,
        mut found: impl FnMut(u32, u32),
    ) {
        stats.tests += 8 * (self.ones.len() * self.rows.len()) as u64;
        for (one, number) in &self.ones {
            for &(place, lanes) in &self.rows {
                let row = &rows[place as usize];
                let mut near = row.near(simd, &one.min, &one.max, square(limit)) & lanes;
                if near == 0 {
                    continue;
                }
                let pair = OneToEight::of(simd, &one.corners, &row.corners);
                let along = pair.centres(simd);
                near &= !along.beyond(simd, limit);
                if near != 0 {
                    near &= !pair.nearer(simd, &along).beyond(simd, limit);
                }
                stats.candidates += u64::from(near.count_ones());
                while near != 0 {
                    let i = near.trailing_zeros();
                    near &= near - 1;
                    found(*number, 8 * place + i);
                }
            }
        }
    }
}

/// One bit for each of the first `count` lanes.
#[inline(always)]
pub(super) fn first_lanes(count: usize) -> u32 {
    (1 << count.min(8)) - 1
}
