//! What is near, as constraints: found once a pass, solved in every substep, certified once for some of them.

mod certify;
mod closest;
mod crossed;
mod nearing;
mod pair;
mod pairs;
mod particles;
mod solve;
mod touched;

pub(crate) use certify::{Held, Means};
pub(crate) use crossed::Crossed;
pub(crate) use pair::{Meeting, Pair};
pub(crate) use pairs::Contacts;
pub(crate) use particles::Grains;
