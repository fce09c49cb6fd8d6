//! Real roots of polynomials with integer coefficients, by Sturm's theorem: slow, short, and without a case distinction.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// How often an interval is halved before chains are made.
const EASY: usize = 16;

/// Coefficients, lowest first, the last one not 0.
pub(super) type Polynomial = Vec<BigInt>;

fn zero() -> BigInt {
    BigInt::from(0)
}

fn sign(x: &BigInt) -> i32 {
    match x.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

fn absolute(x: &BigInt) -> BigInt {
    BigInt::from(x.magnitude().clone())
}

pub(super) fn trim(mut p: Polynomial) -> Polynomial {
    while p.last().is_some_and(|c| sign(c) == 0) {
        p.pop();
    }
    p
}

pub(super) fn add(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let at = |p: &Polynomial, i: usize| p.get(i).cloned().unwrap_or_else(zero);
    trim((0..a.len().max(b.len())).map(|i| at(a, i) + at(b, i)).collect())
}

pub(super) fn sub(a: &Polynomial, b: &Polynomial) -> Polynomial {
    add(a, &b.iter().map(|c| -c).collect())
}

pub(super) fn mul(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut out = vec![zero(); a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    trim(out)
}

/// Quotient and remainder of `a` times |c|^(d + 1) on division by `b`, c the leading coefficient of `b` and d the difference of
/// the degrees, which is not negative.
fn divide(a: &Polynomial, b: &Polynomial) -> (Polynomial, Polynomial) {
    let lead = &b[b.len() - 1];
    let size = absolute(lead);
    let (mut quotient, mut rest) = (vec![zero(); a.len()], a.clone());
    for shift in (0..=a.len() - b.len()).rev() {
        let factor = rest.get(shift + b.len() - 1).map_or_else(zero, |c| c * sign(lead));
        for c in quotient.iter_mut().chain(&mut rest) {
            *c *= &size;
        }
        quotient[shift] += &factor;
        for (i, c) in b.iter().enumerate() {
            rest[i + shift] -= &factor * c;
        }
        rest.pop();
    }
    (trim(quotient), trim(rest))
}

/// Two polynomials, and then of every two the remainder with its sign turned, until it is 0; each up to a positive factor.
///
/// Factors that are known to be in a remainder are taken out (subresultants, Brown 1971), so that numbers grow in proportion
/// to the number of steps; without that they double in each.
fn remainders(a: Polynomial, b: Polynomial) -> Vec<Polynomial> {
    let mut all = vec![a, b];
    let (mut g, mut h) = (BigInt::from(1), BigInt::from(1));
    while let [.., a, b] = &all[..]
        && !b.is_empty()
    {
        let lead = absolute(&b[b.len() - 1]);
        let step = (a.len() - b.len()) as u32;
        let known = &g * h.pow(step);
        let rest: Polynomial = divide(a, b).1.iter().map(|c| -c / &known).collect();
        h = if step == 0 { h } else { lead.pow(step) / h.pow(step - 1) };
        g = lead;
        all.push(rest);
    }
    all.pop();
    all
}

/// A greatest common divisor, up to a factor.
fn gcd(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    remainders(a.clone(), b.clone()).pop().unwrap_or_default()
}

fn derivative(p: &Polynomial) -> Polynomial {
    trim(p.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
}

/// k / 2^s.
#[derive(Debug, Clone)]
pub(super) struct Dyadic {
    pub k: BigInt,
    pub s: usize,
}

impl Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        (&self.k << other.s).cmp(&(&other.k << self.s))
    }

    fn middle(a: &Dyadic, b: &Dyadic) -> Dyadic {
        let s = a.s.max(b.s);
        Dyadic { k: (&a.k << (s - a.s)) + (&b.k << (s - b.s)), s: s + 1 }
    }
}

/// The value of a polynomial times 2^(s d), d its degree.
fn scaled_at(p: &Polynomial, t: &Dyadic) -> BigInt {
    let mut value = zero();
    for (i, c) in p.iter().rev().enumerate() {
        value = value * &t.k + (c << (i * t.s));
    }
    value
}

fn sign_at(p: &Polynomial, t: &Dyadic) -> i32 {
    sign(&scaled_at(p, t))
}

/// The polynomial without repeated roots that has the roots of another one, and Sturm's chain of it.
fn sturm(p: &Polynomial) -> (Polynomial, Vec<Polynomial>) {
    let chain = remainders(p.clone(), derivative(p));
    // The last of them is the greatest common divisor with the derivative.
    match chain.last() {
        Some(common) if common.len() > 1 => {
            let p = divide(p, common).0;
            let chain = remainders(p.clone(), derivative(&p));
            (p, chain)
        }
        _ => (p.clone(), chain),
    }
}

fn changes(chain: &[Polynomial], t: &Dyadic) -> i32 {
    let signs: Vec<i32> = chain.iter().map(|p| sign_at(p, t)).filter(|&s| s != 0).collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count() as i32
}

/// How many distinct roots are in (low, high], if neither end is a multiple root.
fn count(chain: &[Polynomial], low: &Dyadic, high: &Dyadic) -> i32 {
    changes(chain, low) - changes(chain, high)
}

/// The only root in (low, high] of a polynomial without repeated roots.
#[derive(Debug, Clone)]
pub(super) struct Algebraic {
    p: Polynomial,
    chain: Vec<Polynomial>,
    low: Dyadic,
    high: Dyadic,
}

impl Algebraic {
    /// The number 0.
    pub fn zero() -> Self {
        roots(&vec![zero(), BigInt::from(1)]).remove(0)
    }

    fn refine(&mut self) {
        let middle = Dyadic::middle(&self.low, &self.high);
        // A simple root, so the sign changes there; the other half has none.
        let is_below = match sign_at(&self.p, &middle) {
            0 => true,
            sign => sign == sign_at(&self.p, &self.high),
        };
        if is_below { self.high = middle } else { self.low = middle }
    }

    /// Where it lies from `t`: `Less` if it is before.
    pub fn compare(&self, t: &Dyadic) -> Ordering {
        if t.cmp(&self.low).is_le() {
            return Ordering::Greater;
        }
        let is_before = t.cmp(&self.high).is_gt() || count(&self.chain, &self.low, t) == 1;
        match (is_before, sign_at(&self.p, t)) {
            (false, _) => Ordering::Greater,
            (true, 0) if t.cmp(&self.high).is_le() => Ordering::Equal,
            _ => Ordering::Less,
        }
    }

    /// The sign of `g` where it is far from zero throughout the interval: between x and y in [-1, 1] a polynomial changes by at
    /// most |x - y| times the sum of i |cᵢ|. Else 0.
    fn plain_sign(&self, g: &Polynomial) -> i32 {
        let (s, degree) = (self.high.s.max(self.low.s), g.len() - 1);
        let width = (&self.high.k << (s - self.high.s)) - (&self.low.k << (s - self.low.s));
        let slope: BigInt = g.iter().enumerate().map(|(i, c)| absolute(c) * i).sum();
        let value = scaled_at(g, &self.high);
        // |g| > width slope, both times 2^(s + high.s degree).
        let is_far = (absolute(&value) << s) > ((width * slope) << (self.high.s * degree));
        if is_far { sign(&value) } else { 0 }
    }

    /// The sign of `g` at this number.
    pub fn sign(&mut self, g: &Polynomial) -> i32 {
        if g.is_empty() {
            return 0;
        }
        for _ in 0..EASY {
            match self.plain_sign(g) {
                0 => self.refine(),
                sign => return sign,
            }
        }
        let (_, chain) = sturm(g);
        let mut asked = false;
        while count(&chain, &self.low, &self.high) > 0 || sign_at(g, &self.high) == 0 {
            // Once is enough: narrowing does not change it.
            if !asked && self.is_root_of(g) {
                return 0;
            }
            asked = true;
            self.refine();
        }
        sign_at(g, &self.high)
    }

    fn is_root_of(&self, g: &Polynomial) -> bool {
        let common = gcd(&self.p, g);
        common.len() > 1 && count(&sturm(&common).1, &self.low, &self.high) > 0
    }
}

/// The roots of a polynomial, not 0, in [0, 1], ascending.
pub(super) fn roots(p: &Polynomial) -> Vec<Algebraic> {
    let (p, chain) = sturm(p);
    let mut open = vec![
        (Dyadic { k: zero(), s: 0 }, Dyadic { k: BigInt::from(1), s: 0 }),
        // (−1, 0] may hold a root at 0 and others that are not asked for.
        (Dyadic { k: BigInt::from(-1), s: 0 }, Dyadic { k: zero(), s: 0 }),
    ];
    if sign_at(&p, &open[1].1) != 0 {
        open.pop();
    }
    let mut found: Vec<Algebraic> = Vec::new();
    while let Some((low, high)) = open.pop() {
        let at_most_zero = sign(&high.k) <= 0;
        let n = count(&chain, &low, &high);
        if n == 0 || at_most_zero && sign(&high.k) < 0 {
            continue;
        }
        if n == 1 {
            found.push(Algebraic { p: p.clone(), chain: chain.clone(), low, high });
            continue;
        }
        let middle = Dyadic::middle(&low, &high);
        open.push((middle.clone(), high));
        open.push((low, middle));
    }
    found
}
