//! Rays of a whole image, four at a time: which triangles they cross, by edge functions in double precision that are exact.
//!
//! Depths are then found by exact integers, as [`View`](super::super::image::View) lays down: 64 bits hold the remainder that says
//! whether a quotient was rounded the right way.

use std::ops::Range;

use super::super::body::{SnappedBody, boxes};
use super::super::image::layers::Layer;
use super::super::lattice::{self, LIMIT, MAX_RESOLUTION};
use super::crossings::crossing;
use super::edges::{FourEdges, SMALL};
use crate::TriangleId;
use crate::geometry::quantize::ROUND;
use crate::geometry::simd::{F64x4, I32x8, Mask, Simd, WIDTH, multiversion};

/// Triangles that are worked through at a time, step by step, while what is known of them is in the caches.
const BATCH: usize = 1024;

/// As many, and room for four more.
const ROOM: usize = BATCH + 4;

/// Crossings whose depth is not known yet. Branch-free append: always store, then advance `len`.
#[derive(Debug, Default)]
pub(crate) struct CentreRays {
    classes: CentreClasses,
    /// Of the triangles with several centres, `ROOM` numbers each: three edge functions at the first centre, more by one
    /// where a ray through the edge counts as inside of it, and their steps along x and along y.
    edges: Vec<f64>,
    /// Pixels: x, and y times 2^13. There is room for more than were found, here and below.
    pixels: Vec<u32>,
    triangles: Vec<u32>,
    len: usize,
}

/// Triangles by the number of centres in their boxes. There is room for eight more in each list.
#[derive(Debug, Default)]
struct CentreClasses {
    /// One centre: triangle, and where it is.
    ones: Vec<i32>,
    x: Vec<i32>,
    y: Vec<i32>,
    one: usize,
    /// Several centres: triangle, and the first and last along x and along y.
    several: Vec<i32>,
    x0: Vec<i32>,
    x1: Vec<i32>,
    y0: Vec<i32>,
    y1: Vec<i32>,
    more: usize,
    /// Not small, or far.
    large: Vec<i32>,
    rest: usize,
}

impl CentreClasses {
    fn lists(&mut self) -> [&mut Vec<i32>; 9] {
        let Self { ones, x, y, several, x0, x1, y0, y1, large, .. } = self;
        [ones, x, y, several, x0, x1, y0, y1, large]
    }
}

impl CentreRays {
    /// Adds column and layer of every crossing of the triangles in a range to `out`, always in the same order; `other` is
    /// asked for those of each triangle that is not small.
    pub fn cross(
        &mut self,
        body: &SnappedBody<'_>,
        range: Range<usize>,
        out: &mut Vec<(u32, Layer)>,
        mut other: impl FnMut(TriangleId, &mut Vec<(u32, Layer)>),
    ) {
        for first in range.clone().step_by(BATCH) {
            // Each step on its own: all in one, the processor has too few registers.
            let range = first..(first + BATCH).min(range.end);
            classify_centres(&mut self.classes, body, range);
            cast_four(self, body);
            set_up(self, body);
            cast_rows(self);
            give(self, body, out);
            for i in 0..self.classes.rest {
                other(TriangleId(self.classes.large[i] as u32), out);
            }
        }
    }
}

