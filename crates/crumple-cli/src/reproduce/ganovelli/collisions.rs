//! Finding colliding buckets (B16, B17), and a refitted tree beside it (B18).

use anyhow::Result;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::published::{Boxes, Placement, PublishedParams};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::{BodyId, Contacts, Detector, Drawing, Frame, Pairs, Tone};
use crumple_io::picture::{Boxes as Frames, Color, Legend, palette};
use crumple_io::report::{Plot, Scale, Series};

use super::{adaptive, fixed, published};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage, best, mean, missing, timed};
use crate::reproduce::scenery::{WIDE, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

const LEFT: BodyId = BodyId(0);
const RIGHT: BodyId = BodyId(1);

fn contacts(stage: &Stage, pose: &Pose, detector: &mut dyn Detector) -> Result<Contacts> {
    let slices = pose.slices();
    let mut out = Contacts::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.contacts(Pairs::Between, &mut out);
    Ok(out)
}

/// B16: time per thousand colliding buckets.
pub fn thousand() -> Result<Finding> {
    const PAPER: [(u8, f64); 3] = [(3, 95.0), (4, 325.0), (5, 684.0)];
    let stage = Stage::named("B16")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let mut oracle = BruteForce::surfaces();
    oracle.update(&stage.mesh, Frame::new(&slices))?;
    let truth = contacts(&stage, &pose, &mut oracle)?.triangle_pairs;
    let mut sheet = Sheet::new([
        "levels",
        "paper: per 1000",
        "against 3 levels",
        "colliding buckets",
        "per 1000",
        "now against 3 levels",
        "node pairs per bucket pair",
        "triangle pairs",
        "missed",
    ]);
    let mut each = Vec::new();
    for (levels, printed) in PAPER {
        let mut detector = fixed(&stage, &pose, published(Placement::Direct, levels))?;
        let (seconds, (count, stats)) = best(5, || Ok(detector.bucket_collisions([LEFT, RIGHT])?))?;
        let per_thousand = 1e3 * seconds / count as f64;
        each.push(per_thousand);
        let seen = contacts(&stage, &pose, &mut detector)?.triangle_pairs;
        row!(
            sheet,
            levels as usize,
            Value::Seconds(printed * 1e-3),
            Value::Times(printed / PAPER[0].1),
            count,
            Value::Seconds(per_thousand),
            Value::Times(per_thousand / each[0]),
            stats.visits as f64 / count as f64,
            truth.len(),
            missing(&truth, &seen)
        );
    }
    let repaired = PublishedParams { boxes: Boxes::Refitted, ..published(Placement::Direct, 4) };
    let repaired = contacts(&stage, &pose, &mut fixed(&stage, &pose, repaired)?)?.triangle_pairs;
    let ours =
        contacts(&stage, &pose, &mut adaptive(&stage, &pose, BucketTreeParams::default())?)?.triangle_pairs;
    let how = "two soups of 15,000 triangles that overlap by a third; buckets are cells, as in the paper. The last \
               columns compare the triangles of colliding buckets with brute force.";
    Ok(Finding::new(how, sheet)
        .check(
            each[0] < each[1] && each[1] < each[2],
            format!(
                "per thousand collisions, 4 levels take {} × and 5 levels {} × the time of 3 (paper: 3.42 × and \
                 7.20 ×, so rising)",
                digits(each[1] / each[0]),
                digits(each[2] / each[0])
            ),
        )
        .remark(format!(
            "A triangle reaches out of its cell, so cells miss pairs. With boxes fitted to what the buckets hold, \
             {} are missed at 4 levels, and {} by Crumple's default.",
            missing(&truth, &repaired),
            missing(&truth, &ours)
        )))
}

/// B17: buckets of two soups.
pub fn picture() -> Result<Finding> {
    let stage = Stage::of(crumple_scenes::papers::ganovelli::clouds("clouds", 1500, 15.0, 1))?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let mut detector = fixed(&stage, &pose, published(Placement::Sorted, 3))?;
    let found = contacts(&stage, &pose, &mut detector)?;
    let mut drawing = Drawing::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.draw(&mut drawing);
    let mut marked = [Vec::new(), Vec::new()];
    for (triangle, _) in drawing.triangles.iter().filter(|(_, tone)| *tone == Tone::Hit) {
        let (body, local) = stage.mesh.locate_triangle(*triangle);
        marked[body.index()].push(local.0);
    }
    let buckets = drawing.boxes.iter().filter(|(.., tone)| *tone == Tone::Hit).count();
    let boxes_of = |is_hit: bool| -> Vec<_> {
        let some = drawing.boxes.iter().filter(|(.., tone)| (*tone == Tone::Hit) == is_hit);
        some.map(|(low, high, _)| [*low, *high]).collect()
    };
    let (hit, other) = (boxes_of(true), boxes_of(false));
    let faint = Color::hex(0xb4_be_ca);
    let whole: Vec<_> =
        pose.0.iter().map(|p| crumple_scenes::vector::bounds(p)).map(|(a, b)| [a, b]).collect();
    let ink = Color::hex(0x14_18_1f);
    let image = canvas(WIDE)
        .boxes(Frames::new(&other).color(faint).width(0.3))
        .boxes(Frames::new(&hit).color(palette::HIGHLIGHT).width(1.5).see_through(0.7))
        .surface(surface(&stage, &pose, 0).highlight_in(ink, &marked[0]))
        .surface(surface(&stage, &pose, 1).highlight_in(ink, &marked[1]))
        .boxes(Frames::new(&whole).width(2.0))
        .legend(Legend::keys([
            (ink, "primitives of colliding buckets"),
            (palette::HIGHLIGHT, "their buckets"),
            (faint, "other occupied buckets"),
        ]))
        .render();
    let is_marked = |t: crumple::TriangleId| {
        let (body, local) = stage.mesh.locate_triangle(t);
        marked[body.index()].contains(&local.0)
    };
    let covered = found.triangle_pairs.iter().all(|p| is_marked(p.a) && is_marked(p.b));
    let mut sheet = Sheet::new(["soup", "primitives", "in colliding buckets"]);
    for (b, marked) in marked.iter().enumerate() {
        let body = &stage.mesh.meshes()[b];
        row!(sheet, body.name(), body.triangles().len(), marked.len());
    }
    let how = "two soups of 1500 triangles, 3 levels, drawn from the detector's own structure.";
    Ok(Finding::new(how, sheet)
        .check(
            covered && buckets > 0,
            format!(
                "{buckets} colliding buckets hold all {} pairs of triangles found between the soups",
                found.triangle_pairs.len()
            ),
        )
        .picture(
            image,
            "Fig. 5: the primitives of colliding buckets in black, and the boxes of both objects.",
        ))
}

/// B18: the same soups followed by buckets and by a refitted tree of boxes.
pub fn refitted() -> Result<Finding> {
    const FRAMES: [usize; 5] = [0, 10, 25, 50, 99];
    let scene = crumple_scenes::papers::ganovelli::clouds("clouds", 15_000, 180.0, 100);
    let stage = Stage::of(scene)?;
    let mut sheet = Sheet::new([
        "step",
        "tree: update",
        "tree: query",
        "tree: tests",
        "buckets: update",
        "buckets: query",
        "buckets: tests",
        "pairs",
    ]);
    let mut both: Option<(Regularity, BucketTree)> = None;
    let mut rebuild = Vec::new();
    let (mut tree_tests, mut bucket_tests, mut bucket_updates) = (Vec::new(), Vec::new(), Vec::new());
    let mut agree = true;
    for f in FRAMES {
        let pose = stage.pose(f);
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        // On a soup, where nothing has a neighbour, it is a tree of boxes.
        let mut fresh = Regularity::new(RegularityParams::default())?;
        let (seconds, done) = timed(|| fresh.update(&stage.mesh, frame).map(drop));
        done?;
        rebuild.push(seconds);
        if both.is_none() {
            // Without patience: every primitive finds its bucket anew in every step, as after a cut.
            let anew = BucketTreeParams { patience: 1.0, ..BucketTreeParams::default() };
            both = Some((fresh, adaptive(&stage, &pose, anew)?));
        }
        let (refitted, buckets) = both.as_mut().expect("made above");
        let (tree_update, done) = best(2, || Ok(refitted.update(&stage.mesh, frame).map(drop)))?;
        done?;
        let (bucket_update, done) = best(2, || Ok(buckets.update(&stage.mesh, frame).map(drop)))?;
        done?;
        let mut out = [Contacts::default(), Contacts::default()];
        let [a, b] = &mut out;
        let mut ready = refitted.update(&stage.mesh, frame)?;
        let (tree_query, s) = timed(|| ready.contacts(Pairs::Between, a));
        let mut ready = buckets.update(&stage.mesh, frame)?;
        let (bucket_query, t) = timed(|| ready.contacts(Pairs::Between, b));
        agree &= out[0].triangle_pairs == out[1].triangle_pairs;
        tree_tests.push((f as f64, (s.visits + s.tests) as f64));
        bucket_tests.push((f as f64, (t.visits + t.tests) as f64));
        bucket_updates.push(bucket_update);
        let [tu, tq, bu, bq] = [tree_update, tree_query, bucket_update, bucket_query].map(Value::Seconds);
        row!(sheet, f, tu, tq, s.visits + s.tests, bu, bq, t.visits + t.tests, out[0].triangle_pairs.len());
    }
    let growth = |tests: &[(f64, f64)]| tests[tests.len() - 1].1 / tests[0].1;
    let (tree_growth, bucket_growth) = (growth(&tree_tests), growth(&bucket_tests));
    let rebuild = mean(&rebuild);
    let update = mean(&bucket_updates);
    let how = "two soups of 15,000 triangles in free motion for 100 steps. The tree of boxes is built once and \
               refitted; the buckets are filled anew. A test of the buckets compares eight boxes at once.";
    Ok(Finding::new(how, sheet)
        .check(
            tree_growth > bucket_growth,
            format!(
                "as the soup mixes, the work of the refitted tree grows {} ×, that of the buckets {} ×",
                digits(tree_growth),
                digits(bucket_growth)
            ),
        )
        .check(
            rebuild > update,
            format!(
                "after a cut a tree of boxes is built in {}, what it knows of neighbours included; buckets are filled \
                 in {}: {} × less",
                crumple_io::report::seconds(rebuild),
                crumple_io::report::seconds(update),
                digits(rebuild / update)
            ),
        )
        .remark(if agree {
            "Both find the same pairs in every step."
        } else {
            "They DO NOT find the same pairs."
        })
        .plot(
            Plot::new("Work of a query, against the first step")
                .x("step", Scale::Linear)
                .y("times the first", Scale::Linear)
                .series(Series::line(
                    "refitted tree",
                    tree_tests.iter().map(|(f, n)| (*f, n / tree_tests[0].1)),
                ))
                .series(Series::line(
                    "buckets",
                    bucket_tests.iter().map(|(f, n)| (*f, n / bucket_tests[0].1)),
                )),
        ))
}
