//! The displacement that does what is asked of it with the least change of shape.
//!
//! The vertices that may move are solved for together, as rigidly as possible (Sorkine and Alexa 2007): every edge wants to
//! be the edge of the given shape, turned by the mean rotation of its ends, and every vertex wants a little to stay where it is. A row asks for a relative displacement along one direction. All of it is one sparse system of least squares, solved
//! by conjugate gradients, on one thread and in one order.

use super::adjacency::Adjacency;
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, sub};

/// A request: the weighted sum of displacements, along a direction of length 1, shall be `amount`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Vertices and their weights; unused places have weight 0.
    pub terms: [(u32, f64); 5],
    pub direction: Point,
    pub amount: f64,
    pub stiffness: f64,
}

/// What the shape resists with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Material {
    /// How much a vertex wants to stay where it is, against an edge that wants to be as it was given.
    pub hold: f64,
    /// Steps of conjugate gradients at most.
    pub steps: usize,
}

const NONE: u32 = u32::MAX;

/// The vertices that may move, and the memory of the solver.
pub(crate) struct Solver {
    /// The row of each vertex among those that may move, or `NONE`.
    row_of: Vec<u32>,
    vertices: Vec<u32>,
    /// Edges with an end that may move.
    edges: Vec<[u32; 2]>,
    rotation: Vec<[f64; 4]>,
}

impl Solver {
    pub fn new(vertices: usize) -> Self {
        Self { row_of: vec![NONE; vertices], vertices: Vec::new(), edges: Vec::new(), rotation: Vec::new() }
    }

    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    pub fn may_move(&self, vertex: u32) -> bool {
        self.row_of[vertex as usize] != NONE
    }

    /// Lets these vertices move too.
    pub fn free(&mut self, adjacency: &Adjacency<'_>, more: impl IntoIterator<Item = u32>) {
        let before = self.vertices.len();
        for v in more {
            if self.row_of[v as usize] == NONE {
                self.row_of[v as usize] = self.vertices.len() as u32;
                self.vertices.push(v);
                self.rotation.push([1.0, 0.0, 0.0, 0.0]);
            }
        }
        if self.vertices.len() > before {
            self.edges.clear();
            for (i, &v) in self.vertices.iter().enumerate() {
                // Once: from its earlier end.
                let is_first =
                    |w: &u32| self.row_of[*w as usize] == NONE || self.row_of[*w as usize] > i as u32;
                self.edges.extend(adjacency.neighbours(v).filter(is_first).map(|w| [v, w]));
            }
        }
    }

    /// The displacements, in the order of [`Solver::vertices`].
    pub fn solve(
        &mut self,
        adjacency: &Adjacency<'_>,
        given: &[Point],
        now: &[Point],
        rows: &[Row],
        material: Material,
    ) -> Vec<Point> {
        self.fit_rotations(adjacency, given, now);
        let system = System { solver: self, rows, hold: material.hold };
        let rhs = system.right_side(given, now);
        system.conjugate_gradients(&rhs, material.steps)
    }

    /// What displacements amount to in a row.
    pub fn along(&self, row: &Row, moves: &[Point]) -> f64 {
        let way = |(v, weight): (u32, f64)| {
            let at = self.row_of[v as usize];
            if at == NONE || weight == 0.0 { 0.0 } else { weight * dot(&row.direction, &moves[at as usize]) }
        };
        row.terms.into_iter().map(way).sum()
    }

    /// Fits the rotation of every vertex to the edges around it.
    fn fit_rotations(&mut self, adjacency: &Adjacency<'_>, given: &[Point], now: &[Point]) {
        for (i, &v) in self.vertices.iter().enumerate() {
            let mut covariance = [[0.0; 3]; 3];
            let at = |x: &[Point], w: u32| sub(&x[w as usize], &x[v as usize]);
            for w in adjacency.neighbours(v) {
                let (from, to) = (at(given, w), at(now, w));
                for c in 0..3 {
                    for r in 0..3 {
                        covariance[c][r] += to[r] * from[c];
                    }
                }
            }
            fit(&covariance, &mut self.rotation[i]);
        }
    }

    fn rotation_at(&self, vertex: u32) -> Option<&[f64; 4]> {
        self.rotation.get(self.row_of[vertex as usize] as usize)
    }
}

/// Turns `q` towards the rotation that is closest to a matrix, given by columns (Müller et al. 2016).
fn fit(columns: &[Point; 3], q: &mut [f64; 4]) {
    for _ in 0..4 {
        let r = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| rotate(q, &axis));
        let mut omega = [0.0; 3];
        let mut size = 0.0;
        for (r, a) in r.iter().zip(columns) {
            let c = cross(r, a);
            omega = add(&omega, &c);
            size += dot(r, a);
        }
        let scale = 1.0 / (size.abs() + 1e-300);
        let omega = omega.map(|x| x * scale);
        let angle = dot(&omega, &omega).sqrt();
        if !(angle > 1e-9 && angle.is_finite()) {
            return;
        }
        let (sin, cos) = (0.5 * angle).sin_cos();
        let s = sin / angle;
        *q = normalised(product(&[cos, omega[0] * s, omega[1] * s, omega[2] * s], q));
    }
}

fn product(p: &[f64; 4], q: &[f64; 4]) -> [f64; 4] {
    [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ]
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / size)
}

