//! Which points are inside a body: a look-up for most of them, exact signs for the few near the surface (H16, H-A13).
//!
//! The body's box is cut into columns and slices. A slice that the surface does not touch lies wholly inside or wholly
//! outside, as the winding number of the column's centre ray says; a point there needs two bits. A point in a touched
//! run of slices counts the triangles of that run above it by exact signs, from the winding number above the run.
//!
//! Snapping does not weaken this. Rounding is monotone, so a triangle that holds a point, or lies straight above one,
//! has snapped bounds that hold the point's snapped coordinates: it is found in the point's column. And while the
//! vertices move to their lattice points no triangle leaves the slices it touches, so the winding number of an
//! untouched slice is that of the surface as it was given.
//!
//! Surfaces with holes have no inside that signs could tell; `solid_angle` rounds the share of directions that they cover.

mod columns;
mod grid;
mod near_surface;
mod redraw;
mod solid_angle;

use std::ops::Range;

use self::columns::{Column, Columns};
use self::grid::{ACROSS, CellSpan, GridPoint, PointGrid};
use self::near_surface::{NearPoint, NearPoints, PointQuery};
use self::solid_angle::SolidAngles;
use super::{LayeredDepth, Volumes};
use crate::frame::MAX_COORDINATE;
use crate::geometry::simd::{Kernel, Simd, multiversion};
use crate::geometry::{Aabb, Point, simd};
use crate::{BodyId, Error, Mesh, Positions, VertexId, parallel};

/// Points that are looked up at a time.
const BATCH: usize = 256;

/// Memory of the inside test.
#[derive(Debug, Default)]
pub(crate) struct InsideScratch {
    grid_points: Vec<GridPoint>,
    cells: Vec<CellSpan>,
    bands: Vec<Columns>,
    columns: Vec<Column>,
    /// Points that need exact signs, one list per worker.
    found: Vec<Vec<NearPoint>>,
    near: NearPoints,
    /// What `columns` show.
    drawn: Option<DrawnBody>,
}

/// The body that was drawn last (H19).
#[derive(Debug)]
struct DrawnBody {
    id: BodyId,
    mesh: Mesh,
    /// Where it was when it was drawn, and how far it has gone since as a whole.
    positions: Vec<Point>,
    shift: Point,
    grid: PointGrid,
}

impl DrawnBody {
    /// Whether it is an earlier version of the body, drawn where that is.
    fn precedes(&self, id: BodyId, mesh: &Mesh) -> bool {
        self.id == id && self.shift == [0.0; 3] && mesh.changed_since(&self.mesh).is_some()
    }

    /// How far the body has gone since it was drawn, if it went as a whole and without rounding. One that is handed over again
    /// where it was is drawn again; one that nobody moved is not.
    fn shift_to(&self, now: Positions<'_>, id: BodyId, mesh: &Mesh, is_still: bool) -> Option<Point> {
        if self.id != id || !self.mesh.is_same(mesh) || self.grid.workers() != parallel::threads() {
            return None;
        }
        if is_still {
            return Some(self.shift);
        }
        let shift = sub(&now.get(0), self.positions.first()?);
        let is_exact =
            |x: f64, from: f64, step: f64| x - from == step && from + step == x && x - step == from;
        let has_gone = |(n, from): (usize, &Point)| {
            let to = now.get(n);
            (0..3).all(|k| is_exact(to[k], from[k], shift[k]))
        };
        (shift != [0.0; 3] && self.positions.iter().enumerate().all(has_gone)).then_some(shift)
    }
}

fn sub(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|k| p[k] - q[k])
}

/// A body at one frame, ready to be asked about points. Made by [`Volumes::solid`].
#[derive(Debug)]
pub struct Solid<'a> {
    method: &'a mut LayeredDepth,
    surface: usize,
    positions: Positions<'a>,
    bounds: Aabb,
    /// `None` where every triangle is asked: the surface is open, or no lattice resolves it.
    grid: Option<PointGrid>,
    /// How far the body has gone since it was drawn.
    shift: Point,
}

