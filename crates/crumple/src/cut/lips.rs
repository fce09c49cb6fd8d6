//! What is near a seam: the lips of a cut.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::Cut;
use crate::VertexId;
use crate::geometry::vector::{dot, sub};

/// The default depth, in mean edges at the seam.
const EDGES: f64 = 2.0;

/// The lips of a fresh cut.
pub(super) struct Lips;

impl Lips {
    /// The vertices at most `depth` from the seam, along edges. Costs what the lips cost, not what the body costs, once
    /// the body's topology is known.
    pub fn of(cut: &Cut, depth: Option<f64>) -> Vec<VertexId> {
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

fn mean_edge(cut: &Cut, seam: impl Iterator<Item = VertexId>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for vertex in seam {
        for next in neighbours(cut, vertex) {
            sum += length(cut, vertex, next);
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn length(cut: &Cut, v: VertexId, w: VertexId) -> f64 {
    let way = sub(&cut.positions[v.index()], &cut.positions[w.index()]);
    dot(&way, &way).sqrt()
}

/// The other ends of the edges at a vertex; of tets, one may come several times.
fn neighbours(cut: &Cut, vertex: VertexId) -> Vec<VertexId> {
    if !cut.body.is_solid() {
        return cut.body.topology().neighbours(vertex).collect();
    }
    let tets = cut.body.tet_topology().tets_at(vertex).iter();
    tets.flat_map(|t| cut.body.tets()[t.index()]).filter(|v| *v != vertex).collect()
}
