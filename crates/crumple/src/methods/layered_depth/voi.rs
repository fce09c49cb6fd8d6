//! Stage 1: boxes, the volume of interest, outside faces (H2–H5).

use crate::geometry::Aabb;

/// The volume of interest of two boxes and how the rays run through it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voi {
    /// The box that is sampled.
    pub bounds: Aabb,
    /// The axis of the rays: 0, 1 or 2.
    pub axis: usize,
    /// Where the rays of each body start: at the smallest or at the largest coordinate along the axis.
    pub near: [Near; 2],
    /// Whether the box was extended so that both bodies have an outside face.
    pub is_extended: bool,
}

/// The end of the volume of interest at which a body's rays start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Near {
    /// At the smallest coordinate.
    Min,
    /// At the largest coordinate.
    Max,
}

/// The common part of two boxes seen along its shortest side; `None` where the boxes have no common volume.
///
/// Rays of both bodies start below both boxes, so no outside face is needed; the shortest side is the paper's
/// heuristic for few layers (H5), the lowest axis on ties.
pub fn common(a: &Aabb, b: &Aabb) -> Option<Voi> {
    let bounds = a.intersection(b);
    let size = bounds.size();
    if size.iter().any(|s| s.is_nan() || *s <= 0.0) {
        return None;
    }
    let axis = (0..3).fold(0, |best, k| if size[k] < size[best] { k } else { best });
    Some(Voi { bounds, axis, near: [Near::Min; 2], is_extended: false })
}

/// The paper's volume of interest: rays of the two bodies start at opposite outside faces.
///
/// For each axis and each choice of ends: the near face of a body must lie outside it, that is, at the end of its
/// own box; where the common part of the boxes ends earlier, that face is moved out to the box of the body (H4).
/// The shortest extended length wins; the lowest axis on ties, and body a at the lower end (H-A10).
pub fn as_published(a: &Aabb, b: &Aabb) -> Option<Voi> {
    let common = common(a, b)?.bounds;
    let mut best: Option<(f64, Voi)> = None;
    for axis in 0..3 {
        for near in [[Near::Min, Near::Max], [Near::Max, Near::Min]] {
            let (low, high) = if near[0] == Near::Min { (a, b) } else { (b, a) };
            let mut bounds = common;
            bounds.min[axis] = low.min[axis];
            bounds.max[axis] = high.max[axis];
            let length = bounds.max[axis] - bounds.min[axis];
            if best.as_ref().is_none_or(|(l, _)| length < *l) {
                best = Some((length, Voi { bounds, axis, near, is_extended: bounds != common }));
            }
        }
    }
    best.map(|(_, voi)| voi)
}
