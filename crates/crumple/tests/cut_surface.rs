//! Cutting along triangulated surfaces: pieces are those of an independent flood fill, nothing is lost.

use crumple::cut::{Blade, Cut, CutError, cut};
use crumple::geometry::{Point, tet, triangle};
use crumple::narrow::{edge_tri, point_tri};
use crumple::{Error, Mesh, Scene, TetId, TriangleId};
use crumple_scenes::Rng;

/// A triangulated blade.
struct Surface {
    positions: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// An n × m grid of quads over a map; `wraps` joins the last column to the first.
    fn grid([n, m]: [u32; 2], wraps: bool, at: impl Fn(f64, f64) -> Point) -> Self {
        let mut positions = Vec::new();
        for j in 0..=m {
            positions.extend((0..=n).map(|i| at(f64::from(i) / f64::from(n), f64::from(j) / f64::from(m))));
        }
        let place = |i: u32, j: u32| j * (n + 1) + if wraps { i % n } else { i };
        let mut triangles = Vec::new();
        for j in 0..m {
            for i in 0..n {
                let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        Self { positions, triangles }
    }

    /// A sphere, down to a part of its height: 1 is all of it.
    fn sphere(c: Point, r: f64, part: f64) -> Self {
        Self::grid([14, 9], true, |u, v| {
            let (around, down) = (std::f64::consts::TAU * u, std::f64::consts::PI * (v * part));
            // At the poles to the bit, so that it is closed.
            let s = if v == 0.0 || v * part == 1.0 { 0.0 } else { down.sin() };
            [c[0] + r * s * around.cos(), c[1] + r * s * around.sin(), c[2] + r * down.cos()]
        })
    }

    /// The surface of an axis-parallel box.
    fn cuboid(low: Point, high: Point) -> Self {
        let positions = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] }));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        Self { positions: positions.collect(), triangles: triangles.collect() }
    }

    fn blade(&self) -> Blade {
        Blade::surface(&self.positions, &self.triangles).unwrap()
    }

    fn corners(&self) -> Vec<[Point; 3]> {
        self.triangles.iter().map(|t| t.map(|v| self.positions[v as usize])).collect()
    }
}

/// A block of n³ cubes over [0, 1]³, each of six tets round its diagonal.
fn block(n: u32) -> (Mesh, Vec<Point>) {
    let at = |p: [u32; 3]| (p[2] * (n + 1) + p[1]) * (n + 1) + p[0];
    let cells = (0..(n + 1).pow(3)).map(|i| [i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1) / (n + 1)]);
    let positions: Vec<Point> = cells.map(|p| p.map(|i| f64::from(i) / f64::from(n))).collect();
    let mut tets = Vec::new();
    for cell in 0..n.pow(3) {
        for path in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]] {
            let mut p = [cell % n, cell / n % n, cell / n / n];
            let mut ids = [at(p); 4];
            for (i, axis) in path.into_iter().enumerate() {
                p[axis] += 1;
                ids[i + 1] = at(p);
            }
            tets.push(if path[1] == (path[0] + 1) % 3 { ids } else { [ids[0], ids[2], ids[1], ids[3]] });
        }
    }
    (Mesh::from_tets("block", positions.len(), &tets).unwrap(), positions)
}

/// A sheet of n × n squares over [0, 1]² at z = 1/2.
fn sheet(n: u32) -> (Mesh, Vec<Point>) {
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let all = (0..(n + 1).pow(2)).map(|i| [i % (n + 1), i / (n + 1)].map(|i| f64::from(i) / f64::from(n)));
    let positions: Vec<Point> = all.map(|[x, y]| [x, y, 0.5]).collect();
    let squares = (0..n * n).map(|i| (i % n, i / n));
    let triangles: Vec<[u32; 3]> = squares
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    (Mesh::from_triangles("sheet", positions.len(), &triangles).unwrap(), positions)
}

