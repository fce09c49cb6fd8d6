//! Making one body of two.

use std::collections::HashMap;

use super::{CutError, check};
use crate::geometry::{Aabb, Point};
use crate::methods::bucket_tree::{BucketTreeParams, PrimitiveTree};
use crate::{Changes, Mesh, MeshError, TetKey, TriangleKey, VertexId};

/// Two bodies as one.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Fused {
    /// The next version of the first body, with the second in it.
    pub body: Mesh,
    /// What changed in the first body.
    pub changes: Changes,
    /// Positions of all its vertices.
    pub positions: Vec<Point>,
    /// What each vertex of the second body is called now.
    pub vertices: Vec<VertexId>,
    /// What each triangle of the second body is called now, by its id there. Empty for tetrahedral bodies, whose
    /// triangles follow from the tets.
    pub triangles: Vec<TriangleKey>,
    /// What each tet of the second body is called now, by its id there.
    pub tets: Vec<TetKey>,
}

/// Makes one body of two surfaces or of two tetrahedral bodies. Names of the first stay as they are.
///
/// `weld` pairs vertices of the first with vertices of the second that become one, at the place of the first; see
/// [`coincident`]. Nothing else is joined, so without it the body has more components than before.
pub fn fuse(
    (a, positions_a): (&Mesh, &[Point]),
    (b, positions_b): (&Mesh, &[Point]),
    weld: &[(VertexId, VertexId)],
) -> Result<Fused, CutError> {
    check(a, positions_a)?;
    check(b, positions_b)?;
    if a.is_solid() != b.is_solid() && !b.triangles().is_empty() {
        let why = "a surface and a tetrahedral body cannot be one";
        return Err(MeshError::BadEdit { element: "triangle", key: 0, why }.into());
    }
    let mut welded: HashMap<VertexId, VertexId> = HashMap::new();
    for &(to, from) in weld {
        for (vertex, count) in [(to, a.vertex_count()), (from, b.vertex_count())] {
            if vertex.index() >= count {
                return Err(MeshError::NoSuchElement { element: "vertex", key: vertex.0 }.into());
            }
        }
        welded.insert(from, to);
    }
    let mut edit = a.edit();
    let mut positions = positions_a.to_vec();
    let mut vertices = Vec::with_capacity(b.vertex_count());
    for (v, p) in positions_b.iter().enumerate() {
        let name = welded.get(&VertexId(v as u32)).copied().unwrap_or_else(|| {
            positions.push(*p);
            edit.add_vertex()
        });
        vertices.push(name);
    }
    let (mut triangles, mut tets) = (Vec::new(), Vec::new());
    if b.is_solid() {
        for tet in b.tets() {
            tets.push(edit.add_tet(tet.map(|v| vertices[v.index()]))?);
        }
    } else {
        for triangle in b.triangles() {
            triangles.push(edit.add_triangle(triangle.map(|v| vertices[v.index()]))?);
        }
    }
    let (body, changes) = edit.finish();
    Ok(Fused { body, changes, positions, vertices, triangles, tets })
}

/// Pairs of a vertex of the first and one of the second whose positions differ by at most `within` on each axis, each
/// vertex in one pair at most: every vertex of the second takes the nearest that is free, in the order of ids.
pub fn coincident(a: &[Point], b: &[Point], within: f64) -> Vec<(VertexId, VertexId)> {
    let Ok(mut tree) = PrimitiveTree::new(BucketTreeParams::default()) else { return Vec::new() };
    let mut names = HashMap::new();
    for (v, p) in a.iter().enumerate() {
        // Positions that are no numbers coincide with nothing.
        if let Ok(name) = tree.insert(*p) {
            names.insert(name, VertexId(v as u32));
        }
    }
    let (mut pairs, mut near) = (Vec::new(), Vec::new());
    for (v, p) in b.iter().enumerate() {
        let query = Aabb { min: p.map(|x| x - within), max: p.map(|x| x + within) };
        tree.in_box(&query, &mut near);
        let distance = |q: &Point| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>();
        let best = near
            .iter()
            .filter_map(|id| tree.get(*id).map(|q| (distance(q), names[id], *id)))
            .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        if let Some((_, name, id)) = best {
            tree.remove(id);
            pairs.push((name, VertexId(v as u32)));
        }
    }
    pairs
}
