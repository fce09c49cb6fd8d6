//! The world: bodies, where they are, and how fast they go.

use crumple::{BodyId, Mesh, Scene, VertexId};
use glam::DVec3;

use crate::body::{Body, Kind, mean_edge};
use crate::clock::{self, Clock};
use crate::contact::{Contacts, Grains, Meeting};
use crate::elastic::Elastic;
use crate::handles::Handles;
use crate::motion::Motions;
use crate::plan::{KINDS, Watch};
use crate::settings::{Cloth, Particles, Settings, Solid, Surface};
use crate::sever::Blade;
use crate::trail::Trail;
use crate::{Energy, Mode, SimError, StepReport};

/// Bodies that move, touch, tear and are cut, and never pass through each other.
#[derive(Debug)]
pub struct World {
    pub(crate) settings: Settings,
    pub(crate) scene: Scene,
    pub(crate) bodies: Vec<Body>,
    /// The body of every vertex, and how its surface meets others.
    pub(crate) body_of: Vec<u32>,
    pub(crate) surfaces: Vec<Meeting>,
    pub(crate) state: State,
    pub(crate) elastic: Elastic,
    pub(crate) handles: Handles,
    pub(crate) contacts: Contacts,
    pub(crate) grains: Grains,
    /// Trees for pairs within bodies, and for pairs between them of each search.
    pub(crate) motions: [Motions; KINDS],
    pub(crate) watch: Watch,
    pub(crate) trail: Trail,
    /// The blade of the last stroke.
    pub(crate) blade: Option<Blade>,
    /// Time since near pairs were aimed last.
    pub(crate) since_aimed: f64,
    pub(crate) frame: u64,
    pub(crate) time: f64,
    /// Where everything was when it went somewhere last, and how long ago that is.
    pub(crate) settled: Vec<DVec3>,
    pub(crate) still: f64,
    /// What the last step told.
    pub(crate) last: StepReport,
    /// How long a substep of the last step was to be.
    pub(crate) substep: f64,
    pub(crate) clock: Clock,
    /// Whether constraints and trees fit the bodies.
    pub(crate) is_built: bool,
    /// Whether something crossed when exact detection was last asked.
    pub(crate) is_crossed: bool,
    /// Whether the present positions were found free, or crossing is allowed.
    pub(crate) is_admitted: bool,
}

/// All vertices of all bodies, body after body.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub x: Vec<DVec3>,
    /// Where the substep began.
    pub start: Vec<DVec3>,
    pub v: Vec<DVec3>,
    pub mass: Vec<f64>,
    /// Inverse masses; 0 for what is pinned or led.
    pub w: Vec<f64>,
}

impl World {
    /// An empty world.
    pub fn new(settings: Settings) -> Result<Self, SimError> {
        settings.check()?;
        Ok(Self {
            settings,
            scene: Scene::new(),
            bodies: Vec::new(),
            body_of: Vec::new(),
            surfaces: Vec::new(),
            state: State::default(),
            elastic: Elastic::default(),
            handles: Handles::default(),
            contacts: Contacts::default(),
            grains: Grains::default(),
            motions: Default::default(),
            watch: Watch::default(),
            trail: Trail::default(),
            blade: None,
            since_aimed: 0.0,
            frame: 0,
            time: 0.0,
            settled: Vec::new(),
            still: 0.0,
            last: StepReport::default(),
            substep: 0.0,
            clock: clock::system,
            is_built: false,
            is_crossed: false,
            is_admitted: false,
        })
    }

    /// Adds a cloth, at rest in these positions.
    pub fn add_cloth(
        &mut self,
        name: &str,
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        material: Cloth,
    ) -> Result<BodyId, SimError> {
        material.check()?;
        let mesh = Mesh::from_triangles(name, positions.len(), triangles).map_err(crumple::Error::from)?;
        self.add(mesh, positions, Kind::Cloth(material))
    }

    /// Adds a body of tets, at rest in these positions.
    pub fn add_solid(
        &mut self,
        name: &str,
        positions: &[[f64; 3]],
        tets: &[[u32; 4]],
        material: Solid,
    ) -> Result<BodyId, SimError> {
        material.check()?;
        let mesh = Mesh::from_tets(name, positions.len(), tets).map_err(crumple::Error::from)?;
        let id = self.add(mesh, positions, Kind::Solid(material))?;
        let body = &self.bodies[id.index()];
        let flat = |t: &[VertexId; 4]| {
            let volume = body.volume(t.map(|v| v.index()));
            volume.is_nan() || volume <= 0.0
        };
        match body.mesh.tets().iter().position(flat) {
            None => Ok(id),
            Some(tet) => {
                self.take_back();
                Err(SimError::FlatTet { name: name.to_owned(), tet })
            }
        }
    }

