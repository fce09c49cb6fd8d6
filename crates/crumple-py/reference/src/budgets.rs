//! Answers within a budget, and pairs that may be close.

use crumple::{BodyId, Budget, Closeness, ProximityCandidates, Scene};

use crate::answers::{Done, Target};

/// Visits of a structure: few, so that something is left undecided.
const VISITS: u64 = 40;

/// Asked first in a frame: contacts that are known already need no budget.
pub fn contacts(scene: &mut Scene, to: &Target<'_>) -> Done {
    let found = scene.contacts_budgeted(Budget::visits(VISITS))?;
    let rows = found.contacts.iter().map(|c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]);
    to.put("within_contacts", &rows.collect::<Vec<_>>())?;
    let bodies = found.undecided.iter().map(|u| u.bodies.map(|b| b.0));
    to.put("undecided_bodies", &bodies.collect::<Vec<_>>())?;
    let boxes = found.undecided.iter().flat_map(|u| u.boxes.map(|b| [b.min, b.max]).into_iter().flatten());
    to.put("undecided_corners", &boxes.collect::<Vec<_>>())?;
    to.put("undecided_most", &found.undecided.iter().map(|u| [u.most as f64]).collect::<Vec<_>>())
}

/// Asked before distances are known.
pub fn distances(scene: &mut Scene, to: &Target<'_>) -> Done {
    let ids: Vec<BodyId> = scene.ids().collect();
    let mut rows = Vec::new();
    for pair in ids.windows(2) {
        if let Some(d) = scene.distance_budgeted([pair[0], pair[1]], Budget::visits(VISITS))? {
            rows.push([f64::from(pair[0].0), f64::from(pair[1].0), d.distance, d.lower, d.upper]);
        }
    }
    to.put("within_distances", &rows)
}

/// Pairs that may be closer than a distance; pairs of vertices with a reach of their own.
pub fn close(scene: &mut Scene, within: f64, to: &Target<'_>) -> Done {
    let mut found = ProximityCandidates::default();
    let _ = scene.proximity_candidates(&Closeness::below(within), &mut found)?;
    let bodies = scene.bodies();
    let vertices = found.vertex_triangles.iter().map(|&(v, t)| {
        let ((a, v), (b, t)) = (bodies.locate_vertex(v), bodies.locate_triangle(t));
        [a.0, v.0, b.0, t.0]
    });
    to.put("candidate_vertex_triangles", &vertices.collect::<Vec<_>>())?;
    to.put("candidate_edge_edges", &[[found.edge_edges.len() as u32]])?;

    let near = scene.proximity(&Closeness::below(within))?;
    to.put("nearest", &near.nearest_triangles().map(|p| [p.distance]).collect::<Vec<_>>())?;
    // Every third vertex reaches, half as far.
    let vertices: usize = scene.bodies().meshes().iter().map(|m| m.vertex_count()).sum();
    let reach: Vec<f64> = (0..vertices).map(|v| if v % 3 == 0 { 0.5 * within } else { 0.0 }).collect();
    let near = scene.proximity(&Closeness { reach: Some(&reach), ..Closeness::below(within) })?;
    let rows = near.vertex_triangles.iter().map(|p| [p.distance]);
    to.put("reach_distances", &rows.chain(near.edge_edges.iter().map(|p| [p.distance])).collect::<Vec<_>>())
}
