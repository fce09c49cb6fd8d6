//! Columns after an edit where nothing moved: those that the change touches are drawn again, the others are as they were.
//!
//! A column shows the triangles whose boxes meet it. What is gone was in the columns of its cells, what came is in those of its
//! new ones; triangles that only have another number count as both. So the other columns show what they would if all were drawn. Which
//! triangles are in the columns that are due is found by a pass over all cells, one word for each triangle.
//!
//! All is drawn where the grid is another one, and where triangles run in different senses, since one may turn others round.

use super::grid::{self, ACROSS, CellSpan, GridPoint, PointGrid};
use super::{DrawnBody, InsideScratch, Solid, side_of, snap_all};
use crate::methods::layered_depth::LayeredDepth;
use crate::{Mesh, parallel};

/// One triangle in so many may be another before all are drawn.
const MANY: usize = 8;

impl Solid<'_> {
    /// Draws the columns that are others since the body was drawn, where nothing moved. Says whether that could be done; if not,
    /// all must be drawn.
    pub(super) fn redraw(&mut self, before: &DrawnBody, now: &Mesh) -> bool {
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let triangles = surfaces[self.surface].triangles();
        let workers = parallel::threads() as i32;
        let Some(grid) = PointGrid::new(&self.bounds, side_of(triangles.len()), workers) else {
            return false;
        };
        let Some(changed) = now.changed_since(&before.mesh) else { return false };
        let changed = changed.triangles;
        let is_few = MANY * changed.len() <= triangles.len();
        if grid != before.grid || !is_few || !(now.is_oriented() && before.mesh.is_oriented()) {
            return false;
        }
        let InsideScratch { grid_points, cells, bands, columns, .. } = scratch;
        let known = grid_points.len().min(self.positions.len());
        grid_points.resize(self.positions.len(), GridPoint::default());
        snap_all(&grid, self.positions, known, &mut grid_points[known..]);
        let there = |count: usize| changed.iter().map(|&t| t as usize).filter(move |&t| t < count);
        let gone: Vec<CellSpan> = there(cells.len()).map(|t| cells[t]).collect();
        let come = there(triangles.len()).map(|t| {
            let mut cells = [CellSpan::default()];
            grid::cell_spans(grid_points, &triangles[t..=t], &mut cells);
            (t, cells[0])
        });
        let come: Vec<(usize, CellSpan)> = come.collect();
        let mut due = vec![false; ACROSS * ACROSS];
        let small = gone.iter().chain(come.iter().map(|(_, cells)| cells)).filter(|cells| !cells.is_large());
        small.flat_map(|cells| cells.columns()).for_each(|column| due[column] = true);
        // Of more than 2 × 2 columns: what is gone is listed, what came is drawn to see.
        if gone.iter().any(|cells| cells.is_large()) {
            let all = bands.iter().flat_map(|band| &band.large);
            all.filter(|touch| changed.binary_search(&touch.triangle).is_ok())
                .for_each(|touch| due[usize::from(touch.column)] = true);
        }
        let large = come.iter().filter(|(_, cells)| cells.is_large());
        let large: Vec<u32> = large.map(|(t, _)| *t as u32).collect();
        for (band, t) in bands.iter().flat_map(|band| large.iter().map(move |t| (band, *t))) {
            band.mark_large(t, grid_points, triangles, &mut due);
        }
        cells.resize(triangles.len(), CellSpan::default());
        come.into_iter().for_each(|(t, new)| cells[t] = new);
        // Whether a triangle that begins in a column may reach one that is due.
        let near: Vec<bool> = (0..due.len())
            .map(|c| [0, 1, ACROSS, ACROSS + 1].into_iter().any(|by| due.get(c + by) == Some(&true)))
            .collect();
        let all = (0..).zip(&*cells).filter(|(_, cells)| near[cells.column()] && !cells.is_large());
        let some: Vec<u32> = all.map(|(t, _)| t).collect();
        for (band, columns) in bands.iter_mut().zip(columns.chunks_mut(grid.rows as usize * ACROSS)) {
            band.redraw(&due, [&some, &large], cells, (&grid_points[..], triangles), columns);
        }
        self.grid = Some(grid);
        true
    }
}