fn rotate(q: &[f64; 4], v: &Point) -> Point {
    let u = [q[1], q[2], q[3]];
    let t = cross(&u, v).map(|x| 2.0 * x);
    let c = cross(&u, &t);
    [v[0] + q[0] * t[0] + c[0], v[1] + q[0] * t[1] + c[1], v[2] + q[0] * t[2] + c[2]]
}

fn add(a: &Point, b: &Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn add_scaled(to: &mut Point, s: f64, v: &Point) {
    for k in 0..3 {
        to[k] += s * v[k];
    }
}

/// The normal equations of one round.
struct System<'s> {
    solver: &'s Solver,
    rows: &'s [Row],
    hold: f64,
}

impl System<'_> {
    fn row(&self, vertex: u32) -> Option<usize> {
        let row = self.solver.row_of[vertex as usize];
        (row != NONE).then_some(row as usize)
    }

    fn right_side(&self, given: &[Point], now: &[Point]) -> Vec<Point> {
        let mut rhs = vec![[0.0; 3]; self.solver.vertices.len()];
        for &[v, w] in &self.solver.edges {
            let given = sub(&given[v as usize], &given[w as usize]);
            let ends = [v, w].map(|e| self.solver.rotation_at(e).map_or(given, |q| rotate(q, &given)));
            let now = sub(&now[v as usize], &now[w as usize]);
            let wanted: Point = std::array::from_fn(|k| 0.5 * (ends[0][k] + ends[1][k]) - now[k]);
            if let Some(i) = self.row(v) {
                add_scaled(&mut rhs[i], 1.0, &wanted);
            }
            if let Some(j) = self.row(w) {
                add_scaled(&mut rhs[j], -1.0, &wanted);
            }
        }
        for row in self.rows {
            for (v, weight) in row.terms {
                if let Some(i) = self.row(v).filter(|_| weight != 0.0) {
                    add_scaled(&mut rhs[i], row.stiffness * weight * row.amount, &row.direction);
                }
            }
        }
        rhs
    }

    /// The matrix times `d`.
    fn apply(&self, d: &[Point], out: &mut [Point]) {
        for (o, d) in out.iter_mut().zip(d) {
            *o = d.map(|x| self.hold * x);
        }
        for &[v, w] in &self.solver.edges {
            let zero = [0.0; 3];
            let (i, j) = (self.row(v), self.row(w));
            let at = |p: Option<usize>| p.map_or(&zero, |p| &d[p]);
            let diff = sub(at(i), at(j));
            if let Some(i) = i {
                add_scaled(&mut out[i], 1.0, &diff);
            }
            if let Some(j) = j {
                add_scaled(&mut out[j], -1.0, &diff);
            }
        }
        for row in self.rows {
            let mut sum = 0.0;
            for (v, weight) in row.terms {
                if let Some(i) = self.row(v).filter(|_| weight != 0.0) {
                    sum += weight * dot(&row.direction, &d[i]);
                }
            }
            for (v, weight) in row.terms {
                if let Some(i) = self.row(v).filter(|_| weight != 0.0) {
                    add_scaled(&mut out[i], row.stiffness * weight * sum, &row.direction);
                }
            }
        }
    }

    /// The diagonal, for preconditioning.
    fn diagonal(&self) -> Vec<Point> {
        let mut out = vec![[self.hold; 3]; self.solver.vertices.len()];
        for &edge in &self.solver.edges {
            for i in edge.into_iter().filter_map(|v| self.row(v)) {
                out[i] = out[i].map(|x| x + 1.0);
            }
        }
        for row in self.rows {
            for (v, weight) in row.terms {
                if let Some(i) = self.row(v) {
                    for k in 0..3 {
                        out[i][k] += row.stiffness * (weight * row.direction[k]).powi(2);
                    }
                }
            }
        }
        out
    }

    fn conjugate_gradients(&self, rhs: &[Point], steps: usize) -> Vec<Point> {
        let n = rhs.len();
        let inverse: Vec<Point> = self.diagonal().iter().map(|d| d.map(|x| 1.0 / x)).collect();
        let scaled = |r: &[Point]| -> Vec<Point> {
            r.iter().zip(&inverse).map(|(r, m)| [r[0] * m[0], r[1] * m[1], r[2] * m[2]]).collect()
        };
        let product = |a: &[Point], b: &[Point]| a.iter().zip(b).map(|(a, b)| dot(a, b)).sum::<f64>();
        let (mut x, mut r) = (vec![[0.0; 3]; n], rhs.to_vec());
        let mut z = scaled(&r);
        let mut p = z.clone();
        let mut q = vec![[0.0; 3]; n];
        let mut rz = product(&r, &z);
        let enough = 1e-8 * rz;
        for _ in 0..steps {
            if !(rz > enough && rz > 0.0) {
                break;
            }
            self.apply(&p, &mut q);
            let alpha = rz / product(&p, &q);
            for i in 0..n {
                add_scaled(&mut x[i], alpha, &p[i]);
                add_scaled(&mut r[i], -alpha, &q[i]);
            }
            z = scaled(&r);
            let next = product(&r, &z);
            let beta = next / rz;
            for i in 0..n {
                p[i] = std::array::from_fn(|k| z[i][k] + beta * p[i][k]);
            }
            rz = next;
        }
        x
    }
}
