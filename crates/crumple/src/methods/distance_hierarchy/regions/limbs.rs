//! Limbs of a surface: what is nearest, along the surface, to one of some places that are far from each other (M28).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::build::distance_sq;
use super::partition::WAYS;
use crate::Mesh;
use crate::geometry::Point;

/// The limb of every triangle.
pub(super) struct Limbs {
    of: Vec<u8>,
}

impl Limbs {
    /// Takes the place farthest from the first triangle, then again and again the one farthest from all so far; a triangle
    /// belongs to the nearest of them, on a way from centre to centre across edges.
    pub fn new(body: &Mesh, centres: &[Point]) -> Self {
        let neighbours = neighbours(body);
        let mut away = vec![f64::INFINITY; centres.len()];
        spread(&neighbours, centres, 0, &mut away, |_| {});
        let mut seed = farthest(&away);
        away.fill(f64::INFINITY);
        let mut of = vec![0; centres.len()];
        for limb in 0..WAYS as u8 {
            spread(&neighbours, centres, seed, &mut away, |t| of[t as usize] = limb);
            seed = farthest(&away);
            if away[seed as usize] == 0.0 {
                break;
            }
        }
        Self { of }
    }

    /// The limb of a triangle, below [`WAYS`]. Parts that no place was left for belong to the first.
    pub fn of(&self, triangle: u32) -> usize {
        self.of[triangle as usize].into()
    }
}

/// The first of the farthest triangles; those that were not reached are farther than all others.
fn farthest(away: &[f64]) -> u32 {
    (0..away.len()).fold(0, |best, t| if away[t] > away[best] { t } else { best }) as u32
}

/// Shortens ways to triangles by those from `seed`, and says which are shorter now.
fn spread(
    neighbours: &[[u32; 3]],
    centres: &[Point],
    seed: u32,
    away: &mut [f64],
    mut nearer: impl FnMut(u32),
) {
    // Ways are not negative, so that their bits are in their order.
    let mut waiting = BinaryHeap::from([Reverse((0u64, seed))]);
    away[seed as usize] = 0.0;
    nearer(seed);
    while let Some(Reverse((way, t))) = waiting.pop() {
        let way = f64::from_bits(way);
        if way > away[t as usize] {
            continue;
        }
        for &next in neighbours[t as usize].iter().filter(|&&n| n != u32::MAX) {
            let longer = way + distance_sq(&centres[t as usize], &centres[next as usize]).sqrt();
            if longer < away[next as usize] {
                away[next as usize] = longer;
                nearer(next);
                waiting.push(Reverse((longer.to_bits(), next)));
            }
        }
    }
}

/// The triangle across each side; `u32::MAX` where there is none, or more than one.
fn neighbours(body: &Mesh) -> Vec<[u32; 3]> {
    let mut sides: Vec<([u32; 2], [u32; 2])> = Vec::with_capacity(3 * body.triangle_count());
    for (t, corners) in body.triangles().iter().enumerate() {
        for k in 0..3 {
            let (u, v) = (corners[k].0, corners[(k + 1) % 3].0);
            sides.push(([u.min(v), u.max(v)], [t as u32, k as u32]));
        }
    }
    sides.sort_unstable();
    let mut out = vec![[u32::MAX; 3]; body.triangle_count()];
    for same in sides.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, [s, j]), (_, [t, k])] = *same {
            out[s as usize][j as usize] = t;
            out[t as usize][k as usize] = s;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four arms of a cross in a plane, each a strip from the middle square outward.
    fn cross(length: u32) -> (Mesh, Vec<Point>) {
        let (mut points, mut triangles): (Vec<Point>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
        let mut at = |p: [i32; 2]| {
            let p = [f64::from(p[0]), f64::from(p[1]), 0.0];
            points.iter().position(|q| *q == p).unwrap_or_else(|| {
                points.push(p);
                points.len() - 1
            }) as u32
        };
        let n = length as i32;
        let arms = (-n..=n).flat_map(|i| [[i, 0], [0, i]]);
        let mut squares: Vec<[i32; 2]> = arms.collect();
        squares.sort_unstable();
        squares.dedup();
        for [x, y] in squares {
            let [a, b, c, d] = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]].map(&mut at);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        (Mesh::from_triangles("cross", points.len(), &triangles).unwrap(), points)
    }

    #[test]
    fn the_ends_of_arms_are_in_limbs_of_their_own() {
        let (mesh, points) = cross(12);
        let centre = |c: &[crate::VertexId; 3]| -> Point {
            std::array::from_fn(|k| c.iter().map(|v| points[v.index()][k]).sum::<f64>() / 3.0)
        };
        let centres: Vec<Point> = mesh.triangles().iter().map(centre).collect();
        let limbs = Limbs::new(&mesh, &centres);
        let end = |x: f64, y: f64| {
            let t = (0..centres.len()).min_by(|&s, &t| {
                let away = |t: usize| distance_sq(&centres[t], &[x, y, 0.0]);
                away(s).total_cmp(&away(t))
            });
            limbs.of(t.unwrap() as u32)
        };
        let mut ends = [end(13.0, 0.5), end(-12.0, 0.5), end(0.5, 13.0), end(0.5, -12.0)];
        ends.sort_unstable();
        assert!(ends.windows(2).all(|w| w[0] != w[1]), "{ends:?}");
        for limb in 0..WAYS {
            let own: Vec<&Point> =
                (0..centres.len()).filter(|&t| limbs.of(t as u32) == limb).map(|t| &centres[t]).collect();
            let reaches = |k: usize, sign: f64| own.iter().any(|p| sign * (p[k] - 0.5) > 6.5);
            let arms = [reaches(0, 1.0), reaches(0, -1.0), reaches(1, 1.0), reaches(1, -1.0)];
            assert!(arms.iter().filter(|a| **a).count() <= 1, "limb {limb} has the ends of several arms");
        }
    }
}
