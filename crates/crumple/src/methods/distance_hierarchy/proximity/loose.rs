//! Vertices that no triangle uses, and so no block has: each goes down the regions on its own.

use super::super::bounds::{Bound, SearchLimit, against};
use super::super::regions::{Region, Regions};
use super::block_pair::FirstIds;
use super::elements::Elements;
use super::found::FoundPairs;
use crate::Stats;
use crate::geometry::simd::{Kernel, Simd, overlaps};

/// Finds every triangle that may be close to such a vertex.
pub(super) struct Loose<'a> {
    /// The vertices, ids within their body, where they are and how far they reach.
    pub vertices: &'a [(u32, [f32; 4])],
    /// The regions and elements of the other side.
    pub regions: &'a Regions,
    pub elements: &'a Elements,
    /// Where the ids of either side begin.
    pub first: [FirstIds; 2],
    /// How far any two reach.
    pub limit: f32,
    pub stats: &'a mut Stats,
    pub out: &'a mut FoundPairs,
}

impl Kernel for Loose<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (regions, triangles) = (self.regions, &self.elements.triangles);
        let mut limit = SearchLimit::fixed(self.limit);
        let mut stack: Vec<Region> = Vec::new();
        for &(vertex, [x, y, z, reach]) in self.vertices {
            let image = [x, y, z];
            let (low, high) = (image.map(|x| x - reach), image.map(|x| x + reach));
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
                for row in triangles.rows(region.index()) {
                    let mut near = overlaps(simd, &triangles.boxes[row], low, high);
                    while near != 0 {
                        let i = near.trailing_zeros() as usize;
                        near &= near - 1;
                        let triangle = triangles.ids[8 * row + i];
                        self.out.vertex(self.first[0].vertex + vertex, self.first[1].triangle + triangle);
                    }
                }
            }
        }
    }
}
