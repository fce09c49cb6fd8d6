//! What a structure looks like: boxes, points, lines and painted triangles, for every viewer.

use crate::TriangleId;

/// What a drawn thing means; a viewer chooses the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Tone {
    /// Part of the structure, at this level of a hierarchy.
    Level(u8),
    /// One of many groups to be told apart, for instance regions.
    Group(u32),
    /// Looked at in the last query, without a result.
    Visited,
    /// Part of the answer.
    Hit,
}

/// A picture in world coordinates.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Drawing {
    /// Axis-aligned boxes: smallest and largest corner.
    pub boxes: Vec<([f64; 3], [f64; 3], Tone)>,
    /// Points.
    pub points: Vec<([f64; 3], Tone)>,
    /// Segments.
    pub lines: Vec<([f64; 3], [f64; 3], Tone)>,
    /// Triangles of the mesh.
    pub triangles: Vec<(TriangleId, Tone)>,
}

impl Drawing {
    /// Takes in what another one shows.
    pub(crate) fn append(&mut self, other: Self) {
        self.boxes.extend(other.boxes);
        self.points.extend(other.points);
        self.lines.extend(other.lines);
        self.triangles.extend(other.triangles);
    }
}
