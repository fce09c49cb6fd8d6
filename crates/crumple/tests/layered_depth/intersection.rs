//! The intersection as a surface: closed, a manifold, outward, on the bodies' surfaces, and of the right volume.

use std::collections::HashMap;

use crumple::Error;
use crumple::methods::layered_depth::{
    Holes, IntersectionSurface, LayeredDepth, LayeredDepthParams, Resolution, Stop, Tolerance,
};
use crumple::methods::{brute_force, regularity};
use crumple::narrow::point_tri;
use crumple::{Bodies, BodyId, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use crumple_scenes::{Surface, shapes};
use proptest::prelude::*;

use super::{PI, ball, cuboid, lens, mesh_of, overlap, turned};

/// Vertices keep this share of an edge away from its ends.
const MARGIN: f64 = 1.0 / 1024.0;

fn ask(bodies: &[&Surface], resolution: Resolution) -> Result<IntersectionSurface, Error> {
    ask_of(&mut LayeredDepth::default(), bodies, resolution)
}

fn ask_of(
    method: &mut LayeredDepth,
    bodies: &[&Surface],
    resolution: Resolution,
) -> Result<IntersectionSurface, Error> {
    let mesh = mesh_of(bodies);
    let positions: Vec<_> = bodies.iter().map(|s| Positions::from(&s.positions)).collect();
    let ids: Vec<_> = (0..bodies.len() as u32).map(BodyId).collect();
    method.update(&mesh, Frame::new(&positions))?.intersection(&ids, resolution)
}

/// The surface, checked to be closed, a manifold and outward.
#[track_caller]
pub fn sound(found: IntersectionSurface) -> Surface {
    let volume = found.volume();
    let IntersectionSurface { positions, triangles, .. } = found;
    // The next corner of each triangle round a vertex: a fan leads through all of them and back.
    let mut fans: Vec<HashMap<u32, u32>> = vec![HashMap::new(); positions.len()];
    for &[a, b, c] in &triangles {
        assert!(a != b && b != c && c != a);
        for [p, q, r] in [[a, b, c], [b, c, a], [c, a, b]] {
            assert!(fans[p as usize].insert(q, r).is_none(), "an edge is run through twice the same way");
        }
    }
    for (v, fan) in fans.iter().enumerate() {
        let first = *fan.keys().next().expect("a vertex without triangles");
        let (mut at, mut steps) = (first, 0);
        loop {
            at = *fan.get(&at).unwrap_or_else(|| panic!("the edge from {v} to {at} has one side only"));
            steps += 1;
            if at == first {
                break;
            }
        }
        assert_eq!(steps, fan.len(), "the triangles of vertex {v} are not one fan");
    }
    assert!(triangles.is_empty() || volume > 0.0);
    Surface { positions, triangles }
}

/// The volume of two bodies, proved to a ten-thousandth.
fn truth_of(a: &Surface, b: &Surface) -> f64 {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    let tolerance = Tolerance::Relative(1e-4);
    let found = method
        .update(&mesh, Frame::new(&bodies))
        .unwrap()
        .refined_overlap([BodyId(0), BodyId(1)], Resolution::rays(64), tolerance)
        .unwrap();
    assert_eq!(found.stop, Stop::Reached);
    found.overlap.volume
}

fn of(bodies: &[&Surface], n: u32) -> Surface {
    sound(ask(bodies, Resolution::rays(n)).unwrap())
}

fn distance(p: &[f64; 3], s: &Surface) -> f64 {
    let to = |t: &[u32; 3]| point_tri::closest(p, &t.map(|v| s.positions[v as usize])).distance_sq;
    s.triangles.iter().map(to).fold(f64::INFINITY, f64::min).sqrt()
}

/// Checks that every vertex is on the surface of the common volume, to the stated bound.
#[track_caller]
fn assert_on(found: &IntersectionSurface, bodies: &[&Surface]) {
    let diagonal = found.cell.iter().map(|c| c * c).sum::<f64>().sqrt();
    let tight = diagonal * (MARGIN + 1.01 / f64::from(1 << 18)) + 1e-12;
    let mesh = mesh_of(bodies);
    let slices: Vec<_> = bodies.iter().map(|s| Positions::from(&s.positions)).collect();
    let inside: Vec<Vec<bool>> = (0..bodies.len() as u32)
        .map(|b| {
            brute_force::inside(&mesh, Frame::new(&slices), BodyId(b), (&found.positions).into()).unwrap()
        })
        .collect();
    for (i, p) in found.positions.iter().enumerate() {
        // Those in the middle of where creases meet are not told from the others on creases.
        let bound = if i < found.crossings { tight } else { diagonal };
        let distances: Vec<_> = bodies.iter().map(|s| distance(p, s)).collect();
        assert!(distances.iter().any(|&d| d <= bound), "{p:?}: {distances:?}, {bound}");
        for (b, d) in distances.iter().enumerate() {
            assert!(inside[b][i] || *d <= bound, "{p:?} is {d} outside of body {b}, {bound}");
        }
    }
}

#[test]
fn two_balls_share_a_lens() {
    let (a, b) = (ball(12, [0.0; 3], 1.0), ball(12, [0.7, 0.5, 0.3], 1.0));
    for n in [4, 5, 16, 40, 61, 62, 63, 64, 65] {
        let lens = of(&[&a, &b], n);
        assert_eq!(lens.euler(), 2, "{n}");
    }
    assert_on(&ask(&[&a, &b], Resolution::rays(12)).unwrap(), &[&a, &b]);
}

#[test]
fn a_torus_in_a_ball_is_a_torus() {
    let torus = turned(shapes::torus(32, 16, 0.7, 0.3).outward(), 0.4);
    let outer = ball(8, [0.0; 3], 2.0);
    for bodies in [[&torus, &outer], [&outer, &torus]] {
        let found = of(&bodies, 24);
        assert_eq!(found.euler(), 0);
        assert_on(&ask(&bodies, Resolution::rays(10)).unwrap(), &bodies);
    }
    // Cut in two by a slab through its hole.
    let slab = cuboid([-2.0, -0.1, -2.0], [4.0, 0.2, 4.0]);
    let flat = shapes::torus(32, 16, 0.7, 0.3).outward();
    assert_eq!(of(&[&flat, &slab], 32).euler(), 4);
}

#[test]
fn the_volume_converges_at_second_order() {
    // Creases, curved and flat faces, against the volume of the meshes. The surfaces cross at an angle everywhere: where
    // they nearly touch, what they share is thinner than a cell, and more of it is lost.
    let torus = shapes::torus(48, 24, 0.7, 0.3).outward();
    let pairs = [
        (ball(20, [0.0; 3], 1.0), ball(20, [0.7, 0.5, 0.3], 1.0)),
        (turned(torus, 0.9), cuboid([-0.2, -0.1, -1.5], [3.0; 3])),
        (turned(cuboid([-0.5; 3], [1.0; 3]), 0.3), turned(cuboid([-0.3; 3], [1.0; 3]), -0.5)),
    ];
    for (i, (a, b)) in pairs.iter().enumerate() {
        let truth = truth_of(a, b);
        // Errors of single grids scatter: a mean of several.
        let error = |all: [u32; 5]| {
            all.map(|n| (of(&[a, b], n).volume() - truth).abs() / truth).iter().sum::<f64>() / 5.0
        };
        let (coarse, fine) = (error([18, 20, 22, 24, 26]), error([72, 80, 88, 96, 104]));
        let order = (coarse / fine).log2() / 2.0;
        assert!(order > 1.6 && fine < 1e-3, "pair {i}: order {order}, {coarse} {fine}");
    }
}

#[test]
fn volumes_are_those_of_analytic_solids() {
    let near = |s: &Surface, truth: f64, share: f64| {
        assert!((s.volume() / truth - 1.0).abs() < share, "{} {truth}", s.volume());
    };
    let (a, b) = (ball(60, [0.0; 3], 1.0), ball(60, [0.7, 0.5, 0.3], 1.0));
    near(&of(&[&a, &b], 96), lens(0.83f64.sqrt()), 2e-3);
    let torus = shapes::torus(200, 100, 0.7, 0.3).outward();
    near(&of(&[&torus, &ball(4, [0.0; 3], 3.0)], 96), 2.0 * PI * PI * 0.7 * 0.09, 2e-3);
    let box_of = |min, size| cuboid(min, size);
    let common = of(&[&box_of([0.0; 3], [1.0; 3]), &box_of([0.5, 0.25, 0.75], [1.0; 3])], 64);
    // Only the corners are cut off.
    near(&common, 0.5 * 0.75 * 0.25, 2e-5);
    // Three bodies.
    let third = cuboid([-1.0, -1.0, 0.8], [3.0, 3.0, 0.1]);
    let two = [box_of([0.0; 3], [1.0; 3]), box_of([0.5, 0.25, 0.75], [1.0; 3])];
    near(&of(&[&two[0], &two[1], &third], 64), 0.5 * 0.75 * 0.1, 3e-3);
}

#[test]
fn the_volume_agrees_with_the_bounds_of_overlap() {
    let (a, b) = (shapes::torus_knot(160, 12, 0.25), shapes::blob(16, 7, 0.3));
    let o = overlap(&a, &b, 128);
    let found = of(&[&a, &b], 128);
    assert!((found.volume() - o.volume).abs() < 5e-3 * o.volume, "{} {o:?}", found.volume());
    // Its box is the common volume's, but for creases.
    let ([lo, hi], (low, high)) = (o.bounds.unwrap(), crumple_scenes::vector::bounds(&found.positions));
    let cell = ask(&[&a, &b], Resolution::rays(128)).unwrap().cell;
    assert!(
        (0..3).all(|k| (low[k] - lo[k]).abs() < 4.0 * cell[k] && (high[k] - hi[k]).abs() < 4.0 * cell[k])
    );
}

#[test]
fn the_surface_does_not_cut_itself() {
    let knot = shapes::torus_knot(120, 8, 0.25);
    for other in [ball(8, [0.0; 3], 1.5), turned(cuboid([-1.0; 3], [2.0; 3]), 0.7), knot.clone()] {
        for n in [20, 31, 40, 57] {
            let found = of(&[&knot, &other], n);
            assert!(found.triangles.len() > 500);
            assert_uncut(&found);
        }
    }
}

/// No triangle cuts another.
#[track_caller]
fn assert_uncut(s: &Surface) {
    let mesh = mesh_of(&[s]);
    let positions = [Positions::from(&s.positions)];
    let frame = Frame::new(&positions);
    let mut method = regularity::Regularity::new(Default::default()).unwrap();
    let mut contacts = Contacts::default();
    method.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut contacts);
    assert_eq!(contacts.triangle_pairs, []);
}

