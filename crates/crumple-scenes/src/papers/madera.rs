//! Madera, Day, Laycock 2007: the five models of Table 1 (M18) and the three experiments (M19, M21, M23).
//!
//! The paper's distances are in units of its own models, which it does not describe. [`UNIT`] is how many of those
//! units our models' unit is taken to be, so that the printed epsilon sets fall where they should: with 40, the largest
//! region radius of an octree over a model's vertices is 25 to 28 at level 1 and 12 to 17 at level 2, where the paper
//! finds 24 and 14 best.

use std::f64::consts::{PI, TAU};

use crate::{
    Expect, LazyBody, LazyScene, Rng, Surface,
    shapes::{cylinder, human, pawn, tooth, torus},
    trig::{self, sin},
    vector::{Point, Rotation, add, scale},
};

/// Paper's units per unit of our models.
pub const UNIT: f64 = 40.0;

/// The models of Table 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// 768 vertices, 1536 faces, 2304 edges.
    Torus,
    /// 610 vertices, 1216 faces, 1824 edges.
    Pawn,
    /// 946 vertices, 1888 faces, 2832 edges (the table prints 40).
    Human,
    /// 258 vertices, 512 faces, 768 edges.
    Cylinder,
    /// 1202 vertices, 2400 faces, 3600 edges.
    Tooth,
}

impl Model {
    /// The model at our scale, about 2 across.
    pub fn surface(self) -> Surface {
        match self {
            Self::Torus => torus(32, 24, 0.7, 0.2),
            Self::Pawn => pawn(32, 20),
            Self::Human => human(),
            Self::Cylinder => cylinder(16, 16, 0.4, 2.0),
            Self::Tooth => tooth(),
        }
    }

    /// The model alone, not moving, in the paper's units.
    pub fn scene(self, name: &str) -> LazyScene {
        let surface = self.surface().mapped(|p| scale(p, UNIT));
        LazyScene::new(name, 1, vec![LazyBody::still("model", surface)])
    }
}

fn apart(name: &str, frames: usize, bodies: Vec<LazyBody>) -> LazyScene {
    LazyScene::new(name, frames, bodies).expecting(Expect { pairs: Some(0), ..Expect::default() })
}

/// Experiment 1: ten objects, 300 steps. Five pawns approach the holes of five tori, and the couples one another.
pub fn tori_and_pawns(name: &str) -> LazyScene {
    const STEPS: usize = 300;
    let mut rng = Rng::new(19);
    let mut bodies = Vec::new();
    for couple in 0..5 {
        let c = couple as f64;
        let turn = Rotation::random(&mut rng);
        let place = move |p: Point, frame: usize| {
            let q = frame as f64 / (STEPS - 1) as f64;
            let (s, k) = trig::sin_cos(TAU * c / 5.0 + 0.1 * q);
            let ring = 4.5 - 2.2 * q;
            let spin = Rotation::about([1.0, c, 2.0], 1.4 * q).after(&turn);
            add(scale(spin.apply(p), UNIT), scale([ring * k, ring * s, 0.0], UNIT / 0.75))
        };
        let breathe = move |p: Point, amount: f64, frame: usize| {
            scale(p, 1.0 + amount * sin(4.0 * p[0] + 3.0 * p[2] + 0.02 * frame as f64 + c))
        };
        bodies.push(LazyBody::moving(format!("torus{couple}"), Model::Torus.surface(), move |p, frame| {
            place(breathe(p, 0.03, frame), frame)
        }));
        bodies.push(LazyBody::moving(format!("pawn{couple}"), Model::Pawn.surface(), move |p, frame| {
            let q = frame as f64 / (STEPS - 1) as f64;
            place(add(breathe(p, 0.03, frame), [0.14 * q, 0.0, -1.6 + 0.95 * q]), frame)
        }));
    }
    apart(name, STEPS, bodies)
}

/// Experiment 2: three humans and a torus, 200 steps. The humans close in on each other until their hands nearly meet;
/// the torus turns and sways between them.
pub fn humans_and_torus(name: &str) -> LazyScene {
    const STEPS: usize = 200;
    let mut bodies = Vec::new();
    for h in 0..3 {
        let facing = TAU * f64::from(h) / 3.0;
        bodies.push(LazyBody::moving(format!("human{h}"), Model::Human.surface(), move |p, frame| {
            let q = frame as f64 / (STEPS - 1) as f64;
            // Arms swing up and down, the more the further out; the body leans a little.
            let swing = 0.06 * sin(0.12 * frame as f64 + 2.0 * f64::from(h)) * p[0] * p[0];
            let lean = 0.02 * sin(0.05 * frame as f64) * p[2];
            let p = [p[0], p[1] + lean + 1.6 - 0.94 * q, p[2] + swing];
            scale(Rotation::about([0.0, 0.0, 1.0], facing).apply(p), UNIT)
        }));
    }
    bodies.push(LazyBody::moving("torus", Model::Torus.surface(), |p, frame| {
        let f = frame as f64;
        let spin = Rotation::about([1.0, 1.0, 0.0], 0.03 * f);
        let wobble = 0.35 * (1.0 + 0.05 * sin(3.0 * p[0] + 0.1 * f));
        scale(add(spin.apply(scale(p, wobble)), [0.0, 0.0, 0.3 * sin(PI * f / 100.0)]), UNIT)
    }));
    apart(name, STEPS, bodies)
}

/// Experiment 3: a rigid tooth comes down beside a bending cylinder, 100 steps.
pub fn tooth_and_cylinder(name: &str) -> LazyScene {
    const STEPS: usize = 100;
    let share = |frame: usize| frame as f64 / (STEPS - 1) as f64;
    let tooth = LazyBody::moving("tooth", Model::Tooth.surface(), move |p, frame| {
        let q = share(frame);
        let turned = Rotation::about([0.2, 0.1, 1.0], 0.8 * q).apply(p);
        scale(add(turned, [0.0, 0.0, 2.4 - 1.1 * q]), UNIT)
    });
    let cylinder = LazyBody::moving("cylinder", Model::Cylinder.surface(), move |[x, y, z], frame| {
        // Lying along x and sagging in the middle, more with time, as if pressed by the tooth above it.
        let sag = 0.25 * share(frame) * (1.0 - z * z);
        scale([z, y, -x - sag], UNIT)
    });
    apart(name, STEPS, vec![tooth, cylinder])
}
