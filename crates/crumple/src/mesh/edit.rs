//! Edits: the next version of a body, with names that last and a list of what changed.
//!
//! A body never changes. [`Mesh::edit`] collects changes and [`Edit::finish`] makes the next version: elements
//! that stay keep their [`TriangleKey`] or [`TetKey`] and their order, removed keys never come back, new ones
//! are larger than all before. Vertices are only ever added, so a vertex id is its own stable key.
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

use std::collections::HashMap;
use std::sync::OnceLock;

use super::boundary::boundary_faces;
use super::changes::{Added, Changes, NewVertex};
use super::elements::{Inner, Mesh};
use crate::{MeshError, TetKey, TriangleKey, VertexId};

/// Changes to a body, collected until [`Edit::finish`].
#[derive(Debug)]
pub struct Edit {
    base: Mesh,
    vertices: u32,
    new_vertices: Vec<NewVertex>,
    triangles: Store<3>,
    tets: Store<4>,
}

impl Mesh {
    /// Starts an edit of this body.
    pub fn edit(&self) -> Edit {
        let inner = self.inner();
        let solid = self.is_solid();
        let triangles = if solid { &[][..] } else { &inner.triangles };
        Edit {
            base: self.clone(),
            vertices: inner.vertices,
            new_vertices: Vec::new(),
            triangles: Store::new("triangle", triangles, &inner.triangle_keys, inner.next_triangle_key),
            tets: Store::new("tet", &inner.tets, &inner.tet_keys, inner.next_tet_key),
        }
    }
}

impl Edit {
    /// Adds a vertex that nothing uses yet; its position comes with the next frame.
    pub fn add_vertex(&mut self) -> VertexId {
        self.birth(Vec::new())
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
        self.triangles.check_users(vertex.0, takers.iter().map(|k| k.0))?;
        let copy = self.birth(vec![(vertex, 1.0)]);
        takers.iter().for_each(|k| self.triangles.replace_corner(k.0, vertex.0, copy.0));
        Ok(copy)
    }

    /// As [`Edit::duplicate_vertex`], for tets.
    pub fn duplicate_vertex_of_tets(
        &mut self,
        vertex: VertexId,
        takers: &[TetKey],
    ) -> Result<VertexId, MeshError> {
        self.check_vertex(vertex)?;
        self.tets.check_users(vertex.0, takers.iter().map(|k| k.0))?;
        let copy = self.birth(vec![(vertex, 1.0)]);
        takers.iter().for_each(|k| self.tets.replace_corner(k.0, vertex.0, copy.0));
        Ok(copy)
    }

    /// Adds a triangle to a surface.
    pub fn add_triangle(&mut self, corners: [VertexId; 3]) -> Result<TriangleKey, MeshError> {
        self.check_surface()?;
        corners.iter().try_for_each(|&v| self.check_vertex(v))?;
        Ok(TriangleKey(self.triangles.add(corners.map(|v| v.0), None)))
    }

    /// Removes a triangle of a surface.
    pub fn remove_triangle(&mut self, key: TriangleKey) -> Result<(), MeshError> {
        self.check_surface()?;
        self.triangles.remove(key.0)
    }

    /// Adds a tet. A surface or bare points cannot take tets: that would renumber their triangles.
    pub fn add_tet(&mut self, corners: [VertexId; 4]) -> Result<TetKey, MeshError> {
        if !self.base.is_solid() {
            return Err(MeshError::BadEdit {
                element: "tet",
                key: self.tets.next_key,
                why: "the body has no tets",
            });
        }
        corners.iter().try_for_each(|&v| self.check_vertex(v))?;
        Ok(TetKey(self.tets.add(corners.map(|v| v.0), None)))
    }

    /// Removes a tet; the boundary follows.
    pub fn remove_tet(&mut self, key: TetKey) -> Result<(), MeshError> {
        self.tets.remove(key.0)
    }

