//! The layered method against exact volumes, exact inside flags and brute force.

mod analytic;
mod boxes;
mod data;
mod gradient;
mod intersection;
mod layers;
mod published;
mod refine;
mod regressions;
mod self_overlap;

use crumple::Error;
use crumple::methods::brute_force;
use crumple::methods::layered_depth::{Holes, LayeredDepth, LayeredDepthParams, Overlap, Resolution};
use crumple::{Bodies, BodyId, Frame, Guarantee, Mesh, Positions};
use crumple_scenes::{Rng, Surface, shapes};

const PI: f64 = std::f64::consts::PI;

fn mesh_of(surfaces: &[&Surface]) -> Bodies {
    let body = |s: &&Surface| Mesh::from_triangles("body", s.positions.len(), &s.triangles).unwrap();
    Bodies::new(surfaces.iter().map(body)).unwrap()
}

fn ask(a: &Surface, b: &Surface, holes: Holes, resolution: Resolution) -> Result<Overlap, Error> {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::new(LayeredDepthParams { holes });
    method.update(&mesh, Frame::new(&bodies))?.overlap([BodyId(0), BodyId(1)], resolution)
}

fn overlap(a: &Surface, b: &Surface, n: u32) -> Overlap {
    ask(a, b, Holes::Refuse, Resolution::rays(n)).unwrap()
}

fn exact(a: &Surface, b: &Surface) -> f64 {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    brute_force::overlap_volume(&mesh, Frame::new(&bodies), BodyId(0), BodyId(1)).unwrap()
}

#[track_caller]
fn assert_holds(o: &Overlap, truth: f64, what: &str) {
    // The oracle is plain f64, good to about 1e-12.
    let slack = 1e-11 * truth.abs().max(1e-3);
    assert!(o.lower <= truth + slack && truth - slack <= o.upper, "{what}: {truth} not in {o:?}");
    assert!(o.lower <= o.volume && o.volume <= o.upper, "{what}: {o:?}");
}

/// The same but for the order in which pieces were added up.
#[track_caller]
fn assert_close(a: &Overlap, b: &Overlap) {
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * y.abs();
    assert!(near(a.volume, b.volume) && near(a.lower, b.lower) && near(a.upper, b.upper), "{a:?} {b:?}");
    assert_eq!(
        (a.layers, a.depth_complexity, a.spans, a.bounds),
        (b.layers, b.depth_complexity, b.spans, b.bounds)
    );
}

fn cuboid(min: [f64; 3], size: [f64; 3]) -> Surface {
    let s = shapes::box_surface([1, 1, 1], [1.0; 3]).outward();
    let (lo, hi) = crumple_scenes::vector::bounds(&s.positions);
    s.mapped(|p| std::array::from_fn(|k| min[k] + size[k] * (p[k] - lo[k]) / (hi[k] - lo[k])))
}

fn ball(n: usize, centre: [f64; 3], radius: f64) -> Surface {
    shapes::icosphere(n).outward().mapped(|p| std::array::from_fn(|k| centre[k] + radius * p[k]))
}

fn turned(s: Surface, angle: f64) -> Surface {
    let (sin, cos) = angle.sin_cos();
    s.mapped(|p| {
        let [x, y, z] = p;
        let (x, y) = (cos * x - sin * y, sin * x + cos * y);
        let (y, z) = (cos * y - sin * z, sin * y + cos * z);
        [x, y, z]
    })
}

#[test]
fn boxes_along_the_axes_are_exact() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    for (at, size) in [
        ([0.5, 0.25, 0.75], [1.0, 1.0, 1.0]),
        ([0.1, 0.2, 0.3], [0.3, 0.3, 0.3]),
        ([-1.0, -1.0, 0.9], [3.0, 3.0, 3.0]),
        ([0.0; 3], [1.0; 3]),
        ([0.3, -0.7, 0.123], [0.111, 2.0, 0.5]),
        ([-0.3, -0.3, 0.2], [0.77, 0.61, 0.1]),
        ([0.05, 0.05, 0.05], [0.9, 0.8, 0.7]),
    ] {
        let b = cuboid(at, size);
        let truth: f64 = (0..3).map(|k| (at[k] + size[k]).min(1.0) - at[k].max(0.0)).product();
        for n in [1, 7, 64, 130] {
            let o = overlap(&a, &b, n);
            assert_holds(&o, truth, "boxes");
            assert!((o.volume - truth).abs() < 1e-6 * truth, "{n}: {truth} {o:?}");
        }
    }
}

