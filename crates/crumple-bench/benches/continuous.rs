//! Exact continuous detection: nanoseconds a query on published queries and on the broad-phase candidates of a frame pair.
//!
//! `cargo bench -p crumple-bench --bench continuous -- DATA`, where DATA has `ccd-queries` and `frame-pairs/rod-twist`.
//! With `--hand-made` only the former. Candidates are pairs without a common vertex whose swept boxes overlap. Counts of contacts are printed with the times:
//! 127 and 177 on the hand-made sets, 4179 and 765 on all candidates of rod-twist.

use crumple::geometry::Point;
use crumple::narrow::continuous::{Batch, Kind, edge_edge, vertex_triangle};
use crumple_bench::{Entry, compare};
use crumple_io::{Query, ReadError, read, read_queries};
use std::path::{Path, PathBuf};

/// The hand-made sets, each with edge-edge and with vertex-triangle queries.
const SETS: [&str; 5] = [
    "erleben-cube-internal-edges",
    "erleben-sliding-spike",
    "erleben-spike-wedge",
    "erleben-wedges",
    "unit-tests",
];

fn main() -> Result<(), ReadError> {
    let Some(data) = std::env::args().skip(1).find(|a| !a.starts_with('-')).map(PathBuf::from) else {
        println!("skipped: no data directory given");
        return Ok(());
    };
    hand_made(&data.join("ccd-queries"))?;
    if std::env::args().any(|a| a == "--hand-made") {
        return Ok(());
    }
    rod_twist(&data.join("frame-pairs/rod-twist"))
}

/// Every set for itself, then all of a kind together.
fn hand_made(folder: &Path) -> Result<(), ReadError> {
    for (kind, name) in [(Kind::EdgeEdge, "edge-edge"), (Kind::VertexTriangle, "vertex-face")] {
        let mut all: Vec<Query> = Vec::new();
        for set in SETS {
            let mut queries = Vec::new();
            for file in ["data_0_0.csv", "data_0_1.csv"] {
                queries.extend(read_queries(&folder.join(set).join(name).join(file))?);
            }
            let at = |i: usize| (&queries[i].start, &queries[i].end);
            times(&format!("{set} {name}"), kind, queries.len(), 300, at);
            all.extend(queries);
        }
        let at = |i: usize| (&all[i].start, &all[i].end);
        times(&format!("hand-made {name}"), kind, all.len(), 100, at);
    }
    Ok(())
}

/// One by one and in batches.
fn times<'q>(
    title: &str,
    kind: Kind,
    items: usize,
    rounds: usize,
    at: impl Fn(usize) -> (&'q [Point; 4], &'q [Point; 4]),
) {
    compare(
        title,
        items,
        rounds,
        &[
            Entry {
                name: "one by one",
                run: &|range| match kind {
                    Kind::EdgeEdge => range.filter(|&i| edge_edge(at(i).0, at(i).1, 1.0).is_some()).count(),
                    _ => range.filter(|&i| vertex_triangle(at(i).0, at(i).1, 1.0).is_some()).count(),
                },
            },
            Entry {
                name: "in batches",
                run: &|range| {
                    let (mut batch, mut count) = (Batch::new(1.0), 0);
                    for i in range {
                        batch.push(kind, (), at(i).0, at(i).1, |(), _| count += 1);
                    }
                    batch.flush(|(), _| count += 1);
                    count
                },
            },
        ],
    );
}

fn rod_twist(folder: &Path) -> Result<(), ReadError> {
    let (start, end) = (read(&folder.join("3036.ply"))?, read(&folder.join("3037.ply"))?);
    let triangles: Vec<[u32; 3]> =
        start.polygons.iter().filter_map(|p| <[u32; 3]>::try_from(p).ok()).collect();
    let mut edges: Vec<[u32; 2]> = (triangles.iter())
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let vertices: Vec<[u32; 1]> = (0..start.positions.len() as u32).map(|v| [v]).collect();
    let positions = [&start.positions[..], &end.positions[..]];

    let pairs = overlaps(positions, &edges, &edges, |a, b| a < b);
    let found: Vec<[u32; 4]> = pairs.iter().map(|([a, b], [c, d])| [*a, *b, *c, *d]).collect();
    candidates("rod-twist edge-edge candidates", Kind::EdgeEdge, positions, &found);
    let pairs = overlaps(positions, &vertices, &triangles, |_, _| true);
    let found: Vec<[u32; 4]> = pairs.iter().map(|([v], [a, b, c])| [*v, *a, *b, *c]).collect();
    candidates("rod-twist vertex-triangle candidates", Kind::VertexTriangle, positions, &found);
    Ok(())
}

/// Pairs of elements without a common vertex whose swept boxes overlap: sorted along x, then tested.
fn overlaps<const A: usize, const B: usize>(
    positions: [&[Point]; 2],
    a: &[[u32; A]],
    b: &[[u32; B]],
    wanted: impl Fn(usize, usize) -> bool,
) -> Vec<([u32; A], [u32; B])> {
    let swept = |ids: &[u32]| {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in ids.iter().flat_map(|&v| positions.map(|p| p[v as usize])) {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        (low, high)
    };
    let mut right: Vec<_> = b.iter().enumerate().map(|(j, ids)| (swept(ids), j)).collect();
    right.sort_by(|p, q| p.0.0[0].total_cmp(&q.0.0[0]));
    let widest = right.iter().map(|((low, high), _)| high[0] - low[0]).fold(0.0, f64::max);
    let mut out = Vec::new();
    for (i, ids) in a.iter().enumerate() {
        let (low, high) = swept(ids);
        let from = right.partition_point(|(r, _)| r.0[0] < low[0] - widest);
        for ((l, h), j) in right[from..].iter().take_while(|(r, _)| r.0[0] <= high[0]) {
            let overlap = (0..3).all(|k| low[k] <= h[k] && l[k] <= high[k]);
            if overlap && wanted(i, *j) && !ids.iter().any(|v| b[*j].contains(v)) {
                out.push((*ids, b[*j]));
            }
        }
    }
    out
}

fn candidates(title: &str, kind: Kind, positions: [&[Point]; 2], ids: &[[u32; 4]]) {
    let gathered: Vec<[[Point; 4]; 2]> =
        ids.iter().map(|ids| positions.map(|p| ids.map(|v| p[v as usize]))).collect();
    times(title, kind, gathered.len(), 5, |i| (&gathered[i][0], &gathered[i][1]));
}
