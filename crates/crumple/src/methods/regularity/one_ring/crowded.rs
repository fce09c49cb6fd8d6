//! A vertex of very many triangles: the pairs round it that may meet, without looking at all of them.
//!
//! Two triangles that share only the vertex meet beyond it where their directions, seen from it, overlap: each spans an
//! arc, and boxes of arcs on the unit sphere are compared by a tree. Two that share an edge meet beyond it only when one
//! is folded onto the other: round the edge they have the same angle. Pairs that share an edge are not looked at by
//! arcs, though these touch in the direction of the edge: an edge of many triangles is one item of the tree.
//!
//! # When two are certainly apart
//! With u = 2^-53, a unit vector computed from a difference of positions is off by less than 8u in each component. The
//! points of an arc are within 1 − cos(θ/2) of the chord, θ the angle of the arc; boxes of chords are grown by this and
//! 32u. The part of a corner across an edge, in a computed basis of the plane across it, is off by less than 24u of the
//! corner's distance q from the vertex: q is off by u, the axes are off by 8u and not across the edge by 8u, the dot
//! products round by 3u. So an angle is off by less than 32uq/r, r the distance from the edge; 64uq/r + 8u is taken.

use std::f64::consts::PI;
use std::ops::Range;

use super::pairs::RingTriangle;
use crate::broad_phase::BroadPhase;
use crate::geometry::vector::{cross, dot, sub};
use crate::geometry::{Aabb, Point};

/// Triangles round a vertex, or an edge, beyond which not all pairs are looked at.
pub(crate) const MANY: usize = 48;

const UNIT: f64 = f64::EPSILON / 2.0;

/// Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Crowded {
    /// For each triangle and each of its other vertices: that vertex, and the triangle.
    sides: Vec<[u32; 2]>,
    /// Directions of each triangle.
    arcs: Vec<Aabb>,
    /// What the tree holds: runs of `members`.
    items: Vec<Range<usize>>,
    members: Vec<u32>,
    is_member: Vec<bool>,
    boxes: Vec<Aabb>,
    tree: BroadPhase,
    near: Vec<[crate::BodyId; 2]>,
    angles: Vec<Angle>,
    pairs: Vec<[u32; 2]>,
}

/// A triangle round an edge: the interval that its angle is in, and its number.
#[derive(Debug, Clone, Copy)]
struct Angle {
    low: f64,
    high: f64,
    triangle: u32,
}

impl Crowded {
    /// All pairs of `triangles`, by their numbers in that list, that may meet beyond what they share, and of whose shared
    /// vertices `vertex` is the lowest. Each once, in no particular order.
    pub fn pairs(&mut self, vertex: u32, triangles: &[RingTriangle], positions: &[Point]) -> &[[u32; 2]] {
        self.pairs.clear();
        self.sides.clear();
        for (t, RingTriangle { corners, .. }) in (0u32..).zip(triangles) {
            for (k, &v) in corners.iter().enumerate() {
                if v != vertex && !corners[..k].contains(&v) {
                    self.sides.push([v, t]);
                }
            }
        }
        self.sides.sort_unstable();
        self.across_edges(vertex, triangles, positions);
        self.find_arcs(triangles);
        self.gather_items(triangles.len());
        self.across_the_vertex(vertex, triangles);
        &self.pairs
    }

    /// Pairs that share an edge at the vertex, and no third vertex: no two triangles have the same three.
    fn across_edges(&mut self, vertex: u32, triangles: &[RingTriangle], positions: &[Point]) {
        for edge in self.sides.chunk_by(|a, b| a[0] == b[0]).filter(|edge| edge[0][0] > vertex) {
            if edge.len() <= MANY {
                for (i, s) in edge.iter().enumerate() {
                    self.pairs.extend(edge[i + 1..].iter().map(|t| [s[1], t[1]]));
                }
                continue;
            }
            let round = RingRound::new(positions, [vertex, edge[0][0]]);
            self.angles.clear();
            for &[_, triangle] in edge {
                round.add(&triangles[triangle as usize].corners, triangle, &mut self.angles);
            }
            overlapping(&mut self.angles, &mut self.pairs);
        }
    }

    /// The box of the directions of each triangle, seen from the vertex.
    fn find_arcs(&mut self, triangles: &[RingTriangle]) {
        self.arcs.clear();
        self.arcs.extend(triangles.iter().map(|t| arc_box(&t.a, &t.b)));
    }

    /// What the tree holds: the triangles of an edge of many together, the others alone.
    fn gather_items(&mut self, triangles: usize) {
        self.items.clear();
        self.members.clear();
        self.is_member.clear();
        self.is_member.resize(triangles, false);
        for edge in self.sides.chunk_by(|a, b| a[0] == b[0]).filter(|edge| edge.len() > MANY) {
            let first = self.members.len();
            for &[_, t] in edge {
                if !std::mem::replace(&mut self.is_member[t as usize], true) {
                    self.members.push(t);
                }
            }
            self.items.push(first..self.members.len());
        }
        for t in 0..triangles {
            if !self.is_member[t] {
                self.items.push(self.members.len()..self.members.len() + 1);
                self.members.push(t as u32);
            }
        }
    }

