//! Convex hulls of points in rational arithmetic: do they meet, and where?
//!
//! A common point of two hulls is Σλᵢaᵢ = Σμⱼbⱼ with non-negative λ and μ that sum to 1 each. Every extreme solution has
//! a support on which the equations determine it, so all supports are tried by elimination. No orientation sign, no
//! projection and no case distinction is involved; degenerate hulls need no care.

use num_bigint::BigInt;
use num_rational::BigRational;

pub type Q = BigRational;
pub type Point = [f64; 3];

pub fn rational(x: f64) -> Q {
    BigRational::from_float(x).expect("finite")
}

pub fn zero() -> Q {
    Q::from(BigInt::from(0))
}

pub fn point(p: &Point) -> [Q; 3] {
    p.map(rational)
}

/// The points at extreme solutions; their hull is the common part of the two hulls.
pub fn common(a: &[[Q; 3]], b: &[[Q; 3]]) -> Vec<[Q; 3]> {
    let n = a.len() + b.len();
    let (zero, one) = (zero(), Q::from(BigInt::from(1)));
    // One row per variable: the three coordinates with sign, and the two sums.
    let column = |i: usize| -> Vec<Q> {
        if i < a.len() {
            a[i].iter().cloned().chain([one.clone(), zero.clone()]).collect()
        } else {
            b[i - a.len()].iter().map(|x| -x).chain([zero.clone(), one.clone()]).collect()
        }
    };
    let right = [zero.clone(), zero.clone(), zero.clone(), one.clone(), one.clone()];
    let mut found: Vec<[Q; 3]> = Vec::new();
    for support in 1u32..1 << n {
        let used: Vec<usize> = (0..n).filter(|i| support >> i & 1 == 1).collect();
        if used.len() > 5 {
            continue;
        }
        let columns: Vec<Vec<Q>> = used.iter().map(|&i| column(i)).collect();
        let rows = (0..5)
            .map(|r| columns.iter().map(|c| c[r].clone()).chain([right[r].clone()]).collect())
            .collect();
        let Some(x) = solve(rows, used.len()) else { continue };
        if x.iter().any(|x| *x < zero) {
            continue;
        }
        let mut p = [zero.clone(), zero.clone(), zero.clone()];
        for (&i, x) in used.iter().zip(&x).filter(|&(&i, _)| i < a.len()) {
            for k in 0..3 {
                p[k] += x * &a[i][k];
            }
        }
        if !found.contains(&p) {
            found.push(p);
        }
    }
    found
}

/// The unique solution of rows [coefficients | right side], if there is exactly one.
fn solve(mut rows: Vec<Vec<Q>>, variables: usize) -> Option<Vec<Q>> {
    let zero = zero();
    for c in 0..variables {
        let pivot = (c..rows.len()).find(|&r| rows[r][c] != zero)?;
        rows.swap(c, pivot);
        let lead = rows[c].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != c && row[c] != zero {
                let f = &row[c] / &lead[c];
                for (x, l) in row.iter_mut().zip(&lead) {
                    *x -= &f * l;
                }
            }
        }
    }
    let consistent = rows[variables..].iter().all(|row| row[variables] == zero);
    consistent.then(|| (0..variables).map(|c| &rows[c][variables] / &rows[c][c]).collect())
}

pub fn hulls_meet(a: &[Point], b: &[Point]) -> bool {
    !common(&hull(a), &hull(b)).is_empty()
}

/// The extreme points of the common part that lie outside the hull of `without`.
pub fn common_outside(a: &[Point], b: &[Point], without: &[Point]) -> Vec<[Q; 3]> {
    let without = hull(without);
    let mut points = common(&hull(a), &hull(b));
    points.retain(|p| without.is_empty() || common(std::slice::from_ref(p), &without).is_empty());
    points
}

fn hull(points: &[Point]) -> Vec<[Q; 3]> {
    points.iter().map(point).collect()
}

/// Whether triangles with vertex indices intersect by the one rule: a common point outside the simplex of shared ones.
pub fn triangles_meet(ia: [u32; 3], a: &[Point; 3], ib: [u32; 3], b: &[Point; 3]) -> bool {
    let shared: Vec<Point> = (0..3).filter(|&i| ib.contains(&ia[i])).map(|i| a[i]).collect();
    !common_outside(a, b, &shared).is_empty()
}
