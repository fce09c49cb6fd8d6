//! How a region is cut into at most eight.

use crate::geometry::{Aabb, Point};

/// Children of a region at most; the paper's eight octants, and eight lanes.
pub(in super::super) const WAYS: usize = 8;

/// Below this depth an octree gives way to medians: triangles that crowd in a corner would make it as deep as they are
/// many (M-A5).
const OCTREE_DEPTH: usize = 12;

/// How a region is cut into smaller ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Partition {
    /// Into the eight octants of its box, as in the paper. The box is that of the region's own triangles, and empty
    /// octants are dropped (M-A6).
    Octree,
    /// At medians along the widest axis, so that the smallest regions are equally and nearly full.
    #[default]
    Median,
}

impl Partition {
    /// Reorders the triangles of a region, more than `capacity`, into at least two groups; their sizes, none 0, in order.
    pub(in super::super) fn split(
        self,
        triangles: &mut [u32],
        centres: &[Point],
        capacity: usize,
        depth: usize,
    ) -> Vec<usize> {
        debug_assert!(triangles.len() > capacity);
        if self == Self::Octree && depth < OCTREE_DEPTH {
            let groups = octants(triangles, centres);
            if groups.len() > 1 {
                return groups;
            }
        }
        medians(triangles, centres, capacity)
    }
}

fn box_of(triangles: &[u32], centres: &[Point]) -> Aabb {
    triangles.iter().fold(Aabb::EMPTY, |b, &t| b.with(&centres[t as usize]))
}

fn octants(triangles: &mut [u32], centres: &[Point]) -> Vec<usize> {
    let middle = box_of(triangles, centres).centre();
    let octant = |t: u32| {
        let p = centres[t as usize];
        (0..3).fold(0, |o, k| o | usize::from(p[k] > middle[k]) << k)
    };
    let mut sizes = [0; WAYS];
    triangles.iter().for_each(|&t| sizes[octant(t)] += 1);
    triangles.sort_by_key(|&t| octant(t));
    sizes.into_iter().filter(|&n| n > 0).collect()
}

/// Groups of equal size, as few as leave all levels below them full.
fn medians(triangles: &mut [u32], centres: &[Point], capacity: usize) -> Vec<usize> {
    let blocks = triangles.len().div_ceil(capacity);
    let mut child = 1; // Blocks in a full child.
    while child * WAYS < blocks {
        child *= WAYS;
    }
    let mut sizes = Vec::with_capacity(WAYS);
    halve(triangles, centres, blocks.div_ceil(child), &mut sizes);
    sizes
}

fn halve(triangles: &mut [u32], centres: &[Point], groups: usize, sizes: &mut Vec<usize>) {
    if groups == 1 {
        sizes.push(triangles.len());
        return;
    }
    let size = box_of(triangles, centres).size();
    let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let cut = triangles.len() * (groups / 2) / groups;
    triangles.select_nth_unstable_by(cut, |&s, &t| {
        centres[s as usize][axis].total_cmp(&centres[t as usize][axis]).then(s.cmp(&t))
    });
    let (left, right) = triangles.split_at_mut(cut);
    halve(left, centres, groups / 2, sizes);
    halve(right, centres, groups - groups / 2, sizes);
}
