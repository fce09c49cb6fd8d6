//! What the proof needs and the paper leaves open: contours (V14), directions (V12).

use anyhow::Result;
use crumple::Pairs;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::regularity::RegularityParams;
use crumple::{Detector, Frame};
use crumple_io::picture::{Image, Surface, palette};
use crumple_io::report::{Plot, Scale, Series};

use super::{Variant, found, ours};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, best, missing};
use crate::reproduce::limits;
use crate::reproduce::measure::sum;
use crate::reproduce::scenery::{HALF, canvas};
use crate::reproduce::sheet::{Sheet, Value, row};
use crate::views::corners;

/// V14: what the rules miss without the contour test.
pub fn left_out(_: Extent) -> Result<Finding> {
    /// Everyday surfaces first, then those made to break the rule.
    const SCENES: [(&str, &str, usize); 8] = [
        ("breathing sphere", "sphere-5k", 2),
        ("sheet that crosses itself", "loop-5k", 2),
        ("cloth and body", "V20", 10),
        ("crumpled sheet", "crumple-20k", 2),
        ("spiral ramp", "spiral-ramp", 1),
        ("slit annulus", "slit-annulus", 0),
        ("nested neighbours", "nested-neighbours", 0),
        ("edge neighbours", "edge-neighbours", 0),
    ];
    /// How many of these are everyday surfaces.
    const EVERYDAY: usize = 4;
    let mut sheet = Sheet::new([
        "kind",
        "surface",
        "triangles",
        "pairs that intersect",
        "missed as published",
        "missed with contours",
        "missed by Crumple",
    ]);
    let mut pictures = Vec::new();
    for (k, (what, name, frame)) in SCENES.into_iter().enumerate() {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame.min(stage.scene.frames - 1));
        let slices = pose.slices();
        let mut oracle = BruteForce::surfaces();
        oracle.update(&stage.mesh, Frame::new(&slices))?;
        let truth = found(&stage, &pose, &mut oracle, Pairs::All)?.triangle_pairs;
        let seen = |variant: Variant| -> Result<Vec<_>> {
            Ok(found(&stage, &pose, variant.at(&stage, &pose)?.detector(), Pairs::All)?.triangle_pairs)
        };
        let lost = [Variant::AsPublished, Variant::WithContours, Variant::Ours]
            .map(|variant| seen(variant).map(|seen| missing(&truth, &seen)));
        let [published, proved, ours] = lost;
        let kind = if k < EVERYDAY { "everyday" } else { "made to break it" };
        row!(sheet, kind, what, stage.mesh.triangles().len(), truth.len(), published?, proved?, ours?);
        if ["spiral-ramp", "slit-annulus"].contains(&name) {
            let mut marked: Vec<u32> = truth.iter().flat_map(|p| [p.a.0, p.b.0]).collect();
            marked.sort_unstable();
            marked.dedup();
            let surface = Surface::new(&pose.0[0], corners(&stage.mesh.meshes()[0])).color(palette::body(0));
            pictures.push(canvas(HALF).surface(surface.highlight(&marked)).render());
        }
    }
    let [ramp, annulus]: [Image; 2] = pictures.try_into().expect("two pictures");
    let how = "the published rules, which have no contour test, and Crumple's default against brute force: four \
               everyday surfaces, then four on which a common direction alone proves nothing.";
    let missed = |column: &str, kind: &str| sum(column).at("kind", kind);
    Ok(Finding::new(how, sheet)
        .claim(
            Claim::new(
                "practical testings have shown that for almost every common data configuration, this part of detection is \
                 not discriminant",
                "Section 2.3.5",
                "{} pairs are missed on everyday surfaces",
                missed("missed as published", "everyday"),
                &limits::NONE,
            )
            .because(
                "On a crumpled sheet contours of regions do cross in projection while one direction sees all normals: it is \
                 the contour test that is missing, for with it the same hierarchy misses none.",
                "with the contour test {} are missed",
                missed("missed with contours", "everyday"),
                &limits::NONE,
            ),
        )
        .claim(Claim::open(
            "A good alternative is to remove this contour collision test, after ensuring that the contour shapes of the \
             subsurfaces is \"regular\" enough",
            "Section 2.3.5",
            "the paper does not say how that is ensured; our four surfaces that were made to break the rule are the kind that \
             it would have to exclude",
        ))
        .picture(
            ramp,
            "Fig. 1 (b): every triangle of this ramp faces up, so the rule without contours calls it safe; the \
             second turn sinks through the first.",
        )
        .picture(
            annulus,
            "Two sheets joined crosswise along a slit: all normals up, two simple disjoint contours, and yet it \
             crosses itself.",
        ))
}

/// V12: calls and time against the number of sampled directions.
pub fn directions(_: Extent) -> Result<Finding> {
    /// Directions.
    const COUNTS: [usize; 6] = [6, 12, 32, 64, 96, 128];
    let mut sheet =
        Sheet::new(["surface", "directions", "calls", "triangle tests", "query", "pairs other than with 6"]);
    let mut series = Vec::new();
    for (what, name, frame) in
        [("sphere", "sphere-20k", 2), ("crossing sheet", "loop-20k", 2), ("crumpled sheet", "crumple-20k", 2)]
    {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame);
        let mut points = Vec::new();
        let mut first = None;
        for directions in COUNTS {
            let params = RegularityParams { directions, ..RegularityParams::default() };
            let mut detector = ours(&stage, &pose, params)?;
            let (seconds, contacts) = best(3, || found(&stage, &pose, &mut detector, Pairs::Within))?;
            let stats = detector.stats();
            let found = contacts.triangle_pairs;
            let first: &Vec<_> = first.get_or_insert_with(|| found.clone());
            let other = missing(first, &found) + missing(&found, first);
            row!(sheet, what, directions, stats.calls, stats.tests, Value::Seconds(seconds), other);
            points.push((directions as f64, stats.tests as f64 + stats.calls as f64));
        }
        series.push((what, points));
    }
    let plot = Plot::new("Work of a query").x("directions", Scale::Log).y("calls and tests", Scale::Log);
    let plot = series.into_iter().fold(plot, |plot, (name, points)| plot.series(Series::line(name, points)));
    let how = "Crumple's default with 6 to 128 sampled directions; work is calls and triangle tests.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::open(
            "we sample that sphere with a collection of well-distributed normalized vectors, like for example the summit and \
             face middle directions of a regular polyedra (Fig. 5)",
            "Section 2.3.4",
            "a choice, not a claim: what it costs is in the table",
        ))
        .claim(Claim::new(
            "If the value of the resulting bitfield is 0, there is no valid direction vector. But if not, any remaining valid \
             vector can be chosen.",
            "Section 2.3.4",
            "the number of directions changes {} pairs of the answer: a direction that is not sampled costs time only",
            sum("pairs other than with 6"),
            &limits::NONE,
        ))
        .plot(plot))
}
