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
use super::columns::{Columns, Grid, Place};
use super::lattice::Corner;
use super::window::Shape;
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
    bands: Vec<Columns>,
    /// Points that need exact signs, sorted by column.
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
    at: Corner,
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
        grid.place_all(self.positions, &mut scratch.places);
        scratch.bands.resize_with(grid.bands(), Columns::default);
        let places = &scratch.places;
        super::for_each(&mut scratch.bands, |(b, band)| {
            band.draw(&grid, b, places, triangles, self.positions);
        });
        self.grid = Some(grid);
    }

    /// For each point whether it is inside or on the surface, exactly, in their order. `out` is replaced.
    pub fn inside(&mut self, points: Positions<'_>, out: &mut Vec<bool>) -> Result<(), LayeredError> {
        check(points)?;
        out.clear();
        out.resize(points.len(), false);
        match self.grid {
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
        let InsideScratch { bands, near, .. } = &mut self.method.inside;
        near.clear();
        let window = grid.window(0);
        let (bounds, shift) = (self.bounds, grid.lattice.shift);
        for (i, out) in out.iter_mut().enumerate() {
            let p = points.get(i);
            if !bounds.contains(&p) {
                continue;
            }
            let at = grid.lattice.snap(&p);
            let (x, y) = (at[0] >> shift, at[1] >> shift);
            let (band, column) = if bands.len() == 1 {
                (&bands[0], (y * grid.side + x) as usize)
            } else {
                (&bands[(y / grid.rows) as usize], (y % grid.rows * grid.side + x) as usize)
            };
            let bit = window.bit(at[2]);
            let mask = bits::span(bit, bit);
            if band.touched[column] & mask == 0 {
                *out = band.inside[column] & mask != 0;
            } else {
                let (run, above) = band.run_at(column, bit);
                let run = (run.start as u8, run.end as u8);
                near.push(NearPoint { column: (y * grid.side + x) as u32, run, above, index: i as u32, at });
            }
        }
    }

    /// Counts the crossings above the near points, triangle by triangle.
    fn decide(&mut self, grid: &Grid, points: Positions<'_>, out: &mut [bool]) {
        let LayeredDepth { surfaces, inside: scratch, .. } = &mut *self.method;
        let InsideScratch { bands, near, starts, needed, windings, .. } = scratch;
        let columns = (grid.side * grid.side) as usize;
        near.sort_unstable_by_key(|n| (n.column, n.index));
        starts.clear();
        starts.resize(columns + 1, 0);
        needed.clear();
        needed.resize(columns, 0);
        for n in near.iter() {
            starts[n.column as usize + 1] += 1;
            needed[n.column as usize] |= bits::of(&(u32::from(n.run.0)..u32::from(n.run.1)));
        }
        for c in 0..columns {
            starts[c + 1] += starts[c];
        }
        windings.clear();
        windings.extend(near.iter().map(|n| AtomicI32::new(n.above)));
        let triangles = surfaces[self.surface].triangles();
        let positions = self.positions;
        let (near, starts, needed, windings) = (&near[..], &starts[..], &needed[..], &windings[..]);
        super::for_each(bands, |(b, band)| {
            let first = b * (grid.rows * grid.side) as usize;
            for touch in &band.touches {
                let c = first + touch.column as usize;
                if starts[c] == starts[c + 1]
                    || needed[c] & bits::span(u32::from(touch.lo), u32::from(touch.hi)) == 0
                {
                    continue;
                }
                let corners = &triangles[touch.triangle as usize];
                let shape = grid.shape(positions, corners);
                for k in starts[c] as usize..starts[c + 1] as usize {
                    if !near[k].may_see(&shape, touch.lo) {
                        continue;
                    }
                    let point = points.get(near[k].index as usize);
                    let step = match crossing(&point, &corners.map(|v| positions.get(v.index()))) {
                        Crossing::None => continue,
                        Crossing::Through(step) => i32::from(step),
                        Crossing::On => ON,
                    };
                    windings[k].fetch_add(step, Ordering::Relaxed);
                }
            }
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

impl NearPoint {
    /// Whether the ray up from the point may meet the triangle within the point's run.
    #[inline(always)]
    fn may_see(&self, shape: &Shape, lo: u8) -> bool {
        self.run.0 <= lo
            && lo < self.run.1
            && (0..2).all(|k| shape.min[k] <= self.at[k] && self.at[k] <= shape.max[k])
            && shape.max[2] >= self.at[2]
    }
}

/// Points are checked like positions of a frame.
fn check(points: Positions<'_>) -> Result<(), LayeredError> {
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
