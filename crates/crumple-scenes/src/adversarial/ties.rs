//! Exact ties, touching, and positions far from the origin, where rounding makes ties of its own.

use super::still;
use crate::{
    LazyBody, LazyScene, Rng, Solid, Surface,
    motions::SelfLoop,
    shapes::{box_surface, sheet},
    vector::{Point, add, scale},
};

/// Corners of a lattice of `n`³ points, at integer coordinates.
fn lattice(n: usize) -> Vec<Point> {
    let c = |k: usize| k as f64;
    (0..n * n * n).map(|v| [c(v / (n * n)), c(v / n % n), c(v % n)]).collect()
}

/// Two bodies of 40 random triangles on the vertices of a 4³ lattice: common corners and edges, coplanar overlaps,
/// duplicates and zero areas in any number. Each frame sends every lattice point to another one.
pub fn grid(name: &str) -> LazyScene {
    let body = |seed: u64, title: &str| {
        let mut rng = Rng::new(seed);
        let points = lattice(4);
        let n = points.len();
        // Distinct indices; positions may still be collinear.
        let mut triangles = Vec::new();
        while triangles.len() < 40 {
            let t: [u32; 3] = std::array::from_fn(|_| rng.below(n) as u32);
            if t[0] != t[1] && t[1] != t[2] && t[0] != t[2] {
                triangles.push(t);
            }
        }
        let positions = points.clone();
        LazyBody::new(title, crate::Elements::Triangles(triangles), n, move |frame| {
            if frame == 0 {
                return positions.clone();
            }
            // Not a permutation: different vertices may meet in one point.
            let mut rng = Rng::new(seed).fork(frame as u64);
            (0..n).map(|_| positions[rng.below(n)]).collect()
        })
    };
    LazyScene::new(name, 4, vec![body(71, "first"), body(72, "second")])
}

/// Thirty tets on the vertices of a 3³ lattice, some flat, some inverted: vertices on faces, on edges and on vertices.
pub fn tet_grid(name: &str) -> LazyScene {
    let mut rng = Rng::new(73);
    let positions = lattice(3);
    let mut tets = Vec::new();
    while tets.len() < 30 {
        let t: [u32; 4] = std::array::from_fn(|_| rng.below(27) as u32);
        let distinct = (0..4).all(|i| (0..i).all(|j| t[i] != t[j]));
        if distinct {
            tets.push(t);
        }
    }
    let first = Solid { positions, tets };
    let second = first.clone();
    let bodies = vec![
        LazyBody::still_solid("first", first),
        LazyBody::moving_solid("second", second, |[x, y, z], frame| {
            // The lattice onto itself, and half a cell off.
            let h = 0.5 * frame as f64;
            [2.0 - y + h, x + h, z]
        }),
    ];
    LazyScene::new(name, 3, bodies)
}

/// Two boxes that have one corner point in common.
pub fn touch_point(name: &str) -> LazyScene {
    touching(name, [1.0, 1.0, 1.0])
}

/// Two boxes that have a piece of an edge in common, half a cell along.
pub fn touch_edge(name: &str) -> LazyScene {
    touching(name, [1.0, 1.0, 0.25])
}

/// Two boxes that have a piece of a face in common, off the grid in both directions.
pub fn touch_face(name: &str) -> LazyScene {
    touching(name, [1.0, 0.25, 0.125])
}

fn touching(name: &str, shift: Point) -> LazyScene {
    let cube = box_surface([2; 3], [1.0; 3]);
    still(name, [("first", cube.clone()), ("second", cube.mapped(|p| add(p, shift)))])
}

/// Two parallel sheets at a distance of exactly 2^-30: close, and not touching.
pub fn hair_gap(name: &str) -> LazyScene {
    let gap = 1.0 / 1_073_741_824.0;
    let upper = sheet(5, 5, [2.0, 2.0]).mapped(|[x, y, _]| [x + 0.3, y - 0.2, gap]);
    still(name, [("lower", sheet(6, 6, [2.0, 2.0])), ("upper", upper)])
}

/// A sheet through itself and a second one through it, `offset` away from the origin on all axes.
pub fn far(name: &str, offset: f64) -> LazyScene {
    crossing(name, move |p| add(p, [offset, -offset, 0.5 * offset]))
}

/// The same at another scale.
pub fn scaled(name: &str, factor: f64) -> LazyScene {
    crossing(name, move |p| scale(p, factor))
}

fn crossing(name: &str, place: impl Fn(Point) -> Point + Copy + Send + Sync + 'static) -> LazyScene {
    let curl = SelfLoop { opening: 0.9, rate: 0.1, slant: 0.2 };
    let bodies = vec![
        LazyBody::moving("loop", sheet(12, 6, [1.0, 2.0]), move |p, frame| place(curl.at(p, frame as f64))),
        LazyBody::still(
            "across",
            sheet(4, 4, [3.0, 3.0]).mapped(move |[x, y, _]| place([x, y, 0.6 + 0.1 * x])),
        ),
    ];
    LazyScene::new(name, 3, bodies)
}

/// A pyramid standing tip down on a sheet: on a vertex, on an edge, inside a face, and a hair above it.
pub fn tip_on_sheet(name: &str) -> LazyScene {
    let pyramid = Surface {
        positions: vec![
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 1.0],
            [-0.5, 0.5, 1.0],
            [-0.5, -0.5, 1.0],
            [0.5, -0.5, 1.0],
        ],
        triangles: vec![[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 2, 3], [1, 3, 4]],
    };
    let spots: [Point; 4] =
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.625, 0.25, 0.0], [0.625, 0.25, f64::EPSILON]];
    let bodies = vec![
        LazyBody::still("sheet", sheet(4, 4, [4.0, 4.0])),
        LazyBody::moving("pyramid", pyramid, move |p, frame| add(p, spots[frame])),
    ];
    LazyScene::new(name, spots.len(), bodies)
}
