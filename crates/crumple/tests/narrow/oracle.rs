//! Convex hulls of points in exact arithmetic: do they meet, where, and how far apart are they?
//!
//! A common point of two hulls is Σλᵢaᵢ = Σμⱼbⱼ with non-negative λ and μ that sum to 1 each. Every extreme solution has
//! a support on which the equations determine it, so all supports are tried by elimination. The closest points of two
//! hulls are found the same way, from the conditions for a least distance on every pair of supports. No orientation
//! sign, no projection and no case distinction is involved; degenerate hulls need no care.
//!
//! Coordinates are integers after scaling by a power of two, elimination is free of fractions (Bareiss).

use num_bigint::BigInt;
use num_rational::BigRational;

pub type Point = [f64; 3];

/// Homogeneous coordinates x, y, z, w with w positive.
type Exact = [BigInt; 4];

fn int(i: i64) -> BigInt {
    BigInt::from(i)
}

pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// The nearest `f64`, or one next to it.
pub fn approximate(x: &BigRational) -> f64 {
    let shift = 80 + x.denom().bits() as i64 - x.numer().bits() as i64;
    let two = |n: i64| int(1) << n.max(0) as usize;
    let scaled = x.numer() * two(shift) / (x.denom() * two(-shift));
    let digits: f64 = scaled.to_string().parse().expect("digits");
    // In two steps, so that neither factor leaves the range of f64.
    digits * 2f64.powi((-shift / 2) as i32) * 2f64.powi((-shift - -shift / 2) as i32)
}

/// The points times one power of two that makes all coordinates integers; and that power as w.
fn exact(points: &[Point]) -> Vec<Exact> {
    points
        .iter()
        .map(|p| {
            let q = p.map(rational);
            // Denominators are powers of two: the largest is the common one.
            let w = q.iter().map(|c| c.denom().clone()).max().expect("three");
            let [x, y, z] = q.map(|c| c.numer() * (&w / c.denom()));
            [x, y, z, w]
        })
        .collect()
}

/// The points at extreme solutions; their hull is the common part of the two hulls.
fn common(a: &[Exact], b: &[Exact]) -> Vec<Exact> {
    let n = a.len() + b.len();
    // Five equations: coordinates and weights balance, the weights of the first hull sum to 1.
    let column = |i: usize| -> Vec<BigInt> {
        if i < a.len() {
            a[i].iter().cloned().chain([a[i][3].clone()]).collect()
        } else {
            b[i - a.len()].iter().map(|x| -x).chain([int(0)]).collect()
        }
    };
    let columns: Vec<Vec<BigInt>> = (0..n).map(column).collect();
    let mut found: Vec<Exact> = Vec::new();
    for support in 1u32..1 << n {
        let used: Vec<usize> = (0..n).filter(|i| support >> i & 1 == 1).collect();
        if used.len() > 5 {
            continue;
        }
        let row =
            |r: usize| used.iter().map(|&i| columns[i][r].clone()).chain([int((r == 4).into())]).collect();
        let Some((x, _)) = solve((0..5).map(row).collect(), used.len()) else { continue };
        if x.iter().any(|x| *x < int(0)) {
            continue;
        }
        let mut p = [int(0), int(0), int(0), int(0)];
        for (&i, x) in used.iter().zip(&x).filter(|&(&i, _)| i < a.len()) {
            for k in 0..4 {
                p[k] += x * &a[i][k];
            }
        }
        let same = |q: &Exact| (0..3).all(|k| &q[k] * &p[3] == &p[k] * &q[3]);
        if !found.iter().any(same) {
            found.push(p);
        }
    }
    found
}

