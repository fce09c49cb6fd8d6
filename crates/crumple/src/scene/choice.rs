//! Which method answers, and why.

use crate::methods::brute_force::{Ask, BruteForce};
use crate::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crate::methods::regularity::{Regularity, RegularityParams};
use crate::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crate::{BuildError, Detector, Frame, Mesh};

/// The five questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// Where does this surface hit itself, or another?
    Contacts,
    /// Which vertices are inside which tetrahedra?
    Penetrations,
    /// How much volume do they share?
    Overlap,
    /// Is this point inside?
    Inside,
    /// How close are they, and where?
    Distance,
}

/// A method for intersecting triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SurfaceMethod {
    /// Shape regularity: uses connectivity where there is any, and boxes where not.
    #[default]
    Regularity,
    /// The bucket tree: needs no topology, and follows bodies that are cut.
    BucketTree,
    /// Everything against everything.
    BruteForce,
}

/// A method for vertices inside tets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SolidMethod {
    /// Spatial hashing.
    #[default]
    SpatialHash,
    /// Everything against everything.
    BruteForce,
}

/// One question, the method that answers it, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is asked.
    pub question: Question,
    /// The method's name, as the program spells it.
    pub method: &'static str,
    /// One sentence.
    pub why: String,
}

impl SurfaceMethod {
    pub(super) fn build(self, mesh: &Mesh, frame: Frame<'_>) -> Result<Box<dyn Detector + Send>, BuildError> {
        Ok(match self {
            Self::Regularity => Box::new(Regularity::new(mesh, frame, RegularityParams::default())?),
            Self::BucketTree => Box::new(BucketTree::new(mesh, frame, BucketTreeParams::default())?),
            Self::BruteForce => {
                let mut method = BruteForce::surfaces();
                method.update(mesh, frame)?;
                Box::new(method)
            }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Regularity => "regularity",
            Self::BucketTree => "bucket-tree",
            Self::BruteForce => "brute-force",
        }
    }
}

impl SolidMethod {
    pub(super) fn build(self, mesh: &Mesh, frame: Frame<'_>) -> Result<Box<dyn Detector + Send>, BuildError> {
        Ok(match self {
            Self::SpatialHash => {
                let mut method = SpatialHash::new(SpatialHashParams::default())?;
                method.update(mesh, frame)?;
                Box::new(method)
            }
            Self::BruteForce => {
                let mut method = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
                method.update(mesh, frame)?;
                Box::new(method)
            }
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::SpatialHash => "spatial-hash",
            Self::BruteForce => "brute-force",
        }
    }
}

/// Which method answers which question on this mesh.
pub(super) fn explain(mesh: &Mesh, forced: (Option<SurfaceMethod>, Option<SolidMethod>)) -> Vec<Choice> {
    let open =
        mesh.bodies().iter().filter(|b| !b.triangle_list().is_empty() && !b.topology().is_closed()).count();
    let surfaces = match forced.0 {
        Some(_) => "it was forced".to_owned(),
        None => {
            "it uses connectivity where there is any, needs none, and is exact on every surface".to_owned()
        }
    };
    let solids = match (forced.1, mesh.tets().len()) {
        (Some(_), _) => "it was forced".to_owned(),
        (None, 0) => "no body has tets, so there is nothing to find".to_owned(),
        (None, n) => format!("its cost follows the {n} tets, whatever shape they make"),
    };
    let layers = match open {
        0 => "every surface is closed, so winding numbers tell inside from outside".to_owned(),
        n => format!("winding numbers tell inside from outside; {n} bodies are open and will be refused"),
    };
    let choice = |question, method, why| Choice { question, method, why };
    vec![
        choice(Question::Contacts, forced.0.unwrap_or_default().name(), surfaces),
        choice(Question::Penetrations, forced.1.unwrap_or_default().name(), solids),
        choice(Question::Overlap, "layered-depth", layers.clone()),
        choice(Question::Inside, "layered-depth", layers),
        choice(
            Question::Distance,
            "distance-hierarchy",
            "bounds rule out far regions, the exact narrow phase decides".to_owned(),
        ),
    ]
}
