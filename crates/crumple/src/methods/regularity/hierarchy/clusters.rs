//! The first unions: clusters of a dozen triangles, each grown from one by the free neighbour that lies nearest.
//!
//! Merging in pairs from single triangles (V5) took four rounds over a graph of all triangles to get as far, and half of the
//! time of building. Triangles are taken in chunks of one size, so that the clusters are the same on any number of threads;
//! no cluster reaches beyond its chunk, which the rounds that follow make up for.

use super::half_edges::{HalfEdges, NONE};
use super::merge::{Graph, Link};
use crate::geometry::simd::multiversion;
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, triangle};
use crate::parallel;
use crate::patches::MAX_TRIANGLES;

/// Triangles of a cluster at most.
const GROWN: usize = 16;

/// Triangles of a chunk, a power of two.
pub(super) const CHUNK: usize = 1 << 14;

/// Squares of distances count for so much less, with each further side that lies at the cluster already: notches are filled
/// first, and holes at once.
const NOTCH: f32 = 0.5;

/// A part of each of the triangles but for copies.
pub(super) struct Clusters {
    /// Triangles, cluster after cluster.
    triangles: Vec<u32>,
    /// First triangle of each cluster, and the number of triangles last.
    starts: Vec<u32>,
    /// The cluster of each triangle.
    of: Vec<u32>,
    /// The first cluster of each chunk, and the number of clusters last.
    firsts: Vec<u32>,
}

/// The clusters of one chunk.
struct Grown {
    triangles: Vec<u32>,
    starts: Vec<u32>,
}

impl Clusters {
    /// Grows clusters of at most so many triangles; not more than that where patches are smaller.
    pub fn grow(
        half_edges: &HalfEdges<'_>,
        centres: &[[f32; 3]],
        patch: usize,
        is_copy: &(dyn Fn(u32) -> bool + Sync),
    ) -> Self {
        let most = Self::largest(patch);
        let mut of = vec![NONE; centres.len()];
        let chunks: Vec<&mut [u32]> = of.chunks_mut(CHUNK).collect();
        let chunks: Vec<_> = chunks.into_iter().enumerate().collect();
        let grown = parallel::map(chunks, &mut Growth::default(), |growth, (i, of)| {
            let first = i * CHUNK;
            let chunk =
                Chunk { first, half_edges, centres: &centres[first..first + of.len()], is_copy, most };
            grow_chunk(&chunk, of, growth)
        });
        let mut clusters = Self {
            triangles: Vec::with_capacity(centres.len()),
            starts: Vec::with_capacity(grown.iter().map(|g| g.starts.len()).sum::<usize>() + 1),
            of,
            firsts: Vec::with_capacity(grown.len() + 1),
        };
        for Grown { triangles, starts } in grown {
            let first = clusters.triangles.len() as u32;
            clusters.firsts.push(clusters.starts.len() as u32);
            clusters.starts.extend(starts.iter().map(|s| s + first));
            clusters.triangles.extend_from_slice(&triangles);
        }
        clusters.firsts.push(clusters.starts.len() as u32);
        clusters.starts.push(clusters.triangles.len() as u32);
        // They were counted within their chunks.
        let Self { of, firsts, .. } = &mut clusters;
        parallel::for_each_chunk(of, CHUNK, |first, of| {
            let before = firsts[first / CHUNK];
            of.iter_mut().for_each(|of| *of += if *of == NONE { 0 } else { before });
        });
        clusters
    }

    /// How many triangles a cluster has where nothing is in the way.
    pub fn largest(patch: usize) -> usize {
        patch.min(GROWN)
    }

    /// The triangles of a cluster.
    pub fn triangles(&self, cluster: u32) -> &[u32] {
        &self.triangles[self.starts[cluster as usize] as usize..self.starts[cluster as usize + 1] as usize]
    }

    /// Who borders on whom, and how long the borders are.
    pub fn graph(&self, half_edges: &HalfEdges<'_>, positions: &[Point]) -> Graph {
        let chunks: Vec<usize> = (0..self.firsts.len() - 1).collect();
        let parts = parallel::map(chunks, &mut (), |(), i| {
            let mut graph = Graph::default();
            for cluster in self.firsts[i]..self.firsts[i + 1] {
                self.add(cluster, half_edges, positions, &mut graph);
            }
            graph
        });
        Graph::join(&parts)
    }

    /// Adds a cluster as one region of a graph.
    fn add(&self, cluster: u32, half_edges: &HalfEdges<'_>, positions: &[Point], graph: &mut Graph) {
        let triangles = self.triangles(cluster);
        let first = graph.links.len();
        let (mut area, mut perimeter) = (0.0, 0.0);
        // Borders: the ends of the side, and the cluster across. Branch-free append, always stored, then counted: every third side is
        // one.
        let (mut borders, mut count) = ([[0; 3]; 3 * GROWN + 1], 0);
        for &t in triangles {
            let corners = half_edges.corners[t as usize];
            area += triangle::area(&corners.map(|v| positions[v as usize]));
            for (k, &twin) in half_edges.twins[3 * t as usize..3 * t as usize + 3].iter().enumerate() {
                // No twin is beyond all triangles.
                let to = self.of.get(twin as usize / 3).copied().unwrap_or(NONE);
                borders[count] = [corners[k], corners[(k + 1) % 3], to];
                count += usize::from(to != cluster);
            }
        }
        for &[from, end, to] in &borders[..count] {
            let along = sub(&positions[end as usize], &positions[from as usize]);
            let length = dot(&along, &along).sqrt() as f32;
            perimeter += f64::from(length);
            if to == NONE {
                continue;
            }
            // A handful of neighbours, the last the likeliest.
            match graph.links[first..].iter_mut().rev().find(|link| link.to == to) {
                Some(link) => link.length += length,
                None => graph.links.push(Link { to, length }),
            }
        }
        graph.size.push(triangles.len() as u32);
        graph.area.push(area);
        graph.perimeter.push(perimeter);
        graph.starts.push(graph.links.len() as u32);
    }
}

