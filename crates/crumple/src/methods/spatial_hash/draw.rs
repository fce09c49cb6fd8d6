//! The structure as boxes and points.

use std::collections::BTreeSet;

use super::cell::Cell;
use super::found::unpack;
use super::{MeshView, SpatialHash};
use crate::{Drawing, Tone};

impl SpatialHash {
    /// Occupied cells, level by level, and the vertices that the last search found.
    pub(super) fn draw_cells(&self, view: &MeshView<'_>, into: &mut Drawing) {
        if self.by_rows {
            let (origin, unit) = (self.sizing.lattice.origin(), self.sizing.lattice.unit());
            for (level, size) in self.sizing.levels.iter().enumerate() {
                let used = |v: usize| self.used.as_ref().is_none_or(|u| u[v]);
                let points = self.snapped.iter().enumerate().filter(|(v, _)| used(*v));
                let cells: BTreeSet<[i32; 3]> =
                    points.map(|(_, p)| [0, 1, 2].map(|k| p[k] >> size.bits)).collect();
                let edge = unit * f64::from(1u32 << size.bits);
                let corner = |c: [i32; 3], more: f64| -> [f64; 3] {
                    std::array::from_fn(|k| origin[k] + edge * (f64::from(c[k]) + more))
                };
                let boxes =
                    cells.into_iter().map(|c| (corner(c, 0.0), corner(c, 1.0), Tone::Level(level as u8)));
                into.boxes.extend(boxes);
            }
        } else {
            let (edge, _) = self.cells.sizes();
            let cells: BTreeSet<Cell> = self.cells.items().iter().map(|i| i.0).collect();
            let corner = |c: Cell, more: f64| c.0.map(|i| edge * (f64::from(i) + more));
            into.boxes.extend(cells.into_iter().map(|c| (corner(c, 0.0), corner(c, 1.0), Tone::Level(0))));
        }
        let mut vertices: Vec<_> = self.keys.iter().map(|&k| unpack(k).0).collect();
        vertices.dedup();
        into.points.extend(vertices.into_iter().filter(|v| v.index() < view.bodies.vertex_count()).map(
            |v| {
                let (body, _) = view.bodies.locate_vertex(v);
                (view.positions(body.index(), [v.0])[0], Tone::Hit)
            },
        ));
    }
}
