//! How deep each penetrating vertex is, and which way out: consistent over deep overlaps (T41).
//!
//! The way to the nearest surface is wrong in a deep overlap: neighbouring vertices may find the nearest surface on
//! opposite sides, and be pushed apart. Here depth begins where the bodies cross and spreads inward, as Heidelberger,
//! Teschner, Keiser, Müller and Gross describe (*Consistent Penetration Depth Estimation for Deformable Collision
//! Response*, VMV 2004):
//!
//! 1. An edge from a vertex p inside the other body to one that is not crosses the other's surface. The crossing x nearest
//!    to p and the outward normal n there are exact up to rounding.
//! 2. A vertex with such edges has the depth Σ ω (x − p)·n / Σ ω and the direction Σ ω n, normalised, ω = 1/|x − p|².
//! 3. Its neighbours follow, sweep by sweep: Σ μ ((q − p)·r + d) / Σ μ over neighbours q of known depth d and direction r,
//!    and Σ μ r, normalised, μ = 1/|q − p|².
//!
//! What no edge leads out of (a body that is wholly inside) has the distance and direction of the nearest surface point.
//! Every body against every other is the same computation, so the answer does not depend on which is called A.

use glam::DVec3;

use super::Snapshot;
use super::boxes::BoxTable;
use super::lattice::Lattice;
use super::sizing::Sizing;
use super::triangles::{EditedTriangles, Triangles};
use super::vertex_buffer::VertexBuffer;
use crate::geometry::simd::multiversion;
use crate::narrow::{edge_tri, point_tri};
use crate::parallel;
use crate::{Bodies, BodyId, Frame, Mesh, VertexId, VertexTet};

/// How deep a vertex is in a body, and which way is out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct VertexDepth {
    /// Distance to the surface along `direction`; at least 0.
    pub depth: f64,
    /// Of length 1, out of the other body.
    pub direction: [f64; 3],
}

/// Vertices of one body in one other (or in itself).
#[derive(Debug, Clone, Default)]
pub(super) struct BodyInBody {
    a: BodyId,
    b: BodyId,
    /// Ascending, ids across bodies.
    vertices: Vec<u32>,
    known: Vec<Option<KnownDepth>>,
    scratch: DepthScratch,
}

#[derive(Debug, Clone, Copy)]
struct KnownDepth {
    depth: f64,
    direction: DVec3,
}

#[derive(Debug, Clone, Default)]
struct DepthScratch {
    near: VertexBuffer,
    neighbours: Vec<u32>,
}

/// Computes [`VertexDepth`]s, and keeps its memory between frames.
#[derive(Debug, Clone, Default)]
pub struct PenetrationDepth {
    sizing: Sizing,
    triangles: Triangles,
    /// The bodies whose triangles are sorted on the lattice of `sizing`; none when they are on another.
    bodies: Vec<Mesh>,
}

impl PenetrationDepth {
    /// Depth and direction for each row of `contacts`, in the same order.
    ///
    /// The contacts must be all that [`Ready::contacts`](crate::Ready::contacts) found in this frame, with
    /// whichever method: a vertex that is left out is taken to be outside.
    pub fn compute(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<VertexDepth>,
    ) {
        out.clear();
        if contacts.is_empty() {
            return;
        }
        self.follow(bodies, frame.moving());
        self.compute_here(bodies, frame, contacts, out);
    }

    /// The same in the frame that was followed last.
    pub(crate) fn compute_here(
        &self,
        bodies: &Bodies,
        frame: Frame<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<VertexDepth>,
    ) {
        self.search(&self.sizing.lattice, Snapshot { bodies, frame }, contacts, out);
    }

