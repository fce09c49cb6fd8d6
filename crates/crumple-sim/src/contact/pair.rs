//! One near pair: a vertex and a triangle, or two edges, with a direction and weights that stay until it is aimed anew.

use crumple::narrow::{Feature, point_tri, seg_seg};
use glam::DVec3;

use super::nearing::Guard;
use crate::order::{larger, smaller};

/// A vertex and a triangle, or two edges. One cache line: there are hundreds of thousands of them in a stack of sheets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    /// The vertex and the corners of the triangle, or the ends of both edges.
    pub v: [u32; 4],
    /// From b to a, of length 1 up to rounding. Any direction will do for the proof.
    n: [f32; 3],
    /// The gap along `n` that must stay.
    need: f32,
    /// Of a triangle's closest point the weights of the first two corners; of two edges, where the closest points are.
    at: [f32; 2],
    /// The gap when the pairs that push were chosen.
    began: f32,
    pub friction: f32,
    /// How far the two bodies' surfaces stay apart.
    pub thickness: f32,
    /// The gap when it was aimed.
    aimed: f32,
    /// The gap along the present direction when the pairs that push were chosen; −∞ when that is not known, the least number when the
    /// direction turned.
    base: f32,
    pub kind: Kind,
    /// Whether both hang together and are as close at rest: neighbours, not contacts.
    is_neighbour: bool,
    /// The part of the triangle that is closest, or `Face` for the insides of two edges, and a vertex for an end of one.
    pub feature: Feature,
}

/// What is near what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Side a is the first vertex.
    VertexTriangle,
    /// Side a is the first two.
    EdgeEdge,
}

/// How two surfaces meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    pub thickness: f64,
    pub friction: f64,
}

/// The part of a thickness below which nothing comes.
const FLOOR: f32 = 0.05;

/// The part of a thickness by which a gap may change before a pair is aimed anew. What slides keeps its direction; where the closest
/// points are is off by no more than what things move between two searches.
const STALE: f64 = 0.02;

/// The closest points of a pair.
struct Closest {
    at: [f64; 2],
    feature: Feature,
    /// From b to a.
    way: DVec3,
}

impl Pair {
    /// Not aimed yet.
    pub fn new(kind: Kind, v: [u32; 4], meeting: Meeting) -> Self {
        Self {
            v,
            n: [0.0; 3],
            need: 0.0,
            at: [0.0; 2],
            began: 0.0,
            friction: meeting.friction as f32,
            thickness: meeting.thickness as f32,
            aimed: f32::NEG_INFINITY,
            base: f32::NEG_INFINITY,
            kind,
            is_neighbour: false,
            feature: Feature::Face,
        }
    }

    /// Aimed along `n`, with its gap there, as it was just found.
    #[inline]
    pub fn take_found(&mut self, n: [f32; 3], at: [f64; 2], feature: Feature, gap: f64) {
        (self.n, self.at, self.feature) = (n, at.map(|x| x as f32), feature);
        self.set_aimed(gap);
        (self.began, self.base) = (gap as f32, gap as f32);
    }

    #[inline]
    fn closest(&self, x: &[DVec3]) -> Closest {
        let p = self.v.map(|v| x[v as usize]);
        let q = p.map(|p| p.to_array());
        match self.kind {
            Kind::VertexTriangle => {
                let closest = point_tri::closest(&q[0], &[q[1], q[2], q[3]]);
                let [s, t, _] = closest.weights;
                let way = p[0] - DVec3::from_array(closest.point);
                Closest { at: [s, t], feature: closest.feature, way }
            }
            Kind::EdgeEdge => {
                let closest = seg_seg::closest(&[q[0], q[1]], &[q[2], q[3]]);
                let way = DVec3::from_array(closest.a) - DVec3::from_array(closest.b);
                Closest { at: [closest.s, closest.t], feature: inner(closest.s, closest.t), way }
            }
        }
    }

    fn take(&mut self, closest: &Closest, gap: f64) {
        let n = closest.way.normalize_or_zero();
        self.n = n.as_vec3().to_array();
        self.at = closest.at.map(|x| x as f32);
        self.feature = closest.feature;
        self.set_aimed(gap);
    }

    fn set_aimed(&mut self, gap: f64) {
        self.aimed = gap as f32;
        self.need = smaller(FLOOR * self.thickness, 0.5 * self.aimed);
    }

