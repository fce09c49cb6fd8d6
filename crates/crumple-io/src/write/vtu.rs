//! VTU: a mesh with values on its cells and vertices, for ParaView.
//!
//! Arrays are appended as raw little-endian bytes, so that writing is one pass and coordinates come back to the
//! last bit. The value of triangle `i` stands in row `i` of a cell column.
//!
//! ```
//! use crumple_io::write::{VtuCells, VtuColumn, VtuMesh, VtuValues};
//!
//! let mesh = VtuMesh {
//!     positions: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     cells: VtuCells::Triangles(&[[0, 1, 2]]),
//!     cell_data: &[VtuColumn { name: "collides", values: VtuValues::Flags(&[true]) }],
//!     point_data: &[],
//! };
//! let mut file = Vec::new();
//! mesh.write(&mut file)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::MarkedBody;
use crate::Polygons;

/// What a VTU file holds.
#[derive(Debug, Clone, Copy)]
pub struct VtuMesh<'a> {
    /// One position per vertex.
    pub positions: &'a [[f64; 3]],
    /// The cells over them.
    pub cells: VtuCells<'a>,
    /// Columns with one row per cell.
    pub cell_data: &'a [VtuColumn<'a>],
    /// Columns with one row per vertex.
    pub point_data: &'a [VtuColumn<'a>],
}

