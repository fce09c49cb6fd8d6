//! What is close but does not cross stays on its side.

use super::adjacency::Adjacency;
use super::push::Pushes;
use super::solve::{Row, Solver};
use crate::Proximity;

/// How far apart a close pair shall be at least: it may halve its distance, down to the gap; what all but touches is parted a
/// little. More would drive layers apart that were given close together.
fn least(distance: f64, gap: f64) -> f64 {
    (0.5 * distance).clamp(0.2 * gap, gap)
}

/// A row for each close pair that could be driven together. Pairs of what is on the wrong side anyway are left to their curves,
/// and neighbours to the shape.
pub(crate) fn close_rows(
    adjacency: &Adjacency<'_>,
    close: &Proximity,
    gap: f64,
    stiffness: f64,
    solver: &Solver,
    pushes: &Pushes,
) -> Vec<Row> {
    let mut out = Vec::new();
    let counts = |vertices: &[u32]| {
        vertices.iter().any(|&v| solver.may_move(v))
            && !vertices.iter().any(|&v| pushes.is_through[v as usize])
    };
    let are_neighbours = |v: u32, others: &[u32]| adjacency.neighbours(v).any(|w| others.contains(&w));
    for pair in &close.vertex_triangles {
        let (v, w) = (pair.vertex.0, pair.weights);
        let [a, b, c] = adjacency.corners(pair.triangle.0);
        if counts(&[v, a, b, c]) && !are_neighbours(v, &[a, b, c]) {
            let terms = [(v, 1.0), (a, -w[0]), (b, -w[1]), (c, -w[2]), (v, 0.0)];
            let amount = least(pair.distance, gap) - pair.distance;
            out.push(Row { terms, direction: pair.normal, amount, stiffness });
        }
    }
    for pair in &close.edge_edges {
        let [[p, q], [r, s]] = [pair.a, pair.b].map(|e| e.map(|v| v.0));
        let [u, w] = pair.weights;
        let is_ring = [p, q].iter().any(|&v| are_neighbours(v, &[r, s]));
        if counts(&[p, q, r, s]) && !is_ring {
            let terms = [(p, 1.0 - u), (q, u), (r, w - 1.0), (s, -w), (p, 0.0)];
            let amount = least(pair.distance, gap) - pair.distance;
            out.push(Row { terms, direction: pair.normal, amount, stiffness });
        }
    }
    out
}
