//! Scan conversion: which samples a triangle, a ball or a rod covers, and how deep it is there.
//!
//! Depth is 1/distance for cameras, which is linear on screen, and signed height for the light maps; larger is
//! nearer in both. Corners are snapped to 1/256 pixel, so that the edge functions below are integers held exactly
//! in `f64` (up to 2^53: corners within 131,000 pixels of the window), and a sample on a shared edge belongs to
//! both triangles, never to neither.

use glam::{Vec2, Vec3};

/// Half-open range of pixels to draw into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) x: [i32; 2],
    pub(super) y: [i32; 2],
}

/// Sample places within a pixel, in 1/256.
pub(super) type Pattern<const N: usize> = [[f64; 2]; N];

/// The middle of the pixel.
pub(super) const CENTER: Pattern<1> = [[128.0, 128.0]];

/// Samples per pixel of the final picture.
pub(super) const SAMPLES: usize = 8;

/// Eight places, no two in one row or column of an 8 x 8 grid: near-upright edges get eight shades, not two.
pub(super) const ROOKS: Pattern<SAMPLES> = [
    [144.0, 80.0],
    [112.0, 176.0],
    [208.0, 144.0],
    [80.0, 48.0],
    [48.0, 208.0],
    [16.0, 112.0],
    [176.0, 240.0],
    [240.0, 16.0],
];

/// Where a sample was covered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) sample: usize,
    pub(super) depth: f32,
}

/// Pixels of `window` whose area meets the interval `low..=high`, given in 1/256 pixel.
fn span(low: f64, high: f64, window: [i32; 2]) -> (i32, i32) {
    // Casts saturate, so that a corner far outside cannot wrap around; the shift rounds down.
    let pixel = |v: f64| (v as i64 >> 8).clamp(-1_000_000, 1_000_000) as i32;
    (pixel(low).max(window[0]), pixel(high).min(window[1] - 1))
}

/// Calls `hit` for every covered sample. Corners hold pixel x, pixel y, depth. Both orientations are drawn.
#[inline]
pub(super) fn triangle<const N: usize>(
    corners: [Vec3; 3],
    window: Window,
    pattern: &Pattern<N>,
    mut hit: impl FnMut(Hit),
) {
    // Adding and taking away 1.5 x 2^52 rounds to an integer without the call that `round` is on plain x86-64.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let snap = |v: f32| (f64::from(v) * 256.0 + ROUND) - ROUND;
    let mut x = corners.map(|c| snap(c.x));
    let mut y = corners.map(|c| snap(c.y));
    let mut z = corners.map(|c| f64::from(c.z));
    let mut area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if area == 0.0 {
        return;
    }
    if area < 0.0 {
        x.swap(1, 2);
        y.swap(1, 2);
        z.swap(1, 2);
        area = -area;
    }
    let least = |v: [f64; 3]| v[0].min(v[1]).min(v[2]);
    let most = |v: [f64; 3]| v[0].max(v[1]).max(v[2]);
    let (x0, x1) = span(least(x), most(x), window.x);
    let (y0, y1) = span(least(y), most(y), window.y);
    if x0 > x1 || y0 > y1 {
        return;
    }

    // Edge k runs opposite corner k; its function grows by `gx`, `gy` per 1/256 pixel and is >= 0 inside.
    let edge = |a: usize, b: usize| (y[a] - y[b], x[b] - x[a], (x[a] * y[b] - x[b] * y[a]));
    let edges = [edge(1, 2), edge(2, 0), edge(0, 1)];
    let offsets: [[f64; N]; 3] = std::array::from_fn(|k| {
        std::array::from_fn(|s| edges[k].0 * pattern[s][0] + edges[k].1 * pattern[s][1])
    });
    let zx = (edges[0].0 * z[0] + edges[1].0 * z[1] + edges[2].0 * z[2]) / area;
    let zy = (edges[0].1 * z[0] + edges[1].1 * z[1] + edges[2].1 * z[2]) / area;
    let depth_offsets: [f32; N] = std::array::from_fn(|s| (zx * pattern[s][0] + zy * pattern[s][1]) as f32);
    // Slivers have steep planes; inside the triangle the depth cannot leave that of its corners.
    let (near, far) = (most(z) as f32, least(z) as f32);
    let wide = x1 - x0 > 8;

    for row in y0..=y1 {
        let py = f64::from(row) * 256.0;
        let base: [f64; 3] = std::array::from_fn(|k| edges[k].1 * py + edges[k].2);
        let (mut from, mut to) = (x0, x1);
        if wide {
            for k in 0..3 {
                // The most that any sample of a pixel may add, whatever the pattern.
                let slack = 256.0 * (edges[k].0.max(0.0) + edges[k].1.max(0.0));
                let step = edges[k].0 * 256.0;
                let reach = base[k] + slack;
                if step > 0.0 {
                    from = from.max((-reach / step).ceil() as i32);
                } else if step < 0.0 {
                    to = to.min((reach / -step).floor() as i32);
                } else if reach < 0.0 {
                    to = from - 1;
                }
            }
        }
        for column in from..=to {
            let px = f64::from(column) * 256.0;
            let e: [f64; 3] = std::array::from_fn(|k| base[k] + edges[k].0 * px);
            let mut inside = [false; N];
            for s in 0..N {
                inside[s] = (e[0] + offsets[0][s] >= 0.0)
                    & (e[1] + offsets[1][s] >= 0.0)
                    & (e[2] + offsets[2][s] >= 0.0);
            }
            if inside == [false; N] {
                continue;
            }
            let depth = (z[0] + zx * (px - x[0]) + zy * (py - y[0])) as f32;
            for s in 0..N {
                if inside[s] {
                    let depth = (depth + depth_offsets[s]).clamp(far, near);
                    hit(Hit { x: column as usize, y: row as usize, sample: s, depth });
                }
            }
        }
    }
}

