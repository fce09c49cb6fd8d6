//! What can be chosen.

use crate::ParamError;
use crate::geometry::Point;
use crate::narrow::vertex_tet::{self, Location};

/// What is looked for. Answers are exact. Construct with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpatialHashParams {
    /// Edge length of a cell (l in the paper), in units of the positions, above 0. `None`, the default, measures it in
    /// every frame, and takes several where tets differ in size. Larger cells hold more vertices to test, smaller ones
    /// are more to visit; answers do not depend on it.
    pub cell_size: Option<f64>,
    /// Whether a vertex on the skin of a tet is in it.
    pub touch: Touch,
    /// Which vertices are tested.
    pub vertices: VertexChoice,
    /// What [`Ready::contacts`](crate::Ready::contacts) looks for.
    pub find: Find,
}

impl SpatialHashParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check_cell_size(self.cell_size)
    }

    /// Whether the tet holds the point.
    #[inline]
    pub(super) fn contains(&self, p: &Point, t: &[Point; 4]) -> bool {
        vertex_tet::contains(p, t) && self.touch.allows(p, t)
    }
}

pub(super) fn check_cell_size(cell_size: Option<f64>) -> Result<(), ParamError> {
    match cell_size {
        Some(l) if !(l > 0.0 && l.is_finite()) => {
            let expected = "an edge length above 0";
            Err(ParamError { parameter: "cell_size", value: l.to_string(), expected })
        }
        _ => Ok(()),
    }
}

/// Whether a vertex on the skin of a tet is in it (T-A11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Touch {
    /// It is, as in the paper.
    #[default]
    Closed,
    /// It is not: only vertices strictly inside count, and a tet without volume holds nothing.
    Open,
}

impl Touch {
    /// Whether a point that the closed tet holds counts; decided exactly.
    #[inline]
    pub(super) fn allows(self, p: &Point, t: &[Point; 4]) -> bool {
        self == Self::Closed || vertex_tet::locate(p, t) == Location::Inside
    }
}

/// Which vertices are tested against the tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VertexChoice {
    /// Every vertex that a triangle or a tet uses.
    #[default]
    Used,
    /// Only vertices on a surface: what lies inside a body is left out (T-A12).
    Surface,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Find {
    /// Vertices inside tets. Default `true`.
    pub vertex_tets: bool,
    /// Edges that meet tets of which they share no vertex: finds crossed bars without a vertex inside (T38, T-A16).
    /// Default `false`.
    pub edge_tets: bool,
    /// Surface triangles that intersect (T17). Default `false`.
    pub triangle_pairs: bool,
}

impl Default for Find {
    fn default() -> Self {
        Self { vertex_tets: true, edge_tets: false, triangle_pairs: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_tet_has_no_skin() {
        let t = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let open = SpatialHashParams { touch: Touch::Open, ..SpatialHashParams::default() };
        for (p, inside) in [([0.25, 0.5, 0.25], true), ([0.25, 0.5, 0.0], false), ([2.0, 0.0, 0.0], false)] {
            assert!(SpatialHashParams::default().contains(&p, &t));
            assert_eq!(open.contains(&p, &t), inside);
            assert_eq!(open.contains(&p, &[t[1], t[0], t[2], t[3]]), inside);
        }
    }
}
