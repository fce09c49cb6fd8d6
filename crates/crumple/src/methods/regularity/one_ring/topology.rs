//! Triangles round a vertex: where neighbours meet that no larger region covers.
//!
//! If no region with both of two neighbours could be certified, they are settled at a vertex that they share: all at
//! once by rule I on the triangles round it (`fans`), or pair by pair.

use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, sub};
use crate::methods::regularity::hierarchy::{HalfEdges, NONE, next};
use crate::{Mesh, VertexId};

/// What the triangles round a vertex form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Star {
    /// At most one triangle: no pair.
    Lone,
    /// Neither of the next two: several fans, sides that disagree, a corner named twice.
    Tangled,
    /// One fan that closes, of so many neighbours.
    Closed(u32),
    /// One fan from border to border, of so many neighbours.
    Open(u32),
}

/// The stars of one body.
#[derive(Debug, Default)]
pub(crate) struct Stars {
    kinds: Vec<Star>,
    /// First neighbour of each vertex, and their number last.
    starts: Vec<u32>,
    /// Neighbours round each vertex with one fan, counter-clockwise.
    fans: Vec<u32>,
}

impl Stars {
    /// Looks at every vertex once. The half-edges must be in the body's own order.
    pub fn new(half_edges: &HalfEdges, body: &Mesh) -> Self {
        let topology = body.topology();
        let mut outgoing = vec![NONE; body.vertex_count()];
        for (t, corners) in half_edges.corners.iter().enumerate() {
            for (k, &v) in corners.iter().enumerate() {
                outgoing[v as usize] = (3 * t + k) as u32;
            }
        }
        let mut is_collapsed = vec![false; body.vertex_count()];
        for &t in topology.collapsed() {
            half_edges.corners[t.index()].iter().for_each(|&v| is_collapsed[v as usize] = true);
        }
        let mut stars =
            Self { kinds: Vec::new(), starts: vec![0], fans: Vec::with_capacity(half_edges.twins.len()) };
        for (v, &first) in outgoing.iter().enumerate() {
            let kind = match topology.triangles_at(VertexId(v as u32)).len() {
                0 | 1 => Star::Lone,
                _ if is_collapsed[v] => Star::Tangled,
                n => stars.walk(half_edges, first, n),
            };
            stars.kinds.push(kind);
            stars.starts.push(stars.fans.len() as u32);
        }
        stars
    }

    /// Follows the fan through a half-edge, whose vertex has `n` triangles, and lists its neighbours.
    fn walk(&mut self, half_edges: &HalfEdges, through: u32, n: usize) -> Star {
        // Clockwise to the border, or once round.
        let (mut start, mut is_open) = (through, true);
        while half_edges.twins[start as usize] != NONE {
            start = next(half_edges.twins[start as usize]);
            if start == through {
                is_open = false;
                break;
            }
        }
        let first = self.fans.len();
        let (mut at, mut seen) = (start, 0);
        loop {
            self.fans.push(half_edges.start(next(at)));
            seen += 1;
            let incoming = next(next(at));
            at = half_edges.twins[incoming as usize];
            if at == NONE {
                self.fans.push(half_edges.start(incoming));
            }
            if at == NONE || at == start {
                break;
            }
        }
        let links = (self.fans.len() - first) as u32;
        if seen != n {
            self.fans.truncate(first);
            return Star::Tangled;
        }
        if is_open { Star::Open(links) } else { Star::Closed(links) }
    }

    /// What the triangles round a vertex form.
    #[inline]
    pub fn kind(&self, vertex: u32) -> Star {
        self.kinds[vertex as usize]
    }

    /// The neighbours of a vertex with one fan, counter-clockwise.
    #[inline]
    pub fn fan(&self, vertex: u32) -> &[u32] {
        &self.fans[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }
}

/// Relative error of a triple product of differences, with room: each of its roundings is 2^-53.
const UNIT: f64 = 32.0 * f64::EPSILON;

/// A triangle seen from one of its vertices: the two others, and their vector product.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    a: Point,
    b: Point,
    normal: Point,
}

/// The triangles round a vertex, seen from it, to be told apart pair by pair. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Spokes {
    list: Vec<Spoke>,
    /// No side is longer than this.
    reach: f64,
}

impl Spokes {
    /// Takes in the triangles round a vertex, in the body's order.
    pub fn collect(&mut self, vertex: u32, body: &Mesh, positions: &[Point]) {
        self.list.clear();
        self.reach = 0.0;
        let v = &positions[vertex as usize];
        let size = |p: &Point| p[0].abs() + p[1].abs() + p[2].abs();
        for &t in body.topology().triangles_at(VertexId(vertex)) {
            let corners = body.triangles()[t.index()];
            let k = corners.iter().position(|c| c.0 == vertex).expect("a triangle of the star");
            let [a, b] = [1, 2].map(|i| sub(&positions[corners[(k + i) % 3].index()], v));
            self.reach = max(self.reach, max(size(&a), size(&b)));
            self.list.push(Spoke { a, b, normal: cross(&a, &b) });
        }
    }

    /// Whether triangles `i` and `j` of the star certainly meet only in the vertex, or in the edge that they share: the
    /// plane of one has the free corners of the other on one side.
    pub fn are_apart(&self, i: usize, j: usize, share_an_edge: bool) -> bool {
        let bound = UNIT * self.reach * self.reach * self.reach;
        let certain = |x: f64| if x.abs() > bound { x } else { 0.0 };
        let by_plane_of = |s: &Spoke, t: &Spoke| {
            let (a, b) = (certain(dot(&s.normal, &t.a)), certain(dot(&s.normal, &t.b)));
            // A corner on the shared edge lies in both planes, so only the free one can be off the plane.
            if share_an_edge { a != 0.0 || b != 0.0 } else { (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) }
        };
        let (s, t) = (&self.list[i], &self.list[j]);
        by_plane_of(s, t) || by_plane_of(t, s)
    }
}
