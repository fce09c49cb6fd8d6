//! What happens: strokes, grabs, pins that turn or let go, bodies that are led.

use crumple_scenes::vector::{self, Point, Rotation, add, lerp, scale, sub};

use super::ScriptError;
use super::fields::Fields;
use crate::{BodyId, GrabId, SimError, Stroke, VertexId, World};

/// From one frame until before another.
#[derive(Debug)]
pub(super) struct Event {
    from: usize,
    until: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    /// A blade from one place to another, a stroke in each frame.
    Stroke { from: [Point; 2], to: [Point; 2] },
    /// The vertex nearest to a place is drawn to another, evenly.
    Grab { vertex: (BodyId, VertexId), from: Point, to: Point, grab: Option<GrabId> },
    /// Pins turn about an axis.
    TurnPins {
        body: BodyId,
        pins: Vec<(VertexId, Point)>,
        axis: Point,
        centre: Point,
        speed: f64,
        drift: Point,
    },
    /// Pins let go.
    Unpin { body: BodyId },
}

pub(super) fn read(f: Fields<'_>, world: &World) -> Result<Event, ScriptError> {
    let from = f.count_or("frame", 0, 1_000_000)?;
    let until = f.count_or("until", from + 1, 1_000_000)?;
    if until <= from {
        return Err(f.wrong("until", "a frame after the first"));
    }
    let need =
        |key: &'static str| f.points(key)?.ok_or_else(|| f.wrong(key, "two points, [[x, y, z], [x, y, z]]"));
    let what = match f.required("kind")? {
        "stroke" => What::Stroke { from: need("from")?, to: need("to")? },
        "grab" => {
            let body = body(&f, world)?;
            let near = f.numbers("near")?.ok_or_else(|| f.wrong("near", "3 numbers"))?;
            let to = f.numbers("to")?.ok_or_else(|| f.wrong("to", "3 numbers"))?;
            let positions = world.positions(body).map_err(|e| f.mistake(e.to_string()))?;
            let distance = |p: &Point| vector::norm(sub(*p, near));
            let nearest = (0..positions.len())
                .min_by(|&a, &b| distance(&positions[a]).total_cmp(&distance(&positions[b])))
                .ok_or_else(|| f.wrong("body", "a body with vertices"))?;
            let vertex = (body, VertexId(nearest as u32));
            What::Grab { vertex, from: positions[nearest], to, grab: None }
        }
        "turn-pins" => {
            let body = body(&f, world)?;
            let [low, high] = need("box")?;
            let positions = world.positions(body).map_err(|e| f.mistake(e.to_string()))?;
            let is_in = |p: &Point| (0..3).all(|k| (low[k]..=high[k]).contains(&p[k]));
            let pins: Vec<_> =
                (0..).map(VertexId).zip(positions.iter().copied()).filter(|(_, p)| is_in(p)).collect();
            if pins.is_empty() {
                return Err(f.wrong("box", "a box with vertices of the body in it"));
            }
            What::TurnPins {
                body,
                pins,
                axis: f.numbers_or("axis", [1.0, 0.0, 0.0])?,
                centre: f.numbers_or("centre", [0.0; 3])?,
                speed: f.number_or("degrees", 90.0)?.to_radians(),
                drift: f.numbers_or("drift", [0.0; 3])?,
            }
        }
        "unpin" => What::Unpin { body: body(&f, world)? },
        _ => return Err(f.wrong("kind", "stroke, grab, turn-pins or unpin")),
    };
    f.finish()?;
    Ok(Event { from, until, what })
}

fn body(f: &Fields<'_>, world: &World) -> Result<BodyId, ScriptError> {
    let name = f.required("body")?;
    let is_called = |id: &BodyId| world.mesh(*id).is_ok_and(|m| m.name() == name);
    world.bodies().find(is_called).ok_or_else(|| f.wrong("body", "the name of a body above"))
}

impl Event {
    /// What happens before the step of a frame.
    pub fn happen(&mut self, world: &mut World, frame: usize, step: f64) -> Result<(), SimError> {
        let Self { from, until, what } = self;
        if frame == *until
            && let What::Grab { grab, .. } = what
            && let Some(id) = grab.take()
        {
            world.release(id);
        }
        if !(*from..*until).contains(&frame) {
            return Ok(());
        }
        let share = |k: usize| k as f64 / (*until - *from) as f64;
        match what {
            What::Stroke { from: a, to: b } => {
                let edge = |t: f64| [lerp(a[0], b[0], t), lerp(a[1], b[1], t)];
                let stroke = Stroke { from: edge(share(frame - *from)), to: edge(share(frame + 1 - *from)) };
                world.stroke(&stroke).map(drop)
            }
            What::Grab { vertex, from: a, to, grab } => {
                let id = match *grab {
                    Some(id) => id,
                    None => *grab.insert(world.grab(vertex.0, vertex.1)?),
                };
                world.pull(id, lerp(*a, *to, share(frame + 1 - *from)))
            }
            What::TurnPins { body, pins, axis, centre, speed, drift } => {
                let time = (frame + 1 - *from) as f64 * step;
                let turn = Rotation::about(*axis, *speed * time);
                for (v, p) in pins {
                    let to = add(add(turn.apply(sub(*p, *centre)), *centre), scale(*drift, time));
                    world.move_pin(*body, *v, to)?;
                }
                Ok(())
            }
            What::Unpin { body } => {
                let count = world.positions(*body)?.len() as u32;
                (0..count).try_for_each(|v| world.unpin(*body, VertexId(v)))
            }
        }
    }
}

/// A fixed body that is led on its way: it moves and turns at even speed, or to and fro.
#[derive(Debug, Clone)]
pub(super) struct Led {
    body: BodyId,
    start: Vec<Point>,
    velocity: Point,
    axis: Point,
    centre: Point,
    speed: f64,
    /// Frames after which it goes back; 0 for never.
    swing: usize,
    until: usize,
}

impl Led {
    pub fn read(f: Fields<'_>) -> Result<Self, ScriptError> {
        let led = Self {
            body: BodyId(0),
            start: Vec::new(),
            velocity: f.numbers_or("move", [0.0; 3])?,
            axis: f.numbers_or("axis", [0.0, 1.0, 0.0])?,
            centre: f.numbers_or("centre", [0.0; 3])?,
            speed: f.number_or("degrees", 0.0)?.to_radians(),
            swing: f.count_or("swing", 0, 1_000_000)?,
            until: f.count_or("until", 1_000_000, 1_000_000)?,
        };
        f.finish()?;
        Ok(led)
    }

    pub fn of(self, body: BodyId, start: Vec<Point>) -> Self {
        Self { body, start, ..self }
    }

    /// Sends the body to where it is in a frame.
    pub fn lead(&mut self, world: &mut World, frame: usize, step: f64) -> Result<(), SimError> {
        let frame = frame.min(self.until);
        let frames = match self.swing {
            0 => frame,
            n => {
                let k = frame % (2 * n);
                k.min(2 * n - k)
            }
        };
        let time = frames as f64 * step;
        let turn = Rotation::about(self.axis, self.speed * time);
        let to =
            |p: &Point| add(add(turn.apply(sub(*p, self.centre)), self.centre), scale(self.velocity, time));
        let goal: Vec<Point> = self.start.iter().map(to).collect();
        world.lead(self.body, &goal)
    }
}
