//! Where every vertex is now, and optionally where it was.

use crate::{Bodies, BodyId, FrameError, Mesh, VertexId};

/// Coordinates beyond this are refused: sixth powers of it still fit a `f64`, which the exact predicates need.
pub const MAX_COORDINATE: f64 = 1e50;

/// The positions of one body's vertices, borrowed from the caller as they are.
#[derive(Debug, Clone, Copy)]
pub enum Positions<'a> {
    /// Double precision, used without a copy where possible.
    F64(&'a [[f64; 3]]),
    /// Single precision, widened without loss.
    F32(&'a [[f32; 3]]),
}

impl Positions<'_> {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(p) => p.len(),
            Self::F32(p) => p.len(),
        }
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position of one vertex (counted within the body).
    #[inline]
    pub fn get(&self, vertex: usize) -> [f64; 3] {
        match self {
            Self::F64(p) => p[vertex],
            Self::F32(p) => p[vertex].map(f64::from),
        }
    }
}

impl<'a> From<&'a [[f64; 3]]> for Positions<'a> {
    fn from(p: &'a [[f64; 3]]) -> Self {
        Self::F64(p)
    }
}

impl<'a> From<&'a [[f32; 3]]> for Positions<'a> {
    fn from(p: &'a [[f32; 3]]) -> Self {
        Self::F32(p)
    }
}

impl<'a> From<&'a Vec<[f64; 3]>> for Positions<'a> {
    fn from(p: &'a Vec<[f64; 3]>) -> Self {
        Self::F64(p)
    }
}

impl<'a> From<&'a Vec<[f32; 3]>> for Positions<'a> {
    fn from(p: &'a Vec<[f32; 3]>) -> Self {
        Self::F32(p)
    }
}

#[cfg(feature = "glam")]
impl<'a> From<&'a [glam::DVec3]> for Positions<'a> {
    fn from(p: &'a [glam::DVec3]) -> Self {
        Self::F64(bytemuck::cast_slice(p))
    }
}

#[cfg(feature = "glam")]
impl<'a> From<&'a [glam::Vec3]> for Positions<'a> {
    fn from(p: &'a [glam::Vec3]) -> Self {
        Self::F32(bytemuck::cast_slice(p))
    }
}

/// The positions of all bodies of a mesh at one time, one entry per body.
///
/// ```
/// use crumple::{Frame, Positions};
/// let cloth = vec![[0.0, 0.0, 0.0]; 4];
/// let ball = vec![[0.0_f32, 0.0, 0.0]; 8];
/// let bodies = [Positions::from(&cloth), Positions::from(&ball)];
/// let frame = Frame::new(&bodies);
/// assert_eq!(frame.positions().len(), 2);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    now: &'a [Positions<'a>],
    before: Option<&'a [Positions<'a>]>,
}

impl<'a> Frame<'a> {
    /// Positions now, one entry per body.
    pub fn new(now: &'a [Positions<'a>]) -> Self {
        Self { now, before: None }
    }

    /// The same frame with the positions of the step before, for bounds on motion.
    pub fn with_before(self, before: &'a [Positions<'a>]) -> Self {
        Self { before: Some(before), ..self }
    }

    /// Positions of every body now.
    pub fn positions(&self) -> &'a [Positions<'a>] {
        self.now
    }

    /// Positions of every body at the step before, when they were given.
    pub fn before(&self) -> Option<&'a [Positions<'a>]> {
        self.before
    }

    /// Checks that the frame fits the mesh and that every coordinate is finite and below [`MAX_COORDINATE`].
    ///
    /// Every detector calls this from `update`; past it, positions are trusted.
    pub fn check(&self, bodies: &Bodies) -> Result<(), FrameError> {
        check_bodies(bodies, self.now)?;
        self.before.map_or(Ok(()), |before| check_bodies(bodies, before))
    }

    /// All positions in one array, in the order of the mesh's vertex ids.
    ///
    /// One body in double precision is borrowed; anything else is gathered into `scratch`. Checks as
    /// [`Frame::check`] does.
    pub fn flat<'s>(
        &self,
        bodies: &Bodies,
        scratch: &'s mut Vec<[f64; 3]>,
    ) -> Result<&'s [[f64; 3]], FrameError>
    where
        'a: 's,
    {
        self.check(bodies)?;
        if let [Positions::F64(p)] = self.now {
            return Ok(p);
        }
        scratch.clear();
        for body in self.now {
            match body {
                Positions::F64(p) => scratch.extend_from_slice(p),
                Positions::F32(p) => scratch.extend(p.iter().map(|x| x.map(f64::from))),
            }
        }
        Ok(scratch)
    }
}

fn check_bodies(bodies: &Bodies, positions: &[Positions<'_>]) -> Result<(), FrameError> {
    if positions.len() != bodies.meshes().len() {
        return Err(FrameError::BodyCount { given: positions.len(), expected: bodies.meshes().len() });
    }
    for (b, (positions, body)) in positions.iter().zip(bodies.meshes()).enumerate() {
        check_body(BodyId(b as u32), body, positions)?;
    }
    Ok(())
}

/// Checks the positions of one body, which errors name by `id`.
pub(crate) fn check_body(id: BodyId, body: &Mesh, positions: &Positions<'_>) -> Result<(), FrameError> {
    let expected = body.vertex_count();
    if positions.len() != expected {
        return Err(FrameError::VertexCount { body: id, given: positions.len(), expected });
    }
    if all_within_bounds(positions) { Ok(()) } else { Err(first_fault(id, positions)) }
}

/// One branch-free pass per chunk: NaN and infinities fail the comparison too.
fn all_within_bounds(positions: &Positions<'_>) -> bool {
    match positions {
        Positions::F64(p) => p
            .as_flattened()
            .chunks(1024)
            .all(|c| c.iter().fold(true, |ok, x| ok & (x.abs() <= MAX_COORDINATE))),
        Positions::F32(p) => {
            p.as_flattened().chunks(1024).all(|c| c.iter().fold(true, |ok, x| ok & (x.abs() <= f32::MAX)))
        }
    }
}

#[cold]
fn first_fault(body: BodyId, positions: &Positions<'_>) -> FrameError {
    for v in 0..positions.len() {
        let position = positions.get(v);
        let vertex = VertexId(v as u32);
        if position.iter().any(|x| !x.is_finite()) {
            return FrameError::NotFinite { body, vertex, position };
        }
        if position.iter().any(|x| x.abs() > MAX_COORDINATE) {
            return FrameError::TooLarge { body, vertex, position };
        }
    }
    unreachable!("a chunk failed the bounds but no vertex does")
}
