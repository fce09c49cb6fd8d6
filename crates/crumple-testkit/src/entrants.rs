//! Every method that lists pairs, by itself, kept through frames and edits.

use crumple::methods::brute_force::Ask;
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{Bodies, Contacts, Detector, Frame, Pairs, SurfaceMethod};

use crate::oracle::same;

/// The methods, and what each of them answers.
pub struct Entrants(Vec<(Box<dyn Detector>, Ask)>);

impl Entrants {
    pub fn new() -> Self {
        let triangles = Ask { triangles: true, vertices: false, edges: false };
        let find = Find { vertex_tets: true, edge_tets: true, triangle_pairs: true };
        let hash = SpatialHash::new(SpatialHashParams { find, ..SpatialHashParams::default() });
        Self(vec![
            (SurfaceMethod::Regularity.build(), triangles),
            (SurfaceMethod::BucketTree.build(), triangles),
            (
                Box::new(hash.expect("the defaults are in range")),
                Ask { triangles: true, vertices: true, edges: true },
            ),
        ])
    }

    /// Brings all methods to a frame, checks their invariants, and compares what they find with the truth.
    pub fn compare(&mut self, bodies: &Bodies, frame: Frame<'_>, truth: &Contacts) -> Result<(), String> {
        let mut found = Contacts::default();
        for (method, ask) in &mut self.0 {
            let name = method.name();
            let mut ready = method.update(bodies, frame).map_err(|e| format!("{name}: {e}"))?;
            ready.validate().map_err(|e| format!("{name}: {e}"))?;
            ready.contacts(Pairs::All, &mut found);
            if ask.triangles {
                same("contacts", &found.triangle_pairs, &truth.triangle_pairs, name)?;
            }
            if ask.vertices {
                let pairs =
                    |c: &Contacts| c.vertex_tets.iter().map(|v| (v.vertex, v.tet)).collect::<Vec<_>>();
                same("vertices in tets", &pairs(&found), &pairs(truth), name)?;
            }
            if ask.edges {
                same("edges in tets", &found.edge_tets, &truth.edge_tets, name)?;
            }
        }
        Ok(())
    }
}
