//! The bodies in the method: the hierarchy of each, and what the frame says about it.

use super::bounds::Bounds;
use super::directions::Directions;
use super::facing::Facing;
use super::hierarchy::Hierarchy;
use super::posed::Posed;
use crate::geometry::Point;
use crate::geometry::lanes::floats::Map;
use crate::{BodyId, Error, Frame, Mesh, Positions};

/// All bodies, brought to a frame by [`Surfaces::follow`].
#[derive(Debug)]
pub(crate) struct Surfaces {
    pub list: Vec<Surface>,
    pub directions: Directions,
    /// From positions of the present frame to boxes.
    pub map: Map,
    /// Whether the last query looked within bodies, for which the next frame prepares directions.
    pub wants_facing: bool,
}

/// One body.
#[derive(Debug)]
pub(crate) struct Surface {
    pub body: Mesh,
    pub hierarchy: Hierarchy,
    /// The box of each patch.
    pub patch_bounds: Vec<Bounds>,
    /// The directions that each patch faces; valid when `has_facing`.
    pub patch_facing: Vec<Facing>,
    /// The box of each node.
    pub bounds: Vec<Bounds>,
    /// The directions that each node faces; valid when `has_facing`.
    pub facing: Vec<Facing>,
    pub has_facing: bool,
    /// Positions widened to `f64`, where they came in `f32`.
    widened: Vec<Point>,
}

impl Surfaces {
    /// No body yet.
    pub fn new(directions: usize) -> Self {
        Self {
            list: Vec::new(),
            directions: Directions::new(directions),
            map: Map { origin: [0.0; 3], scale: 1.0 },
            wants_facing: true,
        }
    }

    /// Where the vertices of each body are.
    pub fn positions<'p>(&'p self, frame: Frame<'p>) -> Vec<&'p [Point]> {
        self.list.iter().zip(frame.iter()).map(|(s, p)| s.positions(p)).collect()
    }

    /// What a query looks at.
    pub fn posed<'p>(&'p self, positions: &'p [&'p [Point]]) -> Posed<'p> {
        Posed { surfaces: &self.list, positions, map: &self.map, directions: &self.directions }
    }

    /// One body.
    pub fn get(&self, body: BodyId) -> Result<&Surface, Error> {
        self.list.get(body.index()).ok_or(Error::NoBody { body })
    }
}

impl Surface {
    /// Builds the hierarchy of a body.
    pub fn new(
        body: &Mesh,
        positions: Positions<'_>,
        build: impl FnOnce(&Mesh, &[Point]) -> Hierarchy,
    ) -> Self {
        let mut widened = Vec::new();
        let hierarchy = build(body, as_f64(positions, &mut widened));
        let (n, patches) = (hierarchy.tree.nodes.len(), hierarchy.patches.len());
        Self {
            body: body.clone(),
            hierarchy,
            patch_bounds: vec![Bounds::EMPTY; patches],
            patch_facing: vec![Facing::default(); patches],
            bounds: vec![Bounds::EMPTY; n],
            facing: vec![Facing::default(); n],
            has_facing: false,
            widened,
        }
    }

    /// Takes in the positions of a frame.
    pub fn widen(&mut self, positions: Positions<'_>) {
        as_f64(positions, &mut self.widened);
    }

    /// The positions last taken in: the frame's own, or widened.
    pub fn positions<'p>(&'p self, given: Positions<'p>) -> &'p [Point] {
        match given {
            Positions::F64(p) => p,
            Positions::F32(_) => &self.widened,
        }
    }
}

fn as_f64<'p>(positions: Positions<'p>, widened: &'p mut Vec<Point>) -> &'p [Point] {
    match positions {
        Positions::F64(p) => p,
        Positions::F32(p) => {
            widened.clear();
            widened.extend(p.iter().map(|x| x.map(f64::from)));
            widened
        }
    }
}
