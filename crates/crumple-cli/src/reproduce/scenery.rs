//! Pictures of stages and structures.

use crumple::{Drawing, Tone};
use crumple_io::picture::{Boxes, Color, Lines, Picture, Points, Surface, View, palette};

use super::lab::{Pose, Stage};
use crate::views::corners;

/// Width and height of a picture that has the page's width.
pub const WIDE: (u32, u32) = (960, 560);
/// The same for two side by side: hardly larger than it is shown, so that legends can be read.
pub const HALF: (u32, u32) = (560, 450);

/// An empty picture of scenes that stand along z.
pub fn canvas<'a>((width, height): (u32, u32)) -> Picture<'a> {
    Picture::new(width, height).view(View::auto().up([0.0, 0.0, 1.0]))
}

/// One body's surface in its colour.
pub fn surface<'a>(stage: &'a Stage, pose: &'a Pose, body: usize) -> Surface<'a> {
    Surface::new(&pose.0[body], corners(&stage.mesh.meshes()[body])).color(palette::body(body))
}

/// All bodies in their colours.
pub fn bodies<'a>(picture: Picture<'a>, stage: &'a Stage, pose: &'a Pose, opacity: f32) -> Picture<'a> {
    (0..stage.mesh.meshes().len())
        .fold(picture, |picture, b| picture.surface(surface(stage, pose, b).opacity(opacity)))
}

/// A structure's drawing, sorted by kind as the renderer takes it.
pub struct Drawn {
    boxes: Vec<[[f64; 3]; 2]>,
    box_colors: Vec<Color>,
    points: Vec<[f64; 3]>,
    point_colors: Vec<Color>,
    lines: Vec<[[f64; 3]; 2]>,
    line_colors: Vec<Color>,
}

impl Drawn {
    /// What is in the drawing, in colours of choice; `None` leaves a thing out.
    pub fn new(drawing: &Drawing, color: impl Fn(Tone) -> Option<Color>) -> Self {
        let mut drawn = Self {
            boxes: Vec::new(),
            box_colors: Vec::new(),
            points: Vec::new(),
            point_colors: Vec::new(),
            lines: Vec::new(),
            line_colors: Vec::new(),
        };
        for (low, high, tone) in &drawing.boxes {
            if let Some(c) = color(*tone) {
                drawn.boxes.push([*low, *high]);
                drawn.box_colors.push(c);
            }
        }
        for (p, tone) in &drawing.points {
            if let Some(c) = color(*tone) {
                drawn.points.push(*p);
                drawn.point_colors.push(c);
            }
        }
        for (from, to, tone) in &drawing.lines {
            if let Some(c) = color(*tone) {
                drawn.lines.push([*from, *to]);
                drawn.line_colors.push(c);
            }
        }
        drawn
    }

    /// Puts it into a picture.
    pub fn onto<'a>(&'a self, picture: Picture<'a>) -> Picture<'a> {
        picture
            .boxes(Boxes::new(&self.boxes).colors(&self.box_colors))
            .points(Points::new(&self.points).colors(&self.point_colors))
            .lines(Lines::new(&self.lines).colors(&self.line_colors))
    }
}
