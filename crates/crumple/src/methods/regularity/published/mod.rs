//! What only the paper does.

mod adjacency;

pub use self::adjacency::AdjacencyStats;
pub(crate) use self::adjacency::Labels;
