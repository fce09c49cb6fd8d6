//! The adversarial scenes are what they claim to be.

mod oracle;

use crumple_scenes::{LazyScene, Solid, Surface, adversarial, lazy, mesh::smallest_det, vector::Point};

fn surface(scene: &LazyScene, body: usize, frame: usize) -> Surface {
    let b = &scene.bodies[body];
    Surface { positions: b.positions(frame), triangles: b.elements.triangles().to_vec() }
}

fn projected_areas(s: &Surface) -> impl Iterator<Item = f64> {
    s.triangles.iter().map(|t| {
        let [a, b, c]: [Point; 3] = t.map(|v| s.positions[v as usize]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    })
}

#[test]
fn every_scene_gives_what_it_states() {
    for entry in adversarial::SCENES {
        let scene = (entry.make)();
        assert!(scene.frames <= 6 && scene.elements() <= 800, "{}", entry.name);
        let (c, e) = (oracle::count(&scene), scene.expect);
        let stated = [e.self_pairs, e.neighbour_pairs, e.pairs, e.tets, e.inside];
        let counted = [c.self_pairs, c.neighbour_pairs, c.pairs, c.tets, c.inside].map(Some);
        assert_eq!(stated, counted, "{}", entry.name);
    }
}

#[test]
fn the_ramp_faces_up_and_hits_itself_in_every_frame() {
    let scene = lazy("spiral-ramp").unwrap();
    for frame in 0..scene.frames {
        let s = surface(&scene, 0, frame);
        assert!(projected_areas(&s).all(|a| a > 1e-6));
        assert_eq!(s.euler(), 1);
        assert!(s.is_consistently_oriented());
        assert!(oracle::count_frame(&scene, frame).self_pairs > 0);
    }
}

#[test]
fn the_annulus_is_an_annulus_with_nested_square_contours() {
    let scene = lazy("slit-annulus").unwrap();
    let s = surface(&scene, 0, 0);
    assert_eq!((s.triangles.len(), s.positions.len(), s.euler()), (800, 456, 0));
    assert!(s.is_consistently_oriented());
    assert!(projected_areas(&s).all(|a| a > 0.0));
    // Border edges lie on the squares of half width 8 and 6, nowhere else; every border vertex has one edge in, one out.
    let mut directed = std::collections::HashSet::new();
    for &[a, b, c] in &s.triangles {
        directed.extend([(a, b), (b, c), (c, a)]);
    }
    let border: Vec<(u32, u32)> =
        directed.iter().copied().filter(|&(a, b)| !directed.contains(&(b, a))).collect();
    assert_eq!(border.len(), 4 * 16 + 4 * 12);
    for &(a, b) in &border {
        let half = |v: u32| {
            let p = s.positions[v as usize];
            p[0].abs().max(p[1].abs())
        };
        assert_eq!(half(a), half(b));
        assert!([8.0, 6.0].contains(&half(a)));
    }
    // The slit's ends: more triangles round them than fit into one turn.
    for x in [-2.0, 2.0] {
        let v = s.positions.iter().position(|&p| p == [x, 0.0, 0.0]).unwrap() as u32;
        let angle: f64 = s
            .triangles
            .iter()
            .filter(|t| t.contains(&v))
            .map(|t| {
                let k = t.iter().position(|&w| w == v).unwrap();
                let [p, q] = [1, 2].map(|i| s.positions[t[(k + i) % 3] as usize]);
                let o = s.positions[v as usize];
                let (u, w) = ([p[0] - o[0], p[1] - o[1]], [q[0] - o[0], q[1] - o[1]]);
                (u[0] * w[1] - u[1] * w[0]).atan2(u[0] * w[0] + u[1] * w[1])
            })
            .sum();
        assert!((angle / std::f64::consts::TAU - 2.0).abs() < 1e-12, "{angle}");
    }
}

#[test]
fn the_neighbour_counter_examples_face_up() {
    for name in ["nested-neighbours", "edge-neighbours", "branch-vertex"] {
        let s = surface(&lazy(name).unwrap(), 0, 0);
        assert!(projected_areas(&s).all(|a| a > 0.0), "{name}");
        assert!(s.is_consistently_oriented(), "{name}");
    }
    // Finding 4 word for word: vqx (5) crosses tvy (1) and tyx (2).
    let s = surface(&lazy("edge-neighbours").unwrap(), 0, 0);
    let hit = |a: usize, b: usize| {
        oracle::triangles_intersect(&s.positions, s.triangles[a], &s.positions, s.triangles[b], true)
    };
    assert!(hit(5, 1) && hit(5, 2) && !hit(5, 0) && !hit(4, 0));
}

#[test]
fn crossed_bars_overlap_without_a_vertex_inside() {
    let scene = lazy("crossed-bars").unwrap();
    for frame in 0..scene.frames {
        let skin = |b: usize| {
            let positions = scene.bodies[b].positions(frame);
            Solid { positions, tets: scene.bodies[b].elements.tets().to_vec() }.boundary()
        };
        let (a, b) = (skin(0), skin(1));
        let crossing = a.triangles.iter().any(|&x| {
            b.triangles.iter().any(|&y| oracle::triangles_intersect(&a.positions, x, &b.positions, y, false))
        });
        assert!(crossing, "frame {frame}");
    }
}

#[test]
fn inverted_and_flat_tets_are_there() {
    let signs = |name: &str, frame: usize| {
        let s = lazy(name).unwrap();
        smallest_det(&s.bodies[0].positions(frame), s.bodies[0].elements.tets())
    };
    assert!(signs("tets-inverted", 0) > 0.0 && signs("tets-inverted", 4) < 0.0);
    assert!(signs("tets-flat", 0) > 0.0);
    assert_eq!(signs("tets-flat", 1), 0.0);
}

#[test]
fn closed_bodies_are_closed() {
    for (name, bodies) in [("nested-closed", 4), ("winding-two", 1), ("linked", 2), ("interlocked", 2)] {
        let scene = lazy(name).unwrap();
        for b in 0..bodies {
            let s = surface(&scene, b, 0);
            assert!(s.is_closed() && s.is_consistently_oriented() && s.volume() > 0.0, "{name} {b}");
        }
    }
    // Some point is wound round twice.
    let scene = lazy("winding-two").unwrap();
    let s = surface(&scene, 0, 2);
    let most =
        scene.bodies[1].positions(2).iter().map(|&p| oracle::winding(p, &s.positions, &s.triangles)).max();
    assert_eq!(most, Some(2));
    // Containment without contact.
    let scene = lazy("nested-closed").unwrap();
    let outer = surface(&scene, 0, 0);
    assert_eq!(oracle::winding(scene.bodies[1].positions(0)[5], &outer.positions, &outer.triangles), 1);
    for name in ["moebius", "klein"] {
        assert!(!surface(&lazy(name).unwrap(), 0, 0).is_consistently_oriented(), "{name}");
    }
}
