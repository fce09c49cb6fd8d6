//! Which triangles share a cell with another body.
//!
//! The region that boxes of two bodies have in common is divided into 62 cells along its longest side. Body after body adds the
//! cells that the boxes of its triangles reach into; a cell of two bodies counts, and a triangle that reaches into none that counts is
//! culled. What is left goes through the same again with each cell that counts divided into 8 x 8 x 8 parts. The largest
//! body comes last and is looked at only once each time: its triangles stay when they reach into a cell of another.
//!
//! # Why nothing is missed
//! The part that a coordinate is in is a monotone function of it: a difference, a product with a positive number, a sum, a clamp and
//! a cut, each monotone as rounded, and all of them extended to real numbers by the next smaller `f64`. A point of a triangle lies
//! between its corners along each axis, so its part lies between theirs: in the box of parts of the triangle. A point common
//! to two triangles is in one part of one cell, to which both reach; so the cell counts, and then the part. It also is in
//! the boxes of both bodies, hence in the region, which is in parts `FIRST` to `LAST`, so cutting off the rest loses nothing.
//! # Cost
//! O(n) for n triangles of a size below a cell's, which are looked at in one to four words of 32 kB. Where triangles are so large that there is
//! more to look at than [`PATIENCE`] rows of cells for each, nothing is culled.

use super::cells::{CellSet, Coarse, Divided, Fine, PartBox, Slabs, find_parts};
use crate::geometry::simd::{self, Kernel, Simd};
use crate::geometry::{Aabb, Point};
use crate::parallel;

/// Rows of cells that a triangle may reach into, on average: as many as a tree takes time for.
const PATIENCE: u64 = 64;

/// Triangles that a thread takes at a time.
const CHUNK: usize = 8192;

/// Triangles of one body, and where their corners are.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleSoup<'a> {
    pub triangles: &'a [[u32; 3]],
    pub positions: &'a [Point],
}

/// Bodies as they are culled, in the order in which they are looked at: the largest comes last.
pub(super) struct Culling {
    slabs: Slabs,
}

/// A body while it is culled.
struct CulledBody<'a> {
    triangles: &'a [[u32; 3]],
    /// Of each vertex.
    parts: Vec<[u16; 4]>,
    /// What is left; `None` before the first pass.
    left: Option<Vec<u32>>,
}

/// What one thread lets through.
struct Share<C> {
    left: Vec<u32>,
    /// The cells of that, where they are asked for.
    reached: Option<C>,
    rows: u64,
}

impl Culling {
    /// Within the region that bodies have in common.
    pub fn of(region: &Aabb) -> Self {
        Self { slabs: Slabs::over(region) }
    }

    /// The triangles of each body that may touch another one, in ascending order; `None` when they are too large to tell.
    pub fn cull(&self, bodies: &[TriangleSoup<'_>]) -> Option<Vec<Vec<u32>>> {
        let mut culled: Vec<CulledBody<'_>> = bodies.iter().map(|soup| self.begin(soup)).collect();
        let mut order: Vec<usize> = (0..bodies.len()).filter(|&b| !bodies[b].triangles.is_empty()).collect();
        order.sort_by_key(|&b| bodies[b].triangles.len());
        let shared = cull_by(&mut culled, &order, &Coarse::new())?;
        let divided = Divided::new(shared);
        let left: usize = culled.iter().map(|s| s.left.as_ref().map_or(0, Vec::len)).sum();
        // A set of parts for each body, which would take longer than what it is for.
        if order.len() * divided.len() <= 4 * left.max(CHUNK) {
            cull_by(&mut culled, &order, &Fine::new(&divided))?;
        }
        Some(culled.into_iter().map(|s| s.left.unwrap_or_default()).collect())
    }

    fn begin<'s>(&self, soup: &TriangleSoup<'s>) -> CulledBody<'s> {
        let count = if soup.triangles.is_empty() { 0 } else { soup.positions.len() };
        let mut parts = vec![[0; 4]; count];
        parallel::for_each_chunk(&mut parts, CHUNK, |first, out| {
            find_parts(&self.slabs, &soup.positions[first..first + out.len()], out);
        });
        CulledBody { triangles: soup.triangles, parts, left: None }
    }
}

/// One pass over all bodies; returns the cells that count.
fn cull_by<C: CellSet>(bodies: &mut [CulledBody<'_>], order: &[usize], nothing: &C) -> Option<C> {
    let (mut any, mut shared) = (nothing.clone(), nothing.clone());
    let Some((&last, others)) = order.split_last() else { return Some(shared) };
    for &b in order {
        let against = (b == last).then_some(&any);
        let reached = bodies[b].pass(against, Some(nothing))?;
        // First all, then any: the shares of one body are no bodies of their own.
        for own in &reached {
            for ((shared, any), own) in shared.words_mut().iter_mut().zip(any.words()).zip(own.words()) {
                *shared |= any & own;
            }
        }
        for own in &reached {
            any.words_mut().iter_mut().zip(own.words()).for_each(|(any, own)| *any |= own);
        }
    }
    for &b in others {
        bodies[b].pass(Some(&shared), None)?;
    }
    Some(shared)
}

impl CulledBody<'_> {
    /// Leaves what meets a set; returns where that is, share by share, when `nothing` to begin with is handed in. `None` when
    /// there is too much to look at.
    fn pass<C: CellSet>(&mut self, against: Option<&C>, nothing: Option<&C>) -> Option<Vec<C>> {
        let before = self.left.take();
        let count = before.as_ref().map_or(self.triangles.len(), Vec::len);
        let shares = if parallel::is_worth(count, CHUNK) { 2 * parallel::threads() } else { 1 };
        let share = || Share { left: Vec::new(), reached: nothing.cloned(), rows: 0 };
        let mut outputs: Vec<Share<C>> = (0..shares).map(|_| share()).collect();
        parallel::for_each_share(count, &mut outputs, |range, share| {
            let (triangles, parts) = (self.triangles, &self.parts[..]);
            match &before {
                Some(ids) => {
                    simd::dispatch(Look { ids: ids[range].iter().copied(), triangles, parts, against, share })
                }
                None => {
                    let ids = range.start as u32..range.end as u32;
                    simd::dispatch(Look { ids, triangles, parts, against, share });
                }
            }
        });
        let mut left = Vec::with_capacity(outputs.iter().map(|s| s.left.len()).sum());
        outputs.iter().for_each(|s| left.extend_from_slice(&s.left));
        self.left = Some(left);
        let rows: u64 = outputs.iter().map(|s| s.rows).sum();
        (rows <= PATIENCE * count.max(CHUNK) as u64)
            .then(|| outputs.into_iter().filter_map(|s| s.reached).collect())
    }
}

/// Triangles to be culled.
struct Look<'a, I, C> {
    ids: I,
    triangles: &'a [[u32; 3]],
    parts: &'a [[u16; 4]],
    against: Option<&'a C>,
    share: &'a mut Share<C>,
}

impl<I: Iterator<Item = u32>, C: CellSet> Kernel for Look<'_, I, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Share { left, reached, rows } = self.share;
        let most = PATIENCE * self.triangles.len().max(CHUNK) as u64;
        for t in self.ids {
            let of = PartBox::of(self.parts, self.triangles[t as usize]);
            if of.is_empty() {
                continue;
            }
            *rows += of.rows();
            if *rows > most {
                return;
            }
            if self.against.is_none_or(|set| set.meets(&of)) {
                left.push(t);
                if let Some(reached) = reached {
                    reached.add(&of);
                }
            }
        }
    }
}