/// Triangles that one thread takes at a time.
struct Chunk<'a> {
    first: usize,
    half_edges: &'a HalfEdges<'a>,
    centres: &'a [[f32; 3]],
    is_copy: &'a (dyn Fn(u32) -> bool + Sync),
    most: usize,
}

/// Free neighbours of the cluster that grows: a triangle adds two at most.
struct Growth {
    len: usize,
    triangles: [u32; FRINGE],
    /// Beyond the last, [`FAR`], with the whole weight.
    centres: [[f32; FRINGE]; 3],
    weights: [f32; FRINGE],
}

/// A multiple of the lanes.
const FRINGE: usize = (MAX_TRIANGLES + 4).next_multiple_of(LANES);
const LANES: usize = 8;

/// Added to its place, this says of a triangle that it is a free neighbour of the cluster that grows; below are clusters.
const BESIDE: u32 = 1 << 16;

const _: () = assert!(CHUNK < BESIDE as usize);

/// Farther than any centre: these are within the unit cube.
const FAR: f32 = 1e9;

impl Default for Growth {
    fn default() -> Self {
        Self { len: 0, triangles: [0; FRINGE], centres: [[FAR; FRINGE]; 3], weights: [1.0; FRINGE] }
    }
}

multiversion! {
    /// Grows the clusters of a chunk; `of` becomes the cluster of each of its triangles.
    fn grow_chunk(chunk: &Chunk<'_>, of: &mut [u32], growth: &mut Growth) -> Grown {
        let mut grown =
            Grown { triangles: Vec::with_capacity(of.len()), starts: Vec::with_capacity(of.len() / 8) };
        for seed in 0..of.len() {
            if of[seed] != NONE || (chunk.is_copy)((chunk.first + seed) as u32) {
                continue;
            }
            let cluster = grown.starts.len() as u32;
            grown.starts.push(grown.triangles.len() as u32);
            let (mut next, mut sum, mut size) = (seed, [0f32; 3], 0);
            loop {
                of[next] = cluster;
                grown.triangles.push((chunk.first + next) as u32);
                size += 1;
                if size == chunk.most {
                    break;
                }
                chunk.reach(next, of, growth);
                (0..3).for_each(|k| sum[k] += chunk.centres[next][k]);
                match growth.nearest(sum.map(|x| x / size as f32), of) {
                    Some(nearest) => next = nearest,
                    None => break,
                }
            }
            growth.clear(of);
        }
        grown
    }
}

impl Chunk<'_> {
    /// Looks at the neighbours of a triangle that the cluster took.
    #[inline(always)]
    fn reach(&self, triangle: usize, of: &mut [u32], growth: &mut Growth) {
        for twin in &self.half_edges.twins[3 * (self.first + triangle)..][..3] {
            let neighbour = (*twin as usize / 3).wrapping_sub(self.first);
            // No twin is beyond any chunk.
            let Some(state) = of.get_mut(neighbour) else { continue };
            if *state == NONE {
                let place = growth.len;
                *state = BESIDE + place as u32;
                growth.triangles[place] = neighbour as u32;
                growth.weights[place] = 1.0;
                (0..3).for_each(|k| growth.centres[k][place] = self.centres[neighbour][k]);
                growth.len += 1;
            } else if *state >= BESIDE {
                growth.weights[(*state - BESIDE) as usize] -= NOTCH;
            }
        }
    }
}

impl Growth {
    /// Lets go of what the cluster did not take.
    #[inline(always)]
    fn clear(&mut self, of: &mut [u32]) {
        self.triangles[..self.len].iter().for_each(|&t| of[t as usize] = NONE);
        self.centres.iter_mut().for_each(|x| x[..self.len].fill(FAR));
        self.weights[..self.len].fill(1.0);
        self.len = 0;
    }

    /// Takes the free neighbour nearest to a point; of equals the first.
    #[inline(always)]
    fn nearest(&mut self, [x, y, z]: [f32; 3], of: &mut [u32]) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        // Squares of distances as integers, which order as they do, with the place in the lowest seven bits: the least in lanes.
        let mut least = [i32::MAX; LANES];
        for first in (0..self.len).step_by(LANES) {
            for (lane, least) in least.iter_mut().enumerate() {
                let i = first + lane;
                let d = [self.centres[0][i] - x, self.centres[1][i] - y, self.centres[2][i] - z];
                let far = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * self.weights[i];
                let key = (far.to_bits() as i32 & !127) | i as i32;
                *least = if key < *least { key } else { *least };
            }
        }
        let best = least.into_iter().fold(i32::MAX, i32::min) as usize & 127;
        let found = self.triangles[best] as usize;
        self.len -= 1;
        let last = self.triangles[self.len];
        of[last as usize] = BESIDE + best as u32;
        self.triangles[best] = last;
        self.weights[best] = self.weights[self.len];
        // A hole, whose distance counts for nothing, must not be found again beyond the last.
        self.weights[self.len] = 1.0;
        for x in &mut self.centres {
            x[best] = x[self.len];
            x[self.len] = FAR;
        }
        Some(found)
    }
}
