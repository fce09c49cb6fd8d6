//! Pictures of bodies, collisions and structures, drawn without a GPU or a window.
//!
//! A [`Picture`] collects what is to be seen: [`Surface`]s (solid or ghosted, with colliding triangles
//! highlighted), [`Points`], [`Lines`] and [`Boxes`]. [`Picture::render`] frames it, looks for a side from
//! which the highlighted places can be seen, and returns an [`Image`] that writes itself as PNG.
//!
//! ```
//! use crumple_io::picture::{Picture, Surface};
//!
//! let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
//! let image = Picture::new(320, 240)
//!     .surface(Surface::new(&positions, &triangles).highlight(&[2]))
//!     .caption("one tetrahedron, one face marked")
//!     .render();
//! assert!(image.to_png().starts_with(b"\x89PNG"));
//! ```
//!
//! # How it is drawn
//! 1. *Stage* (`stage.rs`): everything is moved to the scene's centre in `f64`, scaled to unit size, turned into
//!    the camera's frame and only then rounded to `f32`; a scene at 1e12 looks like one at 0.
//! 2. *Depth* (`raster.rs`): one sample per pixel for ambient occlusion, one map along the key light for shadows,
//!    one along *up* for the soft shadow on the floor.
//! 3. *Coverage*: bands of rows with eight samples per pixel hold the nearest primitive, the four nearest
//!    ghosted layers before it and the nearest primitive that shines through.
//! 4. *Shading* (`shade.rs`): once per primitive and pixel, in linear light; key, fill and rim light, hemisphere
//!    ambient, mesh edges from barycentric distance, faded out where triangles get small.
//! 5. *Finish*: a thin outline and a soft glow around highlighted triangles, a ring around small lonely ones, then
//!    legend and caption.
//!
//! # Invariants
//! P1. The same input gives the same bytes: one thread, no clock, no random numbers.
//! P2. Elements with a non-finite vertex or an index out of range are left out and counted ([`Image::skipped`]);
//!     vertices that no element uses do not move the camera.
//! P3. A highlighted triangle covers at least a dot of a few pixels, however small or thin it is.
//! P4. Neighbouring triangles leave no pinhole: corners are snapped to 1/256 pixel and edge functions are exact.
//!
//! # Cost
//! O(elements + pixels). At 1200x900 the pixels take half a second of one thread; 300,000 triangles add a third of a
//! second, the PNG a tenth (on a busy 2-core machine; `examples/pictures` prints its times). Memory: about 60 bytes per
//! pixel and 150 bytes per triangle.
//!
//! # Colours
//! Bodies are muted ([`palette::body`]); highlights are vermilion and amber ([`palette::HIGHLIGHT`]), which
//! differ from all body colours in lightness and along blue–yellow, so that they are told apart without
//! red–green vision too. Values use [`ColorMap`]s of even lightness.

mod annotate;
mod bounds;
mod camera;
mod color;
mod finish;
mod floor;
mod font;
mod image;
mod items;
mod layers;
mod legend;
mod locate;
mod occlusion;
mod projection;
mod raster;
mod render;
mod shade;
mod shadow;
mod stage;
mod view;

#[cfg(test)]
mod tests;

pub use color::{Color, ColorMap, palette};
pub use image::{Image, Skipped};
pub use items::{Boxes, Edges, Lines, Points, Shading, Surface};
pub use legend::Legend;
pub use view::View;

/// A scene to be drawn: what is in it, from where it is seen, what is written beside it.
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    width: u32,
    height: u32,
    surfaces: Vec<Surface<'a>>,
    points: Vec<Points<'a>>,
    lines: Vec<Lines<'a>>,
    boxes: Vec<Boxes<'a>>,
    view: View,
    theme: Theme,
    floor: bool,
    see_through: f32,
    title: String,
    caption: String,
    legends: Vec<Legend>,
}

/// The colours around the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Near-white background, dark text.
    #[default]
    Light,
    /// Slate background, light text.
    Dark,
}

impl<'a> Picture<'a> {
    /// The largest width or height; larger requests are cut down to it.
    pub const MAX_SIDE: u32 = 4096;

    /// An empty picture of the given size in pixels (at least 1 x 1).
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width: width.clamp(1, Self::MAX_SIDE),
            height: height.clamp(1, Self::MAX_SIDE),
            surfaces: Vec::new(),
            points: Vec::new(),
            lines: Vec::new(),
            boxes: Vec::new(),
            view: View::default(),
            theme: Theme::default(),
            floor: true,
            see_through: 0.3,
            title: String::new(),
            caption: String::new(),
            legends: Vec::new(),
        }
    }

    /// Adds a triangle mesh.
    pub fn surface(mut self, surface: Surface<'a>) -> Self {
        self.surfaces.push(surface);
        self
    }

    /// Adds points, drawn as small balls.
    pub fn points(mut self, points: Points<'a>) -> Self {
        self.points.push(points);
        self
    }

    /// Adds line segments.
    pub fn lines(mut self, lines: Lines<'a>) -> Self {
        self.lines.push(lines);
        self
    }

    /// Adds axis-aligned boxes.
    pub fn boxes(mut self, boxes: Boxes<'a>) -> Self {
        self.boxes.push(boxes);
        self
    }

    /// From where to look; automatic unless told.
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Light (the default) or dark surroundings.
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Whether solid bodies cast a soft shadow on a floor below them (default: yes).
    pub fn floor(mut self, floor: bool) -> Self {
        self.floor = floor;
        self
    }

    /// How strongly highlighted triangles show through what hides them: 0 not at all, 1 fully (default 0.3).
    pub fn see_through(mut self, strength: f32) -> Self {
        self.see_through = if strength.is_finite() { strength.clamp(0.0, 1.0) } else { 0.0 };
        self
    }

    /// A heading at the top left.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// A line of small text at the bottom left.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Adds a legend: a colour bar or a list of colours with their meaning.
    pub fn legend(mut self, legend: Legend) -> Self {
        self.legends.push(legend);
        self
    }

    /// Draws everything.
    pub fn render(&self) -> Image {
        render::render(self)
    }
}
