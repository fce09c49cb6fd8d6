//! How close bodies are, and where.

use std::collections::BTreeMap;

use super::bodies::lay_out;
use super::{Answer, Scene};
use crate::budget::Clock;
use crate::geometry::Aabb;
use crate::methods::distance_hierarchy::{BodyDistance, DistanceHierarchy, DistanceHierarchyParams, Safety};
use crate::narrow::{Feature, tri_tri_distance};
use crate::{
    BodyId, Closeness, Distance, Drawing, Error, Guarantee, NearPair, ParamError, Stats, TriangleId, Witness,
};

/// A margin that means something: infinite ones do, NaN and negative ones do not.
fn check_margin(margin: f64) -> Result<(), ParamError> {
    if margin >= 0.0 {
        return Ok(());
    }
    Err(ParamError { parameter: "margin", value: margin.to_string(), expected: "at least 0" })
}

/// Triangles in these answers are counted within their bodies.
impl Scene {
    /// How close the surfaces of two bodies are, and where; `None` when one of them has no triangle, or both are the same.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let found = scene.distance([low, high])?.expect("both have triangles");
    /// assert_eq!((found.distance, found.a.triangle), (1.0, crumple::TriangleId(0)));
    /// assert!(found.lower <= 1.0 && 1.0 <= found.upper);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn distance(&mut self, [a, b]: [BodyId; 2]) -> Result<Option<Distance>, Error> {
        self.check_body(a)?;
        self.check_body(b)?;
        match self.first_contact(a, b)? {
            Some(touching) => Ok(Some(touching)),
            None => {
                let found = self.hierarchy()?.distance([a, b])?;
                Ok(found.map(|d| self.localised(d)))
            }
        }
    }

    /// The pairs of bodies whose surfaces are at most `margin` apart, and how far, in order.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let near = scene.distances(1.5)?;
    /// assert_eq!((near.len(), near[0].bodies), (1, [low, high]));
    /// assert!(scene.distances(0.5)?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn distances(&mut self, margin: f64) -> Result<Vec<BodyDistance>, Error> {
        check_margin(margin)?;
        if self.meshes.is_empty() {
            return Ok(Vec::new());
        }
        // Bodies that touch are 0 apart, and where this frame's contacts are known they need not be searched.
        let touching = self.first_contacts();
        let mut found = Vec::new();
        for (&bodies, &triangles) in &touching {
            found.push(BodyDistance { bodies, distance: self.touching(bodies, triangles)? });
        }
        let mut pairs = self.hierarchy_reaching(margin)?.body_pairs(margin);
        pairs.retain(|pair| self.filter.allows(pair[0], pair[1]) && !touching.contains_key(pair));
        for apart in self.hierarchy()?.closer_than_of(&pairs, margin) {
            found.push(BodyDistance { distance: self.localised(apart.distance), ..apart });
        }
        found.sort_unstable_by_key(|d| d.bodies);
        Ok(found)
    }

    /// Every pair of triangles of two bodies at most `margin` apart, sorted; of one body with itself those that share no
    /// vertex.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert_eq!(scene.closer_than([low, high], 1.0)?[0].distance, 1.0);
    /// assert!(scene.closer_than([low, high], 0.9)?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn closer_than(&mut self, bodies: [BodyId; 2], margin: f64) -> Result<Answer<NearPair>, Error> {
        self.closer_than_at_most(bodies, margin, usize::MAX)
    }

    /// The same, but if there are more than `most` pairs the search ends with [`Error::TooManyPairs`]: a margin as large as
    /// the bodies has as many pairs as the product of their triangles.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert_eq!(scene.closer_than_at_most([low, high], 5.0, 1)?.len(), 1);
    /// assert!(scene.closer_than_at_most([low, high], 5.0, 0).is_err());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn closer_than_at_most(
        &mut self,
        [a, b]: [BodyId; 2],
        margin: f64,
        most: usize,
    ) -> Result<Answer<NearPair>, Error> {
        self.check_body(a)?;
        self.check_body(b)?;
        check_margin(margin)?;
        let mut found = self.hierarchy()?.closer_than_at_most([a, b], margin, most)?;
        let bodies = self.bodies();
        for near in &mut found {
            let local = |t: TriangleId| bodies.locate_triangle(t).1;
            (near.pair.a, near.pair.b) = (local(near.pair.a), local(near.pair.b));
        }
        Ok(Answer::new(found, "distance-hierarchy", Guarantee::Proved, Stats::default()))
    }

    /// For how many frames two bodies cannot meet if no vertex moves faster than in the last one; `None` when that cannot
    /// be said: before the second frame that the hierarchy has seen, or without triangles.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert!(scene.safety([low, high])?.is_none()); // nothing has moved yet
    /// scene.set_positions(high, &at(0.9)[..])?;
    /// println!("{:?}", scene.safety([low, high])?);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn safety(&mut self, [a, b]: [BodyId; 2]) -> Result<Option<Safety>, Error> {
        let Some(found) = self.distance([a, b])? else { return Ok(None) };
        self.hierarchy()?.safety([a, b], found.lower)
    }

    /// What the last searches for distances compared: lines between regions, level after level, and the closest features.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.distance([low, high])?;
    /// assert_eq!(scene.draw_distances()?.triangles.len(), 2); // the closest
    /// # Ok::<(), crumple::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn draw_distances(&mut self) -> Result<Drawing, Error> {
        let mut drawing = Drawing::default();
        self.hierarchy()?.draw_lines(&mut drawing);
        Ok(drawing)
    }

    pub(super) fn hierarchy(&mut self) -> Result<&mut DistanceHierarchy, Error> {
        Ok(self.hierarchy_until(Clock::default())?.expect("it is never late"))
    }

    /// The same, which knows the pairs of bodies that are at most `margin` apart.
    pub(super) fn hierarchy_reaching(&mut self, margin: f64) -> Result<&mut DistanceHierarchy, Error> {
        self.find_near(margin, false);
        self.hierarchy()?;
        let hierarchy = self.distances.method.as_mut().expect("it follows");
        hierarchy.set_near(self.near.margin(), self.near.known().unwrap_or_default());
        Ok(hierarchy)
    }

    /// The same, for what a question about close pairs calls near.
    pub(super) fn hierarchy_near(&mut self, close: &Closeness<'_>) -> Result<&mut DistanceHierarchy, Error> {
        if close.pairs.between() { self.hierarchy_reaching(close.widest()) } else { self.hierarchy() }
    }

    /// The same as long as it is not late; `None` when it is.
    pub(super) fn hierarchy_until(&mut self, clock: Clock) -> Result<Option<&mut DistanceHierarchy>, Error> {
        self.is_asked = true;
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        self.distances.at_until(
            frame,
            || DistanceHierarchy::new(DistanceHierarchyParams::default()),
            |d, f| d.update_until(bodies, f, clock),
        )
    }

    /// The distance of two bodies of which nothing is known but where they are.
    pub(super) fn distance_unknown(&self, bodies: [BodyId; 2]) -> Result<Option<Distance>, Error> {
        let has_triangles = |id: BodyId| self.meshes[id.index()].triangle_count() > 0;
        if bodies[0] == bodies[1] || !bodies.into_iter().all(has_triangles) {
            return Ok(None);
        }
        let witness = |body: BodyId| -> Result<Witness, Error> {
            let point = self.corners(body, TriangleId(0))?[0];
            Ok(Witness { triangle: TriangleId(0), feature: Feature::Vertex(0), point })
        };
        let ends = [witness(bodies[0])?, witness(bodies[1])?];
        // Where boxes are not known, there is no time to find them: anything may touch.
        let everywhere = Aabb { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };
        let boxes = bodies.map(|id| self.boxes[id.index()].get().copied().unwrap_or(everywhere));
        Ok(Some(Distance::by_boxes(boxes, ends)))
    }

    /// With triangles counted within their bodies.
    pub(super) fn localised(&self, mut found: Distance) -> Distance {
        for witness in [&mut found.a, &mut found.b] {
            witness.triangle = self.bodies().locate_triangle(witness.triangle).1;
        }
        found
    }

    /// The distance of two bodies that touch, where this frame's contacts are known: the smallest pair of triangles at
    /// distance 0 is the smallest contact.
    fn first_contact(&self, a: BodyId, b: BodyId) -> Result<Option<Distance>, Error> {
        let Some(contacts) = self.contacts.as_ref().filter(|_| a != b) else { return Ok(None) };
        let (low, high) = (a.min(b), a.max(b));
        let from = contacts.partition_point(|c| c.a.body < low);
        let first = contacts[from..]
            .iter()
            .take_while(|c| c.a.body == low)
            .filter(|c| c.b.body == high)
            .map(|c| if a < b { [c.a.id, c.b.id] } else { [c.b.id, c.a.id] })
            .min();
        first.map(|first| self.touching([a, b], first)).transpose()
    }

    /// The smallest contact of each pair of bodies that touch, as far as this frame's contacts are known.
    fn first_contacts(&self) -> BTreeMap<[BodyId; 2], [TriangleId; 2]> {
        let mut out = BTreeMap::new();
        let contacts = self.contacts.iter().flat_map(|all| all.iter());
        for contact in contacts.filter(|c| !c.is_within_a_body()) {
            // They are sorted, so that the first of a pair is its smallest.
            out.entry([contact.a.body, contact.b.body]).or_insert([contact.a.id, contact.b.id]);
        }
        out
    }

    /// The distance of two bodies of which these triangles touch, and no smaller ones.
    fn touching(&self, [a, b]: [BodyId; 2], first: [TriangleId; 2]) -> Result<Distance, Error> {
        let closest = tri_tri_distance::closest(&self.corners(a, first[0])?, &self.corners(b, first[1])?);
        let witness = |triangle, on: tri_tri_distance::TriangleWitness| Witness {
            triangle,
            feature: on.feature,
            point: on.point,
        };
        Ok(Distance {
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            a: witness(first[0], closest.a),
            b: witness(first[1], closest.b),
            contains: None,
            guarantee: Guarantee::Proved,
        })
    }
}
