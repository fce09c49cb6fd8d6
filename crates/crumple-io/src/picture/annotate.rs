//! Title, caption and legends, and the room that they need.

use glam::{Vec2, Vec3};

use super::camera::Frame;
use super::font;
use super::legend::{Legend, bar_ticks};
use super::render::Canvas;
use super::{Color, Picture, Theme};

/// Sizes in pixels, all in proportion to the picture.
struct Layout {
    margin: f32,
    title: f32,
    text: f32,
    /// Height taken at the top and at the bottom.
    top: f32,
    bottom: f32,
}

impl Layout {
    fn new(picture: &Picture<'_>) -> Self {
        let (width, height) = (picture.width as f32, picture.height as f32);
        let scale = (width.min(height * 1.5) / 1200.0).clamp(0.05, 8.0);
        // Pages show pictures of half their width somewhat smaller than they are: what is 13 pixels here is 10 there.
        let least = if width < 400.0 { 9.0 } else { 13.0 };
        let (title, text) = ((25.0 * scale).max(1.2 * least), (17.0 * scale).max(least));
        let margin = 28.0 * scale;
        let has_keys = picture.legends.iter().any(|l| matches!(l, Legend::Keys(_)));
        let has_bar = picture.legends.iter().any(|l| matches!(l, Legend::Bar { .. }));
        let mut top = margin;
        top += if picture.title.is_empty() { 0.0 } else { 1.1 * title };
        top += if has_keys { 1.9 * text } else { 0.0 };
        let mut bottom = margin;
        bottom += if has_bar {
            3.4 * text
        } else if picture.caption.is_empty() {
            0.0
        } else {
            1.2 * text
        };
        // On a stamp-sized picture text may overlap the scene rather than crowd it out.
        Self { margin, title, text, top: top.min(0.25 * height), bottom: bottom.min(0.25 * height) }
    }
}

/// The part of the picture that the scene is fitted into.
pub(super) fn scene_frame(picture: &Picture<'_>) -> Frame {
    let layout = Layout::new(picture);
    let (width, height) = (picture.width as f32, picture.height as f32);
    let air = 0.025 * width.min(height);
    Frame {
        left: layout.margin + air,
        top: layout.top + air,
        right: width - layout.margin - air,
        bottom: height - layout.bottom - air,
    }
}

/// Writes title, caption and legends over the finished scene.
pub(super) fn write(canvas: &mut Canvas, picture: &Picture<'_>) {
    let layout = Layout::new(picture);
    let (strong, soft) = match picture.theme {
        Theme::Light => (Color::hex(0x1c_26_33), Color::hex(0x4d_5b_6c)),
        Theme::Dark => (Color::hex(0xf2_f5_f8), Color::hex(0xb4_bf_cb)),
    };
    let (strong, soft) = (strong.linear(), soft.linear());
    let (width, height) = (canvas.width as f32, canvas.height as f32);
    let room = width - 2.0 * layout.margin;
    let mut y = layout.margin;
    if !picture.title.is_empty() {
        y += 0.75 * layout.title;
        let text = font::fitted(&picture.title, layout.title, room);
        text_at(canvas, &text, Vec2::new(layout.margin, y), layout.title, strong);
        y += 0.4 * layout.title;
    }
    let mut x = layout.margin;
    let baseline = y + 1.1 * layout.text;
    let mut bars = Vec::new();
    for legend in &picture.legends {
        match legend {
            Legend::Keys(keys) => {
                for (color, meaning) in keys {
                    let dot = 0.36 * layout.text;
                    let text = font::fitted(meaning, layout.text, width - layout.margin - x - 4.0 * dot);
                    disc(canvas, Vec2::new(x + dot, baseline - 0.35 * layout.text), dot, color.linear());
                    text_at(canvas, &text, Vec2::new(x + 3.0 * dot, baseline), layout.text, soft);
                    x += 3.0 * dot + font::width(&text, layout.text) + 1.5 * layout.text;
                }
            }
            Legend::Bar { title, map, low, high } => bars.push((title, map, low, high)),
        }
    }
    let bar_width = (0.26 * width).min(room / bars.len().max(1) as f32 - layout.text);
    let mut right = width - layout.margin;
    for (title, map, low, high) in bars.into_iter().rev() {
        let left = right - bar_width;
        let bottom = height - layout.margin - 1.1 * layout.text;
        let top = bottom - 0.62 * layout.text;
        let name = font::fitted(title, layout.text, bar_width);
        text_at(canvas, &name, Vec2::new(left, top - 0.55 * layout.text), layout.text, soft);
        let box_size = [left, top, right, bottom];
        fill(canvas, box_size, |t| map.at(f64::from(t)).linear());
        for (t, label) in bar_ticks(*low, *high) {
            let size = 0.86 * layout.text;
            let at = left + t as f32 * bar_width;
            let label_width = font::width(&label, size);
            let start = (at - 0.5 * label_width).clamp(left.min(right - label_width), right - label_width);
            fill(canvas, [at - 0.6, bottom, at + 0.6, bottom + 0.22 * layout.text], |_| soft);
            text_at(canvas, &label, Vec2::new(start, bottom + 1.05 * layout.text), size, soft);
        }
        right = left - 2.0 * layout.text;
    }
    if !picture.caption.is_empty() {
        let end = if right < width - layout.margin { right } else { width - layout.margin };
        let text = font::fitted(&picture.caption, layout.text, end - layout.margin);
        text_at(canvas, &text, Vec2::new(layout.margin, height - layout.margin), layout.text, soft);
    }
}

