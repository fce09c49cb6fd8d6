//! Is a point inside a surface: every triangle asked, by exact signs.

use crate::geometry::Point;
use crate::narrow::winding;
use crate::{BodyId, Frame, FrameError, Mesh, Positions, TriangleId};

/// The triangles of a body at their positions, those of inconsistent components turned round so that each component is
/// consistently oriented.
pub fn orient_outward(mesh: &Mesh, body: BodyId, positions: &[Point]) -> Vec<[Point; 3]> {
    let topology = mesh.body(body).topology();
    (mesh.triangle_range(body).enumerate())
        .map(|(local, t)| {
            let [p, q, r] = mesh.triangles()[t].map(|v| positions[v.index()]);
            if topology.is_flipped(TriangleId(local as u32)) { [p, r, q] } else { [p, q, r] }
        })
        .collect()
}

/// For each point: is the winding number of the body's surface round it not zero, or is it on the surface?
pub fn inside(
    mesh: &Mesh,
    frame: Frame<'_>,
    body: BodyId,
    points: Positions<'_>,
) -> Result<Vec<bool>, FrameError> {
    let mut scratch = Vec::new();
    let triangles = orient_outward(mesh, body, frame.flat(mesh, &mut scratch)?);
    Ok((0..points.len())
        .map(|i| winding::number(&points.get(i), triangles.iter().copied()).is_inside())
        .collect())
}
