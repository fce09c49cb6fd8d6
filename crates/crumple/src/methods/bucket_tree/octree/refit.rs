//! Boxes, from the primitives up (B-A9).

use super::super::image::Image;
use super::super::threads;
use super::{BLOCK, Lanes, NONE, Octree, WIDTH};
use crate::geometry::lanes::floats::{self, Floats, Work};

/// How many blocks a thread takes at a time.
const CHUNK: usize = 1024;

impl Octree {
    /// Fits every box to the images of the primitives. Children must come after their parents, as `build` leaves them.
    pub fn refit(&mut self, images: &[Image]) {
        self.block_boxes.resize(self.blocks.len(), Image::EMPTY);
        self.node_boxes.resize(self.nodes.len(), Image::EMPTY);
        threads::for_each_pair(&mut self.blocks, &mut self.block_boxes, CHUNK, |blocks, boxes| {
            floats::run(FitBlocks { images, blocks, boxes });
        });
        floats::run(FitNodes {
            block_boxes: &self.block_boxes,
            nodes: &mut self.nodes,
            node_boxes: &mut self.node_boxes,
        });
    }
}

/// Fills the lanes from the boxes that they refer to; returns the box of all.
#[inline(always)]
fn fit<'a, L: Floats>(lanes: L, into: &mut Lanes, image: impl Fn(u32) -> &'a Image) -> Image {
    let refs = into.refs;
    let load = |lane: usize| if refs[lane] == NONE { &Image::EMPTY } else { image(refs[lane]) };
    let images: [&Image; WIDTH] = std::array::from_fn(load);
    let low = images.map(|i| lanes.load_point(&i.low));
    let high = images.map(|i| lanes.load_point(&i.high));
    for (k, row) in lanes.transpose(low).into_iter().enumerate() {
        lanes.store(row, &mut into.boxes[k]);
    }
    for (k, row) in lanes.transpose(high).into_iter().enumerate() {
        lanes.store(row, &mut into.boxes[k + 3]);
    }
    let mut all = Image::EMPTY;
    let least = low[1..].iter().fold(low[0], |a, &b| lanes.min_point(a, b));
    let most = high[1..].iter().fold(high[0], |a, &b| lanes.max_point(a, b));
    lanes.store_point(least, &mut all.low);
    lanes.store_point(most, &mut all.high);
    all
}

struct FitBlocks<'a> {
    images: &'a [Image],
    blocks: &'a mut [Lanes],
    boxes: &'a mut [Image],
}

impl Work for FitBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, lanes: L) {
        for (block, all) in self.blocks.iter_mut().zip(self.boxes) {
            *all = fit(lanes, block, |id| &self.images[id as usize]);
        }
    }
}

struct FitNodes<'a> {
    block_boxes: &'a [Image],
    nodes: &'a mut [Lanes],
    node_boxes: &'a mut [Image],
}

impl Work for FitNodes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, lanes: L) {
        for n in (0..self.nodes.len()).rev() {
            let boxes = &*self.node_boxes;
            let all = fit(lanes, &mut self.nodes[n], |r| {
                if r & BLOCK != 0 { &self.block_boxes[(r ^ BLOCK) as usize] } else { &boxes[r as usize] }
            });
            self.node_boxes[n] = all;
        }
    }
}
