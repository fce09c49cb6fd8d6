//! Boxes of patches and nodes.
//!
//! A frame's positions go through one monotone [`Map`] to `f32`. Monotone means that closed boxes of the images overlap
//! wherever the boxes of the positions do, so nothing needs to be rounded outward, and a box is tight to the last bit.

use super::hierarchy::Patches;
use super::patch_vertices::prefetch;
use crate::geometry::lanes::floats::{Floats, Map, Work};
use crate::geometry::{Aabb, Point};

/// A closed box in the coordinates of the frame's [`Map`]. The fourth numbers are unused.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Bounds {
    pub min: [f32; 4],
    pub max: [f32; 4],
}

impl Bounds {
    /// Holds nothing.
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 4], max: [f32::NEG_INFINITY; 4] };

    /// The smallest box that holds both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        let min = |a: f32, b: f32| if a < b { a } else { b };
        let max = |a: f32, b: f32| if a > b { a } else { b };
        Self {
            min: std::array::from_fn(|k| min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| max(self.max[k], other.max[k])),
        }
    }

    /// Whether the closed boxes have a common point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without short cuts: six comparisons at once are cheaper than a branch that is guessed wrong.
        (0..3).fold(true, |all, k| all & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    /// The same box in `f64`.
    pub fn widened(&self) -> Aabb {
        let widen = |x: &[f32; 4]| std::array::from_fn(|k| f64::from(x[k]));
        Aabb { min: widen(&self.min), max: widen(&self.max) }
    }

    /// Sum of the edge lengths, to tell which of two is larger.
    #[inline]
    pub fn girth(&self) -> f32 {
        (0..3).map(|k| self.max[k] - self.min[k]).sum()
    }
}

/// The boxes of a run of patches.
pub(super) struct FindBounds<'a> {
    pub patches: &'a Patches,
    pub positions: &'a [Point],
    pub map: &'a Map,
    /// The first patch of the run.
    pub first: usize,
    pub out: &'a mut [Bounds],
}

impl Work for FindBounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let nothing = [f32::INFINITY, f32::NEG_INFINITY].map(|x| [x; 4]);
        for (i, out) in self.out.iter_mut().enumerate() {
            prefetch(l, self.patches, self.positions, self.first + i + 1);
            let (mut min, mut max) = (l.load_point(&nothing[0]), l.load_point(&nothing[1]));
            for &v in self.patches.vertices(self.first + i) {
                let p = l.place(&self.positions[v as usize], self.map);
                min = l.min_point(min, p);
                max = l.max_point(max, p);
            }
            l.store_point(min, &mut out.min);
            l.store_point(max, &mut out.max);
        }
    }
}
