//! Two blocks: which of their vertices and triangles, and which of their edges, may be close.

use super::super::bounds::{Bound, UP};
use super::super::regions::{Region, Regions, at};
use super::super::search::block_pair::Triangle;
use super::super::search::triangle_bounds::OneToEight;
use super::elements::{Eights, Elements, Extent};
use super::reach::{Reach, larger};
use super::{Judge, Sink};
use crate::Stats;
use crate::geometry::simd::{I32x8, Kernel, Mask, Simd};

/// Scratch: the elements of one block near the other.
#[derive(Debug, Clone, Default)]
pub(super) struct NearElements {
    /// A vertex or an edge as a triangle.
    ones: Vec<One>,
    /// Rows of eight, by their place, and which of the eight.
    rows: Vec<(u32, u32)>,
    /// Those near some of `ones`.
    nearer: Vec<(u32, u32)>,
}

/// How many elements are compared with rows by their common box first. Where surfaces are crumpled, the boxes of whole blocks say little.
const GROUP: usize = 8;

/// A vertex or an edge: as a triangle, its number in the block, and its ends.
#[derive(Debug, Clone)]
struct One {
    triangle: Triangle,
    number: u32,
    ends: [u32; 2],
    /// How far it reaches; the whole limit when that is the same for all.
    reach: f32,
}

/// Hands every pair of elements of some pairs of blocks that may be closer than the limit to the judge.
pub(super) struct FeaturePass<'a, O> {
    pub trees: [&'a Regions; 2],
    pub elements: [&'a Elements; 2],
    /// Whether both trees are one: then no pair of blocks comes twice.
    pub same: bool,
    pub limit: f32,
    /// How far both sides' elements reach: then the limit of two is their sum instead.
    pub reach: Option<[&'a Reach; 2]>,
    pub pairs: &'a [[Region; 2]],
    pub near: &'a mut NearElements,
    pub stats: &'a mut Stats,
    pub judge: &'a Judge<'a>,
    pub out: &'a mut O,
}

impl<O: Sink> Kernel for FeaturePass<'_, O> {
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
            if let Some([mine, other]) = self.reach {
                self.limit = (mine.blocks[blocks[0]] + other.blocks[blocks[1]]) * UP;
                let [a, b] = [&self.trees[0].bounds[blocks[0]], &self.trees[1].bounds[blocks[1]]];
                if a.distance(b) > self.limit {
                    continue;
                }
            }
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

impl<O: Sink> FeaturePass<'_, O> {
    /// The own vertices of a block of this side against the triangles of one of the other side.
    #[inline(always)]
    fn vertices<S: Simd>(&mut self, simd: S, side: usize, [mine, other]: [usize; 2]) {
        let (tree, others) = (self.trees[side], self.trees[1 - side]);
        let (block, facing) = (&tree.blocks[mine], &others.blocks[other]);
        let eights = self.elements[1 - side].triangles(other, facing.count.into());
        let reach = self.reach.map(|r| [r[side], r[1 - side]]);
        let rows = RowReach {
            mine: reach.map_or(self.limit, |[mine_reach, _]| mine_reach.blocks[mine]),
            rows: reach.map(|[_, theirs]| &theirs.triangle_rows[eights.first..]),
        };
        self.near.rows(simd, &eights, &tree.bounds[mine], &rows);
        if self.near.rows.is_empty() {
            return;
        }
        let chunks = tree.chunks(block);
        self.near.ones.clear();
        for s in 0..block.own {
            let triangle = Triangle::new([at(chunks, s); 3], 0);
            let vertex = tree.vertex(block, s.into());
            let (reach, limit) = match reach {
                Some([mine, theirs]) => {
                    let reach = mine.vertices[vertex as usize];
                    (reach, (reach + theirs.blocks[other]) * UP)
                }
                None => (self.limit, self.limit),
            };
            if triangle.distance_sq(&others.bounds[other]) <= square(limit) {
                self.near.ones.push(One { triangle, number: u32::from(s), ends: [vertex; 2], reach });
            }
        }
        let triangles = &others.triangles[facing.first as usize..];
        let found = |one: &One, eighth: u32| {
            self.out.vertex(self.judge, side, one.ends[0], triangles[eighth as usize]);
        };
        self.near.compare(simd, &eights, self.same, &rows, self.stats, found);
    }

    /// The own edges of two blocks.
    #[inline(always)]
    fn edge_pairs<S: Simd>(&mut self, simd: S, [mine, other]: [usize; 2], is_one: bool) {
        let eights = self.elements[1].edges(other);
        let reach = self.reach;
        let rows = RowReach {
            mine: reach.map_or(self.limit, |[mine_reach, _]| mine_reach.blocks[mine]),
            rows: reach.map(|[_, theirs]| &theirs.edge_rows[eights.first..]),
        };
        self.near.rows(simd, &eights, &self.trees[0].bounds[mine], &rows);
        if self.near.rows.is_empty() {
            return;
        }
        let own = self.elements[0].edges(mine);
        self.near.ones.clear();
        let bound = &self.trees[1].bounds[other];
        for i in 0..own.count {
            let triangle = own.rows[i / 8].element(i % 8);
            let [v, w] = &own.ids[i / 8];
            let ends = [v.0[i % 8], w.0[i % 8]];
            let (reach, limit) = match reach {
                Some([mine, theirs]) => {
                    let [v, w] = ends.map(|v| mine.vertices[v as usize]);
                    (larger(v, w), (larger(v, w) + theirs.blocks[other]) * UP)
                }
                None => (self.limit, self.limit),
            };
            if triangle.distance_sq(bound) <= square(limit) {
                self.near.ones.push(One { triangle, number: i as u32, ends, reach });
            }
        }
        let found = |one: &One, eighth: u32| {
            if !is_one || one.number < eighth {
                let [v, w] = &eights.ids[eighth as usize / 8];
                let lane = eighth as usize % 8;
                self.out.edges(self.judge, one.ends, [v.0[lane], w.0[lane]]);
            }
        };
        self.near.compare(simd, &eights, self.same, &rows, self.stats, found);
    }
}

/// How far rows of eight and those that they are compared with are searched.
struct RowReach<'a> {
    /// The largest of what they are compared with.
    mine: f32,
    /// Of each row; `None` when one limit holds for all, which the others' reach is then.
    rows: Option<&'a [f32]>,
}

