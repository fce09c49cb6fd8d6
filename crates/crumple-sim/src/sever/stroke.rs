//! A blade that moves a little.

use crumple::geometry::predicates::orient3d;
use crumple::narrow::edge_tri;
use crumple::{BodyId, ParamError};
use glam::DVec3;

use super::facets::{centre, facets};
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

impl Stroke {
    /// The strip that the edge sweeps, as two triangles.
    fn strip(&self) -> [[[f64; 3]; 3]; 2] {
        let ([a, b], [c, d]) = (self.from, self.to);
        [[a, b, d], [a, d, c]]
    }

    /// Whether a segment passes through the strip; what ends on it is on the near side.
    fn parts(&self, p: &[f64; 3], q: &[f64; 3]) -> bool {
        self.strip().iter().any(|t| {
            let [a, b] = [p, q].map(|p| orient3d(&t[0], &t[1], &t[2], p) >= 0);
            a != b && edge_tri::intersects(&[*p, *q], t)
        })
    }
}

impl World {
    /// Cuts every cloth and every body of tets that the blade passes, where it passes between two elements. See the
    /// module's page on why short strokes add up.
    pub fn stroke(&mut self, stroke: &Stroke) -> Result<StrokeReport, SimError> {
        let all = stroke.from.iter().chain(&stroke.to).flatten();
        if let Some(x) = all.clone().find(|x| !x.is_finite() || x.abs() > crumple::MAX_COORDINATE) {
            let (parameter, expected) = ("stroke", "finite coordinates below 1e50");
            let error = ParamError { parameter, value: x.to_string(), expected };
            return Err(crumple::Error::from(error).into());
        }
        let mut report = StrokeReport::default();
        for id in self.bodies() {
            if !matches!(self.bodies[id.index()].kind, Kind::Cloth(_) | Kind::Solid(_)) {
                continue;
            }
            let passed = self.passed(id, stroke);
            let own = self.sever(id, passed)?;
            report.parted += own.parted;
            report.opened += own.opened;
            report.refused += own.refused;
        }
        Ok(report)
    }

    /// The facets of a body that the blade passes.
    fn passed(&self, id: BodyId, stroke: &Stroke) -> Vec<[u32; 2]> {
        let body = &self.bodies[id.index()];
        let corners = || stroke.from.iter().chain(&stroke.to).map(|p| DVec3::from_array(*p));
        let low = corners().reduce(DVec3::min).unwrap_or_default();
        let high = corners().reduce(DVec3::max).unwrap_or_default();
        let mut out = Vec::new();
        for (pair, _) in facets(&body.mesh) {
            let [p, q] = pair.map(|e| centre(body, &self.state.x, e));
            let is_near = p.min(q).cmple(high).all() && p.max(q).cmpge(low).all();
            if is_near && stroke.parts(&p.to_array(), &q.to_array()) {
                out.push(pair);
            }
        }
        out
    }
}
