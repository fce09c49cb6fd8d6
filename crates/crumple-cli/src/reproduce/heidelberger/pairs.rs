//! Volumes that two objects share (H21 to H24).

use anyhow::{Context, Result};
use crumple::methods::layered_depth::published::{Published, PublishedImage};
use crumple::methods::layered_depth::{LayeredDepth, Overlap, Resolution};
use crumple::{BodyId, Frame};
use crumple_io::report::{Plot, Scale, Series};
use crumple_scenes::papers::heidelberger::Model;

use super::pictures;
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage, best, in_turn, ratio, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, most, sum};
use crate::reproduce::sheet::{Sheet, Value, apart, ms, row};

/// Rays along a side, in all of the paper's tables.
const SIDE: u32 = 128;
/// The same as the engine takes it.
pub const RAYS: Resolution = Resolution::rays(SIDE);
/// Repetitions of what is timed.
pub const ROUNDS: usize = 5;

/// Two objects with their two rows of Table 1: depth complexities, and milliseconds of stages 1 and 2.
pub struct Row {
    pub scene: &'static str,
    printed: &'static str,
    pub slight: ([u64; 2], f64),
    pub complex: ([u64; 2], f64),
    pub models: [Model; 2],
}

/// Table 1 of the paper.
pub const ROWS: [Row; 3] = [
    Row {
        scene: "H21",
        printed: "Knot / Rabbit: 3/1, stages 1+2 19 ms, stage 3a 1 ms (Fig. 7); 4/6, 56 ms, 1 ms (Fig. 8)",
        slight: ([3, 1], 19.0),
        complex: ([4, 6], 56.0),
        models: [Model::Knot, Model::Rabbit],
    },
    Row {
        scene: "H22",
        printed: "Rabbit / Reptile: 7/5, stages 1+2 36 ms, stage 3a 1 ms (Fig. 7); 4/2, 48 ms, 1 ms (Fig. 8)",
        slight: ([7, 5], 36.0),
        complex: ([4, 2], 48.0),
        models: [Model::Rabbit, Model::Reptile],
    },
    Row {
        scene: "H23",
        printed: "Reptile / Santa: 1/3, stages 1+2 25 ms, stage 3a 1 ms (Fig. 7); 8/6, 114 ms, 1 ms (Fig. 8)",
        slight: ([1, 3], 25.0),
        complex: ([8, 6], 114.0),
        models: [Model::Reptile, Model::Santa],
    },
];

/// The two bodies of every pair.
pub const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

/// The volume common to the two bodies, by our method.
fn measure(stage: &Stage, pose: &Pose, side: u32, rounds: usize) -> Result<(f64, Overlap)> {
    let (mut layers, slices) = (LayeredDepth::default(), pose.slices());
    best(rounds, || {
        let mut volumes = layers.update(&stage.mesh, Frame::new(&slices))?;
        Ok(volumes.overlap(BOTH, Resolution::rays(side))?)
    })
}

/// One case of a pair by the paper's algorithm: seconds of its stages in each round, and what was found.
pub struct Case {
    /// Stages 1 and 2: boxes, volume of interest and both images.
    images: Vec<f64>,
    /// Stage 3a: the pixelwise intersection.
    common: Vec<f64>,
    /// How often both objects were rendered.
    pub passes: u64,
    /// Faces that went through the renderer: the faces of each object, once per layer.
    drawn: u64,
    /// Fragments of both images, and those of all renderings, clipped ones included.
    fragments: usize,
    rasterised: u64,
    overlap: Overlap,
}

/// The paper's algorithm on a pair.
pub fn published(stage: &Stage, pose: &Pose) -> Result<Case> {
    let slices = pose.slices();
    let frame = Frame::new(&slices);
    let mut method = Published::default();
    let mut sorted = LayeredDepth::default();
    let layers = sorted.update(&stage.mesh, frame)?.layers(BOTH, RAYS)?.context("boxes that overlap")?;
    let [images, common] = in_turn(
        ROUNDS,
        [
            &mut || {
                method.update(&stage.mesh, frame)?.images(BOTH, RAYS)?;
                Ok(())
            },
            &mut || {
                std::hint::black_box(layers[0].common(&layers[1])?.volume());
                Ok(())
            },
        ],
    )?;
    let (_, found) = method.update(&stage.mesh, frame)?.images(BOTH, RAYS)?.context("boxes that overlap")?;
    let passes = found.each_ref().map(|image| image.passes() as u64);
    let rasterised = found.iter().map(PublishedImage::drawn).sum();
    let faces = [0, 1].map(|b| stage.mesh.meshes()[b].triangles().len() as u64);
    let overlap = method.update(&stage.mesh, frame)?.overlap(BOTH, RAYS)?;
    let drawn = passes[0] * faces[0] + passes[1] * faces[1];
    let fragments = overlap.layers.iter().sum();
    Ok(Case { images, common, passes: passes.iter().sum(), drawn, fragments, rasterised, overlap })
}

