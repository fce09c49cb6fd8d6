//! Which triangles fall into which tile.

use super::super::body::{SnappedBody, boxes};
use super::super::lattice::Lattice;
use super::super::raster::tile::SIDE;
use crate::geometry::simd::{I32x8, Mask, Simd, WIDTH, multiversion};
use crate::parallel;

/// The triangles of one body in each tile, in ascending order.
#[derive(Debug, Default)]
pub(crate) struct TileLists {
    /// One set of lists per stretch of triangles that a worker took.
    workers: Vec<WorkerLists>,
    /// Tiles along x and y.
    pub tiles: [usize; 2],
    /// The largest move of a coordinate by snapping, in units.
    pub most_moved: f64,
}

#[derive(Debug, Default)]
struct WorkerLists {
    lists: Vec<Vec<u32>>,
    depth: Vec<[i32; 2]>,
    /// Whether a triangle above the volume of interest was left out.
    has_overhead: bool,
    /// Twice the area of the triangles as seen along the three axes, or more. An integer, so that it is the same however
    /// many workers share the triangles.
    swept: u128,
}

/// The triangles of one tile.
#[derive(Clone, Copy)]
pub(crate) struct TileList<'a> {
    workers: &'a [WorkerLists],
    tile: usize,
}

impl<'a> TileList<'a> {
    pub fn len(self) -> usize {
        self.workers.iter().map(|lists| lists.lists[self.tile].len()).sum()
    }

    /// The list in pieces.
    pub fn slices(self) -> impl Iterator<Item = &'a [u32]> {
        self.workers.iter().map(move |lists| &lists.lists[self.tile][..])
    }
}

/// Whether triangles wholly above the volume of interest are left out: they decide nothing about what is below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overhead {
    Skip,
    Keep,
}

/// A list of triangles that was found elsewhere.
#[derive(Debug, Default)]
pub(crate) struct GivenList([WorkerLists; 1]);

impl GivenList {
    pub fn new(triangles: Vec<u32>) -> Self {
        Self([WorkerLists { lists: vec![triangles], ..WorkerLists::default() }])
    }

    pub fn list(&self) -> TileList<'_> {
        TileList { workers: &self.0, tile: 0 }
    }
}

impl TileLists {
    /// Sorts the triangles into tiles.
    pub fn fill(&mut self, body: &SnappedBody<'_>, overhead: Overhead) {
        let lattice = &body.lattice;
        self.tiles = lattice.resolution.map(|n| n.div_ceil(SIDE) as usize);
        self.most_moved = body.most_moved;
        let tiles = self.tiles[0] * self.tiles[1];
        let workers = parallel::threads();
        self.workers.resize_with(workers, WorkerLists::default);
        for lists in &mut self.workers {
            lists.lists.iter_mut().for_each(Vec::clear);
            lists.lists.resize_with(tiles, Vec::new);
            lists.depth.clear();
            lists.depth.resize(tiles, [i32::MAX, i32::MIN]);
            (lists.has_overhead, lists.swept) = (false, 0);
        }
        let chunk = body.triangles.len().div_ceil(workers).max(1);
        let across = self.tiles[0];
        let run = |k: usize, lists: &mut WorkerLists| {
            let first = (k * chunk).min(body.triangles.len());
            let last = (first + chunk).min(body.triangles.len());
            fill_lists(lists, body, first..last, across, lattice, overhead);
        };
        parallel::for_each(&mut self.workers, run);
    }

    /// A range of depth that holds the part of the body over a tile; `None` where there is no triangle.
    pub fn depth(&self, tile: usize) -> Option<[i32; 2]> {
        let join = |d: [i32; 2], p: &WorkerLists| [d[0].min(p.depth[tile][0]), d[1].max(p.depth[tile][1])];
        let depth = self.workers.iter().fold([i32::MAX, i32::MIN], join);
        let top = if self.has_overhead() { i32::MAX } else { depth[1] };
        (depth[0] <= depth[1]).then_some([depth[0], top])
    }

    /// Whether a triangle above the volume of interest was left out.
    pub fn has_overhead(&self) -> bool {
        self.workers.iter().any(|p| p.has_overhead)
    }

    pub fn list(&self, tile: usize) -> TileList<'_> {
        TileList { workers: &self.workers, tile }
    }

    /// A bound on the volume that snapping sweeps within the volume of interest.
    pub fn moved(&self) -> f64 {
        // The last factor covers the roundings.
        0.5 * self.most_moved * self.workers.iter().map(|p| p.swept).sum::<u128>() as f64 * (1.0 + 1e-15)
    }
}

impl WorkerLists {
    #[inline(always)]
    fn push(
        &mut self,
        tile: usize,
        [ids, low, high, ..]: &[[i32; WIDTH]; 10],
        range: std::ops::Range<usize>,
    ) {
        self.lists[tile].extend(ids[range.clone()].iter().map(|&t| t as u32));
        let depth = &mut self.depth[tile];
        depth[0] = low[range.clone()].iter().fold(depth[0], |a, &b| a.min(b));
        depth[1] = high[range].iter().fold(depth[1], |a, &b| a.max(b));
    }
}

