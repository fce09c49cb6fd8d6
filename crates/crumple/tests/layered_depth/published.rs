//! The paper's algorithm beside ours.

use crumple::methods::layered_depth::published::{NearPlane, Published};
use crumple::methods::layered_depth::{LayeredDepth, Overlap, Resolution};
use crumple::{BodyId, Drawing, Frame, Guarantee, Positions};
use crumple_scenes::{Rng, Surface, shapes};

use super::{ball, cuboid, mesh_of, overlap};

const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

fn published(a: &Surface, b: &Surface, n: u32) -> Overlap {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = Published::default();
    method.update(&mesh, Frame::new(&bodies)).unwrap().overlap(BOTH, Resolution::rays(n)).unwrap()
}

#[test]
fn the_sum_of_spans_is_near_the_volume_and_says_what_it_is_worth() {
    for (a, b) in [
        (ball(8, [0.0; 3], 1.0), ball(8, [0.5, 0.4, 0.3], 1.0)),
        (shapes::torus(24, 12, 0.7, 0.3).outward(), ball(8, [0.4, 0.0, 0.0], 0.8)),
        // Box in box: the volume of interest is extended.
        (cuboid([-1.0; 3], [2.0; 3]), ball(8, [0.1, 0.2, 0.3], 0.5)),
    ] {
        let (o, p) = (overlap(&a, &b, 64), published(&a, &b, 64));
        assert!((p.volume - o.volume).abs() < 0.01 * o.volume, "{o:?} {p:?}");
        assert_eq!((p.guarantee, p.lower, p.volume), (Guarantee::AsPublished, 0.0, p.sampled));
        assert!(p.upper > o.upper);
        let (c, d) = (o.centroid.unwrap(), p.centroid.unwrap());
        assert!((0..3).all(|k| (c[k] - d[k]).abs() < 0.02), "{c:?} {d:?}");
        let [lo, hi] = p.bounds.unwrap();
        assert!((0..3).all(|k| lo[k] < d[k] && d[k] < hi[k]));
    }
}

#[test]
fn bodies_are_rendered_once_per_layer() {
    // Stacked plates: 2, 4 and 6 layers; the last exit must not be lost.
    for plates in 1..4 {
        let mut stack = cuboid([0.0; 3], [2.0, 2.0, 0.1]);
        for k in 1..plates {
            stack = stack.joined(&cuboid([0.0, 0.0, 0.3 * f64::from(k)], [2.0, 2.0, 0.1]));
        }
        let probe = cuboid([0.5, 0.5, -0.1], [1.0; 3]);
        let mesh = mesh_of(&[&stack, &probe]);
        let bodies = [Positions::from(&stack.positions), Positions::from(&probe.positions)];
        let mut method = Published::default();
        let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
        let (voi, images) = volumes.images(BOTH, Resolution::rays(16)).unwrap().unwrap();
        assert_ne!(voi.near[0], voi.near[1]);
        assert_eq!(voi.voi.axis, 2);
        assert_eq!(images[0].depth_complexity(), 2 * plates as u32);
        assert!(images[0].counts().iter().all(|&n| n == 2 * plates as u32));
        assert!(images.iter().all(|i| i.passes() == (i.depth_complexity() as usize).max(1)));
        let o = published(&stack, &probe, 16);
        assert!((o.volume - 0.1 * f64::from(plates)).abs() < 1e-6, "{plates}: {o:?}");
    }
}

#[test]
fn outside_faces_are_opposite_and_the_box_grows_where_it_must() {
    let (outer, inner) = (cuboid([-1.0; 3], [2.0; 3]), cuboid([-0.2, -0.1, -0.5], [0.4; 3]));
    let mesh = mesh_of(&[&outer, &inner]);
    let bodies = [Positions::from(&outer.positions), Positions::from(&inner.positions)];
    let mut method = Published::default();
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let (voi, _) = volumes.images(BOTH, Resolution::rays(16)).unwrap().unwrap();
    // From below or above the outer box to the far side of the inner one: along z, upward, that is 0.9 long.
    assert!(voi.is_extended && voi.voi.axis == 2 && voi.near == [NearPlane::Min, NearPlane::Max], "{voi:?}");
    assert!((voi.voi.bounds.max[2] - voi.voi.bounds.min[2] - 0.9).abs() < 1e-12, "{voi:?}");
}

