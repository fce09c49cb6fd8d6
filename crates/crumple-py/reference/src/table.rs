//! Tables of numbers in NumPy's own file format.

use std::io::Write;
use std::path::Path;

/// A column type, as NumPy spells it.
pub trait Cell: Copy {
    /// The type's code.
    const CODE: &'static str;
    /// The bytes, the lowest first.
    fn bytes(self) -> Vec<u8>;
}

impl Cell for u32 {
    const CODE: &'static str = "<u4";
    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl Cell for f64 {
    const CODE: &'static str = "<f8";
    fn bytes(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl Cell for u8 {
    const CODE: &'static str = "|u1";
    fn bytes(self) -> Vec<u8> {
        vec![self]
    }
}

/// Writes rows of `N` columns as `folder/name.npy`.
pub fn write<T: Cell, const N: usize>(folder: &Path, name: &str, rows: &[[T; N]]) -> std::io::Result<()> {
    let head =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {N}), }}", T::CODE, rows.len());
    // Magic, version and length are 10 bytes; the whole head is a multiple of 64 and ends in a line break.
    let padded = (10 + head.len() + 1).next_multiple_of(64) - 10;
    let mut out = std::io::BufWriter::new(std::fs::File::create(folder.join(format!("{name}.npy")))?);
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(padded as u16).to_le_bytes())?;
    out.write_all(format!("{head:<width$}\n", width = padded - 1).as_bytes())?;
    for cell in rows.as_flattened() {
        out.write_all(&cell.bytes())?;
    }
    out.flush()
}
