//! The regularity method against brute force: every way to set it up, random surfaces, and what the paper claims.

use crumple::methods::brute_force::BruteForce;
use crumple::methods::regularity::{Regularity, RegularityParams, Rules};
use crumple::{
    Bodies, BodyId, Candidates, Contacts, Detector, Drawing, Frame, Guarantee, Mesh, Pairs, Positions, Tone,
    TrianglePair,
};
use crumple_scenes::{Elements, LazyScene, lazy};
use proptest::prelude::*;

fn mesh_of(scene: &LazyScene) -> Bodies {
    let body = |b: &crumple_scenes::LazyBody| match &b.elements {
        Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
        Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
        Elements::Points => Mesh::from_points(&b.name, b.vertices),
    };
    Bodies::new(scene.bodies.iter().map(|b| body(b).expect("scenes are valid"))).expect("scenes are small")
}

fn positions(scene: &LazyScene, frame: usize) -> Vec<Vec<[f64; 3]>> {
    scene.bodies.iter().map(|b| b.positions(frame)).collect()
}

fn contacts(method: &mut dyn Detector, mesh: &Bodies, frame: Frame<'_>, pairs: Pairs) -> Vec<TrianglePair> {
    let mut out = Contacts::default();
    method.update(mesh, frame).expect("scenes are finite").contacts(pairs, &mut out);
    method.update(mesh, frame).unwrap().validate().expect("valid after each update");
    out.triangle_pairs
}

/// Holds a method to brute force on every frame of a scene, updated and built afresh.
fn hold_to_oracle(scene: &LazyScene, params: RegularityParams) {
    let mesh = mesh_of(scene);
    let mut method: Option<Regularity> = None;
    for f in 0..scene.frames {
        let at = positions(scene, f);
        let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
        let frame = Frame::new(&bodies);
        let method = method.get_or_insert_with(|| Regularity::new(params).expect("sound parameters"));
        for pairs in [Pairs::Between, Pairs::All, Pairs::Within] {
            let expected = contacts(&mut BruteForce::surfaces(), &mesh, frame, pairs);
            let found = contacts(method, &mesh, frame, pairs);
            assert_eq!(found, expected, "{} frame {f}, {pairs:?}, {params:?}", scene.name);
        }
        if f > 0 {
            let mut fresh = Regularity::new(params).expect("sound parameters");
            let again = contacts(&mut fresh, &mesh, frame, Pairs::All);
            assert_eq!(again, contacts(method, &mesh, frame, Pairs::All), "{} frame {f} afresh", scene.name);
        }
    }
}

#[test]
fn every_way_to_set_it_up_equals_brute_force() {
    let default = RegularityParams::default();
    let ways = [
        RegularityParams { patch: 1, ..default },
        RegularityParams { patch: 2, arity: 3, ..default },
        RegularityParams { patch: 7, arity: 8, directions: 12, ..default },
        RegularityParams { patch: 24, directions: 32, ..default },
        RegularityParams { rules: Rules::BoxesOnly, ..default },
        RegularityParams { rules: Rules::BoxesOnly, patch: 1, arity: 3, ..default },
    ];
    for entry in crumple_scenes::adversarial::SCENES {
        for way in ways {
            hold_to_oracle(&lazy(entry.name).expect("registered").first(2), way);
        }
    }
}

#[test]
fn smooth_and_crumpled_surfaces_equal_brute_force() {
    for name in ["sphere-5k", "loop-5k", "drape-small"] {
        hold_to_oracle(&lazy(name).expect("registered").first(2), RegularityParams::default());
    }
    hold_to_oracle(&lazy("crumple-20k").expect("registered").first(1), RegularityParams::default());
}

/// A grid sheet of 2 n² triangles, one mesh of many poses.
fn sheet(n: u32) -> Vec<[u32; 3]> {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    (0..n * n)
        .map(|c| (c / n, c % n))
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect()
}

