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
//! blade are used as they are; so are vertices to which it comes within a billionth of an edge, since there a crossing would be rounded
//! onto the vertex, and elements without volume would touch each other. Where a crossing is, is rounded, so that the sides of a fresh cut are equal to each other, to
//! the bit, but not quite on the blade. Within an element the cut runs straight, so a bend of the blade inside one is
//! cut short. Edges that a bent blade passes through more than once are split between the passages first, until each part
//! is passed through once at most; what meets no edge, such as a needle through a face, cuts nothing. A blade that
//! crosses itself within the body meets some edge twice however short it is: that is an error.

mod blade;
mod fresh;
mod fuse;
mod lips;
mod near;
mod part;
mod sheet;

pub use blade::Blade;
#[doc(hidden)]
pub use fresh::FreshCuts;
pub use fuse::{Fused, coincident, fuse};
pub(crate) use lips::CutBody;
pub(crate) use near::ElementBoxes;

use std::collections::BTreeSet;

use crate::geometry::Point;
use crate::{
    BodyId, Changes, Edit, FrameError, MAX_COORDINATE, Mesh, MeshError, ParamError, TetId, TetKey,
    TriangleId, TriangleKey, VertexId,
};

/// Why a body was not cut or fused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
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
/// A blade that meets nothing leaves everything as it is, in a new version. Every element's box is looked at once;
/// [`Scene::cut`](crate::Scene::cut) knows from earlier questions and cuts which elements are near the blade, and visits those only.
pub fn cut(body: &Mesh, positions: &[Point], blade: &Blade) -> Result<Cut, CutError> {
    check(body, positions)?;
    let mut positions = positions.to_vec();
    let near = ElementBoxes::default().near(body, &positions, blade);
    let Incision { body, changes, seam } = cut_near(body, &mut positions, blade, &near)?;
    Ok(Cut { body, changes, positions, seam })
}

/// A body of a scene after a cut; its positions are in the scene.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Incision {
    /// The next version.
    pub body: Mesh,
    /// What changed since the version before.
    pub changes: Changes,
    /// Vertices that were one before the cut, as in [`Cut::seam`].
    pub seam: Vec<[VertexId; 2]>,
}

/// A crossing within this part of an edge from its end is at the end.
const NEARLY: f64 = 1e-9;

/// How often edges that the blade crosses more than once are halved before it counts as crossing itself.
const ROUNDS: usize = 8;

/// Cuts a body, of which only these elements (tets, or triangles of a surface) are near the blade, and appends the positions
/// of the new vertices. Costs what is near.
pub(crate) fn cut_near(
    body: &Mesh,
    positions: &mut Vec<Point>,
    blade: &Blade,
    near: &[u32],
) -> Result<Incision, CutError> {
    let (mut now, mut near, mut changes) = (body.clone(), near.to_vec(), Changes::default());
    let mut rounds = 0;
    let (split, mut on_blade) = loop {
        let (vertices, edges) = vertices_and_edges(&now, &near);
        let mut on_blade: BTreeSet<VertexId> =
            vertices.into_iter().filter(|v| blade.contains(&positions[v.index()])).collect();
        let crossed = crossed_edges(positions, blade, edges, &mut on_blade);
        if crossed.iter().all(|e| !e.is_crossed_again()) {
            break (split_at_crossings(&now, &crossed)?, on_blade);
        }
        if rounds == ROUNDS {
            let edge = crossed.iter().find(|e| e.is_crossed_again()).expect("one is").ends.map(|v| v.0);
            return Ok(blade::wrong(
                "blade",
                format!("edge {edge:?} is crossed again and again"),
                "a blade that does not cross itself within the body",
            )?);
        }
        rounds += 1;
        let (next, more) = halved_between(&now, &crossed)?;
        more.extend_positions(positions);
        near = followed(&now, &near, &next, &more);
        changes = joined(body, changes, more, &next);
        now = next;
    };
    let SplitBody { body: split, changes: more, born } = split;
    more.extend_positions(positions);
    changes = joined(body, changes, more, &split);
    on_blade.extend(born);
    let parted = part::part(&split, positions, &on_blade, blade)?;
    parted.changes.extend_positions(positions);
    let changes = joined(body, changes, parted.changes, &parted.body);
    Ok(Incision { body: parted.body, changes, seam: parted.seam })
}

