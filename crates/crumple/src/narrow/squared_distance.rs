//! The exact squared distance of two simplices, as a ratio of integers.
//!
//! Points, segments and triangles are closest at a pair of their faces: two corners, a corner and a line, two lines, a corner
//! and a plane. Take the shortest connection r of the affine hulls of two faces. If it ends inside both, and no corner of
//! either simplex lies beyond the plane across r through its end, then nothing is between these planes and r is the
//! distance. So a pair of faces is either proved to be the closest or it is not, and some pair always is unless the simplices
//! cross each other in their interiors, which only two triangles, or a segment and a triangle, can do.
//!
//! Coordinates are scaled by a power of two to integers, so everything here is exact for every finite input. Some
//! microseconds where coordinates have one scale; the bounds in [`super::distance_bounds`] leave only ties to it.

use super::integer::{Int, parts};
use crate::geometry::Point;
use std::cmp::Ordering;

type Vector = [Int; 3];

/// A squared distance, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct SquaredDistance {
    numerator: Int,
    denominator: Int,
    /// The value is numerator / denominator · 4^exponent.
    exponent: i32,
    /// The corners of either simplex that span its closest face, by bits.
    pub faces: [u8; 2],
    /// The weights of the corners in the closest points, rounded; each within [0, 1].
    pub weights: [[f64; 3]; 2],
    /// From the first to the second, rounded, its largest coordinate near 1; 0 where they touch.
    pub direction: Point,
}

/// The faces that can be closest, as corners by bits.
const CORNERS: [u8; 3] = [1, 2, 4];
const EDGES: [u8; 3] = [3, 6, 5];
const TRIANGLE: u8 = 7;

impl SquaredDistance {
    /// Of simplices with one to three corners; `None` when they cross. The faces of `hint` are tried first.
    pub fn of(a: &[Point], b: &[Point], hint: Option<[u8; 2]>) -> Option<Self> {
        let exponent = exponent(a.iter().chain(b));
        let origin = a[0].map(|x| Int::scaled(x, exponent));
        let place = |p: &Point| -> Vector { each(|k| Int::scaled(p[k], exponent).minus(&origin[k])) };
        let pair = Pair { a: a.iter().map(place).collect(), b: b.iter().map(place).collect() };
        let try_faces = |faces: [u8; 2]| pair.closest_at(faces).map(|found| found.measured(exponent, faces));
        let fits = |faces: &[u8; 2]| faces[0] >> a.len() == 0 && faces[1] >> b.len() == 0;
        if let Some(found) = hint.filter(fits).and_then(try_faces) {
            return Some(found);
        }
        face_pairs().filter(fits).find_map(try_faces)
    }

    /// Whether the simplices touch.
    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == 0
    }

    /// Compares the distance with a number that is not negative.
    pub fn compare_to(&self, distance: f64) -> Ordering {
        let (mantissa, exponent) = parts(distance);
        let root = Int::scaled(mantissa as f64, 0);
        let square = root.times(&root).times(&self.denominator);
        compare_scaled(&self.numerator, self.exponent, &square, exponent)
    }

    /// The largest number not above the distance, and the smallest not below it.
    pub fn bounds(&self) -> [f64; 2] {
        let mut low = self.approximately();
        if !low.is_finite() {
            return [f64::MAX, f64::INFINITY];
        }
        while self.compare_to(low) == Ordering::Less {
            low = low.next_down();
        }
        while self.compare_to(low.next_up()) != Ordering::Less {
            low = low.next_up();
        }
        if self.compare_to(low) == Ordering::Equal { [low, low] } else { [low, low.next_up()] }
    }

    /// The distance, a few units in the last place off.
    fn approximately(&self) -> f64 {
        let ((n, en), (d, ed)) = (self.numerator.rounded(), self.denominator.rounded());
        if n == 0.0 {
            return 0.0;
        }
        // Limbs are 64 bits wide, so the difference is even.
        let exponent = (en - ed) / 2 + self.exponent;
        let root = (n / d).sqrt();
        // In three steps, so that none overflows and the last one rounds.
        let third = exponent / 3;
        root * power(third) * power(third) * power(exponent - 2 * third)
    }
}

