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

use std::sync::atomic::{AtomicI32, Ordering};

use super::bits;
use super::columns::{self, Columns, Grid, Place, PlaceBox, Touch};
use super::{LayeredDepth, LayeredError, bins};
use crate::frame::MAX_COORDINATE;
use crate::geometry::Aabb;
use crate::narrow::winding::{Crossing, crossing};
use crate::{BodyId, Frame, Mesh, Positions};

/// On the surface: no sum of crossings comes near.
const ON: i32 = i32::MAX / 2;

/// Memory of the inside test.
#[derive(Debug, Default)]
pub(super) struct InsideScratch {
    places: Vec<Place>,
    boxes: Vec<PlaceBox>,
    bands: Vec<Columns>,
    /// Points that need exact signs, as they were found, and by column.
    found: Vec<NearPoint>,
    near: Vec<NearPoint>,
    /// First near point of each column, and the total last.
    starts: Vec<u32>,
    /// Slices of the runs in which near points lie, per column.
    needed: Vec<u128>,
    windings: Vec<AtomicI32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct NearPoint {
    column: u32,
    /// The run of touched slices: first bit, and the one after the last.
    run: (u8, u8),
    /// Winding number above the run.
    above: i32,
    index: u32,
    at: Place,
}

/// A body at one frame, ready to be asked about points. Made by [`LayeredDepth::solid`].
#[derive(Debug)]
pub struct Solid<'a> {
    method: &'a mut LayeredDepth,
    surface: usize,
    positions: Positions<'a>,
    bounds: Aabb,
    /// `None` where every triangle is asked: the surface is open, or no lattice resolves it.
    grid: Option<Grid>,
}

impl LayeredDepth {
    /// For each point: is the winding number of the body's surface round it not zero, or is it on the surface?
    /// Exact for every finite input. A surface with holes is refused unless the parameters accept it; then the
    /// winding number is that of a ray up from the point.
    pub fn inside(
        &mut self,
        mesh: &Mesh,
        frame: Frame<'_>,
        body: BodyId,
        points: Positions<'_>,
    ) -> Result<Vec<bool>, LayeredError> {
        if self.params.mode == super::Mode::AsPublished {
            return self.inside_as_published(mesh, frame, body, points);
        }
        let mut out = Vec::new();
        self.solid(mesh, frame, body)?.inside(points, &mut out)?;
        Ok(out)
    }

    /// Prepares a body for any number of questions about points while it stays as it is in this frame (H19).
    pub fn solid<'a>(
        &'a mut self,
        mesh: &Mesh,
        frame: Frame<'a>,
        body: BodyId,
    ) -> Result<Solid<'a>, LayeredError> {
        frame.check(mesh)?;
        let surface = self.admit(mesh, body)?;
        let positions = frame.bodies()[body.index()];
        let bounds = self.surfaces[surface].bounds(positions);
        let mut solid = Solid { method: self, surface, positions, bounds, grid: None };
        if !bounds.is_empty() && solid.method.surfaces[surface].is_balanced() {
            solid.build();
        }
        Ok(solid)
    }
}

/// Columns along a side. Triangles about a column wide keep both costs low: drawing, which grows with the columns a
/// triangle touches, and exact tests, which grow with the triangles a column holds.
fn side_of(triangles: usize) -> i32 {
    match triangles {
        0..2_000 => 32,
        2_000..30_000 => 64,
        _ => 128,
    }
}

