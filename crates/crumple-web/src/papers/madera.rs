//! Madera, Day and Laycock: distances between regions, refined only where they are small.

use crumple::methods::distance_hierarchy::published::{Epsilons, Published, PublishedParams};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::{Bodies, BodyId, Drawing, Error, Frame, Mesh, Tone};
use crumple_scenes::Surface;
use crumple_scenes::shapes::{pawn, torus};
use crumple_scenes::trig::sin;
use crumple_scenes::vector::{Rotation, add, scale};

use super::{Look, Scene, mesh, milliseconds};
use crate::clock;

/// Vertices closer than this collide, by the paper's rule.
const CONTACT: f64 = 0.08;

/// A pawn that moves through a ring without touching it.
pub struct Couple {
    ring: Surface,
    pawn: Surface,
    method: DistanceHierarchy,
    paper: Option<Published>,
}

impl Couple {
    pub fn new() -> Self {
        let method =
            DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("the defaults are in range");
        Self { ring: torus(44, 20, 0.62, 0.17), pawn: pawn(32, 32), method, paper: None }
    }
}

impl Scene for Couple {
    fn bodies(&self) -> Vec<Mesh> {
        vec![mesh("ring", &self.ring), mesh("pawn", &self.pawn)]
    }

    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>> {
        let tilt = Rotation::about([1.0, 0.0, 0.0], -1.2 + 0.12 * sin(0.7 * time));
        let wobble = |p: [f64; 3]| scale(p, 1.0 + 0.03 * sin(4.0 * p[0] + 1.5 * time));
        let ring = self.ring.positions.iter().map(|&p| tilt.apply(wobble(p)));
        let upright = Rotation::about([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
        let lift = [0.2 * sin(0.5 * time), -0.35 + 0.55 * sin(0.45 * time), 0.0];
        let pawn = self.pawn.positions.iter().map(|&p| add(scale(upright.apply(p), 0.62), lift));
        vec![ring.collect(), pawn.collect()]
    }

    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error> {
        let frame = Frame::from(at);
        self.method.update(bodies, frame)?;
        let begin = clock::seconds();
        let found = self.method.distance([BodyId(0), BodyId(1)])?;
        let exact_ms = 1e3 * (clock::seconds() - begin);
        let paper = match &mut self.paper {
            Some(paper) => {
                paper.update(bodies, frame)?;
                paper
            }
            none => {
                let params = PublishedParams {
                    region_vertices: 30,
                    epsilons: Epsilons::Computed { contact: CONTACT },
                };
                none.insert(Published::new(bodies, frame, params).expect("the parameters are in range"))
            }
        };
        let begin = clock::seconds();
        let step = paper.step();
        let rule_ms = 1e3 * (clock::seconds() - begin);
        let verdict = paper.judge(&mut self.method, CONTACT)?;
        let mut drawing = Drawing::default();
        if published {
            paper.draw(&mut drawing);
        } else {
            self.method.draw(&mut drawing);
            // The largest regions alone: more circles hide each other.
            drawing.lines.retain(|(_, _, tone)| *tone == Tone::Level(0));
            drawing.points.clear();
        }
        let mut facts = Vec::new();
        if let Some(found) = found {
            drawing.lines.push((found.a.point, found.b.point, Tone::Hit));
            drawing.points.extend([(found.a.point, Tone::Hit), (found.b.point, Tone::Hit)]);
            facts.push(("distance, exact", format!("{:.5}", found.distance)));
        }
        facts.extend([
            ("regions with vertices closer than 0.08", verdict.there.to_string()),
            ("reported by the paper's rule", step.collisions.to_string()),
            ("missed by it", verdict.missed.to_string()),
            ("time, exact distance", milliseconds(exact_ms)),
            ("time, paper's rule", milliseconds(rule_ms)),
        ]);
        Ok(Look { drawing, facts, missed: Vec::new() })
    }

    fn view(&self) -> ([f64; 3], f64) {
        ([0.0, 0.0, 0.0], 1.3)
    }
}
