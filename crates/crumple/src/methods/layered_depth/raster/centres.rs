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
use super::rows::ROUND;
use crate::TriangleId;
use crate::geometry::lanes::{self, Four, Lanes, WIDTH};

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
            lanes::run(ClassifyCentres { classes: &mut self.classes, body, range });
            lanes::run(CastFour { rays: self, body });
            lanes::run(SetUp { rays: self, body });
            lanes::run(CastRows { rays: self });
            lanes::run(Give { rays: self, body, out });
            for i in 0..self.classes.rest {
                other(TriangleId(self.classes.large[i] as u32), out);
            }
        }
    }
}

/// Sorts triangles out by the centres in their boxes.
struct ClassifyCentres<'a> {
    classes: &'a mut CentreClasses,
    body: &'a SnappedBody<'a>,
    range: Range<usize>,
}

impl lanes::Work for ClassifyCentres<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { classes, body: &SnappedBody { ref lattice, vertices, triangles, .. }, range } = self;
        for list in classes.lists() {
            list.resize(BATCH + WIDTH, 0);
        }
        (classes.one, classes.more, classes.rest) = (0, 0, 0);
        let half = 1 << (lattice.shift - 1);
        let (least, zero, most) = (lanes.splat(i32::MIN), lanes.splat(0), lanes.splat(i32::MAX));
        let (lowest, highest) = (lanes.splat(1 - LIMIT), lanes.splat(LIMIT - 1));
        let small = lanes.splat(if lattice.shift <= SMALL.trailing_zeros() { SMALL } else { -1 });
        let last =
            [lanes.splat(lattice.resolution[0] as i32 - 1), lanes.splat(lattice.resolution[1] as i32 - 1)];
        for first in range.clone().step_by(WIDTH) {
            let eight = &triangles[first..(first + WIDTH).min(range.end)];
            let [min, max] = boxes(lanes, vertices, |i| eight[i.min(eight.len() - 1)]);
            let from = |k: usize| {
                let pixel = lanes.shift_right(lanes.plus(min[k], lanes.splat(half - 1)), lattice.shift);
                lanes.max(pixel, zero)
            };
            let to = |k: usize| {
                let pixel = lanes.shift_right(lanes.plus(max[k], lanes.splat(-half)), lattice.shift);
                lanes.min(pixel, last[k])
            };
            let (x0, x1, y0, y1) = (from(0), to(0), from(1), to(1));
            let all = (1 << eight.len()) - 1;
            let met = lanes.zeros(lanes.or(lanes.outside(x0, least, x1), lanes.outside(y0, least, y1))) & all;
            let is_one = lanes.zeros(lanes.or(lanes.outside(x1, least, x0), lanes.outside(y1, least, y0)));
            // A difference of coordinates within ±2^30 wraps only where it is 2^31, and is negative then.
            let (wide, high) = (lanes.minus(max[0], min[0]), lanes.minus(max[1], min[1]));
            // What is held at the limit along the rays is far, however small it is across.
            let deep = lanes.or(lanes.outside(min[2], lowest, most), lanes.outside(max[2], least, highest));
            let across = lanes.or(lanes.outside(wide, zero, small), lanes.outside(high, zero, small));
            let is_small = lanes.zeros(lanes.or(deep, across));
            let ids: [i32; WIDTH] = std::array::from_fn(|i| (first + i) as i32);
            let ids = lanes.load(&ids, 0);
            let mask = met & is_small & is_one;
            lanes.compress(ids, mask, &mut classes.ones, classes.one);
            lanes.compress(x0, mask, &mut classes.x, classes.one);
            lanes.compress(y0, mask, &mut classes.y, classes.one);
            classes.one += mask.count_ones() as usize;
            let mask = met & is_small & !is_one;
            lanes.compress(ids, mask, &mut classes.several, classes.more);
            lanes.compress(x0, mask, &mut classes.x0, classes.more);
            lanes.compress(x1, mask, &mut classes.x1, classes.more);
            lanes.compress(y0, mask, &mut classes.y0, classes.more);
            lanes.compress(y1, mask, &mut classes.y1, classes.more);
            classes.more += mask.count_ones() as usize;
            lanes.compress(ids, met & !is_small, &mut classes.large, classes.rest);
            classes.rest += (met & !is_small).count_ones() as usize;
        }
        // What fills up the last four must be a triangle too.
        classes.ones[classes.one..classes.one + 4].fill(range.start as i32);
        classes.several[classes.more..classes.more + 4].fill(range.start as i32);
    }
}

/// Casts one ray each for triangles with one centre in their box.
struct CastFour<'a> {
    rays: &'a mut CentreRays,
    body: &'a SnappedBody<'a>,
}

impl lanes::Work for CastFour<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { rays, body } = self;
        let classes = std::mem::take(&mut rays.classes);
        rays.make_room(classes.one);
        for at in (0..classes.one).step_by(4) {
            rays.cast_four(lanes, body, &classes, at);
        }
        rays.classes = classes;
    }
}

/// Finds the edge functions of triangles with several centres in their boxes.
struct SetUp<'a> {
    rays: &'a mut CentreRays,
    body: &'a SnappedBody<'a>,
}