    /// Takes the direction of the closest points as they are now, unless the old one parts the two better, the gap has hardly
    /// changed, or they are far apart and have not come nearer. Returns the gap, which is there: along an old
    /// direction it may not be.
    #[inline]
    pub fn aim(&mut self, x: &[DVec3]) -> f64 {
        let (gap, thickness, aimed) = (self.gap(x), f64::from(self.thickness), f64::from(self.aimed));
        let is_far = gap > 0.8 * aimed && gap > 1.6 * thickness;
        let is_there = gap >= self.need();
        if is_there && (is_far || (gap - aimed).abs() <= STALE * thickness) {
            return gap;
        }
        self.aim_anew(gap, x)
    }

    /// Takes the direction of the closest points, unless the old one parts the two better.
    pub fn aim_anew(&mut self, gap: f64, x: &[DVec3]) -> f64 {
        let closest = self.closest(x);
        let mut fresh = *self;
        fresh.take(&closest, gap);
        let opened = fresh.gap(x);
        if opened >= gap {
            *self = fresh;
        }
        let gap = larger(opened, gap);
        self.set_aimed(gap);
        gap
    }

    /// Whether both are only watched and do not push: they hang together and are as close at rest.
    #[inline]
    pub fn is_neighbour(&self) -> bool {
        self.is_neighbour
    }

    pub fn set_neighbour(&mut self, is_so: bool) {
        self.is_neighbour = is_so;
    }

    /// What is gone through often, with how much nearer both may come before the gap that must stay may be gone.
    pub fn guard(&self) -> Guard {
        Guard::new(self.kind, self.v, self.n, self.slack())
    }

    /// A gap that was there when the pairs that push were chosen: rounded down, by more than what comes after it loses.
    #[inline]
    pub fn base(&self) -> f32 {
        self.base * (1.0 - 1e-6)
    }

    /// How much nearer both may come before the gap that must stay may be gone.
    #[inline]
    pub fn slack(&self) -> f32 {
        self.base() - self.need
    }

    /// Takes it as aimed and far apart: `low` is no more than its gap.
    #[inline]
    pub fn keep_far(&mut self, low: f32) {
        (self.began, self.base) = (low, low);
    }

    /// Aims it, and notes the gap as that from which it is pushed apart.
    #[inline]
    pub fn begin(&mut self, x: &[DVec3]) {
        let gap = self.aim(x) as f32;
        (self.began, self.base) = (gap, gap);
    }

    /// Takes the direction of the closest points at `x` in the middle of a step.
    pub fn turn(&mut self, x: &[DVec3]) {
        self.aim_anew(self.gap(x), x);
        self.forget_base();
    }

    /// Its gap is looked at whenever a stretch is proved.
    pub fn forget_base(&mut self) {
        self.base = f32::NEG_INFINITY;
    }

    /// Its gap where the stretch ends is there along another direction than the present one, which the next begins with.
    pub fn set_turned(&mut self) {
        self.base = f32::MIN;
    }

    /// Whether it must take the direction of the closest points where a stretch begins, for that it has may have no gap.
    pub fn is_turned(&self) -> bool {
        self.base == f32::MIN
    }

    /// Whether a direction parts both sides on the straight way from `start` to `x` that turns from the present one to that of the closest points at
    /// `x`. With n(t) = (1 − t) n + t m and the difference w(t) = (1 − t) w + t u of two corners, n(t) · w(t) has Bernstein's coefficients
    /// n · w, (n · u + m · w) / 2 and m · u, and is positive when they are. What turns as a whole is parted so, whatever the angle.
    pub fn parts_turning(&self, start: &[DVec3], x: &[DVec3]) -> bool {
        let (n, m, need) = (self.normal(), self.closest(x).way.normalize_or_zero(), self.need());
        let [began, ended] = [start, x].map(|x| self.v.map(|v| x[v as usize]));
        need > 0.0
            && (0..self.split()).all(|a| {
                (self.split()..4).all(|b| {
                    let (w, u) = (began[a] - began[b], ended[a] - ended[b]);
                    n.dot(w) >= need && m.dot(u) >= need && n.dot(u) + m.dot(w) >= need
                })
            })
    }

    /// The gap from which it is pushed apart.
    #[inline]
    pub fn began(&self) -> f64 {
        self.began.into()
    }

    /// How far side a is above side b.
    #[inline]
    pub fn gap(&self, x: &[DVec3]) -> f64 {
        let n = self.normal();
        let [p, q, r, s] = self.v.map(|v| n.dot(x[v as usize]));
        match self.kind {
            Kind::VertexTriangle => p - larger(larger(q, r), s),
            Kind::EdgeEdge => -larger(-p, -q) - larger(r, s),
        }
    }