/// The cells of a VTU file.
#[derive(Debug, Clone, Copy)]
pub enum VtuCells<'a> {
    /// Triangles.
    Triangles(&'a [[u32; 3]]),
    /// Faces of any number of corners.
    Polygons(&'a Polygons),
    /// Tetrahedra.
    Tets(&'a [[u32; 4]]),
    /// One cell for each vertex, so that a viewer shows it.
    Points,
    /// Cells of several kinds.
    Mixed {
        /// The nodes of each cell.
        nodes: &'a Polygons,
        /// VTK's number for the kind of each cell, as many as there are cells.
        types: &'a [u8],
    },
}

/// A named column of values.
#[derive(Debug, Clone, Copy)]
pub struct VtuColumn<'a> {
    /// The name that the viewer shows.
    pub name: &'a str,
    /// The values.
    pub values: VtuValues<'a>,
}

/// The values of a column, one row per cell or vertex.
#[derive(Debug, Clone, Copy)]
pub enum VtuValues<'a> {
    /// Written as 0 and 1.
    Flags(&'a [bool]),
    /// Counts and ids.
    Integers(&'a [u32]),
    /// Lengths, depths.
    Numbers(&'a [f64]),
    /// Directions.
    Vectors(&'a [[f64; 3]]),
}

/// Writes bodies as VTU, each by its tets if it has any, else by its faces, else as points.
///
/// Columns: `collides` of cells (0 or 1; of tets by their own flags) and of points, `depth` of points, and `body` of both
/// where there are several. What no body tells has no column.
pub fn vtu(out: &mut dyn Write, bodies: &[MarkedBody<'_>]) -> io::Result<()> {
    bodies.iter().try_for_each(MarkedBody::check)?;
    let mut all = Merged::default();
    bodies.iter().enumerate().for_each(|(b, body)| all.push(b as u32, body));
    let mut cell_data = Vec::new();
    let mut point_data = Vec::new();
    if all.has_cell_flags {
        cell_data.push(VtuColumn { name: "collides", values: VtuValues::Flags(&all.cell_flags) });
    }
    if all.has_point_flags {
        point_data.push(VtuColumn { name: "collides", values: VtuValues::Flags(&all.point_flags) });
    }
    if bodies.iter().any(|body| body.marks.depths.is_some()) {
        point_data.push(VtuColumn { name: "depth", values: VtuValues::Numbers(&all.depths) });
    }
    if bodies.len() > 1 {
        cell_data.push(VtuColumn { name: "body", values: VtuValues::Integers(&all.cell_bodies) });
        point_data.push(VtuColumn { name: "body", values: VtuValues::Integers(&all.point_bodies) });
    }
    let names: Vec<&str> = bodies.iter().map(|body| body.name).collect();
    let cells = VtuCells::Mixed { nodes: &all.nodes, types: &all.types };
    let mesh = VtuMesh { positions: &all.positions, cells, cell_data: &cell_data, point_data: &point_data };
    mesh.write_named(out, &names)
}

/// All bodies in one table of points and one of cells.
#[derive(Default)]
struct Merged {
    positions: Vec<[f64; 3]>,
    nodes: Polygons,
    types: Vec<u8>,
    cell_flags: Vec<bool>,
    has_cell_flags: bool,
    cell_bodies: Vec<u32>,
    point_flags: Vec<bool>,
    has_point_flags: bool,
    point_bodies: Vec<u32>,
    depths: Vec<f64>,
}

impl Merged {
    fn push(&mut self, number: u32, body: &MarkedBody<'_>) {
        let first = self.positions.len() as u32;
        self.positions.extend_from_slice(body.positions);
        let points = self.positions.len();
        let mut cell = Vec::new();
        let mut push = |corners: &[u32], kind: u8| {
            cell.clear();
            cell.extend(corners.iter().map(|&corner| first + corner));
            self.nodes.push(&cell);
            self.types.push(kind);
        };
        let flags = if !body.tets.is_empty() {
            body.tets.iter().for_each(|tet| push(tet, TET));
            body.marks.tets.map(<[bool]>::to_vec)
        } else if !body.faces.is_empty() {
            body.faces.iter().for_each(|face| push(face, face_type(face)));
            body.marked_faces()
        } else {
            (0..body.positions.len() as u32).for_each(|point| push(&[point], VERTEX));
            body.marks.vertices.map(<[bool]>::to_vec)
        };
        self.has_cell_flags |= flags.is_some();
        self.cell_flags.extend(flags.unwrap_or_default());
        self.cell_flags.resize(self.types.len(), false);
        let flags = body.marked_vertices();
        self.has_point_flags |= flags.is_some();
        self.point_flags.extend(flags.unwrap_or_default());
        self.point_flags.resize(points, false);
        self.depths.extend_from_slice(body.marks.depths.unwrap_or_default());
        self.depths.resize(points, 0.0);
        self.cell_bodies.resize(self.types.len(), number);
        self.point_bodies.resize(points, number);
    }
}

// Numbers of VTK's cell types.
const VERTEX: u8 = 1;
const TRIANGLE: u8 = 5;
const POLYGON: u8 = 7;
const QUAD: u8 = 9;
const TET: u8 = 10;

fn face_type(face: &[u32]) -> u8 {
    match face.len() {
        3 => TRIANGLE,
        4 => QUAD,
        _ => POLYGON,
    }
}

impl VtuMesh<'_> {
    /// Writes the file. Columns must have as many rows as there are cells or vertices.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_named(out, &[])
    }

    /// As [`VtuMesh::write`], with the names of bodies in comments.
    fn write_named(&self, out: &mut dyn Write, names: &[&str]) -> io::Result<()> {
        let points = self.positions.len();
        let cells = self.cells.len(points);
        let mut head = Head { out, offset: 0 };
        head.line("<?xml version=\"1.0\"?>")?;
        head.line("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">")?;
        for (b, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            // Two hyphens would end the comment.
            head.line(&format!(
                "<!-- body {b}: {} -->",
                escape(name.replace("--", "- -").trim_end_matches('-'))
            ))?;
        }
        head.line("<UnstructuredGrid>")?;
        head.line(&format!("<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">"))?;
        head.line("<Points>")?;
        head.array("Points", "Float64", 3, 24 * points)?;
        head.line("</Points>\n<Cells>")?;
        head.array("connectivity", "Int64", 1, 8 * self.cells.corners(points))?;
        head.array("offsets", "Int64", 1, 8 * cells)?;
        head.array("types", "UInt8", 1, cells)?;
        head.line("</Cells>")?;
        head.columns("PointData", self.point_data, points)?;
        head.columns("CellData", self.cell_data, cells)?;
        head.line("</Piece>\n</UnstructuredGrid>")?;
        write!(out, "<AppendedData encoding=\"raw\">\n_")?;

        block(out, 24 * points, self.positions.as_flattened().iter().map(|c| c.to_le_bytes()))?;
        self.cells.write(out, points)?;
        for column in self.point_data.iter().chain(self.cell_data) {
            column.values.write(out)?;
        }
        writeln!(out, "\n</AppendedData>\n</VTKFile>")
    }
}

/// The XML part, with the place of the next array in the data behind it.
struct Head<'w> {
    out: &'w mut dyn Write,
    offset: usize,
}

impl Head<'_> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    fn array(&mut self, name: &str, kind: &str, components: usize, bytes: usize) -> io::Result<()> {
        let (name, offset) = (escape(name), self.offset);
        self.offset += 8 + bytes;
        writeln!(
            self.out,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        )
    }

    fn columns(&mut self, section: &str, columns: &[VtuColumn<'_>], rows: usize) -> io::Result<()> {
        // The first column of plain values is what a viewer colours by when the file is opened.
        let first = columns.iter().find(|column| !matches!(column.values, VtuValues::Vectors(_)));
        let shown = first.map(|c| format!(" Scalars=\"{}\"", escape(c.name))).unwrap_or_default();
        self.line(&format!("<{section}{shown}>"))?;
        for VtuColumn { name, values } in columns {
            if values.len() != rows {
                let what = format!("column {name:?} has {} rows, not {rows}", values.len());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            match values {
                VtuValues::Flags(_) => self.array(name, "UInt8", 1, rows)?,
                VtuValues::Integers(_) => self.array(name, "UInt32", 1, 4 * rows)?,
                VtuValues::Numbers(_) => self.array(name, "Float64", 1, 8 * rows)?,
                VtuValues::Vectors(_) => self.array(name, "Float64", 3, 24 * rows)?,
            }
        }
        self.line(&format!("</{section}>"))
    }
}

impl VtuCells<'_> {
    fn len(&self, points: usize) -> usize {
        match self {
            Self::Triangles(triangles) => triangles.len(),
            Self::Polygons(polygons) => polygons.len(),
            Self::Tets(tets) => tets.len(),
            Self::Points => points,
            Self::Mixed { nodes, .. } => nodes.len(),
        }
    }

    /// Corners of all cells.
    fn corners(&self, points: usize) -> usize {
        match self {
            Self::Polygons(polygons) | Self::Mixed { nodes: polygons, .. } => polygons.corner_count(),
            Self::Triangles(triangles) => 3 * triangles.len(),
            Self::Tets(tets) => 4 * tets.len(),
            Self::Points => points,
        }
    }

    /// Writes the arrays `connectivity`, `offsets` and `types`.
    fn write(&self, out: &mut dyn Write, points: usize) -> io::Result<()> {
        let cells = self.len(points);
        let corners = 8 * self.corners(points);
        let id = |&corner: &u32| u64::from(corner).to_le_bytes();
        let ends = |each: usize| (1..=cells).map(move |c| ((each * c) as u64).to_le_bytes());
        match self {
            Self::Triangles(triangles) => {
                block(out, corners, triangles.as_flattened().iter().map(id))?;
                block(out, 8 * cells, ends(3))?;
                block(out, cells, (0..cells).map(|_| [TRIANGLE]))
            }
            Self::Tets(tets) => {
                block(out, corners, tets.as_flattened().iter().map(id))?;
                block(out, 8 * cells, ends(4))?;
                block(out, cells, (0..cells).map(|_| [TET]))
            }
            Self::Points => {
                block(out, corners, (0..points as u64).map(u64::to_le_bytes))?;
                block(out, 8 * cells, ends(1))?;
                block(out, cells, (0..cells).map(|_| [VERTEX]))
            }
            Self::Polygons(polygons) => {
                nodes_and_ends(out, polygons)?;
                block(out, cells, polygons.iter().map(|polygon| [face_type(polygon)]))
            }
            Self::Mixed { nodes, types } => {
                if types.len() != cells {
                    let what = format!("{} types for {cells} cells", types.len());
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
                }
                nodes_and_ends(out, nodes)?;
                block(out, cells, types.iter().map(|&kind| [kind]))
            }
        }
    }
}

/// Writes the arrays `connectivity` and `offsets` of cells of any size.
fn nodes_and_ends(out: &mut dyn Write, nodes: &Polygons) -> io::Result<()> {
    let ids = nodes.iter().flatten().map(|&node| u64::from(node).to_le_bytes());
    block(out, 8 * nodes.corner_count(), ids)?;
    let ends = (0..nodes.len()).map(|cell| (nodes.corner_range(cell).end as u64).to_le_bytes());
    block(out, 8 * nodes.len(), ends)
}

impl VtuValues<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Flags(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::Vectors(values) => values.len(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Flags(values) => block(out, values.len(), values.iter().map(|&flag| [u8::from(flag)])),
            Self::Integers(values) => block(out, 4 * values.len(), values.iter().map(|v| v.to_le_bytes())),
            Self::Numbers(values) => block(out, 8 * values.len(), values.iter().map(|v| v.to_le_bytes())),
            Self::Vectors(values) => {
                block(out, 24 * values.len(), values.as_flattened().iter().map(|v| v.to_le_bytes()))
            }
        }
    }
}

/// Writes one array: the number of its bytes, then the numbers.
fn block<const N: usize>(
    out: &mut dyn Write,
    bytes: usize,
    numbers: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    out.write_all(&(bytes as u64).to_le_bytes())?;
    let mut buffer = Vec::with_capacity(1 << 16);
    for number in numbers {
        if buffer.len() + N > buffer.capacity() {
            out.write_all(&buffer)?;
            buffer.clear();
        }
        buffer.extend_from_slice(&number);
    }
    out.write_all(&buffer)
}
