//! Edits: the next version of a body, with names that last and a list of what changed.
//!
//! A body never changes. [`Mesh::edit`] collects changes and [`Edit::finish`] makes the next version: elements
//! that stay keep their [`TriangleKey`] or [`TetKey`], removed keys never come back, new ones are larger than all before.
//! Ids stay dense: the last element takes the id of one that is removed. Vertices are only ever added, so a vertex id is its own
//! stable key.
//!
//! Versions share what they have in common. The first edit of a body finds its neighbourhoods, in O(n); from then on k changes
//! cost O(k), times the stars of the vertices that they touch, whatever the body's size, in its lists, keys, boundary and
//! [adjacency](Mesh::adjacency).
//!
//! ```
//! use crumple::{Mesh, TriangleKey, VertexId};
//! let square = Mesh::from_triangles("square", 4, &[[0, 1, 2], [0, 2, 3]])?;
//! let mut edit = square.edit();
//! edit.split_edge(VertexId(0), VertexId(2), 0.5)?;
//! let (cut, changes) = edit.finish();
//! assert_eq!(cut.triangles().len(), 4);
//! assert_eq!(changes.triangles_removed, [TriangleKey(0), TriangleKey(1)]);
//! # Ok::<(), crumple::MeshError>(())
//! ```

use super::changes::{Added, Changes, NewVertex};
use super::draft::{Draft, Origin};
use super::elements::Mesh;
use super::log::ChangedRows;
use crate::{MeshError, TetKey, TriangleKey, VertexId};

/// Changes to a body, collected until [`Edit::finish`].
#[derive(Debug)]
pub struct Edit {
    base: Mesh,
    draft: Draft,
    new_vertices: Vec<NewVertex>,
    triangles: Ledger<TriangleKey>,
    tets: Ledger<TetKey>,
}

/// What was done to the elements of one kind.
#[derive(Debug)]
struct Ledger<K> {
    removed: Vec<K>,
    added: Vec<Added<K>>,
    changed: Vec<K>,
}

impl<K> Default for Ledger<K> {
    fn default() -> Self {
        Self { removed: Vec::new(), added: Vec::new(), changed: Vec::new() }
    }
}

impl<K: Copy + Ord> Ledger<K> {
    /// The lists as they are handed out. `is_old` and `is_there` say whether a key was there before and is there now.
    fn finish(
        mut self,
        is_old: impl Fn(K) -> bool,
        is_there: impl Fn(K) -> bool,
    ) -> (Vec<K>, Vec<Added<K>>, Vec<K>) {
        self.removed.retain(|&k| is_old(k));
        self.changed.retain(|&k| is_old(k) && is_there(k));
        for list in [&mut self.removed, &mut self.changed] {
            list.sort_unstable();
            list.dedup();
        }
        (self.removed, self.added, self.changed)
    }
}

impl Mesh {
    /// Starts an edit of this body.
    pub fn edit(&self) -> Edit {
        let mut parts = self.parts().clone();
        if self.is_solid() {
            parts.find_face_triangles();
        }
        let draft = Draft { parts, adjacency: self.adjacency().clone(), changed: ChangedRows::default() };
        Edit {
            base: self.clone(),
            draft,
            new_vertices: Vec::new(),
            triangles: Ledger::default(),
            tets: Ledger::default(),
        }
    }
}

impl Edit {
    /// Adds a vertex that nothing uses yet; its position comes with the next frame.
    pub fn add_vertex(&mut self) -> VertexId {
        self.birth(Vec::new())
    }

    /// Adds a vertex that nothing uses yet, and says where it is: [`Changes::extend_positions`] and
    /// [`Scene::edit`](crate::Scene::edit) put it there.
    pub fn add_vertex_at(&mut self, position: [f64; 3]) -> VertexId {
        let vertex = self.birth(Vec::new());
        self.new_vertices.last_mut().expect("born just now").at = Some(position);
        vertex
    }

    /// Adds a copy of a vertex and gives it to the named triangles, which let go of the original: the elementary
    /// step of a cut.
    pub fn duplicate_vertex(
        &mut self,
        vertex: VertexId,
        takers: &[TriangleKey],
    ) -> Result<VertexId, MeshError> {
        self.check_surface()?;
        self.check_vertex(vertex)?;
        for &key in takers {
            check_user("triangle", key.0, self.triangle(key)?.contains(&vertex))?;
        }
        let copy = self.birth(vec![(vertex, 1.0)]);
        for &key in takers {
            let corners = self.triangle(key)?.map(|v| if v == vertex { copy.0 } else { v.0 });
            let id = self.triangle_id(key)?;
            self.draft.set_triangle(id, corners);
            self.triangles.changed.push(key);
        }
        Ok(copy)
    }

