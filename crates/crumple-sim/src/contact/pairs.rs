//! Near pairs from detection.

use crumple::geometry::simd::Quad;
use crumple::narrow::Feature;
use crumple::{Closeness, Element, Pairs, ProximityCandidates, TriangleId, VertexId};
use glam::DVec3;

use super::closest;
use super::nearing::{Guard, Ways};
use super::pair::{Kind, Meeting, Pair};
use super::solve::FAR;
use super::touched::Touched;
use crate::order::larger;
use crate::plan::{Stale, WITHIN};
use crate::{Blocker, SimError, World};

/// How much of what it came nearer in the last step a pair is expected to come nearer in this one.
const AGAIN: f32 = 1.8;

/// The near pairs that are watched.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// As they were found, each time vertices and triangles in the order of the vertices, then edges and edges; or watched beside.
    pub pairs: Vec<Pair>,
    /// Which of them push, and how much nearer both sides must come before they may.
    pub pushing: Vec<u32>,
    pub(super) push_guards: Vec<Guard>,
    /// Of every pair how much nearer both sides may come before its gap may be gone.
    pub(super) guards: Vec<Guard>,
    /// Where everything was when the pairs were aimed, how far it is from there, and how much nearer sides have come by that.
    pub(super) aimed_at: Vec<DVec3>,
    pub(super) ways: Ways,
    nearing: Vec<f32>,
    /// The pairs that a sweep looks at.
    pub(super) beyond: Vec<u32>,
    /// Pairs that were pushed apart for the proof.
    pub(super) opened: Vec<u32>,
    /// Pairs of which a vertex was moved for the proof.
    pub(super) touched: Touched,
    /// What detection said last.
    candidates: ProximityCandidates,
    /// The same, in the order of the vertices.
    ordered: Vec<(VertexId, TriangleId)>,
    /// Where everything was then.
    points: Vec<Quad>,
    /// How many pairs were aimed, or watched beside; those after them were found since, and are aimed where things are.
    known: usize,
    /// How many there were when they were aimed: those after them do not push.
    pub(super) aimed: usize,
    /// How many candidates come before those of each vertex.
    offsets: Vec<u32>,
}

impl Contacts {
    /// Watches more pairs, which do not push before they are aimed next.
    pub fn watch_more(&mut self, pairs: Vec<Pair>) {
        self.guards.extend(pairs.iter().map(Pair::guard));
        self.pairs.extend(pairs);
        self.known = self.pairs.len();
        self.touched.forget();
    }

    /// Whether pairs are watched that do not push before they are aimed.
    pub fn is_more(&self) -> bool {
        self.pairs.len() > self.aimed
    }

    /// Lets only these of the pairs that push do so.
    pub(super) fn retain_pushing(&mut self, is_kept: impl Fn(&Pair) -> bool) {
        let Self { pairs, pushing, push_guards, .. } = self;
        let is_kept = |&i: &u32| is_kept(&pairs[i as usize]);
        let mut kept = pushing.iter().map(is_kept);
        push_guards.retain(|_| kept.next().unwrap_or(false));
        pushing.retain(is_kept);
    }

    /// Orders vertices and triangles by the vertices: a counting sort.
    fn order(&mut self, vertices: usize) {
        self.offsets.clear();
        self.offsets.resize(vertices + 1, 0);
        for (v, _) in &self.candidates.vertex_triangles {
            self.offsets[v.index() + 1] += 1;
        }
        for v in 0..vertices {
            self.offsets[v + 1] += self.offsets[v];
        }
        self.ordered.clear();
        self.ordered.resize(self.candidates.vertex_triangles.len(), (VertexId(0), TriangleId(0)));
        for &row in &self.candidates.vertex_triangles {
            let at = &mut self.offsets[row.0.index()];
            self.ordered[*at as usize] = row;
            *at += 1;
        }
    }
}