/// An edge that the blade passes through between its ends.
struct CrossedEdge {
    ends: [VertexId; 2],
    /// Where, as parts of the way, in order.
    at: Vec<f64>,
    /// Which ends are on the blade themselves.
    is_on: [bool; 2],
}

impl CrossedEdge {
    /// Whether it meets the blade in more than one place.
    fn is_crossed_again(&self) -> bool {
        self.at.len() + self.is_on.iter().filter(|is| **is).count() > 1
    }

    /// Places between those where it meets the blade.
    fn between(&self) -> Vec<f64> {
        let first = self.is_on[0].then_some(0.0);
        let last = self.is_on[1].then_some(1.0);
        let all: Vec<f64> = first.into_iter().chain(self.at.iter().copied()).chain(last).collect();
        all.windows(2).map(|w| 0.5 * (w[0] + w[1])).collect()
    }
}

/// Where the blade passes through edges. Ends that it nearly meets are taken as `on_blade` from here on.
fn crossed_edges(
    positions: &[Point],
    blade: &Blade,
    edges: Vec<[VertexId; 2]>,
    on_blade: &mut BTreeSet<VertexId>,
) -> Vec<CrossedEdge> {
    let mut crossed = Vec::new();
    for ends in edges {
        let mut at = Vec::new();
        let [a, b] = ends.map(|v| positions[v.index()]);
        blade.crossings(&a, &b, &mut at);
        on_blade.extend(at.iter().filter_map(|&at| nearly_at_end(at).map(|end| ends[end])));
        if !at.is_empty() {
            crossed.push(CrossedEdge { ends, at, is_on: [false; 2] });
        }
    }
    crossed.retain_mut(|edge| {
        edge.is_on = edge.ends.map(|v| on_blade.contains(&v));
        // A plane passes once.
        let is_met = blade.is_plane() && edge.is_on != [false; 2];
        edge.at.retain(|&at| !is_met && nearly_at_end(at).is_none());
        !edge.at.is_empty()
    });
    crossed
}

/// The end of an edge that a part of the way is next to.
fn nearly_at_end(at: f64) -> Option<usize> {
    [at, 1.0 - at].iter().position(|&away| away < NEARLY)
}

/// The body with vertices between the places where one edge meets the blade, so that parts of edges meet it less often.
fn halved_between(body: &Mesh, crossed: &[CrossedEdge]) -> Result<(Mesh, Changes), MeshError> {
    let mut edit = body.edit();
    for edge in crossed.iter().filter(|e| e.is_crossed_again()) {
        split_at(&mut edit, edge.ends, &edge.between(), |_| ())?;
    }
    Ok(edit.finish())
}

struct SplitBody {
    body: Mesh,
    changes: Changes,
    /// The new vertices, all on the blade.
    born: Vec<VertexId>,
}

fn split_at_crossings(body: &Mesh, crossed: &[CrossedEdge]) -> Result<SplitBody, MeshError> {
    let mut edit = body.edit();
    let mut born = Vec::new();
    for edge in crossed {
        split_at(&mut edit, edge.ends, &edge.at, |v| born.push(v))?;
    }
    let (body, changes) = edit.finish();
    Ok(SplitBody { body, changes, born })
}

/// Splits an edge at ascending parts of the way.
fn split_at(
    edit: &mut Edit,
    [a, b]: [VertexId; 2],
    all: &[f64],
    mut born: impl FnMut(VertexId),
) -> Result<(), MeshError> {
    let (mut from, mut done) = (a, 0.0);
    for &at in all {
        // The part of what is left of the edge.
        let rest = ((at - done) / (1.0 - done)).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        from = edit.split_edge(from, b, rest)?;
        done = at;
        born(from);
    }
    Ok(())
}

/// Those of the elements that are still there, and what was added.
fn followed(body: &Mesh, near: &[u32], next: &Mesh, changes: &Changes) -> Vec<u32> {
    let mut now: Vec<u32> = if body.is_solid() {
        let kept = near.iter().map(|&t| body.tet_key(TetId(t)));
        let all = kept.chain(changes.tets_added.iter().map(|a| a.key));
        all.filter_map(|key| Some(next.tet_with_key(key)?.0)).collect()
    } else {
        let kept = near.iter().map(|&t| body.triangle_key(TriangleId(t)));
        let all = kept.chain(changes.triangles_added.iter().map(|a| a.key));
        all.filter_map(|key| Some(next.triangle_with_key(key)?.0)).collect()
    };
    now.sort_unstable();
    now.dedup();
    now
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
