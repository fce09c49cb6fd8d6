//! The papers' set-ups have the papers' counts.

mod oracle;

use std::collections::HashSet;

use crumple_scenes::{LazyBody, LazyScene, Surface, lazy, mesh::smallest_det, names, papers, shapes};

/// name, frames, bodies, vertices, elements.
const COUNTS: &[(&str, usize, usize, usize, usize)] = &[
    ("T25", 1000, 100, 1_200, 1_000),
    ("T26", 1000, 8, 1_936, 4_000),
    ("T27", 1000, 20, 4_840, 10_000),
    ("T28", 1000, 2, 5_898, 20_514),
    ("T29", 1000, 100, 24_200, 50_000),
    ("T34-1", 1000, 1, 24_200, 50_000),
    ("T34-10", 1000, 10, 24_200, 50_000),
    ("M18-torus", 1, 1, 768, 1_536),
    ("M18-pawn", 1, 1, 610, 1_216),
    ("M18-human", 1, 1, 946, 1_888),
    ("M18-cylinder", 1, 1, 258, 512),
    ("M18-tooth", 1, 1, 1_202, 2_400),
    ("M19", 300, 10, 5 * (768 + 610), 5 * (1_536 + 1_216)),
    ("M21", 200, 4, 3 * 946 + 768, 3 * 1_888 + 1_536),
    ("M23", 100, 2, 1_202 + 258, 2_400 + 512),
    ("H21", 2, 2, 6_000 + 25_002, 12_000 + 50_000),
    ("H22", 2, 2, 25_002 + 54_762, 50_000 + 109_520),
    ("H23", 2, 2, 54_762 + 75_692, 109_520 + 151_380),
    ("H24", 2, 2, 6_000 + 259_212, 12_000 + 518_420),
    ("H25-knot", 1, 2, 6_000 + 100_000, 12_000),
    ("H26", 100, 2, 25_002, 10_000),
    ("B14-15000-a15", 100, 1, 45_000, 15_000),
    ("B16", 100, 2, 90_000, 30_000),
    ("V20", 20, 2, 39 * 51 + 8_602, 3_800 + 17_200),
    ("V21", 20, 2, 151 * 189 + 55_502, 56_400 + 111_000),
    ("V22", 5, 1, 126 * 201, 50_000),
];

#[test]
fn counts() {
    for &(name, frames, bodies, vertices, elements) in COUNTS {
        let s = lazy(name).unwrap();
        assert_eq!(
            (s.frames, s.bodies.len(), s.vertices(), s.elements()),
            (frames, bodies, vertices, elements),
            "{name}"
        );
    }
    let (v20, v21) = (lazy("V20").unwrap(), lazy("V21").unwrap());
    assert_eq!(v20.bodies.iter().map(|b| b.elements.len()).collect::<Vec<_>>(), [3_800, 17_200]);
    assert_eq!(v21.bodies.iter().map(|b| b.elements.len()).collect::<Vec<_>>(), [56_400, 111_000]);
}

#[test]
fn table_1_of_madera() {
    for (name, edges, euler) in [
        ("torus", 2_304, 0),
        ("pawn", 1_824, 2),
        ("human", 2_832, 2),
        ("cylinder", 768, 2),
        ("tooth", 3_600, 2),
    ] {
        let s = lazy(&format!("M18-{name}")).unwrap();
        let surface = Surface {
            positions: s.bodies[0].positions(0),
            triangles: s.bodies[0].elements.triangles().to_vec(),
        };
        assert_eq!((surface.edge_count(), surface.euler()), (edges, euler), "{name}");
        assert!(
            surface.is_closed() && surface.is_consistently_oriented() && surface.volume() > 0.0,
            "{name}"
        );
        let counts = oracle::count(&s);
        assert_eq!((counts.self_pairs, counts.neighbour_pairs), (0, 0), "{name} hits itself");
    }
}

#[test]
fn models_of_heidelberger_are_closed_and_do_not_hit_themselves() {
    // The knot as it is, and a roll like the others with fewer faces.
    let knot = papers::heidelberger::Model::Knot.surface();
    for (name, surface, euler) in [("knot", knot, 0), ("roll", shapes::scroll(20, 81, 3.0), 2)] {
        assert!(surface.is_closed() && surface.is_consistently_oriented(), "{name}");
        assert!(surface.volume() > 0.0, "{name}");
        assert_eq!(surface.euler(), euler, "{name}");
        let counts = oracle::count(&LazyScene::new(name, 1, vec![LazyBody::still(name, surface)]));
        assert_eq!((counts.self_pairs, counts.neighbour_pairs), (0, 0), "{name} hits itself");
    }
}

#[test]
fn tets_stay_positive_over_a_long_run() {
    for name in ["T25", "T26", "T28"] {
        let s = lazy(name).unwrap();
        for frame in (0..s.frames).step_by(37) {
            for b in &s.bodies {
                assert!(
                    smallest_det(&b.positions(frame), b.elements.tets()) > 0.0,
                    "{name} {frame} {}",
                    b.name
                );
            }
        }
    }
}

#[test]
fn regrouping_keeps_every_primitive_in_place() {
    let (many, one) = (lazy("T29").unwrap(), lazy("T34-1").unwrap());
    let flat: Vec<[f64; 3]> = many.bodies.iter().flat_map(|b| b.positions(7)).collect();
    assert_eq!(one.bodies[0].positions(7), flat);
    let first = &many.bodies[1].elements.tets()[0];
    assert_eq!(one.bodies[0].elements.tets()[500], first.map(|v| v + 242));
}

#[test]
fn madera_experiments_never_touch() {
    for (name, frames) in [("M19", [0, 150, 299]), ("M21", [0, 120, 199]), ("M23", [0, 60, 99])] {
        let s = lazy(name).unwrap();
        for frame in frames {
            assert_eq!(oracle::count_frame_between(&s, frame), 0, "{name} frame {frame}");
        }
    }
}

#[test]
fn every_setup_names_registered_scenes() {
    let known: HashSet<&str> = names().collect();
    assert_eq!(known.len(), names().count(), "names must be unique");
    for s in papers::SETUPS {
        assert!(s.scenes.iter().all(|n| known.contains(n)), "{}", s.id);
    }
    assert_eq!(papers::setup("V21").unwrap().scenes, ["V21"]);
}

#[test]
fn cone_motion_is_coherent_for_small_angles() {
    // Alpha 0 is rigid: all displacements equal. Alpha 180 is not.
    let step = |name: &str| {
        let s = lazy(name).unwrap();
        let (a, b) = (s.bodies[0].positions(3), s.bodies[0].positions(4));
        let d: Vec<[f64; 3]> = a.iter().zip(&b).map(|(p, q)| std::array::from_fn(|k| q[k] - p[k])).collect();
        let mean: [f64; 3] = std::array::from_fn(|k| d.iter().map(|x| x[k]).sum::<f64>() / d.len() as f64);
        let spread = d.iter().map(|x| (0..3).map(|k| (x[k] - mean[k]).powi(2)).sum::<f64>()).sum::<f64>();
        (spread / d.len() as f64).sqrt() / d[0].iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    assert!(step("B14-1000-a0") < 1e-9);
    let (narrow, wide) = (step("B14-15000-a15"), step("B14-15000-a180"));
    assert!(narrow < 0.3 && wide > 0.9, "{narrow} {wide}");
    // Frames may be asked for in any order.
    let s = lazy("B14-1000-a180").unwrap();
    let late = s.bodies[0].positions(9);
    let _ = s.bodies[0].positions(2);
    assert_eq!(s.bodies[0].positions(9), late);
}
