//! A blade that moves a little, through bodies that move too.
//!
//! The edge of a blade *passes* an element when the element's centre was ahead of it and is behind it. At that moment the centre
//! is on one side of the blade, and this is the element's side as long as strokes go on from each other: the blade is inside
//! the body by then, and what is on one side of it stays there. Facets between elements of different sides are severed. So it does not
//! matter how the body moves between two strokes: what comes towards the blade is passed once, and no element hangs together
//! with both sides because its facets were looked at in different poses.

use crumple::geometry::predicates::orient3d;
use crumple::{BodyId, ParamError};
use glam::DVec3;

use super::facets::{centre, corners, count, facets};
use crate::{Kind, SimError, StrokeReport, World};

/// The edge of a blade at the beginning and at the end of a short motion. A cut is made of strokes, each beginning where
/// the last one ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Tip and heel of the blade's edge at the beginning.
    pub from: [[f64; 3]; 2],
    /// The same at the end.
    pub to: [[f64; 3]; 2],
}

/// So many times the reach of its element a centre may be away from the blade to have a side: beyond that it is no neighbour of
/// anything on the other side.
const BESIDE: f64 = 4.0;

/// A blade that is in bodies, between two strokes.
#[derive(Debug, Clone)]
pub(crate) struct Blade {
    /// Where its edge is.
    at: [[f64; 3]; 2],
    /// To which side it looks.
    normal: DVec3,
    /// Of each body, of each element: where its centre was at the last stroke, and on which side of the blade the element is.
    elements: Vec<Vec<(DVec3, Option<Side>)>>,
}

/// A side of a blade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Positive,
    Negative,
}

/// A stroke as elements see it.
struct Front {
    stroke: [[DVec3; 2]; 2],
    /// Whether sides are told the other way round than the stroke's own.
    is_turned: bool,
    /// Along the way of the blade, across its edge, at the beginning and at the end.
    ahead: [DVec3; 2],
    normal: DVec3,
}

impl Front {
    /// `normal` is the side to which the blade looked before. A blade that does not move across its edge passes nothing.
    fn new(stroke: &Stroke, normal: Option<DVec3>) -> Option<Self> {
        let edges = [stroke.from, stroke.to].map(|edge| edge.map(DVec3::from_array));
        let [[a, b], [c, d]] = edges;
        let (way, along) = (0.5 * (c + d - a - b), 0.5 * (b - a + d - c));
        let own = way.cross(along).try_normalize()?;
        let is_turned = normal.is_some_and(|before| before.dot(own) < 0.0);
        let ahead = [b - a, d - c].map(|edge| {
            let across = own.cross(edge);
            if across.dot(way) < 0.0 { -across } else { across }
        });
        Some(Self { stroke: edges, is_turned, ahead, normal: if is_turned { -own } else { own } })
    }

    /// Whether the edge passed a centre that went from one place to another meanwhile, within its length.
    fn passes(&self, before: DVec3, now: DVec3) -> bool {
        let [[a, _], [c, d]] = self.stroke;
        let along = d - c;
        let part = (now - c).dot(along);
        self.ahead[0].dot(before - a) >= 0.0
            && self.ahead[1].dot(now - c) < 0.0
            && (0.0..=along.length_squared()).contains(&part)
    }

    /// The side of a centre, exactly, of the half of the strip in which it lies; what is on the strip is on the negative side.
    fn side(&self, p: DVec3) -> Side {
        let [[a, b], [c, d]] = self.stroke;
        let along = (p - c).dot(d - c) / (d - c).length_squared();
        let gone = self.ahead[0].dot(p - a) / self.ahead[0].dot(c - a);
        let half = if gone <= along { [a, b, d] } else { [a, d, c] };
        let [a, b, c] = half.map(|p| p.to_array());
        // The halves run round the strip in the sense of its own normal, from which they look clockwise.
        let is_above = (orient3d(&a, &b, &c, &p.to_array()) < 0) != self.is_turned;
        if is_above { Side::Positive } else { Side::Negative }
    }

    /// How far a point is from the blade as it is now.
    fn distance(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.stroke[1][0]).abs()
    }
}

impl World {
    /// Cuts every cloth and every body of tets that the blade passes, where it passes between two elements. A stroke that begins
    /// where the last one ended goes on with its cut, however the bodies moved since.
    pub fn stroke(&mut self, stroke: &Stroke) -> Result<StrokeReport, SimError> {
        let all = stroke.from.iter().chain(&stroke.to).flatten();
        if let Some(x) = all.clone().find(|x| !x.is_finite() || x.abs() > crumple::MAX_COORDINATE) {
            let (parameter, expected) = ("stroke", "finite coordinates below 1e50");
            let error = ParamError { parameter, value: x.to_string(), expected };
            return Err(crumple::Error::from(error).into());
        }
        let mut blade = self.blade.take().filter(|blade| blade.at == stroke.from);
        let Some(front) = Front::new(stroke, blade.as_ref().map(|blade| blade.normal)) else {
            self.blade = blade.map(|blade| Blade { at: stroke.to, ..blade });
            return Ok(StrokeReport::default());
        };
        let mut elements = blade.take().map_or_else(Vec::new, |blade| blade.elements);
        elements.resize(self.bodies.len(), Vec::new());
        let mut report = StrokeReport::default();
        for id in self.bodies() {
            if !matches!(self.bodies[id.index()].kind, Kind::Cloth(_) | Kind::Solid(_)) {
                continue;
            }
            let passed = self.passed(id, &front, &mut elements[id.index()]);
            let own = self.sever(id, passed)?;
            report.parted += own.parted;
            report.opened += own.opened;
            report.refused += own.refused;
        }
        self.blade = Some(Blade { at: stroke.to, normal: front.normal, elements });
        Ok(report)
    }

    /// The facets of a body between elements of different sides, of which the blade has just passed one.
    fn passed(&self, id: BodyId, front: &Front, elements: &mut Vec<(DVec3, Option<Side>)>) -> Vec<[u32; 2]> {
        let body = &self.bodies[id.index()];
        let centres: Vec<DVec3> =
            (0..count(&body.mesh) as u32).map(|e| centre(body, &self.state.x, e)).collect();
        elements.extend(centres[elements.len().min(centres.len())..].iter().map(|c| (*c, None)));
        let mut is_new = vec![false; centres.len()];
        for (e, (&now, (before, side))) in centres.iter().zip(elements.iter_mut()).enumerate() {
            if side.is_none() && front.passes(*before, now) {
                let of_corner = |v: &crumple::VertexId| self.state.x[body.first + v.index()].distance(now);
                let reach = corners(&body.mesh, e as u32).iter().map(of_corner).fold(0.0, f64::max);
                if front.distance(now) <= BESIDE * reach {
                    (*side, is_new[e]) = (Some(front.side(now)), true);
                }
            }
            *before = now;
        }
        if !is_new.contains(&true) {
            return Vec::new();
        }
        let side = |e: u32| elements[e as usize].1;
        let is_parted = |&[a, b]: &[u32; 2]| {
            (is_new[a as usize] || is_new[b as usize]) && side(a).zip(side(b)).is_some_and(|(a, b)| a != b)
        };
        facets(&body.mesh).into_iter().map(|(pair, _)| pair).filter(is_parted).collect()
    }
}
