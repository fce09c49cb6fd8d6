//! Pairs followed from frame to frame: which are new, which stay, which are gone.

use super::{CloseEdgeEdge, ClosePairs, CloseVertexTriangle};
use crate::{BodyId, Scene, TriangleKey, VertexId};

/// What became of the rows of one list. Rows are named by their places in the last list and in this one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RowChanges {
    /// Rows of this list that the last one did not have.
    pub new: Vec<u32>,
    /// Rows that both have: the place in the last list, and in this one.
    pub kept: Vec<[u32; 2]>,
    /// Rows of the last list that are gone.
    pub gone: Vec<u32>,
}

/// Follows close pairs from frame to frame, so that a solver finds what it knows of a pair again.
///
/// A pair is known by its bodies, its vertices and the key of its triangle, which last when bodies are removed, cut or edited.
///
/// ```
/// use crumple::{Closeness, Mesh, PairHistory, Scene};
/// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
/// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
/// # let mut scene = Scene::new();
/// # scene.add(triangle("low")?, &at(0.0)[..])?;
/// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
/// let mut history = PairHistory::default();
/// history.follow(&scene.proximity(&Closeness::below(1.5))?, &scene)?;
/// assert_eq!(history.vertex_triangles.new.len(), 6);
/// scene.set_positions(high, &[[1.0, 1.0, 1.0], [1.0, 1.0, 9.0], [2.0, 1.0, 9.0]][..])?;
/// history.follow(&scene.proximity(&Closeness::below(1.5))?, &scene)?;
/// assert_eq!((history.vertex_triangles.kept.len(), history.vertex_triangles.gone.len()), (1, 5));
/// # Ok::<(), crumple::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PairHistory {
    /// What became of vertices and triangles in the last call.
    pub vertex_triangles: RowChanges,
    /// What became of edges and edges.
    pub edge_edges: RowChanges,
    last: Keys,
    now: Keys,
}

/// The keys of rows with their places, in order.
#[derive(Debug, Clone, Default)]
struct Keys {
    vertex_triangles: Vec<(VertexTriangleKey, u32)>,
    edge_edges: Vec<(EdgeEdgeKey, u32)>,
}

type VertexTriangleKey = (BodyId, VertexId, BodyId, TriangleKey);
type EdgeEdgeKey = (BodyId, [VertexId; 2], BodyId, [VertexId; 2]);

impl PairHistory {
    /// Compares this frame's pairs with those of the last call. The buffers are reused.
    pub fn follow(&mut self, pairs: &ClosePairs, scene: &Scene) -> Result<(), crate::Error> {
        self.now.vertex_triangles.clear();
        for (row, place) in pairs.vertex_triangles.iter().zip(0..) {
            let CloseVertexTriangle { vertex, triangle, .. } = row;
            let key = scene.mesh(triangle.body)?.triangle_key(triangle.id);
            self.now.vertex_triangles.push(((vertex.body, vertex.id, triangle.body, key), place));
        }
        self.now.edge_edges.clear();
        let key = |p: &CloseEdgeEdge| (p.a.body, p.a.id, p.b.body, p.b.id);
        self.now.edge_edges.extend(pairs.edge_edges.iter().map(key).zip(0..));
        self.vertex_triangles.compare(&self.last.vertex_triangles, &mut self.now.vertex_triangles);
        self.edge_edges.compare(&self.last.edge_edges, &mut self.now.edge_edges);
        std::mem::swap(&mut self.last, &mut self.now);
        Ok(())
    }
}

impl RowChanges {
    /// Walks through two lists in the order of their keys.
    fn compare<K: Ord + Copy>(&mut self, last: &[(K, u32)], now: &mut [(K, u32)]) {
        if !now.is_sorted() {
            now.sort_unstable();
        }
        let Self { new, kept, gone } = self;
        new.clear();
        kept.clear();
        gone.clear();
        let (mut i, mut j) = (0, 0);
        while i < last.len() && j < now.len() {
            match last[i].0.cmp(&now[j].0) {
                std::cmp::Ordering::Less => gone.push(last[i].1),
                std::cmp::Ordering::Greater => new.push(now[j].1),
                std::cmp::Ordering::Equal => kept.push([last[i].1, now[j].1]),
            }
            let (a, b) = (last[i].0, now[j].0);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        gone.extend(last[i..].iter().map(|(_, place)| *place));
        new.extend(now[j..].iter().map(|(_, place)| *place));
        [new, gone].into_iter().for_each(|rows| rows.sort_unstable());
        kept.sort_unstable_by_key(|[_, now]| *now);
    }
}
