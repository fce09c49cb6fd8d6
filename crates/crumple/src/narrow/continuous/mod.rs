//! Continuous collision detection: do two features touch while they move, and when first? Exact for every finite input.
//!
//! All points move on straight lines, together, t from 0 to 1. A vertex hits a triangle when at some t it lies in the
//! closed triangle; two edges hit when at some t they have a common point. Degenerate features are the segments and points
//! that they are. The verdict is exact, without a tolerance: no miss and no false alarm. The first time is an interval of
//! at most 2^-40 that surely holds it.
//!
//! ```
//! use crumple::narrow::continuous::vertex_triangle;
//! let start = [[1.0, 1.0, 2.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
//! let mut end = start;
//! end[0] = [1.0, 1.0, -1.0];
//! let hit = vertex_triangle(&start, &end, 1.0).unwrap();
//! assert!(hit.after <= 2.0 / 3.0 && 2.0 / 3.0 <= hit.by && hit.by - hit.after <= 1e-12);
//! ```
//!
//! # Why these two pairs suffice for meshes
//! *If no two triangles of a mesh intersect at t = 0, no vertex hits a triangle that it is not a corner of and no two edges
//! without a common vertex hit, then no two triangles intersect at any t in [0, 1].* Otherwise take the first time at which
//! two triangles meet outside the simplex that they share.
//!
//! * No shared vertex: of two triangles that touch for the first time a corner of one is on the other, or an edge
//!   of one meets an edge of the other.
//! * One shared vertex s: seen from s both are arcs of directions. When two arcs first meet, an end of one lies on the
//!   other, say the direction of the corner a lies in the sector of B: then a is on B, or the edge s a meets the edge
//!   of B opposite s, with which it has no vertex in common.
//! * A shared edge r s: they fold flat onto each other. Then one of the other corners is on the other triangle, or an edge
//!   of one at r meets an edge of the other at s. ∎
//!
//! # The way of a query
//! | stage | file | what settles it |
//! | --- | --- | --- |
//! | 1 | `filter` | along an axis all differences have one sign at t = 0 and at t = 1: never |
//! | 2 | `filter`, `batch` | the four Bernstein ordinates of the cubic f have one sign: never coplanar |
//! | 3 | `filter`, `bernstein` | signs of areas along an axis: weights of both signs, never; all of one sign and f crosses zero once, contact |
//! | 4 | `filter` | undecided pieces of time are halved, the left one first |
//! | 5 | `exact` | integers: what is left, and the time of a contact that stage 3 has found |
//!
//! `motion` says what f and the areas are, and why both pairs of features are one problem. `batch` does stages 1 and 2
//! for four queries at a time. [`separation`] asks when features come within a distance, conservatively.
//!
//! Planes that separate the features throughout, normal to their shortest connection half-way, are no stage. Of the 2,324
//! published hand-made queries 23 are left to integers without a contact, and such a plane settles 8 of them
//! (`CRUMPLE_DATA=DIR cargo test --release -p crumple --lib stages -- --ignored --nocapture`); the closest points cost more than
//! that saves.
//!
//! # The bounds
//! Let u = 2^-53. Every operation rounds to its exact result times 1 + δ, |δ| ≤ u, unless a product underflows.
//!
//! *Stage 1* needs no bound: a rounded difference has the sign of the exact one, and if all vectors have positive component k
//! at both ends of the step, they have it at all times, and so has every convex combination: none is 0.
//!
//! *The cubic.* Let mx, my, mz be the largest computed differences along the axes. Every term of a determinant has one
//! factor along each, so it is at most mx my mz (up to a factor 1 + 3u). The ordinates of 3f are:
//! 3 s0·(s1 × s2), six terms thrice, where each term has the factors 1 + δ of three differences, a product, a
//! subtraction, a product, two sums and the product with 3: 18 · 9u = 162u; and e0·(s1 × s2) + s0·(s1 × e2 + e1 × s2), six
//! terms with nine factors and twelve with ten: 174u; the other two are the same with s and e exchanged. So all are
//! off by at most 174u (1 + 20u) mx my mz; 177u covers that and the roundings of the bound itself.
//!
//! *Areas* along an axis, from differences along the two others, m and m': twice x y' − x' y is two terms with four factors
//! twice, 16u m m'; the mixed ordinate is four terms with five factors, 20u m m'. 21u covers both with the bound's roundings.
//!
//! *Underflow.* A product that underflows is off by 2^-1075 more. Differences are below 2^300 or the exact stage is asked, so
//! eighteen such errors times a difference, and six of the last products, and all those of the halvings, are below 2^-769;
//! the bounds add 2^-760. Nothing overflows: 18 · 2^900 is far below 2^1024.
//!
//! *Pieces.* Halving adds 3u of the largest ordinate of f to its errors, 2u of the largest of the areas to theirs, at each
//! depth (`bernstein`); 3.1u and 2.1u are taken. A first cut at `until` adds 9u and 6u; 10u and 7u are taken. Steps
//! between ordinates are off by two bounds and a rounding of at most 2u of the largest.
//!
//! *What the signs prove.* f of one sign on a piece: not coplanar, no contact. If the features touch at a time at which
//! n ≠ 0, the areas are non-negative multiples of n; if n = 0 there, the features lie on a line and all areas vanish. So if
//! along an axis one area is positive and another negative throughout a piece, there is no contact in it. If all are
//! positive (or all negative) throughout, n ≠ 0 and the weights are positive whenever f = 0; if moreover f has opposite signs
//! at the ends and its ordinates rise (or fall), which makes it monotone, then it has one root, and that is a contact.
//!
//! # Cost
//! On the 2.5 million pairs of the published frame pair rod-twist whose swept boxes overlap: 45 ns an edge-edge query and 35 ns
//! a vertex-triangle query one by one, 22 ns each in batches (`cargo bench -p crumple-bench --bench continuous -- DATA`, AMD EPYC, one
//! thread of a busy machine). A contact costs some 300 ns more for its time. On the published hand-made queries, where ties
//! abound, 299 and 170 ns on average, and at most 545 in any of the ten sets; the exact stage takes two to ten microseconds, on
//! the stack unless exponents span more than 400 bits or roots are closer together than 2^-60.
//!
//! # Where we differ from the literature
//! Conservative methods (interval subdivision, additive advancement) answer yes for near misses and stop early; cubic solvers in
//! floating point miss; root parity counts crossings but finds neither even numbers of them nor the time. Bernstein
//! ordinates as a filter are Tang et al. 2010 and 2014; here they have bounds. Inside-tests at a root use quadratics
//! along an axis, not the quartics of the usual barycentric coordinates. Coplanar motion is a case like any other.

