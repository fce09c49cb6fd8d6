//! `motion = [{ kind = …, … }, …]` and `place = { … }`.

use super::{TomlError, fields::Fields};
use crate::{
    motions::{Bend, Cone, Crumple, Drape, Motion, Rigid, Ripple, SelfLoop, Shake, Squash, Stretch, Twist},
    vector::{Point, Rotation, add, mul},
};

const KINDS: &str = "rigid, stretch, squash, bend, twist, loop, ripple, crumple, shake, drape, cone";

/// Reads a motion; `seed` is used where it draws random numbers and names no seed itself.
pub(super) fn read(f: Fields<'_>, seed: u64) -> Result<Motion, TomlError> {
    let Some(kind) = f.string("kind")? else { return Err(f.wrong("kind", format!("one of {KINDS}"))) };
    let motion = match kind {
        "rigid" => Motion::Rigid(Rigid {
            velocity: f.numbers_or("velocity", [0.0; 3])?,
            axis: f.numbers_or("axis", [0.0, 0.0, 1.0])?,
            spin: f.number_or("degrees", 0.0)?.to_radians(),
            centre: f.numbers_or("centre", [0.0; 3])?,
        }),
        "stretch" => Motion::Stretch(Stretch { rate: f.numbers_or("rate", [0.1, 0.0, 0.0])? }),
        "squash" => Motion::Squash(Squash {
            axis: f.count_or("axis", 2, 0..=2)?,
            wall: f.number_or("wall", 1.0)?,
            rate: f.number_or("rate", -0.25)?,
        }),
        "bend" => Motion::Bend(Bend { amount: f.number_or("amount", 0.0)?, rate: f.number_or("rate", 0.5)? }),
        "twist" => {
            Motion::Twist(Twist { amount: f.number_or("amount", 0.0)?, rate: f.number_or("rate", 0.5)? })
        }
        "loop" => Motion::SelfLoop(SelfLoop {
            opening: f.number_or("opening", 0.9)?,
            rate: f.number_or("rate", 0.1)?,
            slant: f.number_or("slant", 0.2)?,
        }),
        "ripple" => Motion::Ripple(Ripple {
            amplitude: f.number_or("amplitude", 0.1)?,
            frequency: f.numbers_or("frequency", [6.0, 2.0])?,
            speed: f.number_or("speed", 0.4)?,
        }),
        "crumple" => Motion::Crumple(Crumple {
            amplitude: f.number_or("amplitude", 1.0)?,
            octaves: f.count_or("octaves", 3, 1..=8)?,
            speed: f.number_or("speed", 0.1)?,
            seed: f.seed_or("seed", seed)?,
        }),
        "shake" => {
            Motion::Shake(Shake { amplitude: f.number_or("amplitude", 0.1)?, seed: f.seed_or("seed", seed)? })
        }
        "drape" => Motion::Drape(Drape {
            radius: f.positive_or("radius", 1.0)?,
            clearance: f.number_or("clearance", 0.01)?,
            wave: f.number_or("wave", 0.03)?,
            speed: f.number_or("speed", 0.4)?,
            hang: f.positive_or("hang", 1.5)?,
        }),
        "cone" => {
            let alpha = f.number_or("alpha", 15.0)?;
            if !(0.0..=180.0).contains(&alpha) {
                return Err(f.wrong("alpha", "degrees from 0 to 180"));
            }
            Motion::Cone(Cone { alpha, speed: f.number_or("speed", 0.05)?, seed: f.seed_or("seed", seed)? })
        }
        _ => return Err(f.wrong("kind", format!("one of {KINDS}"))),
    };
    f.finish()?;
    Ok(motion)
}

/// Where a body goes after it has moved: scaled, turned, shifted.
#[derive(Clone, Copy)]
pub(super) struct Place {
    scale: Point,
    turn: Option<Rotation>,
    shift: Point,
}

impl Place {
    pub(super) const NOWHERE: Self = Self { scale: [1.0; 3], turn: None, shift: [0.0; 3] };

    pub(super) fn read(f: Fields<'_>) -> Result<Self, TomlError> {
        let axis = f.numbers_or("axis", [0.0, 0.0, 1.0])?;
        let degrees = f.number_or("degrees", 0.0)?;
        let place = Self {
            scale: f.numbers_or("scale", [1.0; 3])?,
            // Nothing is rounded when nothing turns: grid coordinates stay on their grid.
            turn: (degrees != 0.0).then(|| Rotation::about(axis, degrees.to_radians())),
            shift: f.numbers_or("shift", [0.0; 3])?,
        };
        f.finish()?;
        Ok(place)
    }

    pub(super) fn at(&self, p: Point) -> Point {
        let p = mul(p, self.scale);
        add(self.turn.map_or(p, |t| t.apply(p)), self.shift)
    }
}
