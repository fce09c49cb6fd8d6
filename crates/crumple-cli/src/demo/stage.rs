//! The demonstration's bodies: a cloth over a breathing body, a soft ball, a ring, and confetti.

use crumple::{Bodies, BodyId, Error, Mesh, MeshError, Scene};
use crumple_scenes::motions::{self, Cone, Motion};
use crumple_scenes::vector::{add, scale};
use crumple_scenes::{Elements, LazyBody, bench, shapes};

/// Frames of the demonstration.
pub const FRAMES: usize = 24;

pub const CLOTH: BodyId = BodyId(0);
pub const BODY: BodyId = BodyId(1);
pub const BALL: BodyId = BodyId(2);
pub const RING: BodyId = BodyId(3);
pub const CONFETTI: BodyId = BodyId(4);

/// Everything that is on stage.
pub struct Stage {
    bodies: Vec<LazyBody>,
    /// What the engine sees.
    pub mesh: Bodies,
}

/// One frame's positions of all bodies.
pub struct Pose(pub Vec<Vec<[f64; 3]>>);

impl Stage {
    /// Sets the stage.
    pub fn new() -> Result<Self, MeshError> {
        let mut bodies = bench::drape("demonstration", [64, 64], [72, 60], FRAMES).bodies;
        bodies.push(ball());
        bodies.push(ring());
        bodies.push(confetti());
        let body = |b: &LazyBody| match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let mesh = Bodies::new(bodies.iter().map(body).collect::<Result<Vec<_>, _>>()?)?;
        Ok(Self { bodies, mesh })
    }

    /// The bodies as they are in the first frame.
    pub fn scene(&self) -> Result<Scene, Error> {
        let mut scene = Scene::new();
        for (mesh, positions) in self.mesh.meshes().iter().zip(&self.pose(0).0) {
            scene.add(mesh.clone(), positions)?;
        }
        Ok(scene)
    }

    /// Where everything is in a frame.
    pub fn pose(&self, frame: usize) -> Pose {
        Pose(self.bodies.iter().map(|b| b.positions(frame)).collect())
    }
}

/// A soft ball that is pressed against the body from below and gives way.
fn ball() -> LazyBody {
    LazyBody::moving_solid("ball", shapes::tet_ball(10), |p, frame| {
        let push = frame as f64 / (FRAMES - 1) as f64;
        let flat = 1.0 - 0.25 * push;
        let [x, y, z] = scale(p, 0.55);
        add([x / flat.sqrt(), y / flat.sqrt(), z * flat], [0.05, 0.0, -2.35 + 0.45 * push])
    })
}

/// A ring that sinks towards the cloth without touching it.
fn ring() -> LazyBody {
    LazyBody::moving("ring", shapes::torus(96, 24, 0.55, 0.13), |p, frame| {
        let sink = frame as f64 / (FRAMES - 1) as f64;
        let [x, y, z] = p;
        add([x, y, z + 0.05 * sink * (3.0 * x).sin()], [0.0, 0.0, 2.6 - 0.62 * sink])
    })
}

/// Loose triangles that drift: no topology at all.
fn confetti() -> LazyBody {
    let soup = shapes::triangle_soup(600, 0.16, 7);
    let rest = soup.positions.iter().map(|&p| add(scale(p, 0.9), [2.2, 0.0, 0.2])).collect();
    let drift = Motion::Cone(Cone { alpha: 60.0, speed: 0.015, seed: 3 });
    motions::body("confetti", Elements::Triangles(soup.triangles), rest, &[drift])
}
