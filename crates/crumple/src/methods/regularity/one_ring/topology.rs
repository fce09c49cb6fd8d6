//! The one-rings of a body: the triangles round each vertex, and whether they form one fan.

use crate::Mesh;
use crate::methods::regularity::hierarchy::{Copies, HalfEdges, NONE, next};

/// What the triangles round a vertex form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OneRing {
    /// At most one triangle: no pair.
    Lone,
    /// Non-manifold, inconsistently oriented or degenerate.
    Irregular,
    /// One fan that closes, of so many neighbours.
    Closed(u32),
    /// One fan from border to border, of so many neighbours.
    Open(u32),
}

/// The one-rings of one body.
#[derive(Debug, Default)]
pub(crate) struct OneRings {
    kinds: Vec<OneRing>,
    /// First neighbour of each vertex.
    starts: Vec<u32>,
    /// Neighbours round each vertex with one fan, counter-clockwise.
    neighbours: Vec<u32>,
}

impl OneRings {
    /// Rings that were found already: what each is, where its neighbours begin, and these.
    pub fn of_parts(kinds: Vec<OneRing>, starts: Vec<u32>, neighbours: Vec<u32>) -> Self {
        Self { kinds, starts, neighbours }
    }

    /// Looks at every vertex once. The half-edges must be in the body's own order.
    pub fn new(half_edges: &HalfEdges<'_>, body: &Mesh, copies: &Copies) -> Self {
        let topology = body.topology();
        // A half-edge from each vertex, and how many triangles it has.
        let mut outgoing = vec![(NONE, 0u32); body.vertex_count()];
        let own = |t: u32| !copies.is_copy(t);
        for (t, corners) in half_edges.corners.iter().enumerate().filter(|&(t, _)| own(t as u32)) {
            for (k, &v) in corners.iter().enumerate() {
                let is_again = corners[..k].contains(&v);
                let (through, count) = &mut outgoing[v as usize];
                (*through, *count) = ((3 * t + k) as u32, *count + u32::from(!is_again));
            }
        }
        let mut is_collapsed = vec![false; body.vertex_count()];
        for &t in topology.collapsed() {
            half_edges.corners[t.index()].iter().for_each(|&v| is_collapsed[v as usize] = true);
        }
        let mut rings = Self {
            kinds: Vec::new(),
            starts: Vec::new(),
            neighbours: Vec::with_capacity(half_edges.twins.len()),
        };
        for (v, &(first, count)) in outgoing.iter().enumerate() {
            rings.starts.push(rings.neighbours.len() as u32);
            let kind = match count as usize {
                0 | 1 => OneRing::Lone,
                _ if is_collapsed[v] => OneRing::Irregular,
                n => rings.walk(half_edges, first, n),
            };
            rings.kinds.push(kind);
        }
        rings
    }

    /// Follows the fan through a half-edge, whose vertex has `n` triangles, and lists its neighbours.
    fn walk(&mut self, half_edges: &HalfEdges<'_>, through: u32, n: usize) -> OneRing {
        // Clockwise to the border, or once round.
        let (mut start, mut is_open) = (through, true);
        while half_edges.twins[start as usize] != NONE {
            start = next(half_edges.twins[start as usize]);
            if start == through {
                is_open = false;
                break;
            }
        }
        let first = self.neighbours.len();
        let (mut at, mut seen) = (start, 0);
        loop {
            self.neighbours.push(half_edges.start(next(at)));
            seen += 1;
            let incoming = next(next(at));
            at = half_edges.twins[incoming as usize];
            if at == NONE {
                self.neighbours.push(half_edges.start(incoming));
            }
            if at == NONE || at == start {
                break;
            }
        }
        let links = (self.neighbours.len() - first) as u32;
        if seen != n {
            self.neighbours.truncate(first);
            return OneRing::Irregular;
        }
        if is_open { OneRing::Open(links) } else { OneRing::Closed(links) }
    }

    /// What the triangles round a vertex form.
    #[inline]
    pub fn kind(&self, vertex: u32) -> OneRing {
        self.kinds[vertex as usize]
    }

    /// The neighbours of a vertex with one fan, counter-clockwise.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let count = match self.kind(vertex) {
            OneRing::Lone | OneRing::Irregular => 0,
            OneRing::Closed(links) | OneRing::Open(links) => links,
        };
        &self.neighbours[self.starts[vertex as usize] as usize..][..count as usize]
    }

    /// Looks at one vertex again, or at one more behind the last, whose triangles these are: their corners, turned as their
    /// regions have them.
    pub fn renew(&mut self, vertex: u32, round: &[[u32; 3]]) {
        if self.kinds.len() <= vertex as usize {
            self.kinds.resize(vertex as usize + 1, OneRing::Lone);
            self.starts.resize(vertex as usize + 1, 0);
        }
        self.starts[vertex as usize] = self.neighbours.len() as u32;
        let is_collapsed = |[a, b, c]: &[u32; 3]| a == b || b == c || c == a;
        self.kinds[vertex as usize] = match round.len() {
            0 | 1 => OneRing::Lone,
            _ if round.iter().any(is_collapsed) => OneRing::Irregular,
            _ => self.walk_round(vertex, round),
        };
    }

    /// Follows the fan of triangles round a vertex, and lists its neighbours.
    fn walk_round(&mut self, vertex: u32, round: &[[u32; 3]]) -> OneRing {
        // The other corners of each triangle, counter-clockwise.
        let sides: Vec<[u32; 2]> = round
            .iter()
            .map(|c| {
                let k = c.iter().position(|&v| v == vertex).expect("a triangle at the vertex");
                [c[(k + 1) % 3], c[(k + 2) % 3]]
            })
            .collect();
        let only = |end: usize, v: u32| {
            let mut there = (0..sides.len()).filter(|&i| sides[i][end] == v);
            let first = there.next();
            first.filter(|_| there.next().is_none())
        };
        // The triangle across the edge to `v`, when it is an edge of two that agree.
        let across = |v: u32| only(0, v).filter(|_| only(1, v).is_some());
        let is_border = |i: &usize| across(sides[*i][0]).is_none();
        let start = (0..sides.len()).find(is_border);
        let first = self.neighbours.len();
        let (mut at, mut seen) = (start.unwrap_or(0), 0);
        loop {
            self.neighbours.push(sides[at][0]);
            seen += 1;
            match across(sides[at][1]) {
                Some(next) if next != start.unwrap_or(0) && seen < sides.len() => at = next,
                Some(_) => break,
                None => {
                    self.neighbours.push(sides[at][1]);
                    break;
                }
            }
        }
        let links = (self.neighbours.len() - first) as u32;
        if seen != sides.len() {
            self.neighbours.truncate(first);
            return OneRing::Irregular;
        }
        if start.is_some() { OneRing::Open(links) } else { OneRing::Closed(links) }
    }
}