/// Layers by which the depth complexities of both bodies differ from the paper's.
fn differ(overlap: &Overlap, paper: [u64; 2]) -> u64 {
    overlap.depth_complexity.iter().zip(paper).map(|(ours, paper)| u64::from(*ours).abs_diff(paper)).sum()
}

fn depths(overlap: &Overlap) -> String {
    let [a, b] = overlap.depth_complexity;
    format!("{a} and {b}")
}

/// Both rows of a pair.
pub fn table(k: usize) -> Result<Finding> {
    /// Rays along a side, for the convergence of the bounds.
    const SIDES: [u32; 6] = [16, 32, 64, 128, 256, 512];
    let paper = &ROWS[k];
    let stage = Stage::named(paper.scene)?;
    let mut sheet = Sheet::new([
        "case",
        "paper: depth",
        "depth",
        "layers that differ",
        "paper: stages 1, 2",
        "stages 1, 2",
        "against slight",
        "renderings",
        "faces drawn",
        "fragments drawn",
        "stage 3a",
        "3a of all",
        "Crumple",
        "volume",
        "lower",
        "upper",
        "published off by",
        "bounds broken",
    ]);
    let mut first: Option<Vec<f64>> = None;
    let (mut plots, mut images) = (Vec::new(), Vec::new());
    for (frame, (name, (printed, milliseconds))) in
        [("slight", paper.slight), ("complex", paper.complex)].into_iter().enumerate()
    {
        let pose = stage.pose(frame);
        let (seconds, found) = measure(&stage, &pose, SIDE, 3)?;
        let case = published(&stage, &pose)?;
        let slight = first.get_or_insert_with(|| case.images.clone());
        let sweep = SIDES.map(|side| measure(&stage, &pose, side, 1).map(|m| m.1));
        let sweep = sweep.into_iter().collect::<Result<Vec<_>>>()?;
        let finest = &sweep[SIDES.len() - 1];
        let apart_from = |o: &&Overlap| o.lower > finest.upper || finest.lower > o.upper;
        let broken = sweep.iter().filter(apart_from).count();
        let whole: Vec<f64> = case.images.iter().zip(&case.common).map(|(a, b)| a + b).collect();
        let [volume, lower, upper] = apart([found.volume, found.lower, found.upper]);
        row!(
            sheet,
            name,
            format!("{} and {}", printed[0], printed[1]),
            depths(&case.overlap),
            differ(&case.overlap, printed),
            ms(milliseconds),
            Value::Seconds(smallest(&case.images)),
            Value::times(ratio(&case.images, slight)),
            case.passes,
            case.drawn,
            case.rasterised,
            Value::Seconds(smallest(&case.common)),
            Value::times(ratio(&case.common, &whole)),
            Value::Seconds(seconds),
            volume,
            lower,
            upper,
            Value::Share((case.overlap.volume / found.volume - 1.0).abs()),
            broken
        );
        let figure = if frame == 0 { "Fig. 7" } else { "Fig. 8" };
        images.push((pictures::pair(&stage, &pose)?, format!("{figure}: {name} case.")));
        let at = |o: &Overlap| f64::from(o.resolution[0]);
        plots.push(
            Plot::new(format!("Volume, {name}"))
                .x("rays along a side", Scale::Log)
                .y("volume", Scale::Linear)
                .series(
                    Series::line("with bounds", sweep.iter().map(|o| (at(o), o.volume)))
                        .band(sweep.iter().map(|o| (at(o), o.lower, o.upper))),
                )
                .series(
                    Series::line("sampled, as published", sweep.iter().map(|o| (at(o), o.sampled))).dashed(),
                ),
        );
    }
    let [a, b] = [0, 1].map(|b| thousands(stage.mesh.meshes()[b].triangles().len()));
    let how = format!(
        "closed surfaces of {a} and {b} faces, rolled and wound so that the whole objects have the depth complexities of \
         Table 2, and laid so that the volume of interest has those of Table 1, with {SIDE} × {SIDE} rays. Stages are the paper's algorithm in software: \
         opposite views, one rendering per layer; {ROUNDS} repetitions. Crumple's time includes the proof of the bounds, \
         which the paper does not have."
    );
    let complex = |column: &str| cell(column).at("case", "complex");
    let finding = Finding::new(how, sheet)
        .claim(Claim::new(
            paper.printed,
            "Table 1",
            "within the volume of interest our objects differ by {} layers from the depth complexities of the table",
            sum("layers that differ"),
            &limits::NONE,
        ))
        .claim(
            Claim::new(
                paper.printed,
                "Table 1",
                "milliseconds of 2003 are no target; stages 1 and 2 of the complex case take {} × the slight one",
                complex("against slight"),
                &limits::MORE,
            )
            .because(
                "In software the time follows the fragments that are drawn, once per layer and those before and behind the volume of \
                 interest included; their number depends on how the objects lie, not on how complex the intersection is.",
                "the complex case draws {} × the fragments of the slight one",
                complex("fragments drawn").over(cell("fragments drawn").at("case", "slight")),
                &limits::LESS,
            ),
        )
        .claim(
            Claim::new(
                paper.printed,
                "Table 1",
                "stage 3a takes {%} of the time of all stages, at most",
                most("3a of all"),
                &limits::A_TENTH,
            ),
        )
        .claim(Claim::new(
            "The sum of all pixelwise intersection regions constitutes a discrete representation of the intersection \
             volume",
            "Section 3.3",
            "the published volume differs from ours by {%} at most",
            most("published off by"),
            &limits::A_TENTH,
        ))
        .remark(
            "Bounds of 16 to 512 rays along a side agree with each other in every case (column “bounds broken”): the \
             volume lies within all of them.",
        );
    let finding = images.into_iter().fold(finding, |f, (image, caption)| f.picture(image, caption));
    Ok(plots.into_iter().fold(finding, Finding::plot))
}

