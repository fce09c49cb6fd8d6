//! Heidelberger, Teschner and Gross: where rays enter and leave two bodies, and what lies between.

use crumple::methods::layered_depth::published::Published;
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::{Bodies, BodyId, Drawing, Error, Frame, Mesh, Resolution};
use crumple_scenes::Surface;
use crumple_scenes::shapes::{Waves, icosphere, torus_knot};
use crumple_scenes::trig::sin;
use crumple_scenes::vector::{Rotation, add, scale};

use super::{Look, Scene, mesh, milliseconds};
use crate::clock;

/// Rays across the volume of interest: few enough to be seen.
const RAYS: u32 = 40;
const PAIR: [BodyId; 2] = [BodyId(0), BodyId(1)];

/// A knot and a blob that goes into it.
pub struct Volumes {
    knot: Surface,
    ball: Surface,
    waves: Waves,
    method: LayeredDepth,
    paper: Published,
}

impl Volumes {
    pub fn new() -> Self {
        Self {
            knot: torus_knot(120, 16, 0.42),
            ball: icosphere(14),
            waves: Waves::new(7, 12),
            method: LayeredDepth::new(LayeredDepthParams::default()),
            paper: Published::new(LayeredDepthParams::default()),
        }
    }
}

impl Scene for Volumes {
    fn bodies(&self) -> Vec<Mesh> {
        vec![mesh("knot", &self.knot), mesh("blob", &self.ball)]
    }

    fn positions(&self, time: f64) -> Vec<Vec<[f64; 3]>> {
        let turn = Rotation::about([0.3, 1.0, 0.2], 0.3 * time);
        let knot = self.knot.positions.iter().map(|&p| add(turn.apply(scale(p, 0.8)), [-0.35, 0.0, 0.0]));
        let blob = self.waves.displace(&self.ball.positions, time, 0.2);
        let at = [0.45 + 0.25 * sin(0.6 * time), 0.1 * sin(0.9 * time), 0.0];
        vec![knot.collect(), blob.into_iter().map(|p| add(scale(p, 0.55), at)).collect()]
    }

    fn look(&mut self, bodies: &Bodies, at: &[Vec<[f64; 3]>], published: bool) -> Result<Look, Error> {
        let (frame, rays) = (Frame::from(at), Resolution::rays(RAYS));
        let begin = clock::seconds();
        let exact = self.method.update(bodies, frame)?.overlap(PAIR, rays)?;
        let middle = clock::seconds();
        let paper = self.paper.update(bodies, frame)?.overlap(PAIR, rays)?;
        let end = clock::seconds();
        let mut drawing = Drawing::default();
        if let Some([a, b]) = self.method.update(bodies, frame)?.layers(PAIR, rays)? {
            a.draw(&mut drawing);
            // What only one body holds is in the way of what both hold.
            drawing.lines.clear();
            b.draw(&mut drawing);
            drawing.lines.clear();
            if let Ok(common) = a.common(&b) {
                common.draw(&mut drawing);
            }
        }
        let facts = vec![
            ("shared volume", format!("{:.5}", if published { paper.sampled } else { exact.volume })),
            ("never below", format!("{:.5}", exact.lower)),
            ("never above", format!("{:.5}", exact.upper)),
            ("the paper's sum of spans", format!("{:.5}", paper.sampled)),
            ("layers on one ray, at most", format!("{:?}", exact.depth_complexity)),
            ("time, with bounds", milliseconds(1e3 * (middle - begin))),
            ("time, paper's passes", milliseconds(1e3 * (end - middle))),
        ];
        Ok(Look { drawing, facts, missed: Vec::new() })
    }

    fn view(&self) -> ([f64; 3], f64) {
        ([0.05, 0.0, 0.0], 1.35)
    }
}
