//! Common roots of a cubic with a quadratic or with its own derivative, by remainders without fractions.

use super::cubic::Cubic;
use super::integer::{Full, Integer, bits};
use super::root::{Bracket, Root};

/// What a cubic and a quadratic have in common in an interval that holds one root of the cubic.
pub(super) enum Common {
    None,
    /// That root.
    Root,
    /// The quadratic divides the cubic and has this sign at the root.
    Divides(i8),
}

/// The remainder α t + β of q2² f on division by q, as [β, α]; q2 may be 0.
fn remainder<I: Integer>(p: &[I; 4], q: &[I; 3]) -> [I; 2] {
    let [q0, q1, q2] = q;
    // Minus (p3 t) q, then minus (lead) q.
    let r0 = q2.times(&p[0]);
    let r1 = q2.times(&p[1]).minus(&p[3].times(q0));
    let lead = q2.times(&p[2]).minus(&p[3].times(q1));
    [q2.times(&r0).minus(&lead.times(q0)), q2.times(&r1).minus(&lead.times(q1))]
}

/// q(x / d) = 0.
fn vanishes<I: Integer>(q: &[I; 3], x: &I, d: &I) -> bool {
    q[2].times(x).plus(&q[1].times(d)).times(x).plus(&q[0].times(d).times(d)).is_zero()
}

/// f(x / d) = 0.
fn cubic_vanishes<I: Integer>(p: &[I; 4], x: &I, d: &I) -> bool {
    let high = p[3].times(x).plus(&p[2].times(d)).times(x);
    let dd = d.times(d);
    high.plus(&p[1].times(&dd)).times(x).plus(&p[0].times(&dd).times(d)).is_zero()
}

/// Room for all of the above: coefficients of the remainder are below 2^(2q + p + 3), a quadratic at their quotient below
/// 2^(q + 2(2q + p + 3) + 2).
fn room<W: Integer>(p: u32, q: u32) -> Result<(), Full> {
    W::room((5 * q + 2 * p + 8).max(p + 3 * q + 3))
}

/// Asks whether the root in the bracket, which is open, is one of `q` too; `q` is not 0.
pub(super) fn in_bracket<I: Integer>(f: &Cubic<I>, q: &[I; 3], at: &Bracket<I>) -> Result<Common, Full> {
    room::<I::Wider>(f.bits, bits(q))?;
    let p = f.power.each_ref().map(I::widened);
    let q = q.each_ref().map(I::widened);
    let fraction = if q[2].is_zero() {
        // The root of a linear polynomial, if it has one: is it f's?
        (!q[1].is_zero()).then(|| (q[0].negative(), q[1].clone())).filter(|(x, d)| cubic_vanishes(&p, x, d))
    } else {
        let [beta, alpha] = remainder(&p, &q);
        if alpha.is_zero() {
            return if beta.is_zero() { divides(&q, at) } else { Ok(Common::None) };
        }
        Some((beta.negative(), alpha)).filter(|(x, d)| vanishes(&q, x, d))
    };
    let root = fraction.and_then(|(x, d)| Root::fraction(x, d));
    let place = Bracket::<I::Wider>::open(at.k.clone(), at.depth);
    match root {
        Some(root) if root.is_inside(&place)? => Ok(Common::Root),
        _ => Ok(Common::None),
    }
}

/// All roots of q are roots of f. The bracket holds one root of f, a simple one, so q has it or has none there and keeps
/// its sign: it has it exactly when its sign just inside one end differs from that just inside the other.
fn divides<W: Integer>(
    q: &[W; 3],
    at: &Bracket<impl Integer<Numerator = W::Numerator>>,
) -> Result<Common, Full> {
    let (k, s) = (&at.k, at.depth);
    W::room(bits(q) + 2 * s + 5)?;
    // Times 4^s, and q2 with the factor that the length of the bracket gives it.
    let q1 = q[1].shifted(s);
    let q2k = q[2].times_numerator(k);
    let low = q2k.plus(&q1).times_numerator(k).plus(&q[0].shifted(2 * s));
    let slope = q1.plus(&q2k.doubled());
    let high = low.plus(&slope).plus(&q[2]);
    let before = slope.plus(&q[2].doubled()).negative();
    let first = |signs: [i8; 3]| signs.into_iter().find(|&s| s != 0).unwrap_or(0);
    let left = first([low.sign(), slope.sign(), q[2].sign()]);
    let right = first([high.sign(), before.sign(), q[2].sign()]);
    Ok(if left == right { Common::Divides(left) } else { Common::Root })
}

/// The distinct roots in [0, 1] of a cubic that has a repeated root, ascending: they are fractions, two at most. `None` if
/// all its roots are simple.
pub(super) fn with_repeated_root<I: Integer>(f: &Cubic<I>) -> Result<Option<[Option<Root<I>>; 2]>, Full> {
    // The derivative is two bits longer.
    room::<I::Wider>(f.bits, f.bits + 2)?;
    let p = f.power.each_ref().map(I::widened);
    let Some(repeated) = repeated(&p) else { return Ok(None) };
    let narrow = |(x, d): (I::Wider, I::Wider)| Ok(Root::fraction(I::narrowed(&x)?, I::narrowed(&d)?));
    let other = other(&p, &repeated, f.bits)?;
    let roots = match other {
        Some((x, d)) if is_below(&(x.clone(), d.clone()), &repeated)? => [narrow((x, d))?, narrow(repeated)?],
        Some(other) => [narrow(repeated)?, narrow(other)?],
        None => [narrow(repeated)?, None],
    };
    Ok(Some(roots))
}

/// A root of a cubic and of its derivative, as numerator and denominator.
fn repeated<W: Integer>(p: &[W; 4]) -> Option<(W, W)> {
    if p[3].is_zero() {
        // A quadratic, or less: the root of its derivative.
        let (x, d) = (p[1].negative(), p[2].doubled());
        return (!d.is_zero() && cubic_vanishes(p, &x, &d)).then_some((x, d));
    }
    let q = [p[1].clone(), p[2].doubled(), p[3].doubled().plus(&p[3])];
    let [beta, alpha] = remainder(p, &q);
    if alpha.is_zero() {
        // The derivative divides the cubic: a triple root.
        return beta.is_zero().then(|| (p[2].negative(), q[2].clone()));
    }
    Some((beta.negative(), alpha)).filter(|(x, d)| vanishes(&q, x, d))
}

/// The root of a cubic that remains when a repeated one is taken out twice: the three sum to −p2 / p3.
fn other<W: Integer>(p: &[W; 4], (x, d): &(W, W), size: u32) -> Result<Option<(W, W)>, Full> {
    if p[3].is_zero() {
        return Ok(None);
    }
    W::room(size + bits(&[x.clone(), d.clone()]) + 3)?;
    let numerator = p[2].times(d).plus(&x.times(&p[3]).doubled()).negative();
    Ok(Some((numerator, p[3].times(d))))
}

/// Compares two fractions with denominators of any sign.
fn is_below<W: Integer>((x0, d0): &(W, W), (x1, d1): &(W, W)) -> Result<bool, Full> {
    W::room(bits(&[x0.clone(), d0.clone()]) + bits(&[x1.clone(), d1.clone()]) + 2)?;
    let difference = x1.times(d0).minus(&x0.times(d1));
    Ok(difference.sign() * d0.sign() * d1.sign() > 0)
}
