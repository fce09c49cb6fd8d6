//! The last stage: exact for every finite input, in integers.
//!
//! All coordinates are multiples of one power of two, so differences are integers, and the polynomials have integer
//! coefficients. [`coordinate`] picks the narrowest type that holds them; whatever does not fit there, however rare, is
//! done again in integers without a limit ([`big`]).
//!
//! f(t) = det(v0, v1, v2) is a cubic.
//!
//! * **f ≢ 0.** [`cubic`] finds its roots in [0, 1] one after the other. At each root the signs of quadratics decide
//!   ([`root`]): the areas along an axis on which the normal does not vanish, or, if n = 0 there, the points on segments.
//!   A sign at a root that is not a fraction is that of the quadratic on an interval round it, made narrow enough; that
//!   ends because a quadratic that vanishes at the root is found by the remainder of its division ([`common`]).
//! * **f ≡ 0**, coplanar at all times. Touching at t = 0 is tested there. Otherwise the first contact has a point on a
//!   segment, one of the pairs: contact in the inside of a triangle, or in the inside of both of two edges that cross,
//!   is open within coplanar motion, so it cannot be the first; and of two collinear segments that meet an end lies
//!   on the other. So the first contact is the first of those of three or four moving points on moving segments.
//! * **A moving point on a moving segment** from x to y, seen from the point: x × y is three quadratics, which must vanish
//!   together while x · y ≤ 0. All three ≡ 0 (collinear at all times): t = 0, or an end passes the point.
//! * **A point on a point**: three linear functions.

mod big;
mod common;
mod coordinate;
mod cubic;
mod fixed;
mod integer;
mod root;

use self::coordinate::{Coordinate, Scaled, Vectors};
use self::cubic::Cubic;
use self::integer::{Full, Integer};
use self::root::{GRID, Root};
use super::ImpactTime;
use super::motion::{Motion, plane};
use crate::geometry::Point;

/// The first contact, exactly.
#[cold]
#[inline(never)]
pub(super) fn first_contact<const K: usize>(start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    let found = match Scaled::<K>::of(start, end) {
        Scaled::Small(v) => v.first_contact(),
        Scaled::Medium(v) => v.first_contact(),
        Scaled::Large(v) => v.first_contact(),
        Scaled::Wide(v) => v.first_contact(),
    };
    found.unwrap_or_else(|Full| without_limit(|| Scaled::<K>::without_limit(start, end).first_contact()))
}

/// The only root of the cubic in [from, to], before which it has the sign `left`.
#[inline(never)]
pub(super) fn root_between<const K: usize>(
    start: &[Point; 4],
    end: &[Point; 4],
    [from, to]: [f64; 2],
    left: i8,
) -> ImpactTime {
    let scale = 2f64.powi(GRID as i32);
    let cells = [(from * scale).floor() as u64, (to * scale).ceil() as u64];
    let found = match Scaled::<K>::of(start, end) {
        Scaled::Small(v) => v.cubic().time_between(cells, left),
        Scaled::Medium(v) => v.cubic().time_between(cells, left),
        Scaled::Large(v) => v.cubic().time_between(cells, left),
        Scaled::Wide(v) => v.cubic().time_between(cells, left),
    };
    found.unwrap_or_else(|Full| {
        without_limit(|| Scaled::<K>::without_limit(start, end).cubic().time_between(cells, left))
    })
}

/// A moving point, the first, on a moving segment.
#[cfg(feature = "internals")]
pub(super) fn point_edge(start: &[Point; 3], end: &[Point; 3]) -> Option<ImpactTime> {
    let triangle = |p: &[Point; 3]| [p[0], p[1], p[2], p[2]];
    let (start, end) = (triangle(start), triangle(end));
    let found = match Scaled::<3>::of(&start, &end) {
        Scaled::Small(v) => v.point_on_segment(0, 1),
        Scaled::Medium(v) => v.point_on_segment(0, 1),
        Scaled::Large(v) => v.point_on_segment(0, 1),
        Scaled::Wide(v) => v.point_on_segment(0, 1),
    };
    found.unwrap_or_else(|Full| {
        without_limit(|| Scaled::<3>::without_limit(&start, &end).point_on_segment(0, 1))
    })
}

