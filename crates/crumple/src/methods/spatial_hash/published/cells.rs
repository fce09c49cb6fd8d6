//! The paper's ways, cell by cell: two passes or one, any hash, either table, any test.

use std::ops::Range;

use super::cell::{Cell, CellBox, Grid, next_prime};
use super::params::{Passes, PublishedParams, Strangers, TableKind};
use super::table::{SortedTable, StampedTable, Table};
use crate::geometry::{Aabb, Point};
use crate::methods::spatial_hash::Snapshot;
use crate::methods::spatial_hash::workers::pack;
use crate::{Pairs, Stats, VertexId};

/// An element that covers more cells than this is not put into them (T-A5).
const MANY_CELLS: u64 = 4096;

/// The hash table of one frame, and what is in it.
#[derive(Debug, Clone, Default)]
pub(super) struct CellTables {
    grid: Option<Grid>,
    /// Size of the table (n).
    entries: u32,
    stamped: StampedTable,
    sorted: SortedTable,
    /// Two passes: vertices in their cells. One pass: elements in all cells of their boxes.
    items: Vec<(Cell, u32)>,
    positions: Vec<Point>,
    /// One pass: corners of every tet, then of every triangle on bodies without tets.
    elements: Vec<Element>,
    /// One pass: tets that cover too many cells, to be tested against everything.
    oversized: Vec<u32>,
}

/// Up to four corners; a triangle repeats its last.
type Element = [u32; 4];

/// What one thread finds.
#[derive(Debug, Clone, Default)]
pub(super) struct Met {
    /// Vertex and tet, packed so that they sort.
    pub keys: Vec<u64>,
    pub stats: Stats,
    /// Items met at visited entries, strangers and repetitions included.
    pub met: u64,
}

/// One search: what may be asked, and by which rules.
#[derive(Clone, Copy)]
pub(super) struct CellQuery<'a> {
    pub view: Snapshot<'a>,
    pub params: &'a PublishedParams,
    pub used: Option<&'a [bool]>,
    pub pairs: Pairs,
    /// Whether candidates are tested.
    pub exact: bool,
}

impl CellTables {
    /// Pass 1: every vertex into its cell (T3, T4), or every element into the cells of its box (T18).
    pub fn fill(&mut self, view: &Snapshot<'_>, params: &PublishedParams, used: Option<&[bool]>) {
        self.positions.clear();
        for body in view.frame.iter() {
            self.positions.extend((0..body.len()).map(|v| body.get(v)));
        }
        let grid = Grid { size: params.cell_size.unwrap_or_else(|| mean_edge(view)) };
        self.grid = Some(grid);
        self.items.clear();
        match params.passes {
            Passes::Two => {
                let used = |v: usize| used.is_none_or(|u| u[v]);
                let vertices = (0..self.positions.len()).filter(|&v| used(v));
                self.items.extend(vertices.map(|v| (grid.cell(self.positions[v]), v as u32)));
            }
            Passes::One => self.fill_elements(view, grid),
        }
        self.entries = params.table_size.unwrap_or_else(|| next_prime(self.items.len() as u32));
        match params.table {
            TableKind::Sorted => self.sorted.fill(&self.items, params.hash, self.entries),
            TableKind::Stamped => self.stamped.fill(&self.items, params.hash, self.entries),
        }
    }

    fn fill_elements(&mut self, view: &Snapshot<'_>, grid: Grid) {
        let bodies = view.bodies;
        self.elements.clear();
        self.elements.extend(bodies.tets().iter().map(|t| t.map(|v| v.0)));
        for body in bodies.body_ids().filter(|&b| !bodies.mesh(b).is_solid()) {
            let triangles = &bodies.triangles()[bodies.triangle_range(body)];
            self.elements.extend(triangles.iter().map(|t| [t[0].0, t[1].0, t[2].0, t[2].0]));
        }
        self.oversized.clear();
        for (n, element) in self.elements.iter().enumerate() {
            let corners = element.map(|v| self.positions[v as usize]);
            let bounds = Aabb::of(&corners);
            let cells = CellBox::new(grid, bounds.min, bounds.max);
            if cells.count() <= MANY_CELLS {
                cells.for_each(|cell| self.items.push((cell, n as u32)));
            } else {
                // Its corners are found in their cells; as a tet it is tested against everything.
                self.items.extend(corners.iter().map(|&p| (grid.cell(p), n as u32)));
                if n < bodies.tets().len() {
                    self.oversized.push(n as u32);
                }
            }
        }
    }

    /// Number of shares that the search can be cut into.
    pub fn shares(&self, query: &CellQuery<'_>) -> usize {
        match query.params.passes {
            Passes::Two => query.view.bodies.tets().len(),
            Passes::One => self.entries as usize,
        }
    }

    /// Pass 2 for some tets, or for some entries of the table.
    pub fn search(&self, query: &CellQuery<'_>, shares: Range<usize>, found: &mut Met) {
        match (query.params.passes, query.params.table) {
            (Passes::Two, TableKind::Sorted) => self.walk_tets(&self.sorted, query, shares, found),
            (Passes::Two, TableKind::Stamped) => self.walk_tets(&self.stamped, query, shares, found),
            (Passes::One, TableKind::Sorted) => self.walk_entries(&self.sorted, query, shares, found),
            (Passes::One, TableKind::Stamped) => self.walk_entries(&self.stamped, query, shares, found),
        }
    }

