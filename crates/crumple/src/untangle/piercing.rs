//! A node of a curve in general position: an edge of one side that pierces a triangle of the other, with measures.

use super::adjacency::{Adjacency, Part};
use super::curves::Node;
use super::solve::Row;
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, sub};

/// An edge that pierces a triangle.
pub(crate) struct Piercing {
    /// The side of the edge, 0 or 1.
    pub side: usize,
    pub edge: u32,
    pub ends: [u32; 2],
    pub triangle: u32,
    pub corners: [u32; 3],
    /// Where on the edge, 0 at its first end.
    pub s: f64,
    /// Where in the triangle.
    pub weights: Point,
    /// The triangle's, of length 1.
    pub normal: Point,
    /// Of the edge's ends over the triangle.
    pub heights: [f64; 2],
}

impl Piercing {
    /// `None` where other parts meet, or where rounding leaves the triangle no normal.
    pub fn of(adjacency: &Adjacency<'_>, positions: &[Point], node: &Node) -> Option<Piercing> {
        let (side, edge, triangle) = match node.parts {
            [Part::Edge(e), Part::Triangle(t)] => (0, e, t),
            [Part::Triangle(t), Part::Edge(e)] => (1, e, t),
            _ => return None,
        };
        let (ends, corners) = (adjacency.ends(edge), adjacency.corners(triangle));
        let [a, b, c] = corners.map(|v| positions[v as usize]);
        let area = cross(&sub(&b, &a), &sub(&c, &a));
        let size_sq = dot(&area, &area);
        let normal = area.map(|x| x / size_sq.sqrt());
        let heights = ends.map(|v| dot(&normal, &sub(&positions[v as usize], &a)));
        let s = (heights[0] / (heights[0] - heights[1])).clamp(0.0, 1.0);
        if !normal.iter().all(|x| x.is_finite()) || s.is_nan() {
            return None;
        }
        let x = &node.point;
        let share = |p: &Point, q: &Point| dot(&cross(&sub(p, x), &sub(q, x)), &area) / size_sq;
        let weights = [share(&b, &c), share(&c, &a), share(&a, &b)].map(|w| w.clamp(0.0, 1.0));
        let sum: f64 = weights.iter().sum();
        let weights = if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] };
        Some(Piercing { side, edge, ends, triangle, corners, s, weights, normal, heights })
    }

    /// A request about the edge, with these weights of its ends, against the triangle.
    pub fn row(&self, ends: [f64; 2], direction: Point, amount: f64, stiffness: f64) -> Row {
        let [p, q] = self.ends;
        let ([a, b, c], w) = (self.corners, self.weights);
        let terms = [(p, ends[0]), (q, ends[1]), (a, -w[0]), (b, -w[1]), (c, -w[2])];
        Row { terms, direction, amount, stiffness }
    }
}
