//! `check` and `proximity` of a tile: the rows that it owns, under the numbers of the whole mesh.

use std::time::Instant;

use anyhow::{Result, bail};
use crumple::{Closeness, Contact, Mesh, Pairs, Scene, VertexId};
use serde::{Deserialize, Serialize};

use super::Whole;
use super::file::Tile;
use crate::output::{self, duration, thousands};

/// One row of the whole and what merging needs to know about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Length of the crossing, as places add it up.
    pub length: f64,
    /// The box that holds it; absent for none.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The vertices of the two triangles, in the mesh.
    pub vertices: [u32; 6],
}

/// A vertex inside a tet, without the depth that only the whole can tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InsideRow {
    pub vertex: [u32; 2],
    pub tet: [u32; 2],
    pub weights: [f64; 4],
    pub depth: Option<f64>,
    pub direction: Option<[f64; 3]>,
    /// All tets at a vertex of the tile are there, so that this is what the whole says.
    pub cause: String,
}

/// An edge that meets a tet.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeRow {
    pub edge: [u32; 3],
    pub tet: [u32; 2],
}

/// Seconds of a tile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartSeconds {
    pub load: f64,
    pub build: f64,
    pub query: f64,
}

/// What a tile found: the document of `check` for it. `merge` makes the document of the whole from all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartRows {
    pub schema: String,
    pub tile: usize,
    pub whole: Whole,
    pub method: String,
    pub guarantee: String,
    pub triangle_pairs: Vec<[u32; 4]>,
    /// One for each pair.
    pub crossings: Vec<Crossing>,
    pub tet_method: String,
    pub tet_guarantee: String,
    pub vertex_tets: Vec<InsideRow>,
    pub edge_tets: Vec<EdgeRow>,
    pub seconds: PartSeconds,
}

impl PartRows {
    /// Whether the tile has a row of its own in any list.
    pub fn collides(&self) -> bool {
        !(self.triangle_pairs.is_empty() && self.vertex_tets.is_empty() && self.edge_tets.is_empty())
    }

    /// What was found, in one line.
    pub fn text(&self) -> String {
        format!(
            "tile {} of {} of {}: {} triangle pairs, {} vertices inside tets, {} edges through tets ({}, {})",
            self.tile,
            self.whole.tiles,
            self.whole.name,
            thousands(self.triangle_pairs.len()),
            thousands(self.vertex_tets.len()),
            thousands(self.edge_tets.len()),
            self.method,
            duration(self.seconds.load + self.seconds.build + self.seconds.query),
        )
    }
}

/// The schema of a part.
pub const SCHEMA: &str = "crumple.part/1";

/// Checks a tile.
pub fn check(tile: &Tile, load: f64, method: Option<crumple::SurfaceMethod>) -> Result<PartRows> {
    let start = Instant::now();
    let count = tile.positions.len();
    let surface = Mesh::from_triangles("tile", count, &tile.triangles)?;
    let mut scene = Scene::new();
    scene.use_surface_method(method);
    scene.add(surface, &tile.positions)?;
    scene.prepare(crumple::Question::Contacts)?;
    let build = output::seconds(start);
    let start = Instant::now();
    let contacts = scene.contacts_of(Pairs::Within)?;
    let mut rows: Vec<([u32; 4], Crossing)> = Vec::new();
    for contact in &contacts {
        if let Some(row) = owned(tile, &scene, contact)? {
            rows.push(row);
        }
    }
    rows.sort_by_key(|(pair, _)| *pair);
    let (method, guarantee) = (contacts.method.to_owned(), contacts.guarantee.to_string());
    let (triangle_pairs, crossings) = rows.into_iter().unzip();
    let mut part = PartRows {
        schema: SCHEMA.to_owned(),
        tile: tile.head.tile,
        whole: tile.head.whole.clone(),
        method,
        guarantee,
        triangle_pairs,
        crossings,
        tet_method: "spatial-hash".to_owned(),
        tet_guarantee: "proved".to_owned(),
        vertex_tets: Vec::new(),
        edge_tets: Vec::new(),
        seconds: PartSeconds { load, build, query: 0.0 },
    };
    drop(scene);
    if !tile.tets.is_empty() {
        solids(tile, &mut part)?;
    }
    part.seconds.query = output::seconds(start);
    Ok(part)
}

/// A pair under its numbers in the mesh, if it is the tile's.
fn owned(tile: &Tile, scene: &Scene, contact: &Contact) -> Result<Option<([u32; 4], Crossing)>> {
    let mut sides = [contact.a, contact.b].map(|t| t.id.index());
    // By numbers of the mesh, so that every tile takes the same one first.
    sides.sort_by_key(|&t| tile.triangle_ids[t]);
    let corners = sides.map(|t| tile.triangles[t]);
    let [a, b] = corners.map(|c| low(c.map(|v| tile.positions[v as usize])));
    if !tile.head.owns(pair_point(a, b, 0.0)) {
        return Ok(None);
    }
    let crossing = scene.intersection(contact)?;
    let points = crossing.as_ref().map_or(&[][..], |c| c.points());
    let bounds = points.first().map(|first| {
        points.iter().fold([*first; 2], |[low, high], p| {
            [std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k]))]
        })
    });
    let ids = sides.map(|t| tile.triangle_ids[t]);
    let mut vertices = [0; 6];
    vertices.iter_mut().zip(corners.as_flattened()).for_each(|(slot, v)| *slot = tile.vertices[*v as usize]);
    Ok(Some(([0, ids[0], 0, ids[1]], Crossing { length: half_outline(points), bounds, vertices })))
}

