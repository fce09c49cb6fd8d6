//! The pass over the positions of a frame: a copy, their box, and the box of their displacements, four numbers at a time.

use super::motion::Motion;
use crate::geometry::simd::{Kernel, Simd};
use crate::geometry::{Aabb, Point};
use crate::{MAX_COORDINATE, Positions};

/// Copies positions, and looks at them on the way.
pub(super) struct Copy<'a> {
    pub given: Positions<'a>,
    /// Where they were.
    pub old: &'a [Point],
    pub new: &'a mut [Point],
}

/// What was seen of the positions.
pub(super) struct Copied {
    pub places: Aabb,
    pub steps: Motion,
    /// Whether all are numbers that the engine takes.
    pub is_valid: bool,
}

impl Kernel for Copy<'_> {
    type Output = Copied;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Copied {
        match self.given {
            Positions::F64(p) => copy(p, self.old, self.new, |x| x),
            Positions::F32(p) => copy(p, self.old, self.new, f64::from),
        }
    }
}

/// Numbers in a register.
pub(super) const LANES: usize = 4;
pub(super) type Four = [f64; LANES];
/// Four points: twelve numbers, three registers.
const STRIDE: usize = 3 * LANES;
/// Strides between two looks at whether all are numbers; they stay in the first cache.
const STRIDES: usize = 32;

/// The smallest and largest of each of twelve numbers.
struct Range {
    least: [Four; 3],
    most: [Four; 3],
}

impl Range {
    const EMPTY: Self = Self { least: [[f64::INFINITY; LANES]; 3], most: [[f64::NEG_INFINITY; LANES]; 3] };

    /// Not in a loop: the twelve registers that this needs would be kept in memory, and where that is not aligned an update
    /// takes twice the time.
    #[inline(always)]
    fn add(&mut self, [x, y, z]: [Four; 3]) {
        self.least[0] = smaller(x, self.least[0]);
        self.least[1] = smaller(y, self.least[1]);
        self.least[2] = smaller(z, self.least[2]);
        self.most[0] = larger(x, self.most[0]);
        self.most[1] = larger(y, self.most[1]);
        self.most[2] = larger(z, self.most[2]);
    }

    /// By coordinate: every third number is of the same.
    fn corners(&self) -> [Point; 2] {
        let (least, most) = (self.least.as_flattened(), self.most.as_flattened());
        [
            std::array::from_fn(|k| least[k..].iter().step_by(3).copied().fold(f64::INFINITY, f64::min)),
            std::array::from_fn(|k| most[k..].iter().step_by(3).copied().fold(f64::NEG_INFINITY, f64::max)),
        ]
    }
}

#[inline(always)]
fn copy<T: std::marker::Copy>(
    from: &[[T; 3]],
    old: &[Point],
    new: &mut [Point],
    wide: impl Fn(T) -> f64,
) -> Copied {
    let (from, old, new) = (from.as_flattened(), old.as_flattened(), new.as_flattened_mut());
    let (mut places, mut steps, mut is_valid) = (Range::EMPTY, Range::EMPTY, true);
    let chunks = from.chunks(STRIDES * STRIDE).zip(old.chunks(STRIDES * STRIDE));
    for ((from, old), new) in chunks.zip(new.chunks_mut(STRIDES * STRIDE)) {
        let mut good = 0;
        for (x, from) in new.iter_mut().zip(from) {
            *x = wide(*from);
            // NaN and infinities fail the comparison too.
            good += u64::from(x.abs() <= MAX_COORDINATE);
        }
        is_valid &= good == from.len() as u64;
        let (strides, rest) = new.as_chunks::<STRIDE>();
        let (old_strides, old_rest) = old.as_chunks::<STRIDE>();
        for (x, old) in strides.iter().zip(old_strides) {
            let (x, old) = (fours(x), fours(old));
            places.add(x);
            steps.add([minus(x[0], old[0]), minus(x[1], old[1]), minus(x[2], old[2])]);
        }
        if !rest.is_empty() {
            // Pad with the first leftover point; min and max do not change.
            let fill = |row: &[f64]| -> [f64; STRIDE] {
                std::array::from_fn(|i| row[if i < row.len() { i } else { i % 3 }])
            };
            let (x, old) = (fours(&fill(rest)), fours(&fill(old_rest)));
            places.add(x);
            steps.add([minus(x[0], old[0]), minus(x[1], old[1]), minus(x[2], old[2])]);
        }
    }
    let ([min, max], [back, ahead]) = (places.corners(), steps.corners());
    Copied { places: Aabb { min, max }, steps: Motion { min: back, max: ahead }, is_valid }
}

// Spelled out, so that each becomes one instruction; closures would be compiled without the lanes'.

#[inline(always)]
fn fours(x: &[f64; STRIDE]) -> [Four; 3] {
    [[x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]], [x[8], x[9], x[10], x[11]]]
}

#[inline(always)]
pub(super) fn minus(a: Four, b: Four) -> Four {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline(always)]
pub(super) fn smaller(a: Four, b: Four) -> Four {
    [less(a[0], b[0]), less(a[1], b[1]), less(a[2], b[2]), less(a[3], b[3])]
}

#[inline(always)]
pub(super) fn larger(a: Four, b: Four) -> Four {
    [more(a[0], b[0]), more(a[1], b[1]), more(a[2], b[2]), more(a[3], b[3])]
}

#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn more(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
