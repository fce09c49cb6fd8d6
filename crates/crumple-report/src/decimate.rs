//! Surfaces that are too large for a page, thinned for looking at.
//!
//! Vertices of one cell of a grid become one of them (Rossignac and Borrel 1993), triangles that lose a corner go. This is
//! for the picture only: every verdict is about the whole mesh, colliding triangles are drawn from their own corners,
//! and the page says how many of the triangles it draws.

use std::collections::HashMap;

/// A thinned surface: which vertices it keeps, and its triangles over those.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thin {
    /// Vertices of the body, ascending.
    pub vertices: Vec<u32>,
    /// Corners, counted in `vertices`.
    pub triangles: Vec<[u32; 3]>,
}

/// The whole surface, without the vertices that no triangle uses.
pub(crate) fn whole(vertex_count: usize, triangles: &[[u32; 3]]) -> Thin {
    renumbered(vertex_count, triangles.to_vec())
}

/// At most about `most` of the triangles.
pub(crate) fn thin(positions: &[[f64; 3]], triangles: &[[u32; 3]], most: usize) -> Thin {
    let mut cells = (most as f64).sqrt().max(2.0);
    let mut best = clustered(positions, triangles, cells);
    // A sheet has about cells² triangles, a ball six times as many: the count found says which.
    for _ in 0..4 {
        let found = best.len() as f64;
        if found <= most as f64 && found >= 0.7 * most as f64 {
            break;
        }
        let next = (cells * (0.85 * most as f64 / found.max(1.0)).sqrt()).max(2.0);
        if (next - cells).abs() < 1.0 {
            break;
        }
        cells = next;
        best = clustered(positions, triangles, cells);
    }
    best.truncate(2 * most);
    renumbered(positions.len(), best)
}

/// Triangles between the first vertices of their corners' cells.
fn clustered(positions: &[[f64; 3]], triangles: &[[u32; 3]], cells: f64) -> Vec<[u32; 3]> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in positions {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
        }
    }
    let side = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max) / cells;
    let mut first: HashMap<[u32; 3], u32> = HashMap::new();
    let stands_for: Vec<u32> = (positions.iter().zip(0..))
        .map(|(p, v)| {
            let cell = std::array::from_fn(|k| if side > 0.0 { ((p[k] - low[k]) / side) as u32 } else { 0 });
            *first.entry(cell).or_insert(v)
        })
        .collect();
    let mut out: Vec<[u32; 3]> = triangles
        .iter()
        .map(|t| t.map(|v| stands_for[v as usize]))
        .filter(|[a, b, c]| a != b && b != c && a != c)
        .collect();
    // Where a sheet is finer than a cell, many triangles become the same.
    let sorted = |t: &[u32; 3]| {
        let mut t = *t;
        t.sort_unstable();
        t
    };
    out.sort_by_cached_key(sorted);
    out.dedup_by_key(|t| sorted(t));
    out
}

fn renumbered(vertex_count: usize, mut triangles: Vec<[u32; 3]>) -> Thin {
    let mut is_used = vec![false; vertex_count];
    triangles.as_flattened().iter().for_each(|&v| is_used[v as usize] = true);
    let vertices: Vec<u32> = (0..vertex_count as u32).filter(|&v| is_used[v as usize]).collect();
    let mut number = vec![0; vertex_count];
    vertices.iter().zip(0..).for_each(|(&v, k)| number[v as usize] = k);
    triangles.as_flattened_mut().iter_mut().for_each(|v| *v = number[*v as usize]);
    Thin { vertices, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(n: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let positions = (0..n * n).map(|i| [f64::from(i % n), f64::from(i / n), 0.0]).collect();
        let corner = |x, y| y * n + x;
        let quads = (0..(n - 1) * (n - 1)).map(|i| (i % (n - 1), i / (n - 1)));
        let triangles = quads.flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            [[a, b, c], [a, c, d]]
        });
        (positions, triangles.collect())
    }

    #[test]
    fn a_thinned_sheet_is_small_and_covers_the_same_box() {
        let (positions, triangles) = sheet(200);
        let thin = thin(&positions, &triangles, 5_000);
        assert!((1_500..=6_000).contains(&thin.triangles.len()), "{}", thin.triangles.len());
        assert!(thin.triangles.as_flattened().iter().all(|&v| (v as usize) < thin.vertices.len()));
        let far = thin.vertices.iter().map(|&v| positions[v as usize][0]).fold(0.0, f64::max);
        assert!(far > 195.0);
    }

    #[test]
    fn the_whole_leaves_out_what_no_triangle_uses() {
        let kept = whole(9, &[[2, 4, 8], [8, 4, 3]]);
        assert_eq!(kept.vertices, [2, 3, 4, 8]);
        assert_eq!(kept.triangles, [[0, 2, 3], [3, 2, 1]]);
    }

    #[test]
    fn degenerate_input_does_no_harm() {
        assert_eq!(thin(&[[1.0; 3]; 3], &[[0, 1, 2]; 5], 1).triangles.len(), 0);
        assert_eq!(thin(&[], &[], 10).vertices.len(), 0);
    }
}