#[test]
fn creases_stay_sharp() {
    // Of two balls: on the circle in which they meet, half way between the centres.
    let (a, b) = (ball(30, [0.0; 3], 1.0), ball(30, [0.7, 0.5, 0.3], 1.0));
    let found = ask(&[&a, &b], Resolution::rays(32)).unwrap();
    let diagonal = found.cell.iter().map(|c| c * c).sum::<f64>().sqrt();
    let creases = &found.positions[found.crossings..];
    assert!(creases.len() > 200, "{}", creases.len());
    let mut sharp = 0;
    for p in creases {
        let (to_a, to_b) = (distance(p, &a), distance(p, &b));
        assert!(to_a.min(to_b) < diagonal / 50.0, "{p:?}: {to_a} {to_b} {diagonal}");
        sharp += usize::from(to_a.max(to_b) < diagonal / 20.0);
    }
    assert!(sharp * 10 > creases.len() * 9, "{sharp} of {}", creases.len());
    // Of a box that lies askew, alone: nearly all of its volume, and most of what is beyond the crossings is on edges.
    let edges = turned(cuboid([-0.5; 3], [1.0, 0.8, 0.6]), 0.4);
    let found = ask(&[&edges], Resolution::rays(24)).unwrap();
    assert!((found.volume() / 0.48 - 1.0).abs() < 4e-3, "{}", found.volume());
    let (lo, hi) = crumple_scenes::vector::bounds(&edges.positions);
    let (low, high) = crumple_scenes::vector::bounds(&found.positions);
    assert!((0..3).all(|k| low[k] - lo[k] < 0.7 * found.cell[k] && hi[k] - high[k] < 0.7 * found.cell[k]));
    sound(found);
}

