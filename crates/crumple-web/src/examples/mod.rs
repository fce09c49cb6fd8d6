//! Worlds to play with.
//!
//! | name | what | file |
//! | --- | --- | --- |
//! | `cloth` | 9,800 triangles fall on a ball and fold on themselves | `cloth.rs` |
//! | `pile` | 30 soft bodies of 500 tets fall into a bowl | `pile.rs` |
//! | `organ` | 5,040 tets between two clamps, to be cut | `organ.rs` |
//! | `snow` | particles on a body that breathes | `snow.rs` |
//! | `knot` | soft rings on a knot that they cannot leave | `knot.rs` |
//! | `sheets`, `shirt` | cloth that crosses at the start, to be untangled | `tangled.rs` |

mod cloth;
mod knot;
mod organ;
mod pile;
mod snow;
mod tangled;

use crumple_sim::{BodyId, SimError, World};

/// A world, and what moves in it by itself.
pub struct Example {
    /// The bodies.
    pub world: World,
    /// Bodies that are led: where they are to be at a time.
    pub led: Vec<(BodyId, Motion)>,
    /// What to look at: a centre, and how large it is.
    pub view: ([f64; 3], f64),
}

/// Where a led body is at a time.
pub type Motion = Box<dyn Fn(f64) -> Vec<[f64; 3]>>;

/// The names that [`by_name`] knows.
pub const NAMES: [&str; 7] = ["cloth", "pile", "organ", "snow", "knot", "sheets", "shirt"];

/// The world of this name; `None` if there is none.
pub fn by_name(name: &str) -> Option<Result<Example, SimError>> {
    Some(match name {
        "cloth" => cloth::build(),
        "pile" => pile::build(),
        "organ" => organ::build(),
        "snow" => snow::build(),
        "knot" => knot::build(),
        "sheets" => tangled::sheets(),
        "shirt" => tangled::shirt(),
        _ => return None,
    })
}

impl Example {
    /// Leads what is led, and steps.
    pub fn step(&mut self, dt: f64) -> Result<crumple_sim::StepReport, SimError> {
        let time = self.world.time() + dt;
        for (id, motion) in &self.led {
            self.world.lead(*id, &motion(time))?;
        }
        self.world.step(dt)
    }
}

/// A ground of so many cells, at the height 0.
fn ground(cells: usize, size: f64) -> crumple_scenes::Surface {
    let flat = crumple_scenes::shapes::sheet(cells, cells, [size, size]);
    let surface = flat.mapped(|[x, y, z]| [x, z, -y]);
    debug_assert!(surface.positions.iter().all(|p| p[1] == 0.0));
    surface
}