impl PartialEq for SquaredDistance {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SquaredDistance {}

impl PartialOrd for SquaredDistance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SquaredDistance {
    fn cmp(&self, other: &Self) -> Ordering {
        let mine = self.numerator.times(&other.denominator);
        let theirs = other.numerator.times(&self.denominator);
        compare_scaled(&mine, self.exponent, &theirs, other.exponent)
    }
}

/// Compares the distance of a point from the plane of a triangle that has an area with a number that is not negative.
pub(super) fn compare_height(p: &Point, triangle: [&Point; 3], distance: f64) -> Ordering {
    let scale = exponent(triangle.into_iter().chain([p]));
    let place = |q: &Point| -> Vector { each(|k| Int::scaled(q[k], scale)) };
    let a = place(triangle[0]);
    let [u, v, w] = [triangle[1], triangle[2], p].map(|q| sub(&place(q), &a));
    let n = cross(&u, &v);
    let height = dot(&n, &w);
    let (mantissa, own) = parts(distance);
    let root = Int::scaled(mantissa as f64, 0);
    compare_scaled(&height.times(&height), scale, &root.times(&root).times(&dot(&n, &n)), own)
}

/// Compares x · 4^e with y · 4^f.
fn compare_scaled(x: &Int, e: i32, y: &Int, f: i32) -> Ordering {
    let least = e.min(f);
    x.shifted(2 * (e - least) as u32).cmp(&y.shifted(2 * (f - least) as u32))
}

/// 2^exponent, for what a float can hold.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

/// The largest power of two that all coordinates are multiples of.
fn exponent<'p>(points: impl Iterator<Item = &'p Point>) -> i32 {
    points.flatten().map(|&x| parts(x)).filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0)
}

fn face_pairs() -> impl Iterator<Item = [u8; 2]> {
    let both =
        |x: &'static [u8], y: &'static [u8]| x.iter().flat_map(move |&f| y.iter().map(move |&g| [f, g]));
    both(&CORNERS, &CORNERS)
        .chain(both(&EDGES, &CORNERS))
        .chain(both(&CORNERS, &EDGES))
        .chain(both(&EDGES, &EDGES))
        .chain(both(&[TRIANGLE], &CORNERS))
        .chain(both(&CORNERS, &[TRIANGLE]))
}

/// Two simplices in integers.
struct Pair {
    a: Vec<Vector>,
    b: Vec<Vector>,
}

/// The shortest connection of two faces.
struct Connection {
    /// A multiple of the way from the first to the second that is not negative.
    direction: Vector,
    numerator: Int,
    denominator: Int,
    /// The weights of the faces' corners, times `whole`.
    weights: [[Int; 3]; 2],
    whole: Int,
}

impl Connection {
    fn measured(self, exponent: i32, faces: [u8; 2]) -> SquaredDistance {
        let (d, ed) = self.whole.rounded();
        let share = |w: &Int| {
            let (n, en) = w.rounded();
            // Not above the whole, so it cannot overflow.
            if n == 0.0 { 0.0 } else { (n / d * power((en - ed).max(-1022))).min(1.0) }
        };
        let weights = [0, 1].map(|i| each(|k| share(&self.weights[i][k])));
        let along = self.direction.each_ref().map(Int::rounded);
        let most = along.iter().filter(|x| x.0 != 0.0).map(|x| x.1).max().unwrap_or(0);
        // Limbs of the top are 2^128 at most; what is 2^1000 times smaller does not matter.
        let direction = along.map(|(x, e)| x * power(-128) * power((e - most).max(-900)));
        let (numerator, denominator) = (self.numerator, self.denominator);
        SquaredDistance { numerator, denominator, exponent, faces, weights, direction }
    }
}

impl Pair {
    /// The connection of two faces, if it is the shortest of the simplices.
    fn closest_at(&self, [f, g]: [u8; 2]) -> Option<Connection> {
        let (p, q) = (corners(f), corners(g));
        let connection = match (p.len(), q.len()) {
            (1, _) => connect(&self.a, p[0], &self.b, &q)?,
            (_, 1) => connect(&self.b, q[0], &self.a, &p)?.reversed(),
            _ => connect_edges(&self.a, [p[0], p[1]], &self.b, [q[0], q[1]])?,
        };
        // The connection is perpendicular to both faces, so only the other corners can be beyond.
        let beyond =
            |k: usize, of: &[Vector], from: usize| dot(&connection.direction, &sub(&of[k], &of[from])).sign();
        let is_free = (0..self.a.len()).all(|k| f >> k & 1 == 1 || beyond(k, &self.a, p[0]) <= 0)
            && (0..self.b.len()).all(|k| g >> k & 1 == 1 || beyond(k, &self.b, q[0]) >= 0);
        is_free.then_some(connection)
    }
}

