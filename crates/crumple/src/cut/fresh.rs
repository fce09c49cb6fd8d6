//! Both sides of a fresh cut, until they part (B22).

use std::collections::{HashMap, HashSet};

use super::Cut;
use super::lips::{CutBody, Lips};
use crate::geometry::vector::{dot, sub};
use crate::impact::{Features, Impact};
use crate::{Bodies, BodyId, Changes, Contacts, Frame, VertexId};

/// Cuts whose sides have not parted everywhere, and what may touch because of them.
///
/// Right after a cut its two sides touch: that is no collision. A contact is exempt while it is connected to a cut that has not opened:
/// its elements use two copies of a seam point that is closed; or they are neighbours, one on each side, of the elements of
/// a contact that is exempt in this frame or was in the frame before. So sides that are pressed into each other or slide
/// along each other stay exempt as long as they never let go, whatever elements meet.
///
/// Only the *lips* are exempt: what is at most a depth away from the seam, along the edges of the body as it lay when it was cut
/// ([`FreshCuts::with_depth`]; two mean edges at the seam unless told). A half that is pushed deeper into the other is seen.
///
/// A seam point opens, for good, in the first frame in which no exempt contact uses any of its copies and they are at least
/// [`FreshCuts::with_gap`] apart. A contact whose elements use points of a seam, all of them open, counts as any other.
/// So [`FreshCuts::filter`] wants the contacts of every frame, of all pairs.
#[derive(Debug, Clone, Default)]
pub struct FreshCuts {
    gap: f64,
    /// How far the lips reach from the seam; `None` for two mean edges there.
    depth: Option<f64>,
    /// Vertices of the lips.
    lips: HashSet<Name>,
    /// The seam point of each vertex on a seam.
    points: HashMap<Name, u32>,
    opened: HashSet<u32>,
    /// Vertices of one and of the other element of the contacts that were exempt in the last frame.
    together: HashSet<[Name; 2]>,
    next: u32,
}

/// A vertex by the name that it keeps: its body and its id there.
type Name = (BodyId, VertexId);

/// Two elements that touch, by their vertices.
struct Meeting {
    a: Vec<Name>,
    b: Vec<Name>,
}

impl FreshCuts {
    /// No cut; a seam point is open as soon as nothing touches there.
    pub fn new() -> Self {
        Self::default()
    }

    /// No cut; the copies of a seam point must be at least `gap` apart to be open. A simulator that moves both sides with
    /// rounding wants a gap well above that.
    pub fn with_gap(gap: f64) -> Self {
        Self { gap, ..Self::default() }
    }

    /// The lips of cuts that are added from now on reach so far from the seam.
    pub fn with_depth(self, depth: f64) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Takes every seam as open.
    pub fn forget(&mut self) {
        *self = Self { gap: self.gap, depth: self.depth, next: self.next, ..Self::default() };
    }

    /// Whether every seam has opened.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Takes note of a cut of a body.
    pub fn add(&mut self, body: BodyId, cut: &Cut) {
        let Cut { body: mesh, changes, positions, seam } = cut;
        self.add_cut_body(body, changes, &CutBody { body: mesh, positions, seam });
    }

    /// Takes note of a cut of a body.
    pub(crate) fn add_cut_body(&mut self, body: BodyId, changes: &Changes, cut_body: &CutBody<'_>) {
        for &[vertex, copy] in cut_body.seam {
            let next = &mut self.next;
            let point = *self.points.entry((body, vertex)).or_insert_with(|| {
                *next += 1;
                *next
            });
            self.points.insert((body, copy), point);
            self.opened.remove(&point);
        }
        // What the blade made in the lips of cuts before belongs to them.
        for new in &changes.vertices {
            if new.parents.iter().any(|(parent, _)| self.lips.contains(&(body, *parent))) {
                self.lips.insert((body, new.vertex));
            }
        }
        self.lips.extend(Lips::of(cut_body, self.depth).into_iter().map(|v| (body, v)));
    }

    /// Follows a body that became part of another, its vertices renamed; `None` for a vertex that was welded away.
    pub fn rename(&mut self, from: BodyId, to: BodyId, name: impl Fn(VertexId) -> Option<VertexId>) {
        let follow = |(body, vertex): Name| {
            if body == from { name(vertex).map(|vertex| (to, vertex)) } else { Some((body, vertex)) }
        };
        let (points, together) = (std::mem::take(&mut self.points), std::mem::take(&mut self.together));
        self.lips = std::mem::take(&mut self.lips).into_iter().filter_map(follow).collect();
        self.points = points.into_iter().filter_map(|(v, point)| Some((follow(v)?, point))).collect();
        self.together =
            together.into_iter().filter_map(|[v, w]| Some(link(follow(v)?, follow(w)?))).collect();
    }

    /// Takes the contacts of fresh cuts out of those of a frame, and opens seams where their sides have parted. Returns
    /// how many were taken out.
    pub fn filter(&mut self, bodies: &Bodies, frame: Frame<'_>, contacts: &mut Contacts) -> usize {
        if self.is_empty() {
            return 0;
        }
        let meetings = meetings(bodies, contacts);
        let is_exempt = self.hang_together(&meetings);
        let exempt = || meetings.iter().zip(&is_exempt).filter(|(_, is)| **is).map(|(m, _)| m);
        self.together = exempt().flat_map(Meeting::links).collect();
        let touched =
            exempt().flat_map(Meeting::vertices).filter_map(|v| self.points.get(v).copied()).collect();
        self.open(frame, &touched);
        let mut each = is_exempt.iter();
        let mut stays = || !each.next().copied().unwrap_or(false);
        contacts.triangle_pairs.retain(|_| stays());
        contacts.vertex_tets.retain(|_| stays());
        contacts.edge_tets.retain(|_| stays());
        is_exempt.iter().filter(|is| **is).count()
    }

