//! What is crumpled into itself is made fair.
//!
//! Where a surface is folded at the size of its own triangles, its given shape is itself what crosses: neither side of a curve
//! has a place to go back to, and the least change of shape keeps the crumple. There the vertices go to the mean of their
//! neighbours, again and again, from the rim of the crumple inwards. That is another shape, and the last that is tried; what is
//! away from the crumple keeps its own.

use std::collections::HashSet;

use super::adjacency::Adjacency;
use super::curves::Curve;
use crate::VertexId;
use crate::geometry::Point;

/// The vertices around curves of a surface with itself whose two traces are near each other along it, and so many rings round
/// them; sorted.
pub(crate) fn crumpled(adjacency: &Adjacency<'_>, curves: &[Curve], rings: usize) -> Vec<u32> {
    let mut region = HashSet::new();
    for curve in curves.iter().filter(|c| !c.is_one_trace) {
        for &pair in &curve.triangles {
            let [a, b] = pair.map(|t| adjacency.corners(t));
            // Traces that meet in a vertex are a fold, however deep.
            if curve.is_looped() || is_near(adjacency, a, b, rings) {
                region.extend(a.into_iter().chain(b));
            }
        }
    }
    let mut border: Vec<u32> = region.iter().copied().collect();
    for _ in 0..rings {
        let next = border.iter().flat_map(|&v| adjacency.neighbours(v));
        border = next.filter(|w| region.insert(*w)).collect();
    }
    let mut out: Vec<u32> = region.into_iter().collect();
    out.sort_unstable();
    // A body that is nothing but a crumple has no rim to be fair to.
    let body = |v: u32| adjacency.bodies().locate_vertex(VertexId(v)).0;
    let parts = out.chunk_by(|&v, &w| body(v) == body(w));
    let has_rim = |part: &&[u32]| 2 * part.len() <= adjacency.bodies().vertex_range(body(part[0])).len();
    parts.filter(has_rim).flatten().copied().collect()
}

/// Whether so many rings around a triangle reach the same number of rings around another.
fn is_near(adjacency: &Adjacency<'_>, a: [u32; 3], b: [u32; 3], rings: usize) -> bool {
    let mut seen = HashSet::from(a);
    let mut border = a.to_vec();
    for _ in 0..2 * rings {
        if b.iter().any(|v| seen.contains(v)) {
            return true;
        }
        let next = border.iter().flat_map(|&v| adjacency.neighbours(v));
        border = next.filter(|w| seen.insert(*w)).collect();
    }
    b.iter().any(|v| seen.contains(v))
}

/// Moves these vertices to the mean of their neighbours, one after the other, so many times.
pub(crate) fn make_fair(adjacency: &Adjacency<'_>, vertices: &[u32], times: usize, positions: &mut [Point]) {
    for _ in 0..times {
        for &v in vertices {
            let (mut sum, mut n) = ([0.0; 3], 0.0);
            for w in adjacency.neighbours(v) {
                (0..3).for_each(|k| sum[k] += positions[w as usize][k]);
                n += 1.0;
            }
            if n > 0.0 {
                positions[v as usize] = sum.map(|x| x / n);
            }
        }
    }
}
