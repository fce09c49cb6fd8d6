//! Rings around small, lonely marks: one colliding triangle among a million must not be overlooked.

use glam::{Vec2, Vec3};

use super::annotate::blend;
use super::raster::SAMPLES;
use super::render::Canvas;

/// Side of a cell in pixels; marks in neighbouring cells belong together.
const CELL: usize = 16;
/// A group that covers fewer pixels than this, of a million in the picture, gets a ring.
const SMALL: f32 = 55.0;
/// With more small groups than this, rings would hide more than they show.
const MOST: usize = 16;

/// The marks within one cell, or one group of cells.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Pixels covered.
    cover: f32,
    color: Vec3,
    low: Vec2,
    high: Vec2,
}

impl Group {
    const NONE: Self = Self { cover: 0.0, color: Vec3::ZERO, low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };

    fn join(&mut self, other: &Self) {
        self.cover += other.cover;
        self.color += other.color;
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }
}

/// Collects where marks are seen, directly or shining through.
pub(super) struct Locator {
    columns: usize,
    cells: Vec<Group>,
}

impl Locator {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let columns = width.div_ceil(CELL);
        Self { columns, cells: vec![Group::NONE; columns * height.div_ceil(CELL)] }
    }

    /// One sample of a pixel sees a mark.
    pub(super) fn add(&mut self, x: usize, y: usize, color: Vec3) {
        let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let cover = 1.0 / SAMPLES as f32;
        self.cells[y / CELL * self.columns + x / CELL].join(&Group {
            cover,
            color: color * cover,
            low: p,
            high: p,
        });
    }

    /// Joins touching cells into groups, in reading order.
    fn groups(mut self) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut open = Vec::new();
        for first in 0..self.cells.len() {
            let mut group = Group::NONE;
            open.push(first);
            while let Some(at) = open.pop() {
                if self.cells[at].cover == 0.0 {
                    continue;
                }
                group.join(&std::mem::replace(&mut self.cells[at], Group::NONE));
                let (x, y) = (at % self.columns, at / self.columns);
                for ny in y.saturating_sub(1)..=(y + 1).min(self.cells.len() / self.columns - 1) {
                    for nx in x.saturating_sub(1)..=(x + 1).min(self.columns - 1) {
                        open.push(ny * self.columns + nx);
                    }
                }
            }
            if group.cover > 0.0 {
                groups.push(group);
            }
        }
        groups
    }

    /// Draws a ring around each small group.
    pub(super) fn draw(self, canvas: &mut Canvas) {
        let pixels = (canvas.width * canvas.height) as f32;
        let scale = (pixels / 1e6).sqrt();
        let mut small = self.groups();
        // The dot that stands for a small triangle has the same size in a small picture.
        small.retain(|g| g.cover < SMALL * (scale * scale).max(0.5));
        if small.len() > MOST {
            return;
        }
        for group in small {
            let center = 0.5 * (group.low + group.high);
            let radius = 0.5 * group.low.distance(group.high) + 13.0 * scale;
            let color = group.color / group.cover;
            let reach = Vec2::splat(radius + 5.0 * scale);
            // A pale ring under the coloured one keeps it visible on any ground.
            for (color, half) in [(Vec3::ONE, (2.8 * scale).max(2.2)), (color, (1.6 * scale).max(1.3))] {
                blend(canvas, center - reach, center + reach, |p| {
                    (color, half + 0.5 - (p.distance(center) - radius).abs())
                });
            }
        }
    }
}
