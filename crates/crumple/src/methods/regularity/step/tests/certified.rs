//! Every region, and every pair of regions, that a search certifies on the suite's scenes: all its pairs of features are handed
//! to the oracle, in rational arithmetic. And rules that leave something out, which this finds out.
//!
//! `CRUMPLE_CCD_CERTIFIED=1 cargo test --release -p crumple --lib certified` takes all steps of all scenes, instead of the first ones of small
//! scenes.

use super::super::RegularityStep;
use super::super::descent::{ProvedThroughout, StepRules};
use super::{Positions, bodies_of, frame};
use crate::geometry::{Aabb, Point};
use crate::methods::brute_force::impacts::{edge_edge, vertex_triangle};
use crate::methods::regularity::certificate::{BodyView, Certifier};
use crate::methods::regularity::hierarchy::Hierarchy;
use crate::methods::swept_bvh::earliest::Horizon;
use crate::{Bodies, Frame, Mesh, Pairs};
use crumple_scenes::lazy;
use std::collections::HashSet;
use std::sync::Mutex;

/// Notes what other rules certify: the body, and the two regions, or one twice.
struct Noted<R> {
    rules: R,
    certified: Mutex<Vec<(u32, [usize; 2])>>,
}

impl<R> Noted<R> {
    fn new(rules: R) -> Self {
        Self { rules, certified: Mutex::default() }
    }

    fn note(&self, is_certified: bool, body: u32, regions: [usize; 2]) -> bool {
        if is_certified {
            self.certified.lock().expect("no panic").push((body, regions));
        }
        is_certified
    }
}

impl<R: StepRules> StepRules for Noted<R> {
    fn rule_one(&self, certifier: &mut Certifier<2>, view: &BodyView<'_, 2>, body: u32, n: usize) -> bool {
        self.note(self.rules.rule_one(certifier, view, body, n), body, [n, n])
    }

    fn rule_two(
        &self,
        certifier: &mut Certifier<2>,
        view: &BodyView<'_, 2>,
        body: u32,
        regions: [usize; 2],
    ) -> bool {
        self.note(self.rules.rule_two(certifier, view, body, regions), body, regions)
    }
}

/// Facing alone, as the paper has it: no contour is looked at.
struct WithoutContours;

impl StepRules for WithoutContours {
    fn rule_one(&self, _: &mut Certifier<2>, view: &BodyView<'_, 2>, _: u32, n: usize) -> bool {
        view.facing[n].bits != 0
    }

    fn rule_two(&self, _: &mut Certifier<2>, view: &BodyView<'_, 2>, _: u32, [a, b]: [usize; 2]) -> bool {
        let vertices = |n: usize| view.hierarchy.contours.edges(n).iter().map(|e| e.vertex);
        let of_a: HashSet<u32> = vertices(a).collect();
        view.facing[a].union(&view.facing[b]).bits != 0 && vertices(b).any(|v| of_a.contains(&v))
    }
}

/// Facing throughout, but contours at the start only.
struct ContoursAtTheStart;

impl ContoursAtTheStart {
    fn at_start<'a>(view: &BodyView<'a, 2>) -> BodyView<'a, 1> {
        let BodyView { hierarchy, facing, directions, positions: [start, _], map } = *view;
        BodyView { hierarchy, facing, directions, positions: [start], map }
    }
}

impl StepRules for ContoursAtTheStart {
    fn rule_one(&self, _: &mut Certifier<2>, view: &BodyView<'_, 2>, _: u32, n: usize) -> bool {
        Certifier::<1>::default().rule_one(&Self::at_start(view), n)
    }

    fn rule_two(&self, _: &mut Certifier<2>, view: &BodyView<'_, 2>, _: u32, regions: [usize; 2]) -> bool {
        Certifier::<1>::default().rule_two(&Self::at_start(view), regions)
    }
}

