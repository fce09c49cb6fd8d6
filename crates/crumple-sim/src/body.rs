//! One body: its mesh, its rest shape and what it is made of.

use crumple::Mesh;
use glam::DVec3;

use crate::settings::{Cloth, Particles, Solid, Surface};

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A surface that stretches and bends.
    Cloth(Cloth),
    /// Tets.
    Solid(Solid),
    /// Loose points.
    Particles(Particles),
    /// A surface that stays, or that is led by [`World::lead`](crate::World::lead).
    Led(Surface),
}

impl Kind {
    pub(crate) fn surface(&self) -> &Surface {
        match self {
            Self::Cloth(m) => &m.surface,
            Self::Solid(m) => &m.surface,
            Self::Particles(m) => &m.surface,
            Self::Led(surface) => surface,
        }
    }

    /// The stretch at which it tears.
    pub(crate) fn tear(&self) -> Option<f64> {
        match self {
            Self::Cloth(m) => m.tear,
            Self::Solid(m) => m.tear,
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub mesh: Mesh,
    /// Its first vertex in the world's arrays.
    pub first: usize,
    pub kind: Kind,
    pub rest: Vec<DVec3>,
    pub thickness: f64,
    /// Mean edge of the surface at rest; the scale of what is fast.
    pub edge: f64,
    /// Where a led body is to be at the end of the next step.
    pub goal: Option<Vec<DVec3>>,
    /// Facets that hold no more, as pairs of elements in order; see `sever`.
    pub severed: Vec<[u32; 2]>,
    /// Facets that the blade has passed and that could not be parted yet without something touching.
    pub waiting: Vec<[u32; 2]>,
}

impl Body {
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len()
    }

    pub fn is_led(&self) -> bool {
        matches!(self.kind, Kind::Led(_))
    }

    /// Whether parts of it can meet each other: it moves and has a surface. Points cannot.
    pub fn meets_itself(&self) -> bool {
        !self.is_led() && !matches!(self.kind, Kind::Particles(_))
    }

    /// Masses of the vertices, a share of each element's; 0 for a led body.
    pub fn masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.len()];
        match &self.kind {
            Kind::Cloth(m) => {
                for t in self.mesh.triangles() {
                    let share = m.density * self.area(t.map(|v| v.index())) / 3.0;
                    t.iter().for_each(|v| masses[v.index()] += share);
                }
            }
            Kind::Solid(m) => {
                for t in self.mesh.tets() {
                    let share = m.density * self.volume(t.map(|v| v.index())) / 4.0;
                    t.iter().for_each(|v| masses[v.index()] += share);
                }
            }
            Kind::Particles(m) => masses.fill(m.mass),
            Kind::Led(_) => {}
        }
        masses
    }

    /// The triangles at a vertex, each with its corners in the world's arrays.
    pub fn triangles_at(&self, v: u32) -> Vec<(u32, [u32; 3])> {
        let first = self.first as u32;
        let at = self.mesh.topology().triangles_at(crumple::VertexId(v - first));
        at.iter().map(|t| (t.0, self.mesh.triangles()[t.index()].map(|v| first + v.0))).collect()
    }

    /// The edges at a vertex in the world's arrays, smaller end first.
    pub fn edges_at(&self, v: u32) -> Vec<[u32; 2]> {
        let first = self.first as u32;
        let others = self.mesh.topology().neighbours(crumple::VertexId(v - first)).map(|n| first + n.0);
        others.map(|n| [n.min(v), n.max(v)]).collect()
    }

    pub fn area(&self, t: [usize; 3]) -> f64 {
        let [a, b, c] = t.map(|v| self.rest[v]);
        0.5 * (b - a).cross(c - a).length()
    }

    pub fn volume(&self, t: [usize; 4]) -> f64 {
        let [a, b, c, d] = t.map(|v| self.rest[v]);
        (b - a).cross(c - a).dot(d - a) / 6.0
    }
}

/// The mean edge of a surface; the box's diagonal where there is none.
pub(crate) fn mean_edge(mesh: &Mesh, rest: &[DVec3]) -> f64 {
    let edges = mesh.topology().edges();
    let sum: f64 = edges.iter().map(|[a, b]| rest[a.index()].distance(rest[b.index()])).sum();
    if sum > 0.0 {
        return sum / edges.len() as f64;
    }
    let low = rest.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = rest.iter().copied().reduce(DVec3::max).unwrap_or_default();
    low.distance(high)
}
