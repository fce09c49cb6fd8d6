//! The tests that exact ones are measured against: plain `f64`, no error bounds, wrong near ties.

use crumple::geometry::Point;

fn sub(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: &Point, b: &Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Point, b: &Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Möller's interval test; pairs in one plane count as apart.
#[inline]
pub fn tri_tri(a: [&Point; 3], b: [&Point; 3]) -> bool {
    let same =
        |d: &Point| (d[0] > 0.0 && d[1] > 0.0 && d[2] > 0.0) || (d[0] < 0.0 && d[1] < 0.0 && d[2] < 0.0);
    let nb = cross(&sub(b[1], b[0]), &sub(b[2], b[0]));
    let da: Point = std::array::from_fn(|i| dot(&nb, &sub(a[i], b[0])));
    if same(&da) {
        return false;
    }
    let na = cross(&sub(a[1], a[0]), &sub(a[2], a[0]));
    let db: Point = std::array::from_fn(|i| dot(&na, &sub(b[i], a[0])));
    if same(&db) || da == [0.0; 3] {
        return false;
    }
    let m = cross(&na, &nb).map(f64::abs);
    let k = if m[0] >= m[1] && m[0] >= m[2] {
        0
    } else if m[1] >= m[2] {
        1
    } else {
        2
    };
    let (la, ha) = interval([a[0][k], a[1][k], a[2][k]], da);
    let (lb, hb) = interval([b[0][k], b[1][k], b[2][k]], db);
    la <= hb && lb <= ha
}

#[inline(always)]
fn interval(p: Point, d: Point) -> (f64, f64) {
    let k = if d[0] * d[1] > 0.0 {
        2
    } else if d[0] * d[2] > 0.0 {
        1
    } else if d[1] * d[2] > 0.0 || d[0] != 0.0 {
        0
    } else if d[1] != 0.0 {
        1
    } else {
        2
    };
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let t0 = p[k] + (p[i] - p[k]) * d[k] / (d[k] - d[i]);
    let t1 = p[k] + (p[j] - p[k]) * d[k] / (d[k] - d[j]);
    (t0.min(t1), t0.max(t1))
}

/// Barycentric coordinates by the solution of a 3x3 system (T10).
#[inline]
pub fn in_tet(p: &Point, t: &[Point; 4]) -> bool {
    let (ab, ac, ad, ap) = (sub(&t[1], &t[0]), sub(&t[2], &t[0]), sub(&t[3], &t[0]), sub(p, &t[0]));
    let n = cross(&ac, &ad);
    let mut det = dot(&ab, &n);
    let m = cross(&ab, &ap);
    let (w1, w2, w3) = (dot(&ap, &n), dot(&ad, &m), -dot(&ac, &m));
    let mut w = [det - w1 - w2 - w3, w1, w2, w3];
    if det < 0.0 {
        w = w.map(|x| -x);
        det = -det;
    }
    w.iter().all(|&w| w >= 0.0) && det > 0.0
}
