//! Following a frame: one pass over the patches, then upward (V13).

use super::Regularity;
use super::directions::Directions;
use super::patches::MAX_PATCH;
use super::sight::{Bounds, FindBounds, FindSight, Sight};
use super::surface::Surface;
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Map};
use crate::{Frame, FrameError, Mesh, Positions};

impl Regularity {
    /// Builds the bodies that changed, then finds boxes and, where bodies will be searched against themselves,
    /// directions.
    pub(super) fn follow(&mut self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(mesh)?;
        self.match_bodies(mesh, frame);
        self.map = map_of(frame);
        for (surface, &positions) in self.surfaces.iter_mut().zip(frame.bodies()) {
            surface.widen(positions);
            surface.has_sights = self.wants_sights;
            let passes =
                Pass { map: &self.map, directions: &self.directions, with_sights: self.wants_sights };
            surface.pass(positions, passes);
        }
        Ok(())
    }

    /// Finds the directions that [`Regularity::follow`] left out.
    pub(super) fn find_sights(&mut self, frame: Frame<'_>) {
        for (surface, &positions) in self.surfaces.iter_mut().zip(frame.bodies()) {
            if !surface.has_sights {
                surface.has_sights = true;
                surface.pass(
                    positions,
                    Pass { map: &self.map, directions: &self.directions, with_sights: true },
                );
            }
        }
    }

    /// Keeps the surfaces whose bodies are the same version as before, and builds the others.
    fn match_bodies(&mut self, mesh: &Mesh, frame: Frame<'_>) {
        let is_same = |surface: &Surface, b: usize| surface.body.is_same(&mesh.bodies()[b]);
        let n = mesh.bodies().len();
        if self.surfaces.len() == n && self.surfaces.iter().enumerate().all(|(b, s)| is_same(s, b)) {
            return;
        }
        let mut old: Vec<Option<Surface>> = self.surfaces.drain(..).map(Some).collect();
        for (b, &positions) in frame.bodies().iter().enumerate() {
            let kept = old.iter_mut().find(|s| s.as_ref().is_some_and(|s| is_same(s, b)));
            let surface = kept.and_then(Option::take);
            let fresh = || Surface::new(&mesh.bodies()[b], positions, self.params.shape());
            self.surfaces.push(surface.unwrap_or_else(fresh));
        }
    }
}

/// A map that takes all positions of a frame into [−1, 1]³.
fn map_of(frame: Frame<'_>) -> Map {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for body in frame.bodies() {
        let (low, high) = match body {
            Positions::F64(p) => extent(p, |x| x),
            Positions::F32(p) => extent(p, f64::from),
        };
        for k in 0..3 {
            min[k] = min[k].min(low[k]);
            max[k] = max[k].max(high[k]);
        }
    }
    let origin = std::array::from_fn(|k| if min[k] <= max[k] { 0.5 * min[k] + 0.5 * max[k] } else { 0.0 });
    let reach = (0..3).fold(0f64, |m, k| m.max(max[k] - origin[k]).max(origin[k] - min[k]));
    // The power of two above the reach, within the exponents of normal numbers on both sides.
    let exponent = (reach.to_bits() >> 52) as i64 - 1022;
    let scale = f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52);
    Map { origin, scale }
}

fn extent<T: Copy>(points: &[[T; 3]], widen: impl Fn(T) -> f64) -> (Point, Point) {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            let x = widen(p[k]);
            min[k] = if x < min[k] { x } else { min[k] };
            max[k] = if x > max[k] { x } else { max[k] };
        }
    }
    (min, max)
}

/// What a pass over a surface needs.
#[derive(Clone, Copy)]
struct Pass<'a> {
    map: &'a Map,
    directions: &'a Directions,
    with_sights: bool,
}

impl Surface {
    /// Boxes, and directions where asked, of every patch and then of every node.
    fn pass(&mut self, given: Positions<'_>, pass: Pass<'_>) {
        let (mut bounds, mut sights) = (std::mem::take(&mut self.bounds), std::mem::take(&mut self.sights));
        let positions = self.positions(given);
        let (tree, patches) = (&self.hierarchy.tree, &self.hierarchy.patches);
        let mut local = [[0.0; 4]; 3 * MAX_PATCH];
        // Children stand behind their parents.
        for (n, node) in tree.nodes.iter().enumerate().rev() {
            if !node.is_leaf() {
                bounds[n] = node.child_range().fold(Bounds::EMPTY, |b, c| b.union(&bounds[c]));
                if pass.with_sights {
                    let all = node.child_range().fold(Sight::EMPTY, |s, c| s.union(&sights[c]));
                    sights[n] = if node.is_region { all } else { Sight::default() };
                }
                continue;
            }
            let patch = node.patches[0] as usize;
            let vertices = patches.vertices(patch);
            if !pass.with_sights {
                bounds[n] = floats::run(FindBounds { positions, vertices, map: pass.map });
                continue;
            }
            let (corners, directions) = (patches.corners(patch), pass.directions);
            let (b, s) = floats::run(FindSight {
                positions,
                vertices,
                corners,
                map: pass.map,
                directions,
                local: &mut local,
            });
            bounds[n] = b;
            sights[n] = if node.is_region { s } else { Sight::default() };
        }
        (self.bounds, self.sights) = (bounds, sights);
    }
}
