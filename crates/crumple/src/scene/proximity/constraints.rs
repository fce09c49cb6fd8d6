//! What a solver takes, in one form whatever it comes from: a value that must not be below 0, and how it changes as vertices move.

use super::ClosePairs;
use crate::methods::layered_depth::Gradient;
use crate::scene::{Element, IntersectionCurve, Penetration};
use crate::{BodyId, Error, Scene, VertexId};

/// How a value changes as one vertex moves.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Term {
    /// The vertex.
    pub vertex: Element<VertexId>,
    /// The derivative of the value by its position.
    pub gradient: [f64; 3],
}

/// Inequalities: value + Σ gradient · displacement ≥ 0, to first order. Rows of all sources follow each other in one buffer that is
/// reused; a Gauss–Seidel sweep, a Newton step and an LCP take them as they are.
///
/// | source | value | so that |
/// | --- | --- | --- |
/// | [`add_close_pairs`](Self::add_close_pairs) | distance − thickness | the closest points keep their distance |
/// | [`add_penetrations`](Self::add_penetrations) | − depth | a vertex leaves a body along its direction |
/// | [`add_volume`](Self::add_volume) | − shared volume | two closed bodies part |
/// | [`add_curves`](Self::add_curves) | − length of a curve | surfaces that cross come apart |
///
/// ```
/// use crumple::{Closeness, Constraints, Mesh, Scene};
/// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
/// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
/// # let mut scene = Scene::new();
/// # scene.add(triangle("low")?, &at(0.0)[..])?;
/// # scene.add(triangle("high")?, &[[1.0, 1.0, 1.0], [1.0, 1.0, 9.0], [2.0, 1.0, 9.0]][..])?;
/// let near = scene.proximity(&Closeness::below(1.5))?;
/// let mut constraints = Constraints::default();
/// constraints.add_close_pairs(&near, 1.25, &scene)?;
/// let (value, terms) = constraints.row(0);
/// assert_eq!((value, terms.len()), (-0.25, 4)); // too close by a quarter
/// assert_eq!(terms[0].gradient, [0.0, 0.0, 1.0]); // up, away from the triangle
/// # Ok::<(), crumple::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Constraints {
    values: Vec<f64>,
    /// One past the last term of each row.
    ends: Vec<u32>,
    terms: Vec<Term>,
}

impl Constraints {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
        self.terms.clear();
    }

    /// The value and the terms of a row. Panics if there is no such row.
    pub fn row(&self, row: usize) -> (f64, &[Term]) {
        let first = row.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        (self.values[row], &self.terms[first..self.ends[row] as usize])
    }

    /// All rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (f64, &[Term])> {
        (0..self.len()).map(|row| self.row(row))
    }

    fn push(&mut self, value: f64, terms: impl IntoIterator<Item = Term>) {
        self.terms.extend(terms.into_iter().filter(|t| t.gradient != [0.0; 3]));
        self.values.push(value);
        self.ends.push(self.terms.len() as u32);
    }

    /// Close pairs are to keep a thickness.
    pub fn add_close_pairs(
        &mut self,
        pairs: &ClosePairs,
        thickness: f64,
        scene: &Scene,
    ) -> Result<(), Error> {
        for p in &pairs.vertex_triangles {
            let body = p.triangle.body;
            let corners = scene.mesh(body)?.triangles()[p.triangle.id.index()];
            let others = corners.into_iter().zip(p.weights);
            let others =
                others.map(|(id, w)| Term { vertex: Element { body, id }, gradient: scaled(&p.normal, -w) });
            let own = Term { vertex: p.vertex, gradient: p.normal };
            self.push(p.distance - thickness, std::iter::once(own).chain(others));
        }
        for p in &pairs.edge_edges {
            let [s, t] = p.weights;
            let term = |edge: Element<[VertexId; 2]>, end: usize, weight: f64| Term {
                vertex: Element { body: edge.body, id: edge.id[end] },
                gradient: scaled(&p.normal, weight),
            };
            let terms = [term(p.a, 0, 1.0 - s), term(p.a, 1, s), term(p.b, 0, t - 1.0), term(p.b, 1, -t)];
            self.push(p.distance - thickness, terms);
        }
        Ok(())
    }

    /// Vertices are to leave the tets that they are in.
    pub fn add_penetrations(&mut self, rows: &[Penetration], scene: &Scene) -> Result<(), Error> {
        for p in rows {
            let body = p.tet.body;
            let corners = scene.mesh(body)?.tets()[p.tet.id.index()];
            let others = corners.into_iter().zip(p.weights);
            let others = others
                .map(|(id, w)| Term { vertex: Element { body, id }, gradient: scaled(&p.direction, -w) });
            let own = Term { vertex: p.vertex, gradient: p.direction };
            self.push(-p.depth, std::iter::once(own).chain(others));
        }
        Ok(())
    }

    /// Two bodies are to share no volume: one row.
    pub fn add_volume(&mut self, bodies: [BodyId; 2], volume: &Gradient) {
        let terms = bodies.into_iter().zip(&volume.bodies).flat_map(|(body, slopes)| {
            let term = move |(g, id): (&[f64; 3], u32)| Term {
                vertex: Element { body, id: VertexId(id) },
                gradient: scaled(g, -1.0),
            };
            slopes.iter().zip(0..).map(term)
        });
        self.push(-volume.sampled.iter().sum::<f64>() / 3.0, terms);
    }

    /// Curves along which surfaces cross are to vanish: one row each.
    pub fn add_curves(&mut self, curves: &[IntersectionCurve]) {
        for curve in curves {
            let terms = curve.gradient.iter();
            self.push(
                -curve.length,
                terms.map(|(vertex, g)| Term { vertex: *vertex, gradient: scaled(g, -1.0) }),
            );
        }
    }
}

fn scaled(v: &[f64; 3], by: f64) -> [f64; 3] {
    v.map(|x| x * by)
}
