//! Ganovelli, Dingliana and O'Sullivan: primitives in buckets, whatever they are connected to.

use crumple::{Bodies, Error, Mesh};
use crumple_scenes::Surface;
use crumple_scenes::shapes::triangle_soup;
use crumple_scenes::trig::sin;
use crumple_scenes::vector::{Rotation, add, scale};

use super::{Look, Rule, Scene, mesh};

/// Two clouds of 900 loose triangles that drift through each other.
pub struct Clouds {
    clouds: [Surface; 2],
}

impl Clouds {
    pub fn new() -> Self {
        Self { clouds: [triangle_soup(900, 0.2, 3), triangle_soup(900, 0.2, 4)] }
    }
}

impl Scene for Clouds {
    fn bodies(&self) -> Vec<Mesh> {
        vec![mesh("left", &self.clouds[0]), mesh("right", &self.clouds[1])]
    }

    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>> {
        let apart = 0.75 + 0.5 * sin(0.5 * time);
        [-1.0, 1.0]
            .into_iter()
            .zip(&self.clouds)
            .map(|(side, cloud)| {
                let turn = Rotation::about([0.2, 1.0, 0.1 * side], 0.25 * side * time);
                let place = |p: &[f64; 3]| {
                    add(scale(turn.apply(*p), 0.75), [side * apart, 0.04 * sin(2.0 * time + side), 0.0])
                };
                cloud.positions.iter().map(place).collect()
            })
            .collect()
    }

    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error> {
        Look::of_rule(Rule::Ganovelli, bodies, at, published)
    }

    fn view(&self) -> ([f64; 3], f64) {
        ([0.0, 0.0, 0.0], 1.6)
    }
}