    /// The gap that must stay.
    #[inline]
    pub fn need(&self) -> f64 {
        self.need.into()
    }

    #[inline]
    pub fn normal(&self) -> DVec3 {
        let [x, y, z] = self.n.map(f64::from);
        DVec3::new(x, y, z)
    }

    /// Weights of the closest points, those of side b negative. Their sum is 0 up to rounding in double precision, so that
    /// nothing depends on where the origin is.
    #[inline]
    pub fn weights(&self) -> [f64; 4] {
        let [s, t] = self.at.map(f64::from);
        match self.kind {
            Kind::VertexTriangle => [1.0, -s, -t, s + t - 1.0],
            Kind::EdgeEdge => [1.0 - s, s, t - 1.0, -t],
        }
    }

    /// How many vertices are side a.
    #[inline]
    pub fn split(&self) -> usize {
        match self.kind {
            Kind::VertexTriangle => 1,
            Kind::EdgeEdge => 2,
        }
    }

    /// The edge or the vertex of the triangle that is closest; `None` when its inside is.
    pub fn closest_key(&self) -> Option<[u32; 2]> {
        let corner = |i: u8| self.v[1 + usize::from(i) % 3];
        match self.feature {
            Feature::Face => None,
            Feature::Edge(i) => {
                let (a, b) = (corner(i), corner(i + 1));
                Some([a.min(b), a.max(b)])
            }
            Feature::Vertex(i) => Some([corner(i); 2]),
        }
    }
}

/// Whether the closest points of two edges are inside both.
pub(super) fn inner(s: f64, t: f64) -> Feature {
    let is_end = |s: f64| s == 0.0 || s == 1.0;
    if is_end(s) || is_end(t) { Feature::Vertex(0) } else { Feature::Face }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_as_a_whole_is_parted_and_what_passes_is_not() {
        let meeting = Meeting { thickness: 0.2, friction: 0.0 };
        let x = [[0.3, 0.3, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(DVec3::from_array);
        let edges =
            [[0.3, -0.5, 0.1], [0.3, 0.9, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]].map(DVec3::from_array);
        for (kind, x) in [(Kind::VertexTriangle, x), (Kind::EdgeEdge, edges)] {
            let mut pair = Pair::new(kind, [0, 1, 2, 3], meeting);
            pair.aim_anew(f64::NEG_INFINITY, &x);
            for angle in [0.1, 0.5, 1.2] {
                let turn = glam::DMat3::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), angle);
                let turned = x.map(|p| turn * p + DVec3::ONE);
                assert!(pair.parts_turning(&x, &turned), "{kind:?} {angle}");
                // The old direction does not part them any more.
                assert!(angle < 1.0 || pair.gap(&turned) < 0.0);
            }
            // Through each other, and turned so far that they may have been.
            let down = |i: usize| if i < pair.split() { -0.2 * DVec3::Z } else { DVec3::ZERO };
            assert!(!pair.parts_turning(&x, &std::array::from_fn::<_, 4, _>(|i| x[i] + down(i))));
            let half = glam::DMat3::from_axis_angle(DVec3::X, 3.0);
            assert!(!pair.parts_turning(&x, &x.map(|p| half * p)));
        }
    }

    #[test]
    fn what_is_parted_turning_is_apart_all_the_way() {
        let mut state = 3_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / 8e6 - 1.0
        };
        let mut parted = 0;
        for i in 0..4000 {
            let kind = [Kind::VertexTriangle, Kind::EdgeEdge][i % 2];
            let x: [DVec3; 4] = std::array::from_fn(|_| DVec3::new(next(), next(), next()));
            let to: [DVec3; 4] = x.map(|p| p + DVec3::new(next(), next(), next()));
            let mut pair = Pair::new(kind, [0, 1, 2, 3], Meeting { thickness: 0.05, friction: 0.0 });
            pair.aim_anew(f64::NEG_INFINITY, &x);
            if pair.parts_turning(&x, &to) && pair.gap(&to) < pair.need() {
                parted += 1;
                for k in 0..=50 {
                    let at: [DVec3; 4] = std::array::from_fn(|i| x[i].lerp(to[i], f64::from(k) / 50.0));
                    assert!(pair.closest(&at).way.length() > 1e-4, "{kind:?} {x:?} {to:?}");
                }
            }
        }
        assert!(parted > 50, "{parted}");
    }

    #[test]
    fn a_pair_is_one_cache_line() {
        assert!(size_of::<Pair>() <= 64, "{}", size_of::<Pair>());
    }
}
