//! What does not fit into memory: vertices in one file, read back in blocks, and elements in one file a tile.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use crumple_report::ContentHash;

use super::cut::Cut;
use super::input::Element;

/// Vertices of a block: 384 KiB.
const BLOCK: usize = 1 << 14;
/// Blocks that are kept: 96 MiB.
const KEPT: usize = 256;
/// Points that decide where space is cut.
const SAMPLE: usize = 1 << 18;

/// A file that is removed when it is no longer needed.
pub(super) struct Temporary {
    path: PathBuf,
    pub(super) file: File,
}

impl Temporary {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, file })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// All vertices, in a file.
pub struct Vertices {
    temporary: Temporary,
    out: Option<BufWriter<File>>,
    count: usize,
    hash: ContentHash,
    /// Every `stride`-th vertex so far.
    sample: Vec<[f64; 3]>,
    stride: usize,
    /// For each block the slot that holds it.
    slot_of: Vec<u32>,
    slots: Vec<Slot>,
    clock: u64,
}

struct Slot {
    block: usize,
    used: u64,
    points: Vec<[f64; 3]>,
}

const NOWHERE: u32 = u32::MAX;

impl Vertices {
    pub fn create(folder: &Path) -> Result<Self> {
        let temporary = Temporary::create(folder.join(".vertices.tmp"))?;
        let out = Some(BufWriter::with_capacity(1 << 20, temporary.file.try_clone()?));
        Ok(Self {
            temporary,
            out,
            count: 0,
            hash: ContentHash::default(),
            sample: Vec::new(),
            stride: 1,
            slot_of: Vec::new(),
            slots: Vec::new(),
            clock: 0,
        })
    }

    pub fn push(&mut self, p: [f64; 3]) -> Result<()> {
        if self.count == u32::MAX as usize {
            bail!("more than 4,294,967,295 vertices");
        }
        let bytes: &[u8] = bytemuck::bytes_of(&p);
        if let Some(out) = &mut self.out {
            out.write_all(bytes).context("cannot write the vertices")?;
        }
        self.hash.update(bytes);
        if self.count.is_multiple_of(self.stride) {
            self.sample.push(p);
            if self.sample.len() == 2 * SAMPLE {
                let mut k = 0;
                self.sample.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.stride *= 2;
            }
        }
        self.count += 1;
        Ok(())
    }

    /// No vertex comes after this.
    pub fn finish(&mut self) -> Result<()> {
        if let Some(mut out) = self.out.take() {
            out.flush().context("cannot write the vertices")?;
        }
        self.slot_of = vec![NOWHERE; self.count.div_ceil(BLOCK)];
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Vertices from all over the file.
    pub fn sample(&mut self) -> Vec<[f64; 3]> {
        std::mem::take(&mut self.sample)
    }

    /// One vertex; from the file when its block is not at hand.
    pub fn get(&mut self, v: u32) -> Result<[f64; 3]> {
        let (block, within) = (v as usize / BLOCK, v as usize % BLOCK);
        let Some(&slot) = self.slot_of.get(block) else { bail!("vertex {v} is not there") };
        let slot = if slot == NOWHERE { self.fetch(block)? } else { slot as usize };
        self.clock += 1;
        self.slots[slot].used = self.clock;
        self.slots[slot].points.get(within).copied().with_context(|| format!("vertex {v} is not there"))
    }

    /// Reads a block in the place of the one that was not needed for longest.
    fn fetch(&mut self, block: usize) -> Result<usize> {
        let slot = if self.slots.len() < KEPT {
            self.slots.push(Slot { block, used: 0, points: Vec::new() });
            self.slots.len() - 1
        } else {
            let oldest = self.slots.iter().enumerate().min_by_key(|(_, s)| s.used).map_or(0, |(k, _)| k);
            self.slot_of[self.slots[oldest].block] = NOWHERE;
            oldest
        };
        let first = block * BLOCK;
        let size = BLOCK.min(self.count - first);
        let points = &mut self.slots[slot].points;
        points.resize(size, [0.0; 3]);
        let file = &mut self.temporary.file;
        file.seek(SeekFrom::Start((first * size_of::<[f64; 3]>()) as u64))?;
        file.read_exact(bytemuck::cast_slice_mut(points)).context("cannot read the vertices back")?;
        self.slots[slot].block = block;
        self.slot_of[block] = slot as u32;
        Ok(slot)
    }
}

/// An element of a tile: its number in the mesh and its corners there, with [`NO_CORNER`] for those that it has not: the fourth of a
/// triangle, all but the first of a vertex that no element uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Record {
    pub id: u32,
    pub corners: [u32; 4],
}

impl Record {
    pub fn is_tet(&self) -> bool {
        self.corners[3] != NO_CORNER
    }

    pub fn is_triangle(&self) -> bool {
        !self.is_tet() && self.corners[1] != NO_CORNER
    }
}

