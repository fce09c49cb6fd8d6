//! Elements as boxes: rows of eight neighbours, groups of eight rows, block after block.

use crate::geometry::simd::{F32x4, F32x8, Ids, Kernel, Row, Simd};

/// Elements with N corners as boxes: rows of eight, and groups of eight rows. A block begins with a row and a group of its own.
///
/// A block whose elements an edit changed is written again where it was, or behind all others when it outgrew its place.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxRows<const N: usize> {
    /// Eight ids a row; [`NONE`] fills the last row of a block.
    pub ids: Vec<u32>,
    /// Their corners, ids within the body, element by element and row by row; what fills a row repeats its last element.
    pub elements: Vec<[u32; N]>,
    pub corners: Vec<[Ids; N]>,
    /// Low and high corners of the boxes. What fills a row has a box that overlaps nothing.
    pub boxes: Vec<[Row; 6]>,
    /// The same of the rows, eight at a time.
    pub groups: Vec<[Row; 6]>,
    /// Where each block is.
    pub spans: Vec<Span>,
    /// The box of each block's elements.
    pub extents: Vec<Extent>,
}

/// The rows and groups of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    pub first_row: u32,
    pub rows: u32,
    pub first_group: u32,
    /// As many rows as there is room for.
    room: u32,
}

/// No element.
pub(super) const NONE: u32 = u32::MAX;

/// Where no box is.
const AWAY: [Row; 6] = {
    let (low, high) = (Row([f32::INFINITY; 8]), Row([f32::NEG_INFINITY; 8]));
    [low, low, low, high, high, high]
};

/// A box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Extent {
    const EMPTY: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// One of eight.
    #[inline(always)]
    pub fn of(boxes: &[Row; 6], lane: usize) -> Self {
        let [x, y, z, u, v, w] = boxes;
        Self { low: [x.0[lane], y.0[lane], z.0[lane]], high: [u.0[lane], v.0[lane], w.0[lane]] }
    }

    fn add(&mut self, other: &Self) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(other.low[k]);
            self.high[k] = self.high[k].max(other.high[k]);
        }
    }
}

/// A place in the plane of a row, to bring neighbours together.
pub(super) type Placed<const N: usize> = ([f32; 3], u32, [u32; N]);

/// An element with its centre, times the number of corners.
pub(super) fn placed<const N: usize>(images: &[[f32; 4]], id: u32, corners: [u32; N]) -> Placed<N> {
    let mut sum = [0.0; 3];
    for v in corners {
        (0..3).for_each(|k| sum[k] += images[v as usize][k]);
    }
    (sum, id, corners)
}

/// Brings neighbours together: halves, across the longest side of their centres' box, until a row is left. Halves are whole rows.
fn order<const N: usize>(elements: &mut [Placed<N>]) {
    if elements.len() <= 8 {
        return elements.sort_unstable_by_key(|e| e.1);
    }
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (at, ..) in elements.iter() {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
        }
    }
    let axis = (0..3).fold(0, |best, k| if high[k] - low[k] > high[best] - low[best] { k } else { best });
    let middle = elements.len().div_ceil(8).div_ceil(2) * 8;
    elements.select_nth_unstable_by(middle - 1, |p, q| p.0[axis].total_cmp(&q.0[axis]).then(p.1.cmp(&q.1)));
    let (left, right) = elements.split_at_mut(middle);
    order(left);
    order(right);
}

impl<const N: usize> BoxRows<N> {
    pub fn clear(&mut self) {
        self.ids.clear();
        self.elements.clear();
        self.corners.clear();
        self.spans.clear();
        self.extents.clear();
        self.boxes.clear();
        self.groups.clear();
    }

    /// Replaces the elements of a block. Its boxes are to be filled.
    pub fn set_block(&mut self, block: usize, elements: &mut [Placed<N>]) {
        order(elements);
        if block >= self.spans.len() {
            self.spans.resize(block + 1, Span::default());
            self.extents.resize(block + 1, Extent::EMPTY);
        }
        let (rows, span) = (elements.len().div_ceil(8), &mut self.spans[block]);
        if rows > span.room as usize {
            let (first_row, first_group) = (self.corners.len(), self.groups.len());
            *span = Span {
                first_row: first_row as u32,
                rows: 0,
                first_group: first_group as u32,
                room: rows as u32,
            };
            self.ids.resize(8 * (first_row + rows), NONE);
            self.elements.resize(8 * (first_row + rows), [0; N]);
            self.corners.resize(first_row + rows, [Ids([0; 8]); N]);
            self.boxes.resize(first_row + rows, AWAY);
            self.groups.resize(first_group + rows.div_ceil(8), AWAY);
        }
        span.rows = rows as u32;
        let Span { first_row, first_group, room, .. } = *span;
        self.groups[first_group as usize..][..room.div_ceil(8) as usize].fill(AWAY);
        for (row, eight) in (first_row as usize..).zip(elements.chunks(8)) {
            let element = |i: usize| &eight[i.min(eight.len() - 1)];
            for i in 0..8 {
                self.ids[8 * row + i] = eight.get(i).map_or(NONE, |e| e.1);
                self.elements[8 * row + i] = element(i).2;
            }
            self.corners[row] = std::array::from_fn(|c| Ids(std::array::from_fn(|i| element(i).2[c])));
        }
    }

