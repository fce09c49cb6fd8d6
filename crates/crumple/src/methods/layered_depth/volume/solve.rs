//! One tile worked through: layers, states, cells, volume.

use super::super::bits::INTERIOR;
use super::super::body::SnappedBody;
use super::super::lattice::Lattice;
use super::super::merge::{Stretch, is_common, merge};
use super::super::raster::fragments::{Fragment, TileLayers};
use super::super::raster::tile::Tile;
use super::super::voi::Voi;
use super::cells::{Cells, DoubtfulCell, Presence, combine};
use super::classify::WantedColumns;
use super::coverage::Coverage;
use super::integrate::{Sums, TileSurface, integrate};
use super::side_proof::{Beyond, SideProof, prove};
use super::slice_masks::{SliceMasks, read_masks};
use super::tile_lists::TileList;

/// Memory that a worker uses again for each tile.
#[derive(Debug, Default)]
pub(crate) struct TileScratch {
    pub covers: [Coverage; 2],
    /// −1 for a body that is inside out here: its first layer is an exit.
    pub signs: [i32; 2],
    pub states: [SliceMasks; 2],
    pub cells: Cells,
    side_proof: SideProof,
    /// The body that was drawn first, and the columns where it is not absent.
    first: usize,
    present: Vec<bool>,
    wanted: WantedColumns,
}

/// The two bodies of a question, on the lattice.
#[derive(Clone, Copy)]
pub(crate) struct SnappedPair<'a> {
    pub bodies: [SnappedBody<'a>; 2],
    /// Per body, along x and y: whether it ends where the volume of interest begins, and where it ends.
    pub ends: [[[bool; 2]; 2]; 2],
}

/// A volume in lattice units.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct VolumeBounds {
    pub lower: f64,
    pub upper: f64,
    pub estimate: f64,
}

impl VolumeBounds {
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Lower bound, estimate and upper bound in space, given the volume that snapping may have swept; never more than
    /// the volume of interest.
    pub fn in_space(&self, lattice: &Lattice, moved: f64, voi: &Voi) -> [f64; 3] {
        let cubes = [(self.lower - moved).next_down(), (self.upper + moved).next_up()];
        // Nothing was found, and nothing moved: proved to be nothing.
        let cubes = if self.upper + moved == 0.0 { [0.0; 2] } else { cubes };
        let [lower, upper] = lattice.volume_bounds(cubes).map(|bound| bound.min(voi.volume_above()));
        [lower, lattice.volume(self.estimate).clamp(lower, upper), upper]
    }
}

impl std::ops::AddAssign for VolumeBounds {
    /// Rounded outward, so that bounds stay bounds however many are added up.
    fn add_assign(&mut self, other: Self) {
        // Nothing more is exact, and so is the first.
        let is_exact = |a: f64, b: f64| a == 0.0 || b == 0.0;
        let sum = [self.lower + other.lower, self.upper + other.upper];
        self.lower = if is_exact(self.lower, other.lower) { sum[0] } else { sum[0].next_down() };
        self.upper = if is_exact(self.upper, other.upper) { sum[1] } else { sum[1].next_up() };
        self.estimate += other.estimate;
    }
}

