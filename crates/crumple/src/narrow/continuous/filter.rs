//! The certified stages in `f64`, which settle nearly every query. Their bounds are proved on the page of the module.

use super::bernstein::{Ordinates, halve_cubic, halve_quadratic, largest, range, until};
use super::motion::{Motion, plane};
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, max_abs, min, sub};

/// What the filter knows for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// No contact in the time asked about.
    Never,
    /// No contact before `from`; there is one at the only root of the cubic in [from, to], before which it has this sign.
    Contact { from: f64, to: f64, left: i8 },
    /// The exact stage must tell.
    Unknown,
}

const UNIT: f64 = f64::EPSILON / 2.0;
/// Differences are below this, or the exact stage is asked: nothing overflows.
pub(super) const LIMIT: f64 = f64::from_bits((1023 + 300) << 52);
/// More than all products that underflow can amount to.
pub(super) const TINY: f64 = f64::from_bits((1023 - 760) << 52);
/// Errors of the ordinates of 3f, in products of the largest difference along x, along y and along z.
pub(super) const CUBIC: f64 = 177.0 * UNIT;
/// Errors of twice the ordinates of an area, in products of the largest differences along two axes.
const AREA: f64 = 21.0 * UNIT;
/// Pieces of time that are looked at, and how often one is cut.
const PIECES: u32 = 24;
const DEPTH: u32 = 10;

impl<const K: usize> Motion<K> {
    /// Stage 1: at all times strictly on one side along an axis.
    #[inline(always)]
    pub fn apart(&self) -> bool {
        let mut apart = false;
        for k in 0..3 {
            let (mut low, mut high) = (self.start[0][k], self.start[0][k]);
            for i in 0..K {
                low = min(low, min(self.start[i][k], self.end[i][k]));
                high = max(high, max(self.start[i][k], self.end[i][k]));
            }
            apart |= (low > 0.0) | (high < 0.0);
        }
        apart
    }

    /// Stage 1 for the time up to `t`: the differences at t, a weighted mean each, are off by 3u of the larger one and by
    /// two products that underflow.
    fn apart_until(&self, t: f64) -> bool {
        let t = round_up(t);
        (0..3).any(|k| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..K {
                let (s, e) = (self.start[i][k], self.end[i][k]);
                let (then, off) = ((1.0 - t) * s + t * e, 4.0 * UNIT * max_abs(s, e) + TINY);
                low = min(low, min(s, then - off));
                high = max(high, max(s, then + off));
            }
            low > 0.0 || high < 0.0
        })
    }

    /// The largest difference along each axis.
    #[inline(always)]
    fn size(&self) -> Point {
        std::array::from_fn(|k| (0..K).fold(0.0, |m, i| max(m, max_abs(self.start[i][k], self.end[i][k]))))
    }

    /// The ordinates of 3 det(v0, v1, v2).
    #[inline(always)]
    fn cubic(&self) -> Ordinates<4> {
        let (s, e) = (&self.start, &self.end);
        let (first, last) = (cross(&s[1], &s[2]), cross(&e[1], &e[2]));
        let (one, other) = (cross(&s[1], &e[2]), cross(&e[1], &s[2]));
        let mixed = [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
        [
            3.0 * dot(&s[0], &first),
            dot(&e[0], &first) + dot(&s[0], &mixed),
            dot(&s[0], &last) + dot(&e[0], &mixed),
            3.0 * dot(&e[0], &last),
        ]
    }

    /// Twice the ordinates of the areas along an axis.
    #[inline(always)]
    fn areas(&self, axis: usize) -> [Ordinates<3>; K] {
        let [k, l] = plane(axis);
        let minor = |x: &Point, y: &Point| x[k] * y[l] - x[l] * y[k];
        Self::PAIRS.map(|[i, j]| {
            let (s, e) = (&self.start, &self.end);
            let mixed = minor(&s[i], &e[j]) + minor(&e[i], &s[j]);
            [2.0 * minor(&s[i], &s[j]), mixed, 2.0 * minor(&e[i], &e[j])]
        })
    }

    /// The axis along which the normal is largest half-way; any choice is sound.
    #[inline(always)]
    pub fn axis(&self) -> usize {
        let twice = |i: usize| -> Point { std::array::from_fn(|k| self.start[i][k] + self.end[i][k]) };
        let (a, b, c) = (twice(0), twice(1), twice(2));
        let n = cross(&sub(&b, &a), &sub(&c, &a)).map(f64::abs);
        if n[0] >= n[1] && n[0] >= n[2] {
            0
        } else if n[1] >= n[2] {
            1
        } else {
            2
        }
    }
}

/// All stages on the time from 0 to `until`, of which a little more may be looked at.
#[inline]
pub(super) fn decide<const K: usize>(motion: &Motion<K>, until: f64) -> Outcome {
    if motion.apart() || (until < 1.0 && motion.apart_until(until)) {
        Outcome::Never
    } else {
        later_stages(motion, until)
    }
}

