//! Regions, and pairs of regions, that cannot collide.

mod rules;
mod simple_polygon;

pub(crate) use self::rules::Certifier;
#[cfg(test)]
pub(crate) use self::simple_polygon::{Contour, Flat};
