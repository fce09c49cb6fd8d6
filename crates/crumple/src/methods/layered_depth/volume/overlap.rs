//! How much volume two bodies share.

use super::super::body::SnappedBody;
use super::super::lattice::Lattice;
use super::super::merge::{is_common, merge};
use super::super::raster::fragments::TileLayers;
use super::super::raster::tile::{SIDE, Tile, Walls};
use super::super::voi::{self, Voi};
use super::super::{LayeredDepth, Pool, Resolution, Volumes};
use super::cells::ColumnExtent;
use super::side_proof::Beyond;
use super::solve::{self, SnappedPair, VolumeBounds};
use super::tile_lists::{Overhead, TileLists};
use crate::{BodyId, Error, Guarantee, parallel};

/// The volume that two bodies share.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Overlap {
    /// The best estimate, within the bounds.
    pub volume: f64,
    /// Never above the true volume.
    pub lower: f64,
    /// Never below the true volume.
    pub upper: f64,
    /// The sum of the spans times the area of a pixel, as the paper has it; may lie outside the bounds.
    pub sampled: f64,
    /// Pixels across the volume of interest.
    pub resolution: [u32; 2],
    /// The axis of the rays: 0, 1 or 2.
    pub axis: usize,
    /// Most layers of each body on one ray within the volume of interest.
    pub depth_complexity: [u32; 2],
    /// Layers of each body on all rays within the volume of interest.
    pub layers: [usize; 2],
    /// Stretches of rays inside both bodies.
    pub spans: usize,
    /// Rays with more entries than exits or the reverse, of each body; only an open mesh has any.
    pub unbalanced_rays: [usize; 2],
    /// Centre of mass of the common volume; `None` where there is none.
    pub centroid: Option<[f64; 3]>,
    /// A box that holds the common volume, at most a pixel too large; `None` where there is none.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// What the bounds are worth.
    pub guarantee: Guarantee,
}

/// One tile's results, kept until the next question.
#[derive(Debug, Default)]
pub(crate) struct TileResult {
    pub layers: [TileLayers; 2],
    pub spans: Vec<TileSpan>,
    pub bounds: VolumeBounds,
    extent: ColumnExtent,
}

/// A question at work: the bodies on the lattice, sorted into tiles.
pub(crate) struct PairQuery<'a> {
    pub lattice: &'a Lattice,
    pub pair: &'a SnappedPair<'a>,
    pub lists: &'a [TileLists; 2],
    pub scratch: &'a Pool,
}

/// A stretch of a ray inside both bodies, in lattice units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TileSpan {
    pub pixel: [u32; 2],
    pub range: [f64; 2],
}

