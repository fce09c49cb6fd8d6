//! What every reader checks in the same words.

use crate::{Place, ReadError, Source};

/// `position`, or an error if a coordinate is infinite or not a number.
#[inline]
pub(crate) fn finite(
    source: &Source,
    place: Place,
    vertex: usize,
    position: [f64; 3],
) -> Result<[f64; 3], ReadError> {
    if position.iter().all(|c| c.is_finite()) {
        return Ok(position);
    }
    let [x, y, z] = position;
    Err(source.error(place, format!("vertex {vertex} is not finite: ({x}, {y}, {z})")))
}

/// `index` as a vertex number (from 0), or an error if there are only `vertices` of them.
#[inline]
pub(crate) fn vertex_index(
    source: &Source,
    place: Place,
    index: i64,
    vertices: usize,
) -> Result<u32, ReadError> {
    match u32::try_from(index) {
        Ok(vertex) if (vertex as usize) < vertices => Ok(vertex),
        _ => Err(source.error(place, format!("vertex index {index} is out of range: {vertices} vertices"))),
    }
}

/// How many items to reserve for a claimed `count`, if each takes at least `bytes_each` of the `remaining`
/// bytes: a lying header reserves no more than the file could hold.
pub(crate) fn capacity(count: u64, remaining: usize, bytes_each: usize) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX).min(remaining / bytes_each.max(1))
}