#[test]
fn faces_through_the_corners_of_the_grid() {
    // 0.0625 is half a cell: the inner box has its faces, edges and corners on corners of the grid, along all axes and
    // along its diagonals.
    let outer = cuboid([0.0; 3], [1.0; 3]);
    for inner in [
        cuboid([0.0625; 3], [0.5; 3])
            .joined(&cuboid([0.9; 3], [0.1; 3]))
            .joined(&cuboid([0.0; 3], [0.01; 3])),
        diamond([0.5625; 3], 0.25).joined(&cuboid([0.9; 3], [0.1; 3])).joined(&cuboid([0.0; 3], [0.01; 3])),
    ] {
        let found = ask(&[&outer, &inner], Resolution::rays(8)).unwrap();
        assert_eq!(found.cell, [0.125; 3]);
        assert_on(&found, &[&outer, &inner]);
        sound(found);
    }
}

fn diamond(centre: [f64; 3], radius: f64) -> Surface {
    let ends = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let triangles = (0..8).map(|i: u32| {
        let t = [i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1)];
        if i.count_ones().is_multiple_of(2) { t } else { [t[0], t[2], t[1]] }
    });
    Surface { positions: ends.to_vec(), triangles: triangles.collect() }
        .outward()
        .mapped(|p| std::array::from_fn(|k| centre[k] + radius * p[k]))
}