    /// Sorts the triangles of a frame. In one [at rest](Frame::at_rest) nothing has moved since the last call, and edits are
    /// followed at their cost.
    pub(crate) fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) {
        let view = Snapshot { bodies, frame };
        let edited = view.frame.is_at_rest().then(|| EditedTriangles::since(&self.bodies, bodies)).flatten();
        let lattice = self.sizing.lattice;
        if !edited.is_some_and(|edited| self.triangles.follow_at_rest(&lattice, &view, &edited)) {
            self.sizing.measure(&view, &[], None);
            self.triangles.update(&self.sizing.lattice, &view);
        }
        self.bodies.clear();
        self.bodies.extend(bodies.meshes().iter().cloned());
    }

    /// As [`PenetrationDepth::compute`], on a lattice that was made for these bodies before. Any lattice gives the same
    /// answer; one of another size takes longer.
    pub(super) fn compute_on(
        &mut self,
        lattice: &Lattice,
        view: Snapshot<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<VertexDepth>,
    ) {
        self.bodies.clear();
        self.triangles.update(lattice, &view);
        self.search(lattice, view, contacts, out);
    }

    /// Answers from triangles that are sorted.
    fn search(
        &self,
        lattice: &Lattice,
        view: Snapshot<'_>,
        contacts: &[VertexTet],
        out: &mut Vec<VertexDepth>,
    ) {
        out.clear();
        let bodies = view.bodies;
        let mut rows: Vec<(BodyId, BodyId, u32)> = contacts
            .iter()
            .map(|c| (bodies.locate_vertex(c.vertex).0, bodies.locate_tet(c.tet).0, c.vertex.0))
            .collect();
        let of_contacts = rows.clone();
        rows.sort_unstable_by_key(|r| (r.0.0, r.1.0, r.2));
        rows.dedup();
        let mut overlaps: Vec<BodyInBody> = rows
            .chunk_by(|x, y| (x.0, x.1) == (y.0, y.1))
            .map(|group| BodyInBody {
                a: group[0].0,
                b: group[0].1,
                vertices: group.iter().map(|r| r.2).collect(),
                ..BodyInBody::default()
            })
            .collect();
        let surfaces = OtherSurfaces { triangles: &self.triangles, lattice, view };
        parallel::for_each(&mut overlaps, |_, overlap| overlap.compute(&surfaces));
        out.extend(of_contacts.iter().map(|&(a, b, vertex)| {
            let place = overlaps.binary_search_by_key(&(a.0, b.0), |o| (o.a.0, o.b.0));
            let known = place.ok().and_then(|n| overlaps[n].of(vertex));
            known.map_or(VertexDepth { depth: 0.0, direction: [0.0, 0.0, 1.0] }, |k| VertexDepth {
                depth: k.depth,
                direction: k.direction.to_array(),
            })
        }));
    }
}

impl BodyInBody {
    fn compute(&mut self, surfaces: &OtherSurfaces<'_>) {
        self.known = vec![None; self.vertices.len()];
        let mut scratch = std::mem::take(&mut self.scratch);
        let border: Vec<Option<KnownDepth>> =
            self.vertices.iter().map(|&v| self.at_border(surfaces, v, &mut scratch)).collect();
        self.known = border;
        self.spread(surfaces, &mut scratch);
        for n in 0..self.vertices.len() {
            if self.known[n].is_none() {
                self.known[n] = surfaces.nearest(self.b, self.a, self.vertices[n], &mut scratch.near);
            }
        }
        self.scratch = scratch;
    }

    fn index_of(&self, vertex: u32) -> Option<usize> {
        self.vertices.binary_search(&vertex).ok()
    }

    fn of(&self, vertex: u32) -> Option<KnownDepth> {
        self.known[self.index_of(vertex)?]
    }

    /// Depth of a vertex from the edges that lead out of the other body; `None` if none does.
    fn at_border(
        &self,
        surfaces: &OtherSurfaces<'_>,
        vertex: u32,
        scratch: &mut DepthScratch,
    ) -> Option<KnownDepth> {
        let p = surfaces.position(self.a, vertex);
        let mut sum = Sum::default();
        surfaces.neighbours(self.a, vertex, &mut scratch.neighbours);
        for n in 0..scratch.neighbours.len() {
            let other = scratch.neighbours[n];
            if self.index_of(other).is_none()
                && let Some((x, normal)) = surfaces.exit(self.b, self.a, [vertex, other], &mut scratch.near)
            {
                sum.add(x.distance_squared(p), (x - p).dot(normal), normal);
            }
        }
        sum.known()
    }