mod batch;
mod bernstein;
mod exact;
mod filter;
mod motion;
pub mod separation;
#[cfg(test)]
mod tests;

pub use batch::{Batch, Kind};

use self::filter::Outcome;
use self::motion::Motion;
use crate::geometry::Point;

/// When two features first touch: in the closed interval from `after` to `by`, which is at most 2^-40 wide.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ImpactTime {
    /// Nothing touches before this.
    pub after: f64,
    /// They touch at this time or before.
    pub by: f64,
}

impl ImpactTime {
    /// From cell to cell of 2^-42; numbers of 43 bits are exact in `f64`.
    fn cells(after: u64, by: u64) -> Self {
        const CELL: f64 = 1.0 / (1u64 << 42) as f64;
        ImpactTime { after: after as f64 * CELL, by: by as f64 * CELL }
    }
}

/// When a vertex, the first point, first touches a triangle, the other three.
///
/// Contacts after `until` need not be told: then `None` says that there is none up to that time. With 1 or more it
/// says that there is none.
#[inline]
#[must_use]
pub fn vertex_triangle(start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<ImpactTime> {
    first_contact::<3>(start, end, until)
}

/// When two edges first touch: the first two points are the ends of one, the others of the other.
///
/// Contacts after `until` need not be told: then `None` says that there is none up to that time.
#[inline]
#[must_use]
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<ImpactTime> {
    first_contact::<4>(start, end, until)
}

/// When a point, the first, first touches a segment. Always by integers, so some microseconds.
#[must_use]
#[cfg(feature = "internals")]
pub fn point_edge(start: &[Point; 3], end: &[Point; 3]) -> Option<ImpactTime> {
    exact::point_edge(start, end)
}

/// When two points first coincide. Always by integers.
#[must_use]
#[cfg(feature = "internals")]
pub fn point_point(start: &[Point; 2], end: &[Point; 2]) -> Option<ImpactTime> {
    exact::point_point(start, end)
}

#[inline]
fn first_contact<const K: usize>(start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<ImpactTime> {
    settle::<K>(start, end, until, filter::decide(&Motion::<K>::of(start, end), until))
}

/// What the filter's outcome means; asks the exact stage where it must.
#[inline]
fn settle<const K: usize>(
    start: &[Point; 4],
    end: &[Point; 4],
    until: f64,
    outcome: Outcome,
) -> Option<ImpactTime> {
    match outcome {
        Outcome::Never => None,
        Outcome::Contact { from, to, left } => Some(exact::root_between::<K>(start, end, [from, to], left)),
        Outcome::Unknown => exact::first_contact::<K>(start, end).filter(|t| t.after <= until),
    }
}
