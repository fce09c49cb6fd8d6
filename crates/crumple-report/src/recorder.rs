//! Follows a scene from frame to frame and keeps what a page shows of it.

use crumple::{BodyId, Error, Mesh, Scene};
use serde::Serialize;

use crate::chunk::{Grid, PointChunk};
use crate::decimate::{self, Thin};
use crate::page::Page;
use crate::places::{FramePlaces, PlaceRow};
use crate::regions::Regions;
use crate::thumbnails::Snapshot;

/// What a page is about, and how large it may become.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The heading.
    pub title: String,
    /// The command that made it, shown at the end; empty for none.
    pub command: String,
    /// The direction that points up.
    pub up: [f64; 3],
    /// How many frames there will be, where that is known.
    pub frames: usize,
    /// Bytes of positions before they are compressed, 64 MiB unless told; beyond, a long sequence keeps those of some
    /// frames only.
    pub budget: usize,
    /// Triangles that are drawn of all bodies together, 1,500,000 unless told; beyond, surfaces are thinned.
    pub most_triangles: usize,
    /// Places that are listed of one frame, the longest 500 unless told.
    pub most_places: usize,
}

impl Options {
    /// One frame, y up.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            command: String::new(),
            up: [0.0, 1.0, 0.0],
            frames: 1,
            budget: 64 << 20,
            most_triangles: 1_500_000,
            most_places: 500,
        }
    }
}

/// How a frame is called.
#[derive(Debug, Clone, Default)]
pub struct FrameLabel {
    /// Its number.
    pub number: usize,
    /// Its file, where it has one of its own.
    pub name: Option<String>,
}

impl FrameLabel {
    /// A frame without a file.
    pub fn number(number: usize) -> Self {
        Self { number, name: None }
    }

    /// A frame with a file.
    pub fn file(number: usize, name: impl Into<String>) -> Self {
        Self { number, name: Some(name.into()) }
    }
}

/// Follows a scene and keeps what a page shows of it.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) options: Options,
    regions: Vec<Regions>,
    pub(crate) bodies: Vec<BodyRecord>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) frames: Vec<FrameRecord>,
    pub(crate) points: Vec<PointChunk>,
    pub(crate) worst: Vec<Snapshot>,
    pub(crate) notes: Vec<String>,
    pub(crate) facts: Vec<(String, String)>,
    grid: Grid,
    /// Every so many frames keep their positions.
    pub(crate) stride: usize,
    pub(crate) bounds: [[f64; 3]; 2],
}

/// A body as the page draws it.
#[derive(Debug)]
pub(crate) struct BodyRecord {
    pub thin: Thin,
    /// The last stored positions: their chunk.
    last: Option<usize>,
}

/// One frame of the page.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct FrameRecord {
    pub frame: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Pairs of triangles within bodies, and between them.
    pub pairs: [usize; 2],
    pub inside: usize,
    pub edges: usize,
    pub impacts: usize,
    /// Why the frame could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub places: Vec<PlaceRow>,
    /// Places that are not listed.
    pub left: usize,
    /// The chunk of each body's positions; empty when they are not kept.
    pub chunks: Vec<usize>,
    /// Corners of colliding triangles, three points each; then the vertices inside tets, one each.
    #[serde(skip)]
    pub marks: Marks,
    #[serde(skip)]
    pub hits: usize,
}

/// What is marked in a frame.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    pub points: PointChunk,
    /// Body, place; for each triangle, then for each vertex.
    pub of: Vec<[u32; 2]>,
    pub triangles: usize,
}

impl Default for Marks {
    fn default() -> Self {
        Self { points: PointChunk::new([].into_iter(), Grid::Fine), of: Vec::new(), triangles: 0 }
    }
}

/// Thumbnails of a page.
pub(crate) const SHOWN: usize = 6;

