//! What is odd about a mesh, by element: said, never dropped.

use crate::geometry::{tet, triangle};
use crate::{Bodies, BodyId, Frame, FrameError, Orientation};

/// The kind of an oddity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// A triangle without area: the segment or point that it is.
    DegenerateTriangle,
    /// A triangle with the same vertices as an earlier one.
    DuplicateTriangle,
    /// A tet without volume: the polygon, segment or point that it is.
    DegenerateTet,
    /// A tet with negative orientation.
    InvertedTet,
    /// A tet with the same vertices as an earlier one.
    DuplicateTet,
    /// An edge of three or more triangles.
    NonManifoldEdge,
    /// A vertex whose triangles do not form one fan.
    NonManifoldVertex,
    /// A component whose triangles do not run in the same sense.
    InconsistentOrientation,
    /// A component that cannot be oriented.
    NonOrientable,
    /// Vertices that no element uses.
    UnusedVertices,
}

impl DiagnosticKind {
    /// As it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::DegenerateTriangle => "degenerate-triangle",
            Self::DuplicateTriangle => "duplicate-triangle",
            Self::DegenerateTet => "degenerate-tet",
            Self::InvertedTet => "inverted-tet",
            Self::DuplicateTet => "duplicate-tet",
            Self::NonManifoldEdge => "non-manifold-edge",
            Self::NonManifoldVertex => "non-manifold-vertex",
            Self::InconsistentOrientation => "inconsistent-orientation",
            Self::NonOrientable => "non-orientable",
            Self::UnusedVertices => "unused-vertices",
        }
    }
}

/// One oddity.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind.
    pub kind: DiagnosticKind,
    /// The body.
    pub body: BodyId,
    /// The element, counted within the body: a triangle, tet, edge, vertex or component, as the kind says.
    pub element: u32,
    /// One sentence.
    pub text: String,
}

/// Everything odd about a mesh at its positions, sorted by body, kind and element.
pub fn diagnose(bodies: &Bodies, frame: Frame<'_>) -> Result<Vec<Diagnostic>, FrameError> {
    frame.check(bodies)?;
    let mut out = Vec::new();
    for body in bodies.body_ids() {
        topology(bodies, body, &mut out);
        shape(bodies, frame, body, &mut out);
    }
    out.sort_by_key(|d| (d.body, d.kind, d.element));
    Ok(out)
}

fn topology(bodies: &Bodies, id: BodyId, out: &mut Vec<Diagnostic>) {
    let body = bodies.mesh(id);
    let topology = body.topology();
    let mut say = |kind, element, text| out.push(Diagnostic { kind, body: id, element, text });
    for (t, first) in topology.duplicates() {
        say(
            DiagnosticKind::DuplicateTriangle,
            t.0,
            format!("triangle {t} has the vertices of triangle {first}"),
        );
    }
    for e in topology.non_manifold_edges() {
        let [a, b] = topology.edges()[e.index()];
        let n = topology.triangles_of_edge(*e).len();
        say(
            DiagnosticKind::NonManifoldEdge,
            e.0,
            format!("the edge between vertices {a} and {b} has {n} triangles"),
        );
    }
    for v in topology.non_manifold_vertices() {
        say(
            DiagnosticKind::NonManifoldVertex,
            v.0,
            format!("the triangles at vertex {v} do not form one fan"),
        );
    }
    for component in 0..topology.component_count() {
        let element = component as u32;
        match topology.component_orientation(component) {
            Orientation::Consistent => {}
            Orientation::Inconsistent => {
                let text = format!("component {component} has triangles that run against their neighbours");
                say(DiagnosticKind::InconsistentOrientation, element, text);
            }
            Orientation::NonOrientable => {
                say(
                    DiagnosticKind::NonOrientable,
                    element,
                    format!("component {component} cannot be oriented"),
                );
            }
        }
    }
    if body.is_solid() {
        for (t, first) in body.tet_topology().duplicates() {
            say(DiagnosticKind::DuplicateTet, t.0, format!("tet {t} has the vertices of tet {first}"));
        }
    }
    let unused = unused_vertices(bodies, id);
    if let Some(&first) = unused.first().filter(|_| !body.triangles().is_empty()) {
        say(
            DiagnosticKind::UnusedVertices,
            first,
            format!("{} vertices belong to no element; the first is {first}", unused.len()),
        );
    }
}

/// Vertices that neither a triangle nor a tet uses, ids within the body.
fn unused_vertices(bodies: &Bodies, id: BodyId) -> Vec<u32> {
    let body = bodies.mesh(id);
    let mut used = vec![false; body.vertex_count()];
    body.triangles().iter().flatten().for_each(|v| used[v.index()] = true);
    body.tets().iter().flatten().for_each(|v| used[v.index()] = true);
    (0..used.len() as u32).filter(|&v| !used[v as usize]).collect()
}

fn shape(bodies: &Bodies, frame: Frame<'_>, id: BodyId, out: &mut Vec<Diagnostic>) {
    let body = bodies.mesh(id);
    let positions = frame.of(id);
    let mut say = |kind, element, text| out.push(Diagnostic { kind, body: id, element, text });
    for (t, corners) in body.triangles().iter().enumerate() {
        if triangle::is_degenerate(&corners.map(|v| positions.get(v.index()))) {
            say(DiagnosticKind::DegenerateTriangle, t as u32, format!("triangle {t} has no area"));
        }
    }
    for (t, corners) in body.tets().iter().enumerate() {
        match tet::orientation(&corners.map(|v| positions.get(v.index()))) {
            0 => say(DiagnosticKind::DegenerateTet, t as u32, format!("tet {t} has no volume")),
            1 => {}
            _ => say(DiagnosticKind::InvertedTet, t as u32, format!("tet {t} is inverted")),
        }
    }
}
