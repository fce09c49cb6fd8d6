//! Closed surfaces from boxes of unit cubes: quads counted by hand, then rounded off.
//!
//! Pushing a limb with a cross-section of perimeter p out of a body by length l adds exactly p·l quads, which is how
//! the human (944 quads) and the tooth (1200 quads) meet the counts of a published table. A closed quad mesh of genus 0
//! with Q quads has Q + 2 vertices.

use std::collections::{HashMap, HashSet};

use crate::{
    Surface,
    vector::{Point, add, scale, sub},
};

/// The unit cubes with lower corners `lo <= c < hi`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoxelBox {
    /// Smallest corner.
    pub lo: [i32; 3],
    /// Largest corner.
    pub hi: [i32; 3],
}

impl VoxelBox {
    /// The box between two corners.
    pub const fn new(lo: [i32; 3], hi: [i32; 3]) -> Self {
        Self { lo, hi }
    }

    fn cubes(self) -> impl Iterator<Item = [i32; 3]> {
        let Self { lo, hi } = self;
        (lo[2]..hi[2])
            .flat_map(move |z| (lo[1]..hi[1]).flat_map(move |y| (lo[0]..hi[0]).map(move |x| [x, y, z])))
    }
}

/// The outer surface of a union of boxes, vertices welded at integer coordinates, two triangles a quad, outward.
pub fn polycube(boxes: &[VoxelBox]) -> Surface {
    let order: Vec<[i32; 3]> = boxes.iter().flat_map(|b| b.cubes()).collect();
    let filled: HashSet<[i32; 3]> = order.iter().copied().collect();
    let mut done = HashSet::new();
    let mut ids: HashMap<[i32; 3], u32> = HashMap::new();
    let mut surface = Surface::default();
    for cube in order {
        if !done.insert(cube) {
            continue;
        }
        for axis in 0..3 {
            for side in [0, 1] {
                let mut beside = cube;
                beside[axis] += 2 * side - 1;
                if filled.contains(&beside) {
                    continue;
                }
                // (axis, u, w) is a right-handed frame; the lower side runs the other way round.
                let (u, w) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut quad = [[0, 0], [1, 0], [1, 1], [0, 1]];
                if side == 0 {
                    quad.swap(1, 3);
                }
                let corner = quad.map(|[du, dw]| {
                    let mut c = cube;
                    c[axis] += side;
                    c[u] += du;
                    c[w] += dw;
                    *ids.entry(c).or_insert_with(|| {
                        surface.positions.push(c.map(f64::from));
                        surface.positions.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = corner;
                surface.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    surface
}

/// A closed box of `cells` quads along each axis and edges `size`, centred; corners and edges are sharp.
pub fn box_surface(cells: [usize; 3], size: [f64; 3]) -> Surface {
    let hi = cells.map(|n| n.max(1) as i32);
    polycube(&[VoxelBox::new([0; 3], hi)])
        .mapped(|p| std::array::from_fn(|k| size[k] * (p[k] / f64::from(hi[k]) - 0.5)))
}

/// Rounds a surface off without shrinking it: `steps` times one step towards the mean of the neighbours and a slightly
/// larger one away from it (Taubin 1995).
pub fn smoothed(mut surface: Surface, steps: usize) -> Surface {
    let n = surface.positions.len();
    for _ in 0..steps {
        for weight in [0.5, -0.52] {
            let mut sum: Vec<(Point, f64)> = vec![([0.0; 3], 0.0); n];
            for &[a, b, c] in &surface.triangles {
                // Each inner edge is met from both sides, once in each direction.
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let (s, count) = &mut sum[from as usize];
                    *s = add(*s, surface.positions[to as usize]);
                    *count += 1.0;
                }
            }
            for (p, (s, count)) in surface.positions.iter_mut().zip(sum) {
                if count > 0.0 {
                    *p = add(*p, scale(sub(scale(s, 1.0 / count), *p), weight));
                }
            }
        }
    }
    surface
}

/// A standing human with spread arms, about 2 high, closed: 946 vertices, 1888 triangles, 2832 edges.
pub fn human() -> Surface {
    let parts = [
        VoxelBox::new([-4, -2, 0], [4, 2, 12]),   // torso: 352 quads
        VoxelBox::new([-4, -1, -13], [-1, 2, 0]), // legs: 12 · 13 each
        VoxelBox::new([1, -1, -13], [4, 2, 0]),
        VoxelBox::new([-15, -1, 10], [-4, 1, 12]), // arms: 8 · 11 each
        VoxelBox::new([4, -1, 10], [15, 1, 12]),
        VoxelBox::new([-1, -1, 12], [1, 1, 14]), // neck: 8 · 2
        VoxelBox::new([-2, -2, 14], [2, 2, 18]), // head: 96 - 2 · 4
    ];
    smoothed(polycube(&parts), 40).mapped(|p| scale(sub(p, [0.0, 0.0, 2.5]), 1.0 / 15.5))
}

/// A molar with two roots and four cusps, about 2 high, closed: 1202 vertices, 2400 triangles, 3600 edges.
pub fn tooth() -> Surface {
    let parts = [
        VoxelBox::new([-5, -5, 0], [5, 5, 12]),   // crown: 680 quads
        VoxelBox::new([-5, -3, -13], [-1, 3, 0]), // roots: 20 · 13 each
        VoxelBox::new([1, -3, -13], [5, 3, 0]),
    ];
    let cusps = |p: Point| {
        let bump = |x: f64| (x * x / 12.0).min(1.0) * (1.0 - x * x / 40.0);
        let rise = ((p[2] - 7.0) / 5.0).clamp(0.0, 1.0);
        // Roots narrow towards their tips; half as wide at the end.
        let taper = 1.0 - 0.5 * (-p[2] / 13.0).clamp(0.0, 1.0);
        let axis = if p[2] < 0.0 { 3.0_f64.copysign(p[0]) } else { 0.0 };
        [axis + (p[0] - axis) * taper, p[1] * taper, p[2] + 1.8 * rise * bump(p[0]) * bump(p[1])]
    };
    smoothed(polycube(&parts).mapped(cusps), 60).mapped(|p| scale(p, 1.0 / 13.0))
}
