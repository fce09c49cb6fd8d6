//! What the conclusion announces: fabric that is grasped, manipulated, folded (V28), by the simulator.

use anyhow::{Context, Result};
use crumple::Closeness;

use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, mean};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, sum};
use crate::reproduce::scenery::HALF;
use crate::reproduce::sheet::{Sheet, Value, row};
use crate::reproduce::simulated::{Played, photograph, play, scene};

/// The scene's own events: what happens to the cloth, and the last frame of it.
const PARTS: [(&str, usize); 5] = [
    ("lies down", 20),
    ("grasped and lifted", 90),
    ("let go", 150),
    ("folded over", 260),
    ("let go again", 320),
];

/// The cloth touches itself where layers are no further apart than they are kept, and a tenth more.
const TOUCHING: f64 = 1.1;

/// V28: a cloth is grasped, lifted, folded and let go.
pub fn handled(_: Extent) -> Result<Finding> {
    let mut script = scene("volino")?;
    let mut sheet = Sheet::new([
        "what happens",
        "frames",
        "per frame",
        "detection",
        "the rest",
        "contacts, most in a frame",
        "touches itself at the end",
        "intersections, all frames",
    ]);
    let mut images = Vec::new();
    let mut from = 0;
    for (name, to) in PARTS {
        let mut played = Played::default();
        play(&mut script, to - from, &mut played)?;
        from = to;
        images.push((photograph(&script, HALF)?, name, to));
        let cloth = script.world().bodies().next().context("a cloth")?;
        let reach = TOUCHING * script.world().thickness(cloth)?;
        let near = script.world_mut().scene()?.proximity(&Closeness::below(reach))?;
        let own = near
            .vertex_triangles
            .iter()
            .filter(|p| p.vertex.body == cloth && p.triangle.body == cloth)
            .count();
        let detect = played.share(|s| s.detect + s.verify);
        row!(
            sheet,
            name,
            played.seconds.len(),
            Value::Seconds(mean(&played.seconds)),
            Value::Share(detect),
            Value::Share(1.0 - detect),
            played.contacts,
            own,
            played.intersections
        );
    }
    let world = script.world();
    let triangles =
        world.bodies().next().and_then(|id| world.mesh(id).ok()).map_or(0, |m| m.triangles().len());
    let how = format!(
        "a cloth of {triangles} triangles in Crumple's simulator lies down, is grasped at a corner and lifted, let go, grasped \
         at the opposite corner, folded over and let go again. Detection is proximity and, at the end of every frame, exact \
         self-collision by regularity. The cloth touches itself where a vertex is no further from a triangle than two layers are kept \
         from each other, and a tenth more."
    );
    const QUOTE: &str = "Future work will integrate this algorithm into a mechanical system that will handle any kind of \
                         fabric objects as autonomous objects that can be grasped, manipulated, fold.";
    let finding = Finding::new(how, sheet)
        .claim(Claim::new(
            QUOTE,
            "Section 4",
            "grasped, manipulated and folded, the cloth passes through itself or the floor in {} pairs of triangles",
            sum("intersections, all frames"),
            &limits::NONE,
        ))
        .claim(Claim::new(
            QUOTE,
            "Section 4",
            "folded over, it lies on itself in {} places",
            cell("touches itself at the end").at("what happens", "folded over"),
            &limits::SOME,
        ));
    Ok(images.into_iter().fold(finding, |finding, (image, name, frame)| {
        finding.picture(image, format!("The cloth {name}: frame {frame}."))
    }))
}
