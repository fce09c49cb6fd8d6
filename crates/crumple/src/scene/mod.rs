//! A scene: bodies that move, and five questions, without naming a method.
//!
//! Add bodies, hand over their positions frame by frame, ask. A method is built when its question is first asked,
//! follows the frames from then on, and answers once per frame however often it is asked. [`Scene::explain`] says which
//! method answers what and why; [`Scene::use_surface_method`] takes another.
//!
//! ```
//! use crumple::{Mesh, Scene};
//! let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
//! let mut scene = Scene::new();
//! let low = scene.add(Mesh::from_triangles("low", 3, &[[0, 1, 2]])?, &flat[..])?;
//! let high = scene.add(Mesh::from_triangles("high", 3, &[[0, 1, 2]])?, &flat.map(|[x, y, z]| [x, y, z + 1.0])[..])?;
//! assert_eq!(scene.distance(low, high)?.unwrap().distance, 1.0);
//! scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
//! assert_eq!(scene.contacts()?.len(), 1);
//! # Ok::<(), crumple::SceneError>(())
//! ```
//!
//! # What the questions share
//! - Boxes: every body's box is found once, when its positions are handed over; bodies that do not move keep theirs.
//! - The broad phase: [`Scene::box_pairs`] lists the bodies whose boxes are near, in O(n log n) for n bodies; overlaps and
//!   distances look at those only, and two bodies whose boxes are apart are not looked at at all.
//! - Exact tests: once [`Scene::contacts`] has been asked in a frame, two bodies that touch have distance 0 at the first
//!   pair of triangles that it found, and no search is made.
//!
//! # Invariants
//! I1. `positions` and `boxes` have one entry per body, of its length, all finite and within bounds.
//! I2. A kept answer belongs to the bodies and positions as they are now; every change drops it.
//! # Cost
//! One copy of the positions of bodies that move, and what the methods that are asked cost. Adding a body costs what the
//! body costs; the ids are laid out when something is asked.

mod choice;
#[cfg(test)]
mod tests;
mod volumes;

use std::cell::OnceCell;

pub use choice::{Choice, Question, SolidMethod, SurfaceMethod, explain};

use self::choice::Forced;
use crate::broad_phase::BroadPhase;
use crate::detector::{Method, Ready};
use crate::frame;
use crate::geometry::Aabb;
use crate::methods::distance_hierarchy::{BodyDistance, DistanceHierarchy, DistanceParams, Safety};
use crate::methods::layered_depth::LayeredDepth;
use crate::methods::spatial_hash::{Penetration, PenetrationDepth};
use crate::narrow::contact::{Intersection, contact};
use crate::narrow::tri_tri_distance;
use crate::{
    Bodies, BodyId, BuildError, Contacts, Distance, Frame, FrameError, Guarantee, Mesh, MeshError, NearPair,
    Pairs, Positions, QueryError, TriangleId, TrianglePair, VertexTet, Witness,
};

/// Why a scene cannot do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// A mesh or a parameter that a method cannot take.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Bodies that do not go together.
    #[error(transparent)]
    Bodies(#[from] MeshError),
    /// Positions that do not fit.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A question that cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// No such body.
    #[error("there is no body {0} in the scene")]
    NoBody(BodyId),
}

/// Bodies that move, and five questions about them, without naming a method.
#[derive(Default)]
pub struct Scene {
    meshes: Vec<Mesh>,
    positions: Vec<Vec<[f64; 3]>>,
    boxes: Vec<Aabb>,
    /// The bodies laid end to end, once something is asked.
    laid_out: OnceCell<Bodies>,
    forced: Forced,
    broad_phase: BroadPhase,
    surfaces: Followed<Box<dyn Method>>,
    solids: Followed<Box<dyn Method>>,
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
        let method = match &mut self.method {
            Some(method) => method,
            none => none.insert(build()?),
        };
        if !self.is_current {
            update(method)?;
            self.is_current = true;
        }
        Ok(method)
    }
}

