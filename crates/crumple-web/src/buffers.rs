//! Surfaces as flat arrays of one precision, body after body, for drawing.

use crumple::Mesh;

/// What a picture of some bodies needs. Positions are relative to `origin`, so that bodies far from the origin of their
/// coordinates do not lose digits.
#[derive(Debug, Default)]
pub struct Buffers {
    pub origin: [f64; 3],
    pub positions: Vec<f32>,
    pub normals: Vec<f32>,
    pub triangles: Vec<u32>,
    /// First vertex, vertices, first triangle, triangles of each body.
    pub ranges: Vec<u32>,
    versions: Vec<Mesh>,
}

impl Buffers {
    /// Takes other bodies: triangles are laid out anew if a mesh is not the one of before. True if they were.
    pub fn lay_out(&mut self, meshes: &[&Mesh]) -> bool {
        let is_same = meshes.len() == self.versions.len()
            && meshes.iter().zip(&self.versions).all(|(a, b)| a.is_same(b));
        if is_same {
            return false;
        }
        self.triangles.clear();
        self.ranges.clear();
        let mut first = 0;
        for mesh in meshes {
            let begin = self.triangles.len() / 3;
            self.triangles.extend(mesh.triangles().iter().flatten().map(|v| first + v.0));
            let (vertices, triangles) = (mesh.vertex_count() as u32, mesh.triangles().len() as u32);
            self.ranges.extend([first, vertices, begin as u32, triangles]);
            first += vertices;
        }
        self.versions = meshes.iter().map(|&m| m.clone()).collect();
        true
    }

    /// Takes where the vertices are, and finds the normals.
    pub fn place<'a>(&mut self, bodies: impl Iterator<Item = &'a [[f64; 3]]>) {
        self.positions.clear();
        for p in bodies.flatten() {
            self.positions.extend((0..3).map(|k| (p[k] - self.origin[k]) as f32));
        }
        self.normals.clear();
        self.normals.resize(self.positions.len(), 0.0);
        let corner = |v: u32| {
            let at = 3 * v as usize;
            [self.positions[at], self.positions[at + 1], self.positions[at + 2]]
        };
        for t in self.triangles.as_chunks::<3>().0 {
            let [a, b, c] = t.map(corner);
            let n = cross(sub(b, a), sub(c, a));
            for v in t {
                let at = 3 * *v as usize;
                (0..3).for_each(|k| self.normals[at + k] += n[k]);
            }
        }
    }

    /// Puts the origin into the middle of everything.
    pub fn centre<'a>(&mut self, bodies: impl Iterator<Item = &'a [[f64; 3]]>) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in bodies.flatten() {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let middle = |k: usize| if low[k] <= high[k] { 0.5 * low[k] + 0.5 * high[k] } else { 0.0 };
        self.origin = [0, 1, 2].map(middle);
    }

    /// Where the four arrays lie in memory, each with its length.
    pub fn places(&self) -> Vec<usize> {
        let floats = [&self.positions, &self.normals].map(|v| [v.as_ptr() as usize, v.len()]);
        let indices = [&self.triangles, &self.ranges].map(|v| [v.as_ptr() as usize, v.len()]);
        [floats.concat(), indices.concat()].concat()
    }

    /// A point relative to the origin.
    pub fn relative(&self, p: &[f64; 3]) -> [f32; 3] {
        [0, 1, 2].map(|k| (p[k] - self.origin[k]) as f32)
    }
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