impl RowReach<'_> {
    /// The limit of a row and an element that reaches so far, rounded up.
    #[inline(always)]
    fn limit(&self, place: usize, reach: f32) -> f32 {
        self.rows.map_or(reach, |rows| (reach + rows[place]) * UP)
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
    fn rows<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        eights: &Eights<'_, N>,
        bound: &Bound,
        reach: &RowReach<'_>,
    ) {
        self.rows.clear();
        for (i, row) in eights.rows.iter().enumerate() {
            let limit_sq = square(reach.limit(i, reach.mine));
            let near = row.near(simd, &bound.min, &bound.max, limit_sq) & first_lanes(eights.count - 8 * i);
            if near != 0 {
                self.rows.push((i as u32, near));
            }
        }
    }

    /// Hands out the pairs that have no common vertex (in one body, `same`) and that neither boxes nor planes put further apart
    /// than their limit.
    #[inline(always)]
    fn compare<S: Simd, const N: usize>(
        &mut self,
        simd: S,
        eights: &Eights<'_, N>,
        same: bool,
        reach: &RowReach<'_>,
        stats: &mut Stats,
        mut found: impl FnMut(&One, u32),
    ) {
        let Self { ones, rows, nearer } = self;
        for group in ones.chunks(GROUP) {
            let (mut bound, mut furthest) = (Extent::EMPTY, 0.0);
            for one in group {
                bound.add(&one.triangle);
                furthest = larger(furthest, one.reach);
            }
            nearer.clear();
            for &(place, lanes) in rows.iter() {
                let limit = reach.limit(place as usize, furthest);
                if eights.bounds[place as usize].distance_sq(&bound) <= square(limit) {
                    nearer.push((place, lanes));
                }
            }
            stats.tests += 8 * (group.len() * nearer.len()) as u64;
            for one in group {
                let triangle = &one.triangle;
                for &(place, lanes) in nearer.iter() {
                    let (row, limit) = (&eights.rows[place as usize], reach.limit(place as usize, one.reach));
                    let mut near = row.near(simd, &triangle.min, &triangle.max, square(limit)) & lanes;
                    if same && near != 0 {
                        // Most of what is near on one surface hangs together, and that is quickly told.
                        let [v, w] = one.ends;
                        let ends = [S::I32x8::splat(simd, v as i32), S::I32x8::splat(simd, w as i32)];
                        for ids in &eights.ids[place as usize] {
                            let ids = S::I32x8::load_ids(simd, ids);
                            near &= !(ids.eq(ends[0]) | ids.eq(ends[1])).bitmask();
                        }
                    }
                    if near == 0 {
                        continue;
                    }
                    let pair = OneToEight::of(simd, &triangle.corners, &row.corners);
                    let along = pair.centres(simd);
                    near &= !along.beyond(simd, limit);
                    if near != 0 {
                        near &= !pair.nearer(simd, &along).beyond(simd, limit);
                    }
                    stats.candidates += u64::from(near.count_ones());
                    while near != 0 {
                        let i = near.trailing_zeros();
                        near &= near - 1;
                        found(one, 8 * place + i);
                    }
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
