//! Geometry as small text: numbers in fixed point, differences, byte planes, deflate, base64.
//!
//! A run of points is stored as whole numbers of a grid over its box, with 16 or 24 bits a coordinate. Neighbours in the
//! file are mostly neighbours in space, so each number is stored as the difference from the one before it, its sign in
//! the lowest bit; all lowest bytes come first, then all next ones, so that the mostly empty high bytes shrink to
//! nothing. The browser undoes deflate by itself (`DecompressionStream`) and the rest in `page/decode.js`.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// How fine the grid of positions is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grid {
    /// 65,535 steps along each side of the box.
    Coarse,
    /// 16,777,215 steps.
    Fine,
}

impl Grid {
    /// Bytes of a coordinate.
    pub fn bytes(self) -> usize {
        match self {
            Self::Coarse => 2,
            Self::Fine => 3,
        }
    }
}

/// Where the points of a chunk are: `low + step * number` on each axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PointsHead {
    pub count: usize,
    pub planes: usize,
    pub low: [f64; 3],
    pub step: [f64; 3],
}

/// Points on a grid over their box.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointChunk {
    pub head: PointsHead,
    /// Byte planes of zigzag differences.
    pub bytes: Vec<u8>,
}

impl PointChunk {
    /// The points, rounded to the grid.
    pub fn new(points: impl ExactSizeIterator<Item = [f64; 3]> + Clone, grid: Grid) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in points.clone() {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        if points.len() == 0 {
            (low, high) = ([0.0; 3], [0.0; 3]);
        }
        let planes = grid.bytes();
        let most = f64::from((1_u32 << (8 * planes)) - 1);
        // Halves are taken apart so that a box of the full range of numbers does not overflow.
        let step: [f64; 3] = std::array::from_fn(|k| (high[k] / most) - (low[k] / most));
        let count = points.len();
        let mut bytes = vec![0; 3 * count * planes];
        let mut before = [0_u32; 3];
        for (i, p) in points.enumerate() {
            for k in 0..3 {
                let number =
                    if step[k] > 0.0 { ((p[k] - low[k]) / step[k]).round().min(most) as u32 } else { 0 };
                let z = zigzag(number, before[k], 8 * planes as u32);
                before[k] = number;
                for plane in 0..planes {
                    bytes[(plane * 3 + k) * count + i] = (z >> (8 * plane)) as u8;
                }
            }
        }
        Self { head: PointsHead { count, planes, low, step }, bytes }
    }
}

/// The difference of two numbers modulo `2^bits`, small for both signs: 0, -1, 1, -2, …
fn zigzag(now: u32, before: u32, bits: u32) -> u32 {
    let shift = 32 - bits;
    let difference = (now.wrapping_sub(before) << shift) as i32 >> shift;
    ((difference << 1) ^ (difference >> 31)) as u32 & (u32::MAX >> shift)
}

/// Whole numbers, `width` of them a row, each as the difference from the row before.
pub(crate) fn numbers<const WIDTH: usize>(rows: &[[u32; WIDTH]]) -> Vec<u8> {
    let count = rows.len();
    let mut bytes = vec![0; 4 * WIDTH * count];
    let mut before = [0; WIDTH];
    for (i, row) in rows.iter().enumerate() {
        for k in 0..WIDTH {
            let z = zigzag(row[k], before[k], 32);
            for plane in 0..4 {
                bytes[(plane * WIDTH + k) * count + i] = (z >> (8 * plane)) as u8;
            }
        }
        before = *row;
    }
    bytes
}

/// Deflated (zlib) and in base64.
pub(crate) fn packed(bytes: &[u8]) -> String {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
    // Writing to memory does not fail.
    let deflated = out.write_all(bytes).and_then(|()| out.finish()).unwrap_or_default();
    STANDARD.encode(deflated)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `page/decode.js` does it.
    fn decode(chunk: &PointChunk) -> Vec<[f64; 3]> {
        let PointsHead { count, planes, low, step } = chunk.head.clone();
        let mut before = [0_u32; 3];
        let mask = u32::MAX >> (32 - 8 * planes);
        (0..count)
            .map(|i| {
                std::array::from_fn(|k| {
                    let z = (0..planes).fold(0, |z, plane| {
                        z | u32::from(chunk.bytes[(plane * 3 + k) * count + i]) << (8 * plane)
                    });
                    before[k] = before[k].wrapping_add((z >> 1) ^ (z & 1).wrapping_neg()) & mask;
                    low[k] + step[k] * f64::from(before[k])
                })
            })
            .collect()
    }

    #[test]
    fn points_come_back_within_half_a_step() {
        let points: Vec<[f64; 3]> = (0..500_u32)
            .map(|i| {
                let x = f64::from(i.wrapping_mul(2_654_435_761) % 1000) - 400.0;
                [x, 1e6 + x * 1e-3, 7.0]
            })
            .collect();
        for grid in [Grid::Coarse, Grid::Fine] {
            let chunk = PointChunk::new(points.iter().copied(), grid);
            for (p, q) in points.iter().zip(decode(&chunk)) {
                for k in 0..3 {
                    assert!((p[k] - q[k]).abs() <= 0.5001 * chunk.head.step[k] + 1e-9, "{p:?} {q:?}");
                }
            }
        }
    }

    #[test]
    fn empty_flat_and_huge_boxes_are_finite() {
        assert_eq!(PointChunk::new([].into_iter(), Grid::Fine).head.count, 0);
        let flat = PointChunk::new([[1.0, 2.0, 3.0]; 4].into_iter(), Grid::Coarse);
        assert_eq!(decode(&flat), [[1.0, 2.0, 3.0]; 4]);
        let huge = PointChunk::new([[-1e300; 3], [1e300; 3]].into_iter(), Grid::Coarse);
        assert!(huge.head.step.iter().all(|s| s.is_finite() && *s > 0.0));
    }

    #[test]
    fn differences_are_small_for_both_signs() {
        assert_eq!(
            [zigzag(5, 5, 16), zigzag(4, 5, 16), zigzag(6, 5, 16), zigzag(0, 65535, 16)],
            [0, 1, 2, 2]
        );
        assert_eq!(numbers(&[[7_u32, 0], [6, 1]]).len(), 16);
    }
}
