//! Boxes, ordering points and Morton keys of the primitives of one tree.

use super::grid::{Grid, Shape};
use crate::geometry::Aabb32;

/// The primitives of one tree as images, and where each belongs on the grid.
#[derive(Debug, Clone, Default)]
pub(super) struct PrimitiveKeys {
    /// Box of each primitive; [`Aabb32::EMPTY`] where a number stands for none.
    pub images: Vec<Aabb32>,
    /// Ordering point of each; the middles of the boxes when there are none.
    pub points: Vec<[f32; 3]>,
    /// Morton code and number of each primitive that is there, sorted by [`PrimitiveKeys::sort`].
    pub keys: Vec<u64>,
    pub grid: Option<Grid>,
    scratch: Vec<u64>,
}

/// A Morton code and the number of a primitive, in this order when sorted.
#[inline(always)]
pub(super) fn key(code: u32, id: u32) -> u64 {
    u64::from(code) << 32 | u64::from(id)
}

/// The boxes of all images and of all ordering points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub all: Aabb32,
    pub points: Aabb32,
}

impl Extent {
    pub const EMPTY: Extent = Extent { all: Aabb32::EMPTY, points: Aabb32::EMPTY };

    pub fn union(&self, other: &Extent) -> Extent {
        Extent { all: self.all.union(&other.all), points: self.points.union(&other.points) }
    }

    pub fn add(&mut self, image: &Aabb32, p: [f32; 3]) {
        self.all = self.all.union(image);
        self.points = self.points.with(&p);
    }
}

/// How a grid is laid over the ordering points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Slabs per axis, as a power of two.
    pub bits: u32,
    /// What cells look like.
    pub shape: Shape,
    /// How far the grid reaches beyond the points; see [`BucketTreeParams::slack`](super::BucketTreeParams::slack).
    pub slack: f64,
}

impl PrimitiveKeys {
    /// The ordering point of a primitive.
    #[inline(always)]
    pub fn point(&self, id: u32) -> [f32; 3] {
        if self.points.is_empty() { self.images[id as usize].centre() } else { self.points[id as usize] }
    }

    /// Renews the grid where it is due; says whether it did, so that the keys are due too.
    pub fn renew_grid(&mut self, points: &Aabb32, layout: &Layout) -> bool {
        if layout.slack > 0.0 && self.grid.is_some_and(|g| g.suits(points, layout.shape)) {
            return false;
        }
        self.grid = Some(Grid::over(points, layout.bits, layout.shape, layout.slack as f32));
        true
    }

    /// Finds the key of every primitive that is there (algorithm 1 of the paper).
    pub fn renew_keys(&mut self) {
        let Some(grid) = self.grid else { return };
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let there = (0..self.images.len() as u32).filter(|&id| !self.images[id as usize].is_empty());
        keys.extend(there.map(|id| key(grid.code(self.point(id)), id)));
        self.keys = keys;
    }

    /// Sorts the keys: three rounds of ten bits, stable, so that equal codes stay in the order of their numbers.
    pub fn sort(&mut self) {
        super::radix::sort(&mut self.keys, &mut self.scratch, 32, self.grid.map_or(0, |g| 3 * g.bits));
    }
}