#[test]
fn boxes_that_only_touch_share_nothing() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    for at in [[1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [1.0; 3], [1.5, 0.0, 0.0], [0.2, 0.2, -3.0]] {
        let o = overlap(&a, &cuboid(at, [1.0; 3]), 32);
        assert_eq!((o.lower, o.volume, o.upper, o.spans), (0.0, 0.0, 0.0, 0), "{at:?}");
    }
}

#[test]
fn random_pairs_agree_with_brute_force() {
    let mut rng = Rng::new(7);
    let mut real = || rng.range(-1.0, 1.0);
    let shapes: [Surface; 5] = [
        cuboid([-0.5; 3], [1.0, 0.7, 1.2]),
        ball(3, [0.0; 3], 0.8),
        shapes::torus(12, 8, 0.7, 0.3).outward(),
        shapes::cylinder(10, 2, 0.5, 1.2).outward(),
        shapes::cone(9, 2, 0.6, 1.1).outward(),
    ];
    for i in 0..60 {
        let (a, b) = (&shapes[i % 5], &shapes[(i / 5) % 5]);
        let a = turned(a.clone(), if i % 4 == 0 { 0.0 } else { 3.0 * real() });
        let shift = [0.6 * real(), 0.6 * real(), 0.6 * real()];
        let b = turned(b.clone(), if i % 3 == 0 { 0.0 } else { 3.0 * real() })
            .mapped(|p| [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]);
        let truth = exact(&a, &b);
        for n in [5, 32] {
            assert_holds(&overlap(&a, &b, n), truth, &format!("pair {i} at {n}"));
        }
    }
}

#[test]
fn the_oracle_holds_for_symmetric_bodies() {
    // Planes of both through one point, and through each other's corners.
    for (centre, radius) in [([0.0; 3], 0.4), ([0.1, 0.0, 0.0], 0.4), ([0.0, 0.125, 0.25], 0.5)] {
        let (outer, inner) = (ball(8, [0.0; 3], 1.0), ball(8, centre, radius));
        let (found, truth) = (exact(&outer, &inner), inner.volume());
        assert!((found - truth).abs() < 1e-11 * truth, "{found} {truth}");
    }
}

#[test]
fn wholly_inside_is_the_inner_body() {
    let (inner, outer) = (ball(6, [0.1, -0.2, 0.05], 0.4), ball(8, [0.0; 3], 1.0));
    let truth = inner.volume();
    for (a, b) in [(&inner, &outer), (&outer, &inner)] {
        let o = overlap(a, b, 64);
        assert_holds(&o, truth, "inside");
        // One surface only: nothing is left open but what leaves the window sideways.
        assert!(o.upper - o.lower < 5e-3 * truth, "{o:?}");
        let c = o.centroid.unwrap();
        assert!((0..3).all(|k| (c[k] - [0.1, -0.2, 0.05][k]).abs() < 1e-3), "{c:?}");
        let [lo, hi] = o.bounds.unwrap();
        assert!((0..3).all(|k| lo[k] <= c[k] - 0.39 && hi[k] >= c[k] + 0.39 && hi[k] - lo[k] < 0.85));
    }
}

/// The lens of two unit balls at distance d.
fn lens(d: f64) -> f64 {
    PI * (4.0 + d) * (2.0 - d).powi(2) / 12.0
}

