//! Stage 1: the volume of interest, which is what the boxes of two bodies share (H2–H5).

use crate::geometry::Aabb;

/// The volume of interest of two boxes and how the rays run through it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voi {
    /// The box that is sampled.
    pub bounds: Aabb,
    /// The axis of the rays: 0, 1 or 2.
    pub axis: usize,
}

impl Voi {
    /// The volume of the box or a little more, rounded up at each step: never below what bodies share.
    pub(crate) fn volume_above(&self) -> f64 {
        let [x, y, z] = self.bounds.size().map(f64::next_up);
        ((x * y).next_up() * z).next_up()
    }
}

/// The common part of two boxes seen along its shortest side; `None` where the boxes have no common volume.
///
/// Rays of both bodies start below both boxes, so no outside face is needed; the shortest side is the paper's
/// heuristic for few layers (H5), the lowest axis on ties.
pub(crate) fn common(a: &Aabb, b: &Aabb) -> Option<Voi> {
    let bounds = a.intersection(b);
    let size = bounds.size();
    if size.iter().any(|s| s.is_nan() || *s <= 0.0) {
        return None;
    }
    let axis = (0..3).fold(0, |best, k| if size[k] < size[best] { k } else { best });
    Some(Voi { bounds, axis })
}