/// The sizes of the pieces, largest first: volumes of what hangs together by faces, or areas by edges.
fn pieces(cut: &Cut) -> Vec<f64> {
    let at = |v: crumple::VertexId| cut.positions[v.index()];
    let body = &cut.body;
    let mut sizes = Vec::new();
    if body.is_solid() {
        let topology = body.tet_topology();
        let mut is_seen = vec![false; body.tet_count()];
        for first in 0..is_seen.len() {
            let (mut front, mut size) = (vec![first], 0.0);
            while let Some(t) = front.pop() {
                if std::mem::replace(&mut is_seen[t], true) {
                    continue;
                }
                size += tet::volume(&body.tets()[t].map(at));
                let next = (0..4).filter_map(|f| topology.neighbour(TetId(t as u32), f));
                front.extend(next.map(|n| n.index()).filter(|n| !is_seen[*n]));
            }
            sizes.push(size);
        }
        sizes.retain(|s| *s != 0.0);
    } else {
        sizes = vec![0.0; body.topology().component_count()];
        for (t, corners) in body.triangles().iter().enumerate() {
            sizes[body.topology().component_of(TriangleId(t as u32))] += triangle::area(&corners.map(at));
        }
    }
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes
}

/// The sizes of the pieces of the block or the sheet, found on a grid of points whose neighbours hang together unless a triangle
/// of the blade is between them.
fn flood(is_solid: bool, blade: &[[Point; 3]]) -> Vec<f64> {
    let n: usize = if is_solid { 40 } else { 120 };
    let layers = if is_solid { n } else { 1 };
    let at = |i: usize| -> Point {
        let z = if is_solid { (i / n / n) as f64 + 0.4876 } else { 0.5 * n as f64 };
        [(i % n) as f64 + 0.5123, (i / n % n) as f64 + 0.5047, z].map(|x| x / n as f64)
    };
    // By columns of points: those that reach from one to the next.
    let reaches = |t: &[Point; 3], i: usize| {
        let [low, high] = [i, i + 2].map(|i| i as f64 / n as f64);
        t.iter().any(|c| c[0] >= low) && t.iter().any(|c| c[0] <= high)
    };
    let columns: Vec<Vec<&[Point; 3]>> =
        (0..n).map(|i| blade.iter().filter(|t| reaches(t, i)).collect()).collect();
    let is_between = |i: usize, j: usize| {
        let segment = [at(i), at(j)];
        let is_near = |t: &&&[Point; 3]| {
            (0..3).all(|k| {
                let (low, high) = (segment[0][k].min(segment[1][k]), segment[0][k].max(segment[1][k]));
                t.iter().any(|c| c[k] <= high) && t.iter().any(|c| c[k] >= low)
            })
        };
        columns[i % n].iter().filter(is_near).any(|t| edge_tri::intersects(&segment, t))
    };
    let mut is_seen = vec![false; n * n * layers];
    let mut sizes = Vec::new();
    for first in 0..is_seen.len() {
        let (mut front, mut size) = (vec![first], 0);
        while let Some(i) = front.pop() {
            if std::mem::replace(&mut is_seen[i], true) {
                continue;
            }
            size += 1;
            for (step, place) in [(1, i % n), (n, i / n % n), (n * n, i / n / n)] {
                if place > 0 && !is_seen[i - step] && !is_between(i - step, i) {
                    front.push(i - step);
                }
                let many = if step == n * n { layers } else { n };
                if place + 1 < many && !is_seen[i + step] && !is_between(i, i + step) {
                    front.push(i + step);
                }
            }
        }
        if size > 0 {
            sizes.push(size as f64 / (n * n * layers) as f64);
        }
    }
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes
}

/// Cuts, and holds the pieces against the flood's: as many, of nearly the same size, nothing lost, nothing turned inside out.
fn check(name: &str, (body, positions): (Mesh, Vec<Point>), surface: &Surface, tolerance: f64) -> Cut {
    let done = cut(&body, &positions, &surface.blade()).unwrap();
    let (found, expected) = (pieces(&done), flood(body.is_solid(), &surface.corners()));
    assert_eq!(found.len(), expected.len(), "{name}: {found:?} {expected:?}");
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < tolerance, "{name}: {found:?} {expected:?}");
    }
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}: {found:?}");
    for t in done.body.tets() {
        assert!(tet::volume(&t.map(|v| done.positions[v.index()])) > -1e-15, "{name}");
    }
    for &[v, copy] in &done.seam {
        assert_eq!(done.positions[v.index()], done.positions[copy.index()]);
    }
    done
}

/// A surface over the unit square, from side to side and beyond.
fn hills(n: u32, height: impl Fn(f64, f64) -> f64) -> Surface {
    Surface::grid([n, n], false, |u, v| {
        let [x, y] = [u, v].map(|w| 1.5 * w - 0.25);
        [x, y, height(x, y)]
    })
}

