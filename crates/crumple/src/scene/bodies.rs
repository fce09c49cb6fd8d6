//! Bodies under lasting ids, where they are, and what is left out.

use std::sync::OnceLock;

use super::{Groups, Scene, StepState};
use crate::broad_phase::BroadPhase;
use crate::diagnostics::{Diagnostic, diagnose};
use crate::geometry::{Aabb, Point};
use crate::{Bodies, BodyId, Error, Frame, Mesh, MeshError, Positions, frame};

impl Scene {
    /// Adds a body at its positions. Its id lasts: removing others does not change it, and it is not used again.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let sheet = Mesh::from_triangles("sheet", 3, &[[0, 1, 2]])?;
    /// let first = scene.add(sheet.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// let second = scene.add(sheet, &[[0.0f32, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]][..])?; // f32 is taken too
    /// assert_ne!(first, second);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn add<'p>(&mut self, mesh: Mesh, positions: impl Into<Positions<'p>>) -> Result<BodyId, Error> {
        let id = BodyId(self.meshes.len() as u32);
        let positions = positions.into();
        let bounds = frame::check_body(id, &mesh, &positions)?;
        check_counts(self.meshes.iter().chain([&mesh]))?;
        let mut own = Vec::new();
        positions.append_to(&mut own);
        self.positions.push(own);
        self.before.push(Vec::new());
        self.boxes_before.push(OnceLock::new());
        self.has_before.push(false);
        self.boxes.push(OnceLock::from(bounds));
        self.meshes.push(mesh);
        self.is_removed.push(false);
        self.crowded.push(OnceLock::new());
        self.filter.push();
        self.outdate_bodies();
        self.is_new.push(true);
        Ok(id)
    }

    /// Replaces a body by its next version (or by another one) at its positions; what does not depend on it is kept. A version
    /// that edits made of the body is followed at the cost of the change, besides that of a frame.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let two = Mesh::from_triangles("two", 4, &[[0, 1, 2], [1, 3, 2]])?;
    /// scene.replace(high, two, &[[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0], [4.0, 4.0, 1.0]][..])?;
    /// assert_eq!(scene.mesh(high)?.triangles().len(), 2);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn replace<'p>(
        &mut self,
        id: BodyId,
        mesh: Mesh,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), Error> {
        self.check_body(id)?;
        let positions = positions.into();
        let bounds = frame::check_body(id, &mesh, &positions)?;
        let others = self.meshes.iter().enumerate().filter(|(i, _)| *i != id.index()).map(|(_, b)| b);
        check_counts(others.chain([&mesh]))?;
        self.put(id, positions, bounds);
        self.has_before[id.index()] = false;
        // What came from the body by edits is followed, and not new.
        let is_new = mesh.changed_since(&self.meshes[id.index()]).is_none();
        self.crowded[id.index()] = OnceLock::new();
        self.lay_in(id, mesh);
        self.outdate();
        self.is_new[id.index()] |= is_new;
        Ok(())
    }

    /// Removes a body; the others keep their ids.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let removed = scene.remove(low)?;
    /// assert_eq!(removed.name(), "low");
    /// assert!(scene.mesh(low).is_err());
    /// assert_eq!(scene.mesh(high)?.name(), "high"); // it keeps its id
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> Result<Mesh, Error> {
        self.check_body(id)?;
        self.is_removed[id.index()] = true;
        self.positions[id.index()] = Vec::new();
        self.has_before[id.index()] = false;
        self.forget_place(id);
        self.crowded[id.index()] = OnceLock::new();
        let nothing = Mesh::from_points("", 0).expect("no vertex is few enough");
        let removed = std::mem::replace(&mut self.meshes[id.index()], nothing);
        self.outdate_bodies();
        Ok(removed)
    }

    /// Moves one body.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// assert_eq!(scene.contacts()?.len(), 1);
    /// assert!(scene.set_positions(high, &[[0.0, 0.0, f64::NAN]; 3][..]).is_err());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_positions<'p>(
        &mut self,
        id: BodyId,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), Error> {
        self.check_body(id)?;
        let positions = positions.into();
        let bounds = frame::check_body(id, &self.meshes[id.index()], &positions)?;
        self.put(id, positions, bounds);
        self.outdate();
        Ok(())
    }

    /// Puts one body elsewhere without a copy: takes the positions, and gives those of before in their place. Not a motion:
    /// [`Scene::impacts`] takes the body to have been there all along.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let mut next = at(2.0).to_vec();
    /// scene.swap_positions(high, &mut next)?;
    /// assert_eq!(scene.positions(high)?[0], [0.0, 0.0, 2.0]);
    /// assert_eq!(next[0], [0.0, 0.0, 1.0]); // the memory of before, to be filled again
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn swap_positions(&mut self, id: BodyId, positions: &mut Vec<Point>) -> Result<(), Error> {
        self.check_body(id)?;
        let bounds = frame::check_body(id, &self.meshes[id.index()], &Positions::F64(positions))?;
        std::mem::swap(&mut self.positions[id.index()], positions);
        self.has_before[id.index()] = false;
        self.forget_place(id);
        self.boxes[id.index()] = OnceLock::from(bounds);
        self.outdate();
        Ok(())
    }

    /// Moves all bodies at once, in the order of their ids; removed bodies have no positions.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let next = vec![at(0.0).to_vec(), at(0.5).to_vec()];
    /// scene.set_all_positions(crumple::Frame::from(&next))?;
    /// assert_eq!(scene.distance([low, high])?.expect("both have triangles").distance, 0.5);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_all_positions(&mut self, frame: Frame<'_>) -> Result<(), Error> {
        let mut boxes = Vec::with_capacity(frame.len());
        frame.measure(self.bodies(), |bounds| boxes.push(bounds))?;
        for ((i, theirs), bounds) in (0..).zip(frame.iter()).zip(boxes) {
            self.put(BodyId(i), theirs, bounds);
        }
        self.outdate();
        Ok(())
    }

    /// All bodies with one id space, which methods and brute force take. Removed bodies are empty meshes in it.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert_eq!(scene.bodies().triangles().len(), 2);
    /// assert_eq!(scene.bodies().triangle_range(high), 1..2);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn bodies(&self) -> &Bodies {
        self.laid_out.get_or_init(|| lay_out(&self.meshes))
    }

    /// The ids of the bodies that are there.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.remove(low)?;
    /// assert_eq!(scene.ids().collect::<Vec<_>>(), [high]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<'_> {
        let is_there = |(_, is_removed): &(usize, &bool)| !**is_removed;
        self.is_removed.iter().enumerate().filter(is_there).map(|(i, _)| BodyId(i as u32))
    }

    /// What a body is made of.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert_eq!(scene.mesh(high)?.vertex_count(), 3);
    /// assert!(scene.mesh(crumple::BodyId(7)).is_err());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn mesh(&self, id: BodyId) -> Result<&Mesh, Error> {
        self.check_body(id).map(|()| &self.meshes[id.index()])
    }

    /// Where a body's vertices are.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert_eq!(scene.positions(high)?, &at(1.0)[..]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn positions(&self, id: BodyId) -> Result<&[Point], Error> {
        self.check_body(id).map(|()| &self.positions[id.index()][..])
    }

    /// Where all bodies are, as methods and brute force take it together with [`Scene::bodies`].
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::methods::brute_force;
    /// let truth = brute_force::distance(scene.bodies(), scene.current_frame(), low, high)?;
    /// assert_eq!(truth.expect("both have triangles").distance, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn current_frame(&self) -> Frame<'_> {
        Self::frame(&self.positions, &self.boxes, &self.near)
    }

    /// The box of a body's vertices; `None` when it has none.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let bounds = scene.bounds(high)?.expect("it has vertices");
    /// assert_eq!((bounds.min, bounds.max), ([0.0, 0.0, 1.0], [4.0, 4.0, 1.0]));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn bounds(&self, id: BodyId) -> Result<Option<Aabb>, Error> {
        self.check_body(id)?;
        Ok(Some(*self.box_of(id.index())).filter(|b| !b.is_empty()))
    }

    /// Every pair of bodies whose boxes are at most `margin` apart, sorted. Near-linear in the number of bodies.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// assert!(scene.box_pairs(0.5).is_empty());
    /// assert_eq!(scene.box_pairs(1.0), [[low, high]]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn box_pairs(&mut self, margin: f64) -> Vec<[BodyId; 2]> {
        if margin.is_nan() || margin < 0.0 {
            return Vec::new();
        }
        self.find_near(margin, false);
        let boxes: Vec<Aabb> = (0..self.meshes.len()).map(|i| *self.box_of(i)).collect();
        let mut out = Vec::new();
        BroadPhase::default().pairs_among(self.near.known(), &boxes, margin, &mut out);
        out.retain(|&[a, b]| self.filter.allows(a, b));
        out
    }

    /// What is odd about the bodies, by element.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let flat = scene.add(triangle("flat")?, &[[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [2.0, 0.0, 9.0]][..])?;
    /// let odd = scene.diagnose()?;
    /// assert_eq!(odd[0].body, flat);
    /// println!("{}", odd[0].text); // a triangle without area
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn diagnose(&self) -> Result<Vec<Diagnostic>, Error> {
        Ok(diagnose(self.bodies(), self.current_frame())?)
    }

    pub(super) fn box_of(&self, i: usize) -> &Aabb {
        self.boxes[i].get_or_init(|| Aabb::of(&self.positions[i]))
    }

    /// The box of a body at the start of the step.
    pub(super) fn box_before(&self, i: usize) -> &Aabb {
        self.boxes_before[i].get_or_init(|| Aabb::of(&self.before[i]))
    }

    /// Begins a step here: the next motions lead away from where the bodies are now. Asking a question does it too.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.begin_step();
    /// scene.set_positions(high, &at(-1.0)[..])?;
    /// assert!(!scene.impacts()?.is_empty()); // it went through
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn begin_step(&mut self) {
        self.is_asked = true;
    }

    /// Puts a body at positions that were checked, in this box.
    fn put(&mut self, id: BodyId, positions: Positions<'_>, bounds: Aabb) {
        if std::mem::take(&mut self.is_asked) {
            self.has_before.fill(false);
        }
        if !std::mem::replace(&mut self.has_before[id.index()], true) {
            std::mem::swap(&mut self.before[id.index()], &mut self.positions[id.index()]);
            self.boxes_before[id.index()] = std::mem::take(&mut self.boxes[id.index()]);
        }
        let own = &mut self.positions[id.index()];
        own.clear();
        positions.append_to(own);
        self.forget_place(id);
        self.boxes[id.index()] = OnceLock::from(bounds);
    }

    /// Drops what is known about where a body is.
    fn forget_place(&mut self, id: BodyId) {
        self.boxes[id.index()] = OnceLock::new();
        self.seen_inside = self.seen_inside.filter(|seen| *seen != id);
        self.element_boxes.remove(&id);
    }

    pub(super) fn outdate(&mut self) {
        // A second frame is for what lasts.
        if std::mem::take(&mut self.was_one_shot) {
            self.is_new.fill(false);
        }
        self.surfaces.outdate();
        self.solids.outdate();
        self.depths.outdate();
        self.distances.outdate();
        self.stoppable.outdate();
        self.near.outdate();
        (self.contacts, self.in_tets) = (None, None);
        self.step_state = StepState::Unknown;
    }

    /// Puts the next version of a body in the place of the one before.
    pub(super) fn lay_in(&mut self, id: BodyId, mesh: Mesh) {
        if let Some(bodies) = self.laid_out.get_mut() {
            bodies.set_mesh(id, mesh.clone()).expect("counted by the caller");
        }
        self.meshes[id.index()] = mesh;
    }

    fn outdate_bodies(&mut self) {
        self.laid_out.take();
        self.outdate();
    }

    pub(super) fn check_body(&self, body: BodyId) -> Result<(), Error> {
        match self.is_removed.get(body.index()) {
            Some(false) => Ok(()),
            _ => Err(Error::NoBody { body }),
        }
    }
}

