//! Vertices whose triangles certainly do not meet beyond what they share, so that pairs of neighbours need no test.
//!
//! Of all pairs of boxes that overlap on a connected surface, nine in ten are neighbours: six or seven a triangle, at 30 ns
//! each. A look at the triangles round each vertex settles all of its pairs at once ([`vertex_fan`](crate::vertex_fan)), and costs
//! 40 ns a triangle with the search for fans. That pays in a frame that is looked at once; where frames follow
//! each other, [`regularity`](crate::methods::regularity) does not come to most neighbours.

use super::query::Located;
use crate::csr::exclusive_sums;
use crate::geometry::simd::{self, Row, WIDTH};
use crate::geometry::{Map, Point};
use crate::vertex_fan::{CertifyFans, Fan};

/// Vertices of more triangles than this are left to tests.
const MOST: usize = 12;
/// The most neighbours: an open fan has one more than triangles.
const LINKS: usize = MOST + 1;

/// Whether the triangles round each vertex certainly do not meet beyond what they share.
pub(super) fn certify(Located { corners, positions }: Located<'_>, map: &Map) -> Vec<bool> {
    let round = Round::new(corners, positions.len());
    let mut batches = Batches {
        positions,
        scale: map.scale,
        waiting: vec![Batch::default(); 2 * (LINKS + 1)],
        edges: Vec::new(),
        is_certified: vec![false; positions.len()],
    };
    let mut fan = [0; LINKS];
    for vertex in 0..positions.len() {
        if let Some((links, is_open)) = chain(round.at(vertex), &mut fan) {
            batches.add(vertex as u32, &fan[..links], is_open);
        }
    }
    batches.finish()
}

/// For each vertex and each triangle round it, the other two corners, counter-clockwise.
struct Round {
    /// The end of each vertex's part.
    ends: Vec<u32>,
    sides: Vec<[u32; 2]>,
}

impl Round {
    fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut ends = vec![0u32; vertices];
        triangles.as_flattened().iter().for_each(|&v| ends[v as usize] += 1);
        exclusive_sums(&mut ends);
        let mut sides = vec![[0; 2]; 3 * triangles.len()];
        for &[a, b, c] in triangles {
            for [v, side @ ..] in [[a, b, c], [b, c, a], [c, a, b]] {
                let at = &mut ends[v as usize];
                sides[*at as usize] = side;
                *at += 1;
            }
        }
        Self { ends, sides }
    }

    fn at(&self, vertex: usize) -> &[[u32; 2]] {
        let begin = if vertex == 0 { 0 } else { self.ends[vertex - 1] };
        &self.sides[begin as usize..self.ends[vertex] as usize]
    }
}

/// Puts the sides round a vertex end to end. Returns how many neighbours there are, and whether the last is another than the first;
/// `None` when they are no chain, or too long a one, or a single side, which has no pair.
///
/// Every side is used once. That a neighbour does not come twice is not asked: a fan that passes one direction twice winds
/// more than once, and is not certified.
fn chain(sides: &[[u32; 2]], out: &mut [u32; LINKS]) -> Option<(usize, bool)> {
    let count = sides.len();
    if !(2..=MOST).contains(&count) {
        return None;
    }
    let mut left = [[0; 2]; MOST];
    left[..count].copy_from_slice(sides);
    for done in 1..count {
        let end = left[done - 1][1];
        if let Some(next) = (done..count).find(|&i| left[i][0] == end) {
            left.swap(done, next);
            continue;
        }
        // At a border: what is left comes before the first.
        let begin = left[0][0];
        let before = (done..count).find(|&i| left[i][1] == begin)?;
        left.swap(done, before);
        left[..=done].rotate_right(1);
    }
    for (to, side) in out.iter_mut().zip(&left[..count]) {
        *to = side[0];
    }
    let last = left[count - 1][1];
    if last == left[0][0] {
        return Some((count, false));
    }
    out[count] = last;
    Some((count + 1, true))
}

/// Fans of one kind that wait until there are eight.
#[derive(Debug, Clone, Default)]
struct Batch {
    vertices: Vec<u32>,
    neighbours: Vec<u32>,
}

/// Fans, kind by kind.
struct Batches<'a> {
    positions: &'a [Point],
    scale: f64,
    /// By the number of neighbours, closed and open in turn.
    waiting: Vec<Batch>,
    edges: Vec<[Row; 3]>,
    is_certified: Vec<bool>,
}

