//! Rule I of [`regularity`](crate::methods::regularity) on the triangles round one vertex, eight vertices at a time.
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

use crate::geometry::simd::{
    F32x4, F32x8, Kernel, Mask, Row, Simd, WIDTH, add3, cross3, dot3, load3, scale3,
};
use crate::geometry::{Map, Point};

/// 64u, see the page.
const ERROR: f32 = 64.0 * (f32::EPSILON / 2.0);

/// Covers underflow.
const TINY: f32 = 1e-30;

/// The triangles round a vertex, one after the other counter-clockwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fan<'a> {
    pub positions: &'a [Point],
    pub vertex: u32,
    /// The other corners in the order of the triangles; of a closed fan each begins a triangle, of an open one the last does not.
    pub neighbours: &'a [u32],
}

/// Which of eight fans, all open or all closed and of one length, certainly do not meet beyond what their triangles share.
pub(crate) struct CertifyFans<'a> {
    pub fans: [Fan<'a>; WIDTH],
    pub is_open: bool,
    /// That takes positions to about 1.
    pub scale: f64,
    /// Scratch memory.
    pub edges: &'a mut Vec<[Row; 3]>,
}

impl Kernel for CertifyFans<'_> {
    /// Bit i: fan i is certified.
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> u32 {
        let (links, is_open) = (self.fans[0].neighbours.len(), self.is_open);
        self.gather(simd, links);
        let triangles = if is_open { links - 1 } else { links };
        let edges = &self.edges[..];
        let zero = S::F32x8::splat(simd, 0.0);
        // Towards the sum of the normals, across a ray: into the gap, or through the first triangle, where it is not
        // opposite to an edge of a regular one-ring.
        let (mut towards, mut sum, mut reach) = ([zero; 3], [zero; 3], zero);
        for i in 0..links {
            let p = edge(simd, edges, i);
            if i < triangles {
                towards = add3(towards, cross3(p, edge(simd, edges, i + 1)));
            }
            sum = add3(sum, p);
            reach = reach.max(size::<S>(p));
        }
        let ray = if is_open {
            [-sum[0], -sum[1], -sum[2]]
        } else {
            add3(
                scale3(edge(simd, edges, 0), S::F32x8::splat(simd, 0.7)),
                scale3(edge(simd, edges, 1), S::F32x8::splat(simd, 0.3)),
            )
        };
        let across = cross3(towards, ray);
        let error = S::F32x8::splat(simd, ERROR) * size::<S>(towards) * reach;
        let tiny = S::F32x8::splat(simd, TINY);
        let (least_area, least_side) = (error * reach + tiny, error * size::<S>(ray) + tiny);
        let (mut is_sound, mut once, mut twice) = (zero.le(zero), zero.gt(zero), zero.gt(zero));
        for i in 0..triangles {
            let (p, q) = (edge(simd, edges, i), edge(simd, edges, i + 1));
            is_sound = is_sound & dot3(cross3(p, q), towards).gt(least_area);
            let (from, to) = (dot3(across, p), dot3(across, q));
            is_sound = is_sound & from.abs().min(to.abs()).gt(least_side);
            let crosses = zero.gt(from) & to.gt(zero);
            twice = twice | (once & crosses);
            once = once | crosses;
        }
        let (once, twice) = (once.bitmask(), twice.bitmask());
        is_sound.bitmask() & if is_open { !once } else { once & !twice }
    }
}

impl CertifyFans<'_> {
    /// Puts the neighbours of the eight vertices into rows, seen from each vertex.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, links: usize) {
        let maps: [Map; WIDTH] =
            self.fans.map(|fan| Map { origin: fan.positions[fan.vertex as usize], scale: self.scale });
        self.edges.resize(links, [Row([0.0; WIDTH]); 3]);
        for (s, rows) in self.edges.iter_mut().enumerate() {
            let mut points = [S::F32x4::load(simd, &[0.0; 4]); WIDTH];
            for (i, point) in points.iter_mut().enumerate() {
                let fan = &self.fans[i];
                *point = S::F32x4::map(simd, &fan.positions[fan.neighbours[s] as usize], &maps[i]);
            }
            let [x, y, z] = S::F32x4::transpose(points);
            x.store(&mut rows[0]);
            y.store(&mut rows[1]);
            z.store(&mut rows[2]);
        }
    }
}

/// One neighbour of each; beyond the last is the first again.
#[inline(always)]
fn edge<S: Simd>(simd: S, edges: &[[Row; 3]], i: usize) -> [S::F32x8; 3] {
    load3(simd, &edges[if i == edges.len() { 0 } else { i }])
}

/// The largest component.
#[inline(always)]
fn size<S: Simd>(a: [S::F32x8; 3]) -> S::F32x8 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}
