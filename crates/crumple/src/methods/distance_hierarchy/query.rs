//! The common face: pairs of triangles that may touch, and those that do.

use super::DistanceHierarchy;
use super::search::Side;
use crate::narrow::tri_tri;
use crate::{
    Bodies, BodyId, Broken, Candidates, Contacts, Detector, Drawing, Frame, FrameError, Guarantee, Pairs,
    Stats, TriangleId, TrianglePair,
};

impl DistanceHierarchy {
    /// Takes the positions of `frame`; bodies of the mesh that are new are cut into regions. The bounds of a region are
    /// brought up to date by the first question that gets to it.
    pub fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    /// Pairs of triangles that are at distance 0 as far as bounds can tell, and that `judge` keeps.
    fn touching(
        &mut self,
        pairs: Pairs,
        out: &mut Vec<TrianglePair>,
        judge: impl Fn(&[Side<'_>; 2], [u32; 2]) -> bool + Sync,
    ) -> Stats {
        self.stats = Stats::default();
        let within = (0..self.bodies.len() as u32).map(|b| [BodyId(b); 2]).filter(|_| pairs.within());
        let between = if pairs.between() { self.body_pairs(0.0) } else { Vec::new() };
        let all: Vec<[BodyId; 2]> = within.chain(between).collect();
        for pair in all {
            self.triangle_pairs(pair, 0.0, out, |sides, pair| {
                let [a, b] = [0, 1].map(|i| TriangleId(sides[i].state.first_triangle + pair[i]));
                judge(sides, pair).then(|| TrianglePair::new(a, b))
            });
        }
        self.stats
    }
}

impl Detector for DistanceHierarchy {
    fn name(&self) -> &'static str {
        "distance-hierarchy"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    /// All bounds are brought up to date at once: the questions of this trait need them.
    fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)?;
        self.refit_all();
        Ok(())
    }

    fn candidates(&mut self, _: &Bodies, _: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        self.touching(pairs, &mut out.triangle_pairs, |_, _| true)
    }

    fn contacts(&mut self, _: &Bodies, _: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        let mut stats = self.touching(pairs, &mut out.triangle_pairs, |sides, pair| {
            let ids = [0, 1].map(|i| {
                let state = sides[i].state;
                state.body.triangles()[pair[i] as usize].map(|v| state.first_vertex + v.0)
            });
            let [a, b] = [0, 1].map(|i| sides[i].corners(pair[i]));
            tri_tri::meets(ids[0], &a, ids[1], &b)
        });
        out.sort();
        stats.contacts = out.triangle_pairs.len() as u64;
        stats
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check(bodies, frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.sketch(bodies, frame, into);
    }
}
