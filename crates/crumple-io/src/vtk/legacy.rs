//! The legacy format, versions 1.0 to 5.1, text and binary (which is always big-endian).
//!
//! Keywords with arrays: `POINTS`, then `CELLS` and `CELL_TYPES`, or `VERTICES`, `LINES`, `POLYGONS` and
//! `TRIANGLE_STRIPS`. Up to version 4 each cell is its length and its nodes; version 5 has an array of offsets
//! and one of nodes. Nothing is read from `POINT_DATA` or `CELL_DATA` on, because only attributes follow.

use crate::binary::{Binary, Endian, Scalar};
use crate::elements::{self, Elements, Kind};
use crate::numbers::{Numbers, Storage};
use crate::text::{Text, quoted};
use crate::{MeshData, Place, Polygons, ReadError, Source};

use super::cell_type::push_cell;

/// Reads a `.vtk` file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let mut reader = Reader::new(source)?;
    while let Some(word) = reader.text.word() {
        if !reader.section(word)? {
            break;
        }
    }
    reader.finish()
}

struct Reader<'a> {
    source: &'a Source,
    text: Text<'a>,
    storage: Storage,
    positions: Option<Vec<[f64; 3]>>,
    /// What `CELLS` held, until `CELL_TYPES` comes.
    cells: Option<Polygons>,
    elements: Elements,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source) -> Result<Self, ReadError> {
        let mut text = Text::new(source);
        let first = text.rest_of_line();
        if !first.to_ascii_lowercase().starts_with(b"# vtk datafile version") {
            return Err(text.error("a VTK file begins with \"# vtk DataFile Version\""));
        }
        text.next_line(); // to the title, which may be anything
        text.next_line();
        let storage = match text.word().unwrap_or_default().to_ascii_lowercase().as_slice() {
            b"ascii" => Storage::Text,
            b"binary" => Storage::Binary(Endian::Big),
            word => return Err(text.error(format!("expected ASCII or BINARY, found {}", quoted(word)))),
        };
        let elements = Elements::default();
        Ok(Self { source, text, storage, positions: None, cells: None, elements })
    }

    /// Reads the section that `word` begins; `false` when nothing that matters follows.
    fn section(&mut self, word: &[u8]) -> Result<bool, ReadError> {
        match word.to_ascii_uppercase().as_slice() {
            b"DATASET" => {
                let kind = self.text.word().unwrap_or_default().to_ascii_uppercase();
                if kind != b"UNSTRUCTURED_GRID" && kind != b"POLYDATA" {
                    let kind = quoted(&kind);
                    let what = format!("dataset {kind} is not read; UNSTRUCTURED_GRID and POLYDATA are");
                    return Err(self.text.error(what));
                }
            }
            b"POINTS" => self.points()?,
            b"CELLS" => {
                if self.cells.is_some() {
                    return Err(self.text.error("a second CELLS section"));
                }
                self.cells = Some(self.cell_array()?);
            }
            b"CELL_TYPES" => self.cell_types()?,
            b"VERTICES" => self.cell_section(Kind::Other("point elements"))?,
            b"LINES" => self.cell_section(Kind::Other("line elements"))?,
            b"POLYGONS" => self.cell_section(Kind::Polygon)?,
            b"TRIANGLE_STRIPS" => self.cell_section(Kind::Strip)?,
            b"FIELD" => self.skip_field()?,
            b"METADATA" => self.skip_metadata(),
            b"POINT_DATA" | b"CELL_DATA" => return Ok(false),
            _ => return Err(self.text.error(format!("unknown keyword {}", quoted(word)))),
        }
        Ok(true)
    }

    fn finish(self) -> Result<MeshData, ReadError> {
        let Some(positions) = self.positions else {
            return Err(self.source.error(Place::File, "no POINTS section"));
        };
        if self.cells.is_some() {
            return Err(self.text.error("CELLS without CELL_TYPES"));
        }
        Ok(self.elements.into_mesh(positions))
    }

    fn points(&mut self) -> Result<(), ReadError> {
        if self.positions.is_some() {
            return Err(self.text.error("a second POINTS section"));
        }
        let count: u64 = self.text.integer("the number of points")?;
        let scalar = self.scalar()?;
        let mut numbers = self.numbers();
        let mut positions = Vec::with_capacity(numbers.capacity(count, 3, scalar));
        for vertex in 0..count {
            positions.push(numbers.position(self.source, scalar, vertex as usize)?);
        }
        self.text = numbers.into_text();
        self.positions = Some(positions);
        Ok(())
    }

    fn cell_section(&mut self, kind: Kind) -> Result<(), ReadError> {
        let cells = self.cell_array()?;
        for (c, cell) in cells.iter().enumerate() {
            self.elements.push(kind, cell).map_err(|what| self.text.error(format!("cell {c}: {what}")))?;
        }
        Ok(())
    }

    /// The cells after a keyword such as `CELLS` or `POLYGONS`.
    fn cell_array(&mut self) -> Result<Polygons, ReadError> {
        let Some(vertices) = self.positions.as_ref().map(Vec::len) else {
            return Err(self.text.error("cells before POINTS"));
        };
        let first: u64 = self.text.integer("the number of cells")?;
        let second: u64 = self.text.integer("the size of the cell array")?;
        if second > u64::from(u32::MAX) {
            return Err(self.text.error(format!("a cell array of {second} numbers is too large")));
        }
        let has_offsets = self.text.clone().word().is_some_and(|w| w.eq_ignore_ascii_case(b"OFFSETS"));
        if has_offsets {
            self.offset_cells(first, second, vertices)
        } else {
            self.counted_cells(first, second, vertices)
        }
    }

    /// Up to version 4: `count` times the length of a cell and its nodes, `size` numbers in all.
    fn counted_cells(&mut self, count: u64, size: u64, vertices: usize) -> Result<Polygons, ReadError> {
        let source = self.source;
        let mut numbers = self.numbers();
        let mut cells = Polygons::default();
        let mut cell = Vec::new();
        let mut used = 0;
        for c in 0..count {
            let length: u64 = numbers.integer(Scalar::I32, "the length of a cell")?;
            used += length + 1;
            if used > size {
                let what = format!("cell {c} goes beyond the announced size {size} of the cell array");
                return Err(source.error(numbers.place(), what));
            }
            cell.clear();
            for _ in 0..length {
                let index = numbers.integer(Scalar::I32, "a node of a cell")?;
                let vertex = elements::vertex(index, 0, vertices, format_args!("cell {c}"))
                    .map_err(|what| source.error(numbers.place(), what))?;
                cell.push(vertex);
            }
            cells.push(&cell);
        }
        if used != size {
            let what = format!("the cells take {used} numbers where {size} were announced");
            return Err(source.error(numbers.place(), what));
        }
        self.text = numbers.into_text();
        Ok(cells)
    }

    /// Since version 5: one offset more than there are cells, then all nodes.
    fn offset_cells(&mut self, offsets: u64, nodes: u64, vertices: usize) -> Result<Polygons, ReadError> {
        let source = self.source;
        self.text.keyword("OFFSETS")?;
        let scalar = self.scalar()?;
        let mut numbers = self.numbers();
        let mut starts: Vec<u64> = Vec::with_capacity(numbers.capacity(offsets, 1, scalar));
        for _ in 0..offsets {
            let start = numbers.integer(scalar, "an offset")?;
            if start > nodes || starts.last().map_or(start != 0, |&before| start < before) {
                let what = format!("offset {start} of cell {} is out of order", starts.len());
                return Err(source.error(numbers.place(), what));
            }
            starts.push(start);
        }
        if starts.last().copied().unwrap_or(0) != nodes {
            let what = format!("the last offset should be {nodes}, the number of nodes");
            return Err(source.error(numbers.place(), what));
        }
        self.text = numbers.into_text();
        self.text.keyword("CONNECTIVITY")?;
        let scalar = self.scalar()?;
        let mut numbers = self.numbers();
        let mut cells = Polygons::default();
        let mut cell = Vec::new();
        for (c, pair) in starts.windows(2).enumerate() {
            cell.clear();
            for _ in pair[0]..pair[1] {
                let index = numbers.integer(scalar, "a node of a cell")?;
                let vertex = elements::vertex(index, 0, vertices, format_args!("cell {c}"))
                    .map_err(|what| source.error(numbers.place(), what))?;
                cell.push(vertex);
            }
            cells.push(&cell);
        }
        self.text = numbers.into_text();
        Ok(cells)
    }

    fn cell_types(&mut self) -> Result<(), ReadError> {
        let Some(cells) = self.cells.take() else {
            return Err(self.text.error("CELL_TYPES without CELLS before it"));
        };
        let count: u64 = self.text.integer("the number of cell types")?;
        let mut numbers = self.numbers();
        let mut types: Vec<u8> = Vec::with_capacity(numbers.capacity(count, 1, Scalar::I32));
        for _ in 0..count {
            types.push(numbers.integer(Scalar::I32, "a cell type")?);
        }
        self.text = numbers.into_text();
        if cells.len() != types.len() {
            return Err(self.text.error(format!("{} cells, but {} cell types", cells.len(), types.len())));
        }
        for (c, (cell, &number)) in cells.iter().zip(&types).enumerate() {
            push_cell(&mut self.elements, c, number, cell).map_err(|what| self.text.error(what))?;
        }
        Ok(())
    }

    /// `FIELD name count`, then arrays `name components tuples type` with their values.
    fn skip_field(&mut self) -> Result<(), ReadError> {
        self.text.word();
        let arrays: u64 = self.text.integer("the number of arrays in a field")?;
        for _ in 0..arrays {
            let mut name = self.text.word();
            while name.is_some_and(|name| name.eq_ignore_ascii_case(b"METADATA")) {
                self.skip_metadata();
                name = self.text.word();
            }
            match name {
                None => return Err(self.text.error("the file ends in a field")),
                Some(b"NULL_ARRAY") => continue,
                Some(_) => {}
            }
            let components: u64 = self.text.integer("the number of components")?;
            let tuples: u64 = self.text.integer("the number of tuples")?;
            self.skip_values(components.saturating_mul(tuples))?;
        }
        Ok(())
    }

    /// Passes over the values of an array whose type is the next word.
    fn skip_values(&mut self, count: u64) -> Result<(), ReadError> {
        let is_binary = self.storage != Storage::Text;
        match self.text.clone().word().unwrap_or_default().to_ascii_lowercase().as_slice() {
            b"bit" if is_binary => {
                self.text.word();
                self.skip_numbers(count.div_ceil(8), Scalar::U8)
            }
            b"bit" => {
                self.text.word();
                self.skip_numbers(count, Scalar::U8)
            }
            b"string" | b"utf8_string" if is_binary => {
                self.text.word();
                self.skip_binary_strings(count)
            }
            b"string" | b"utf8_string" => {
                for _ in 0..count {
                    if !self.text.next_line() {
                        return Err(self.text.error("the file ends in a field"));
                    }
                }
                self.text.rest_of_line();
                Ok(())
            }
            _ => {
                let scalar = self.scalar()?;
                self.skip_numbers(count, scalar)
            }
        }
    }

    fn skip_numbers(&mut self, count: u64, scalar: Scalar) -> Result<(), ReadError> {
        let mut numbers = self.numbers();
        numbers.skip(count, scalar, "a field")?;
        self.text = numbers.into_text();
        Ok(())
    }

    /// Each string has its length before it, in 1, 2, 4 or 8 bytes by the first two bits.
    fn skip_binary_strings(&mut self, count: u64) -> Result<(), ReadError> {
        self.text.next_line();
        let mut binary = Binary::new(self.source, self.text.offset(), Endian::Big);
        for _ in 0..count {
            let (size, bits) = match binary.clone().take(1, "a string")?[0] >> 6 {
                3 => (Scalar::U8, 6),
                2 => (Scalar::U16, 14),
                1 => (Scalar::U32, 30),
                _ => (Scalar::U64, 62),
            };
            let length = binary.integer::<u64>(size, "the length of a string")? & ((1 << bits) - 1);
            binary.take(usize::try_from(length).unwrap_or(usize::MAX), "a string")?;
        }
        self.text.skip_to(binary.offset());
        Ok(())
    }

    /// Metadata end at an empty line.
    fn skip_metadata(&mut self) {
        while self.text.next_line() && !self.text.rest_of_line().is_empty() {}
    }

    /// The type that the next word names.
    fn scalar(&mut self) -> Result<Scalar, ReadError> {
        let word = self.text.word().unwrap_or_default();
        Ok(match word.to_ascii_lowercase().as_slice() {
            b"char" | b"signed_char" | b"vtktypeint8" => Scalar::I8,
            b"unsigned_char" | b"vtktypeuint8" => Scalar::U8,
            b"short" | b"vtktypeint16" => Scalar::I16,
            b"unsigned_short" | b"vtktypeuint16" => Scalar::U16,
            // VTK writes its own index type as 32 bits.
            b"int" | b"vtkidtype" | b"vtktypeint32" => Scalar::I32,
            b"unsigned_int" | b"vtktypeuint32" => Scalar::U32,
            b"long" | b"long_long" | b"vtktypeint64" => Scalar::I64,
            b"unsigned_long" | b"unsigned_long_long" | b"vtktypeuint64" => Scalar::U64,
            b"float" => Scalar::F32,
            b"double" => Scalar::F64,
            _ => return Err(self.text.error(format!("unknown data type {}", quoted(word)))),
        })
    }

    fn numbers(&self) -> Numbers<'a> {
        Numbers::new(self.source, self.text.clone(), self.storage)
    }
}
