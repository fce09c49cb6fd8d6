//! Whether one closed surface holds another: an exact ray through the few blocks that it may meet.

use super::regions::Regions;
use super::{BodyState, DistanceHierarchy};
use crate::geometry::Point;
use crate::narrow::winding::{self, RayCrossing};
use crate::{BodyId, Containment, TriangleId};

impl DistanceHierarchy {
    /// Which of two bodies, whose surfaces do not touch, holds all components of the other. The regions of a body that
    /// [may](Self::may_hold) hold the other must be up to date.
    pub(super) fn containment(&self, a: BodyId, b: BodyId) -> Option<Containment> {
        if self.holds(a, b) {
            Some(Containment::A)
        } else if self.holds(b, a) {
            Some(Containment::B)
        } else {
            None
        }
    }

    /// Whether one body can hold the other at all: it is closed, and so large that its box holds the other's.
    pub(super) fn may_hold(&self, outer: BodyId, inner: BodyId) -> bool {
        let (outer, inner) = (self.state(outer), self.state(inner));
        (0..3).all(|k| {
            let (p, q) = (&outer.extent, &inner.extent);
            p.min[k] <= q.min[k] && q.max[k] <= p.max[k]
        }) && outer.body.is_closed()
    }

    fn holds(&self, outer: BodyId, inner: BodyId) -> bool {
        if !self.may_hold(outer, inner) {
            return false;
        }
        let (outer, inner) = (self.state(outer), self.state(inner));
        let Some(regions) = &outer.regions else { return false };
        let corner = |t: u32| inner.corners(&self.positions, t)[0];
        inner.components().iter().all(|&t| self.is_inside(outer, regions, &corner(t)))
    }

    /// Whether the winding number round the point is not zero, or it lies on the surface.
    fn is_inside(&self, state: &BodyState, regions: &Regions, p: &Point) -> bool {
        let at = self.scale.map.apply(p);
        // The ray goes up. Images keep the order of coordinates, so a box that it meets has an image that its image meets.
        let met = |min: [f32; 3], max: [f32; 3]| {
            min[0] <= at[0] && at[0] <= max[0] && min[1] <= at[1] && at[1] <= max[1] && at[2] <= max[2]
        };
        // Where all neighbours run in the same sense no triangle is turned, and edits carry that along.
        let topology = (!state.body.is_oriented()).then(|| state.body.topology());
        let (mut stack, mut sum) = (vec![regions.root], 0);
        while let Some(region) = stack.pop() {
            let bound = regions.bound(region);
            if !met(bound.min, bound.max) {
                continue;
            }
            if !region.is_block() {
                let node = regions.node(region);
                stack.extend_from_slice(&node.child[..node.count]);
                continue;
            }
            let block = &regions.blocks[region.index()];
            for &t in &regions.triangles[block.first as usize..][..block.count as usize] {
                let [q, r, s] = state.corners(&self.positions, t);
                let is_flipped = topology.is_some_and(|topology| topology.is_flipped(TriangleId(t)));
                let corners = if is_flipped { [q, s, r] } else { [q, r, s] };
                match winding::crossing(p, &corners) {
                    RayCrossing::None => {}
                    RayCrossing::Through(sign) => sum += i32::from(sign),
                    RayCrossing::On => return true,
                }
            }
        }
        sum != 0
    }
}
