//! A self-colliding sheet and its candidate pairs.

use crumple::geometry::{Aabb, Point, triangle};
use std::io::{Error, Result};
use std::path::Path;

/// Triangles over vertices.
pub struct Surface {
    /// Positions.
    pub vertices: Vec<Point>,
    /// Vertex numbers of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// A pair of triangle numbers.
pub type Pair = (u32, u32);

impl Surface {
    /// A square sheet of 2 n² triangles in folds that pass through each other.
    pub fn crumpled(n: u32) -> Surface {
        let wave = |x: f64, y: f64, f: f64, phase: f64| {
            (f * (x + 0.7 * y) + phase).sin() * (f * (y - 0.4 * x) - phase).cos()
        };
        let mut vertices = Vec::new();
        for j in 0..=n {
            for i in 0..=n {
                let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let shift =
                    |phase: f64| wave(x, y, 17.0, phase) / 12.0 + wave(x, y, 61.0, 2.0 * phase) / 40.0;
                vertices.push([0.3 * x + shift(1.0), 0.3 * y + shift(2.0), shift(3.0)]);
            }
        }
        let mut triangles = Vec::new();
        for j in 0..n {
            for i in 0..n {
                let k = j * (n + 1) + i;
                triangles.push([k, k + 1, k + n + 2]);
                triangles.push([k, k + n + 2, k + n + 1]);
            }
        }
        Surface { vertices, triangles }
    }

    /// Mesh 0 of a scene directory, in its second frame: raw little-endian arrays `obj0_e.u32`, `obj0_v_001.f64`.
    pub fn read(scene: &Path) -> Result<Surface> {
        let short = || Error::other("a scene array ends within a record");
        let faces = std::fs::read(scene.join("obj0_e.u32"))?;
        let positions = std::fs::read(scene.join("obj0_v_001.f64"))?;
        let (faces, rest) = faces.as_chunks::<4>();
        let (triangles, odd) = faces.as_chunks::<3>();
        let (numbers, odd_bytes) = positions.as_chunks::<8>();
        let (vertices, odd_numbers) = numbers.as_chunks::<3>();
        if !rest.is_empty() || !odd.is_empty() || !odd_bytes.is_empty() || !odd_numbers.is_empty() {
            return Err(short());
        }
        Ok(Surface {
            vertices: vertices.iter().map(|v| v.map(f64::from_le_bytes)).collect(),
            triangles: triangles.iter().map(|t| t.map(u32::from_le_bytes)).collect(),
        })
    }

    /// Corner positions of a triangle, where they are.
    #[inline(always)]
    pub fn corners(&self, t: u32) -> [&Point; 3] {
        triangle::corners(&self.vertices, self.triangles[t as usize])
    }

    /// Copies of the corner positions of a triangle.
    #[inline(always)]
    pub fn copy(&self, t: u32) -> [Point; 3] {
        self.triangles[t as usize].map(|v| self.vertices[v as usize])
    }

    /// Pairs whose boxes overlap: those without a common vertex, and those with one or two.
    pub fn candidates(&self) -> (Vec<Pair>, Vec<Pair>) {
        let boxes: Vec<Aabb> = (0..self.triangles.len()).map(|t| Aabb::of(&self.copy(t as u32))).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let low = |t: u32| boxes[t as usize].min[0];
        order.sort_by(|&s, &t| low(s).total_cmp(&low(t)));
        let (mut apart, mut neighbours) = (Vec::new(), Vec::new());
        for (i, &s) in order.iter().enumerate() {
            let b = &boxes[s as usize];
            for &t in order[i + 1..].iter().take_while(|&&t| low(t) <= b.max[0]) {
                if b.overlaps(&boxes[t as usize]) {
                    let shared =
                        self.triangles[s as usize].iter().any(|v| self.triangles[t as usize].contains(v));
                    if shared { &mut neighbours } else { &mut apart }.push((s.min(t), s.max(t)));
                }
            }
        }
        apart.sort_unstable();
        neighbours.sort_unstable();
        (apart, neighbours)
    }
}
