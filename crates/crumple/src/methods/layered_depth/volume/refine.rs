//! Refinement: blocks of columns whose bounds are too far apart are cut into columns of half the width, again and again
//! (H-A12).
//!
//! Only where the surfaces of the two bodies cross do the bounds stay apart, so only the blocks along that curve are
//! looked at again: the cost of a digit grows with the length of the curve, not with the volume. A block spans no more
//! depth than the surfaces over it do, cut to it, so that its slices become thinner with its columns.

use super::super::body::SnappedBody;
use super::super::lattice::{self, Lattice, UNITS};
use super::super::raster::fragments::TileLayers;
use super::super::raster::tile::{SIDE, Tile, Walls};
use super::super::{Resolution, Volumes};
use super::overlap::{Overlap, PairQuery, TileResult};
use super::side_proof::Beyond;
use super::solve::{self, SnappedPair, VolumeBounds};
use super::tile_lists::GivenList;
use crate::{BodyId, Error, ParamError, parallel};

/// How far apart the bounds of a volume may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// As a volume.
    Absolute(f64),
    /// As a part of the lower bound.
    Relative(f64),
}

/// Why refinement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Stop {
    /// The bounds are as near as asked.
    Reached,
    /// The lattice does not resolve more: about 1e-7 of the volume of interest. The bounds hold all the same.
    Lattice,
    /// More than 100,000 blocks would have to be cut, or so the rounds so far predict. The bounds hold all the same.
    Work,
    /// A surface is open, so that there is nothing to bound.
    Open,
}

/// A volume with bounds as near as asked, or as near as they get.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Refined {
    /// The volume and its bounds. Layers and spans are those of the resolution asked for.
    pub overlap: Overlap,
    /// Why refinement ended.
    pub stop: Stop,
    /// Blocks that were cut.
    pub blocks: usize,
}

/// Blocks that are cut in one refinement at most: 4 to 10 s of work on one core.
const MOST_BLOCKS: usize = 100_000;

/// Blocks that are cut before the rest is predicted, some tenths of a second.
const TRIED_BLOCKS: usize = 2_000;

/// Columns are not cut below 2^6 units: by then snapping is all that is left.
const FINEST: u32 = 6;
/// Columns along a side of a block that count, at most.
const INNER: i32 = 14;
/// Columns beside them, for the proofs from the side.
const MARGIN: i32 = 1;
/// Depth of a block in columns, at most; with 126 slices these are then half a column high or less.
const DEEPEST: i32 = 64;

/// Columns of the lattice over a range of depth.
#[derive(Debug, Clone, Copy)]
struct BlockExtent {
    origin: [i32; 2],
    shift: u32,
    columns: [i32; 2],
    /// First and last of the columns whose volume is asked for.
    inner: [[i32; 2]; 2],
    depth: [i32; 2],
}

/// A region and the triangles over it.
struct RefinedBlock {
    tile: usize,
    region: BlockExtent,
    lists: [Vec<u32>; 2],
    bounds: VolumeBounds,
}

/// What one round of refinement has to do.
#[derive(Debug, Clone, Copy)]
struct RefineRound {
    /// Blocks to be cut.
    blocks: usize,
    /// The width that is left to them.
    open: f64,
}

impl RefineRound {
    /// Blocks to be cut until the width is as aimed at, if each further round shrinks it and multiplies the blocks as
    /// the last one did. Along a curve where surfaces cross, blocks double and the width is halved or better; in a
    /// plate that is thinner than a slice blocks are four times as many, and no budget reaches the end.
    fn predicted(&self, last: &Self, aim: f64) -> usize {
        let growth = self.blocks as f64 / last.blocks.max(1) as f64;
        let shrink = self.open / last.open;
        let (mut open, mut blocks, mut sum) = (self.open, self.blocks as f64, 0.0);
        // There are no more rounds than a column can be halved.
        for _ in FINEST..UNITS {
            if open <= aim || sum > MOST_BLOCKS as f64 {
                break;
            }
            sum += blocks;
            (open, blocks) = (open * shrink, blocks * growth);
        }
        sum as usize
    }
}

