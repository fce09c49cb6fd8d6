//! Runs a scene on a method and holds it to the oracle, frame by frame.

use std::collections::BTreeSet;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::{
    Bodies, Candidates, Contacts, Detector, Frame, Mesh, Pairs, Positions, TriangleId, TrianglePair,
};
use crumple_scenes::{Elements, Scene};

/// A method in the suite.
pub struct Entrant {
    /// What it is called in failures.
    pub name: &'static str,
    /// Makes one for a mesh at its first frame.
    pub make: fn() -> Box<dyn Detector>,
    /// What it answers; the rest of the oracle's lists is left out of the comparison.
    pub answers: Ask,
}

/// The bodies of a scene, in the order of `order`.
pub fn mesh(scene: &Scene, order: &[usize]) -> Bodies {
    let body = |i: &usize| {
        let body = &scene.bodies[*i];
        let vertices = body.frames[0].len();
        match &body.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&body.name, vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&body.name, vertices, t),
            Elements::Points => Mesh::from_points(&body.name, vertices),
        }
        .unwrap_or_else(|e| panic!("{}: {e}", scene.name))
    };
    Bodies::new(order.iter().map(body)).unwrap()
}

/// The positions of a scene's bodies in one frame.
pub fn slices<'s>(scene: &'s Scene, order: &[usize], frame: usize) -> Vec<Positions<'s>> {
    order.iter().map(|&i| Positions::from(&scene.bodies[i].frames[frame])).collect()
}

/// Holds one method to the oracle on one scene: complete candidates, equal contacts, valid structure, the same after a
/// fresh build, and the same for every choice of [`Pairs`].
pub fn run(scene: &Scene, entrant: &Entrant) {
    let order: Vec<usize> = (0..scene.bodies.len()).collect();
    let mesh = mesh(scene, &order);
    let mut oracle = BruteForce::new(entrant.answers);
    let mut method = (entrant.make)();
    let (mut expected, mut found, mut fresh_found) =
        (Contacts::default(), Contacts::default(), Contacts::default());
    for f in 0..scene.frames() {
        let slices = slices(scene, &order, f);
        let frame = Frame::new(&slices);
        let place = format!("{} on {}, frame {f}", entrant.name, scene.name);
        let mut oracle = oracle.update(&mesh, frame).unwrap();
        let mut method = method.update(&mesh, frame).unwrap();
        method.validate().unwrap_or_else(|e| panic!("{place}: {e}"));
        for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
            oracle.contacts(pairs, &mut expected);
            method.contacts(pairs, &mut found);
            same(&format!("{place}, {pairs:?}"), &found, &expected);
            let mut candidates = Candidates::default();
            method.candidates(pairs, &mut candidates);
            complete(&format!("{place}, {pairs:?}"), &candidates, &expected);
        }
        oracle.contacts(Pairs::All, &mut expected);
        let mut fresh = (entrant.make)();
        fresh.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut fresh_found);
        same(&format!("{place}, built afresh"), &fresh_found, &expected);
    }
    reversed(scene, entrant);
}

/// Bodies in the opposite order give the same pairs, renamed.
fn reversed(scene: &Scene, entrant: &Entrant) {
    let order: Vec<usize> = (0..scene.bodies.len()).collect();
    let back: Vec<usize> = order.iter().rev().copied().collect();
    let ask = |order: &[usize]| {
        let mesh = mesh(scene, order);
        let slices = slices(scene, order, 0);
        let mut method = (entrant.make)();
        let mut out = Contacts::default();
        method.update(&mesh, Frame::new(&slices)).unwrap().contacts(Pairs::All, &mut out);
        let name = |t: TriangleId| {
            let (body, t) = mesh.locate_triangle(t);
            (order[body.index()], t.0)
        };
        let pair = |p: &TrianglePair| {
            let (a, b) = (name(p.a), name(p.b));
            (a.min(b), a.max(b))
        };
        out.triangle_pairs.iter().map(pair).collect::<BTreeSet<_>>()
    };
    assert_eq!(ask(&order), ask(&back), "{} on {}, bodies reversed", entrant.name, scene.name);
}

fn same(place: &str, found: &Contacts, expected: &Contacts) {
    fn differ<T: PartialEq + std::fmt::Debug>(place: &str, what: &str, found: &[T], expected: &[T]) {
        let missing: Vec<_> = expected.iter().filter(|x| !found.contains(x)).take(5).collect();
        let extra: Vec<_> = found.iter().filter(|x| !expected.contains(x)).take(5).collect();
        assert!(
            found == expected,
            "{place}: {} {what}, expected {}; missing {missing:?} …, extra {extra:?} …",
            found.len(),
            expected.len()
        );
    }
    differ(place, "triangle pairs", &found.triangle_pairs, &expected.triangle_pairs);
    let key = |c: &Contacts| c.vertex_tets.iter().map(|c| (c.vertex, c.tet)).collect::<Vec<_>>();
    differ(place, "vertices in tets", &key(found), &key(expected));
    differ(place, "edges through tets", &found.edge_tets, &expected.edge_tets);
    for c in &found.vertex_tets {
        let sum: f64 = c.weights.iter().sum();
        assert!(
            (sum - 1.0).abs() < 1e-12 && c.weights.iter().all(|w| (0.0..=1.0).contains(w)),
            "{place}: {c:?}"
        );
    }
}

fn complete(place: &str, candidates: &Candidates, expected: &Contacts) {
    fn unique<T: Ord + Clone + std::fmt::Debug>(place: &str, list: &[T]) -> BTreeSet<T> {
        let set: BTreeSet<T> = list.iter().cloned().collect();
        assert_eq!(set.len(), list.len(), "{place}: a candidate is listed twice");
        set
    }
    let pairs = unique(place, &candidates.triangle_pairs);
    let tets = unique(place, &candidates.vertex_tets);
    let edges = unique(place, &candidates.edge_tets);
    expected.triangle_pairs.iter().for_each(|p| assert!(pairs.contains(p), "{place}: no candidate {p:?}"));
    expected
        .vertex_tets
        .iter()
        .for_each(|c| assert!(tets.contains(&(c.vertex, c.tet)), "{place}: no candidate {c:?}"));
    expected
        .edge_tets
        .iter()
        .for_each(|c| assert!(edges.contains(&(c.edge, c.tet)), "{place}: no candidate {c:?}"));
}
