//! The triangles of a patch in rows of eight that lie close together, by halving space.

use crate::geometry::simd::{F32x4 as _, Simd, WIDTH, multiversion};
use crate::patches::MAX_TRIANGLES;

/// Steps along an extent are 2 to this power: a triangle is about a fifth of a patch. Keys of a byte fit 32 lanes.
const STEP_BITS: u32 = 7;

/// Orders the triangles of a patch so that each run of eight lies close together.
///
/// A half is found by its upper bound, bit by bit: each of 7 counts goes over all triangles in lanes. To count for each triangle
/// those before it took five times as long.
pub(crate) fn into_rows(triangles: &mut [u32], centre: impl Fn(u32) -> [f32; 3]) {
    if triangles.len() <= WIDTH {
        return;
    }
    let mut at = [[0f32; 4]; MAX_TRIANGLES];
    let (mut order, mut ids) = ([0u8; MAX_TRIANGLES], [0u32; MAX_TRIANGLES]);
    for (i, &t) in triangles.iter().enumerate() {
        let [x, y, z] = centre(t);
        (order[i], ids[i], at[i]) = (i as u8, t, [x, y, z, 0.0]);
    }
    put_in_rows(&mut order[..triangles.len()], &at);
    triangles.iter_mut().zip(order).for_each(|(t, i)| *t = ids[usize::from(i)]);
}

multiversion! {
    /// Orders places of triangles.
    fn put_in_rows<S: Simd>(simd: S, order: &mut [u8], at: &[[f32; 4]; MAX_TRIANGLES]) {
        // What is left to be halved, in halves: a half of 64, a half of 32, two of 16.
        let (mut open, mut count) = ([[0; 2]; 4], 1);
        open[0] = [0, order.len()];
        while count > 0 {
            count -= 1;
            let [first, end] = open[count];
            let middle = first + halve(simd, &mut order[first..end], at);
            for half in [[first, middle], [middle, end]] {
                open[count % 4] = half;
                count += usize::from(half[1] - half[0] > WIDTH);
            }
        }
    }
}

/// Puts the lower half of some triangles first, and returns how many that is.
#[inline(always)]
fn halve<S: Simd>(simd: S, order: &mut [u8], at: &[[f32; 4]; MAX_TRIANGLES]) -> usize {
    let cut = order.len().div_ceil(WIDTH) / 2 * WIDTH;
    let first = S::F32x4::load(simd, &at[usize::from(order[0]) % MAX_TRIANGLES]);
    let (mut least, mut greatest) = (first, first);
    for &i in order.iter() {
        let p = S::F32x4::load(simd, &at[usize::from(i) % MAX_TRIANGLES]);
        (least, greatest) = (least.min(p), greatest.max(p));
    }
    let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
    least.store(&mut low);
    greatest.store(&mut high);
    let size = |k: usize| high[k] - low[k];
    let axis = (1..3).fold(0, |best, k| if size(k) > size(best) { k } else { best });
    let (low, size) = (low[axis], size(axis));
    // Where all is in one place, or beyond all numbers, triangles stay in order.
    let scale = if size > f32::MIN_POSITIVE { (1 << STEP_BITS) as f32 / size } else { 0.0 };
    let (mut along, mut old) = ([0f32; MAX_TRIANGLES], [0u8; MAX_TRIANGLES]);
    for ((&i, along), old) in order.iter().zip(&mut along).zip(&mut old) {
        (*along, *old) = (at[usize::from(i) % MAX_TRIANGLES][axis], i);
    }
    // In which step each is: none of those beyond the last is below any bound.
    let mut steps = [i8::MAX; MAX_TRIANGLES];
    for (step, x) in steps.iter_mut().zip(along) {
        *step = (((x - low) * scale) as i32).clamp(0, (1 << STEP_BITS) - 1) as i8;
    }
    steps[order.len()..].fill(i8::MAX);
    // The greatest bound with no more than the half below it.
    let (mut bound, mut below) = (0, 0);
    for bit in (0..STEP_BITS).rev() {
        let higher = bound | 1 << bit;
        let count: i8 = steps.iter().map(|&step| i8::from(step < higher)).sum();
        (bound, below) = if count as usize <= cut { (higher, count as usize) } else { (bound, below) };
    }
    // Of those in the step of the bound the first ones make up the half.
    let (mut lower, mut upper, mut free) = (0, cut, cut - below);
    for (&i, &step) in old[..order.len()].iter().zip(&steps) {
        // Branch-free: which half it is, is an unpredictable branch.
        let fills = (step == bound) & (free > 0);
        free -= usize::from(fills);
        let is_lower = (step < bound) | fills;
        order[if is_lower { lower } else { upper }] = i;
        lower += usize::from(is_lower);
        upper += usize::from(!is_lower);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compact_and_hold_every_triangle_once() {
        for n in [1usize, 7, 8, 9, 16, 23, 40, 63, 64] {
            // A spiral, numbered against its course.
            let at = |t: u32| {
                let x = f64::from((t * 37) % 101);
                [x, (x / 7.0).sin(), 0.0].map(|x: f64| x as f32)
            };
            let mut rows: Vec<u32> = (0..n as u32).rev().collect();
            into_rows(&mut rows, at);
            let mut along: Vec<u32> = rows.clone();
            along.sort_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0]));
            for (row, expected) in rows.chunks(WIDTH).zip(along.chunks(WIDTH)) {
                let mut row = row.to_vec();
                row.sort_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0]));
                assert_eq!(row, expected, "{n}");
            }
        }
        for far in [0.0, f32::MAX] {
            let mut rows: Vec<u32> = (0..20).collect();
            into_rows(&mut rows, |t| [if t % 2 == 0 { far } else { -far }, far, f32::INFINITY]);
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..20));
        }
    }
}
