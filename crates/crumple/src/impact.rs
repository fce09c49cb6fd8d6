//! What hits what between two frames, and when.

use crate::narrow::continuous::ImpactTime;
use crate::{TriangleId, VertexId};

/// Two features that hit each other during a step, and the time of their first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Impact {
    /// Which.
    pub features: Features,
    /// When first.
    pub time: ImpactTime,
}

/// Two features that can hit each other, by their ids across bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Features {
    /// A vertex, and a triangle that it is not a corner of.
    VertexTriangle(VertexId, TriangleId),
    /// Two edges without a common vertex, by their vertices: the smaller vertex first in each, the smaller edge first.
    EdgeEdge([VertexId; 2], [VertexId; 2]),
}
