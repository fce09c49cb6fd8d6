//! How the length of a curve changes as vertices move (intersection contour minimisation, Volino and Magnenat-Thalmann 2006).
//!
//! The node x where the edge E meets the plane with normal N moves by δx = d − E (N·(d − c))/(N·E), when the edge moves there by
//! d and the triangle by c. The length changes by −pull·δx, where pull is the sum of the unit vectors to the nodes before and
//! after. Both together give the gradient, without an approximation.

use std::collections::BTreeMap;

use super::adjacency::{Adjacency, Part};
use super::curves::Curve;
use super::piercing::Piercing;
use crate::geometry::Point;
use crate::geometry::vector::{dot, sub};

/// The sum of the unit vectors from a node to those before and after it.
pub(crate) fn pull(curve: &Curve, i: usize) -> Point {
    let mut pull = [0.0; 3];
    for other in curve.around(i) {
        let way = sub(&other.point, &curve.nodes[i].point);
        let size = dot(&way, &way).sqrt();
        if size > 0.0 {
            (0..3).for_each(|k| pull[k] += way[k] / size);
        }
    }
    pull
}

impl Piercing {
    /// How the pull at the node acts on the edge, and, negated, on the triangle's motion along its normal.
    pub(crate) fn split(&self, positions: &[Point], pull: &Point) -> [Point; 2] {
        let [a, b] = self.ends.map(|v| positions[v as usize]);
        let edge = sub(&b, &a);
        let slope = dot(&edge, pull) / dot(&edge, &self.normal);
        let along = self.normal.map(|n| slope * n);
        [sub(pull, &along), along]
    }
}

/// The gradient of the length with respect to every vertex that it depends on, by vertex. Only nodes in general position and
/// vertices that both triangles share count.
pub(crate) fn gradient(
    adjacency: &Adjacency<'_>,
    positions: &[Point],
    curve: &Curve,
) -> BTreeMap<u32, Point> {
    let mut out: BTreeMap<u32, Point> = BTreeMap::new();
    let mut add = |v: u32, weight: f64, way: &Point| {
        let sum = out.entry(v).or_insert([0.0; 3]);
        (0..3).for_each(|k| sum[k] -= weight * way[k]);
    };
    for (i, node) in curve.nodes.iter().enumerate() {
        let pull = pull(curve, i);
        if let [Part::Vertex(v), Part::Vertex(w)] = node.parts
            && v == w
        {
            add(v, 1.0, &pull);
        }
        let Some(p) = Piercing::of(adjacency, positions, node) else { continue };
        let [of_edge, of_triangle] = p.split(positions, &pull);
        if of_edge.iter().chain(&of_triangle).all(|x| x.is_finite()) {
            add(p.ends[0], 1.0 - p.s, &of_edge);
            add(p.ends[1], p.s, &of_edge);
            (0..3).for_each(|k| add(p.corners[k], p.weights[k], &of_triangle));
        }
    }
    out
}