impl Solid<'_> {
    /// Draws the surface into columns.
    fn build(&mut self) {
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let triangles = surfaces[self.surface].triangles();
        let Some(grid) = Grid::new(&self.bounds, side_of(triangles.len()), bins::workers() as i32) else {
            return;
        };
        let InsideScratch { places, boxes, bands, .. } = scratch;
        grid.place_all(self.positions, places);
        boxes.resize(triangles.len(), PlaceBox::default());
        if bins::workers() == 1 {
            super::compiled_for_this_processor(|| columns::boxes(places, triangles, boxes));
        } else {
            let chunk = triangles.len().div_ceil(bins::workers()).max(1);
            super::for_each(&mut boxes.chunks_mut(chunk).collect::<Vec<_>>(), |(k, boxes)| {
                super::compiled_for_this_processor(|| columns::boxes(places, &triangles[k * chunk..], boxes));
            });
        }
        bands.resize_with(grid.bands(), Columns::default);
        super::for_each(bands, |(b, band)| {
            super::compiled_for_this_processor(|| band.draw(&grid, b, boxes, triangles, self.positions));
        });
        self.grid = Some(grid);
    }

    /// For each point whether it is inside or on the surface, exactly, in their order. `out` is replaced.
    pub fn inside(&mut self, points: Positions<'_>, out: &mut Vec<bool>) -> Result<(), LayeredError> {
        check(points)?;
        out.clear();
        out.resize(points.len(), false);
        match self.grid.clone() {
            None => self.inside_by_all(points, out),
            Some(grid) => {
                self.look_up(&grid, points, out);
                self.decide(&grid, points, out);
            }
        }
        Ok(())
    }

    /// Answers the points of untouched slices and collects the others.
    fn look_up(&mut self, grid: &Grid, points: Positions<'_>, out: &mut [bool]) {
        let InsideScratch { bands, found, .. } = &mut self.method.inside;
        found.clear();
        let bounds = self.bounds;
        for (i, out) in out.iter_mut().enumerate() {
            let p = points.get(i);
            if !bounds.contains(&p) {
                continue;
            }
            let at = grid.lattice.snap(&p);
            let (x, y) = (at[0] >> grid.lattice.shift, at[1] >> grid.lattice.shift);
            let (band, column) = if bands.len() == 1 {
                (&bands[0], (y * grid.side + x) as usize)
            } else {
                (&bands[(y / grid.rows) as usize], (y % grid.rows * grid.side + x) as usize)
            };
            let bit = grid.bit(at[2]);
            let mask = bits::span(bit, bit);
            if band.touched[column] & mask == 0 {
                *out = band.inside[column] & mask != 0;
            } else {
                let (run, above) = band.run_at(column, bit);
                found.push(NearPoint {
                    column: (y * grid.side + x) as u32,
                    run: (run.start as u8, run.end as u8),
                    above,
                    index: i as u32,
                    at: grid.place(at),
                });
            }
        }
    }

    /// Sorts the near points into columns.
    fn sort_near(&mut self, grid: &Grid) {
        let InsideScratch { found, near, starts, needed, windings, .. } = &mut self.method.inside;
        let columns = (grid.side * grid.side) as usize;
        starts.clear();
        starts.resize(columns + 1, 0);
        needed.clear();
        needed.resize(columns, 0);
        for n in found.iter() {
            starts[n.column as usize] += 1;
            needed[n.column as usize] |= bits::of(&(u32::from(n.run.0)..u32::from(n.run.1)));
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        near.clear();
        near.resize(found.len(), NearPoint::default());
        for n in found.iter() {
            let place = &mut starts[n.column as usize];
            near[*place as usize] = *n;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        windings.clear();
        windings.extend(near.iter().map(|n| AtomicI32::new(n.above)));
    }

    /// Counts the crossings above the near points, triangle by triangle.
    fn decide(&mut self, grid: &Grid, points: Positions<'_>, out: &mut [bool]) {
        self.sort_near(grid);
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let InsideScratch { bands, boxes, near, starts, needed, windings, .. } = scratch;
        let columns = NearColumns { near, starts, needed };
        let triangles = surfaces[self.surface].triangles();
        let positions = self.positions;
        let cross = |pairs: &mut Vec<(u32, u32)>| {
            // Positions are fetched for many pairs before any is tested, so that the caches answer all at once.
            let mut fetched = [([0.0; 3], [[0.0; 3]; 3]); 16];
            for block in pairs.chunks(fetched.len()) {
                for (into, &(k, t)) in fetched.iter_mut().zip(block) {
                    let [a, b, c] = triangles[t as usize];
                    let corners =
                        [positions.get(a.index()), positions.get(b.index()), positions.get(c.index())];
                    *into = (points.get(columns.near[k as usize].index as usize), corners);
                }
                for ((point, corners), &(k, _)) in fetched.iter().zip(block) {
                    let step = match crossing(point, corners) {
                        Crossing::None => continue,
                        Crossing::Through(step) => i32::from(step),
                        Crossing::On => ON,
                    };
                    windings[k as usize].fetch_add(step, Ordering::Relaxed);
                }
            }
            pairs.clear();
        };
        let across = grid.side as usize;
        super::for_ranges(triangles.len(), |range| {
            let mut pairs = Vec::with_capacity(2048);
            for (t, b) in range.clone().zip(&boxes[range]) {
                let (rect, lo, hi) = grid.cells(b);
                if !columns::is_small(&rect) {
                    continue;
                }
                let c = rect.lo[1] as usize * across + rect.lo[0] as usize;
                let (right, up) = (rect.hi[0] > rect.lo[0], rect.hi[1] > rect.lo[1]);
                columns.meet(c, t as u32, b, (lo, hi), &mut pairs);
                if right {
                    columns.meet(c + 1, t as u32, b, (lo, hi), &mut pairs);
                }
                if up {
                    columns.meet(c + across, t as u32, b, (lo, hi), &mut pairs);
                }
                if right && up {
                    columns.meet(c + across + 1, t as u32, b, (lo, hi), &mut pairs);
                }
                if pairs.len() > 1024 {
                    cross(&mut pairs);
                }
            }
            cross(&mut pairs);
        });
        super::for_each(bands, |(b, band)| {
            let mut pairs = Vec::with_capacity(2048);
            let first = b * grid.rows as usize * across;
            for &Touch { triangle: t, column, lo, hi } in &band.large {
                let bits = (u32::from(lo), u32::from(hi));
                columns.meet(first + column as usize, t, &boxes[t as usize], bits, &mut pairs);
                if pairs.len() > 1024 {
                    cross(&mut pairs);
                }
            }
            cross(&mut pairs);
        });
        for (n, winding) in near.iter().zip(windings) {
            out[n.index as usize] = winding.load(Ordering::Relaxed) != 0;
        }
    }

    /// Every triangle asked.
    fn inside_by_all(&self, points: Positions<'_>, out: &mut [bool]) {
        let triangles = self.method.surfaces[self.surface].triangles();
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

/// The near points by column.
#[derive(Clone, Copy)]
struct NearColumns<'a> {
    near: &'a [NearPoint],
    starts: &'a [u32],
    needed: &'a [u128],
}

impl NearColumns<'_> {
    /// Lists the near points of a column above which a triangle may lie.
    #[inline(always)]
    fn meet(self, c: usize, t: u32, b: &PlaceBox, (lo, hi): (u32, u32), pairs: &mut Vec<(u32, u32)>) {
        if self.needed[c] & bits::span(lo, hi) == 0 {
            return;
        }
        for k in self.starts[c]..self.starts[c + 1] {
            if self.near[k as usize].may_see(b, lo) {
                pairs.push((k, t));
            }
        }
    }
}

impl NearPoint {
    /// Whether the ray up from the point may meet the triangle within the point's run.
    #[inline(always)]
    fn may_see(&self, b: &PlaceBox, lo: u32) -> bool {
        u32::from(self.run.0) <= lo
            && lo < u32::from(self.run.1)
            && b.min[0] <= self.at[0]
            && self.at[0] <= b.max[0]
            && b.min[1] <= self.at[1]
            && self.at[1] <= b.max[1]
            && self.at[2] <= b.max[2]
    }
}

/// Points are checked like positions of a frame.
pub(super) fn check(points: Positions<'_>) -> Result<(), LayeredError> {
    let ok = match points {
        Positions::F64(p) => p.as_flattened().iter().fold(true, |ok, x| ok & (x.abs() <= MAX_COORDINATE)),
        Positions::F32(p) => p.as_flattened().iter().fold(true, |ok, x| ok & x.is_finite()),
    };
    if ok {
        return Ok(());
    }
    let bad = |i: &usize| points.get(*i).iter().any(|x| x.is_nan() || x.abs() > MAX_COORDINATE);
    let index = (0..points.len()).find(bad).expect("one of the points failed");
    Err(LayeredError::BadPoint { index, position: points.get(index) })
}
