//! A body in parts that fit the device's buffers.

use std::borrow::Cow;
use std::ops::Range;

use crumple::VertexId;

/// Bytes of a vertex: x, y, z, and 0.
pub(crate) const VERTEX: u64 = 16;

/// Bytes of a triangle.
pub(crate) const TRIANGLE: u64 = 12;

/// A body's triangles, cut so that each part and its vertices fit a buffer.
pub(crate) struct Chunks<'a> {
    vertices: &'a [[i32; 4]],
    triangles: &'a [[VertexId; 3]],
    /// Whether all vertices fit one buffer; else each part brings the corners of its triangles.
    is_indexed: bool,
    /// Triangles of a part.
    each: usize,
}

/// What is uploaded at once.
pub(crate) struct Chunk<'a> {
    pub vertices: Cow<'a, [[i32; 4]]>,
    pub triangles: Cow<'a, [[VertexId; 3]]>,
}

impl<'a> Chunks<'a> {
    pub fn new(vertices: &'a [[i32; 4]], triangles: &'a [[VertexId; 3]], largest: u64) -> Self {
        let is_indexed = VERTEX * vertices.len() as u64 <= largest;
        let most = largest / if is_indexed { TRIANGLE } else { 3 * VERTEX };
        Self { vertices, triangles, is_indexed, each: most.max(1) as usize }
    }

    /// The triangles of each part.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (len, each) = (self.triangles.len(), self.each);
        (0..len.div_ceil(each)).map(move |k| k * each..len.min((k + 1) * each))
    }

    /// A part.
    pub fn get(&self, range: Range<usize>) -> Chunk<'a> {
        let triangles = &self.triangles[range];
        if self.is_indexed {
            return Chunk { vertices: self.vertices.into(), triangles: triangles.into() };
        }
        let corners = triangles.iter().flatten().map(|v| self.vertices[v.index()]).collect();
        let numbers =
            (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2].map(VertexId)).collect();
        Chunk { vertices: Cow::Owned(corners), triangles: Cow::Owned(numbers) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_triangle_once_and_fit() {
        let vertices: Vec<[i32; 4]> = (0..200).map(|k| [k, -k, 7 * k, 0]).collect();
        let triangles: Vec<[VertexId; 3]> =
            (0..500).map(|k| [k % 200, (k + 1) % 200, (3 * k) % 200].map(VertexId)).collect();
        let whole: Vec<[[i32; 4]; 3]> = triangles.iter().map(|t| t.map(|v| vertices[v.index()])).collect();
        for largest in [1024, 3200, 6000, 1 << 20] {
            let chunks = Chunks::new(&vertices, &triangles, largest);
            let mut seen = Vec::new();
            for range in chunks.ranges() {
                assert_eq!(range.start, seen.len());
                let chunk = chunks.get(range);
                assert!(VERTEX * chunk.vertices.len() as u64 <= largest);
                assert!(TRIANGLE * chunk.triangles.len() as u64 <= largest);
                seen.extend(chunk.triangles.iter().map(|t| t.map(|v| chunk.vertices[v.index()])));
            }
            assert_eq!(seen, whole, "{largest}");
        }
    }
}