impl World {
    /// Finds what is closer than the watch's reaches, of what is stale; other pairs stay.
    pub(crate) fn find_pairs(&mut self, stale: &Stale, search: Option<usize>) -> Result<(), SimError> {
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.pairs.retain(|pair| {
            let [a, b] = [pair.v[0], pair.v[3]].map(|v| self.body_of[v as usize]);
            !stale.has(a, b)
        });
        contacts.known = contacts.pairs.len();
        if stale.within.contains(&true) {
            self.show_anchors(WITHIN, |b| stale.within[b])?;
            self.append_pairs(WITHIN, Pairs::Within, Some(&stale.within), &mut contacts)?;
        }
        if let Some(place) = search {
            self.show_anchors(place, |_| true)?;
            self.append_pairs(place, Pairs::Between, Some(&stale.between), &mut contacts)?;
        }
        self.contacts = contacts;
        self.note_found(stale, search);
        Ok(())
    }

    /// Finds what is near of one kind, and of these bodies if some are named.
    fn append_pairs(
        &mut self,
        kind: usize,
        pairs: Pairs,
        bodies: Option<&[bool]>,
        contacts: &mut Contacts,
    ) -> Result<(), SimError> {
        let reach = &self.watch.kinds[kind].reach[..];
        let close = Closeness { reach: Some(reach), pairs, bodies, ..Closeness::below(0.0) };
        self.scene.proximity_candidates(&close, &mut contacts.candidates)?;
        contacts.order(self.state.x.len());
        let first = contacts.pairs.len();
        let triangles = self.scene.bodies().triangles();
        let Contacts { pairs: found, points, ordered, candidates, .. } = &mut *contacts;
        closest::fill(&self.state.x, points);
        found.extend(ordered.iter().map(|&(v, t)| {
            let [p, q, r] = triangles[t.index()].map(|v| v.0);
            Pair::new(Kind::VertexTriangle, [v.0, p, q, r], self.meeting(v.0, p))
        }));
        let edges = found.len();
        closest::aim(Kind::VertexTriangle, &mut found[first..], points);
        found.extend(candidates.edge_edges.iter().map(|&[[i, j], [k, l]]| {
            Pair::new(Kind::EdgeEdge, [i.0, j.0, k.0, l.0], self.meeting(i.0, k.0))
        }));
        closest::aim(Kind::EdgeEdge, &mut found[edges..], points);
        if kind == WITHIN {
            for pair in &mut contacts.pairs[first..] {
                pair.set_neighbour(self.is_connected(pair));
            }
        }
        Ok(())
    }

    /// How two vertices' bodies meet.
    #[inline]
    fn meeting(&self, v: u32, w: u32) -> Meeting {
        let [a, b] = [v, w].map(|v| self.body_of[v as usize] as usize);
        let [p, q] = [&self.surfaces[a], &self.surfaces[b]];
        let thickness = 0.5 * (p.thickness + q.thickness);
        Meeting { thickness, friction: p.friction * q.friction }
    }

    /// All features at one vertex with all at the other, of some pairs of vertices, aimed where the stretch began.
    pub(crate) fn pairs_at(&mut self, vertices: &[[u32; 2]], from: &[DVec3]) -> Vec<Pair> {
        let mut points = std::mem::take(&mut self.contacts.points);
        let mut out = Vec::new();
        for &[v, w] in vertices {
            let [a, b] = [v, w].map(|v| &self.bodies[self.body_of[v as usize] as usize]);
            let meeting = self.meeting(v, w);
            for (v, w, b) in [(v, w, b), (w, v, a)] {
                for (_, corners) in b.triangles_at(w) {
                    if !corners.contains(&v) {
                        let [p, q, r] = corners;
                        out.push(Pair::new(Kind::VertexTriangle, [v, p, q, r], meeting));
                    }
                }
            }
            for &e in &a.edges_at(v) {
                for &f in &b.edges_at(w) {
                    if !e.iter().any(|v| f.contains(v)) {
                        let [e, f] = [e.min(f), e.max(f)];
                        out.push(Pair::new(Kind::EdgeEdge, [e[0], e[1], f[0], f[1]], meeting));
                    }
                }
            }
        }
        out.sort_unstable_by_key(|p| (p.kind, p.v));
        out.dedup_by_key(|p| (p.kind, p.v));
        closest::fill(from, &mut points);
        let middle = out.partition_point(|p| p.kind == Kind::VertexTriangle);
        let (vertices, edges) = out.split_at_mut(middle);
        closest::aim(Kind::VertexTriangle, vertices, &points);
        closest::aim(Kind::EdgeEdge, edges, &points);
        self.contacts.points = points;
        for pair in &mut out {
            pair.forget_base();
            pair.set_neighbour(self.is_connected(pair));
        }
        out
    }

