//! The models (M18) and what the stages cost (M17).

use anyhow::{Context, Result};
use crumple::methods::distance_hierarchy::published::{EXPERIMENTS, Published};
use crumple::{BodyId, Frame, VertexId};
use crumple_scenes::papers::madera::Model;

use crate::reproduce::finding::Finding;
use crate::reproduce::lab::Stage;
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// M18: vertices, faces, edges.
pub fn table() -> Result<Finding> {
    const ROWS: [(&str, Model, [usize; 3]); 5] = [
        ("Torus", Model::Torus, [768, 1536, 2304]),
        ("Pawn", Model::Pawn, [610, 1216, 1824]),
        ("Human", Model::Human, [946, 1888, 40]),
        ("Cylinder", Model::Cylinder, [258, 512, 768]),
        ("Tooth", Model::Tooth, [1202, 2400, 3600]),
    ];
    let mut sheet = Sheet::new([
        "model",
        "paper: vertices",
        "paper: faces",
        "paper: edges",
        "vertices",
        "faces",
        "edges",
        "Euler characteristic",
    ]);
    let (mut counts, mut edges) = (true, Vec::new());
    for (name, model, paper) in ROWS {
        let stage = Stage::of(model.scene(name))?;
        let body = &stage.mesh.bodies()[0];
        let ours = [body.vertex_count(), body.triangle_list().len(), body.topology().edges().len()];
        counts &= ours[..2] == paper[..2];
        if ours[2] != paper[2] {
            edges.push(format!(
                "{} for the {}, where {} are printed",
                ours[2],
                name.to_lowercase(),
                paper[2]
            ));
        }
        let euler = (ours[0] + ours[1]) as f64 - ours[2] as f64;
        row!(
            sheet,
            name,
            paper[0],
            paper[1],
            paper[2],
            ours[0],
            ours[1],
            ours[2],
            Value::Text(format!("{euler:.0}"))
        );
    }
    let how = "our closed models with these names; edges are counted, not derived.";
    Ok(Finding::new(how, sheet)
        .check(counts, "vertices and faces of all five models are those of Table 1")
        .check(
            edges.is_empty(),
            if edges.is_empty() {
                "and so are the edges".to_owned()
            } else {
                format!("edges: {}", edges.join(", "))
            },
        )
        .remark("A closed surface of triangles has 3/2 edges per face, so the 40 is a slip of the table."))
}

/// M17: pairs at level 1, sizes of last regions, neighbours.
pub fn costs() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "experiment",
        "pairs of objects and steps",
        "level 1: compared",
        "level 1: opened, mean",
        "most",
        "fewer than 30",
        "vertices in a last region, most",
        "neighbours, mean",
        "most ",
    ]);
    let (mut compared_most, mut usually, mut region_most) = (0, f64::INFINITY, 0);
    let mut neighbours_most = 0;
    for experiment in &EXPERIMENTS {
        let stage = Stage::named(experiment.id)?;
        let poses = stage.poses(25);
        let slices = poses[0].slices();
        let mut published =
            Published::new(&stage.mesh, Frame::new(&slices), experiment.params(experiment.best))?;
        let (mut opened, mut compared) = (Vec::new(), 0);
        for pose in &poses {
            let slices = pose.slices();
            published.update(&stage.mesh, Frame::new(&slices))?;
            let step = published.step();
            let pairs = published.numcd().len() as u64;
            compared = compared.max(step.compared.first().map_or(0, |n| n.div_ceil(pairs)));
            let live = (0..published.numcd().len()).map(|p| published.cd(p));
            opened.extend(live.map(|cd| cd.iter().filter(|c| c.level == 1).count()));
        }
        let most = opened.iter().copied().max().context("there are pairs")?;
        let few = opened.iter().filter(|n| **n < 30).count() as f64 / opened.len() as f64;
        // The rule of the text, without epsilons by hand, cuts as deep as 30 vertices ask for.
        let free = Published::new(&stage.mesh, Frame::new(&slices), experiment.computed())?;
        let last = stage.mesh.body_ids().map(|b| largest_last_region(&free, &stage, b)).max().unwrap_or(0);
        let (mut sum, mut count, mut around) = (0, 0, 0);
        for body in stage.mesh.bodies() {
            for v in 0..body.vertex_count() {
                let n = body.topology().neighbours(VertexId(v as u32)).count();
                sum += n;
                count += 1;
                around = around.max(n);
            }
        }
        compared_most = compared_most.max(compared);
        usually = usually.min(few);
        region_most = region_most.max(last);
        neighbours_most = neighbours_most.max(around);
        let mean = opened.iter().sum::<usize>() as f64 / opened.len() as f64;
        let neighbours = sum as f64 / f64::from(count);
        row!(
            sheet,
            experiment.id,
            opened.len(),
            compared,
            mean,
            most,
            Value::Share(few),
            last,
            neighbours,
            around
        );
    }
    let how = "the three experiments with the epsilons that the paper found best, 25 steps each. Regions of at most 30 \
               vertices are not cut further.";
    Ok(Finding::new(how, sheet)
        .check(
            compared_most <= 64,
            format!("at most {compared_most} pairs compared at level 1 (claimed: 64)"),
        )
        .check(
            usually > 0.5,
            format!("fewer than 30 opened in at least {} % of the cases (usually)", digits(100.0 * usually)),
        )
        .check(
            region_most < 32,
            format!("at most {region_most} vertices in a last region (claimed: fewer than 32)"),
        )
        .check(
            neighbours_most < 10,
            format!("at most {neighbours_most} neighbours of a vertex (claimed: normally fewer than 10)"),
        ))
}

/// Mean vertices of the last regions of a body, rounded up.
fn largest_last_region(published: &Published, stage: &Stage, body: BodyId) -> usize {
    let regions = published.level_sizes(body).last().map_or(1, |(count, _)| *count);
    stage.mesh.body(body).vertex_count().div_ceil(regions)
}
