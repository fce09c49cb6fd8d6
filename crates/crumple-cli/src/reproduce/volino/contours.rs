//! What the proof needs and the paper leaves open: contours (V14), directions (V12).

use anyhow::Result;
use crumple::Pairs;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::regularity::RegularityParams;
use crumple::{Detector, Frame};
use crumple_io::picture::{Image, Surface, palette};
use crumple_io::report::{Plot, Scale, Series};

use super::{Variant, found, ours};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Stage, best, missing, plural};
use crate::reproduce::scenery::{HALF, canvas};
use crate::reproduce::sheet::{Sheet, Value, digits, row};
use crate::views::corners;

/// V14: what the rules miss without the contour test.
pub fn left_out() -> Result<Finding> {
    // Everyday surfaces first, then those made to break the rule.
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
    const EVERYDAY: usize = 4;
    let mut sheet = Sheet::new([
        "surface",
        "triangles",
        "pairs that intersect",
        "missed as published",
        "missed by Crumple",
    ]);
    let mut missed = [0; 2];
    let mut proved = 0;
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
        let (published, proved_pairs) = (seen(Variant::AsPublished)?, seen(Variant::Ours)?);
        let [lost, lost_by_us] = [&published, &proved_pairs].map(|seen| missing(&truth, seen));
        missed[usize::from(k >= EVERYDAY)] += lost;
        proved += lost_by_us;
        row!(sheet, what, stage.mesh.triangles().len(), truth.len(), lost, lost_by_us);
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
    Ok(Finding::new(how, sheet)
        .check(missed[0] == 0, format!("{} missed on everyday surfaces", plural(missed[0], "pair")))
        .check(missed[1] == 0, format!("{} missed on surfaces made to break the rule", plural(missed[1], "pair")))
        .remark(format!("With the test of the union's contour Crumple misses {proved}."))
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
pub fn directions() -> Result<Finding> {
    const COUNTS: [usize; 6] = [6, 12, 32, 64, 96, 128];
    let mut sheet = Sheet::new(["surface", "directions", "calls", "triangle tests", "query"]);
    let mut series = Vec::new();
    let mut ratio = Vec::new();
    for (what, name, frame) in
        [("sphere", "sphere-20k", 2), ("crossing sheet", "loop-20k", 2), ("crumpled sheet", "crumple-20k", 2)]
    {
        let stage = Stage::named(name)?;
        let pose = stage.pose(frame);
        let mut points = Vec::new();
        let mut pairs = Vec::new();
        for directions in COUNTS {
            let params = RegularityParams { directions, ..RegularityParams::default() };
            let mut detector = ours(&stage, &pose, params)?;
            let (seconds, contacts) = best(3, || found(&stage, &pose, &mut detector, Pairs::Within))?;
            let stats = detector.stats();
            row!(sheet, what, directions, stats.calls, stats.tests, Value::Seconds(seconds));
            points.push((directions as f64, stats.tests as f64 + stats.calls as f64));
            pairs.push(contacts.triangle_pairs);
        }
        ratio.push((points[1].1 / points[COUNTS.len() - 1].1, pairs.iter().all(|p| *p == pairs[0])));
        series.push((what, points));
    }
    let gain = ratio.iter().map(|r| r.0).fold(0.0, f64::max);
    let same = ratio.iter().all(|r| r.1);
    let plot = Plot::new("Work of a query").x("directions", Scale::Log).y("calls and tests", Scale::Log);
    let plot = series.into_iter().fold(plot, |plot, (name, points)| plot.series(Series::line(name, points)));
    let how = "Crumple's default with 6 to 128 sampled directions; work is calls and triangle tests.";
    Ok(Finding::new(how, sheet)
        .check(
            same,
            "the answers are the same with any number of directions: a missed direction costs only time",
        )
        .check(
            gain <= 2.0,
            format!("12 directions cost at most {} × the work of 128 (allowed: 2)", digits(gain)),
        )
        .plot(plot))
}
