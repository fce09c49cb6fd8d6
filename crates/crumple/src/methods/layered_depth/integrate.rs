//! Integrals over the surfaces that bound the common volume.

use super::bits;
use super::cells::{Cells, Role, Side};
use super::clip::Clipper;
use super::cover::{Cover, Drawn, Touch};
use super::soup::Soup;
use super::window::Window;

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
#[inline(always)]
pub(super) fn integrate(
    window: &Window,
    cells: &mut Cells,
    k: usize,
    cover: &Cover,
    soup: &Soup<'_>,
    sign: i32,
    sums: &mut Sums,
) {
    let mut clipper = Clipper::default();
    for (drawn, touches) in cover.iter() {
        // What is seen edge-on adds nothing.
        if drawn.area2 == 0 {
            continue;
        }
        match part(cells, k, drawn, touches) {
            Part::Nothing => {}
            Part::Everything => {
                sums.six += i128::from(sign) * i128::from(drawn.area2) * i128::from(drawn.depths);
            }
            Part::Some => {
                let piece = Piece::new(window, soup, drawn.triangle, drawn.is_far, sign, &mut clipper);
                for touch in touches {
                    piece.add(window, cells, k, *touch, &mut clipper, sums);
                }
            }
        }
    }
    if cells.has_roots[k] {
        integrate_below(window, cells, k, cover, soup, sign, sums);
    }
}

/// What lies strictly below the window, for the runs that go on there.
fn integrate_below(
    window: &Window,
    cells: &mut Cells,
    k: usize,
    cover: &Cover,
    soup: &Soup<'_>,
    sign: i32,
    sums: &mut Sums,
) {
    let mut clipper = Clipper::default();
    let roots: Vec<bool> = cells.split[k].iter().map(|split| split & 1 != 0).collect();
    for &t in &cover.below {
        let shape = soup.shape(t);
        let Some(rect) = window.rect(&shape.min, &shape.max).filter(|&r| window.any(r, &roots)) else {
            continue;
        };
        let is_far = soup.has_far && super::lattice::is_far(&shape.corners);
        let piece = Piece::new(window, soup, t, is_far, sign, &mut clipper);
        let mut add = |c: usize, _, _| {
            if cells.split[k][c] & 1 != 0 {
                let touch = Touch { column: c as u16, lo: 0, hi: 0 };
                piece.add(window, cells, k, touch, &mut clipper, sums);
            }
        };
        if is_far {
            window.visit_large::<i128>(&soup.wide(t), rect, (0, 0), &mut add);
        } else {
            window.visit(&shape, rect, (0, 0), &mut add);
        }
    }
}

/// How much of a triangle counts.
enum Part {
    Nothing,
    Everything,
    Some,
}

#[inline(always)]
fn part(cells: &Cells, k: usize, drawn: &Drawn, touches: &[Touch]) -> Part {
    let (mut any, mut all) = (false, drawn.is_enclosed);
    for touch in touches {
        let c = touch.column as usize;
        match cells.roles[k][c] {
            Role::None => all = false,
            Role::All => any = true,
            Role::Some => {
                let mask = touch.mask();
                let is_whole = cells.whole[k][c] & mask != 0;
                all &= is_whole;
                any |= is_whole || cells.split[k][c] & mask != 0;
            }
        }
    }
    if !any {
        Part::Nothing
    } else if all {
        Part::Everything
    } else {
        Part::Some
    }
}

/// A triangle that is cut to columns.
struct Piece {
    sign: f64,
    slack: f64,
}

impl Piece {
    #[inline(always)]
    fn new(
        window: &Window,
        soup: &Soup<'_>,
        triangle: u32,
        is_far: bool,
        sign: i32,
        clipper: &mut Clipper,
    ) -> Self {
        let shape = soup.shape(triangle);
        let [a, b, c] = if is_far { soup.wide(triangle) } else { super::raster::wide(&shape) };
        let origin = [window.origin[0], window.origin[1], window.depth[0]];
        let from = |p: [i64; 3], k: usize| (p[k] - i64::from(origin[k])) as f64;
        let at = |p: [i64; 3]| [from(p, 0), from(p, 1), from(p, 2)];
        clipper.take([at(a), at(b), at(c)]);
        let spread = |k: usize| ((b[k] - a[k]).abs() + (c[k] - a[k]).abs()) as f64;
        // Each cut point is off by a few roundings of the triangle's extent, over a column's width and all its depth.
        let pixel = f64::from(window.pixel());
        let slack = 1e-14 * (spread(0) + spread(1) + pixel) * pixel * (spread(2) + (1u64 << 28) as f64);
        Self { sign: f64::from(sign), slack }
    }

    #[inline(always)]
    fn add(
        &self,
        window: &Window,
        cells: &mut Cells,
        k: usize,
        touch: Touch,
        clipper: &mut Clipper,
        sums: &mut Sums,
    ) {
        let c = touch.column as usize;
        let (is_whole, is_split) = match cells.roles[k][c] {
            Role::None => return,
            Role::All if touch.hi > 0 => (true, false),
            _ => {
                let mask = touch.mask();
                (cells.whole[k][c] & mask != 0, cells.split[k][c] & mask != 0)
            }
        };
        if !is_whole && !is_split {
            return;
        }
        if !clipper.column(window.place(c), f64::from(window.pixel())) {
            return;
        }
        sums.slack += self.slack;
        if is_whole {
            sums.pieces += self.sign * (clipper.moment + f64::from(window.depth[0]) * clipper.area);
            return;
        }
        let split = cells.split[k][c];
        let lo = u32::from(touch.lo);
        for cell in cells.of_column(c) {
            let Side::Simple { run, sum, .. } = &mut cell.sides[k] else { continue };
            let za = f64::from(cell.depth[0] - window.depth[0]);
            let zb = f64::from(cell.depth[1] - window.depth[0]);
            let run = u32::from(*run);
            if run <= lo && bits::span(run, lo) & !split == 0 && clipper.lowest < zb {
                // The area is signed like the normal, the winding number steps the other way.
                *sum -= self.sign * (clipper.below(zb) - clipper.below(za));
            }
        }
    }
}
