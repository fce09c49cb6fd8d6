//! Outline and glow around highlighted triangles, so that a single small one is found at a glance.

use glam::{Vec3, Vec4};

use super::render::Canvas;

/// Where marked primitives are seen: colour times coverage, and coverage.
pub(super) struct Glow {
    width: usize,
    height: usize,
    light: Vec<Vec4>,
    any: bool,
}

impl Glow {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, light: vec![Vec4::ZERO; width * height], any: false }
    }

    /// One sample of a pixel sees a marked primitive of this colour.
    pub(super) fn add(&mut self, x: usize, y: usize, color: Vec3) {
        self.light[y * self.width + x] += color.extend(1.0) / super::raster::SAMPLES as f32;
        self.any = true;
    }
}

/// How far the glow reaches, as a share of the picture's smaller side.
const REACH: f32 = 0.008;

/// Darkens a thin line around the marks and lets their colour bleed softly beyond it.
pub(super) fn glow(canvas: &mut Canvas, glow: Glow) {
    if !glow.any {
        return;
    }
    let (width, height) = (glow.width, glow.height);
    let radius = ((width.min(height) as f32 * REACH) as usize).max(2);
    let mut soft = glow.light.clone();
    for _ in 0..2 {
        soft = blur(&soft, width, height, radius);
    }
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            let cover = glow.light[at].w;
            if soft[at].w <= 1e-4 || cover >= 1.0 {
                continue;
            }
            // The nearest marks by coverage within a pixel and a half make the outline.
            let mut near = cover;
            for (dx, dy, weight) in [
                (1, 0, 1.0),
                (-1, 0, 1.0),
                (0, 1, 1.0),
                (0, -1, 1.0),
                (1, 1, 0.7),
                (1, -1, 0.7),
                (-1, 1, 0.7),
                (-1, -1, 0.7),
            ] {
                let (nx, ny) = (x as i64 + dx, y as i64 + dy);
                if nx >= 0 && ny >= 0 && (nx as usize) < width && (ny as usize) < height {
                    near = near.max(weight * glow.light[ny as usize * width + nx as usize].w);
                }
            }
            let pixel = &mut canvas.pixels[at];
            let color = soft[at].truncate() / soft[at].w;
            let halo = (1.6 * soft[at].w).min(1.0) * 0.42 * (1.0 - cover);
            *pixel = pixel.lerp(color, halo);
            let line = 0.55 * (near - cover).max(0.0);
            *pixel = pixel.lerp(color * 0.18, line);
        }
    }
}

/// A box blur along rows, then along columns, by running sums.
fn blur(image: &[Vec4], width: usize, height: usize, radius: usize) -> Vec<Vec4> {
    let mut out = image.to_vec();
    let scale = 1.0 / (2 * radius + 1) as f32;
    let mut pass = |lines: usize, length: usize, line_step: usize, step: usize| {
        let mut line = vec![Vec4::ZERO; length];
        for l in 0..lines {
            let first = l * line_step;
            (0..length).for_each(|i| line[i] = out[first + i * step]);
            let mut sum = line[..radius.min(length)].iter().copied().sum::<Vec4>();
            for i in 0..length {
                if i + radius < length {
                    sum += line[i + radius];
                }
                // Rounding must not leave light behind where there is none.
                out[first + i * step] = (sum * scale).max(Vec4::ZERO);
                if i >= radius {
                    sum -= line[i - radius];
                }
            }
        }
    };
    pass(height, width, width, 1);
    pass(width, height, 1, width);
    out
}
