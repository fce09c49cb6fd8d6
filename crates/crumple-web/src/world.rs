//! `World`: the simulator, to grab, pull and cut.

use crumple::{BodyId, UntangleOptions, VertexId};
use crumple_sim::{Cloth, Kind, Mode, Settings, SimError, Solid, StepReport, Stroke, Surface};
use wasm_bindgen::prelude::*;

use crate::buffers::Buffers;
use crate::drawing::Drawing;
use crate::examples::{self, Example};
use crate::papers::{Beside, beside};
use crate::structure::Structure;
use crate::{clock, mesh, told};

/// Bodies that move, touch, tear and are cut, and never pass through each other.
#[wasm_bindgen]
pub struct World {
    example: Example,
    buffers: Buffers,
    last: StepReport,
    /// The structure that was drawn last, by its name.
    structure: Option<(String, Structure)>,
    hands: Vec<Hand>,
}

/// What a pointer holds: some vertices round the one that it took hold of, pinned, each with its place beside it.
struct Hand {
    number: u32,
    body: BodyId,
    vertices: Vec<(VertexId, [f64; 3])>,
    /// Where it draws them.
    to: [f64; 3],
}

/// How far round a vertex a hand holds, in sizes of the view.
const GRASP: f64 = 0.045;
/// How fast a hand is at most, in sizes of the view a second.
const HASTE: f64 = 0.8;

#[wasm_bindgen]
impl World {
    /// An empty world with this gravity along y, and so many substeps a step.
    #[wasm_bindgen(constructor)]
    pub fn new(gravity: f64, substeps: u32) -> Result<Self, JsError> {
        let settings = Settings { gravity: [0.0, gravity, 0.0], substeps, ..Settings::default() };
        let world = crumple_sim::World::new(settings).map_err(told)?;
        Ok(Self::of(Example { world, led: Vec::new(), view: ([0.0; 3], 1.0) }))
    }

    /// One of the worlds to play with: see [`World::example_names`].
    pub fn example(name: &str) -> Result<Self, JsError> {
        let built = examples::by_name(name).ok_or_else(|| told(format!("there is no example {name:?}")))?;
        Ok(Self::of(built.map_err(told)?))
    }

    /// The names of the examples, a line each.
    #[wasm_bindgen(js_name = exampleNames)]
    pub fn example_names() -> String {
        examples::NAMES.join("\n")
    }

    fn of(mut example: Example) -> Self {
        example.world.set_clock(clock::seconds);
        Self {
            example,
            buffers: Buffers::default(),
            last: StepReport::default(),
            structure: None,
            hands: Vec::new(),
        }
    }

    /// What to look at: a centre, and how large it is.
    #[wasm_bindgen(getter)]
    pub fn view(&self) -> Vec<f64> {
        let (centre, size) = self.example.view;
        centre.into_iter().chain([size]).collect()
    }

    /// Adds a cloth, at rest in these positions.
    #[wasm_bindgen(js_name = addCloth)]
    pub fn add_cloth(&mut self, name: &str, positions: &[f64], triangles: &[u32]) -> Result<u32, JsError> {
        let positions = mesh::rows("positions", positions).map_err(told)?;
        let triangles = mesh::rows("triangles", triangles).map_err(told)?;
        let added = self.example.world.add_cloth(name, positions, triangles, Cloth::default());
        added.map(|id| id.0).map_err(told)
    }

    /// Adds a body of tets of this stiffness (Young's modulus), at rest in these positions.
    #[wasm_bindgen(js_name = addSolid)]
    pub fn add_solid(
        &mut self,
        name: &str,
        positions: &[f64],
        tets: &[u32],
        young: f64,
    ) -> Result<u32, JsError> {
        let positions = mesh::rows("positions", positions).map_err(told)?;
        let tets = mesh::rows("tets", tets).map_err(told)?;
        let material = Solid { young, ..Solid::default() };
        self.example.world.add_solid(name, positions, tets, material).map(|id| id.0).map_err(told)
    }

