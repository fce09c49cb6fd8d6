//! What the paper chooses, and what it compares.

use crate::ParamError;
use crate::geometry::Point;
use crate::methods::spatial_hash::VertexChoice;
use crate::methods::spatial_hash::params::check_cell_size;

/// How space is hashed. The default is the paper's choice: its hash in a table with time stamps, one cell size,
/// barycentric coordinates in plain floating point (T3–T16).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedParams {
    /// Edge length of a cell (l in the paper), in units of the positions, above 0. `None`, the default, takes the mean
    /// edge of the tets in every frame.
    pub cell_size: Option<f64>,
    /// Entries of the table (n in the paper), 1 to 2^28; default 9973. `None` takes it from the number of items. A small
    /// table mixes distant cells and costs time, never correctness.
    pub table_size: Option<u32>,
    /// Which entry belongs to a cell.
    pub hash: HashFunction,
    /// How the entries are kept.
    pub table: TableKind,
    /// Whether vertices are hashed and tets walk their cells, or tets are hashed and meet in a cell.
    pub passes: Passes,
    /// Who decides whether a vertex is in a tet.
    pub test: InsideTest,
    /// What happens to vertices of other cells that share an entry.
    pub strangers: Strangers,
    /// Which vertices are tested.
    pub vertices: VertexChoice,
}

impl Default for PublishedParams {
    fn default() -> Self {
        Self {
            cell_size: None,
            table_size: Some(9973),
            hash: HashFunction::Paper,
            table: TableKind::Stamped,
            passes: Passes::Two,
            test: InsideTest::Barycentric,
            strangers: Strangers::Test,
            vertices: VertexChoice::Used,
        }
    }
}

impl PublishedParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check_cell_size(self.cell_size)?;
        if let Some(n) = self.table_size
            && !(1..=1 << 28).contains(&n)
        {
            let expected = "1 to 2^28 entries";
            return Err(ParamError { parameter: "table_size", value: n.to_string(), expected });
        }
        Ok(())
    }

    /// Whether the tet holds the point, by the chosen test.
    #[inline]
    pub(super) fn contains(&self, p: &Point, t: &[Point; 4]) -> bool {
        self.test.contains(p, t)
    }
}

/// Maps a cell to an entry of the table (T13, T14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HashFunction {
    /// Cells that follow each other along x have entries that follow each other, as in
    /// [`SpatialHash`](crate::methods::spatial_hash::SpatialHash). The place of a row is mixed.
    Rows,
    /// (i·73856093 xor j·19349663 xor k·83492791) mod n as printed, where the second constant is 41 · 471943 (T-A1).
    #[default]
    Paper,
    /// The same with the prime 19349669 in second place.
    Primes,
    /// i + j + k with small odd factors: the additive family that the paper tried.
    Additive,
    /// Shift and xor: the rotating family that the paper tried.
    Rotating,
    /// Multiplications and shifts that spread every bit, as in modern tables.
    Mixer,
}

impl HashFunction {
    /// Every function, for sweeps.
    pub const ALL: [Self; 6] =
        [Self::Rows, Self::Paper, Self::Primes, Self::Additive, Self::Rotating, Self::Mixer];
}

/// How the entries of the table are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TableKind {
    /// Vertices sorted by entry, by counting: any number of threads, always the same order (T-A7).
    Sorted,
    /// A growing list per entry with the time stamp of its frame, never cleared (T15). Filled by one thread.
    #[default]
    Stamped,
}

/// What is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Passes {
    /// First every vertex into its cell, then every tet visits the cells of its box.
    #[default]
    Two,
    /// Every tet into the cells of its box; tets that meet in a cell are tested, vertex by vertex (T18).
    One,
}

/// Who decides whether a vertex is in a tet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum InsideTest {
    /// Exact signs; tets without volume are the polygon, segment or point that they are (T-A10).
    Exact,
    /// Barycentric coordinates by solving a 3×3 system in `f64`, as the paper does (T10). May miss.
    #[default]
    Barycentric,
    /// Sides of four faces in `f64`, the paper's alternative (T11). May miss.
    HalfSpaces,
}

/// What happens to vertices of other cells that share an entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strangers {
    /// They are passed over: the cell is kept with the vertex (T-A8).
    Skip,
    /// They are tested as the paper does, and a vertex that is met twice is reported once.
    #[default]
    Test,
}
