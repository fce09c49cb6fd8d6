//! Integrals over the surfaces that bound the common volume.

use super::bits;
use super::cells::{Cells, Role, Side};
use super::clip::Polygon;
use super::cover::Soup;
use super::lattice;
use super::window::{Rect, Shape, Window};

/// Sums over one window.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// Six times the integral of depth over triangles that count whole, signed: an exact integer.
    pub six: i128,
    /// The same integral over pieces of triangles.
    pub pieces: f64,
    /// What rounding may have done to the pieces.
    pub slack: f64,
}

/// Adds the surface of body `k` to the sums and to the cells of the window.
pub(super) fn integrate(
    window: &Window,
    cells: &mut Cells,
    k: usize,
    soup: &Soup<'_>,
    list: impl Iterator<Item = u32>,
    sign: i32,
    sums: &mut Sums,
) {
    for t in list {
        let shape = soup.shape(t);
        if lattice::is_far(&shape.corners) {
            integrate_far(window, cells, k, soup, t, &shape, sign, sums);
            continue;
        }
        // What is seen edge-on adds nothing.
        if shape.area2 == 0 {
            continue;
        }
        let Some(rect) = window.rect(&shape.min, &shape.max) else { continue };
        let bits = window.bits(shape.min[2], shape.max[2]);
        if bits.0 == 127 || (bits.1 == 0 && !cells.has_roots[k]) {
            continue;
        }
        let part = roles(window, &cells.roles[k], rect);
        if part == Part::Nothing {
            continue;
        }
        let is_enclosed = window.encloses(&shape.min, &shape.max);
        let (mut any, mut all) = (true, is_enclosed);
        if part == Part::Mixed || !is_enclosed || bits.1 == 0 {
            any = false;
            window.visit(&shape, rect, bits, |c, lo, hi| match cells.roles[k][c] {
                Role::None => all = false,
                Role::All if hi > 0 => any = true,
                _ => {
                    let mask = bits::span(lo, hi);
                    if cells.whole[k][c] & mask != 0 {
                        any = true;
                    } else {
                        all = false;
                        any |= cells.split[k][c] & mask != 0;
                    }
                }
            });
        }
        if any && all {
            let z = shape.corners.iter().map(|c| i64::from(c[2])).sum::<i64>();
            sums.six += i128::from(sign) * i128::from(shape.area2) * i128::from(z);
        } else if any {
            let piece = Piece::new(window, shape.corners.map(|c| c.map(i64::from)), sign);
            window.visit(&shape, rect, bits, |c, lo, hi| piece.add(window, cells, k, (c, lo, hi), sums));
        }
    }
}

/// What of a rectangle of columns counts.
#[derive(PartialEq)]
enum Part {
    Nothing,
    Everything,
    Mixed,
}

/// Most triangles lie among columns of one role, which a glance at a few bytes tells.
#[inline(always)]
fn roles(window: &Window, roles: &[Role], rect: Rect) -> Part {
    if (rect.hi[0] - rect.lo[0]) * (rect.hi[1] - rect.lo[1]) > 64 {
        return Part::Mixed;
    }
    let (mut none, mut all) = (true, true);
    for y in rect.lo[1]..=rect.hi[1] {
        let row = (y * window.columns[0]) as usize;
        for role in &roles[row + rect.lo[0] as usize..=row + rect.hi[0] as usize] {
            none &= *role == Role::None;
            all &= *role == Role::All;
        }
    }
    if none {
        Part::Nothing
    } else if all {
        Part::Everything
    } else {
        Part::Mixed
    }
}

#[cold]
#[allow(clippy::too_many_arguments)]
fn integrate_far(
    window: &Window,
    cells: &mut Cells,
    k: usize,
    soup: &Soup<'_>,
    t: u32,
    shape: &Shape,
    sign: i32,
    sums: &mut Sums,
) {
    let corners = soup.wide(t);
    let piece = Piece::new(window, corners, sign);
    if let Some(rect) = window.rect(&shape.min, &shape.max) {
        window.visit_large::<i128>(&corners, rect, |c, lo, hi| {
            piece.add(window, cells, k, (c, lo, hi), sums);
        });
    }
}

/// A triangle that is cut to columns.
struct Piece {
    /// From the window's origin and lowest depth.
    corners: [[f64; 3]; 3],
    sign: f64,
    slack: f64,
}

impl Piece {
    fn new(window: &Window, corners: [[i64; 3]; 3], sign: i32) -> Self {
        let origin = [window.origin[0], window.origin[1], window.depth[0]].map(i64::from);
        let corners = corners.map(|c| std::array::from_fn(|k| (c[k] - origin[k]) as f64));
        let polygon = Polygon::triangle(corners);
        let extent = |k: usize| {
            let (lo, hi) = polygon.extent(k);
            hi - lo
        };
        // Each cut point is off by a few roundings of the triangle's extent, over a column's width and all its depth.
        let pixel = f64::from(window.pixel());
        let slack = 1e-14 * extent(0).max(extent(1)).max(pixel) * pixel * (extent(2) + (1u64 << 28) as f64);
        Self { corners, sign: f64::from(sign), slack }
    }

    fn add(
        &self,
        window: &Window,
        cells: &mut Cells,
        k: usize,
        (c, lo, hi): (usize, u32, u32),
        sums: &mut Sums,
    ) {
        let (is_whole, is_split) = match cells.roles[k][c] {
            Role::None => return,
            Role::All if hi > 0 => (true, false),
            _ => {
                let mask = bits::span(lo, hi);
                (cells.whole[k][c] & mask != 0, cells.split[k][c] & mask != 0)
            }
        };
        if !is_whole && !is_split {
            return;
        }
        let pixel = f64::from(window.pixel());
        let nx = window.columns[0] as usize;
        let corner = [(c % nx) as f64 * pixel, (c / nx) as f64 * pixel];
        let polygon = Polygon::triangle(self.corners.map(|p| [p[0] - corner[0], p[1] - corner[1], p[2]]))
            .cut_to_column(pixel);
        if polygon.points().len() < 3 {
            return;
        }
        sums.slack += self.slack;
        if is_whole {
            let (area, moment) = polygon.integrals();
            sums.pieces += self.sign * (moment + f64::from(window.depth[0]) * area);
            return;
        }
        let split = cells.split[k][c];
        let (lowest, _) = polygon.extent(2);
        for cell in cells.of_column(c) {
            let Side::Simple { run, sum, .. } = &mut cell.sides[k] else { continue };
            let [za, zb] = cell.depth.map(|z| f64::from(z - window.depth[0]));
            let is_same_run = u32::from(*run) <= lo && bits::span(u32::from(*run), lo) & !split == 0;
            if is_same_run && lowest < zb {
                // The area is signed like the normal, the winding number steps the other way.
                *sum -= self.sign * (polygon.below(zb) - polygon.below(za));
            }
        }
    }
}
