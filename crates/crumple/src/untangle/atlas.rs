//! The curves of one moment and what can be asked about them.

use std::collections::BTreeMap;

use super::adjacency::{Adjacency, Part};
use super::curves::{Curve, curves};
use super::gradient::gradient;
use super::regions::Region;
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, sub};
use crate::{Bodies, TrianglePair};

/// Bodies at some positions.
pub(crate) struct Atlas<'a> {
    adjacency: Adjacency<'a>,
    positions: &'a [Point],
}

impl<'a> Atlas<'a> {
    pub fn new(bodies: &'a Bodies, positions: &'a [Point]) -> Self {
        Self { adjacency: Adjacency::new(bodies), positions }
    }

    pub fn curves(&self, pairs: &[TrianglePair]) -> Vec<Curve> {
        curves(&self.adjacency, self.positions, pairs.iter().copied())
    }

    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.adjacency.ends(edge)
    }

    /// The vertices of the smaller part that a curve cuts off on each side.
    pub fn cut_off(&self, curve: &Curve) -> [Option<Vec<u32>>; 2] {
        [0, 1].map(|side| Region::cut_off(&self.adjacency, curve, side).map(|r| r.vertices().to_vec()))
    }

    /// The gradient of a curve's length, by vertex.
    pub fn gradient(&self, curve: &Curve) -> BTreeMap<u32, Point> {
        gradient(&self.adjacency, self.positions, curve)
    }

    /// The weights of a part's corners at a point of it.
    pub fn weights(&self, part: Part, x: &Point) -> Point {
        let at = |v: u32| self.positions[v as usize];
        match part {
            Part::Vertex(_) => [1.0, 0.0, 0.0],
            Part::Edge(edge) => {
                let [a, b] = self.adjacency.ends(edge).map(at);
                let along = sub(&b, &a);
                let s = (dot(&sub(x, &a), &along) / dot(&along, &along)).clamp(0.0, 1.0);
                [1.0 - s, s, 0.0]
            }
            Part::Triangle(triangle) => {
                let [a, b, c] = self.adjacency.corners(triangle).map(at);
                let area = cross(&sub(&b, &a), &sub(&c, &a));
                let size_sq = dot(&area, &area);
                let share = |p: &Point, q: &Point| dot(&cross(&sub(p, x), &sub(q, x)), &area) / size_sq;
                let weights = [share(&b, &c), share(&c, &a), share(&a, &b)].map(|w| w.clamp(0.0, 1.0));
                let sum: f64 = weights.iter().sum();
                if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0 / 3.0; 3] }
            }
        }
    }
}
