//! What a scene answers: rows that name elements by their bodies, with the method that found them and its guarantee.

use std::ops::Deref;
use std::sync::Arc;

use crate::methods::spatial_hash::{Cause, VertexDepth};
use crate::{
    Bodies, BodyId, EdgeTet, Frame, Guarantee, Stats, TetId, TriangleId, TrianglePair, VertexId, VertexTet,
};

/// An element of a body: the body, and the element's id within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element<Id> {
    /// The body.
    pub body: BodyId,
    /// The element, counted within the body.
    pub id: Id,
}

/// Two triangles that intersect, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contact {
    /// The smaller one.
    pub a: Element<TriangleId>,
    /// The larger one.
    pub b: Element<TriangleId>,
}

impl Contact {
    /// Whether both triangles belong to one body.
    pub fn is_within_a_body(&self) -> bool {
        self.a.body == self.b.body
    }
}

/// A vertex inside a tet that does not own it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct VertexInTet {
    /// The vertex.
    pub vertex: Element<VertexId>,
    /// The tet.
    pub tet: Element<TetId>,
    /// Barycentric weights of the vertex in the tet: each in [0, 1], their sum 1.
    pub weights: [f64; 4],
}

impl VertexInTet {
    pub(super) fn new(bodies: &Bodies, found: &VertexTet) -> Self {
        Self {
            vertex: Element::vertex(bodies, found.vertex),
            tet: Element::tet(bodies, found.tet),
            weights: found.weights,
        }
    }
}

/// A vertex inside a tet that does not own it, how deep it is in that body, and which way is out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Penetration {
    /// The vertex.
    pub vertex: Element<VertexId>,
    /// The tet.
    pub tet: Element<TetId>,
    /// Barycentric weights of the vertex in the tet: each in [0, 1], their sum 1.
    pub weights: [f64; 4],
    /// Distance to the surface along `direction`; at least 0.
    pub depth: f64,
    /// Of length 1, out of the other body.
    pub direction: [f64; 3],
    /// Whether it is a collision, or an element to repair.
    pub cause: Cause,
}

/// An edge that meets a tet with which it shares no vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct EdgePenetration {
    /// The edge, smaller vertex first.
    pub edge: Element<[VertexId; 2]>,
    /// The tet.
    pub tet: Element<TetId>,
}

/// Rows, sorted and unique, and what stands behind them. A cheap clone: rows are shared.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Answer<T> {
    rows: Arc<Vec<T>>,
    /// The method that answered, as the program spells it.
    pub method: &'static str,
    /// How reliable the rows are.
    pub guarantee: Guarantee,
    /// What the search cost.
    pub stats: Stats,
}

impl<T> Answer<T> {
    pub(super) fn new(rows: Vec<T>, method: &'static str, guarantee: Guarantee, stats: Stats) -> Self {
        Self { rows: Arc::new(rows), method, guarantee, stats }
    }

    /// The rows, to be filled anew in the same memory; none where a clone holds it.
    pub(super) fn take_rows(&mut self) -> Vec<T> {
        Arc::get_mut(&mut self.rows).map(std::mem::take).unwrap_or_default()
    }

    /// Other rows, and what they cost.
    pub(super) fn put_rows(&mut self, stats: Stats, rows: Vec<T>) {
        self.stats = stats;
        match Arc::get_mut(&mut self.rows) {
            Some(own) => *own = rows,
            None => self.rows = Arc::new(rows),
        }
    }
}

impl<T: Clone> Answer<T> {
    /// Takes rows out, and hands them over in their order.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
    /// scene.add(mesh, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
    ///                   [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
    /// let mut contacts = scene.contacts()?;
    /// let known = contacts.extract_if(|contact| contact.a.id.0 == 0);
    /// assert_eq!((known.len(), contacts.len()), (1, 0));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn extract_if(&mut self, is_taken: impl FnMut(&T) -> bool) -> Vec<T> {
        let rows = std::mem::take(&mut self.rows);
        let rows = Arc::try_unwrap(rows).unwrap_or_else(|shared| (*shared).clone());
        let (taken, left) = rows.into_iter().partition(is_taken);
        self.rows = Arc::new(left);
        taken
    }
}

impl<T> Deref for Answer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<'a, T> IntoIterator for &'a Answer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl Contact {
    pub(super) fn new(bodies: &Bodies, pair: TrianglePair) -> Self {
        Self { a: Element::triangle(bodies, pair.a), b: Element::triangle(bodies, pair.b) }
    }
}

impl Element<TriangleId> {
    pub(super) fn triangle(bodies: &Bodies, triangle: TriangleId) -> Self {
        let (body, id) = bodies.locate_triangle(triangle);
        Self { body, id }
    }
}

impl Element<VertexId> {
    pub(super) fn vertex(bodies: &Bodies, vertex: VertexId) -> Self {
        let (body, id) = bodies.locate_vertex(vertex);
        Self { body, id }
    }
}

impl Element<TetId> {
    pub(super) fn tet(bodies: &Bodies, tet: TetId) -> Self {
        let (body, id) = bodies.locate_tet(tet);
        Self { body, id }
    }
}

impl Element<[VertexId; 2]> {
    pub(super) fn edge(bodies: &Bodies, edge: [VertexId; 2]) -> Self {
        let [v, w] = edge.map(|v| Element::vertex(bodies, v));
        Self { body: v.body, id: [v.id, w.id] }
    }
}

impl Penetration {
    pub(super) fn new(bodies: &Bodies, frame: Frame<'_>, found: &VertexTet, depth: &VertexDepth) -> Self {
        Self {
            vertex: Element::vertex(bodies, found.vertex),
            tet: Element::tet(bodies, found.tet),
            weights: found.weights,
            depth: depth.depth,
            direction: depth.direction,
            cause: Cause::of(bodies, frame, found),
        }
    }
}

impl EdgePenetration {
    pub(super) fn new(bodies: &Bodies, found: &EdgeTet) -> Self {
        Self { edge: Element::edge(bodies, found.edge), tet: Element::tet(bodies, found.tet) }
    }
}

/// Rows are written flat: a contact as `[body, triangle, body, triangle]`, an edge as `[body, vertex, vertex]`.
#[cfg(feature = "serde")]
mod flat {
    use serde::{Serialize, Serializer};

    use super::{Answer, Contact, Element};
    use crate::{TetId, TriangleId, VertexId};

    impl Serialize for Contact {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            [self.a.body.0, self.a.id.0, self.b.body.0, self.b.id.0].serialize(to)
        }
    }

    impl Serialize for Element<TriangleId> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            [self.body.0, self.id.0].serialize(to)
        }
    }

    impl Serialize for Element<VertexId> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            [self.body.0, self.id.0].serialize(to)
        }
    }

    impl Serialize for Element<TetId> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            [self.body.0, self.id.0].serialize(to)
        }
    }

    impl Serialize for Element<[VertexId; 2]> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            [self.body.0, self.id[0].0, self.id[1].0].serialize(to)
        }
    }

    impl<T: Serialize> Serialize for Answer<T> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            self.rows.serialize(to)
        }
    }
}
