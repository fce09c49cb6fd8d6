//! The intersection volume as a surface: closed, and as large as its spans.

use std::collections::HashMap;

use crumple::methods::layered_depth::image::Spans;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Positions};
use crumple_scenes::{Surface, shapes};

use super::{ball, cuboid, exact, mesh_of, turned};

fn spans(a: &Surface, b: &Surface, n: u32) -> Spans {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    let [a, b] = method
        .update(&mesh, Frame::new(&bodies))
        .unwrap()
        .layers([BodyId(0), BodyId(1)], Resolution::rays(n))
        .unwrap()
        .unwrap();
    a.common(&b).unwrap()
}

fn closed(spans: &Spans) -> Surface {
    let s = spans.surface();
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for &[a, b, c] in &s.triangles {
        assert!(a != b && b != c && c != a);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry([p.min(q), p.max(q)]).or_default() += if p < q { 1 } else { -1 };
        }
    }
    assert!(edges.values().all(|&n| n == 0), "not closed");
    let mut used = vec![false; s.positions.len()];
    s.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    assert!(used.iter().all(|&u| u), "a vertex without triangles");
    let surface = Surface { positions: s.positions, triangles: s.triangles };
    let volume = spans.volume();
    assert!((surface.volume() - volume).abs() <= 1e-9 * volume.max(1e-3), "{} {volume}", surface.volume());
    surface
}

#[test]
fn the_surface_is_closed_and_as_large_as_the_spans() {
    let torus = shapes::torus(24, 12, 0.7, 0.3).outward();
    for (a, b) in [
        (ball(8, [0.0; 3], 1.0), ball(8, [0.5, 0.4, 0.3], 1.0)),
        (torus.clone(), turned(torus.clone(), 0.9)),
        (cuboid([0.0; 3], [1.0; 3]), cuboid([0.25, 0.5, 0.5], [1.0; 3])),
        (shapes::torus_knot(160, 8, 0.25), ball(8, [0.0; 3], 1.5)),
        (torus, cuboid([-2.0, -2.0, -0.05], [4.0, 4.0, 0.1])),
    ] {
        for n in [1, 9, 40] {
            closed(&spans(&a, &b, n));
        }
    }
}

#[test]
fn the_volume_converges_to_the_true_one() {
    let (a, b) = (ball(8, [0.0; 3], 1.0), turned(cuboid([-0.2; 3], [1.3, 1.1, 0.9]), 0.5));
    let truth = exact(&a, &b);
    let error = |n: u32| (closed(&spans(&a, &b, n)).volume() - truth).abs() / truth;
    assert!(error(16) < 2e-2 && error(128) < 1e-3, "{} {}", error(16), error(128));
}

#[test]
fn a_box_is_a_box() {
    // Flush with the pixels: the boxes are the common volume itself.
    let s = closed(&spans(&cuboid([0.0; 3], [1.0; 3]), &cuboid([0.5; 3], [1.0; 3]), 4));
    let (lo, hi) = crumple_scenes::vector::bounds(&s.positions);
    assert!((0..3).all(|k| (lo[k] - 0.5).abs() < 1e-8 && (hi[k] - 1.0).abs() < 1e-8));
    assert!((s.volume() - 0.125).abs() < 1e-8);
    // 4 × 4 lids on either side, 16 walls, two triangles each.
    assert_eq!(s.triangles.len(), 2 * (16 + 16 + 16));
}