/// What section 5 of the paper compares: depth complexities and milliseconds.
const LARGEST: [(&str, &str, [u64; 2], f64); 2] =
    [("Knot and Rabbit", "H21", [4, 6], 57.0), ("Knot and Dragon", "H24", [7, 8], 256.0)];

/// H24: the largest pair.
pub fn dragon(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "objects",
        "faces",
        "paper: depth",
        "paper",
        "depth",
        "layers that differ",
        "as published",
        "against the smaller pair",
        "faces drawn",
        "fragments",
        "Crumple",
        "volume",
        "lower",
        "upper",
    ]);
    let mut first: Option<Vec<f64>> = None;
    for (name, scene, printed, milliseconds) in LARGEST {
        let stage = Stage::named(scene)?;
        let pose = stage.pose(1);
        let (seconds, found) = measure(&stage, &pose, SIDE, 3)?;
        let case = published(&stage, &pose)?;
        let smaller = first.get_or_insert_with(|| case.images.clone());
        let [volume, lower, upper] = apart([found.volume, found.lower, found.upper]);
        row!(
            sheet,
            name,
            stage.mesh.triangles().len(),
            format!("{} and {}", printed[0], printed[1]),
            ms(milliseconds),
            depths(&case.overlap),
            differ(&case.overlap, printed),
            Value::Seconds(smallest(&case.images)),
            Value::times(ratio(&case.images, smaller)),
            case.drawn,
            case.fragments,
            Value::Seconds(seconds),
            volume,
            lower,
            upper
        );
    }
    let how =
        format!("the deep case of both pairs with {SIDE} × {SIDE} rays; Crumple's time includes bounds.");
    let dragon = |column: &str| cell(column).at("objects", "Knot and Dragon");
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "Depth complexities within the VoI are 7 and 8.",
            "Section 5, Fig. 9",
            "ours differ by {} layers",
            dragon("layers that differ"),
            &limits::NONE,
        ))
        .claim(Claim::new(
            "With an LDI resolution of 128x128 the intersection volume can be computed in 256ms.",
            "Section 5, Fig. 9",
            "as published, in software on one core, {} s",
            dragon("as published"),
            &limits::INTERACTIVE,
        ))
        .claim(
            Claim::new(
                "the performance of our algorithm depends on the geometrical complexity of the object and on the depth \
                 complexities of both objects within the VoI",
                "Section 5",
                "the time of both pairs differs as the faces drawn, once per layer, up to a factor of {}",
                dragon("against the smaller pair")
                    .over(
                        dragon("faces drawn").over(cell("faces drawn").at("objects", "Knot and Rabbit")),
                    )
                    .off(),
                &limits::PROPORTIONS,
            )
            .because(
                "A renderer in software pays for fragments as well as for faces, and there are as many fragments as rays and \
                 layers, however many faces the model has.",
                "fragments of the larger pair grow {} × as much as the faces drawn",
                dragon("fragments").over(cell("fragments").at("objects", "Knot and Rabbit")).over(
                    dragon("faces drawn").over(cell("faces drawn").at("objects", "Knot and Rabbit")),
                ),
                &limits::HALF,
            ),
        ))
}
