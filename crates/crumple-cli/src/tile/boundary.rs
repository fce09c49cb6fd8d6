//! The boundary faces of more tets than fit into memory.
//!
//! A triangle of a tet mesh is a face that exactly one tet has; its number is its rank among these, by tet and local face. Faces
//! go to files by a hash of their corners, so that equal ones meet in one file. Each file is sorted alone: faces that stand
//! there once stay, in the order of their tets. Merging the files gives all of them in that order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result};
use crumple::geometry::tet::FACES;

use super::spill::{Temporary, number};

/// Files of faces: a billion tets put 600 MB into each.
const FILES: usize = 128;

/// Tets in one file, their faces in others.
pub struct Tets {
    tets: Spill,
    faces: Vec<Spill>,
    count: usize,
}

/// A face of a tet: numbers of the tet and of the corner opposite, and its own corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Face {
    tet: u32,
    local: u32,
    corners: [u32; 3],
}

impl Face {
    /// The same for the same face of another tet.
    fn key(&self) -> [u32; 3] {
        let mut corners = self.corners;
        corners.sort_unstable();
        corners
    }
}

impl Tets {
    pub fn create(folder: &Path) -> Result<Self> {
        let faces = (0..FILES).map(|k| Spill::create(folder, &format!(".faces_{k:03}.tmp")));
        let faces = faces.collect::<Result<_>>()?;
        Ok(Self { tets: Spill::create(folder, ".tets.tmp")?, faces, count: 0 })
    }

    pub fn push(&mut self, corners: [u32; 4]) -> Result<()> {
        self.count += 1;
        let tet = number(self.count)?;
        self.tets.push(&corners)?;
        for (local, face) in FACES.iter().enumerate() {
            let face = Face { tet, local: local as u32, corners: face.map(|c| corners[c]) };
            let hash = face.key().iter().fold(0u64, |hash, &v| {
                (hash ^ u64::from(v)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            });
            self.faces[(hash % FILES as u64) as usize].push(&face)?;
        }
        Ok(())
    }

    /// Calls `each` with the boundary faces, in the order of their numbers.
    pub fn boundary(&mut self, mut each: impl FnMut([u32; 3]) -> Result<()>) -> Result<()> {
        let mut files = Vec::new();
        for spill in &mut self.faces {
            let kept = only_once(spill.rows()?.collect::<Result<_>>()?);
            spill.clear()?;
            kept.iter().try_for_each(|face| spill.push(face))?;
            files.push(spill.rows::<Face>()?);
        }
        let mut first = BinaryHeap::new();
        for (file, rows) in files.iter_mut().enumerate() {
            if let Some(face) = rows.next() {
                first.push(Reverse((face?, file)));
            }
        }
        while let Some(Reverse((face, file))) = first.pop() {
            each(face.corners)?;
            if let Some(next) = files[file].next() {
                first.push(Reverse((next?, file)));
            }
        }
        Ok(())
    }

    /// Calls `each` with every tet, in order.
    pub fn each(&mut self, mut each: impl FnMut([u32; 4]) -> Result<()>) -> Result<()> {
        self.tets.rows()?.try_for_each(|tet| each(tet?))
    }
}

/// The faces that have no equal, by tet and local face.
fn only_once(mut faces: Vec<Face>) -> Vec<Face> {
    faces.sort_unstable_by_key(Face::key);
    let mut kept: Vec<Face> = faces
        .chunk_by(|a, b| a.key() == b.key())
        .filter_map(|equal| if let [face] = equal { Some(*face) } else { None })
        .collect();
    kept.sort_unstable();
    kept
}

/// Rows in a file that is removed in the end.
struct Spill {
    temporary: Temporary,
    out: BufWriter<File>,
    count: usize,
}

impl Spill {
    fn create(folder: &Path, name: &str) -> Result<Self> {
        let temporary = Temporary::create(folder.join(name))?;
        let out = BufWriter::with_capacity(1 << 16, temporary.file.try_clone()?);
        Ok(Self { temporary, out, count: 0 })
    }

    fn push<T: bytemuck::NoUninit>(&mut self, row: &T) -> Result<()> {
        self.count += 1;
        self.out.write_all(bytemuck::bytes_of(row)).context("cannot write the tets")
    }

    fn clear(&mut self) -> Result<()> {
        self.count = 0;
        self.temporary.file.set_len(0)?;
        self.temporary.file.seek(SeekFrom::Start(0))?;
        Ok(())
    }

    /// All rows from the first on.
    fn rows<T: bytemuck::Pod>(&mut self) -> Result<impl Iterator<Item = Result<T>>> {
        self.out.flush().context("cannot write the tets")?;
        self.temporary.file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::with_capacity(1 << 16, &self.temporary.file);
        Ok((0..self.count).map(move |_| {
            let mut row = T::zeroed();
            file.read_exact(bytemuck::bytes_of_mut(&mut row)).context("cannot read the tets back")?;
            Ok(row)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple::Mesh;

    #[test]
    fn boundary_faces_are_those_of_the_mesh_in_its_order() {
        let folder = tempfile::tempdir().expect("a folder");
        // Chains of tets, some twice and some with three at one face.
        for step in [1, 2, 3, 5] {
            let tet = |k: u32| [k % 331, (k + step) % 331, (k + 2 * step) % 331, 331 + k % 13];
            let corners: Vec<[u32; 4]> = (0..1000).map(tet).collect();
            let mesh = Mesh::from_tets("tets", 344, &corners).expect("tets");
            let mut tets = Tets::create(folder.path()).expect("files");
            corners.iter().for_each(|&tet| tets.push(tet).expect("room"));
            let (mut faces, mut again) = (Vec::new(), Vec::new());
            let boundary = tets.boundary(|face| {
                faces.push(face);
                Ok(())
            });
            boundary.expect("faces");
            let all = tets.each(|tet| {
                again.push(tet);
                Ok(())
            });
            all.expect("tets");
            let expected: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect();
            assert_eq!(faces, expected, "step {step}");
            assert!(faces.len() > 100 && faces.len() < 4 * corners.len(), "{} faces", faces.len());
            assert_eq!(again, corners);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left behind");
    }
}
