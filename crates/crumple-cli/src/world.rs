//! From files to a mesh and its positions, frame by frame.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use crumple::QueryError;
use crumple::{Bodies, BodyId, FrameError, Mesh, Positions};
use crumple_io::{MeshData, Sequence};

/// Bodies and where they are.
pub struct World {
    /// The bodies.
    pub mesh: Bodies,
    /// Positions of each body.
    pub positions: Vec<Vec<[f64; 3]>>,
    /// What the readers skipped or repaired, body by body.
    pub notes: Vec<Vec<String>>,
    files: Vec<PathBuf>,
}

impl World {
    /// Each file is one body.
    pub fn load(files: &[PathBuf]) -> Result<Self> {
        let (mut bodies, mut positions, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let data = crumple_io::read(file)?;
            bodies.push(body(file, &data)?);
            positions.push(data.positions);
            notes.push(data.notes);
        }
        Ok(Self { mesh: Bodies::new(bodies)?, positions, notes, files: files.to_vec() })
    }

    /// The positions as the engine takes them; keep them while the frame is in use.
    pub fn slices(&self) -> Vec<Positions<'_>> {
        self.positions.iter().map(Positions::from).collect()
    }

    /// An error of the engine, with the file that is to blame.
    pub fn blame(&self, error: FrameError) -> Error {
        match error {
            FrameError::NotFinite { body, .. } | FrameError::TooLarge { body, .. } => {
                self.blame_body(body, error)
            }
            other => other.into(),
        }
    }

    /// An error about one body, with its file.
    pub fn blame_body(&self, body: BodyId, error: impl std::error::Error + Send + Sync + 'static) -> Error {
        Error::new(error).context(self.files[body.index()].display().to_string())
    }
}

impl World {
    /// An error of the layered method, with the file that is to blame.
    pub fn blame_layers(&self, error: QueryError) -> Error {
        match error {
            QueryError::Frame(error) => self.blame(error),
            QueryError::Open { body, .. } | QueryError::OneSided { body, .. } => self.blame_body(body, error),
            other => other.into(),
        }
    }
}

/// The body that a file holds, named as the file.
pub fn body(file: &Path, data: &MeshData) -> Result<Mesh> {
    let name =
        file.file_name().map_or_else(|| file.display().to_string(), |n| n.to_string_lossy().into_owned());
    let vertices = data.positions.len();
    let body = if !data.tets.is_empty() {
        Mesh::from_tets(name, vertices, &data.tets)
    } else if !data.polygons.is_empty() {
        Mesh::from_polygons(name, vertices, data.polygons.iter())
    } else {
        Mesh::from_points(name, vertices)
    };
    body.with_context(|| file.display().to_string())
}

/// The frames to be checked: one, of many bodies, or many, of one body.
pub enum Frames {
    /// One frame.
    Still(World),
    /// Many frames of one body, read when asked for.
    Moving {
        /// The body.
        mesh: Bodies,
        /// Its frames.
        sequence: Sequence,
    },
}

impl Frames {
    /// The frames of one body.
    pub fn sequence(files: &[PathBuf]) -> Result<Self> {
        let sequence = Sequence::open(files)?;
        let mesh = Bodies::new([body(&files[0], sequence.mesh())?])?;
        Ok(Self::Moving { mesh, sequence })
    }

    /// What moves.
    pub fn mesh(&self) -> &Bodies {
        match self {
            Self::Still(world) => &world.mesh,
            Self::Moving { mesh, .. } => mesh,
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        match self {
            Self::Still(_) => 1,
            Self::Moving { sequence, .. } => sequence.len(),
        }
    }

    /// Reads the positions of each body in one frame.
    pub fn load(&self, frame: usize, positions: &mut Vec<Vec<[f64; 3]>>) -> Result<()> {
        match self {
            Self::Still(world) => positions.clone_from(&world.positions),
            Self::Moving { sequence, .. } => {
                positions.resize(1, Vec::new());
                sequence.read_frame(frame, &mut positions[0])?;
            }
        }
        Ok(())
    }

    /// An error of the engine, with the file that is to blame.
    pub fn blame(&self, frame: usize, error: FrameError) -> Error {
        match self {
            Self::Still(world) => world.blame(error),
            Self::Moving { sequence, .. } => {
                Error::new(error).context(format!("{}, frame {frame}", sequence.file(frame).display()))
            }
        }
    }

    /// What the readers skipped or repaired.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Self::Still(world) => (world.files.iter().zip(&world.notes))
                .flat_map(|(file, notes)| notes.iter().map(move |n| format!("{}: {n}", file.display())))
                .collect(),
            Self::Moving { sequence, .. } => sequence.mesh().notes.clone(),
        }
    }
}