impl Volumes<'_> {
    /// For each point: is the winding number of the body's surface round it not zero, or is it on the surface?
    /// Exact for every finite input. A surface with holes is refused unless the parameters accept it; then a point is inside
    /// where the winding number, the share of all directions that the surface covers, rounds to something else than zero.
    pub fn inside<'p>(&mut self, body: BodyId, points: impl Into<Positions<'p>>) -> Result<Vec<bool>, Error> {
        let mut out = Vec::new();
        self.solid(body)?.inside(points, &mut out)?;
        Ok(out)
    }

    /// Prepares a body for any number of questions about points while it stays as it is in this frame (H19). The body that was
    /// drawn last is not drawn again while nobody moves it, or after it moved as a whole.
    #[doc(hidden)]
    pub fn solid(&mut self, body: BodyId) -> Result<Solid<'_>, Error> {
        let place = self.admit(body)?;
        let (surface, positions, bounds) = self.surface(place, body);
        let is_sorted = !bounds.is_empty() && surface.is_balanced();
        let mesh = self.bodies.mesh(body);
        let method = &mut *self.method;
        let mut solid = Solid { method, surface: place, positions, bounds, grid: None, shift: [0.0; 3] };
        if !is_sorted {
            return Ok(solid);
        }
        let drawn = solid.method.inside.drawn.as_mut();
        let shift = |drawn: &DrawnBody| drawn.shift_to(positions, body, mesh, self.is_still);
        if let Some((drawn, shift)) = drawn.and_then(|drawn| shift(drawn).map(|shift| (drawn, shift))) {
            drawn.shift = shift;
            (solid.grid, solid.shift) = (Some(drawn.grid.clone()), shift);
            return Ok(solid);
        }
        let drawn = solid.method.inside.drawn.take();
        // After an edit where nothing moved the vertices are where they were, and new ones are behind them.
        let rests = drawn.as_ref().filter(|drawn| self.is_still && drawn.precedes(body, mesh));
        if !rests.is_some_and(|drawn| solid.redraw(drawn, mesh)) {
            solid.build(rests.map(|drawn| &drawn.grid));
        }
        let is_at_rest = rests.is_some();
        let mut kept = drawn.map_or_else(Vec::new, |drawn| drawn.positions);
        if is_at_rest {
            kept.extend((kept.len()..positions.len()).map(|v| positions.get(v)));
        } else {
            kept.clear();
            positions.append_to(&mut kept);
        }
        let shift = [0.0; 3];
        let drawn = |grid: &PointGrid| DrawnBody {
            id: body,
            mesh: mesh.clone(),
            positions: kept,
            shift,
            grid: grid.clone(),
        };
        solid.method.inside.drawn = solid.grid.as_ref().map(drawn);
        Ok(solid)
    }
}

/// Columns along a side. More of them leave fewer points near the surface, but make triangles wider than two columns,
/// which cost ten times as much to draw. 100,000 points take 3.4 ms with 96 and 4.0 with 80 on a knot of 12,000
/// triangles, 4.4 and 3.9 on a blob of 50,000, 12.6 and 15.3 on one of 520,000.
fn side_of(triangles: usize) -> i32 {
    match triangles {
        0..2_000 => 32,
        2_000..8_000 => 64,
        30_000..80_000 => 80,
        _ => 96,
    }
}

