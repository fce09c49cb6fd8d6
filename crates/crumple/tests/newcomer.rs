//! Wrong use, as a newcomer's program has it: every question of a scene and every method says what is wrong; nothing
//! panics, and nothing answers about positions that it did not accept. (The README's example is a doctest.)

use crumple::cut::Blade;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::methods::swept_bvh::SweptBvh;
use crumple::{
    Bodies, BodyId, Closeness, Contact, Detector, Element, Error, Frame, FrameError, Groups, Mesh,
    Resolution, Scene, TriangleId,
};

type Points = Vec<[f64; 3]>;

/// Whether it is the error that names what is wrong.
type IsExpected = fn(&FrameError) -> bool;

fn tet(name: &str) -> Mesh {
    Mesh::from_tets(name, 4, &[[0, 1, 2, 3]]).expect("a tet")
}

fn corners(x: f64) -> Points {
    [[x, 0.0, 0.0], [x + 4.0, 0.0, 0.0], [x, 4.0, 0.0], [x, 0.0, 4.0]].to_vec()
}

/// Two tets that overlap, and one that was removed: its id names nobody any more.
fn scene() -> (Scene, [BodyId; 2], BodyId) {
    let mut scene = Scene::new();
    let a = scene.add(tet("a"), &corners(0.0)).expect("a body");
    let b = scene.add(tet("b"), &corners(1.0)).expect("a body");
    let removed = scene.add(tet("removed"), &corners(9.0)).expect("a body");
    scene.remove(removed).expect("it is there");
    (scene, [a, b], removed)
}

/// Frames that do not fit two tets: a body short, a vertex short, not finite, too large.
fn bad_frames() -> [(Vec<Points>, IsExpected); 5] {
    let change = |value: f64| {
        let mut bad = corners(1.0);
        bad[2][1] = value;
        vec![corners(0.0), bad]
    };
    [
        (vec![corners(0.0)], |e| matches!(e, FrameError::BodyCount { given: 1, expected: 2 })),
        (vec![corners(0.0), corners(1.0)[..3].to_vec()], |e| {
            matches!(e, FrameError::VertexCount { body: BodyId(1), given: 3, expected: 4 })
        }),
        (change(f64::NAN), |e| matches!(e, FrameError::NotFinite { body: BodyId(1), .. })),
        (change(f64::NEG_INFINITY), |e| matches!(e, FrameError::NotFinite { body: BodyId(1), .. })),
        (change(1e300), |e| matches!(e, FrameError::TooLarge { body: BodyId(1), .. })),
    ]
}