/// Bodies and where they are.
impl Scene {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bodies as one mesh; results name elements by its ids.
    pub fn bodies(&self) -> &Bodies {
        self.laid_out.get_or_init(|| lay_out(&self.meshes))
    }

    /// The box of a body's vertices; `None` when it has none.
    pub fn bounds(&self, id: BodyId) -> Option<Aabb> {
        self.boxes.get(id.index()).copied().filter(|b| !b.is_empty())
    }

    /// Adds a body at its positions.
    pub fn add<'p>(&mut self, body: Mesh, positions: impl Into<Positions<'p>>) -> Result<BodyId, SceneError> {
        let id = BodyId(self.meshes.len() as u32);
        let positions = positions.into();
        frame::check_body(id, &body, &positions)?;
        check_counts(self.meshes.iter().chain([&body]))?;
        let mut own = Vec::new();
        self.boxes.push(copy_into(positions, &mut own));
        self.positions.push(own);
        self.meshes.push(body);
        self.outdate_bodies();
        Ok(id)
    }

    /// Replaces a body by its next version (or by another one) at its positions; what does not depend on it is kept.
    pub fn replace<'p>(
        &mut self,
        id: BodyId,
        body: Mesh,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), SceneError> {
        self.check_body(id)?;
        let positions = positions.into();
        frame::check_body(id, &body, &positions)?;
        let others = self.meshes.iter().enumerate().filter(|(i, _)| *i != id.index()).map(|(_, b)| b);
        check_counts(others.chain([&body]))?;
        self.boxes[id.index()] = copy_into(positions, &mut self.positions[id.index()]);
        self.meshes[id.index()] = body;
        self.outdate_bodies();
        Ok(())
    }

    /// Removes a body; the ids of those after it go down by one.
    pub fn remove(&mut self, id: BodyId) -> Result<Mesh, SceneError> {
        self.check_body(id)?;
        self.positions.remove(id.index());
        self.boxes.remove(id.index());
        let removed = self.meshes.remove(id.index());
        self.outdate_bodies();
        Ok(removed)
    }

    /// Moves one body.
    pub fn set_positions<'p>(
        &mut self,
        id: BodyId,
        positions: impl Into<Positions<'p>>,
    ) -> Result<(), SceneError> {
        self.check_body(id)?;
        let positions = positions.into();
        frame::check_body(id, &self.meshes[id.index()], &positions)?;
        self.boxes[id.index()] = copy_into(positions, &mut self.positions[id.index()]);
        self.outdate();
        Ok(())
    }

    /// Moves all bodies at once, in their order.
    pub fn set_all_positions(&mut self, frame: Frame<'_>) -> Result<(), SceneError> {
        frame.check(self.bodies())?;
        for (i, theirs) in frame.iter().enumerate() {
            self.boxes[i] = copy_into(theirs, &mut self.positions[i]);
        }
        self.outdate();
        Ok(())
    }

    /// Every pair of bodies whose boxes are at most `margin` apart, sorted. Near-linear in the number of bodies.
    pub fn box_pairs(&mut self, margin: f64) -> Vec<[BodyId; 2]> {
        let mut out = Vec::new();
        self.broad_phase.pairs(&self.boxes, margin, &mut out);
        out
    }

    fn outdate(&mut self) {
        (self.surfaces.is_current, self.solids.is_current, self.distances.is_current) = (false, false, false);
        (self.contacts, self.penetrations) = (None, None);
    }

    fn outdate_bodies(&mut self) {
        self.laid_out.take();
        self.outdate();
    }

    fn check_body(&self, id: BodyId) -> Result<(), SceneError> {
        if id.index() < self.meshes.len() { Ok(()) } else { Err(SceneError::NoBody(id)) }
    }
}

/// Which methods are taken.
impl Scene {
    /// Takes this method for [`Scene::contacts`] from now on.
    pub fn use_surface_method(&mut self, method: SurfaceMethod) {
        self.forced.surfaces = Some(method);
        (self.surfaces, self.contacts) = (Followed::default(), None);
    }

