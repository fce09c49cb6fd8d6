//! How much a body overlaps itself (H31, H-A16).
//!
//! Rays of a sound body meet front and back faces in turn, and its winding number is 0 or 1. Where front faces follow
//! front faces it is 2 or more, where back faces come first it is negative: these places are listed by
//! [`Layers::misordered`](super::super::image::Layers::misordered), and their volume is measured here, with bounds.
//!
//! The bounds come from the same masks as those of two bodies. A slice that is proved to have winding number 0 or 1
//! holds no overlap. In a slice proved to have no 0, what counts is where the number less one is not zero: that is the
//! volume of a body again, integrated over the surface where it is simple. What is left may count or not.

use super::super::bits::INTERIOR;
use super::super::body::SnappedBody;
use super::super::lattice::Lattice;
use super::super::merge::{Stretch, merge};
use super::super::raster::fragments::{Fragment, TileLayers};
use super::super::raster::tile::{SIDE, Tile, Walls};
use super::super::voi;
use super::super::{LayeredDepth, Resolution, Volumes};
use super::side_proof::{Beyond, SideProof, prove};
use super::slice_masks::{SliceMasks, read_masks};
use super::solve::{self, SnappedPair, VolumeBounds};
use super::tile_lists::{self, Overhead};
use crate::{BodyId, Error, Guarantee, parallel};

/// The volume in which a body overlaps itself or is turned over.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SelfOverlap {
    /// The best estimate, within the bounds.
    pub volume: f64,
    /// Never above the true volume; more than zero proves that the body overlaps itself.
    pub lower: f64,
    /// Never below the true volume.
    pub upper: f64,
    /// Pixels across the body's box.
    pub resolution: [u32; 2],
    /// Rays with an invalid order of front and back faces.
    pub misordered_rays: usize,
    /// Rays with more entries than exits or the reverse; only an open mesh has any.
    pub unbalanced_rays: usize,
    /// Whether the body as a whole is inside out: its winding number is −1 where it is sound.
    pub is_inside_out: bool,
    /// What the bounds are worth.
    pub guarantee: Guarantee,
}

/// One tile's results.
#[derive(Default)]
struct SelfResult {
    bounds: VolumeBounds,
    misordered: usize,
    unbalanced: usize,
}

impl Volumes<'_> {
    /// The volume in which a body overlaps itself; the resolution is that of its box.
    pub fn self_overlap(&mut self, body: BodyId, resolution: Resolution) -> Result<SelfOverlap, Error> {
        resolution.check()?;
        let place = self.admit(body)?;
        let (_, positions, bounds) = self.surface(place, body);
        let Some(voi) = voi::common(&bounds, &bounds) else { return Ok(SelfOverlap::default()) };
        let Some(lattice) = Lattice::new(&voi.bounds, voi.axis, resolution.of(&voi)) else {
            return Ok(SelfOverlap { upper: voi.volume_above(), ..SelfOverlap::default() });
        };
        let LayeredDepth { surfaces, vertices, lists, scratch, .. } = &mut *self.method;
        lattice.snap_all(positions, &mut vertices[0]);
        let surface = &surfaces[place];
        let snapped = |triangles| SnappedBody::new(lattice, triangles, (&vertices[0], positions), &bounds);
        let pair =
            SnappedPair { bodies: [snapped(surface.triangles()), snapped(&[])], ends: [[[true; 2]; 2]; 2] };
        let sign = sign(&pair.bodies[0]);
        lists[0].fill(&pair.bodies[0], Overhead::Keep);
        scratch.reserve();
        let (lists, scratch) = (&lists[0], &*scratch);
        let [across, up] = lists.tiles;
        let mut results: Vec<SelfResult> = Vec::new();
        results.resize_with(across * up, SelfResult::default);
        parallel::for_each(&mut results, |t, result| {
            let mut scratch = scratch.get();
            result.solve(&lattice, &pair, lists, [t % across, t / across], sign, &mut scratch);
        });
        let mut sum = VolumeBounds::default();
        let mut found = SelfOverlap { resolution: lattice.resolution, ..SelfOverlap::default() };
        for result in &results {
            sum += result.bounds;
            found.misordered_rays += result.misordered;
            found.unbalanced_rays += result.unbalanced;
        }
        found.is_inside_out = sign < 0;
        [found.lower, found.volume, found.upper] = sum.in_space(&lattice, lists.moved(), &voi);
        if !surface.is_balanced() {
            // An open surface has no winding number to be bounded.
            (found.lower, found.upper) = (0.0, voi.volume_above().max(found.volume));
            found.guarantee = Guarantee::Unproved;
        }
        Ok(found)
    }
}