#[test]
fn pieces_of_a_block_are_those_of_a_flood() {
    let wave = |x: f64, y: f64| 0.52 + 0.21 * (5.0 * x).sin() * (4.0 * y).cos();
    for n in [2, 5] {
        // Coarse elements cut bends short.
        let tolerance = if n == 2 { 0.08 } else { 0.02 };
        for (name, surface, count) in [
            ("sphere", Surface::sphere([0.47, 0.53, 0.51], 0.37, 1.0), 2),
            ("sphere through a side", Surface::sphere([0.03, 0.53, 0.51], 0.37, 1.0), 2),
            ("sphere through a corner", Surface::sphere([0.97, 0.95, 0.01], 0.41, 1.0), 2),
            ("open sphere", Surface::sphere([0.47, 0.53, 0.51], 0.37, 0.6), 1),
            ("hills", hills(17, wave), 2),
            ("few hills", hills(3, wave), 2),
            ("box", Surface::cuboid([0.23, 0.31, 0.17], [0.71, 0.83, 0.89]), 2),
            ("thin slab", Surface::cuboid([-0.1, -0.1, 0.47], [1.1, 1.1, 0.53]), 3),
            ("bar", Surface::cuboid([0.31, 0.37, -1.0], [0.41, 0.44, 2.0]), 2),
        ] {
            let done = check(name, block(n), &surface, tolerance);
            assert_eq!(pieces(&done).len(), count, "{name} {n}");
        }
    }
}

#[test]
fn pieces_of_a_sheet_are_those_of_a_flood() {
    let pipe = |r: f64, c: Point| {
        Surface::grid([23, 2], true, move |u, v| {
            let around = std::f64::consts::TAU * u;
            [c[0] + r * around.cos(), c[1] + r * around.sin(), c[2] + v]
        })
    };
    for n in [3, 8] {
        for (name, surface, count) in [
            ("sphere", Surface::sphere([0.47, 0.53, 0.41], 0.37, 1.0), 2),
            ("pipe", pipe(0.31, [0.5, 0.47, 0.0]), 2),
            ("pipe over the side", pipe(0.31, [0.05, 0.47, 0.0]), 2),
            ("pipe that ends before", pipe(0.31, [0.5, 0.47, 0.7]), 1),
            ("thin strip", Surface::cuboid([-1.0, 0.41, -1.0], [2.0, 0.44, 2.0]), 3),
            ("wedge", Surface::cuboid([0.4, 0.45, 0.0], [2.0, 0.48, 1.0]), 2),
        ] {
            let done = check(name, sheet(n), &surface, 0.04);
            assert_eq!(pieces(&done).len(), count, "{name} {n}");
        }
    }
}

