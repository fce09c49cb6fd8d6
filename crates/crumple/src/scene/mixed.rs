//! Bodies of different natures side by side: each is searched by the method that suits it.
//!
//! Connected surfaces are searched by regularity, soups by the bucket tree; connected surfaces that come near a soup are guests
//! of the bucket tree, which finds the pairs between them. A scene of one nature is handed on as it is.
//!
//! What decides is how large the pieces of a body are. Regularity lives on common edges, and certifies whole patches of 64
//! triangles; in pieces of two triangles, or in tiny tets, it finds nothing to certify, and pays for looking: three times the
//! bucket tree's frame on 100,000 quads. From eight triangles on it costs 0.3 to 1.4 times as much where pieces are bent,
//! but where they are flat, as boxes are, a tenth to four tenths: the bucket tree tests every pair of neighbours, and those in one plane
//! are decided by exact arithmetic.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::SurfaceMethod;
use super::planner::is_crowded;
use crate::broad_phase::BroadPhase;
use crate::budget::{Budgeted, Clock, Meter};
use crate::detector::{Method, Ready};
use crate::geometry::Aabb;
use crate::mesh::PerBody;
use crate::methods::bucket_tree::BucketTree;
use crate::methods::regularity::Regularity;
use crate::{
    Bodies, BodyId, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Mesh, Pairs,
    Positions, Stats, TriangleId, TrianglePair, parallel,
};

/// The name of both methods side by side.
pub(super) const MIXED: &str = "regularity+bucket-tree";

/// Pieces of so many triangles are worth a certificate.
const LARGE: usize = 8;

/// Bodies of fewer triangles are not worth a method of their own.
const TINY: usize = 16;

/// A body is judged again when one triangle in so many came or went.
const CHANGED: usize = 8;

/// What judging a body takes for each triangle, about.
const JUDGE_SECONDS: f64 = 100e-9;

/// What a body was found to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nature {
    pub method: SurfaceMethod,
    /// Triangles in large pieces, and in all.
    pub in_large: usize,
    pub triangles: usize,
    /// Whether many triangles meet in single vertices.
    is_crowded: bool,
    /// Triangles that came or went since.
    changes: usize,
}

impl Nature {
    /// Looks at a body's pieces.
    pub fn of(mesh: &Mesh) -> Self {
        let triangles = mesh.triangle_count();
        let sides = 3 * triangles;
        let joined = 2 * sides.saturating_sub(mesh.edge_count());
        // Where few sides join anything there is no large piece; otherwise pieces are counted. Half of a small body is large.
        let large = LARGE.min(triangles / 2);
        let in_large = if 4 * joined < sides { 0 } else { in_pieces_of(mesh, large) };
        let is_crowded = is_crowded(mesh);
        let is_loose = 2 * in_large < triangles && triangles >= TINY && !is_crowded;
        let method = if is_loose { SurfaceMethod::BucketTree } else { SurfaceMethod::Regularity };
        Self { method, in_large, triangles, is_crowded, changes: 0 }
    }

    /// Of no triangles.
    pub fn of_nothing() -> Self {
        Self { method: SurfaceMethod::default(), in_large: 0, triangles: 0, is_crowded: false, changes: 0 }
    }

    /// Of two bodies for the same method.
    pub fn with(self, other: &Self) -> Self {
        let (in_large, triangles) = (self.in_large + other.in_large, self.triangles + other.triangles);
        Self { in_large, triangles, is_crowded: self.is_crowded || other.is_crowded, ..self }
    }

    /// One sentence.
    pub fn why(&self) -> String {
        let Self { in_large, triangles, .. } = self;
        if *triangles == 0 {
            return "there are no triangles, so there is nothing to find".to_owned();
        }
        let large = format!("{in_large} of {triangles} triangles are in pieces of some size");
        match self.method {
            _ if self.is_crowded => {
                "many triangles meet in single vertices, and it does not look at each pair of them".to_owned()
            }
            SurfaceMethod::BucketTree => format!("only {large}, and it needs no neighbours"),
            _ if *triangles < TINY => format!("{triangles} triangles are few for any method"),
            _ => format!("{large}, and smooth regions rule themselves out"),
        }
    }

    /// What the next version of the body is.
    fn after(self, before: &Mesh, mesh: &Mesh) -> Self {
        let changes = mesh.changed_since(before).map(|rows| self.changes + rows.triangles.len());
        match changes.filter(|n| CHANGED * n <= self.triangles) {
            Some(changes) => Self { changes, ..self },
            None => Self::of(mesh),
        }
    }
}

