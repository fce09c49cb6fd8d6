//! The paper to the letter, cell by cell, with every alternative that it compares.
//!
//! For replaying the paper's tables; [`SpatialHash`](super::SpatialHash) is exact and ten times as fast.
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | what is chosen | `params.rs` | section 4 |
//! | cells of the grid, hash functions | `cell.rs` | sections 3.1, 4.1 |
//! | the table, with time stamps or sorted | `table.rs` | sections 3.1, 4.2 |
//! | pass 1 and pass 2 | `cells.rs` | sections 3.1, 3.2 |
//! | is the vertex in the tet | `inside.rs` | section 4.4 |
//! | following the frame, contacts | `query.rs` | section 3 |
//! | invariant I4 | `validate.rs` | |
//! | what the paper counts | `statistics.rs` | section 5 |

mod cell;
mod cells;
mod inside;
mod params;
mod query;
mod statistics;
mod table;
mod validate;

pub use cell::Cell;
pub use params::{HashFunction, InsideTest, Passes, PublishedParams, Strangers, TableKind};
pub use statistics::HashStatistics;

use crate::{Mesh, ParamError};
use cells::{CellTables, Met};

/// The method as published, at work; see the [module page](self).
#[derive(Debug, Clone)]
pub struct PublishedSpatialHash {
    params: PublishedParams,
    /// The bodies that `used` was made for.
    meshes: Vec<Mesh>,
    /// Which vertices are tested; `None` when all are.
    used: Option<Vec<bool>>,
    cells: CellTables,
    workers: Vec<Met>,
    /// What the last search found, packed so that it sorts.
    keys: Vec<u64>,
}

impl PublishedSpatialHash {
    /// Checks the parameters. Any mesh will do, so the first `update` takes it.
    pub fn new(params: PublishedParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            meshes: Vec::new(),
            used: None,
            cells: CellTables::default(),
            workers: Vec::new(),
            keys: Vec::new(),
        })
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &PublishedParams {
        &self.params
    }
}