/// A corner that is not there.
pub const NO_CORNER: u32 = u32::MAX;

/// The elements of each tile, in files.
pub struct Elements<'c> {
    cut: &'c Cut,
    margin: f64,
    tiles: Vec<(Temporary, BufWriter<File>, usize)>,
    hash: ContentHash,
    triangles: usize,
    tets: usize,
    /// One bit a vertex: whether an element has it.
    used: Vec<u64>,
}

/// The elements of one tile, to be read back.
pub struct TileRecords {
    temporary: Temporary,
    count: usize,
}

impl<'c> Elements<'c> {
    pub fn create(folder: &Path, cut: &'c Cut, margin: f64, vertices: usize) -> Result<Self> {
        let count = cut.planes().count() / 6;
        let tiles = (0..count).map(|k| {
            let temporary = Temporary::create(folder.join(format!(".tile_{k:03}.tmp")))?;
            let out = BufWriter::with_capacity(1 << 16, temporary.file.try_clone()?);
            Ok((temporary, out, 0))
        });
        let tiles = tiles.collect::<Result<_>>()?;
        let used = vec![0; vertices.div_ceil(64)];
        Ok(Self { cut, margin, tiles, hash: ContentHash::default(), triangles: 0, tets: 0, used })
    }

    /// Puts an element into every tile that it reaches into.
    pub fn push(&mut self, element: Element, vertices: &mut Vertices) -> Result<()> {
        let (record, corners): (Record, &[u32]) = match &element {
            Element::Triangle(c) => {
                self.triangles += 1;
                (Record { id: number(self.triangles)?, corners: [c[0], c[1], c[2], NO_CORNER] }, c)
            }
            Element::Tet(c) => {
                self.tets += 1;
                (Record { id: number(self.tets)?, corners: *c }, c)
            }
        };
        self.spread(record, corners, vertices)
    }

    /// Puts the vertices that no element has into the tiles that they reach into: with a margin they may be close to something.
    pub fn push_loose(&mut self, vertices: &mut Vertices) -> Result<()> {
        if self.margin == 0.0 {
            return Ok(());
        }
        for v in 0..vertices.len() as u32 {
            if self.used[v as usize / 64] >> (v % 64) & 1 == 0 {
                let corners = [v, NO_CORNER, NO_CORNER, NO_CORNER];
                self.spread(Record { id: NO_CORNER, corners }, &[v], vertices)?;
            }
        }
        Ok(())
    }

    /// Writes a record to every tile that the box of its corners, grown by the margin, meets.
    fn spread(&mut self, record: Record, corners: &[u32], vertices: &mut Vertices) -> Result<()> {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &v in corners {
            let p = vertices.get(v)?;
            self.used[v as usize / 64] |= 1 << (v % 64);
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        if self.margin > 0.0 {
            low = low.map(|x| (x - self.margin).next_down());
            high = high.map(|x| (x + self.margin).next_up());
        }
        let bytes = bytemuck::bytes_of(&record);
        self.hash.update(bytes);
        let tiles = &mut self.tiles;
        let mut done = Ok(());
        self.cut.tiles_of(low, high, |k| {
            let (_, out, count) = &mut tiles[k];
            *count += 1;
            if let Err(error) = out.write_all(bytes) {
                done = Err(error);
            }
        });
        done.context("cannot write the elements")
    }

    pub fn triangles(&self) -> usize {
        self.triangles
    }

    pub fn tets(&self) -> usize {
        self.tets
    }

    /// A hash of everything: equal for equal meshes with equal cuts.
    pub fn key(&self, vertices: &Vertices, cut: &Cut) -> String {
        let planes: Vec<f64> = cut.planes().collect();
        let mut all = ContentHash::default();
        all.update(self.hash.clone().hex().as_bytes());
        all.update(vertices.hash.clone().hex().as_bytes());
        all.update(bytemuck::cast_slice(&planes));
        all.update(&self.margin.to_le_bytes());
        all.hex()
    }

    /// No element comes after this.
    pub fn finish(self) -> Result<Vec<TileRecords>> {
        let tiles = self.tiles.into_iter().map(|(temporary, mut out, count)| {
            out.flush().context("cannot write the elements")?;
            Ok(TileRecords { temporary, count })
        });
        tiles.collect()
    }
}

/// The number of the element that is the `count`-th.
pub(super) fn number(count: usize) -> Result<u32> {
    u32::try_from(count - 1).ok().filter(|&id| id != NO_CORNER).context("more than 4,294,967,294 elements")
}

impl TileRecords {
    pub fn read(mut self) -> Result<Vec<Record>> {
        self.temporary.file.seek(SeekFrom::Start(0))?;
        let mut records = vec![Record { id: 0, corners: [0; 4] }; self.count];
        let mut file = BufReader::new(&self.temporary.file);
        file.read_exact(bytemuck::cast_slice_mut(&mut records)).context("cannot read the elements back")?;
        Ok(records)
    }
}
