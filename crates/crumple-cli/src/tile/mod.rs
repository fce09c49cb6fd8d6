//! `crumple tile`: one mesh as spatial tiles, each small enough for one machine.
//!
//! Space is cut by planes into N boxes, half-open and without gaps, so that every point is in exactly one of them; the
//! outer ones have no end. A tile has every element (triangle or tet) whose box, grown by the margin, meets its box. What is
//! at the border of several tiles is in all of them; who of them reports a pair is decided by a rule that each can apply on
//! its own.
//!
//! # The rule of ownership
//! Let A and B be the boxes of the two things of a pair (a triangle, a tet, an edge or a vertex each), taken from the
//! positions as they are, and d the margin (0 for intersections). The pair's point is p = max(A.min − d, B.min), axis by
//! axis, with A the smaller id. The pair belongs to the tile whose box holds p.
//!
//! *Each pair is reported at most once*: p depends on the pair alone, and exactly one box holds it. Comparisons of
//! floating-point numbers with the cutting planes are exact, and A.min − d is the same rounded number in every tile.
//!
//! *Each pair is found*: let the two be at most d apart (d = 0: let them have a common point). Then their boxes are at
//! most d apart on each axis, that is A.min − d <= B.max and B.min − d <= A.max. So B.min <= p <= B.max on each axis,
//! p is in B, and B's element is in the tile of p. On each axis A.min − d <= p, and p <= A.max + d: where p is A.min − d,
//! because A.min <= A.max; where p is B.min, because B.min − d <= A.max. So p is in A grown by d, and A's element is in the
//! tile too. (Growing rounds outward by one unit in the last place, so that rounding loses nothing.) A vertex or an edge is in
//! the box of an element that has it, which is therefore in the tile. Both elements are in the tile with their own corners
//! and with the numbers of their vertices, so that whether they share vertices, and therefore whether they intersect, is the same
//! there as in the whole. ∎
//!
//! A vertex that no element has may be close to a triangle too: with a margin such vertices are in the tiles that they, grown by it,
//! meet, and the argument is the same. They never intersect anything.
//!
//! Vertices inside tets: A is the vertex, and p its position (d = 0: the vertex is in the tet, so max(v, B.min) = v). What
//! a tile cannot tell is how deep a vertex is in the *whole* body: depth and direction are left out.
//!
//! # Memory
//! Vertices go to a file and come back in blocks through a cache of fixed size; elements go to one file a tile as they are
//! read; then each tile is put together alone. So memory follows the largest tile, and not the mesh, but for one bit a vertex. OBJ,
//! binary PLY, Medit and TetGen are read as a stream, and the boundary of tets is found in files; other formats are read whole first.

mod boundary;
mod check;
mod cut;
mod file;
mod input;
mod spill;

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

pub use self::check::{
    Crossing, EdgeRow, InsideRow, NEAR_SCHEMA, NearRows, PartRows, SCHEMA, check, proximity,
};
use self::cut::Cut;
use self::file::TileHead;
pub use self::file::{Tile, read};
use self::input::Input;
use self::spill::{Elements, Vertices};
use crate::args::{Common, TileArgs};
use crate::output::{self, thousands};

/// Which tile of which mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    /// Tells the parts of one mesh from those of another: a hash of its elements, its positions and the cuts.
    pub key: String,
    /// The file.
    pub name: String,
    pub vertices: usize,
    pub triangles: usize,
    pub tets: usize,
    pub tiles: usize,
    pub margin: f64,
}

/// `manifest.json`.
#[derive(Serialize)]
struct Manifest<'a> {
    schema: &'static str,
    whole: &'a Whole,
    tiles: Vec<TileRow>,
    /// Elements of all tiles per element of the mesh.
    overlap: f64,
}

#[derive(Serialize)]
struct TileRow {
    file: String,
    vertices: usize,
    triangles: usize,
    tets: usize,
    /// The box, null where it has no end.
    low: [Option<f64>; 3],
    high: [Option<f64>; 3],
}

/// Most tiles: each needs an open file while the mesh is read.
const MOST_TILES: usize = 512;

/// Cuts a mesh into tiles.
pub fn run(args: &TileArgs, common: &Common) -> Result<()> {
    let Some(folder) = common.out.as_deref() else { bail!("tile writes a folder: name it with --out DIR") };
    if !(1..=MOST_TILES).contains(&args.tiles) {
        bail!("--tiles {}: from 1 to {MOST_TILES}", args.tiles);
    }
    if !(args.margin >= 0.0 && args.margin.is_finite()) {
        bail!("--margin {}: a distance of at least 0", args.margin);
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let manifest_file = folder.join("manifest.json");
    if manifest_file.exists() {
        bail!("{}: there are tiles already; take an empty folder", folder.display());
    }
    let input = Input::open(&args.file)?;
    output::remark(common, || input.how());
    let mut vertices = Vertices::create(folder)?;
    input.vertices(|p| vertices.push(p))?;
    if vertices.len() == 0 {
        bail!("{}: it has no vertex", args.file.display());
    }
    vertices.finish()?;
    let cut = Cut::new(vertices.sample(), args.tiles);
    let mut elements = Elements::create(folder, &cut, args.margin, vertices.len())?;
    input.elements(folder, |element| elements.push(element, &mut vertices))?;
    elements.push_loose(&mut vertices)?;
    let whole = Whole {
        key: elements.key(&vertices, &cut),
        name: output::file_name(&args.file),
        vertices: vertices.len(),
        triangles: elements.triangles(),
        tets: elements.tets(),
        tiles: args.tiles,
        margin: args.margin,
    };
    if whole.triangles + whole.tets == 0 {
        bail!("{}: it has no triangle or tet to be tiled", args.file.display());
    }
    let bar = output::progress(common, args.tiles, "tile");
    let mut rows = Vec::new();
    for (k, records) in elements.finish()?.into_iter().enumerate() {
        let name = format!("tile_{k:03}.ply");
        let head = TileHead { whole: whole.clone(), tile: k, low: cut.low(k), high: cut.high(k) };
        let [v, t, s] = file::write(&folder.join(&name), &head, records, &mut vertices)?;
        let [low, high] = [cut.low(k), cut.high(k)].map(|p| p.map(|x| x.is_finite().then_some(x)));
        rows.push(TileRow { file: name, vertices: v, triangles: t, tets: s, low, high });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let all: usize = rows.iter().map(|r| r.triangles + r.tets).sum();
    let overlap = all as f64 / (whole.triangles + whole.tets) as f64;
    let manifest = Manifest { schema: "crumple.tile/1", whole: &whole, tiles: rows, overlap };
    write_json(&manifest_file, &manifest)?;
    let text = || {
        let rows = manifest.tiles.iter().map(|t| {
            format!("  {}: {} triangles, {} tets", t.file, thousands(t.triangles), thousands(t.tets))
        });
        let head = format!(
            "{} triangles and {} tets in {} tiles, {overlap:.3} times as many with what is at borders",
            thousands(whole.triangles),
            thousands(whole.tets),
            whole.tiles
        );
        [head].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    };
    output::print(&if common.json { serde_json::to_string(&manifest)? } else { text() })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    Ok(crumple_io::write_file(path, |out| out.write_all(text.as_bytes()))?)
}