    /// The rows of a block.
    pub fn rows(&self, block: usize) -> std::ops::Range<usize> {
        let Span { first_row, rows, .. } = self.spans[block];
        first_row as usize..(first_row + rows) as usize
    }

    /// The ids of a block's elements.
    pub fn ids_of(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        let rows = self.rows(block);
        self.ids[8 * rows.start..8 * rows.end].iter().copied().filter(|&id| id != NONE)
    }

    /// How many elements of a row there are.
    #[inline(always)]
    pub fn count(&self, row: usize) -> usize {
        let ids = &self.ids[8 * row..8 * row + 8];
        if ids[7] != NONE { 8 } else { ids.iter().filter(|id| **id != NONE).count() }
    }
}

/// One corner of each of eight elements.
#[inline(always)]
pub(super) fn eight_corners<S: Simd>(simd: S, images: &[[f32; 4]], ids: &Ids) -> [S::F32x8; 3] {
    let [a, b, c, d, e, f, g, h] = ids.0;
    S::F32x4::transpose([
        S::F32x4::load(simd, &images[a as usize]),
        S::F32x4::load(simd, &images[b as usize]),
        S::F32x4::load(simd, &images[c as usize]),
        S::F32x4::load(simd, &images[d as usize]),
        S::F32x4::load(simd, &images[e as usize]),
        S::F32x4::load(simd, &images[f as usize]),
        S::F32x4::load(simd, &images[g as usize]),
        S::F32x4::load(simd, &images[h as usize]),
    ])
}

/// Writes the boxes of all blocks, or of some.
pub(super) struct Fill<'a, const N: usize> {
    pub rows: &'a mut BoxRows<N>,
    pub only: Option<&'a [u32]>,
    pub images: &'a [[f32; 4]],
    /// Whether all vertices reach as far as the first.
    pub is_same: bool,
}

impl<const N: usize> Kernel for Fill<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, only, images, is_same } = self;
        let reach = S::F32x8::splat(simd, images.first().map_or(0.0, |image| image[3]));
        for i in 0..only.map_or(rows.spans.len(), <[u32]>::len) {
            let block = only.map_or(i, |only| only[i] as usize);
            rows.fill(simd, block, images, is_same.then_some(reach));
        }
    }
}

impl<const N: usize> BoxRows<N> {
    /// Writes the boxes of a block; vertices reach as far as is said, or each as its image says.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, block: usize, images: &[[f32; 4]], reach: Option<S::F32x8>) {
        let mut extent = Extent::EMPTY;
        let mine = self.rows(block);
        for row in mine.clone() {
            let corners = &self.corners[row];
            let mut low = eight_corners(simd, images, &corners[0]);
            let mut high = low;
            for ids in &corners[1..] {
                let at = eight_corners(simd, images, ids);
                for k in 0..3 {
                    (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
                }
            }
            let reach = match reach {
                Some(reach) => reach,
                None => {
                    let mut far = Row([0.0; 8]);
                    for ids in corners {
                        for i in 0..8 {
                            let own = images[ids.0[i] as usize][3];
                            far.0[i] = if own > far.0[i] { own } else { far.0[i] };
                        }
                    }
                    S::F32x8::load(simd, &far)
                }
            };
            let (mut boxes, mut whole) = (AWAY, Extent::EMPTY);
            for k in 0..3 {
                let (below, above) = (low[k] - reach, high[k] + reach);
                below.store(&mut boxes[k]);
                above.store(&mut boxes[3 + k]);
                (whole.low[k], whole.high[k]) = (below.reduce_min(), above.reduce_max());
            }
            if row + 1 == mine.end {
                for i in self.count(row)..8 {
                    for k in 0..6 {
                        boxes[k].0[i] = AWAY[k].0[i];
                    }
                }
            }
            self.boxes[row] = boxes;
            let place = row - mine.start;
            let group = &mut self.groups[self.spans[block].first_group as usize + place / 8];
            for k in 0..3 {
                group[k].0[place % 8] = whole.low[k];
                group[3 + k].0[place % 8] = whole.high[k];
            }
            extent.add(&whole);
        }
        self.extents[block] = extent;
    }
}
