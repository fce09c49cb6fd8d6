//! The difference vectors as integers: all coordinates divided by one power of two, in the narrowest type that holds them.

use super::fixed::Fixed;
use super::integer::Integer;
use crate::geometry::Point;
use crate::narrow::continuous::motion::Motion;
use crate::narrow::integer::Int;

/// A component of a difference, and what products of two and three of them are held in.
pub(super) trait Coordinate: Clone {
    /// Holds six products of two components.
    type Area: Clone;
    /// Holds eighteen products of three.
    type Integer: Integer;

    fn integer(&self) -> Self::Integer;
    fn product(&self, other: &Self) -> Self::Area;
    fn plus(a: &Self::Area, b: &Self::Area) -> Self::Area;
    fn minus(a: &Self::Area, b: &Self::Area) -> Self::Area;
    fn times(area: &Self::Area, by: &Self) -> Self::Integer;
    fn widen(area: &Self::Area) -> Self::Integer;
}

/// Up to [`SMALL`] bits.
impl Coordinate for i64 {
    type Area = i128;
    type Integer = Fixed<6>;

    fn integer(&self) -> Fixed<6> {
        Fixed::new(i128::from(*self))
    }
    #[inline(always)]
    fn product(&self, other: &Self) -> i128 {
        i128::from(*self) * i128::from(*other)
    }
    #[inline(always)]
    fn plus(a: &i128, b: &i128) -> i128 {
        a + b
    }
    #[inline(always)]
    fn minus(a: &i128, b: &i128) -> i128 {
        a - b
    }
    #[inline(always)]
    fn times(area: &i128, by: &i64) -> Fixed<6> {
        Fixed::<2>::new(*area).times_small(*by)
    }
    #[inline(always)]
    fn widen(area: &i128) -> Fixed<6> {
        Fixed::new(*area)
    }
}

/// Up to [`MEDIUM`] bits.
impl Coordinate for Fixed<2> {
    type Area = Fixed<4>;
    type Integer = Fixed<8>;

    fn integer(&self) -> Fixed<8> {
        self.resize()
    }
    #[inline(always)]
    fn product(&self, other: &Self) -> Fixed<4> {
        Fixed::product(self, other)
    }
    #[inline(always)]
    fn plus(a: &Fixed<4>, b: &Fixed<4>) -> Fixed<4> {
        Integer::plus(a, b)
    }
    #[inline(always)]
    fn minus(a: &Fixed<4>, b: &Fixed<4>) -> Fixed<4> {
        Integer::minus(a, b)
    }
    #[inline(always)]
    fn times(area: &Fixed<4>, by: &Self) -> Fixed<8> {
        area.product(by)
    }
    #[inline(always)]
    fn widen(area: &Fixed<4>) -> Fixed<8> {
        area.resize()
    }
}

/// The same type for everything.
macro_rules! uniform {
    ($type:ty) => {
        impl Coordinate for $type {
            type Area = Self;
            type Integer = Self;

            fn integer(&self) -> Self {
                self.clone()
            }
            fn product(&self, other: &Self) -> Self {
                Integer::times(self, other)
            }
            fn plus(a: &Self, b: &Self) -> Self {
                Integer::plus(a, b)
            }
            fn minus(a: &Self, b: &Self) -> Self {
                Integer::minus(a, b)
            }
            fn times(area: &Self, by: &Self) -> Self {
                Integer::times(area, by)
            }
            fn widen(area: &Self) -> Self {
                area.clone()
            }
        }
    };
}
uniform!(Fixed<24>);
uniform!(Int);

/// Differences below 2^62: six products of two stay below 2^126.6, eighteen of three below 2^190.2.
pub(super) const SMALL: u32 = 62;
/// Differences below 2^122: six products of two stay below 2^246.6, eighteen of three below 2^370.2.
pub(super) const MEDIUM: u32 = 122;
/// Differences below 2^402: eighteen products of three stay below 2^1210.2, well within 1536 bits.
pub(super) const LARGE: u32 = 402;

/// Difference vectors in integers, at the start and at the end.
pub(super) struct Vectors<C, const K: usize> {
    pub start: [[C; 3]; K],
    pub end: [[C; 3]; K],
    /// Along which the normal is likely to be largest.
    pub axis: usize,
}

