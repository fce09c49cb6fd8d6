//! Elements out of buffers, every range checked before the first is read.

use super::buffers::Buffers;
use super::json::{Document, Shape};
use crate::binary::{Endian, Scalar};
use crate::{Place, ReadError, Source};

/// What a caller expects of an accessor.
struct Expected {
    accessor: u32,
    shape: Shape,
    components: usize,
}

/// Component types of the format.
fn scalar(component_type: u32) -> Option<Scalar> {
    Some(match component_type {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        _ => return None,
    })
}

/// Number of elements of accessor `index`, once the buffer behind it is loaded.
pub(super) fn count(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    index: u32,
) -> Result<u64, ReadError> {
    let Some(accessor) = document.accessors.get(index as usize) else {
        return Err(source.error(Place::File, format!("accessor {index} does not exist")));
    };
    if let Some(view) = accessor.buffer_view {
        buffers.view(view, accessor.byte_offset)?;
    }
    Ok(accessor.count)
}

/// The points of accessor `index`, widened without loss. Integers are taken too, as quantised meshes have them;
/// normalised ones are mapped to [-1, 1] or [0, 1].
pub(super) fn points(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    index: u32,
) -> Result<Vec<[f64; 3]>, ReadError> {
    vectors(source, document, buffers, Expected { accessor: index, shape: Shape::Vec3, components: 3 })
}

/// The texture coordinates of accessor `index`, as [`points`] are read.
pub(super) fn pairs(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    index: u32,
) -> Result<Vec<[f64; 2]>, ReadError> {
    vectors(source, document, buffers, Expected { accessor: index, shape: Shape::Vec2, components: 2 })
}

fn vectors<const N: usize>(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    expected: Expected,
) -> Result<Vec<[f64; N]>, ReadError> {
    let accessor = document.accessors.get(expected.accessor as usize);
    let normalized = accessor.is_some_and(|accessor| accessor.normalized);
    let mut vectors = Vec::new();
    elements(source, document, buffers, expected, |scalar, at, bytes| {
        let mut vector = [0.0; N];
        for (c, bytes) in vector.iter_mut().zip(bytes.chunks_exact(scalar.size())) {
            *c = component(scalar, normalized, bytes);
        }
        write(&mut vectors, at, vector);
    })?;
    Ok(vectors)
}

/// The indices of accessor `index`.
pub(super) fn indices(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    index: u32,
) -> Result<Vec<u32>, ReadError> {
    let accessor = document.accessors.get(index as usize);
    if accessor.is_some_and(|accessor| !matches!(accessor.component_type, 5121 | 5123 | 5125)) {
        let what = format!("accessor {index} holds vertex indices that are not unsigned integers");
        return Err(source.error(Place::File, what));
    }
    let mut indices = Vec::new();
    let expected = Expected { accessor: index, shape: Shape::Scalar, components: 1 };
    elements(source, document, buffers, expected, |scalar, at, bytes| {
        // The three allowed types fit.
        write(&mut indices, at, scalar.i64(bytes, Endian::Little).unwrap_or_default() as u32);
    })?;
    Ok(indices)
}

/// Appends, or overwrites what a sparse accessor replaces.
fn write<T>(items: &mut Vec<T>, at: usize, item: T) {
    match items.get_mut(at) {
        Some(slot) => *slot = item,
        None => items.push(item),
    }
}

fn component(scalar: Scalar, normalized: bool, bytes: &[u8]) -> f64 {
    let value = scalar.f64(bytes, Endian::Little);
    if !normalized {
        return value;
    }
    match scalar {
        Scalar::I8 => (value / 127.0).max(-1.0),
        Scalar::U8 => value / 255.0,
        Scalar::I16 => (value / 32767.0).max(-1.0),
        Scalar::U16 => value / 65535.0,
        _ => value,
    }
}

/// Hands every element's bytes to `put`, in order, then those that the sparse part replaces.
///
/// The caller has charged `count` elements to its budget: without a buffer view they are zeros and no byte of the
/// file stands behind them.
fn elements(
    source: &Source,
    document: &Document,
    buffers: &mut Buffers<'_>,
    expected: Expected,
    mut put: impl FnMut(Scalar, usize, &[u8]),
) -> Result<(), ReadError> {
    let index = expected.accessor;
    let fault = |what: String| Err(source.error(Place::File, format!("accessor {index} {what}")));
    let Some(accessor) = document.accessors.get(index as usize) else {
        return fault("does not exist".into());
    };
    if accessor.shape != expected.shape {
        return fault(format!("should be {:?} and is {:?}", expected.shape, accessor.shape));
    }
    let Some(scalar) = scalar(accessor.component_type) else {
        return fault(format!("has the unknown component type {}", accessor.component_type));
    };
    let size = scalar.size() * expected.components;
    let Ok(count) = usize::try_from(accessor.count) else {
        return fault(format!("has {} elements", accessor.count));
    };
    match accessor.buffer_view {
        Some(view) => {
            let (view, stride) = buffers.view(view, accessor.byte_offset)?;
            let stride = stride.unwrap_or(size);
            let bytes = view.bytes();
            if stride < size || !spans(bytes.len(), count, stride, size) {
                let held = bytes.len();
                return fault(format!(
                    "reaches past its buffer view: {count} elements of {size} bytes, {stride} apart, in {held} bytes"
                ));
            }
            for at in 0..count {
                put(scalar, at, &bytes[at * stride..at * stride + size]);
            }
        }
        None => {
            for at in 0..count {
                put(scalar, at, &[0; 12][..size]);
            }
        }
    }
    let Some(sparse) = &accessor.sparse else { return Ok(()) };
    let index_type = match sparse.indices.component_type {
        5121 => Scalar::U8,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        other => return fault(format!("has sparse indices of the unknown type {other}")),
    };
    let (at, _) = buffers.view(sparse.indices.buffer_view, sparse.indices.byte_offset)?;
    let (values, _) = buffers.view(sparse.values.buffer_view, sparse.values.byte_offset)?;
    let replaced = usize::try_from(sparse.count).unwrap_or(usize::MAX);
    if !spans(at.bytes().len(), replaced, index_type.size(), index_type.size())
        || !spans(values.bytes().len(), replaced, size, size)
    {
        return fault(format!("replaces {replaced} elements, more than its buffer views hold"));
    }
    let at = at.bytes().chunks_exact(index_type.size()).take(replaced);
    for (at, value) in at.zip(values.bytes().chunks_exact(size)) {
        let at = index_type.i64(at, Endian::Little).unwrap_or_default() as usize;
        if at >= count {
            return fault(format!("replaces element {at} of {count}"));
        }
        put(scalar, at, value);
    }
    Ok(())
}

/// Whether `count` elements of `size` bytes, `stride` apart, fit into `held` bytes.
fn spans(held: usize, count: usize, stride: usize, size: usize) -> bool {
    match count {
        0 => true,
        _ => {
            (count - 1).checked_mul(stride).and_then(|last| last.checked_add(size)).is_some_and(|n| n <= held)
        }
    }
}