impl Volumes<'_> {
    /// The volume common to two bodies, with bounds.
    pub fn overlap(&mut self, bodies: [BodyId; 2], resolution: Resolution) -> Result<Overlap, Error> {
        self.overlap_and(bodies, resolution, |_, _| ())
    }

    /// Answers the question and does further work on the bodies as they lie on the lattice, before the tiles are
    /// added up; there is none where the boxes have no common volume.
    pub(crate) fn overlap_and(
        &mut self,
        ids: [BodyId; 2],
        resolution: Resolution,
        further: impl FnOnce(&PairQuery<'_>, &mut [TileResult]),
    ) -> Result<Overlap, Error> {
        resolution.check()?;
        let places = self.admit_both(ids)?;
        let boxes = [0, 1].map(|k| self.surface(places[k], ids[k]).2);
        let Some(voi) = voi::common(&boxes[0], &boxes[1]) else { return Ok(Overlap::default()) };
        let lattice = Lattice::new(&voi.bounds, voi.axis, resolution.of(&voi))
            .filter(|l| l.reaches(&boxes[0]) && l.reaches(&boxes[1]));
        let Some(lattice) = lattice else {
            // Too thin, or too small beside the bodies, for any lattice: the box is the bound.
            return Ok(Overlap { upper: voi.volume_above(), axis: voi.axis, ..Overlap::default() });
        };
        let is_closed = places.map(|place| self.are_closed(&[place]));
        let frame = self.frame;
        let LayeredDepth { surfaces, vertices, lists, results, scratch, .. } = &mut *self.method;
        for k in 0..2 {
            lattice.snap_all(frame.of(ids[k]), &mut vertices[k]);
        }
        let bodies = [0, 1].map(|k| {
            let vertices = (&vertices[k][..], frame.of(ids[k]));
            SnappedBody::new(lattice, surfaces[places[k]].triangles(), vertices, &boxes[k])
        });
        for k in 0..2 {
            lists[k].fill(&bodies[k], if is_closed[k] { Overhead::Skip } else { Overhead::Keep });
        }
        let ends = [0, 1].map(|k| {
            let [x, y, _] = lattice.axes;
            [x, y].map(|i| [boxes[k].min[i] >= voi.bounds.min[i], boxes[k].max[i] <= voi.bounds.max[i]])
        });
        let pair = SnappedPair { bodies, ends };
        let tiles = lists[0].tiles;
        results.resize_with(tiles[0] * tiles[1], TileResult::default);
        scratch.reserve();
        let query = PairQuery { lattice: &lattice, pair: &pair, lists, scratch };
        parallel::for_each(results, |t, result| {
            let mut scratch = query.scratch.get();
            result.solve(&query, [t % tiles[0], t / tiles[0]], &mut scratch);
        });
        further(&query, results);
        let mut overlap = self.method.gather(&lattice, &voi, is_closed);
        if is_closed != [true; 2] {
            // An open surface has no inside to be bounded.
            (overlap.lower, overlap.upper) = (0.0, voi.volume_above().max(overlap.volume));
            overlap.guarantee = Guarantee::Unproved;
        }
        Ok(overlap)
    }
}

impl LayeredDepth {
    /// Adds the tiles up, in their order.
    fn gather(&self, lattice: &Lattice, voi: &Voi, is_closed: [bool; 2]) -> Overlap {
        let mut sum = VolumeBounds::default();
        let mut extent = ColumnExtent::default();
        let mut overlap = Overlap { resolution: lattice.resolution, axis: voi.axis, ..Overlap::default() };
        let (mut length, mut moment) = (0.0, [0.0; 3]);
        for result in &self.results {
            sum += result.bounds;
            extent.join(&result.extent);
            overlap.spans += result.spans.len();
            for span in &result.spans {
                let [z0, z1] = span.range;
                length += z1 - z0;
                let at = [f64::from(span.pixel[0]) + 0.5, f64::from(span.pixel[1]) + 0.5, 0.5 * (z0 + z1)];
                for k in 0..3 {
                    moment[k] += (z1 - z0) * at[k];
                }
            }
            for k in 0..2 {
                let inside = |z: f64| z >= 0.0 && z <= f64::from(lattice.size[2]);
                for c in 0..result.layers[k].starts.len().saturating_sub(1) {
                    let column = result.layers[k].column(c);
                    let count = column.iter().filter(|f| inside(f.z)).count();
                    overlap.layers[k] += count;
                    overlap.depth_complexity[k] = overlap.depth_complexity[k].max(count as u32);
                    if !is_closed[k] {
                        let balance: i32 = column.iter().map(|f| i32::from(f.step)).sum();
                        overlap.unbalanced_rays[k] += usize::from(balance != 0);
                    }
                }
            }
        }
        let moved = self.lists[0].moved() + self.lists[1].moved();
        let pixel = f64::from(1 << lattice.shift);
        overlap.sampled = lattice.volume(length * pixel * pixel);
        [overlap.lower, overlap.volume, overlap.upper] = sum.in_space(lattice, moved, voi);
        if !extent.is_empty() {
            // What is common may reach beyond its columns by as much as snapping moved it.
            let reach = self.lists[0].most_moved.max(self.lists[1].most_moved);
            let end = |e: [i32; 3], reach: f64| {
                let [x, y, z] = e.map(f64::from);
                lattice.world([x * pixel + reach, y * pixel + reach, z + reach])
            };
            let [min, max] = [extent.min, [extent.max[0] + 1, extent.max[1] + 1, extent.max[2]]];
            overlap.bounds = Some([end(min, -reach), end(max, reach)]);
        }
        overlap.centroid = if length > 0.0 {
            let centre = moment.map(|m| m / length);
            Some(lattice.world([centre[0] * pixel, centre[1] * pixel, centre[2]]))
        } else {
            overlap
                .bounds
                .filter(|_| overlap.volume > 0.0)
                .map(|[lo, hi]| std::array::from_fn(|k| 0.5 * (lo[k] + hi[k])))
        };
        overlap
    }
}

