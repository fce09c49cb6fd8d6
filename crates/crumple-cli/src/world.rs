//! From files to a scene, frame by frame.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail};
use crumple::{BodyId, FrameError, Mesh, MeshError, Scene};
use crumple_io::{MeshData, ReadOptions, Sequence};

use crate::prefetch::Prefetch;
use crate::{hints, output};

/// A scene, and the files that its bodies come from.
pub struct World {
    /// The bodies, in the order of their files.
    pub scene: Scene,
    /// What the files said of each body; positions are the scene's.
    data: Vec<MeshData>,
    sources: Vec<Source>,
    frames: usize,
    options: ReadOptions,
    ahead: Option<Prefetch>,
}

/// Where a body comes from.
enum Source {
    /// It does not move.
    Still(PathBuf),
    /// It has frames, read when asked for.
    Moving(Arc<Sequence>),
}

impl Source {
    fn file(&self, frame: usize) -> &Path {
        match self {
            Self::Still(file) => file,
            Self::Moving(sequence) => sequence.file(frame),
        }
    }
}

impl World {
    /// Each file is one body.
    pub fn load(files: &[PathBuf]) -> Result<Self> {
        let mut world = Self::empty();
        output::expand(files)?.iter().try_for_each(|file| world.add_file(file).map(drop))?;
        Ok(world)
    }

    /// Nothing yet; one frame.
    pub fn empty() -> Self {
        Self {
            scene: Scene::new(),
            data: Vec::new(),
            options: ReadOptions::default(),
            sources: Vec::new(),
            frames: 1,
            ahead: None,
        }
    }

    /// Files are read so.
    pub fn with_options(options: ReadOptions) -> Self {
        Self { options, ..Self::empty() }
    }

    /// One more body, from a file; `-` is standard input.
    pub fn add_file(&mut self, file: &Path) -> Result<BodyId> {
        let data = self.read(file)?;
        self.add(name(file), data, Source::Still(file.to_owned()))
    }

    /// One body for each object of a file.
    pub fn add_objects(&mut self, file: &Path) -> Result<Vec<BodyId>> {
        let objects = self.read(file)?.split_objects();
        let bodies = objects.into_iter().enumerate().map(|(k, object)| {
            let own = if object.name.is_empty() { format!("object {k}") } else { object.name };
            self.add(format!("{}: {own}", name(file)), object.mesh, Source::Still(file.to_owned()))
        });
        bodies.collect()
    }

    fn read(&self, file: &Path) -> Result<MeshData> {
        if file != Path::new("-") {
            if file.is_dir() {
                bail!(hints::folder(file));
            }
            return Ok(crumple_io::read_with(file, &self.options)?);
        }
        let format = self
            .options
            .format
            .context("standard input has no name: `crumple check - --format NAME` reads it")?;
        Ok(crumple_io::read_from(std::io::stdin().lock(), format, "standard input")?)
    }

    /// One more body, whose frames are these files. All sequences must have the same number of frames.
    pub fn add_sequence(&mut self, files: &[PathBuf]) -> Result<BodyId> {
        let sequence = Sequence::open_with(files, &self.options)?;
        let moving = |s: &&Source| matches!(s, Source::Moving(_));
        if let Some(first) = self.sources.iter().find(moving)
            && self.frames != sequence.len()
        {
            let (here, there) = (sequence.file(0).display(), first.file(0).display());
            bail!("{here}: it has {} frames, against {} of {there}", sequence.len(), self.frames);
        }
        self.frames = sequence.len();
        let mut data = sequence.mesh().clone();
        sequence.read_frame(0, &mut data.positions)?;
        self.add(name(&files[0]), data, Source::Moving(Arc::new(sequence)))
    }

    fn add(&mut self, name: String, mut data: MeshData, source: Source) -> Result<BodyId> {
        let mesh = mesh(name, &data).with_context(|| source.file(0).display().to_string())?;
        self.sources.push(source);
        let positions = std::mem::take(&mut data.positions);
        let added = self.scene.add(mesh, &positions).map_err(|e| self.blame(0, e))?;
        self.data.push(data);
        Ok(added)
    }

