//! Cloth on a body (V20, V21).

use anyhow::Result;
use crumple::Pairs;

use super::{Method, Variant, colliding, found};
use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Lap, Stage, mean, missing, race};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// A row of the paper's table, in seconds.
struct Row {
    scene: &'static str,
    update: f64,
    between: f64,
    boxes: f64,
    regularity: f64,
}

const ROWS: [Row; 2] = [
    Row { scene: "V20", update: 0.4, between: 0.4, boxes: 0.7, regularity: 0.1 },
    Row { scene: "V21", update: 5.0, between: 6.0, boxes: 10.0, regularity: 0.5 },
];

/// Seconds of the parts: update of both bodies, body with cloth, cloth with itself.
struct Parts {
    update: f64,
    between: f64,
    within: f64,
}

/// One method on the two bodies and on the cloth alone.
fn parts(stage: &Stage, variant: Variant, rounds: usize) -> Result<Parts> {
    const FRAMES: usize = 2;
    let query = |lap: &Lap| mean(&lap.seconds) - mean(&lap.update);
    let run = |stage: &Stage, pairs| -> Result<Lap> {
        let poses = stage.poses(FRAMES);
        let laps = match variant.at(stage, &poses[0])? {
            Method::Ours(method) => race(&mut [method], &stage.mesh, &poses, pairs, rounds),
            Method::Published(method) => race(&mut [method], &stage.mesh, &poses, pairs, rounds),
        };
        Ok(laps?.remove(0))
    };
    let between = run(stage, Pairs::Between)?;
    // Only a search within bodies needs normals, which the paper's update includes.
    let update = mean(&run(stage, Pairs::Within)?.update);
    let mut alone = stage.scene.clone();
    alone.bodies.truncate(1);
    let within = run(&Stage::of(alone)?, Pairs::Within)?;
    Ok(Parts { update, between: query(&between), within: query(&within) })
}

/// One row of the paper's table.
pub fn dressed(k: usize) -> Result<Finding> {
    let paper = &ROWS[k];
    let stage = Stage::named(paper.scene)?;
    let rounds = if k == 0 { 4 } else { 2 };
    let boxes = parts(&stage, Variant::BoxesOnly, rounds)?;
    let published = parts(&stage, Variant::AsPublished, rounds)?;
    let ours = parts(&stage, Variant::Ours, rounds)?;

    let mut sheet = Sheet::new([
        "",
        "update",
        "body with cloth",
        "cloth with itself (a) boxes",
        "(b) regularity",
        "(a) / (b)",
    ]);
    let mut add = |name: &str, [update, between, a, b]: [f64; 4]| {
        let [update, between] = [update, between].map(Value::Seconds);
        row!(sheet, name, update, between, Value::Seconds(a), Value::Seconds(b), Value::Times(a / b));
        a / b
    };
    let printed = add("paper, 1994", [paper.update, paper.between, paper.boxes, paper.regularity]);
    let gain =
        add("as published, now", [published.update, published.between, boxes.within, published.within]);
    add("Crumple", [ours.update, ours.between, boxes.within, ours.within]);
    let slowest = boxes.within >= published.between && boxes.within >= published.update;
    let fastest = published.within <= published.between && published.within <= published.update;

    let pose = stage.pose(0);
    let hits = |variant: Variant| -> Result<crumple::Contacts> {
        found(&stage, &pose, variant.at(&stage, &pose)?.detector(), Pairs::All)
    };
    let (truth, seen) = (hits(Variant::Ours)?, hits(Variant::AsPublished)?);
    let missed = missing(&truth.triangle_pairs, &seen.triangle_pairs);
    let [cloth, body] = [0, 1].map(|b| thousands(stage.mesh.meshes()[b].triangles().len()));
    let how = format!(
        "our cloth of {cloth} triangles over a body of {body}, two frames. Queries include the exact test of the \
         triangles that remain."
    );
    Ok(Finding::new(how, sheet)
        .check(
            gain >= printed / 3.0,
            format!(
                "regularity is {} × faster than boxes on the cloth itself, {} × in the paper (at least a third)",
                digits(gain),
                digits(printed)
            ),
        )
        .check(slowest, "by boxes the cloth with itself is the slowest part")
        .check(fastest, "by regularity it is the fastest part")
        .remark(format!(
            "In the first frame {} pairs intersect, of {} triangles; the published rules miss {missed} of them.",
            truth.triangle_pairs.len(),
            colliding(&truth)
        )))
}
