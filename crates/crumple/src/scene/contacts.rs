//! What touches: triangles that intersect, vertices and edges in tets.

use super::bodies::lay_out;
use super::mixed::Mixed;
use super::planner::is_crowded;
use super::{
    Answer, Contact, EdgePenetration, Element, Followed, Penetration, Question, Scene, SurfaceMethod,
    VertexInTet,
};
use crate::budget::Clock;
use crate::detector::{Method, Ready};
use crate::geometry::Aabb;
use crate::methods::bucket_tree::BucketTree;
use crate::methods::bucket_tree::one_shot::OneShot;
use crate::methods::spatial_hash::PenetrationDepth;
use crate::narrow::contact::{Intersection, contact};
use crate::{BodyId, Drawing, Error, Frame, Guarantee, Pairs, ParamError, Stats, TriangleId};

/// What was found in tets in one frame.
#[derive(Debug, Clone)]
pub(super) struct InTets {
    vertices: Answer<Penetration>,
    /// When edges were asked for too.
    edges: Option<Answer<EdgePenetration>>,
}

impl Scene {
    /// Every pair of triangles that intersect, within and between bodies, sorted.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
    /// scene.add(mesh, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
    ///                   [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
    /// for contact in &scene.contacts()? {
    ///     let where_ = scene.intersection(contact)?.expect("they intersect");
    ///     println!("{} and {} cross at {:?}", contact.a.id, contact.b.id, where_.points());
    /// }
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn contacts(&mut self) -> Result<Answer<Contact>, Error> {
        if self.contacts.is_none() {
            self.contacts = Some(self.contacts_of(Pairs::All)?);
        }
        Ok(self.contacts.clone().expect("set above"))
    }

