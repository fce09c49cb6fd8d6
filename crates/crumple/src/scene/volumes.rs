//! Volumes: how much bodies share, and what is inside.

use super::Scene;
use super::planner::is_open;
use crate::methods::layered_depth::{IntersectionSurface, Overlap, Resolution};
use crate::{BodyId, Error, Positions};

impl Scene {
    /// The volume that two closed bodies share, with bounds, from this many rays along each side of their common box.
    pub fn overlap(&mut self, [a, b]: [BodyId; 2], rays: u32) -> Result<Overlap, Error> {
        self.check_body(a)?;
        self.check_body(b)?;
        self.bodies();
        let bodies = self.laid_out.get().expect("laid out above");
        let layers = self.layers.get_or_insert_default();
        layers.update(bodies, Self::frame(&self.positions))?.overlap([a, b], Resolution::rays(rays))
    }

    /// The pairs of closed bodies that share volume, or may within the bounds, in order. Open surfaces have no volume and
    /// are left out.
    pub fn overlaps(&mut self, rays: u32) -> Result<Vec<([BodyId; 2], Overlap)>, Error> {
        let is_solid: Vec<bool> =
            self.meshes.iter().map(|b| !b.triangles().is_empty() && !is_open(b)).collect();
        let mut out = Vec::new();
        for [a, b] in self.box_pairs(0.0) {
            if is_solid[a.index()] && is_solid[b.index()] {
                let overlap = self.overlap([a, b], rays)?;
                if overlap.upper > 0.0 {
                    out.push(([a, b], overlap));
                }
            }
        }
        Ok(out)
    }

    /// The volume that closed bodies share as a closed surface, from this many cells along its longest side; see
    /// [`Volumes::intersection`](crate::methods::layered_depth::Volumes::intersection).
    pub fn intersection_surface(&mut self, ids: &[BodyId], cells: u32) -> Result<IntersectionSurface, Error> {
        ids.iter().try_for_each(|&body| self.check_body(body))?;
        self.bodies();
        let bodies = self.laid_out.get().expect("laid out above");
        let layers = self.layers.get_or_insert_default();
        layers.update(bodies, Self::frame(&self.positions))?.intersection(ids, Resolution::rays(cells))
    }

    /// For each point: is it inside, or on, the surface of a closed body?
    pub fn inside<'p>(&mut self, body: BodyId, points: impl Into<Positions<'p>>) -> Result<Vec<bool>, Error> {
        self.check_body(body)?;
        self.bodies();
        let bodies = self.laid_out.get().expect("laid out above");
        let layers = self.layers.get_or_insert_default();
        layers.update(bodies, Self::frame(&self.positions))?.inside(body, points)
    }
}
