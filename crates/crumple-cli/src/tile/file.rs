//! A tile as a PLY file that any viewer opens: vertices and faces with their numbers in the mesh.
//!
//! A comment line of the header says which tile of which mesh it is. Rows have a fixed layout, which is read back without
//! the general reader.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::Whole;
use super::cut::holds;
use super::spill::{NO_CORNER, TileRecords, Vertices};

/// What the header says.
#[derive(Debug, Clone, PartialEq)]
pub struct TileHead {
    pub whole: Whole,
    /// Which tile, from 0.
    pub tile: usize,
    /// The box, half-open.
    pub low: [f64; 3],
    pub high: [f64; 3],
}

/// As it is written: ends that are infinite are null.
#[derive(Serialize, Deserialize)]
struct HeadLine {
    schema: String,
    #[serde(flatten)]
    whole: Whole,
    tile: usize,
    low: [Option<f64>; 3],
    high: [Option<f64>; 3],
}

const MARK: &str = "comment crumple-tile ";
const SCHEMA: &str = "crumple.tile/1";

/// A tile in memory.
#[derive(Debug)]
pub struct Tile {
    pub head: TileHead,
    pub positions: Vec<[f64; 3]>,
    /// Numbers of the vertices in the mesh, ascending.
    pub vertices: Vec<u32>,
    /// Corners, counted in the tile.
    pub triangles: Vec<[u32; 3]>,
    pub triangle_ids: Vec<u32>,
    pub tets: Vec<[u32; 4]>,
    pub tet_ids: Vec<u32>,
}

impl TileHead {
    /// Whether a pair with this point is the tile's.
    pub fn owns(&self, p: [f64; 3]) -> bool {
        holds(self.low, self.high, p)
    }
}

/// Writes a tile; how many vertices, triangles and tets it has.
pub fn write(
    path: &Path,
    head: &TileHead,
    records: TileRecords,
    vertices: &mut Vertices,
) -> Result<[usize; 3]> {
    let mut records = records.read()?;
    let mut used: Vec<u32> = records.iter().flat_map(|r| r.corners).filter(|&v| v != NO_CORNER).collect();
    used.sort_unstable();
    used.dedup();
    let local = |v: u32| used.binary_search(&v).unwrap_or(0) as u32;
    for record in &mut records {
        record.corners = record.corners.map(|v| if v == NO_CORNER { v } else { local(v) });
    }
    let tets = records.iter().filter(|r| r.is_tet()).count();
    let counts = [used.len(), records.iter().filter(|r| r.is_triangle()).count(), tets];
    let end = |p: [f64; 3]| p.map(|x| x.is_finite().then_some(x));
    let line = HeadLine {
        schema: SCHEMA.to_owned(),
        whole: head.whole.clone(),
        tile: head.tile,
        low: end(head.low),
        high: end(head.high),
    };
    let line = serde_json::to_string(&line)?;
    let mut failed = None;
    crumple_io::write_file(path, |out| {
        write!(out, "ply\nformat binary_little_endian 1.0\n{MARK}{line}\nelement vertex {}\n", counts[0])?;
        out.write_all(b"property double x\nproperty double y\nproperty double z\nproperty uint vertex\n")?;
        writeln!(out, "element face {}", counts[1])?;
        out.write_all(b"property list uchar uint vertex_indices\nproperty uint triangle\n")?;
        if tets > 0 {
            write!(out, "element tet {tets}\nproperty list uchar uint vertex_indices\nproperty uint tet\n")?;
        }
        out.write_all(b"end_header\n")?;
        for &v in &used {
            match vertices.get(v) {
                Ok(p) => out.write_all(bytemuck::bytes_of(&p))?,
                Err(error) => {
                    failed = Some(error);
                    return Err(std::io::Error::other("vertices are missing"));
                }
            }
            out.write_all(&v.to_le_bytes())?;
        }
        for count in [3, 4] {
            for record in records.iter().filter(|r| if count == 4 { r.is_tet() } else { r.is_triangle() }) {
                let corners = &record.corners[..count];
                out.write_all(&[corners.len() as u8])?;
                out.write_all(bytemuck::cast_slice(corners))?;
                out.write_all(&record.id.to_le_bytes())?;
            }
        }
        Ok(())
    })
    .map_err(|error| failed.take().unwrap_or_else(|| error.into()))?;
    Ok(counts)
}