/// What came of a step.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    regions: usize,
    pairs_of_regions: usize,
    /// Pairs of features that were handed to the oracle.
    asked: usize,
    /// Those that meet.
    wrong: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.regions += other.regions;
        self.pairs_of_regions += other.pairs_of_regions;
        self.asked += other.asked;
        self.wrong += other.wrong;
    }
}

/// A vertex and the corners of a triangle, or two edges, each the smaller end first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Feature {
    VertexTriangle([u32; 4]),
    EdgeEdge([u32; 4]),
}

/// The vertices of each triangle, by rank.
fn in_order(hierarchy: &Hierarchy) -> Vec<[u32; 3]> {
    let patches = &hierarchy.patches;
    let of = |p: usize| (0..patches.places(p).len()).map(move |i| patches.triangle(p, i));
    (0..patches.len()).flat_map(of).collect()
}

/// All pairs of features of two triangles that have no vertex in common.
fn features(s: [u32; 3], t: [u32; 3], mut found: impl FnMut(Feature)) {
    for (one, [a, b, c]) in [(s, t), (t, s)] {
        for v in one.into_iter().filter(|v| ![a, b, c].contains(v)) {
            found(Feature::VertexTriangle([v, a, b, c]));
        }
    }
    let edges = |t: [u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[v, w]| [v.min(w), v.max(w)]);
    for e in edges(s) {
        for f in edges(t).into_iter().filter(|f| !e.iter().any(|v| f.contains(v))) {
            let [e, f] = if e < f { [e, f] } else { [f, e] };
            found(Feature::EdgeEdge([e[0], e[1], f[0], f[1]]));
        }
    }
}

/// Takes a step by some rules, and asks the oracle about every pair of features in what these certify.
fn tally<R: StepRules>(rules: R, patch: usize, bodies: &Bodies, start: &Positions, end: &Positions) -> Tally {
    let mut search = RegularityStep::with_patch_size(patch);
    search.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
    let rules = Noted::new(rules);
    search.search_by(&rules, Pairs::All, &|_, _| true, &Horizon::all());
    let certified = rules.certified.into_inner().expect("no panic");
    let mut tally = Tally::default();
    for (body, surface) in search.surfaces.values().iter().enumerate() {
        let (hierarchy, ends) = (&surface.hierarchy, search.step.ends(body));
        let nodes = &hierarchy.tree.nodes;
        let triangles = in_order(hierarchy);
        let path = |vertices: &[u32]| {
            vertices
                .iter()
                .fold(Aabb::EMPTY, |all, &v| ends.iter().fold(all, |all, end| all.with(&end[v as usize])))
        };
        let paths: Vec<Aabb> = triangles.iter().map(|t| path(t)).collect();
        let mut asked = HashSet::new();
        for (_, [a, b]) in certified.iter().filter(|(of, _)| *of as usize == body) {
            let ranks = |n: usize| nodes[n].triangles[0] as usize..nodes[n].triangles[1] as usize;
            *(if a == b { &mut tally.regions } else { &mut tally.pairs_of_regions }) += 1;
            for i in ranks(*a) {
                let others = if a == b { i + 1..ranks(*a).end } else { ranks(*b) };
                for j in others.filter(|&j| paths[i].overlaps(&paths[j])) {
                    features(triangles[i], triangles[j], |feature| _ = asked.insert(feature));
                }
            }
        }
        let at = |v: &[u32; 4]| ends.map(|end| v.map(|v| end[v as usize]));
        for feature in asked {
            let (Feature::VertexTriangle(v) | Feature::EdgeEdge(v)) = &feature;
            let cut = if matches!(feature, Feature::VertexTriangle(_)) { 1 } else { 2 };
            if !path(&v[..cut]).overlaps(&path(&v[cut..])) {
                continue;
            }
            let [start, end] = at(v);
            let hit = match feature {
                Feature::VertexTriangle(_) => vertex_triangle(&start, &end),
                Feature::EdgeEdge(_) => edge_edge(&start, &end),
            };
            tally.asked += 1;
            tally.wrong += usize::from(hit.is_some());
        }
    }
    tally
}

