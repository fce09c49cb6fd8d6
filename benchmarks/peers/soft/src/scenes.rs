//! The scenes, as rapier's own builders make them; we take their vertices and elements.

use rapier3d::prelude::*;

pub const NAMES: [&str; 4] = ["cloth-64", "cloth-96", "sheets", "cubes"];

/// Some soft bodies, over a ball at the origin or a floor.
pub struct Setup {
    pub bodies: Vec<Soft>,
    pub ball: Option<f64>,
    pub floor: Option<f64>,
}

pub struct Soft {
    pub builder: SoftBodyBuilder,
    pub positions: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub tets: Vec<[u32; 4]>,
}

pub fn setup(name: &str) -> Option<Setup> {
    Some(match name {
        "cloth-64" => cloths(64, 1, 1.7, 0.45),
        "cloth-96" => cloths(96, 1, 1.7, 0.45),
        "sheets" => cloths(40, 5, 1.2, 0.4),
        "cubes" => cubes(),
        _ => return None,
    })
}

/// Square cloths one over the other, falling on a ball that lies on a floor.
fn cloths(side: usize, count: usize, size: f32, ball: f64) -> Setup {
    let step = size / (side - 1) as f32;
    let bodies = (0..count).map(|k| {
        let origin = Vector::new(-0.5 * size + 0.01, ball as f32 + 0.05 + 0.05 * k as f32, -0.5 * size + 0.02);
        let (du, dv) = (Vector::new(step, 0.0, 0.0), Vector::new(0.0, 0.0, step));
        Soft::of(SoftBodyBuilder::cloth(origin, du, dv, side, side))
    });
    Setup { bodies: bodies.collect(), ball: Some(ball), floor: Some(-0.7) }
}

/// 27 cubes of 320 tets, in layers that are shifted against each other.
fn cubes() -> Setup {
    let mut bodies = Vec::new();
    for k in 0..27 {
        let [i, j, l] = [k % 3, k / 3 % 3, k / 9].map(|i| i as f32);
        let shift = 0.07 * l;
        let centre = Vector::new(0.4 * i - 0.4 + shift, 0.3 + 0.45 * l, 0.4 * j - 0.4 - shift);
        bodies.push(Soft::of(SoftBodyBuilder::cuboid(centre, Vector::splat(0.15), 5, 5, 5)));
    }
    Setup { bodies, ball: None, floor: Some(0.0) }
}

impl Soft {
    fn of(builder: SoftBodyBuilder) -> Self {
        let mut world = PhysicsWorld::new();
        let handle = world.insert_soft_body(builder.clone());
        let body = &world.soft_bodies[handle];
        let positions = body.particle_positions().map(widen).collect();
        let tets = body.cells().iter().map(|c| c.vertices).collect();
        Self { positions, triangles: body.boundary().to_vec(), tets, builder }
    }
}

pub fn widen(p: Vector) -> [f64; 3] {
    [p.x, p.y, p.z].map(f64::from)
}

pub fn floor(height: f64) -> ([[f64; 3]; 4], [[u32; 3]; 2]) {
    let corner = |x: f64, z: f64| [10.0 * x, height, 10.0 * z];
    ([corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)], [[0, 1, 2], [0, 2, 3]])
}
