//! Rectangular sheets.

use crate::Surface;

/// Triangles of a grid of `nx` by `ny` cells: `(nx+1)(ny+1)` vertices (the second index runs fastest), `2 nx ny`
/// triangles with alternating diagonals, all counter-clockwise in the (first, second) plane.
pub fn sheet_triangles(nx: usize, ny: usize) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * nx * ny);
    for i in 0..nx {
        for j in 0..ny {
            let a = (i * (ny + 1) + j) as u32;
            let b = a + ny as u32 + 1;
            let (c, d) = (b + 1, a + 1);
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    triangles
}

/// The parameters (u, v) in [0, 1]² of each vertex of [`sheet_triangles`].
pub fn sheet_uv(nx: usize, ny: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..=nx).flat_map(move |i| (0..=ny).map(move |j| (i as f64 / nx as f64, j as f64 / ny as f64)))
}

/// A flat sheet in the plane z = 0, centred at the origin, normals up.
pub fn sheet(nx: usize, ny: usize, size: [f64; 2]) -> Surface {
    let (nx, ny) = (nx.max(1), ny.max(1));
    let positions = sheet_uv(nx, ny).map(|(u, v)| [size[0] * (u - 0.5), size[1] * (v - 0.5), 0.0]).collect();
    Surface { positions, triangles: sheet_triangles(nx, ny) }
}