    /// Adds a surface that stays where it is, or goes where `lead` says.
    #[wasm_bindgen(js_name = addFixed)]
    pub fn add_fixed(&mut self, name: &str, positions: &[f64], triangles: &[u32]) -> Result<u32, JsError> {
        let positions = mesh::rows("positions", positions).map_err(told)?;
        let triangles = mesh::rows("triangles", triangles).map_err(told)?;
        let surface = Surface::with_friction(0.3);
        let added = self.example.world.add_fixed(name, positions, triangles, surface);
        added.map(|id| id.0).map_err(told)
    }

    /// Leads a fixed body: it goes there during the next step, as far as nothing is in its way.
    pub fn lead(&mut self, body: u32, positions: &[f64]) -> Result<(), JsError> {
        let positions: &[[f64; 3]] = mesh::rows("positions", positions).map_err(told)?;
        self.example.world.lead(BodyId(body), positions).map_err(told)
    }

    /// Pins a vertex where it is.
    pub fn pin(&mut self, body: u32, vertex: u32) -> Result<(), JsError> {
        self.example.world.pin(BodyId(body), VertexId(vertex)).map_err(told)
    }

    /// Lets a pinned vertex go.
    pub fn unpin(&mut self, body: u32, vertex: u32) -> Result<(), JsError> {
        self.example.world.unpin(BodyId(body), VertexId(vertex)).map_err(told)
    }

    /// Takes hold of what a line from `from` along `along` points at, within `reach` of it, with what is round it: the grab's number and
    /// where it is; nothing if there is nothing to hold.
    pub fn grab(&mut self, from: &[f64], along: &[f64], reach: f64) -> Result<Option<Vec<f64>>, JsError> {
        let (from, along) = (point("from", from)?, point("along", along)?);
        let grasp = GRASP * self.example.view.1;
        let world = &mut self.example.world;
        let Some((body, vertex)) = world.pick(from, along, reach) else { return Ok(None) };
        let pinned: Vec<VertexId> = world.pins().filter(|p| p.body == body).map(|p| p.id).collect();
        let positions = world.positions(body).map_err(told)?;
        let at = positions[vertex.index()];
        let beside = |p: &[f64; 3]| [0, 1, 2].map(|k| p[k] - at[k]);
        let all = positions.iter().enumerate().map(|(v, p)| (VertexId(v as u32), beside(p)));
        let is_near = |(v, way): &(VertexId, [f64; 3])| *v == vertex || length(way) < grasp;
        let vertices: Vec<_> = all.filter(is_near).filter(|(v, _)| !pinned.contains(v)).collect();
        for (v, _) in &vertices {
            world.pin(body, *v).map_err(told)?;
        }
        let number = self.hands.last().map_or(0, |hand| hand.number + 1);
        self.hands.push(Hand { number, body, vertices, to: at });
        Ok(Some([f64::from(number)].into_iter().chain(at).collect()))
    }

    /// Draws what a grab holds to a place; one that was released is passed over.
    pub fn pull(&mut self, grab: u32, to: &[f64]) -> Result<(), JsError> {
        let to = point("to", to)?;
        if let Some(x) = to.iter().find(|x| !x.is_finite()) {
            return Err(told(format!("to: {x} is not finite")));
        }
        self.hands.iter_mut().filter(|h| h.number == grab).for_each(|h| h.to = to);
        Ok(())
    }

    /// Lets go.
    pub fn release(&mut self, grab: u32) -> Result<(), JsError> {
        for hand in self.hands.iter().filter(|h| h.number == grab) {
            for (v, _) in &hand.vertices {
                self.example.world.unpin(hand.body, *v).map_err(told)?;
            }
        }
        self.hands.retain(|h| h.number != grab);
        Ok(())
    }

    /// Moves what hands hold towards where they draw it, as far as they get in a step.
    fn draw_hands(&mut self, dt: f64) -> Result<(), SimError> {
        let world = &mut self.example.world;
        let most = HASTE * self.example.view.1 * dt;
        for hand in &self.hands {
            for (v, beside) in &hand.vertices {
                let at = world.positions(hand.body)?[v.index()];
                let way = [0, 1, 2].map(|k| hand.to[k] + beside[k] - at[k]);
                let share = (most / length(&way).max(1e-12)).min(1.0);
                world.move_pin(hand.body, *v, [0, 1, 2].map(|k| at[k] + share * way[k]))?;
            }
        }
        Ok(())
    }

