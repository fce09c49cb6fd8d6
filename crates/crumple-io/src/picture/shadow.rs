//! Shadows of the key light: a depth map along the light, looked up with a soft edge.

use glam::Vec3;

use super::camera::Basis;
use super::raster::{self, Window};
use super::stage::Stage;

/// Cells along one side of the map, at most; smaller pictures get by with about one cell per pixel.
const MOST: usize = 1280;
/// Cells that the edge of a shadow is blurred over.
const SOFT: i32 = 5;
/// What lies further out than this (unit space) casts no shadow; only close-ups have any.
const REACH: f32 = 4.0;

/// For each cell the height of the highest solid towards the light.
pub(super) struct Shadow {
    basis: Basis,
    low: [f32; 2],
    scale: f32,
    /// Cells along one side.
    size: usize,
    height: Vec<f32>,
}

impl Shadow {
    /// `None` when nothing casts a shadow. `pixels` is the larger side of the picture.
    pub(super) fn new(stage: &Stage, towards_light: Vec3, pixels: usize) -> Option<Self> {
        let size = (pixels * 11 / 10).clamp(64, MOST);
        let basis = Basis::new(towards_light, Vec3::new(0.123, 0.97, 0.21));
        let turned: Vec<_> = stage.vertices.iter().map(|v| basis.turn(v.p)).collect();
        let solids = || {
            let near = |t: &&super::stage::Triangle| {
                !t.is_ghost() && stage.corners(t).iter().all(|p| p.length_squared() < REACH * REACH)
            };
            stage.triangles.iter().filter(near)
        };
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for t in solids() {
            for v in t.v {
                low = low.min(turned[v as usize]);
                high = high.max(turned[v as usize]);
            }
        }
        let extent = (high.x - low.x).max(high.y - low.y);
        if !(extent > 0.0 && extent.is_finite()) {
            return None;
        }
        let margin = SOFT as f32 + 1.0;
        let scale = (size as f32 - 2.0 * margin) / extent;
        let low = [low.x - margin / scale, low.y - margin / scale];
        let mut height = vec![f32::NEG_INFINITY; size * size];
        let window = Window { x: [0, size as i32], y: [0, size as i32] };
        for t in solids() {
            let s = t.v.map(|v| {
                let p = turned[v as usize];
                Vec3::new((p.x - low[0]) * scale, (p.y - low[1]) * scale, p.z)
            });
            raster::triangle(s, window, &raster::CENTER, |hit| {
                let slot = &mut height[hit.y * size + hit.x];
                *slot = slot.max(hit.depth);
            });
        }
        Some(Self { basis, low, scale, size, height })
    }

    /// Share of the key light that reaches a place with normal `n`, 0 to 1.
    pub(super) fn lit(&self, p: Vec3, n: Vec3) -> f32 {
        let (size, cell) = (self.size, 1.0 / self.scale);
        // Off the surface along its normal, and further towards the light the more slanted the surface lies.
        let slant = 1.0 - self.basis.back.dot(n).clamp(0.0, 1.0);
        let q = self.basis.turn(p + n * (cell * (1.5 + 3.0 * slant)));
        let height = q.z + cell * (2.0 + 6.0 * slant);
        let (u, v) = ((q.x - self.low[0]) * self.scale - 0.5, (q.y - self.low[1]) * self.scale - 0.5);
        let (iu, iv) = (u.floor() as i32, v.floor() as i32);
        let (fu, fv) = (u - u.floor(), v - v.floor());
        let half = SOFT / 2;
        if iu < half || iv < half || iu + half + 1 >= size as i32 || iv + half + 1 >= size as i32 {
            return 1.0;
        }
        // A box of SOFT cells at a fractional place: the outer columns and rows count by their share.
        let mut sum = 0.0;
        for dv in -half..=half + 1 {
            let wv = if dv == -half {
                1.0 - fv
            } else if dv == half + 1 {
                fv
            } else {
                1.0
            };
            let row = (iv + dv) as usize * size;
            let mut line = 0.0;
            for du in -half..=half + 1 {
                let wu = if du == -half {
                    1.0 - fu
                } else if du == half + 1 {
                    fu
                } else {
                    1.0
                };
                line += if self.height[row + (iu + du) as usize] <= height { wu } else { 0.0 };
            }
            sum += wv * line;
        }
        sum / (SOFT * SOFT) as f32
    }
}