#[test]
fn everything_certified_on_the_suite_is_clean() {
    let takes_all = std::env::var_os("CRUMPLE_CCD_CERTIFIED").is_some();
    let mut all = Tally::default();
    for (name, text) in crumple_scenes::suite() {
        let scene = crumple_scenes::toml::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bodies = bodies_of(&scene);
        if !takes_all && bodies.triangles().len() > 400 {
            continue;
        }
        // Where a scene does not move, its parts are pulled along the axes.
        let first = frame(&scene, 0);
        let pulled: Positions =
            first.iter().map(|b| b.iter().map(|p| [1.1 * p[0], p[1], 0.8 * p[2]]).collect()).collect();
        let mut steps = vec![(first.clone(), pulled)];
        let last = if takes_all { scene.frames } else { scene.frames.min(2) };
        steps.extend((1..last).map(|f| (frame(&scene, f - 1), frame(&scene, f))));
        for (f, (start, end)) in steps.iter().enumerate() {
            for patch in [32, 4] {
                let of = tally(ProvedThroughout, patch, &bodies, start, end);
                assert_eq!(of.wrong, 0, "{name}, step {f}, patches of {patch}");
                all += of;
            }
        }
        if takes_all {
            println!("{name}: {} triangles, {} steps, so far {all:?}", bodies.triangles().len(), steps.len());
        }
    }
    println!("{all:?}");
    assert!(all.regions > 100 && all.pairs_of_regions > 100 && all.asked > 10_000, "{all:?}");
}

#[test]
fn a_rule_without_contours_is_found_out() {
    for name in ["spiral-ramp", "slit-annulus"] {
        let scene = lazy(name).expect("registered");
        let (bodies, start) = (bodies_of(&scene), frame(&scene, 0));
        // The ramp comes down on itself. The annulus crosses itself where it stands; it is shaken, so that other edges cross.
        let mut end = frame(&scene, scene.frames - 1);
        if name == "slit-annulus" {
            let shake = |(v, p): (usize, &mut Point)| p[2] += 0.4 * (1.7 * v as f64).sin();
            end[0].iter_mut().enumerate().for_each(shake);
        }
        let mutant = tally(WithoutContours, 64, &bodies, &start, &end);
        assert!(mutant.wrong > 0, "{name} {mutant:?}");
        let proved = tally(ProvedThroughout, 64, &bodies, &start, &end);
        assert_eq!(proved.wrong, 0, "{name} {proved:?}");
    }
}

#[test]
fn contours_looked_at_only_at_the_start_are_found_out() {
    // A flat ring with a gap, which closes until its ends lie on each other.
    let n = 24;
    let triangles: Vec<[u32; 3]> =
        (0..n).flat_map(|i| [[2 * i, 2 * i + 1, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 2]]).collect();
    let mesh = Mesh::from_triangles("ring", 2 * (n as usize + 1), &triangles).expect("sound");
    let bodies = Bodies::new([mesh]).expect("small");
    let ring = |turns: f64| -> Positions {
        let at = |v: u32| {
            let angle = std::f64::consts::TAU * turns * f64::from(v / 2) / f64::from(n);
            let radius = if v.is_multiple_of(2) { 1.0 } else { 1.25 };
            [radius * angle.cos(), radius * angle.sin(), 0.0]
        };
        vec![(0..2 * (n + 1)).map(at).collect()]
    };
    let (start, end) = (ring(0.93), ring(1.07));
    let mutant = tally(ContoursAtTheStart, 64, &bodies, &start, &end);
    assert!(mutant.regions == 1 && mutant.wrong > 0, "{mutant:?}");
    let proved = tally(ProvedThroughout, 64, &bodies, &start, &end);
    assert_eq!((proved.regions, proved.wrong), (0, 0), "{proved:?}");
    // A ring that keeps its gap is certified.
    let open = tally(ProvedThroughout, 64, &bodies, &start, &ring(0.95));
    assert_eq!((open.regions, open.wrong), (1, 0), "{open:?}");
}
