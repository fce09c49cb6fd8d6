//! A root in [0, 1] of a cubic: as a fraction, or as the only root in a dyadic interval. Signs at it, and where it is.

use super::common::{Common, in_bracket};
use super::cubic::Cubic;
use super::integer::{Full, Integer, bits};
use crate::narrow::continuous::ImpactTime;
use std::cmp::Ordering;

/// The open interval from k / 2^depth to (k + 1) / 2^depth.
#[derive(Clone)]
pub(super) struct Bracket<I: Integer> {
    pub k: I::Numerator,
    pub depth: u32,
    /// k / 2^depth in cells of [`GRID`], rounded down.
    pub cell: u64,
    /// The sign of the cubic between the left end and the root.
    pub left: i8,
}

/// Times are told in cells of 2^-42.
pub(super) const GRID: u32 = 42;

impl<I: Integer> Bracket<I> {
    pub fn whole() -> Self {
        Bracket { k: I::numerator(0), depth: 0, cell: 0, left: 0 }
    }

    /// The interval with this number at this depth.
    pub fn open(k: I::Numerator, depth: u32) -> Self {
        Bracket { k, depth, cell: 0, left: 0 }
    }

    pub fn half(&self, right: bool) -> Self {
        let (k, depth) = (I::half(&self.k, right), self.depth + 1);
        let cell = if depth <= GRID { self.cell + (u64::from(right) << (GRID - depth)) } else { self.cell };
        Bracket { k, depth, cell, left: self.left }
    }
}

#[derive(Clone)]
pub(super) enum Root<I: Integer> {
    /// The only root in an interval, a simple one.
    Between(Bracket<I>),
    /// x / d, with d positive.
    At { x: I, d: I },
}

impl<I: Integer> Root<I> {
    /// k / 2^s.
    pub fn at(k: u64, s: u32) -> Self {
        Self::dyadic(&I::numerator(k), s)
    }

    pub fn dyadic(k: &I::Numerator, s: u32) -> Self {
        let one = I::from_i128(1);
        Root::At { x: one.times_numerator(k), d: one.shifted(s) }
    }

    /// x / d, if that is in [0, 1]; d is not 0.
    pub fn fraction(x: I, d: I) -> Option<Self> {
        let (x, d) = if d.sign() < 0 { (x.negative(), d.negative()) } else { (x, d) };
        (x.sign() >= 0 && x.compare(&d) != Ordering::Greater).then_some(Root::At { x, d })
    }

    /// Whether a fraction lies in an open interval; a bracket never does.
    pub fn is_inside(&self, b: &Bracket<I>) -> Result<bool, Full> {
        let Root::At { x, d } = self else { return Ok(false) };
        I::room(bits(&[x.clone(), d.clone()]) + b.depth + 2)?;
        let (x, low) = (x.shifted(b.depth), d.times_numerator(&b.k));
        Ok(x.compare(&low) == Ordering::Greater && x.compare(&low.plus(d)) == Ordering::Less)
    }

    /// The sign of q0 + q1 t + q2 t² at this root of `f`. Narrows a bracket as far as it must.
    pub fn sign(&mut self, f: &Cubic<I>, q: &[I; 3]) -> Result<i8, Full> {
        let size = bits(q);
        if size == 0 {
            return Ok(0);
        }
        for step in 0.. {
            let bracket = match self {
                Root::At { x, d } => return value_at(q, x, d, size),
                Root::Between(bracket) => bracket,
            };
            if let Some(sign) = one_sign(q, bracket, size)? {
                return Ok(sign);
            }
            if step == PATIENCE {
                match in_bracket(f, q, bracket)? {
                    Common::None => {}
                    Common::Root => return Ok(0),
                    Common::Divides(sign) => return Ok(sign),
                }
            }
            self.refine(f)?;
        }
        Ok(0)
    }

    /// Halves a bracket.
    fn refine(&mut self, f: &Cubic<I>) -> Result<(), Full> {
        let Root::Between(bracket) = self else { return Ok(()) };
        I::depth(bracket.depth + 1)?;
        let right = bracket.half(true);
        let sign = f.sign_at(&right.k, right.depth)?;
        *self = if sign == 0 {
            Self::dyadic(&right.k, right.depth)
        } else if sign == bracket.left {
            Root::Between(right)
        } else {
            Root::Between(bracket.half(false))
        };
        Ok(())
    }