/// Runs over the pixels of a box (cut to the canvas) with the colour and the coverage that
/// `color` gives for a pixel's middle.
pub(super) fn blend(canvas: &mut Canvas, low: Vec2, high: Vec2, color: impl Fn(Vec2) -> (Vec3, f32)) {
    let clip = |v: f32, end: usize| v.clamp(0.0, end as f32) as usize;
    for y in clip(low.y.floor(), canvas.height)..clip(high.y.ceil(), canvas.height) {
        for x in clip(low.x.floor(), canvas.width)..clip(high.x.ceil(), canvas.width) {
            let (color, cover) = color(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            let pixel = &mut canvas.pixels[y * canvas.width + x];
            *pixel = pixel.lerp(color, cover.clamp(0.0, 1.0));
        }
    }
}

fn disc(canvas: &mut Canvas, center: Vec2, radius: f32, color: Vec3) {
    let reach = Vec2::splat(radius + 1.0);
    blend(canvas, center - reach, center + reach, |p| (color, radius + 0.5 - p.distance(center)));
}

/// Fills a box with colours that run from left (0) to right (1), with exact coverage at its border.
fn fill(canvas: &mut Canvas, [left, top, right, bottom]: [f32; 4], color: impl Fn(f32) -> Vec3) {
    let share = |low: f32, high: f32, p: f32| (p + 0.5).min(high) - (p - 0.5).max(low);
    blend(canvas, Vec2::new(left, top), Vec2::new(right, bottom), |p| {
        let cover = share(left, right, p.x).max(0.0) * share(top, bottom, p.y).max(0.0);
        (color((p.x - left) / (right - left)), cover)
    });
}

/// Writes one line with its baseline starting at `at`.
fn text_at(canvas: &mut Canvas, text: &str, at: Vec2, size: f32, color: Vec3) {
    let (strokes, radius) = font::strokes(text, size);
    // Strokes meet; the largest coverage counts, so that joints do not turn darker.
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for p in strokes.iter().flatten() {
        low = low.min(*p + at);
        high = high.max(*p + at);
    }
    if strokes.is_empty() {
        return;
    }
    let reach = Vec2::splat(radius + 1.0);
    let (low, high) = ((low - reach).floor(), (high + reach).ceil());
    let (columns, rows) = ((high.x - low.x) as usize, (high.y - low.y) as usize);
    let mut mask = vec![0.0_f32; columns * rows];
    for [a, b] in strokes.iter().map(|s| s.map(|p| p + at - low)) {
        let (from, to) = ((a.min(b) - reach).max(Vec2::ZERO), a.max(b) + reach);
        for y in from.y as usize..(to.y.ceil() as usize).min(rows) {
            for x in from.x as usize..(to.x.ceil() as usize).min(columns) {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - a;
                let d = b - a;
                let t = (p.dot(d) / d.length_squared().max(1e-9)).clamp(0.0, 1.0);
                let cover = (radius + 0.5 - (p - d * t).length()).clamp(0.0, 1.0);
                let slot = &mut mask[y * columns + x];
                *slot = slot.max(cover);
            }
        }
    }
    blend(canvas, low, high, |p| (color, mask[(p.y - low.y) as usize * columns + (p.x - low.x) as usize]));
}