#[test]
fn a_blade_through_vertices_and_along_edges_and_faces_uses_them_as_they_are() {
    // On the faces of the block's cubes, its corners and edges on theirs: nothing new but copies.
    for (low, high) in [([0.25; 3], [0.75; 3]), ([0.25, 0.0, -1.0], [0.5, 0.75, 2.0]), ([0.5; 3], [0.75; 3])]
    {
        let surface = Surface::cuboid(low, high);
        for body in [block(4), sheet(4)] {
            if !body.0.is_solid() && (low[2] == 0.5) {
                // The sheet lies in a side of the box.
                continue;
            }
            let done = check("box on the grid", body, &surface, 0.04);
            assert!(done.changes.tets_added.is_empty() && done.changes.triangles_removed.is_empty());
            assert_eq!(pieces(&done).len(), 2);
        }
    }
    // A sheet in a side of the box, and one that only begins there: what lies in the blade stays with its neighbours.
    let (body, positions) = sheet(4);
    for slope in [0.0, 0.3] {
        let at: Vec<Point> =
            positions.iter().map(|p| [p[0], p[1], 0.5 + slope * (p[0] - 0.5).max(0.0)]).collect();
        let done = cut(&body, &at, &Surface::cuboid([-1.0, -1.0, 0.5], [2.0, 2.0, 3.0]).blade()).unwrap();
        assert!(done.seam.is_empty() && done.body.triangle_count() == body.triangle_count());
    }
    // Through vertices and across edges, along diagonals.
    let corners = vec![[-1.0, -1.0, -1.0], [2.0, 2.0, -1.0], [2.0, 2.0, 2.0], [-1.0, -1.0, 2.0]];
    let diagonal = Surface { positions: corners, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    for body in [block(3), sheet(3)] {
        let done = check("diagonal", body, &diagonal, 0.02);
        let sizes = pieces(&done);
        assert!(sizes.len() == 2 && (sizes[0] - 0.5).abs() < 1e-12);
    }
}

#[test]
fn bent_blades_with_ties_part_a_block_in_two() {
    // Heights on the block's own grid, so that vertices and edges lie on the blade.
    let mut rng = Rng::new(3);
    for round in 0..30 {
        let heights: Vec<f64> = (0..25).map(|_| f64::from(1 + rng.below(3) as u32)).collect();
        let surface = Surface::grid([6, 6], false, |u, v| {
            let [i, j] = [u, v].map(|w| (6.0 * w).round() - 1.0);
            let [x, y] = [i, j].map(|i| i.clamp(0.0, 4.0) as usize);
            [i / 4.0, j / 4.0, heights[y * 5 + x] / 4.0]
        });
        let done = check(&format!("round {round}"), block(4), &surface, 0.06);
        assert_eq!(pieces(&done).len(), 2, "round {round}");
    }
}

#[test]
fn a_blade_round_random_cubes_parts_elements_whose_corners_are_all_on_it() {
    let mut rng = Rng::new(4);
    let n = 4;
    let mut flush = 0;
    for round in 0..30 {
        let is_in: Vec<bool> = (0..64).map(|_| rng.chance(0.35)).collect();
        let has = |c: [i32; 3]| {
            c.iter().all(|x| (0..4).contains(x)) && is_in[(c[0] + 4 * c[1] + 16 * c[2]) as usize]
        };
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for cell in 0..4 * 4 * 4 {
            let c = [cell % 4, cell / 4 % 4, cell / 16];
            for k in 0..3 {
                // The face between a cube and the one before it, inside the block.
                let before: [i32; 3] = std::array::from_fn(|i| c[i] - i32::from(i == k));
                if c[k] == 0 || has(c) == has(before) {
                    continue;
                }
                let first = positions.len() as u32;
                let turn = rng.below(4);
                for step in 0..4 {
                    let (u, v) = [(0, 0), (1, 0), (1, 1), (0, 1)][(step + turn) % 4];
                    let mut p = c;
                    (p[(k + 1) % 3], p[(k + 2) % 3]) = (c[(k + 1) % 3] + u, c[(k + 2) % 3] + v);
                    positions.push(p.map(|i| f64::from(i) / 4.0));
                }
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        let surface = Surface { positions, triangles };
        let done = check(&format!("round {round}"), block(n), &surface, 1e-9);
        assert!(done.changes.tets_added.is_empty(), "round {round}");
        let corners = surface.corners();
        let (body, at) = block(n);
        let on_blade: Vec<bool> =
            at.iter().map(|p| corners.iter().any(|t| point_tri::contains(p, t))).collect();
        flush += body.tets().iter().filter(|t| t.iter().all(|v| on_blade[v.index()])).count();
    }
    assert!(flush > 100, "{flush}");
}

#[test]
fn a_blade_that_crosses_itself_is_refused_by_name() {
    let wall = |k: usize| {
        let corner = |u: f64, v: f64| -> Point {
            std::array::from_fn(|i| {
                if i == k {
                    [0.47, 0.61][k]
                } else if i == 2 {
                    v
                } else {
                    u
                }
            })
        };
        [corner(-1.0, -1.0), corner(2.0, -1.0), corner(2.0, 2.0), corner(-1.0, 2.0)]
    };
    let positions = [wall(0), wall(1)].concat();
    let cross = Blade::surface(&positions, &[[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).unwrap();
    for (body, at) in [block(2), sheet(2)] {
        let error = cut(&body, &at, &cross).map(|done| done.seam).unwrap_err();
        assert!(matches!(error, CutError::Blade(_)) && error.to_string().contains("cross itself"), "{error}");
        // The scene is as it was.
        let mut scene = Scene::new();
        let id = scene.add(body.clone(), &at).unwrap();
        assert!(matches!(scene.cut(id, &cross), Err(Error::Param(_))));
        assert!(scene.mesh(id).unwrap().is_same(&body) && scene.positions(id).unwrap().len() == at.len());
    }
    for triangles in [&[][..], &[[0, 0, 1]], &[[0, 1, 8]]] {
        assert!(Blade::surface(&positions, triangles).is_err());
    }
    assert!(Blade::surface(&[[f64::NAN; 3]; 3], &[[0, 1, 2]]).is_err());
}