    /// Pairs that share the vertex alone.
    fn across_the_vertex(&mut self, vertex: u32, triangles: &[RingTriangle]) {
        let all = |item: &Range<usize>| {
            let boxes = self.members[item.clone()].iter().map(|&t| self.arcs[t as usize]);
            boxes.fold(Aabb::EMPTY, |all, one| all.union(&one))
        };
        self.boxes.clear();
        self.boxes.extend(self.items.iter().map(all));
        self.tree.pairs(&self.boxes, 0.0, &mut self.near);
        for [x, y] in &self.near {
            for &s in &self.members[self.items[x.index()].clone()] {
                for &t in &self.members[self.items[y.index()].clone()] {
                    let other = &triangles[t as usize].corners;
                    if self.arcs[s as usize].overlaps(&self.arcs[t as usize])
                        && triangles[s as usize].corners.iter().all(|v| *v == vertex || !other.contains(v))
                    {
                        self.pairs.push([s, t]);
                    }
                }
            }
        }
    }
}

/// The box of the unit vectors between two directions, turning the short way, with room for rounding.
fn arc_box(a: &Point, b: &Point) -> Aabb {
    const ALL: Aabb = Aabb { min: [-2.0; 3], max: [2.0; 3] };
    let unit = |v: &Point| {
        let length = dot(v, v).sqrt();
        // Below, squares may have underflowed.
        (length > 1e-150).then(|| v.map(|x| x / length))
    };
    let (Some(a), Some(b)) = (unit(a), unit(b)) else { return ALL };
    let middle: Point = std::array::from_fn(|k| 0.5 * (a[k] + b[k]));
    let cos = dot(&middle, &middle).sqrt();
    // Opposite directions have no short way between them.
    if cos.is_nan() || cos <= 0.01 {
        return ALL;
    }
    let grow = (1.0 - cos).max(0.0) + 32.0 * UNIT;
    Aabb {
        min: std::array::from_fn(|k| a[k].min(b[k]) - grow),
        max: std::array::from_fn(|k| a[k].max(b[k]) + grow),
    }
}

/// Angles round an edge.
struct RingRound<'p> {
    positions: &'p [Point],
    edge: [u32; 2],
    /// Unit vectors across the edge and each other; `None` when the edge has no length.
    axes: Option<[Point; 2]>,
}

impl<'p> RingRound<'p> {
    fn new(positions: &'p [Point], edge: [u32; 2]) -> Self {
        let along = sub(&positions[edge[1] as usize], &positions[edge[0] as usize]);
        let unit = |v: Point| {
            let length = dot(&v, &v).sqrt();
            (length > 1e-150).then(|| v.map(|x| x / length))
        };
        let axes = unit(along).and_then(|along| {
            let least =
                (0..3).min_by(|&i, &j| along[i].abs().total_cmp(&along[j].abs())).expect("three axes");
            let x = unit(cross(&along, &std::array::from_fn(|k| f64::from(u8::from(k == least)))))?;
            Some([x, cross(&along, &x)])
        });
        Self { positions, edge, axes }
    }

    /// Adds the interval that the angle of a triangle is certainly in: everything, when it is too near the edge.
    fn add(&self, corners: &[u32; 3], triangle: u32, out: &mut Vec<Angle>) {
        let mut angle = Angle { low: f64::NEG_INFINITY, high: f64::INFINITY, triangle };
        let third = corners.iter().find(|v| !self.edge.contains(v));
        if let (Some([x, y]), Some(&third)) = (&self.axes, third) {
            let d = sub(&self.positions[third as usize], &self.positions[self.edge[0] as usize]);
            let (p, q) = (dot(&d, x), dot(&d, y));
            let (near, far) = ((p * p + q * q).sqrt(), dot(&d, &d).sqrt());
            let error = 64.0 * UNIT * far / near + 8.0 * UNIT;
            if error < 1e-3 && near > 1e-150 {
                let at = q.atan2(p);
                (angle.low, angle.high) = (at - error, at + error);
                // Once more from the other side, where it reaches past the half turn.
                if angle.high > PI {
                    out.push(Angle { low: angle.low - 2.0 * PI, high: angle.high - 2.0 * PI, triangle });
                } else if angle.low < -PI {
                    out.push(Angle { low: angle.low + 2.0 * PI, high: angle.high + 2.0 * PI, triangle });
                }
            }
        }
        out.push(angle);
    }
}

/// Appends the pairs of different triangles whose intervals overlap, each once.
fn overlapping(angles: &mut [Angle], pairs: &mut Vec<[u32; 2]>) {
    angles.sort_unstable_by(|a, b| a.low.total_cmp(&b.low).then(a.triangle.cmp(&b.triangle)));
    let mut found = Vec::new();
    for (i, a) in angles.iter().enumerate() {
        let near =
            angles[i + 1..].iter().take_while(|b| b.low <= a.high).filter(|b| b.triangle != a.triangle);
        found.extend(near.map(|b| [a.triangle.min(b.triangle), a.triangle.max(b.triangle)]));
    }
    found.sort_unstable();
    found.dedup();
    pairs.append(&mut found);
}
