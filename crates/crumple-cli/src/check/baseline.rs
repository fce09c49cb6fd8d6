//! `check --baseline`: contacts that are known already are told apart from new ones.
//!
//! A baseline is the JSON document of an earlier check (`check … --out known.json`). What it lists in any of its frames,
//! as new or as known, is known in every frame here, so that writing `--baseline known.json --out known.json` keeps one
//! up to date.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, bail};
use crumple::{
    Contact, EdgeEdgeImpact, EdgePenetration, Element, Penetration, TetId, TriangleId, VertexId,
    VertexTriangleImpact,
};
use serde::{Deserialize, Serialize};

use super::report::{FrameRow, ImpactRows};
use crate::world::World;

/// An element: its body and its number in it; an edge: its body and its ends.
type Id = [u32; 2];
type Edge = [u32; 3];

/// What is known, by the bodies of the present check.
pub struct Baseline {
    triangle_pairs: HashSet<[Id; 2]>,
    vertex_tets: HashSet<[Id; 2]>,
    edge_tets: HashSet<(Edge, Id)>,
    vertex_triangles: HashSet<[Id; 2]>,
    edge_edges: HashSet<[Edge; 2]>,
}

/// Known rows of a frame, told apart from the new ones.
#[derive(Serialize)]
pub struct Known {
    pub triangle_pairs: Vec<Contact>,
    pub vertex_tets: Vec<Penetration>,
    pub edge_tets: Vec<EdgePenetration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impacts: Option<KnownImpacts>,
}

/// Known impacts since the frame before.
#[derive(Serialize)]
pub struct KnownImpacts {
    vertex_triangles: Vec<VertexTriangleImpact>,
    edge_edges: Vec<EdgeEdgeImpact>,
}

impl Known {
    /// How many there are.
    pub fn len(&self) -> usize {
        let impacts = self.impacts.as_ref().map_or(0, |i| i.vertex_triangles.len() + i.edge_edges.len());
        self.triangle_pairs.len() + self.vertex_tets.len() + self.edge_tets.len() + impacts
    }
}

/// As much of the document as is needed.
#[derive(Deserialize)]
struct Document {
    schema: String,
    bodies: Vec<Body>,
    frames: Vec<Rows>,
}

#[derive(Deserialize, PartialEq)]
struct Body {
    name: String,
    vertices: usize,
    triangles: usize,
    tets: usize,
}

#[derive(Deserialize)]
struct Rows {
    triangle_pairs: Vec<[u32; 4]>,
    vertex_tets: Vec<VertexRow>,
    edge_tets: Vec<EdgeRow>,
    impacts: Option<Impacts>,
    known: Option<Box<Rows>>,
}

/// Body, both ends; body, both ends; the interval of time.
type EdgeEdgeRow = (u32, u32, u32, u32, u32, u32, f64, f64);

#[derive(Deserialize)]
struct Impacts {
    vertex_triangles: Vec<(u32, u32, u32, u32, f64, f64)>,
    edge_edges: Vec<EdgeEdgeRow>,
}

#[derive(Deserialize)]
struct VertexRow {
    vertex: Id,
    tet: Id,
}

#[derive(Deserialize)]
struct EdgeRow {
    edge: Edge,
    tet: Id,
}

impl Baseline {
    /// Reads it for the bodies of this check.
    pub fn read(path: &Path, world: &World) -> Result<Self> {
        let name = || path.display().to_string();
        let file = File::open(path).with_context(name)?;
        let document: Document = serde_json::from_reader(BufReader::new(file))
            .with_context(|| format!("{}: not what check --out FILE.json writes", name()))?;
        if document.schema != "crumple.check/1" {
            bail!("{}: a baseline is a document of check, this one is {:?}", name(), document.schema);
        }
        let bodies = places(&document.bodies, world).with_context(name)?;
        let mut baseline = Self {
            triangle_pairs: HashSet::new(),
            vertex_tets: HashSet::new(),
            edge_tets: HashSet::new(),
            vertex_triangles: HashSet::new(),
            edge_edges: HashSet::new(),
        };
        for rows in &document.frames {
            let mut rows = Some(rows);
            while let Some(some) = rows {
                baseline.take(some, &bodies);
                rows = some.known.as_deref();
            }
        }
        Ok(baseline)
    }

