//! Boxes, from the primitives up (B-A9).

use super::super::image::Image;
use super::super::threads;
use super::{BLOCK, Lanes, NONE, Octree};
use crate::geometry::lanes::floats::{self, Floats, Work};

/// How many blocks a thread takes at a time.
const CHUNK: usize = 1024;

impl Octree {
    /// Fits every box to the images of the primitives. Children must come after their parents, as `build` leaves them.
    pub fn refit(&mut self, images: &[Image]) {
        threads::for_each_chunk(&mut self.blocks, CHUNK, |blocks| floats::run(FitBlocks { images, blocks }));
        self.refit_nodes();
    }

    /// The blocks, to be fitted by someone who knows the primitives; [`Octree::refit_nodes`] comes next.
    pub fn blocks_mut(&mut self) -> &mut [Lanes] {
        &mut self.blocks
    }

    /// The sum of the girths of the blocks: how well primitives lie together.
    pub fn girth(&self) -> f64 {
        self.blocks.iter().map(|b| f64::from(b.bounds.girth())).sum()
    }

    /// Fits the boxes of nodes to those of the blocks.
    pub fn refit_nodes(&mut self) {
        floats::run(FitNodes { blocks: &self.blocks, nodes: &mut self.nodes });
    }
}

/// Fills the lanes from eight boxes.
#[inline(always)]
pub(in super::super) fn fit<L: Floats>(lanes: L, into: &mut Lanes, low: [L::P; 8], high: [L::P; 8]) {
    let [a, b, c, d, e, f, g, h] = low;
    let left = lanes.min_point(lanes.min_point(a, b), lanes.min_point(c, d));
    let right = lanes.min_point(lanes.min_point(e, f), lanes.min_point(g, h));
    let least = lanes.min_point(left, right);
    let [a, b, c, d, e, f, g, h] = high;
    let left = lanes.max_point(lanes.max_point(a, b), lanes.max_point(c, d));
    let right = lanes.max_point(lanes.max_point(e, f), lanes.max_point(g, h));
    let most = lanes.max_point(left, right);
    let ([lx, ly, lz], [hx, hy, hz]) = (lanes.transpose(low), lanes.transpose(high));
    let [to_lx, to_ly, to_lz, to_hx, to_hy, to_hz] = &mut into.boxes;
    lanes.store(lx, to_lx);
    lanes.store(ly, to_ly);
    lanes.store(lz, to_lz);
    lanes.store(hx, to_hx);
    lanes.store(hy, to_hy);
    lanes.store(hz, to_hz);
    lanes.store_point(least, &mut into.bounds.low);
    lanes.store_point(most, &mut into.bounds.high);
}

/// Fills the lanes from the boxes that they refer to. `$image` finds the box of a reference.
macro_rules! fit_from {
    ($lanes:expr, $into:expr, $image:expr) => {{
        let refs = $into.refs.0;
        let empty = &Image::EMPTY;
        let (mut low, mut high) = ([$lanes.load_point(&empty.low); 8], [$lanes.load_point(&empty.high); 8]);
        for lane in 0..8 {
            if refs[lane] != NONE {
                let image: &Image = $image(refs[lane]);
                low[lane] = $lanes.load_point(&image.low);
                high[lane] = $lanes.load_point(&image.high);
            }
        }
        fit($lanes, $into, low, high)
    }};
}

struct FitBlocks<'a> {
    images: &'a [Image],
    blocks: &'a mut [Lanes],
}

impl Work for FitBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, lanes: L) {
        for block in self.blocks {
            fit_from!(lanes, block, |id: u32| &self.images[id as usize]);
        }
    }
}

struct FitNodes<'a> {
    blocks: &'a [Lanes],
    nodes: &'a mut [Lanes],
}

impl Work for FitNodes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, lanes: L) {
        for n in (0..self.nodes.len()).rev() {
            let (above, below) = self.nodes.split_at_mut(n + 1);
            let node = &mut above[n];
            fit_from!(lanes, node, |r: u32| {
                let child = if r & BLOCK != 0 {
                    &self.blocks[(r ^ BLOCK) as usize]
                } else {
                    &below[r as usize - n - 1]
                };
                &child.bounds
            });
        }
    }
}
