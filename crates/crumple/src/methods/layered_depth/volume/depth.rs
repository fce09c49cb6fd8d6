//! How deep two bodies are in each other, from the volume that they share (H30).
//!
//! The way out is told by the volume itself: moving a body against the gradient diminishes it fastest. That direction changes
//! as smoothly as the volume does, where the shortest way out jumps from one face to another. Along it, the bodies are turned
//! upright and seen once more: the longest stretch of a ray inside both is the depth, its ends are the points to be brought
//! together. Bounds need no ray: no stretch is longer than the box that holds the common volume, nor can all be shorter than
//! the volume divided by the area over which it lies.

use glam::DVec3;

use super::super::merge::{is_common, merge};
use super::super::{Resolution, Volumes};
use crate::geometry::Point;
use crate::{Bodies, BodyId, Error, Frame, Guarantee, Positions};

/// How deep two bodies are in each other, along the direction in which their common volume falls fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct VolumeDepth {
    /// The way out of the second body, of length 1: against the gradient of the common volume. Where the volume does not change,
    /// since one body holds the other, it leads from the middle of the first to that of the second.
    pub direction: [f64; 3],
    /// The longest stretch along it inside both bodies that a ray met, within the bounds.
    pub depth: f64,
    /// The longest stretch there is, is not below this.
    pub lower: f64,
    /// The longest stretch there is, is not above this.
    pub upper: f64,
    /// Where the stretch begins and ends: the second body leaves when its point at the first end is moved to the other. Of a
    /// volume that no ray met, the middle of its box twice.
    pub ends: [[f64; 3]; 2],
    /// Moved along the direction by so much, the second body is beyond a plane that the first is not: surely parted, whatever
    /// their shapes.
    pub parting: f64,
    /// What the bounds are worth.
    pub guarantee: Guarantee,
}

/// More than the rounding of a turned coordinate, as a part of the largest that it is made of.
const DOUBT: f64 = 1e-14;

impl Volumes<'_> {
    /// How deep two closed bodies are in each other; `None` where they surely share no volume. See [`VolumeDepth`].
    pub fn depth(&mut self, pair: [BodyId; 2], resolution: Resolution) -> Result<Option<VolumeDepth>, Error> {
        if self.overlap(pair, resolution)?.upper <= 0.0 {
            return Ok(None);
        }
        let direction = self.way_out(pair, resolution)?;
        let across = direction.any_orthonormal_vector();
        let turn = [across, direction.cross(across), direction];
        let turned = pair.map(|id| turned(self.frame.of(id), turn));
        let bodies = Bodies::new(pair.map(|id| self.bodies.mesh(id).clone())).map_err(Error::from)?;
        let frame = Frame::from(&turned[..]);
        let mut upright = Volumes { method: &mut *self.method, bodies: &bodies, frame, is_still: false };
        let pair = [BodyId(0), BodyId(1)];
        let overlap = upright.overlap(pair, resolution)?;
        let Some([low, high]) = overlap.bounds.filter(|_| overlap.upper > 0.0) else { return Ok(None) };
        let stretch = upright.longest_stretch(pair, resolution)?;
        let heights = |n: usize| turned[n].iter().map(|p| p[2]);
        let largest = turned.iter().flatten().flatten().fold(0f64, |most, x| most.max(x.abs()));
        let doubt = DOUBT * largest;
        let size: Point = std::array::from_fn(|k| (high[k] - low[k]).next_up() + 2.0 * doubt);
        let upper = size[2];
        let lower = (overlap.lower / size[0] / size[1] * (1.0 - DOUBT) - 2.0 * doubt).clamp(0.0, upper);
        let middle = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
        let ends = stretch.unwrap_or([middle; 2]);
        let top = heights(0).fold(f64::NEG_INFINITY, f64::max);
        let bottom = heights(1).fold(f64::INFINITY, f64::min);
        let back = |p: Point| (p[0] * turn[0] + p[1] * turn[1] + p[2] * turn[2]).to_array();
        Ok(Some(VolumeDepth {
            direction: direction.to_array(),
            depth: (ends[1][2] - ends[0][2]).clamp(lower, upper),
            lower,
            upper,
            ends: ends.map(back),
            parting: (top - bottom).max(0.0).next_up() + 2.0 * doubt,
            guarantee: overlap.guarantee,
        }))
    }

    /// Where the second body has to go for the common volume to fall fastest.
    fn way_out(&mut self, pair: [BodyId; 2], resolution: Resolution) -> Result<DVec3, Error> {
        let gradient = self.gradient(pair, resolution)?;
        let growth = DVec3::from_array(gradient.total(1));
        // What is left of a sum that cancels is no direction.
        let size: f64 = gradient.bodies[1].iter().map(|g| DVec3::from_array(*g).length()).sum();
        let between = || {
            let [a, b] = pair.map(|id| DVec3::from_array(self.frame.of(id).bounds().centre()));
            (b - a).try_normalize()
        };
        let by_volume = Some(-growth).filter(|g| g.length() > 1e-9 * size).and_then(DVec3::try_normalize);
        Ok(by_volume.or_else(between).unwrap_or(DVec3::Z))
    }

    /// The ends of the longest stretch inside both bodies that a ray along z meets.
    fn longest_stretch(
        &mut self,
        pair: [BodyId; 2],
        resolution: Resolution,
    ) -> Result<Option<[Point; 2]>, Error> {
        let Some(mut view) = self.view_along(pair, 2, resolution)? else { return Ok(None) };
        let layers = [view.layers(0), view.layers(1)];
        let lattice = view.lattice();
        let mut longest: Option<(i32, usize, [i32; 2])> = None;
        for column in 0..lattice.columns() {
            let lists = [layers[0].column(column), layers[1].column(column)];
            if lists.iter().any(|list| list.iter().map(|layer| layer.winding()).sum::<i32>() != 0) {
                continue;
            }
            merge(lists, [0; 2], is_common, |stretch| {
                let [from, to] = stretch.depth();
                let length = to.saturating_sub(from);
                if length > longest.map_or(0, |(length, ..)| length) {
                    longest = Some((length, column, [from, to]));
                }
            });
        }
        Ok(longest.map(|(_, column, ends)| {
            let [x, y] = lattice.centre(layers[0].pixel(column)).map(f64::from);
            ends.map(|z| lattice.world([x, y, f64::from(z)]))
        }))
    }
}

/// Positions by their coordinates along three axes.
fn turned(positions: Positions<'_>, axes: [DVec3; 3]) -> Vec<Point> {
    (0..positions.len())
        .map(|n| {
            let p = DVec3::from_array(positions.get(n));
            axes.map(|axis| axis.dot(p))
        })
        .collect()
}
