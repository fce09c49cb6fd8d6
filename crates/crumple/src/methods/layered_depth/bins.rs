//! Which triangles fall into which window.

use super::lattice::Lattice;
use super::soup::Soup;
use super::window::SIDE;
use crate::geometry::lanes;

/// The triangles of one body in each window, in ascending order.
#[derive(Debug, Default)]
pub(super) struct Bins {
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
}

/// The triangles of one window.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
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
pub(super) enum Overhead {
    Skip,
    Keep,
}

/// A list of triangles that was found elsewhere.
#[derive(Debug, Default)]
pub(super) struct Given([Part; 1]);

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
            part.has_overhead = false;
        }
        let chunk = soup.triangles.len().div_ceil(workers).max(1);
        let across = self.windows[0];
        let run = |(k, part): (usize, &mut Part)| {
            let first = (k * chunk).min(soup.triangles.len());
            let last = (first + chunk).min(soup.triangles.len());
            lanes::run(Fill { part, soup, range: first..last, across, lattice, overhead });
        };
        super::for_each(&mut self.parts, run);
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
}

impl Part {
    #[inline(always)]
    fn fill(
        &mut self,
        soup: &Soup<'_>,
        range: std::ops::Range<usize>,
        across: usize,
        lattice: &Lattice,
        overhead: Overhead,
    ) {
        let size = lattice.size;
        let top = if overhead == Overhead::Skip { size[2] } else { i32::MAX };
        // With four pixels or fewer there is one window, and shifting by 31 says so.
        let shift = (lattice.shift + SIDE.trailing_zeros()).min(31);
        for (t, corners) in range.clone().zip(&soup.triangles[range]) {
            let [a, b, c] = super::lattice::corners(soup.vertices, corners);
            let min = |k: usize| a[k].min(b[k]).min(c[k]);
            let max = |k: usize| a[k].max(b[k]).max(c[k]);
            let (x0, x1, y0, y1) = (min(0), max(0), min(1), max(1));
            if x1 < 0 || x0 > size[0] || y1 < 0 || y0 > size[1] {
                continue;
            }
            let (z0, z1) = (min(2), max(2));
            if z0 > top {
                self.has_overhead = true;
                continue;
            }
            let (i0, i1) = (x0.max(0) >> shift, x1.min(size[0] - 1) >> shift);
            let (j0, j1) = (y0.max(0) >> shift, y1.min(size[1] - 1) >> shift);
            for j in j0..=j1 {
                for i in i0..=i1 {
                    let window = j as usize * across + i as usize;
                    self.lists[window].push(t as u32);
                    let depth = &mut self.depth[window];
                    *depth = [depth[0].min(z0), depth[1].max(z1)];
                }
            }
        }
    }
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
    fn run<L: lanes::Lanes>(self, _: L) {
        self.part.fill(self.soup, self.range, self.across, self.lattice, self.overhead);
    }
}

/// Workers of the current pool.
pub(super) fn workers() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}
