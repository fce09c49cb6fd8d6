//! What can be put into a picture. All positions are borrowed; sizes on screen are in pixels.

use super::{Color, ColorMap, palette};

/// How a surface takes the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// Normals averaged at vertices, except across sharp edges.
    #[default]
    Smooth,
    /// One normal per triangle.
    Flat,
}

/// Whether a surface's triangle edges are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edges {
    /// Where triangles are large enough on screen, faded out where they are not.
    #[default]
    Auto,
    /// Never.
    Hidden,
}

/// A triangle mesh.
#[derive(Debug, Clone)]
pub struct Surface<'a> {
    pub(super) positions: &'a [[f64; 3]],
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) color: Color,
    pub(super) triangle_colors: &'a [Color],
    pub(super) vertex_colors: &'a [Color],
    pub(super) classes: &'a [u32],
    pub(super) highlights: Vec<(&'a [u32], Color)>,
    pub(super) shading: Shading,
    pub(super) edges: Edges,
    pub(super) opacity: f32,
}

impl<'a> Surface<'a> {
    /// A solid, smooth surface in the first body colour.
    pub fn new(positions: &'a [[f64; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Self {
            positions,
            triangles,
            color: palette::body(0),
            triangle_colors: &[],
            vertex_colors: &[],
            classes: &[],
            highlights: Vec::new(),
            shading: Shading::Smooth,
            edges: Edges::Auto,
            opacity: 1.0,
        }
    }

    /// One colour for all of it.
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// One colour per triangle, in the order of the triangles; missing ones take the surface's colour.
    pub fn triangle_colors(mut self, colors: &'a [Color]) -> Self {
        self.triangle_colors = colors;
        self
    }

    /// One class per triangle (its region, its body part): each takes [`palette::class`], with a thin border where
    /// classes meet. `u32::MAX` and missing ones take the surface's colour.
    pub fn classes(mut self, classes: &'a [u32]) -> Self {
        self.classes = classes;
        self
    }

    /// One colour per vertex, blended across triangles; missing ones take the surface's colour.
    pub fn vertex_colors(mut self, colors: &'a [Color]) -> Self {
        self.vertex_colors = colors;
        self
    }

    /// Marks triangles (by index) as colliding. They stay solid when the surface is ghosted.
    pub fn highlight(self, triangles: &'a [u32]) -> Self {
        self.highlight_in(palette::HIGHLIGHT, triangles)
    }

    /// Marks triangles in a colour of choice; later marks win.
    pub fn highlight_in(mut self, color: Color, triangles: &'a [u32]) -> Self {
        self.highlights.push((triangles, color));
        self
    }

    /// Smooth (the default) or flat.
    pub fn shading(mut self, shading: Shading) -> Self {
        self.shading = shading;
        self
    }

    /// Whether triangle edges are drawn.
    pub fn edges(mut self, edges: Edges) -> Self {
        self.edges = edges;
        self
    }

    /// Below 1 the surface is ghosted: glass-like, denser where seen at a grazing angle, casting no shadow.
    pub fn opacity(mut self, opacity: f32) -> Self {
        self.opacity = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 1.0 };
        self
    }
}

impl Surface<'_> {
    /// The colour of triangle `t` before highlights.
    pub(super) fn color_of(&self, t: usize) -> Color {
        match self.classes.get(t) {
            Some(class) if *class != u32::MAX => palette::class(*class as usize),
            _ => self.triangle_colors.get(t).copied().unwrap_or(self.color),
        }
    }
}

/// The colours of a list of things: one for all, or one each.
#[derive(Debug, Clone)]
pub(super) enum Paint<'a> {
    Same(Color),
    Each(&'a [Color]),
    Values { values: &'a [f64], map: ColorMap, low: f64, high: f64 },
}

impl Paint<'_> {
    /// The colour of thing `k`; those beyond the end of a list are grey.
    pub(super) fn of(&self, k: usize) -> Color {
        match self {
            Self::Same(color) => *color,
            Self::Each(colors) => colors.get(k).copied().unwrap_or(palette::STRUCTURE),
            Self::Values { values, map, low, high } => {
                values.get(k).map_or(palette::STRUCTURE, |v| map.of(*v, *low, *high))
            }
        }
    }
}