impl Default for Overlap {
    /// No common volume, proved.
    fn default() -> Self {
        Self {
            volume: 0.0,
            lower: 0.0,
            upper: 0.0,
            sampled: 0.0,
            resolution: [0; 2],
            axis: 0,
            depth_complexity: [0; 2],
            layers: [0; 2],
            spans: 0,
            unbalanced_rays: [0; 2],
            centroid: None,
            bounds: None,
            guarantee: Guarantee::Sampled,
        }
    }
}

impl TileResult {
    fn solve(&mut self, query: &PairQuery<'_>, at: [usize; 2], scratch: &mut solve::TileScratch) {
        let PairQuery { lattice, pair, lists, .. } = *query;
        let place = at[1] * lists[0].tiles[0] + at[0];
        let first = at.map(|i| i as u32 * SIDE);
        let columns = [0, 1].map(|k| (lattice.resolution[k] - first[k]).min(SIDE) as i32);
        let origin = first.map(|i| (i << lattice.shift) as i32);
        let ranges = [lists[0].depth(place), lists[1].depth(place)];
        let whole = [0, lattice.size[2]];
        let common = match ranges {
            [Some(a), Some(b)] => [a[0].max(b[0]).max(0), a[1].min(b[1]).min(lattice.size[2])],
            _ => [0, 0],
        };
        let is_empty = common[0] >= common[1];
        let depth = if is_empty { whole } else { common };
        let tile = Tile::new(origin, lattice.shift, columns, depth, Walls::Excluded);
        let triangles = [lists[0].list(place), lists[1].list(place)];
        let beyond = pair.ends.map(|ends| {
            let at_end = [0, 1].map(|k| [at[k] == 0, at[k] + 1 == lists[0].tiles[k]]);
            Beyond { empty: [0, 1].map(|k| [0, 1].map(|e| ends[k][e] && at_end[k][e])) }
        });
        (self.bounds, self.extent) = (VolumeBounds::default(), ColumnExtent::default());
        self.spans.clear();
        solve::draw(&tile, pair, triangles, [None; 2], scratch, &mut self.layers);
        if is_empty {
            return;
        }
        self.bounds = solve::measure(&tile, pair, [0, 0], &beyond, scratch, &self.layers);
        self.extent = scratch.cells.extent;
        for (k, first) in first.iter().enumerate() {
            self.extent.min[k] = self.extent.min[k].saturating_add(*first as i32);
            self.extent.max[k] = self.extent.max[k].saturating_add(*first as i32);
        }
        for c in 0..tile.len() {
            let columns = [self.layers[0].column(c), self.layers[1].column(c)];
            let [x, y] = tile.coordinates(c);
            let pixel = [first[0] + x as u32, first[1] + y as u32];
            let top = f64::from(lattice.size[2]);
            merge(columns, [0, 0], is_common, |stretch| {
                let range = stretch.clipped_to([0.0, top]);
                if range[0] < range[1] {
                    self.spans.push(TileSpan { pixel, range });
                }
            });
        }
    }
}
