//! Which rays of an image a triangle crosses, and at which depth: exact integers, as [`View`](super::super::image::View) lays down.

use super::super::lattice::{Corner, Lattice};
use super::reference::{RayGrid, SeenTriangle, edge};
use super::tile::ColumnRect;
use crate::geometry::quantize::ROUND;

/// The pixels whose centres lie in a box along one side of the image; empty where the first is after the last.
#[inline(always)]
fn centres(lattice: &Lattice, k: usize, min: i32, max: i32) -> (i32, i32) {
    let half = 1 << (lattice.shift - 1);
    let first = ((min + (half - 1)) >> lattice.shift).max(0);
    let last = ((max - half) >> lattice.shift).min(lattice.resolution[k] as i32 - 1);
    (first, last)
}

/// The pixels whose centres lie in the box of a triangle; `None` where there are none.
#[inline(always)]
fn centres_in(lattice: &Lattice, [a, b, c]: &[Corner; 3]) -> Option<ColumnRect> {
    let (x0, x1) = centres(lattice, 0, a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]));
    let (y0, y1) = centres(lattice, 1, a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
    (x0 <= x1 && y0 <= y1).then_some(ColumnRect { lo: [x0, y0], hi: [x1, y1] })
}

/// The floor of (e · d) / `area2`, exactly, given 1 / `area2` but for a rounding. The weights e are not negative and at
/// most `area2`, the depths d below 2^32.
#[inline(always)]
fn quotient(e: [i64; 2], d: [i64; 2], area2: i64, inverse: f64) -> i64 {
    // Off by less than one; the remainder, which 64 bits hold although the products wrap, says which way.
    let guess = (e[0] as f64 * inverse) * d[0] as f64 + (e[1] as f64 * inverse) * d[1] as f64;
    // Rounded down but for what the sum hides, by adding 1.5 · 2^52: what is left to do is rare, so the branch is predicted.
    let mut whole = (guess - 0.5 + ROUND).to_bits() as i64 - ROUND.to_bits() as i64;
    let product = e[0].wrapping_mul(d[0]).wrapping_add(e[1].wrapping_mul(d[1]));
    let mut rest = product.wrapping_sub(whole.wrapping_mul(area2));
    while rest < 0 {
        (whole, rest) = (whole - 1, rest + area2);
    }
    while rest >= area2 {
        (whole, rest) = (whole + 1, rest - area2);
    }
    whole
}

/// The depth at which a ray crosses a triangle within the limit.
#[cold]
pub(crate) fn crossing(corners: [Corner; 3], ray: [i32; 2]) -> i32 {
    let [a, b, c] = corners.map(flat);
    let (area2, ray) = (edge(a, b, c), ray.map(i64::from));
    let (sign, area2) = (area2.signum(), area2.abs());
    let weights = [sign * edge(c, a, ray), sign * edge(a, b, ray)];
    depth_of(corners, weights, area2, 1.0 / area2 as f64)
}

/// The depth of a ray within the limit, given the weights of the second and third corner.
#[inline(always)]
fn depth_of([a, b, c]: [Corner; 3], weights: [i64; 2], area2: i64, inverse: f64) -> i32 {
    let d = [i64::from(b[2]) - i64::from(a[2]), i64::from(c[2]) - i64::from(a[2])];
    (i64::from(a[2]) + quotient(weights, d, area2, inverse)) as i32
}

#[inline(always)]
fn flat([x, y, ..]: Corner) -> [i64; 2] {
    [i64::from(x), i64::from(y)]
}

/// The rays of an image.
fn rays(lattice: &Lattice) -> RayGrid {
    RayGrid { origin: [0; 2], shift: lattice.shift }
}

/// Calls `f(column, depth, winding)` for every centre ray that crosses a triangle within the limit.
#[inline(always)]
pub(crate) fn narrow(lattice: &Lattice, corners: [Corner; 3], mut f: impl FnMut(usize, i32, i32)) {
    let Some(rect) = centres_in(lattice, &corners) else { return };
    let Some(seen) = SeenTriangle::<i64>::new(corners.map(flat)) else { return };
    let inverse = 1.0 / seen.area2 as f64;
    seen.each_centre(&rays(lattice), rect, |pixel, [_, b, c]| {
        let depth = depth_of(corners, [b, c], seen.area2, inverse);
        f(lattice.column(pixel.map(|i| i as u32)), depth, seen.winding);
    });
}