/// The builder methods that points, lines and boxes share.
macro_rules! painted {
    ($item:ident, $thing:literal, $size:ident, $size_doc:literal) => {
        impl<'a> $item<'a> {
            #[doc = concat!("One colour for every ", $thing, ".")]
            pub fn color(mut self, color: Color) -> Self {
                self.paint = Paint::Same(color);
                self
            }

            #[doc = concat!("One colour for each ", $thing, ".")]
            pub fn colors(mut self, colors: &'a [Color]) -> Self {
                self.paint = Paint::Each(colors);
                self
            }

            #[doc = concat!("One value for each ", $thing, ", shown by `map` over `low..=high`.")]
            pub fn values(mut self, values: &'a [f64], map: ColorMap, low: f64, high: f64) -> Self {
                self.paint = Paint::Values { values, map, low, high };
                self
            }

            #[doc = $size_doc]
            pub fn $size(mut self, pixels: f32) -> Self {
                self.$size = if pixels.is_finite() { pixels.clamp(0.5, 400.0) } else { 1.0 };
                self
            }

            /// How strongly the hidden parts show through what hides them (default 0, not at all).
            pub fn see_through(mut self, strength: f32) -> Self {
                self.see_through = if strength.is_finite() { strength.clamp(0.0, 1.0) } else { 0.0 };
                self
            }

            /// Drawn over everything else.
            pub fn on_top(self) -> Self {
                self.see_through(1.0)
            }
        }
    };
}

/// Points, drawn as small shaded balls of constant size on screen.
#[derive(Debug, Clone)]
pub struct Points<'a> {
    pub(super) positions: &'a [[f64; 3]],
    pub(super) paint: Paint<'a>,
    pub(super) size: f32,
    pub(super) see_through: f32,
}

impl<'a> Points<'a> {
    /// Balls of 7 pixels in the highlight colour.
    pub fn new(positions: &'a [[f64; 3]]) -> Self {
        Self { positions, paint: Paint::Same(palette::HIGHLIGHT), size: 7.0, see_through: 0.0 }
    }
}

painted!(Points, "point", size, "The diameter in pixels.");

/// Line segments of constant width on screen.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    pub(super) segments: &'a [[[f64; 3]; 2]],
    pub(super) paint: Paint<'a>,
    pub(super) width: f32,
    pub(super) see_through: f32,
}

impl<'a> Lines<'a> {
    /// Lines of 1.5 pixels in the colour of structures.
    pub fn new(segments: &'a [[[f64; 3]; 2]]) -> Self {
        Self { segments, paint: Paint::Same(palette::STRUCTURE), width: 1.5, see_through: 0.0 }
    }
}

painted!(Lines, "line", width, "The width in pixels.");

/// Axis-aligned boxes, drawn as wires and, on request, with faintly tinted faces.
#[derive(Debug, Clone)]
pub struct Boxes<'a> {
    pub(super) boxes: &'a [[[f64; 3]; 2]],
    pub(super) paint: Paint<'a>,
    pub(super) width: f32,
    pub(super) fill: f32,
    pub(super) see_through: f32,
}

impl<'a> Boxes<'a> {
    /// Boxes given by their lower and upper corners; wires of 1.2 pixels, no faces.
    pub fn new(boxes: &'a [[[f64; 3]; 2]]) -> Self {
        Self { boxes, paint: Paint::Same(palette::STRUCTURE), width: 1.2, fill: 0.0, see_through: 0.0 }
    }

    /// Tints the faces: 0 leaves them open, 0.1 is a faint tint.
    pub fn fill(mut self, opacity: f32) -> Self {
        self.fill = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 0.0 };
        self
    }
}

painted!(Boxes, "box", width, "The width of the wires in pixels.");
