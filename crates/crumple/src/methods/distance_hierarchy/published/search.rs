//! `DMV` and `DV`, and the records that they keep.

use super::Published;
use super::octree::{Octree, distance_sq};
use crate::narrow::tri_tri_distance;
use crate::{Bodies, BodyId, Drawing, Error, Tone, TriangleId, VertexId, Witness};

/// What is known of a pair of bodies (`numcd` in the paper).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumCd {
    /// The bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// The smallest distance met in the last step, of middle vertices or of the closest ones of two last regions.
    pub nearest: f64,
    /// Number of live distances.
    pub count: usize,
}

/// A live distance between two regions (`cd` in the paper).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cd {
    /// From 1 down.
    pub level: usize,
    /// The regions, numbered within each body.
    pub regions: [u32; 2],
    /// Their middle vertices, ids within each body.
    pub middles: [VertexId; 2],
    /// The distance of these.
    pub distance: f64,
}

/// Two last regions with vertices closer than the last epsilon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision {
    /// The bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// The regions, numbered within each body.
    pub regions: [u32; 2],
    /// The closest vertices of the two regions (eq. 5), ids within each body.
    pub vertices: [VertexId; 2],
    /// How far apart they are.
    pub distance: f64,
    /// Where the walk from there ended, perhaps in other regions.
    pub end: [VertexId; 2],
}

/// A region as figure 2 shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionView<'a> {
    /// The vertex that stands for it.
    pub middle: VertexId,
    /// The greatest distance from there to a vertex of the region, in this frame.
    pub radius: f64,
    /// Its vertices, as numbers within the body.
    pub vertices: &'a [u32],
}

/// What one step cost and found. Lists are by level, from 1 down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// Pairs of regions compared.
    pub compared: Vec<u64>,
    /// Pairs of regions closer than the level's epsilon: the nodes expanded, or the walks begun on the last level.
    pub expanded: Vec<u64>,
    /// Live distances that are new since the step before.
    pub created: Vec<u64>,
    /// Live distances of the step before that are gone.
    pub removed: Vec<u64>,
    /// Pairs of last regions that collide.
    pub collisions: u64,
}

impl Step {
    fn at(list: &mut Vec<u64>, level: usize) -> &mut u64 {
        if list.len() < level {
            list.resize(level, 0);
        }
        &mut list[level - 1]
    }
}

impl std::ops::AddAssign<&Step> for Step {
    fn add_assign(&mut self, other: &Step) {
        let lists = [
            (&mut self.compared, &other.compared),
            (&mut self.expanded, &other.expanded),
            (&mut self.created, &other.created),
            (&mut self.removed, &other.removed),
        ];
        for (mine, theirs) in lists {
            theirs.iter().enumerate().for_each(|(i, n)| *Step::at(mine, i + 1) += n);
        }
        self.collisions += other.collisions;
    }
}

impl NumCd {
    pub(super) fn new(bodies: [BodyId; 2]) -> Self {
        Self { bodies, nearest: f64::INFINITY, count: 0 }
    }
}

impl Published {
    /// One step of the simulation: every pair of bodies by `DMV` and `DV`.
    pub fn step(&mut self) -> Step {
        let mut step = Step::default();
        self.collisions.clear();
        for pair in 0..self.numcd.len() {
            let mut live = std::mem::take(&mut self.scratch);
            live.clear();
            self.dmv(pair, &mut live, &mut step);
            follow(&self.cd[pair], &live, &mut step);
            self.numcd[pair].count = live.len();
            self.scratch = std::mem::replace(&mut self.cd[pair], live);
        }
        step.collisions = self.collisions.len() as u64;
        step
    }

    /// Figure 3: level by level, below pairs of regions closer than the level's epsilon.
    fn dmv(&mut self, pair: usize, live: &mut Vec<Cd>, step: &mut Step) {
        let bodies = self.numcd[pair].bodies;
        let trees = bodies.map(|b| &self.bodies[b.index()]);
        let mut nearest = f64::INFINITY;
        let mut found = Vec::new();
        let mut front = vec![[0, 0]];
        if trees.iter().any(|t| t.regions.is_empty()) {
            front.clear();
        }
        let mut level = 0;
        while !front.is_empty() {
            level += 1;
            let epsilon = self.epsilon(bodies, level);
            let mut next = Vec::new();
            for [x, y] in front {
                for i in trees[0].below(x) {
                    for j in trees[1].below(y) {
                        *Step::at(&mut step.compared, level) += 1;
                        let distance_sq = distance_sq(trees[0].middle(i), trees[1].middle(j));
                        nearest = nearest.min(distance_sq.sqrt());
                        if distance_sq >= epsilon * epsilon {
                            continue;
                        }
                        *Step::at(&mut step.expanded, level) += 1;
                        let middle = |t: usize, r: u32| VertexId(trees[t].regions[r as usize].middle);
                        live.push(Cd {
                            level,
                            regions: [i, j],
                            middles: [middle(0, i), middle(1, j)],
                            distance: distance_sq.sqrt(),
                        });
                        if trees[0].is_last(i) && trees[1].is_last(j) {
                            found.push(dv(trees, bodies, [i, j]));
                        } else {
                            next.push([i, j]);
                        }
                    }
                }
            }
            front = next;
        }
        let contact = self.contact(bodies);
        nearest = found.iter().map(|c: &Collision| c.distance).fold(nearest, f64::min);
        self.numcd[pair].nearest = nearest;
        self.collisions.extend(found.into_iter().filter(|c| c.distance < contact));
    }