    /// Step 3: from vertices of known depth to their neighbours, until nothing changes.
    fn spread(&mut self, surfaces: &OtherSurfaces<'_>, scratch: &mut DepthScratch) {
        let mut open: Vec<usize> = (0..self.vertices.len()).filter(|&n| self.known[n].is_none()).collect();
        loop {
            // All of a sweep rest on earlier sweeps only, so that their order does not matter.
            let reached: Vec<(usize, KnownDepth)> = open
                .iter()
                .filter_map(|&n| {
                    let p = surfaces.position(self.a, self.vertices[n]);
                    let mut sum = Sum::default();
                    surfaces.neighbours(self.a, self.vertices[n], &mut scratch.neighbours);
                    for &q in &scratch.neighbours {
                        if let Some(known) = self.of(q) {
                            let q = surfaces.position(self.a, q);
                            let depth = (q - p).dot(known.direction) + known.depth;
                            sum.add(q.distance_squared(p), depth, known.direction);
                        }
                    }
                    Some((n, sum.known()?))
                })
                .collect();
            if reached.is_empty() {
                return;
            }
            reached.iter().for_each(|&(n, known)| self.known[n] = Some(known));
            open.retain(|&n| self.known[n].is_none());
        }
    }
}

/// A mean weighted by inverse squared distance.
#[derive(Default)]
struct Sum {
    weight: f64,
    depth: f64,
    direction: DVec3,
    /// The nearest contribution, for when directions cancel or the distance is 0.
    nearest: Option<(f64, f64, DVec3)>,
}

impl Sum {
    fn add(&mut self, distance_sq: f64, depth: f64, direction: DVec3) {
        if self.nearest.is_none_or(|n| distance_sq < n.0) {
            self.nearest = Some((distance_sq, depth, direction));
        }
        let weight = 1.0 / distance_sq;
        if weight.is_finite() {
            self.weight += weight;
            self.depth += weight * depth;
            self.direction += weight * direction;
        }
    }

    fn known(self) -> Option<KnownDepth> {
        let (distance_sq, depth, direction) = self.nearest?;
        let mean = self.direction.try_normalize();
        Some(match mean {
            Some(mean) if (1.0 / distance_sq).is_finite() => {
                KnownDepth { depth: (self.depth / self.weight).max(0.0), direction: mean }
            }
            _ => KnownDepth { depth: depth.max(0.0), direction },
        })
    }
}

/// A triangle of a surface, by its id across bodies, with its vertices.
struct OtherTriangle {
    triangle: u32,
    owner: BodyId,
    ids: [u32; 3],
    corners: [[f64; 3]; 3],
}

/// The surfaces of all bodies.
struct OtherSurfaces<'a> {
    triangles: &'a Triangles,
    lattice: &'a Lattice,
    view: Snapshot<'a>,
}

