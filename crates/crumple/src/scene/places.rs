//! Where bodies touch: connected contacts as one place each, the worst first.

use std::collections::HashMap;

use super::{Contact, Scene};
use crate::geometry::{Aabb, Point};
use crate::{BodyId, Error, TriangleId, VertexId};

/// Contacts of two bodies (or of one with itself) that hang together: each shares a vertex with another of them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// The bodies; twice the same for contacts within one.
    pub bodies: [BodyId; 2],
    /// How many pairs of triangles intersect here.
    pub contacts: usize,
    /// Length of the curve along which they cross; half the outline where they overlap in a plane.
    pub length: f64,
    /// The middle of the box that holds the crossing.
    pub centre: Point,
    /// The diagonal of that box.
    pub size: f64,
}

impl Scene {
    /// The places where [`Scene::contacts`] finds contacts, the longest crossing first.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
    /// scene.add(mesh, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
    ///                   [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.5, 1.0, -1.0]][..])?;
    /// let places = scene.places()?;
    /// assert_eq!((places.len(), places[0].contacts), (1, 1));
    /// assert!((places[0].length - 0.25).abs() < 1e-12);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn places(&mut self) -> Result<Vec<Place>, Error> {
        Ok(self.places_of_contacts()?.0)
    }

    /// The places of [`Scene::places`], and for each row of [`Scene::contacts`] which of them it belongs to.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(0.0)[..])?;
    /// let (places, place_of) = scene.places_of_contacts()?;
    /// assert_eq!((places.len(), place_of), (1, vec![0]));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn places_of_contacts(&mut self) -> Result<(Vec<Place>, Vec<u32>), Error> {
        let contacts = self.contacts()?;
        self.group(&contacts)
    }

    /// The places of some of the contacts only, the longest crossing first.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// let contacts = scene.contacts()?;
    /// assert_eq!(scene.places_of(&contacts)?.len(), 1);
    /// assert!(scene.places_of(&contacts[1..])?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn places_of(&self, contacts: &[Contact]) -> Result<Vec<Place>, Error> {
        Ok(self.group(contacts)?.0)
    }

    /// The places of contacts, and for each contact which of them it belongs to.
    fn group(&self, contacts: &[Contact]) -> Result<(Vec<Place>, Vec<u32>), Error> {
        let mut groups = ContactGroups::default();
        for contact in contacts {
            let pair = [contact.a.body, contact.b.body];
            [contact.a, contact.b].into_iter().try_for_each(|t| self.corners(t.body, t.id).map(drop))?;
            let corners = |body: BodyId, t: TriangleId| self.meshes[body.index()].triangle(t);
            let vertices = corners(contact.a.body, contact.a.id)
                .map(|v| (contact.a.body, v))
                .into_iter()
                .chain(corners(contact.b.body, contact.b.id).map(|v| (contact.b.body, v)));
            groups.join(pair, vertices);
        }
        let mut places: HashMap<u32, (Place, Aabb)> = HashMap::new();
        let mut roots = Vec::with_capacity(contacts.len());
        for contact in contacts {
            let pair = [contact.a.body, contact.b.body];
            let corner = self.meshes[contact.a.body.index()].triangle(contact.a.id)[0];
            let root = groups.root_of(pair, (contact.a.body, corner));
            roots.push(root);
            let empty = Place { bodies: pair, contacts: 0, length: 0.0, centre: [0.0; 3], size: 0.0 };
            let (place, bounds) = places.entry(root).or_insert((empty, Aabb::EMPTY));
            place.contacts += 1;
            if let Some(crossing) = self.intersection(contact)? {
                place.length += length(crossing.points());
                *bounds = crossing.points().iter().fold(*bounds, |b, p| b.union(&Aabb { min: *p, max: *p }));
            }
        }
        let finish = |(root, (mut place, bounds)): (u32, (Place, Aabb))| {
            (place.centre, place.size) = (bounds.centre(), length(&[bounds.min, bounds.max]));
            (place, root)
        };
        let mut places: Vec<(Place, u32)> = places.into_iter().map(finish).collect();
        places.sort_by(|(a, root_a), (b, root_b)| {
            let worst = b.length.total_cmp(&a.length).then(b.contacts.cmp(&a.contacts));
            let ties = worst.then(a.bodies.cmp(&b.bodies));
            ties.then_with(|| by_coordinates(&a.centre, &b.centre)).then(root_a.cmp(root_b))
        });
        let rank: HashMap<u32, u32> = places.iter().zip(0..).map(|((_, root), k)| (*root, k)).collect();
        let of_contacts = roots.iter().map(|root| rank[root]).collect();
        Ok((places.into_iter().map(|(place, _)| place).collect(), of_contacts))
    }
}

fn by_coordinates(a: &Point, b: &Point) -> std::cmp::Ordering {
    (0..3).fold(std::cmp::Ordering::Equal, |order, k| order.then(a[k].total_cmp(&b[k])))
}

/// Length of a segment, half the outline of a polygon, 0 for a point.
fn length(points: &[Point]) -> f64 {
    let sides = (0..points.len()).map(|i| {
        let (p, q) = (points[i], points[(i + 1) % points.len()]);
        (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
    });
    0.5 * sides.sum::<f64>()
}

/// Disjoint sets of vertices, apart for each pair of bodies.
#[derive(Default)]
struct ContactGroups {
    node: HashMap<([BodyId; 2], (BodyId, VertexId)), u32>,
    parent: Vec<u32>,
}

impl ContactGroups {
    fn join(&mut self, pair: [BodyId; 2], vertices: impl Iterator<Item = (BodyId, VertexId)>) {
        let mut first = None;
        for vertex in vertices {
            let new = self.parent.len() as u32;
            let node = *self.node.entry((pair, vertex)).or_insert(new);
            if node == new {
                self.parent.push(new);
            }
            let root = self.find(node);
            match first {
                None => first = Some(root),
                Some(to) => self.parent[root as usize] = to,
            }
        }
    }

    fn root_of(&mut self, pair: [BodyId; 2], vertex: (BodyId, VertexId)) -> u32 {
        let node = self.node[&(pair, vertex)];
        self.find(node)
    }

    /// The set's root; paths are halved on the way.
    fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let next = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = next;
            node = next;
        }
        node
    }
}
