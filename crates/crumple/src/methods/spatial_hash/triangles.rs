//! Surface triangles as primitives: only the narrow test is another (T17).

use std::collections::BTreeSet;
use std::ops::Range;

use super::Snapshot;
use super::boxes::{self, BoxTable};
use super::edits::FEW;
use super::lattice::{Lattice, Snapped};
use super::workers::{Worker, Workers};
use crate::geometry::simd::{self, Kernel, Simd};
use crate::narrow::tri_tri;
use crate::{Bodies, BodyId, Mesh, Pairs, Stats, TriangleId, TrianglePair};

/// The triangles of all bodies, and where they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Triangles {
    points: Vec<Snapped>,
    table: BoxTable,
    edits: Edits,
    workers: Workers<TrianglePair>,
}

/// What edits did to the triangles since all were sorted. A box whose triangle is not what it was is dead, and the triangle that
/// has its id now is late; so the others keep their ids within their bodies.
#[derive(Debug, Clone, Default)]
struct Edits {
    /// The first triangle of each body when all were sorted; empty as long as nothing was edited.
    starts: Vec<u32>,
    /// Boxes of triangles that are gone, renamed or changed.
    dead: BTreeSet<u32>,
    /// Triangles that are in the late boxes, in their order: body, and id there.
    late: BTreeSet<[u32; 2]>,
    /// The same as a list.
    late_list: Vec<[u32; 2]>,
}

impl Edits {
    fn clear(&mut self) {
        self.starts.clear();
        self.dead.clear();
        self.late.clear();
        self.late_list.clear();
    }
}

impl Triangles {
    /// What the last search found, sorted.
    pub fn found(&self) -> &[TrianglePair] {
        &self.workers.all
    }

    /// Follows the frame.
    pub fn update(&mut self, lattice: &Lattice, view: &Snapshot<'_>) {
        boxes::snap_clamped(lattice, view, &mut self.points);
        self.table.fill(&self.points, view.bodies.triangles().iter().map(|t| t.map(|v| v.0)));
        self.edits.clear();
    }

    /// Follows edits of bodies that did not move, each with its triangles that are not what they were and with its former counts
    /// of vertices and triangles. Says whether that could be done; if not, [`Triangles::update`] must be called.
    pub fn follow_at_rest(
        &mut self,
        lattice: &Lattice,
        view: &Snapshot<'_>,
        edited: &[EditedTriangles],
    ) -> bool {
        let bodies = view.bodies;
        if self.edits.starts.is_empty() {
            let mut start = 0;
            for id in bodies.body_ids() {
                self.edits.starts.push(start);
                let own = edited.iter().find(|e| e.body == id);
                start += own.map_or(bodies.triangle_range(id).len(), |e| e.triangles_before) as u32;
            }
            self.edits.starts.push(start);
        }
        for e in edited {
            let (mesh, vertices) = (bodies.mesh(e.body), bodies.vertex_range(e.body));
            let new = vertices.start + e.vertices_before..vertices.end;
            let snapped = new.clone().map(|v| {
                let [p] = view.positions(e.body.index(), [v as u32]);
                let [x, y, z] = lattice.snap_clamped(p);
                [x, y, z, e.body.0 as i32]
            });
            // Bodies come in their order, so that those before have their new vertices already.
            self.points.splice(new.start..new.start, snapped);
            let [first, end] = [0, 1].map(|k| self.edits.starts[e.body.index() + k]);
            for &t in &e.changed {
                if first + t < end {
                    self.edits.dead.insert(first + t);
                }
                if (t as usize) < mesh.triangle_count() {
                    self.edits.late.insert([e.body.0, t]);
                } else {
                    self.edits.late.remove(&[e.body.0, t]);
                }
            }
        }
        if FEW * self.edits.late.len() > self.table.sorted_len() + FEW {
            return false;
        }
        self.edits.late_list.clear();
        self.edits.late_list.extend(&self.edits.late);
        let corners = self.edits.late_list.iter().map(|&[body, t]| {
            let first = bodies.vertex_range(BodyId(body)).start as u32;
            bodies.mesh(BodyId(body)).triangle(TriangleId(t)).map(|v| first + v.0)
        });
        self.table.set_late(&self.points, corners);
        true
    }

    /// The triangle of a box, by its id across bodies; `None` when it is gone.
    #[inline(always)]
    pub fn triangle_of(&self, place: usize, view: &Snapshot<'_>) -> Option<u32> {
        if self.edits.starts.is_empty() { Some(place as u32) } else { self.edited_triangle_of(place, view) }
    }