#[test]
fn bounds_converge_at_their_order() {
    let (a, b) = (ball(40, [0.0; 3], 1.0), ball(40, [0.7, 0.5, 0.3], 1.0));
    let truth_of_balls = lens((0.49f64 + 0.25 + 0.09).sqrt());
    let width = |n: u32| {
        let o = overlap(&a, &b, n);
        // The meshes are inscribed: 1.5e-3 less than the balls at 40.
        assert!((o.volume - truth_of_balls).abs() < 5e-3 * truth_of_balls, "{o:?}");
        o.upper - o.lower
    };
    // Only the strip along the curve where the surfaces cross is open: second order, but for the few places where
    // the curve runs along the rays.
    let (w16, w256) = (width(16), width(256));
    assert!(w16 / w256 > 3f64.powi(4), "{w16} {w256}");
}

#[test]
fn an_inverted_body_is_the_same_solid() {
    let (a, b) = (ball(6, [0.0; 3], 1.0), ball(6, [0.6, 0.1, 0.2], 0.9));
    let o = overlap(&a, &b, 48);
    for (a, b) in
        [(a.clone().flipped(), b.clone()), (a.clone(), b.clone().flipped()), (a.flipped(), b.flipped())]
    {
        assert_close(&overlap(&a, &b, 48), &o);
    }
}

#[test]
fn overlapping_shells_of_one_body_count_once() {
    // Two balls in one body: where they overlap the winding number is 2.
    let both = ball(6, [0.0; 3], 1.0).joined(&ball(6, [0.8, 0.0, 0.0], 1.0));
    let probe = cuboid([-2.0; 3], [4.0; 3]);
    let truth = 2.0 * ball(6, [0.0; 3], 1.0).volume()
        - exact(&ball(6, [0.0; 3], 1.0), &ball(6, [0.8, 0.0, 0.0], 1.0));
    for n in [16, 64, 128] {
        assert_holds(&overlap(&both, &probe, n), truth, "union");
    }
    // One shell inside out within the other: the winding number is 0 in the cavity.
    let hollow = ball(6, [0.0; 3], 1.0).joined(&ball(5, [0.0; 3], 0.5).flipped());
    let truth = ball(6, [0.0; 3], 1.0).volume() - ball(5, [0.0; 3], 0.5).volume();
    assert_holds(&overlap(&hollow, &probe, 64), truth, "hollow");
}

#[test]
fn double_shells_with_flush_sides_count_once() {
    // Along the long walls of the step nothing is seen but the walls; the ends are flush with the box.
    let part = cuboid([0.0; 3], [2.0, 2.0, 1.0]);
    let step = cuboid([0.0; 3], [1.03, 3.1, 1.0]);
    let body = part.clone().joined(&part).joined(&step).joined(&step);
    let truth = 4.0 + 1.03 * 1.1;
    for n in [1, 3, 8, 16, 32, 100] {
        assert_holds(&overlap(&body, &cuboid([-3.0; 3], [8.0; 3]), n), truth, &format!("double step at {n}"));
    }
}

#[test]
fn far_and_huge_bodies_keep_the_bounds() {
    // A slab of two huge triangles a side, beside a small ball.
    let slab = cuboid([-1e6, -1e6, -1e6], [2e6, 2e6, 1e6]);
    let small = ball(5, [3.0, 4.0, 0.0], 0.5);
    let truth = exact(&cuboid([2.0, 3.0, -1.0], [2.0, 2.0, 1.0]), &small);
    assert_holds(&overlap(&slab, &small, 33), truth, "slab");
    let o = overlap(&slab, &small, 64);
    assert_holds(&o, truth, "slab");
    assert!(o.upper - o.lower < 0.02 * truth, "{o:?}");
    // The same far from the origin.
    let shift = |s: &Surface| s.clone().mapped(|p| [p[0] + 3e7, p[1] - 5e7, p[2] + 1e7]);
    let (a, b) = (shift(&ball(5, [0.0; 3], 1.0)), shift(&ball(5, [0.5, 0.4, 0.3], 1.0)));
    let near = [&a, &b].map(|s| s.clone().mapped(|p| [p[0] - 3e7, p[1] + 5e7, p[2] - 1e7]));
    assert_holds(&overlap(&a, &b, 40), exact(&near[0], &near[1]), "far");
}