multiversion! {
    /// Sorts triangles out by the centres in their boxes.
    fn classify_centres<S: Simd>(
        simd: S,
        classes: &mut CentreClasses,
        body: &SnappedBody<'_>,
        range: Range<usize>,
    ) {
        let &SnappedBody { ref lattice, vertices, triangles, .. } = body;
        for list in classes.lists() {
            list.resize(BATCH + WIDTH, 0);
        }
        (classes.one, classes.more, classes.rest) = (0, 0, 0);
        let half = 1 << (lattice.shift - 1);
        let zero = S::I32x8::splat(simd, 0);
        let (lowest, highest) = (S::I32x8::splat(simd, 1 - LIMIT), S::I32x8::splat(simd, LIMIT - 1));
        let small = S::I32x8::splat(simd, if lattice.shift <= SMALL.trailing_zeros() { SMALL } else { -1 });
        let last = [
            S::I32x8::splat(simd, lattice.resolution[0] as i32 - 1),
            S::I32x8::splat(simd, lattice.resolution[1] as i32 - 1),
        ];
        for first in range.clone().step_by(WIDTH) {
            let eight = &triangles[first..(first + WIDTH).min(range.end)];
            let [min, max] = boxes(simd, vertices, |i| eight[i.min(eight.len() - 1)]);
            let from = |k: usize| {
                let pixel = (min[k] + S::I32x8::splat(simd, half - 1)) >> lattice.shift;
                pixel.max(zero)
            };
            let to = |k: usize| {
                let pixel = (max[k] + S::I32x8::splat(simd, -half)) >> lattice.shift;
                pixel.min(last[k])
            };
            let (x0, x1, y0, y1) = (from(0), to(0), from(1), to(1));
            let all = (1 << eight.len()) - 1;
            let met = (!(x0.gt(x1) | y0.gt(y1))).bitmask() & all;
            let is_one = (!(x1.gt(x0) | y1.gt(y0))).bitmask();
            // A difference of coordinates within ±2^30 wraps only where it is 2^31, and is negative then.
            let (wide, high) = (max[0] - min[0], max[1] - min[1]);
            // What is held at the limit along the rays is far, however small it is across.
            let deep = min[2].lt(lowest) | max[2].gt(highest);
            let across = wide.outside(zero, small) | high.outside(zero, small);
            let is_small = (!(deep | across)).bitmask();
            let ids: [i32; WIDTH] = std::array::from_fn(|i| (first + i) as i32);
            let ids = S::I32x8::load(simd, &ids);
            let mask = met & is_small & is_one;
            ids.compress(mask, &mut classes.ones[classes.one..]);
            x0.compress(mask, &mut classes.x[classes.one..]);
            y0.compress(mask, &mut classes.y[classes.one..]);
            classes.one += mask.count_ones() as usize;
            let mask = met & is_small & !is_one;
            ids.compress(mask, &mut classes.several[classes.more..]);
            x0.compress(mask, &mut classes.x0[classes.more..]);
            x1.compress(mask, &mut classes.x1[classes.more..]);
            y0.compress(mask, &mut classes.y0[classes.more..]);
            y1.compress(mask, &mut classes.y1[classes.more..]);
            classes.more += mask.count_ones() as usize;
            ids.compress(met & !is_small, &mut classes.large[classes.rest..]);
            classes.rest += (met & !is_small).count_ones() as usize;
        }
        // What fills up the last four must be a triangle too.
        classes.ones[classes.one..classes.one + 4].fill(range.start as i32);
        classes.several[classes.more..classes.more + 4].fill(range.start as i32);
    }
}

multiversion! {
    /// Casts one ray each for triangles with one centre in their box.
    fn cast_four<S: Simd>(simd: S, rays: &mut CentreRays, body: &SnappedBody<'_>) {
        let classes = std::mem::take(&mut rays.classes);
        rays.make_room(classes.one);
        for at in (0..classes.one).step_by(4) {
            rays.cast_four(simd, body, &classes, at);
        }
        rays.classes = classes;
    }
}