impl Solid<'_> {
    /// Draws the surface into columns. The vertices that were `known` are where they were when that grid was made.
    fn build(&mut self, known: Option<&PointGrid>) {
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let triangles = surfaces[self.surface].triangles();
        let workers = parallel::threads();
        let Some(grid) = PointGrid::new(&self.bounds, side_of(triangles.len()), workers as i32) else {
            return;
        };
        let InsideScratch { grid_points, cells, bands, columns, .. } = scratch;
        let positions = self.positions;
        let snapped = if known == Some(&grid) { grid_points.len().min(positions.len()) } else { 0 };
        grid_points.resize(positions.len(), GridPoint::default());
        parallel::for_each_share_of(
            &mut grid_points[snapped..],
            &mut vec![(); workers],
            |first, grid_points, ()| {
                snap_all(&grid, positions, snapped + first, grid_points);
            },
        );
        cells.resize(triangles.len(), CellSpan::default());
        bands.resize_with(grid.bands(), Columns::default);
        bands.iter_mut().enumerate().for_each(|(b, band)| band.begin(&grid, b));
        columns.resize(grid.side as usize * ACROSS, Column::default());
        if let [band] = &mut bands[..] {
            // DrawnBody as soon as they are known, while their corners are in the first cache.
            draw_band(band, triangles, grid_points, KnownPoint::Not(cells));
            band.end(columns);
        } else {
            parallel::for_each_share_of(cells, &mut vec![(); workers], |first, cells, ()| {
                find_cells(grid_points, &triangles[first..], cells);
            });
            // As many columns as a band has, so that each band is given its own.
            let mut shares: Vec<_> =
                bands.iter_mut().zip(columns.chunks_mut(grid.rows as usize * ACROSS)).collect();
            parallel::for_each(&mut shares, |_, (band, columns)| {
                draw_band(band, triangles, grid_points, KnownPoint::All(cells));
                band.end(columns);
            });
        }
        self.grid = Some(grid);
    }

    /// For each point whether it is inside or on the surface, exactly, in their order. `out` is replaced.
    pub fn inside<'p>(&mut self, points: impl Into<Positions<'p>>, out: &mut Vec<bool>) -> Result<(), Error> {
        let points = points.into();
        check(points)?;
        out.clear();
        out.resize(points.len(), false);
        match self.grid.clone() {
            None => self.inside_by_all(points, out),
            Some(grid) if self.shift == [0.0; 3] => {
                self.look_up(&grid, points, out);
                self.decide(points, out);
            }
            // Rounding is monotone, and the vertices are not rounded: a point stays on its side of each of them.
            Some(grid) => {
                let back: Vec<Point> = (0..points.len()).map(|n| sub(&points.get(n), &self.shift)).collect();
                self.look_up(&grid, Positions::F64(&back), out);
                self.decide(points, out);
            }
        }
        Ok(())
    }

    /// Answers the points of untouched slices and collects the others.
    fn look_up(&mut self, grid: &PointGrid, points: Positions<'_>, out: &mut [bool]) {
        let InsideScratch { bands, columns, found, .. } = &mut self.method.inside;
        found.resize_with(parallel::threads().max(found.len()), Vec::new);
        found.iter_mut().for_each(Vec::clear);
        parallel::for_each_share_of(out, found, |first, out, found| {
            let above = |column: usize, slice: u32| bands[grid.band_of(column)].winding_below(column, slice);
            simd::dispatch(LookUp { grid, columns, above, first, points, out, found });
        });
    }

    /// Counts the crossings above the near points, triangle by triangle.
    fn decide(&mut self, points: Positions<'_>, out: &mut [bool]) {
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let InsideScratch { grid_points, cells, bands, found, near, .. } = scratch;
        near.sort(found.iter().flatten());
        let triangles = surfaces[self.surface].triangles();
        let asked = PointQuery { near, triangles, grid_points, positions: self.positions, points };
        parallel::for_each_range(
            triangles.len(),
            triangles.len().div_ceil(4 * parallel::threads()).max(1024),
            |range| {
                count_crossings(asked, range, cells);
            },
        );
        parallel::for_each(bands, |_, band| asked.count_large(band));
        for (index, is_inside) in near.answers() {
            out[index] = is_inside;
        }
    }

    /// Whether the winding number of a surface with holes rounds to something else than zero; points on it are inside.
    fn inside_by_angles(&self, points: Positions<'_>, out: &mut [bool]) {
        let triangles = self.method.surfaces[self.surface].triangles();
        let corners = |t: &[VertexId; 3]| t.map(|v| self.positions.get(v.index()));
        let surface = SolidAngles::new(triangles.iter().map(corners).collect());
        parallel::for_each_chunk(out, BATCH, |first, out| {
            for (i, out) in out.iter_mut().enumerate() {
                *out = surface.is_inside(&points.get(first + i));
            }
        });
    }

    /// Every triangle asked.
    fn inside_by_all(&self, points: Positions<'_>, out: &mut [bool]) {
        let surface = &self.method.surfaces[self.surface];
        if !surface.is_balanced() {
            return self.inside_by_angles(points, out);
        }
        let triangles = surface.triangles();
        for (i, out) in out.iter_mut().enumerate() {
            let p = points.get(i);
            if !self.bounds.contains(&p) {
                continue;
            }
            let corners = triangles.iter().map(|t| t.map(|v| self.positions.get(v.index())));
            *out = crate::narrow::winding::number(&p, corners).is_inside();
        }
    }
}