    /// Aims the pairs at where things are now, and chooses those that push.
    pub(crate) fn aim(&mut self) {
        let x = &self.state.x;
        let contacts = &mut self.contacts;
        // Since the last time, for pairs that were aimed then.
        let is_known = contacts.aimed_at.len() == x.len();
        let Contacts {
            pairs,
            pushing,
            push_guards,
            guards,
            ways,
            nearing,
            aimed_at,
            touched,
            known,
            aimed,
            ..
        } = contacts;
        if is_known {
            guards.clear();
            guards.extend(pairs[..*known].iter().map(Pair::guard));
            ways.measure(x, aimed_at);
            ways.nearing(guards, nearing);
        }
        touched.forget();
        pushing.clear();
        push_guards.clear();
        guards.clear();
        let mut same: Vec<[u32; 2]> = Vec::new();
        let mut vertex = u32::MAX;
        for (i, pair) in pairs.iter_mut().enumerate() {
            let is_old = i < *known;
            if is_old && is_known {
                // What is too far apart to push in this step, even if it goes on nearly twice as fast, keeps its direction.
                let low = pair.base() - nearing[i];
                if low - AGAIN * larger(nearing[i], 0.0) > FAR * pair.thickness {
                    pair.keep_far(low);
                    guards.push(pair.guard());
                    continue;
                }
            }
            if is_old {
                pair.begin(x);
            }
            let guard = pair.guard();
            guards.push(guard);
            let pushes = if pair.is_neighbour() {
                false
            } else if pair.kind == Kind::EdgeEdge {
                // An end of an edge is a vertex over an edge, which came before.
                pair.feature == Feature::Face
            } else {
                if pair.v[0] != vertex {
                    same.clear();
                    vertex = pair.v[0];
                }
                // A vertex over an edge comes with both its triangles: one of them pushes.
                let key = pair.closest_key();
                let is_again = key.is_some_and(|key| same.contains(&key));
                same.extend(key);
                !is_again
            };
            if pushes {
                let room = pair.base() - FAR * pair.thickness;
                pushing.push(i as u32);
                push_guards.push(guard.with_room(room));
            }
        }
        *known = pairs.len();
        *aimed = pairs.len();
        aimed_at.clone_from(x);
    }

    /// Whether two features of one body hang together and are about as close at rest.
    fn is_connected(&self, pair: &Pair) -> bool {
        let [a, b] = [pair.v[0], pair.v[3]].map(|v| self.body_of[v as usize]);
        if a != b {
            return false;
        }
        let body = &self.bodies[a as usize];
        let (v, c) = (pair.v.map(|v| v as usize - body.first), pair.weights());
        let way: DVec3 = (0..4).map(|i| body.rest[v[i]] * c[i]).sum();
        if way.length() > 1.5 * body.thickness {
            return false;
        }
        let topology = body.mesh.topology();
        let (mine, theirs) = v.split_at(pair.split());
        mine.iter().any(|m| {
            topology.neighbours(VertexId(*m as u32)).any(|n| {
                theirs.contains(&n.index()) || topology.neighbours(n).any(|n| theirs.contains(&n.index()))
            })
        })
    }

    /// A pair as reports name it.
    pub(crate) fn blocker(&self, pair: &Pair) -> Blocker {
        let element = |v: u32| {
            let (body, id) = self.locate(v);
            Element { body, id }
        };
        match pair.kind {
            Kind::VertexTriangle => {
                let body = self.locate(pair.v[1]).0;
                let at = self.bodies[body.index()].triangles_at(pair.v[1]);
                let own = at.iter().find(|(_, corners)| *corners == pair.v[1..]);
                let id = TriangleId(own.map_or(u32::MAX, |(t, _)| *t));
                Blocker::VertexTriangle(element(pair.v[0]), Element { body, id })
            }
            Kind::EdgeEdge => {
                let edge = |i: usize| {
                    let (body, v) = self.locate(pair.v[i]);
                    Element { body, id: [v, self.locate(pair.v[i + 1]).1] }
                };
                Blocker::EdgeEdge(edge(0), edge(2))
            }
        }
    }
}
