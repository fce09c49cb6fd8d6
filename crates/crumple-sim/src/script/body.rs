//! A `[[body]]`.

use crumple_scenes::vector::{Point, Rotation, add, mul};
use crumple_scenes::{Rng, vector};

use super::event::Led;
use super::fields::Fields;
use super::{Loader, ScriptError, Shape, shape};
use crate::{Cloth, Particles, SimError, Solid, Surface, VertexId, World};

/// Adds the body, or its copies.
pub(super) fn read(
    f: Fields<'_>,
    world: &mut World,
    led: &mut Vec<Led>,
    load: &Loader<'_>,
) -> Result<(), ScriptError> {
    let kind = f.required("kind")?;
    let name = f.string("name")?.unwrap_or(kind);
    let table = f.table("shape")?.ok_or_else(|| f.wrong("shape", "a table with a kind"))?;
    let shape = shape::read(&table, load)?;
    table.finish()?;
    let place = f.table("place")?.map_or(Ok(Place::default()), Place::read)?;
    let copies = f.table("copies")?.map_or(Ok(Copies::default()), Copies::read)?;
    let maker = Maker::read(&f, kind)?;
    let pins = f.points("pin")?;
    let velocity = f.numbers::<3>("velocity")?;
    let motion = f.table("motion")?.map(Led::read).transpose()?;
    if motion.is_some() && kind != "fixed" {
        return Err(f.wrong("motion", "no motion: only fixed bodies are led"));
    }
    for (k, placed) in copies.places(place, &shape).into_iter().enumerate() {
        let name = if copies.count() == 1 { name.to_owned() } else { format!("{name}{k}") };
        let rest: Vec<Point> = shape.positions.iter().map(|p| place.shaped(*p)).collect();
        let id = maker.make(world, &name, &rest, &shape).map_err(|e| told(&f, e))?;
        world.place(id, &placed).map_err(|e| told(&f, e))?;
        if let Some([low, high]) = pins {
            let held: Vec<u32> = (0..placed.len() as u32)
                .filter(|&v| (0..3).all(|k| (low[k]..=high[k]).contains(&placed[v as usize][k])))
                .collect();
            if held.is_empty() {
                return Err(f.wrong("pin", "a box with vertices of the body in it"));
            }
            for v in held {
                world.pin(id, VertexId(v)).map_err(|e| told(&f, e))?;
            }
        }
        if let Some(velocity) = velocity {
            world.set_velocity(id, velocity).map_err(|e| told(&f, e))?;
        }
        led.extend(motion.clone().map(|m| m.of(id, placed)));
    }
    f.finish()
}

/// A mistake of the simulator's at the key that it names, or at the body.
fn told(f: &Fields<'_>, error: SimError) -> ScriptError {
    match error {
        SimError::Parameter { parameter, expected, .. } => f.wrong(parameter, expected),
        other => f.mistake(other.to_string()),
    }
}

/// What a body becomes.
enum Maker {
    Cloth(Cloth),
    Solid(Solid),
    Particles(Particles),
    Fixed(Surface),
}

impl Maker {
    fn read(f: &Fields<'_>, kind: &str) -> Result<Self, ScriptError> {
        let surface = Surface { thickness: f.number("thickness")?, friction: f.number_or("friction", 0.3)? };
        Ok(match kind {
            "cloth" => {
                let d = Cloth::default();
                Self::Cloth(Cloth {
                    density: f.number_or("density", d.density)?,
                    stretch: f.number_or("stretch", d.stretch)?,
                    bend: f.number_or("bend", d.bend)?,
                    damping: f.number_or("inner_damping", d.damping)?,
                    tear: f.number("tear")?,
                    surface,
                })
            }
            "solid" => {
                let d = Solid::default();
                Self::Solid(Solid {
                    density: f.number_or("density", d.density)?,
                    young: f.number_or("young", d.young)?,
                    poisson: f.number_or("poisson", d.poisson)?,
                    damping: f.number_or("inner_damping", d.damping)?,
                    tear: f.number("tear")?,
                    surface,
                })
            }
            "particles" => Self::Particles(Particles { mass: f.number_or("mass", 0.001)?, surface }),
            "fixed" => Self::Fixed(surface),
            _ => return Err(f.wrong("kind", "cloth, solid, particles or fixed")),
        })
    }

