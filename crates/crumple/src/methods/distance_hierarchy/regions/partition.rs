//! How a region is cut into at most eight.

use std::sync::Arc;

use super::limbs::Limbs;
use crate::Mesh;
use crate::geometry::{Aabb, Point};

/// Children of a region at most; the paper's eight octants, and eight lanes.
pub(in super::super) const WAYS: usize = 8;

/// Below this depth an octree gives way to medians: triangles that crowd in a corner would make it as deep as they are
/// many (M-A5).
const OCTREE_DEPTH: usize = 12;

/// How a region is cut into smaller ones. Answers are the same for all; how soon they are found is not.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Partition {
    /// Into the eight octants of its box, as in the paper. The box is that of the region's own triangles, and empty
    /// octants are dropped (M-A6).
    Octree,
    /// At medians along the widest axis, so that the smallest regions are equally and nearly full.
    #[default]
    Median,
    /// First into limbs: up to eight parts of the surface round places that are far from each other along it, as hands, feet
    /// and head of a body are (M28); limbs at medians.
    Limbs,
    /// By a rule of one's own (M6).
    Custom(Arc<dyn SplitRule>),
}

impl PartialEq for Partition {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Custom(a), Self::Custom(b)) => Arc::ptr_eq(a, b),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// A rule that cuts a region into smaller ones.
///
/// ```
/// use std::sync::Arc;
/// use crumple::methods::distance_hierarchy::{DistanceHierarchyParams, Partition, SplitRule};
///
/// /// By the triangles' numbers alone.
/// #[derive(Debug)]
/// struct InOrder;
///
/// impl SplitRule for InOrder {
///     fn split(&self, triangles: &mut [u32], _centres: &[[f64; 3]], _depth: usize) -> Vec<usize> {
///         triangles.sort_unstable();
///         vec![triangles.len() / 2, triangles.len() - triangles.len() / 2]
///     }
/// }
/// let partition = Partition::Custom(Arc::new(InOrder));
/// let params = DistanceHierarchyParams { partition, ..Default::default() };
/// ```
pub trait SplitRule: std::fmt::Debug + Send + Sync {
    /// Reorders the triangles of a region, two or more, into groups, and says how many are in each, in order: two to eight
    /// groups, none empty. What does not add up is cut at medians instead. `centres` are those of all triangles of the body,
    /// `depth` is 0 for the whole.
    fn split(&self, triangles: &mut [u32], centres: &[Point], depth: usize) -> Vec<usize>;
}

/// A rule at work on one body.
pub(super) enum Splitter<'a> {
    Octree,
    Median,
    Limbs(Limbs),
    Custom(&'a dyn SplitRule),
}

impl Partition {
    pub(super) fn splitter(&self, body: &Mesh, centres: &[Point]) -> Splitter<'_> {
        match self {
            Self::Octree => Splitter::Octree,
            Self::Median => Splitter::Median,
            Self::Limbs => Splitter::Limbs(Limbs::new(body, centres)),
            Self::Custom(rule) => Splitter::Custom(&**rule),
        }
    }
}

impl Splitter<'_> {
    /// Reorders the triangles of a region, more than `capacity`, into at least two groups; their sizes, none 0, in order.
    pub fn split(
        &self,
        triangles: &mut [u32],
        centres: &[Point],
        capacity: usize,
        depth: usize,
    ) -> Vec<usize> {
        debug_assert!(triangles.len() > capacity);
        let groups = match self {
            Self::Octree if depth < OCTREE_DEPTH => octants(triangles, centres),
            Self::Limbs(limbs) if depth == 0 => by_class(triangles, |t| limbs.of(t)),
            Self::Custom(rule) => checked(*rule, triangles, centres, depth),
            _ => Vec::new(),
        };
        if groups.len() > 1 { groups } else { medians(triangles, centres, capacity) }
    }
}

/// What a rule says, if it can be used: no group is empty, and every triangle is in one.
fn checked(rule: &dyn SplitRule, triangles: &mut [u32], centres: &[Point], depth: usize) -> Vec<usize> {
    let before = triangles.to_vec();
    let groups = rule.split(triangles, centres, depth);
    let mut after = triangles.to_vec();
    let mut sorted = before.clone();
    after.sort_unstable();
    sorted.sort_unstable();
    let adds_up = groups.iter().sum::<usize>() == triangles.len() && !groups.contains(&0);
    if after == sorted && adds_up && (2..=WAYS).contains(&groups.len()) {
        return groups;
    }
    triangles.copy_from_slice(&before);
    Vec::new()
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
    by_class(triangles, octant)
}

/// Groups by a number below [`WAYS`].
fn by_class(triangles: &mut [u32], class: impl Fn(u32) -> usize) -> Vec<usize> {
    let mut sizes = [0; WAYS];
    triangles.iter().for_each(|&t| sizes[class(t)] += 1);
    triangles.sort_by_key(|&t| class(t));
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