    #[inline(never)]
    fn edited_triangle_of(&self, place: usize, view: &Snapshot<'_>) -> Option<u32> {
        let [body, t] = match place.checked_sub(self.table.sorted_len()) {
            Some(late) => self.edits.late_list[late],
            None if self.edits.dead.contains(&(place as u32)) => return None,
            None => {
                let body = self.edits.starts.partition_point(|&start| start as usize <= place) - 1;
                [body as u32, place as u32 - self.edits.starts[body]]
            }
        };
        Some(view.bodies.triangle_range(BodyId(body)).start as u32 + t)
    }

    /// The boxes of all triangles.
    pub fn table(&self) -> &BoxTable {
        &self.table
    }

    /// The body of a vertex.
    pub fn body(&self, vertex: u32) -> BodyId {
        BodyId(self.points[vertex as usize][3] as u32)
    }

    /// Finds every pair that intersects, or may intersect unless `exact`.
    pub fn search(&mut self, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let work = |range: Range<usize>, worker: &mut Worker<TrianglePair>| {
            simd::dispatch(TriangleSearch { triangles: self, view, pairs, exact, range, worker });
        };
        let stats = workers.search(self.table.len(), 128, work);
        self.workers = workers;
        stats
    }
}

/// A body that was edited.
pub(super) struct EditedTriangles {
    pub body: BodyId,
    /// Ids of triangles that are not what they were, ascending.
    pub changed: Vec<u32>,
    pub vertices_before: usize,
    pub triangles_before: usize,
}

impl EditedTriangles {
    /// The bodies that are not the same as before; `None` when one did not come from what it was by edits.
    pub fn since(before: &[Mesh], bodies: &Bodies) -> Option<Vec<Self>> {
        let now = bodies.meshes();
        if before.len() != now.len() {
            return None;
        }
        let edited =
            bodies.body_ids().zip(before.iter().zip(now)).filter(|(_, (old, new))| !old.is_same(new));
        edited
            .map(|(body, (old, new))| {
                let changed = new.changed_since(old)?.triangles;
                let (vertices_before, triangles_before) = (old.vertex_count(), old.triangle_count());
                Some(Self { body, changed, vertices_before, triangles_before })
            })
            .collect()
    }
}

struct TriangleSearch<'a> {
    triangles: &'a Triangles,
    view: Snapshot<'a>,
    pairs: Pairs,
    exact: bool,
    range: Range<usize>,
    worker: &'a mut Worker<TrianglePair>,
}

impl Kernel for TriangleSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for triangle in self.range.clone() {
            self.triangle(simd, triangle);
        }
    }
}

impl TriangleSearch<'_> {
    /// Looks for partners of the same class or a larger one, so that each pair is found from its smaller side.
    #[inline(always)]
    fn triangle<S: Simd>(&mut self, simd: S, a: usize) {
        let table = &self.triangles.table;
        let Some(own) = self.triangles.triangle_of(a, &self.view) else { return };
        let (low, high) = table.corners(a);
        let (low, high) = ([low[0], low[1], low[2]], [high[0], high[1], high[2]]);
        for class in table.class(a)..table.classes() {
            let near = &mut self.worker.near;
            near.clear();
            self.worker.stats.visits += table.gather(simd, class, &low, &high, near);
            for n in 0..self.worker.near.len() {
                let b = self.worker.near.get(n)[3] as usize;
                if b == a || (class == table.class(a) && b < a) {
                    continue;
                }
                self.worker.stats.tests += 1;
                let (_, end) = table.corners(b);
                if (0..3).all(|k| end[k] >= low[k])
                    && let Some(other) = self.triangles.triangle_of(b, &self.view)
                {
                    self.candidate(own, other);
                }
            }
        }
    }

    #[inline(never)]
    fn candidate(&mut self, a: u32, b: u32) {
        let ids = [a, b].map(|t| self.view.bodies.triangles()[t as usize].map(|v| v.0));
        let bodies = ids.map(|t| self.triangles.points[t[0] as usize][3] as usize);
        if self.pairs.asks_for(bodies[0] == bodies[1]) {
            let pair = TrianglePair::new(TriangleId(a), TriangleId(b));
            self.worker.candidate(pair, self.exact, || {
                let [pa, pb] = [0, 1].map(|k| self.view.positions(bodies[k], ids[k]));
                tri_tri::meets(ids[0], &pa, ids[1], &pb)
            });
        }
    }
}
