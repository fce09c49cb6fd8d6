//! Bodies that are cut where they are, and cuts that do not collide with themselves while they are fresh.

use std::collections::BTreeMap;

use super::Scene;
use crate::cut::{Blade, CutBody, ElementBoxes, FreshCuts, Incision, cut_near};
use crate::{BodyId, Changes, Error, MeshError, VertexId};

/// The boxes of bodies that were cut and have not moved since.
pub(super) type CutBoxes = BTreeMap<BodyId, ElementBoxes>;

/// The fresh cuts, for triangles and for tets, whose contacts are found apart.
#[derive(Debug, Clone, Default)]
pub(super) struct SceneCuts {
    pub surfaces: FreshCuts,
    pub solids: FreshCuts,
}

impl Scene {
    /// Cuts a body along a blade, where it is now. The two sides of the cut are one body still, whose parts can move apart.
    ///
    /// Until they have done so for the first time, [`Scene::contacts`], [`Scene::penetrations`], [`Scene::edge_penetrations`]
    /// and [`Scene::impacts`] leave out what touches because of the cut: contacts of its lips, to the depth of [`Scene::set_cut_depth`].
    /// A half that is pushed deeper into the other is reported.
    ///
    /// ```
    /// use crumple::cut::Blade;
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]])?;
    /// let sheet = scene.add(sheet, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// let done = scene.cut(sheet, &Blade::plane([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])?)?;
    /// assert_eq!(done.body.topology().component_count(), 2);
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn cut(&mut self, id: BodyId, blade: &Blade) -> Result<Incision, Error> {
        let near = self.near_blade(id, blade)?;
        let mesh = self.mesh(id)?.clone();
        let before = mesh.vertex_count();
        let done = match cut_near(&mesh, &mut self.positions[id.index()], blade, &near) {
            Ok(done) => done,
            Err(error) => {
                self.positions[id.index()].truncate(before);
                return Err(error.into());
            }
        };
        self.edited(id, done.body.clone(), before)?;
        let positions = &self.positions[id.index()];
        let cut_body = CutBody { body: &done.body, positions, seam: &done.seam };
        self.fresh_cuts.surfaces.add_cut_body(id, &done.changes, &cut_body);
        if done.body.is_solid() {
            self.fresh_cuts.solids.add_cut_body(id, &done.changes, &cut_body);
        }
        Ok(done)
    }

    /// Takes note of a cut that was made before the body came here: pairs of its vertices that were one, as [`Cut::seam`](crate::cut::Cut::seam) has them.
    /// What touches because of it is left out as after [`Scene::cut`]; the body lies as it was cut.
    ///
    /// ```
    /// use crumple::cut::{Blade, cut};
    /// use crumple::{Mesh, Scene};
    /// let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]])?;
    /// let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    /// let done = cut(&sheet, &flat, &Blade::plane([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])?)?;
    /// let mut scene = Scene::new();
    /// let halves = scene.add(done.body, &done.positions)?;
    /// assert!(!scene.contacts()?.is_empty());
    /// scene.add_seam(halves, &done.seam)?;
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_seam(&mut self, id: BodyId, seam: &[[VertexId; 2]]) -> Result<(), Error> {
        let vertices = self.mesh(id)?.vertex_count() as u32;
        if let Some(index) = seam.iter().position(|pair| pair.iter().any(|v| v.0 >= vertices)) {
            let [a, b] = seam[index].map(|v| v.0);
            let (element, index, vertex) = ("seam", index as u32, a.max(b));
            return Err(MeshError::VertexOutOfRange { element, index, vertex, vertices }.into());
        }
        if let Some(row) = seam.iter().position(|[v, copy]| v == copy) {
            let why = "it pairs a vertex with itself";
            return Err(MeshError::BadEdit { element: "seam", key: row as u32, why }.into());
        }
        let body = &self.meshes[id.index()];
        let cut_body = CutBody { body, positions: &self.positions[id.index()], seam };
        self.fresh_cuts.surfaces.add_cut_body(id, &Changes::default(), &cut_body);
        if body.is_solid() {
            self.fresh_cuts.solids.add_cut_body(id, &Changes::default(), &cut_body);
        }
        (self.contacts, self.in_tets) = (None, None);
        Ok(())
    }

    /// The elements (tets, or triangles of a surface) of a body that a blade may meet: found by the structure that answers
    /// contacts where it is at the present frame and knows them, otherwise by boxes that are kept while the body does not move.
    pub(super) fn near_blade(&mut self, id: BodyId, blade: &Blade) -> Result<Vec<u32>, Error> {
        self.check_body(id)?;
        let (mesh, positions) = (&self.meshes[id.index()], &self.positions[id.index()]);
        if !mesh.is_solid()
            && let Some(method) = self.surfaces.current()
        {
            let mut near = Vec::new();
            if method.triangles_where(id, &|bounds| blade.may_meet(bounds), &mut near) {
                near.sort_unstable();
                return Ok(near);
            }
        }
        Ok(self.element_boxes.entry(id).or_default().near(mesh, positions, blade))
    }

    /// How far from the seam what touches because of a cut is left out, for cuts made from now on; two mean edges at the
    /// seam unless told.
    ///
    /// ```
    /// # use crumple::Scene;
    /// let mut scene = Scene::new();
    /// scene.set_cut_depth(0.01);
    /// ```
    pub fn set_cut_depth(&mut self, depth: f64) {
        let SceneCuts { surfaces, solids } = std::mem::take(&mut self.fresh_cuts);
        self.fresh_cuts =
            SceneCuts { surfaces: surfaces.with_depth(depth), solids: solids.with_depth(depth) };
    }

    /// Takes every cut as open: what touches because of one counts from now on.
    ///
    /// ```
    /// # use crumple::Scene;
    /// let mut scene = Scene::new();
    /// scene.forget_cuts();
    /// assert!(!scene.has_fresh_cuts());
    /// ```
    pub fn forget_cuts(&mut self) {
        let SceneCuts { surfaces, solids } = &mut self.fresh_cuts;
        surfaces.forget();
        solids.forget();
        (self.contacts, self.in_tets) = (None, None);
    }

    /// Whether a cut has not opened everywhere yet, so that contacts are left out.
    ///
    /// ```
    /// # use crumple::Scene;
    /// assert!(!Scene::new().has_fresh_cuts());
    /// ```
    pub fn has_fresh_cuts(&self) -> bool {
        !(self.fresh_cuts.surfaces.is_empty() && self.fresh_cuts.solids.is_empty())
    }
}
