//! Random scenes for property tests and fuzzing: shapes, motions, ties and degeneracies in any mixture.
//!
//! A seed and a size give the same scene everywhere. One scene in three is snapped to a coarse grid, so that faces touch,
//! edges align and volumes vanish; one in three has vertices merged in place, faces doubled or turned over; one in ten
//! is far from the origin.

use crate::{
    Elements, LazyScene, Rng, Scene, SceneBody, Solid, Surface,
    motions::{self, Bend, Cone, Crumple, Motion, Rigid, Ripple, SelfLoop, Shake, Squash, Stretch, Twist},
    shapes,
    vector::{Point, Rotation, add, scale},
};

/// What a random scene may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// Triangle bodies.
    Surfaces,
    /// Closed, outward triangle bodies, without snapping or damage, and one body of points.
    Closed,
    /// Tet bodies.
    Solids,
    /// Any of these, and points.
    Anything,
}

/// A scene of at most `size` elements or points a body (48 where `size` is less; damage may add three), one to three
/// bodies, one to four frames.
pub fn scene(seed: u64, size: usize) -> Scene {
    scene_of(Mix::Anything, seed, size)
}

/// The same, restricted to one kind.
pub fn scene_of(mix: Mix, seed: u64, size: usize) -> Scene {
    let size = size.max(48);
    let mut rng = Rng::new(seed);
    let frames = 1 + rng.below(4);
    let count = 1 + rng.below(3);
    let tied = mix != Mix::Closed && rng.chance(0.33);
    let grid = [0.5, 0.25, 0.125][rng.below(3)];
    let far = if rng.chance(0.1) { [1e3, 1e6, 1e9][rng.below(3)] } else { 0.0 };
    let mut bodies: Vec<SceneBody> =
        (0..count).map(|k| body(mix, &mut rng, size, frames, &format!("body{k}"))).collect();
    if mix == Mix::Closed {
        let points = shapes::point_cloud(size.min(200), [-1.5; 3], [1.5; 3], rng.next_u64());
        bodies.push(SceneBody {
            name: "points".into(),
            elements: Elements::Points,
            frames: vec![points; frames],
        });
    }
    for body in &mut bodies {
        for p in body.frames.iter_mut().flatten() {
            *p = add(*p, [far, -far, far]);
            if tied {
                *p = p.map(|x| (x / grid).round() * grid);
            }
        }
        if mix != Mix::Closed && rng.chance(0.33) {
            damage(body, &mut rng);
        }
    }
    Scene { name: format!("random-{seed}-{size}"), expect: Default::default(), bodies }
}

fn body(mix: Mix, rng: &mut Rng, size: usize, frames: usize, name: &str) -> SceneBody {
    let solid = match mix {
        Mix::Solids => true,
        Mix::Surfaces | Mix::Closed => false,
        Mix::Anything => rng.chance(0.3),
    };
    let (elements, rest) = if solid {
        let Solid { positions, tets } = random_solid(rng, size);
        (Elements::Tets(tets), positions)
    } else if mix == Mix::Anything && rng.chance(0.08) {
        (Elements::Points, shapes::point_cloud(size, [-1.0; 3], [1.0; 3], rng.next_u64()))
    } else {
        let closed = mix == Mix::Closed || rng.chance(0.5);
        let Surface { positions, triangles } =
            if closed { closed_surface(rng, size) } else { open_surface(rng, size) };
        (Elements::Triangles(triangles), positions)
    };
    let motions: Vec<Motion> = (0..rng.below(3)).map(|_| random_motion(mix, rng)).collect();
    // Close enough to meet: centres within half a unit of each other, sizes about 1.
    let (turn, shift, grow) = (Rotation::random(rng), scale(rng.in_ball(), 0.6), rng.range(0.5, 1.2));
    let moving = motions::body(name, elements, rest, &motions);
    let place = |p: Point| add(turn.apply(scale(p, grow)), shift);
    let positions = (0..frames).map(|f| moving.positions(f).into_iter().map(place).collect()).collect();
    SceneBody { name: moving.name, elements: moving.elements, frames: positions }
}

fn open_surface(rng: &mut Rng, size: usize) -> Surface {
    // A grid of n by m cells has 2 n m triangles.
    let n = 1 + rng.below(root(size / 2, 2));
    let m = (size / 2 / n).clamp(1, 60);
    match rng.below(6) {
        0 | 1 => shapes::sheet(n, m, [1.0, 1.0]),
        2 => shapes::triangle_soup(1 + rng.below(size), rng.range(0.1, 0.8), rng.next_u64()),
        3 => shapes::moebius_strip(
            n.max(3),
            (size / 2 / n.max(3)).max(1),
            rng.range(0.2, 1.2),
            rng.below(4) as u32,
        ),
        4 => shapes::disc(3 + rng.below(size / 4), 1),
        _ => shapes::fan(3 + rng.below(size.min(40) - 3), [0.6, 1.0, 2.0][rng.below(3)]),
    }
}

