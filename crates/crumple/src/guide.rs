//! Short guides, one for each kind of user. Their examples are tests.

#[doc = include_str!("../guide/cloth.md")]
pub mod cloth {}

#[doc = include_str!("../guide/fem.md")]
pub mod fem {}

#[doc = include_str!("../guide/games.md")]
pub mod games {}

#[doc = include_str!("../guide/checking-files.md")]
pub mod checking_files {}