/// In the narrowest type that holds them.
pub(super) enum Scaled<const K: usize> {
    Small(Vectors<i64, K>),
    Medium(Vectors<Fixed<2>, K>),
    Large(Vectors<Fixed<24>, K>),
    Wide(Vectors<Int, K>),
}

/// A finite number as an integer and a power of two.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if x < 0.0 { -mantissa } else { mantissa }, exponent)
}

/// The exponent of the lowest bit that is set in any coordinate, and of the highest one, exclusive.
fn range(points: [&[Point; 4]; 2]) -> (i32, i32) {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for &x in points.iter().flat_map(|p| p.as_flattened()) {
        let (mantissa, exponent) = parts(x);
        if mantissa != 0 {
            low = low.min(exponent + mantissa.trailing_zeros() as i32);
            high = high.max(exponent + 64 - mantissa.unsigned_abs().leading_zeros() as i32);
        }
    }
    if low > high { (0, 0) } else { (low, high) }
}

impl<const K: usize> Scaled<K> {
    /// Exactly the differences, times one power of two.
    pub fn of(start: &[Point; 4], end: &[Point; 4]) -> Self {
        let (low, high) = range([start, end]);
        let axis = Motion::<K>::of(start, end).axis();
        let spread = (high - low) as u32;
        // A difference has one bit more than the numbers.
        if spread < MEDIUM {
            Self::narrow(start, end, low, axis)
        } else {
            Self::wide(start, end, low, spread, axis)
        }
    }

    fn narrow(start: &[Point; 4], end: &[Point; 4], low: i32, axis: usize) -> Self {
        let integer = |x: f64| {
            let (mantissa, exponent) = parts(x);
            // Bits that are shifted out are zeros: `low` is at most the lowest one.
            let m = i128::from(mantissa);
            if exponent >= low { m << (exponent - low).min(127) } else { m >> (low - exponent).min(127) }
        };
        let v = Self::differences([start, end], integer, |a, b| a - b);
        let all = v.iter().flatten().flatten().fold(0, |all, x| all | x.unsigned_abs());
        let zeros = if all == 0 { 0 } else { all.trailing_zeros() };
        let [start, end] = v;
        if 128 - all.leading_zeros() <= SMALL + zeros {
            let small = |v: [[i128; 3]; K]| v.map(|v| v.map(|x| (x >> zeros) as i64));
            Scaled::Small(Vectors { start: small(start), end: small(end), axis })
        } else {
            let medium = |v: [[i128; 3]; K]| v.map(|v| v.map(|x| Fixed::new(x >> zeros)));
            Scaled::Medium(Vectors { start: medium(start), end: medium(end), axis })
        }
    }

    fn wide(start: &[Point; 4], end: &[Point; 4], low: i32, spread: u32, axis: usize) -> Self {
        if spread < LARGE {
            let [start, end] = Self::differences([start, end], shifted(low), Integer::minus);
            Scaled::Large(Vectors { start, end, axis })
        } else {
            Scaled::Wide(Self::without_limit(start, end))
        }
    }

    /// The differences in integers that hold anything.
    pub fn without_limit(start: &[Point; 4], end: &[Point; 4]) -> Vectors<Int, K> {
        let axis = Motion::<K>::of(start, end).axis();
        let [start, end] = Self::differences([start, end], shifted(range([start, end]).0), Integer::minus);
        Vectors { start, end, axis }
    }

    fn differences<T>(
        points: [&[Point; 4]; 2],
        integer: impl Fn(f64) -> T,
        minus: impl Fn(&T, &T) -> T,
    ) -> [[[T; 3]; K]; 2] {
        points.map(|points| {
            let p = points.map(|p| p.map(&integer));
            std::array::from_fn(|i| {
                let [to, from] = Motion::<K>::ENDS[i];
                std::array::from_fn(|k| minus(&p[to][k], &p[from][k]))
            })
        })
    }
}

/// Numbers times 2^-low.
fn shifted<I: Integer>(low: i32) -> impl Fn(f64) -> I {
    move |x| {
        let (mantissa, exponent) = parts(x);
        let m = i128::from(mantissa);
        if exponent >= low {
            I::from_i128(m).shifted((exponent - low) as u32)
        } else {
            I::from_i128(m >> (low - exponent).min(127))
        }
    }
}
