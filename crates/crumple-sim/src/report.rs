//! What a step tells.

use crumple::{Element, TriangleId, VertexId};

/// Two features that keep each other from going on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Blocker {
    /// A vertex and a triangle.
    VertexTriangle(Element<VertexId>, Element<TriangleId>),
    /// Two edges.
    EdgeEdge(Element<[VertexId; 2]>, Element<[VertexId; 2]>),
}

/// Where the time of a step went, in seconds of the world's clock.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StageSeconds {
    /// Everything.
    pub step: f64,
    /// Finding what is near.
    pub detect: f64,
    /// Elastic forces, contacts, friction.
    pub solve: f64,
    /// Proving that nothing crosses on the way, and holding back what would.
    pub certify: f64,
    /// Exact detection at the end.
    pub verify: f64,
    /// Cutting and tearing.
    pub cut: f64,
}

impl StageSeconds {
    /// Adds another step's.
    pub fn add(&mut self, other: &Self) {
        self.step += other.step;
        self.detect += other.detect;
        self.solve += other.solve;
        self.certify += other.certify;
        self.verify += other.verify;
        self.cut += other.cut;
    }
}

/// What happened in a step.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct StepReport {
    /// The frame that the step ended in, counted from 1.
    pub frame: u64,
    /// How often near pairs were looked for.
    pub passes: u32,
    /// How many substeps were made.
    pub substeps: u32,
    /// Near pairs that were contacts in the last pass.
    pub contacts: usize,
    /// Near pairs that were watched in the last pass.
    pub watched: usize,
    /// Pairs of triangles that intersect at the end, by exact detection.
    pub intersections: usize,
    /// Vertices that were held back in some substep, counted once for each.
    pub held: usize,
    /// The share of the wanted motion that was made, 0 to 1: 1 when nothing was held back.
    pub progress: f64,
    /// What held vertices back last, at most eight pairs.
    pub blocked_by: Vec<Blocker>,
    /// Facets that were parted by tearing.
    pub torn: usize,
    /// Where the time went.
    pub seconds: StageSeconds,
}

/// Energies of a world, in its units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of height, 0 at the origin.
    pub potential: f64,
    /// Of deformation; 0 at rest. Stiff constraints count as they act in the substeps made, which is softer than told.
    pub elastic: f64,
}

impl Energy {
    /// All together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// What a stroke of a blade did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct StrokeReport {
    /// Facets (edges of cloth, faces of tets) that the blade passed and that hold no more.
    pub parted: usize,
    /// Vertices that became two.
    pub opened: usize,
    /// Facets that cannot be parted yet without something touching; they are tried again after every step.
    pub refused: usize,
}
