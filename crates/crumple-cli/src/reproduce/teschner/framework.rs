//! What section 8 announces: response, and a framework with deformable models (T42, Fig. 1), by the simulator.

use anyhow::Result;

use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, mean};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, sum};
use crate::reproduce::scenery::HALF;
use crate::reproduce::sheet::{Sheet, Value, row};
use crate::reproduce::simulated::{Played, photograph, play, scene};

/// Frames that a scene of the simulator has, and that a sample plays of them: until the heap has fallen.
const FRAMES: usize = 300;
const SAMPLE: usize = 75;
/// Scenes of the simulator that have the counts of set-ups A, B and C.
const SCENES: [(&str, &str); 3] = [("A", "teschner-a"), ("B", "teschner-b"), ("C", "teschner-c")];

/// T42: soft bodies that fall into a heap.
pub fn announced(extent: Extent) -> Result<Finding> {
    let frames = extent.steps(SAMPLE, FRAMES);
    let mut sheet = Sheet::new([
        "set-up",
        "bodies",
        "tets",
        "frames",
        "per frame",
        "frames a second",
        "detection",
        "elasticity and response",
        "proof",
        "contacts, most in a frame",
        "intersections, all frames",
    ]);
    let mut images = Vec::new();
    for (letter, name) in SCENES {
        let mut script = scene(name)?;
        let mut played = Played::default();
        play(&mut script, frames, &mut played)?;
        let world = script.world();
        let tets = world.bodies().filter_map(|id| world.mesh(id).ok()).map(|m| m.tets().len());
        let tets: Vec<usize> = tets.filter(|n| *n > 0).collect();
        let rate = Value::Span(played.rate());
        row!(
            sheet,
            letter,
            tets.len(),
            tets.iter().sum::<usize>(),
            frames,
            Value::Seconds(mean(&played.seconds)),
            rate,
            Value::Share(played.share(|s| s.detect)),
            Value::Share(played.share(|s| s.solve)),
            Value::Share(played.share(|s| s.certify + s.verify)),
            played.contacts,
            played.intersections
        );
        images.push((photograph(&script, HALF)?, letter));
    }
    let how = format!(
        "the counts of set-ups A, B and C as soft bodies in Crumple's simulator (neo-Hookean tets, contacts with friction), \
         {frames} of {FRAMES} frames of a fall into a heap, one core. Frames a second with the quartiles of all frames. \
         Detection is proximity; proof is what keeps bodies from crossing, and the exact test at the end of each frame."
    );
    let finding = Finding::new(how, sheet)
        .claim(
            Claim::new(
                "Completed with the above mentioned collision response, the framework will handle interacting deformable \
                 models of up to several thousand tetrahedrons in real-time.",
                "Section 8",
                "4000 tets: {} frames a second",
                cell("frames a second").at("set-up", "B"),
                &limits::HERTZ_15,
            )
            .because(
                "Most of a frame is not detection.",
                "detection takes {%} of it",
                cell("detection").at("set-up", "B"),
                &limits::HALF,
            ),
        )
        .claim(Claim::new(
            "we can easily derive the penetration depth, which allows for a correct collision response",
            "Section 8",
            "{} pairs of triangles intersect, in all frames of all scenes: what is kept apart needs no depth",
            sum("intersections, all frames"),
            &limits::NONE,
        ));
    Ok(images.into_iter().fold(finding, |finding, (image, letter)| {
        finding.picture(
            image,
            format!(
                "Fig. 1: an environment of deforming objects made of tets, set-up {letter}, frame {frames}."
            ),
        )
    }))
}
