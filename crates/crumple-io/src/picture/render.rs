//! From a picture to an image, step by step.

use glam::{Vec2, Vec3};

use super::camera::Camera;
use super::color::Encoder;
use super::finish::{self, Glow};
use super::floor::Floor;
use super::layers::{Band, Bins, GHOSTS, Id, Layers};
use super::locate::Locator;
use super::occlusion::Occlusion;
use super::projection::Projection;
use super::raster::{ROOKS, SAMPLES};
use super::shade::{Shaded, Shader, key_direction};
use super::shadow::Shadow;
use super::stage::Stage;
use super::{Color, Image, Picture, Theme, annotate, view};

/// Rows drawn at a time: the samples of a band of 32 rows stay in the cache, and memory stays small.
const ROWS: usize = 32;

/// The picture in linear light.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<Vec3>,
}

pub(super) fn render(picture: &Picture<'_>) -> Image {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let mut stage = Stage::new(picture);
    let camera = view::camera(&stage, &picture.view, annotate::scene_frame(picture));
    let projection = Projection::new(&mut stage, &camera);
    let up = picture.view.upright();
    let occlusion = Occlusion::new(&stage, &projection, &camera, width, height);
    let shadow = Shadow::new(&stage, key_direction(&camera), width.max(height));
    let shader = Shader {
        stage: &stage,
        projection: &projection,
        camera: &camera,
        occlusion: &occlusion,
        shadow: shadow.as_ref(),
        up,
        marks_shine: picture.see_through,
    };
    let floor = if picture.floor { Floor::new(&stage, up, &camera) } else { None };
    let mut canvas = background(width, height, picture.theme, floor.as_ref(), &camera);
    let marks = draw(&mut canvas, &shader);
    finish::glow(&mut canvas, marks.glow);
    marks.locator.draw(&mut canvas);
    annotate::write(&mut canvas, picture);

    let encoder = Encoder::new();
    let pixels = canvas.pixels.iter().flat_map(|c| encoder.encode(*c)).collect();
    Image { width: picture.width, height: picture.height, pixels, skipped: stage.skipped }
}

/// A vertical gradient, lightest behind the scene, darkened by the floor's shadow.
fn background(width: usize, height: usize, theme: Theme, floor: Option<&Floor>, camera: &Camera) -> Canvas {
    let [top, bottom] = match theme {
        Theme::Light => [Color::hex(0xfb_fc_fd), Color::hex(0xdd_e4_eb)],
        Theme::Dark => [Color::hex(0x2b_33_3d), Color::hex(0x12_16_1b)],
    }
    .map(Color::linear);
    let shade = match theme {
        Theme::Light => Color::hex(0x35_40_4f),
        Theme::Dark => Color::hex(0x03_04_05),
    }
    .linear();
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let t = (y as f32 + 0.5) / height as f32;
        let row = top.lerp(bottom, t * t * (3.0 - 2.0 * t));
        for x in 0..width {
            let dark = floor.map_or(0.0, |f| f.at(camera, x as f32 + 0.5, y as f32 + 0.5));
            pixels.push(row.lerp(shade, dark));
        }
    }
    Canvas { width, height, pixels }
}

/// Shaded primitives of one pixel; most pixels see one to three.
struct Palette {
    entries: Vec<(Id, Vec2, f32, Option<Shaded>)>,
}

impl Palette {
    /// Notes that a sample of the pixel sees `id`.
    fn note(&mut self, id: Id, sample: usize) {
        let place = Vec2::new(ROOKS[sample][0] as f32, ROOKS[sample][1] as f32) / 256.0;
        match self.entries.iter_mut().find(|e| e.0 == id) {
            Some(entry) => {
                entry.1 += place;
                entry.2 += 1.0;
            }
            None => self.entries.push((id, place, 1.0, None)),
        }
    }

    /// Shades each noted primitive once, in the middle of the samples that see it.
    fn shade(&mut self, shader: &Shader<'_>, x: usize, y: usize) {
        for (id, sum, count, shaded) in &mut self.entries {
            let at = Vec2::new(x as f32, y as f32) + *sum / *count;
            *shaded = Some(shader.shade(*id, at, x, y));
        }
    }