    /// Puts a vertex on an edge, `at` of the way from `a` to `b`, and splits every element that has the edge in
    /// two. Returns the new vertex.
    pub fn split_edge(&mut self, a: VertexId, b: VertexId, at: f64) -> Result<VertexId, MeshError> {
        self.check_vertex(a)?;
        self.check_vertex(b)?;
        let triangles = self.triangles.with_edge(a.0, b.0, |v| vertex_triangles(&self.base, v));
        let tets = self.tets.with_edge(a.0, b.0, |v| vertex_tets(&self.base, v));
        if a == b || triangles.is_empty() && tets.is_empty() {
            return Err(MeshError::NoSuchElement { element: "edge to vertex", key: b.0 });
        }
        let middle = self.birth(vec![(a, 1.0 - at), (b, at)]);
        triangles.iter().for_each(|&slot| self.triangles.split(slot, &[a.0, b.0], middle.0));
        tets.iter().for_each(|&slot| self.tets.split(slot, &[a.0, b.0], middle.0));
        Ok(middle)
    }

    /// Puts a vertex inside a tet, at the given weights, and splits it in four.
    pub fn split_tet(&mut self, key: TetKey, weights: [f64; 4]) -> Result<VertexId, MeshError> {
        let slot = self.tets.slot(key.0)?;
        let corners = self.tets.corners[slot];
        let middle = self.birth(corners.iter().zip(weights).map(|(&v, w)| (VertexId(v), w)).collect());
        self.tets.split(slot, &corners, middle.0);
        Ok(middle)
    }

    /// The corners of a triangle as they are now, within the edit.
    pub fn triangle(&self, key: TriangleKey) -> Result<[VertexId; 3], MeshError> {
        Ok(self.triangles.corners[self.triangles.slot(key.0)?].map(VertexId))
    }

    /// The corners of a tet as they are now, within the edit.
    pub fn tet(&self, key: TetKey) -> Result<[VertexId; 4], MeshError> {
        Ok(self.tets.corners[self.tets.slot(key.0)?].map(VertexId))
    }

    /// The next version of the body, and what changed.
    pub fn finish(self) -> (Mesh, Changes) {
        let base = self.base.inner();
        let mut changes = Changes { vertices: self.new_vertices, ..Changes::default() };
        let (tets, tet_keys) =
            self.tets.compact(&mut changes.tets_removed, &mut changes.tets_added, &mut changes.tets_changed);
        let next_tet_key = self.tets.next_key;
        let mut inner = Inner {
            name: base.name.clone(),
            lineage: base.lineage.clone(),
            version: base.version + 1,
            vertices: self.vertices,
            triangles: Vec::new(),
            tets,
            faces: Vec::new(),
            polygons: None,
            polygon_count: 0,
            triangle_keys: None,
            tet_keys: Some(tet_keys),
            next_triangle_key: base.next_triangle_key,
            next_tet_key,
            topology: OnceLock::new(),
            tet_topology: OnceLock::new(),
        };
        if self.base.is_solid() {
            renew_boundary(&self.base, &mut inner, &mut changes);
        } else {
            let (triangles, keys) = self.triangles.compact(
                &mut changes.triangles_removed,
                &mut changes.triangles_added,
                &mut changes.triangles_changed,
            );
            inner.triangles = triangles;
            inner.triangle_keys = Some(keys);
            inner.next_triangle_key = self.triangles.next_key;
            inherit_polygons(&self.base, &mut inner, &changes);
        }
        (Mesh::from_inner(inner), changes)
    }

    fn birth(&mut self, parents: Vec<(VertexId, f64)>) -> VertexId {
        let vertex = VertexId(self.vertices);
        self.vertices += 1;
        self.new_vertices.push(NewVertex { vertex, parents });
        vertex
    }

