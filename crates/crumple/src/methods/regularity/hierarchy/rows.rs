//! The triangles of a patch in rows of eight that lie close together, by halving space.

use crate::geometry::Point;
use crate::geometry::simd::WIDTH;
use crate::patches::MAX_TRIANGLES;

/// Steps along an extent; a key has the place of its triangle below them. A triangle is about a fifth of a patch: 512 steps tell
/// them apart, and keys of 16 bits fit twice as many lanes.
const STEPS: f32 = 512.0;
const PLACE_BITS: u32 = 6;

const _: () = assert!(MAX_TRIANGLES <= 1 << PLACE_BITS && PLACE_BITS + 9 < 16);

/// Orders the triangles of a patch so that each run of eight lies close together.
///
/// A half is found by counting, for each triangle, those before it: 64 times 64 comparisons in lanes take a fifth of what
/// selecting takes.
pub(crate) fn into_rows(triangles: &mut [u32], centre: impl Fn(u32) -> Point) {
    if triangles.len() <= WIDTH {
        return;
    }
    let mut at = [[0f32; 4]; MAX_TRIANGLES];
    let (mut order, mut ids) = ([0u8; MAX_TRIANGLES], [0u32; MAX_TRIANGLES]);
    for (i, &t) in triangles.iter().enumerate() {
        let [x, y, z] = centre(t).map(|x| x as f32);
        (order[i], ids[i], at[i]) = (i as u8, t, [x, y, z, 0.0]);
    }
    halve(&mut order[..triangles.len()], &at);
    triangles.iter_mut().zip(order).for_each(|(t, i)| *t = ids[usize::from(i)]);
}

fn halve(order: &mut [u8], at: &[[f32; 4]; MAX_TRIANGLES]) {
    let rows = order.len().div_ceil(WIDTH);
    if rows < 2 {
        return;
    }
    let cut = rows / 2 * WIDTH;
    // All axes at once: one after the other, this took as long as the counting.
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for &i in order.iter() {
        let p = &at[usize::from(i)];
        for k in 0..4 {
            low[k] = if p[k] < low[k] { p[k] } else { low[k] };
            high[k] = if p[k] > high[k] { p[k] } else { high[k] };
        }
    }
    let size = |k: usize| high[k] - low[k];
    let axis = (1..3).fold(0, |best, k| if size(k) > size(best) { k } else { best });
    let (low, size) = (low[axis], size(axis));
    // Where all is in one place, or beyond all numbers, keys go by place alone.
    let scale = if size > f32::MIN_POSITIVE { STEPS / size } else { 0.0 };
    let mut keys = [i16::MAX; MAX_TRIANGLES];
    for (place, (&i, key)) in order.iter().zip(&mut keys).enumerate() {
        let step = ((at[usize::from(i)][axis] - low) * scale) as i16;
        *key = step.clamp(0, STEPS as i16 - 1) << PLACE_BITS | place as i16;
    }
    // Rows of lanes: keys beyond the last are above all.
    let keys = &keys[..order.len().next_multiple_of(WIDTH)];
    let old: [u8; MAX_TRIANGLES] = std::array::from_fn(|i| order.get(i).copied().unwrap_or(0));
    let (mut lower, mut upper) = (0, cut);
    for (&i, &key) in old.iter().zip(&keys[..order.len()]) {
        let before: i16 = keys.iter().map(|&other| i16::from(other < key)).sum();
        let place = if (before as usize) < cut { &mut lower } else { &mut upper };
        order[*place] = i;
        *place += 1;
    }
    let (lower, upper) = order.split_at_mut(cut);
    halve(lower, at);
    halve(upper, at);
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
                [x, (x / 7.0).sin(), 0.0]
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
        for far in [0.0, f64::MAX] {
            let mut rows: Vec<u32> = (0..20).collect();
            into_rows(&mut rows, |t| [if t % 2 == 0 { far } else { -far }, far, 1e300]);
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..20));
        }
    }
}
