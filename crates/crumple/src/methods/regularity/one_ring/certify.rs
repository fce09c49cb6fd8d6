//! Rule I on the triangles round one vertex, eight vertices at a time.
//!
//! If all triangles round a vertex face one direction, and their projection winds round the vertex once (or, on a
//! border, less than once), they form a star-shaped disc: no two of them meet beyond what they share. One pass over six
//! triangles replaces fifteen tests. The direction is the sum of the normals. How often the projection winds is how
//! often its outer edges cross one ray from the vertex: facing the direction, each runs counter-clockwise by less than
//! half a turn, so it crosses where it comes from the right of the ray to its left.
//!
//! # Certain signs
//! Coordinates are `f32` relative to the vertex, at most R, off by uR with u = 2^-24. A component of the cross product
//! of two is at most 2R², off by 8uR²; its dot product with a direction of components up to N by 24uR²N from its
//! terms and 30uR²N from roundings, together less than 64uR²N. Across a ray of components up to r, the direction times
//! the ray is off by 4uNr, and its dot product with a neighbour by 12uNrR + 6uNrR + 30uNrR < 64uNrR. 1e-30 covers
//! underflow.

use super::VertexRef;
use super::topology::OneRing;
use crate::geometry::lanes::floats::{Floats, Map, Row, WIDTH, Work, cross3, dot3, load3, sub3};
use crate::methods::regularity::posed::Posed;

/// 64u, see the page.
const ERROR: f32 = 64.0 * (f32::EPSILON / 2.0);

/// Covers underflow.
const TINY: f32 = 1e-30;

/// Which of up to eight vertices, all with the same kind of one-ring, have triangles that certainly do not meet beyond what
/// they share.
pub(crate) struct CertifyOneRings<'a> {
    pub posed: &'a Posed<'a>,
    pub eight: &'a [VertexRef],
    pub edges: &'a mut Vec<[Row; 3]>,
}

impl Work for CertifyOneRings<'_> {
    /// Bit i: vertex i is certified.
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(mut self, l: L) -> u32 {
        let (links, is_open) = match self.eight[0].ring {
            OneRing::Lone | OneRing::Irregular => return 0,
            OneRing::Closed(links) => (links as usize, false),
            OneRing::Open(links) => (links as usize, true),
        };
        self.gather(l, links);
        let triangles = if is_open { links - 1 } else { links };
        let edges = &self.edges[..];
        let zero = l.splat(0.0);
        // Towards the sum of the normals, across a ray: into the gap, or through the first triangle, where it is not
        // opposite to an edge of a regular one-ring.
        let (mut towards, mut sum, mut reach) = ([zero; 3], [zero; 3], zero);
        for i in 0..links {
            let p = edge(l, edges, i);
            if i < triangles {
                towards = add3(l, towards, cross3(l, p, edge(l, edges, i + 1)));
            }
            sum = add3(l, sum, p);
            reach = l.max(reach, size(l, p));
        }
        let ray = if is_open {
            sub3(l, [zero; 3], sum)
        } else {
            add3(l, scale3(l, edge(l, edges, 0), l.splat(0.7)), scale3(l, edge(l, edges, 1), l.splat(0.3)))
        };
        let across = cross3(l, towards, ray);
        let error = l.mul(l.mul(l.splat(ERROR), size(l, towards)), reach);
        let least_area = l.add(l.mul(error, reach), l.splat(TINY));
        let least_side = l.add(l.mul(error, size(l, ray)), l.splat(TINY));
        let (mut is_sound, mut once, mut twice) =
            (l.at_most(zero, zero), l.exceeds(zero, zero), l.exceeds(zero, zero));
        for i in 0..triangles {
            let (p, q) = (edge(l, edges, i), edge(l, edges, i + 1));
            is_sound = l.both(is_sound, l.exceeds(dot3(l, cross3(l, p, q), towards), least_area));
            let (from, to) = (dot3(l, across, p), dot3(l, across, q));
            is_sound = l.both(is_sound, l.exceeds(l.min(l.abs(from), l.abs(to)), least_side));
            let crosses = l.both(l.exceeds(zero, from), l.exceeds(to, zero));
            twice = l.either(twice, l.both(once, crosses));
            once = l.either(once, crosses);
        }
        let (once, twice) = (l.bits(once), l.bits(twice));
        l.bits(is_sound) & if is_open { !once } else { once & !twice }
    }
}

impl CertifyOneRings<'_> {
    /// Puts the neighbours of the eight vertices into rows, seen from each vertex. A short batch repeats its last.
    #[inline(always)]
    fn gather<L: Floats>(&mut self, l: L, links: usize) {
        let last = self.eight.len() - 1;
        let at: [&VertexRef; WIDTH] = std::array::from_fn(|i| &self.eight[i.min(last)]);
        let positions: [&[[f64; 3]]; WIDTH] = at.map(|v| self.posed.positions[v.body as usize]);
        let rings: [&[u32]; WIDTH] =
            at.map(|v| self.posed.surfaces[v.body as usize].hierarchy.one_rings.neighbours(v.vertex));
        let maps: [Map; WIDTH] = std::array::from_fn(|i| Map {
            origin: positions[i][at[i].vertex as usize],
            scale: self.posed.map.scale,
        });
        self.edges.resize(links, [Row([0.0; WIDTH]); 3]);
        for (s, rows) in self.edges.iter_mut().enumerate() {
            let mut points = [l.load_point(&[0.0; 4]); WIDTH];
            for (i, point) in points.iter_mut().enumerate() {
                *point = l.place(&positions[i][rings[i][s] as usize], &maps[i]);
            }
            let [x, y, z] = l.transpose(points);
            l.store(x, &mut rows[0]);
            l.store(y, &mut rows[1]);
            l.store(z, &mut rows[2]);
        }
    }
}

/// One neighbour of each; beyond the last is the first again.
#[inline(always)]
fn edge<L: Floats>(l: L, edges: &[[Row; 3]], i: usize) -> [L::F; 3] {
    load3(l, &edges[if i == edges.len() { 0 } else { i }])
}

#[inline(always)]
fn add3<L: Floats>(l: L, a: [L::F; 3], b: [L::F; 3]) -> [L::F; 3] {
    [l.add(a[0], b[0]), l.add(a[1], b[1]), l.add(a[2], b[2])]
}

#[inline(always)]
fn scale3<L: Floats>(l: L, a: [L::F; 3], by: L::F) -> [L::F; 3] {
    [l.mul(a[0], by), l.mul(a[1], by), l.mul(a[2], by)]
}

/// The largest component.
#[inline(always)]
fn size<L: Floats>(l: L, a: [L::F; 3]) -> L::F {
    l.max(l.max(l.abs(a[0]), l.abs(a[1])), l.abs(a[2]))
}