/// The sign of the body's volume on the lattice.
fn sign(body: &SnappedBody<'_>) -> i32 {
    let six = |t: u32| {
        let shape = body.shape(t);
        i128::from(shape.area2) * i128::from(shape.depths())
    };
    if (0..body.triangles.len() as u32).map(six).sum::<i128>() < 0 { -1 } else { 1 }
}

impl Default for SelfOverlap {
    /// No volume, proved.
    fn default() -> Self {
        Self {
            volume: 0.0,
            lower: 0.0,
            upper: 0.0,
            resolution: [0; 2],
            misordered_rays: 0,
            unbalanced_rays: 0,
            is_inside_out: false,
            guarantee: Guarantee::Sampled,
        }
    }
}

impl SelfResult {
    fn solve(
        &mut self,
        lattice: &Lattice,
        pair: &SnappedPair<'_>,
        lists: &tile_lists::TileLists,
        at: [usize; 2],
        sign: i32,
        scratch: &mut solve::TileScratch,
    ) {
        let place = at[1] * lists.tiles[0] + at[0];
        let Some([low, high]) = lists.depth(place) else { return };
        let first = at.map(|i| i as u32 * SIDE);
        let columns = [0, 1].map(|k| (lattice.resolution[k] - first[k]).min(SIDE) as i32);
        let origin = first.map(|i| (i << lattice.shift) as i32);
        let depth = [low.max(0), high.min(lattice.size[2])];
        let depth = if depth[0] < depth[1] { depth } else { [0, lattice.size[2]] };
        let tile = Tile::new(origin, lattice.shift, columns, depth, Walls::Excluded);
        let mut layers: [TileLayers; 2] = Default::default();
        solve::draw_one(&tile, &pair.bodies[0], lists.list(place), sign, scratch, &mut layers);
        let at_end = [0, 1].map(|k| [at[k] == 0, at[k] + 1 == lists.tiles[k]]);
        let beyond = [Beyond { empty: at_end }, Beyond::default()];
        let mut state = SliceMasks::default();
        read_masks(&mut state, &scratch.covers[0], &layers[0], 0, |_| true);
        let doubt = |s: &SliceMasks, c: usize| s.cut[c] & !s.simple[c] & INTERIOR;
        prove(&mut SideProof::default(), &tile, &scratch.covers[0], &mut state, &beyond[0], doubt);
        let narrow = |states: &mut [SliceMasks; 2]| {
            for c in 0..tile.len() {
                // Proved to have no 0, or to be 1 or 2; and not proved to be 0 or 1 throughout.
                let whole = (state.inside[c] & !state.plain[c]) | (states[0].simple[c] & !state.simple[c]);
                let unknown = state.cut[c] & !state.simple[c] & !states[0].simple[c];
                states[0].inside[c] &= whole;
                states[0].simple[c] &= whole;
                states[0].cut[c] = (states[0].cut[c] & whole) | unknown;
            }
        };
        // The winding number less one, against a body that is everywhere.
        let base = [-1, 1];
        self.bounds = solve::measure_part(
            &tile,
            pair,
            base,
            &[Beyond::default(); 2],
            scratch,
            &layers,
            narrow,
            |[column, _], depth| misordered(column, depth),
        );
        for c in 0..tile.len() {
            let column = layers[0].column(c);
            self.misordered += usize::from(misordered(column, depth) > 0.0);
            self.unbalanced += usize::from(column.iter().map(|f| i32::from(f.step)).sum::<i32>() != 0);
        }
    }
}

/// How much of a ray between two depths has a winding number other than 0 and 1.
fn misordered(column: &[Fragment], depth: [i32; 2]) -> f64 {
    let is_misordered = |[w]: [i32; 1]| w != 0 && w != 1;
    // What an open surface leaves behind for ever is not counted.
    let ended = |f: &mut dyn FnMut(Stretch<Fragment>)| {
        merge([column], [0], is_misordered, |stretch| {
            if stretch.to.is_some() {
                f(stretch)
            }
        });
    };
    solve::length_of(depth.map(f64::from), ended)
}
