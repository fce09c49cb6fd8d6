//! Bodies to be edited.

use crumple::Mesh;
use crumple_scenes::Rng;

pub type Point = [f64; 3];

/// A sheet of n × n squares over [0, 1]², with waves.
pub fn sheet(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for y in 0..=n {
        for x in 0..=n {
            let (x, y) = (f64::from(x) / f64::from(n), f64::from(y) / f64::from(n));
            positions.push([x, y, 0.1 * (5.0 * x).sin() * (4.0 * y).cos()]);
        }
    }
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let mut triangles = Vec::new();
    for y in 0..n {
        for x in 0..n {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (Mesh::from_triangles("sheet", positions.len(), &triangles).unwrap(), positions)
}

/// A block of n³ cubes, each of six tets.
pub fn block(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for z in 0..=n {
        for y in 0..=n {
            for x in 0..=n {
                positions.push([x, y, z].map(|i| 0.2 + 0.5 * f64::from(i) / f64::from(n)));
            }
        }
    }
    let at = |p: [u32; 3]| (p[2] * (n + 1) + p[1]) * (n + 1) + p[0];
    let mut tets = Vec::new();
    for cell in 0..n * n * n {
        let corner = [cell % n, cell / n % n, cell / n / n];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut p = corner;
            let mut ids = [at(p); 4];
            for (i, axis) in order.into_iter().enumerate() {
                p[axis] += 1;
                ids[i + 1] = at(p);
            }
            let odd = matches!(order, [0, 2, 1] | [1, 0, 2] | [2, 1, 0]);
            tets.push(if odd { [ids[0], ids[2], ids[1], ids[3]] } else { ids });
        }
    }
    (Mesh::from_tets("block", positions.len(), &tets).unwrap(), positions)
}

/// Triangles without neighbours.
pub fn soup(count: u32, rng: &mut Rng) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for _ in 0..count {
        let at = rng.in_box([0.0; 3], [1.0; 3]);
        for _ in 0..3 {
            let by = rng.in_ball();
            positions.push(std::array::from_fn(|k| at[k] + 0.1 * by[k]));
        }
    }
    let triangles: Vec<[u32; 3]> = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (Mesh::from_triangles("soup", positions.len(), &triangles).unwrap(), positions)
}

/// A box of n × n squares a side, closed.
pub fn closed_box(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions: Vec<Point> = Vec::new();
    let mut triangles = Vec::new();
    let mut at = std::collections::HashMap::new();
    for side in 0..6 {
        let (axis, is_high) = (side / 2, side % 2 == 1);
        let mut corner = |i: u32, j: u32| {
            let mut p = [0; 3];
            (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (if is_high { n } else { 0 }, i, j);
            *at.entry(p).or_insert_with(|| {
                positions.push(p.map(|x| f64::from(x) / f64::from(n)));
                positions.len() as u32 - 1
            })
        };
        for i in 0..n {
            for j in 0..n {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                let [b, d] = if is_high { [b, d] } else { [d, b] };
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    (Mesh::from_triangles("box", positions.len(), &triangles).unwrap(), positions)
}