/// Draws both bodies: touched slices and sorted layers. A body that is inside out is turned, unless `signs` say how.
///
/// The body with fewer triangles comes first; of the other, what lies in columns where the first is absent is sampled
/// only.
pub(crate) fn draw(
    tile: &Tile,
    pair: &SnappedPair<'_>,
    lists: [TileList<'_>; 2],
    signs: [Option<i32>; 2],
    scratch: &mut TileScratch,
    layers: &mut [TileLayers; 2],
) {
    let first = usize::from(lists[1].len() < lists[0].len());
    scratch.first = first;
    for k in [first, 1 - first] {
        let cover = &mut scratch.covers[k];
        cover.clear(tile.len());
        let wanted = (k != first).then_some(&scratch.wanted);
        cover.draw(tile, &pair.bodies[k], lists[k], wanted, layers[k].clear());
        layers[k].sort(tile.len());
        let sign = layers[k].fragments.first().map_or(1, |f| i32::from(f.step));
        scratch.signs[k] = signs[k].unwrap_or(sign);
        if scratch.signs[k] < 0 {
            std::mem::swap(&mut cover.up, &mut cover.down);
            layers[k].fragments.iter_mut().for_each(|f| f.step = -f.step);
        }
        if k == first {
            let is_present = |c: usize| cover.touched(c) != 0 || !layers[k].column(c).is_empty();
            scratch.present.clear();
            scratch.present.extend((0..tile.len()).map(is_present));
            scratch.wanted.set(tile, &scratch.present);
        }
    }
}

/// Draws one body, turned over where `sign` is −1; the other is not there.
pub(crate) fn draw_one(
    tile: &Tile,
    body: &SnappedBody<'_>,
    list: TileList<'_>,
    sign: i32,
    scratch: &mut TileScratch,
    layers: &mut [TileLayers; 2],
) {
    (scratch.first, scratch.signs) = (0, [sign, 1]);
    scratch.present.clear();
    scratch.present.resize(tile.len(), true);
    for k in 0..2 {
        scratch.covers[k].clear(tile.len());
        layers[k].clear();
    }
    let [cover, _] = &mut scratch.covers;
    let [drawn, none] = layers;
    cover.draw(tile, body, list, None, drawn.clear());
    drawn.sort(tile.len());
    none.sort(tile.len());
    if sign < 0 {
        std::mem::swap(&mut cover.up, &mut cover.down);
        drawn.fragments.iter_mut().for_each(|f| f.step = -f.step);
    }
}

/// The common volume within a tile whose bodies are drawn.
pub(crate) fn measure(
    tile: &Tile,
    pair: &SnappedPair<'_>,
    base: [i32; 2],
    beyond: &[Beyond; 2],
    scratch: &mut TileScratch,
    layers: &[TileLayers; 2],
) -> VolumeBounds {
    measure_part(
        tile,
        pair,
        base,
        beyond,
        scratch,
        layers,
        |_| {},
        |columns, depth| ray_overlap(columns, base, depth),
    )
}

/// [`measure`] of what `narrow` leaves of the states; `sampled` is asked how much of a centre ray between two depths
/// counts.
#[allow(clippy::too_many_arguments)]
pub(crate) fn measure_part(
    tile: &Tile,
    pair: &SnappedPair<'_>,
    base: [i32; 2],
    beyond: &[Beyond; 2],
    scratch: &mut TileScratch,
    layers: &[TileLayers; 2],
    narrow: impl FnOnce(&mut [SliceMasks; 2]),
    sampled: impl Fn([&[Fragment]; 2], [i32; 2]) -> f64,
) -> VolumeBounds {
    let TileScratch { covers, signs, states, cells, side_proof, first, present, .. } = scratch;
    // Where the first body is absent the second was not drawn, so that nothing is known of what lies between.
    let second = 1 - *first;
    read_masks(&mut states[*first], &covers[*first], &layers[*first], base[*first], |_| true);
    read_masks(&mut states[second], &covers[second], &layers[second], base[second], |c| present[c]);
    for k in 0..2 {
        let (mine, other) = split(states, k);
        let doubt =
            |s: &SliceMasks, c: usize| s.cut[c] & !s.simple[c] & (other.inside[c] | other.cut[c]) & INTERIOR;
        prove(side_proof, tile, &covers[k], mine, &beyond[k], doubt);
    }
    narrow(states);
    combine(cells, tile, covers, layers, states, base);
    let mut sums = Sums::default();
    for k in 0..2 {
        let surface = TileSurface { tile, k, cover: &covers[k], body: &pair.bodies[k], sign: signs[k] };
        integrate(surface, cells, &mut sums);
    }
    let area = f64::from(tile.pixel()) * f64::from(tile.pixel());
    let columns = 6 * i128::from(cells.height) * (1i128 << (2 * tile.shift));
    let exact = (columns + sums.six) as f64 / 6.0 + sums.pieces;
    // Three roundings of a sixth of the integers and two of the sum, and those of the slack itself.
    let slack = (sums.slack + 1e-15 * (columns.abs() as f64 + sums.six.abs() as f64)) * (1.0 + 1e-9);
    let mut bounds = VolumeBounds { lower: exact - slack, upper: exact + slack, estimate: exact };
    for cell in &cells.list {
        let [a, b] = layers;
        let column = usize::from(cell.column);
        bounds += cell.bounds(area, || sampled([a.column(column), b.column(column)], cell.depth) * area);
    }
    bounds
}

/// One of two, and the other.
fn split(states: &mut [SliceMasks; 2], k: usize) -> (&mut SliceMasks, &SliceMasks) {
    let [a, b] = states;
    if k == 0 { (a, b) } else { (b, a) }
}

impl DoubtfulCell {
    /// The common volume in this cell, given both sides; `sampled` is asked where they leave it open.
    pub fn bounds(&self, area: f64, sampled: impl FnOnce() -> f64) -> VolumeBounds {
        let volume = area * f64::from(self.depth[1] - self.depth[0]);
        let range = |side: &Presence| match *side {
            Presence::Full => [volume; 2],
            Presence::Simple { winding, sum, .. } => {
                [(f64::from(winding) * volume + sum).clamp(0.0, volume); 2]
            }
            Presence::Unknown => [0.0, volume],
        };
        let ([a0, a1], [b0, b1]) = (range(&self.sides[0]), range(&self.sides[1]));
        // Two parts of a cell have at least what is more than the cell in common; rounded down at each step, unless
        // one of them is all of it.
        let least = ((a0 + b0).next_down() - volume).next_down().max(0.0);
        let lower = if a0 == volume {
            b0
        } else if b0 == volume {
            a0
        } else {
            least
        };
        let upper = a1.min(b1);
        let estimate = if lower < upper { sampled().clamp(lower, upper) } else { lower };
        VolumeBounds { lower, upper: upper.max(lower), estimate }
    }
}

/// How much of the centre ray between two depths is inside both bodies.
pub(crate) fn ray_overlap(columns: [&[Fragment]; 2], base: [i32; 2], depth: [i32; 2]) -> f64 {
    length_of(depth.map(f64::from), |f| merge(columns, base, is_common, f))
}

/// How much stretches cover of a range of depth.
pub(crate) fn length_of(depth: [f64; 2], stretches: impl FnOnce(&mut dyn FnMut(Stretch<Fragment>))) -> f64 {
    let mut length = 0.0;
    stretches(&mut |stretch| {
        let [from, to] = stretch.clipped_to(depth);
        length += (to - from).max(0.0);
    });
    length
}