/// Length of a segment, half the outline of a polygon, 0 for a point: as places measure a crossing.
fn half_outline(points: &[[f64; 3]]) -> f64 {
    let sides = (0..points.len()).map(|i| {
        let (p, q) = (points[i], points[(i + 1) % points.len()]);
        (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
    });
    0.5 * sides.sum::<f64>()
}

/// The point that decides who owns a pair: see the page of this module.
pub fn pair_point(a: [f64; 3], b: [f64; 3], margin: f64) -> [f64; 3] {
    std::array::from_fn(|k| (a[k] - margin).max(b[k]))
}

/// The lower end of the box of some points.
fn low<const N: usize>(points: [[f64; 3]; N]) -> [f64; 3] {
    points.iter().fold([f64::INFINITY; 3], |low, p| std::array::from_fn(|k| low[k].min(p[k])))
}

/// Vertices and edges in tets.
fn solids(tile: &Tile, part: &mut PartRows) -> Result<()> {
    let mut scene = Scene::new();
    let mesh = Mesh::from_tets("tile", tile.positions.len(), &tile.tets)?;
    scene.add(mesh, &tile.positions)?;
    let at = |v: VertexId| tile.positions[v.index()];
    let tet_low = |t: crumple::TetId| low(tile.tets[t.index()].map(|v| tile.positions[v as usize]));
    let edges = scene.edge_penetrations()?;
    for hit in &edges {
        let p = pair_point(low(hit.edge.id.map(at)), tet_low(hit.tet.id), 0.0);
        if tile.head.owns(p) {
            let mut ends = hit.edge.id.map(|v| tile.vertices[v.index()]);
            ends.sort_unstable();
            let tet = [0, tile.tet_ids[hit.tet.id.index()]];
            part.edge_tets.push(EdgeRow { edge: [0, ends[0], ends[1]], tet });
        }
    }
    let inside = scene.penetrations()?;
    for hit in &inside {
        if tile.head.owns(at(hit.vertex.id)) {
            part.vertex_tets.push(InsideRow {
                vertex: [0, tile.vertices[hit.vertex.id.index()]],
                tet: [0, tile.tet_ids[hit.tet.id.index()]],
                weights: hit.weights,
                depth: None,
                direction: None,
                cause: hit.cause.to_string(),
            });
        }
    }
    (part.tet_method, part.tet_guarantee) = (inside.method.to_owned(), inside.guarantee.to_string());
    part.edge_tets.sort();
    part.vertex_tets.sort_by_key(|row| (row.vertex, row.tet));
    Ok(())
}

/// What a tile found to be close: the document of `proximity` for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearRows {
    pub schema: String,
    pub tile: usize,
    pub whole: Whole,
    pub within: f64,
    pub vertex_triangles: Vec<(u32, u32, u32, u32, f64)>,
    pub edge_edges: Vec<(u32, u32, u32, u32, u32, u32, f64)>,
    pub seconds: PartSeconds,
}

impl NearRows {
    /// What was found, in one line.
    pub fn text(&self) -> String {
        format!(
            "tile {} of {} of {}: {} vertex-triangle and {} edge-edge pairs closer than {}",
            self.tile,
            self.whole.tiles,
            self.whole.name,
            thousands(self.vertex_triangles.len()),
            thousands(self.edge_edges.len()),
            self.within,
        )
    }
}

/// The schema of a part of proximities.
pub const NEAR_SCHEMA: &str = "crumple.near-part/1";

/// Lists what is closer than `within`, which the tile's margin must allow.
pub fn proximity(tile: &Tile, load: f64, within: f64) -> Result<NearRows> {
    let margin = tile.head.whole.margin;
    if within > margin {
        bail!(
            "--within {within}: the tiles were made for a margin of {margin}; tile again with --margin {within}"
        );
    }
    let start = Instant::now();
    let mesh = Mesh::from_triangles("tile", tile.positions.len(), &tile.triangles)?;
    let mut scene = Scene::new();
    scene.add(mesh, &tile.positions)?;
    let build = output::seconds(start);
    let start = Instant::now();
    let found = scene.proximity(&Closeness::below(within))?;
    let at = |v: VertexId| tile.positions[v.index()];
    let number = |v: VertexId| tile.vertices[v.index()];
    let mut vertex_triangles = Vec::new();
    for pair in &found.vertex_triangles {
        let triangle = tile.triangles[pair.triangle.id.index()].map(|v| tile.positions[v as usize]);
        // Grown by the margin that the tile was made with, whatever is asked: see the page of this module.
        if tile.head.owns(pair_point(at(pair.vertex.id), low(triangle), margin)) {
            let triangle = tile.triangle_ids[pair.triangle.id.index()];
            vertex_triangles.push((0, number(pair.vertex.id), 0, triangle, pair.distance));
        }
    }
    let mut edge_edges = Vec::new();
    for pair in &found.edge_edges {
        let mut sides = [pair.a.id, pair.b.id].map(|ends| {
            let mut ends = ends.map(|v| (number(v), at(v)));
            ends.sort_by_key(|e| e.0);
            (ends.map(|e| e.0), low(ends.map(|e| e.1)))
        });
        sides.sort_by_key(|s| s.0);
        let [(a, low_a), (b, low_b)] = sides;
        if tile.head.owns(pair_point(low_a, low_b, margin)) {
            edge_edges.push((0, a[0], a[1], 0, b[0], b[1], pair.distance));
        }
    }
    vertex_triangles.sort_by_key(|r| (r.1, r.3));
    edge_edges.sort_by_key(|r| (r.1, r.2, r.4, r.5));
    Ok(NearRows {
        schema: NEAR_SCHEMA.to_owned(),
        tile: tile.head.tile,
        whole: tile.head.whole.clone(),
        within,
        vertex_triangles,
        edge_edges,
        seconds: PartSeconds { load, build, query: output::seconds(start) },
    })
}
