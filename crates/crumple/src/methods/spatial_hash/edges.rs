//! Edges against tets: finds what crosses without a vertex inside (T38, T-A16).

use std::collections::BTreeSet;
use std::ops::Range;

use super::boxes::BoxTable;
use super::bundles::{Bundle, TetLanes};
use super::edits::{Edited, FEW};
use super::lattice::{Lattice, Snapped};
use super::workers::{Worker, Workers};
use super::{Snapshot, SpatialHash, boxes};
use crate::geometry::simd::{self, Kernel, Mask, Simd};
use crate::mesh::ChangedRows;
use crate::methods::brute_force::all_edges;
use crate::narrow::edge_tet;
use crate::{Bodies, EdgeTet, Mesh, Pairs, Stats, TetId, TriangleId, VertexId};

/// The edges of all bodies, and where they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    /// Body after body, sorted.
    ends: Vec<[u32; 2]>,
    /// The first vertex of each body.
    first: Vec<u32>,
    /// Whether the table holds the list.
    is_in_table: bool,
    edits: EdgeEdits,
    points: Vec<Snapped>,
    /// Whether points are drawn to the edge of the lattice, so that only their order can be trusted.
    drawn: bool,
    table: BoxTable,
    workers: Workers<EdgeTet>,
}

/// What edits did to the edges since they were listed.
#[derive(Debug, Clone, Default)]
struct EdgeEdits {
    /// Places of edges that are gone.
    dead: BTreeSet<u32>,
    /// Edges that are not in the list.
    late: BTreeSet<[u32; 2]>,
    /// Those of them that are in the late boxes, in their order.
    late_list: Vec<[u32; 2]>,
}

impl Edges {
    /// Takes the edges of a new mesh.
    pub fn set_mesh(&mut self, view: &Snapshot<'_>) {
        self.edits = EdgeEdits::default();
        self.ends.clear();
        self.ends.extend(all_edges(view.bodies).map(|e| e.map(|v| v.0)));
        self.first = first_vertices(view.bodies);
        self.is_in_table = false;
    }

    /// Notes which edges came and went with the edits of some bodies. Says whether that could be done; if not,
    /// [`Edges::set_mesh`] must be called.
    pub fn follow_edits(&mut self, view: &Snapshot<'_>, edited: &[Edited]) -> bool {
        if !self.renumber(first_vertices(view.bodies)) {
            return false;
        }
        for (id, before) in edited {
            let (now, first) = (view.bodies.mesh(*id), self.first[id.index()]);
            let Some(changed) = now.changed_since(before) else { return false };
            if before.is_solid() != now.is_solid() {
                return false;
            }
            let mut touched = BTreeSet::new();
            for mesh in [before, now] {
                edges_of(mesh, &changed, &mut touched);
            }
            for [v, w] in touched {
                let is_there = has_edge(now, [v, w]);
                let ends = [v + first, w + first];
                let place = self.ends.binary_search(&ends).ok().map(|place| place as u32);
                let EdgeEdits { dead, late, .. } = &mut self.edits;
                match (place, is_there) {
                    (Some(place), true) => dead.remove(&place),
                    (Some(place), false) => dead.insert(place),
                    (None, true) => late.insert(ends),
                    (None, false) => late.remove(&ends),
                };
            }
        }
        true
    }

    /// Gives the edges the numbers that their vertices have when bodies begin there. Says whether there are as many bodies.
    fn renumber(&mut self, first: Vec<u32>) -> bool {
        if self.first.len() != first.len() {
            return false;
        }
        if self.first != first {
            // Bodies stay in their order, so that edges do.
            let name = |v: u32| {
                let body = self.first.partition_point(|&first| first <= v) - 1;
                v - self.first[body] + first[body]
            };
            self.ends.iter_mut().for_each(|ends| *ends = ends.map(name));
            self.edits.late = self.edits.late.iter().map(|ends| ends.map(name)).collect();
            self.first = first;
        }
        true
    }

    /// Brings the boxes up to date with the edits that were noted, where nothing moved; `before` is how many vertices each body
    /// had. Says whether that could be done; if not, [`Edges::update`] must be called.
    pub fn follow_at_rest(&mut self, lattice: &Lattice, view: &Snapshot<'_>, before: &[usize]) -> bool {
        if !self.is_in_table || FEW * self.edits.late.len() > self.ends.len() + FEW {
            return false;
        }
        for (id, &before) in view.bodies.body_ids().zip(before) {
            let range = view.bodies.vertex_range(id);
            let first = range.start + before;
            let snapped: Vec<Snapped> = (first..range.end)
                .map(|v| {
                    let [p] = view.positions(id.index(), [v as u32]);
                    let [x, y, z] = lattice.snap_clamped(p);
                    self.drawn |= boxes::is_drawn([x, y, z]);
                    [x, y, z, id.0 as i32]
                })
                .collect();
            // Bodies come in their order, so that those before have their new vertices already.
            self.points.splice(first..first, snapped);
        }
        self.edits.late_list.clear();
        self.edits.late_list.extend(&self.edits.late);
        self.table.set_late(&self.points, self.edits.late_list.iter().copied());
        true
    }

    /// Puts the edges that came where they belong, and leaves out those that went.
    fn settle_edits(&mut self) {
        let EdgeEdits { dead, late, .. } = std::mem::take(&mut self.edits);
        if dead.is_empty() && late.is_empty() {
            return;
        }
        let kept = (0..).zip(&self.ends).filter(|(place, _)| !dead.contains(place)).map(|(_, ends)| *ends);
        self.ends = kept.chain(late).collect();
        // Two sorted runs.
        self.ends.sort();
    }