    fn get(&self, id: Id) -> Shaded {
        let none = Shaded { color: Vec3::ZERO, alpha: 0.0, through: 0.0 };
        self.entries.iter().find(|e| e.0 == id).and_then(|e| e.3).unwrap_or(none)
    }
}

/// Where marked primitives are.
struct Marks {
    glow: Glow,
    locator: Locator,
}

impl Marks {
    /// Notes the marks of one pixel: those seen glow, those that only shine through are located too.
    fn note(&mut self, layers: &Layers, at: usize, shader: &Shader<'_>, (x, y): (usize, usize)) {
        for s in at..at + SAMPLES {
            let solid = layers.solid.id[s];
            if solid > 0 && shader.is_marked(solid) {
                let color = shader.flat_color(solid);
                self.glow.add(x, y, color);
                self.locator.add(x, y, color);
            } else if let Some(id) = layers.through.id.get(s).filter(|id| **id > 0 && shader.is_marked(**id))
            {
                self.locator.add(x, y, shader.flat_color(*id));
            }
        }
    }
}

/// Draws all primitives over the background and returns where the marked ones are.
fn draw(canvas: &mut Canvas, shader: &Shader<'_>) -> Marks {
    let (width, height) = (canvas.width, canvas.height);
    let marks_shine = shader.marks_shine > 0.0;
    let bins = Bins::new(shader.stage, shader.projection, height, ROWS);
    let mut layers = Layers::new(shader.stage, width, ROWS.min(height), marks_shine);
    let mut marks = Marks { glow: Glow::new(width, height), locator: Locator::new(width, height) };
    let mut palette = Palette { entries: Vec::new() };
    for (number, top) in (0..height).step_by(ROWS).enumerate() {
        let bottom = (top + ROWS).min(height);
        layers.draw(shader.stage, shader.projection, &bins, Band { number, top, bottom });
        for y in top..bottom {
            for x in 0..width {
                let at = layers.at(x, y - top);
                let pixel = &mut canvas.pixels[y * width + x];
                if let Some(color) = resolve(&layers, at, *pixel, &mut palette, shader, (x, y)) {
                    *pixel = color;
                    marks.note(&layers, at, shader, (x, y));
                }
            }
        }
    }
    marks
}

/// The colour of one pixel whose first sample is `at`, or `None` where only the background is seen.
fn resolve(
    layers: &Layers,
    at: usize,
    background: Vec3,
    palette: &mut Palette,
    shader: &Shader<'_>,
    (x, y): (usize, usize),
) -> Option<Vec3> {
    palette.entries.clear();
    let has_ghosts = !layers.ghosts.is_empty();
    let has_through = !layers.through.id.is_empty();
    for s in 0..SAMPLES {
        if layers.solid.id[at + s] > 0 {
            palette.note(layers.solid.id[at + s], s);
        }
        if has_ghosts {
            layers.ghosts[at + s].id.iter().filter(|id| **id > 0).for_each(|id| palette.note(*id, s));
        }
        if has_through
            && layers.through.id[at + s] > 0
            && layers.through.id[at + s] != layers.solid.id[at + s]
        {
            palette.note(layers.through.id[at + s], s);
        }
    }
    if palette.entries.is_empty() {
        return None;
    }
    palette.shade(shader, x, y);
    let mut sum = Vec3::ZERO;
    for s in at..at + SAMPLES {
        let solid = layers.solid.id[s];
        let mut color = if solid > 0 { palette.get(solid).color } else { background };
        if has_ghosts {
            for k in (0..GHOSTS).rev() {
                let id = layers.ghosts[s].id[k];
                if id > 0 {
                    let ghost = palette.get(id);
                    color = color.lerp(ghost.color, ghost.alpha);
                }
            }
        }
        if has_through {
            let id = layers.through.id[s];
            if id > 0 && id != solid {
                let shaded = palette.get(id);
                color = color.lerp(shaded.color, shaded.through * hatch(shaded.through, x, y));
            }
        }
        sum += color;
    }
    Some(sum / SAMPLES as f32)
}

/// Hidden things are hatched like in a drawing, the more the fainter they are; on-top things not at all.
fn hatch(strength: f32, x: usize, y: usize) -> f32 {
    let bright = (x + y) % 8 < 4;
    if bright { 1.0 + 0.5 * (1.0 - strength) } else { strength + 0.45 * (1.0 - strength) }
}