impl Tolerance {
    fn check(self) -> Result<(), ParamError> {
        let (Self::Absolute(t) | Self::Relative(t)) = self;
        let fault = || ParamError {
            parameter: "tolerance",
            value: t.to_string(),
            expected: "a number that is not negative",
        };
        if t >= 0.0 { Ok(()) } else { Err(fault()) }
    }

    /// The largest width allowed for a volume in lattice cubes.
    fn width(self, lower: f64, lattice: &Lattice) -> f64 {
        match self {
            Self::Absolute(t) => lattice.cubes(t),
            Self::Relative(t) => t * lower.max(0.0),
        }
    }
}

impl Volumes<'_> {
    /// [`overlap`](Self::overlap), refined until its bounds are as near as asked; see [`Stop`].
    pub fn refined_overlap(
        &mut self,
        bodies: [BodyId; 2],
        resolution: Resolution,
        tolerance: Tolerance,
    ) -> Result<Refined, Error> {
        tolerance.check()?;
        let mut blocks = 0;
        let mut is_full = false;
        let overlap = self.overlap_and(bodies, resolution, |query, results| {
            (blocks, is_full) = query.refine(results, tolerance);
        })?;
        let width = match tolerance {
            Tolerance::Absolute(t) => t,
            Tolerance::Relative(t) => t * overlap.lower,
        };
        let places = self.admit_both(bodies)?;
        let stop = if !self.are_closed(&places) {
            Stop::Open
        } else if overlap.upper - overlap.lower <= width {
            Stop::Reached
        } else if is_full {
            Stop::Work
        } else {
            Stop::Lattice
        };
        Ok(Refined { overlap, stop, blocks })
    }
}

