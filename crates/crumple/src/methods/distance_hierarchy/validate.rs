//! The invariants on the method's page, by number.

use std::collections::HashSet;

use super::regions::refit::Now;
use super::regions::{Block, Region, Regions, at};
use super::search::Side;
use super::search::block_pair::ALL;
use super::search::front::Front;
use super::{BodyState, DistanceHierarchy};
use crate::budget::Clock;
use crate::geometry::Point;
use crate::narrow::tri_tri_distance;
use crate::{Bodies, Broken, Frame};

fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "distance-hierarchy", invariant, what }
}

impl DistanceHierarchy {
    /// Checks the invariants on the method's page, by number.
    #[doc(hidden)]
    pub fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        for (id, state) in bodies.body_ids().zip(&self.bodies) {
            let positions: Vec<Point> = (0..frame.of(id).len()).map(|v| frame.of(id).get(v)).collect();
            let Some(regions) = &state.regions else { continue };
            check_cover(state, regions)?;
            let own = &self.positions[state.first_vertex as usize..][..positions.len()];
            if let Some(v) = (0..own.len()).find(|&v| own[v] != positions[v]) {
                return Err(broken("I2", format!("vertex {v} is not where the frame has it")));
            }
            let now =
                Now { frame: self.frame, positions: own, map: &self.scale.map, clock: Clock::default() };
            check_fitted(regions, regions.root, now)?;
        }
        for ([a, b], pair) in self.records.sorted() {
            let fits = |body: crate::BodyId, t: u32| {
                self.bodies.get(body.index()).is_some_and(|s| (t as usize) < s.body.triangle_count())
            };
            if a >= b || !fits(a, pair[0]) || !fits(b, pair[1]) {
                return Err(broken("I5", format!("record of bodies {a} and {b} names triangles {pair:?}")));
            }
            let sides = [a, b].map(|x| Side::of(self.state(x), &self.positions));
            if let (Some(front), [Some(s), Some(t)]) = (self.records.front(a, b), sides) {
                check_front(front, [s, t])?;
            }
        }
        Ok(())
    }
}

/// I1: every triangle in one block, with its own corners; every used vertex owned once.
fn check_cover(state: &BodyState, regions: &Regions) -> Result<(), Broken> {
    let triangles = state.body.triangles();
    let mut seen = vec![0u32; triangles.len()];
    let mut owners = vec![0u32; state.body.vertex_count()];
    for (i, block) in regions.blocks.iter().enumerate() {
        for (k, corners) in regions.corners(block).iter().enumerate() {
            let t = regions.triangles[block.first as usize + k];
            seen[t as usize] += 1;
            let vertices = corners.map(|s| regions.vertex(block, s as usize));
            let is_known = regions.upkeep.as_ref().is_none_or(|u| u.block_of(t) == i as u32);
            if vertices != triangles[t as usize].map(|v| v.0) || t < block.least || !is_known {
                return Err(broken("I1", format!("block {i} mistakes triangle {t}")));
            }
        }
        (0..block.own as usize).for_each(|s| owners[regions.vertex(block, s) as usize] += 1);
    }
    if let Some(t) = seen.iter().position(|&n| n != 1) {
        return Err(broken("I1", format!("triangle {t} is in {} blocks", seen[t])));
    }
    let mut used = vec![0; owners.len()];
    triangles.iter().flatten().for_each(|v| used[v.index()] = 1);
    let is_loose = |v: usize| regions.upkeep.as_ref().is_some_and(|u| !u.is_used(v));
    match (0..used.len()).find(|&v| used[v] != owners[v] || is_loose(v) && used[v] == 1) {
        Some(v) => Err(broken("I1", format!("vertex {v} has {} owners", owners[v]))),
        None => Ok(()),
    }
}

/// I2 to I4, for the regions in this one that are up to date.
fn check_fitted(regions: &Regions, region: Region, now: Now<'_>) -> Result<(), Broken> {
    if regions.is_fitted(region, now.frame) {
        return check_bounds(regions, region, now).map(drop);
    }
    if !region.is_block() {
        let node = regions.node(region);
        node.child[..node.count].iter().try_for_each(|&c| check_fitted(regions, c, now))?;
    }
    Ok(())
}

