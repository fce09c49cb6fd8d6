//! Choices of the algorithm: which test (T11), how many passes (T18).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{InsideTest, Passes, PublishedParams, Strangers};
use crumple::{Frame, Pairs};
use crumple_scenes::{LazyBody, LazyScene, Rng, Solid, shapes};

use super::{against_truth, hashes, published};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Stage, race};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// Tets so large that nearly every vertex is in the box of many: the test is most of the work.
fn crowd() -> Result<Stage> {
    let mut rng = Rng::new(11);
    let positions: Vec<_> = (0..4 * 150).map(|_| rng.in_box([-1.0; 3], [1.0; 3])).collect();
    let tets = (0..150).map(|t| [0, 1, 2, 3].map(|k| 4 * t + k)).collect();
    let large = LazyBody::still_solid("large tets", Solid { positions, tets });
    let small = LazyBody::still("confetti", shapes::triangle_soup(4000, 0.01, 12));
    Stage::of(LazyScene::new("crowd", 1, vec![large, small]))
}

/// T11: barycentric coordinates, half spaces, exact signs.
pub fn inside_test() -> Result<Finding> {
    const TESTS: [(&str, InsideTest); 3] = [
        ("barycentric", InsideTest::Barycentric),
        ("half spaces", InsideTest::HalfSpaces),
        ("exact signs", InsideTest::Exact),
    ];
    let mut sheet = Sheet::new([
        "scene",
        "test",
        "per step",
        "against barycentric",
        "tests made",
        "in tets",
        "missed",
        "invented",
    ]);
    let mut ratio = 0.0;
    for (name, stage, steps) in [("D", Stage::named("T28")?, 4), ("crowd", crowd()?, 1)] {
        let params = TESTS.map(|(_, test)| PublishedParams { test, ..published(&stage) });
        let poses = stage.poses(steps);
        let mut all = hashes(&stage, &poses[0], params)?;
        let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, 9)?;
        for (k, (test, _)) in TESTS.iter().enumerate() {
            let [truth, missed, invented] = against_truth(&stage, &poses[..1], &mut all[k])?;
            let times = laps[k].mean() / laps[0].mean();
            if k == 1 {
                ratio = times;
            }
            let (seconds, made) = (Value::Seconds(laps[k].mean()), laps[k].count(|s| s.candidates));
            row!(sheet, name, *test, seconds, Value::Times(times), made, truth, missed, invented);
        }
    }
    let how = "the whole step with each test, best of 9 repetitions: set-up D, where the test is a small part of \
               the step, and a crowd of large tets and small triangles, where it is most of it. Misses against \
               brute force in the first step.";
    Ok(Finding::new(how, sheet)
        .check(
            ratio > 1.0,
            format!("in the crowd half spaces take {} × the time of barycentric coordinates", digits(ratio)),
        )
        .check((0.67..=1.5).contains(&ratio), "the difference is slight (at most 1.5)"))
}

/// T18: vertices in two passes, or tets in one.
pub fn passes() -> Result<Finding> {
    let mut sheet =
        Sheet::new(["set-up", "two passes", "one pass", "one / two", "entries: two", "entries: one"]);
    let mut least = f64::INFINITY;
    for (letter, scene, steps) in [("A", "T25", 20), ("B", "T26", 8), ("C", "T27", 3), ("D", "T28", 1)] {
        let stage = Stage::named(scene)?;
        let two = published(&stage);
        let one = PublishedParams { passes: Passes::One, strangers: Strangers::Skip, ..two };
        let poses = stage.poses(steps);
        let mut all = hashes(&stage, &poses[0], [two, one])?;
        let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, 2)?;
        let [two, one] = [laps[0].mean(), laps[1].mean()];
        least = least.min(one / two);
        let slices = poses[0].slices();
        let p = all[0].statistics(&stage.mesh, Frame::new(&slices)).cells_per_tet;
        let entries = (p * stage.mesh.tets().len() as f64).round() as usize;
        let (two, one, times) = (Value::Seconds(two), Value::Seconds(one), Value::Times(one / two));
        row!(sheet, letter, two, one, times, stage.mesh.vertex_count(), entries);
    }
    let how = "the paper's two passes beside one pass that hashes every tet into the cells of its box and tests \
               tets that meet; the last columns count what is put into the table.";
    Ok(Finding::new(how, sheet).check(
        least > 1.0,
        format!("one pass takes at least {} × the time of two in every set-up", digits(least)),
    ))
}