impl Recorder {
    /// Nothing recorded yet.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            regions: Vec::new(),
            bodies: Vec::new(),
            meshes: Vec::new(),
            frames: Vec::new(),
            points: Vec::new(),
            worst: Vec::new(),
            notes: Vec::new(),
            facts: Vec::new(),
            grid: Grid::Fine,
            stride: 1,
            bounds: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
        }
    }

    /// Names of the parts of a body.
    pub fn regions(&mut self, body: BodyId, regions: Regions) {
        if self.regions.len() <= body.index() {
            self.regions.resize(body.index() + 1, Regions::default());
        }
        self.regions[body.index()] = regions;
    }

    /// A sentence for the notes of the page.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// A labelled fact for the end of the page.
    pub fn fact(&mut self, label: impl Into<String>, value: impl Into<String>) {
        self.facts.push((label.into(), value.into()));
    }

    /// Records the frame that the scene is in. All frames must have the bodies of the first.
    pub fn frame(&mut self, scene: &mut Scene, label: &FrameLabel) -> Result<(), Error> {
        self.frame_after(scene, label, 0)
    }

    /// As [`Recorder::frame`], with the number of [impacts](Scene::impacts) on the way here from the frame before.
    pub fn frame_after(
        &mut self,
        scene: &mut Scene,
        label: &FrameLabel,
        impacts: usize,
    ) -> Result<(), Error> {
        let contacts = scene.contacts()?;
        let (inside, edges) = (scene.penetrations()?, scene.edge_penetrations()?);
        let mut found = FramePlaces::of(scene, &self.regions)?;
        if self.bodies.is_empty() {
            self.begin(scene);
        }
        let within = contacts.iter().filter(|c| c.is_within_a_body()).count();
        let hits = contacts.len() + inside.len() + edges.len() + impacts;
        let positions: Vec<&[[f64; 3]]> =
            scene.ids().map(|b| scene.positions(b)).collect::<Result<_, Error>>()?;
        for p in positions.iter().flat_map(|p| p.iter()) {
            for k in 0..3 {
                self.bounds[0][k] = self.bounds[0][k].min(p[k]);
                self.bounds[1][k] = self.bounds[1][k].max(p[k]);
            }
        }
        let marks = marks(&positions, &self.meshes, &found);
        let rank = self.frames.len();
        let is_bad = hits > 0 && self.enters_the_worst(hits);
        let keeps = rank.is_multiple_of(self.stride) || is_bad;
        let chunks = if keeps { self.store(&positions) } else { Vec::new() };
        if is_bad {
            let positions = positions.iter().map(|p| p.to_vec()).collect();
            self.enter(Snapshot::new(rank, hits, positions, &found));
        }
        let left = found.rows.len().saturating_sub(self.options.most_places);
        found.rows.truncate(self.options.most_places);
        self.frames.push(FrameRecord {
            frame: label.number,
            name: label.name.clone(),
            pairs: [within, contacts.len() - within],
            inside: inside.len(),
            edges: edges.len(),
            impacts,
            problem: None,
            places: found.rows,
            left,
            chunks,
            marks,
            hits,
        });
        Ok(())
    }

    /// Records a frame that could not be read or checked: it is a row of the page that says why.
    pub fn problem(&mut self, label: &FrameLabel, why: impl Into<String>) {
        self.frames.push(FrameRecord {
            frame: label.number,
            name: label.name.clone(),
            problem: Some(why.into()),
            ..FrameRecord::default()
        });
    }

    /// The page.
    pub fn finish(self) -> Page {
        Page::new(self)
    }

    /// Decides from the first frame how much of the bodies can be shown.
    fn begin(&mut self, scene: &Scene) {
        self.meshes = scene.bodies().meshes().to_vec();
        let all: usize = self.meshes.iter().map(|m| m.triangles().len()).sum();
        for (b, mesh) in self.meshes.iter().enumerate() {
            let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
            let positions = scene.positions(BodyId(b as u32)).unwrap_or_default();
            let thin = if triangles.is_empty() {
                Thin { vertices: (0..mesh.vertex_count() as u32).collect(), triangles: Vec::new() }
            } else if all > self.options.most_triangles {
                // Every body gets its share.
                let share = self.options.most_triangles as f64 * triangles.len() as f64 / all as f64;
                decimate::thin(positions, triangles, share as usize)
            } else {
                decimate::whole(mesh.vertex_count(), triangles)
            };
            self.bodies.push(BodyRecord { thin, last: None });
        }
        let vertices: usize = self.bodies.iter().map(|b| b.thin.vertices.len()).sum();
        let bytes = |grid: Grid| 3 * grid.bytes() * vertices * self.options.frames.max(1);
        self.grid = if bytes(Grid::Fine) <= self.options.budget / 2 { Grid::Fine } else { Grid::Coarse };
        self.stride = bytes(self.grid).div_ceil(self.options.budget.max(1)).max(1);
    }

    /// Stores the positions of all bodies; those that did not move are stored once.
    fn store(&mut self, positions: &[&[[f64; 3]]]) -> Vec<usize> {
        let mut chunks = Vec::new();
        for (body, positions) in self.bodies.iter_mut().zip(positions) {
            let kept = body.thin.vertices.iter().map(|&v| positions[v as usize]);
            let chunk = PointChunk::new(kept, self.grid);
            let same = body.last.filter(|&k| self.points[k] == chunk);
            let k = same.unwrap_or_else(|| {
                self.points.push(chunk);
                self.points.len() - 1
            });
            body.last = Some(k);
            chunks.push(k);
        }
        chunks
    }

    fn enters_the_worst(&self, hits: usize) -> bool {
        self.worst.len() < SHOWN || self.worst.iter().any(|w| w.hits < hits)
    }

    fn enter(&mut self, snapshot: Snapshot) {
        self.worst.push(snapshot);
        self.worst.sort_by_key(|w| (std::cmp::Reverse(w.hits), w.frame));
        self.worst.truncate(SHOWN);
    }
}

/// Corners of what collides.
fn marks(positions: &[&[[f64; 3]]], meshes: &[Mesh], found: &FramePlaces) -> Marks {
    let corners = found.marks.iter().flat_map(|m| {
        let body = m.body as usize;
        meshes[body].triangles()[m.triangle as usize].map(|v| positions[body][v.index()])
    });
    let vertices = found.vertices.iter().map(|(b, v, ..)| positions[b.index()][v.index()]);
    let points: Vec<[f64; 3]> = corners.chain(vertices).collect();
    let triangles = found.marks.iter().map(|m| [m.body, m.place]);
    let of = triangles.chain(found.vertices.iter().map(|(b, _, _, place)| [b.0, *place])).collect();
    Marks { points: PointChunk::new(points.into_iter(), Grid::Fine), of, triangles: found.marks.len() }
}
