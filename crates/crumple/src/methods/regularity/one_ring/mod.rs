//! The triangles round a vertex.

mod certify;
mod topology;

pub(crate) use self::certify::CertifyFans;
pub(crate) use self::topology::{Spokes, Star, Stars};
