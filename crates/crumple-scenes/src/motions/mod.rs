//! Rest positions and a frame number to positions.
//!
//! A [`Motion`] is plain parameters. All but one are functions of the rest position and the frame alone; the
//! cone-limited random motion sums its steps ([`ConeWalk`]) and remembers where it was. Motions of one body are applied
//! in order, each to what the one before left.
//!
//! "Per frame" rates are in the unit named with them; frame 0 is the rest shape wherever the starting amount is 0.

mod bending;
mod cone;
mod drape;
mod rigid;
mod waves;

pub use bending::{Bend, SelfLoop, Twist};
pub use cone::{Cone, ConeWalk, Pieces};
pub use drape::Drape;
pub use rigid::{Rigid, Squash, Stretch};
pub use waves::{Creases, Crumple, Ripple, Shake};

use crate::{Elements, LazyBody, vector::Point};

/// One way to move.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Drift and spin without deformation.
    Rigid(Rigid),
    /// Scale along the axes.
    Stretch(Stretch),
    /// Press flat, towards and through a plane.
    Squash(Squash),
    /// Roll up about the y axis.
    Bend(Bend),
    /// Turn about the x axis, more with x.
    Twist(Twist),
    /// Sweep along a curve that crosses itself.
    SelfLoop(SelfLoop),
    /// Travelling wave along z.
    Ripple(Ripple),
    /// Folds of several octaves.
    Crumple(Crumple),
    /// Independent random displacement each frame: no coherence at all.
    Shake(Shake),
    /// Lay a flat sheet over a ball.
    Drape(Drape),
    /// Random motion within a cone about a common direction.
    Cone(Cone),
}

/// Moves positions to where they are in a frame.
pub type Mover = Box<dyn Fn(&mut [Point], usize) + Send + Sync>;

impl Motion {
    /// The motion made ready for a body of these elements and this many vertices.
    pub fn mover(&self, elements: &Elements, vertices: usize) -> Mover {
        match self.clone() {
            Self::Rigid(m) => each(move |p, f| m.at(p, f)),
            Self::Stretch(m) => each(move |p, f| m.at(p, f)),
            Self::Squash(m) => each(move |p, f| m.at(p, f)),
            Self::Bend(m) => each(move |p, f| m.at(p, f)),
            Self::Twist(m) => each(move |p, f| m.at(p, f)),
            Self::SelfLoop(m) => each(move |p, f| m.at(p, f)),
            Self::Ripple(m) => each(move |p, f| m.at(p, f)),
            Self::Drape(m) => each(move |p, f| m.at(p, f)),
            Self::Crumple(m) => {
                let creases = m.creases();
                each(move |p, f| m.at(&creases, p, f))
            }
            Self::Shake(m) => Box::new(move |points, frame| m.shake(points, frame)),
            Self::Cone(m) => {
                let walk = ConeWalk::new(m, Pieces::of(elements, vertices));
                Box::new(move |points, frame| walk.advance(points, frame))
            }
        }
    }
}

fn each(at: impl Fn(Point, f64) -> Point + Send + Sync + 'static) -> Mover {
    Box::new(move |points, frame| points.iter_mut().for_each(|p| *p = at(*p, frame as f64)))
}

/// A body that starts at `rest` and goes through these motions.
pub fn body(name: impl Into<String>, elements: Elements, rest: Vec<Point>, motions: &[Motion]) -> LazyBody {
    let movers: Vec<Mover> = motions.iter().map(|m| m.mover(&elements, rest.len())).collect();
    LazyBody::new(name, elements, rest.len(), move |frame| {
        let mut points = rest.clone();
        movers.iter().for_each(|mover| mover(&mut points, frame));
        points
    })
}
