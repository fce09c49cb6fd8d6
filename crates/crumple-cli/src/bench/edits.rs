//! Edits of a body, and what structures do to follow them.

use anyhow::{Result, bail};
use crumple::cut::Blade;
use crumple::{
    BodyId, Closeness, Guarantee, Mesh, Question, Scene, SurfaceMethod, TetId, TriangleId, VertexId,
};

use super::answer::Answer;
use super::clock::Clock;
use super::meter::FrameSeconds;
use super::questions::scene_of;
use super::runners::{Pose, Runner, Task};
use super::scene::BenchScene;
use crate::args::{AfterEdit, BenchMethod};

/// How many edits are made, one after the other, in each frame.
const EDITS: usize = 16;

/// Edits of the largest body, each of which removes some elements, splits an edge of each, or cuts; body and structures follow. What is built is timed as
/// the build; the first edit, which finds the body's neighbourhoods, is not counted.
///
/// The update is the edit and all that is done before the search: the answer is asked for twice where the scene does not keep it, and
/// what the first took longer than the second belongs to the update.
pub struct Edits {
    scene: Scene,
    largest: BodyId,
    mesh: Mesh,
    /// How many elements an edit removes; where it is none the body moves instead.
    elements: usize,
    /// Whether it moves before each edit.
    moves: bool,
    /// Whether it splits them instead.
    splits: bool,
    asked: AfterEdit,
    method: &'static str,
}

impl Edits {
    pub fn new(task: &Task, bench: &BenchScene) -> Result<Self> {
        let mut scene = scene_of(bench)?;
        let asked = task.ask.unwrap_or(match task.method {
            BenchMethod::DistanceHierarchy => AfterEdit::Distance,
            BenchMethod::LayeredDepth => AfterEdit::Inside,
            BenchMethod::SpatialHash if !bench.mesh.tets().is_empty() => AfterEdit::Penetrations,
            _ => AfterEdit::Contacts,
        });
        match task.method {
            BenchMethod::Auto | BenchMethod::DistanceHierarchy | BenchMethod::LayeredDepth => {}
            BenchMethod::SpatialHash => scene.use_surface_method(SurfaceMethod::SpatialHash),
            BenchMethod::Regularity => scene.use_surface_method(SurfaceMethod::Regularity),
            BenchMethod::BucketTree => scene.use_surface_method(SurfaceMethod::BucketTree),
            BenchMethod::BruteForce => bail!("method {} does not answer question edit", task.method.name()),
        }
        let elements = task.elements;
        let largest = bench.mesh.body_ids().max_by_key(|b| count(bench.mesh.mesh(*b)));
        let largest = largest.filter(|b| count(bench.mesh.mesh(*b)) > 2 * EDITS * elements);
        let Some(largest) = largest else { bail!("{}: no body has enough elements to edit", bench.name) };
        let choices = crumple::explain(scene.bodies().meshes());
        let chosen = choices.iter().find(|c| c.question == question(asked)).map_or("", |c| c.method);
        let method = if task.method == BenchMethod::Auto { chosen } else { task.method.name() };
        let (mesh, splits) = (bench.mesh.mesh(largest).clone(), task.split);
        let moves = task.moving;
        Ok(Self { scene, largest, mesh, elements, moves, splits, asked, method })
    }

    /// Where the body is before an edit: wider than it was, by a thousandth of its size.
    fn moved(&self) -> Result<Vec<[f64; 3]>> {
        let positions = self.scene.positions(self.largest)?;
        Ok(positions.iter().map(|[x, y, z]| [1.001 * x, *y, *z]).collect())
    }

