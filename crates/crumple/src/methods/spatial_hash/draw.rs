//! The structure as boxes and points.

use std::collections::BTreeSet;

use super::workers::unpack;
use super::{Snapshot, SpatialHash};
use crate::{Drawing, Tone};

impl SpatialHash {
    /// Occupied cells, level by level, and the vertices that the last search found.
    pub(super) fn draw_cells(&self, view: &Snapshot<'_>, into: &mut Drawing) {
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
            let boxes = cells.into_iter().map(|c| (corner(c, 0.0), corner(c, 1.0), Tone::Level(level as u8)));
            into.boxes.extend(boxes);
        }
        draw_hits(view, &self.found.all, into);
    }
}

/// The vertices of pairs that a search found.
pub(super) fn draw_hits(view: &Snapshot<'_>, keys: &[u64], into: &mut Drawing) {
    let mut vertices: Vec<_> = keys.iter().map(|&k| unpack(k).0).collect();
    vertices.dedup();
    vertices.retain(|v| v.index() < view.bodies.vertex_count());
    into.points.extend(vertices.into_iter().map(|v| {
        let (body, _) = view.bodies.locate_vertex(v);
        (view.positions(body.index(), [v.0])[0], Tone::Hit)
    }));
}
