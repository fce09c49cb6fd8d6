//! Choices of the algorithm: which test (T11), how many passes (T18).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{InsideTest, Passes, PublishedParams, Strangers};
use crumple::{Frame, Pairs};
use crumple_scenes::{LazyBody, LazyScene, Rng, Solid, shapes};

use super::{against_truth, hashes, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, race};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, least};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Large tets of the crowd; small triangles, and how long they are, over the box of the tets.
const LARGE: u32 = 150;
const SMALL: (usize, f64) = (4000, 0.01);
/// The seed of the small triangles.
const SEED: u64 = 12;
/// Steps of set-ups A to D for T18, and how many times as many all are, since the paper gives no number.
const MANY: usize = 10;
const STEPS: [(&str, &str, usize); 4] = [("A", "T25", 20), ("B", "T26", 8), ("C", "T27", 3), ("D", "T28", 1)];

/// Tets so large that nearly every vertex is in the box of many: the test is most of the work.
fn crowd() -> Result<Stage> {
    let mut rng = Rng::new(11);
    let positions: Vec<_> = (0..4 * LARGE as usize).map(|_| rng.in_box([-1.0; 3], [1.0; 3])).collect();
    let tets = (0..LARGE).map(|t| [0, 1, 2, 3].map(|k| 4 * t + k)).collect();
    let large = LazyBody::still_solid("large tets", Solid { positions, tets });
    let small = LazyBody::still("confetti", shapes::triangle_soup(SMALL.0, SMALL.1, SEED));
    Stage::of(LazyScene::new("crowd", 1, vec![large, small]))
}

/// T11: barycentric coordinates, half spaces, exact signs.
pub fn inside_test(extent: Extent) -> Result<Finding> {
    /// The paper's two tests and Crumple's.
    const TESTS: [(&str, InsideTest); 3] = [
        ("barycentric", InsideTest::Barycentric),
        ("half spaces", InsideTest::HalfSpaces),
        ("exact signs", InsideTest::Exact),
    ];
    /// Repetitions in turn.
    const ROUNDS: usize = 9;
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
    for (name, stage, steps) in [("D", Stage::named("T28")?, 4), ("crowd", crowd()?, 1)] {
        let params = TESTS.map(|(_, test)| PublishedParams { test, ..published(&stage) });
        let poses = stage.poses(extent.steps(steps, stage.scene.frames));
        let mut all = hashes(&stage, &poses[0], params)?;
        let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, extent.rounds(ROUNDS))?;
        for (k, (test, _)) in TESTS.iter().enumerate() {
            let [truth, missed, invented] = against_truth(&stage, &poses[..1], &mut all[k])?;
            let times = Value::times(laps[k].against(&laps[0]));
            let (seconds, made) = (Value::Seconds(laps[k].mean()), laps[k].count(|s| s.candidates));
            row!(sheet, name, *test, seconds, times, made, truth, missed, invented);
        }
    }
    let how = format!(
        "the whole step with each test, {} repetitions in turn: set-up D, where the test is a small part of the \
         step, and a crowd of {LARGE} large tets and {} small triangles, where it is most of it. Misses against brute force \
         in the first step.",
        extent.rounds(ROUNDS),
        SMALL.0
    );
    Ok(Finding::new(how, sheet).claim(
        Claim::new(
            "the barycentric-coordinate test is slightly faster than the half-space test",
            "Section 4.4",
            "in the crowd half spaces take {} × the time of barycentric coordinates",
            cell("against barycentric").at("scene", "crowd").at("test", "half spaces"),
            &limits::SLIGHT,
        )
        .because(
            "Both make the same tests and give the same answers; only the arithmetic differs, and a processor of today \
             weighs it otherwise.",
            "half spaces make {} × the tests",
            cell("tests made")
                .at("test", "half spaces")
                .over(cell("tests made").at("test", "barycentric"))
                .at("scene", "crowd"),
            &limits::SAME,
        ),
    ))
}

/// T18: vertices in two passes, or tets in one.
pub fn passes(extent: Extent) -> Result<Finding> {
    /// Repetitions in turn.
    const ROUNDS: usize = 3;
    let mut sheet = Sheet::new([
        "set-up",
        "strangers",
        "two passes",
        "one pass",
        "one / two",
        "entries: two",
        "entries: one",
        "entries, one / two",
        "tests, one / two",
    ]);
    for (letter, scene, steps) in STEPS {
        let stage = Stage::named(scene)?;
        let poses = stage.poses(extent.steps(steps, MANY * steps));
        for (name, strangers) in [("tested", Strangers::Test), ("skipped", Strangers::Skip)] {
            let two = PublishedParams { strangers, ..published(&stage) };
            let one = PublishedParams { passes: Passes::One, ..two };
            let mut all = hashes(&stage, &poses[0], [two, one])?;
            let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, ROUNDS)?;
            let slices = poses[0].slices();
            let p = all[0].statistics(&stage.mesh, Frame::new(&slices)).cells_per_tet;
            let entries = (p * stage.mesh.tets().len() as f64).round();
            let vertices = stage.mesh.vertex_count();
            let tests = [0, 1].map(|k| laps[k].count(|s| s.visits + s.tests));
            let [a, b] = [0, 1].map(|k| Value::Seconds(laps[k].mean()));
            let times = Value::times(laps[1].against(&laps[0]));
            let more = Value::Times(entries / vertices as f64);
            let tests = Value::Times(tests[1] / tests[0]);
            row!(sheet, letter, name, a, b, times, vertices, entries as usize, more, tests);
        }
    }
    let how = format!(
        "the paper's two passes beside one pass that hashes every tet into the cells of its box and tests tets that meet, \
         {ROUNDS} repetitions in turn. Both once with strangers tested, as published, and once with strangers skipped, so \
         that neither gains by the other's repair. Entries count what is put into the table."
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "We have implemented this approach, but found it less efficient compared to the two-pass approach.",
            "Section 7",
            "in the set-up that suits it best, one pass takes {} × the time of two",
            least("one / two"),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "tetrahedrons are usually mapped to several hash indices, which leads to a larger number of elements in the \
             hash table",
            "Section 7",
            "one pass puts at least {} × as many entries into the table",
            least("entries, one / two"),
            &limits::MORE,
        )))
}
