//! Volino and Magnenat-Thalmann: a surface that one direction sees whole cannot hit itself, unless its outline crosses.

use std::f64::consts::TAU;

use crumple::{Bodies, Error, Mesh};
use crumple_scenes::Surface;
use crumple_scenes::shapes::{sheet_triangles, sheet_uv};
use crumple_scenes::trig::{cos, sin_cos};

use super::{Look, Rule, Scene, mesh};

const AROUND: usize = 120;
const ACROSS: usize = 10;

/// A strip that goes round twice with all normals up; its second turn sinks through the first and rises again.
pub struct Ramp {
    mesh: Mesh,
}

impl Ramp {
    pub fn new() -> Self {
        let positions = sheet_uv(ACROSS, AROUND).map(|(u, v)| [u, v, 0.0]).collect();
        Self { mesh: mesh("ramp", &Surface { positions, triangles: sheet_triangles(ACROSS, AROUND) }) }
    }
}

impl Scene for Ramp {
    fn bodies(&self) -> Vec<Mesh> {
        vec![self.mesh.clone()]
    }

    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>> {
        let level = 0.35 + 0.55 * cos(0.7 * time);
        let at = |(u, v): (f64, f64)| {
            let turn = 2.0 * v;
            let (s, c) = sin_cos(TAU * turn);
            let height =
                if turn <= 1.0 { 0.6 * turn } else { 0.6 + (level - 0.6) * (2.0 * (turn - 1.0)).min(1.0) };
            [0.5 * (1.0 + u) * c, 0.9 * height - 0.2, -0.5 * (1.0 + u) * s]
        };
        vec![sheet_uv(ACROSS, AROUND).map(at).collect()]
    }

    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error> {
        Look::of_rule(Rule::Volino, bodies, at, published)
    }

    fn view(&self) -> ([f64; 3], f64) {
        ([0.0, 0.1, 0.0], 1.25)
    }
}
