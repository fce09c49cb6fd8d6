//! Cloth on a body (V20, V21).

use anyhow::Result;
use crumple::Pairs;

use super::{Method, Variant, colliding, found};
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Lap, Stage, mean, missing, race, ratio, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::cell;
use crate::reproduce::sheet::{Sheet, Value, row};

/// A row of the paper's table, in seconds.
struct Row {
    scene: &'static str,
    printed: &'static str,
    update: f64,
    between: f64,
    boxes: f64,
    regularity: f64,
}

/// The table of section 3.3 of the paper.
const ROWS: [Row; 2] = [
    Row {
        scene: "V20",
        printed: "Slight discretisation: 0.4 s, 0.4 s, (a) 0.7 s (b) 0.1 s",
        update: 0.4,
        between: 0.4,
        boxes: 0.7,
        regularity: 0.1,
    },
    Row {
        scene: "V21",
        printed: "Heavy discretisation: 5.0 s, 6.0 s, (a) 10.0 s (b) 0.5 s",
        update: 5.0,
        between: 6.0,
        boxes: 10.0,
        regularity: 0.5,
    },
];

/// Seconds of the parts in each round: update of both bodies, body with cloth, cloth with itself.
#[derive(Default)]
struct Parts {
    update: Vec<f64>,
    between: Vec<f64>,
    within: Vec<f64>,
    /// Calls, boxes and triangles compared: body with cloth, cloth with itself.
    work: [f64; 2],
}

/// One method on the two bodies and on the cloth alone.
fn parts(stage: &Stage, alone: &Stage, variant: Variant, out: &mut Parts) -> Result<()> {
    /// Frames of each run.
    const FRAMES: usize = 2;
    let query = |lap: &Lap| mean(&lap.seconds) - mean(&lap.update);
    let work = |lap: &Lap| lap.count(|s| s.visits + s.tests + s.candidates);
    let run = |stage: &Stage, pairs| -> Result<Lap> {
        let poses = stage.poses(FRAMES);
        let laps = match variant.at(stage, &poses[0])? {
            Method::Ours(method) => race(&mut [method], &stage.mesh, &poses, pairs, 1),
            Method::Published(method) => race(&mut [method], &stage.mesh, &poses, pairs, 1),
        };
        Ok(laps?.remove(0))
    };
    let between = run(stage, Pairs::Between)?;
    // Only a search within bodies needs normals, which the paper's update includes.
    out.update.push(mean(&run(stage, Pairs::Within)?.update));
    let within = run(alone, Pairs::Within)?;
    out.between.push(query(&between));
    out.within.push(query(&within));
    out.work = [work(&between), work(&within)];
    Ok(())
}

/// One row of the paper's table.
pub fn dressed(k: usize) -> Result<Finding> {
    let paper = &ROWS[k];
    let stage = Stage::named(paper.scene)?;
    let mut cloth = stage.scene.clone();
    cloth.bodies.truncate(1);
    let alone = Stage::of(cloth)?;
    let rounds = if k == 0 { 5 } else { 2 };
    let mut all: [Parts; 3] = Default::default();
    for _ in 0..rounds {
        for (parts_of, variant) in
            all.iter_mut().zip([Variant::BoxesOnly, Variant::AsPublished, Variant::Ours])
        {
            parts(&stage, &alone, variant, parts_of)?;
        }
    }
    let [boxes, published, ours] = &all;
    let mut sheet = Sheet::new([
        "",
        "update",
        "body with cloth",
        "cloth (a) boxes",
        "cloth (b) regularity",
        "(a) / (b)",
        "(a) / slowest other part",
        "(b) / fastest other part",
        "work: body with cloth",
        "work: cloth (a)",
        "body with cloth, work / (a)",
    ]);
    let nothing = || Value::Nothing;
    let Row { update, between, boxes: a, regularity: b, .. } = *paper;
    row!(
        sheet,
        "paper, 1994",
        Value::Seconds(update),
        Value::Seconds(between),
        Value::Seconds(a),
        Value::Seconds(b),
        Value::Times(a / b),
        Value::Times(a / update.max(between)),
        Value::Times(b / update.min(between)),
        nothing(),
        nothing(),
        nothing()
    );
    for (name, of) in [("as published", published), ("Crumple", ours)] {
        let [u, w, x, y] =
            [&of.update, &of.between, &boxes.within, &of.within].map(|t| Value::Seconds(smallest(t)));
        let pick = |f: fn(f64, f64) -> f64| -> Vec<f64> {
            of.update.iter().zip(&of.between).map(|(a, b)| f(*a, *b)).collect()
        };
        row!(
            sheet,
            name,
            u,
            w,
            x,
            y,
            Value::times(ratio(&boxes.within, &of.within)),
            Value::times(ratio(&boxes.within, &pick(f64::max))),
            Value::times(ratio(&of.within, &pick(f64::min))),
            of.work[0],
            boxes.work[1],
            Value::Times(of.work[0] / boxes.work[1])
        );
    }
    let pose = stage.pose(0);
    let hits = |variant: Variant| -> Result<crumple::Contacts> {
        found(&stage, &pose, variant.at(&stage, &pose)?.detector(), Pairs::All)
    };
    let (truth, seen) = (hits(Variant::Ours)?, hits(Variant::AsPublished)?);
    let missed = missing(&truth.triangle_pairs, &seen.triangle_pairs);
    let [cloth, body] = [0, 1].map(|b| thousands(stage.mesh.meshes()[b].triangles().len()));
    let how = format!(
        "our cloth of {cloth} triangles over a body of {body}, two frames, {rounds} repetitions in turn. Queries include the \
         exact test of the triangles that remain. Work counts calls, boxes and triangles compared."
    );
    let now = |column: &str| cell(column).at("", "as published");
    const QUOTE: &str = "our algorithm increases highly the self-collision detection time, which was before the slowest \
                         process (a) and now becomes the fastest (b)";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            paper.printed,
            "Section 3.3, table",
            "boxes over regularity on the cloth itself, over the paper's ratio: {} (more is a greater gain)",
            now("(a) / (b)").over(cell("(a) / (b)").at("", "paper, 1994")),
            &limits::AT_LEAST_AS_MUCH,
        ))
        .claim(
            Claim::new(
                QUOTE,
                "Section 3.3",
                "by boxes, the cloth with itself takes {} × the slowest other part",
                now("(a) / slowest other part"),
                &limits::MORE,
            )
            .because(
                "Our cloth lies close to the body nearly everywhere, so that the boxes of body and cloth overlap more often \
                 than those within the cloth.",
                "body with cloth does {} × the work of the cloth with itself",
                now("body with cloth, work / (a)"),
                &limits::MORE,
            ),
        )
        .claim(Claim::new(
            QUOTE,
            "Section 3.3",
            "by regularity, it takes {} × the fastest other part",
            now("(b) / fastest other part"),
            &limits::LESS,
        ))
        .remark(format!(
            "In the first frame {} pairs intersect, of {} triangles; the published rules miss {missed} of them.",
            truth.triangle_pairs.len(),
            colliding(&truth)
        )))
}