    /// Takes this method for [`Scene::penetrations`] from now on.
    pub fn use_solid_method(&mut self, method: SolidMethod) {
        self.forced.solids = Some(method);
        (self.solids, self.penetrations) = (Followed::default(), None);
    }

    /// Which method answers which question, and why.
    pub fn explain(&self) -> Vec<Choice> {
        self.forced.explain(&self.meshes)
    }
}

/// What touches, and how close the rest is. Volumes are in `volumes.rs`.
impl Scene {
    /// Every pair of triangles that intersect, within and between bodies, sorted.
    pub fn contacts(&mut self) -> Result<&[TrianglePair], SceneError> {
        if self.contacts.is_none() {
            let mut out = Contacts::default();
            let method = self.forced.surfaces(&self.meshes);
            // A body that is cut to pieces may make a soup of what was a surface; the detector of before goes then.
            if self.surfaces.method.as_ref().is_some_and(|d| d.name() != method.name()) {
                self.surfaces = Followed::default();
            }
            let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
            let slices = slices(&self.positions);
            let frame = Frame::new(&slices);
            let detector = self.surfaces.at(|| Ok(method.method()), |d| d.follow(bodies, frame))?;
            Ready::again(detector.as_mut(), bodies, frame).contacts(Pairs::All, &mut out);
            self.contacts = Some(out);
        }
        Ok(&self.contacts.as_ref().expect("set above").triangle_pairs)
    }

    /// Where two triangles intersect now: a point, a segment or a polygon; `None` when they do not. Of neighbours, the
    /// common edge or corner is part of it.
    pub fn intersection(&self, pair: TrianglePair) -> Option<Intersection> {
        contact(&self.corners(pair.a), &self.corners(pair.b))
    }

    /// Every vertex inside a tet that does not own it, with its depth and the way out, sorted.
    pub fn penetrations(
        &mut self,
    ) -> Result<impl ExactSizeIterator<Item = (&VertexTet, &Penetration)>, SceneError> {
        if self.penetrations.is_none() {
            let (mut out, mut depths) = (Contacts::default(), Vec::new());
            let method = self.forced.solids.unwrap_or_default();
            let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
            let slices = slices(&self.positions);
            let frame = Frame::new(&slices);
            if !bodies.tets().is_empty() {
                let detector = self.solids.at(|| Ok(method.method()), |d| d.follow(bodies, frame))?;
                Ready::again(detector.as_mut(), bodies, frame).contacts(Pairs::All, &mut out);
                self.depths.compute(bodies, frame, &out.vertex_tets, &mut depths);
            }
            self.penetrations = Some((out, depths));
        }
        let (contacts, depths) = self.penetrations.as_ref().expect("set above");
        Ok(contacts.vertex_tets.iter().zip(depths))
    }

    /// How close the surfaces of two bodies are, and where; `None` when one of them has no triangle, or both are the same.
    pub fn distance(&mut self, a: BodyId, b: BodyId) -> Result<Option<Distance>, SceneError> {
        self.check_body(a)?;
        self.check_body(b)?;
        match self.first_contact(a, b) {
            Some(touching) => Ok(Some(touching)),
            None => Ok(self.hierarchy()?.distance(a, b)),
        }
    }

