//! Which triangles fall into which window.

use super::super::lattice::{Lattice, MOVE};
use super::super::raster::tile::SIDE;
use super::super::snapped::{self, Soup};
use crate::geometry::lanes::{self, Lanes, WIDTH};

/// The triangles of one body in each window, in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    /// One set of lists per stretch of triangles that a worker took.
    parts: Vec<Part>,
    /// Windows along x and y.
    pub windows: [usize; 2],
}

#[derive(Debug, Default)]
struct Part {
    lists: Vec<Vec<u32>>,
    depth: Vec<[i32; 2]>,
    /// Whether a triangle above the volume of interest was left out.
    has_overhead: bool,
    /// Twice the area of the triangles as seen along the three axes, or more. An integer, so that it is the same however
    /// many workers share the triangles.
    swept: u128,
}

/// The triangles of one window.
#[derive(Clone, Copy)]
pub(crate) struct List<'a> {
    parts: &'a [Part],
    window: usize,
}

impl<'a> List<'a> {
    pub fn len(self) -> usize {
        self.parts.iter().map(|part| part.lists[self.window].len()).sum()
    }

    /// The list in pieces.
    pub fn slices(self) -> impl Iterator<Item = &'a [u32]> {
        self.parts.iter().map(move |part| &part.lists[self.window][..])
    }
}

/// Whether triangles wholly above the volume of interest are left out: they decide nothing about what is below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overhead {
    Skip,
    Keep,
}

/// A list of triangles that was found elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Given([Part; 1]);

impl Given {
    pub fn new(triangles: Vec<u32>) -> Self {
        Self([Part { lists: vec![triangles], ..Part::default() }])
    }

    pub fn list(&self) -> List<'_> {
        List { parts: &self.0, window: 0 }
    }
}

impl Bins {
    /// Sorts the triangles into windows.
    pub fn fill(&mut self, soup: &Soup<'_>, overhead: Overhead) {
        let lattice = soup.lattice;
        self.windows = lattice.resolution.map(|n| n.div_ceil(SIDE) as usize);
        let windows = self.windows[0] * self.windows[1];
        let workers = workers();
        self.parts.resize_with(workers, Part::default);
        for part in &mut self.parts {
            part.lists.iter_mut().for_each(Vec::clear);
            part.lists.resize_with(windows, Vec::new);
            part.depth.clear();
            part.depth.resize(windows, [i32::MAX, i32::MIN]);
            (part.has_overhead, part.swept) = (false, 0);
        }
        let chunk = soup.triangles.len().div_ceil(workers).max(1);
        let across = self.windows[0];
        let run = |(k, part): (usize, &mut Part)| {
            let first = (k * chunk).min(soup.triangles.len());
            let last = (first + chunk).min(soup.triangles.len());
            lanes::run(Fill { part, soup, range: first..last, across, lattice, overhead });
        };
        super::super::for_each(&mut self.parts, run);
    }

    /// A range of depth that holds the part of the body over a window; `None` where there is no triangle.
    pub fn depth(&self, window: usize) -> Option<[i32; 2]> {
        let join = |d: [i32; 2], p: &Part| [d[0].min(p.depth[window][0]), d[1].max(p.depth[window][1])];
        let depth = self.parts.iter().fold([i32::MAX, i32::MIN], join);
        let top = if self.has_overhead() { i32::MAX } else { depth[1] };
        (depth[0] <= depth[1]).then_some([depth[0], top])
    }

    /// Whether a triangle above the volume of interest was left out.
    pub fn has_overhead(&self) -> bool {
        self.parts.iter().any(|p| p.has_overhead)
    }

    pub fn list(&self, window: usize) -> List<'_> {
        List { parts: &self.parts, window }
    }

    /// A bound on the volume that snapping sweeps within the volume of interest.
    pub fn moved(&self) -> f64 {
        // The last factor covers the roundings.
        0.5 * MOVE * self.parts.iter().map(|p| p.swept).sum::<u128>() as f64 * (1.0 + 1e-15)
    }
}

