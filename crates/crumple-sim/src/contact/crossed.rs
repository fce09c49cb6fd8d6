//! Bodies that cross already: closed ones are pushed out of each other by the gradient of the volume that they share.
//!
//! J. Allard, F. Faure, H. Courtecuisse, F. Falipou, C. Duriez, P. Kry: *Volume Contact Constraints at Arbitrary Resolution*, SIGGRAPH 2010.
//! Near pairs know on which side things are only while nothing crosses; so pairs of what crosses do not push.

use crumple::{BodyId, Resolution};
use glam::DVec3;

use crate::world::State;
use crate::{SimError, World};

/// Rays along each side of the box that two bodies share.
const RAYS: u32 = 24;

/// What crossed when exact detection was last asked.
#[derive(Debug, Default)]
pub(crate) struct Crossed {
    volumes: Vec<Volume>,
    /// Vertices of triangles that cross, in order.
    vertices: Vec<u32>,
    /// Closed bodies that cross each other, in order.
    bodies: Vec<[BodyId; 2]>,
}

/// The volume that two bodies share, as a function of their vertices near where it was measured.
#[derive(Debug)]
struct Volume {
    volume: f64,
    rows: Vec<(u32, DVec3)>,
    at: Vec<DVec3>,
}

impl World {
    /// Looks at what crosses: volumes of closed bodies, and vertices whose near pairs are not to be trusted.
    pub(crate) fn find_crossed(&mut self) -> Result<Crossed, SimError> {
        let mut crossed = Crossed::default();
        if !self.is_crossed {
            return Ok(crossed);
        }
        self.show()?;
        let contacts = self.scene.contacts()?;
        for contact in &contacts {
            let pair = [contact.a.body, contact.b.body];
            if pair[0] != pair[1] && pair.iter().all(|b| self.is_closed(*b)) {
                crossed.bodies.push(pair);
            }
            for side in [contact.a, contact.b] {
                let body = &self.bodies[side.body.index()];
                let corners = body.mesh.triangles()[side.id.index()];
                crossed.vertices.extend(corners.iter().map(|v| body.first as u32 + v.0));
            }
        }
        crossed.vertices.sort_unstable();
        crossed.vertices.dedup();
        crossed.bodies.sort_unstable();
        crossed.bodies.dedup();
        for &pair in &crossed.bodies {
            let gradient = self.scene.volumes()?.gradient(pair, Resolution::rays(RAYS))?;
            let mut rows = Vec::new();
            for (body, slopes) in pair.iter().zip(&gradient.bodies) {
                let first = self.bodies[body.index()].first as u32;
                let steep = slopes.iter().enumerate().filter(|(_, g)| g.iter().any(|g| *g != 0.0));
                rows.extend(steep.map(|(v, g)| (first + v as u32, DVec3::from_array(*g))));
            }
            let at = rows.iter().map(|(v, _)| self.state.x[*v as usize]).collect();
            let volume = gradient.sampled.iter().sum::<f64>() / 3.0;
            crossed.volumes.push(Volume { volume, rows, at });
        }
        Ok(crossed)
    }

    fn is_closed(&self, body: BodyId) -> bool {
        self.bodies[body.index()].mesh.topology().is_closed()
    }

    /// Takes pairs of what crosses out of those that push.
    pub(crate) fn distrust(&mut self, crossed: &Crossed) {
        let mut contacts = std::mem::take(&mut self.contacts);
        if !crossed.vertices.is_empty() {
            contacts.retain_pushing(|pair| {
                let v = pair.v;
                let bodies = [self.locate(v[0]).0, self.locate(v[3]).0];
                let pair = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])];
                crossed.bodies.binary_search(&pair).is_err()
                    && !v.iter().any(|v| crossed.vertices.binary_search(v).is_ok())
            });
        }
        self.contacts = contacts;
    }
}

impl Crossed {
    /// One sweep: pushes bodies out of each other, by `share` of what they share.
    pub fn solve(&self, state: &mut State, share: f64) {
        let State { x, w, .. } = state;
        for volume in &self.volumes {
            let now = volume.volume
                + volume
                    .rows
                    .iter()
                    .zip(&volume.at)
                    .map(|((v, g), at)| g.dot(x[*v as usize] - *at))
                    .sum::<f64>();
            let sum: f64 = volume.rows.iter().map(|(v, g)| w[*v as usize] * g.length_squared()).sum();
            if now > 0.0 && sum > 0.0 {
                for (v, g) in &volume.rows {
                    x[*v as usize] -= *g * (w[*v as usize] * share * now / sum);
                }
            }
        }
    }
}