    /// As [`Edit::duplicate_vertex`], for tets.
    pub fn duplicate_vertex_of_tets(
        &mut self,
        vertex: VertexId,
        takers: &[TetKey],
    ) -> Result<VertexId, MeshError> {
        self.check_vertex(vertex)?;
        for &key in takers {
            check_user("tet", key.0, self.tet(key)?.contains(&vertex))?;
        }
        let copy = self.birth(vec![(vertex, 1.0)]);
        for &key in takers {
            let corners = self.tet(key)?.map(|v| if v == vertex { copy.0 } else { v.0 });
            let id = self.tet_id(key)?;
            self.draft.set_tet(id, corners);
            self.tets.changed.push(key);
        }
        Ok(copy)
    }

    /// Adds a triangle to a surface.
    pub fn add_triangle(&mut self, corners: [VertexId; 3]) -> Result<TriangleKey, MeshError> {
        self.check_surface()?;
        corners.iter().try_for_each(|&v| self.check_vertex(v))?;
        let polygon = self.draft.parts.polygon_count;
        self.draft.parts.polygon_count += 1;
        Ok(self.put_triangle(corners.map(|v| v.0), polygon, None))
    }

    /// Removes a triangle of a surface.
    pub fn remove_triangle(&mut self, key: TriangleKey) -> Result<(), MeshError> {
        self.check_surface()?;
        let id = self.triangle_id(key)?;
        self.draft.remove_triangle(id);
        self.triangles.removed.push(key);
        Ok(())
    }

    /// Adds a tet. A surface or bare points cannot take tets: that would renumber their triangles.
    pub fn add_tet(&mut self, corners: [VertexId; 4]) -> Result<TetKey, MeshError> {
        if !self.base.is_solid() {
            let key = self.draft.parts.tets.next_key;
            return Err(MeshError::BadEdit { element: "tet", key, why: "the body has no tets" });
        }
        corners.iter().try_for_each(|&v| self.check_vertex(v))?;
        Ok(self.put_tet(corners.map(|v| v.0), None))
    }

    /// Removes a tet; the boundary follows.
    pub fn remove_tet(&mut self, key: TetKey) -> Result<(), MeshError> {
        let id = self.tet_id(key)?;
        self.draft.remove_tet(id);
        self.tets.removed.push(key);
        Ok(())
    }

    /// Puts a vertex on an edge, `at` of the way from `a` to `b`, and splits every element that has the edge in
    /// two. Returns the new vertex.
    pub fn split_edge(&mut self, a: VertexId, b: VertexId, at: f64) -> Result<VertexId, MeshError> {
        self.check_vertex(a)?;
        self.check_vertex(b)?;
        let Draft { parts, adjacency, .. } = &self.draft;
        let (mut triangles, mut tets) = (Vec::new(), Vec::new());
        if self.base.is_solid() {
            let corners = |t: u32| parts.tets.corners.get(t as usize);
            let with_edge = adjacency.tets.sorted(a.0).into_iter().filter(|&t| corners(t).contains(&b.0));
            tets.extend(with_edge.map(|t| TetKey(parts.tets.key(t))));
        } else {
            let corners = |t: u32| parts.triangles.corners.get(t as usize);
            let star = adjacency.triangles.sorted(a.0).into_iter();
            let with_edge = star.filter(|&t| corners(t).contains(&b.0));
            triangles.extend(with_edge.map(|t| TriangleKey(parts.triangles.key(t))));
        }
        if a == b || triangles.is_empty() && tets.is_empty() {
            return Err(MeshError::NoSuchElement { element: "edge to vertex", key: b.0 });
        }
        triangles.sort_unstable();
        tets.sort_unstable();
        let middle = self.birth(vec![(a, 1.0 - at), (b, at)]);
        for key in triangles {
            self.split_triangle(key, &[a, b], middle)?;
        }
        for key in tets {
            self.split_one_tet(key, &[a, b], middle)?;
        }
        Ok(middle)
    }

    /// Puts a vertex inside a tet, at the given weights, and splits it in four.
    pub fn split_tet(&mut self, key: TetKey, weights: [f64; 4]) -> Result<VertexId, MeshError> {
        let corners = self.tet(key)?;
        let middle = self.birth(corners.into_iter().zip(weights).collect());
        self.split_one_tet(key, &corners, middle)?;
        Ok(middle)
    }

    /// The corners of a triangle as they are now, within the edit.
    pub fn triangle(&self, key: TriangleKey) -> Result<[VertexId; 3], MeshError> {
        let id = self.triangle_id(key)?;
        Ok(self.draft.parts.triangles.corners.get(id as usize).map(VertexId))
    }

    /// The corners of a tet as they are now, within the edit.
    pub fn tet(&self, key: TetKey) -> Result<[VertexId; 4], MeshError> {
        let id = self.tet_id(key)?;
        Ok(self.draft.parts.tets.corners.get(id as usize).map(VertexId))
    }