/// A rod on screen: a line with round ends and the depth of a tube. A rod of no length is a ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rod {
    /// Ends as pixel x, pixel y, 1/depth.
    pub(super) ends: [Vec3; 2],
    /// Half the width in pixels.
    pub(super) radius: f32,
    /// Pixels per unit length at depth 1.
    pub(super) focal: f32,
}

/// A place on a rod.
#[derive(Debug, Clone, Copy)]
pub(super) struct RodPoint {
    /// Across the rod from its axis, in radii; at most 1 long.
    pub(super) across: Vec2,
    /// How much the tube bulges towards the viewer there, 0 to 1.
    pub(super) bulge: f32,
    /// Along the rod, 0 to 1.
    pub(super) along: f32,
}

impl Rod {
    /// The place of the rod under a pixel position, if any.
    #[inline]
    pub(super) fn at(&self, x: f32, y: f32) -> Option<RodPoint> {
        let a = self.ends[0].truncate();
        let d = self.ends[1].truncate() - a;
        let p = Vec2::new(x, y) - a;
        let length_sq = d.length_squared();
        let along = if length_sq > 1e-12 { (p.dot(d) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
        let across = (p - d * along) / self.radius;
        let bulge_sq = 1.0 - across.length_squared();
        (bulge_sq >= 0.0).then(|| RodPoint { across, bulge: bulge_sq.sqrt(), along })
    }

    /// 1/depth of the tube's surface.
    #[inline]
    pub(super) fn depth(&self, at: RodPoint) -> f32 {
        let axis = self.ends[0].z + (self.ends[1].z - self.ends[0].z) * at.along;
        // A bulge of b radii is b r / (f i) nearer at 1/depth i: 1 / (1/i - b r/(f i)) = i / (1 - b r/f).
        axis / (1.0 - (at.bulge * self.radius / self.focal).min(0.5))
    }

    /// The rows of pixels it may touch.
    pub(super) fn rows(&self) -> [f32; 2] {
        let [a, b] = self.ends.map(|e| e.y);
        [a.min(b) - self.radius, a.max(b) + self.radius]
    }

    /// Calls `hit` for every covered sample.
    pub(super) fn scan<const N: usize>(
        &self,
        window: Window,
        pattern: &Pattern<N>,
        mut hit: impl FnMut(Hit),
    ) {
        let [a, b] = self.ends;
        let rows = self.rows();
        let (y0, y1) = span(f64::from(rows[0]) * 256.0 - 1.0, f64::from(rows[1]) * 256.0, window.y);
        let slope = (b.x - a.x) / (b.y - a.y);
        for row in y0..=y1 {
            // The axis within reach of this row gives the columns, so that a long slanted line costs its length.
            let (mut low, mut high) = (a.x.min(b.x), a.x.max(b.x));
            if slope.is_finite() {
                let at = |y: f32| a.x + (y - a.y) * slope;
                let (u, v) = (at(row as f32 - self.radius), at(row as f32 + 1.0 + self.radius));
                (low, high) = (low.max(u.min(v)), high.min(u.max(v)));
            }
            let (x0, x1) = span(
                f64::from(low - self.radius) * 256.0 - 1.0,
                f64::from(high + self.radius) * 256.0,
                window.x,
            );
            for column in x0..=x1 {
                for (sample, place) in pattern.iter().enumerate() {
                    let x = column as f32 + place[0] as f32 / 256.0;
                    let y = row as f32 + place[1] as f32 / 256.0;
                    if let Some(at) = self.at(x, y) {
                        hit(Hit { x: column as usize, y: row as usize, sample, depth: self.depth(at) });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { x: [0, 40], y: [0, 30] };

    /// A deterministic number in 0..1.
    fn noise(i: usize) -> f32 {
        let h = (i as u32).wrapping_mul(2_654_435_761) ^ 0x9e37_79b9;
        (h.wrapping_mul(2_246_822_519) >> 8) as f32 / (1 << 24) as f32
    }

    #[test]
    fn a_triangulated_rectangle_has_no_pinhole() {
        // Inner vertices are shaken, so that edges run at all angles; the outline covers the window.
        let n = 24;
        let at = |i: usize, j: usize| {
            let shake =
                |k: usize, edge: bool| if edge { 0.0 } else { 1.6 * (noise(2 * (i * 100 + j) + k) - 0.5) };
            let is_edge = i == 0 || j == 0 || i == n || j == n;
            let x = 42.0 * i as f32 / n as f32 - 1.0 + shake(0, is_edge);
            let y = 32.0 * j as f32 / n as f32 - 1.0 + shake(1, is_edge);
            Vec3::new(x, y, 1.0)
        };
        let mut seen = vec![0_u32; 40 * 30 * SAMPLES];
        for i in 0..n {
            for j in 0..n {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                for t in [[a, b, c], [a, c, d]] {
                    triangle(t, WINDOW, &ROOKS, |hit| seen[(hit.y * 40 + hit.x) * SAMPLES + hit.sample] += 1);
                }
            }
        }
        assert!(seen.iter().all(|n| *n > 0), "{} samples missed", seen.iter().filter(|n| **n == 0).count());
    }

    #[test]
    fn coverage_is_the_area_and_depth_is_the_plane() {
        let plane = |x: f32, y: f32| 0.3 + 0.01 * x - 0.004 * y;
        let corner = |x: f32, y: f32| Vec3::new(x, y, plane(x, y));
        for t in [
            [corner(3.0, 2.0), corner(37.0, 6.5), corner(11.0, 27.0)],
            [corner(3.0, 2.0), corner(11.0, 27.0), corner(37.0, 6.5)],
        ] {
            let mut hits = 0;
            triangle(t, WINDOW, &ROOKS, |hit| {
                hits += 1;
                let x = hit.x as f32 + ROOKS[hit.sample][0] as f32 / 256.0;
                let y = hit.y as f32 + ROOKS[hit.sample][1] as f32 / 256.0;
                assert!((hit.depth - plane(x, y)).abs() < 1e-5);
            });
            let area = 0.5 * (t[1] - t[0]).truncate().perp_dot((t[2] - t[0]).truncate()).abs();
            assert!((hits as f32 / SAMPLES as f32 - area).abs() < 2.0, "{hits} samples for {area} pixels");
        }
    }

    #[test]
    fn far_corners_and_slivers_stay_in_the_window() {
        let far = [Vec3::new(-1e7, -3e6, 1.0), Vec3::new(2e7, 15.0, 0.5), Vec3::new(-1e6, 4e7, 0.2)];
        let sliver = [Vec3::new(-5.0, 10.0, 1.0), Vec3::new(45.0, 10.004, 0.1), Vec3::new(20.0, 10.002, 9.0)];
        for t in [far, sliver, [Vec3::ONE; 3]] {
            triangle(t, WINDOW, &ROOKS, |hit| {
                assert!(hit.x < 40 && hit.y < 30);
                assert!(hit.depth >= 0.1 && hit.depth <= 9.0);
            });
        }
    }

    #[test]
    fn a_rod_covers_its_length_times_its_width() {
        for (a, b) in [
            ((5.0, 5.0), (30.0, 5.0)),
            ((5.0, 5.0), (5.0, 25.0)),
            ((6.0, 4.0), (31.0, 24.0)),
            ((9.0, 9.0), (9.0, 9.0)),
        ] {
            let ends = [Vec3::new(a.0, a.1, 1.0), Vec3::new(b.0, b.1, 1.0)];
            let rod = Rod { ends, radius: 2.0, focal: 1000.0 };
            let mut hits = 0;
            rod.scan(WINDOW, &ROOKS, |_| hits += 1);
            let area = 4.0 * (ends[1] - ends[0]).length() + std::f32::consts::PI * 4.0;
            assert!(
                (hits as f32 / SAMPLES as f32 - area).abs() < 0.05 * area + 1.0,
                "{hits} samples for {area} pixels"
            );
        }
    }
}
