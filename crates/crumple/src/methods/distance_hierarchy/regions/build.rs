//! Cutting a surface into regions.

use std::sync::Arc;

use super::super::bounds::Bound;
use super::partition::{Partition, Splitter, WAYS};
use super::{Block, Node, Region, Regions};
use crate::geometry::Point;
use crate::geometry::simd::Row;
use crate::{Mesh, VertexId};

impl Regions {
    /// Cuts a surface as it is at these positions; `None` when there is no triangle. Bounds are not set yet.
    pub fn new(body: &Mesh, positions: &[Point], partition: &Partition, capacity: usize) -> Option<Self> {
        let triangles = body.triangles();
        if triangles.is_empty() {
            return None;
        }
        let third = |p: &[VertexId; 3]| {
            let [a, b, c] = p.map(|v| positions[v.index()]);
            std::array::from_fn(|k| a[k] / 3.0 + b[k] / 3.0 + c[k] / 3.0)
        };
        let centres: Vec<Point> = triangles.iter().map(third).collect();
        let mut builder = Builder {
            triangles,
            positions,
            splitter: partition.splitter(body, &centres),
            centres,
            capacity,
            owned: vec![false; positions.len()],
            slot: vec![u32::MAX; positions.len()],
            members: Vec::new(),
            out: Self {
                identity: Arc::default(),
                root: Region::node(0),
                nodes: Vec::new(),
                node_frames: Vec::new(),
                block_frames: Vec::new(),
                blocks: Vec::new(),
                bounds: Vec::new(),
                points: Vec::new(),
                slots: Vec::new(),
                corners: Vec::with_capacity(triangles.len()),
                triangles: Vec::with_capacity(triangles.len()),
                upkeep: None,
            },
        };
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        builder.out.root = builder.grow(&mut order, 0);
        let mut out = builder.out;
        out.node_frames = vec![0; out.nodes.len()];
        out.block_frames = vec![0; out.blocks.len()];
        out.bounds = vec![Bound::EMPTY; out.blocks.len()];
        out.points = vec![[Row([0.0; 8]); 3]; out.slots.len()];
        Some(out)
    }
}

struct Builder<'a> {
    triangles: &'a [[VertexId; 3]],
    positions: &'a [Point],
    centres: Vec<Point>,
    splitter: Splitter<'a>,
    capacity: usize,
    /// Whether a block has the vertex already.
    owned: Vec<bool>,
    /// The slot of a vertex in the block being made, or a mark while members are collected.
    slot: Vec<u32>,
    members: Vec<u32>,
    out: Regions,
}

impl Builder<'_> {
    fn grow(&mut self, triangles: &mut [u32], depth: usize) -> Region {
        if triangles.len() <= self.capacity {
            return self.block(triangles);
        }
        let index = self.out.nodes.len();
        let middle = self.middle(triangles);
        self.out.nodes.push(Node {
            rows: [Row([0.0; 8]); 10],
            child: [Region::default(); WAYS],
            count: 0,
            bound: Bound::EMPTY,
            middle,
            end: 0,
            blocks: [self.out.blocks.len() as u32; 2],
        });
        let groups = self.splitter.split(triangles, &self.centres, self.capacity, depth);
        let mut rest = triangles;
        for (i, size) in groups.into_iter().enumerate() {
            let (group, others) = rest.split_at_mut(size);
            rest = others;
            let child = self.grow(group, depth + 1);
            let node = &mut self.out.nodes[index];
            node.child[i] = child;
            node.count = i + 1;
        }
        let end = self.out.nodes.len() as u32;
        let node = &mut self.out.nodes[index];
        (node.end, node.blocks[1]) = (end, self.out.blocks.len() as u32);
        Region::node(index)
    }

    /// Fills `members` with the vertices of the triangles, each once, in the order in which they are met.
    fn collect(&mut self, triangles: &[u32]) {
        self.members.clear();
        for &t in triangles {
            for v in self.triangles[t as usize] {
                if self.slot[v.index()] == u32::MAX {
                    self.slot[v.index()] = 0;
                    self.members.push(v.0);
                }
            }
        }
        self.members.iter().for_each(|&v| self.slot[v as usize] = u32::MAX);
    }

    /// The vertex nearest to the mean of the region's vertices (eq. 1), the smallest id among equals.
    fn middle(&mut self, triangles: &[u32]) -> u32 {
        self.collect(triangles);
        nearest_to_mean(&self.members, self.positions)
    }

    fn block(&mut self, triangles: &mut [u32]) -> Region {
        // Ascending, so that the first of equally close pairs is met early.
        triangles.sort_unstable();
        self.collect(triangles);
        let middle = nearest_to_mean(&self.members, self.positions);
        let mut members = std::mem::take(&mut self.members);
        members.sort_by_key(|&v| self.owned[v as usize]);
        let own = members.iter().filter(|&&v| !self.owned[v as usize]).count();
        for (i, &v) in members.iter().enumerate() {
            self.owned[v as usize] = true;
            self.slot[v as usize] = i as u32;
        }
        let slot = |v: u32| self.slot[v as usize] as u8;
        let corners = triangles.iter().map(|&t| self.triangles[t as usize].map(|v| slot(v.0)));
        let out = &mut self.out;
        let index = out.blocks.len();
        out.blocks.push(Block {
            first_chunk: out.slots.len() as u32,
            chunks: members.len().div_ceil(8) as u8,
            own: own as u8,
            vertices: members.len() as u8,
            middle: slot(middle),
            plane: plane(&members, self.positions),
            count: triangles.len() as u8,
            first: out.triangles.len() as u32,
            least: triangles[0],
        });
        out.corners.extend(corners);
        out.triangles.extend_from_slice(triangles);
        let last = members[members.len() - 1];
        out.slots
            .extend(members.chunks(8).map(|c| std::array::from_fn(|i| c.get(i).copied().unwrap_or(last))));
        members.iter().for_each(|&v| self.slot[v as usize] = u32::MAX);
        self.members = members;
        Region::block(index)
    }
}

/// The vertex nearest to the mean of some, the smallest id among equals.
pub(super) fn nearest_to_mean(members: &[u32], positions: &[Point]) -> u32 {
    let mut mean = [0.0; 3];
    let share = 1.0 / members.len() as f64;
    for &v in members {
        let p = positions[v as usize];
        (0..3).for_each(|k| mean[k] += p[k] * share);
    }
    let distance = |v: u32| distance_sq(&positions[v as usize], &mean);
    let nearest = members.iter().min_by(|&&v, &&w| distance(v).total_cmp(&distance(w)).then(v.cmp(&w)));
    nearest.copied().unwrap_or(0)
}

pub(super) fn distance_sq(p: &Point, q: &Point) -> f64 {
    (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum()
}

/// Three members far apart: one, the farthest from it, and the farthest from their line.
pub(super) fn plane(members: &[u32], positions: &[Point]) -> [u8; 3] {
    let p = |i: usize| glam::DVec3::from_array(positions[members[i] as usize]);
    let farthest = |measure: &dyn Fn(glam::DVec3) -> f64| {
        (0..members.len()).max_by(|&i, &j| measure(p(i)).total_cmp(&measure(p(j)))).unwrap_or(0)
    };
    let first = farthest(&|x| (x - p(0)).length_squared());
    let second = farthest(&|x| (x - p(first)).length_squared());
    let along = p(second) - p(first);
    let third = farthest(&|x| (x - p(first)).cross(along).length_squared());
    [first as u8, second as u8, third as u8]
}
