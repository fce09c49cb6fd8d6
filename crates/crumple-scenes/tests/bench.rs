//! The benchmark scenes have the peers' counts and character.

mod oracle;

use crumple_scenes::{Elements, lazy, mesh::smallest_det};

/// name, frames, bodies, vertices, elements: as the peers' generator writes them.
const COUNTS: &[(&str, usize, usize, usize, usize)] = &[
    ("sphere-5k", 5, 1, 2_562, 5_120),
    ("sphere-20k", 5, 1, 10_242, 20_480),
    ("sphere-80k", 5, 1, 40_962, 81_920),
    ("sphere-320k", 5, 1, 163_842, 327_680),
    ("sphere-1300k", 5, 1, 655_362, 1_310_720),
    ("loop-5k", 5, 1, 2_601, 5_000),
    ("loop-20k", 5, 1, 10_201, 20_000),
    ("loop-80k", 5, 1, 40_401, 80_000),
    ("loop-320k", 5, 1, 160_801, 320_000),
    ("crumple-20k", 5, 1, 10_201, 20_000),
    ("crumple-100k", 5, 1, 50_625, 100_352),
    ("drape-small", 5, 2, 10_582, 20_984),
    ("drape-large", 5, 2, 83_838, 167_000),
    ("tets-A", 5, 100, 1_200, 1_000),
    ("tets-B", 5, 8, 1_936, 4_000),
    ("tets-C", 5, 20, 4_840, 10_000),
    ("tets-D", 5, 2, 6_192, 20_400),
    ("tets-E", 5, 100, 24_200, 50_000),
    ("tets-1M", 5, 100, 254_100, 1_000_000),
    ("pair-knot12k-blob50k", 2, 2, 31_002, 62_000),
    ("pair-blob50k-blob110k", 2, 2, 79_764, 159_520),
    ("pair-blob110k-blob150k", 2, 2, 130_454, 260_900),
    ("pair-knot12k-blob520k", 2, 2, 265_212, 530_420),
    ("inside-12k", 1, 2, 106_000, 12_000),
    ("inside-50k", 1, 2, 125_002, 50_000),
    ("inside-110k", 1, 2, 154_762, 109_520),
    ("inside-150k", 1, 2, 175_692, 151_380),
    ("inside-520k", 1, 2, 359_212, 518_420),
    ("near-10obj", 10, 10, 8_290, 16_560),
    ("near-pair-100k", 5, 2, 100_824, 201_640),
    ("near-shell-100k", 5, 2, 100_824, 201_640),
    ("soup-15k", 10, 1, 45_000, 15_000),
    ("soup-100k", 10, 1, 300_000, 100_000),
    ("soup-1M", 10, 1, 3_000_000, 1_000_000),
    ("clouds-15k", 10, 2, 45_000, 15_000),
    ("clouds-100k", 10, 2, 300_000, 100_000),
    ("clouds-1M", 10, 2, 3_000_000, 1_000_000),
    ("swarm-1k", 5, 1_000, 42_000, 80_000),
    ("swarm-8k", 5, 8_000, 336_000, 640_000),
];

#[test]
fn counts() {
    for &(name, frames, bodies, vertices, elements) in COUNTS {
        let s = lazy(name).unwrap();
        assert_eq!(s.name, name);
        assert_eq!(
            (s.frames, s.bodies.len(), s.vertices(), s.elements()),
            (frames, bodies, vertices, elements),
            "{name}"
        );
        for b in &s.bodies {
            let largest = match &b.elements {
                Elements::Triangles(t) => t.iter().flatten().max(),
                Elements::Tets(t) => t.iter().flatten().max(),
                Elements::Points => None,
            };
            assert!(largest.is_none_or(|&v| (v as usize) < b.vertices), "{name}");
        }
    }
    assert_eq!(crumple_scenes::bench::SCENES.len(), COUNTS.len());
    assert!(lazy("sphere-6k").is_none());
}

#[test]
fn tets_are_positive_in_every_frame() {
    for name in ["tets-A", "tets-B", "tets-C", "tets-D", "tets-E"] {
        let s = lazy(name).unwrap();
        for frame in 0..s.frames {
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
fn boxes_overlap_as_much_as_promised() {
    // 6 % of the volume: a few vertices in every box scene are inside another box, most are not.
    let s = lazy("tets-B").unwrap();
    let counts = oracle::count_frame(&s, 0);
    assert!((20..600).contains(&counts.tets), "{counts:?}");
}

#[test]
fn collisions_are_those_of_the_peers_scenes_where_no_random_number_is_drawn() {
    // Counted on the peers' own files by exact CGAL predicates (self, pairs) and by exact signs (tets).
    let s = lazy("loop-5k").unwrap();
    let selves: Vec<u64> = (0..5).map(|f| oracle::count_frame(&s, f).self_pairs).collect();
    assert_eq!(selves, [203, 204, 203, 201, 201]);
    assert_eq!(oracle::count_frame_between(&lazy("drape-small").unwrap(), 0), 986);
    assert_eq!(oracle::count_frame(&lazy("tets-D").unwrap(), 0).tets, 399);
}

#[test]
fn near_bodies_stay_apart_by_the_stated_gap() {
    let s = lazy("near-pair-100k").unwrap();
    for (frame, gap) in crumple_scenes::bench::GAPS.into_iter().enumerate() {
        let (left, right) = (s.bodies[0].positions(frame), s.bodies[1].positions(frame));
        let most = left.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        let least = right.iter().map(|p| p[0]).fold(f64::INFINITY, f64::min);
        assert_eq!((most, least), (0.0, gap));
    }
    let s = lazy("near-shell-100k").unwrap();
    let (inner, outer) = (s.bodies[0].positions(4), s.bodies[1].positions(4));
    let (ti, to) = (s.bodies[0].elements.triangles(), s.bodies[1].elements.triangles());
    for v in (0..inner.len()).step_by(2_000) {
        assert_eq!(oracle::winding(inner[v], &outer, to), 1);
        assert_eq!(oracle::winding(outer[v], &inner, ti), 0);
    }
}

#[test]
fn near_ten_never_touches() {
    let s = lazy("near-10obj").unwrap();
    // The last frame is the closest one; the first and the middle ones for good measure.
    for frame in [0, 5, 9] {
        let c = oracle::count_frame_between(&s, frame);
        assert_eq!(c, 0, "frame {frame}");
    }
}
