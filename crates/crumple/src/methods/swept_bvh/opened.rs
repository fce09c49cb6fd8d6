//! A patch made ready for the search: boxes of its features at both ends, eight to a row.

use super::moving_box::{MARGIN, MovingBox};
use super::representatives::{Representatives, ascending};
use crate::geometry::simd::{F32x4, F32x8, Ids, Kernel, Row, Simd, WIDTH, dispatch};
use crate::geometry::{Aabb32, Aabb32x8, Map, Point};
use crate::patches::Patches;

/// Features with N vertices each: boxes at the start and the end, and the vertices, as their body numbers them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows<const N: usize> {
    pub len: usize,
    pub boxes: Vec<[Aabb32x8; 2]>,
    pub ids: Vec<[Ids; N]>,
}

impl<const N: usize> Rows<N> {
    /// Bits of the lanes that hold a feature; the others repeat the last one.
    #[inline(always)]
    pub fn lanes(&self, row: usize) -> u32 {
        (1 << (self.len - row * WIDTH).min(WIDTH)) - 1
    }

    /// The vertices of one feature.
    #[inline(always)]
    pub fn vertices(&self, feature: usize) -> [u32; N] {
        std::array::from_fn(|k| self.ids[feature / WIDTH][k].0[feature % WIDTH])
    }
}

/// A patch, opened.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    /// The step, the body and the patch.
    key: [u32; 3],
    /// The end boxes are those of this time, a power of two; see [`Opened::ensure`].
    until: f32,
    pub bounds: MovingBox,
    /// The vertices that its triangles represent, these themselves, and the edges that they represent.
    pub vertices: Rows<1>,
    pub triangles: Rows<3>,
    pub edges: Rows<2>,
    slots: Slots,
}

/// What a patch represents, as indices into its vertices.
#[derive(Debug, Clone, Default)]
struct Slots {
    vertices: Vec<[u8; 1]>,
    edges: Vec<[u8; 2]>,
}

impl Default for Opened {
    fn default() -> Self {
        Self {
            key: [u32::MAX; 3],
            until: 0.0,
            bounds: MovingBox::EMPTY,
            vertices: Rows::default(),
            triangles: Rows::default(),
            edges: Rows::default(),
            slots: Slots::default(),
        }
    }
}

/// What a patch is opened from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub patches: &'a Patches,
    pub representatives: &'a Representatives,
    /// Of this body.
    pub start: &'a [Point],
    pub end: &'a [Point],
    pub map: &'a Map,
    /// Boxes are this much larger on every side, see [`SweptBvh::first_closer_than`](super::SweptBvh::first_closer_than).
    pub widened: f32,
}

impl Opened {
    /// Makes this the given patch, if it is not, with boxes that hold its features from the start to the least power of two that is
    /// not before `until`, a time above 0.
    ///
    /// If that is 1, the end boxes are those of the images. Else they are boxes of what lies between the images at that
    /// time, widened by [`MARGIN`], so that they hold the true positions and a gap between two of them is one. Two patches
    /// may be compared only if their end boxes are those of one time; powers of two make that so, whenever each was opened for
    /// one and the same `until`, and seldom open a patch again.
    ///
    /// Says whether there was something to do.
    pub fn ensure(&mut self, key: [u32; 3], until: f32, source: &Source<'_>) -> bool {
        let until = power_of_two_from(until);
        let is_due = self.key != key || until != self.until;
        if is_due {
            self.key = key;
            self.until = until;
            dispatch(Open { opened: self, source });
        }
        is_due
    }
}

/// The least power of two that is at least `x`, a positive normal number.
#[inline(always)]
fn power_of_two_from(x: f32) -> f32 {
    const MANTISSA: u32 = (1 << 23) - 1;
    f32::from_bits((x.to_bits() + MANTISSA) & !MANTISSA)
}

struct Open<'a> {
    opened: &'a mut Opened,
    source: &'a Source<'a>,
}

