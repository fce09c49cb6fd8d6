//! What can be asked about a frame, and which bodies are admitted to a question.

use super::LayeredDepth;
use super::body::OrientedSurface;
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Error, Frame, Positions};

/// The volumes that bodies enclose in one frame; made by [`LayeredDepth::update`].
#[derive(Debug)]
pub struct Volumes<'a> {
    pub(crate) method: &'a mut LayeredDepth,
    pub(crate) bodies: &'a Bodies,
    pub(crate) frame: Frame<'a>,
    /// Whether the body that was last asked about points is where it was then.
    pub(crate) is_still: bool,
}

impl<'a> Volumes<'a> {
    /// The places of the surfaces of bodies in the method, or why one cannot be used.
    pub(crate) fn admit_all(&mut self, ids: &[BodyId]) -> Result<Vec<usize>, Error> {
        for &id in ids {
            self.admit(id)?;
        }
        // A body that was not known may have moved the others; now nothing moves any more.
        ids.iter().map(|&id| self.admit(id)).collect()
    }

    /// [`admit_all`](Self::admit_all) of two, without asking for memory.
    pub(crate) fn admit_both(&mut self, [a, b]: [BodyId; 2]) -> Result<[usize; 2], Error> {
        self.admit(a)?;
        let second = self.admit(b)?;
        Ok([self.admit(a)?, second])
    }

    /// The place of a body's surface in the method, or why it cannot be used.
    pub(crate) fn admit(&mut self, id: BodyId) -> Result<usize, Error> {
        let meshes = self.bodies.meshes();
        let body = meshes.get(id.index()).ok_or(Error::NoBody { body: id })?;
        let LayeredDepth { surfaces, places, params, .. } = &mut *self.method;
        places.resize(meshes.len(), 0);
        let last = places[id.index()];
        let known = match surfaces.get(last) {
            Some(surface) if surface.is_of(body) => Some(last),
            _ => surfaces.iter().position(|s| s.is_of(body)),
        };
        let place = known.unwrap_or_else(|| {
            let is_free = |s: &OrientedSurface| !meshes.iter().any(|b| s.is_of(b));
            let before = surfaces.iter().position(|s| s.is_version_of(body) && is_free(s));
            let surface = before.and_then(|place| surfaces.swap_remove(place).edited(body));
            let surface = surface.unwrap_or_else(|| OrientedSurface::new(body));
            // Versions that are no longer among the bodies are forgotten, but for those that the next question may follow.
            surfaces.retain(|s| meshes.iter().any(|b| s.is_version_of(b)));
            surfaces.push(surface);
            surfaces.len() - 1
        });
        places[id.index()] = place;
        surfaces[place].admit(id, params.holes)?;
        Ok(place)
    }

    /// The surface in a place, the positions of its body, and their box.
    pub(crate) fn surface(&self, place: usize, id: BodyId) -> (&OrientedSurface, Positions<'a>, Aabb) {
        let (surface, positions) = (&self.method.surfaces[place], self.frame.of(id));
        let bounds = surface.bounds(positions, || self.frame.body_bounds(id));
        (surface, positions, bounds)
    }

    /// Whether surfaces enclose a volume: without holes the winding number is the same on every ray.
    pub(crate) fn are_closed(&self, places: &[usize]) -> bool {
        places.iter().all(|&place| self.method.surfaces[place].is_balanced())
    }
}
