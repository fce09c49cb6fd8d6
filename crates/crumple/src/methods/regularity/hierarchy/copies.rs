//! Triangles with the same three vertices as an earlier one.
//!
//! Such copies share everything with their first, so the two never collide, and each collides with what the first
//! collides with. They are left out of the hierarchy and put back into the answer: 20,000 equal faces are one.

use crate::csr::Csr;
use crate::{Mesh, TriangleId, TrianglePair};

/// The copies of one body, by numbers within it.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Whether each triangle is a copy; empty when none is.
    is_copy: Vec<bool>,
    /// The copies of each triangle; no rows when there are none.
    of: Csr,
}

impl Copies {
    /// Finds them.
    pub fn new(body: &Mesh) -> Self {
        let all = || body.topology().duplicates().map(|(copy, first)| (first.0, copy.0));
        if all().len() == 0 {
            return Self::default();
        }
        let pairs: Vec<(u32, u32)> = all().collect();
        let mut is_copy = vec![false; body.triangles().len()];
        pairs.iter().for_each(|&(_, copy)| is_copy[copy as usize] = true);
        Self { of: Csr::from_pairs(is_copy.len(), pairs.iter().copied()), is_copy }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.is_copy.is_empty()
    }

    /// Whether a triangle is the copy of another.
    #[inline]
    pub fn is_copy(&self, triangle: u32) -> bool {
        self.is_copy.get(triangle as usize).is_some_and(|&is| is)
    }

    /// The copies of a triangle that is none.
    pub fn of(&self, triangle: u32) -> &[u32] {
        if self.is_empty() { &[] } else { self.of.row(triangle as usize) }
    }
}

/// Appends the pairs of all copies of two triangles but for the pair of the two itself, which is given. Each side is a body's
/// copies, the triangle within the body, and its first triangle across bodies. At most so many are appended.
pub(crate) fn pairs_of_copies(sides: [(&Copies, u32, u32); 2], most: usize, out: &mut Vec<TrianglePair>) {
    let [a, b] = sides.map(|(copies, triangle, first)| {
        let all = std::iter::once(triangle).chain(copies.of(triangle).iter().copied());
        all.map(move |t| TriangleId(first + t))
    });
    out.extend(a.flat_map(|s| b.clone().map(move |t| TrianglePair::new(s, t))).skip(1).take(most));
}