/// A moving point on a moving point.
#[cfg(feature = "internals")]
pub(super) fn point_point(start: &[Point; 2], end: &[Point; 2]) -> Option<ImpactTime> {
    let triangle = |p: &[Point; 2]| [p[0], p[1], p[1], p[1]];
    let (start, end) = (triangle(start), triangle(end));
    let found = match Scaled::<3>::of(&start, &end) {
        Scaled::Small(v) => v.point_on_point(0),
        Scaled::Medium(v) => v.point_on_point(0),
        Scaled::Large(v) => v.point_on_point(0),
        Scaled::Wide(v) => v.point_on_point(0),
    };
    found.unwrap_or_else(|Full| without_limit(|| Scaled::<3>::without_limit(&start, &end).point_on_point(0)))
}

/// Integers without a limit are never full.
#[cold]
fn without_limit<T>(work: impl Fn() -> Result<T, Full>) -> T {
    loop {
        if let Ok(done) = work() {
            return done;
        }
    }
}

/// The earlier of two times; each is certain, so the first of both lies in the earlier interval's hull.
fn earlier(a: Option<ImpactTime>, b: Option<ImpactTime>) -> Option<ImpactTime> {
    match (a, b) {
        (Some(a), Some(b)) => Some(ImpactTime { after: a.after.min(b.after), by: a.by.min(b.by) }),
        (a, b) => a.or(b),
    }
}

/// Bernstein ordinates x0, 2 x1, x2 of a quadratic as q0 + q1 t + q2 t².
fn quadratic<I: Integer>([x0, x1, x2]: &[I; 3]) -> [I; 3] {
    [x0.clone(), x1.minus(&x0.doubled()), x0.minus(x1).plus(x2)]
}

impl<C: Coordinate, const K: usize> Vectors<C, K> {
    /// Component `axis` of vᵢ × vⱼ: start with start, start with end and end with start, end with end.
    #[inline(always)]
    fn cross(&self, i: usize, j: usize, axis: usize) -> [C::Area; 3] {
        let [k, l] = plane(axis);
        let minor = |x: &[C; 3], y: &[C; 3]| C::minus(&x[k].product(&y[l]), &x[l].product(&y[k]));
        let mixed = C::plus(&minor(&self.start[i], &self.end[j]), &minor(&self.end[i], &self.start[j]));
        [minor(&self.start[i], &self.start[j]), mixed, minor(&self.end[i], &self.end[j])]
    }

    fn area(&self, i: usize, j: usize, axis: usize) -> [C::Integer; 3] {
        quadratic(&self.cross(i, j, axis).each_ref().map(C::widen))
    }

    fn dot(&self, i: usize, j: usize) -> [C::Integer; 3] {
        let dot = |x: &[C; 3], y: &[C; 3]| {
            C::plus(&C::plus(&x[0].product(&y[0]), &x[1].product(&y[1])), &x[2].product(&y[2]))
        };
        let mixed = C::plus(&dot(&self.start[i], &self.end[j]), &dot(&self.end[i], &self.start[j]));
        let ends = [dot(&self.start[i], &self.start[j]), mixed, dot(&self.end[i], &self.end[j])];
        quadratic(&ends.each_ref().map(C::widen))
    }

    /// det(v0, v1, v2).
    fn cubic(&self) -> Cubic<C::Integer> {
        let zero = || C::Integer::from_i128(0);
        let mut c = [zero(), zero(), zero(), zero()];
        for axis in 0..3 {
            let x = self.cross(1, 2, axis);
            let (s, e) = (&self.start[0][axis], &self.end[0][axis]);
            c[0] = c[0].plus(&C::times(&x[0], s));
            c[1] = c[1].plus(&C::times(&x[0], e)).plus(&C::times(&x[1], s));
            c[2] = c[2].plus(&C::times(&x[1], e)).plus(&C::times(&x[2], s));
            c[3] = c[3].plus(&C::times(&x[2], e));
        }
        // Σ cᵢ tⁱ (1 − t)^(3−i), by powers of t.
        let triple = |x: &C::Integer| x.doubled().plus(x);
        let p1 = c[1].minus(&triple(&c[0]));
        let p2 = triple(&c[0]).minus(&c[1].doubled()).plus(&c[2]);
        let p3 = c[3].minus(&c[2]).plus(&c[1]).minus(&c[0]);
        let [c0, ..] = c;
        Cubic::new([c0, p1, p2, p3])
    }

