//! Volino & Magnenat-Thalmann 1994: self-collision by shape regularity.

mod arity;
mod cloth;
mod contours;
mod explained;
mod fabric;
mod pictures;
mod series;
mod stored;

use anyhow::Result;
use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
use crumple::methods::regularity::{Regularity, RegularityParams, RegularityStats};
use crumple::{Contacts, Detector, Frame, Pairs};

use super::lab::{Pose, Stage};
use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "Volino & Magnenat-Thalmann 1994",
    citation: "P. Volino, N. Magnenat-Thalmann: Efficient Self-Collision Detection on Smoothly Discretized \
               Surface Animations Using Geometrical Shape Regularity, Eurographics 1994",
    idea: "Where does this surface hit itself? A region that one direction sees whole, and whose contour does not \
           cross itself in that view, cannot collide with itself, however many triangles it has. A hierarchy of \
           regions is descended only where that proof fails.",
    machine: "Silicon Graphics Indigo Elan",
    summary: "It claims that self-collisions of a smooth surface are found in time that follows what collides, not what is \
              there, because a region that one direction sees whole cannot hit itself. That is true, and its counts of \
              calls are met. What it leaves out in practice, the test of contours, is needed: without it pairs are missed \
              even on an everyday crumpled sheet, and stored vertices do not tell all neighbours. Crumple tests the \
              contour of the union exactly, with more directions and patches as leaves, and misses nothing.",
    experiments: &[
        Experiment {
            ids: &["V18", "V8", "V17"],
            title: "A sphere, discretised ever finer",
            source: "Section 3.1, Fig. 8, Tables 1a and 1b",
            claim: "Boxes alone: about 20 calls and 6 triangle tests per triangle. With regularity: about 300 calls \
                    in all and no test, whatever the number of triangles.",
            run: series::sphere,
        },
        Experiment {
            ids: &["V19"],
            title: "A surface that crosses itself",
            source: "Section 3.2, Fig. 9, Tables 2a and 2b",
            claim: "Boxes alone: as on the sphere. With regularity: about 20 calls and 3 triangle tests per \
                    colliding triangle, so linear in what collides and not in what is there.",
            run: series::crossing,
        },
        Experiment {
            ids: &["V20"],
            title: "Cloth on a body, slightly discretised",
            source: "Section 3.3, Fig. 10",
            claim: "Cloth of 3800, body of 17,200 triangles: update 0.4 s, body with cloth 0.4 s, cloth with itself \
                    0.7 s by boxes and 0.1 s by regularity: from the slowest part to the fastest.",
            run: |_| cloth::dressed(0),
        },
        Experiment {
            ids: &["V21"],
            title: "Cloth on a body, heavily discretised",
            source: "Section 3.3, Fig. 10",
            claim: "Cloth of 56,400, body of 111,000 triangles: update 5.0 s, body with cloth 6.0 s, cloth with \
                    itself 10.0 s by boxes and 0.5 s by regularity.",
            run: |_| cloth::dressed(1),
        },
        Experiment {
            ids: &["V22"],
            title: "The hierarchy of a cloth",
            source: "Section 2.3.1, Fig. 3",
            claim: "A cloth of 50,000 triangles is merged into round regions, by three, in O(log n) levels.",
            run: pictures::levels,
        },
        Experiment {
            ids: &["V5"],
            title: "How many children",
            source: "Section 2.3.1",
            claim: "Two children are best in theory, three are a good value in practice.",
            run: arity::children,
        },
        Experiment {
            ids: &["V23"],
            title: "Regions that are looked at",
            source: "Figs 7 to 10",
            claim: "Only regions close to a collision are searched in depth; their number does not grow with the \
                    smoothness of the discretisation.",
            run: pictures::why_tested,
        },
        Experiment {
            ids: &["V24"],
            title: "A direction that sees everything",
            source: "Figs 1, 2, 5 and 6",
            claim: "A region has no self-collision when one direction has a positive dot product with all its \
                    normals; bit fields of sampled directions find it.",
            run: explained::figures,
        },
        Experiment {
            ids: &["V10"],
            title: "Vertices stored round a region",
            source: "Section 2.3.3, Fig. 4",
            claim: "A region stores few vertices of its contour, hardly more than 6, and they suffice to tell any two \
                    neighbours.",
            run: stored::vertices,
        },
        Experiment {
            ids: &["V14"],
            title: "The contour test that was left out",
            source: "Section 2.3.5",
            claim: "The test of the contours is hardly ever decisive and can be left out when contours are regular.",
            run: contours::left_out,
        },
        Experiment {
            ids: &["V12"],
            title: "How many directions",
            source: "Section 2.3.4, Fig. 5",
            claim: "Directions are sampled, 12 in the figure: corners and face centres of a regular polyhedron.",
            run: contours::directions,
        },
        Experiment {
            ids: &["V28"],
            title: "Fabric that is grasped and folded",
            source: "Section 4",
            claim: "Future work will handle fabric in a mechanical system: grasped, manipulated, folded.",
            run: fabric::handled,
        },
    ],
};

/// One way to run the method.
#[derive(Clone, Copy)]
enum Variant {
    /// The paper's hierarchy without its rules: the classical algorithm that it compares with.
    BoxesOnly,
    /// The paper's rules.
    AsPublished,
    /// The same with the test of contours.
    WithContours,
    /// Crumple's default.
    Ours,
}

impl Variant {
    /// The method, at a pose.
    fn at(self, stage: &Stage, pose: &Pose) -> Result<Method> {
        let rules = match self {
            Self::Ours => return Ok(Method::Ours(ours(stage, pose, RegularityParams::default())?)),
            Self::BoxesOnly => Rules::BoxesOnly,
            Self::AsPublished => Rules::AsPublished,
            Self::WithContours => Rules::WithContours,
        };
        Ok(Method::Published(published(stage, pose, rules)?))
    }
}

/// The method at work.
enum Method {
    Ours(Regularity),
    Published(Published),
}

impl Method {
    fn detector(&mut self) -> &mut dyn Detector {
        match self {
            Self::Ours(method) => method,
            Self::Published(method) => method,
        }
    }

    fn stats(&self) -> RegularityStats {
        match self {
            Self::Ours(method) => method.stats(),
            Self::Published(method) => method.stats(),
        }
    }
}

/// Our method at a pose.
fn ours(stage: &Stage, pose: &Pose, params: RegularityParams) -> Result<Regularity> {
    let slices = pose.slices();
    let mut method = Regularity::new(params)?;
    method.update(&stage.mesh, Frame::new(&slices))?;
    Ok(method)
}

/// The published method at a pose, with the paper's parameters.
fn published(stage: &Stage, pose: &Pose, rules: Rules) -> Result<Published> {
    let slices = pose.slices();
    let mut method = Published::new(PublishedParams { rules, ..Default::default() })?;
    method.update(&stage.mesh, Frame::new(&slices))?;
    Ok(method)
}

/// What a detector finds at the pose it is at.
fn found(stage: &Stage, pose: &Pose, detector: &mut dyn Detector, pairs: Pairs) -> Result<Contacts> {
    let slices = pose.slices();
    let mut contacts = Contacts::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.contacts(pairs, &mut contacts);
    Ok(contacts)
}

/// Triangles that are in some pair.
fn colliding(contacts: &Contacts) -> usize {
    let mut triangles: Vec<_> = contacts.triangle_pairs.iter().flat_map(|p| [p.a, p.b]).collect();
    triangles.sort_unstable();
    triangles.dedup();
    triangles.len()
}