impl Part {
    #[inline(always)]
    fn fill<L: Lanes>(
        &mut self,
        lanes: L,
        soup: &Soup<'_>,
        range: std::ops::Range<usize>,
        across: usize,
        lattice: &Lattice,
        overhead: Overhead,
    ) {
        let size = lattice.size;
        let top = lanes.splat(if overhead == Overhead::Skip { size[2] } else { i32::MAX });
        // With four pixels or fewer there is one window, and shifting by 31 says so.
        let shift = (lattice.shift + SIDE.trailing_zeros()).min(31);
        let (least, most, zero) = (lanes.splat(i32::MIN), lanes.splat(i32::MAX), lanes.splat(0));
        // Of the triangles that are kept: number, depths, first and last window along x and along y, sides.
        let mut kept = [[0; WIDTH]; 10];
        let mut swept = 0;
        for first in range.clone().step_by(WIDTH) {
            let eight = &soup.triangles[first..(first + WIDTH).min(range.end)];
            let [min, max] = snapped::boxes(lanes, soup.vertices, |i| eight[i.min(eight.len() - 1)]);
            let beside = |k: usize| {
                lanes
                    .or(lanes.outside(min[k], least, lanes.splat(size[k])), lanes.outside(max[k], zero, most))
            };
            let all = (1 << eight.len()) - 1;
            let seen = lanes.zeros(lanes.or(beside(0), beside(1))) & all;
            let mask = seen & lanes.zeros(lanes.outside(min[2], least, top));
            self.has_overhead |= seen != mask;
            let window = |x, k: usize| {
                let held = lanes.min(lanes.max(x, zero), lanes.splat(size[k] - 1));
                lanes.shift_right(held, shift)
            };
            let ids: [i32; WIDTH] = std::array::from_fn(|i| (first + i) as i32);
            let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
            let (i0, i1, j0, j1) = (window(x0, 0), window(x1, 0), window(y0, 1), window(y1, 1));
            let is_cut = |k: usize| {
                lanes
                    .or(lanes.outside(min[k], zero, most), lanes.outside(max[k], least, lanes.splat(size[k])))
            };
            let is_cut = lanes.or(lanes.or(is_cut(0), is_cut(1)), is_cut(2));
            lanes.compress(lanes.load(&ids, 0), mask, &mut kept[0], 0);
            lanes.compress(z0, mask, &mut kept[1], 0);
            lanes.compress(z1, mask, &mut kept[2], 0);
            lanes.compress(i0, mask, &mut kept[3], 0);
            lanes.compress(i1, mask, &mut kept[4], 0);
            lanes.compress(j0, mask, &mut kept[5], 0);
            lanes.compress(j1, mask, &mut kept[6], 0);
            // What lies below the volume of interest sweeps nothing in it.
            let is_near = lanes.outside(z1, least, lanes.splat(-5));
            let (x, y) = (side(lanes, size[0], x0, x1, is_cut), side(lanes, size[1], y0, y1, is_cut));
            lanes.compress(lanes.and(x, is_near), mask, &mut kept[7], 0);
            lanes.compress(lanes.and(y, is_near), mask, &mut kept[8], 0);
            lanes.compress(side(lanes, size[2], z0, z1, is_cut), mask, &mut kept[9], 0);
            let count = mask.count_ones() as usize % (WIDTH + 1);
            let area = |k: usize| {
                let [x, y, z] = [kept[7][k] as u64, kept[8][k] as u64, kept[9][k] as u64];
                x * (y + z) + y * z
            };
            // Each is below 2^59.
            swept += u128::from((0..count).map(area).sum::<u64>());
            // Neighbours in the list are mostly neighbours in space.
            let (i, j) = (kept[3][0], kept[5][0]);
            let same = |a, b, x: i32| {
                let x = lanes.splat(x);
                lanes.or(lanes.outside(a, x, x), lanes.outside(b, x, x))
            };
            if mask & !lanes.zeros(lanes.or(same(i0, i1, i), same(j0, j1, j))) == 0 {
                if count > 0 {
                    self.push(j as usize * across + i as usize, &kept, 0..count);
                }
                continue;
            }
            for k in 0..count {
                for j in kept[5][k]..=kept[6][k] {
                    for i in kept[3][k]..=kept[4][k] {
                        self.push(j as usize * across + i as usize, &kept, k..k + 1);
                    }
                }
            }
        }
        self.swept = swept;
    }

    #[inline(always)]
    fn push(
        &mut self,
        window: usize,
        [ids, low, high, ..]: &[[i32; WIDTH]; 10],
        range: std::ops::Range<usize>,
    ) {
        self.lists[window].extend(ids[range.clone()].iter().map(|&t| t as u32));
        let depth = &mut self.depth[window];
        depth[0] = low[range.clone()].iter().fold(depth[0], |a, &b| a.min(b));
        depth[1] = high[range].iter().fold(depth[1], |a, &b| a.max(b));
    }
}

/// The sides of boxes along an axis, cut to the volume of interest. Twice the area of a triangle as seen along the three
/// axes is never more than xy + yz + zx of these.
///
/// A triangle fills no more than half of the side of its box, but it may fill all that a volume of interest leaves of the
/// side; sides are then longer by a half, which is more than the root of two.
#[inline(always)]
fn side<L: Lanes>(lanes: L, size: i32, min: L::Ints, max: L::Ints, is_cut: L::Ints) -> L::Ints {
    // A vertex that moves by a unit along each axis reaches a unit further at either end.
    let (low, high) = (lanes.max(min, lanes.splat(-2)), lanes.min(max, lanes.splat(size + 2)));
    let side = lanes.max(lanes.plus(lanes.minus(high, low), lanes.splat(2)), lanes.splat(0));
    let more = lanes.plus(lanes.shift_right(side, 1), lanes.splat(1));
    lanes.plus(side, lanes.and(more, is_cut))
}

/// [`Part::fill`], compiled for the processor at hand.
struct Fill<'a, 'b> {
    part: &'a mut Part,
    soup: &'a Soup<'b>,
    range: std::ops::Range<usize>,
    across: usize,
    lattice: &'a Lattice,
    overhead: Overhead,
}

impl lanes::Work for Fill<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.part.fill(lanes, self.soup, self.range, self.across, self.lattice, self.overhead);
    }
}

/// Workers of the current pool.
pub(crate) fn workers() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}
