//! Cutting a body along a blade, and fusing two.
//!
//! [`cut`] splits every edge that the blade passes through, so that no element reaches across it, and then gives the
//! elements on one side copies of the vertices on it, so that both sides can part. A blade that ends inside a body leaves
//! a slit: vertices at its tip stay one. [`fuse`] makes one body of two, welded where told. Elements that stay keep
//! their keys, vertices their ids.
//!
//! Right after a cut both sides touch everywhere. [`Scene::cut`](crate::Scene::cut) cuts a body where it is and keeps such
//! pairs out of the contacts until they have parted for the first time (B22 of the BucketTree paper, whose announced work
//! this is).
//!
//! ```
//! use crumple::Mesh;
//! use crumple::cut::{Blade, cut};
//! let positions = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
//! let triangle = Mesh::from_triangles("sheet", 3, &[[0, 1, 2]])?;
//! let blade = Blade::plane([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])?;
//! let halves = cut(&triangle, &positions, &blade)?;
//! assert_eq!(halves.body.topology().component_count(), 2);
//! assert_eq!(halves.seam.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How exact it is
//! Which edges are cut, and which side a vertex is on, is decided by exact signs; vertices and edges that lie on the
//! blade are used as they are. Where a crossing is, is rounded, so that the sides of a fresh cut are equal to each other, to
//! the bit, but not quite on the blade. Within an element the cut runs straight, so a bend of the blade inside one is
//! cut short.

mod blade;
mod fresh;
mod fuse;
mod lips;
mod part;

pub use blade::Blade;
#[doc(hidden)]
pub use fresh::FreshCuts;
pub use fuse::{Fused, coincident, fuse};
pub(crate) use lips::CutBody;

use std::collections::BTreeMap;

use crate::geometry::{Aabb, Point};
use crate::{
    BodyId, Changes, FrameError, MAX_COORDINATE, Mesh, MeshError, ParamError, TetId, TetKey, TriangleId,
    TriangleKey, VertexId,
};
use blade::Piece;

