//! Teschner and others: vertices dropped into hashed cells, found by tets that walk the cells they cover.

use crumple::{Bodies, Error, Mesh};
use crumple_scenes::Solid;
use crumple_scenes::shapes::tet_box;
use crumple_scenes::trig::{sin, sin_cos};

use super::{Look, Rule, Scene};

/// Five bars of tets that bend, twist and go into each other.
pub struct Boxes {
    bar: Solid,
}

const BARS: usize = 5;

impl Boxes {
    pub fn new() -> Self {
        Self { bar: tet_box([10, 3, 3], [1.5, 0.3, 0.3]) }
    }
}

impl Scene for Boxes {
    fn bodies(&self) -> Vec<Mesh> {
        let bar = |k: usize| {
            Mesh::from_tets(format!("bar {k}"), self.bar.positions.len(), &self.bar.tets)
                .expect("a shape is a mesh")
        };
        (0..BARS).map(bar).collect()
    }

    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>> {
        let place = |k: usize, [x, y, z]: [f64; 3]| {
            let phase = 1.3 * k as f64;
            let (s, c) = sin_cos(1.2 * x * sin(0.8 * time + phase));
            let (y, z) = (c * y - s * z, s * y + c * z);
            let y = y + 0.18 * sin(2.2 * x + time + phase);
            let (s, c) = sin_cos(0.63 * k as f64 + 0.15 * sin(0.6 * time));
            [c * x - s * z, y + 0.2 * (k as f64 - 2.0) + 0.1 * sin(0.9 * time + phase), s * x + c * z]
        };
        (0..BARS).map(|k| self.bar.positions.iter().map(|&p| place(k, p)).collect()).collect()
    }

    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error> {
        let mut look = Look::of_rule(Rule::Teschner, bodies, at, published)?;
        look.facts[0].0 = "vertices in tets, exact";
        Ok(look)
    }

    fn view(&self) -> ([f64; 3], f64) {
        ([0.0, 0.0, 0.0], 1.25)
    }
}
