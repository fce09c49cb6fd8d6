//! A paper's own rule and the exact method, on the same frame.

use std::collections::BTreeSet;

use crumple::methods::bucket_tree::published as ganovelli;
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::published as volino;
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::published as teschner;
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Bodies, Contacts, Detector, Drawing, Error, Frame, Pairs, ParamError};

use crate::clock;

/// The papers that list pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Regularity without the contour test.
    Volino,
    /// The octree of fixed depth.
    Ganovelli,
    /// Cells, with barycentric coordinates in plain floating point.
    Teschner,
}

/// What both found.
pub struct Comparison {
    rule: Rule,
    exact: Contacts,
    published: Contacts,
    pub there: usize,
    pub found: usize,
    pub missed: usize,
    pub exact_ms: f64,
    pub rule_ms: f64,
}

impl Rule {
    /// The rule of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "volino" => Self::Volino,
            "ganovelli" => Self::Ganovelli,
            "teschner" => Self::Teschner,
            _ => return None,
        })
    }

    fn detector(self, published: bool) -> Result<Box<dyn Detector>, ParamError> {
        Ok(match (self, published) {
            (Self::Volino, false) => Box::new(Regularity::new(RegularityParams::default())?),
            (Self::Volino, true) => Box::new(volino::Published::new(volino::PublishedParams::default())?),
            (Self::Ganovelli, false) => Box::new(BucketTree::new(BucketTreeParams::default())?),
            (Self::Ganovelli, true) => {
                Box::new(ganovelli::PublishedBucketTree::new(ganovelli::PublishedParams::default())?)
            }
            (Self::Teschner, false) => Box::new(SpatialHash::new(SpatialHashParams::default())?),
            (Self::Teschner, true) => {
                Box::new(teschner::PublishedSpatialHash::new(teschner::PublishedParams::default())?)
            }
        })
    }
}

/// Asks both. The structures are built before the clock starts.
pub fn compare(rule: Rule, bodies: &Bodies, frame: Frame<'_>) -> Result<Comparison, Error> {
    let ask = |published: bool| -> Result<(Contacts, f64), Error> {
        let mut detector = rule.detector(published)?;
        let mut out = Contacts::default();
        detector.update(bodies, frame)?;
        let begin = clock::seconds();
        detector.update(bodies, frame)?.contacts(Pairs::All, &mut out);
        Ok((out, 1e3 * (clock::seconds() - begin)))
    };
    let ((exact, exact_ms), (published, rule_ms)) = (ask(false)?, ask(true)?);
    let (there, by_rule) = (keys(rule, &exact), keys(rule, &published));
    let found = there.intersection(&by_rule).count();
    let (there, missed) = (there.len(), there.len() - found);
    Ok(Comparison { rule, exact, published, there, found, missed, exact_ms, rule_ms })
}

fn keys(rule: Rule, contacts: &Contacts) -> BTreeSet<(u32, u32)> {
    match rule {
        Rule::Teschner => contacts.vertex_tets.iter().map(|r| (r.vertex.0, r.tet.0)).collect(),
        _ => contacts.triangle_pairs.iter().map(|p| (p.a.0, p.b.0)).collect(),
    }
}

impl Comparison {
    /// The structure after its search.
    pub fn draw(&self, bodies: &Bodies, frame: Frame<'_>, published: bool) -> Result<Drawing, Error> {
        let mut detector = self.rule.detector(published)?;
        let mut ready = detector.update(bodies, frame)?;
        ready.contacts(Pairs::All, &mut Contacts::default());
        let mut drawing = Drawing::default();
        ready.draw(&mut drawing);
        Ok(drawing)
    }

    /// Triangles that touch, by the exact method or by the rule.
    pub fn hit_triangles(&self, published: bool) -> BTreeSet<u32> {
        let contacts = if published { &self.published } else { &self.exact };
        contacts.triangle_pairs.iter().flat_map(|p| [p.a.0, p.b.0]).collect()
    }

    /// Triangles of pairs that the rule misses.
    pub fn missed_triangles(&self) -> Vec<u32> {
        let found: BTreeSet<_> = self.published.triangle_pairs.iter().collect();
        let missed = self.exact.triangle_pairs.iter().filter(|p| !found.contains(p));
        missed.flat_map(|p| [p.a.0, p.b.0]).collect::<BTreeSet<u32>>().into_iter().collect()
    }
}