    /// The closest faces round the vertices where a collision's walk ended, with their closest points: one of the six kinds of contact
    /// (M14, M32).
    pub fn features(&self, bodies: &Bodies, collision: &Collision) -> Option<[Witness; 2]> {
        let faces = [0, 1].map(|i| {
            let octree = &self.bodies[collision.bodies[i].index()];
            octree.body.topology().triangles_at(collision.end[i])
        });
        let corners = |i: usize, t: TriangleId| {
            let octree = &self.bodies[collision.bodies[i].index()];
            octree.body.triangles()[t.index()].map(|v| octree.positions[v.index()])
        };
        let pairs = faces[0].iter().flat_map(|&s| faces[1].iter().map(move |&t| (s, t)));
        let closest = pairs.map(|(s, t)| (tri_tri_distance::closest(&corners(0, s), &corners(1, t)), [s, t]));
        let (closest, triangles) =
            closest.min_by(|(c, p), (d, q)| c.distance.total_cmp(&d.distance).then(p.cmp(q)))?;
        let witness = |i: usize, w: tri_tri_distance::TriangleWitness| {
            let first = bodies.triangle_range(collision.bodies[i]).start as u32;
            Witness { triangle: TriangleId(first + triangles[i].0), feature: w.feature, point: w.point }
        };
        Some([witness(0, closest.a), witness(1, closest.b)])
    }

    /// The regions of a level of a body: the middle vertex of each, its radius in this frame (figure 2) and its vertices.
    pub fn regions(&self, body: BodyId, level: usize) -> Result<Vec<RegionView<'_>>, Error> {
        let octree = self.bodies.get(body.index()).ok_or(Error::NoBody { body })?;
        let of_level = octree.regions.iter().filter(|r| r.level == level);
        Ok(of_level
            .map(|r| RegionView {
                middle: VertexId(r.middle),
                radius: r.radius,
                vertices: &octree.members[r.members.clone()],
            })
            .collect())
    }

    /// The live distances as lines, by level (figure 7), and the collisions.
    pub fn draw(&self, into: &mut Drawing) {
        let at = |body: BodyId, v: VertexId| self.bodies[body.index()].positions[v.index()];
        for (numcd, live) in self.numcd.iter().zip(&self.cd) {
            let [a, b] = numcd.bodies;
            for cd in live {
                let tone = Tone::Level(cd.level as u8 - 1);
                into.lines.push((at(a, cd.middles[0]), at(b, cd.middles[1]), tone));
            }
        }
        for c in &self.collisions {
            let [p, q] = [0, 1].map(|i| at(c.bodies[i], c.end[i]));
            into.points.extend([(p, Tone::Hit), (q, Tone::Hit)]);
            into.lines.push((p, q, Tone::Hit));
        }
    }
}

/// Figure 5: from the closest vertices of two regions (eq. 5) along edges, as long as that brings it closer.
fn dv(trees: [&Octree; 2], bodies: [BodyId; 2], regions: [u32; 2]) -> Collision {
    let members = |i: usize| {
        let tree = trees[i];
        tree.members[tree.regions[regions[i] as usize].members.clone()].iter().copied()
    };
    let between =
        |v: u32, w: u32| distance_sq(&trees[0].positions[v as usize], &trees[1].positions[w as usize]);
    let mut best = (f64::INFINITY, 0, 0);
    let look = |v: u32, w: u32, best: &mut (f64, u32, u32)| {
        let d = between(v, w);
        if d < best.0 {
            *best = (d, v, w);
        }
    };
    for v in members(0) {
        members(1).for_each(|w| look(v, w, &mut best));
    }
    let start = best;
    loop {
        let before = best;
        let others = trees[1].around(before.2);
        for v in trees[0].around(before.1) {
            others.clone().for_each(|w| look(v, w, &mut best));
        }
        if best == before {
            break;
        }
    }
    let pair = |(_, v, w): (f64, u32, u32)| [VertexId(v), VertexId(w)];
    Collision { bodies, regions, vertices: pair(start), distance: start.0.sqrt(), end: pair(best) }
}

/// Counts which live distances came and went. Both lists are in the order in which `DMV` makes them.
fn follow(before: &[Cd], now: &[Cd], step: &mut Step) {
    let key = |c: &Cd| (c.level, c.regions);
    let sorted = |list: &[Cd]| {
        let mut keys: Vec<_> = list.iter().map(key).collect();
        keys.sort_unstable();
        keys
    };
    let (before, now) = (sorted(before), sorted(now));
    for k in now.iter().filter(|k| before.binary_search(k).is_err()) {
        *Step::at(&mut step.created, k.0) += 1;
    }
    for k in before.iter().filter(|k| now.binary_search(k).is_err()) {
        *Step::at(&mut step.removed, k.0) += 1;
    }
}