    /// The pairs of bodies whose surfaces are at most `margin` apart, and how far, in order.
    pub fn distances(&mut self, margin: f64) -> Result<Vec<BodyDistance>, SceneError> {
        if self.meshes.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.hierarchy()?.near(margin))
    }

    /// Every pair of triangles of two bodies at most `margin` apart, sorted.
    pub fn within(&mut self, a: BodyId, b: BodyId, margin: f64) -> Result<Vec<NearPair>, SceneError> {
        self.check_body(a)?;
        self.check_body(b)?;
        Ok(self.hierarchy()?.within(a, b, margin))
    }

    /// Every pair of triangles of one body at most `margin` apart that share no vertex, sorted.
    pub fn self_within(&mut self, body: BodyId, margin: f64) -> Result<Vec<NearPair>, SceneError> {
        self.check_body(body)?;
        Ok(self.hierarchy()?.self_within(body, margin))
    }

    /// For how many frames two bodies cannot meet if no vertex moves faster than in the last one; `None` when that cannot
    /// be said: before the second frame that the hierarchy has seen, or without triangles.
    pub fn safety(&mut self, a: BodyId, b: BodyId) -> Result<Option<Safety>, SceneError> {
        let Some(found) = self.distance(a, b)? else { return Ok(None) };
        Ok(self.hierarchy()?.safety(a, b, found.lower))
    }

    fn hierarchy(&mut self) -> Result<&mut DistanceHierarchy, SceneError> {
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let slices = slices(&self.positions);
        let frame = Frame::new(&slices);
        self.distances.at(
            || DistanceHierarchy::new(bodies, frame, DistanceParams::default()),
            |d| d.update(bodies, frame),
        )
    }

    /// The distance of two bodies that touch, where this frame's contacts are known: the smallest pair of triangles at
    /// distance 0 is the smallest contact.
    fn first_contact(&self, a: BodyId, b: BodyId) -> Option<Distance> {
        let (bodies, pairs) = (self.bodies(), &self.contacts.as_ref()?.triangle_pairs);
        let (low, high) = (bodies.triangle_range(a.min(b)), bodies.triangle_range(a.max(b)));
        let from = pairs.partition_point(|p| p.a.index() < low.start);
        let first = pairs[from..]
            .iter()
            .take_while(|p| p.a.index() < low.end)
            .filter(|p| high.contains(&p.b.index()) && a != b)
            .map(|p| if a < b { [p.a, p.b] } else { [p.b, p.a] })
            .min()?;
        let closest = tri_tri_distance::closest(&self.corners(first[0]), &self.corners(first[1]));
        let witness = |triangle, on: tri_tri_distance::Witness| Witness {
            triangle,
            feature: on.feature,
            point: on.point,
        };
        Some(Distance {
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            a: witness(first[0], closest.a),
            b: witness(first[1], closest.b),
            contains: None,
            guarantee: Guarantee::Proved,
        })
    }

    /// Where the corners of a triangle are.
    fn corners(&self, triangle: TriangleId) -> [[f64; 3]; 3] {
        let (body, triangle) = self.bodies().locate_triangle(triangle);
        let positions = &self.positions[body.index()];
        self.meshes[body.index()].triangles()[triangle.index()].map(|v| positions[v.index()])
    }
}

/// The bodies laid end to end.
fn lay_out(bodies: &[Mesh]) -> Bodies {
    Bodies::new(bodies.iter().cloned()).expect("counted when they were added")
}

/// The positions as the engine takes them.
fn slices(positions: &[Vec<[f64; 3]>]) -> Vec<Positions<'_>> {
    positions.iter().map(Positions::from).collect()
}

/// Checks that the ids of all bodies can be laid end to end.
fn check_counts<'b>(bodies: impl Iterator<Item = &'b Mesh>) -> Result<(), MeshError> {
    let mut counts = [0u64; 3];
    for body in bodies {
        let own = [body.vertex_count(), body.triangles().len(), body.tets().len()];
        counts.iter_mut().zip(own).for_each(|(sum, n)| *sum += n as u64);
    }
    for (element, count) in ["vertices", "triangles", "tets"].into_iter().zip(counts) {
        if count >= u64::from(u32::MAX) {
            return Err(MeshError::TooMany { element, count });
        }
    }
    Ok(())
}

/// Copies positions, and finds their box.
fn copy_into(positions: Positions<'_>, out: &mut Vec<[f64; 3]>) -> Aabb {
    out.clear();
    match positions {
        Positions::F64(p) => out.extend_from_slice(p),
        Positions::F32(p) => out.extend(p.iter().map(|x| x.map(f64::from))),
    }
    Aabb::of(out)
}
