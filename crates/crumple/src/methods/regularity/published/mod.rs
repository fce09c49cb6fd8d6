//! The method as the paper ran it, to replay its experiments.
//!
//! Leaves are single triangles, two or more children make a node, adjacent regions are told by a few stored vertices,
//! and the rules come with the contour test or without. [`Regularity`](super::Regularity) is the one to use: it misses
//! nothing and is faster.

mod adjacency;
mod figures;
mod grouping;
mod query;
mod rules;

pub use self::adjacency::{AdjacencyStats, ToldNeighbours};
pub use self::figures::{FacingBits, TreeShape};
pub use self::rules::Rules;

use self::adjacency::Adjacency;
use self::query::PublishedMemory;
use super::directions::MAX_DIRECTIONS;
use super::stats::RegularityStats;
use super::surfaces::Surfaces;
use crate::{BodyId, Error, ParamError};

/// Parameters of the published method. Construct with `..Default::default()`: the paper's own choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedParams {
    /// What may excuse a region from the search. Default: [`Rules::AsPublished`].
    pub rules: Rules,
    /// How many regions merge into one, 2 to 8, default 3. More make the tree flatter and its regions less round.
    pub arity: usize,
    /// Sampled directions, 6 to 128, default 12; 12 and 32 are the corners, and corners and faces, of an icosahedron.
    pub directions: usize,
}

impl Default for PublishedParams {
    fn default() -> Self {
        Self { rules: Rules::AsPublished, arity: 3, directions: 12 }
    }
}

/// The method as the paper ran it: see the [module](self).
///
/// ```
/// use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
/// use crumple::{Bodies, Contacts, Detector, Frame, Guarantee, Mesh, Pairs};
/// let bodies = Bodies::new([Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?])?;
/// let at = vec![vec![
///     [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0],
/// ]];
/// let mut method = Published::new(PublishedParams { rules: Rules::BoxesOnly, ..Default::default() })?;
/// let mut found = Contacts::default();
/// method.update(&bodies, Frame::from(&at))?.contacts(Pairs::All, &mut found);
/// assert_eq!(found.triangle_pairs.len(), 1);
/// assert_eq!(method.guarantee(), Guarantee::Proved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Published {
    params: PublishedParams,
    surfaces: Surfaces,
    /// Of each body; empty unless the rules ask for it.
    adjacency: Vec<Adjacency>,
    memory: PublishedMemory,
    stats: RegularityStats,
}

impl Published {
    /// Checks the parameters. The first frame that a mesh is seen in decides the shapes of its regions.
    pub fn new(params: PublishedParams) -> Result<Self, ParamError> {
        super::check_range("arity", params.arity, 2..=8, "2 to 8 regions")?;
        super::check_range("directions", params.directions, 6..=MAX_DIRECTIONS, "6 to 128 directions")?;
        Ok(Self {
            params,
            surfaces: Surfaces::new(params.directions),
            adjacency: Vec::new(),
            memory: PublishedMemory::default(),
            stats: RegularityStats::default(),
        })
    }

    /// What the last query cost.
    pub fn stats(&self) -> RegularityStats {
        self.stats
    }

    /// How long the lists of adjacent regions are on a body; `None` unless the rules are [`Rules::AsPublished`].
    pub fn adjacency(&self, body: BodyId) -> Result<Option<AdjacencyStats>, Error> {
        let surface = self.surfaces.get(body)?;
        Ok(self.adjacency.get(body.index()).map(|lists| lists.stats(&surface.hierarchy)))
    }
}