/// Triangles in pieces of so many or more; what has a common vertex is one piece. All of the topology, with which pieces are joined
/// at edges, takes ten times as long, and hierarchies do without it.
fn in_pieces_of(mesh: &Mesh, large: usize) -> usize {
    // Each vertex points at a lower one of its piece, or at itself where it is the lowest so far. Threads may join pieces at the
    // same time: a vertex is hung below another only as long as it is the lowest of its own.
    let lower: Vec<AtomicU32> = (0..mesh.vertex_count() as u32).map(AtomicU32::new).collect();
    let find = |mut v: u32| loop {
        let next = lower[v as usize].load(Relaxed);
        if next == v {
            return v;
        }
        let after = lower[next as usize].load(Relaxed);
        lower[v as usize].store(after, Relaxed);
        v = after;
    };
    let join = |v: u32, w: u32| loop {
        let (a, b) = (find(v), find(w));
        let (low, high) = (a.min(b), a.max(b));
        if low == high || lower[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
            return;
        }
    };
    parallel::for_each_range(mesh.triangle_count(), parallel::WORTH, |range| {
        for &[a, b, c] in &mesh.triangles()[range] {
            join(a.0, b.0);
            join(a.0, c.0);
        }
    });
    let mut sizes = vec![0usize; mesh.vertex_count()];
    mesh.triangles().iter().for_each(|[a, ..]| sizes[find(a.0) as usize] += 1);
    sizes.into_iter().filter(|&n| n >= large).sum()
}

/// One method, and the bodies that it is for; the others are empty in its list.
struct Part<M> {
    method: M,
    bodies: Bodies,
}

impl<M: Method> Part<M> {
    fn new(method: M) -> Self {
        Self { method, bodies: Bodies::new([]).expect("none is few enough") }
    }

    /// Takes over the bodies that it is for.
    fn follow(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        nothing: &Mesh,
        clock: Clock,
        is_own: impl Fn(BodyId) -> bool,
    ) -> Result<bool, FrameError> {
        let own = |id: BodyId| if is_own(id) { bodies.mesh(id) } else { nothing };
        if self.bodies.meshes().len() == bodies.meshes().len() {
            for id in
                bodies.body_ids().filter(|&id| !self.bodies.mesh(id).is_same(own(id))).collect::<Vec<_>>()
            {
                self.bodies.set_mesh(id, own(id).clone()).expect("a part of what was counted");
            }
        } else {
            self.bodies =
                Bodies::new(bodies.body_ids().map(|id| own(id).clone())).expect("a part of what was counted");
        }
        let positions = self.positions(frame);
        let part = Frame::new(&positions).with_near(frame.near()).trusted();
        self.method.follow_until(&self.bodies, if frame.is_at_rest() { part.at_rest() } else { part }, clock)
    }

    /// The positions of its bodies.
    fn positions<'a>(&self, frame: Frame<'a>) -> Vec<Positions<'a>> {
        let empty: Positions<'a> = Positions::F64(&[]);
        let of = |(mesh, positions): (&Mesh, Positions<'a>)| {
            if mesh.vertex_count() > 0 { positions } else { empty }
        };
        self.bodies.meshes().iter().zip(frame.iter()).map(of).collect()
    }

    /// Asks it, and appends pairs of triangles by their ids among all bodies.
    fn ask(
        &mut self,
        all: &Bodies,
        frame: Frame<'_>,
        out: &mut Vec<TrianglePair>,
        ask: impl FnOnce(&mut M, &Bodies, Frame<'_>) -> (Vec<TrianglePair>, Stats),
    ) -> Stats {
        let positions = self.positions(frame);
        let part = Frame::new(&positions).with_near(frame.near()).trusted();
        let (found, stats) = ask(&mut self.method, &self.bodies, part);
        let name = |t: TriangleId| {
            let (body, local) = self.bodies.locate_triangle(t);
            TriangleId(all.triangle_range(body).start as u32 + local.0)
        };
        out.extend(found.into_iter().map(|pair| TrianglePair::new(name(pair.a), name(pair.b))));
        stats
    }
}

/// The method for bodies of any nature.
pub(super) struct Mixed {
    natures: PerBody<Nature>,
    regular: Part<Regularity>,
    /// Soups, and as guests the others that have come near one.
    loose: Part<BucketTree>,
    is_guest: Vec<bool>,
    broad_phase: BroadPhase,
    nothing: Mesh,
    asked: Asked,
}

