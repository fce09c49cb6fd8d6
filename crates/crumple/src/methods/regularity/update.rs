//! Following a frame: one pass over the patches, then upward (V13).

use super::Regularity;
use super::bounds::{Bounds, FindBounds};
use super::directions::Directions;
use super::facing::{FindSights, Sight};
use super::surface::Surface;
use super::threads;
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Map};
use crate::{Bodies, Frame, FrameError, Positions};

impl Regularity {
    /// Builds the bodies that changed, then finds boxes and, where bodies will be searched against themselves,
    /// directions.
    pub(super) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.match_bodies(bodies, frame);
        self.map = map_of(frame);
        for (surface, positions) in self.surfaces.iter_mut().zip(frame.iter()) {
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
        for (surface, positions) in self.surfaces.iter_mut().zip(frame.iter()) {
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
    fn match_bodies(&mut self, bodies: &Bodies, frame: Frame<'_>) {
        let is_same = |surface: &Surface, b: usize| surface.body.is_same(&bodies.meshes()[b]);
        let n = bodies.meshes().len();
        if self.surfaces.len() == n && self.surfaces.iter().enumerate().all(|(b, s)| is_same(s, b)) {
            return;
        }
        let mut old: Vec<Option<Surface>> = self.surfaces.drain(..).map(Some).collect();
        for (b, positions) in frame.iter().enumerate() {
            let kept = old.iter_mut().find(|s| s.as_ref().is_some_and(|s| is_same(s, b)));
            let surface = kept.and_then(Option::take);
            let fresh = || Surface::new(&bodies.meshes()[b], positions, self.params.shape());
            self.surfaces.push(surface.unwrap_or_else(fresh));
        }
    }
}

/// A map that takes all positions of a frame into [−1, 1]³.
fn map_of(frame: Frame<'_>) -> Map {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for body in frame.iter() {
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

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

impl Surface {
    /// Boxes, and directions where asked, of every patch and then of every node.
    fn pass(&mut self, given: Positions<'_>, pass: Pass<'_>) {
        let mut leaves = std::mem::take(&mut self.leaves);
        let positions = self.positions(given);
        let (patches, map, directions) = (&self.hierarchy.patches, pass.map, pass.directions);
        if pass.with_sights {
            let out = (&mut leaves.bounds[..], &mut leaves.sights[..]);
            threads::in_pieces_of_two(out, PIECE, |first, bounds, sights| {
                floats::run(FindSights { patches, positions, map, directions, first, bounds, sights });
            });
        } else {
            threads::in_pieces(&mut leaves.bounds, PIECE, |first, out| {
                floats::run(FindBounds { patches, positions, map, first, out });
            });
        }
        self.leaves = leaves;
        self.rise(pass.with_sights);
    }

    /// From the patches to the root. Children stand behind their parents.
    fn rise(&mut self, with_sights: bool) {
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate().rev() {
            let patch = node.patches[0] as usize;
            self.bounds[n] = if node.is_leaf() {
                self.leaves.bounds[patch]
            } else {
                node.child_range().fold(Bounds::EMPTY, |b, c| b.union(&self.bounds[c]))
            };
            if with_sights {
                self.sights[n] = match (node.is_region, node.is_leaf()) {
                    (false, _) => Sight::default(),
                    (true, true) => self.leaves.sights[patch],
                    (true, false) => node.child_range().fold(Sight::EMPTY, |s, c| s.union(&self.sights[c])),
                };
            }
        }
    }
}
