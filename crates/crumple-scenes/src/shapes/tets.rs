//! Boxes, bars and balls of tets.

use crate::{
    Solid,
    vector::{Point, norm, scale},
};

/// Tets of one cube, by its corners at 4x + 2y + z: four corner tets, last the one in the middle. Cubes of alternating
/// parity fit together.
const EVEN: [[usize; 4]; 5] = [[0, 4, 2, 1], [6, 2, 4, 7], [5, 4, 1, 7], [3, 1, 2, 7], [1, 2, 4, 7]];
const ODD: [[usize; 4]; 5] = [[7, 5, 3, 6], [4, 5, 6, 0], [2, 6, 3, 0], [1, 3, 5, 0], [0, 3, 5, 6]];
/// The first corner tet and the middle one exchanged for three round the cube's diagonal: six tets, same outside.
const EVEN_SIX: [[usize; 4]; 3] = [[0, 7, 1, 2], [0, 7, 2, 4], [0, 7, 4, 1]];
const ODD_SIX: [[usize; 4]; 3] = [[7, 0, 3, 5], [7, 0, 5, 6], [7, 0, 6, 3]];

/// Tets of one cube by its corners at 4x + 2y + z: five, or six with the same outside. Cubes of alternating parity fit
/// together.
pub fn cube_tets(is_even: bool, is_six: bool) -> impl Iterator<Item = [usize; 4]> {
    let (five, six) = if is_even { (EVEN, EVEN_SIX) } else { (ODD, ODD_SIX) };
    let kept = if is_six { 1..4 } else { 0..5 };
    let added = if is_six { 0..3 } else { 0..0 };
    kept.map(move |k| five[k]).chain(added.map(move |k| six[k]))
}

/// Tets of a grid of cubes, five a cube, or six in `six` of the cubes (spread evenly over the grid). With `wrap` the
/// first direction closes on itself; `cells[0]` must then be even, or neighbouring cubes do not fit. Vertices:
/// `(cells + 1)` along each axis (without the `+ 1` where it wraps), the last index runs fastest. Orientation is left to
/// the caller, who knows the positions.
pub fn grid_tets(cells: [usize; 3], wrap: bool, six: usize) -> Vec<[u32; 4]> {
    let [nx, ny, nz] = cells;
    let vx = if wrap { nx } else { nx + 1 };
    let cubes = nx * ny * nz;
    let six = six.min(cubes);
    let mut tets = Vec::with_capacity(5 * cubes + six);
    let mut cube = 0;
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                let corner: [u32; 8] = std::array::from_fn(|c| {
                    let (x, y, z) = ((i + (c >> 2)) % vx, j + ((c >> 1) & 1), k + (c & 1));
                    ((x * (ny + 1) + y) * (nz + 1) + z) as u32
                });
                let is_six = (cube + 1) * six / cubes > cube * six / cubes;
                tets.extend(cube_tets((i + j + k) % 2 == 0, is_six).map(|t| t.map(|c| corner[c])));
                cube += 1;
            }
        }
    }
    tets
}

/// A box of `cells` cubes along each axis, edges `size`, centred. Five tets a cube.
pub fn tet_box(cells: [usize; 3], size: [f64; 3]) -> Solid {
    let cells = cells.map(|n| n.max(1));
    let mut positions = Vec::with_capacity(cells.iter().map(|n| n + 1).product());
    for i in 0..=cells[0] {
        for j in 0..=cells[1] {
            for k in 0..=cells[2] {
                let share = |n: usize, axis: usize| size[axis] * (n as f64 / cells[axis] as f64 - 0.5);
                positions.push([share(i, 0), share(j, 1), share(k, 2)]);
            }
        }
    }
    Solid { positions, tets: grid_tets(cells, false, 0) }.oriented()
}

/// A bar along x: `n` cubes long and one thick.
pub fn tet_bar(n: usize, length: f64, thickness: f64) -> Solid {
    tet_box([n, 1, 1], [length, thickness, thickness])
}

/// A ball of radius 1 from a cube of `n`³ cells, each shell of the cube blown up to a sphere.
pub fn tet_ball(n: usize) -> Solid {
    tet_box([n; 3], [2.0; 3]).mapped(|p: Point| {
        let shell = p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let n = norm(p);
        if n > 0.0 { scale(p, shell / n) } else { p }
    })
}
