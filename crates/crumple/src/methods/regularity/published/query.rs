//! A query as published: descend to single triangles, test them pair by pair.

use super::super::update::Edits;
use super::Published;
use super::adjacency::Adjacency;
use super::grouping::grouped;
use super::rules::{PublishedRules, Rules};
use crate::detector::Method;
use crate::geometry::Point;
use crate::methods::regularity::hierarchy::{Graph, Hierarchy};
use crate::methods::regularity::leaves::{LeafAnswer, NarrowOutput, Want};
use crate::methods::regularity::posed::{PatchPair, Posed};
use crate::methods::regularity::query::Numbering;
use crate::methods::regularity::search::{Descent, Search};
use crate::methods::regularity::stats::RegularityStats;
use crate::narrow::tri_tri;
use crate::quota::Quota;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Mesh, Pairs, Stats,
    TrianglePair, parallel,
};

/// Memory that queries share.
#[derive(Debug, Default)]
pub(crate) struct PublishedMemory {
    numbering: Numbering,
    descents: Vec<Descent>,
    outputs: Vec<NarrowOutput>,
}

impl Method for Published {
    fn name(&self) -> &'static str {
        "regularity as published"
    }

    fn guarantee(&self) -> Guarantee {
        self.params.rules.guarantee()
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        let arity = self.params.arity;
        let round = move |graph: &Graph| if arity == 2 { graph.pairs() } else { grouped(graph, arity) };
        let build = move |body: &Mesh, positions: &[Point]| Hierarchy::by_rounds(body, positions, 1, round);
        let is_new = self.surfaces.follow(bodies, frame, Edits::Rebuild, build)?;
        if self.params.rules == Rules::AsPublished && is_new {
            let lists = self.surfaces.list.values().iter().map(|s| Adjacency::new(&s.hierarchy, &s.body));
            self.adjacency = lists.collect();
        }
        Ok(())
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        self.query(bodies, frame, pairs, Want::Candidates, &mut out.triangle_pairs)
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        self.query(bodies, frame, pairs, Want::Contacts, &mut out.triangle_pairs)
    }

    fn validate(&self, _: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.surfaces.validate(frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.surfaces.draw_seen(bodies, frame, &self.memory.descents, into);
    }
}

impl Published {
    /// Appends the pairs that are wanted, sorted.
    fn query(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        want: Want,
        out: &mut Vec<TrianglePair>,
    ) -> Stats {
        self.surfaces.prepare(frame, pairs.within());
        let positions = self.surfaces.positions(frame);
        let posed = self.surfaces.posed(&positions);
        let PublishedMemory { numbering, descents, outputs } = &mut self.memory;
        numbering.count(bodies, posed.surfaces);
        let certificates = PublishedRules { rules: self.params.rules, adjacency: &self.adjacency };
        let first_node = &numbering.first_node;
        Search { posed, certificates, first_node, near: frame.near() }.run(pairs, descents);
        let left: Vec<PatchPair> = descents.iter().flat_map(|d| d.patch_pairs.iter().copied()).collect();
        outputs.resize_with(parallel::shares(), NarrowOutput::default);
        outputs.iter_mut().for_each(NarrowOutput::clear);
        let quota = &Quota::new(usize::MAX);
        let answer =
            LeafAnswer { surfaces: posed.surfaces, first_triangle: &numbering.first_triangle, want, quota };
        let tests = ElementaryTests { posed, answer };
        parallel::for_each_share(left.len(), outputs, |range, out| {
            left[range].iter().for_each(|&pair| tests.run(pair, out));
        });
        self.stats = RegularityStats::default();
        descents.iter().for_each(|d| self.stats += d.stats);
        let first = out.len();
        for output in &*outputs {
            self.stats += output.stats;
            out.extend_from_slice(&output.pairs);
        }
        out[first..].sort_unstable();
        self.stats.summary()
    }
}

/// Elementary tests of triangles, neighbours or not (V16).
struct ElementaryTests<'a> {
    posed: Posed<'a>,
    answer: LeafAnswer<'a>,
}

impl ElementaryTests<'_> {
    /// Tests the only triangles of two leaves.
    fn run(&self, [a, b]: PatchPair, out: &mut NarrowOutput) {
        out.stats.tests += 1;
        let ((ca, ta), (cb, tb)) = (self.posed.triangle(a, 0), self.posed.triangle(b, 0));
        out.settle(&self.answer, [(a.body, ta), (b.body, tb)], || {
            let (pa, pb) = (self.posed.corners(a.body, ca), self.posed.corners(b.body, cb));
            if a.body == b.body { tri_tri::meets(ca, &pa, cb, &pb) } else { tri_tri::intersects(&pa, &pb) }
        });
    }
}