multiversion! {
    /// Finds the edge functions of triangles with several centres in their boxes.
    fn set_up<S: Simd>(simd: S, rays: &mut CentreRays, body: &SnappedBody<'_>) {
        let CentreRays { classes, edges, .. } = rays;
        let &SnappedBody { ref lattice, vertices, triangles, .. } = body;
        edges.resize(9 * ROOM, 0.0);
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let (half, pixel) = (splat(0.5), splat(f64::from(1 << lattice.shift)));
        for at in (0..classes.more).step_by(4) {
            let corners = |i: usize| lattice::corners(vertices, &triangles[classes.several[at + i] as usize]);
            let (x, y) =
                (S::F64x4::from_i32(simd, &classes.x0[at..]), S::F64x4::from_i32(simd, &classes.y0[at..]));
            let centre = [(x + half) * pixel, (y + half) * pixel];
            let of = FourEdges::new(simd, &[corners(0), corners(1), corners(2), corners(3)], centre);
            for k in 0..3 {
                of.inner(k).store(&mut edges[k * ROOM + at..]);
                ((splat(0.0) - of.dy[k]) * pixel).store(&mut edges[(3 + k) * ROOM + at..]);
                (of.dx[k] * pixel).store(&mut edges[(6 + k) * ROOM + at..]);
            }
        }
    }
}

multiversion! {
    /// Casts all rays in the boxes of triangles with several.
    fn cast_rows<S: Simd>(simd: S, rays: &mut CentreRays) {
        let classes = std::mem::take(&mut rays.classes);
        for i in 0..classes.more {
            rays.cast_rows(simd, &classes, i);
        }
        rays.classes = classes;
    }
}

multiversion! {
    /// Finds the depths, and forgets the crossings.
    fn give<S: Simd>(simd: S, rays: &mut CentreRays, body: &SnappedBody<'_>, out: &mut Vec<(u32, Layer)>) {
        let &SnappedBody { ref lattice, vertices, triangles, .. } = body;
        let len = std::mem::take(&mut rays.len);
        let first = out.len();
        out.resize(first + len, (0, Layer::default()));
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let (half, round, pixel) = (splat(0.5), splat(ROUND), splat(f64::from(1 << lattice.shift)));
        let found = rays.pixels[..len].chunks(4).zip(rays.triangles[..len].chunks(4));
        for (out, (pixels, ids)) in out[first..].chunks_mut(4).zip(found) {
            // The last four may be fewer; the first then fills the rest.
            let at = |i: usize| if i < ids.len() { i } else { 0 };
            let corners = |i: usize| lattice::corners(vertices, &triangles[ids[at(i)] as usize]);
            let corners = [corners(0), corners(1), corners(2), corners(3)];
            let place = |i: usize| [pixels[at(i)] & (MAX_RESOLUTION - 1), pixels[at(i)] / MAX_RESOLUTION];
            let places = [place(0), place(1), place(2), place(3)];
            let side = |k: usize| [places[0][k], places[1][k], places[2][k], places[3][k]].map(f64::from);
            let centre = [
                (S::F64x4::from_array(simd, side(0)) + half) * pixel,
                (S::F64x4::from_array(simd, side(1)) + half) * pixel,
            ];
            let edges = FourEdges::new(simd, &corners, centre);
            let ([ab, _, ca], [az, bz, cz]) = (edges.values, edges.z);
            // Off by less than 2^-18: weights are at most 1, depths below 2^32, and there are four roundings.
            let up = (ca * (bz - az) + ab * (cz - az)) / edges.area2();
            let whole = (up - half) + round - round;
            let rest = up - whole;
            let doubt = (splat(1e-4) - rest).max(rest - splat(1.0 - 1e-4)).gt(splat(0.0)).bitmask();
            let leaves = edges.sign.gt(splat(0.0)).bitmask();
            let mut depths = [0; 4];
            (az + whole + round).compress_low(0xf, &mut depths);
            for (i, out) in out.iter_mut().enumerate() {
                let (mut depth, step) = (depths[i] as i32, 1 - 2 * (leaves >> i & 1) as i32);
                if doubt >> i & 1 != 0 {
                    depth = crossing(corners[i], lattice.centre(places[i]));
                }
                *out = (lattice.column(places[i]) as u32, Layer::new(depth, TriangleId(ids[i]), step));
            }
        }
    }
}