#[test]
fn every_question_about_an_unknown_body_is_an_error() {
    let (mut scene, [a, _], removed) = scene();
    let expected = scene.contacts().expect("positions").to_vec();
    for nobody in [removed, BodyId(99), BodyId(u32::MAX)] {
        let rays = Resolution::rays(16);
        let contact = Contact {
            a: Element { body: a, id: TriangleId(0) },
            b: Element { body: nobody, id: TriangleId(0) },
        };
        let mut swapped = corners(0.0);
        let blade = Blade::plane([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]).expect("a plane");
        let fixed = [Element { body: nobody, id: crumple::VertexId(0) }].to_vec();
        let mut untangling = crumple::UntangleOptions::default();
        untangling.fixed = fixed;
        let answers: Vec<(&str, Option<Error>)> = vec![
            ("replace", scene.replace(nobody, tet("x"), &corners(0.0)).err()),
            ("remove", scene.remove(nobody).err()),
            ("set_positions", scene.set_positions(nobody, &corners(0.0)).err()),
            ("swap_positions", scene.swap_positions(nobody, &mut swapped).err()),
            ("mesh", scene.mesh(nobody).err()),
            ("positions", scene.positions(nobody).err()),
            ("bounds", scene.bounds(nobody).err()),
            ("set_fixed", scene.set_fixed(nobody, true).err()),
            ("is_fixed", scene.is_fixed(nobody).err()),
            ("set_groups", scene.set_groups(nobody, Groups::default()).err()),
            ("ignore", scene.ignore([a, nobody], true).err()),
            ("intersection", scene.intersection(&contact).err()),
            ("places_of", scene.places_of(&[contact]).err()),
            ("edit", scene.edit(nobody, |_| Ok(())).err()),
            ("cut", scene.cut(nobody, &blade).err()),
            ("add_seam", scene.add_seam(nobody, &[]).err()),
            ("distance", scene.distance([a, nobody]).err()),
            ("closer_than", scene.closer_than([nobody, a], 1.0).err()),
            ("closer_than_at_most", scene.closer_than_at_most([a, nobody], 1.0, 3).err()),
            ("safety", scene.safety([a, nobody]).err()),
            ("overlap", scene.overlap([a, nobody], rays).err()),
            ("intersection_surface", scene.intersection_surface(&[a, nobody], rays).err()),
            ("inside", scene.inside(nobody, &corners(0.0)).err()),
            ("untangle", scene.untangle(&untangling).err()),
        ];
        for (question, error) in answers {
            let error = error.unwrap_or_else(|| panic!("{question} answers about {nobody:?}"));
            assert_eq!(error, Error::NoBody { body: nobody }, "{question}");
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(*scene.contacts().expect("positions"), expected[..], "what was refused has changed nothing");
}

#[test]
fn a_frame_that_does_not_fit_is_refused_and_changes_nothing() {
    let mut scene = Scene::new();
    let [a, b] = [("a", 0.0), ("b", 1.0)].map(|(name, x)| scene.add(tet(name), &corners(x)).expect("a body"));
    let expected = scene.contacts().expect("positions").to_vec();
    for (positions, is_expected) in bad_frames() {
        let frame = Frame::from(&positions);
        let mut errors = vec![
            scene.set_all_positions(frame).expect_err("set_all_positions"),
            scene.safe_step(frame).expect_err("safe_step"),
            scene.safe_step_apart(frame, 0.1).expect_err("safe_step_apart"),
            scene.step_to(frame).expect_err("step_to"),
        ];
        if let Some(bad) = positions.get(1) {
            errors.push(scene.set_positions(b, bad).expect_err("set_positions"));
            errors.push(scene.swap_positions(b, &mut bad.clone()).expect_err("swap_positions"));
            errors.push(scene.replace(b, tet("b"), bad).expect_err("replace"));
        }
        for error in errors {
            let Error::Frame(error) = error else { panic!("{error}") };
            assert!(is_expected(&error), "{error}");
        }
        assert_eq!(scene.positions(a).expect("a body"), corners(0.0));
        assert_eq!(scene.positions(b).expect("a body"), corners(1.0));
        assert_eq!(*scene.contacts().expect("positions"), expected[..]);
    }
    let bad = [[0.0, f64::NAN, 0.0]];
    assert!(scene.add(Mesh::from_points("p", 1).expect("a point"), &bad[..]).is_err());
    assert!(scene.inside(a, &bad[..]).is_err(), "a point that is nowhere");
}

#[test]
fn parameters_that_mean_nothing_are_errors() {
    let (mut scene, pair, _) = scene();
    for margin in [f64::NAN, f64::NEG_INFINITY, -1.0] {
        assert!(scene.closer_than(pair, margin).is_err(), "closer than {margin}");
        assert!(scene.closer_than_at_most(pair, margin, 5).is_err(), "closer than {margin}");
        assert!(scene.distances(margin).is_err(), "distances below {margin}");
        assert!(scene.proximity(&Closeness::below(margin)).is_err(), "proximity below {margin}");
        assert!(scene.safe_motion(margin).is_err(), "motion within {margin}");
        let next = [corners(0.0), corners(1.0)];
        assert!(scene.safe_step_apart(Frame::from(&next), margin).is_err(), "apart by {margin}");
    }
    assert!(scene.overlap(pair, Resolution::rays(0)).is_err(), "no ray at all");
}

#[test]
fn no_method_takes_a_frame_that_does_not_fit() {
    let bodies = Bodies::new([tet("a"), tet("b")]).expect("bodies");
    let detectors: [Box<dyn Detector>; 5] = [
        Box::new(BruteForce::surfaces()),
        Box::new(BruteForce::solids()),
        Box::new(Regularity::new(RegularityParams::default()).expect("parameters")),
        Box::new(BucketTree::new(BucketTreeParams::default()).expect("parameters")),
        Box::new(SpatialHash::new(SpatialHashParams::default()).expect("parameters")),
    ];
    for mut detector in detectors {
        for (positions, is_expected) in bad_frames() {
            let name = detector.name();
            let error = detector.update(&bodies, Frame::from(&positions)).expect_err(name);
            assert!(is_expected(&error), "{name}: {error}");
        }
    }
    let mut distances = DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("parameters");
    let mut volumes = LayeredDepth::new(LayeredDepthParams::default());
    let start = [corners(0.0), corners(1.0)];
    for (positions, is_expected) in bad_frames() {
        let frame = Frame::from(&positions);
        let steps = [Frame::from(&start).step_to(frame), frame.step_to(Frame::from(&start))];
        for error in [
            distances.update(&bodies, frame).expect_err("distances").into(),
            volumes.update(&bodies, frame).expect_err("volumes").into(),
        ] {
            let Error::Frame(error) = error else { panic!("{error}") };
            assert!(is_expected(&error), "{error}");
        }
        for step in steps {
            assert!(SweptBvh::new().update(&bodies, step).is_err(), "a step with {positions:?}");
        }
    }
}

/// Methods without a frame, or with a refused one, answer about nothing.
#[test]
fn a_method_that_was_not_brought_to_a_frame_is_not_asked() {
    let mut distances = DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("parameters");
    assert!(distances.distance([BodyId(0), BodyId(1)]).is_err());
    let bodies = Bodies::new([tet("a"), tet("b")]).expect("bodies");
    let good = [corners(0.0), corners(9.0)];
    distances.update(&bodies, Frame::from(&good)).expect("it fits");
    let pair = [BodyId(0), BodyId(1)];
    let known = distances.distance(pair).expect("bodies").expect("surfaces");
    for (positions, _) in bad_frames() {
        distances.update(&bodies, Frame::from(&positions)).expect_err("it does not fit");
        // The frame before, or an error: never something between the two.
        if let Ok(answer) = distances.distance(pair) {
            assert_eq!(answer, Some(known), "{positions:?}");
        }
    }
    assert!(distances.distance([BodyId(0), BodyId(2)]).is_err());
}