#[test]
fn an_open_mesh_is_refused_or_reported() {
    let mut open = ball(4, [0.0; 3], 1.0);
    let closed = ball(4, [0.5, 0.0, 0.0], 1.0);
    open.triangles.pop();
    let error = ask(&open, &closed, Holes::Refuse, Resolution::rays(16)).unwrap_err();
    assert!(matches!(error, Error::Open { body: BodyId(0), edges: 3, loops: 1, .. }), "{error}");
    let o = ask(&closed, &open, Holes::Accept, Resolution::rays(128)).unwrap();
    assert!(o.unbalanced_rays[1] > 0 && o.unbalanced_rays[0] == 0 && o.lower == 0.0, "{o:?}");
    assert_eq!(o.guarantee, Guarantee::Unproved);
    let klein = shapes::klein_bottle(16, 12);
    let error = ask(&klein, &closed, Holes::Refuse, Resolution::rays(16)).unwrap_err();
    assert!(matches!(error, Error::OneSided { body: BodyId(0), .. }), "{error}");
}

#[test]
fn bad_questions_are_errors() {
    let s = ball(2, [0.0; 3], 1.0);
    let mesh = mesh_of(&[&s]);
    let bodies = [Positions::from(&s.positions)];
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let error = volumes.overlap([BodyId(0), BodyId(3)], Resolution::default()).unwrap_err();
    assert!(matches!(error, Error::NoBody { body: BodyId(3) }));
    for resolution in [Resolution::rays(0), Resolution::rays(8193), Resolution::PixelSize(f64::NAN)] {
        let both = [BodyId(0), BodyId(0)];
        assert!(matches!(volumes.overlap(both, resolution), Err(Error::Param(_))));
        assert!(matches!(volumes.gradient(both, resolution), Err(Error::Param(_))));
        assert!(matches!(volumes.self_overlap(BodyId(0), resolution), Err(Error::Param(_))));
        assert!(matches!(volumes.intersection(&both, resolution), Err(Error::Param(_))));
        assert!(matches!(volumes.view(both, resolution), Err(Error::Param(_))));
    }
    let points = vec![[0.0; 3], [f64::NAN, 0.0, 0.0]];
    let error = volumes.inside(BodyId(0), &points).unwrap_err();
    assert!(matches!(error, Error::BadPoint { index: 1, .. }));
}

