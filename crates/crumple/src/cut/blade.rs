//! What cuts: a plane, a polyline swept along a direction, or a triangulated surface.

use super::sheet::Sheet;
use crate::geometry::predicates::{collinear, orient3d};
use crate::geometry::vector::{cross, dot, sub};
use crate::geometry::{Aabb, Point, Sign};
use crate::{MAX_COORDINATE, ParamError};

/// A plane without end, the strip that a polyline sweeps, or a triangulated surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Blade {
    kind: BladeKind,
}

#[derive(Debug, Clone, PartialEq)]
enum BladeKind {
    /// Through three points.
    Plane([Point; 3]),
    Sheet(Box<Sheet>),
}

impl Blade {
    /// The plane through three points that are not on one line.
    pub fn plane(through: [Point; 3]) -> Result<Self, ParamError> {
        check(&through)?;
        if collinear(&through[0], &through[1], &through[2]) {
            return wrong("plane", format!("{through:?}"), "three points that are not on one line");
        }
        Ok(Self { kind: BladeKind::Plane(through) })
    }

    /// The strip between a polyline and the same moved by `along`. Segments along that direction, and of no length, are
    /// left out.
    pub fn sweep(polyline: &[Point], along: Point) -> Result<Self, ParamError> {
        check(polyline)?;
        check(&[along])?;
        let mut triangles = Vec::new();
        for ends in polyline.windows(2) {
            let [a, b] = [ends[0], ends[1]];
            let [c, d] = [a, b].map(|p| std::array::from_fn(|k| p[k] + along[k]));
            if !collinear(&a, &b, &d) {
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        if triangles.is_empty() {
            return wrong("sweep", format!("{polyline:?}"), "a polyline that sweeps an area");
        }
        check(triangles.as_flattened())?;
        Ok(Self { kind: BladeKind::Sheet(Box::new(Sheet::new(triangles)?)) })
    }

    /// A triangulated surface, open or closed, bent as it likes. It must not cross itself within the body. Triangles without
    /// an area are left out.
    ///
    /// ```
    /// use crumple::cut::Blade;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5]];
    /// let bent = Blade::surface(&corners, &[[0, 1, 2], [0, 2, 3]])?;
    /// assert!(Blade::surface(&corners, &[[0, 1, 4]]).is_err());
    /// # Ok::<(), crumple::ParamError>(())
    /// ```
    pub fn surface(positions: &[Point], triangles: &[[u32; 3]]) -> Result<Self, ParamError> {
        check(positions)?;
        let mut all = Vec::with_capacity(triangles.len());
        for corners in triangles {
            if let Some(v) = corners.iter().find(|v| **v as usize >= positions.len()) {
                return wrong("surface", format!("vertex {v}"), "vertices that are there");
            }
            let [a, b, c] = corners.map(|v| positions[v as usize]);
            if !collinear(&a, &b, &c) {
                all.push([a, b, c]);
            }
        }
        if all.is_empty() {
            return wrong("surface", format!("{} triangles", triangles.len()), "triangles that have an area");
        }
        Ok(Self { kind: BladeKind::Sheet(Box::new(Sheet::new(all)?)) })
    }

    /// Whether it is a plane, which an edge crosses once.
    pub(super) fn is_plane(&self) -> bool {
        matches!(self.kind, BladeKind::Plane(_))
    }

    /// A box that holds the blade; a plane is everywhere.
    pub(super) fn bounds(&self) -> Aabb {
        match &self.kind {
            BladeKind::Plane(_) => Aabb { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] },
            BladeKind::Sheet(sheet) => sheet.bounds(),
        }
    }

    /// Whether the blade may have a point in a box; surely, where it has one.
    pub(crate) fn may_meet(&self, bounds: &Aabb) -> bool {
        match &self.kind {
            BladeKind::Plane(t) => {
                let corner = |i: usize| {
                    std::array::from_fn(|k| if i >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] })
                };
                let first = side(t, &corner(0));
                first == 0 || (1..8).any(|i| side(t, &corner(i)) != first)
            }
            BladeKind::Sheet(sheet) => sheet.may_meet(bounds),
        }
    }

    /// Whether a point lies on the blade, exactly.
    pub(super) fn contains(&self, p: &Point) -> bool {
        match &self.kind {
            BladeKind::Plane(t) => side(t, p) == 0,
            BladeKind::Sheet(sheet) => sheet.contains(p),
        }
    }

    /// Appends where the segment from `a` to `b` passes through the blade, as parts of the way strictly between its ends, in
    /// order. Whether it does is exact.
    pub(super) fn crossings(&self, a: &Point, b: &Point, out: &mut Vec<f64>) {
        match &self.kind {
            BladeKind::Plane(t) => {
                if side(t, a) * side(t, b) < 0 {
                    out.push(part(t, a, b).clamp(f64::EPSILON, 1.0 - f64::EPSILON));
                }
            }
            BladeKind::Sheet(sheet) => sheet.crossings(a, b, out),
        }
    }

    /// Whether a triangle whose corners are on the blade lies in it, near its middle.
    pub(super) fn holds(&self, corners: [Point; 3]) -> bool {
        match &self.kind {
            BladeKind::Plane(_) => true,
            BladeKind::Sheet(sheet) => sheet.holds(&corners),
        }
    }

    /// Whether the blade, where it does not end, has `p` on its other side than `from`, a point on it or next to it.
    pub(super) fn is_beyond(&self, from: &Point, p: &Point) -> bool {
        match &self.kind {
            BladeKind::Plane(t) => side(t, p) > 0,
            BladeKind::Sheet(sheet) => sheet.is_between(from, p),
        }
    }
}

pub(super) fn side(t: &[Point; 3], p: &Point) -> Sign {
    orient3d(&t[0], &t[1], &t[2], p)
}

/// Which part of the way from `a` to `b` a plane is met; exactly 0 or 1 where an end is on it.
pub(super) fn part(t: &[Point; 3], a: &Point, b: &Point) -> f64 {
    if side(t, a) == 0 {
        return 0.0;
    }
    if side(t, b) == 0 {
        return 1.0;
    }
    let normal = cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]));
    let (from_a, from_b) = (dot(&normal, &sub(a, &t[0])).abs(), dot(&normal, &sub(b, &t[0])).abs());
    let at = from_a / (from_a + from_b);
    if at.is_nan() { 0.5 } else { at.clamp(f64::EPSILON, 1.0 - f64::EPSILON) }
}

fn check(points: &[Point]) -> Result<(), ParamError> {
    match points.iter().flatten().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE) {
        None => Ok(()),
        Some(x) => wrong("blade", x.to_string(), "finite coordinates below 1e50"),
    }
}

pub(super) fn wrong<T>(
    parameter: &'static str,
    value: String,
    expected: &'static str,
) -> Result<T, ParamError> {
    Err(ParamError { parameter, value, expected })
}
