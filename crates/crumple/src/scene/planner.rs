//! Which method answers, and why.

use super::mixed::{MIXED, Nature};
use crate::detector::Method;
use crate::methods::brute_force::{Ask, BruteForce};
use crate::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crate::methods::regularity::step::RegularityStep;
use crate::methods::regularity::{Regularity, RegularityParams};
use crate::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crate::methods::swept_bvh::SweptBvh;
pub(super) use crate::methods::swept_bvh::hubs::is_crowded;
use crate::{Detector, Mesh};

/// What can be asked of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Question {
    /// Where does this surface hit itself, or another?
    Contacts,
    /// What passed through what between two frames, and when?
    Impacts,
    /// Which vertices are inside which tetrahedra?
    Penetrations,
    /// How much volume do they share?
    Overlap,
    /// Is this point inside?
    Inside,
    /// How close are they, and where?
    Distance,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Contacts => "contacts",
            Self::Impacts => "impacts",
            Self::Penetrations => "penetrations",
            Self::Overlap => "overlap",
            Self::Inside => "inside",
            Self::Distance => "distance",
        })
    }
}

/// A method for intersecting triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SurfaceMethod {
    /// Shape regularity: uses connectivity where there is any, and boxes where not.
    #[default]
    Regularity,
    /// The bucket tree: needs no topology, and follows bodies that are cut.
    BucketTree,
    /// Spatial hashing of triangles: needs nothing but boxes of similar size.
    SpatialHash,
    /// Everything against everything.
    BruteForce,
}

/// A method for vertices inside tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SolidMethod {
    /// Spatial hashing.
    #[default]
    SpatialHash,
    /// Everything against everything.
    BruteForce,
}

/// A method for what happens between two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum StepMethod {
    /// Shape regularity over time: regions that stay smooth rule themselves out.
    Regularity,
    /// Boxes at both ends of the step.
    SweptBvh,
}

impl StepMethod {
    /// The method's name, as the program spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Regularity => RegularityStep::NAME,
            Self::SweptBvh => SweptBvh::NAME,
        }
    }
}

/// One question, the method that answers it, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Choice {
    /// What is asked.
    pub question: Question,
    /// The method's name, as the program spells it.
    pub method: &'static str,
    /// One sentence.
    pub why: String,
}

impl Choice {
    /// For contacts of a scene that is mostly new.
    pub(super) fn for_new_bodies() -> Self {
        Self {
            question: Question::Contacts,
            method: SurfaceMethod::BucketTree.name(),
            why: "most triangles are new, and it is made quickly; a second frame is answered by what is fast from frame to frame"
                .to_owned(),
        }
    }

    /// For impacts that the other method answers, since it had less to do in the last steps.
    pub(super) fn for_less_work(method: &'static str) -> Self {
        let why = "it had less work in the last steps, by the counts of both".to_owned();
        Self { question: Question::Impacts, method, why }
    }

    /// For contacts where only those between bodies are asked for.
    pub(super) fn for_pairs_between(method: &'static str) -> Self {
        let why =
            "only pairs between bodies were asked for in the last frames, and one method follows all of them";
        Self { question: Question::Contacts, method, why: why.to_owned() }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}, because {}", self.question, self.method, self.why)
    }
}

impl SurfaceMethod {
    /// The detector with its default parameters.
    #[doc(hidden)]
    pub fn build(self) -> Box<dyn Detector> {
        match self {
            Self::Regularity => Box::new(regularity()),
            Self::BucketTree => Box::new(bucket_tree()),
            Self::SpatialHash => Box::new(triangle_hash()),
            Self::BruteForce => Box::new(BruteForce::surfaces()),
        }
    }

    pub(super) fn method(self) -> Box<dyn Method> {
        match self {
            Self::Regularity => Box::new(regularity()),
            Self::BucketTree => Box::new(bucket_tree()),
            Self::SpatialHash => Box::new(triangle_hash()),
            Self::BruteForce => Box::new(BruteForce::surfaces()),
        }
    }

    /// The method's name, as the program spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Regularity => "regularity",
            Self::BucketTree => "bucket-tree",
            Self::SpatialHash => "spatial-hash",
            Self::BruteForce => "brute-force",
        }
    }
}

impl SolidMethod {
    pub(super) fn method(self, with_edges: bool) -> Box<dyn Method> {
        match self {
            Self::SpatialHash => {
                let find = Find { vertex_tets: true, edge_tets: with_edges, triangle_pairs: false };
                let params = SpatialHashParams { find, ..SpatialHashParams::default() };
                Box::new(SpatialHash::new(params).expect("the defaults are in range"))
            }
            Self::BruteForce => {
                Box::new(BruteForce::new(Ask { triangles: false, vertices: true, edges: with_edges }))
            }
        }
    }

    /// The method's name, as the program spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpatialHash => "spatial-hash",
            Self::BruteForce => "brute-force",
        }
    }
}

