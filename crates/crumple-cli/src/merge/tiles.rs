//! The tiles of one mesh: rows of all parts, sorted; every tile must be there once.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::args::Common;
use crate::output::{self, duration, real, thousands};
use crate::tile::{self, EdgeRow, InsideRow, NearRows, PartRows, Whole};

/// The document of `check` for the whole.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    bodies: [Body; 1],
    frames: [Frame; 1],
    seconds: Seconds,
    /// How many tiles it was put together from.
    tiles: usize,
}

#[derive(Serialize)]
struct Body {
    name: String,
    vertices: usize,
    triangles: usize,
    tets: usize,
}

#[derive(Serialize)]
struct Frame {
    frame: usize,
    method: String,
    guarantee: String,
    triangle_pairs: Vec<[u32; 4]>,
    places: Vec<Place>,
    tet_method: String,
    tet_guarantee: String,
    vertex_tets: Vec<InsideRow>,
    edge_tets: Vec<EdgeRow>,
    /// Tiles do not look for odd elements.
    diagnostics: [(); 0],
    seconds: FrameSeconds,
}

#[derive(Serialize)]
struct FrameSeconds {
    update: f64,
    query: f64,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    build: f64,
}

/// As the engine's places.
#[derive(Serialize, Debug, PartialEq)]
struct Place {
    bodies: [u32; 2],
    contacts: usize,
    length: f64,
    centre: [f64; 3],
    size: f64,
}

/// The document of `proximity` for the whole.
#[derive(Serialize)]
struct NearReport {
    schema: &'static str,
    vertex_triangles: Vec<(u32, u32, u32, u32, f64)>,
    edge_edges: Vec<(u32, u32, u32, u32, u32, u32, f64)>,
    guarantee: &'static str,
    seconds: FrameSeconds,
    tiles: usize,
}

pub fn merge(documents: &[(&PathBuf, String)], common: &Common) -> Result<u8> {
    let kind: serde_json::Value = parse(&documents[0])?;
    match kind["schema"].as_str() {
        Some(tile::SCHEMA) => checks(documents.iter().map(parse).collect::<Result<_>>()?, documents, common),
        Some(tile::NEAR_SCHEMA) => {
            near(documents.iter().map(parse).collect::<Result<_>>()?, documents, common)
        }
        _ => bail!(
            "{} is no part: merge takes the results of judge, or of check and proximity on tiles",
            documents[0].0.display()
        ),
    }
}

fn parse<T: serde::de::DeserializeOwned>((path, text): &(&PathBuf, String)) -> Result<T> {
    serde_json::from_str(text).with_context(|| format!("{} is no part of tiles", path.display()))
}

/// Every tile of one and the same mesh, each once.
fn check_complete<'a>(
    parts: impl Iterator<Item = (usize, &'a Whole)>,
    documents: &[(&PathBuf, String)],
) -> Result<()> {
    let mut seen: HashMap<usize, &PathBuf> = HashMap::new();
    let mut first: Option<&Whole> = None;
    for ((tile, whole), (path, _)) in parts.zip(documents) {
        let of = *first.get_or_insert(whole);
        if whole.key != of.key {
            bail!(
                "{} is of other tiles than {}: {} against {}",
                path.display(),
                documents[0].0.display(),
                whole.name,
                of.name
            );
        }
        if let Some(other) = seen.insert(tile, path) {
            bail!("tile {tile} is there twice: {} and {}", other.display(), path.display());
        }
    }
    let Some(whole) = first else { bail!("there is no part") };
    let missing: Vec<String> =
        (0..whole.tiles).filter(|t| !seen.contains_key(t)).map(|t| t.to_string()).collect();
    if !missing.is_empty() {
        bail!("of the {} tiles of {} these are missing: {}", whole.tiles, whole.name, missing.join(", "));
    }
    Ok(())
}

fn checks(parts: Vec<PartRows>, documents: &[(&PathBuf, String)], common: &Common) -> Result<u8> {
    check_complete(parts.iter().map(|p| (p.tile, &p.whole)), documents)?;
    let whole = parts[0].whole.clone();
    let tiles = parts.len();
    let joined = |name: fn(&PartRows) -> &str| {
        let mut names: Vec<&str> = parts.iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        names.join("+")
    };
    let (method, guarantee) = (joined(|p| &p.method), joined(|p| &p.guarantee));
    let (tet_method, tet_guarantee) = (joined(|p| &p.tet_method), joined(|p| &p.tet_guarantee));
    let mut seconds = [0.0; 3];
    let (mut pairs, mut inside, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        if part.crossings.len() != part.triangle_pairs.len() {
            bail!(
                "the part of tile {} has {} pairs but {} crossings",
                part.tile,
                part.triangle_pairs.len(),
                part.crossings.len()
            );
        }
        pairs.extend(part.triangle_pairs.into_iter().zip(part.crossings));
        inside.extend(part.vertex_tets);
        edges.extend(part.edge_tets);
        let own = [part.seconds.load, part.seconds.build, part.seconds.query];
        seconds = std::array::from_fn(|k| seconds[k] + own[k]);
    }
    pairs.sort_by_key(|(pair, _)| *pair);
    inside.sort_by_key(|row| (row.vertex, row.tet));
    edges.sort();
    let places = places(&pairs);
    let frame = Frame {
        frame: 0,
        method,
        guarantee,
        triangle_pairs: pairs.into_iter().map(|(pair, _)| pair).collect(),
        places,
        tet_method,
        tet_guarantee,
        vertex_tets: inside,
        edge_tets: edges,
        diagnostics: [],
        seconds: FrameSeconds { update: 0.0, query: seconds[2] },
    };
    let hits = frame.triangle_pairs.len() + frame.vertex_tets.len() + frame.edge_tets.len();
    let body =
        Body { name: whole.name, vertices: whole.vertices, triangles: whole.triangles, tets: whole.tets };
    let seconds = Seconds { load: seconds[0], build: seconds[1] };
    let report = Report { schema: "crumple.check/1", bodies: [body], frames: [frame], seconds, tiles };
    output::emit(common, &report, || report.text())?;
    Ok(u8::from(hits > 0))
}