    /// Moves a blade: tip and heel of its edge before, then after (twelve numbers). How many facets were parted, how many
    /// vertices became two, how many facets could not be parted.
    pub fn stroke(&mut self, edges: &[f64]) -> Result<Vec<u32>, JsError> {
        let rows: &[[f64; 3]] = mesh::rows("stroke", edges).map_err(told)?;
        let [a, b, c, d] = rows else { return Err(told("stroke: four points, tip and heel twice")) };
        let done = self.example.world.stroke(&Stroke { from: [*a, *b], to: [*c, *d] }).map_err(told)?;
        Ok(vec![done.parted as u32, done.opened as u32, done.refused as u32])
    }

    /// Whether things may cross: `false` is the default, where nothing ever does.
    #[wasm_bindgen(js_name = setFree)]
    pub fn set_free(&mut self, is_free: bool) -> Result<(), JsError> {
        let mode = if is_free { Mode::Free } else { Mode::NeverCross };
        let settings = Settings { mode, ..self.example.world.settings().clone() };
        self.example.world.set_settings(settings).map_err(told)
    }

    /// Moves everything by `dt` seconds. On an error nothing has moved.
    pub fn step(&mut self, dt: f64) -> Result<(), JsError> {
        self.draw_hands(dt).map_err(told)?;
        self.last = self.example.step(dt).map_err(told)?;
        Ok(())
    }

    /// What the last step tells: frame, passes, substeps, contacts, watched, intersections, held, progress, torn; then
    /// seconds: all, detect, solve, certify, verify, cut.
    pub fn report(&self) -> Vec<f64> {
        let r = &self.last;
        let counts = [r.frame as f64, f64::from(r.passes), f64::from(r.substeps)];
        let pairs = [r.contacts, r.watched, r.intersections, r.held].map(|n| n as f64);
        let s = &r.seconds;
        let seconds = [s.step, s.detect, s.solve, s.certify, s.verify, s.cut];
        counts.into_iter().chain(pairs).chain([r.progress, r.torn as f64]).chain(seconds).collect()
    }

    /// The bodies: name and kind (`cloth`, `solid`, `particles`, `fixed`), a line each, with a tab between.
    pub fn bodies(&self) -> Result<String, JsError> {
        let world = &self.example.world;
        let line = |id: BodyId| -> Result<String, SimError> {
            let kind = match world.kind(id)? {
                Kind::Cloth(_) => "cloth",
                Kind::Solid(_) => "solid",
                Kind::Particles(_) => "particles",
                Kind::Led(_) => "fixed",
            };
            Ok(format!("{}\t{kind}", world.mesh(id)?.name()))
        };
        let lines: Result<Vec<String>, SimError> = world.bodies().map(line).collect();
        Ok(lines.map_err(told)?.join("\n"))
    }

    /// Lays everything out for drawing; true if the triangles are others than before.
    #[wasm_bindgen(js_name = layOut)]
    pub fn lay_out(&mut self) -> Result<bool, JsError> {
        let world = &self.example.world;
        let meshes: Result<Vec<_>, _> = world.bodies().map(|id| world.mesh(id)).collect();
        let positions: Result<Vec<_>, _> = world.bodies().map(|id| world.positions(id)).collect();
        let is_new = self.buffers.lay_out(&meshes.map_err(told)?);
        self.buffers.place(positions.map_err(told)?.into_iter());
        Ok(is_new)
    }

    /// Where the arrays for drawing lie, and how long they are: positions, normals (`f32`), triangles, ranges (`u32`).
    #[wasm_bindgen(js_name = buffersAt)]
    pub fn buffers_at(&self) -> Vec<usize> {
        self.buffers.places()
    }