pub(super) fn regularity() -> Regularity {
    Regularity::new(RegularityParams::default()).expect("the defaults are in range")
}

pub(super) fn bucket_tree() -> BucketTree {
    BucketTree::new(BucketTreeParams::default()).expect("the defaults are in range")
}

fn triangle_hash() -> SpatialHash {
    let find = Find { vertex_tets: false, edge_tets: false, triangle_pairs: true };
    let params = SpatialHashParams { find, ..SpatialHashParams::default() };
    SpatialHash::new(params).expect("the defaults are in range")
}

/// Which method answers which question on these bodies, and why.
pub fn explain(bodies: &[Mesh]) -> Vec<Choice> {
    Forced::default().explain(bodies)
}

/// How many sides of triangles there are, and how many of them join two or more.
struct Connectivity {
    joined: usize,
    sides: usize,
}

impl Connectivity {
    fn of(bodies: &[Mesh]) -> Self {
        let sides: usize = bodies.iter().map(|b| 3 * b.triangle_count()).sum();
        // An edge of k triangles stands for k sides, so what is not an edge of its own is joined; a lone side counts once.
        let edges: usize = bodies.iter().map(Mesh::edge_count).sum();
        Self { joined: 2 * sides.saturating_sub(edges).min(sides / 2), sides }
    }

    fn is_soup(&self) -> bool {
        4 * self.joined < self.sides
    }
}

/// Whether most sides of triangles join nothing.
pub(super) fn is_soup(bodies: &[Mesh]) -> bool {
    Connectivity::of(bodies).is_soup()
}

/// The methods that were asked for by name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forced {
    pub surfaces: Option<SurfaceMethod>,
    pub solids: Option<SolidMethod>,
    pub steps: Option<StepMethod>,
}

impl Forced {
    /// Which method finds contacts, and why.
    fn contacts(self, bodies: &[Mesh]) -> (&'static str, String) {
        if let Some(method) = self.surfaces {
            return (method.name(), "it was asked for".to_owned());
        }
        let natures: Vec<(&Mesh, Nature)> =
            bodies.iter().map(|b| (b, Nature::of(b))).filter(|(_, n)| n.triangles > 0).collect();
        let Some((_, first)) = natures.first() else {
            return (SurfaceMethod::default().name(), Nature::of_nothing().why());
        };
        if natures.iter().all(|(_, n)| n.method == first.method) {
            let all = natures.iter().skip(1).fold(*first, |all, (_, n)| all.with(n));
            return (first.method.name(), all.why());
        }
        let one = |(mesh, nature): &(&Mesh, Nature)| {
            format!("{} goes to {}: {}", mesh.name(), nature.method.name(), nature.why())
        };
        (MIXED, natures.iter().map(one).collect::<Vec<_>>().join("; "))
    }

    /// Which method answers which question on these bodies.
    pub fn explain(self, bodies: &[Mesh]) -> Vec<Choice> {
        let (method, surfaces) = self.contacts(bodies);
        let forced = "it was asked for".to_owned();
        let tets: usize = bodies.iter().map(Mesh::tet_count).sum();
        let solids = match (self.solids, tets) {
            (Some(_), _) => forced,
            (None, 0) => "no body has tets, so there is nothing to find".to_owned(),
            (None, n) => format!("its cost follows the {n} tets, whatever shape they make"),
        };
        let open = bodies.iter().filter(|b| is_open(b)).count();
        let layers = match open {
            0 => "every surface is closed, so winding numbers tell inside from outside".to_owned(),
            n => format!("winding numbers tell inside from outside; {n} bodies are open and have no inside"),
        };
        let by_boxes = is_soup(bodies) || bodies.iter().any(is_crowded);
        let step_method = match self.steps {
            Some(method) => method,
            None if by_boxes => StepMethod::SweptBvh,
            None => StepMethod::Regularity,
        };
        let steps = match step_method {
            _ if self.steps.is_some() => "it was asked for",
            StepMethod::SweptBvh => {
                "boxes at both ends of the step rule out far patches, and the exact narrow phase decides"
            }
            StepMethod::Regularity => {
                "regions that stay smooth throughout the step rule themselves out, and the exact narrow phase decides"
            }
        };
        let choice = |question, method, why| Choice { question, method, why };
        vec![
            choice(Question::Contacts, method, surfaces),
            choice(Question::Impacts, step_method.name(), steps.to_owned()),
            choice(Question::Penetrations, self.solids.unwrap_or_default().name(), solids),
            choice(Question::Overlap, "layered-depth", layers.clone()),
            choice(Question::Inside, "layered-depth", layers),
            choice(
                Question::Distance,
                "distance-hierarchy",
                "bounds rule out far regions, and the exact narrow phase decides".to_owned(),
            ),
        ]
    }
}

/// Whether a body has a surface that is not closed.
pub(super) fn is_open(body: &Mesh) -> bool {
    body.triangle_count() > 0 && !body.is_closed()
}