fn closed_surface(rng: &mut Rng, size: usize) -> Surface {
    let n = root(size / 20, 2).max(1);
    let around = 3 + rng.below(6);
    // 2 · around · rings triangles.
    let rings = (size / (2 * around)).clamp(2, 30);
    match rng.below(7) {
        0 => shapes::icosphere(n),
        1 => shapes::blob(n, rng.next_u64(), 0.0),
        2 if size >= 36 => shapes::torus(around, rings.max(3), 0.6, rng.range(0.1, 0.4)),
        3 => shapes::cylinder(around, rings, 0.4, 1.5),
        4 => shapes::uv_sphere(around, rings.max(2)),
        5 => shapes::pawn(around, rings.max(3)),
        _ => {
            let k = root(size / 12, 2).max(1);
            shapes::box_surface([1 + rng.below(k), 1 + rng.below(k), 1 + rng.below(k)], [1.0, 1.0, 1.0])
        }
    }
}

fn random_solid(rng: &mut Rng, size: usize) -> Solid {
    let n = root(size / 5, 3).max(1);
    match rng.below(4) {
        0 => shapes::tet_box([1 + rng.below(n), 1 + rng.below(n), 1 + rng.below(n)], [1.0, 1.0, 1.0]),
        1 => shapes::tet_box([(size / 5).clamp(1, 20), 1, 1], [2.0, 0.3, 0.3]),
        2 => shapes::tet_ball(n),
        _ => shapes::tet_soup(1 + rng.below(size), rng.range(0.1, 1.0), rng.next_u64()),
    }
}

fn random_motion(mix: Mix, rng: &mut Rng) -> Motion {
    let seed = rng.next_u64() >> 1;
    // Motions that keep a closed surface closed may still drive it through itself; that is welcome.
    match rng.below(if mix == Mix::Closed { 5 } else { 10 }) {
        0 => Motion::Rigid(Rigid {
            velocity: scale(rng.in_ball(), 0.2),
            axis: rng.direction(),
            spin: rng.range(-0.5, 0.5),
            centre: [0.0; 3],
        }),
        1 => Motion::Stretch(Stretch { rate: scale(rng.in_ball(), 0.2) }),
        2 => Motion::Twist(Twist { amount: rng.range(-1.0, 1.0), rate: rng.range(-0.5, 0.5) }),
        3 => Motion::Bend(Bend { amount: rng.range(-2.0, 2.0), rate: rng.range(-1.0, 1.0) }),
        4 => Motion::Ripple(Ripple {
            amplitude: rng.range(0.0, 0.3),
            frequency: [rng.range(0.0, 12.0), 3.0],
            speed: 0.5,
        }),
        5 => Motion::Crumple(Crumple {
            amplitude: rng.range(0.2, 1.5),
            octaves: 1 + rng.below(4),
            speed: 0.2,
            seed,
        }),
        6 => Motion::SelfLoop(SelfLoop {
            opening: rng.range(0.2, 1.2),
            rate: 0.1,
            slant: rng.range(-0.3, 0.3),
        }),
        7 => Motion::Shake(Shake { amplitude: rng.range(0.0, 0.3), seed }),
        8 => Motion::Squash(Squash {
            axis: rng.below(3),
            wall: rng.range(-0.2, 0.6),
            rate: rng.range(-0.3, 0.0),
        }),
        _ => Motion::Cone(Cone { alpha: rng.range(0.0, 180.0), speed: rng.range(0.0, 0.2), seed }),
    }
}

/// Some vertices put onto others, some elements doubled, turned over, or left out.
fn damage(body: &mut SceneBody, rng: &mut Rng) {
    let vertices = body.frames[0].len();
    if vertices == 0 {
        return;
    }
    for _ in 0..1 + rng.below(4) {
        let (from, to) = (rng.below(vertices), rng.below(vertices));
        body.frames.iter_mut().for_each(|positions| positions[to] = positions[from]);
    }
    let mut change = |count: usize| (rng.below(count), rng.below(4));
    match &mut body.elements {
        Elements::Triangles(t) if !t.is_empty() => {
            for _ in 0..3 {
                let (k, what) = change(t.len());
                match what {
                    0 => t.push(t[k]),
                    1 => t[k].swap(0, 1),
                    2 if t.len() > 1 => drop(t.swap_remove(k)),
                    _ => {}
                }
            }
        }
        Elements::Tets(t) if !t.is_empty() => {
            for _ in 0..3 {
                let (k, what) = change(t.len());
                match what {
                    0 => t.push(t[k]),
                    1 => t[k].swap(0, 1),
                    2 if t.len() > 1 => drop(t.swap_remove(k)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The largest r with r^k <= n, at least 1.
fn root(n: usize, k: u32) -> usize {
    (1..).take_while(|r: &usize| r.saturating_pow(k) <= n).last().unwrap_or(1)
}

/// A random scene as a lazy one, for whoever takes only those.
pub fn lazy(seed: u64, size: usize) -> LazyScene {
    scene(seed, size).into()
}
