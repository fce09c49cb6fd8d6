//! Four queries at a time: stages 1 and 2 in vectors, what they leave one by one.

use super::filter::{self, CUBIC, LIMIT, TINY};
use super::motion::Motion;
use super::{ImpactTime, settle};
use crate::geometry::Point;
use crate::geometry::simd::{F64x4, Kernel, Mask, Simd, add3, cross3, dispatch, dot3};

/// Which features a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vertex and the three corners of a triangle.
    VertexTriangle,
    /// The two ends of an edge and the two of another.
    EdgeEdge,
}

/// Collects queries and answers them four at a time, on the stack.
///
/// ```
/// use crumple::narrow::continuous::{Batch, Kind};
/// let start = [[1.0, 1.0, 2.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let mut end = start;
/// end[0][2] = -1.0;
/// let (mut batch, mut hits) = (Batch::new(1.0), Vec::new());
/// batch.push(Kind::VertexTriangle, "first", &start, &end, |id, _| hits.push(id));
/// batch.flush(|id, _| hits.push(id));
/// assert_eq!(hits, ["first"]);
/// ```
#[derive(Debug)]
pub struct Batch<T> {
    /// Contacts after this time need not be told; it may be lowered at any time.
    pub until: f64,
    vertex_triangle: Waiting<T>,
    edge_edge: Waiting<T>,
}

/// Up to four queries of one kind: for each coordinate of the eight points the four numbers.
#[derive(Debug)]
struct Waiting<T> {
    coordinates: [[f64; 4]; 24],
    ids: [Option<T>; 4],
    len: usize,
}

impl<T> Batch<T> {
    /// An empty one.
    pub fn new(until: f64) -> Self {
        Batch { until, vertex_triangle: Waiting::new(), edge_edge: Waiting::new() }
    }

    /// Adds a query. When four of a kind have come together they are answered, each contact by a call of `found`.
    #[inline]
    pub fn push(
        &mut self,
        kind: Kind,
        id: T,
        start: &[Point; 4],
        end: &[Point; 4],
        found: impl FnMut(T, ImpactTime),
    ) {
        let waiting = match kind {
            Kind::VertexTriangle => &mut self.vertex_triangle,
            Kind::EdgeEdge => &mut self.edge_edge,
        };
        if waiting.add(id, start, end) {
            match kind {
                Kind::VertexTriangle => waiting.answer::<3>(self.until, found),
                Kind::EdgeEdge => waiting.answer::<4>(self.until, found),
            }
        }
    }

    /// Answers what is left.
    pub fn flush(&mut self, mut found: impl FnMut(T, ImpactTime)) {
        self.vertex_triangle.answer::<3>(self.until, &mut found);
        self.edge_edge.answer::<4>(self.until, &mut found);
    }
}

impl<T> Waiting<T> {
    fn new() -> Self {
        Waiting { coordinates: [[0.0; 4]; 24], ids: [const { None }; 4], len: 0 }
    }

    /// Whether there are four now.
    #[inline(always)]
    fn add(&mut self, id: T, start: &[Point; 4], end: &[Point; 4]) -> bool {
        let lane = self.len;
        let (first, last) = (start.as_flattened(), end.as_flattened());
        for i in 0..12 {
            self.coordinates[i][lane] = first[i];
            self.coordinates[i + 12][lane] = last[i];
        }
        self.ids[lane] = Some(id);
        self.len += 1;
        self.len == 4
    }

    #[inline]
    fn answer<const K: usize>(&mut self, until: f64, mut found: impl FnMut(T, ImpactTime)) {
        let mut open = dispatch(Stages::<K>(&self.coordinates)) & ((1 << self.len) - 1);
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let point = |i: usize| std::array::from_fn(|k| self.coordinates[3 * i + k][lane]);
            let (start, end): ([Point; 4], [Point; 4]) =
                (std::array::from_fn(point), std::array::from_fn(|i| point(i + 4)));
            let outcome = filter::later_stages(&Motion::<K>::of(&start, &end), until);
            if let Some(time) = settle::<K>(&start, &end, until, outcome)
                && let Some(id) = self.ids[lane].take()
            {
                found(id, time);
            }
        }
        self.len = 0;
    }
}

/// Stages 1 and 2; yields a bit for each lane that they do not settle.
struct Stages<'a, const K: usize>(&'a [[f64; 4]; 24]);

impl<const K: usize> Kernel for Stages<'_, K> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        let load = |point: usize, k: usize| S::F64x4::from_array(simd, self.0[3 * point + k]);
        let zero = S::F64x4::splat(simd, 0.0);
        let mut v = [[[zero; 3]; 4]; 2];
        for i in 0..K {
            let [to, from] = Motion::<K>::ENDS[i];
            for k in 0..3 {
                v[0][i][k] = load(to, k) - load(from, k);
                v[1][i][k] = load(to + 4, k) - load(from + 4, k);
            }
        }
        let [s, e] = v;
        let (mut apart, mut size) = (zero.gt(zero), S::F64x4::splat(simd, 1.0));
        let mut within = !apart;
        for k in 0..3 {
            let (mut low, mut high) = (s[0][k].min(e[0][k]), s[0][k].max(e[0][k]));
            for i in 1..K {
                low = low.min(s[i][k].min(e[i][k]));
                high = high.max(s[i][k].max(e[i][k]));
            }
            apart = apart | low.gt(zero) | zero.gt(high);
            let m = high.max(zero - low);
            within = within & S::F64x4::splat(simd, LIMIT).gt(m);
            size = size * m;
        }
        if apart.bitmask() == 0xf {
            return 0;
        }
        let (low, high) = cubic_range(simd, &s, &e);
        let bound = S::F64x4::splat(simd, CUBIC) * size + S::F64x4::splat(simd, TINY);
        let never = low.gt(bound) | (zero - bound).gt(high);
        (!(apart | (never & within))).bitmask()
    }
}

/// The least and the largest ordinate of 3f, by the same operations in the same order as for one query.
#[inline(always)]
fn cubic_range<S: Simd>(simd: S, s: &[[S::F64x4; 3]; 4], e: &[[S::F64x4; 3]; 4]) -> (S::F64x4, S::F64x4) {
    let three = S::F64x4::splat(simd, 3.0);
    let (first, last) = (cross3(s[1], s[2]), cross3(e[1], e[2]));
    let mixed = add3(cross3(s[1], e[2]), cross3(e[1], s[2]));
    let b0 = three * dot3(s[0], first);
    let b1 = dot3(e[0], first) + dot3(s[0], mixed);
    let b2 = dot3(s[0], last) + dot3(e[0], mixed);
    let b3 = three * dot3(e[0], last);
    (b0.min(b1).min(b2.min(b3)), b0.max(b1).max(b2.max(b3)))
}