impl lanes::Work for SetUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self {
            rays: CentreRays { classes, edges, .. },
            body: &SnappedBody { ref lattice, vertices, triangles, .. },
        } = self;
        edges.resize(9 * ROOM, 0.0);
        let splat = |x: f64| Four::splat(lanes, x);
        let (half, pixel) = (splat(0.5), splat(f64::from(1 << lattice.shift)));
        for at in (0..classes.more).step_by(4) {
            let corners = |i: usize| lattice::corners(vertices, &triangles[classes.several[at + i] as usize]);
            let (x, y) = (Four::from_ints(lanes, &classes.x0, at), Four::from_ints(lanes, &classes.y0, at));
            let centre = [(x + half) * pixel, (y + half) * pixel];
            let of = FourEdges::new(lanes, &[corners(0), corners(1), corners(2), corners(3)], centre);
            for k in 0..3 {
                of.inner(k).store(edges, k * ROOM + at);
                ((splat(0.0) - of.dy[k]) * pixel).store(edges, (3 + k) * ROOM + at);
                (of.dx[k] * pixel).store(edges, (6 + k) * ROOM + at);
            }
        }
    }
}

/// Casts all rays in the boxes of triangles with several.
struct CastRows<'a> {
    rays: &'a mut CentreRays,
}

impl lanes::Work for CastRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { rays } = self;
        let classes = std::mem::take(&mut rays.classes);
        for i in 0..classes.more {
            rays.cast_rows(lanes, &classes, i);
        }
        rays.classes = classes;
    }
}

/// Finds the depths, and forgets the crossings.
struct Give<'a> {
    rays: &'a mut CentreRays,
    body: &'a SnappedBody<'a>,
    out: &'a mut Vec<(u32, Layer)>,
}

impl lanes::Work for Give<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { rays, body: &SnappedBody { ref lattice, vertices, triangles, .. }, out } = self;
        let len = std::mem::take(&mut rays.len);
        let first = out.len();
        out.resize(first + len, (0, Layer::default()));
        let splat = |x: f64| Four::splat(lanes, x);
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
            let centre =
                [(Four::of(lanes, side(0)) + half) * pixel, (Four::of(lanes, side(1)) + half) * pixel];
            let edges = FourEdges::new(lanes, &corners, centre);
            let ([ab, _, ca], [az, bz, cz]) = (edges.values, edges.z);
            // Off by less than 2^-18: weights are at most 1, depths below 2^32, and there are four roundings.
            let up = (ca * (bz - az) + ab * (cz - az)) / edges.area2();
            let whole = (up - half) + round - round;
            let rest = up - whole;
            let doubt = (splat(1e-4) - rest).max(rest - splat(1.0 - 1e-4)).positive();
            let leaves = edges.sign.positive();
            let mut depths = [0; 4];
            lanes.compress_words((az + whole + round).x, 0xf, &mut depths, 0);
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
    fn cast_four<L: Lanes>(
        &mut self,
        lanes: L,
        &SnappedBody { ref lattice, vertices, triangles, .. }: &SnappedBody<'_>,
        CentreClasses { ones: ids, x, y, one: len, .. }: &CentreClasses,
        at: usize,
    ) {
        let splat = |x: f64| Four::splat(lanes, x);
        let corners = |i: usize| lattice::corners(vertices, &triangles[ids[at + i] as usize]);
        let (column, row) = (Four::from_ints(lanes, x, at), Four::from_ints(lanes, y, at));
        let (half, pixel) = (splat(0.5), splat(f64::from(1 << lattice.shift)));
        let centre = [(column + half) * pixel, (row + half) * pixel];
        let edges = FourEdges::new(lanes, &[corners(0), corners(1), corners(2), corners(3)], centre);
        let inside = edges.inner(0).min(edges.inner(1)).min(edges.inner(2));
        let crossed = inside.positive() & (0xf >> (4 - (len - at).min(4)));
        let round = splat(ROUND);
        self.push_four(
            lanes,
            crossed,
            row * splat(ROW) + column + round,
            Four::from_ints(lanes, ids, at) + round,
        );
    }

    /// All rays in the box of the triangle that was set up in place `i`.
    #[inline(always)]
    fn cast_rows<L: Lanes>(&mut self, lanes: L, classes: &CentreClasses, i: usize) {
        let (x0, x1, y0, y1) = (classes.x0[i], classes.x1[i], classes.y0[i], classes.y1[i]);
        self.make_room(((x1 - x0 + 1) * (y1 - y0 + 1)) as usize);
        let splat = |x: f64| Four::splat(lanes, x);
        let count = Four::of(lanes, [0.0, 1.0, 2.0, 3.0]);
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
                self.push_four(lanes, a.min(b).min(c).positive() & is_there, words, ids);
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
    fn push_four<L: Lanes>(&mut self, lanes: L, mask: u32, pixels: Four<L>, ids: Four<L>) {
        lanes.compress_words(pixels.x, mask, &mut self.pixels, self.len);
        lanes.compress_words(ids.x, mask, &mut self.triangles, self.len);
        self.len += mask.count_ones() as usize;
    }
}

/// From a row of pixels to the next.
const ROW: f64 = MAX_RESOLUTION as f64;
