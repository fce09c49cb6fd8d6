//! The rules of the paper, with and without what it left out.

use super::adjacency::Adjacency;
use crate::Guarantee;
use crate::methods::regularity::certificate::{Certificates, Certifier};
use crate::methods::regularity::posed::Posed;

/// What may excuse a region or a pair from the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Rules {
    /// Rules I and II without the contour test, as the paper ran them: collisions can be missed.
    #[default]
    AsPublished,
    /// Rules I and II with it: nothing is missed.
    WithContours,
    /// Neither: the classical BVH that the paper compares with.
    BoxesOnly,
}

impl Rules {
    /// How reliable answers under these rules are.
    pub fn guarantee(self) -> Guarantee {
        match self {
            Self::WithContours | Self::BoxesOnly => Guarantee::Proved,
            Self::AsPublished => Guarantee::AsPublished,
        }
    }
}

/// The rules at work on bodies.
pub(crate) struct PublishedRules<'a> {
    pub rules: Rules,
    pub adjacency: &'a [Adjacency],
}

impl Certificates for PublishedRules<'_> {
    fn rule_one(&self, certifier: &mut Certifier<1>, posed: &Posed<'_>, body: usize, n: usize) -> bool {
        match self.rules {
            Rules::AsPublished => posed.surfaces[body].facing[n].bits != 0,
            Rules::WithContours => certifier.rule_one(&posed.view(body), n),
            Rules::BoxesOnly => false,
        }
    }

    fn rule_two(
        &self,
        certifier: &mut Certifier<1>,
        posed: &Posed<'_>,
        body: usize,
        [a, b]: [usize; 2],
    ) -> bool {
        let surface = &posed.surfaces[body];
        match self.rules {
            Rules::AsPublished => {
                surface.facing[a].union(&surface.facing[b]).bits != 0
                    && self.adjacency[body].are_adjacent(&surface.hierarchy, a, b)
            }
            Rules::WithContours => certifier.rule_two(&posed.view(body), [a, b]),
            Rules::BoxesOnly => false,
        }
    }
}
