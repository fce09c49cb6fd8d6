//! A step taken in: the positions of all bodies at both ends, and which bodies may meet.

use super::leaves::Side;
use super::opened::Source;
use super::representatives::Representatives;
use crate::broad_phase::BroadPhase;
use crate::geometry::{Aabb, Map, Point};
use crate::patches::Patches;
use crate::{Bodies, BodyId, Error, Frame, Mesh, Pairs, Positions, TriangleId, VertexId};

/// Two nodes of two bodies to be searched against each other; or one against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodePair {
    pub bodies: [u32; 2],
    pub nodes: [u32; 2],
}

impl NodePair {
    pub fn is_one_body(&self) -> bool {
        self.bodies[0] == self.bodies[1]
    }

    pub fn is_itself(&self) -> bool {
        self.is_one_body() && self.nodes[0] == self.nodes[1]
    }
}

/// A step of all bodies. Memory is used again.
#[derive(Debug)]
pub(crate) struct TakenStep {
    /// Positions of all bodies.
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    pub map: Map,
    /// Counts questions, so that what was opened for one is not taken for another.
    epoch: u32,
    /// The first vertex and triangle of each body, and the totals last.
    firsts: Vec<[u32; 2]>,
    /// The box of the whole path of each body; empty without triangles.
    paths: Vec<Aabb>,
    /// Which of them overlap.
    near: Vec<[BodyId; 2]>,
    broad_phase: BroadPhase,
}

impl Default for TakenStep {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            end: Vec::new(),
            map: Map::IDENTITY,
            epoch: 0,
            firsts: Vec::new(),
            paths: Vec::new(),
            near: Vec::new(),
            broad_phase: BroadPhase::default(),
        }
    }
}

