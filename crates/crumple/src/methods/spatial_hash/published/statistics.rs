//! What the paper measures: cells per tet, vertices per cell, load, longest entry, candidates, hits (T19, T-A15).

use std::collections::BTreeMap;

use super::PublishedSpatialHash;
use super::cell::Cell;
use super::cells::{CellQuery, CellTables, Met};
use super::params::{Passes, PublishedParams, Strangers, TableKind};
use crate::methods::spatial_hash::Snapshot;
use crate::{Bodies, Frame, Pairs};

/// How the table of one frame is filled, and what a search in it meets.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HashStatistics {
    /// Edge length of a cell (l).
    pub cell_size: f64,
    /// Entries of the table (n).
    pub entries: u32,
    /// Vertices in the table.
    pub vertices: usize,
    /// Mean number of cells that the box of a tet covers (p).
    pub cells_per_tet: f64,
    /// Mean number of vertices in a cell that has any (q).
    pub vertices_per_cell: f64,
    /// Vertices per entry of the table.
    pub load: f64,
    /// Vertices in the fullest entry.
    pub longest_entry: usize,
    /// Vertices met at visited entries: own corners, strangers of other cells and repetitions included.
    pub met: u64,
    /// Of these, vertices of the visited cell that the tet does not own.
    pub in_cell: u64,
    /// Of these, vertices in the box of the tet.
    pub candidates: u64,
    /// Of these, vertices in the tet.
    pub hits: u64,
}

impl PublishedSpatialHash {
    /// Counts for a frame, in two passes through a sorted table. Takes much longer than a search.
    pub fn statistics(&self, bodies: &Bodies, frame: Frame<'_>) -> HashStatistics {
        let view = Snapshot { bodies, frame };
        let params = PublishedParams {
            passes: Passes::Two,
            table: TableKind::Sorted,
            strangers: Strangers::Skip,
            ..self.params
        };
        let mut tables = CellTables::default();
        let used = self.used.as_deref();
        tables.fill(&view, &params, used);
        let query = CellQuery { view, params: &params, used, pairs: Pairs::All, exact: true };
        let mut found = Met::default();
        tables.search(&query, 0..tables.shares(&query), &mut found);

        let (cell_size, entries) = tables.sizes();
        let (mut cells, mut lengths) = (BTreeMap::<Cell, usize>::new(), BTreeMap::<u32, usize>::new());
        for &(cell, _) in tables.items() {
            *cells.entry(cell).or_default() += 1;
            *lengths.entry(params.hash.entry(cell, entries)).or_default() += 1;
        }
        let vertices = tables.items().len();
        let mean = |sum: f64, of: usize| if of == 0 { 0.0 } else { sum / of as f64 };
        HashStatistics {
            cell_size,
            entries,
            vertices,
            cells_per_tet: mean(found.stats.visits as f64, bodies.tets().len()),
            vertices_per_cell: mean(vertices as f64, cells.len()),
            load: mean(vertices as f64, entries as usize),
            longest_entry: lengths.values().copied().max().unwrap_or(0),
            met: found.met,
            in_cell: found.stats.tests,
            candidates: found.stats.candidates,
            hits: found.keys.len() as u64,
        }
    }
}
