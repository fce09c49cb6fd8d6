//! A scene in memory, and a scene as a function of the frame.
//!
//! [`Scene`] holds every frame and suits tests. [`LazyScene`] computes a body's positions when they are asked for, so
//! that a scene of 1.3 million triangles or of a thousand frames needs the memory of one frame. All generators make
//! lazy scenes; [`LazyScene::collect`] turns one into the other.

use std::sync::Arc;

use crate::{
    Expect,
    mesh::{Solid, Surface},
    vector::Point,
};

/// What a body is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Corners of each triangle.
    Triangles(Vec<[u32; 3]>),
    /// Corners of each tet.
    Tets(Vec<[u32; 4]>),
    /// Vertices only, such as query points.
    Points,
}

impl Elements {
    /// Number of triangles or tets; 0 for points.
    pub fn len(&self) -> usize {
        match self {
            Self::Triangles(t) => t.len(),
            Self::Tets(t) => t.len(),
            Self::Points => 0,
        }
    }

    /// Whether there is no triangle and no tet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The triangles; none for tets and points.
    pub fn triangles(&self) -> &[[u32; 3]] {
        if let Self::Triangles(t) = self { t } else { &[] }
    }

    /// The tets; none for triangles and points.
    pub fn tets(&self) -> &[[u32; 4]] {
        if let Self::Tets(t) = self { t } else { &[] }
    }
}

/// One body of a [`Scene`].
#[derive(Debug, Clone, PartialEq)]
pub struct SceneBody {
    /// Unique within the scene.
    pub name: String,
    /// Triangles, tets or nothing but points; the same in every frame.
    pub elements: Elements,
    /// `frames[f][v]` is where vertex `v` is in frame `f`; every body of a scene has the same number of frames.
    pub frames: Vec<Vec<[f64; 3]>>,
}

/// Bodies over some frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The name it is registered under.
    pub name: String,
    /// What its author says it should give, where known.
    pub expect: Expect,
    /// In order; body ids are positions in this list.
    pub bodies: Vec<SceneBody>,
}

impl Scene {
    /// Number of frames, at least 1 unless there is no body.
    pub fn frames(&self) -> usize {
        self.bodies.first().map_or(0, |b| b.frames.len())
    }

    /// Vertices of all bodies.
    pub fn vertices(&self) -> usize {
        self.bodies.iter().map(|b| b.frames.first().map_or(0, Vec::len)).sum()
    }

    /// Triangles and tets of all bodies.
    pub fn elements(&self) -> usize {
        self.bodies.iter().map(|b| b.elements.len()).sum()
    }
}

type At = dyn Fn(usize) -> Vec<Point> + Send + Sync;

/// One body of a [`LazyScene`].
#[derive(Clone)]
pub struct LazyBody {
    /// Unique within the scene.
    pub name: String,
    /// Triangles, tets or nothing but points; the same in every frame.
    pub elements: Elements,
    /// Number of vertices.
    pub vertices: usize,
    at: Arc<At>,
}

impl std::fmt::Debug for LazyBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LazyBody({}, {} vertices, {} elements)", self.name, self.vertices, self.elements.len())
    }
}

impl LazyBody {
    /// A body whose positions in frame `f` are `at(f)`, always `vertices` of them.
    pub fn new(
        name: impl Into<String>,
        elements: Elements,
        vertices: usize,
        at: impl Fn(usize) -> Vec<Point> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), elements, vertices, at: Arc::new(at) }
    }

    /// A surface that does not move.
    pub fn still(name: impl Into<String>, surface: Surface) -> Self {
        let Surface { positions, triangles } = surface;
        Self::new(name, Elements::Triangles(triangles), positions.len(), move |_| positions.clone())
    }

    /// A solid that does not move.
    pub fn still_solid(name: impl Into<String>, solid: Solid) -> Self {
        let Solid { positions, tets } = solid;
        Self::new(name, Elements::Tets(tets), positions.len(), move |_| positions.clone())
    }

    /// Points that do not move.
    pub fn still_points(name: impl Into<String>, points: Vec<Point>) -> Self {
        Self::new(name, Elements::Points, points.len(), move |_| points.clone())
    }

    /// A surface with each vertex at `at(rest position, frame)`.
    pub fn moving(
        name: impl Into<String>,
        surface: Surface,
        at: impl Fn(Point, usize) -> Point + Send + Sync + 'static,
    ) -> Self {
        let Surface { positions, triangles } = surface;
        Self::new(name, Elements::Triangles(triangles), positions.len(), move |f| {
            positions.iter().map(|&p| at(p, f)).collect()
        })
    }

    /// A solid with each vertex at `at(rest position, frame)`.
    pub fn moving_solid(
        name: impl Into<String>,
        solid: Solid,
        at: impl Fn(Point, usize) -> Point + Send + Sync + 'static,
    ) -> Self {
        let Solid { positions, tets } = solid;
        Self::new(name, Elements::Tets(tets), positions.len(), move |f| {
            positions.iter().map(|&p| at(p, f)).collect()
        })
    }

    /// Where the vertices are in frame `frame`.
    pub fn positions(&self, frame: usize) -> Vec<[f64; 3]> {
        let positions = (self.at)(frame);
        debug_assert_eq!(positions.len(), self.vertices, "{}", self.name);
        positions
    }
}

