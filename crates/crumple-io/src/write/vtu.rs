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

use super::{check_flags, marked_polygons};
use crate::{MeshData, Polygons};

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

/// Writes a surface, a volume or points as VTU. With flags, faces get a column `collides`.
pub fn vtu(out: &mut dyn Write, mesh: &MeshData, collides: Option<&[bool]>) -> io::Result<()> {
    check_flags(mesh, collides)?;
    let marked = collides.map(|flags| marked_polygons(mesh, flags));
    let column =
        marked.as_ref().map(|marked| VtuColumn { name: "collides", values: VtuValues::Flags(marked) });
    let cells = if !mesh.tets.is_empty() {
        VtuCells::Tets(&mesh.tets)
    } else if !mesh.polygons.is_empty() {
        VtuCells::Polygons(&mesh.polygons)
    } else {
        VtuCells::Points
    };
    // Flags are of faces: tets and points have none.
    let column = column.as_slice();
    let cell_data = if mesh.polygons.is_empty() { &[] } else { column };
    VtuMesh { positions: &mesh.positions, cells, cell_data, point_data: &[] }.write(out)
}

impl VtuMesh<'_> {
    /// Writes the file. Columns must have as many rows as there are cells or vertices.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let points = self.positions.len();
        let cells = self.cells.len(points);
        let mut head = Head { out, offset: 0 };
        head.line("<?xml version=\"1.0\"?>")?;
        head.line("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">")?;
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
        }
    }

    /// Corners of all cells.
    fn corners(&self, points: usize) -> usize {
        match self {
            Self::Polygons(polygons) => polygons.iter().map(<[u32]>::len).sum(),
            Self::Triangles(triangles) => 3 * triangles.len(),
            Self::Tets(tets) => 4 * tets.len(),
            Self::Points => points,
        }
    }

    /// Writes the arrays `connectivity`, `offsets` and `types`.
    fn write(&self, out: &mut dyn Write, points: usize) -> io::Result<()> {
        const VERTEX: u8 = 1;
        const TRIANGLE: u8 = 5;
        const POLYGON: u8 = 7;
        const QUAD: u8 = 9;
        const TET: u8 = 10;
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
                block(out, corners, polygons.iter().flatten().map(id))?;
                let ends = polygons.iter().scan(0, |end, polygon| {
                    *end += polygon.len() as u64;
                    Some(end.to_le_bytes())
                });
                block(out, 8 * cells, ends)?;
                let kind = |polygon: &[u32]| match polygon.len() {
                    3 => [TRIANGLE],
                    4 => [QUAD],
                    _ => [POLYGON],
                };
                block(out, cells, polygons.iter().map(kind))
            }
        }
    }
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
