//! The regions of one body: sets of vertices in an octree, level by level.

use std::ops::Range;

use crate::geometry::{Aabb, Point};
use crate::{Broken, Mesh, VertexId};

/// Without epsilons by hand, regions below this level are not cut further: coincident vertices would never part (M-A5).
const DEEPEST: usize = 16;

/// R in the paper.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// Its place in the list of vertices.
    pub members: Range<usize>,
    /// Its children's place in the list of regions; empty when it is not cut further.
    pub children: Range<usize>,
    pub level: usize,
    /// v̄: the vertex nearest to the mean of its vertices when it was made.
    pub middle: u32,
    /// ε of the region: the greatest distance from the middle vertex to another, in this frame (eq. 2).
    pub radius: f64,
}

/// All regions of a body, those of one level before those of the next.
#[derive(Debug)]
pub(super) struct Octree {
    pub body: Mesh,
    pub positions: Vec<Point>,
    pub regions: Vec<Region>,
    /// Vertices that a triangle uses, ordered so that every region is one range.
    pub members: Vec<u32>,
    /// The last region of each vertex, and `u32::MAX` for vertices that are not used.
    pub last_region: Vec<u32>,
    /// ε of each level, the whole body first (eq. 3).
    epsilons: Vec<f64>,
}

impl Octree {
    pub fn new(body: &Mesh, positions: &[Point], capacity: usize, last: Option<usize>) -> Self {
        let mut members: Vec<u32> = body.triangles().iter().flatten().map(|v| v.0).collect();
        members.sort_unstable();
        members.dedup();
        let mut octree = Self {
            body: body.clone(),
            positions: positions.to_vec(),
            regions: Vec::new(),
            last_region: vec![u32::MAX; positions.len()],
            members,
            epsilons: Vec::new(),
        };
        if octree.members.is_empty() {
            return octree;
        }
        octree.add(0..octree.members.len(), 0);
        let mut next = 0;
        while next < octree.regions.len() {
            let Region { members, level, .. } = octree.regions[next].clone();
            // The whole body is always cut once, since level 1 is where the comparison begins.
            let cut = level == 0 || members.len() > capacity && level < last.unwrap_or(DEEPEST);
            if cut {
                let first = octree.regions.len();
                for part in octree.split(members) {
                    octree.add(part, level + 1);
                }
                octree.regions[next].children = first..octree.regions.len();
            } else {
                octree.members[members].iter().for_each(|&v| octree.last_region[v as usize] = next as u32);
            }
            next += 1;
        }
        octree
    }

    /// The non-empty octants of a region, in order.
    fn split(&mut self, members: Range<usize>) -> Vec<Range<usize>> {
        let positions = &self.positions;
        let mine = &mut self.members[members.clone()];
        let middle = mine.iter().fold(Aabb::EMPTY, |b, &v| b.with(&positions[v as usize])).centre();
        let octant =
            |v: u32| (0..3).fold(0, |o, k| o | usize::from(positions[v as usize][k] > middle[k]) << k);
        mine.sort_by_key(|&v| (octant(v), v));
        let mut parts = Vec::new();
        let mut start = members.start;
        for part in mine.chunk_by(|&v, &w| octant(v) == octant(w)) {
            parts.push(start..start + part.len());
            start += part.len();
        }
        parts
    }

    fn add(&mut self, members: Range<usize>, level: usize) {
        let mut mean = [0.0; 3];
        for &v in &self.members[members.clone()] {
            (0..3).for_each(|k| mean[k] += self.positions[v as usize][k] / members.len() as f64);
        }
        let away = |v: u32| distance_sq(&self.positions[v as usize], &mean);
        let nearest = self.members[members.clone()].iter().copied();
        let middle = nearest.min_by(|&v, &w| away(v).total_cmp(&away(w)).then(v.cmp(&w))).unwrap_or(0);
        self.regions.push(Region { members, children: 0..0, level, middle, radius: 0.0 });
    }

    /// Takes new positions and brings the radii up to date.
    pub fn update(&mut self, positions: Vec<Point>) {
        self.positions = positions;
        self.epsilons.clear();
        for region in &mut self.regions {
            let middle = self.positions[region.middle as usize];
            let far = self.members[region.members.clone()].iter();
            let far = far.map(|&v| distance_sq(&self.positions[v as usize], &middle)).fold(0.0, f64::max);
            region.radius = far.sqrt();
            if self.epsilons.len() == region.level {
                self.epsilons.push(0.0);
            }
            let epsilon = &mut self.epsilons[region.level];
            *epsilon = epsilon.max(region.radius);
        }
    }

    /// Levels below the whole body.
    pub fn levels(&self) -> usize {
        self.regions.last().map_or(0, |r| r.level)
    }

    /// ε of a level; below the deepest, that of the deepest.
    pub fn epsilon(&self, level: usize) -> f64 {
        self.epsilons.get(level).or(self.epsilons.last()).copied().unwrap_or(0.0)
    }

    /// Where the middle vertex of a region is.
    pub fn middle(&self, region: u32) -> &Point {
        &self.positions[self.regions[region as usize].middle as usize]
    }

    /// The children of a region, or itself when it waits.
    pub fn below(&self, region: u32) -> Range<u32> {
        let children = &self.regions[region as usize].children;
        if children.is_empty() {
            return region..region + 1;
        }
        children.start as u32..children.end as u32
    }

    pub fn is_last(&self, region: u32) -> bool {
        self.regions[region as usize].children.is_empty()
    }

    /// A vertex and those joined to it by an edge.
    pub fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + Clone {
        let mut near: Vec<u32> = self.body.topology().neighbours(VertexId(vertex)).map(|v| v.0).collect();
        near.push(vertex);
        near.into_iter()
    }

    pub fn check(&self) -> Result<(), Broken> {
        let broken =
            |invariant, what| Err(Broken { method: "distance-hierarchy, published", invariant, what });
        for (i, region) in self.regions.iter().enumerate() {
            let held: usize = self.regions[region.children.clone()].iter().map(|r| r.members.len()).sum();
            if !region.children.is_empty() && held != region.members.len() {
                return broken("P1", format!("the children of region {i} hold {held} vertices"));
            }
            let members = &self.members[region.members.clone()];
            let middle = self.positions[region.middle as usize];
            let out = |v: &&u32| distance_sq(&self.positions[**v as usize], &middle).sqrt() > region.radius;
            if let Some(v) = members.iter().find(out) {
                return broken("P2", format!("vertex {v} is outside region {i}"));
            }
            let last = |v: &u32| self.last_region[*v as usize] == i as u32;
            if region.children.is_empty() && !members.iter().all(last) {
                return broken("P1", format!("region {i} is not the last of all its vertices"));
            }
        }
        Ok(())
    }
}

pub(super) fn distance_sq(p: &Point, q: &Point) -> f64 {
    (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum()
}
