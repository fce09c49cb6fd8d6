//! The models (M18) and what the stages cost (M17).

use anyhow::Result;
use crumple::methods::distance_hierarchy::published::Published;
use crumple::{Frame, VertexId};
use crumple_scenes::papers::madera::Model;

use super::experiments::EXPERIMENTS;
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
        let body = &stage.mesh.meshes()[0];
        let ours = [body.vertex_count(), body.triangles().len(), body.topology().edges().len()];
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

/// M17: pairs at level 1, neighbours.
pub fn costs() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "experiment",
        "pairs of objects and steps",
        "level 1: compared",
        "opened, mean",
        "opened, most",
        "fewer than 30 opened",
        "neighbours, mean",
        "neighbours, most",
        "fewer than 10 neighbours",
    ]);
    let (mut compared_most, mut usually, mut normally) = (0, f64::INFINITY, f64::INFINITY);
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
        let neighbours: Vec<usize> = (stage.mesh.meshes().iter())
            .flat_map(|b| (0..b.vertex_count() as u32).map(|v| b.topology().neighbours(VertexId(v)).count()))
            .collect();
        let mean = |of: &[usize]| of.iter().sum::<usize>() as f64 / of.len() as f64;
        let below = |of: &[usize], limit| of.iter().filter(|n| **n < limit).count() as f64 / of.len() as f64;
        let most = |of: &[usize]| of.iter().copied().max().unwrap_or(0);
        let (few, usual) = (below(&opened, 30), below(&neighbours, 10));
        compared_most = compared_most.max(compared);
        usually = usually.min(few);
        normally = normally.min(usual);
        row!(
            sheet,
            experiment.id,
            opened.len(),
            compared,
            mean(&opened),
            most(&opened),
            Value::Share(few),
            mean(&neighbours),
            most(&neighbours),
            Value::Share(usual)
        );
    }
    let how = "the three experiments with the epsilons that the paper found best, 25 steps each; counts of level 1 are \
               those of one pair of objects in one step.";
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
            normally >= 0.95,
            format!(
                "at least {} % of the vertices have fewer than 10 neighbours (normally)",
                digits(100.0 * normally)
            ),
        ))
}