/// Which pairs were asked for in the last frames.
///
/// Where nobody asks for pairs within bodies, certificates are not needed, and regularity's boxes alone cost less to follow
/// than two structures: 1.3 of 2.3 ms on a cloth and quads. It is taken for all bodies then, if only one is a soup. Whoever changes
/// the question pays for a structure, so each change back doubles the frames that are waited for.
#[derive(Debug)]
struct Asked {
    within: bool,
    between: bool,
    /// Frames in a row in which only pairs between bodies were asked for, and how many are waited for.
    frames: u32,
    patience: u32,
    /// Whether one method is taken for all.
    is_one_for_all: bool,
}

impl Default for Asked {
    fn default() -> Self {
        Self { within: false, between: false, frames: 0, patience: 2, is_one_for_all: false }
    }
}

impl Asked {
    fn note(&mut self, pairs: Pairs) {
        self.within |= pairs.within();
        self.between |= pairs.between();
    }

    /// Decides for a frame; not under a clock, since another choice means to build.
    fn begin_frame(&mut self, clock: Clock) {
        if clock.is_set() || !(self.within || self.between) {
            return;
        }
        self.frames = if self.within { 0 } else { self.frames.saturating_add(1) };
        if self.within && self.is_one_for_all {
            self.patience = self.patience.saturating_mul(2);
        }
        self.is_one_for_all = self.frames >= self.patience;
        (self.within, self.between) = (false, false);
    }
}

impl Mixed {
    pub fn new() -> Self {
        Self {
            natures: PerBody::default(),
            regular: Part::new(super::planner::regularity()),
            loose: Part::new(super::planner::bucket_tree()),
            is_guest: Vec::new(),
            broad_phase: BroadPhase::default(),
            nothing: Mesh::from_points("", 0).expect("no vertex is few enough"),
            asked: Asked::default(),
        }
    }

    /// The one method of all bodies that have triangles, when there is but one.
    fn only(&self) -> Option<SurfaceMethod> {
        let mut all = self.natures.values().iter().filter(|n| n.triangles > 0).map(|n| n.method);
        let first = all.next().unwrap_or_default();
        if all.all(|m| m == first) {
            return Some(first);
        }
        // Two soups are compared by the bucket tree in three quarters of the time.
        let is_loose = |n: &&Nature| n.triangles > 0 && n.method == SurfaceMethod::BucketTree;
        let has_soups = self.natures.values().iter().filter(is_loose).count() > 1;
        (self.asked.is_one_for_all && !has_soups).then_some(SurfaceMethod::Regularity)
    }

    fn method_of(&self, body: BodyId) -> SurfaceMethod {
        self.natures[body].method
    }

    /// Notes which bodies are near one that the bucket tree has, for good.
    fn find_guests(&mut self, frame: Frame<'_>) {
        self.is_guest.resize(frame.len(), false);
        let boxes: Vec<Aabb> = (0..frame.len() as u32).map(|b| frame.body_bounds(BodyId(b))).collect();
        let mut near = Vec::new();
        self.broad_phase.pairs_among(frame.near(), &boxes, 0.0, &mut near);
        for [a, b] in near {
            if self.method_of(a) != self.method_of(b) {
                (self.is_guest[a.index()], self.is_guest[b.index()]) = (true, true);
            }
        }
        for body in (0..frame.len() as u32).map(BodyId) {
            self.is_guest[body.index()] &= self.method_of(body) != SurfaceMethod::BucketTree;
        }
        self.loose.method.set_guests(self.is_guest.clone());
    }

    /// Appends what the parts find.
    fn gather(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        out: &mut Vec<TrianglePair>,
        mut ask: impl FnMut(&mut dyn Method, &Bodies, Frame<'_>, Pairs) -> (Vec<TrianglePair>, Stats),
    ) -> Stats {
        let mut stats = self.regular.ask(bodies, frame, out, |m, b, f| ask(m, b, f, pairs));
        stats += self.loose.ask(bodies, frame, out, |m, b, f| ask(m, b, f, pairs));
        out.sort_unstable();
        stats
    }
}

/// Hands a call on to the one method of all bodies, when there is but one.
macro_rules! hand_on {
    ($self:ident, $call:ident($($argument:expr),*)) => {
        match $self.only() {
            Some(SurfaceMethod::BucketTree) => return Method::$call(&mut $self.loose.method, $($argument),*),
            Some(_) => return Method::$call(&mut $self.regular.method, $($argument),*),
            None => {}
        }
    };
}

impl Method for Mixed {
    fn name(&self) -> &'static str {
        self.only().map_or(MIXED, SurfaceMethod::name)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow_until(bodies, frame, Clock::default()).map(drop)
    }

