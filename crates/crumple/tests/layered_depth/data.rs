//! Real meshes, when the environment variable `CRUMPLE_DATA` names the data directory, and the scenes of the peers, when
//! `CRUMPLE_SCENES` names theirs.

use std::path::{Path, PathBuf};

use crumple::Error;
use crumple::methods::layered_depth::{LayeredDepth, Resolution, Stop, Tolerance};
use crumple::narrow::winding;
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_io::{SceneDir, SceneElements};
use crumple_scenes::Rng;

use super::assert_holds;
use super::intersection::sound;

type Point = [f64; 3];

fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn read(path: &Path) -> Option<(Mesh, Vec<Point>)> {
    let file = crumple_io::read(path).ok()?;
    let body = Mesh::from_polygons("body", file.positions.len(), file.polygons.iter()).ok()?;
    Some((body, file.positions))
}

/// The exact winding number of each point, from the triangles of its column of a plain grid.
fn inside_by_columns(triangles: &[[Point; 3]], points: &[Point]) -> Vec<bool> {
    const SIDE: usize = 256;
    let (lo, hi) = crumple_scenes::vector::bounds(triangles.as_flattened());
    let cell = |x: f64, k: usize| {
        let at = ((x - lo[k]) / (hi[k] - lo[k]) * SIDE as f64).floor();
        at.clamp(0.0, SIDE as f64 - 1.0) as usize
    };
    let mut columns = vec![Vec::new(); SIDE * SIDE];
    for (t, corners) in triangles.iter().enumerate() {
        // Cutting to cells is monotone, so every ray through the triangle is in one of these columns.
        let range = |k: usize| {
            let cells = corners.map(|p| cell(p[k], k));
            cells.iter().copied().min().unwrap()..=cells.iter().copied().max().unwrap()
        };
        for y in range(1) {
            range(0).for_each(|x| columns[y * SIDE + x].push(t));
        }
    }
    let inside = |p: &Point| {
        let list = &columns[cell(p[1], 1) * SIDE + cell(p[0], 0)];
        winding::number(p, list.iter().map(|&t| triangles[t])).is_inside()
    };
    points.iter().map(inside).collect()
}