/// The header of a tile; `None` when the file is something else.
fn read_head(file: &mut impl BufRead) -> Result<Option<(TileHead, [usize; 3])>> {
    let mut head = None;
    let mut counts = [0; 3];
    for number in 0..32 {
        let mut line = Vec::new();
        // No line of ours is longer, and a file of another kind may be one line.
        file.by_ref().take(1 << 16).read_until(b'\n', &mut line)?;
        let Ok(line) = std::str::from_utf8(&line) else { return Ok(None) };
        let line = line.trim_end();
        if number == 0 && line != "ply" {
            return Ok(None);
        }
        if let Some(json) = line.strip_prefix(MARK) {
            let line: HeadLine =
                serde_json::from_str(json).context("the line that tells which tile it is")?;
            if line.schema != SCHEMA {
                bail!("a tile of the kind {:?}, which this version does not know", line.schema);
            }
            let low = line.low.map(|x| x.unwrap_or(f64::NEG_INFINITY));
            let high = line.high.map(|x| x.unwrap_or(f64::INFINITY));
            head = Some(TileHead { whole: line.whole, tile: line.tile, low, high });
        }
        for (count, name) in counts.iter_mut().zip(["vertex", "face", "tet"]) {
            if let Some(text) = line.strip_prefix("element ").and_then(|rest| rest.strip_prefix(name)) {
                *count =
                    text.trim().parse().with_context(|| format!("the number of elements in {line:?}"))?;
            }
        }
        if line == "end_header" {
            return Ok(head.map(|head| (head, counts)));
        }
    }
    Ok(None)
}

/// Reads a tile; `None` when the file is something else.
pub fn read(path: &Path) -> Result<Option<Tile>> {
    // What is no plain file is left to the readers, untouched; they have words for it.
    if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return Ok(None);
    }
    let Ok(file) = File::open(path) else { return Ok(None) };
    let size = file.metadata()?.len();
    let mut file = BufReader::with_capacity(1 << 20, file);
    let name = || path.display().to_string();
    let Some((head, [vertices, triangles, tets])) = read_head(&mut file).with_context(name)? else {
        return Ok(None);
    };
    let rows = 28 * vertices as u128 + 17 * triangles as u128 + 21 * tets as u128;
    if rows > u128::from(size) {
        bail!("{}: it ends early: {size} bytes for {vertices} vertices and {triangles} triangles", name());
    }
    let mut tile = Tile {
        head,
        positions: Vec::with_capacity(vertices),
        vertices: Vec::with_capacity(vertices),
        triangles: Vec::with_capacity(triangles),
        triangle_ids: Vec::with_capacity(triangles),
        tets: Vec::with_capacity(tets),
        tet_ids: Vec::with_capacity(tets),
    };
    for _ in 0..vertices {
        let mut row = [0; 28];
        file.read_exact(&mut row).with_context(name)?;
        let c = |k: usize| f64::from_le_bytes(std::array::from_fn(|b| row[8 * k + b]));
        tile.positions.push([c(0), c(1), c(2)]);
        tile.vertices.push(u32::from_le_bytes(std::array::from_fn(|b| row[24 + b])));
    }
    for _ in 0..triangles {
        let (corners, id) = element::<3>(&mut file, vertices).with_context(name)?;
        tile.triangles.push(corners);
        tile.triangle_ids.push(id);
    }
    for _ in 0..tets {
        let (corners, id) = element::<4>(&mut file, vertices).with_context(name)?;
        tile.tets.push(corners);
        tile.tet_ids.push(id);
    }
    Ok(Some(tile))
}

/// One row: its corners and its number in the mesh.
fn element<const N: usize>(file: &mut impl Read, vertices: usize) -> Result<([u32; N], u32)> {
    let mut count = [0];
    file.read_exact(&mut count)?;
    if usize::from(count[0]) != N {
        bail!("a row of {} corners where one of {N} should be", count[0]);
    }
    let mut numbers = [[0; 4]; 5];
    file.read_exact(numbers[..=N].as_flattened_mut())?;
    let numbers = numbers.map(u32::from_le_bytes);
    let corners = std::array::from_fn(|k| numbers[k]);
    if corners.iter().any(|&v| v as usize >= vertices) {
        bail!("a corner that is not among the {vertices} vertices");
    }
    Ok((corners, numbers[N]))
}
