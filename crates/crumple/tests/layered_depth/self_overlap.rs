//! Bodies that overlap themselves.

use crumple::methods::layered_depth::image::Layers;
use crumple::methods::layered_depth::{Holes, LayeredDepth, LayeredDepthParams, Resolution, SelfOverlap};
use crumple::{BodyId, Frame, Guarantee, Positions};
use crumple_scenes::{Surface, shapes};

use super::{ball, cuboid, exact, mesh_of, turned};

fn ask(s: &Surface, holes: Holes, n: u32) -> (SelfOverlap, Layers) {
    let mesh = mesh_of(&[s]);
    let bodies = [Positions::from(&s.positions)];
    let mut method = LayeredDepth::new(LayeredDepthParams { holes });
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let o = volumes.self_overlap(BodyId(0), Resolution::rays(n)).unwrap();
    let mut view = volumes.view_of(BodyId(0), Resolution::rays(n)).unwrap().unwrap();
    let layers = view.layers(0);
    let sampled = view.self_overlap_of(&layers).unwrap();
    assert!(sampled.upper >= o.lower && sampled.is_inside_out == o.is_inside_out, "{sampled:?} {o:?}");
    (o, layers)
}

#[track_caller]
fn assert_holds(s: &Surface, n: u32, truth: f64) -> SelfOverlap {
    let (o, layers) = ask(s, Holes::Refuse, n);
    let slack = 1e-11 * truth.max(1e-3);
    assert!(o.lower <= truth + slack && truth - slack <= o.upper, "{truth} not in {o:?}");
    assert!(o.lower <= o.volume && o.volume <= o.upper && o.unbalanced_rays == 0, "{o:?}");
    // Rays and layers are the same, so that both see the same invalid orders.
    let spans = layers.misordered();
    let mut pixels: Vec<_> = spans.as_slice().iter().map(|s| s.pixel).collect();
    pixels.dedup();
    assert_eq!(pixels.len(), o.misordered_rays);
    assert_eq!(layers.sign() < 0, o.is_inside_out);
    o
}

#[test]
fn a_sound_body_has_none() {
    for s in [
        ball(10, [0.0; 3], 1.0),
        turned(cuboid([-0.5; 3], [1.0, 0.7, 1.2]), 0.7),
        shapes::torus(40, 20, 0.7, 0.3).outward(),
        ball(8, [0.0; 3], 1.0).joined(&ball(6, [0.0; 3], 0.5).flipped()),
        ball(10, [0.0; 3], 1.0).flipped(),
    ] {
        let coarse = assert_holds(&s, 16, 0.0);
        let fine = assert_holds(&s, 64, 0.0);
        assert_eq!((fine.volume, fine.misordered_rays), (0.0, 0));
        // What is not proved are corners of the surface, if anything.
        let volume = s.volume().abs();
        assert!(fine.upper < (0.5 * coarse.upper).max(1e-6 * volume), "{coarse:?} {fine:?}");
        assert!(fine.upper < 0.05 * volume, "{fine:?}");
    }
}

#[test]
fn two_shells_overlap_where_they_meet() {
    let one = ball(8, [0.0; 3], 1.0);
    let within = ball(8, [0.1, 0.0, 0.0], 0.4);
    let [beside, across] = [ball(8, [0.8, 0.3, 0.2], 1.0), turned(cuboid([-0.4; 3], [1.5, 0.9, 0.8]), 0.3)];
    for (other, truth) in
        [(&within, within.volume()), (&beside, exact(&one, &beside)), (&across, exact(&one, &across))]
    {
        let body = one.clone().joined(other);
        let mut widths = Vec::new();
        for n in [8, 32, 128] {
            let o = assert_holds(&body, n, truth);
            widths.push(o.upper - o.lower);
            if n == 128 {
                assert!(o.lower > 0.8 * truth && o.upper < 1.2 * truth, "{truth} {o:?}");
                assert!((o.volume - truth).abs() < 5e-3 * truth, "{truth} {o:?}");
            }
        }
        // What is left in the end is snapping.
        let floor = 1e-5 * truth;
        assert!(widths[2] < (0.3 * widths[1]).max(floor) && widths[1] < 0.5 * widths[0], "{widths:?}");
        // Inside out as a whole: the same volume.
        let o = assert_holds(&body.flipped(), 32, truth);
        assert!(o.is_inside_out);
    }
}

#[test]
fn a_shell_that_is_turned_over_counts() {
    // Beside a larger sound one: its winding number is −1.
    let other = ball(5, [3.0, 0.0, 0.0], 0.5);
    let body = ball(8, [0.0; 3], 1.0).joined(&other.clone().flipped());
    let o = assert_holds(&body, 128, other.volume());
    assert!((o.volume - other.volume()).abs() < 0.02 * other.volume(), "{o:?}");
}

#[test]
fn shells_whose_sides_are_flush_count() {
    // Sides in the outer walls of the columns, and walls within columns that no ray sees.
    let body = cuboid([0.0; 3], [2.0; 3]).joined(&cuboid([1.5, 0.0, 0.0], [2.0; 3]));
    for n in [1, 2, 7, 16, 32, 33, 70, 128] {
        assert_holds(&body, n, 2.0);
    }
    let o = assert_holds(&body, 128, 2.0);
    assert!(o.upper - o.lower < 0.2, "{o:?}");
}

#[test]
fn three_shells_count_once() {
    let ball = |x: f64| ball(6, [x, 0.0, 0.0], 1.0);
    let body = ball(0.0).joined(&ball(0.0)).joined(&ball(0.0));
    let o = assert_holds(&body, 64, ball(0.0).volume());
    assert!(o.lower > 0.9 * ball(0.0).volume(), "{o:?}");
}

#[test]
fn an_open_body_is_reported() {
    let mut s = ball(6, [0.0; 3], 1.0).joined(&ball(6, [0.5, 0.0, 0.0], 1.0));
    s.triangles.pop();
    let (o, _) = ask(&s, Holes::Accept, 64);
    assert!(o.unbalanced_rays > 0 && o.lower == 0.0 && o.guarantee == Guarantee::Unproved, "{o:?}");
    let flat = cuboid([0.0; 3], [1.0, 1.0, 0.0]);
    let mesh = mesh_of(&[&flat]);
    let bodies = [Positions::from(&flat.positions)];
    let o = LayeredDepth::default()
        .update(&mesh, Frame::new(&bodies))
        .unwrap()
        .self_overlap(BodyId(0), Resolution::rays(8))
        .unwrap();
    assert_eq!((o.lower, o.upper), (0.0, 0.0));
}