    /// Pairs of triangles that intersect now, four numbers each: body, triangle, body, triangle.
    pub fn contacts(&mut self) -> Result<Vec<u32>, JsError> {
        let rows = self.example.world.scene().map_err(told)?.contacts().map_err(told)?;
        self.last.intersections = rows.len();
        Ok(rows.iter().flat_map(|c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]).collect())
    }

    /// Which method looks for intersections, and why.
    pub fn explain(&mut self) -> Result<String, JsError> {
        let choices = self.example.world.scene().map_err(told)?.explain();
        Ok(choices.first().map(ToString::to_string).unwrap_or_default())
    }

    /// A structure on the present frame: `answering` is the one that answers about intersections, `regions`, `buckets`, `cells`,
    /// `layers` and `distances` are those of the five papers' methods.
    pub fn drawing(&mut self, name: &str) -> Result<Drawing, JsError> {
        let scene = self.example.world.scene().map_err(told)?;
        if name == "answering" {
            self.structure = None;
            return Ok(Drawing::new(&scene.draw().map_err(told)?, &self.buffers));
        }
        if self.structure.as_ref().is_none_or(|(last, _)| last != name) {
            let built =
                Structure::by_name(name).ok_or_else(|| told(format!("there is no structure {name:?}")))?;
            self.structure = Some((name.to_owned(), built));
        }
        let (_, structure) = self.structure.as_mut().expect("just set");
        let drawing = structure.draw(scene.bodies(), scene.current_frame()).map_err(told)?;
        Ok(Drawing::new(&drawing, &self.buffers))
    }

    /// The present frame by a paper's own rule (`volino`, `ganovelli`, `teschner`, `heidelberger`, `madera`) beside the exact answer.
    pub fn compare(&mut self, rule: &str) -> Result<Comparison, JsError> {
        let world = &mut self.example.world;
        // Things at rest on each other are a thickness apart, vertices about an edge.
        let thickest = world.bodies().filter_map(|b| world.thickness(b).ok()).fold(0.0, f64::max);
        let scene = world.scene().map_err(told)?;
        let found = beside(rule, scene.bodies(), scene.current_frame(), 6.0 * thickest)
            .ok_or_else(|| told(format!("there is no rule {rule:?}")))?;
        Ok(Comparison(found.map_err(told)?))
    }

    /// Moves what crosses apart, in so many rounds at most; what is pinned stays. Pairs before, pairs after, vertices that were
    /// moved, the largest way of one.
    pub fn untangle(&mut self, rounds: usize) -> Result<Vec<f64>, JsError> {
        let world = &mut self.example.world;
        let mut options = UntangleOptions::default();
        options.rounds = rounds;
        options.fixed = world.pins().collect();
        let ids: Vec<BodyId> = world.bodies().collect();
        let scene = world.scene().map_err(told)?;
        let done = scene.untangle(&options).map_err(told)?;
        let places: Result<Vec<_>, _> =
            ids.iter().map(|&id| scene.positions(id).map(<[_]>::to_vec)).collect();
        for (&id, place) in ids.iter().zip(&places.map_err(told)?) {
            world.place(id, place).map_err(told)?;
        }
        self.last.intersections = done.after;
        Ok(vec![done.before as f64, done.after as f64, done.moved as f64, done.largest])
    }

    /// A hash of all positions and velocities, equal exactly when all bits are.
    pub fn hash(&self) -> u64 {
        self.example.world.hash()
    }
}

/// What a paper's rule finds of what is there.
#[wasm_bindgen]
pub struct Comparison(Beside);

#[wasm_bindgen]
impl Comparison {
    /// What is counted.
    #[wasm_bindgen(getter)]
    pub fn what(&self) -> String {
        self.0.what.to_owned()
    }

    /// How many are there, how many of them the rule finds and misses; milliseconds of exact detection and of the rule.
    #[wasm_bindgen(getter)]
    pub fn numbers(&self) -> Vec<f64> {
        let counts = [self.0.there, self.0.found, self.0.missed].map(|n| n as f64);
        counts.into_iter().chain([self.0.exact_ms, self.0.rule_ms]).collect()
    }

    /// Triangles of what is missed, counted over all bodies.
    #[wasm_bindgen(getter)]
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles.clone()
    }
}

fn length(way: &[f64; 3]) -> f64 {
    way.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn point(what: &str, numbers: &[f64]) -> Result<[f64; 3], JsError> {
    <[f64; 3]>::try_from(numbers)
        .map_err(|_| told(format!("{what}: {} numbers are not a point", numbers.len())))
}
