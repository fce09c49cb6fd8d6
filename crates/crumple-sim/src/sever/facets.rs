//! Elements, and the facets between them.

use crumple::{EdgeId, Mesh, TetId, TriangleId, VertexId};
use glam::DVec3;

use crate::body::Body;

/// Every facet with two elements, as a pair of elements in order, and its vertices.
pub(super) fn facets(mesh: &Mesh) -> Vec<([u32; 2], Vec<u32>)> {
    let mut out = Vec::new();
    if mesh.is_solid() {
        let topology = mesh.tet_topology();
        for (t, corners) in mesh.tets().iter().enumerate() {
            for face in 0..4 {
                if let Some(other) = topology.neighbour(TetId(t as u32), face).filter(|o| o.index() > t) {
                    let vertices = (0..4).filter(|&k| k != face).map(|k| corners[k].0).collect();
                    out.push(([t as u32, other.0], vertices));
                }
            }
        }
    } else {
        let topology = mesh.topology();
        for (e, edge) in topology.edges().iter().enumerate() {
            if let &[a, b] = topology.triangles_of_edge(EdgeId(e as u32)) {
                out.push(([a.0.min(b.0), a.0.max(b.0)], edge.iter().map(|v| v.0).collect()));
            }
        }
    }
    out
}

/// The elements at a vertex.
pub(super) fn elements_at(mesh: &Mesh, v: u32) -> Vec<u32> {
    if mesh.is_solid() {
        mesh.tet_topology().tets_at(VertexId(v)).iter().map(|t| t.0).collect()
    } else {
        mesh.topology().triangles_at(VertexId(v)).iter().map(|t| t.0).collect()
    }
}

/// How many elements there are.
pub(super) fn count(mesh: &Mesh) -> usize {
    if mesh.is_solid() { mesh.tet_count() } else { mesh.triangle_count() }
}

/// The vertices of an element.
pub(super) fn corners(mesh: &Mesh, element: u32) -> &[VertexId] {
    if mesh.is_solid() { &mesh.tets()[element as usize] } else { &mesh.triangles()[element as usize] }
}

/// The middle of an element of a body.
pub(super) fn centre(body: &Body, x: &[DVec3], element: u32) -> DVec3 {
    let corners = corners(&body.mesh, element);
    corners.iter().map(|v| x[body.first + v.index()]).sum::<DVec3>() / corners.len() as f64
}

/// Whether two elements share a facet: all their vertices but one.
fn share_a_facet(mesh: &Mesh, a: u32, b: u32) -> bool {
    let (a, b) = (corners(mesh, a), corners(mesh, b));
    a.iter().filter(|v| b.contains(v)).count() + 1 >= a.len()
}

/// The elements round a vertex, in groups that still hang together; the one with the first element comes first.
pub(super) fn groups(mesh: &Mesh, severed: &[[u32; 2]], v: u32) -> Vec<Vec<u32>> {
    let elements = elements_at(mesh, v);
    let mut group: Vec<usize> = (0..elements.len()).collect();
    for i in 0..elements.len() {
        for j in 0..i {
            let pair = [elements[i].min(elements[j]), elements[i].max(elements[j])];
            let joined =
                share_a_facet(mesh, elements[i], elements[j]) && severed.binary_search(&pair).is_err();
            if joined && group[i] != group[j] {
                let (keep, drop) = (group[i].min(group[j]), group[i].max(group[j]));
                group.iter_mut().filter(|g| **g == drop).for_each(|g| *g = keep);
            }
        }
    }
    let mut leaders: Vec<usize> = group.clone();
    leaders.sort_unstable();
    leaders.dedup();
    let of = |leader: usize| (0..elements.len()).filter(move |&i| group[i] == leader);
    leaders.into_iter().map(|l| of.clone()(l).map(|i| elements[i]).collect()).collect()
}

/// A triangle's key or a tet's, by the element.
pub(super) enum Takers {
    Triangles(Vec<crumple::TriangleKey>),
    Tets(Vec<crumple::TetKey>),
}

pub(super) fn takers(mesh: &Mesh, elements: &[u32]) -> Takers {
    if mesh.is_solid() {
        Takers::Tets(elements.iter().map(|e| mesh.tet_key(TetId(*e))).collect())
    } else {
        Takers::Triangles(elements.iter().map(|e| mesh.triangle_key(TriangleId(*e))).collect())
    }
}