    /// Removes elements that are spread over the body, the same ones every time; or cuts, where cuts are asked for. Where there
    /// are none the body moves to `moved`.
    fn edit(&mut self, number: usize, moved: Option<&[[f64; 3]]>) -> Result<()> {
        if let Some(moved) = moved {
            self.scene.begin_step();
            return Ok(self.scene.set_positions(self.largest, moved)?);
        }
        let mesh = self.scene.mesh(self.largest)?.clone();
        let (all, some) = (count(&mesh), self.elements);
        let places = (0..some).map(|i| ((i * all / some + number * all / (EDITS * some + 1)) % all) as u32);
        let places: Vec<u32> = places.collect();
        if self.asked == AfterEdit::Cut {
            return places.into_iter().try_for_each(|place| self.cut(&mesh, place));
        }
        let splits = self.splits;
        self.scene.edit(self.largest, |edit| {
            for &place in &places {
                if splits {
                    let [a, b] = first_edge(&mesh, place);
                    edit.split_edge(a, b, 0.5)?;
                } else if mesh.is_solid() {
                    edit.remove_tet(mesh.tet_key(TetId(place)))?;
                } else {
                    edit.remove_triangle(mesh.triangle_key(TriangleId(place)))?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Cuts through the middle of an element, as wide as it is.
    fn cut(&mut self, mesh: &Mesh, place: u32) -> Result<()> {
        let positions = self.scene.positions(self.largest)?;
        let [a, b, c] = if mesh.is_solid() {
            let [a, b, c, _] = mesh.tet(TetId(place));
            [a, b, c]
        } else {
            mesh.triangle(TriangleId(place))
        }
        .map(|v| positions[v.index()]);
        let from = |p: [f64; 3], q: [f64; 3]| std::array::from_fn(|k| q[k] - p[k]);
        // Across the element: along one side of it, and the normal.
        let [u, v]: [[f64; 3]; 2] = [from(a, b), from(a, c)];
        let along = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let [length, side] = [along, u].map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt());
        if length == 0.0 {
            return Ok(());
        }
        let along = along.map(|x| x * side / length);
        let begin = |p: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|k| 0.9 * p[k] + 0.05 * b[k] + 0.05 * c[k] - 0.5 * along[k])
        };
        let end: [f64; 3] = std::array::from_fn(|k| 0.5 * (b[k] + c[k]));
        // What cuts before have left may be too thin to be cut.
        if let Ok(blade) = Blade::sweep(&[begin(a), begin(end)], along) {
            self.scene.cut(self.largest, &blade)?;
        }
        Ok(())
    }

    /// Brings the structure to the frame, as far as that can be done before the question.
    fn prepare(&mut self) -> Result<()> {
        if !matches!(self.asked, AfterEdit::Cut | AfterEdit::Inside) {
            self.scene.prepare_frame(question(self.asked))?;
        }
        Ok(())
    }

    /// Answers about the body that was edited.
    fn ask(&mut self) -> Result<usize> {
        let Self { scene, largest, asked, .. } = self;
        Ok(match asked {
            AfterEdit::Contacts => scene.contacts()?.len(),
            AfterEdit::Penetrations => scene.vertices_in_tets()?.len(),
            AfterEdit::Depths => scene.penetrations()?.len(),
            AfterEdit::Edges => scene.edge_penetrations()?.len(),
            AfterEdit::Distance => scene.distances(f64::MAX)?.len(),
            AfterEdit::Proximity => {
                // So close that few are.
                let bounds = scene.bounds(*largest)?.map_or(0.0, |b| b.max[0] - b.min[0]);
                let near = scene.proximity(&Closeness::below(1e-9 * bounds))?;
                near.vertex_triangles.len() + near.edge_edges.len()
            }
            AfterEdit::Inside => {
                let middle = scene.bounds(*largest)?.map_or([0.0; 3], |b| b.centre());
                scene.inside(*largest, &[middle][..])?.iter().filter(|is| **is).count()
            }
            AfterEdit::Impacts => {
                let found = scene.impacts()?;
                found.vertex_triangles.len() + found.edge_edges.len()
            }
            AfterEdit::Cut => 0,
        })
    }

    /// Whether each edit is followed by its question. All that an edit costs the edges in tets is done before; a search takes seconds.
    fn asks_each(&self) -> bool {
        self.asked != AfterEdit::Edges
    }

    /// Searches again, unless nothing but the search is left to do. Says whether it did.
    fn search_again(&mut self) -> Result<bool> {
        match self.asked {
            AfterEdit::Proximity | AfterEdit::Inside => {}
            // At rest all but the search is done before; where it moves boxes are fitted by the first.
            AfterEdit::Impacts if self.elements == 0 || self.moves => {}
            // Answers that are kept are asked anew.
            AfterEdit::Depths => self.scene.forget_cuts(),
            _ => return Ok(false),
        };
        self.ask()?;
        Ok(true)
    }
}

/// The question that is prepared for.
fn question(asked: AfterEdit) -> Question {
    match asked {
        AfterEdit::Contacts | AfterEdit::Cut => Question::Contacts,
        AfterEdit::Penetrations | AfterEdit::Depths | AfterEdit::Edges => Question::Penetrations,
        AfterEdit::Distance | AfterEdit::Proximity => Question::Distance,
        AfterEdit::Inside => Question::Inside,
        AfterEdit::Impacts => Question::Impacts,
    }
}

/// An edge of an element.
fn first_edge(mesh: &Mesh, place: u32) -> [VertexId; 2] {
    if mesh.is_solid() {
        let [a, b, ..] = mesh.tet(TetId(place));
        [a, b]
    } else {
        let [a, b, _] = mesh.triangle(TriangleId(place));
        [a, b]
    }
}

/// How many elements a body has: tets, or triangles of a surface.
fn count(mesh: &Mesh) -> usize {
    if mesh.is_solid() { mesh.tet_count() } else { mesh.triangle_count() }
}

impl Runner for Edits {
    fn method(&self) -> &'static str {
        self.method
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        for (id, positions) in (0..).map(BodyId).zip(&*pose) {
            if id == self.largest {
                self.scene.replace(id, self.mesh.clone(), positions)?;
            } else {
                self.scene.set_positions(id, positions)?;
            }
        }
        let start = clock.now();
        if self.asked == AfterEdit::Contacts {
            self.scene.prepare(Question::Contacts)?;
        }
        self.prepare()?;
        let build = clock.since(start);
        // The second edit finds everything that edits make once.
        let (mut update, mut query, mut found) = (0.0, 0.0, 0);
        for number in [EDITS, EDITS + 1] {
            self.edit(number, None)?;
            self.prepare()?;
            if self.asks_each() {
                self.ask()?;
            } else if number == EDITS {
                found = self.ask()?;
            }
        }
        for number in 0..EDITS {
            let moved = (self.elements == 0 || self.moves).then(|| self.moved()).transpose()?;
            if self.elements > 0 && self.moves {
                self.edit(number, moved.as_deref())?;
                self.prepare()?;
            }
            let start = clock.now();
            self.edit(number, moved.as_deref().filter(|_| self.elements == 0))?;
            self.prepare()?;
            update += clock.since(start);
            if !self.asks_each() {
                continue;
            }
            let start = clock.now();
            found += self.ask()?;
            let first = clock.since(start);
            let start = clock.now();
            let is_searched = self.search_again()?;
            let search = if is_searched { first.min(clock.since(start)) } else { first };
            update += first - search;
            query += search;
        }
        let mean = |sum: f64| sum / EDITS as f64;
        Ok((FrameSeconds { build, update: mean(update), query: mean(query) }, Answer::count(found)))
    }
}