    fn check_vertex(&self, vertex: VertexId) -> Result<(), MeshError> {
        if vertex.0 < self.vertices {
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

fn vertex_triangles(base: &Mesh, vertex: u32) -> &[u32] {
    if (vertex as usize) < base.vertex_count() {
        bytemuck::cast_slice(base.topology().triangles_at(VertexId(vertex)))
    } else {
        &[]
    }
}

fn vertex_tets(base: &Mesh, vertex: u32) -> &[u32] {
    if (vertex as usize) < base.vertex_count() {
        bytemuck::cast_slice(base.tet_topology().tets_at(VertexId(vertex)))
    } else {
        &[]
    }
}

/// The new boundary: a face that was there keeps its key, known by its tet's key and local place.
fn renew_boundary(base: &Mesh, inner: &mut Inner, changes: &mut Changes) {
    let (triangles, faces) = boundary_faces(inner.vertices, &inner.tets);
    let tet_keys = inner.tet_keys.as_ref().expect("set by finish");
    let old = base.inner();
    let mut keys_of: HashMap<(u32, u8), u32> = HashMap::with_capacity(old.faces.len());
    for (t, &(tet, face)) in old.faces.iter().enumerate() {
        keys_of.insert((base.tet_key(tet).0, face), base.triangle_key(crate::TriangleId(t as u32)).0);
    }
    let mut named: Vec<_> = (triangles.iter().zip(&faces))
        .map(|(&corners, &(tet, face))| {
            (keys_of.remove(&(tet_keys[tet.index()], face)), corners, (tet, face))
        })
        .collect();
    for entry in named.iter_mut().filter(|e| e.0.is_none()) {
        entry.0 = Some(inner.next_triangle_key);
        changes.triangles_added.push(Added { key: TriangleKey(inner.next_triangle_key), parent: None });
        inner.next_triangle_key += 1;
    }
    changes.triangles_removed = keys_of.into_values().map(TriangleKey).collect();
    changes.triangles_removed.sort_unstable();
    named.sort_unstable_by_key(|e| e.0);
    for (key, corners, _) in &named {
        let key = TriangleKey(key.expect("every face was named above"));
        if base.triangle_with_key(key).is_some_and(|t| old.triangles[t.index()] != *corners) {
            changes.triangles_changed.push(key);
        }
    }
    inner.triangle_keys = Some(named.iter().map(|e| e.0.expect("every face was named above")).collect());
    inner.triangles = named.iter().map(|e| e.1).collect();
    inner.faces = named.iter().map(|e| e.2).collect();
    inner.polygon_count = inner.triangles.len() as u32;
}

/// A child belongs to its parent's polygon; a triangle out of nothing is a polygon of its own.
fn inherit_polygons(base: &Mesh, inner: &mut Inner, changes: &Changes) {
    let mut of_key: HashMap<u32, u32> = HashMap::new();
    let mut next = base.polygon_count() as u32;
    for added in &changes.triangles_added {
        let polygon = match added.parent {
            Some(parent) => match base.triangle_with_key(parent) {
                Some(t) => base.polygon_of(t).0,
                None => of_key[&parent.0],
            },
            None => {
                next += 1;
                next - 1
            }
        };
        of_key.insert(added.key.0, polygon);
    }
    let keys = inner.triangle_keys.as_ref().expect("set by finish");
    let polygon = |key: u32| {
        of_key.get(&key).copied().unwrap_or_else(|| {
            base.polygon_of(base.triangle_with_key(TriangleKey(key)).expect("neither new nor old")).0
        })
    };
    inner.polygons = Some(keys.iter().map(|&k| polygon(k)).collect());
    inner.polygon_count = next;
}

/// The elements of one kind during an edit. Slots are ordered by key, new ones come last.
#[derive(Debug)]
struct Store<const N: usize> {
    element: &'static str,
    keys: Vec<u32>,
    corners: Vec<[u32; N]>,
    alive: Vec<bool>,
    changed: Vec<u32>,
    parents: Vec<Option<u32>>,
    old: usize,
    next_key: u32,
    /// New users of a vertex; the old ones are in the base's topology.
    extra: HashMap<u32, Vec<u32>>,
}

impl<const N: usize> Store<N> {
    fn new(element: &'static str, corners: &[[u32; N]], keys: &Option<Vec<u32>>, next_key: u32) -> Self {
        Self {
            element,
            keys: keys
                .as_ref()
                .filter(|_| !corners.is_empty())
                .cloned()
                .unwrap_or_else(|| (0..corners.len() as u32).collect()),
            corners: corners.to_vec(),
            alive: vec![true; corners.len()],
            changed: Vec::new(),
            parents: Vec::new(),
            old: corners.len(),
            next_key,
            extra: HashMap::new(),
        }
    }

    fn slot(&self, key: u32) -> Result<usize, MeshError> {
        match self.keys.binary_search(&key) {
            Ok(slot) if self.alive[slot] => Ok(slot),
            _ => Err(MeshError::NoSuchElement { element: self.element, key }),
        }
    }

    fn add(&mut self, corners: [u32; N], parent: Option<u32>) -> u32 {
        let key = self.next_key;
        self.next_key += 1;
        corners.iter().for_each(|&v| self.extra.entry(v).or_default().push(self.keys.len() as u32));
        self.keys.push(key);
        self.corners.push(corners);
        self.alive.push(true);
        self.parents.push(parent);
        key
    }

    fn remove(&mut self, key: u32) -> Result<(), MeshError> {
        let slot = self.slot(key)?;
        self.alive[slot] = false;
        Ok(())
    }

    fn check_users(&self, vertex: u32, keys: impl Iterator<Item = u32>) -> Result<(), MeshError> {
        for key in keys {
            if !self.corners[self.slot(key)?].contains(&vertex) {
                return Err(MeshError::BadEdit {
                    element: self.element,
                    key,
                    why: "does not use the vertex to be duplicated",
                });
            }
        }
        Ok(())
    }

    fn replace_corner(&mut self, key: u32, from: u32, to: u32) {
        let slot = self.slot(key).expect("checked by the caller");
        self.corners[slot].iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
        self.extra.entry(to).or_default().push(slot as u32);
        if slot < self.old {
            self.changed.push(key);
        }
    }

    /// Slots of the living elements that have both vertices.
    fn with_edge<'b>(&self, a: u32, b: u32, base_users: impl Fn(u32) -> &'b [u32]) -> Vec<usize> {
        let extra = self.extra.get(&a).map_or(&[][..], Vec::as_slice);
        let base = if self.old > 0 { base_users(a) } else { &[] };
        let mut slots: Vec<usize> = base.iter().chain(extra).map(|&s| s as usize).collect();
        slots.retain(|&s| self.alive[s] && self.corners[s].contains(&a) && self.corners[s].contains(&b));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Replaces an element by one child per vertex in `ends`, with that vertex moved to `middle`.
    fn split(&mut self, slot: usize, ends: &[u32], middle: u32) {
        self.alive[slot] = false;
        for &end in ends {
            let child = self.corners[slot].map(|c| if c == end { middle } else { c });
            self.add(child, Some(self.keys[slot]));
        }
    }

    /// The living elements in the order of their keys, and the lists of changes.
    fn compact<K: From<u32> + Ord>(
        &self,
        removed: &mut Vec<K>,
        added: &mut Vec<Added<K>>,
        changed: &mut Vec<K>,
    ) -> (Vec<[u32; N]>, Vec<u32>) {
        let (mut corners, mut keys) = (Vec::new(), Vec::new());
        for slot in 0..self.keys.len() {
            let key = self.keys[slot];
            if self.alive[slot] {
                corners.push(self.corners[slot]);
                keys.push(key);
            }
            match (slot < self.old, self.alive[slot]) {
                (true, false) => removed.push(K::from(key)),
                // A new element that did not survive the edit is listed still when it has children, as their parent.
                (false, _) => added
                    .push(Added { key: K::from(key), parent: self.parents[slot - self.old].map(K::from) }),
                (true, true) => {}
            }
        }
        changed.extend(self.changed.iter().filter(|&&k| self.slot(k).is_ok()).map(|&k| K::from(k)));
        changed.sort_unstable();
        changed.dedup();
        (corners, keys)
    }
}
