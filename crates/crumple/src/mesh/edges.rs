//! The edges of a surface, numbered in sorted order, and the triangles of each.
//!
//! Sides of triangles are sorted by their lower vertex, by counting; then each vertex sorts the handful that it has. Vertices
//! are taken in pieces, at the same time where there are threads.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::counting_sort::CountingSort;
use crate::csr::Csr;
use crate::parallel;

/// No edge: the two corners are the same vertex.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// Edges and what is on them.
pub(super) struct Edges {
    /// Every edge once, smaller vertex first, sorted.
    pub ends: Vec<[u32; 2]>,
    /// Edge `k` of a triangle joins corners `k` and `k + 1`; [`NO_EDGE`] where both are one vertex.
    pub of_triangle: Vec<[u32; 3]>,
    /// The triangles of each edge, ascending.
    pub triangles: Csr,
    /// Edges of exactly two triangles that run through it in the same direction, ascending.
    pub twisted: Vec<u32>,
}

/// The edges of a piece of the vertices.
#[derive(Default)]
struct Piece {
    ends: Vec<[u32; 2]>,
    /// Where the sides of each edge begin in `sides`.
    starts: Vec<u32>,
    /// Side `3 t + k` runs from corner `k` of triangle `t` to corner `k + 1`.
    sides: Vec<u32>,
    twisted: Vec<u32>,
}

/// Vertices of a piece.
const PIECE: usize = 1 << 14;

impl Edges {
    pub fn new(vertices: u32, triangles: &[[u32; 3]]) -> Self {
        let mut lower = vec![[0; 3]; triangles.len()];
        parallel::for_each_chunk(&mut lower, PIECE, |first, lower| {
            for (lower, &[a, b, c]) in lower.iter_mut().zip(&triangles[first..]) {
                // Beyond all vertices where there is no edge: left out.
                let of = |a: u32, b: u32| if a == b { u32::MAX } else { a.min(b) };
                *lower = [of(a, b), of(b, c), of(c, a)];
            }
        });
        let mut sides = CountingSort::default();
        sides.fill(lower.as_flattened(), vertices as usize);
        drop(lower);
        let flat = triangles.as_flattened();
        let ranges = (0..vertices as usize).step_by(PIECE).map(|v| v..(v + PIECE).min(vertices as usize));
        let pieces = parallel::map(ranges.collect(), &mut Vec::new(), |row, vertices| {
            Piece::new(vertices, &sides, flat, row)
        });
        Self::join(pieces, triangles.len())
    }

    fn join(pieces: Vec<Piece>, triangles: usize) -> Self {
        let [edges, sides] =
            [pieces.iter().map(|p| p.ends.len()).sum(), pieces.iter().map(|p| p.sides.len()).sum::<usize>()];
        let of_triangle: Vec<[AtomicU32; 3]> =
            (0..triangles).map(|_| [const { AtomicU32::new(NO_EDGE) }; 3]).collect();
        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(edges);
        let mut starts: Vec<u32> = Vec::with_capacity(edges + 1);
        let mut twisted = Vec::new();
        let mut items = vec![0u32; sides];
        let mut parts = Vec::with_capacity(pieces.len());
        let mut rest = &mut items[..];
        let mut first_side = 0;
        for piece in &pieces {
            let first = ends.len() as u32;
            let (mine, others) = rest.split_at_mut(piece.sides.len());
            rest = others;
            parts.push((first, piece, mine));
            ends.extend_from_slice(&piece.ends);
            starts.extend(piece.starts.iter().map(|s| s + first_side));
            twisted.extend(piece.twisted.iter().map(|e| e + first));
            first_side += piece.sides.len() as u32;
        }
        starts.push(sides as u32);
        parallel::for_each(&mut parts, |_, (first, piece, items)| {
            piece.triangles(items);
            // Every side is written once, by whoever has its edge.
            piece.for_each_side(|e, side| {
                of_triangle[side as usize / 3][side as usize % 3].store(*first + e, Ordering::Relaxed);
            });
        });
        drop(parts);
        Self {
            ends,
            of_triangle: of_triangle.into_iter().map(|e| e.map(AtomicU32::into_inner)).collect(),
            triangles: Csr::from_parts(starts, items),
            twisted,
        }
    }
}

impl Piece {
    fn new(vertices: std::ops::Range<usize>, sides: &CountingSort, flat: &[u32], row: &mut Vec<u64>) -> Self {
        let all = sides.range(vertices.clone());
        let mut piece = Self {
            ends: Vec::with_capacity(all.len() / 2 + 1),
            starts: Vec::with_capacity(all.len() / 2 + 1),
            sides: Vec::with_capacity(all.len()),
            twisted: Vec::new(),
        };
        let end = |side: u32| side - side % 3 + (side % 3 + 1) % 3;
        for v in vertices {
            row.clear();
            row.extend(sides.items()[sides.range(v..v + 1)].iter().map(|&side| {
                let upper = flat[side as usize] ^ flat[end(side) as usize] ^ v as u32;
                u64::from(upper) << 32 | u64::from(side)
            }));
            row.sort_unstable();
            for edge in row.chunk_by(|a, b| a >> 32 == b >> 32) {
                let e = piece.ends.len() as u32;
                piece.ends.push([v as u32, (edge[0] >> 32) as u32]);
                piece.starts.push(piece.sides.len() as u32);
                piece.sides.extend(edge.iter().map(|&key| key as u32));
                if let &[a, b] = edge {
                    let [a, b] = [a as u32, b as u32];
                    if a / 3 != b / 3 && flat[a as usize] == flat[b as usize] {
                        piece.twisted.push(e);
                    }
                }
            }
        }
        piece
    }

    fn triangles(&self, out: &mut [u32]) {
        out.iter_mut().zip(&self.sides).for_each(|(t, side)| *t = side / 3);
    }

    fn for_each_side(&self, mut call: impl FnMut(u32, u32)) {
        for (e, &start) in self.starts.iter().enumerate() {
            let end = self.starts.get(e + 1).map_or(self.sides.len(), |&s| s as usize);
            self.sides[start as usize..end].iter().for_each(|&side| call(e as u32, side));
        }
    }
}