    /// Adds loose particles.
    pub fn add_particles(
        &mut self,
        name: &str,
        positions: &[[f64; 3]],
        material: Particles,
    ) -> Result<BodyId, SimError> {
        material.check()?;
        let mesh = Mesh::from_points(name, positions.len()).map_err(crumple::Error::from)?;
        self.add(mesh, positions, Kind::Particles(material))
    }

    /// Adds a surface that stays where it is, or goes where [`World::lead`] says.
    pub fn add_fixed(
        &mut self,
        name: &str,
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        surface: Surface,
    ) -> Result<BodyId, SimError> {
        surface.check()?;
        let mesh = Mesh::from_triangles(name, positions.len(), triangles).map_err(crumple::Error::from)?;
        self.add(mesh, positions, Kind::Led(surface))
    }

    fn add(&mut self, mesh: Mesh, positions: &[[f64; 3]], kind: Kind) -> Result<BodyId, SimError> {
        let id = self.scene.add(mesh.clone(), positions)?;
        let is_led = matches!(kind, Kind::Led(_));
        self.scene.set_fixed(id, is_led)?;
        let rest: Vec<DVec3> = positions.iter().map(|p| DVec3::from_array(*p)).collect();
        let edge = match kind {
            Kind::Particles(m) => 2.5 * m.surface.thickness.unwrap_or(1.0),
            _ => mean_edge(&mesh, &rest),
        };
        let thickness = kind.surface().thickness.unwrap_or(0.2 * edge);
        let first = self.state.x.len();
        let body = Body {
            mesh,
            first,
            kind,
            rest,
            thickness,
            edge,
            goal: None,
            severed: Vec::new(),
            waiting: Vec::new(),
        };
        let masses = body.masses();
        self.state.w.extend(masses.iter().map(|&m| if m > 0.0 { 1.0 / m } else { 0.0 }));
        self.state.mass.extend(masses);
        self.state.x.extend(&body.rest);
        self.state.start.extend(&body.rest);
        self.state.v.extend(vec![DVec3::ZERO; body.len()]);
        self.bodies.push(body);
        (self.is_built, self.is_admitted) = (false, false);
        Ok(id)
    }