    fn first_contact(&self) -> Result<Option<ImpactTime>, Full> {
        let f = self.cubic();
        if f.is_zero() {
            return self.first_flat_contact(&f);
        }
        match f.first_root(|root| self.touch(root, &f))? {
            Some(root) => root.time(&f).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the features touch at a root of `f`, where they are coplanar.
    fn touch(&self, root: &mut Root<C::Integer>, f: &Cubic<C::Integer>) -> Result<bool, Full> {
        // Any axis does on which the normal does not vanish; the larger it is, the sooner its sign is known.
        for axis in [self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3] {
            let areas = Motion::<K>::PAIRS.map(|[i, j]| self.area(i, j, axis));
            let mut n = areas[0].clone();
            for area in &areas[1..] {
                n = std::array::from_fn(|i| n[i].plus(&area[i]));
            }
            let side = root.sign(f, &n)?;
            if side == 0 {
                continue;
            }
            for area in &areas {
                if root.sign(f, area)? == -side {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for [i, j] in Motion::<K>::PAIRS {
            if self.on_segment(i, j, root, f)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the origin lies on the segment from vᵢ to vⱼ.
    fn on_segment(
        &self,
        i: usize,
        j: usize,
        root: &mut Root<C::Integer>,
        f: &Cubic<C::Integer>,
    ) -> Result<bool, Full> {
        for axis in 0..3 {
            if root.sign(f, &self.area(i, j, axis))? != 0 {
                return Ok(false);
            }
        }
        Ok(root.sign(f, &self.dot(i, j))? <= 0)
    }

    /// Coplanar at all times.
    fn first_flat_contact(&self, f: &Cubic<C::Integer>) -> Result<Option<ImpactTime>, Full> {
        if self.touch(&mut Root::at(0, 0), f)? {
            return Ok(Some(ImpactTime::cells(0, 0)));
        }
        let mut first = None;
        for [i, j] in Motion::<K>::PAIRS {
            first = earlier(first, self.point_on_segment(i, j)?);
        }
        Ok(first)
    }

    fn point_on_segment(&self, i: usize, j: usize) -> Result<Option<ImpactTime>, Full> {
        let areas: [_; 3] = std::array::from_fn(|axis| self.area(i, j, axis));
        let Some([q0, q1, q2]) = areas.iter().find(|q| q.iter().any(|q| !q.is_zero())) else {
            let f = Cubic::new(std::array::from_fn(|_| C::Integer::from_i128(0)));
            if self.on_segment(i, j, &mut Root::at(0, 0), &f)? {
                return Ok(Some(ImpactTime::cells(0, 0)));
            }
            return Ok(earlier(self.point_on_point(i)?, self.point_on_point(j)?));
        };
        let f = Cubic::new([q0.clone(), q1.clone(), q2.clone(), C::Integer::from_i128(0)]);
        match f.first_root(|root| self.on_segment(i, j, root, &f))? {
            Some(root) => root.time(&f).map(Some),
            None => Ok(None),
        }
    }

    /// When vᵢ vanishes.
    fn point_on_point(&self, i: usize) -> Result<Option<ImpactTime>, Full> {
        let (s, e) = (&self.start[i], &self.end[i]);
        let wide = C::integer;
        let Some(axis) = (0..3).find(|&k| !wide(&s[k]).is_zero() || !wide(&e[k]).is_zero()) else {
            return Ok(Some(ImpactTime::cells(0, 0)));
        };
        // At t = s / (s − e) the others are (s' (s − e) + s (e' − s')) / (s − e).
        for k in 0..3 {
            if !C::widen(&C::minus(&s[axis].product(&e[k]), &s[k].product(&e[axis]))).is_zero() {
                return Ok(None);
            }
        }
        let (x, d) = (wide(&s[axis]), wide(&s[axis]).minus(&wide(&e[axis])));
        let Some(root) = (!d.is_zero()).then(|| Root::fraction(x, d)).flatten() else { return Ok(None) };
        root.time(&Cubic::new(std::array::from_fn(|_| C::Integer::from_i128(0)))).map(Some)
    }
}