impl PairQuery<'_> {
    /// Replaces the bounds of the tiles by those of their blocks until they are near enough. How many blocks were cut,
    /// and whether there would be too many more.
    fn refine(&self, tiles: &mut [TileResult], tolerance: Tolerance) -> (usize, bool) {
        let moved = self.lists[0].moved() + self.lists[1].moved();
        let mut blocks: Vec<RefinedBlock> = Vec::new();
        // From here on the tiles hold what is settled.
        for (tile, t) in tiles.iter_mut().enumerate().filter(|(_, t)| t.bounds.width() > 0.0) {
            let lists = [0, 1].map(|b| self.lists[b].list(tile).slices().flatten().copied().collect());
            let region = BlockExtent::of_tile(self.lattice, tile, self.lists[0].tiles[0]);
            blocks.push(RefinedBlock { tile, region, lists, bounds: std::mem::take(&mut t.bounds) });
        }
        let (mut cut, mut is_full) = (0, false);
        let mut last: Option<RefineRound> = None;
        while !blocks.is_empty() {
            let settled: f64 = tiles.iter().map(|t| t.bounds.width()).sum();
            let open: f64 = blocks.iter().map(|b| b.bounds.width()).sum();
            let lower = tiles.iter().map(|t| &t.bounds).chain(blocks.iter().map(|b| &b.bounds));
            let lower: f64 = lower.map(|b| b.lower).sum::<f64>() - moved;
            // Less what no refinement takes away; and below that there is nothing to be gained.
            let aim = (tolerance.width(lower, self.lattice) * (1.0 - 1e-9) - 2.0 * moved).max(0.5 * moved);
            if settled + open <= aim {
                break;
            }
            // What is narrow enough for its share stays as it is, so that the work goes where the width is.
            let share = (0.5 * (aim - settled)).max(1e-3 * open) / blocks.len() as f64;
            let (mut wide, narrow): (Vec<_>, Vec<_>) =
                blocks.into_iter().partition(|b| b.bounds.width() > share && b.region.shift > FINEST);
            for block in &narrow {
                tiles[block.tile].bounds += block.bounds;
            }
            let round = RefineRound { blocks: wide.len(), open };
            let predicted = match last.replace(round) {
                Some(last) if cut > TRIED_BLOCKS => round.predicted(&last, aim),
                _ => wide.len(),
            };
            if cut + predicted > MOST_BLOCKS {
                (blocks, is_full) = (wide, true);
                break;
            }
            cut += wide.len();
            let mut parts: Vec<Vec<RefinedBlock>> = Vec::new();
            parts.resize_with(wide.len(), Vec::new);
            let mut work: Vec<_> = wide.iter_mut().zip(&mut parts).collect();
            parallel::for_each(&mut work, |_, (block, parts)| self.divide(block, parts));
            blocks = Vec::new();
            for part in parts.into_iter().flatten() {
                if part.bounds.width() > 0.0 {
                    blocks.push(part);
                } else {
                    tiles[part.tile].bounds += part.bounds;
                }
            }
        }
        for block in &blocks {
            tiles[block.tile].bounds += block.bounds;
        }
        (cut, is_full)
    }

    /// Blocks that make up the inner columns of a block, cut into columns of half the width.
    fn divide(&self, block: &RefinedBlock, parts: &mut Vec<RefinedBlock>) {
        let mut guard = self.scratch.get();
        let mut layers: [TileLayers; 2] = Default::default();
        let whole = &block.region;
        let [first, last] = whole.inner;
        let span = |k: usize| (2 * first[k]..2 * (last[k] + 1)).step_by(INNER as usize);
        for y in span(1) {
            for x in span(0) {
                let mut region = whole.part([x, y]);
                let found = [0, 1].map(|k| self.over(&region, k, &block.lists[k]));
                let [(a, a_range), (b, b_range)] = &found;
                let (Some(ra), Some(rb)) = (a_range, b_range) else { continue };
                let depth = [ra[0].max(rb[0]).max(whole.depth[0]), ra[1].min(rb[1]).min(whole.depth[1])];
                if depth[0] >= depth[1] {
                    continue;
                }
                let deepest = i64::from(DEEPEST) << region.shift;
                let pieces = (i64::from(depth[1] - depth[0]) + deepest - 1) / deepest;
                let at = |i: i64| depth[0] + (i64::from(depth[1] - depth[0]) * i / pieces) as i32;
                let given = [GivenList::new(a.clone()), GivenList::new(b.clone())];
                for i in 0..pieces {
                    region.depth = [at(i), at(i + 1)];
                    let tile =
                        Tile::new(region.origin, region.shift, region.columns, region.depth, Walls::Excluded);
                    let triangles = [given[0].list(), given[1].list()];
                    solve::draw(&tile, self.pair, triangles, [None; 2], &mut guard, &mut layers);
                    let beyond = region.beyond(self.lattice, self.pair);
                    let narrow = |states: &mut [super::slice_masks::SliceMasks; 2]| {
                        for c in (0..tile.len()).filter(|&c| !region.counts(tile.coordinates(c))) {
                            (states[0].inside[c], states[0].cut[c]) = (0, 0);
                        }
                    };
                    let bounds = solve::measure_part(
                        &tile,
                        self.pair,
                        [0, 0],
                        &beyond,
                        &mut guard,
                        &layers,
                        narrow,
                        |columns, depth| solve::ray_overlap(columns, [0, 0], depth),
                    );
                    parts.push(RefinedBlock {
                        tile: block.tile,
                        region,
                        lists: [a.clone(), b.clone()],
                        bounds,
                    });
                }
            }
        }
    }

    /// The triangles of a list over a region, and the range of depth in which the body lies there.
    fn over(&self, region: &BlockExtent, k: usize, list: &[u32]) -> (Vec<u32>, Option<[i32; 2]>) {
        let body = &self.pair.bodies[k];
        let mut kept = Vec::new();
        let mut range: Option<[i32; 2]> = None;
        for &t in list {
            if let Some([lo, hi]) = region.depth_of(body, t) {
                kept.push(t);
                let [l, h] = range.unwrap_or([lo, hi]);
                range = Some([l.min(lo), h.max(hi)]);
            }
        }
        // What was left out because it lies above everything is above this block too.
        if let Some(range) = &mut range
            && self.lists[k].has_overhead()
        {
            range[1] = i32::MAX;
        }
        (kept, range)
    }
}

