//! What is near, as constraints: found once a pass, solved and certified in every substep.

mod certify;
mod crossed;
mod pairs;
mod solve;

pub(crate) use crossed::Crossed;
pub(crate) use pairs::{Contacts, Pair};