#[test]
fn winding_decides_in_bodies_that_cut_themselves() {
    // Two shells that overlap are one solid, and its inner walls are gone.
    let both = ball(6, [0.0; 3], 1.0).joined(&ball(6, [0.8, 0.0, 0.0], 1.0));
    let probe = cuboid([-3.0; 3], [6.0; 3]);
    let truth = overlap(&both, &probe, 128).volume;
    for bodies in [&[&both, &probe][..], &[&both]] {
        let union = of(bodies, 64);
        assert_eq!(union.euler(), 2);
        assert!((union.volume() / truth - 1.0).abs() < 5e-3, "{} {truth}", union.volume());
    }
    // A cavity is a second surface, turned inward.
    let hollow = ball(6, [0.0; 3], 1.0).joined(&ball(6, [0.0; 3], 0.5).flipped());
    assert_eq!(of(&[&hollow, &probe], 32).euler(), 4);
    // Inside out is the same solid.
    let (a, b) = (ball(6, [0.0; 3], 1.0), ball(6, [0.6, 0.1, 0.2], 0.9));
    assert_eq!(of(&[&a.clone().flipped(), &b], 32).positions, of(&[&a, &b], 32).positions);
}

#[test]
fn where_a_body_overlaps_itself() {
    let (a, b) = (ball(8, [0.0; 3], 1.0), ball(8, [0.9, 0.3, 0.2], 1.0));
    let truth = truth_of(&a, &b);
    for both in [a.clone().joined(&b), a.clone().flipped().joined(&b.clone().flipped())] {
        let mesh = mesh_of(&[&both]);
        let positions = [Positions::from(&both.positions)];
        let mut method = LayeredDepth::default();
        let found = sound(
            method
                .update(&mesh, Frame::new(&positions))
                .unwrap()
                .self_intersection(BodyId(0), Resolution::rays(96))
                .unwrap(),
        );
        assert_eq!(found.euler(), 2);
        assert!((found.volume() / truth - 1.0).abs() < 2e-2, "{} {truth}", found.volume());
    }
    let mesh = mesh_of(&[&a]);
    let positions = [Positions::from(&a.positions)];
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&mesh, Frame::new(&positions)).unwrap();
    assert!(volumes.self_intersection(BodyId(0), Resolution::rays(32)).unwrap().is_empty());
}

#[test]
fn slight_overlaps_are_thin_and_not_lost() {
    // 2 % of a radius deep, a lens of 1 : 14 that lies askew. Its rim is ragged.
    let (a, b) = (ball(40, [0.0; 3], 1.0), ball(40, [1.9, 0.5, 0.25], 1.0));
    let truth = truth_of(&a, &b);
    let lost = |n| 1.0 - of(&[&a, &b], n).volume() / truth;
    assert!((0.0..0.1).contains(&lost(64)) && (0.0..0.01).contains(&lost(256)), "{} {}", lost(64), lost(256));
    // Along an axis it is 16 cells thick, however coarse the others are.
    let b = ball(40, [1.98, 0.0, 0.0], 1.0);
    let (found, truth) = (of(&[&a, &b], 24), truth_of(&a, &b));
    assert_eq!(found.euler(), 2);
    assert!((found.volume() / truth - 1.0).abs() < 2e-2, "{} {truth}", found.volume());
}