/// The unique solution, as numerators over one positive denominator, of rows [coefficients | right side].
fn solve(mut rows: Vec<Vec<BigInt>>, variables: usize) -> Option<(Vec<BigInt>, BigInt)> {
    let zero = int(0);
    let mut last = int(1);
    for c in 0..variables {
        let pivot = (c..rows.len()).find(|&r| rows[r][c] != zero)?;
        rows.swap(c, pivot);
        let lead = rows[c].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != c {
                let f = row[c].clone();
                for (x, l) in row.iter_mut().zip(&lead) {
                    *x = (&*x * &lead[c] - &f * l) / &last;
                }
            }
        }
        last = lead[c].clone();
    }
    if rows[variables..].iter().any(|row| row[variables] != zero) {
        return None;
    }
    let sign = if last < zero { int(-1) } else { int(1) };
    Some((rows[..variables].iter().map(|row| &row[variables] * &sign).collect(), last * sign))
}

pub fn hulls_meet(a: &[Point], b: &[Point]) -> bool {
    !common(&exact(a), &exact(b)).is_empty()
}

/// Points whose hull is the common part of the two hulls, rounded.
pub fn common_points(a: &[Point], b: &[Point]) -> Vec<Point> {
    let ratio = |x: &BigInt, w: &BigInt| approximate(&BigRational::new(x.clone(), w.clone()));
    common(&exact(a), &exact(b)).iter().map(|[x, y, z, w]| [ratio(x, w), ratio(y, w), ratio(z, w)]).collect()
}

/// Whether triangles with vertex indices intersect by the one rule: a common point outside the simplex of shared ones.
pub fn triangles_meet(ia: [u32; 3], a: &[Point; 3], ib: [u32; 3], b: &[Point; 3]) -> bool {
    let shared: Vec<Point> = (0..3).filter(|&i| ib.contains(&ia[i])).map(|i| a[i]).collect();
    let shared = exact(&shared);
    common(&exact(a), &exact(b)).iter().any(|p| common(std::slice::from_ref(p), &shared).is_empty())
}

/// The squared distance of two hulls.
pub fn distance_sq(a: &[Point], b: &[Point]) -> BigRational {
    // One scale for all: w is 1 up to a common factor.
    let all = exact(&[a, b].concat());
    let scale = all.iter().map(|p| p[3].clone()).max().expect("points");
    let points: Vec<[BigInt; 3]> = all.iter().map(|p| [0, 1, 2].map(|k| &p[k] * (&scale / &p[3]))).collect();
    let dot = |p: &[BigInt; 3], q: &[BigInt; 3]| &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2];
    let mut best: Option<BigRational> = None;
    for sa in 1u32..1 << a.len() {
        for sb in 1u32..1 << b.len() {
            // Unknowns: weights x of the used points (b's signed −), two multipliers. Each used point p has
            // ± p · Σ±x q = its multiplier; the weights of each side sum to 1.
            let side = |s: u32, from: usize, len: usize, sign: i64| {
                (0..len).filter(move |i| s >> i & 1 == 1).map(move |i| (from + i, sign))
            };
            let used: Vec<(usize, i64)> =
                side(sa, 0, a.len(), 1).chain(side(sb, a.len(), b.len(), -1)).collect();
            let n = used.len();
            let mut rows: Vec<Vec<BigInt>> = Vec::new();
            for &(i, s) in &used {
                let gram = used.iter().map(|&(j, t)| dot(&points[i], &points[j]) * (s * t));
                rows.push(gram.chain([int((s == 1).into()), int((s == -1).into()), int(0)]).collect());
            }
            for want in [1, -1] {
                let member = used.iter().map(|&(_, s)| int((s == want).into()));
                rows.push(member.chain([int(0), int(0), int(1)]).collect());
            }
            let Some((x, over)) = solve(rows, n + 2) else { continue };
            if x[..n].iter().any(|x| *x < int(0)) {
                continue;
            }
            let gap = [0, 1, 2]
                .map(|k| used.iter().zip(&x).fold(int(0), |g, (&(i, s), x)| g + x * &points[i][k] * s));
            let over = over * &scale;
            let d = BigRational::new(dot(&gap, &gap), &over * &over);
            if best.as_ref().is_none_or(|b| d < *b) {
                best = Some(d);
            }
        }
    }
    best.expect("two corners at least")
}