impl OtherSurfaces<'_> {
    fn position(&self, body: BodyId, vertex: u32) -> DVec3 {
        let [p] = self.view.positions(body.index(), [vertex]);
        DVec3::from_array(p)
    }

    /// Vertices that share an edge with this one, ascending, ids across bodies.
    fn neighbours(&self, body: BodyId, vertex: u32, out: &mut Vec<u32>) {
        out.clear();
        let bodies = self.view.bodies;
        let first = bodies.vertex_range(body).start as u32;
        let (its, local) = (bodies.mesh(body), VertexId(vertex - first));
        if its.is_solid() {
            out.extend(its.tets_round(local).flat_map(|t| its.tet(t)).map(|v| v.0 + first));
        } else {
            let mut round = Vec::new();
            its.triangles_round(local, &mut round);
            out.extend(round.into_iter().flat_map(|t| its.triangle(t)).map(|v| v.0 + first));
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&v| v != vertex);
    }

    /// Where the edge from its first vertex on first crosses the surface of `body`, and the outward normal there.
    fn exit(
        &self,
        body: BodyId,
        from: BodyId,
        edge: [u32; 2],
        near: &mut VertexBuffer,
    ) -> Option<(DVec3, DVec3)> {
        let segment = self.view.positions(from.index(), edge);
        let (low, high) = (min(&segment[0], &segment[1]), max(&segment[0], &segment[1]));
        self.gather(low, high, near);
        let [p, q] = segment.map(DVec3::from_array);
        let mut best: Option<(f64, u32, DVec3)> = None;
        for n in 0..near.len() {
            let place = near.get(n)[3] as usize;
            let Some(OtherTriangle { triangle, owner, ids, corners }) = self.triangle(place) else {
                continue;
            };
            if owner != body || (owner == from && ids.iter().any(|v| edge.contains(v))) {
                continue;
            }
            if !edge_tri::intersects(&segment, &corners) {
                continue;
            }
            let normal = normal(&corners);
            let (along, height) = (normal.dot(q - p), normal.dot(DVec3::from_array(corners[0]) - p));
            let t = if along == 0.0 { 0.0 } else { (height / along).clamp(0.0, 1.0) };
            if best.is_none_or(|b| (t, triangle) < (b.0, b.1)) {
                best = Some((t, triangle, normal));
            }
        }
        best.map(|(t, _, normal)| (p.lerp(q, t), normal))
    }

    /// Distance and direction from a vertex to the nearest point on the surface of `body`.
    fn nearest(
        &self,
        body: BodyId,
        from: BodyId,
        vertex: u32,
        near: &mut VertexBuffer,
    ) -> Option<KnownDepth> {
        let [at] = self.view.positions(from.index(), [vertex]);
        let p = DVec3::from_array(at);
        let mut radius = 2.0 * self.lattice.unit() * f64::from(1 << super::lattice::UNIT_BITS);
        let mut last = false;
        loop {
            let reach = [radius; 3].map(|r| r * 1.000_001);
            let (low, high) = (sub(&at, &reach), add(&at, &reach));
            // Twice the lattice from edge to edge: everything there is.
            last |= radius > self.lattice.unit() * f64::from(1u32 << 31);
            self.gather(low, high, near);
            let mut best: Option<(f64, u32, DVec3)> = None;
            for n in 0..near.len() {
                let place = near.get(n)[3] as usize;
                let Some(OtherTriangle { triangle, owner, ids, corners }) = self.triangle(place) else {
                    continue;
                };
                if owner != body || (owner == from && ids.contains(&vertex)) {
                    continue;
                }
                let closest = point_tri::closest(&at, &corners);
                if best.is_none_or(|b| (closest.distance_sq, triangle) < (b.0, b.1)) {
                    let way = DVec3::from_array(closest.point) - p;
                    let direction = way.try_normalize().unwrap_or_else(|| normal(&corners));
                    best = Some((closest.distance_sq, triangle, direction));
                }
            }
            // Whatever is nearer than the radius has been seen.
            if let Some((distance_sq, _, direction)) = best
                && (distance_sq.sqrt() <= radius || last)
            {
                return Some(KnownDepth { depth: distance_sq.sqrt(), direction });
            }
            if last {
                return None;
            }
            radius *= 2.0;
        }
    }

    /// Fills `near` with the triangles whose boxes may meet this one.
    fn gather(&self, low: [f64; 3], high: [f64; 3], near: &mut VertexBuffer) {
        let (low, high) = (self.lattice.snap_clamped(low), self.lattice.snap_clamped(high));
        gather_triangles(self.triangles.table(), low, high, near);
    }

    /// The triangle of a box; `None` when it is gone.
    fn triangle(&self, place: usize) -> Option<OtherTriangle> {
        let triangle = self.triangles.triangle_of(place, &self.view)?;
        let ids = self.view.bodies.triangles()[triangle as usize].map(|v| v.0);
        let body = self.triangles.body(ids[0]);
        Some(OtherTriangle { triangle, owner: body, ids, corners: self.view.positions(body.index(), ids) })
    }
}

multiversion! {
    fn gather_triangles<S: Simd>(
        simd: S,
        table: &BoxTable,
        low: [i32; 3],
        high: [i32; 3],
        near: &mut VertexBuffer,
    ) {
        near.clear();
        for class in 0..table.classes() {
            table.gather(simd, class, &low, &high, near);
        }
    }
}

/// The unit normal of a triangle; any direction when it has no area.
fn normal(t: &[[f64; 3]; 3]) -> DVec3 {
    let [a, b, c] = t.map(DVec3::from_array);
    (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Z)
}

fn min(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k].min(b[k]))
}

fn max(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k].max(b[k]))
}

fn sub(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn add(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}