fn hold_pose(
    triangles: &[[u32; 3]],
    positions: &[[f64; 3]],
    params: RegularityParams,
) -> Result<(), TestCaseError> {
    let mesh = Bodies::new([Mesh::from_triangles("pose", positions.len(), triangles).expect("sound")])
        .expect("small");
    let bodies = [Positions::from(positions)];
    let frame = Frame::new(&bodies);
    let mut method = Regularity::new(params).expect("sound parameters");
    let expected = contacts(&mut BruteForce::surfaces(), &mesh, frame, Pairs::All);
    prop_assert_eq!(contacts(&mut method, &mesh, frame, Pairs::All), expected);
    Ok(())
}

fn any_params() -> impl Strategy<Value = RegularityParams> {
    (
        2usize..5,
        prop_oneof![Just(1usize), 2usize..20, Just(64)],
        prop_oneof![Just(12usize), Just(32), Just(128)],
    )
        .prop_map(|(arity, patch, directions)| RegularityParams {
            arity,
            patch,
            directions,
            rules: Rules::Proved,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Coordinates on a small grid: faces touch, edges align, areas vanish.
    #[test]
    fn sheets_on_a_small_grid(params in any_params(), at in prop::collection::vec(prop::array::uniform3(-3i8..4), 81)) {
        let positions: Vec<[f64; 3]> = at.iter().map(|p| p.map(f64::from)).collect();
        hold_pose(&sheet(8), &positions, params)?;
    }

    /// A height field with noise: mostly regular, with folds here and there.
    #[test]
    fn noisy_sheets(params in any_params(), size in 0.0f64..2.0, noise in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 169)) {
        let positions: Vec<[f64; 3]> = noise
            .iter()
            .enumerate()
            .map(|(v, p)| {
                let (i, j) = ((v / 13) as f64, (v % 13) as f64);
                [i + size * p[0], j + size * p[1], (0.5 * i).sin() + (0.4 * j).cos() + size * p[2]]
            })
            .collect();
        hold_pose(&sheet(12), &positions, params)?;
    }

    /// Flat height fields whose projection overlaps itself: contours cross though all normals point up.
    #[test]
    fn ramps_that_wind(params in any_params(), turns in 0.5f64..2.5, rise in -0.5f64..0.5, wave in 0.0f64..0.4) {
        let positions: Vec<[f64; 3]> = (0..17 * 17)
            .map(|v| {
                let (i, j) = (f64::from(v / 17) / 16.0, f64::from(v % 17) / 16.0);
                let angle = std::f64::consts::TAU * turns * i;
                let radius = 1.0 + j;
                [radius * angle.cos(), radius * angle.sin(), rise * i + wave * (7.0 * angle).sin() * j]
            })
            .collect();
        hold_pose(&sheet(16), &positions, params)?;
    }

    /// Triangles of any vertices: non-manifold, collapsed, duplicate, unoriented.
    #[test]
    fn soups_that_share_vertices(
        params in any_params(),
        at in prop::collection::vec(prop::array::uniform3(-4i8..5), 12..30),
        corners in prop::collection::vec(prop::array::uniform3(0u32..12), 1..120),
    ) {
        let positions: Vec<[f64; 3]> = at.iter().map(|p| p.map(f64::from)).collect();
        hold_pose(&corners, &positions, params)?;
    }
}

fn count(scene: &str, rules: Rules) -> (usize, Guarantee) {
    let scene = lazy(scene).expect("registered");
    let mesh = mesh_of(&scene);
    let at = positions(&scene, 0);
    let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let params = RegularityParams { rules, ..RegularityParams::as_published() };
    let mut method = Regularity::new(params).expect("sound parameters");
    (contacts(&mut method, &mesh, frame, Pairs::All).len(), method.guarantee())
}

#[test]
fn as_published_misses_the_spiral_ramp_and_proved_finds_it() {
    let (found, guarantee) = count("spiral-ramp", Rules::Proved);
    assert_eq!((found, guarantee), (11, Guarantee::Proved));
    let (found, guarantee) = count("spiral-ramp", Rules::AsPublished);
    assert_eq!((found, guarantee), (0, Guarantee::AsPublished));
}

#[test]
fn without_collision_the_search_does_not_grow_with_the_mesh() {
    // V17, V18: a constant number of calls and no triangle test, whatever the resolution.
    let mut calls = Vec::new();
    for name in ["sphere-5k", "sphere-20k", "sphere-80k"] {
        let scene = lazy(name).expect("registered");
        let mesh = mesh_of(&scene);
        let mut method: Option<Regularity> = None;
        for f in 0..scene.frames {
            let at = positions(&scene, f);
            let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
            let frame = Frame::new(&bodies);
            let method = method.get_or_insert_with(|| Regularity::new(RegularityParams::default()).unwrap());
            assert!(contacts(method, &mesh, frame, Pairs::All).is_empty());
            assert_eq!(method.stats().tests, 0, "{name} frame {f}");
            calls.push(method.stats().calls);
        }
    }
    let (least, most) = (calls.iter().min().unwrap(), calls.iter().max().unwrap());
    assert!(*most <= 2 * least, "{calls:?}");
}

#[test]
fn candidates_hold_all_contacts_once() {
    let scene = lazy("loop-5k").expect("registered");
    let mesh = mesh_of(&scene);
    let at = positions(&scene, 0);
    let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let mut method = Regularity::new(RegularityParams::default()).unwrap();
    let mut candidates = Candidates::default();
    method.update(&mesh, frame).unwrap().candidates(Pairs::All, &mut candidates);
    assert!(candidates.triangle_pairs.is_sorted_by(|a, b| a < b), "sorted, each once");
    let found = contacts(&mut method, &mesh, frame, Pairs::All);
    assert!(found.iter().all(|pair| candidates.triangle_pairs.binary_search(pair).is_ok()));
}

#[test]
fn bodies_come_go_and_change() {
    let (loops, sphere) = (lazy("loop-5k").expect("registered"), lazy("sphere-5k").expect("registered"));
    let [sheet, ball] = [&loops, &sphere].map(|s| mesh_of(s).mesh(BodyId(0)).clone());
    let [at_sheet, at_ball] = [&loops, &sphere].map(|s| positions(s, 0).remove(0));
    let cut = Mesh::from_triangles(
        "cut",
        ball.vertex_count(),
        &ball.triangles()[..2000].iter().map(|t| t.map(|v| v.0)).collect::<Vec<_>>(),
    )
    .unwrap();
    let line_ups = [
        vec![(&sheet, &at_sheet)],
        vec![(&sheet, &at_sheet), (&ball, &at_ball)],
        vec![(&cut, &at_ball), (&sheet, &at_sheet), (&ball, &at_ball)],
        vec![(&ball, &at_ball), (&ball, &at_ball)],
        Vec::new(),
    ];
    let mut method: Option<Regularity> = None;
    for line_up in line_ups {
        let mesh = Bodies::new(line_up.iter().map(|(b, _)| (*b).clone())).unwrap();
        let bodies: Vec<Positions<'_>> = line_up.iter().map(|(_, p)| Positions::from(*p)).collect();
        let frame = Frame::new(&bodies);
        let method = method.get_or_insert_with(|| Regularity::new(RegularityParams::default()).unwrap());
        let expected = contacts(&mut BruteForce::surfaces(), &mesh, frame, Pairs::All);
        assert_eq!(contacts(method, &mesh, frame, Pairs::All), expected);
    }
}

#[test]
fn single_precision_is_taken_as_it_is() {
    let scene = lazy("loop-5k").expect("registered");
    let mesh = mesh_of(&scene);
    let narrow: Vec<[f32; 3]> = positions(&scene, 1)[0].iter().map(|p| p.map(|x| x as f32)).collect();
    let bodies = [Positions::from(&narrow)];
    let frame = Frame::new(&bodies);
    let mut method = Regularity::new(RegularityParams::default()).unwrap();
    let expected = contacts(&mut BruteForce::surfaces(), &mesh, frame, Pairs::All);
    assert!(!expected.is_empty());
    assert_eq!(contacts(&mut method, &mesh, frame, Pairs::All), expected);
}

#[test]
fn lists_of_adjacent_regions_are_short() {
    // V10: on a good hierarchy a list hardly exceeds 6.
    let scene = lazy("sphere-5k").expect("registered");
    let mesh = mesh_of(&scene);
    let at = positions(&scene, 0);
    let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
    let mut method = Regularity::new(RegularityParams::as_published()).unwrap();
    method.update(&mesh, Frame::new(&bodies)).unwrap();
    let lists = method.adjacency(BodyId(0)).expect("as published");
    let mean = lists.entries as f64 / lists.regions as f64;
    assert!((2.0..7.0).contains(&mean), "{lists:?}");
    let mut proved = Regularity::new(RegularityParams::default()).unwrap();
    proved.update(&mesh, Frame::new(&bodies)).unwrap();
    assert_eq!(proved.adjacency(BodyId(0)), None);
}

#[test]
fn contact_points_lie_on_both_triangles() {
    let scene = lazy("loop-5k").expect("registered");
    let mesh = mesh_of(&scene);
    let at = positions(&scene, 0);
    let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let mut method = Regularity::new(RegularityParams::default()).unwrap();
    let pairs = contacts(&mut method, &mesh, frame, Pairs::All);
    let points = method.intersections(&mesh, frame, &pairs);
    assert_eq!(points.len(), pairs.len());
    for (pair, intersection) in pairs.iter().zip(&points) {
        for t in [pair.a, pair.b] {
            let corners = mesh.triangles()[t.index()].map(|v| at[0][v.index()]);
            for p in intersection.points() {
                let near = crumple::narrow::point_tri::closest(p, &corners).distance_sq.sqrt();
                assert!(near < 1e-12, "{near} off triangle {t}");
            }
        }
    }
}

#[test]
fn pictures_show_every_triangle_once() {
    let scene = lazy("loop-5k").expect("registered");
    let mesh = mesh_of(&scene);
    let at = positions(&scene, 0);
    let bodies: Vec<Positions<'_>> = at.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let mut method = Regularity::new(RegularityParams::default()).unwrap();
    let mut regions = 0;
    for level in 0..method.levels(BodyId(0)) {
        let mut drawing = Drawing::default();
        method.draw_level(&mesh, frame, level, &mut drawing);
        let mut painted: Vec<u32> = drawing.triangles.iter().map(|(t, _)| t.0).collect();
        painted.sort_unstable();
        assert!(painted.iter().copied().eq(0..5000), "level {level} paints each triangle once");
        let mut tones: Vec<Tone> = drawing.triangles.iter().map(|(_, tone)| *tone).collect();
        tones.dedup();
        assert!(tones.len() >= regions, "levels grow finer");
        regions = tones.len();
    }
    contacts(&mut method, &mesh, frame, Pairs::All);
    let mut tested = Drawing::default();
    method.update(&mesh, frame).unwrap().draw(&mut tested);
    assert_eq!(tested.triangles.len(), 5000);
    // Where nothing collides large regions are dismissed: far fewer are painted than there are patches.
    let mut tones: Vec<Tone> = tested.triangles.iter().map(|(_, tone)| *tone).collect();
    tones.dedup();
    assert!(tones.len() < regions, "{} of {regions}", tones.len());
}

#[test]
fn parameters_are_checked() {
    let default = RegularityParams::default();
    for (params, name) in [
        (RegularityParams { arity: 1, ..default }, "arity"),
        (RegularityParams { patch: 65, ..default }, "patch"),
        (RegularityParams { directions: 129, ..default }, "directions"),
    ] {
        let error = Regularity::new(params).err().expect("out of range").to_string();
        assert!(error.starts_with(name), "{error}");
    }
}
