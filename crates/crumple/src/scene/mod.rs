//! A scene: bodies that move, and five questions, without naming a method.
//!
//! Add bodies, hand over their positions frame by frame, ask. A method is built when its question is first asked,
//! follows the frames from then on, and answers once per frame however often it is asked. [`Scene::explain`] says which
//! method answers what and why; [`Scene::force`] takes another.
//!
//! ```
//! use crumple::{Body, Scene};
//! let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
//! let mut scene = Scene::new();
//! let low = scene.add(Body::triangles("low", 3, &[[0, 1, 2]])?, &flat[..])?;
//! let high = scene.add(Body::triangles("high", 3, &[[0, 1, 2]])?, &flat.map(|[x, y, z]| [x, y, z + 1.0])[..])?;
//! assert_eq!(scene.distance(low, high)?.unwrap().distance, 1.0);
//! scene.advance(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
//! assert_eq!(scene.contacts()?.len(), 1);
//! # Ok::<(), crumple::SceneError>(())
//! ```
//!
//! # Invariants
//! I1. `positions` has one list per body of `mesh`, of its length, all finite and within bounds.
//! I2. A kept answer belongs to the bodies and positions as they are now; every change drops it.
//! # Cost
//! One copy of the positions per frame, and what the methods that are asked cost.

mod choice;
#[cfg(test)]
mod tests;

pub use choice::{Choice, Question, SolidMethod, SurfaceMethod};

use crate::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crate::methods::layered_depth::{LayeredDepth, LayeredDepthParams, LayeredError, Overlap, Resolution};
use crate::methods::spatial_hash::{Penetration, PenetrationDepth};
use crate::{
    Body, BodyId, BuildError, Contacts, Detector, Distance, Frame, FrameError, Mesh, MeshError, NearPair,
    Pairs, Positions, TrianglePair, VertexTet,
};

/// Why a scene cannot do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// A mesh or a parameter that a method cannot take.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Bodies that do not go together.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Positions that do not fit.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A volume or an inside flag that cannot be told.
    #[error(transparent)]
    Layers(#[from] LayeredError),
    /// No such body.
    #[error("there is no body {0} in the scene")]
    NoBody(BodyId),
}

/// Bodies that move, and five questions about them, without naming a method.
#[derive(Default)]
pub struct Scene {
    mesh: Option<Mesh>,
    positions: Vec<Vec<[f64; 3]>>,
    forced: (Option<SurfaceMethod>, Option<SolidMethod>),
    surfaces: Followed<Box<dyn Detector + Send>>,
    solids: Followed<Box<dyn Detector + Send>>,
    depths: PenetrationDepth,
    distances: Followed<DistanceHierarchy>,
    layers: Option<LayeredDepth>,
    contacts: Option<Contacts>,
    penetrations: Option<(Contacts, Vec<Penetration>)>,
}

/// A method, and whether it is at the present frame.
struct Followed<M> {
    method: Option<M>,
    is_current: bool,
}

impl<M> Default for Followed<M> {
    fn default() -> Self {
        Self { method: None, is_current: false }
    }
}

impl<M> Followed<M> {
    /// The method at the present frame: built when there is none, updated when it is behind.
    fn at(
        &mut self,
        build: impl FnOnce() -> Result<M, BuildError>,
        update: impl FnOnce(&mut M) -> Result<(), FrameError>,
    ) -> Result<&mut M, SceneError> {
        match &mut self.method {
            None => self.method = Some(build()?),
            Some(method) if !self.is_current => update(method)?,
            Some(_) => {}
        }
        self.is_current = true;
        Ok(self.method.as_mut().expect("built above"))
    }
}

impl Scene {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bodies as one mesh; results name elements by its ids.
    pub fn mesh(&self) -> &Mesh {
        static EMPTY: std::sync::OnceLock<Mesh> = std::sync::OnceLock::new();
        self.mesh
            .as_ref()
            .unwrap_or_else(|| EMPTY.get_or_init(|| Mesh::new([]).expect("no bodies are few enough")))
    }

