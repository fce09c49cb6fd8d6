//! Self-collision by shape regularity (Volino & Magnenat-Thalmann 1994).

mod borders;
mod bounds;
mod build;
mod certificate;
mod compare;
mod contour;
mod directions;
mod half_edges;
mod labels;
mod leaves;
mod merge;
mod opened;
mod outlines;
mod patches;
mod query;
mod search;
mod sight;
mod stars;
mod stats;
mod surface;
mod threads;
mod tree;
mod update;

use self::build::Shape;
use self::directions::{Directions, MAX_DIRECTIONS};
pub use self::labels::AdjacencyStats;
use self::patches::MAX_PATCH;
use self::query::Scratch;
pub use self::stats::RegularityStats;
use self::surface::Surface;
use crate::geometry::lanes::floats::Map;
use crate::{BuildError, Frame, Guarantee, Mesh, ParamError};

/// What may excuse a region or a pair from the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rules {
    /// Rules I and II with the contour test: nothing is missed.
    #[default]
    Proved,
    /// Rules I and II without it, as the paper ran them: collisions can be missed.
    AsPublished,
    /// Neither: the classical hierarchy of boxes that the paper compares with.
    BoxesOnly,
}

impl Rules {
    /// What answers under these rules are worth.
    pub fn guarantee(self) -> Guarantee {
        match self {
            Self::Proved | Self::BoxesOnly => Guarantee::Proved,
            Self::AsPublished => Guarantee::AsPublished,
        }
    }
}

/// Parameters of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegularityParams {
    /// What may excuse a region from the search.
    pub rules: Rules,
    /// Regions merged into one, 2 to 8.
    pub arity: usize,
    /// Triangles of a leaf, 1 to 64.
    pub patch: usize,
    /// Sampled directions, 6 to 128.
    pub directions: usize,
}

impl Default for RegularityParams {
    fn default() -> Self {
        Self { rules: Rules::Proved, arity: 2, patch: MAX_PATCH, directions: MAX_DIRECTIONS }
    }
}

impl RegularityParams {
    /// The paper's own choices.
    pub fn as_published() -> Self {
        Self { rules: Rules::AsPublished, arity: 3, patch: 1, directions: 12 }
    }

    fn shape(&self) -> Shape {
        Shape { arity: self.arity, patch: self.patch, with_labels: self.rules == Rules::AsPublished }
    }

    fn check(&self) -> Result<(), ParamError> {
        let check = |parameter, value: usize, range: std::ops::RangeInclusive<usize>, expected| {
            if range.contains(&value) {
                Ok(())
            } else {
                Err(ParamError { parameter, value: value.to_string(), expected })
            }
        };
        check("arity", self.arity, 2..=8, "2 to 8 regions")?;
        check("patch", self.patch, 1..=MAX_PATCH, "1 to 64 triangles")?;
        check("directions", self.directions, 6..=MAX_DIRECTIONS, "6 to 128 directions")
    }
}

/// Triangles that intersect, within bodies and between them.
pub struct Regularity {
    params: RegularityParams,
    directions: Directions,
    surfaces: Vec<Surface>,
    map: Map,
    wants_sights: bool,
    scratch: Scratch,
    stats: RegularityStats,
}

impl Regularity {
    /// Builds the hierarchies of all bodies and follows the first frame.
    pub fn new(mesh: &Mesh, frame: Frame<'_>, params: RegularityParams) -> Result<Self, BuildError> {
        params.check()?;
        let mut made = Self {
            params,
            directions: Directions::new(params.directions),
            surfaces: Vec::new(),
            map: Map { origin: [0.0; 3], scale: 1.0 },
            wants_sights: true,
            scratch: Scratch::default(),
            stats: RegularityStats::default(),
        };
        made.follow(mesh, frame)?;
        Ok(made)
    }

    /// What the last query cost.
    pub fn stats(&self) -> RegularityStats {
        self.stats
    }
}
