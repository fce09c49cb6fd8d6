//! Vertices that no triangle uses, and so no block has: each goes down the regions on its own.

use super::super::bounds::{Bound, Scale, SearchLimit, UP, against};
use super::super::regions::{Region, Regions};
use super::block_pair::first_lanes;
use super::elements::Elements;
use super::{Judge, Sink};
use crate::Stats;
use crate::geometry::simd::{Kernel, Simd};

/// Hands every triangle that may be closer to such a vertex than the limit to the judge.
pub(super) struct Loose<'a, O> {
    /// The side of the vertices.
    pub side: usize,
    /// The vertices, ids within their body.
    pub vertices: &'a [u32],
    /// The regions and elements of the other side.
    pub regions: &'a Regions,
    pub elements: &'a Elements,
    pub scale: &'a Scale,
    pub limit: f32,
    pub stats: &'a mut Stats,
    pub judge: &'a Judge<'a>,
    pub out: &'a mut O,
}

impl<O: Sink> Kernel for Loose<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (regions, limit_sq) = (self.regions, self.limit * self.limit * UP);
        let mut limit = SearchLimit::fixed(self.limit);
        let mut stack: Vec<Region> = Vec::new();
        for &vertex in self.vertices {
            if self.judge.near.quota.is_exceeded() {
                break;
            }
            let before = self.out.len();
            let image = self.scale.map.apply(&self.judge.sides[self.side].vertex(vertex));
            let point = Bound { min: image, max: image, centre: image, radius: 0.0 };
            if regions.bound(regions.root).distance(&point) > self.limit {
                continue;
            }
            stack.push(regions.root);
            while let Some(region) = stack.pop() {
                self.stats.visits += 1;
                if !region.is_block() {
                    let node = regions.node(region);
                    let child = |i: usize| [node.child[i]; 2];
                    let mut found = |_: f32, r: Region, _: Region| stack.push(r);
                    against(simd, &point, node, &mut limit, child, &mut found, &mut |_, _, _| ());
                    continue;
                }
                let block = &regions.blocks[region.index()];
                let count = usize::from(block.count);
                for (c, row) in self.elements.triangles(region.index(), count).rows.iter().enumerate() {
                    let mut near = row.near(simd, &image, &image, limit_sq) & first_lanes(count - 8 * c);
                    self.stats.candidates += u64::from(near.count_ones());
                    while near != 0 {
                        let i = near.trailing_zeros() as usize;
                        near &= near - 1;
                        let triangle = regions.triangles[block.first as usize + 8 * c + i];
                        self.out.vertex(self.judge, self.side, vertex, triangle);
                    }
                }
            }
            self.judge.near.quota.add(self.out.len() - before);
        }
    }
}
