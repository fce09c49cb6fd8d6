//! Which part of a surface is on the wrong side of a curve (global intersection analysis, Baraff et al. 2003).
//!
//! A curve leaves a trace on each of its two sides: the edges that it cuts. If the trace takes the surface apart, the smaller
//! part is the one that went through. Both parts are flooded in turn, a vertex each, so that the cost is that of the smaller
//! one; where the floods meet, the trace is a slit and there is no such part. Of a closed body it is known without counting:
//! what is behind its surface is inside.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::adjacency::{Adjacency, Part};
use super::curves::Curve;
use crate::geometry::vector::{cross, dot};
use crate::geometry::{Point, Sign};
use crate::{EdgeId, Orientation, Topology, TriangleId};

/// The part of one side that went through: its vertices, sorted.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Region {
    vertices: Vec<u32>,
}

impl Region {
    pub fn contains(&self, vertex: u32) -> bool {
        self.vertices.binary_search(&vertex).is_ok()
    }

    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The smaller part that the trace on one side (0 or 1) cuts off, if it cuts the surface in two.
    pub fn cut_off(adjacency: &Adjacency<'_>, curve: &Curve, side: usize) -> Option<Region> {
        Self::behind(adjacency, curve, &[side])
    }

    /// The smaller part that both traces together cut off: of a curve that ends in vertices, the loop between its traces, which
    /// meet there.
    pub fn loop_between(adjacency: &Adjacency<'_>, curve: &Curve) -> Option<Region> {
        Self::behind(adjacency, curve, &[0, 1])
    }

    fn behind(adjacency: &Adjacency<'_>, curve: &Curve, sides: &[usize]) -> Option<Region> {
        let mut all = HashMap::new();
        sides.iter().for_each(|&side| count_cuts(curve, side, &mut all));
        let is_cut = |e: u32| all.get(&e).is_some_and(|n| n % 2 == 1);
        let first = curve.nodes.iter().find_map(|node| match node.parts[sides[0]] {
            Part::Edge(e) if is_cut(e) => Some(e),
            _ => None,
        })?;
        let mut flood = Flood::new(adjacency.ends(first));
        if sides.len() == 2 {
            flood.block(curve.nodes.iter().filter_map(|node| match node.parts {
                [Part::Vertex(v), Part::Vertex(w)] if v == w => Some(v),
                _ => None,
            }));
        }
        flood.run(|v| adjacency.edges_at(v).filter(|(e, _)| !is_cut(*e)).map(|(_, v)| v))
    }
}

impl Region {
    /// Of a trace that cuts nothing off, a slit: what is nearer to each of its flanks than to the other, the smaller first. The
    /// slit is thought to go on to the border on the shortest way.
    pub fn flanks(adjacency: &Adjacency<'_>, curve: &Curve, side: usize) -> Option<[Region; 2]> {
        let mut flank: HashMap<u32, u8> = HashMap::new();
        let mut reached: Vec<u32> = Vec::new();
        let mut last: Option<[u32; 2]> = None;
        let cuts = cuts(curve, side);
        for node in &curve.nodes {
            let Part::Edge(e) = node.parts[side] else { continue };
            let [a, b] = adjacency.ends(e);
            // Two cuts of one triangle have a corner in common, which stays on its flank.
            let ends = match last {
                Some([l, r]) if l == a || r == b => [a, b],
                Some([l, r]) if l == b || r == a => [b, a],
                _ => [a, b],
            };
            last = Some(ends);
            if cuts[&e] % 2 == 1 {
                for (v, side) in ends.into_iter().zip([0u8, 1]) {
                    if let Entry::Vacant(free) = flank.entry(v) {
                        free.insert(side);
                        reached.push(v);
                    }
                }
            }
        }
        let is_cut = |e: u32| cuts.get(&e).is_some_and(|n| n % 2 == 1);
        let mut next = 0;
        while next < reached.len() {
            let v = reached[next];
            let own = flank[&v];
            for (_, w) in adjacency.edges_at(v).filter(|(e, _)| !is_cut(*e)) {
                if let Entry::Vacant(free) = flank.entry(w) {
                    free.insert(own);
                    reached.push(w);
                }
            }
            next += 1;
        }
        reached.sort_unstable();
        let (left, right): (Vec<u32>, Vec<u32>) = reached.into_iter().partition(|v| flank[v] == 0);
        if left.is_empty() || right.is_empty() {
            return None;
        }
        let [left, right] = [left, right].map(|vertices| Region { vertices });
        Some(if right.vertices.len() < left.vertices.len() { [right, left] } else { [left, right] })
    }
}