    /// The contacts within bodies only, or between bodies only; what is not asked for is not searched.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::Pairs;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// assert_eq!(scene.contacts_of(Pairs::Between)?.len(), 1);
    /// assert!(scene.contacts_of(Pairs::Within)?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn contacts_of(&mut self, pairs: Pairs) -> Result<Answer<Contact>, Error> {
        if pairs == Pairs::Between
            && let Some(found) = self.contacts_in_one_shot()?
        {
            return Ok(found);
        }
        if pairs.between() {
            self.find_near(0.0, false);
        }
        self.follow_surfaces()?;
        let bodies = self.laid_out.get().expect("laid out to follow");
        let method = self.surfaces.current_mut().expect("it follows").as_mut();
        let (name, guarantee) = (method.name(), method.guarantee());
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        // A cut is told by all of its contacts.
        let is_cut = !self.fresh_cuts.surfaces.is_empty();
        let searched = if is_cut { Pairs::All } else { pairs };
        method.limit(self.limit.unwrap_or(usize::MAX));
        let stats = Ready::again(method, bodies, frame).contacts(searched, &mut self.found);
        self.check_rows(self.found.triangle_pairs.len())?;
        self.fresh_cuts.surfaces.filter(bodies, frame, &mut self.found);
        let rows = self.found.triangle_pairs.iter().map(|&pair| Contact::new(bodies, pair));
        let is_asked = |c: &Contact| pairs.asks_for(c.is_within_a_body());
        let rows = rows.filter(|c| is_asked(c) && self.filter.allows(c.a.body, c.b.body)).collect();
        Ok(Answer::new(rows, name, guarantee, stats))
    }

    /// Where two triangles intersect now: a point, a segment or a polygon; `None` when they do not. Of neighbours, the
    /// common edge or corner is part of it.
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
    /// let crossing = scene.intersection(&contacts[0])?.expect("they intersect");
    /// assert_eq!(crossing.points().len(), 2); // a segment
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn intersection(&self, pair: &Contact) -> Result<Option<Intersection>, Error> {
        let [a, b] = [pair.a, pair.b].map(|t| self.corners(t.body, t.id));
        Ok(contact(&a?, &b?))
    }

    /// Every vertex inside a tet that does not own it, with its depth and the way out, sorted.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// let mut scene = Scene::new();
    /// scene.add(tet.clone(), &corners[..])?;
    /// let second = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let inside = scene.penetrations()?;
    /// assert_eq!((inside.len(), inside[0].vertex.body), (1, second));
    /// assert_eq!(inside[0].cause, crumple::Cause::Contact); // no tet is inverted
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn penetrations(&mut self) -> Result<Answer<Penetration>, Error> {
        if self.in_tets.is_none() {
            self.in_tets = Some(self.find_in_tets(false)?);
        }
        Ok(self.in_tets.as_ref().expect("set above").vertices.clone())
    }

    /// Every vertex inside a tet that does not own it, with its weights there, sorted: [`Scene::penetrations`] without
    /// depths.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let inside = scene.vertices_in_tets()?;
    /// assert_eq!((inside.len(), inside[0].vertex.body, inside[0].tet.body), (1, b, a));
    /// assert_eq!(inside[0].weights, [0.25; 4]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn vertices_in_tets(&mut self) -> Result<Answer<VertexInTet>, Error> {
        self.follow_solids()?;
        let bodies = self.laid_out.get().expect("laid out to follow");
        let method = self.solids.method.as_deref_mut().expect("it follows");
        let (name, guarantee) = (method.name(), method.guarantee());
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        let stats = Ready::again(method, bodies, frame).contacts(Pairs::All, &mut self.found);
        self.check_rows(self.found.vertex_tets.len().max(self.found.edge_tets.len()))?;
        self.fresh_cuts.solids.filter(bodies, frame, &mut self.found);
        self.retain_deep();
        let bodies = self.laid_out.get().expect("laid out to follow");
        let rows = self.found.vertex_tets.iter().map(|found| VertexInTet::new(bodies, found));
        let rows = rows.filter(|r| self.filter.allows(r.vertex.body, r.tet.body)).collect();
        Ok(Answer::new(rows, name, guarantee, stats))
    }

    /// Every edge that meets a tet with which it shares no vertex, sorted.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// let edges = scene.edge_penetrations()?;
    /// assert!(edges.iter().any(|e| e.edge.body == b && e.tet.body == a));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn edge_penetrations(&mut self) -> Result<Answer<EdgePenetration>, Error> {
        if self.in_tets.as_ref().is_none_or(|found| found.edges.is_none()) {
            self.in_tets = Some(self.find_in_tets(true)?);
        }
        Ok(self.in_tets.as_ref().and_then(|found| found.edges.clone()).expect("set above"))
    }

    /// Shows the structure that answers [`Scene::contacts`], and what its last search looked at.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let drawing = scene.draw()?;
    /// println!("{} boxes, {} triangles in regions", drawing.boxes.len(), drawing.triangles.len());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn draw(&mut self) -> Result<Drawing, Error> {
        self.prepare_frame(Question::Contacts)?;
        let bodies = self.laid_out.get().expect("laid out to follow");
        let mut drawing = Drawing::default();
        let method = self.surfaces.current_mut().expect("it follows").as_mut();
        Ready::again(method, bodies, Self::frame(&self.positions, &self.boxes, &self.near))
            .draw(&mut drawing);
        Ok(drawing)
    }

    /// Brings a method for contacts to the present frame: the passing one when most of the scene is new, otherwise the one
    /// that lasts, which is made in five times the time and answers smooth surfaces twenty times faster.
    pub(super) fn follow_surfaces(&mut self) -> Result<(), Error> {
        self.follow_surfaces_until(Clock::default()).map(drop)
    }

    /// The same as long as it is not late; says whether there was time.
    pub(super) fn follow_surfaces_until(&mut self, clock: Clock) -> Result<bool, Error> {
        self.is_asked = true;
        if self.surfaces.current().is_some() {
            return Ok(true);
        }
        let is_passing = self.is_mostly_new();
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        let follow = |d: &mut Box<dyn Method>, frame: Frame<'_>| d.follow_until(bodies, frame, clock);
        let is_followed = if is_passing {
            let build =
                || -> Result<Box<dyn Method>, ParamError> { Ok(Box::new(BucketTree::for_one_frame())) };
            self.surfaces.passing.at_until(frame, build, follow)?.is_some()
        } else {
            self.surfaces.passing = Followed::default();
            let forced = self.forced.surfaces;
            let build = || -> Result<Box<dyn Method>, ParamError> {
                Ok(forced.map_or_else(|| Box::new(Mixed::new()) as Box<dyn Method>, SurfaceMethod::method))
            };
            self.surfaces.lasting.at_until(frame, build, follow)?.is_some()
        };
        if is_followed {
            self.is_new.fill(false);
        }
        Ok(is_followed)
    }

    /// The contacts between bodies that are mostly new: most triangles are culled before anything is made, and nothing is
    /// kept. `None` when a method follows the frame already, or should.
    fn contacts_in_one_shot(&mut self) -> Result<Option<Answer<Contact>>, Error> {
        let is_followed = self.surfaces.current().is_some();
        if is_followed || !self.are_most_triangles_new() || !self.fresh_cuts.surfaces.is_empty() {
            return Ok(None);
        }
        let near = self.box_pairs(0.0);
        let boxes: Vec<Aabb> = (0..self.meshes.len()).map(|i| *self.box_of(i)).collect();
        let question = OneShot {
            meshes: &self.meshes,
            positions: &self.positions,
            boxes: &boxes,
            near: &near,
            most: self.limit.unwrap_or(usize::MAX),
        };
        let Some((found, stats)) = question.contacts() else { return Ok(None) };
        (self.is_asked, self.was_one_shot) = (true, true);
        self.check_rows(found.len())?;
        let element = |(body, id)| Element { body, id };
        let rows = found.into_iter().map(|[a, b]| Contact { a: element(a), b: element(b) });
        let rows = rows.filter(|c| self.filter.allows(c.a.body, c.b.body)).collect();
        Ok(Some(Answer::new(rows, SurfaceMethod::BucketTree.name(), Guarantee::Proved, stats)))
    }

    /// Whether in some body many triangles meet in single vertices.
    pub(super) fn is_crowded(&self) -> bool {
        self.meshes.iter().zip(&self.crowded).any(|(mesh, known)| *known.get_or_init(|| is_crowded(mesh)))
    }

    /// Whether more than half of the triangles were not there when contacts were last asked for, no method is forced, and
    /// triangles are not crowded.
    pub(super) fn is_mostly_new(&self) -> bool {
        self.are_most_triangles_new() && !self.is_crowded()
    }

    /// The same, however they lie.
    fn are_most_triangles_new(&self) -> bool {
        let (mut all, mut new) = (0, 0);
        for (mesh, &is_new) in self.meshes.iter().zip(&self.is_new) {
            all += mesh.triangle_count();
            new += if is_new { mesh.triangle_count() } else { 0 };
        }
        self.forced.surfaces.is_none() && 2 * new > all
    }

    pub(super) fn follow_solids(&mut self) -> Result<(), Error> {
        self.is_asked = true;
        let (chosen, wants_edges) = (self.forced.solids.unwrap_or_default(), self.wants_edges);
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        self.solids.at(frame, || Ok(chosen.method(wants_edges)), |d, frame| d.follow(bodies, frame)).map(drop)
    }

    fn find_in_tets(&mut self, with_edges: bool) -> Result<InTets, Error> {
        if with_edges && !self.wants_edges {
            (self.wants_edges, self.solids) = (true, Followed::default());
        }
        if self.meshes.iter().all(|m| !m.is_solid()) {
            let name = self.forced.solids.unwrap_or_default().name();
            let nothing = Answer::new(Vec::new(), name, Guarantee::Proved, Stats::default());
            let edges = Answer::new(Vec::new(), name, Guarantee::Proved, Stats::default());
            return Ok(InTets { vertices: nothing, edges: Some(edges) });
        }
        self.follow_solids()?;
        let bodies = self.laid_out.get().expect("laid out to follow");
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        let method = self.solids.method.as_deref_mut().expect("it follows");
        let (name, guarantee) = (method.name(), method.guarantee());
        let stats = Ready::again(method, bodies, frame).contacts(Pairs::All, &mut self.found);
        self.check_rows(self.found.vertex_tets.len().max(self.found.edge_tets.len()))?;
        self.fresh_cuts.solids.filter(bodies, frame, &mut self.found);
        self.retain_deep();
        let bodies = self.laid_out.get().expect("laid out to follow");
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        let mut depths = Vec::new();
        if !self.found.vertex_tets.is_empty() {
            let follow = |d: &mut PenetrationDepth, frame: Frame<'_>| {
                d.follow(bodies, frame);
                Ok(())
            };
            let method = self.depths.at(frame, || Ok(PenetrationDepth::default()), follow)?;
            method.compute_here(bodies, frame, &self.found.vertex_tets, &mut depths);
        }
        let vertices =
            self.found.vertex_tets.iter().zip(&depths).map(|(c, d)| Penetration::new(bodies, frame, c, d));
        let vertices = vertices.filter(|p| self.filter.allows(p.vertex.body, p.tet.body)).collect();
        let edges = self.found.edge_tets.iter().map(|c| EdgePenetration::new(bodies, c));
        let edges = edges.filter(|p| self.filter.allows(p.edge.body, p.tet.body)).collect();
        Ok(InTets {
            vertices: Answer::new(vertices, name, guarantee, stats),
            edges: self.wants_edges.then(|| Answer::new(edges, name, guarantee, stats)),
        })
    }

    /// Where the corners of a triangle are.
    pub(super) fn corners(&self, body: BodyId, triangle: TriangleId) -> Result<[[f64; 3]; 3], Error> {
        let mesh = self.mesh(body)?;
        if triangle.index() >= mesh.triangle_count() {
            return Err(Error::NoTriangle { body, triangle });
        }
        Ok(mesh.triangle(triangle).map(|v| self.positions[body.index()][v.index()]))
    }
}
