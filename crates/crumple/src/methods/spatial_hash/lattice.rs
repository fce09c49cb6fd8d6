//! Positions as integers: fine enough to tell boxes apart, and rounded so that no box ever loses a point.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Snapshot;
use crate::geometry::quantize;
use crate::parallel;
use crate::{BodyId, Positions, VertexId};

/// Units in the edge of a cell of the finest level: 2^13.
pub(super) const UNIT_BITS: u32 = 13;

/// Lattice points this many powers of two from the origin do not wrap.
pub(super) const NEAR_BITS: u32 = 30;

/// Where [`Lattice::snap_clamped`] draws what is further out: differences still fit an `i32`.
pub(super) const EDGE: i32 = (1 << NEAR_BITS) - 1;

/// A vertex on the lattice: x, y, z, and the number of its body.
pub(super) type Snapped = [i32; 4];

/// Rounds positions to integers, the same way for all.
///
/// `snap` never changes order: p ≤ q gives snap(p) ≤ snap(q), since subtracting a constant, multiplying by a positive one,
/// clamping and rounding each keep order. So a point in a box is in the snapped box, and no margin is needed anywhere.
/// Integers wrap at 2^32 units, a million cells of the finest level: a tet that is shorter than half of that, and does
/// not straddle the seam, keeps its order; the others are told apart by [`Lattice::is_long`] and by boxes that seem to span
/// everything, and are tested in full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lattice {
    origin: [f64; 3],
    /// Units per unit of length.
    scale: f64,
    /// Whether some vertex is so far out that integers wrapped.
    wrapped: bool,
}

impl Default for Lattice {
    fn default() -> Self {
        Self { origin: [0.0; 3], scale: 1.0, wrapped: false }
    }
}

/// Beyond this, in units, a vertex wraps.
const NEAR: f64 = (1u64 << NEAR_BITS) as f64;
/// The largest magnitude that is rounded.
const LAST: f64 = quantize::MAX_UNITS;

impl Lattice {
    /// Around `origin`, with `cell` (above 0) as the finest cell.
    pub fn new(origin: [f64; 3], cell: f64) -> Self {
        let scale = f64::from(1u32 << UNIT_BITS) / cell;
        // A cell of 1e-300 has no reciprocal to work with; then everything is far out, and tested.
        Self { origin, scale: scale.min(f64::MAX), wrapped: false }
    }

    /// Where it is centred.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Length of a unit.
    pub fn unit(&self) -> f64 {
        1.0 / self.scale
    }

    #[inline(always)]
    fn units(&self, p: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|k| {
            let u = (p[k] - self.origin[k]) * self.scale;
            let u = if u < LAST { u } else { LAST };
            if u > -LAST { u } else { -LAST }
        })
    }

    /// The lattice point of a position.
    #[inline(always)]
    pub fn snap(&self, p: [f64; 3]) -> [i32; 3] {
        self.units(p).map(quantize::nearest)
    }

    /// The lattice point of a position, drawn to the edge of what does not wrap.
    #[inline(always)]
    pub fn snap_clamped(&self, p: [f64; 3]) -> [i32; 3] {
        self.units(p).map(|u| u.clamp(-f64::from(EDGE), f64::from(EDGE)).round() as i32)
    }

    /// Whether a position is so far out that its integers wrap.
    pub fn is_far(&self, p: [f64; 3]) -> bool {
        self.units(p).iter().any(|u| u.abs() >= NEAR)
    }

    /// Snaps every vertex of every body into `out`.
    pub fn snap_all(&mut self, view: &Snapshot<'_>, out: &mut Vec<Snapped>) {
        out.resize(view.bodies.vertex_count(), [0; 4]);
        let far = AtomicBool::new(false);
        parallel::for_each_chunk(out, parallel::WORTH, |begin, chunk| {
            if self.snap_chunk(view, begin, chunk) >= NEAR {
                far.store(true, Ordering::Relaxed);
            }
        });
        self.wrapped = far.into_inner();
    }

    /// Snaps vertices from number `begin` on, and says how far from the origin they reach.
    fn snap_chunk(&self, view: &Snapshot<'_>, begin: usize, chunk: &mut [Snapped]) -> f64 {
        let mut reach = 0.0;
        let mut done = 0;
        while done < chunk.len() {
            let (body, first) = view.bodies.locate_vertex(VertexId((begin + done) as u32));
            let positions = &view.frame.of(body);
            let count = (positions.len() - first.index()).min(chunk.len() - done);
            let out = &mut chunk[done..done + count];
            let some = first.index()..first.index() + count;
            let far = match *positions {
                Positions::F64(p) => self.snap_body(body, out, p[some].iter().copied()),
                Positions::F32(p) => self.snap_body(body, out, p[some].iter().map(|x| x.map(f64::from))),
            };
            reach = if far > reach { far } else { reach };
            done += count;
        }
        reach
    }

    /// Snaps vertices of one body, and says how far from the origin they reach.
    #[inline(always)]
    fn snap_body(&self, body: BodyId, out: &mut [Snapped], positions: impl Iterator<Item = [f64; 3]>) -> f64 {
        let mut reach = [0.0; 3];
        for (to, p) in out.iter_mut().zip(positions) {
            let u = self.units(p);
            // `f64::max` would mind NaN, of which there is none.
            reach = std::array::from_fn(|k| if u[k].abs() > reach[k] { u[k].abs() } else { reach[k] });
            let [x, y, z] = u.map(quantize::nearest);
            *to = [x, y, z, body.0 as i32];
        }
        reach.into_iter().fold(0.0, f64::max)
    }

    /// Whether integers wrapped in this frame, so that [`Lattice::is_long`] must be asked.
    #[inline(always)]
    pub fn is_wrapped(&self) -> bool {
        self.wrapped
    }

    /// Whether points are so far apart that their lattice points say nothing about their order.
    pub fn is_long(&self, points: &[[f64; 3]]) -> bool {
        (0..3).any(|k| {
            let (low, high) = points
                .iter()
                .map(|p| (p[k] - self.origin[k]) * self.scale)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), u| (a.min(u), b.max(u)));
            // Both may be infinite, which is long too.
            high - low >= NEAR || (high - low).is_nan()
        })
    }
}