    fn follow_until(&mut self, bodies: &Bodies, frame: Frame<'_>, clock: Clock) -> Result<bool, FrameError> {
        frame.check(bodies)?;
        if clock.is_sooner_than(JUDGE_SECONDS * self.natures.new_triangles(bodies) as f64) {
            return Ok(false);
        }
        let was = self.only();
        let is_first = self.natures.values().is_empty();
        self.natures.follow(bodies, |_, nature, before, mesh| match nature.zip(before) {
            Some((nature, before)) => nature.after(before, mesh),
            None => Nature::of(mesh),
        });
        self.asked.begin_frame(clock);
        // What has another nature now was followed by another method, or by none.
        let frame = if is_first || was != self.only() { frame.moving() } else { frame };
        if self.only().is_some() {
            self.loose.method.set_guests(Vec::new());
        }
        hand_on!(self, follow_until(bodies, frame, clock));
        self.find_guests(frame);
        let Self { natures, regular, loose, is_guest, nothing, .. } = self;
        let is_loose = |id: BodyId| natures[id].method == SurfaceMethod::BucketTree;
        Ok(regular.follow(bodies, frame, nothing, clock, |id| !is_loose(id))?
            && loose.follow(bodies, frame, nothing, clock, |id| is_loose(id) || is_guest[id.index()])?)
    }

    fn contacts_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        meter: &mut Meter,
        out: &mut Contacts,
    ) -> Option<Budgeted> {
        self.asked.note(pairs);
        hand_on!(self, contacts_budgeted(bodies, frame, pairs, meter, out));
        // The ids of bodies are the same in both parts.
        let mut undecided = Vec::new();
        let stats =
            self.gather(bodies, frame, pairs, &mut out.triangle_pairs, |method, bodies, frame, pairs| {
                let mut found = Contacts::default();
                let ended = method.contacts_budgeted(bodies, frame, pairs, meter, &mut found);
                let ended = ended.expect("both methods can stop");
                undecided.extend(ended.undecided);
                (found.triangle_pairs, ended.stats)
            });
        Some(Budgeted { stats, undecided })
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        self.asked.note(pairs);
        hand_on!(self, candidates(bodies, frame, pairs, out));
        self.gather(bodies, frame, pairs, &mut out.triangle_pairs, |method, bodies, frame, pairs| {
            let mut found = Candidates::default();
            let stats = Ready::again(method, bodies, frame).candidates(pairs, &mut found);
            (found.triangle_pairs, stats)
        })
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        self.asked.note(pairs);
        hand_on!(self, contacts(bodies, frame, pairs, out));
        self.gather(bodies, frame, pairs, &mut out.triangle_pairs, |method, bodies, frame, pairs| {
            let mut found = Contacts::default();
            let stats = Ready::again(method, bodies, frame).contacts(pairs, &mut found);
            (found.triangle_pairs, stats)
        })
    }

    fn limit(&mut self, most: usize) {
        self.regular.method.limit(most);
        self.loose.method.limit(most);
    }

    fn triangles_where(&self, body: BodyId, is_wanted: &dyn Fn(&Aabb) -> bool, out: &mut Vec<u32>) -> bool {
        match self.only().unwrap_or(self.method_of(body)) {
            SurfaceMethod::BucketTree => self.loose.method.triangles_where(body, is_wanted, out),
            _ => self.regular.method.triangles_where(body, is_wanted, out),
        }
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        match self.only() {
            Some(SurfaceMethod::BucketTree) => return self.loose.method.validate(bodies, frame),
            Some(_) => return self.regular.method.validate(bodies, frame),
            None => {}
        }
        let (regular, loose) = (self.regular.positions(frame), self.loose.positions(frame));
        self.regular.method.validate(&self.regular.bodies, Frame::new(&regular).trusted())?;
        self.loose.method.validate(&self.loose.bodies, Frame::new(&loose).trusted())
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        match self.only() {
            Some(SurfaceMethod::BucketTree) => self.loose.method.draw(bodies, frame, into),
            Some(_) => self.regular.method.draw(bodies, frame, into),
            None => {
                // Ids of painted triangles are those of the parts; boxes and lines are in space.
                for (part, positions) in [
                    (&self.regular.method as &dyn Method, self.regular.positions(frame)),
                    (&self.loose.method, self.loose.positions(frame)),
                ] {
                    let own =
                        if part.name() == "regularity" { &self.regular.bodies } else { &self.loose.bodies };
                    let mut drawing = Drawing::default();
                    part.draw(own, Frame::new(&positions).trusted(), &mut drawing);
                    let global = |t: TriangleId| {
                        let (body, local) = own.locate_triangle(t);
                        TriangleId(bodies.triangle_range(body).start as u32 + local.0)
                    };
                    drawing.triangles.iter_mut().for_each(|(t, _)| *t = global(*t));
                    into.append(drawing);
                }
            }
        }
    }
}
