//! The paper's scenes, drawn (T37).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{PublishedParams, PublishedSpatialHash};
use crumple::{Contacts, Detector, Drawing, Frame, Pairs, TetId, Tone};
use crumple_io::picture::{Boxes, Image, Legend, Lines, Points, Surface, View, palette};

use super::{hashes, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::sum;
use crate::reproduce::scenery::{Drawn, HALF, bodies, canvas};
use crate::reproduce::sheet::{Sheet, row};

/// The steps that are drawn: of set-ups A and B in the middle of the run, of the vessels where they are entwined.
const MIDDLE: usize = 500;
const ENTWINED: usize = 300;
/// The part of the vessels, from bottom to top, that Fig. 10 shows.
const PART: [f64; 2] = [0.4, 0.6];
/// Every so many tets are looked at for the one that meets most vertices.
const EVERY_TET: usize = 20;

/// T37: set-ups A, B and D, cells, and the mesh of the vessels.
pub fn scenes(_: Extent) -> Result<Finding> {
    /// Table 1 of the paper: objects, tets, vertices.
    const SETUPS: [(&str, &str, [usize; 3]); 5] = [
        ("A", "T25", [100, 1000, 1200]),
        ("B", "T26", [8, 4000, 1936]),
        ("C", "T27", [20, 10_000, 4840]),
        ("D", "T28", [2, 20_514, 5898]),
        ("E", "T29", [100, 50_000, 24_200]),
    ];
    let mut sheet = Sheet::new([
        "set-up",
        "objects",
        "tets",
        "vertices",
        "paper: objects",
        "paper: tets",
        "paper: vertices",
        "differ",
    ]);
    let mut stages = Vec::new();
    for (letter, scene, paper) in SETUPS {
        let stage = Stage::named(scene)?;
        let ours = [stage.mesh.meshes().len(), stage.mesh.tets().len(), stage.mesh.vertex_count()];
        let differ = ours.iter().zip(&paper).filter(|(a, b)| a != b).count();
        row!(sheet, letter, ours[0], ours[1], ours[2], paper[0], paper[1], paper[2], differ);
        stages.push(stage);
    }
    let upright = View::auto().up([0.0, 0.0, 1.0]);
    // The vessels are long and stand upright: laid down they fill the picture.
    let lying = View::looking_from([0.3, -1.0, 0.15]).up([1.0, 0.0, 0.0]);
    let [a, b, d] = [(0, MIDDLE, upright), (1, MIDDLE, upright), (3, ENTWINED, lying)]
        .map(|(k, step, view)| hits(&stages[k], step, view));
    let ((a, in_a), (b, in_b), (d, in_d)) = (a?, b?, d?);
    let how = "our scenes with the counts of Table 1, drawn from the published method's own results.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "A: 100 objects, 1000 tetras, 1200 vertices; B: 8, 4000, 1936; C: 20, 10000, 4840; D: 2, 20514, 5898; E: 100, \
             50000, 24200",
            "Table 1",
            "our set-ups differ from the table in {} of 15 counts",
            sum("differ"),
            &limits::NONE,
        ))
        .picture(
            a,
            format!("Fig. 7, set-up A: 100 objects of 10 tets. Vermilion: {in_a} vertices in foreign tets."),
        )
        .picture(
            b,
            format!("Fig. 8, set-up B: 8 objects of 500 tets. Vermilion: {in_b} vertices in foreign tets."),
        )
        .picture(d, format!("Fig. 9, set-up D: two entwined vessels, {in_d} vertices in foreign tets."))
        .picture(
            one_tet(&stages[1], MIDDLE)?,
            "Fig. 2: a tet, the cells that its box covers, and the vertices that are found there and tested.",
        )
        .picture(
            cells(&stages[1], MIDDLE)?,
            "The same for all: the cells of set-up B that hold vertices, each as long as the mean edge.",
        )
        .picture(wires(&stages[3], ENTWINED), "Fig. 10: the tetrahedral mesh of the vessels, every edge drawn."))
}