    /// Every tet visits the cells of its box (T6) and tests what it finds there (T7–T12).
    fn walk_tets(&self, table: &impl Table, query: &CellQuery<'_>, tets: Range<usize>, found: &mut Met) {
        let Some(grid) = self.grid else { return };
        let alone = query.params.strangers == Strangers::Skip;
        for tet in tets {
            let target = Target::new(self, query, tet as u32);
            let cells = CellBox::new(grid, target.bounds.min, target.bounds.max);
            if cells.count() > MANY_CELLS.max(self.items.len() as u64) {
                self.in_full(query, &target, found);
                continue;
            }
            found.stats.visits += cells.count();
            cells.for_each(|cell| {
                table.visit(query.params.hash.entry(cell, self.entries), |its, vertex| {
                    found.met += 1;
                    if its == cell || !alone {
                        target.test(self, query, vertex, found);
                    }
                });
            });
        }
    }

    /// Elements that share a cell are tested, corner by corner.
    fn walk_entries(
        &self,
        table: &impl Table,
        query: &CellQuery<'_>,
        entries: Range<usize>,
        found: &mut Met,
    ) {
        let Some(grid) = self.grid else { return };
        let tets = query.view.bodies.tets().len() as u32;
        let mut here: Vec<(Cell, u32)> = Vec::new();
        for entry in entries.clone() {
            here.clear();
            table.visit(entry as u32, |cell, element| here.push((cell, element)));
            found.stats.visits += 1;
            for &(cell, b) in here.iter().filter(|e| e.1 < tets) {
                let target = Target::new(self, query, b);
                for &(_, a) in here.iter().filter(|e| e.0 == cell && e.1 != b) {
                    found.met += 1;
                    for &v in &self.elements[a as usize] {
                        // A corner is in one cell only, so the pair is not tested again in the others.
                        if grid.cell(self.positions[v as usize]) == cell
                            && query.used.is_none_or(|u| u[v as usize])
                        {
                            target.test(self, query, v, found);
                        }
                    }
                }
            }
        }
        if entries.start == 0 {
            for &tet in &self.oversized {
                self.in_full(query, &Target::new(self, query, tet), found);
            }
        }
    }

    /// A tet that covers too many cells, against every vertex.
    fn in_full(&self, query: &CellQuery<'_>, target: &Target, found: &mut Met) {
        for v in 0..self.positions.len() {
            if query.used.is_none_or(|u| u[v]) {
                target.test(self, query, v as u32, found);
            }
        }
    }

    /// The cell size and the size of the table.
    pub fn sizes(&self) -> (f64, u32) {
        (self.grid.map_or(0.0, |g| g.size), self.entries)
    }

    /// What is in the table.
    pub fn items(&self) -> &[(Cell, u32)] {
        &self.items
    }

    /// The sorted table.
    pub fn sorted(&self) -> &SortedTable {
        &self.sorted
    }

    /// The table with time stamps.
    pub fn stamped(&self) -> &StampedTable {
        &self.stamped
    }
}

/// A tet that vertices are tested against.
struct Target {
    tet: u32,
    ids: [u32; 4],
    corners: [Point; 4],
    bounds: Aabb,
}

impl Target {
    fn new(tables: &CellTables, query: &CellQuery<'_>, tet: u32) -> Self {
        let ids = query.view.bodies.tets()[tet as usize].map(|v| v.0);
        let corners = ids.map(|v| tables.positions[v as usize]);
        Self { tet, ids, corners, bounds: Aabb::of(&corners) }
    }

    /// The paper's test in its order: own corners are skipped (T8), then the box (T9), then the tet (T10, T11).
    fn test(&self, tables: &CellTables, query: &CellQuery<'_>, vertex: u32, found: &mut Met) {
        if self.ids.contains(&vertex) {
            return;
        }
        found.stats.tests += 1;
        let p = &tables.positions[vertex as usize];
        if !self.bounds.contains(p) || !query.wants(vertex, self.ids[0]) {
            return;
        }
        found.stats.candidates += 1;
        if !query.exact || query.params.contains(p, &self.corners) {
            found.keys.push(pack(vertex, self.tet));
        }
    }
}

impl CellQuery<'_> {
    fn wants(&self, vertex: u32, corner: u32) -> bool {
        if self.pairs == Pairs::All {
            return true;
        }
        let body = |v: u32| self.view.bodies.locate_vertex(VertexId(v)).0;
        self.pairs.asks_for(body(vertex) == body(corner))
    }
}

/// The mean edge length of the tets, over a sample (T20); 1 when there is none.
fn mean_edge(view: &Snapshot<'_>) -> f64 {
    let tets = view.bodies.tets().len();
    let picks = tets.min(4096);
    let edges = (0..picks).flat_map(|n| {
        let t = view.tet(n * tets / picks).map(glam::DVec3::from_array);
        [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|[a, b]: [usize; 2]| t[a].distance(t[b]))
    });
    let mean = edges.sum::<f64>() / (6 * picks) as f64;
    if mean > 0.0 && mean.is_finite() { mean } else { 1.0 }
}
