//! Ambient occlusion in screen space: how much of the sky a visible place misses because of what is near it.
//!
//! Around each pixel sixteen others are looked up on a spiral; each that lies above the tangent plane takes away
//! light by the cosine over the distance (the estimator of McGuire et al. 2011, *The Alchemy Screen-Space Ambient
//! Obscurance Algorithm*). The spiral is turned by a 4 x 4 pattern, and a 4 x 4 box that respects depth averages
//! exactly one full pattern, so that no noise is left.

use glam::Vec3;

use super::camera::Camera;
use super::projection::Projection;
use super::raster::{self, Window};
use super::stage::Stage;

const TAPS: usize = 16;
/// Reach in unit space: a sixth of the scene.
const RADIUS: f32 = 0.34;
/// Strength; 1 is the estimator as it is.
const STRENGTH: f32 = 1.3;

/// Which of sixteen turned spirals a pixel takes: Bayer's matrix keeps those of neighbours far apart.
const TURNS: [[usize; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// Light that reaches each pixel, 0 to 1, with the depth it was computed for.
pub(super) struct Occlusion {
    width: usize,
    height: usize,
    /// 1/depth; 0 where nothing is.
    depth: Vec<f32>,
    open: Vec<f32>,
}

impl Occlusion {
    pub(super) fn new(
        stage: &Stage,
        projection: &Projection,
        camera: &Camera,
        width: usize,
        height: usize,
    ) -> Self {
        let mut depth = vec![0.0_f32; width * height];
        let window = Window { x: [0, width as i32], y: [0, height as i32] };
        for t in stage.triangles.iter().filter(|t| !t.is_ghost()) {
            raster::triangle(projection.corners(t), window, &raster::CENTER, |hit| {
                let slot = &mut depth[hit.y * width + hit.x];
                *slot = slot.max(hit.depth);
            });
        }
        let mut occlusion = Self { width, height, depth, open: Vec::new() };
        let raw = occlusion.estimate(camera);
        occlusion.open = occlusion.smooth(&raw);
        occlusion
    }

    /// How open the place at a pixel is whose 1/depth is `depth`; at silhouettes a neighbour may fit better.
    pub(super) fn at(&self, x: usize, y: usize, depth: f32) -> f32 {
        let miss = |at: usize| (self.depth[at] - depth).abs();
        let mut best = y * self.width + x;
        if miss(best) > 0.01 * depth {
            for (nx, ny) in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                if nx < self.width && ny < self.height && miss(ny * self.width + nx) < miss(best) {
                    best = ny * self.width + nx;
                }
            }
        }
        self.open[best]
    }

    /// The place seen at a pixel, in the camera's frame with depth positive.
    fn place(&self, camera: &Camera, x: usize, y: usize) -> Option<Vec3> {
        let inverse = self.depth[y * self.width + x];
        (inverse > 0.0).then(|| {
            let w = 1.0 / inverse;
            let u = (x as f32 + 0.5 - camera.center[0]) / camera.focal;
            let v = (y as f32 + 0.5 - camera.center[1]) / camera.focal;
            Vec3::new(u * w, v * w, w)
        })
    }

    /// The normal from the differences to neighbours, the nearer in depth on each axis, facing the viewer.
    fn normal(&self, camera: &Camera, x: usize, y: usize, p: Vec3) -> Vec3 {
        let axis = |before: Option<Vec3>, after: Option<Vec3>| match (before, after) {
            (Some(b), Some(a)) => {
                if (a.z - p.z).abs() < (b.z - p.z).abs() {
                    a - p
                } else {
                    p - b
                }
            }
            (Some(b), None) => p - b,
            (None, Some(a)) => a - p,
            (None, None) => Vec3::ZERO,
        };
        let at = |x: usize, y: usize| {
            (x < self.width && y < self.height).then(|| self.place(camera, x, y)).flatten()
        };
        let dx = axis(at(x.wrapping_sub(1), y), at(x + 1, y));
        let dy = axis(at(x, y.wrapping_sub(1)), at(x, y + 1));
        let n = dx.cross(dy).normalize_or_zero();
        if n.dot(p) > 0.0 { -n } else { n }
    }

    fn estimate(&self, camera: &Camera) -> Vec<f32> {
        let spiral: Vec<[f32; 2]> = (0..TAPS * 16)
            .map(|i| {
                let (tap, turn) = (i % TAPS, i / TAPS);
                let reach = (tap as f32 + 0.5 + turn as f32 / 16.0) / (TAPS as f32 + 0.5);
                let angle =
                    std::f32::consts::TAU * (tap as f32 * 5.0 / TAPS as f32 * 1.37 + turn as f32 / 16.0);
                // More taps near by: creases are sharper than wide shade.
                [reach.powf(1.5) * angle.cos(), reach.powf(1.5) * angle.sin()]
            })
            .collect();
        let mut raw = vec![1.0; self.width * self.height];
        for y in 0..self.height {
            for x in 0..self.width {
                let Some(p) = self.place(camera, x, y) else { continue };
                let n = self.normal(camera, x, y, p);
                let reach = (RADIUS * camera.focal / p.z).clamp(2.0, 0.25 * self.height as f32);
                let turn = TURNS[y & 3][x & 3];
                let mut shade = 0.0;
                for [dx, dy] in &spiral[turn * TAPS..(turn + 1) * TAPS] {
                    let (sx, sy) = (x as f32 + 0.5 + dx * reach, y as f32 + 0.5 + dy * reach);
                    if sx < 0.0 || sy < 0.0 || sx as usize >= self.width || sy as usize >= self.height {
                        continue;
                    }
                    let Some(q) = self.place(camera, sx as usize, sy as usize) else { continue };
                    let v = q - p;
                    let distance_sq = v.length_squared();
                    let fade = 1.0 - distance_sq / (RADIUS * RADIUS);
                    if fade > 0.0 {
                        shade += fade * (v.dot(n) - 0.002 * p.z).max(0.0) / (distance_sq + 0.002);
                    }
                }
                raw[y * self.width + x] = (1.0 - STRENGTH * RADIUS * shade / TAPS as f32).clamp(0.0, 1.0);
            }
        }
        raw
    }

    fn smooth(&self, raw: &[f32]) -> Vec<f32> {
        let mut open = vec![1.0; raw.len()];
        for y in 0..self.height {
            for x in 0..self.width {
                let here = self.depth[y * self.width + x];
                if here == 0.0 {
                    continue;
                }
                let (mut sum, mut weight) = (0.0, 0.0);
                for sy in y.saturating_sub(2)..(y + 2).min(self.height) {
                    for sx in x.saturating_sub(2)..(x + 2).min(self.width) {
                        let at = sy * self.width + sx;
                        if (self.depth[at] - here).abs() < 0.01 * here {
                            sum += raw[at];
                            weight += 1.0;
                        }
                    }
                }
                open[y * self.width + x] = sum / weight;
            }
        }
        open
    }
}