    /// Adds a body at its positions.
    pub fn add<'p>(&mut self, body: Body, positions: impl Into<Positions<'p>>) -> Result<BodyId, SceneError> {
        let id = BodyId(self.mesh().bodies().len() as u32);
        let mut bodies = self.mesh().bodies().to_vec();
        bodies.push(body);
        let mesh = Mesh::new(bodies)?;
        let mut all = std::mem::take(&mut self.positions);
        all.push(to_vec(positions.into()));
        self.adopt(mesh, all)?;
        Ok(id)
    }

    /// Replaces a body by its next version (or by another one) at its positions; what does not depend on it is kept.
    pub fn replace<'p>(
        &mut self,
        id: BodyId,
        body: Body,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), SceneError> {
        self.check_body(id)?;
        let mesh = self.mesh().with_body(id, body)?;
        let mut all = self.positions.clone();
        all[id.index()] = to_vec(positions.into());
        self.adopt(mesh, all)
    }

    /// Removes a body; the ids of those after it go down by one.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        self.check_body(id)?;
        let mut bodies = self.mesh().bodies().to_vec();
        let removed = bodies.remove(id.index());
        let mut all = self.positions.clone();
        all.remove(id.index());
        self.adopt(Mesh::new(bodies)?, all)?;
        Ok(removed)
    }

    /// Moves one body.
    pub fn advance<'p>(&mut self, id: BodyId, positions: impl Into<Positions<'p>>) -> Result<(), SceneError> {
        self.check_body(id)?;
        let positions = positions.into();
        let body = Mesh::new([self.mesh().body(id).clone()])?;
        Frame::new(&[positions]).check(&body).map_err(|e| rename(e, id))?;
        copy_into(positions, &mut self.positions[id.index()]);
        self.outdate();
        Ok(())
    }

    /// Moves all bodies at once, in their order.
    pub fn advance_all(&mut self, frame: Frame<'_>) -> Result<(), SceneError> {
        frame.check(self.mesh())?;
        for (mine, theirs) in self.positions.iter_mut().zip(frame.bodies()) {
            copy_into(*theirs, mine);
        }
        self.outdate();
        Ok(())
    }

    /// Every pair of triangles that intersect, within and between bodies, sorted.
    pub fn contacts(&mut self) -> Result<&[TrianglePair], SceneError> {
        if self.contacts.is_none() {
            let mut out = Contacts::default();
            let method = self.forced.0.unwrap_or_default();
            let (mesh, slices) = parts(&self.mesh, &self.positions);
            if let Some(mesh) = mesh {
                let frame = Frame::new(&slices);
                let detector = self.surfaces.at(|| method.build(mesh, frame), |d| d.update(mesh, frame))?;
                detector.contacts(mesh, frame, Pairs::All, &mut out);
            }
            self.contacts = Some(out);
        }
        Ok(&self.contacts.as_ref().expect("set above").triangle_pairs)
    }

    /// Every vertex inside a tet that does not own it, with its depth and the way out, sorted.
    pub fn penetrations(
        &mut self,
    ) -> Result<impl ExactSizeIterator<Item = (&VertexTet, &Penetration)>, SceneError> {
        if self.penetrations.is_none() {
            let (mut out, mut depths) = (Contacts::default(), Vec::new());
            let method = self.forced.1.unwrap_or_default();
            let (mesh, slices) = parts(&self.mesh, &self.positions);
            if let Some(mesh) = mesh {
                let frame = Frame::new(&slices);
                let detector = self.solids.at(|| method.build(mesh, frame), |d| d.update(mesh, frame))?;
                detector.contacts(mesh, frame, Pairs::All, &mut out);
                self.depths.compute(mesh, frame, &out.vertex_tets, &mut depths);
            }
            self.penetrations = Some((out, depths));
        }
        let (contacts, depths) = self.penetrations.as_ref().expect("set above");
        Ok(contacts.vertex_tets.iter().zip(depths))
    }

    /// The volume that two closed bodies share, with bounds, from this many rays along each side of their common box.
    pub fn overlap(&mut self, a: BodyId, b: BodyId, rays: u32) -> Result<Overlap, SceneError> {
        self.check_body(a)?;
        self.check_body(b)?;
        let params =
            LayeredDepthParams { resolution: Resolution::Pixels([rays; 2]), ..LayeredDepthParams::default() };
        if self.layers.as_ref().is_none_or(|l| l.params().resolution != params.resolution) {
            self.layers = Some(LayeredDepth::new(params).map_err(BuildError::from)?);
        }
        let (mesh, slices) = parts(&self.mesh, &self.positions);
        let (mesh, layers) = (mesh.expect("has the bodies"), self.layers.as_mut().expect("set above"));
        Ok(layers.overlap(mesh, Frame::new(&slices), a, b)?)
    }

    /// For each point: is it inside, or on, the surface of a closed body?
    pub fn inside<'p>(
        &mut self,
        body: BodyId,
        points: impl Into<Positions<'p>>,
    ) -> Result<Vec<bool>, SceneError> {
        self.check_body(body)?;
        if self.layers.is_none() {
            self.layers = Some(LayeredDepth::new(LayeredDepthParams::default()).map_err(BuildError::from)?);
        }
        let (mesh, slices) = parts(&self.mesh, &self.positions);
        let (mesh, layers) = (mesh.expect("has the body"), self.layers.as_mut().expect("set above"));
        Ok(layers.inside(mesh, Frame::new(&slices), body, points.into())?)
    }

    /// How close the surfaces of two bodies are, and where; `None` when one of them has no triangle.
    pub fn distance(&mut self, a: BodyId, b: BodyId) -> Result<Option<Distance>, SceneError> {
        self.check_body(a)?;
        self.check_body(b)?;
        Ok(self.hierarchy()?.distance(a, b))
    }

    /// Every pair of triangles of two bodies at most `margin` apart, sorted.
    pub fn within(&mut self, a: BodyId, b: BodyId, margin: f64) -> Result<Vec<NearPair>, SceneError> {
        self.check_body(a)?;
        self.check_body(b)?;
        Ok(self.hierarchy()?.within(a, b, margin))
    }

    fn hierarchy(&mut self) -> Result<&mut DistanceHierarchy, SceneError> {
        let (mesh, slices) = parts(&self.mesh, &self.positions);
        let (mesh, frame) = (mesh.expect("has the bodies"), Frame::new(&slices));
        self.distances
            .at(|| DistanceHierarchy::new(mesh, frame, DistanceParams::default()), |d| d.update(mesh, frame))
    }

    /// Takes this method for [`Scene::contacts`] from now on.
    pub fn force(&mut self, method: SurfaceMethod) {
        self.forced.0 = Some(method);
        (self.surfaces, self.contacts) = (Followed::default(), None);
    }

    /// Takes this method for [`Scene::penetrations`] from now on.
    pub fn force_solid(&mut self, method: SolidMethod) {
        self.forced.1 = Some(method);
        (self.solids, self.penetrations) = (Followed::default(), None);
    }

    /// Which method answers which question, and why.
    pub fn explain(&self) -> Vec<Choice> {
        choice::explain(self.mesh(), self.forced)
    }

    /// Takes over bodies and positions, after checking them together; on an error nothing changes.
    fn adopt(&mut self, mesh: Mesh, positions: Vec<Vec<[f64; 3]>>) -> Result<(), SceneError> {
        let slices: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        if let Err(error) = Frame::new(&slices).check(&mesh) {
            // `add` hands over the scene's own lists; they go back without the one that was refused.
            if self.positions.is_empty() {
                self.positions = positions;
                self.positions.truncate(self.mesh().bodies().len());
            }
            return Err(error.into());
        }
        (self.mesh, self.positions) = (Some(mesh), positions);
        self.outdate();
        Ok(())
    }

    fn outdate(&mut self) {
        (self.surfaces.is_current, self.solids.is_current, self.distances.is_current) = (false, false, false);
        (self.contacts, self.penetrations) = (None, None);
    }

    fn check_body(&self, id: BodyId) -> Result<(), SceneError> {
        if id.index() < self.mesh().bodies().len() { Ok(()) } else { Err(SceneError::NoBody(id)) }
    }
}

/// Mesh and positions, apart from the methods that borrow them.
fn parts<'s>(
    mesh: &'s Option<Mesh>,
    positions: &'s [Vec<[f64; 3]>],
) -> (Option<&'s Mesh>, Vec<Positions<'s>>) {
    (mesh.as_ref(), positions.iter().map(Positions::from).collect())
}

fn to_vec(positions: Positions<'_>) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    copy_into(positions, &mut out);
    out
}

fn copy_into(positions: Positions<'_>, out: &mut Vec<[f64; 3]>) {
    out.clear();
    match positions {
        Positions::F64(p) => out.extend_from_slice(p),
        Positions::F32(p) => out.extend(p.iter().map(|x| x.map(f64::from))),
    }
}

/// The error with the body's id in the scene.
fn rename(error: FrameError, id: BodyId) -> FrameError {
    match error {
        FrameError::VertexCount { given, expected, .. } => {
            FrameError::VertexCount { body: id, given, expected }
        }
        FrameError::NotFinite { vertex, position, .. } => {
            FrameError::NotFinite { body: id, vertex, position }
        }
        FrameError::TooLarge { vertex, position, .. } => FrameError::TooLarge { body: id, vertex, position },
        other => other,
    }
}
