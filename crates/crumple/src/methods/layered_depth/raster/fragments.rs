//! Fragments: the crossings of one body's surface with the centre rays of a tile, sorted.

use crate::geometry::simd::{F64x4, Simd};

/// One crossing of a centre ray and a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fragment {
    /// Depth in lattice units.
    pub z: f64,
    pub triangle: u32,
    pub column: u16,
    /// The slice, as a bit of the tile.
    pub bit: u8,
    /// 1 where the ray enters, −1 where it leaves.
    pub step: i8,
}

/// The layers of one body in one tile, column after column.
#[derive(Debug, Default)]
pub(crate) struct TileLayers {
    /// First layer of each column, and the total last.
    pub starts: Vec<u32>,
    /// Sorted by column, depth, entries before exits, triangle.
    pub fragments: Vec<Fragment>,
    buffer: FragmentBuffer,
}

/// Crossings in no order. Branch-free append: always store, then advance `len` by 0 or 1; the branch would be
/// unpredictable.
#[derive(Debug, Default)]
pub(crate) struct FragmentBuffer {
    /// Depths; there is room for more than were found, here and below.
    z: Vec<f64>,
    /// Column, bit and, in the highest byte, 1 where the ray enters and 255 where it leaves.
    words: Vec<u32>,
    triangles: Vec<u32>,
    len: usize,
}

impl FragmentBuffer {
    /// Makes room for so many more, and for three that are not kept.
    #[inline(always)]
    pub fn make_room(&mut self, more: usize) {
        let need = self.len + more + 4;
        if self.z.len() < need {
            self.z.resize(2 * need, 0.0);
            self.words.resize(2 * need, 0);
            self.triangles.resize(2 * need, 0);
        }
    }

    /// Keeps one if it is there; there must be room.
    #[inline(always)]
    pub fn push_if(&mut self, is_there: bool, fragment: Fragment) {
        let Fragment { z, triangle, column, bit, step } = fragment;
        let word = u32::from(column) | u32::from(bit) << 16 | u32::from(step as u8) << 24;
        (self.z[self.len], self.words[self.len], self.triangles[self.len]) = (z, word, triangle);
        self.len += usize::from(is_there);
    }

    /// Keeps those of four that `mask` names; there must be room. Words and numbers of triangles are in the low halves.
    #[inline(always)]
    pub fn push_four<S: Simd>(&mut self, mask: u32, z: S::F64x4, words: S::F64x4, triangles: S::F64x4) {
        z.compress(mask, &mut self.z[self.len..]);
        words.compress_low(mask, &mut self.words[self.len..]);
        triangles.compress_low(mask, &mut self.triangles[self.len..]);
        self.len += mask.count_ones() as usize;
    }

    fn iter(&self) -> impl Iterator<Item = Fragment> {
        let (z, words, triangles) =
            (&self.z[..self.len], &self.words[..self.len], &self.triangles[..self.len]);
        z.iter().zip(words).zip(triangles).map(|((&z, &word), &triangle)| {
            let [low, high, bit, step] = word.to_le_bytes();
            Fragment { z, triangle, column: u16::from_le_bytes([low, high]), bit, step: step as i8 }
        })
    }
}

impl TileLayers {
    pub fn clear(&mut self) -> &mut FragmentBuffer {
        self.buffer.len = 0;
        &mut self.buffer
    }

    /// Sorts what was drawn: by counting into columns, then each short list on its own.
    pub fn sort(&mut self, columns: usize) {
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        for word in &self.buffer.words[..self.buffer.len] {
            self.starts[(word & 0xffff) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.fragments.clear();
        self.fragments.resize(self.buffer.len, Fragment { z: 0.0, triangle: 0, column: 0, bit: 0, step: 0 });
        for f in self.buffer.iter() {
            let place = &mut self.starts[f.column as usize];
            self.fragments[*place as usize] = f;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for c in 0..columns {
            let order = |a: &Fragment, b: &Fragment| {
                a.z.total_cmp(&b.z).then(b.step.cmp(&a.step)).then(a.triangle.cmp(&b.triangle))
            };
            match &mut self.fragments[self.starts[c] as usize..self.starts[c + 1] as usize] {
                [] | [_] => {}
                // Most rays that meet a body meet it twice, in an unpredictable order: sorted branch-free.
                [a, b] if a.z != b.z => {
                    let (x, y) = (*a, *b);
                    let is_turned = y.z < x.z;
                    (*a, *b) = (if is_turned { y } else { x }, if is_turned { x } else { y });
                }
                more => more.sort_unstable_by(order),
            }
        }
    }

    /// The layers of a column, lowest first.
    #[inline(always)]
    pub fn column(&self, column: usize) -> &[Fragment] {
        &self.fragments[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}
