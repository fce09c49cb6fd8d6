//! Spheres of radius 1: geodesic, and by longitude and latitude.

use crate::{
    Surface, trig,
    vector::{Point, add, scale, unit},
};

/// Corners of the icosahedron's faces, counter-clockwise from outside.
const FACES: [[usize; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// The twelve corners: (0, ±1, ±g) and its cyclic shifts, with g the golden ratio.
fn corners() -> [Point; 12] {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
    .map(unit)
}

/// Geodesic sphere of frequency `n`: each face of the icosahedron cut into n² triangles and pushed out to radius 1.
/// `20 n²` triangles, `10 n² + 2` vertices.
pub fn icosphere(n: usize) -> Surface {
    let n = n.max(1);
    let corners = corners();
    let mut positions: Vec<Point> = corners.to_vec();
    positions.reserve(10 * n * n);
    // The n - 1 inner vertices of an edge follow each other, from the smaller corner to the larger.
    let mut edge_start = [[u32::MAX; 12]; 12];
    for face in FACES {
        for (a, b) in [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])] {
            let (a, b) = (a.min(b), a.max(b));
            if edge_start[a][b] == u32::MAX {
                edge_start[a][b] = positions.len() as u32;
                for k in 1..n {
                    let p = add(scale(corners[a], (n - k) as f64), scale(corners[b], k as f64));
                    positions.push(unit(p));
                }
            }
        }
    }
    let on_edge = |a: usize, b: usize, k: usize| match k {
        0 => a as u32,
        _ if k == n => b as u32,
        _ if a < b => edge_start[a][b] + k as u32 - 1,
        _ => edge_start[b][a] + (n - k) as u32 - 1,
    };
    let mut triangles = Vec::with_capacity(20 * n * n);
    let mut rows: Vec<Vec<u32>> = Vec::with_capacity(n + 1);
    for [a, b, c] in FACES {
        // Row i holds the vertices with weight i on b: n - i + 1 of them, from side a to side c.
        rows.clear();
        for i in 0..=n {
            let row = (0..=n - i).map(|j| {
                let at_a = n - i - j;
                if i == 0 {
                    on_edge(a, c, j)
                } else if j == 0 {
                    on_edge(a, b, i)
                } else if at_a == 0 {
                    on_edge(b, c, j)
                } else {
                    let p = add(scale(corners[a], at_a as f64), scale(corners[b], i as f64));
                    positions.push(unit(add(p, scale(corners[c], j as f64))));
                    positions.len() as u32 - 1
                }
            });
            rows.push(row.collect());
        }
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([rows[i][j], rows[i + 1][j], rows[i][j + 1]]);
                if j + 1 < n - i {
                    triangles.push([rows[i + 1][j], rows[i + 1][j + 1], rows[i][j + 1]]);
                }
            }
        }
    }
    Surface { positions, triangles }
}

/// Triangles of a sphere by `nlon` meridians and `nlat` bands: `nlon (nlat-1) + 2` vertices (one pole, the rings from
/// that pole on, the other pole), `2 nlon (nlat-1)` triangles, outward when the first pole is up.
pub fn uv_sphere_triangles(nlon: usize, nlat: usize) -> Vec<[u32; 3]> {
    let ring = |r: usize, k: usize| (1 + (r - 1) * nlon + k % nlon) as u32;
    let last = (1 + (nlat - 1) * nlon) as u32;
    let mut triangles = Vec::with_capacity(2 * nlon * (nlat - 1));
    triangles.extend((0..nlon).map(|k| [0, ring(1, k), ring(1, k + 1)]));
    for r in 1..nlat - 1 {
        for k in 0..nlon {
            let (a, b, c, d) = (ring(r, k), ring(r + 1, k), ring(r + 1, k + 1), ring(r, k + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles.extend((0..nlon).map(|k| [ring(nlat - 1, k), last, ring(nlat - 1, k + 1)]));
    triangles
}

/// Sphere by `nlon` meridians and `nlat` bands, poles on the z axis.
pub fn uv_sphere(nlon: usize, nlat: usize) -> Surface {
    let (nlon, nlat) = (nlon.max(3), nlat.max(2));
    let mut positions = Vec::with_capacity(nlon * (nlat - 1) + 2);
    positions.push([0.0, 0.0, 1.0]);
    for r in 1..nlat {
        let (st, ct) = trig::sin_cos(std::f64::consts::PI * r as f64 / nlat as f64);
        for k in 0..nlon {
            let (sp, cp) = trig::sin_cos(std::f64::consts::TAU * k as f64 / nlon as f64);
            positions.push([st * cp, st * sp, ct]);
        }
    }
    positions.push([0.0, 0.0, -1.0]);
    Surface { positions, triangles: uv_sphere_triangles(nlon, nlat) }
}