    /// What the file of a body said: polygons, objects, materials, texture coordinates; without positions.
    pub fn data(&self, body: BodyId) -> &MeshData {
        &self.data[body.index()]
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Moves the scene to a frame.
    pub fn go_to(&mut self, frame: usize) -> Result<()> {
        for body in 0..self.sources.len() {
            if let Source::Moving(sequence) = &self.sources[body] {
                let mut positions = Vec::new();
                sequence.read_frame(frame, &mut positions)?;
                let moved = self.scene.set_positions(BodyId(body as u32), &positions);
                moved.map_err(|e| self.blame(frame, e))?;
            }
        }
        Ok(())
    }

    /// Begins to read these frames, each while the one before is worked on; [`World::advance`] goes to them in this order.
    pub fn read_ahead(&mut self, frames: &[usize]) {
        let moving = self.sources.iter().filter_map(|source| match source {
            Source::Moving(sequence) => Some(Arc::clone(sequence)),
            Source::Still(_) => None,
        });
        let moving: Vec<_> = moving.collect();
        self.ahead = (!moving.is_empty()).then(|| Prefetch::new(moving, frames.to_vec()));
    }

    /// Moves the scene to the next of the frames that [`World::read_ahead`] was given, which is `frame`. A frame that
    /// cannot be read leaves the scene where it is.
    pub fn advance(&mut self, frame: usize) -> Result<()> {
        let Some(ahead) = &mut self.ahead else { return Ok(()) };
        let positions = ahead.next()?;
        let moving = self.sources.iter().enumerate().filter(|(_, s)| matches!(s, Source::Moving(_)));
        for ((body, _), positions) in moving.zip(positions) {
            let moved = self.scene.set_positions(BodyId(body as u32), &positions);
            moved.map_err(|e| self.blame(frame, e))?;
        }
        Ok(())
    }

    /// Seconds that reading ahead took, and that the check waited for it.
    pub fn read_seconds(&self) -> [f64; 2] {
        self.ahead.as_ref().map_or([0.0; 2], Prefetch::seconds)
    }

    /// Where each body is now.
    pub fn positions(&self) -> Vec<Vec<[f64; 3]>> {
        self.scene.current_frame().iter().map(|p| (0..p.len()).map(|v| p.get(v)).collect()).collect()
    }

    /// The file that a frame of the first moving body comes from; the first file when nothing moves.
    pub fn frame_file(&self, frame: usize) -> &Path {
        let moving = self.sources.iter().find(|s| matches!(s, Source::Moving(_)));
        moving.or(self.sources.first()).map_or(Path::new(""), |s| s.file(frame))
    }

    /// Whether the frames are in files of their own, which then name them.
    pub fn has_frame_files(&self) -> bool {
        self.frames > 1 && self.frame_file(0) != self.frame_file(1)
    }

    /// An error of the engine, with the file that is to blame.
    pub fn blame(&self, frame: usize, error: crumple::Error) -> Error {
        let body = match &error {
            crumple::Error::Frame(
                FrameError::NotFinite { body, .. }
                | FrameError::TooLarge { body, .. }
                | FrameError::VertexCount { body, .. },
            ) => Some(*body),
            crumple::Error::Open { body, .. } | crumple::Error::OneSided { body, .. } => Some(*body),
            _ => None,
        };
        let error = Error::new(error);
        match body.and_then(|b| self.sources.get(b.index())) {
            Some(Source::Still(file)) => error.context(file.display().to_string()),
            Some(Source::Moving(s)) => error.context(format!("{}, frame {frame}", s.file(frame).display())),
            None => error,
        }
    }

    /// What the readers skipped or repaired.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        (self.sources.iter().zip(&self.data)).flat_map(|(source, data)| {
            data.notes.iter().map(|n| format!("{}: {n}", source.file(0).display()))
        })
    }
}

fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { output::file_name(file) }
}

/// The mesh that a file holds.
pub fn mesh(name: String, data: &MeshData) -> Result<Mesh, MeshError> {
    let vertices = data.positions.len();
    if !data.tets.is_empty() {
        Mesh::from_tets(name, vertices, &data.tets)
    } else if !data.polygons.is_empty() {
        Mesh::from_polygons(name, vertices, data.polygons.iter())
    } else {
        Mesh::from_points(name, vertices)
    }
}
