//! Random motion within a cone (B13): the test bed of the BucketTree paper.
//!
//! Each step draws one main direction and speed for the whole body; each piece then moves at that speed in its own
//! direction, uniform within the angle alpha of the main one. Alpha 0 is rigid motion, alpha 180° no coherence.

use std::{f64::consts::TAU, sync::Mutex};

use crate::{
    Elements, Rng, trig,
    vector::{Point, add, cross, scale, unit},
};

/// Parameters of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Half opening angle of the cone, degrees, 0 to 180 (alpha in the paper).
    pub alpha: f64,
    /// Largest step length; a step is between half of it and all of it (v in the paper).
    pub speed: f64,
    /// Which directions.
    pub seed: u64,
}

/// What moves as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    count: usize,
    /// The piece of each vertex.
    of_vertex: Vec<u32>,
}

impl Pieces {
    /// The elements of a soup (no vertex used twice) move as they are; where vertices are shared, or there are no
    /// elements, each vertex moves on its own.
    pub fn of(elements: &Elements, vertices: usize) -> Self {
        let mut of_vertex = vec![u32::MAX; vertices];
        let mut assign = |corners: &[u32], e: usize| {
            corners.iter().all(|&v| std::mem::replace(&mut of_vertex[v as usize], e as u32) == u32::MAX)
        };
        let loose = match elements {
            Elements::Triangles(t) => t.iter().enumerate().all(|(e, c)| assign(c, e)),
            Elements::Tets(t) => t.iter().enumerate().all(|(e, c)| assign(c, e)),
            Elements::Points => false,
        };
        if loose && of_vertex.iter().all(|&e| e != u32::MAX) {
            Self { count: elements.len(), of_vertex }
        } else {
            Self { count: vertices, of_vertex: (0..vertices as u32).collect() }
        }
    }
}

/// The motion of one body, summed up step by step.
#[derive(Debug)]
pub struct ConeWalk {
    cone: Cone,
    pieces: Pieces,
    /// The last frame asked for and each piece's displacement in it: frames in order cost one step each.
    last: Mutex<(usize, Vec<Point>)>,
}

impl ConeWalk {
    /// All pieces at rest.
    pub fn new(cone: Cone, pieces: Pieces) -> Self {
        let start = (0, vec![[0.0; 3]; pieces.count]);
        Self { cone, pieces, last: Mutex::new(start) }
    }

    /// Adds each vertex's displacement in `frame`, the sum of the steps before it.
    pub fn advance(&self, points: &mut [Point], frame: usize) {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.0 > frame {
            *last = (0, vec![[0.0; 3]; self.pieces.count]);
        }
        while last.0 < frame {
            self.step(last.0, &mut last.1);
            last.0 += 1;
        }
        for (p, &piece) in points.iter_mut().zip(&self.pieces.of_vertex) {
            *p = add(*p, last.1[piece as usize]);
        }
    }

    fn step(&self, step: usize, displacements: &mut [Point]) {
        let mut rng = Rng::new(self.cone.seed).fork(step as u64);
        let main = rng.direction();
        let length = self.cone.speed * rng.range(0.5, 1.0);
        // Two directions across the main one; the seed axis is the one it leans on least.
        let least = (0..3).fold(0, |m, k| if main[k].abs() < main[m].abs() { k } else { m });
        let mut axis = [0.0; 3];
        axis[least] = 1.0;
        let across = unit(cross(main, axis));
        let other = cross(main, across);
        let cos_alpha = trig::cos(self.cone.alpha.to_radians());
        for d in displacements {
            // Uniform on the spherical cap: the height above its base is uniform (Archimedes).
            let c = rng.range(cos_alpha, 1.0);
            let s = (1.0 - c * c).max(0.0).sqrt();
            let (sp, cp) = trig::sin_cos(rng.range(0.0, TAU));
            let direction = add(scale(main, c), scale(add(scale(across, cp), scale(other, sp)), s));
            *d = add(*d, scale(direction, length));
        }
    }
}