/// What is left out of every question that looks at all bodies.
impl Scene {
    /// A fixed body is not tested against other fixed bodies, nor against itself.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// scene.set_fixed(low, true)?;
    /// assert_eq!(scene.contacts()?.len(), 1); // fixed against moving
    /// scene.set_fixed(high, true)?;
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_fixed(&mut self, id: BodyId, is_fixed: bool) -> Result<(), Error> {
        self.check_body(id)?;
        self.filter.set_fixed(id, is_fixed);
        self.drop_answers();
        Ok(())
    }

    /// Whether a body is fixed.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.set_fixed(low, true)?;
    /// assert!(scene.is_fixed(low)? && !scene.is_fixed(high)?);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn is_fixed(&self, id: BodyId) -> Result<bool, Error> {
        self.check_body(id).map(|()| self.filter.is_fixed(id))
    }

    /// The groups that a body belongs to and is tested against; all with all unless told.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::Groups;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// let (cloth, skin) = (1, 2);
    /// scene.set_groups(low, Groups { member: cloth, mask: cloth })?; // against cloth only
    /// scene.set_groups(high, Groups { member: skin, mask: skin | cloth })?;
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), Error> {
        self.check_body(id)?;
        self.filter.set_groups(id, groups);
        self.drop_answers();
        Ok(())
    }

    /// Leaves a pair of bodies out (one body twice: what it does with itself), or takes it in again.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]][..])?;
    /// scene.ignore([low, high], true)?;
    /// assert!(scene.contacts()?.is_empty());
    /// scene.ignore([low, high], false)?;
    /// assert_eq!(scene.contacts()?.len(), 1);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn ignore(&mut self, pair: [BodyId; 2], is_ignored: bool) -> Result<(), Error> {
        pair.into_iter().try_for_each(|id| self.check_body(id))?;
        self.filter.set_ignored(pair, is_ignored);
        self.drop_answers();
        Ok(())
    }

    /// The structures stay, the answers are found anew.
    fn drop_answers(&mut self) {
        (self.contacts, self.in_tets) = (None, None);
    }
}

/// The bodies laid end to end.
pub(super) fn lay_out(meshes: &[Mesh]) -> Bodies {
    Bodies::new(meshes.iter().cloned()).expect("counted when they were added")
}

/// Checks that the ids of all bodies can be laid end to end.
pub(super) fn check_counts<'b>(meshes: impl Iterator<Item = &'b Mesh>) -> Result<(), MeshError> {
    let mut counts = [0u64; 3];
    for mesh in meshes {
        let own = [mesh.vertex_count(), mesh.triangle_count(), mesh.tet_count()];
        counts.iter_mut().zip(own).for_each(|(sum, n)| *sum += n as u64);
    }
    for (element, count) in ["vertices", "triangles", "tets"].into_iter().zip(counts) {
        if count >= u64::from(u32::MAX) {
            return Err(MeshError::TooMany { element, count });
        }
    }
    Ok(())
}
