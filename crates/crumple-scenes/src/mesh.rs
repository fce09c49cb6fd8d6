//! Meshes as shapes hand them out: positions and elements, with the few facts that tests ask of them.

use std::collections::HashMap;

use crate::vector::{Point, cross, det, dot};

/// A triangle mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// One position per vertex.
    pub positions: Vec<[f64; 3]>,
    /// Corners of each triangle, counter-clockwise seen from outside where there is an outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A tetrahedral mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// One position per vertex.
    pub positions: Vec<[f64; 3]>,
    /// Corners of each tet; det[b-a, c-a, d-a] > 0 where the shape promises it.
    pub tets: Vec<[u32; 4]>,
}

impl Surface {
    /// How often each undirected edge is used, and how many of the uses run from the smaller to the larger index.
    fn edge_uses(&self) -> HashMap<[u32; 2], (u32, u32)> {
        let mut uses = HashMap::with_capacity(self.triangles.len() * 3 / 2);
        for &[a, b, c] in &self.triangles {
            for (u, v) in [(a, b), (b, c), (c, a)] {
                let entry: &mut (u32, u32) = uses.entry([u.min(v), u.max(v)]).or_default();
                entry.0 += 1;
                entry.1 += u32::from(u < v);
            }
        }
        uses
    }

    /// Number of different edges.
    pub fn edge_count(&self) -> usize {
        self.edge_uses().len()
    }

    /// Vertices minus edges plus triangles.
    pub fn euler(&self) -> i64 {
        self.positions.len() as i64 - self.edge_count() as i64 + self.triangles.len() as i64
    }

    /// Whether each edge has exactly two triangles.
    pub fn is_closed(&self) -> bool {
        !self.triangles.is_empty() && self.edge_uses().values().all(|&(n, _)| n == 2)
    }

    /// Whether no edge is run through twice in the same direction.
    pub fn is_consistently_oriented(&self) -> bool {
        self.edge_uses().values().all(|&(n, up)| up <= 1 && n - up <= 1)
    }

    /// Volume enclosed, signed: positive when a closed surface is oriented outward.
    pub fn volume(&self) -> f64 {
        let p = |v: u32| self.positions[v as usize];
        self.triangles.iter().map(|&[a, b, c]| dot(cross(p(a), p(b)), p(c))).sum::<f64>() / 6.0
    }

    /// The same surface with every triangle turned over.
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// The same surface, turned over if its signed volume is negative.
    pub fn outward(self) -> Self {
        if self.volume() < 0.0 { self.flipped() } else { self }
    }

    /// Both meshes in one, `other`'s vertices and triangles after ours; nothing is welded.
    pub fn joined(mut self, other: &Self) -> Self {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + base)));
        self
    }

    /// Every position through `map`.
    pub fn mapped(mut self, map: impl Fn(Point) -> Point) -> Self {
        self.positions.iter_mut().for_each(|p| *p = map(*p));
        self
    }
}

impl Solid {
    /// Six times the smallest signed volume of a tet; infinite when there is none.
    pub fn smallest_det(&self) -> f64 {
        smallest_det(&self.positions, &self.tets)
    }

    /// Sum of the signed volumes.
    pub fn volume(&self) -> f64 {
        let p = |v: u32| self.positions[v as usize];
        self.tets.iter().map(|&[a, b, c, d]| det(p(a), p(b), p(c), p(d))).sum::<f64>() / 6.0
    }

    /// The same solid with every negative tet turned positive by exchanging its last two corners.
    pub fn oriented(mut self) -> Self {
        for t in &mut self.tets {
            let [a, b, c, d] = t.map(|v| self.positions[v as usize]);
            if det(a, b, c, d) < 0.0 {
                t.swap(2, 3);
            }
        }
        self
    }

    /// The faces that belong to one tet only, outward where the tet is positive, with all vertices kept.
    pub fn boundary(&self) -> Surface {
        let mut uses: HashMap<[u32; 3], u32> = HashMap::new();
        let key = |mut f: [u32; 3]| {
            f.sort_unstable();
            f
        };
        let faces = |&[a, b, c, d]: &[u32; 4]| [[b, c, d], [a, d, c], [a, b, d], [a, c, b]];
        for face in self.tets.iter().flat_map(faces) {
            *uses.entry(key(face)).or_default() += 1;
        }
        let triangles = self.tets.iter().flat_map(faces).filter(|&f| uses[&key(f)] == 1).collect();
        Surface { positions: self.positions.clone(), triangles }
    }

    /// Both meshes in one, `other`'s vertices and tets after ours; nothing is welded.
    pub fn joined(mut self, other: &Self) -> Self {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.tets.extend(other.tets.iter().map(|t| t.map(|v| v + base)));
        self
    }

    /// Every position through `map`.
    pub fn mapped(mut self, map: impl Fn(Point) -> Point) -> Self {
        self.positions.iter_mut().for_each(|p| *p = map(*p));
        self
    }
}

/// Six times the smallest signed volume of some tets at some positions; infinite when there is none.
pub fn smallest_det(positions: &[Point], tets: &[[u32; 4]]) -> f64 {
    let p = |v: u32| positions[v as usize];
    tets.iter().map(|&[a, b, c, d]| det(p(a), p(b), p(c), p(d))).fold(f64::INFINITY, f64::min)
}
