//! What cuts: a plane, or a polyline swept along a direction.

use crate::geometry::predicates::{collinear, orient3d};
use crate::geometry::vector::{cross, dot, sub};
use crate::geometry::{Aabb, Point, Sign};
use crate::narrow::{edge_tri, point_tri};
use crate::{MAX_COORDINATE, ParamError};

/// A plane without end, or the strip that a polyline sweeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Blade {
    kind: BladeKind,
}

#[derive(Debug, Clone, PartialEq)]
enum BladeKind {
    /// Through three points.
    Plane([Point; 3]),
    /// Two triangles for each segment of the polyline.
    Strip(Vec<[Point; 3]>),
}

/// A segment of the polyline; a plane is one piece.
pub(super) type Piece = u32;

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
        Ok(Self { kind: BladeKind::Strip(triangles) })
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
            BladeKind::Strip(all) => all.iter().any(|t| bounds.overlaps(&Aabb::of(t))),
        }
    }

    /// The piece that a point lies on, exactly.
    pub(super) fn piece_at(&self, p: &Point) -> Option<Piece> {
        match &self.kind {
            BladeKind::Plane(t) => (side(t, p) == 0).then_some(0),
            BladeKind::Strip(all) => {
                all.iter().position(|t| point_tri::contains(p, t)).map(|i| i as Piece / 2)
            }
        }
    }

    /// On which side of a piece a point is, or of two neighbouring ones with the bend between them; exactly.
    pub(super) fn side(&self, (first, last): (Piece, Piece), p: &Point) -> Sign {
        match &self.kind {
            BladeKind::Plane(t) => side(t, p),
            BladeKind::Strip(all) => {
                let [before, after] = [first, last].map(|piece| &all[2 * piece as usize]);
                let [a, b] = [side(before, p), side(after, p)];
                // Where the blade turns to its positive side, that side is what is ahead of both pieces, else of any.
                if side(before, &after[1]) > 0 { a.min(b) } else { a.max(b) }
            }
        }
    }

    /// Appends where the segment from `a` to `b` passes through the blade, as parts of the way, in order. Whether it
    /// does is exact. Ends must not be on the blade.
    pub(super) fn crossings(&self, a: &Point, b: &Point, out: &mut Vec<(f64, Piece)>) {
        match &self.kind {
            BladeKind::Plane(t) => {
                if side(t, a) * side(t, b) < 0 {
                    out.push((part(t, a, b), 0));
                }
            }
            BladeKind::Strip(all) => {
                let first = out.len();
                let bounds = Aabb::of(&[*a, *b]);
                for (i, t) in all.iter().enumerate() {
                    let crosses = bounds.overlaps(&Aabb::of(t))
                        && side(t, a) * side(t, b) < 0
                        && edge_tri::intersects(&[*a, *b], t);
                    if crosses {
                        out.push((part(t, a, b), i as Piece / 2));
                    }
                }
                out[first..].sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
                // Through the common edge of two triangles is one crossing.
                let mut last = f64::NEG_INFINITY;
                let mut keep = first;
                for i in first..out.len() {
                    if out[i].0 - last > SAME {
                        last = out[i].0;
                        out[keep] = out[i];
                        keep += 1;
                    }
                }
                out.truncate(keep);
            }
        }
    }
}

/// Crossings nearer than this part of an edge are one.
const SAME: f64 = 1e-9;

fn side(t: &[Point; 3], p: &Point) -> Sign {
    orient3d(&t[0], &t[1], &t[2], p)
}

/// Which part of the way from `a` to `b` a plane is met; strictly between the ends.
fn part(t: &[Point; 3], a: &Point, b: &Point) -> f64 {
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

fn wrong<T>(parameter: &'static str, value: String, expected: &'static str) -> Result<T, ParamError> {
    Err(ParamError { parameter, value, expected })
}
