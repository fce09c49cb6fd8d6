//! Rows in the order of their ids: by counting first ids, then comparing what few have the same.
//!
//! Comparing rows of 72 bytes took a sixth of a frame with a million pairs.

use crate::counting_sort::CountingSort;
use crate::{EdgeEdge, Proximity, VertexTriangle};

/// Memory for sorting, used again.
#[derive(Debug, Clone, Default)]
pub(super) struct SortScratch {
    slots: Vec<u32>,
    counted: CountingSort,
    order: Vec<u32>,
    vertex_triangles: Vec<VertexTriangle>,
    edge_edges: Vec<EdgeEdge>,
}

/// Fewer rows are compared at once.
const FEW: usize = 256;

impl SortScratch {
    /// Sorts pairs of bodies that have so many vertices.
    pub fn sort(&mut self, out: &mut Proximity, vertices: usize) {
        let Proximity { vertex_triangles, edge_edges } = out;
        if vertex_triangles.len() <= FEW {
            vertex_triangles.sort_unstable_by_key(|p| (p.vertex, p.triangle));
        } else {
            self.slots.clear();
            self.slots.extend(vertex_triangles.iter().map(|p| p.vertex.0));
            self.put_in_order(vertices, |i| u64::from(vertex_triangles[i as usize].triangle.0));
            refill(&self.order, vertex_triangles, &mut self.vertex_triangles);
        }
        if edge_edges.len() <= FEW {
            edge_edges.sort_unstable_by_key(|p| (p.a, p.b));
        } else {
            self.slots.clear();
            self.slots.extend(edge_edges.iter().map(|p| p.a[0].0));
            // Both ends of b and the second of a: three ids, of which the first and the last are compared only where needed.
            self.put_in_order(vertices, |i| {
                let row = &edge_edges[i as usize];
                u64::from(row.a[1].0) << 32 | u64::from(row.b[0].0)
            });
            let last = |i: &u32| edge_edges[*i as usize].b[1];
            let is_same = |i: &u32, j: &u32| {
                let [p, q] = [i, j].map(|i| &edge_edges[*i as usize]);
                (p.a, p.b[0]) == (q.a, q.b[0])
            };
            for rows in self.order.chunk_by_mut(is_same) {
                rows.sort_unstable_by_key(last);
            }
            refill(&self.order, edge_edges, &mut self.edge_edges);
        }
    }

    /// Rows by slot, and within one by key.
    fn put_in_order(&mut self, vertices: usize, key: impl Fn(u32) -> u64) {
        self.counted.fill(&self.slots, vertices);
        self.order.clear();
        self.order.extend_from_slice(self.counted.items());
        for v in 0..vertices {
            self.order[self.counted.range(v..v + 1)].sort_unstable_by_key(|&i| key(i));
        }
    }
}

/// Puts the rows in this order.
fn refill<T: Clone>(order: &[u32], rows: &mut Vec<T>, spare: &mut Vec<T>) {
    spare.clear();
    spare.extend(order.iter().map(|&i| rows[i as usize].clone()));
    std::mem::swap(rows, spare);
}