    /// Takes the last body back.
    fn take_back(&mut self) {
        if let Some(body) = self.bodies.pop() {
            let State { x, start, v, mass, w } = &mut self.state;
            [x, start, v].into_iter().for_each(|rows| rows.truncate(body.first));
            [mass, w].into_iter().for_each(|rows| rows.truncate(body.first));
            // The scene's id is gone for good, so the scene is made anew.
            self.scene = Scene::new();
            for body in &self.bodies {
                let at: &[[f64; 3]] = bytemuck::cast_slice(&self.state.x[body.range()]);
                let id = self.scene.add(body.mesh.clone(), at).expect("it was added before");
                self.scene.set_fixed(id, body.is_led()).expect("just added");
            }
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Other settings from now on.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SimError> {
        settings.check()?;
        self.is_admitted &= settings.mode == self.settings.mode;
        self.still = 0.0;
        self.settings = settings;
        Ok(())
    }

    /// The clock that reports are timed by.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Frames so far.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Time so far.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The bodies, in the order in which they were added.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u32).map(BodyId)
    }

    /// What a body is made of now; cuts and tears change it.
    pub fn mesh(&self, id: BodyId) -> Result<&Mesh, SimError> {
        Ok(&self.body(id)?.mesh)
    }

    /// What a body is.
    pub fn kind(&self, id: BodyId) -> Result<&Kind, SimError> {
        Ok(&self.body(id)?.kind)
    }

    /// How far a body's surface keeps others.
    pub fn thickness(&self, id: BodyId) -> Result<f64, SimError> {
        Ok(self.body(id)?.thickness)
    }

    /// Where a body's vertices are.
    pub fn positions(&self, id: BodyId) -> Result<&[[f64; 3]], SimError> {
        let body = self.body(id)?;
        Ok(bytemuck::cast_slice(&self.state.x[body.range()]))
    }

    /// How fast a body's vertices are.
    pub fn velocities(&self, id: BodyId) -> Result<&[[f64; 3]], SimError> {
        let body = self.body(id)?;
        Ok(bytemuck::cast_slice(&self.state.v[body.range()]))
    }

    /// Gives every vertex of a body a velocity.
    pub fn set_velocity(&mut self, id: BodyId, velocity: [f64; 3]) -> Result<(), SimError> {
        let range = self.body(id)?.range();
        self.still = 0.0;
        for v in range {
            if self.state.w[v] > 0.0 {
                self.state.v[v] = DVec3::from_array(velocity);
            }
        }
        Ok(())
    }

    /// Puts a body elsewhere, at once: its rest shape stays, its speed is kept. In [`Mode::NeverCross`] the next step
    /// refuses a place where something crosses.
    pub fn place(&mut self, id: BodyId, positions: &[[f64; 3]]) -> Result<(), SimError> {
        let range = self.body(id)?.range();
        self.scene.set_positions(id, positions)?;
        for (x, p) in self.state.x[range].iter_mut().zip(positions) {
            *x = DVec3::from_array(*p);
        }
        self.watch = Watch::default();
        self.is_admitted = false;
        Ok(())
    }

    /// The bodies as detection sees them, at the end of the last step.
    pub fn scene(&mut self) -> Result<&mut Scene, SimError> {
        self.show()?;
        Ok(&mut self.scene)
    }

    /// Kinetic, potential and elastic energy.
    pub fn energy(&mut self) -> Energy {
        self.build();
        crate::measure::energy(self)
    }

    /// The sum of mass times velocity.
    pub fn momentum(&self) -> [f64; 3] {
        let State { v, mass, .. } = &self.state;
        v.iter().zip(mass).map(|(v, m)| *v * *m).sum::<DVec3>().to_array()
    }

    /// A hash of all positions and velocities, equal exactly when all bits are.
    pub fn hash(&self) -> u64 {
        crate::measure::hash(self.state.x.iter().chain(&self.state.v))
    }

    pub(crate) fn body(&self, id: BodyId) -> Result<&Body, SimError> {
        self.bodies.get(id.index()).ok_or(SimError::Detection(crumple::Error::NoBody { body: id }))
    }

    pub(crate) fn vertex(&self, id: BodyId, vertex: VertexId) -> Result<usize, SimError> {
        let body = self.body(id)?;
        if vertex.index() < body.len() {
            Ok(body.first + vertex.index())
        } else {
            Err(SimError::NoVertex { body: id, vertex })
        }
    }

    /// The body and the vertex there.
    pub(crate) fn locate(&self, v: u32) -> (BodyId, VertexId) {
        let b = self.bodies.partition_point(|b| b.first <= v as usize) - 1;
        let b = (0..=b).rev().find(|&b| self.bodies[b].range().contains(&(v as usize))).unwrap_or(b);
        (BodyId(b as u32), VertexId(v - self.bodies[b].first as u32))
    }

    /// Tells detection where everything is.
    pub(crate) fn show(&mut self) -> Result<(), SimError> {
        for (b, body) in self.bodies.iter().enumerate() {
            let at: &[[f64; 3]] = bytemuck::cast_slice(&self.state.x[body.range()]);
            let id = BodyId(b as u32);
            if self.scene.positions(id)? != at {
                self.scene.set_positions(id, at)?;
            }
        }
        Ok(())
    }

    /// Tells detection where some bodies were looked for: pairs of one kind.
    pub(crate) fn show_anchors(
        &mut self,
        kind: usize,
        is_looked_for: impl Fn(usize) -> bool,
    ) -> Result<(), SimError> {
        let anchor = &self.watch.kinds[kind].anchor;
        for (b, body) in self.bodies.iter().enumerate().filter(|(b, _)| is_looked_for(*b)) {
            let at: &[[f64; 3]] = bytemuck::cast_slice(&anchor[body.range()]);
            let id = BodyId(b as u32);
            if self.scene.positions(id)? != at {
                self.scene.set_positions(id, at)?;
            }
        }
        Ok(())
    }

    /// Constraints and trees of the bodies as they are.
    pub(crate) fn build(&mut self) {
        if !self.is_built {
            self.thicken();
            self.elastic = Elastic::new(&self.bodies);
            let trees = Motions::new(&self.bodies);
            self.motions = std::array::from_fn(|_| trees.clone());
            self.grains = Grains::new(&self.bodies);
            self.index();
            self.contacts = Contacts::default();
            self.watch = Watch::default();
            self.still = 0.0;
            self.is_built = true;
        }
    }

    /// What is looked up for every near pair.
    fn index(&mut self) {
        self.body_of = self.bodies.iter().zip(0..).flat_map(|(body, b)| vec![b; body.len()]).collect();
        // Coulomb's coefficient of two bodies is the root of the product of theirs.
        let surface =
            |b: &Body| Meeting { thickness: b.thickness, friction: b.kind.surface().friction.sqrt() };
        self.surfaces = self.bodies.iter().map(surface).collect();
    }

    /// Fixed bodies of which nothing is told are as thick as the thinnest body that moves: the edges of a floor say nothing.
    fn thicken(&mut self) {
        let moving = self.bodies.iter().filter(|b| !b.is_led()).map(|b| b.thickness);
        let thinnest = moving.fold(f64::INFINITY, f64::min);
        for body in self.bodies.iter_mut().filter(|b| b.is_led()) {
            let own = body.kind.surface().thickness.unwrap_or(0.2 * body.edge);
            let is_told = body.kind.surface().thickness.is_some();
            body.thickness = if is_told { own } else { own.min(thinnest) };
        }
    }

    pub(crate) fn is_never_crossing(&self) -> bool {
        self.settings.mode == Mode::NeverCross
    }
}