/// Points at, and on, everything that a surface has, on a grid through it, and around.
fn telling_points(s: &Surface, rng: &mut Rng) -> Vec<[f64; 3]> {
    let mut points = s.positions.clone();
    let (lo, hi) = crumple_scenes::vector::bounds(&s.positions);
    for t in &s.triangles {
        let [a, b, c] = t.map(|v| s.positions[v as usize]);
        points.push(std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
        points.push(std::array::from_fn(|k| 0.5 * a[k] + 0.25 * b[k] + 0.25 * c[k]));
        points.push([a[0], a[1], 0.5 * (lo[2] + hi[2])]);
        points.push([a[0], b[1], c[2].next_up()]);
    }
    for _ in 0..400 {
        points.push(std::array::from_fn(|k| rng.range(lo[k] - 0.1, hi[k] + 0.1)));
    }
    for i in 0..7 * 7 * 7 {
        let at = [i % 7, i / 7 % 7, i / 49].map(|j| j as f64 / 6.0);
        points.push(std::array::from_fn(|k| lo[k] + at[k] * (hi[k] - lo[k])));
    }
    points
}

#[test]
fn inside_equals_brute_force() {
    let mut rng = Rng::new(11);
    let flat = Surface {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    let surfaces = [
        cuboid([0.0; 3], [1.0; 3]),
        ball(4, [0.2, 0.1, 0.7], 1.3),
        shapes::torus(14, 9, 1.0, 0.4),
        shapes::torus_knot(60, 6, 0.2),
        ball(3, [0.0; 3], 1.0).joined(&ball(4, [0.5, 0.0, 0.0], 1.0)),
        ball(3, [0.0; 3], 1.0).joined(&ball(3, [0.0; 3], 1.0).flipped()),
        ball(3, [0.0; 3], 1.0).flipped(),
        turned(cuboid([-1.0, -2.0, -1.0], [2.0, 4.0, 2.0]), 0.3),
        shapes::pawn(12, 10),
        flat,
    ];
    for (i, s) in surfaces.iter().enumerate() {
        let points = telling_points(s, &mut rng);
        let mesh = mesh_of(&[s]);
        let bodies = [Positions::from(&s.positions)];
        let mut method = LayeredDepth::default();
        let frame = Frame::new(&bodies);
        let expected = brute_force::inside(&mesh, frame, BodyId(0), (&points).into()).unwrap();
        assert_eq!(
            method.update(&mesh, frame).unwrap().inside(BodyId(0), &points).unwrap(),
            expected,
            "surface {i}"
        );
    }
}

#[test]
fn inconsistent_triangles_are_oriented_first() {
    let mut s = ball(4, [0.0; 3], 1.0);
    (0..s.triangles.len()).step_by(3).for_each(|t| s.triangles[t].swap(0, 1));
    let points = telling_points(&s, &mut Rng::new(3));
    let mesh = mesh_of(&[&s]);
    let bodies = [Positions::from(&s.positions)];
    let mut method = LayeredDepth::default();
    let expected = brute_force::inside(&mesh, Frame::new(&bodies), BodyId(0), (&points).into()).unwrap();
    assert!(expected.iter().filter(|&&i| i).count() > 300);
    assert_eq!(
        method.update(&mesh, Frame::new(&bodies)).unwrap().inside(BodyId(0), &points).unwrap(),
        expected
    );
    let consistent = ball(4, [0.0; 3], 1.0);
    let other = ball(4, [0.4, 0.0, 0.0], 1.0);
    let (o, p) = (overlap(&s, &other, 32), overlap(&consistent, &other, 32));
    assert_close(&o, &p);
}

#[cfg(feature = "parallel")]
#[test]
fn one_thread_equals_many() {
    let (a, b) = (ball(12, [0.0; 3], 1.0), shapes::torus_knot(200, 8, 0.25));
    let points = telling_points(&a, &mut Rng::new(5));
    let run = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let mesh = mesh_of(&[&a, &b]);
            let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
            let mut method = LayeredDepth::default();
            let frame = Frame::new(&bodies);
            let o = method
                .update(&mesh, frame)
                .unwrap()
                .overlap([BodyId(0), BodyId(1)], Resolution::rays(150))
                .unwrap();
            // Asked again, and in between another question: the same.
            let inside = method.update(&mesh, frame).unwrap().inside(BodyId(1), &points).unwrap();
            assert_eq!(
                method
                    .update(&mesh, frame)
                    .unwrap()
                    .overlap([BodyId(0), BodyId(1)], Resolution::rays(150))
                    .unwrap(),
                o
            );
            (o, inside)
        })
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        assert_eq!(run(threads), one);
    }
}

#[test]
fn single_precision_and_pixel_size() {
    let (a, b) = (ball(8, [0.0; 3], 1.0), ball(8, [0.5, 0.25, 0.0], 1.0));
    let round = |s: &Surface| s.positions.iter().map(|p| p.map(|x| x as f32)).collect::<Vec<_>>();
    let (pa, pb) = (round(&a), round(&b));
    let wide = |s: &Surface| s.clone().mapped(|p| p.map(|x| f64::from(x as f32)));
    let mesh = mesh_of(&[&a, &b]);
    let bodies = [Positions::from(&pa), Positions::from(&pb)];
    let mut method = LayeredDepth::default();
    let o = method
        .update(&mesh, Frame::new(&bodies))
        .unwrap()
        .overlap([BodyId(0), BodyId(1)], Resolution::rays(40))
        .unwrap();
    assert_eq!(o, overlap(&wide(&a), &wide(&b), 40));
    let o = ask(&a, &b, Holes::Refuse, Resolution::PixelSize(0.05)).unwrap();
    assert!(o.resolution.iter().all(|&n| (25..=41).contains(&n)), "{o:?}");
    assert_holds(&o, exact(&a, &b), "pixel size");
}