#[test]
fn a_hundred_thousand_points_in_every_closed_mesh() {
    let Some(data) = directory("CRUMPLE_DATA") else { return };
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["surfaces", "self-intersecting"] {
        files.extend(std::fs::read_dir(data.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.sort();
    let mut tested = 0;
    for file in &files {
        let Some((body, positions)) = read(file) else { continue };
        // A body of inconsistent orientation is turned first; the oracle takes triangles as they are.
        let topology = body.topology();
        let triangles: Vec<[Point; 3]> = (body.triangles().iter().enumerate())
            .map(|(t, &[a, b, c])| {
                let turned = topology.is_flipped((t as u32).into());
                (if turned { [a, c, b] } else { [a, b, c] }).map(|v| positions[v.index()])
            })
            .collect();
        let mesh = Bodies::new([body.clone()]).unwrap();
        let (lo, hi) = crumple_scenes::vector::bounds(&positions);
        let mut rng = Rng::new(17);
        let points: Vec<Point> = (0..100_000)
            .map(|_| std::array::from_fn(|k| rng.range(lo[k], hi[k]) + 0.02 * (hi[k] - lo[k])))
            .collect();
        let bodies = [Positions::from(&positions)];
        let mut method = LayeredDepth::default();
        match method.update(&mesh, Frame::new(&bodies)).unwrap().inside(BodyId(0), &points) {
            Ok(inside) => assert_eq!(inside, inside_by_columns(&triangles, &points), "{}", file.display()),
            Err(Error::Open { .. } | Error::OneSided { .. }) => continue,
            Err(error) => panic!("{}: {error}", file.display()),
        }
        tested += 1;
    }
    assert!(tested >= 5, "{tested} closed meshes of {files:?}");
}

#[test]
fn real_meshes_share_a_sound_surface() {
    let Some(data) = directory("CRUMPLE_DATA") else { return };
    // Each in a box around the origin whose longest side is 1.
    let bodies = ["armadillo.obj", "bear.off", "elephant.off", "knot2.off"].map(|name| {
        let (body, mut positions) = read(&data.join("surfaces").join(name)).unwrap();
        let (lo, hi) = crumple_scenes::vector::bounds(&positions);
        let size = (0..3).map(|k| hi[k] - lo[k]).fold(0.0, f64::max);
        positions.iter_mut().for_each(|p| {
            *p = std::array::from_fn(|k| (p[k] - 0.5 * (lo[k] + hi[k])) / size);
        });
        (body, positions)
    });
    let mesh = Bodies::new(bodies.iter().map(|b| b.0.clone())).unwrap();
    let slices: Vec<_> = bodies.iter().map(|b| Positions::from(&b.1)).collect();
    let frame = Frame::new(&slices);
    let mut method = LayeredDepth::default();
    for a in 0..4 {
        for b in 0..a {
            let overlap = method
                .update(&mesh, frame)
                .unwrap()
                .overlap([BodyId(a), BodyId(b)], Resolution::rays(128))
                .unwrap();
            let surface = method
                .update(&mesh, frame)
                .unwrap()
                .intersection(&[BodyId(a), BodyId(b)], Resolution::rays(128))
                .unwrap();
            let share = surface.volume() / overlap.volume - 1.0;
            assert!((-2e-2..1e-3).contains(&share), "{a} {b}: {share}");
            sound(surface);
        }
    }
    let all = method
        .update(&mesh, frame)
        .unwrap()
        .intersection(&[BodyId(0), BodyId(1), BodyId(2), BodyId(3)], Resolution::rays(128))
        .unwrap();
    assert!(!all.is_empty());
    sound(all);
}

#[test]
fn points_with_known_flags() {
    let Some(data) = directory("CRUMPLE_DATA") else { return };
    for name in ["armadillo.obj", "bear.off", "knot2.off"] {
        let (body, positions) = read(&data.join("surfaces").join(name)).unwrap();
        let table = data.join("truth/distance").join(format!("points__surfaces__{name}.csv"));
        let rows: Vec<[f64; 5]> = (std::fs::read_to_string(table).unwrap().lines().skip(1))
            .map(|line| {
                let mut fields = line.split(',').map(|x| x.parse().unwrap());
                std::array::from_fn(|_| fields.next().unwrap())
            })
            .collect();
        let points: Vec<Point> = rows.iter().map(|r| [r[0], r[1], r[2]]).collect();
        let mesh = Bodies::new([body]).unwrap();
        let bodies = [Positions::from(&positions)];
        let mut method = LayeredDepth::default();
        let inside = method.update(&mesh, Frame::new(&bodies)).unwrap().inside(BodyId(0), &points).unwrap();
        for (row, inside) in rows.iter().zip(inside) {
            assert_eq!(inside, row[4] != 0.0, "{name} {row:?}");
        }
    }
}

/// Volumes of the intersections by CGAL's exact `corefine_and_compute_intersection`, frame by frame; those of the last
/// scene by Manifold.
const BOOLEANS: [(&str, [f64; 2]); 4] = [
    ("pair-knot12k-blob50k", [0.04028042561951022, 0.5211446740561028]),
    ("pair-blob50k-blob110k", [0.1025171212959406, 3.253771692741575]),
    ("pair-blob110k-blob150k", [0.02762202685808629, 3.4814217257110744]),
    ("pair-knot12k-blob520k", [0.03960713557049343, 0.44202692829385193]),
];

#[test]
fn exact_booleans_lie_within_the_bounds() {
    let Some(scenes) = directory("CRUMPLE_SCENES") else { return };
    for (name, volumes) in BOOLEANS {
        let scene = SceneDir::open(&scenes.join(name)).unwrap();
        let body = |k: usize| {
            let SceneElements::Triangles(triangles) = &scene.bodies[k].elements else { panic!("{name}") };
            Mesh::from_triangles("body", scene.bodies[k].vertices, triangles).unwrap()
        };
        let mesh = Bodies::new([body(0), body(1)]).unwrap();
        let mut method = LayeredDepth::default();
        for (f, truth) in volumes.into_iter().enumerate() {
            let positions = [0, 1].map(|k| {
                let mut out = Vec::new();
                scene.read_positions(k, f, &mut out).unwrap();
                out
            });
            let bodies = [Positions::from(&positions[0]), Positions::from(&positions[1])];
            let frame = Frame::new(&bodies);
            let o = method
                .update(&mesh, frame)
                .unwrap()
                .overlap([BodyId(0), BodyId(1)], Resolution::rays(128))
                .unwrap();
            assert_holds(&o, truth, name);
            let surface = method
                .update(&mesh, frame)
                .unwrap()
                .intersection(&[BodyId(0), BodyId(1)], Resolution::rays(128))
                .unwrap();
            let share = surface.volume() / truth - 1.0;
            // Always less: creases are cut off. Slight overlaps are all crease.
            assert!((-[5e-3, 3e-3][f]..1e-4).contains(&share), "{name} {f}: {share}");
            sound(surface);
            // A slight overlap is a hundredth of the volume of interest, whose surfaces snapping moves.
            let tolerance = Tolerance::Relative([2e-5, 1e-6][f]);
            let r = method
                .update(&mesh, frame)
                .unwrap()
                .refined_overlap([BodyId(0), BodyId(1)], Resolution::rays(128), tolerance)
                .unwrap();
            assert_holds(&r.overlap, truth, name);
            assert_eq!(r.stop, Stop::Reached, "{name} {r:?}");
        }
    }
}