impl Report {
    fn text(&self) -> String {
        let [frame] = &self.frames;
        let mut lines = vec![format!(
            "{}: {} triangles in {} tiles: {} intersecting triangle pairs, {} vertices inside tets, {} edges through tets ({})",
            self.bodies[0].name,
            thousands(self.bodies[0].triangles),
            self.tiles,
            thousands(frame.triangle_pairs.len()),
            thousands(frame.vertex_tets.len()),
            thousands(frame.edge_tets.len()),
            frame.guarantee,
        )];
        lines.extend(frame.places.iter().take(8).map(|p| {
            let [x, y, z] = p.centre;
            format!(
                "  {} pairs at ({x:.4}, {y:.4}, {z:.4}), crossing {:.4} long, {:.4} across",
                thousands(p.contacts),
                p.length,
                p.size
            )
        }));
        lines.push(times(self.seconds.load + self.seconds.build + frame.seconds.query));
        lines.join("\n")
    }
}

/// What the user waited for here, and what the tiles took wherever they were checked.
fn times(tiles: f64) -> String {
    format!("{}; the tiles took {} together", output::in_all(&[]), duration(tiles))
}

/// The lowest and the highest corner of a box.
type Bounds = [[f64; 3]; 2];

/// Contacts that hang together, as the engine groups them; lengths are added up in the order of pairs, as there.
fn places(pairs: &[([u32; 4], tile::Crossing)]) -> Vec<Place> {
    let mut number: HashMap<u32, usize> = HashMap::new();
    let mut parent: Vec<usize> = Vec::new();
    fn root(parent: &mut [usize], mut node: usize) -> usize {
        while parent[node] != node {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    }
    for (_, crossing) in pairs {
        let mut first = None;
        for v in crossing.vertices {
            let next = parent.len();
            let node = *number.entry(v).or_insert(next);
            if node == next {
                parent.push(next);
            }
            let own = root(&mut parent, node);
            match first {
                None => first = Some(own),
                Some(to) => parent[own] = to,
            }
        }
    }
    let mut found: HashMap<usize, (usize, f64, Option<Bounds>)> = HashMap::new();
    for (_, crossing) in pairs {
        let place = root(&mut parent, number[&crossing.vertices[0]]);
        let (count, length, bounds) = found.entry(place).or_insert((0, 0.0, None));
        *count += 1;
        *length += crossing.length;
        if let Some([low, high]) = crossing.bounds {
            let [old_low, old_high] = bounds.unwrap_or([low, high]);
            *bounds = Some([
                std::array::from_fn(|k| old_low[k].min(low[k])),
                std::array::from_fn(|k| old_high[k].max(high[k])),
            ]);
        }
    }
    let mut places: Vec<Place> = found
        .into_values()
        .map(|(contacts, length, bounds)| {
            let [low, high] = bounds.unwrap_or_default();
            let centre = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
            let size = (0..3).map(|k| (low[k] - high[k]).powi(2)).sum::<f64>().sqrt();
            Place { bodies: [0, 0], contacts, length, centre, size }
        })
        .collect();
    places.sort_by(|a, b| {
        let worst = b.length.total_cmp(&a.length).then(b.contacts.cmp(&a.contacts));
        (0..3).fold(worst, |order, k| order.then(a.centre[k].total_cmp(&b.centre[k])))
    });
    places
}

fn near(parts: Vec<NearRows>, documents: &[(&PathBuf, String)], common: &Common) -> Result<u8> {
    check_complete(parts.iter().map(|p| (p.tile, &p.whole)), documents)?;
    if let Some(other) = parts.iter().find(|p| p.within != parts[0].within) {
        bail!("the parts were asked for different distances: {} and {}", parts[0].within, other.within);
    }
    let (tiles, within) = (parts.len(), parts[0].within);
    let (mut vertices, mut edges, mut seconds) = (Vec::new(), Vec::new(), [0.0; 2]);
    for part in parts {
        vertices.extend(part.vertex_triangles);
        edges.extend(part.edge_edges);
        seconds = [seconds[0] + part.seconds.build, seconds[1] + part.seconds.query];
    }
    vertices.sort_by_key(|r| (r.1, r.3));
    edges.sort_by_key(|r| (r.1, r.2, r.4, r.5));
    let report = NearReport {
        schema: "crumple.proximity/1",
        vertex_triangles: vertices,
        edge_edges: edges,
        guarantee: "proved",
        seconds: FrameSeconds { update: seconds[0], query: seconds[1] },
        tiles,
    };
    output::emit(common, &report, || {
        format!(
            "{} vertex-triangle and {} edge-edge pairs closer than {}, from {tiles} tiles",
            thousands(report.vertex_triangles.len()),
            thousands(report.edge_edges.len()),
            real(within)
        )
    })?;
    Ok(0)
}