/// Where the vertices are that the method finds inside tets.
fn found(stage: &Stage, pose: &Pose, hash: &mut PublishedSpatialHash) -> Result<Vec<[f64; 3]>> {
    let slices = pose.slices();
    let mut contacts = Contacts::default();
    hash.update(&stage.mesh, Frame::new(&slices))?.contacts(Pairs::All, &mut contacts);
    contacts.vertex_tets.dedup_by_key(|c| c.vertex);
    let place = |v| {
        let (body, vertex) = stage.mesh.locate_vertex(v);
        pose.0[body.index()][vertex.index()]
    };
    Ok(contacts.vertex_tets.iter().map(|c| place(c.vertex)).collect())
}

fn hits(stage: &Stage, step: usize, view: View) -> Result<(Image, usize)> {
    let pose = stage.pose(step);
    let points = found(stage, &pose, &mut hashes(stage, &pose, [published(stage)])?[0])?;
    let picture = bodies(canvas(HALF), stage, &pose, 1.0).view(view);
    Ok((picture.points(Points::new(&points).size(6.0).see_through(0.5)).render(), points.len()))
}

/// The tet that meets most vertices.
fn one_tet(stage: &Stage, step: usize) -> Result<Image> {
    let pose = stage.pose(step);
    let slices = pose.slices();
    let frame = Frame::new(&slices);
    let hash = &hashes(stage, &pose, [PublishedParams::default()])?[0];
    let drawing = |tet: u32| {
        let mut drawing = Drawing::default();
        hash.draw_tet(&stage.mesh, frame, TetId(tet), &mut drawing);
        drawing
    };
    let tets = 0..stage.mesh.tets().len() as u32;
    let busiest = tets.step_by(EVERY_TET).max_by_key(|t| drawing(*t).points.len()).unwrap_or(0);
    let drawing = drawing(busiest);
    let drawn = Drawn::new(&drawing, |tone| match tone {
        Tone::Hit => Some(palette::HIGHLIGHT),
        Tone::Visited => Some(palette::body(1)),
        _ => Some(palette::STRUCTURE),
    });
    let (body, _) = stage.mesh.locate_tet(TetId(busiest));
    let first = stage.mesh.vertex_range(body).start;
    let corners = stage.mesh.tets()[busiest as usize].map(|v| pose.0[body.index()][v.index() - first]);
    /// The four faces of a tet.
    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let (low, high) = crumple_scenes::vector::bounds(&corners);
    let own = [[low, high]];
    Ok(drawn
        .onto(canvas(HALF).surface(Surface::new(&corners, &FACES).color(palette::body(0)).opacity(0.7)))
        .boxes(Boxes::new(&own).color(palette::body(0)).width(2.0))
        .floor(false)
        .legend(Legend::keys([
            (palette::body(0), "tet and its box"),
            (palette::HIGHLIGHT, "vertices found"),
            (palette::body(1), "cells with vertices"),
            (palette::STRUCTURE, "empty cells"),
        ]))
        .render())
}

fn cells(stage: &Stage, step: usize) -> Result<Image> {
    let pose = stage.pose(step);
    let hash = &mut hashes(stage, &pose, [PublishedParams::default()])?[0];
    found(stage, &pose, hash)?;
    let slices = pose.slices();
    let mut drawing = Drawing::default();
    hash.update(&stage.mesh, Frame::new(&slices))?.draw(&mut drawing);
    let drawn = Drawn::new(&drawing, |tone| match tone {
        Tone::Hit => Some(palette::HIGHLIGHT),
        _ => Some(palette::STRUCTURE),
    });
    Ok(drawn.onto(bodies(canvas(HALF), stage, &pose, 1.0)).render())
}

/// Every edge of the tets in the middle of the vessels, over the ghosted boundary.
fn wires(stage: &Stage, step: usize) -> Image {
    let pose = stage.pose(step);
    let lines: Vec<_> = (stage.mesh.meshes().iter().zip(&pose.0))
        .flat_map(|(body, at)| body.tet_topology().edges().iter().map(|e| e.map(|v| at[v.index()])))
        .collect();
    let (low, high) = crumple_scenes::vector::bounds(&pose.0[0]);
    let middle = |t: f64| [low[0], low[1], low[2] + t * (high[2] - low[2])];
    let view = View::looking_from([0.3, -1.0, 0.15]).up([1.0, 0.0, 0.0]);
    bodies(canvas(HALF), stage, &pose, 0.5)
        .lines(Lines::new(&lines).width(1.0))
        .view(view.focus(middle(PART[0]), [high[0], high[1], middle(PART[1])[2]]))
        .render()
}
