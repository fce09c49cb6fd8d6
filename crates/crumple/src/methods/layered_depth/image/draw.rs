//! Layers and spans as points and lines.

use super::layers::Layers;
use super::spans::Spans;
use crate::{Drawing, Tone};

impl Layers {
    /// Shows the volume of interest as a box, entries and exits within it as points of two levels, and what lies
    /// inside as lines.
    pub fn draw(&self, into: &mut Drawing) {
        let lattice = self.lattice();
        let [low, high] = [[0.0; 3], lattice.size.map(f64::from)].map(|p| lattice.world(p));
        into.boxes.push((low, high, Tone::Visited));
        into.lines.extend(self.spans().segments().map(|[from, to]| (from, to, Tone::Visited)));
        for column in 0..lattice.columns() {
            let [x, y] = lattice.centre(self.pixel(column)).map(f64::from);
            for layer in self.column(column).iter().filter(|l| (0..=lattice.size[2]).contains(&l.depth)) {
                let at = lattice.world([x, y, f64::from(layer.depth)]);
                into.points.push((at, Tone::Level(u8::from(!layer.is_entry()))));
            }
        }
    }
}

impl Spans {
    /// Shows each span as a line.
    pub fn draw(&self, into: &mut Drawing) {
        into.lines.extend(self.segments().map(|[from, to]| (from, to, Tone::Hit)));
    }
}