impl BlockExtent {
    /// The columns of a tile.
    fn of_tile(lattice: &Lattice, tile: usize, across: usize) -> Self {
        let first = [tile % across, tile / across].map(|i| i as u32 * SIDE);
        let columns = [0, 1].map(|k| (lattice.resolution[k] - first[k]).min(SIDE) as i32);
        Self {
            origin: first.map(|i| (i << lattice.shift) as i32),
            shift: lattice.shift,
            columns,
            inner: [[0, 0], columns.map(|n| n - 1)],
            depth: [0, lattice.size[2]],
        }
    }

    /// The block that begins at a given column of half the width.
    fn part(&self, first: [i32; 2]) -> Self {
        let last = [0, 1].map(|k| (first[k] + INNER - 1).min(2 * self.inner[1][k] + 1));
        let lo = first.map(|i| (i - MARGIN).max(0));
        let hi = [0, 1].map(|k| (last[k] + MARGIN).min(2 * self.columns[k] - 1));
        let shift = self.shift - 1;
        Self {
            origin: [self.origin[0] + (lo[0] << shift), self.origin[1] + (lo[1] << shift)],
            shift,
            columns: [hi[0] - lo[0] + 1, hi[1] - lo[1] + 1],
            inner: [[first[0] - lo[0], first[1] - lo[1]], [last[0] - lo[0], last[1] - lo[1]]],
            depth: self.depth,
        }
    }

    /// Whether the volume of a column is asked for.
    fn counts(&self, at: [i32; 2]) -> bool {
        (0..2).all(|k| self.inner[0][k] <= at[k] && at[k] <= self.inner[1][k])
    }

    /// What is known of the bodies beside the region.
    fn beyond(&self, lattice: &Lattice, pair: &SnappedPair<'_>) -> [Beyond; 2] {
        pair.ends.map(|ends| {
            let at_end = |k: usize| {
                let last = self.origin[k] + (self.columns[k] << self.shift);
                [self.origin[k] == 0, last == lattice.size[k]]
            };
            let empty = |k: usize| [ends[k][0] && at_end(k)[0], ends[k][1] && at_end(k)[1]];
            Beyond { empty: [empty(0), empty(1)] }
        })
    }

    /// A range of depth that holds the part of a triangle over the region; `None` where there is none.
    fn depth_of(&self, body: &SnappedBody<'_>, triangle: u32) -> Option<[i32; 2]> {
        let shape = body.shape(triangle);
        let last = [0, 1].map(|k| self.origin[k] + (self.columns[k] << self.shift));
        if (0..2).any(|k| shape.max[k] < self.origin[k] || shape.min[k] > last[k]) {
            return None;
        }
        let whole = [shape.min[2], shape.max[2]];
        let is_over = (0..2).all(|k| shape.min[k] >= self.origin[k] && shape.max[k] <= last[k]);
        if is_over || (body.has_far && lattice::is_far(&shape.corners)) {
            return Some(whole);
        }
        // Cut to the region, a unit larger, in floating point: off by far less than a unit.
        let mut polygon: Vec<[f64; 3]> =
            shape.corners.iter().map(|&[x, y, z, _]| [x, y, z].map(f64::from)).collect();
        for k in 0..2 {
            polygon = keep(&polygon, |p| p[k] - f64::from(self.origin[k] - 1));
            polygon = keep(&polygon, |p| f64::from(last[k] + 1) - p[k]);
        }
        let lo = polygon.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        let hi = polygon.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
        (lo <= hi).then(|| [(lo.floor() as i32 - 1).max(whole[0]), (hi.ceil() as i32 + 1).min(whole[1])])
    }
}

/// The part of a convex polygon where a linear function is not negative.
fn keep(polygon: &[[f64; 3]], f: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, q) in polygon.iter().enumerate() {
        let p = &polygon[(i + polygon.len() - 1) % polygon.len()];
        let (fp, fq) = (f(p), f(q));
        if (fp < 0.0) != (fq < 0.0) {
            let t = fp / (fp - fq);
            kept.push(std::array::from_fn(|k| p[k] + t * (q[k] - p[k])));
        }
        if fq >= 0.0 {
            kept.push(*q);
        }
    }
    kept
}