    fn make(
        &self,
        world: &mut World,
        name: &str,
        rest: &[Point],
        shape: &Shape,
    ) -> Result<crate::BodyId, SimError> {
        // A body of tets may be fixed or be cloth by its surface.
        let surface = || match shape.tets.is_empty() {
            true => shape.triangles.clone(),
            false => {
                crumple_scenes::Solid { positions: rest.to_vec(), tets: shape.tets.clone() }
                    .boundary()
                    .triangles
            }
        };
        match self {
            Self::Cloth(material) => world.add_cloth(name, rest, &surface(), *material),
            Self::Solid(material) => world.add_solid(name, rest, &shape.tets, *material),
            Self::Particles(material) => world.add_particles(name, rest, *material),
            Self::Fixed(s) => world.add_fixed(name, rest, &surface(), *s),
        }
    }
}

/// Scaled, then turned, then moved.
#[derive(Clone, Copy)]
struct Place {
    scale: [f64; 3],
    turn: Rotation,
    to: Point,
}

impl Default for Place {
    fn default() -> Self {
        Self { scale: [1.0; 3], turn: Rotation::IDENTITY, to: [0.0; 3] }
    }
}

impl Place {
    fn read(f: Fields<'_>) -> Result<Self, ScriptError> {
        let axis = f.numbers_or("axis", [0.0, 1.0, 0.0])?;
        if vector::norm(axis) == 0.0 {
            return Err(f.wrong("axis", "a direction"));
        }
        let turn = Rotation::about(axis, f.number_or("degrees", 0.0)?.to_radians());
        let place =
            Self { scale: [f.number_or("scale", 1.0)?; 3], turn, to: f.numbers_or("move", [0.0; 3])? };
        f.finish()?;
        Ok(place)
    }

    /// The shape at rest: scaled only.
    fn shaped(&self, p: Point) -> Point {
        mul(p, self.scale)
    }

    fn at(&self, p: Point) -> Point {
        add(self.turn.apply(self.shaped(p)), self.to)
    }
}

/// Copies in a grid, each turned at random if told.
struct Copies {
    count: [usize; 3],
    spacing: Point,
    turned: bool,
    seed: u64,
}

impl Default for Copies {
    fn default() -> Self {
        Self { count: [1; 3], spacing: [0.0; 3], turned: false, seed: 1 }
    }
}

impl Copies {
    fn read(f: Fields<'_>) -> Result<Self, ScriptError> {
        let copies = Self {
            count: f.counts_or("count", [1; 3], 100)?,
            spacing: f.numbers_or("spacing", [1.0; 3])?,
            turned: f.count_or("turned", 0, 1)? == 1,
            seed: f.count_or("seed", 1, usize::MAX >> 1)? as u64,
        };
        f.finish()?;
        Ok(copies)
    }

    fn count(&self) -> usize {
        self.count.iter().product()
    }

    fn places(&self, place: Place, shape: &Shape) -> Vec<Vec<Point>> {
        let mut rng = Rng::new(self.seed);
        let mut out = Vec::new();
        for j in 0..self.count[1] {
            for i in 0..self.count[0] {
                for k in 0..self.count[2] {
                    let turn = if self.turned { Rotation::random(&mut rng) } else { Rotation::IDENTITY };
                    let off = |n: usize, axis: usize| {
                        self.spacing[axis] * (n as f64 - 0.5 * (self.count[axis] as f64 - 1.0))
                    };
                    // The lowest layer stays where it is placed.
                    let to = add(place.to, [off(i, 0), self.spacing[1] * j as f64, off(k, 2)]);
                    let own = Place { to, turn: place.turn.after(&turn), ..place };
                    out.push(shape.positions.iter().map(|p| own.at(*p)).collect());
                }
            }
        }
        out
    }
}