impl CentreRays {
    /// One ray each for the four triangles from `at` on.
    #[inline(always)]
    fn cast_four<S: Simd>(
        &mut self,
        simd: S,
        &SnappedBody { ref lattice, vertices, triangles, .. }: &SnappedBody<'_>,
        CentreClasses { ones: ids, x, y, one: len, .. }: &CentreClasses,
        at: usize,
    ) {
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let corners = |i: usize| lattice::corners(vertices, &triangles[ids[at + i] as usize]);
        let (column, row) = (S::F64x4::from_i32(simd, &x[at..]), S::F64x4::from_i32(simd, &y[at..]));
        let (half, pixel) = (splat(0.5), splat(f64::from(1 << lattice.shift)));
        let centre = [(column + half) * pixel, (row + half) * pixel];
        let edges = FourEdges::new(simd, &[corners(0), corners(1), corners(2), corners(3)], centre);
        let inside = edges.inner(0).min(edges.inner(1)).min(edges.inner(2));
        let crossed = inside.gt(splat(0.0)).bitmask() & (0xf >> (4 - (len - at).min(4)));
        let round = splat(ROUND);
        self.push_four::<S>(
            crossed,
            row * splat(ROW) + column + round,
            S::F64x4::from_i32(simd, &ids[at..]) + round,
        );
    }

    /// All rays in the box of the triangle that was set up in place `i`.
    #[inline(always)]
    fn cast_rows<S: Simd>(&mut self, simd: S, classes: &CentreClasses, i: usize) {
        let (x0, x1, y0, y1) = (classes.x0[i], classes.x1[i], classes.y0[i], classes.y1[i]);
        self.make_room(((x1 - x0 + 1) * (y1 - y0 + 1)) as usize);
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let count = S::F64x4::from_array(simd, [0.0, 1.0, 2.0, 3.0]);
        let edges: &[f64; 9 * ROOM] = self.edges[..9 * ROOM].try_into().expect("as many as there are");
        let edges = |k: usize| splat(edges[k * ROOM + i % ROOM]);
        let (along_a, along_b, along_c) = (edges(3), edges(4), edges(5));
        let (up_a, up_b, up_c) = (edges(6), edges(7), edges(8));
        let mut row_a = edges(0) + along_a * count;
        let mut row_b = edges(1) + along_b * count;
        let mut row_c = edges(2) + along_c * count;
        let ids = splat(f64::from(classes.several[i]) + ROUND);
        let mut row = splat(f64::from(x0) + f64::from(y0) * ROW + ROUND) + count;
        let (across, four) = (splat(ROW), splat(4.0));
        for _ in y0..=y1 {
            let (mut a, mut b, mut c, mut words) = (row_a, row_b, row_c, row);
            let mut left = x1 - x0 + 1;
            loop {
                let is_there = 0xf >> (4 - left.min(4));
                self.push_four::<S>(a.min(b).min(c).gt(splat(0.0)).bitmask() & is_there, words, ids);
                left -= 4;
                if left <= 0 {
                    break;
                }
                (a, b, c) = (a + along_a * four, b + along_b * four, c + along_c * four);
                words = words + four;
            }
            (row_a, row_b, row_c) = (row_a + up_a, row_b + up_b, row_c + up_c);
            row = row + across;
        }
    }

    /// Makes room for so many more, and for three that are not kept.
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        let need = self.len + more + 4;
        if self.pixels.len() < need {
            self.pixels.resize(2 * need, 0);
            self.triangles.resize(2 * need, 0);
        }
    }

    #[inline(always)]
    fn push_four<S: Simd>(&mut self, mask: u32, pixels: S::F64x4, ids: S::F64x4) {
        pixels.compress_low(mask, &mut self.pixels[self.len..]);
        ids.compress_low(mask, &mut self.triangles[self.len..]);
        self.len += mask.count_ones() as usize;
    }
}

/// From a row of pixels to the next.
const ROW: f64 = MAX_RESOLUTION as f64;
