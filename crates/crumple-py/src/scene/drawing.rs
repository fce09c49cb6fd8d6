//! What a method looks at, as arrays.

use crumple::Tone;
use pyo3::prelude::*;

use super::Scene;
use crate::arrays::{Table, table};

/// The structure that answers `contacts`, and what its last search looked at: for a viewer of one's own.
///
/// Each list has tones, (n, 2) uint32: 0 and the level in a hierarchy, 1 and the number of a group, 2 looked at without a result,
/// 3 part of the answer.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Drawing {
    /// Boxes, (n, 6) float64: smallest and largest corner.
    boxes: Table<f64>,
    /// Their tones.
    box_tones: Table<u32>,
    /// Points, (n, 3) float64.
    points: Table<f64>,
    /// Their tones.
    point_tones: Table<u32>,
    /// Segments, (n, 6) float64: both ends.
    lines: Table<f64>,
    /// Their tones.
    line_tones: Table<u32>,
    /// Triangles, (n, 2) uint32: body, triangle.
    triangles: Table<u32>,
    /// Their tones.
    triangle_tones: Table<u32>,
}

#[pymethods]
impl Drawing {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [boxes, points, lines] = [&self.boxes, &self.points, &self.lines].map(|t| t.bind(py).len());
        let triangles = self.triangles.bind(py).len()?;
        Ok(format!("Drawing({} boxes, {} points, {} lines, {triangles} triangles)", boxes?, points?, lines?))
    }
}

fn tone(of: Tone) -> [u32; 2] {
    match of {
        Tone::Level(level) => [0, level.into()],
        Tone::Group(group) => [1, group],
        Tone::Visited => [2, 0],
        Tone::Hit => [3, 0],
    }
}

fn both([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> [f64; 6] {
    [a, b, c, d, e, f]
}

#[pymethods]
impl Scene {
    /// Shows the structure that answers `contacts`, and what its last search looked at; `picture(structure=True)` draws it.
    fn draw(&self, py: Python<'_>) -> PyResult<Drawing> {
        let (found, triangles) = self.ask(py, "", |scene| {
            let found = scene.draw()?;
            let bodies = scene.bodies();
            let triangles = found.triangles.iter().map(|&(t, _)| bodies.locate_triangle(t));
            let triangles: Vec<[u32; 2]> = triangles.map(|(body, t)| [body.0, t.0]).collect();
            Ok::<_, crumple::Error>((found, triangles))
        })?;
        Ok(Drawing {
            boxes: table(py, &found.boxes, |b| both(b.0, b.1)),
            box_tones: table(py, &found.boxes, |b| tone(b.2)),
            points: table(py, &found.points, |p| p.0),
            point_tones: table(py, &found.points, |p| tone(p.1)),
            lines: table(py, &found.lines, |l| both(l.0, l.1)),
            line_tones: table(py, &found.lines, |l| tone(l.2)),
            triangles: table(py, &triangles, |t| *t),
            triangle_tones: table(py, &found.triangles, |t| tone(t.1)),
        })
    }
}