impl Batches<'_> {
    fn add(&mut self, vertex: u32, neighbours: &[u32], is_open: bool) {
        let kind = 2 * neighbours.len() + usize::from(is_open);
        let batch = &mut self.waiting[kind];
        batch.vertices.push(vertex);
        batch.neighbours.extend_from_slice(neighbours);
        if batch.vertices.len() == WIDTH {
            self.flush(kind);
        }
    }

    fn flush(&mut self, kind: usize) {
        let Self { positions, scale, waiting, edges, is_certified } = self;
        let (Batch { vertices, neighbours }, links) = (&mut waiting[kind], kind / 2);
        let Some(last) = vertices.len().checked_sub(1) else { return };
        // A short batch repeats its last.
        let fans = std::array::from_fn(|i| Fan {
            positions,
            vertex: vertices[i.min(last)],
            neighbours: &neighbours[i.min(last) * links..][..links],
        });
        let certified = simd::dispatch(CertifyFans { fans, is_open: kind % 2 == 1, scale: *scale, edges });
        for (i, &v) in vertices.iter().enumerate() {
            is_certified[v as usize] = certified >> i & 1 == 1;
        }
        vertices.clear();
        neighbours.clear();
    }

    fn finish(mut self) -> Vec<bool> {
        (0..self.waiting.len()).for_each(|kind| self.flush(kind));
        self.is_certified
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::tri_tri;

    #[test]
    fn sides_are_put_end_to_end() {
        let mut out = [0; LINKS];
        let mut fan = |sides: &[[u32; 2]]| chain(sides, &mut out).map(|(n, open)| (out[..n].to_vec(), open));
        assert_eq!(fan(&[[1, 2], [3, 1], [2, 3]]), Some((vec![1, 2, 3], false)));
        assert_eq!(fan(&[[3, 4], [1, 2], [2, 3]]), Some((vec![1, 2, 3, 4], true)));
        assert_eq!(fan(&[[2, 3], [3, 4], [1, 2]]), Some((vec![1, 2, 3, 4], true)));
        assert_eq!(fan(&[[1, 2], [3, 4]]), None);
        assert_eq!(fan(&[[1, 2], [1, 2]]), None);
        assert_eq!(fan(&[[1, 2], [2, 1], [3, 4], [4, 3]]), None);
        assert_eq!(fan(&[[1, 2], [1, 3]]), None);
        assert_eq!(fan(&[[1, 2]]), None);
    }

    /// Random fans on a small lattice, folded, winding twice, with and without a gap: no pair of a certified one meets.
    #[test]
    fn certified_fans_do_not_meet() {
        let mut state = 5u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let (mut certified, mut crossed) = (0, 0);
        for round in 0..40_000 {
            let links = 3 + random(6) as u32;
            let is_open = random(2) == 0;
            let mut positions = vec![[0.0; 3]];
            for i in 0..links {
                // Round the vertex once or, now and then, twice, and up and down by a little.
                let turns = if round % 8 == 0 { 2.0 } else { 1.0 };
                let (sin, cos) = (std::f64::consts::TAU * turns * f64::from(i) / f64::from(links)).sin_cos();
                let jitter = |x: f64, r: u64| (5.0 * x).round() + r as f64 - 1.0;
                positions.push([jitter(cos, random(3)), jitter(sin, random(3)), jitter(0.0, random(3))]);
            }
            let last = if is_open { links - 1 } else { links };
            let triangles: Vec<[u32; 3]> = (0..last).map(|i| [0, 1 + i, 1 + (i + 1) % links]).collect();
            let map = Map { origin: [0.0; 3], scale: 0.125 };
            let is_certified = certify(Located { corners: &triangles, positions: &positions }, &map)[0];
            let corners = |t: &[u32; 3]| t.map(|v| positions[v as usize]);
            let meets = triangles.iter().enumerate().any(|(i, s)| {
                triangles[i + 1..].iter().any(|t| tri_tri::meets(*s, &corners(s), *t, &corners(t)))
            });
            assert!(!(is_certified && meets), "{positions:?}");
            certified += usize::from(is_certified);
            crossed += usize::from(meets);
        }
        assert!(certified > 5000 && crossed > 1000, "{certified} certified, {crossed} crossed");
    }
}