    /// The next version of the body, and what changed.
    pub fn finish(mut self) -> (Mesh, Changes) {
        if self.base.is_solid() {
            let Ledger { removed, added, changed } = &self.tets;
            let added = added.iter().map(|a| a.key);
            let mut tets: Vec<u32> =
                removed.iter().chain(changed).copied().chain(added).map(|k| k.0).collect();
            tets.sort_unstable();
            tets.dedup();
            let border = self.draft.renew_boundary(&self.base, &tets);
            let named = |keys: Vec<u32>| keys.into_iter().map(TriangleKey);
            self.triangles.removed.extend(named(border.removed));
            self.triangles.changed.extend(named(border.changed));
            self.triangles.added.extend(named(border.added).map(|key| Added { key, parent: None }));
            self.draft.parts.polygon_count = self.draft.parts.triangles.len() as u32;
        }
        let Draft { parts, adjacency, changed } = self.draft;
        let base = &self.base;
        let (triangles_removed, triangles_added, triangles_changed) = self
            .triangles
            .finish(|k| base.triangle_with_key(k).is_some(), |k| parts.triangles.id_of(k.0).is_some());
        let (tets_removed, tets_added, tets_changed) =
            self.tets.finish(|k| base.tet_with_key(k).is_some(), |k| parts.tets.id_of(k.0).is_some());
        let changes = Changes {
            vertices: self.new_vertices,
            triangles_removed,
            triangles_added,
            triangles_changed,
            tets_removed,
            tets_added,
            tets_changed,
        };
        (base.next(parts, adjacency, changed), changes)
    }

    fn birth(&mut self, parents: Vec<(VertexId, f64)>) -> VertexId {
        let vertex = VertexId(self.draft.add_vertex());
        self.new_vertices.push(NewVertex { vertex, parents, at: None });
        vertex
    }

    fn put_triangle(&mut self, corners: [u32; 3], polygon: u32, parent: Option<TriangleKey>) -> TriangleKey {
        let key = TriangleKey(self.draft.add_triangle(corners, Origin::Polygon(polygon)));
        self.triangles.added.push(Added { key, parent });
        key
    }

    fn put_tet(&mut self, corners: [u32; 4], parent: Option<TetKey>) -> TetKey {
        let key = TetKey(self.draft.add_tet(corners));
        self.tets.added.push(Added { key, parent });
        key
    }

    /// Replaces a triangle by one child per vertex in `ends`, with that vertex moved to `middle`. A child belongs to its
    /// parent's polygon.
    fn split_triangle(
        &mut self,
        key: TriangleKey,
        ends: &[VertexId],
        middle: VertexId,
    ) -> Result<(), MeshError> {
        let (id, corners) = (self.triangle_id(key)?, self.triangle(key)?);
        let polygons = self.draft.parts.polygons.as_ref();
        let polygon = polygons.map_or(id, |p| p.rows.get(id as usize));
        // Before its children come, while ids and polygons may still be the same.
        let children = ends.iter().map(|end| corners.map(|c| if c == *end { middle.0 } else { c.0 }));
        for child in children.collect::<Vec<_>>() {
            self.put_triangle(child, polygon, Some(key));
        }
        self.draft.remove_triangle(id);
        self.triangles.removed.push(key);
        Ok(())
    }

    fn split_one_tet(&mut self, key: TetKey, ends: &[VertexId], middle: VertexId) -> Result<(), MeshError> {
        let (id, corners) = (self.tet_id(key)?, self.tet(key)?);
        for end in ends {
            self.put_tet(corners.map(|c| if c == *end { middle.0 } else { c.0 }), Some(key));
        }
        self.draft.remove_tet(id);
        self.tets.removed.push(key);
        Ok(())
    }

    fn triangle_id(&self, key: TriangleKey) -> Result<u32, MeshError> {
        let id = self.draft.parts.triangles.id_of(key.0);
        id.ok_or(MeshError::NoSuchElement { element: "triangle", key: key.0 })
    }

    fn tet_id(&self, key: TetKey) -> Result<u32, MeshError> {
        let id = self.draft.parts.tets.id_of(key.0);
        id.ok_or(MeshError::NoSuchElement { element: "tet", key: key.0 })
    }

    fn check_vertex(&self, vertex: VertexId) -> Result<(), MeshError> {
        if vertex.0 < self.draft.parts.vertices {
            Ok(())
        } else {
            Err(MeshError::NoSuchElement { element: "vertex", key: vertex.0 })
        }
    }

    fn check_surface(&self) -> Result<(), MeshError> {
        if self.base.is_solid() {
            let why = "the triangles of a tetrahedral body follow its tets";
            return Err(MeshError::BadEdit { element: "triangle", key: 0, why });
        }
        Ok(())
    }
}

fn check_user(element: &'static str, key: u32, uses_it: bool) -> Result<(), MeshError> {
    let why = "does not use the vertex to be duplicated";
    if uses_it { Ok(()) } else { Err(MeshError::BadEdit { element, key, why }) }
}
