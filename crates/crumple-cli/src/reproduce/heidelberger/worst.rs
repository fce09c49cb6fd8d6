//! The worst case: boxes that coincide (H27).

use anyhow::Result;
use crumple::Frame;
use crumple::methods::layered_depth::published::Published;
use crumple_scenes::papers::heidelberger::Model;
use crumple_scenes::vector::bounds;
use crumple_scenes::{LazyBody, LazyScene, Surface};

use super::pairs::{BOTH, RAYS, ROUNDS, ROWS, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, in_turn, ratio, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::{least, most, sum};
use crate::reproduce::sheet::{Sheet, Value, ms, row};

/// A model stretched so that its box is the cube from -1 to 1.
fn boxed(model: Model) -> Surface {
    let surface = model.surface();
    let (low, high) = bounds(&surface.positions);
    surface.mapped(|p| std::array::from_fn(|k| 2.0 * (p[k] - low[k]) / (high[k] - low[k]) - 1.0))
}

/// H27: boxes that coincide.
pub fn coinciding(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "objects",
        "renderings: slight",
        "complex",
        "coinciding",
        "fewer than another case",
        "as published: coinciding",
        "derived from whole objects",
        "measured / derived",
        "paper: complex",
        "paper: derived",
    ]);
    for paper in &ROWS {
        let stage = Stage::named(paper.scene)?;
        let [slight, complex] = [0, 1].map(|f| published(&stage, &stage.pose(f)));
        let (slight, complex) = (slight?.passes, complex?.passes);
        let bodies = paper.models.map(|m| LazyBody::still(m.name(), boxed(m)));
        let stage = Stage::of(LazyScene::new("coinciding", 1, bodies.into()))?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let (mut pair, mut whole) = (Published::default(), Published::default());
        // What Table 2 times: boxes and image of each object alone.
        let [measured, derived] = in_turn(
            ROUNDS,
            [
                &mut || {
                    pair.update(&stage.mesh, frame)?.images(BOTH, RAYS)?;
                    Ok(())
                },
                &mut || {
                    let mut volumes = whole.update(&stage.mesh, frame)?;
                    volumes.image(BOTH[0], RAYS)?;
                    volumes.image(BOTH[1], RAYS)?;
                    Ok(())
                },
            ],
        )?;
        let passes = published(&stage, &pose)?.passes;
        let printed = paper.models.map(whole_ms);
        row!(
            sheet,
            format!("{} and {}", paper.models[0].name(), paper.models[1].name()),
            slight,
            complex,
            passes,
            usize::from(passes < slight.max(complex)),
            Value::Seconds(smallest(&measured)),
            Value::Seconds(smallest(&derived)),
            Value::times(ratio(&measured, &derived)),
            ms(paper.complex.1),
            ms(printed[0] + printed[1])
        );
    }
    let how = format!(
        "each pair stretched so that both boxes are the same cube, beside its two cases of Table 1; the paper's algorithm, \
         {ROUNDS} repetitions. “Derived” is the sum of the times for both whole objects, as Table 2 has them."
    );
    Ok(Finding::new(how, sheet)
        .claim(
            Claim::new(
                "In the worst case, when both AABBs coincide, the VoI and the depth complexity are maximal.",
                "Section 5",
                "in {} of 3 pairs another case needs more renderings",
                sum("fewer than another case"),
                &limits::NONE,
            )
            .because(
                "The boxes of the deep case are seen along another axis, which crosses more layers than the shortest side of \
                 the cube.",
                "the deep case needs up to {} renderings",
                most("complex").minus(least("coinciding")),
                &limits::SOME,
            ),
        )
        .claim(
            Claim::new(
                "The performance of these cases can be derived from Tab. 2, where timings for the LDI generation for entire \
                 objects are given.",
                "Section 5",
                "coinciding boxes take {} × the sum of both whole objects, at least",
                least("measured / derived"),
                &limits::DERIVED,
            ),
        )
        .remark(
            "The paper's own Tables do not bear it out for Knot and Rabbit: 40 ms derived, and 56 ms for a case that is not \
             the worst.",
        ))
}

/// Milliseconds of stages 1 and 2 for whole objects in Table 2 of the paper, in the order of the models.
const WHOLE: [(Model, f64); 5] = [
    (Model::Knot, 11.0),
    (Model::Rabbit, 29.0),
    (Model::Reptile, 83.0),
    (Model::Santa, 79.0),
    (Model::Dragon, 307.0),
];

/// The milliseconds of one.
pub fn whole_ms(model: Model) -> f64 {
    WHOLE.iter().find(|(m, _)| *m == model).map_or(f64::NAN, |(_, ms)| *ms)
}
