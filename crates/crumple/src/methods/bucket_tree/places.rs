//! Where the primitives are: their boxes, their ordering points, their codes.

use super::grid::MAX_BITS;
use super::grid::{Grid, Shape};
use super::image::Image;
use super::orders::Orders;
use super::params::{BucketTreeParams, Depth, Placement};

/// The primitives of one tree as images, and where each belongs on the grid.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// Box of each primitive; [`Image::EMPTY`] where a number stands for none.
    pub images: Vec<Image>,
    /// Ordering point of each; the middles of the boxes when there are none.
    pub points: Vec<[f32; 3]>,
    /// Code and number of each primitive, sorted by [`Places::sort`].
    pub keys: Vec<u64>,
    pub grid: Option<Grid>,
    orders: Orders,
    scratch: Vec<u64>,
}

/// A code and the number of a primitive, in this order when sorted.
#[inline(always)]
pub(super) fn key(code: u32, id: u32) -> u64 {
    u64::from(code) << 32 | u64::from(id)
}

/// The boxes of all images and of all ordering points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub all: Image,
    pub points: Image,
}

impl Extent {
    pub const EMPTY: Extent = Extent { all: Image::EMPTY, points: Image::EMPTY };

    #[cfg(feature = "parallel")]
    pub fn union(&self, other: &Extent) -> Extent {
        Extent { all: self.all.union(&other.all), points: self.points.union(&other.points) }
    }

    pub fn add(&mut self, image: &Image, p: [f32; 3]) {
        self.all = self.all.union(image);
        let p = [p[0], p[1], p[2], 0.0];
        self.points = self.points.union(&Image { low: p, high: p });
    }
}

impl Places {
    /// The ordering point of a primitive.
    #[inline(always)]
    pub fn point(&self, id: u32) -> [f32; 3] {
        if self.points.is_empty() { self.images[id as usize].centre() } else { self.points[id as usize] }
    }

    /// Slabs per axis, as a power of two.
    pub fn bits(params: &BucketTreeParams) -> u32 {
        match params.depth {
            Depth::Adaptive => MAX_BITS,
            Depth::Levels(l) => u32::from(l),
        }
    }

    /// What the cells of these parameters look like.
    pub fn shape(params: &BucketTreeParams) -> Shape {
        if params.depth == Depth::Adaptive { Shape::Cubes } else { Shape::Stretched }
    }

    /// Renews the grid where it is due; says whether it did.
    pub fn renew_grid(&mut self, points: &Image, params: &BucketTreeParams) -> bool {
        let shape = Self::shape(params);
        if params.slack > 0.0 && self.grid.is_some_and(|g| g.suits(points, shape)) {
            return false;
        }
        self.grid = Some(Grid::over(points, Self::bits(params), shape, params.slack as f32));
        true
    }

    /// Finds the code of every primitive that is there, by the algorithm that the parameters name.
    pub fn place(&mut self, params: &BucketTreeParams) {
        let Some(grid) = self.grid else { return };
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        match params.placement {
            Placement::Direct => {
                let there = (0..self.images.len() as u32).filter(|&id| !self.images[id as usize].is_empty());
                keys.extend(there.map(|id| key(grid.code(self.point(id)), id)));
            }
            Placement::Sorted => {
                let mut orders = std::mem::take(&mut self.orders);
                orders.update(self, &grid, params.sort_budget, &mut keys);
                self.orders = orders;
            }
        }
        self.keys = keys;
    }

    /// Tells the orders of algorithm 2 that primitives have other numbers now: `renamed[old]` is the new one, `u32::MAX`
    /// when it is gone.
    pub fn rename(&mut self, renamed: &[u32]) {
        self.orders.rename(renamed);
    }

    /// Sorts the keys: three rounds of ten bits, stable, so that equal codes stay in the order of their numbers.
    pub fn sort(&mut self) {
        super::radix::sort(&mut self.keys, &mut self.scratch, 32, self.grid.map_or(0, |g| 3 * g.bits));
    }
}
