//! Sides of triangles and what lies across them: where a region can continue and where it must end.

use std::borrow::Cow;

use super::copies::Copies;
use crate::{Mesh, Orientation, TriangleId};

/// Nothing lies across.
pub(crate) const NONE: u32 = u32::MAX;

/// Half-edge `3 t + k` runs from corner `k` of triangle `t` to corner `k + 1`, the triangle on its left.
///
/// Two half-edges are twins when they run along an edge of exactly two triangles in opposite directions. At every other
/// edge (border, three triangles or more, sides that disagree, a corner named twice) regions end. Copies of triangles do
/// not count, and have no twins.
pub(crate) struct HalfEdges<'a> {
    /// Corners of each triangle, turned round where that makes its component consistent.
    pub corners: Cow<'a, [[u32; 3]]>,
    /// The twin of each half-edge, or [`NONE`].
    pub twins: Vec<u32>,
}

impl HalfEdges<'_> {
    /// The half-edges of a body, triangles in their own order.
    pub fn new(body: &Mesh, copies: &Copies) -> Self {
        let topology = body.topology();
        let reversed: Vec<bool> =
            (0..body.triangles().len() as u32).map(|t| is_reversed(body, TriangleId(t))).collect();
        let corners: Vec<[u32; 3]> =
            body.triangles().iter().zip(&reversed).map(|(c, &turn)| oriented(c.map(|v| v.0), turn)).collect();
        let edges = |t: u32| {
            let e = topology.edges_of(TriangleId(t));
            // Turning swaps the last two corners, hence the first and last edges.
            if reversed[t as usize] { [e[2], e[1], e[0]] } else { e }
        };
        let mut twins = vec![NONE; 3 * corners.len()];
        for t in (0..corners.len() as u32).filter(|&t| !copies.is_copy(t)) {
            for (k, edge) in edges(t).into_iter().enumerate() {
                let Some(edge) = edge else { continue };
                let Some([first, second]) = only_two(topology.triangles_of_edge(edge), copies) else {
                    continue;
                };
                let other = if first == t { second } else { first };
                let j =
                    edges(other).iter().position(|&e| e == Some(edge)).expect("the edge is its triangle's");
                if other != t && corners[other as usize][j] == corners[t as usize][(k + 1) % 3] {
                    twins[3 * t as usize + k] = 3 * other + j as u32;
                }
            }
        }
        Self { corners: corners.into(), twins }
    }

    /// The same with triangle `order[i]` at place `i`.
    pub fn reordered(&self, order: &[u32]) -> HalfEdges<'static> {
        let mut place = vec![0u32; self.corners.len()];
        for (i, &t) in order.iter().enumerate() {
            place[t as usize] = i as u32;
        }
        let moved = |twin: u32| if twin == NONE { NONE } else { 3 * place[twin as usize / 3] + twin % 3 };
        let twins = order.iter().flat_map(|&t| 3 * t as usize..3 * t as usize + 3);
        HalfEdges {
            corners: order.iter().map(|&t| self.corners[t as usize]).collect(),
            twins: twins.map(|h| moved(self.twins[h])).collect(),
        }
    }

    /// The vertex from which a half-edge starts.
    #[inline]
    pub fn start(&self, half_edge: u32) -> u32 {
        self.corners[half_edge as usize / 3][half_edge as usize % 3]
    }
}

/// The next half-edge round the same triangle.
#[inline]
pub(crate) fn next(half_edge: u32) -> u32 {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

/// Whether a triangle is turned round to agree with its component. Non-orientable components are left as they are.
pub(crate) fn is_reversed(body: &Mesh, triangle: TriangleId) -> bool {
    let topology = body.topology();
    let component = topology.component_of(triangle);
    topology.component_orientation(component) == Orientation::Inconsistent && topology.is_flipped(triangle)
}

/// The corners of a triangle, turned round or not.
#[inline]
pub(crate) fn oriented([a, b, c]: [u32; 3], reversed: bool) -> [u32; 3] {
    if reversed { [a, c, b] } else { [a, b, c] }
}

/// The triangles of an edge but for copies, if they are two.
fn only_two(triangles: &[TriangleId], copies: &Copies) -> Option<[u32; 2]> {
    if let [first, second] = triangles {
        let is_copy = copies.is_copy(first.0) || copies.is_copy(second.0);
        return (!is_copy).then_some([first.0, second.0]);
    }
    if copies.is_empty() {
        return None;
    }
    let mut own = triangles.iter().map(|t| t.0).filter(|&t| !copies.is_copy(t));
    let two = [own.next()?, own.next()?];
    own.next().is_none().then_some(two)
}