multiversion! {
    /// Finds the grid points of vertices, the first of which has number `first`.
    fn snap_all(grid: &PointGrid, positions: Positions<'_>, first: usize, grid_points: &mut [GridPoint]) {
        grid.snap_all(positions, first, grid_points);
    }
}

multiversion! {
    /// Finds the cells of triangles.
    fn find_cells(grid_points: &[GridPoint], triangles: &[[VertexId; 3]], cells: &mut [CellSpan]) {
        grid::cell_spans(grid_points, triangles, cells);
    }
}

/// The cells of triangles, known or to be found.
enum KnownPoint<'a> {
    All(&'a [CellSpan]),
    Not(&'a mut [CellSpan]),
}

multiversion! {
    /// Draws triangles into a band.
    fn draw_band(
        band: &mut Columns,
        triangles: &[[VertexId; 3]],
        grid_points: &[GridPoint],
        cells: KnownPoint<'_>,
    ) {
        let firsts = (0..triangles.len()).step_by(columns::BATCH);
        match cells {
            KnownPoint::All(cells) => {
                for (first, cells) in firsts.zip(cells.chunks(columns::BATCH)) {
                    band.draw(first, cells, grid_points, triangles);
                }
            }
            // DrawnBody as soon as they are known, while their corners are in the first cache.
            KnownPoint::Not(cells) => {
                for (first, cells) in firsts.zip(cells.chunks_mut(columns::BATCH)) {
                    grid::cell_spans(grid_points, &triangles[first..], cells);
                    band.draw(first, cells, grid_points, triangles);
                }
            }
        }
    }
}

/// Answers the points of untouched slices and collects the others.
struct LookUp<'a, A> {
    grid: &'a PointGrid,
    columns: &'a [Column],
    /// The winding number of a column below a slice that is not touched.
    above: A,
    /// Number of the first point to be answered.
    first: usize,
    points: Positions<'a>,
    out: &'a mut [bool],
    found: &'a mut Vec<NearPoint>,
}

impl<A: Fn(usize, u32) -> i32> Kernel for LookUp<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        match self.points {
            Positions::F64(p) => self.look_up(p, |p| *p),
            Positions::F32(p) => self.look_up(p, |&[x, y, z]| [x.into(), y.into(), z.into()]),
        }
    }
}

