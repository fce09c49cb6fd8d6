//! The distance of two surfaces: every triangle against every triangle.

use super::inside::orient_outward;
use crate::distance::{Containment, Distance, NearPair, Witness};
use crate::geometry::{Aabb, Point};
use crate::narrow::tri_tri_distance::{self, Measured};
use crate::narrow::winding;
use crate::{Bodies, BodyId, Frame, FrameError, Guarantee, TriangleId, TrianglePair};

/// The smallest distance between the surfaces of two bodies; among equal ones the smallest (triangle a, triangle b).
/// `None` when one of them has no triangle.
pub fn distance(
    bodies: &Bodies,
    frame: Frame<'_>,
    a: BodyId,
    b: BodyId,
) -> Result<Option<Distance>, FrameError> {
    let mut scratch = Vec::new();
    let positions = frame.flat(bodies, &mut scratch)?;
    let corners = |t: usize| bodies.triangles()[t].map(|v| positions[v.index()]);
    let mut best: Option<(tri_tri_distance::ClosestTriangles, [usize; 2])> = None;
    for i in bodies.triangle_range(a) {
        let ti = corners(i);
        let bi = Aabb::of(&ti);
        for j in bodies.triangle_range(b) {
            let tj = corners(j);
            // A box distance is rounded; only one that is clearly larger rules a pair out.
            let bound = best.as_ref().map_or(f64::INFINITY, |(c, _)| c.upper);
            if bi.distance_sq(&Aabb::of(&tj)) > (bound * bound).max(1e-280) * (1.0 + 1e-12) {
                continue;
            }
            let closest = tri_tri_distance::closest(&ti, &tj);
            let is_closer = best.as_ref().is_none_or(|(c, [k, l])| {
                let (tk, tl) = (corners(*k), corners(*l));
                let before = Measured { triangles: [&tk, &tl], closest: c };
                Measured { triangles: [&ti, &tj], closest: &closest }.compare(&before, &mut None).is_lt()
            });
            if is_closer {
                best = Some((closest, [i, j]));
            }
        }
    }
    let Some((closest, [i, j])) = best else { return Ok(None) };
    let witness = |t: usize, w: tri_tri_distance::TriangleWitness| Witness {
        triangle: TriangleId(t as u32),
        feature: w.feature,
        point: w.point,
    };
    let distance = closest.distance;
    Ok(Some(Distance {
        distance,
        lower: closest.lower,
        upper: closest.upper,
        a: witness(i, closest.a),
        b: witness(j, closest.b),
        contains: if distance > 0.0 { containment(bodies, positions, a, b) } else { None },
        guarantee: Guarantee::Proved,
    }))
}

/// Which of two closed bodies holds the other, all its components; only asked when they do not touch.
fn containment(bodies: &Bodies, positions: &[Point], a: BodyId, b: BodyId) -> Option<Containment> {
    let holds = |outer: BodyId, inner: BodyId| {
        if !bodies.mesh(outer).topology().is_closed() {
            return false;
        }
        let surface = orient_outward(bodies, outer, positions);
        let topology = bodies.mesh(inner).topology();
        let mut asked = vec![false; topology.component_count()];
        bodies.triangle_range(inner).enumerate().all(|(local, t)| {
            let component = topology.component_of(TriangleId(local as u32));
            std::mem::replace(&mut asked[component], true) || {
                let p = positions[bodies.triangles()[t][0].index()];
                winding::number(&p, surface.iter().copied()).is_inside()
            }
        })
    };
    if holds(a, b) {
        Some(Containment::A)
    } else if holds(b, a) {
        Some(Containment::B)
    } else {
        None
    }
}

/// Every pair of triangles of two bodies at most `margin` apart, sorted.
pub fn pairs_closer_than(
    bodies: &Bodies,
    frame: Frame<'_>,
    a: BodyId,
    b: BodyId,
    margin: f64,
) -> Result<Vec<NearPair>, FrameError> {
    let mut scratch = Vec::new();
    let positions = frame.flat(bodies, &mut scratch)?;
    let corners = |t: usize| bodies.triangles()[t].map(|v| positions[v.index()]);
    let mut out = Vec::new();
    for i in bodies.triangle_range(a) {
        let ti = corners(i);
        let bi = Aabb::of(&ti);
        for j in bodies.triangle_range(b) {
            let tj = corners(j);
            if bi.distance_sq(&Aabb::of(&tj)) > (margin * margin).max(1e-280) * (1.0 + 1e-12) {
                continue;
            }
            let distance = tri_tri_distance::closest(&ti, &tj).distance;
            if distance <= margin {
                out.push(NearPair {
                    pair: TrianglePair::new(TriangleId(i as u32), TriangleId(j as u32)),
                    distance,
                });
            }
        }
    }
    out.sort_unstable_by_key(|n| n.pair);
    Ok(out)
}
