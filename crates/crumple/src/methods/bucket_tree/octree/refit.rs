//! Boxes, from the primitives up (B-A9).

use super::{BLOCK, Lanes, NONE, Octree};
use crate::geometry::Aabb32;
use crate::geometry::simd::{F32x4, F32x8, Simd, multiversion};
use crate::parallel;

/// How many blocks a thread takes at a time.
const CHUNK: usize = 1024;

impl Octree {
    /// Fits every box to the images of the primitives. Children must come after their parents, as `build` leaves them.
    pub fn refit(&mut self, images: &[Aabb32]) {
        parallel::for_each_chunk(&mut self.blocks, CHUNK, |_, blocks| fit_blocks(images, blocks));
        self.refit_nodes();
    }

    /// The blocks, to be fitted by someone who knows the primitives; [`Octree::refit_nodes`] comes next.
    pub fn blocks_mut(&mut self) -> &mut [Lanes] {
        &mut self.blocks
    }

    /// The sum of the girths of the blocks: how well primitives lie together.
    pub fn girth(&self) -> f64 {
        let held = self.blocks.iter().filter(|b| !b.bounds.is_empty());
        held.map(|b| f64::from(b.bounds.girth())).sum()
    }

    /// Fits the boxes of nodes to those of the blocks.
    pub fn refit_nodes(&mut self) {
        if self.is_ordered {
            return fit_nodes(&self.blocks, &mut self.nodes);
        }
        let order = self.parents_first();
        fit_in_order(&self.blocks, &mut self.nodes, &order);
    }

    /// The nodes in use, parents before their children.
    fn parents_first(&self) -> Vec<u32> {
        let mut order: Vec<u32> = self.root().filter(|root| root & BLOCK == 0).into_iter().collect();
        let mut next = 0;
        while next < order.len() {
            order.extend(self.children(order[next]).filter(|child| child & BLOCK == 0));
            next += 1;
        }
        order
    }
}

/// Fills the lanes from eight boxes.
#[inline(always)]
pub(in super::super) fn fit<S: Simd>(into: &mut Lanes, low: [S::F32x4; 8], high: [S::F32x4; 8]) {
    let [a, b, c, d, e, f, g, h] = low;
    let left = a.min(b).min(c.min(d));
    let right = e.min(f).min(g.min(h));
    let least = left.min(right);
    let [a, b, c, d, e, f, g, h] = high;
    let left = a.max(b).max(c.max(d));
    let right = e.max(f).max(g.max(h));
    let most = left.max(right);
    let ([lx, ly, lz], [hx, hy, hz]) = (S::F32x4::transpose(low), S::F32x4::transpose(high));
    let [to_lx, to_ly, to_lz, to_hx, to_hy, to_hz] = &mut into.boxes.rows;
    lx.store(to_lx);
    ly.store(to_ly);
    lz.store(to_lz);
    hx.store(to_hx);
    hy.store(to_hy);
    hz.store(to_hz);
    least.store(&mut into.bounds.min);
    most.store(&mut into.bounds.max);
}

/// Fills the lanes from the boxes that they refer to. `$image` finds the box of a reference.
macro_rules! fit_from {
    ($simd:expr, $into:expr, $image:expr) => {{
        let refs = $into.refs.0;
        let empty = &Aabb32::EMPTY;
        let (mut low, mut high) =
            ([S::F32x4::load($simd, &empty.min); 8], [S::F32x4::load($simd, &empty.max); 8]);
        for lane in 0..8 {
            if refs[lane] != NONE {
                let image: &Aabb32 = $image(refs[lane]);
                low[lane] = S::F32x4::load($simd, &image.min);
                high[lane] = S::F32x4::load($simd, &image.max);
            }
        }
        fit::<S>($into, low, high)
    }};
}

multiversion! {
    fn fit_blocks<S: Simd>(simd: S, images: &[Aabb32], blocks: &mut [Lanes]) {
        for block in blocks {
            fit_from!(simd, block, |id: u32| &images[id as usize]);
        }
    }
}

multiversion! {
    fn fit_nodes<S: Simd>(simd: S, blocks: &[Lanes], nodes: &mut [Lanes]) {
        for n in (0..nodes.len()).rev() {
            let (above, below) = nodes.split_at_mut(n + 1);
            let node = &mut above[n];
            fit_from!(simd, node, |r: u32| {
                let child = if r & BLOCK != 0 {
                    &blocks[(r ^ BLOCK) as usize]
                } else {
                    &below[r as usize - n - 1]
                };
                &child.bounds
            });
        }
    }
}

multiversion! {
    fn fit_in_order<S: Simd>(simd: S, blocks: &[Lanes], nodes: &mut [Lanes], order: &[u32]) {
        for &n in order.iter().rev() {
            let mut fitted = nodes[n as usize].clone();
            let node = &mut fitted;
            fit_from!(simd, node, |r: u32| {
                let child =
                    if r & BLOCK != 0 { &blocks[(r ^ BLOCK) as usize] } else { &nodes[r as usize] };
                &child.bounds
            });
            nodes[n as usize] = fitted;
        }
    }
}
