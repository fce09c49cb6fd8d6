//! Bounds on the unit normals of triangles whose corners are bytes.

use super::{F32x4, F32x8, Mask, Row, Simd, WIDTH, cross3, dot3, splat3, sub3};

/// Points that a byte names: none is out of bounds.
pub(crate) type LocalPoints = [[f32; 4]; 256];

/// Corners of a triangle among local points, and 0.
pub(crate) type ByteTriangle = [u8; 4];

/// Eight triangles.
pub(crate) type ByteTriangles = [ByteTriangle; WIDTH];

/// Bounds on the unit normals of some triangles, which rounding may leave by a few units in the last place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitNormals {
    /// Of the coordinates.
    pub low: [f32; 3],
    pub high: [f32; 3],
    /// The least length of a normal before it was divided by it. Where it is 0, nothing else is said.
    pub shortest: f32,
}

impl UnitNormals {
    /// Those of some triangles, at least one.
    #[inline(always)]
    pub fn of<S: Simd>(simd: S, points: &LocalPoints, triangles: &[ByteTriangle]) -> Self {
        let mut bounds = NormalBounds::<S>::new(simd);
        let (rows, rest) = triangles.as_chunks::<WIDTH>();
        for row in rows {
            let [u, v] = edges(simd, points, row);
            bounds.add(simd, cross3(u, v));
        }
        if !rest.is_empty() {
            let [u, v] = edges(simd, points, &short_row(rest));
            bounds.add(simd, cross3(u, v));
        }
        bounds.reduce()
    }
}

/// Directions, eight to a row.
pub(crate) type DirectionRows = [[Row; 16]; 3];

impl UnitNormals {
    /// The directions d with n·d above a margin for every n in the box, one bit each.
    #[inline(always)]
    pub fn faced<S: Simd>(&self, simd: S, margin: f32, directions: &DirectionRows) -> u128 {
        let margin = S::F32x8::splat(simd, margin);
        let (low, high) = (splat3(simd, self.low), splat3(simd, self.high));
        let mut bits = [0; 16];
        for (i, bits) in bits.iter_mut().enumerate() {
            // The least of n·d over a box is the sum of the least products along each axis.
            let mut least = [low[0]; 3];
            for k in 0..3 {
                let d = S::F32x8::load(simd, &directions[k][i]);
                least[k] = (low[k] * d).min(high[k] * d);
            }
            *bits = (least[0] + least[1] + least[2]).gt(margin).bitmask() as u8;
        }
        u128::from_le_bytes(bits)
    }
}

/// The same as they grow.
pub(crate) struct NormalBounds<S: Simd> {
    low: [S::F32x8; 3],
    high: [S::F32x8; 3],
    shortest: S::F32x8,
}

impl<S: Simd> NormalBounds<S> {
    /// Of nothing.
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let infinite = S::F32x8::splat(simd, f32::INFINITY);
        Self { low: [infinite; 3], high: [-infinite; 3], shortest: infinite }
    }

    /// Takes in the normals of eight triangles.
    #[inline(always)]
    pub fn add(&mut self, simd: S, n: [S::F32x8; 3]) {
        let length = dot3(n, n).sqrt();
        self.shortest = self.shortest.min(length);
        let inverse = S::F32x8::splat(simd, 1.0) / length;
        for k in 0..3 {
            let unit = n[k] * inverse;
            self.low[k] = self.low[k].min(unit);
            self.high[k] = self.high[k].max(unit);
        }
    }

    /// Of all.
    #[inline(always)]
    pub fn reduce(&self) -> UnitNormals {
        UnitNormals {
            low: [self.low[0].reduce_min(), self.low[1].reduce_min(), self.low[2].reduce_min()],
            high: [self.high[0].reduce_max(), self.high[1].reduce_max(), self.high[2].reduce_max()],
            shortest: self.shortest.reduce_min(),
        }
    }
}

/// Fewer than eight triangles as a row, which repeats the last.
#[inline(always)]
pub(crate) fn short_row(few: &[ByteTriangle]) -> ByteTriangles {
    let mut row = [few[few.len() - 1]; WIDTH];
    // Not as a slice, which would be a call of `memcpy`.
    for (to, corners) in row.iter_mut().zip(few) {
        *to = *corners;
    }
    row
}

/// One corner of eight triangles.
#[inline(always)]
pub(crate) fn corner_row<S: Simd>(
    simd: S,
    points: &LocalPoints,
    eight: &ByteTriangles,
    corner: usize,
) -> [S::F32x8; 3] {
    let mut corners = [S::F32x4::load(simd, &[0.0; 4]); WIDTH];
    for (point, triangle) in corners.iter_mut().zip(eight) {
        *point = S::F32x4::load(simd, &points[usize::from(triangle[corner])]);
    }
    S::F32x4::transpose(corners)
}

/// Two edges of eight triangles, from their first corners.
#[inline(always)]
pub(crate) fn edges<S: Simd>(simd: S, points: &LocalPoints, eight: &ByteTriangles) -> [[S::F32x8; 3]; 2] {
    let a = corner_row(simd, points, eight, 0);
    [sub3(corner_row(simd, points, eight, 1), a), sub3(corner_row(simd, points, eight, 2), a)]
}