/// Why a body was not cut or fused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CutError {
    /// The blade is none.
    #[error(transparent)]
    Blade(#[from] ParamError),
    /// The positions do not fit the body; it is called body 0.
    #[error(transparent)]
    Positions(#[from] FrameError),
    /// The body does not allow it.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// A body after a cut.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The next version.
    pub body: Mesh,
    /// What changed since the version before.
    pub changes: Changes,
    /// Positions of all its vertices: those given, then the new ones.
    pub positions: Vec<Point>,
    /// Vertices that were one before the cut: the original and a copy. A vertex with several copies is in several rows.
    pub seam: Vec<[VertexId; 2]>,
}

/// Cuts a surface or a tetrahedral body along a blade.
///
/// A blade that meets nothing leaves everything as it is, in a new version. Every element's box is looked at once; where a
/// structure knows which elements are near the blade, [`Scene::cut`](crate::Scene::cut) visits those only.
pub fn cut(body: &Mesh, positions: &[Point], blade: &Blade) -> Result<Cut, CutError> {
    check(body, positions)?;
    let mut positions = positions.to_vec();
    let near = triangles_near(body, &positions, blade);
    let Incision { body, changes, seam } = cut_near(body, &mut positions, blade, &near)?;
    Ok(Cut { body, changes, positions, seam })
}

/// A body after a cut, without its positions.
pub(crate) struct Incision {
    pub body: Mesh,
    pub changes: Changes,
    pub seam: Vec<[VertexId; 2]>,
}

/// The elements (tets, or triangles of a surface) whose boxes the blade may meet.
pub(crate) fn triangles_near(body: &Mesh, positions: &[Point], blade: &Blade) -> Vec<u32> {
    fn of<const N: usize>(elements: &[[VertexId; N]], positions: &[Point], blade: &Blade) -> Vec<u32> {
        let is_near = |(_, corners): &(u32, &[VertexId; N])| {
            blade.may_meet(&Aabb::of(&corners.map(|v| positions[v.index()])))
        };
        (0..).zip(elements).filter(is_near).map(|(element, _)| element).collect()
    }
    if body.is_solid() { of(body.tets(), positions, blade) } else { of(body.triangles(), positions, blade) }
}

/// Cuts a body, of which only these elements (tets, or triangles of a surface) are near the blade, and appends the positions
/// of the new vertices. Costs what is near.
pub(crate) fn cut_near(
    body: &Mesh,
    positions: &mut Vec<Point>,
    blade: &Blade,
    near: &[u32],
) -> Result<Incision, MeshError> {
    let (vertices, edges) = vertices_and_edges(body, near);
    let on_blade = vertices.iter().filter_map(|v| Some((*v, blade.piece_at(&positions[v.index()])?)));
    let mut pieces: BTreeMap<VertexId, Piece> = on_blade.collect();
    let mut edit = body.edit();
    let mut crossings = Vec::new();
    for [a, b] in edges {
        crossings.clear();
        blade.crossings(&positions[a.index()], &positions[b.index()], &mut crossings);
        let (mut from, mut done) = (a, 0.0);
        for &(at, piece) in &crossings {
            // The part of what is left of the edge.
            let rest = ((at - done) / (1.0 - done)).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            from = edit.split_edge(from, b, rest)?;
            done = at;
            pieces.insert(from, piece);
        }
    }
    let (split, first) = edit.finish();
    first.extend_positions(positions);
    let parted = part::part(&split, positions, &pieces, blade)?;
    parted.changes.extend_positions(positions);
    let changes = joined(body, first, parted.changes, &parted.body);
    Ok(Incision { body: parted.body, changes, seam: parted.seam })
}

/// The vertices and edges of some elements, each once, sorted.
fn vertices_and_edges(body: &Mesh, elements: &[u32]) -> (Vec<VertexId>, Vec<[VertexId; 2]>) {
    let (mut vertices, mut edges) = (Vec::new(), Vec::new());
    let mut add = |corners: &[VertexId]| {
        vertices.extend_from_slice(corners);
        for (i, &v) in corners.iter().enumerate() {
            edges.extend(corners[i + 1..].iter().filter(|&&w| w != v).map(|&w| [v.min(w), v.max(w)]));
        }
    };
    for &e in elements {
        if body.is_solid() { add(&body.tet(TetId(e))) } else { add(&body.triangle(TriangleId(e))) }
    }
    vertices.sort_unstable();
    vertices.dedup();
    edges.sort_unstable();
    edges.dedup();
    (vertices, edges)
}

fn check(body: &Mesh, positions: &[Point]) -> Result<(), FrameError> {
    let (given, expected) = (positions.len(), body.vertex_count());
    if given != expected {
        return Err(FrameError::VertexCount { body: BodyId(0), given, expected });
    }
    match positions.iter().position(|p| p.iter().any(|x| x.is_nan() || x.abs() > MAX_COORDINATE)) {
        None => Ok(()),
        Some(v) => {
            let (body, vertex, position) = (BodyId(0), VertexId(v as u32), positions[v]);
            let is_finite = position.iter().all(|x| x.is_finite());
            Err(if is_finite {
                FrameError::TooLarge { body, vertex, position }
            } else {
                FrameError::NotFinite { body, vertex, position }
            })
        }
    }
}

/// Two edits in a row as one.
fn joined(before: &Mesh, first: Changes, second: Changes, after: &Mesh) -> Changes {
    fn both<T: Ord>(mut a: Vec<T>, b: Vec<T>, keep: impl Fn(&T) -> bool) -> Vec<T> {
        a.extend(b);
        a.retain(keep);
        a.sort_unstable();
        a.dedup();
        a
    }
    let triangle_was = |k: &TriangleKey| before.triangle_with_key(*k).is_some();
    let triangle_stays = |k: &TriangleKey| triangle_was(k) && after.triangle_with_key(*k).is_some();
    let tet_was = |k: &TetKey| before.tet_with_key(*k).is_some();
    let tet_stays = |k: &TetKey| tet_was(k) && after.tet_with_key(*k).is_some();
    // Ids and keys given out later are larger, so these lists stay sorted.
    fn chain<T>(mut a: Vec<T>, b: Vec<T>) -> Vec<T> {
        a.extend(b);
        a
    }
    Changes {
        vertices: chain(first.vertices, second.vertices),
        triangles_removed: both(first.triangles_removed, second.triangles_removed, triangle_was),
        triangles_added: chain(first.triangles_added, second.triangles_added),
        triangles_changed: both(first.triangles_changed, second.triangles_changed, triangle_stays),
        tets_removed: both(first.tets_removed, second.tets_removed, tet_was),
        tets_added: chain(first.tets_added, second.tets_added),
        tets_changed: both(first.tets_changed, second.tets_changed, tet_stays),
    }
}