/// Bodies over some frames, computed frame by frame.
#[derive(Debug, Clone)]
pub struct LazyScene {
    /// The name it is registered under.
    pub name: String,
    /// Number of frames; any frame below it may be asked for in any order.
    pub frames: usize,
    /// What its author says it should give, where known.
    pub expect: Expect,
    /// In order; body ids are positions in this list.
    pub bodies: Vec<LazyBody>,
}

impl LazyScene {
    /// A scene of these bodies, with nothing said about results.
    pub fn new(name: impl Into<String>, frames: usize, bodies: Vec<LazyBody>) -> Self {
        Self { name: name.into(), frames, expect: Expect::default(), bodies }
    }

    /// The same scene with expected results.
    pub fn expecting(mut self, expect: Expect) -> Self {
        self.expect = expect;
        self
    }

    /// Only the first frames, at most `frames` of them. Expectations, being sums over all frames, are dropped when
    /// frames are.
    pub fn first(mut self, frames: usize) -> Self {
        if frames < self.frames {
            self.frames = frames;
            self.expect = Expect::default();
        }
        self
    }

    /// Vertices of all bodies.
    pub fn vertices(&self) -> usize {
        self.bodies.iter().map(|b| b.vertices).sum()
    }

    /// Triangles and tets of all bodies.
    pub fn elements(&self) -> usize {
        self.bodies.iter().map(|b| b.elements.len()).sum()
    }

    /// Every frame in memory.
    pub fn collect(self) -> Scene {
        let frames = self.frames;
        let bodies = self.bodies.into_iter().map(|b| SceneBody {
            frames: (0..frames).map(|f| b.positions(f)).collect(),
            name: b.name,
            elements: b.elements,
        });
        Scene { bodies: bodies.collect(), name: self.name, expect: self.expect }
    }
}

impl From<Scene> for LazyScene {
    fn from(scene: Scene) -> Self {
        let frames = scene.frames();
        let bodies = scene.bodies.into_iter().map(|b| {
            let vertices = b.frames.first().map_or(0, Vec::len);
            let frames = b.frames;
            LazyBody::new(b.name, b.elements, vertices, move |f| frames[f].clone())
        });
        Self { bodies: bodies.collect(), frames, name: scene.name, expect: scene.expect }
    }
}

/// The bodies in order, united into `groups` bodies of (nearly) equal size. All must be made of tets, or all of
/// triangles; vertices and elements follow each other, nothing is welded.
pub(crate) fn grouped(bodies: Vec<LazyBody>, groups: usize) -> Vec<LazyBody> {
    let per_group = bodies.len().div_ceil(groups.max(1)).max(1);
    let unite = |(g, members): (usize, &[LazyBody])| {
        let (mut triangles, mut tets, mut base) = (Vec::new(), Vec::new(), 0);
        for b in members {
            triangles.extend(b.elements.triangles().iter().map(|t| t.map(|v| v + base)));
            tets.extend(b.elements.tets().iter().map(|t| t.map(|v| v + base)));
            base += b.vertices as u32;
        }
        let elements = if tets.is_empty() { Elements::Triangles(triangles) } else { Elements::Tets(tets) };
        let members = members.to_vec();
        LazyBody::new(format!("group{g:03}"), elements, base as usize, move |frame| {
            members.iter().flat_map(|b| b.positions(frame)).collect()
        })
    };
    bodies.chunks(per_group).enumerate().map(unite).collect()
}