/// The corners of a face.
fn corners(face: u8) -> Vec<usize> {
    (0..3).filter(|k| face >> k & 1 == 1).collect()
}

impl Connection {
    fn reversed(self) -> Self {
        let [a, b] = self.weights;
        Self { direction: self.direction.map(|x| x.negated()), weights: [b, a], ..self }
    }
}

fn alone(corner: usize, whole: &Int) -> [Int; 3] {
    each(|k| if k == corner { whole.clone() } else { Int::zero() })
}

/// A corner of the first and a face of the second simplex; `None` where the foot is not on the face.
fn connect(a: &[Vector], p: usize, b: &[Vector], face: &[usize]) -> Option<Connection> {
    let w = sub(&b[face[0]], &a[p]);
    let one = Int::scaled(1.0, 0);
    match *face {
        [q] => Some(Connection {
            numerator: dot(&w, &w),
            denominator: one.clone(),
            weights: [alone(p, &one), alone(q, &one)],
            direction: w,
            whole: one,
        }),
        [q, r] => {
            let v = sub(&b[r], &b[q]);
            let (vv, along) = (dot(&v, &v), dot(&w, &v).negated());
            if vv.sign() == 0 || along.sign() < 0 || along > vv {
                return None;
            }
            let mut weights = alone(r, &along);
            weights[q] = vv.minus(&along);
            Some(Connection {
                direction: each(|k| w[k].times(&vv).plus(&v[k].times(&along))),
                numerator: dot(&w, &w).times(&vv).minus(&along.times(&along)),
                denominator: vv.clone(),
                weights: [alone(p, &vv), weights],
                whole: vv,
            })
        }
        [q, r, s] => {
            let (u, v) = (sub(&b[r], &b[q]), sub(&b[s], &b[q]));
            let n = cross(&u, &v);
            let nn = dot(&n, &n);
            let down = w.each_ref().map(Int::negated);
            let (second, third) = (dot(&cross(&down, &v), &n), dot(&cross(&u, &down), &n));
            let first = nn.minus(&second).minus(&third);
            if nn.sign() == 0 || [&first, &second, &third].iter().any(|x| x.sign() < 0) {
                return None;
            }
            let weights = [alone(p, &nn), [first, second, third]];
            debug_assert!([q, r, s] == [0, 1, 2]);
            Some(across(n, nn, &w, weights))
        }
        _ => None,
    }
}

/// Two edges; `None` where they are parallel, or the feet are not on both.
fn connect_edges(a: &[Vector], p: [usize; 2], b: &[Vector], q: [usize; 2]) -> Option<Connection> {
    let (u, v, w) = (sub(&a[p[1]], &a[p[0]]), sub(&b[q[1]], &b[q[0]]), sub(&b[q[0]], &a[p[0]]));
    let n = cross(&u, &v);
    let nn = dot(&n, &n);
    let (s, t) = (dot(&cross(&w, &v), &n), dot(&cross(&w, &u), &n));
    if nn.sign() == 0 || [&s, &t].iter().any(|x| x.sign() < 0 || **x > nn) {
        return None;
    }
    let mut weights = [alone(p[1], &s), alone(q[1], &t)];
    weights[0][p[0]] = nn.minus(&s);
    weights[1][q[0]] = nn.minus(&t);
    Some(across(n, nn, &w, weights))
}

/// The connection along a common normal, when w leads from the first to the second.
fn across(n: Vector, nn: Int, w: &Vector, weights: [[Int; 3]; 2]) -> Connection {
    let height = dot(w, &n);
    let direction = match height.sign() {
        0 => [Int::zero(), Int::zero(), Int::zero()],
        1 => n,
        _ => n.map(|x| x.negated()),
    };
    Connection { direction, numerator: height.times(&height), denominator: nn.clone(), weights, whole: nn }
}

/// One for each axis. Not `std::array::from_fn`, which moves integers of this width once more: a sixth of the time.
#[inline(always)]
fn each<T>(of: impl Fn(usize) -> T) -> [T; 3] {
    [of(0), of(1), of(2)]
}

fn sub(a: &Vector, b: &Vector) -> Vector {
    each(|k| a[k].minus(&b[k]))
}

fn dot(a: &Vector, b: &Vector) -> Int {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
