//! A paper's own rule beside the exact answer, on any bodies.

use std::collections::BTreeSet;

use crumple::methods::distance_hierarchy::published as madera;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::methods::layered_depth::published as heidelberger;
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::{Bodies, BodyId, Error, Frame, Resolution};

use super::{Rule, compare};
use crate::clock;
use crate::structure::{closed_bodies, near_pairs};

/// Rays across a body in Heidelberger's images, as in the paper's tables.
const RAYS: u32 = 64;

/// What a rule finds of what there is.
#[derive(Debug, Default)]
pub struct Beside {
    /// What is counted.
    pub what: &'static str,
    /// How many are there, exactly; how many of them the rule finds, and misses.
    pub there: usize,
    pub found: usize,
    pub missed: usize,
    /// Milliseconds of exact detection and of the rule.
    pub exact_ms: f64,
    pub rule_ms: f64,
    /// Triangles of what is missed, counted over all bodies.
    pub triangles: Vec<u32>,
}

/// Asks a paper's rule (`volino`, `ganovelli`, `teschner`, `heidelberger`, `madera`) and the exact method; `contact` is how close Madera's
/// vertices are to collide. `None` if there is no such rule.
pub fn beside(rule: &str, bodies: &Bodies, frame: Frame<'_>, contact: f64) -> Option<Result<Beside, Error>> {
    Some(match rule {
        "heidelberger" => inside(bodies, frame),
        "madera" => close(bodies, frame, contact),
        _ => pairs(Rule::by_name(rule)?, bodies, frame),
    })
}

fn pairs(rule: Rule, bodies: &Bodies, frame: Frame<'_>) -> Result<Beside, Error> {
    let found = compare(rule, bodies, frame)?;
    let what = if rule == Rule::Teschner { "vertices in tets" } else { "pairs of triangles" };
    Ok(Beside {
        what,
        there: found.there,
        found: found.found,
        missed: found.missed,
        exact_ms: found.exact_ms,
        rule_ms: found.rule_ms,
        triangles: found.missed_triangles(),
    })
}

/// Heidelberger: vertices of one body inside another, by the nearest ray.
fn inside(bodies: &Bodies, frame: Frame<'_>) -> Result<Beside, Error> {
    let mut out = Beside { what: "vertices inside", ..Beside::default() };
    let mut exact = LayeredDepth::new(LayeredDepthParams::default());
    let mut paper = heidelberger::Published::new(LayeredDepthParams::default());
    let all: Vec<BodyId> = bodies.body_ids().collect();
    let closed = closed_bodies(bodies);
    let pairs = near_pairs(&all, frame).into_iter().flat_map(|[a, b]| [[a, b], [b, a]]);
    for [holder, guest] in pairs.filter(|[holder, _]| closed.contains(holder)) {
        let Some(points) = frame.get(guest) else { continue };
        let begin = clock::seconds();
        let truth = exact.update(bodies, frame)?.inside(holder, points)?;
        let middle = clock::seconds();
        let told = paper.update(bodies, frame)?.inside(holder, points, Resolution::rays(RAYS))?;
        out.rule_ms += 1e3 * (clock::seconds() - middle);
        out.exact_ms += 1e3 * (middle - begin);
        let missed: Vec<bool> = truth.iter().zip(&told).map(|(t, p)| *t && !*p).collect();
        out.there += truth.iter().filter(|t| **t).count();
        out.missed += missed.iter().filter(|m| **m).count();
        let first = bodies.triangle_range(guest).start as u32;
        let corners = bodies.mesh(guest).triangles().iter().zip(first..);
        let is_missed = |t: &[crumple::VertexId; 3]| t.iter().any(|v| missed[v.index()]);
        out.triangles.extend(corners.filter(|(t, _)| is_missed(t)).map(|(_, id)| id));
    }
    out.found = out.there - out.missed;
    out.triangles = BTreeSet::from_iter(out.triangles).into_iter().collect();
    Ok(out)
}

/// Madera: regions of different bodies with vertices closer than `contact`.
fn close(bodies: &Bodies, frame: Frame<'_>, contact: f64) -> Result<Beside, Error> {
    let mut exact = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
    exact.update(bodies, frame)?;
    let epsilons = madera::Epsilons::Computed { contact };
    let mut paper =
        madera::Published::new(bodies, frame, madera::PublishedParams { region_vertices: 30, epsilons })?;
    let begin = clock::seconds();
    let _ = paper.step();
    let middle = clock::seconds();
    let verdict = paper.judge(&mut exact, contact)?;
    let end = clock::seconds();
    Ok(Beside {
        what: "regions that are close",
        there: verdict.there as usize,
        found: verdict.found as usize,
        missed: verdict.missed as usize,
        exact_ms: 1e3 * (end - middle),
        rule_ms: 1e3 * (middle - begin),
        triangles: Vec::new(),
    })
}
