//! Is a point inside a surface: every triangle asked, by exact signs.

use crate::geometry::Point;
use crate::narrow::winding;
use crate::{Bodies, BodyId, Frame, FrameError, Positions, TriangleId};

/// The triangles of a body at their positions, those of inconsistent components turned round so that each component is
/// consistently oriented.
pub fn orient_outward(bodies: &Bodies, body: BodyId, positions: &[Point]) -> Vec<[Point; 3]> {
    let topology = bodies.mesh(body).topology();
    (bodies.triangle_range(body).enumerate())
        .map(|(local, t)| {
            let [p, q, r] = bodies.triangles()[t].map(|v| positions[v.index()]);
            if topology.is_flipped(TriangleId(local as u32)) { [p, r, q] } else { [p, q, r] }
        })
        .collect()
}

/// For each point: is the winding number of the body's surface round it not zero, or is it on the surface?
pub fn inside(
    bodies: &Bodies,
    frame: Frame<'_>,
    body: BodyId,
    points: Positions<'_>,
) -> Result<Vec<bool>, FrameError> {
    let mut scratch = Vec::new();
    let triangles = orient_outward(bodies, body, frame.flat(bodies, &mut scratch)?);
    Ok((0..points.len())
        .map(|i| winding::number(&points.get(i), triangles.iter().copied()).is_inside())
        .collect())
}
