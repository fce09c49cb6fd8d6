//! Bodies under lasting ids, where they are, and what is left out.

use std::sync::OnceLock;

use super::{Groups, Scene};
use crate::diagnostics::{Diagnostic, diagnose};
use crate::geometry::{Aabb, Point};
use crate::{Bodies, BodyId, Error, Frame, Mesh, MeshError, Positions, frame};

impl Scene {
    /// Adds a body at its positions. Its id lasts: removing others does not change it, and it is not used again.
    pub fn add<'p>(&mut self, mesh: Mesh, positions: impl Into<Positions<'p>>) -> Result<BodyId, Error> {
        let id = BodyId(self.meshes.len() as u32);
        let positions = positions.into();
        frame::check_body(id, &mesh, &positions)?;
        check_counts(self.meshes.iter().chain([&mesh]))?;
        let mut own = Vec::new();
        positions.append_to(&mut own);
        self.positions.push(own);
        self.before.push(Vec::new());
        self.has_before.push(false);
        self.boxes.push(OnceLock::new());
        self.meshes.push(mesh);
        self.is_removed.push(false);
        self.is_new.push(true);
        self.filter.push();
        self.outdate_bodies();
        Ok(id)
    }

    /// Replaces a body by its next version (or by another one) at its positions; what does not depend on it is kept.
    pub fn replace<'p>(
        &mut self,
        id: BodyId,
        mesh: Mesh,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), Error> {
        self.check_body(id)?;
        let positions = positions.into();
        frame::check_body(id, &mesh, &positions)?;
        let others = self.meshes.iter().enumerate().filter(|(i, _)| *i != id.index()).map(|(_, b)| b);
        check_counts(others.chain([&mesh]))?;
        self.put(id, positions);
        self.has_before[id.index()] = false;
        self.meshes[id.index()] = mesh;
        self.is_new[id.index()] = true;
        self.outdate_bodies();
        Ok(())
    }

    /// Removes a body; the others keep their ids.
    pub fn remove(&mut self, id: BodyId) -> Result<Mesh, Error> {
        self.check_body(id)?;
        self.is_removed[id.index()] = true;
        self.positions[id.index()] = Vec::new();
        self.has_before[id.index()] = false;
        self.boxes[id.index()] = OnceLock::new();
        let nothing = Mesh::from_points("", 0).expect("no vertex is few enough");
        let removed = std::mem::replace(&mut self.meshes[id.index()], nothing);
        self.outdate_bodies();
        Ok(removed)
    }

    /// Moves one body.
    pub fn set_positions<'p>(
        &mut self,
        id: BodyId,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), Error> {
        self.check_body(id)?;
        let positions = positions.into();
        frame::check_body(id, &self.meshes[id.index()], &positions)?;
        self.put(id, positions);
        self.outdate();
        Ok(())
    }

    /// Puts one body elsewhere without a copy: takes the positions, and gives those of before in their place. Not a motion:
    /// [`Scene::impacts`] takes the body to have been there all along.
    pub fn swap_positions(&mut self, id: BodyId, positions: &mut Vec<Point>) -> Result<(), Error> {
        self.check_body(id)?;
        frame::check_body(id, &self.meshes[id.index()], &Positions::F64(positions))?;
        std::mem::swap(&mut self.positions[id.index()], positions);
        self.has_before[id.index()] = false;
        self.boxes[id.index()] = OnceLock::new();
        self.outdate();
        Ok(())
    }

    /// Moves all bodies at once, in the order of their ids; removed bodies have no positions.
    pub fn set_all_positions(&mut self, frame: Frame<'_>) -> Result<(), Error> {
        frame.check(self.bodies())?;
        for (i, theirs) in frame.iter().enumerate() {
            self.put(BodyId(i as u32), theirs);
        }
        self.outdate();
        Ok(())
    }

    /// All bodies with one id space, which methods and brute force take. Removed bodies are empty meshes in it.
    pub fn bodies(&self) -> &Bodies {
        self.laid_out.get_or_init(|| lay_out(&self.meshes))
    }

    /// The ids of the bodies that are there.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<'_> {
        let is_there = |(_, is_removed): &(usize, &bool)| !**is_removed;
        self.is_removed.iter().enumerate().filter(is_there).map(|(i, _)| BodyId(i as u32))
    }

    /// What a body is made of.
    pub fn mesh(&self, id: BodyId) -> Result<&Mesh, Error> {
        self.check_body(id).map(|()| &self.meshes[id.index()])
    }

    /// Where a body's vertices are.
    pub fn positions(&self, id: BodyId) -> Result<&[Point], Error> {
        self.check_body(id).map(|()| &self.positions[id.index()][..])
    }

    /// Where all bodies are, as methods and brute force take it together with [`Scene::bodies`].
    pub fn current_frame(&self) -> Frame<'_> {
        Self::frame(&self.positions)
    }

    /// The box of a body's vertices; `None` when it has none.
    pub fn bounds(&self, id: BodyId) -> Result<Option<Aabb>, Error> {
        self.check_body(id)?;
        Ok(Some(*self.box_of(id.index())).filter(|b| !b.is_empty()))
    }

    /// Every pair of bodies whose boxes are at most `margin` apart, sorted. Near-linear in the number of bodies.
    pub fn box_pairs(&mut self, margin: f64) -> Vec<[BodyId; 2]> {
        let boxes: Vec<Aabb> = (0..self.meshes.len()).map(|i| *self.box_of(i)).collect();
        let mut out = Vec::new();
        self.broad_phase.pairs(&boxes, margin, &mut out);
        out.retain(|&[a, b]| self.filter.allows(a, b));
        out
    }

    /// What is odd about the bodies, by element.
    pub fn diagnose(&self) -> Result<Vec<Diagnostic>, Error> {
        Ok(diagnose(self.bodies(), self.current_frame())?)
    }

    fn box_of(&self, i: usize) -> &Aabb {
        self.boxes[i].get_or_init(|| Aabb::of(&self.positions[i]))
    }

    /// Begins a step here: the next motions lead away from where the bodies are now. Asking a question does it too.
    pub fn begin_step(&mut self) {
        self.is_asked = true;
    }

    fn put(&mut self, id: BodyId, positions: Positions<'_>) {
        if std::mem::take(&mut self.is_asked) {
            self.has_before.fill(false);
        }
        if !std::mem::replace(&mut self.has_before[id.index()], true) {
            std::mem::swap(&mut self.before[id.index()], &mut self.positions[id.index()]);
        }
        let own = &mut self.positions[id.index()];
        own.clear();
        positions.append_to(own);
        self.boxes[id.index()] = OnceLock::new();
    }

    pub(super) fn outdate(&mut self) {
        self.surfaces.outdate();
        (self.solids.is_current, self.distances.is_current) = (false, false);
        (self.contacts, self.in_tets) = (None, None);
        self.is_step_current = false;
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
    pub fn set_fixed(&mut self, id: BodyId, is_fixed: bool) -> Result<(), Error> {
        self.check_body(id)?;
        self.filter.set_fixed(id, is_fixed);
        self.drop_answers();
        Ok(())
    }

    /// Whether a body is fixed.
    pub fn is_fixed(&self, id: BodyId) -> Result<bool, Error> {
        self.check_body(id).map(|()| self.filter.is_fixed(id))
    }

    /// The groups that a body belongs to and is tested against; all with all unless told.
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), Error> {
        self.check_body(id)?;
        self.filter.set_groups(id, groups);
        self.drop_answers();
        Ok(())
    }

    /// Leaves a pair of bodies out (one body twice: what it does with itself), or takes it in again.
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
fn check_counts<'b>(meshes: impl Iterator<Item = &'b Mesh>) -> Result<(), MeshError> {
    let mut counts = [0u64; 3];
    for mesh in meshes {
        let own = [mesh.vertex_count(), mesh.triangles().len(), mesh.tets().len()];
        counts.iter_mut().zip(own).for_each(|(sum, n)| *sum += n as u64);
    }
    for (element, count) in ["vertices", "triangles", "tets"].into_iter().zip(counts) {
        if count >= u64::from(u32::MAX) {
            return Err(MeshError::TooMany { element, count });
        }
    }
    Ok(())
}
