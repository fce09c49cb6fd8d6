//! One body in the method: its hierarchy, and what the frame says about it.

use super::bounds::Bounds;
use super::facing::Sight;
use super::hierarchy::{Hierarchy, Shape};
use crate::geometry::Point;
use crate::{Mesh, Positions};

/// A body under the root.
pub(super) struct Surface {
    pub body: Mesh,
    pub hierarchy: Hierarchy,
    /// Of each patch.
    pub leaves: Leaves,
    /// The box of each node.
    pub bounds: Vec<Bounds>,
    /// The directions that each node faces; valid when `has_sights`.
    pub sights: Vec<Sight>,
    pub has_sights: bool,
    /// Positions widened to `f64`, where they came in `f32`.
    widened: Vec<Point>,
}

/// What the frame says about the patches, in their order.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub bounds: Vec<Bounds>,
    pub sights: Vec<Sight>,
}

impl Surface {
    /// Builds the hierarchy of a body.
    pub fn new(body: &Mesh, positions: Positions<'_>, shape: Shape) -> Self {
        let mut widened = Vec::new();
        let hierarchy = Hierarchy::new(body, as_f64(positions, &mut widened), shape);
        let (n, patches) = (hierarchy.tree.nodes.len(), hierarchy.patches.len());
        Self {
            body: body.clone(),
            hierarchy,
            leaves: Leaves { bounds: vec![Bounds::EMPTY; patches], sights: vec![Sight::default(); patches] },
            bounds: vec![Bounds::EMPTY; n],
            sights: vec![Sight::default(); n],
            has_sights: false,
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
