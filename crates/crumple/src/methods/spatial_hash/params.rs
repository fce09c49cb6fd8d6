//! What can be chosen, and what the paper chose.

use crate::ParamError;

/// How space is hashed and what is looked for. The default is exact and the fastest; [`SpatialHashParams::as_published`]
/// is the paper's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialHashParams {
    /// Edge length of a cell (l in the paper), in units of the positions, above 0. `None`, the default, measures it in
    /// every frame. Larger cells hold more vertices to test, smaller ones are more to visit.
    pub cell_size: Option<f64>,
    /// Entries of the table (n in the paper), 1 to 2^28. `None`, the default, takes it from the number of vertices. A small
    /// table mixes distant cells and costs time, never correctness.
    pub table_size: Option<u32>,
    /// Which entry belongs to a cell.
    pub hash: HashFunction,
    /// How the entries are kept.
    pub table: TableKind,
    /// One cell size, or several by the size of the tets.
    pub levels: Levels,
    /// Whether vertices are hashed and tets walk their cells, or tets are hashed and meet in a cell.
    pub passes: Passes,
    /// Who decides whether a vertex is in a tet.
    pub test: InsideTest,
    /// Whether a vertex on the skin of a tet is in it.
    pub touch: Touch,
    /// What happens to vertices of other cells that share an entry.
    pub strangers: Strangers,
    /// Which vertices are tested.
    pub vertices: VertexChoice,
    /// What [`Detector::contacts`](crate::Detector::contacts) looks for.
    pub find: Find,
}

impl Default for SpatialHashParams {
    fn default() -> Self {
        Self {
            cell_size: None,
            table_size: None,
            hash: HashFunction::Rows,
            table: TableKind::Sorted,
            levels: Levels::BySize,
            passes: Passes::Two,
            test: InsideTest::Exact,
            touch: Touch::Closed,
            strangers: Strangers::Skip,
            vertices: VertexChoice::Used,
            find: Find::default(),
        }
    }
}

impl SpatialHashParams {
    /// The paper's choices: its hash in a table with time stamps, one cell size, barycentric coordinates in plain
    /// floating point (T3–T16).
    pub fn as_published() -> Self {
        Self {
            cell_size: None,
            table_size: Some(9973),
            hash: HashFunction::Paper,
            table: TableKind::Stamped,
            levels: Levels::One,
            passes: Passes::Two,
            test: InsideTest::Barycentric,
            touch: Touch::Closed,
            strangers: Strangers::Test,
            vertices: VertexChoice::Used,
            find: Find::default(),
        }
    }

    /// Whether the rows of the sorted table can be read as ranges: the fast way.
    pub(super) fn is_by_rows(&self) -> bool {
        self.hash == HashFunction::Rows
            && self.table == TableKind::Sorted
            && self.passes == Passes::Two
            && self.test == InsideTest::Exact
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        if let Some(l) = self.cell_size
            && !(l > 0.0 && l.is_finite())
        {
            let expected = "an edge length above 0";
            return Err(ParamError { parameter: "cell_size", value: l.to_string(), expected });
        }
        if let Some(n) = self.table_size
            && !(1..=1 << 28).contains(&n)
        {
            let expected = "1 to 2^28 entries";
            return Err(ParamError { parameter: "table_size", value: n.to_string(), expected });
        }
        Ok(())
    }
}

/// Maps a cell to an entry of the table (T13, T14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HashFunction {
    /// Cells that follow each other along x have entries that follow each other, so a tet reads a row of cells as one
    /// range. The place of a row is mixed.
    #[default]
    Rows,
    /// (i·73856093 xor j·19349663 xor k·83492791) mod n as printed, where the second constant is 41 · 471943 (T-A1).
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
    #[default]
    Sorted,
    /// A growing list per entry with the time stamp of its frame, never cleared (T15). Filled by one thread.
    Stamped,
}

/// How many cell sizes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Levels {
    /// Up to six, each four times the one before, as the sizes of the tets ask for (T43). Needs [`HashFunction::Rows`] in a
    /// sorted table and [`SpatialHashParams::cell_size`] `None`; elsewhere there is one size.
    #[default]
    BySize,
    /// One, as in the paper.
    One,
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
    #[default]
    Exact,
    /// Barycentric coordinates by solving a 3×3 system in `f64`, as the paper does (T10). May miss.
    Barycentric,
    /// Sides of four faces in `f64`, the paper's alternative (T11). May miss.
    HalfSpaces,
}

/// Whether a vertex on the skin of a tet is in it (T-A11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Touch {
    /// It is, as in the paper.
    #[default]
    Closed,
    /// It is not: only vertices strictly inside count, and a tet without volume holds nothing. Exact, with any test.
    Open,
}

/// What happens to vertices of other cells that share an entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Strangers {
    /// They are passed over: the cell is kept with the vertex (T-A8).
    #[default]
    Skip,
    /// They are tested as the paper does, and a vertex that is met twice is reported once.
    Test,
}

/// Which vertices are tested against the tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum VertexChoice {
    /// Every vertex that a triangle or a tet uses.
    #[default]
    Used,
    /// Only vertices on a surface: what lies inside a body is left out (T-A12).
    Surface,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Find {
    /// Vertices inside tets. Default `true`.
    pub vertex_tets: bool,
    /// Edges that meet tets of which they share no vertex: finds crossed bars without a vertex inside (T38, T-A16).
    /// Default `false`.
    pub edge_tets: bool,
    /// Surface triangles that intersect (T17). Default `false`.
    pub triangle_pairs: bool,
}

impl Default for Find {
    fn default() -> Self {
        Self { vertex_tets: true, edge_tets: false, triangle_pairs: false }
    }
}
