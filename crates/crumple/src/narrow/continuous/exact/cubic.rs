//! A cubic with integer coefficients: its value at a fraction, its roots in [0, 1] one after the other.

use super::integer::{Full, Integer, bits};
use super::root::{Bracket, Root};

/// p0 + p1 t + p2 t² + p3 t³; leading coefficients may be 0.
#[derive(Clone)]
pub(super) struct Cubic<I> {
    pub power: [I; 4],
    pub bits: u32,
}

/// A piece this narrow that still may hold several roots is searched for a repeated one.
const DEEP: u32 = 12;

impl<I: Integer> Cubic<I> {
    pub fn new(power: [I; 4]) -> Self {
        let bits = bits(&power);
        Cubic { power, bits }
    }

    pub fn is_zero(&self) -> bool {
        self.power.iter().all(I::is_zero)
    }

    /// The sign at k / 2^s.
    pub fn sign_at(&self, k: &I::Numerator, s: u32) -> Result<i8, Full> {
        // |Σ pᵢ kⁱ 2^(3-i)s| < 4 · 2^bits · 2^3s.
        I::room(self.bits + 3 * s + 3)?;
        let [p0, p1, p2, p3] = &self.power;
        let value = p3.times_numerator(k).plus(&p2.shifted(s));
        let value = value.times_numerator(k).plus(&p1.shifted(2 * s));
        Ok(value.times_numerator(k).plus(&p0.shifted(3 * s)).sign())
    }

    /// Three times the Bernstein ordinates over [0, 1].
    fn bernstein(&self) -> Result<[I; 4], Full> {
        I::room(self.bits + 4)?;
        let [p0, p1, p2, p3] = &self.power;
        let b0 = p0.doubled().plus(p0);
        let b1 = b0.plus(p1);
        let b2 = b1.plus(p1).plus(p2);
        let end = p0.plus(p1).plus(p2).plus(p3);
        Ok([b0, b1, b2, end.doubled().plus(&end)])
    }

    /// The first root in [0, 1] that `accept` takes. It is asked about the roots in ascending order.
    pub fn first_root(
        &self,
        mut accept: impl FnMut(&mut Root<I>) -> Result<bool, Full>,
    ) -> Result<Option<Root<I>>, Full> {
        let b = self.bernstein()?;
        let mut take = |mut root: Root<I>| Ok(if accept(&mut root)? { Some(root) } else { None });
        if b[0].is_zero()
            && let Some(root) = take(Root::at(0, 0))?
        {
            return Ok(Some(root));
        }
        let ends = b[3].is_zero();
        if let Some(root) = self.open(b, Bracket::whole(), &mut take)? {
            return Ok(Some(root));
        }
        if ends { take(Root::at(1, 0)) } else { Ok(None) }
    }

    /// The same in the open piece `at`, whose ordinates are `b` up to a positive factor.
    ///
    /// Descartes' rule: the number of roots, counted with multiplicity, is the number of sign changes of the ordinates or
    /// less by an even number. So none without a change, and one, a simple one, with one change. The changes of both halves
    /// sum to no more than those of the whole; so there is one piece with several changes at any depth.
    fn open(
        &self,
        b: [I; 4],
        at: Bracket<I>,
        take: &mut impl FnMut(Root<I>) -> Result<Option<Root<I>>, Full>,
    ) -> Result<Option<Root<I>>, Full> {
        let (changes, left) = changes(&b);
        if changes == 0 {
            return Ok(None);
        }
        if changes == 1 {
            return take(Root::Between(Bracket { left, ..at }));
        }
        if at.depth == DEEP
            && let Some(all) = super::common::with_repeated_root(self)?
        {
            for root in all.into_iter().flatten() {
                if root.is_inside(&at)?
                    && let Some(root) = take(root)?
                {
                    return Ok(Some(root));
                }
            }
            return Ok(None);
        }
        // Halving multiplies by 8.
        I::room(self.bits + 4 + 3 * (at.depth + 1))?;
        I::depth(at.depth + 1)?;
        let (one, other) = halve(&b);
        let middle = one[3].is_zero();
        if let Some(root) = self.open(one, at.half(false), take)? {
            return Ok(Some(root));
        }
        if middle {
            let mid = at.half(true);
            if let Some(root) = take(Root::dyadic(&mid.k, mid.depth))? {
                return Ok(Some(root));
            }
        }
        self.open(other, at.half(true), take)
    }
}

/// De Casteljau at the middle, times 8.
fn halve<I: Integer>([b0, b1, b2, b3]: &[I; 4]) -> ([I; 4], [I; 4]) {
    let (c0, c1, c2) = (b0.plus(b1), b1.plus(b2), b2.plus(b3));
    let (d0, d1) = (c0.plus(&c1), c1.plus(&c2));
    let e = d0.plus(&d1);
    ([b0.shifted(3), c0.shifted(2), d0.doubled(), e.clone()], [e, d1.doubled(), c2.shifted(2), b3.shifted(3)])
}

/// How often the sign changes, zeros left out; and the first sign.
fn changes<I: Integer>(b: &[I; 4]) -> (u32, i8) {
    let (mut count, mut first, mut last) = (0, 0, 0);
    for sign in b.iter().map(I::sign).filter(|&s| s != 0) {
        if last == 0 {
            first = sign;
        } else if sign != last {
            count += 1;
        }
        last = sign;
    }
    (count, first)
}