    /// Which impacts of the step that ends with the frame to come are connected to a cut that was not open at its start.
    pub(crate) fn explains(&self, bodies: &Bodies, impacts: &[Impact]) -> Vec<bool> {
        if self.is_empty() {
            return vec![false; impacts.len()];
        }
        let names = |vertices: &[VertexId]| vertices.iter().map(|v| bodies.locate_vertex(*v)).collect();
        let meeting = |impact: &Impact| match impact.features {
            Features::VertexTriangle(v, t) => {
                Meeting { a: names(&[v]), b: names(&bodies.triangles()[t.index()]) }
            }
            Features::EdgeEdge(a, b) => Meeting { a: names(&a), b: names(&b) },
        };
        self.hang_together(&impacts.iter().map(meeting).collect::<Vec<_>>())
    }

    /// Which contacts are connected to a cut that has not opened.
    fn hang_together(&self, meetings: &[Meeting]) -> Vec<bool> {
        let mut is_exempt = vec![false; meetings.len()];
        let mut links: Vec<([Name; 2], usize)> = Vec::new();
        let mut front = Vec::new();
        for (n, meeting) in meetings.iter().enumerate().filter(|(_, m)| self.may_be_exempt(m)) {
            links.extend(meeting.links().map(|link| (link, n)));
            if meeting.links().any(|link| self.is_closed_point(link) || self.together.contains(&link)) {
                is_exempt[n] = true;
                front.push(n);
            }
        }
        links.sort_unstable();
        while let Some(n) = front.pop() {
            for link in meetings[n].links() {
                let from = links.partition_point(|(other, _)| *other < link);
                for &(_, m) in links[from..].iter().take_while(|(other, _)| *other == link) {
                    if !std::mem::replace(&mut is_exempt[m], true) {
                        front.push(m);
                    }
                }
            }
        }
        is_exempt
    }

    /// Whether two elements are both in lips, and use no point of a seam, or one that is closed.
    fn may_be_exempt(&self, meeting: &Meeting) -> bool {
        if ![&meeting.a, &meeting.b].into_iter().all(|side| side.iter().any(|v| self.lips.contains(v))) {
            return false;
        }
        let mut points = meeting.vertices().filter_map(|v| self.points.get(v)).peekable();
        points.peek().is_none() || points.any(|p| !self.opened.contains(p))
    }

    /// Whether two vertices are copies of one seam point that is closed.
    fn is_closed_point(&self, [v, w]: [Name; 2]) -> bool {
        match (self.points.get(&v), self.points.get(&w)) {
            (Some(p), Some(q)) => p == q && !self.opened.contains(p),
            _ => false,
        }
    }

    /// Opens the points that are not touched and whose copies are apart; forgets all when every one is open.
    fn open(&mut self, frame: Frame<'_>, touched: &HashSet<u32>) {
        let mut copies: HashMap<u32, Vec<[f64; 3]>> = HashMap::new();
        for (&(body, vertex), point) in &self.points {
            if self.opened.contains(point) || touched.contains(point) {
                continue;
            }
            // A copy that went away with its body is apart from all others.
            let at = copies.entry(*point).or_default();
            if let Some(positions) = frame.get(body)
                && vertex.index() < positions.len()
            {
                at.push(positions.get(vertex.index()));
            }
        }
        for (point, at) in copies {
            let is_near = |p: &[f64; 3], q: &[f64; 3]| dot(&sub(p, q), &sub(p, q)) < self.gap * self.gap;
            let any_near = at.iter().enumerate().any(|(i, p)| at[i + 1..].iter().any(|q| is_near(p, q)));
            if !any_near {
                self.opened.insert(point);
            }
        }
        if self.points.values().all(|p| self.opened.contains(p)) {
            self.forget();
        }
    }
}

impl Meeting {
    fn vertices(&self) -> impl Iterator<Item = &Name> {
        self.a.iter().chain(&self.b)
    }

    /// A vertex of one element with one of the other, in every way.
    fn links(&self) -> impl Iterator<Item = [Name; 2]> {
        let all = self.a.iter().flat_map(|v| self.b.iter().map(|w| (*v, *w)));
        // What both use, such as the tip of a slit, is on neither side.
        all.filter(|(v, w)| v != w).map(|(v, w)| link(v, w))
    }
}

fn link(v: Name, w: Name) -> [Name; 2] {
    [v.min(w), v.max(w)]
}

/// The contacts in the order of their lists.
fn meetings(bodies: &Bodies, contacts: &Contacts) -> Vec<Meeting> {
    let names = |vertices: &[VertexId]| vertices.iter().map(|v| bodies.locate_vertex(*v)).collect();
    let triangle = |t: crate::TriangleId| names(&bodies.triangles()[t.index()]);
    let tet = |t: crate::TetId| names(&bodies.tets()[t.index()]);
    let pairs = contacts.triangle_pairs.iter().map(|c| Meeting { a: triangle(c.a), b: triangle(c.b) });
    let vertices = contacts.vertex_tets.iter().map(|c| Meeting { a: names(&[c.vertex]), b: tet(c.tet) });
    let edges = contacts.edge_tets.iter().map(|c| Meeting { a: names(&c.edge), b: tet(c.tet) });
    pairs.chain(vertices).chain(edges).collect()
}
