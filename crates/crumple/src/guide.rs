//! Short guides, one for each kind of user. Their examples are tests.

#[doc = include_str!("../guide/cloth.md")]
pub mod cloth {}

#[doc = include_str!("../guide/fem.md")]
pub mod fem {}

#[doc = include_str!("../guide/games.md")]
pub mod games {}

#[doc = include_str!("../guide/checking-files.md")]
pub mod checking_files {}

#[doc = include_str!("../guide/solvers.md")]
pub mod solvers {}

#[doc = include_str!("../guide/cutting.md")]
pub mod cutting {}

#[doc = include_str!("../guide/viewers.md")]
pub mod viewers {}

#[doc = include_str!("../papers.md")]
pub mod papers {}