/// [`narrow`] for a triangle that reaches beyond the limit; its depths are held within ±`limit`.
#[cold]
pub(crate) fn wide(
    lattice: &Lattice,
    corners: [[i64; 3]; 3],
    limit: i32,
    mut f: impl FnMut(usize, i32, i32),
) {
    let hold = |v: i64| v.clamp(-i64::from(limit), i64::from(limit)) as i32;
    let held = corners.map(|[x, y, z]| [hold(x), hold(y), hold(z), 0]);
    let Some(rect) = centres_in(lattice, &held) else { return };
    let flat = corners.map(|[x, y, _]| [i128::from(x), i128::from(y)]);
    let Some(seen) = SeenTriangle::new(flat) else { return };
    seen.each_centre(&rays(lattice), rect, |pixel, weights| {
        let depth = hold(depth(corners.map(|c| c[2]), weights, seen.area2));
        f(lattice.column(pixel.map(|i| i as u32)), depth, seen.winding);
    });
}

/// The weights of a triangle's corners at a point of the image.
pub(crate) fn weights(corners: [[i64; 3]; 3], at: [i32; 2]) -> [f64; 3] {
    let [a, b, c] = corners.map(|[x, y, _]| [i128::from(x), i128::from(y)]);
    let at = at.map(i128::from);
    let e = [edge(b, c, at), edge(c, a, at), edge(a, b, at)];
    let sum = (e[0] + e[1] + e[2]) as f64;
    e.map(|e| e as f64 / sum)
}

/// The floor of Σ e·z / area2, where Σ e = area2: bit after bit of the depths above the lowest corner, so that nothing
/// larger than three times the area occurs.
fn depth(z: [i64; 3], e: [i128; 3], area2: i128) -> i64 {
    let lowest = z[0].min(z[1]).min(z[2]);
    let (mut whole, mut rest) = (0i64, 0i128);
    for bit in (0..63).rev() {
        (whole, rest) = (2 * whole, 2 * rest);
        for k in 0..3 {
            if (z[k] - lowest) >> bit & 1 == 1 {
                rest += e[k];
            }
        }
        while rest >= area2 {
            (whole, rest) = (whole + 1, rest - area2);
        }
    }
    lowest + whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb;

    fn lattice() -> Lattice {
        Lattice::new(&Aabb { min: [0.0; 3], max: [1.0; 3] }, 2, [16, 16]).expect("a unit cube")
    }

    fn collect(draw: impl FnOnce(&mut dyn FnMut(usize, i32, i32))) -> Vec<(usize, i32, i32)> {
        let mut found = Vec::new();
        draw(&mut |column, depth, winding| found.push((column, depth, winding)));
        found
    }

    /// Numbers in ±2^bits that look arbitrary.
    fn numbers(seed: u64, bits: u32) -> impl FnMut() -> i32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (((state >> 33) as i64) % (1i64 << (bits + 1)) - (1i64 << bits)) as i32
        }
    }

    #[test]
    fn the_guess_and_the_division_bit_by_bit_agree() {
        let lattice = lattice();
        let mut crossed = 0;
        for seed in 0..400 {
            // Small ones over the image, large ones that end just below the limit, and ties with pixel centres.
            let bits = [27, 28, 29][seed as usize % 3];
            let mut number = numbers(seed, bits);
            let corner = |number: &mut dyn FnMut() -> i32| -> Corner {
                let c: Corner = [number(), number(), number(), 0];
                if seed % 2 == 0 { c } else { c.map(|v| v >> 22 << 22) }
            };
            let t: [Corner; 3] = std::array::from_fn(|_| corner(&mut number));
            let one = collect(|f| narrow(&lattice, t, f));
            let two = collect(|f| wide(&lattice, t.map(|[x, y, z, _]| [x, y, z].map(i64::from)), 1 << 30, f));
            assert_eq!(one, two, "{t:?}");
            crossed += one.len();
        }
        assert!(crossed > 4000, "{crossed}");
    }

    #[test]
    fn two_triangles_of_a_square_share_no_ray_and_leave_none_out() {
        let lattice = lattice();
        let n = 1 << 27;
        // The diagonal and all four sides run through pixel centres.
        let h = 1 << 22;
        let [a, b, c, d] = [[h, h, 5, 0], [n - h, h, 5, 0], [n - h, n - h, 9, 0], [h, n - h, 9, 0]];
        let mut seen = vec![0; lattice.columns()];
        for t in [[a, b, c], [a, c, d]] {
            narrow(&lattice, t, |column, _, winding| {
                assert_eq!(winding, -1);
                seen[column] += 1;
            });
        }
        assert!(seen.iter().all(|&n| n <= 1));
        assert_eq!(seen.iter().sum::<i32>(), 15 * 15);
    }
}
