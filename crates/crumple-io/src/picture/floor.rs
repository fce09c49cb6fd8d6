//! The soft shadow that solid bodies leave on a floor just below them.
//!
//! Not traced: what lies above each cell of the floor darkens it the more the lower it hangs, blurred twice, narrow
//! for contact and wide for the body as a whole.

use glam::Vec3;

use super::camera::{Basis, Camera};
use super::raster::{self, Window};
use super::stage::Stage;

/// Cells along one side of the map.
const SIZE: usize = 192;

/// Darkness of the floor.
pub(super) struct Floor {
    basis: Basis,
    level: f32,
    low: [f32; 2],
    scale: f32,
    dark: Vec<f32>,
}

impl Floor {
    /// `None` when nothing is solid or the camera is not above the floor.
    pub(super) fn new(stage: &Stage, up: Vec3, camera: &Camera) -> Option<Self> {
        if camera.basis.back.dot(up) < 0.1 || stage.focus.is_some() {
            return None;
        }
        let basis = Basis::new(up, if up.z.abs() > 0.9 { Vec3::Y } else { Vec3::Z });
        let solids = || stage.triangles.iter().filter(|t| !t.is_ghost());
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for p in solids().flat_map(|t| stage.corners(t)) {
            low = low.min(basis.turn(p));
            high = high.max(basis.turn(p));
        }
        let extent = (high.x - low.x).max(high.y - low.y);
        if !(extent > 0.0 && extent.is_finite()) {
            return None;
        }
        // A third of the map on each side is left for the blur to run out in.
        let scale = SIZE as f32 / (extent * 1.7);
        let corner = [0.5 * (low.x + high.x) - 0.85 * extent, 0.5 * (low.y + high.y) - 0.85 * extent];
        let level = low.z - 0.012 * extent;
        let mut hang = vec![f32::NEG_INFINITY; SIZE * SIZE];
        let window = Window { x: [0, SIZE as i32], y: [0, SIZE as i32] };
        for t in solids() {
            let s = stage.corners(t).map(|p| {
                let p = basis.turn(p);
                Vec3::new((p.x - corner[0]) * scale, (p.y - corner[1]) * scale, level - p.z)
            });
            raster::triangle(s, window, &raster::CENTER, |hit| {
                let slot = &mut hang[hit.y * SIZE + hit.x];
                *slot = slot.max(hit.depth);
            });
        }
        let layer = |reach: f32, radius: usize| {
            let near = hang.iter().map(|h| (h / (reach * extent)).exp()).collect();
            (0..3).fold(near, |image: Vec<f32>, _| blur(&image, radius))
        };
        let contact = layer(0.05, 2);
        let wide = layer(0.45, 9);
        let dark =
            contact.iter().zip(&wide).map(|(c, w)| 1.0 - (1.0 - 0.42 * c) * (1.0 - 0.42 * w)).collect();
        Some(Self { basis, level, low: corner, scale, dark })
    }

    /// How dark the floor is under a pixel, 0 to 1.
    pub(super) fn at(&self, camera: &Camera, x: f32, y: f32) -> f32 {
        let ray = self.basis.turn(camera.ray(x, y));
        let eye = self.basis.turn(camera.eye);
        if ray.z > -1e-3 {
            return 0.0;
        }
        let p = eye + ray * ((self.level - eye.z) / ray.z);
        let (u, v) = ((p.x - self.low[0]) * self.scale - 0.5, (p.y - self.low[1]) * self.scale - 0.5);
        let last = (SIZE - 1) as f32;
        if !(u >= 0.0 && v >= 0.0 && u < last && v < last) {
            return 0.0;
        }
        let (iu, iv) = (u as usize, v as usize);
        let (fu, fv) = (u - iu as f32, v - iv as f32);
        let row = |v: usize| self.dark[v * SIZE + iu] * (1.0 - fu) + self.dark[v * SIZE + iu + 1] * fu;
        row(iv) * (1.0 - fv) + row(iv + 1) * fv
    }
}

/// A box blur along both axes by running sums; three of them are close to a Gaussian.
fn blur(image: &[f32], radius: usize) -> Vec<f32> {
    let along = |image: &[f32], step: usize, across: usize| {
        let mut out = vec![0.0; image.len()];
        for line in 0..SIZE {
            let at = |i: usize| line * across + i * step;
            let mut sum: f32 = (0..radius).map(|i| image[at(i)]).sum();
            for i in 0..SIZE {
                if i + radius < SIZE {
                    sum += image[at(i + radius)];
                }
                // Rounding must not leave a shadow behind where there is none.
                out[at(i)] = (sum / (2 * radius + 1) as f32).max(0.0);
                if i >= radius {
                    sum -= image[at(i - radius)];
                }
            }
        }
        out
    };
    along(&along(image, 1, SIZE), SIZE, 1)
}