impl Kernel for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Source { patches, representatives, start, end, map, widened } = *self.source;
        let to = self.opened;
        let patch = to.key[2] as usize;
        let vertices = patches.vertices(patch);
        let (until, is_whole) = (to.until, to.until >= 1.0);
        let margin = widened + if is_whole { 0.0 } else { MARGIN };
        // Images of the vertices at both ends; a patch has at most 192.
        let mut images = [[[0f32; 4]; 2]; 256];
        to.bounds = MovingBox::EMPTY;
        for (image, &v) in images.iter_mut().zip(vertices) {
            let (mut p, mut q) = ([0.0; 4], [0.0; 4]);
            S::F32x4::map(simd, &start[v as usize], map).store(&mut p);
            S::F32x4::map(simd, &end[v as usize], map).store(&mut q);
            if !is_whole {
                for k in 0..3 {
                    q[k] = p[k] + (q[k] - p[k]) * until;
                }
            }
            let at = |p: [f32; 4]| Aabb32 { min: p, max: p };
            to.bounds = to.bounds.union(&MovingBox { start: at(p), end: at(q) });
            *image = [p, q];
        }
        for k in 0..3 {
            to.bounds.start.min[k] -= widened;
            to.bounds.start.max[k] += widened;
            to.bounds.end.min[k] -= margin;
            to.bounds.end.max[k] += margin;
        }
        let Slots { vertices: own, edges } = &mut to.slots;
        own.clear();
        edges.clear();
        for (place, &[a, b, c, _]) in patches.places(patch).zip(patches.corners(patch)) {
            // Vertices of a patch ascend, and so do their slots.
            let (bits, corners) = (representatives.of(patches.id(place)), ascending([a, b, c]));
            own.extend(bits.vertices(corners).map(|slot| [slot]));
            edges.extend(bits.edges(corners));
        }
        let margins = [widened, margin];
        fill(simd, &mut to.vertices, own, vertices, &images, margins);
        fill(simd, &mut to.triangles, patches.corners(patch), vertices, &images, margins);
        fill(simd, &mut to.edges, edges, vertices, &images, margins);
    }
}

/// Boxes and vertices of features; the first N of the corners count.
#[inline(always)]
fn fill<S: Simd, const N: usize, const M: usize>(
    simd: S,
    rows: &mut Rows<N>,
    corners: &[[u8; M]],
    vertices: &[u32],
    images: &[[[f32; 4]; 2]; 256],
    margins: [f32; 2],
) {
    rows.len = corners.len();
    rows.boxes.resize(corners.len().div_ceil(WIDTH), [Aabb32x8::EMPTY; 2]);
    rows.ids.resize(corners.len().div_ceil(WIDTH), [Ids([0; WIDTH]); N]);
    let last = corners.len().saturating_sub(1);
    let origin = S::F32x4::load(simd, &[0.0; 4]);
    let margins = [S::F32x8::splat(simd, margins[0]), S::F32x8::splat(simd, margins[1])];
    for (row, (boxes, ids)) in rows.boxes.iter_mut().zip(&mut rows.ids).enumerate() {
        let (mut low, mut high) = ([[origin; WIDTH]; 2], [[origin; WIDTH]; 2]);
        for lane in 0..WIDTH {
            let corners = &corners[(row * WIDTH + lane).min(last)];
            for k in 0..N {
                let corner = usize::from(corners[k]);
                ids[k].0[lane] = vertices[corner];
                for end in 0..2 {
                    let p = S::F32x4::load(simd, &images[corner][end]);
                    (low[end][lane], high[end][lane]) =
                        if k == 0 { (p, p) } else { (low[end][lane].min(p), high[end][lane].max(p)) };
                }
            }
        }
        for end in 0..2 {
            let (low, high) = (S::F32x4::transpose(low[end]), S::F32x4::transpose(high[end]));
            let to: &mut [Row; 6] = &mut boxes[end].rows;
            for k in 0..3 {
                (low[k] - margins[end]).store(&mut to[k]);
                (high[k] + margins[end]).store(&mut to[k + 3]);
            }
        }
    }
}
