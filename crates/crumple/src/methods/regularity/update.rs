//! Following a frame: one pass over the patches, then upward (V13).

use super::bounds::{Bounds, FindBounds};
use super::directions::Directions;
use super::facing::{Facing, FindFacing};
use super::hierarchy::Hierarchy;
use super::surfaces::{Surface, Surfaces};
use super::threads;
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Map};
use crate::{Bodies, Frame, FrameError, Mesh, Positions};

impl Surfaces {
    /// Builds the bodies that changed, then finds boxes and, where bodies will be searched against themselves,
    /// directions.
    pub fn follow(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        build: impl Fn(&Mesh, &[Point]) -> Hierarchy,
    ) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.match_bodies(bodies, frame, build);
        self.map = map_of(frame);
        let with_facing = self.wants_facing;
        for (surface, positions) in self.list.iter_mut().zip(frame.iter()) {
            surface.widen(positions);
            surface.has_facing = with_facing;
            surface.pass(positions, Pass { map: &self.map, directions: &self.directions, with_facing });
        }
        Ok(())
    }

    /// Finds the directions that [`Surfaces::follow`] left out, when a query looks within bodies; the next frame
    /// prepares what this query needs.
    pub fn prepare(&mut self, frame: Frame<'_>, within: bool) {
        self.wants_facing = within;
        for (surface, positions) in self.list.iter_mut().zip(frame.iter()) {
            if within && !surface.has_facing {
                surface.has_facing = true;
                let pass = Pass { map: &self.map, directions: &self.directions, with_facing: true };
                surface.pass(positions, pass);
            }
        }
    }

    /// Keeps the surfaces whose bodies are the same version as before, and builds the others.
    fn match_bodies(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        build: impl Fn(&Mesh, &[Point]) -> Hierarchy,
    ) {
        let is_same = |surface: &Surface, b: usize| surface.body.is_same(&bodies.meshes()[b]);
        let n = bodies.meshes().len();
        if self.list.len() == n && self.list.iter().enumerate().all(|(b, s)| is_same(s, b)) {
            return;
        }
        let mut old: Vec<Option<Surface>> = self.list.drain(..).map(Some).collect();
        for (b, positions) in frame.iter().enumerate() {
            let kept = old.iter_mut().find(|s| s.as_ref().is_some_and(|s| is_same(s, b)));
            let surface = kept.and_then(Option::take);
            let fresh = || Surface::new(&bodies.meshes()[b], positions, &build);
            self.list.push(surface.unwrap_or_else(fresh));
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
    with_facing: bool,
}

/// Patches that one thread takes at a time.
const PIECE: usize = 64;

impl Surface {
    /// Boxes, and directions where asked, of every patch and then of every node.
    fn pass(&mut self, given: Positions<'_>, pass: Pass<'_>) {
        let mut bounds = std::mem::take(&mut self.patch_bounds);
        let mut facing = std::mem::take(&mut self.patch_facing);
        let positions = self.positions(given);
        let (patches, map, directions) = (&self.hierarchy.patches, pass.map, pass.directions);
        if pass.with_facing {
            let out = (&mut bounds[..], &mut facing[..]);
            threads::in_pieces_of_two(out, PIECE, |first, bounds, facing| {
                floats::run(FindFacing { patches, positions, map, directions, first, bounds, facing });
            });
        } else {
            threads::in_pieces(&mut bounds, PIECE, |first, out| {
                floats::run(FindBounds { patches, positions, map, first, out });
            });
        }
        (self.patch_bounds, self.patch_facing) = (bounds, facing);
        self.rise(pass.with_facing);
    }

    /// From the patches to the root. Children stand behind their parents.
    fn rise(&mut self, with_facing: bool) {
        for (n, node) in self.hierarchy.tree.nodes.iter().enumerate().rev() {
            let patch = node.patches[0] as usize;
            self.bounds[n] = if node.is_leaf() {
                self.patch_bounds[patch]
            } else {
                node.child_range().fold(Bounds::EMPTY, |b, c| b.union(&self.bounds[c]))
            };
            if with_facing {
                self.facing[n] = match (node.is_region, node.is_leaf()) {
                    (false, _) => Facing::default(),
                    (true, true) => self.patch_facing[patch],
                    (true, false) => node.child_range().fold(Facing::EMPTY, |s, c| s.union(&self.facing[c])),
                };
            }
        }
    }
}