impl<A: Fn(usize, u32) -> i32> LookUp<'_, A> {
    #[inline(always)]
    fn look_up<P>(self, points: &[P], wide: impl Fn(&P) -> Point) {
        let Self { grid, columns, above, first, out, found, .. } = self;
        let mut grid_points = [(GridPoint::default(), false); BATCH];
        let mut kept = [0; BATCH];
        let batches = points[first..].chunks(BATCH).zip(out.chunks_mut(BATCH));
        for (first, (points, out)) in (first..).step_by(BATCH).zip(batches) {
            for (place, p) in grid_points.iter_mut().zip(points) {
                *place = grid.find(&wide(p));
            }
            // Branch-free, so that loads for many points overlap.
            let mut near = 0;
            for ((k, &(place, is_in)), out) in grid_points.iter().enumerate().zip(out) {
                let (column, slice) = grid::column(place);
                let (is_touched, is_inside) = columns[if is_in { column } else { 0 }].at(slice);
                *out = is_in & is_inside;
                kept[near] = k;
                near += usize::from(is_in & is_touched);
            }
            for &k in &kept[..near] {
                let place = grid_points[k].0;
                let (column, slice) = grid::column(place);
                let (end, is_inside) = columns[column].run_end(slice);
                let above = if is_inside { above(column, end) } else { 0 };
                found.push(NearPoint::new(first + k, place, end, above));
            }
        }
    }
}

multiversion! {
    /// Counts a range of triangles.
    fn count_crossings(asked: PointQuery<'_>, range: Range<usize>, cells: &[CellSpan]) {
        asked.count(range, cells);
    }
}

/// Points are checked like positions of a frame.
pub(crate) fn check(points: Positions<'_>) -> Result<(), Error> {
    let ok = match points {
        Positions::F64(p) => p.as_flattened().iter().fold(true, |ok, x| ok & (x.abs() <= MAX_COORDINATE)),
        Positions::F32(p) => p.as_flattened().iter().fold(true, |ok, x| ok & x.is_finite()),
    };
    if ok {
        return Ok(());
    }
    let bad = |i: &usize| points.get(*i).iter().any(|x| x.is_nan() || x.abs() > MAX_COORDINATE);
    let index = (0..points.len()).find(bad).expect("one of the points failed");
    Err(Error::BadPoint { index, position: points.get(index) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::layered_depth::LayeredDepthParams;
    use crate::{Bodies, Frame};

    /// A body that moved as a whole is not drawn again, and answers as one that was.
    #[test]
    fn a_body_that_moved_as_a_whole_keeps_its_columns() {
        let corners: [Point; 6] = [
            [2.0, 0.0, 0.0],
            [-2.0, 0.0, 0.0],
            [0.0, 3.0, 0.0],
            [0.0, -3.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];
        let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let bodies = Bodies::new([Mesh::from_triangles("octahedron", 6, &faces).unwrap()]).unwrap();
        let mut method = LayeredDepth::new(LayeredDepthParams::default());
        let steps = [[0.0; 3], [0.25, -8.0, 64.0], [0.25, -8.0, 64.5], [0.1, 0.2, 0.3], [1e9, 0.0, 0.0]];
        for (n, step) in steps.into_iter().enumerate() {
            let at = vec![corners.map(|p| std::array::from_fn(|k| p[k] + step[k])).to_vec()];
            let near = (0..9 * 13 * 5).map(|i| [i / 65 - 4, i / 5 % 13 - 6, i % 5 - 2]);
            let half = |x: i32| 0.5 * f64::from(x);
            let points: Vec<Point> = near
                .map(|p| std::array::from_fn(|k| half(p[k]) + step[k] + 1e-13 * half(p[2 - k])))
                .collect();
            let expected = LayeredDepth::default()
                .update(&bodies, Frame::from(&at))
                .unwrap()
                .inside(BodyId(0), &points)
                .unwrap();
            for is_still in [false, true] {
                let mut volumes = method.update(&bodies, Frame::from(&at)).unwrap();
                volumes.is_still = is_still;
                assert_eq!(volumes.inside(BodyId(0), &points).unwrap(), expected, "{step:?}");
                let drawn = method.inside.drawn.as_ref().unwrap();
                // 0.1 and its like are rounded, so that the body is drawn again; 1e9 is exact once more.
                let is_carried = matches!(n, 1 | 2);
                assert_eq!(drawn.shift, if is_carried { step } else { [0.0; 3] }, "{n}");
            }
        }
    }
}