    fn take(&mut self, rows: &Rows, bodies: &[Option<u32>]) {
        let here = |b: u32| bodies.get(b as usize).copied().flatten();
        let id = |[b, e]: Id| Some([here(b)?, e]);
        let edge = |[b, v, w]: Edge| Some([here(b)?, v, w]);
        // Bodies may come in another order here: the smaller is first.
        self.triangle_pairs.extend(rows.triangle_pairs.iter().filter_map(|&[a, s, b, t]| {
            let [s, t] = [id([a, s])?, id([b, t])?];
            Some([s.min(t), s.max(t)])
        }));
        self.vertex_tets.extend(rows.vertex_tets.iter().filter_map(|r| Some([id(r.vertex)?, id(r.tet)?])));
        self.edge_tets.extend(rows.edge_tets.iter().filter_map(|r| Some((edge(r.edge)?, id(r.tet)?))));
        let Some(impacts) = &rows.impacts else { return };
        let vertices = impacts.vertex_triangles.iter();
        self.vertex_triangles
            .extend(vertices.filter_map(|&(a, v, b, t, ..)| Some([id([a, v])?, id([b, t])?])));
        self.edge_edges.extend(impacts.edge_edges.iter().filter_map(|&(a, v, w, b, x, y, ..)| {
            let [e, f] = [edge([a, v, w])?, edge([b, x, y])?];
            Some([e.min(f), e.max(f)])
        }));
    }

    /// Takes what is known out of a frame's lists.
    pub fn part(&self, row: &mut FrameRow) {
        let triangle = |t: Element<TriangleId>| [t.body.0, t.id.0];
        let vertex = |v: Element<VertexId>| [v.body.0, v.id.0];
        let tet = |t: Element<TetId>| [t.body.0, t.id.0];
        let edge = |e: Element<[VertexId; 2]>| [e.body.0, e.id[0].0, e.id[1].0];
        let is_pair = |c: &Contact| self.triangle_pairs.contains(&[triangle(c.a), triangle(c.b)]);
        let is_vertex = |p: &Penetration| self.vertex_tets.contains(&[vertex(p.vertex), tet(p.tet)]);
        let is_edge = |p: &EdgePenetration| self.edge_tets.contains(&(edge(p.edge), tet(p.tet)));
        let impacts = row.impacts.as_mut().map(|impacts| KnownImpacts {
            vertex_triangles: impacts
                .vertex_triangles
                .extract_if(|i| self.vertex_triangles.contains(&[vertex(i.vertex), triangle(i.triangle)])),
            edge_edges: impacts.edge_edges.extract_if(|i| {
                let (a, b) = (edge(i.a), edge(i.b));
                self.edge_edges.contains(&[a.min(b), a.max(b)])
            }),
        });
        row.impacts.iter_mut().for_each(ImpactRows::find_first);
        row.known = Some(Known {
            triangle_pairs: row.triangle_pairs.extract_if(is_pair),
            vertex_tets: row.vertex_tets.extract_if(is_vertex),
            edge_tets: row.edge_tets.extract_if(is_edge),
            impacts,
        });
    }
}

/// Which body here each body of the document is: the one of its name, or else the one at its place if it has as many
/// elements.
fn places(theirs: &[Body], world: &World) -> Result<Vec<Option<u32>>> {
    let ours: Vec<Body> = (world.scene.bodies().meshes().iter())
        .map(|m| Body {
            name: m.name().to_owned(),
            vertices: m.vertex_count(),
            triangles: m.triangles().len(),
            tets: m.tets().len(),
        })
        .collect();
    let mut is_taken = vec![false; ours.len()];
    let mut places = vec![None; theirs.len()];
    for (place, body) in places.iter_mut().zip(theirs) {
        let same = (0..ours.len()).find(|&k| !is_taken[k] && ours[k].name == body.name);
        let Some(k) = same else { continue };
        if ours[k] != *body {
            bail!(
                "{} has {} vertices, {} triangles and {} tets here, but {}, {} and {} in the baseline; write it anew",
                body.name,
                ours[k].vertices,
                ours[k].triangles,
                ours[k].tets,
                body.vertices,
                body.triangles,
                body.tets
            );
        }
        is_taken[k] = true;
        *place = Some(k as u32);
    }
    for (k, body) in theirs.iter().enumerate().filter(|(k, _)| *k < ours.len()) {
        let counts = |b: &Body| (b.vertices, b.triangles, b.tets);
        if places[k].is_none() && !is_taken[k] && counts(&ours[k]) == counts(body) {
            is_taken[k] = true;
            places[k] = Some(k as u32);
        }
    }
    if !theirs.is_empty() && places.iter().all(Option::is_none) {
        bail!("none of its bodies is here; the first is {}", theirs[0].name);
    }
    Ok(places)
}