    /// The ends of the edge of a box; `None` when it is gone.
    #[inline(always)]
    fn ends_of(&self, place: usize) -> Option<[u32; 2]> {
        match place.checked_sub(self.ends.len()) {
            Some(late) => Some(self.edits.late_list[late]),
            None if !self.edits.dead.is_empty() && self.edits.dead.contains(&(place as u32)) => None,
            None => Some(self.ends[place]),
        }
    }

    /// What the last search found, sorted.
    pub fn found(&self) -> &[EdgeTet] {
        &self.workers.all
    }

    /// Follows the frame.
    pub fn update(&mut self, lattice: &Lattice, view: &Snapshot<'_>) {
        self.settle_edits();
        self.drawn = boxes::snap_clamped(lattice, view, &mut self.points);
        self.table.fill(&self.points, self.ends.iter().copied());
        self.is_in_table = true;
    }

    /// Finds every edge and every tet that it meets, or may meet unless `exact`.
    pub fn search(&mut self, hash: &SpatialHash, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let bundles = hash.bundles.all();
        let work = |range: Range<usize>, worker: &mut Worker<EdgeTet>| {
            simd::dispatch(EdgeSearch { edges: self, view, pairs, exact, bundles: &bundles[range], worker });
        };
        let stats = workers.search(bundles.len(), 16, work);
        self.workers = workers;
        stats
    }
}

struct EdgeSearch<'a> {
    edges: &'a Edges,
    view: Snapshot<'a>,
    pairs: Pairs,
    exact: bool,
    bundles: &'a [Bundle],
    worker: &'a mut Worker<EdgeTet>,
}

impl Kernel for EdgeSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for bundle in self.bundles {
            self.bundle(simd, bundle);
        }
    }
}

impl EdgeSearch<'_> {
    #[inline(always)]
    fn bundle<S: Simd>(&mut self, simd: S, bundle: &Bundle) {
        let Edges { points, table, .. } = self.edges;
        let tets = TetLanes::new(simd, points, &bundle.corners);
        let (low, high) = tets.span();
        let near = &mut self.worker.near;
        near.clear();
        for class in 0..table.classes() {
            self.worker.stats.visits += table.gather(simd, class, &low, &high, near);
        }
        let faces = tets.faces(simd);
        let there = (1u32 << bundle.count) - 1;
        for n in 0..self.worker.near.len() {
            let edge = self.worker.near.get(n)[3] as usize;
            let (low, high) = table.corners(edge);
            let Some(ends) = self.edges.ends_of(edge) else { continue };
            let mut may = !tets.apart(simd, low, high).bitmask() & !bundle.owners(simd, ends) & there;
            if may == 0 {
                continue;
            }
            self.worker.stats.tests += 1;
            if !self.edges.drawn {
                let ends = [&points[ends[0] as usize], &points[ends[1] as usize]];
                may &= !faces.exclude_segment(simd, &tets, ends).bitmask();
            }
            while may != 0 {
                self.candidate(ends, bundle, may.trailing_zeros() as usize);
                may &= may - 1;
            }
        }
    }

    #[inline(never)]
    fn candidate(&mut self, ends: [u32; 2], bundle: &Bundle, lane: usize) {
        let body = self.edges.points[ends[0] as usize][3] as u32;
        if self.pairs.asks_for(body == bundle.body) {
            let pair = EdgeTet { edge: ends.map(VertexId), tet: TetId(bundle.tets[lane]) };
            self.worker.candidate(pair, self.exact, || {
                let tet = self.view.positions(bundle.body as usize, bundle.tet(lane));
                edge_tet::intersects(&self.view.positions(body as usize, ends), &tet)
            });
        }
    }
}

/// The first vertex of each body.
fn first_vertices(bodies: &Bodies) -> Vec<u32> {
    bodies.body_ids().map(|b| bodies.vertex_range(b).start as u32).collect()
}

/// Adds the edges of elements that an edit changed, as they are in one version, the smaller end first.
fn edges_of(mesh: &Mesh, changed: &ChangedRows, out: &mut BTreeSet<[u32; 2]>) {
    let mut add = |corners: &[VertexId]| {
        for (i, v) in corners.iter().enumerate() {
            let others = corners[i + 1..].iter().filter(|w| *w != v);
            out.extend(others.map(|w| [v.0.min(w.0), v.0.max(w.0)]));
        }
    };
    if mesh.is_solid() {
        let there = changed.tets.iter().filter(|&&t| (t as usize) < mesh.tet_count());
        there.for_each(|&t| add(&mesh.tet(TetId(t))));
    } else {
        let there = changed.triangles.iter().filter(|&&t| (t as usize) < mesh.triangle_count());
        there.for_each(|&t| add(&mesh.triangle(TriangleId(t))));
    }
}

/// Whether two vertices are joined by an edge.
fn has_edge(mesh: &Mesh, [v, w]: [u32; 2]) -> bool {
    if v as usize >= mesh.vertex_count() {
        return false;
    }
    let w = VertexId(w);
    if mesh.is_solid() {
        mesh.tets_round(VertexId(v)).any(|t| mesh.tet(t).contains(&w))
    } else {
        mesh.adjacency().star(v).any(|t| mesh.triangle(TriangleId(t)).contains(&w))
    }
}