/// The stages after the first.
#[inline]
pub(super) fn later_stages<const K: usize>(motion: &Motion<K>, time: f64) -> Outcome {
    let m = motion.size();
    // A difference of finite numbers may be infinite, but is never NaN.
    if max(max(m[0], m[1]), m[2]) >= LIMIT {
        return Outcome::Unknown;
    }
    let mut cubic = motion.cubic();
    let bound = CUBIC * (m[0] * m[1] * m[2]) + TINY;
    let (low, high) = range(&cubic);
    if low > bound || high < -bound {
        return Outcome::Never;
    }
    let axis = motion.axis();
    let [k, l] = plane(axis);
    let mut areas = motion.areas(axis);
    let mut search = Search {
        pieces: PIECES,
        cubic: bound,
        area: AREA * (m[k] * m[l]) + TINY,
        cubic_size: UNIT * largest(&cubic),
        area_size: UNIT * areas.iter().map(largest).fold(0.0, max),
    };
    let to = round_up(time);
    if to < 1.0 {
        cubic = until(cubic, to);
        areas = areas.map(|area| until(area, to));
        search.cubic += 10.0 * search.cubic_size;
        search.area += 7.0 * search.area_size;
    }
    search.piece(&Piece { cubic, areas, from: 0.0, to }, 0)
}

/// A time not before `t` whose binary fraction is short, so that all cuts are exact numbers.
#[inline(always)]
fn round_up(t: f64) -> f64 {
    // Adding one to the tenth bit of the mantissa; a time below 2^-900 is looked at as if it were that.
    const LOW: u64 = (1 << 43) - 1;
    let short = |t: f64| f64::from_bits((t.to_bits() + LOW) & !LOW);
    if t >= 1.0 { 1.0 } else { short(max(t, f64::from_bits((1023 - 900) << 52))) }
}

/// A piece of time: ordinates of 3f and of twice the areas over it.
struct Piece<const K: usize> {
    cubic: Ordinates<4>,
    areas: [Ordinates<3>; K],
    from: f64,
    to: f64,
}

impl<const K: usize> Piece<K> {
    #[inline(always)]
    fn halves(&self) -> [Self; 2] {
        let middle = 0.5 * (self.from + self.to);
        let [cubic0, cubic1] = halve_cubic(self.cubic);
        let areas = self.areas.map(halve_quadratic);
        [
            Piece { cubic: cubic0, areas: areas.map(|[left, _]| left), from: self.from, to: middle },
            Piece { cubic: cubic1, areas: areas.map(|[_, right]| right), from: middle, to: self.to },
        ]
    }
}

/// Bounds of the errors over the whole time, what each cut adds, and how many pieces may still be looked at.
struct Search {
    pieces: u32,
    cubic: f64,
    area: f64,
    cubic_size: f64,
    area_size: f64,
}

impl Search {
    fn piece<const K: usize>(&mut self, piece: &Piece<K>, depth: u32) -> Outcome {
        let cuts = f64::from(depth);
        let bound = self.cubic + 3.1 * cuts * self.cubic_size;
        let (low, high) = range(&piece.cubic);
        // Never coplanar.
        if low > bound || high < -bound {
            return Outcome::Never;
        }
        let area_bound = self.area + 2.1 * cuts * self.area_size;
        let (mut positive, mut negative) = (0, 0);
        for area in &piece.areas {
            let (low, high) = range(area);
            positive += usize::from(low > area_bound);
            negative += usize::from(high < -area_bound);
        }
        // Weights of both signs.
        if positive > 0 && negative > 0 {
            return Outcome::Never;
        }
        if (positive == K || negative == K) && self.crosses_once(&piece.cubic, bound) {
            let left = if piece.cubic[0] > 0.0 { 1 } else { -1 };
            return Outcome::Contact { from: piece.from, to: piece.to, left };
        }
        self.cut(piece, depth)
    }

    /// Whether the cubic certainly has opposite signs at the ends, and rises or falls all the way.
    #[inline(always)]
    fn crosses_once(&self, b: &Ordinates<4>, bound: f64) -> bool {
        let steep = 2.0 * bound + 2.1 * self.cubic_size;
        let steps = [b[1] - b[0], b[2] - b[1], b[3] - b[2]];
        let (low, high) = range(&steps);
        (b[0] < -bound && b[3] > bound && low > steep) || (b[0] > bound && b[3] < -bound && high < -steep)
    }

    #[inline(never)]
    fn cut<const K: usize>(&mut self, piece: &Piece<K>, depth: u32) -> Outcome {
        if depth == DEPTH || self.pieces < 2 {
            return Outcome::Unknown;
        }
        self.pieces -= 2;
        let [left, right] = piece.halves();
        match self.piece(&left, depth + 1) {
            Outcome::Never => self.piece(&right, depth + 1),
            known => known,
        }
    }
}
