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
    /// Vertices at most this far from a corner of a tet are that corner, and not in the tet: bodies whose halves were stored
    /// with vertices of their own do not hit themselves along the seam. In units of the positions, from 0: those at the very
    /// same place. `None`, the default: a vertex is itself alone.
    pub weld: Option<f64>,
    /// Which vertices are tested.
    pub vertices: VertexChoice,
    /// What [`Ready::contacts`](crate::Ready::contacts) looks for.
    pub find: Find,
}

impl SpatialHashParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check_cell_size(self.cell_size)?;
        self.touch.check()?;
        check_weld(self.weld)
    }

    /// Whether the tet holds the point.
    #[inline]
    pub(super) fn contains(&self, p: &Point, t: &[Point; 4]) -> bool {
        vertex_tet::contains(p, t) && self.touch.allows(p, t) && !is_welded(self.weld, p, t)
    }
}

/// Checks how far apart vertices that are one may be.
pub(crate) fn check_weld(weld: Option<f64>) -> Result<(), ParamError> {
    match weld {
        Some(d) if !(d >= 0.0 && d.is_finite()) => {
            Err(ParamError { parameter: "weld", value: d.to_string(), expected: "a distance from 0" })
        }
        _ => Ok(()),
    }
}

/// Whether a point is a corner of a tet, when those so near are one.
#[inline]
pub(crate) fn is_welded(weld: Option<f64>, p: &Point, t: &[Point; 4]) -> bool {
    weld.is_some_and(|weld| t.iter().any(|corner| vertex_tet::are_at_most_apart(p, corner, weld)))
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
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Touch {
    /// It is, as in the paper; decided exactly.
    #[default]
    Closed,
    /// It is not: only vertices strictly inside count, and a tet without volume holds nothing; decided exactly.
    Open,
    /// Nor is one that is no deeper than this below each of the four faces, in units of the positions, from 0; decided exactly.
    Deeper(f64),
}

impl Touch {
    pub(crate) fn check(self) -> Result<(), ParamError> {
        match self {
            Self::Deeper(d) if !(d >= 0.0 && d.is_finite()) => {
                Err(ParamError { parameter: "touch", value: d.to_string(), expected: "a depth from 0" })
            }
            _ => Ok(()),
        }
    }

    /// Whether a point that the closed tet holds counts.
    #[inline]
    pub(crate) fn allows(self, p: &Point, t: &[Point; 4]) -> bool {
        match self {
            Self::Closed => true,
            Self::Open => vertex_tet::locate(p, t) == Location::Inside,
            Self::Deeper(d) => vertex_tet::is_deeper(p, t, d),
        }
    }
}

/// Which vertices are tested against the tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
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

    #[test]
    fn a_depth_and_a_seam_leave_out_what_lies_nearer() {
        let t = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let deeper = |d: f64| SpatialHashParams { touch: Touch::Deeper(d), ..SpatialHashParams::default() };
        for (p, depth) in [([0.25, 0.5, 0.25], 0.25), ([0.5, 0.5, 0.5], 0.5 / 3f64.sqrt()), ([0.1; 3], 0.1)] {
            assert!(deeper(depth - 1e-9).contains(&p, &t) && !deeper(depth + 1e-9).contains(&p, &t));
        }
        assert!(!deeper(0.0).contains(&[0.0, 0.5, 0.5], &t) && deeper(-1.0).check().is_err());
        // To the last bit, at every scale: 0.25 and 3 · 2^-k are heights that a float can hold.
        for scale in [1.0, 2f64.powi(-500), 2f64.powi(400)] {
            let t = t.map(|corner| corner.map(|x| x * scale));
            let p = [0.25, 0.5, 0.25].map(|x| x * scale);
            let is_in = |d: f64| deeper(d * scale).contains(&p, &t);
            assert!(!is_in(0.25) && is_in(0.25f64.next_down()) && !is_in(0.25f64.next_up()));
            let weld = |d: f64| SpatialHashParams { weld: Some(d * scale), ..SpatialHashParams::default() };
            let q = [0.75, 0.0, 1.0].map(|x| x * scale); // 1.25 from the origin and not nearer to a corner
            assert!(!weld(1.25).contains(&q, &t) && weld(1.25f64.next_down()).contains(&q, &t));
        }
        let weld = |d: f64| SpatialHashParams { weld: Some(d), ..SpatialHashParams::default() };
        assert!(!weld(0.0).contains(&[0.0; 3], &t) && weld(0.0).contains(&[0.1; 3], &t));
        assert!(!weld(0.2).contains(&[0.1; 3], &t) && weld(f64::NAN).check().is_err());
    }
}
