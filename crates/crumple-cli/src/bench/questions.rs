//! Questions about steps, closeness and single frames, asked of a scene.

use anyhow::{Result, bail};
use crumple::{
    BodyId, ClosePairs, Closeness, Contact, Guarantee, Mesh, Pairs, Question, Scene, SurfaceMethod,
};

use super::answer::Answer;
use super::clock::Clock;
use super::meter::FrameSeconds;
use super::runners::{Pose, Runner, Task, swap, within};
use super::scene::BenchScene;
use crate::args::{self, BenchMethod};

/// A scene with all bodies at the first frame.
pub(super) fn scene_of(bench: &BenchScene) -> Result<Scene> {
    let mut scene = Scene::new();
    for (mesh, positions) in bench.mesh.meshes().iter().zip(&bench.pose(0)) {
        scene.add(mesh.clone(), positions)?;
    }
    Ok(scene)
}

fn only_auto(task: &Task) -> Result<()> {
    match task.method {
        BenchMethod::Auto => Ok(()),
        other => bail!("method {} does not answer question {}", other.name(), task.question.name()),
    }
}

fn method_of(scene: &Scene, question: Question) -> &'static str {
    scene.explain().iter().find(|c| c.question == question).map_or("", |c| c.method)
}

/// Successive frames as steps.
pub struct Steps {
    scene: Scene,
    before: Pose,
    /// Only the first impact.
    earliest: bool,
}

impl Steps {
    pub fn new(task: &Task, bench: &BenchScene) -> Result<Self> {
        only_auto(task)?;
        Ok(Self { scene: scene_of(bench)?, before: bench.pose(0), earliest: task.earliest })
    }
}

impl Runner for Steps {
    fn method(&self) -> &'static str {
        method_of(&self.scene, Question::Impacts)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn first_frame(&self) -> usize {
        1
    }

    fn rewind(&mut self, first: &Pose) {
        self.before.clone_from(first);
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let bodies: Vec<usize> = (0..pose.len()).collect();
        swap(&mut self.scene, &bodies, &mut self.before)?;
        self.scene.begin_step();
        let start = clock.now();
        for (id, positions) in (0..).map(BodyId).zip(&*pose) {
            self.scene.set_positions(id, positions)?;
        }
        self.scene.prepare(Question::Impacts)?;
        let update = clock.since(start);
        let start = clock.now();
        let answer = if self.earliest {
            Answer::amount(self.scene.first_impact()?.map_or(1.0, |impact| impact.time.after))
        } else {
            let found = self.scene.impacts()?;
            Answer::count(found.vertex_triangles.len() + found.edge_edges.len())
        };
        let query = clock.since(start);
        self.before.clone_from(pose);
        Ok((FrameSeconds { build: 0.0, update, query }, answer))
    }
}

/// Vertex–triangle and edge–edge pairs closer than a distance.
pub struct Close {
    scene: Scene,
    within: f64,
    /// Used again, as a solver does.
    found: ClosePairs,
}

impl Close {
    pub fn new(task: &Task, bench: &BenchScene) -> Result<Self> {
        let Some(within) = task.within else { bail!("question proximity needs --within") };
        if task.method != BenchMethod::DistanceHierarchy {
            only_auto(task)?;
        }
        Ok(Self { scene: scene_of(bench)?, within, found: ClosePairs::default() })
    }
}

impl Runner for Close {
    fn method(&self) -> &'static str {
        BenchMethod::DistanceHierarchy.name()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let bodies: Vec<usize> = (0..pose.len()).collect();
        let start = clock.now();
        swap(&mut self.scene, &bodies, pose)?;
        self.scene.prepare(Question::Distance)?;
        let update = clock.since(start);
        let start = clock.now();
        let found = &mut self.found;
        self.scene.proximity_into(&Closeness::below(self.within), found)?;
        let query = clock.since(start);
        swap(&mut self.scene, &bodies, pose)?;
        let count = found.vertex_triangles.len() + found.edge_edges.len();
        Ok((FrameSeconds { build: 0.0, update, query }, Answer::count(count)))
    }
}

/// A body's elements as arrays, so that a mesh can be made of them again and again.
struct PlainMesh {
    name: String,
    triangles: Vec<[u32; 3]>,
    tets: Vec<[u32; 4]>,
}

/// Every frame as if it were the only one: meshes, topology and structures are made anew.
pub struct Once {
    bodies: Vec<PlainMesh>,
    surfaces: Option<SurfaceMethod>,
    /// Which contacts are asked for.
    pairs: Pairs,
    method: &'static str,
}

impl Once {
    pub fn new(task: &Task, bench: &BenchScene) -> Result<Self> {
        let surfaces = match task.method {
            BenchMethod::Auto => None,
            BenchMethod::Regularity => Some(SurfaceMethod::Regularity),
            BenchMethod::BucketTree => Some(SurfaceMethod::BucketTree),
            BenchMethod::BruteForce => Some(SurfaceMethod::BruteForce),
            _ => bail!("method {} does not answer question {}", task.method.name(), task.question.name()),
        };
        let pairs = if task.question == args::Question::OncePairs { Pairs::Between } else { Pairs::All };
        let plain = |m: &Mesh| PlainMesh {
            name: m.name().to_owned(),
            triangles: m.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
            tets: m.tets().iter().map(|t| t.map(|v| v.0)).collect(),
        };
        let bodies = bench.mesh.meshes().iter().map(plain).collect();
        let mut scene = scene_of(bench)?;
        scene.use_surface_method(surfaces);
        Ok(Self { bodies, surfaces, pairs, method: method_of(&scene, Question::Contacts) })
    }
}

impl Runner for Once {
    fn method(&self) -> &'static str {
        self.method
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        let mut scene = Scene::new();
        scene.use_surface_method(self.surfaces);
        for (PlainMesh { name, triangles, tets }, positions) in self.bodies.iter().zip(&*pose) {
            let mesh = match (tets.is_empty(), triangles.is_empty()) {
                (false, _) => Mesh::from_tets(name, positions.len(), tets)?,
                (_, false) => Mesh::from_triangles(name, positions.len(), triangles)?,
                _ => Mesh::from_points(name, positions.len())?,
            };
            scene.add(mesh, positions)?;
        }
        // Contacts between bodies alone need nothing to be made first, which would be for those within.
        if self.pairs == Pairs::All {
            scene.prepare_frame(Question::Contacts)?;
        }
        let build = clock.since(start);
        let start = clock.now();
        let found = scene.contacts_of(self.pairs)?;
        let query = clock.since(start);
        let (inner, outer): (Vec<Contact>, Vec<Contact>) = found.iter().partition(|c| c.is_within_a_body());
        let mut answer = within(&scene, &inner);
        answer += Answer::count(outer.len());
        Ok((FrameSeconds { build, update: 0.0, query }, answer))
    }
}