impl TakenStep {
    /// Takes in a step, from `step.before()` to `step`; `place` is done to every position.
    pub fn take(
        &mut self,
        bodies: &Bodies,
        step: Frame<'_>,
        place: Option<impl Fn(&Point) -> Point>,
    ) -> Result<(), Error> {
        let before = step.before().ok_or(Error::NoStep)?;
        step.check(bodies)?;
        self.number(bodies);
        let append = |positions: Positions<'_>, to: &mut Vec<Point>| {
            let first = to.len();
            positions.append_to(to);
            if let Some(place) = &place {
                to[first..].iter_mut().for_each(|p| *p = place(p));
            }
        };
        self.start.clear();
        self.end.clear();
        for body in bodies.body_ids() {
            append(before.of(body), &mut self.start);
            append(step.of(body), &mut self.end);
        }
        if place.is_none() {
            self.find_paths(step.near(), |_, body| path_in(step, before, body))
        } else {
            self.find_paths(step.near(), Self::path)
        }
        Ok(())
    }

    /// Takes in a step in which every vertex is where it was in the one before, at both ends, but for those that edits added: at
    /// the cost of these. Says whether that could be done; if not, nothing is changed.
    pub fn take_edited(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<bool, Error> {
        let before = step.before().ok_or(Error::NoStep)?;
        step.check(bodies)?;
        let is_shorter = |body: BodyId| bodies.vertex_range(body).len() < self.vertices(body.index()).len();
        if self.firsts.len() != bodies.meshes().len() + 1 || bodies.body_ids().any(is_shorter) {
            return Ok(false);
        }
        // The last body first, so that the places of the others stay.
        for body in (0..bodies.meshes().len() as u32).rev().map(BodyId) {
            let old = self.vertices(body.index());
            let (at, new) = (old.end, old.len()..bodies.vertex_range(body).len());
            if !new.is_empty() {
                self.start.splice(at..at, new.clone().map(|v| before.of(body).get(v)));
                self.end.splice(at..at, new.map(|v| step.of(body).get(v)));
            }
        }
        self.number(bodies);
        self.find_paths(step.near(), |_, body| path_in(step, before, body));
        Ok(true)
    }

    /// Counts vertices and triangles.
    fn number(&mut self, bodies: &Bodies) {
        self.firsts.clear();
        self.firsts.extend(
            bodies.body_ids().map(|body| {
                [bodies.vertex_range(body).start as u32, bodies.triangle_range(body).start as u32]
            }),
        );
        self.firsts.push([bodies.vertex_count() as u32, bodies.triangles().len() as u32]);
    }

    /// Makes `to` the step that leads this many times as far.
    pub fn ahead(&self, times: f64, to: &mut Self) {
        to.start.clone_from(&self.start);
        to.firsts.clone_from(&self.firsts);
        let further = |(p, q): (&Point, &Point)| std::array::from_fn(|k| p[k] + times * (q[k] - p[k]));
        to.end.clear();
        to.end.extend(self.start.iter().zip(&self.end).map(further));
        to.find_paths(None, Self::path);
    }

    /// A number for a question, unlike those before.
    pub fn next_epoch(&mut self) -> u32 {
        self.epoch = self.epoch.wrapping_add(1);
        self.epoch
    }

    /// A box that holds a body throughout the step.
    fn path(&self, body: usize) -> Aabb {
        let [start, end] = self.ends(body);
        Aabb::of(start).union(&Aabb::of(end))
    }

    /// Finds which paths overlap, where pairs are `known` that hold all such among those.
    fn find_paths(&mut self, known: Option<&[[BodyId; 2]]>, path_of: impl Fn(&Self, usize) -> Aabb) {
        self.paths.clear();
        for body in 0..self.firsts.len() - 1 {
            let path = if self.is_empty(body) { Aabb::EMPTY } else { path_of(self, body) };
            self.paths.push(path);
        }
        self.broad_phase.pairs_among(known, &self.paths, 0.0, &mut self.near);
        let whole = self.whole();
        self.map = Map::fitting(&whole).unwrap_or(Map::IDENTITY);
    }

    fn whole(&self) -> Aabb {
        self.paths.iter().fold(Aabb::EMPTY, |all, path| all.union(path))
    }

    /// The largest coordinate of all bodies with triangles.
    pub fn largest(&self) -> f64 {
        let whole = self.whole();
        let corners = whole.min.into_iter().chain(whole.max);
        if whole.is_empty() { 0.0 } else { corners.fold(0.0, |m, x| x.abs().max(m)) }
    }

    /// Whether a body has no triangles.
    fn is_empty(&self, body: usize) -> bool {
        self.firsts[body][1] == self.firsts[body + 1][1]
    }

    /// The positions of a body at both ends.
    pub fn ends(&self, body: usize) -> [&[Point]; 2] {
        let vertices = self.vertices(body);
        [&self.start[vertices.clone()], &self.end[vertices]]
    }

    /// The numbers of a body's vertices among those of all bodies.
    pub fn vertices(&self, body: usize) -> std::ops::Range<usize> {
        self.firsts[body][0] as usize..self.firsts[body + 1][0] as usize
    }

    /// How many triangles all bodies have.
    pub fn triangle_count(&self) -> usize {
        self.firsts.last().map_or(0, |first| first[1] as usize)
    }

    /// The numbers of a body's triangles among those of all bodies.
    pub fn triangles(&self, body: usize) -> std::ops::Range<u32> {
        self.firsts[body][1]..self.firsts[body + 1][1]
    }

    /// What a body, cut into patches, brings to a search.
    pub fn side<'a>(
        &'a self,
        body: usize,
        patches: &'a Patches,
        representatives: &'a Representatives,
        widened: f32,
    ) -> Side<'a> {
        let [start, end] = self.ends(body);
        let [first_vertex, first_triangle] = self.firsts[body];
        let source = Source { patches, representatives, start, end, map: &self.map, widened };
        Side { source, first_vertex, first_triangle }
    }

    /// The roots of all bodies and pairs of bodies that may come within `thickness`, where `allows`.
    pub fn roots(
        &mut self,
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
        thickness: Option<f64>,
    ) -> Vec<NodePair> {
        let count = self.paths.len();
        let bodies = (0..count).filter(|&body| pairs.within() && !self.is_empty(body));
        let mut all: Vec<[BodyId; 2]> = bodies.map(|body| [BodyId(body as u32); 2]).collect();
        match thickness.filter(|_| pairs.between()) {
            Some(d) => {
                let mut near = Vec::new();
                self.broad_phase.pairs(&self.paths, d, &mut near);
                all.extend(near);
            }
            None if pairs.between() => all.extend(&self.near),
            None => {}
        }
        (all.into_iter().filter(|&[a, b]| allows(a, b)))
            .map(|[a, b]| NodePair { bodies: [a.0, b.0], nodes: [0, 0] })
            .collect()
    }

    /// The corners of a triangle, among the vertices of all bodies.
    pub fn corners(&self, meshes: &[Mesh], t: TriangleId) -> [VertexId; 3] {
        // Bodies without triangles begin where the next one does: the last that begins there has it.
        let body = self.firsts.partition_point(|first| first[1] <= t.0) - 1;
        let [first_vertex, first_triangle] = self.firsts[body];
        meshes[body].triangles()[(t.0 - first_triangle) as usize].map(|v| VertexId(v.0 + first_vertex))
    }
}

/// A box that holds a body throughout a step, where the boxes at both ends may be known.
fn path_in(step: Frame<'_>, before: Frame<'_>, body: usize) -> Aabb {
    let body = BodyId(body as u32);
    before.body_bounds(body).union(&step.body_bounds(body))
}