/// I2: the slots of a block hold the images of their vertices.
fn check_images(regions: &Regions, block: &Block, now: Now<'_>) -> Result<(), Broken> {
    for (c, chunk) in regions.chunks(block).iter().enumerate() {
        for (i, &v) in regions.slots[block.first_chunk as usize + c].iter().enumerate() {
            let image = now.map.apply(&now.positions[v as usize]);
            if image != std::array::from_fn(|k| chunk[k].0[i]) {
                return Err(broken("I2", format!("vertex {v} is not where slot {} has it", 8 * c + i)));
            }
        }
    }
    Ok(())
}

/// I3 and I4, for a region and all in it; yields the vertices of the region.
fn check_bounds(regions: &Regions, region: Region, now: Now<'_>) -> Result<Vec<u32>, Broken> {
    let mut vertices = Vec::new();
    if !regions.is_fitted(region, now.frame) {
        return Err(broken("I3", format!("{region:?} is behind the region that it is in")));
    }
    if region.is_block() {
        let block = &regions.blocks[region.index()];
        vertices.extend((0..block.vertices as usize).map(|s| regions.vertex(block, s)));
        check_images(regions, block, now)?;
        let images = regions.chunks(block);
        if at(images, block.middle) != regions.bound(region).centre {
            return Err(broken("I3", format!("{region:?} is not round its middle vertex")));
        }
    } else {
        let node = regions.node(region);
        for i in 0..node.count {
            vertices.extend(check_bounds(regions, node.child[i], now)?);
            if node.bound_of(i) != *regions.bound(node.child[i]) {
                return Err(broken("I3", format!("{region:?} does not know its child {i}")));
            }
        }
        vertices.sort_unstable();
        vertices.dedup();
    }
    let bound = regions.bound(region);
    for &v in &vertices {
        let p = now.map.apply(&now.positions[v as usize]);
        let held = (0..3).all(|k| bound.min[k] <= p[k] && p[k] <= bound.max[k]);
        let away: f64 = (0..3).map(|k| (f64::from(p[k]) - f64::from(bound.centre[k])).powi(2)).sum();
        if !held || away.sqrt() > f64::from(bound.radius) {
            return Err(broken("I3", format!("vertex {v} is outside {region:?}")));
        }
    }
    if !vertices.contains(&regions.middle(region)) {
        return Err(broken("I4", format!("the middle vertex of {region:?} is not in it")));
    }
    Ok(vertices)
}

/// Pairs of triangles whose distances are computed for I6, about; where there are more, these are spread over all.
const MOST_PAIRS: usize = 1 << 17;

/// I6: every pair of triangles is at rest once, and none is closer than was promised.
fn check_front(front: &Front, sides: [Side<'_>; 2]) -> Result<(), Broken> {
    if front.is_empty() {
        return Ok(());
    }
    let trees = sides.map(|s| s.regions);
    let all: usize = sides.iter().map(|s| s.state.body.triangle_count()).product();
    let (mut seen, mut covered) = (HashSet::new(), 0);
    let most = MOST_PAIRS.div_ceil(front.promises().count());
    for promise in front.promises() {
        let blocks = [0, 1].map(|i| trees[i].blocks_of(promise.pair[i]));
        let places = [0, 1].map(|i| -> Vec<u32> {
            let blocks = blocks[i].iter().map(|&b| &trees[i].blocks[b]);
            blocks.flat_map(|b| &trees[i].triangles[b.first as usize..][..b.count.into()]).copied().collect()
        });
        covered += places[0].len() * places[1].len();
        let mut pairs = blocks[0].iter().flat_map(|&x| blocks[1].iter().map(move |&y| [x, y]));
        if all <= MOST_PAIRS && !pairs.all(|pair| seen.insert(pair)) {
            return Err(broken("I6", format!("blocks of {:?} are at rest twice", promise.pair)));
        }
        let pairs = places[0].len() * places[1].len();
        for k in (0..pairs).step_by(if all <= MOST_PAIRS { 1 } else { pairs.div_ceil(most) }) {
            let [i, j] = [k / places[1].len(), k % places[1].len()];
            let is_near = promise.near == ALL || promise.near[0] >> i & promise.near[1] >> j & 1 == 1;
            let promised = if is_near { promise.lower } else { promise.others };
            let (s, t) = (places[0][i], places[1][j]);
            let upper = tri_tri_distance::closest(&sides[0].corners(s), &sides[1].corners(t)).upper;
            if promised > upper {
                let what = format!("triangles {s} and {t} are {upper} apart, not {promised}");
                return Err(broken("I6", what));
            }
        }
    }
    if covered != all {
        return Err(broken("I6", format!("{covered} of {all} pairs of triangles are at rest")));
    }
    Ok(())
}