/// The sides of boxes along an axis, cut to the volume of interest. Twice the area of a triangle as seen along the three
/// axes is never more than xy + yz + zx of these.
///
/// A triangle fills no more than half of the side of its box, but it may fill all that a volume of interest leaves of the
/// side; sides are then longer by a half, which is more than the root of two.
#[inline(always)]
fn side<S: Simd>(simd: S, size: i32, reach: i32, [min, max]: [S::I32x8; 2], is_cut: S::Mask8) -> S::I32x8 {
    // A vertex that moves by `reach` units along each axis reaches as much further at either end.
    let more = 2 * reach;
    let (low, high) = (min.max(S::I32x8::splat(simd, -more)), max.min(S::I32x8::splat(simd, size + more)));
    let side = (high - low + S::I32x8::splat(simd, more)).max(S::I32x8::splat(simd, 0));
    let more = (side >> 1) + S::I32x8::splat(simd, 1);
    side + (more & is_cut)
}

multiversion! {
    /// [`WorkerLists::fill`], compiled for the processor at hand.
    fn fill_lists<S: Simd>(
        simd: S,
        lists: &mut WorkerLists,
        body: &SnappedBody<'_>,
        range: std::ops::Range<usize>,
        across: usize,
        lattice: &Lattice,
        overhead: Overhead,
    ) {
        let size = lattice.size;
        let top = S::I32x8::splat(simd, if overhead == Overhead::Skip { size[2] } else { i32::MAX });
        // With four pixels or fewer there is one tile, and shifting by 31 says so.
        let shift = (lattice.shift + SIDE.trailing_zeros()).min(31);
        let zero = S::I32x8::splat(simd, 0);
        // Of the triangles that are kept: number, depths, first and last tile along x and along y, sides.
        let mut kept = [[0; WIDTH]; 10];
        let mut swept = 0;
        // Units by which a vertex moves along each axis, at most 2^60 · 2^-51 + 1.
        let reach = body.most_moved.ceil() as i32;
        for first in range.clone().step_by(WIDTH) {
            let eight = &body.triangles[first..(first + WIDTH).min(range.end)];
            let [min, max] = boxes(simd, body.vertices, |i| eight[i.min(eight.len() - 1)]);
            let beside = |k: usize| min[k].gt(S::I32x8::splat(simd, size[k])) | max[k].lt(zero);
            let all = (1 << eight.len()) - 1;
            let seen = (!(beside(0) | beside(1))).bitmask() & all;
            let mask = seen & (!min[2].gt(top)).bitmask();
            lists.has_overhead |= seen != mask;
            let tile = |x: S::I32x8, k: usize| {
                let held = x.max(zero).min(S::I32x8::splat(simd, size[k] - 1));
                held >> shift
            };
            let ids: [i32; WIDTH] = std::array::from_fn(|i| (first + i) as i32);
            let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
            let (i0, i1, j0, j1) = (tile(x0, 0), tile(x1, 0), tile(y0, 1), tile(y1, 1));
            let is_cut = |k: usize| min[k].lt(zero) | max[k].gt(S::I32x8::splat(simd, size[k]));
            let is_cut = is_cut(0) | is_cut(1) | is_cut(2);
            S::I32x8::load(simd, &ids).compress(mask, &mut kept[0]);
            z0.compress(mask, &mut kept[1]);
            z1.compress(mask, &mut kept[2]);
            i0.compress(mask, &mut kept[3]);
            i1.compress(mask, &mut kept[4]);
            j0.compress(mask, &mut kept[5]);
            j1.compress(mask, &mut kept[6]);
            // What lies below the volume of interest sweeps nothing in it.
            let is_near = z1.gt(S::I32x8::splat(simd, -5 * reach));
            let (x, y) =
                (side(simd, size[0], reach, [x0, x1], is_cut), side(simd, size[1], reach, [y0, y1], is_cut));
            (x & is_near).compress(mask, &mut kept[7]);
            (y & is_near).compress(mask, &mut kept[8]);
            side(simd, size[2], reach, [z0, z1], is_cut).compress(mask, &mut kept[9]);
            let count = mask.count_ones() as usize % (WIDTH + 1);
            let area = |k: usize| {
                let [x, y, z] = [kept[7][k] as u64, kept[8][k] as u64, kept[9][k] as u64];
                x * (y + z) + y * z
            };
            // Each is below 2^59.
            swept += u128::from((0..count).map(area).sum::<u64>());
            // Neighbours in the list are mostly neighbours in space.
            let (i, j) = (kept[3][0], kept[5][0]);
            let same = |a: S::I32x8, b: S::I32x8, x: i32| {
                let x = S::I32x8::splat(simd, x);
                a.outside(x, x) | b.outside(x, x)
            };
            if mask & !(!(same(i0, i1, i) | same(j0, j1, j))).bitmask() == 0 {
                if count > 0 {
                    lists.push(j as usize * across + i as usize, &kept, 0..count);
                }
                continue;
            }
            for k in 0..count {
                for j in kept[5][k]..=kept[6][k] {
                    for i in kept[3][k]..=kept[4][k] {
                        lists.push(j as usize * across + i as usize, &kept, k..k + 1);
                    }
                }
            }
        }
        lists.swept = swept;
    }
}