#[test]
fn nothing_in_common_is_an_empty_surface() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    for at in [[1.0, 0.0, 0.0], [1.0; 3], [3.0, 0.0, 0.0], [0.2, 0.2, -3.0]] {
        let found = ask(&[&a, &cuboid(at, [1.0; 3])], Resolution::rays(32)).unwrap();
        assert!(found.is_empty() && found.positions.is_empty() && found.volume() == 0.0, "{at:?}");
    }
    // The boxes meet, the bodies do not.
    let found = ask(&[&ball(8, [0.0; 3], 1.0), &ball(8, [1.3; 3], 1.0)], Resolution::rays(32)).unwrap();
    assert!(found.is_empty());
    assert!(ask(&[], Resolution::rays(32)).unwrap().is_empty());
}

#[test]
fn sizes_and_places_do_not_matter() {
    let (a, b) = (ball(6, [0.0; 3], 1.0), ball(6, [0.6, 0.1, 0.2], 0.9));
    let plain = of(&[&a, &b], 32);
    for (scale, shift) in [(1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-3, 100.0)] {
        let moved = |s: &Surface| s.clone().mapped(|p| p.map(|x| x * scale + shift));
        let found = ask(&[&moved(&a), &moved(&b)], Resolution::rays(32)).unwrap();
        let volume = found.volume() / scale.powi(3);
        assert!((volume / plain.volume() - 1.0).abs() < 1e-4, "{scale} {shift}: {volume}");
        sound(found);
    }
    // A floor a million times as large.
    let floor = cuboid([-1e6; 3], [2e6, 2e6, 1e6]);
    let found = ask(&[&floor, &a], Resolution::rays(32)).unwrap();
    assert_on(&found, &[&floor, &a]);
    assert!((sound(found).volume() / (0.5 * a.volume()) - 1.0).abs() < 5e-3);
    // Numbers of this size cannot tell the corners apart.
    let far = |s: &Surface| s.clone().mapped(|p| p.map(|x| x + 1e12));
    let error = ask(&[&far(&a), &far(&b)], Resolution::rays(32)).unwrap_err();
    assert!(matches!(error, Error::Unresolved { .. }), "{error}");
}

#[test]
fn cells_are_as_fine_as_asked() {
    let (a, b) = (cuboid([0.0; 3], [4.0, 2.0, 1.0]), cuboid([0.0; 3], [4.0, 2.0, 0.01]));
    let cell = |resolution| {
        sound(ask(&[&a, &b], resolution).unwrap());
        ask(&[&a, &b], resolution).unwrap().cell
    };
    // Cubes, but at least 16 along a side.
    assert_eq!(cell(Resolution::Pixels([64, 32])), [0.0625, 0.0625, 0.01 / 16.0]);
    assert_eq!(cell(Resolution::PixelSize(0.125)), [0.125, 0.125, 0.01 / 16.0]);
    assert_eq!(cell(Resolution::Pixels([8, 8])), [0.5, 0.25, 0.01 / 8.0]);
    let thin = cuboid([0.0; 3], [4.0, 0.02, 0.01]);
    assert_eq!(ask(&[&a, &thin], Resolution::PixelSize(1e-9)).unwrap().cell[0], 4.0 / 512.0);
}

#[test]
fn holes_are_refused_or_closed_over() {
    let mut open = ball(6, [0.0; 3], 1.0);
    open.triangles.drain(..30);
    let b = ball(6, [0.3, 0.1, 0.0], 1.0);
    let error = ask(&[&open, &b], Resolution::rays(16)).unwrap_err();
    assert!(matches!(error, Error::Open { body: BodyId(0), .. }), "{error}");
    let found = ask_of(
        &mut LayeredDepth::new(LayeredDepthParams { holes: Holes::Accept }),
        &[&open, &b],
        Resolution::rays(24),
    )
    .unwrap();
    assert!(!found.is_empty());
    sound(found);
}

