//! What is near a seam: the lips of a cut.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::geometry::Point;
use crate::geometry::vector::{dot, sub};
use crate::{Mesh, VertexId};

/// The default depth, in mean edges at the seam.
const EDGES: f64 = 2.0;

/// A body that was cut just now.
pub(crate) struct CutBody<'a> {
    pub body: &'a Mesh,
    pub positions: &'a [Point],
    pub seam: &'a [[VertexId; 2]],
}

/// The lips of a fresh cut.
pub(super) struct Lips;

impl Lips {
    /// The vertices at most `depth` from the seam, along edges. Costs what the lips cost, not what the body costs.
    pub fn of(cut: &CutBody<'_>, depth: Option<f64>) -> Vec<VertexId> {
        let seam = cut.seam.iter().flatten().copied();
        let depth = depth.unwrap_or_else(|| EDGES * mean_edge(cut, seam.clone()));
        // Lengths of paths are not negative, so that their bits order them.
        let mut front: BinaryHeap<Reverse<(u64, VertexId)>> = seam.map(|v| Reverse((0, v))).collect();
        let mut reached: HashMap<VertexId, f64> = HashMap::new();
        while let Some(Reverse((bits, vertex))) = front.pop() {
            let far = f64::from_bits(bits);
            if reached.contains_key(&vertex) {
                continue;
            }
            reached.insert(vertex, far);
            for next in neighbours(cut, vertex) {
                let way = far + length(cut, vertex, next);
                if way <= depth && !reached.contains_key(&next) {
                    front.push(Reverse((way.to_bits(), next)));
                }
            }
        }
        reached.into_keys().collect()
    }
}

fn mean_edge(cut: &CutBody<'_>, seam: impl Iterator<Item = VertexId>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for vertex in seam {
        for next in neighbours(cut, vertex) {
            sum += length(cut, vertex, next);
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn length(cut: &CutBody<'_>, v: VertexId, w: VertexId) -> f64 {
    let way = sub(&cut.positions[v.index()], &cut.positions[w.index()]);
    dot(&way, &way).sqrt()
}

/// The other ends of the edges at a vertex.
fn neighbours(cut: &CutBody<'_>, vertex: VertexId) -> Vec<VertexId> {
    let body = cut.body;
    let mut found: Vec<VertexId> = if body.is_solid() {
        body.adjacency().tets_at(vertex).into_iter().flat_map(|t| body.tet(t)).collect()
    } else {
        body.adjacency().triangles_at(vertex).into_iter().flat_map(|t| body.triangle(t)).collect()
    };
    found.retain(|v| *v != vertex);
    found.sort_unstable();
    found.dedup();
    found
}