    /// The root's cell of the grid.
    pub fn time(&self, f: &Cubic<I>) -> Result<ImpactTime, Full> {
        match self {
            Root::At { x, d } => {
                if x.is_zero() {
                    return Ok(ImpactTime::cells(0, 0));
                }
                if x.compare(d) == Ordering::Equal {
                    return Ok(ImpactTime::cells(1 << GRID, 1 << GRID));
                }
                I::room(bits(&[x.clone(), d.clone()]) + GRID + 2)?;
                let drop = d.bits();
                let guess = x.approximate(drop) / d.approximate(drop);
                let x = x.shifted(GRID);
                search([0, 1 << GRID], guess, |k| Ok(x.compare(&d.times_u64(k))))
            }
            Root::Between(b) if b.depth >= GRID => Ok(ImpactTime::cells(b.cell, b.cell + 1)),
            Root::Between(b) => {
                let (from, to) = (b.cell, b.cell + (1 << (GRID - b.depth)));
                f.time_between([from, to], b.left)
            }
        }
    }
}

/// Brackets are halved so often before a common root is looked for.
const PATIENCE: u32 = 3;

fn value_at<I: Integer>(q: &[I; 3], x: &I, d: &I, size: u32) -> Result<i8, Full> {
    I::room(size + 2 * bits(&[x.clone(), d.clone()]) + 2)?;
    let high = q[2].times(x).plus(&q[1].times(d));
    Ok(high.times(x).plus(&q[0].times(d).times(d)).sign())
}

/// The sign of a quadratic in an open interval, if its Bernstein ordinates show that it has one.
fn one_sign<I: Integer>(q: &[I; 3], at: &Bracket<I>, size: u32) -> Result<Option<i8>, Full> {
    let (k, s) = (&at.k, at.depth);
    I::room(size + 2 * s + 5)?;
    // Times 4^s: the value at the left end; the slope there times the length; twice the middle ordinate; the right end.
    let q1 = q[1].shifted(s);
    let q2k = q[2].times_numerator(k);
    let low = q2k.plus(&q1).times_numerator(k).plus(&q[0].shifted(2 * s));
    let slope = q1.plus(&q2k.doubled());
    let middle = low.doubled().plus(&slope);
    let high = low.plus(&slope).plus(&q[2]);
    let signs = [low.sign(), middle.sign(), high.sign()];
    let (least, most) = (signs.into_iter().min().unwrap_or(0), signs.into_iter().max().unwrap_or(0));
    Ok(if least >= 0 {
        Some(most)
    } else if most <= 0 {
        Some(least)
    } else {
        None
    })
}

impl<I: Integer> Cubic<I> {
    /// The cell of the only root between two points of the grid; `left` is the sign before the root.
    pub fn time_between(&self, [from, to]: [u64; 2], left: i8) -> Result<ImpactTime, Full> {
        let drop = self.bits.saturating_sub(64);
        let p = self.power.each_ref().map(|p| p.approximate(drop));
        let cell = 0.5f64.powi(GRID as i32);
        let guess = guess(&p, [from as f64 * cell, to as f64 * cell], f64::from(left));
        search([from, to], guess, |k| {
            let sign = self.sign_at(&I::numerator(k), GRID)?;
            Ok(if sign == 0 {
                Ordering::Equal
            } else if sign == left {
                Ordering::Greater
            } else {
                Ordering::Less
            })
        })
    }
}

/// About where the cubic crosses zero: Newton's method, kept in the interval by bisection.
fn guess(p: &[f64; 4], [mut low, mut high]: [f64; 2], left: f64) -> f64 {
    let mut t = 0.5 * (low + high);
    for _ in 0..24 {
        let value = p[0] + t * (p[1] + t * (p[2] + t * p[3]));
        let slope = p[1] + t * (2.0 * p[2] + t * 3.0 * p[3]);
        if value * left > 0.0 {
            low = t
        } else {
            high = t
        }
        let step = value / slope;
        if step.abs() < 1e-14 {
            return t;
        }
        let next = t - step;
        t = if next > low && next < high { next } else { 0.5 * (low + high) };
    }
    t
}

/// The cell between two points of the grid that holds a root, where `compare` tells the root's side of a point strictly
/// inside. Starts at a guess and doubles its steps, so that a good guess costs two comparisons.
fn search(
    [mut low, mut high]: [u64; 2],
    guess: f64,
    compare: impl Fn(u64) -> Result<Ordering, Full>,
) -> Result<ImpactTime, Full> {
    // A cast of NaN is 0.
    let mut k = (guess * 2f64.powi(GRID as i32)) as u64;
    let mut step = 1;
    while high - low > 1 {
        k = k.clamp(low + 1, high - 1);
        match compare(k)? {
            Ordering::Equal => return Ok(ImpactTime::cells(k, k)),
            Ordering::Greater => {
                low = k;
                k = if step < high - low { low + step } else { low + (high - low) / 2 };
            }
            Ordering::Less => {
                high = k;
                k = if step < high - low { high - step } else { low + (high - low) / 2 };
            }
        }
        step = if step < high - low { 4 * step } else { u64::MAX };
    }
    Ok(ImpactTime::cells(low, high))
}
