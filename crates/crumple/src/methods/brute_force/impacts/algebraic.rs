//! Real roots of polynomials with integer coefficients, by Sturm's theorem: slow, short, and without a case distinction.

use num_bigint::{BigInt, Sign};

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

/// Quotient and remainder of a positive multiple of `a` on division by `b`.
fn divide(a: &Polynomial, b: &Polynomial) -> (Polynomial, Polynomial) {
    let lead = &b[b.len() - 1];
    let size = BigInt::from(sign(lead)) * lead;
    let (mut quotient, mut rest) = (vec![zero(); a.len()], a.clone());
    while rest.len() >= b.len() {
        let shift = rest.len() - b.len();
        let factor = &rest[rest.len() - 1] * sign(lead);
        for c in quotient.iter_mut().chain(&mut rest) {
            *c *= &size;
        }
        quotient[shift] += &factor;
        for (i, c) in b.iter().enumerate() {
            rest[i + shift] -= &factor * c;
        }
        rest = trim(rest);
    }
    (trim(quotient), rest)
}

/// A greatest common divisor, up to a factor.
fn gcd(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let (mut a, mut b) = (a.clone(), b.clone());
    while !b.is_empty() {
        let rest = divide(&a, &b).1;
        (a, b) = (b, rest);
    }
    a
}

fn derivative(p: &Polynomial) -> Polynomial {
    trim(p.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
}

/// k / 2^s.
#[derive(Clone)]
struct Dyadic {
    k: BigInt,
    s: usize,
}

impl Dyadic {
    fn middle(a: &Dyadic, b: &Dyadic) -> Dyadic {
        let s = a.s.max(b.s);
        Dyadic { k: (&a.k << (s - a.s)) + (&b.k << (s - b.s)), s: s + 1 }
    }
}

fn sign_at(p: &Polynomial, t: &Dyadic) -> i32 {
    let mut value = zero();
    for (i, c) in p.iter().rev().enumerate() {
        value = value * &t.k + (c << (i * t.s));
    }
    sign(&value)
}

/// Sturm's chain of a polynomial.
fn chain(p: &Polynomial) -> Vec<Polynomial> {
    let mut chain = vec![p.clone(), derivative(p)];
    while !chain[chain.len() - 1].is_empty() {
        let rest = divide(&chain[chain.len() - 2], &chain[chain.len() - 1]).1;
        chain.push(rest.iter().map(|c| -c).collect());
    }
    chain.pop();
    chain
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
#[derive(Clone)]
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
        if count(&self.chain, &self.low, &middle) == 1 { self.high = middle } else { self.low = middle }
    }

    /// The sign of `g` at this number.
    pub fn sign(&mut self, g: &Polynomial) -> i32 {
        if g.is_empty() {
            return 0;
        }
        let chain = chain(&square_free(g));
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
        common.len() > 1 && count(&chain(&common), &self.low, &self.high) > 0
    }
}

fn square_free(p: &Polynomial) -> Polynomial {
    let common = gcd(p, &derivative(p));
    if common.len() > 1 { divide(p, &common).0 } else { p.clone() }
}

/// The roots of a polynomial, not 0, in [0, 1], ascending.
pub(super) fn roots(p: &Polynomial) -> Vec<Algebraic> {
    let p = square_free(p);
    let chain = chain(&p);
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
