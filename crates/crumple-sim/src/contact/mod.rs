//! What is near, as constraints: found once a pass, solved and certified in every substep.

mod certify;
mod crossed;
mod pair;
mod pairs;
mod particles;
mod solve;
mod touched;

pub(crate) use crossed::Crossed;
pub(crate) use pair::{Meeting, Pair};
pub(crate) use pairs::Contacts;
pub(crate) use particles::Grains;
