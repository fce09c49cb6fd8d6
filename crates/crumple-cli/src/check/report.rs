//! The JSON document of `check`.

use crumple::methods::bucket_tree::Undecided;
use crumple::{
    Answer, Contact, Diagnostic, EdgeEdgeImpact, EdgePenetration, Guarantee, Impacts, Mesh, Penetration,
    Place, PolygonId, VertexTriangleImpact,
};
use serde::Serialize;

use super::baseline::Known;

/// The JSON document.
#[derive(Serialize)]
pub struct Report {
    pub schema: &'static str,
    pub bodies: Vec<BodyRow>,
    pub frames: Vec<FrameRow>,
    /// Where the caller may have gone wrong; absent when nothing is odd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    pub seconds: LoadSeconds,
}

/// Time beside that of the frames.
#[derive(Serialize)]
pub struct LoadSeconds {
    /// Opening the files.
    pub load: f64,
    pub build: f64,
    /// Reading the frames of sequences, most of it while others were checked.
    pub read: f64,
    /// The part of it that the check waited for.
    pub wait: f64,
}

/// One body of the scene.
#[derive(Serialize)]
pub struct BodyRow {
    pub name: String,
    pub vertices: usize,
    pub triangles: usize,
    pub tets: usize,
    /// The polygon of each triangle, where polygons are not triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    polygons: Option<Vec<PolygonId>>,
}

impl BodyRow {
    pub fn new(mesh: &Mesh) -> Self {
        Self {
            name: mesh.name().to_owned(),
            vertices: mesh.vertex_count(),
            triangles: mesh.triangles().len(),
            tets: mesh.tets().len(),
            polygons: mesh.polygons().map(<[_]>::to_vec),
        }
    }
}

/// One frame's answer.
#[derive(Serialize)]
pub struct FrameRow {
    pub frame: usize,
    /// The file of the frame, where frames have files of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub method: &'static str,
    pub guarantee: Guarantee,
    pub triangle_pairs: Answer<Contact>,
    /// With a budget: whether all pairs are listed. Where not, the guarantee is "partial".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// With a budget: where the search did not come to. Every pair that is missing is between two of these regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<Vec<Undecided>>,
    /// Connected contacts, the longest crossing first.
    pub places: Vec<Place>,
    pub tet_method: &'static str,
    pub tet_guarantee: Guarantee,
    pub vertex_tets: Answer<Penetration>,
    pub edge_tets: Answer<EdgePenetration>,
    pub diagnostics: Vec<Diagnostic>,
    /// What hit what on the way from the frame before, with --continuous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impacts: Option<ImpactRows>,
    /// With --cut: its sides have not parted everywhere yet, and what touches because of that is not in the lists above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_cut: Option<bool>,
    /// What the baseline knows already, with --baseline; not in the lists above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    pub seconds: FrameSeconds,
}

/// What hit what since the frame before.
#[derive(Serialize)]
pub struct ImpactRows {
    /// The first time of all, from 0 at the frame before to 1 at this one; absent when nothing hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<[f64; 2]>,
    pub vertex_triangles: Answer<VertexTriangleImpact>,
    pub edge_edges: Answer<EdgeEdgeImpact>,
}

impl ImpactRows {
    pub fn new(found: Impacts) -> Self {
        Self {
            time: found.first.map(|t| [t.after, t.by]),
            vertex_triangles: found.vertex_triangles,
            edge_edges: found.edge_edges,
        }
    }

    /// Finds the first time anew, after rows were taken out: not after the smallest end, not before the smallest start.
    pub fn find_first(&mut self) {
        let vertices = self.vertex_triangles.iter().map(|i| i.time);
        let times = vertices.chain(self.edge_edges.iter().map(|i| i.time)).map(|t| [t.after, t.by]);
        self.time = times.reduce(|s, t| [s[0].min(t[0]), s[1].min(t[1])]);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vertex_triangles.len() + self.edge_edges.len()
    }
}

/// Time of one frame.
#[derive(Serialize, Default)]
pub struct FrameSeconds {
    pub update: f64,
    pub query: f64,
}

impl FrameRow {
    /// Whether anything collides in this frame.
    pub fn collides(&self) -> bool {
        self.hits() > 0
    }

    /// How many pairs of regions the search did not come to.
    pub fn undecided(&self) -> usize {
        self.undecided.as_ref().map_or(0, Vec::len)
    }

    /// How many rows there are in all lists.
    pub fn hits(&self) -> usize {
        let impacts = self.impacts.as_ref().map_or(0, ImpactRows::len);
        self.triangle_pairs.len() + self.vertex_tets.len() + self.edge_tets.len() + impacts
    }
}