/// How often the curve cuts each edge of one side.
pub(crate) fn cuts(curve: &Curve, side: usize) -> HashMap<u32, u32> {
    let mut cuts = HashMap::new();
    count_cuts(curve, side, &mut cuts);
    cuts
}

fn count_cuts(curve: &Curve, side: usize, cuts: &mut HashMap<u32, u32>) {
    for node in &curve.nodes {
        if let Part::Edge(e) = node.parts[side] {
            *cuts.entry(e).or_insert(0) += 1;
        }
    }
}

/// The owner of vertices that neither flood enters.
const BLOCKED: u8 = 2;

/// Two floods that take turns.
struct Flood {
    owner: HashMap<u32, u8>,
    reached: [Vec<u32>; 2],
    next: [usize; 2],
}

impl Flood {
    fn new([a, b]: [u32; 2]) -> Self {
        Self { owner: HashMap::from([(a, 0), (b, 1)]), reached: [vec![a], vec![b]], next: [0; 2] }
    }

    /// Vertices that neither enters.
    fn block(&mut self, vertices: impl Iterator<Item = u32>) {
        for v in vertices {
            self.owner.entry(v).or_insert(BLOCKED);
        }
    }

    /// The part that is finished first; none when the two are one.
    fn run<I: Iterator<Item = u32>>(&mut self, neighbours: impl Fn(u32) -> I) -> Option<Region> {
        loop {
            for side in [0u8, 1] {
                let s = usize::from(side);
                let Some(&v) = self.reached[s].get(self.next[s]) else {
                    let mut vertices = std::mem::take(&mut self.reached[s]);
                    vertices.sort_unstable();
                    return Some(Region { vertices });
                };
                self.next[s] += 1;
                for w in neighbours(v) {
                    match self.owner.entry(w) {
                        Entry::Occupied(o) if *o.get() == 1 - side => {
                            return None;
                        }
                        Entry::Occupied(_) => {}
                        Entry::Vacant(free) => {
                            free.insert(side);
                            self.reached[s].push(w);
                        }
                    }
                }
            }
        }
    }
}

/// Whether each component of a surface is closed: every edge belongs to an even number of triangles.
pub(crate) fn closed_components(topology: &Topology) -> Vec<bool> {
    let mut is_closed = vec![true; topology.component_count()];
    for edge in (0..topology.edges().len() as u32).map(EdgeId) {
        let triangles = topology.triangles_of_edge(edge);
        is_closed[topology.component_of(triangles[0])] &= triangles.len().is_multiple_of(2);
    }
    is_closed
}

/// For every triangle the sign of its outer side: 1 where its normal points out of the closed body that it belongs to, −1
/// where it points in, 0 where there is no inside.
pub(crate) fn outer_sides(adjacency: &Adjacency<'_>, positions: &[Point]) -> Vec<Sign> {
    let mut out = Vec::with_capacity(adjacency.bodies().triangles().len());
    for (body, mesh) in adjacency.bodies().body_ids().zip(adjacency.bodies().meshes()) {
        let topology = mesh.topology();
        let is_closed = closed_components(topology);
        let mut volume = vec![0.0; is_closed.len()];
        let first = adjacency.bodies().vertex_range(body).start;
        let origin = positions.get(first).copied().unwrap_or([0.0; 3]);
        for (t, corners) in mesh.triangles().iter().enumerate() {
            let id = TriangleId(t as u32);
            let c = topology.component_of(id);
            let [p, q, r] = corners.map(|v| {
                let p = positions[first + v.index()];
                [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]]
            });
            let six = dot(&p, &cross(&q, &r));
            volume[c] += if topology.is_flipped(id) { -six } else { six };
        }
        let sign = |c: usize| -> Sign {
            let sided = topology.component_orientation(c) != Orientation::NonOrientable;
            if !is_closed[c] || !sided || volume[c] == 0.0 { 0 } else { volume[c].signum() as Sign }
        };
        out.extend((0..mesh.triangles().len() as u32).map(TriangleId).map(|id| {
            let sign = sign(topology.component_of(id));
            if topology.is_flipped(id) { -sign } else { sign }
        }));
    }
    out
}
