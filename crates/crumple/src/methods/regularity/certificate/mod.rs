//! Regions, and pairs of regions, that cannot collide: the rules, and the contour test that makes them proofs.

mod contour;
mod kept;
mod plane;
mod rules;
mod runs;
mod simple_polygon;

pub(crate) use self::rules::{BodyView, Certifier};
#[cfg(test)]
pub(crate) use self::{
    contour::Projection,
    plane::{Point2, Track},
    simple_polygon::{Case, ProjectedContour},
};

use super::posed::Posed;

/// What may excuse a region, or a pair of regions of one body, from the search.
pub(crate) trait Certificates: Sync {
    /// Whether no two triangles of region `n` of a body meet beyond what they share.
    fn rule_one(&self, certifier: &mut Certifier<1>, posed: &Posed<'_>, body: usize, n: usize) -> bool;

    /// Whether no triangle of one region meets one of the other beyond what they share.
    fn rule_two(
        &self,
        certifier: &mut Certifier<1>,
        posed: &Posed<'_>,
        body: usize,
        regions: [usize; 2],
    ) -> bool;
}

/// Rules I and II with the contour test: nothing is missed.
pub(crate) struct Proved;

impl Certificates for Proved {
    fn rule_one(&self, certifier: &mut Certifier<1>, posed: &Posed<'_>, body: usize, n: usize) -> bool {
        certifier.rule_one(&posed.view(body), n)
    }

    fn rule_two(
        &self,
        certifier: &mut Certifier<1>,
        posed: &Posed<'_>,
        body: usize,
        regions: [usize; 2],
    ) -> bool {
        certifier.rule_two(&posed.view(body), regions)
    }
}