#[test]
fn a_body_that_overlaps_itself_comes_out_wrong() {
    // Entries and exits by turns: where two shells overlap, the paper's rule sees nothing.
    let both = ball(6, [0.0; 3], 1.0).joined(&ball(6, [0.8, 0.0, 0.0], 1.0));
    let probe = cuboid([-2.0; 3], [4.0; 3]);
    let (o, p) = (overlap(&both, &probe, 64), published(&both, &probe, 64));
    assert!(p.volume < 0.8 * o.lower, "{o:?} {p:?}");
}

#[test]
fn the_nearest_ray_is_wrong_only_near_the_surface() {
    let s = ball(12, [0.0; 3], 1.0);
    let mesh = mesh_of(&[&s]);
    let bodies = [Positions::from(&s.positions)];
    let frame = Frame::new(&bodies);
    let mut rng = Rng::new(3);
    let points: Vec<[f64; 3]> = (0..4000).map(|_| std::array::from_fn(|_| rng.range(-1.1, 1.1))).collect();
    let (mut exact, mut published) = (LayeredDepth::default(), Published::default());
    let truth = exact.update(&mesh, frame).unwrap().inside(BodyId(0), &points).unwrap();
    let mut published = published.update(&mesh, frame).unwrap();
    let found = published.inside(BodyId(0), &points, Resolution::rays(64)).unwrap();
    let wrong: Vec<_> = (0..points.len()).filter(|&i| truth[i] != found[i]).collect();
    assert!(!wrong.is_empty() && wrong.len() < 200, "{}", wrong.len());
    for &i in &wrong {
        let r = points[i].iter().map(|x| x * x).sum::<f64>().sqrt();
        // A pixel is 1/32 wide; seen flat, a ray beside the point may be that much steeper.
        assert!((r - 1.0).abs() < 0.1, "{:?}", points[i]);
    }
    let error = published.inside(BodyId(0), &vec![[f64::NAN; 3]], Resolution::rays(64));
    assert!(error.is_err());
}

#[test]
fn invariants_are_checked_and_pictures_drawn() {
    let (a, b) = (ball(8, [0.0; 3], 1.0), ball(8, [0.5, 0.4, 0.3], 1.0));
    let mesh = mesh_of(&[&a, &b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let mut view = volumes.view(BOTH, Resolution::rays(20)).unwrap().unwrap();
    let layers = [view.layers(0), view.layers(1)];
    let sampled = view.overlap_of(&layers).unwrap();
    let (o, spans) = (overlap(&a, &b, 20), layers[0].common(&layers[1]).unwrap());
    assert_eq!((sampled.layers, sampled.spans, sampled.axis), (o.layers, spans.len(), o.axis));
    assert!((sampled.volume - o.sampled).abs() < 1e-6 * o.sampled && sampled.upper >= o.upper);
    assert_eq!(view.validate(0, &layers[0]), Ok(()));
    assert_eq!(view.validate(0, &layers[1]).unwrap_err().invariant, "I1");
    assert_eq!(spans.validate(&[&layers[0], &layers[1]]), Ok(()));
    let mut drawing = Drawing::default();
    layers[0].draw(&mut drawing);
    assert_eq!((drawing.boxes.len(), drawing.points.len()), (1, layers[0].count()));
    assert_eq!(drawing.lines.len(), layers[0].spans().len());
    spans.draw(&mut drawing);
    assert_eq!(drawing.lines.len(), layers[0].spans().len() + spans.len());
}