#[test]
fn tets_are_bodies_too() {
    let solid = shapes::tet_ball(4);
    let surface = solid.boundary();
    let mesh = Bodies::new([
        Mesh::from_tets("tets", solid.positions.len(), &solid.tets).unwrap(),
        Mesh::from_triangles("ball", 0, &[]).unwrap(),
    ])
    .unwrap();
    let none: [[f64; 3]; 0] = [];
    let positions = [Positions::from(&solid.positions), Positions::from(&none[..])];
    let mut method = LayeredDepth::default();
    let frame = Frame::new(&positions);
    let found =
        sound(method.update(&mesh, frame).unwrap().intersection(&[BodyId(0)], Resolution::rays(32)).unwrap());
    assert!((found.volume() / surface.volume() - 1.0).abs() < 1e-2);
    assert!(
        method
            .update(&mesh, frame)
            .unwrap()
            .intersection(&[BodyId(0), BodyId(1)], Resolution::rays(32))
            .unwrap()
            .is_empty()
    );
    let error = method
        .update(&mesh, frame)
        .unwrap()
        .intersection(&[BodyId(0), BodyId(7)], Resolution::rays(32))
        .unwrap_err();
    assert!(matches!(error, Error::NoBody { body: BodyId(7) }));
}

#[cfg(feature = "parallel")]
#[test]
fn one_thread_equals_many() {
    let (a, b) = (ball(12, [0.0; 3], 1.0), shapes::torus_knot(200, 8, 0.25));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| ask(&[&a, &b], Resolution::rays(50)).unwrap())
    };
    assert_eq!(run(1), run(3));
}

/// A shape of one of several kinds on a coarse grid of places and sizes, so that faces touch and coincide.
fn shape() -> impl Strategy<Value = Surface> {
    let place = || prop::array::uniform3(-4i32..=4).prop_map(|p| p.map(|x| f64::from(x) / 4.0));
    let size = || prop::array::uniform3(1i32..=6).prop_map(|p| p.map(|x| f64::from(x) / 4.0));
    let angle = prop_oneof![Just(0.0), Just(PI / 4.0), -3.0..3.0f64];
    (0..6, place(), size(), angle).prop_map(|(kind, at, size, angle)| {
        let shape = match kind {
            0 | 1 => cuboid([-0.5, -0.5, -0.5], [1.0; 3]),
            2 => ball(3, [0.0; 3], 0.5),
            3 => shapes::torus(12, 8, 0.4, 0.15).outward(),
            4 => diamond([0.0; 3], 0.5),
            _ => cuboid([-0.5; 3], [1.0; 3]).joined(&cuboid([-0.25; 3], [1.0; 3])),
        };
        let shape = shape.mapped(|p| std::array::from_fn(|k| size[k] * p[k]));
        turned(shape, angle).mapped(|p| std::array::from_fn(|k| p[k] + at[k]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_pair_gives_a_sound_surface(a in shape(), b in shape(), n in 1u32..14) {
        let found = match ask(&[&a, &b], Resolution::rays(n)) {
            Ok(found) => found,
            // Faces that touch but for the rounding of a turn.
            Err(Error::Unresolved { size }) => {
                prop_assert!(size.iter().any(|&s| s < 1e-9), "{size:?}");
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        assert_on(&found, &[&a, &b]);
        let cells = found.cell.iter().product::<f64>();
        let surface = sound(found);
        assert_uncut(&surface);
        let (volume, truth) = (surface.volume(), overlap(&a, &b, 48));
        // No more than there is, but for clamping, snapping and the chords of hollows, which are long in so few cells; and
        // nothing where there is nothing.
        let slack = 0.1 * truth.upper + 2.0 * cells;
        prop_assert!(volume <= truth.upper + slack || n < 6, "{} {:?}", volume, truth);
        if truth.upper == 0.0 {
            prop_assert!(volume == 0.0);
        }
        // The other way round it is the same volume, but for creases where both have a face at the very same depth.
        let again = sound(ask(&[&b, &a], Resolution::rays(n)).unwrap()).volume();
        prop_assert!((again - volume).abs() <= 1e-3 * volume + 0.1 * cells, "{} {}", again, volume);
    }
}
