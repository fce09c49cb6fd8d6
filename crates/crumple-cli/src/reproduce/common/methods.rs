//! X1: one question, every method that can answer it.

use anyhow::Result;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::published::{Placement, PublishedBucketTree, PublishedParams as Buckets};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::methods::spatial_hash::{Find, SpatialHash, SpatialHashParams};
use crumple::{Contacts, Detector, Frame, Pairs, Stats};

use super::memory::{self, Row};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage, missing, smallest, timed};
use crate::reproduce::sheet::{Sheet, Value, row};

type Make = fn() -> Result<Box<dyn Detector>>;

/// Every way to find intersecting triangles.
const METHODS: [(&str, Make); 7] = [
    ("all pairs of boxes", || Ok(Box::new(BruteForce::surfaces()))),
    ("boxes of a hierarchy (1994)", || {
        Ok(Box::new(Published::new(PublishedParams { rules: Rules::BoxesOnly, ..Default::default() })?))
    }),
    ("regularity, published", || Ok(Box::new(Published::new(PublishedParams::default())?))),
    ("regularity, Crumple", || Ok(Box::new(Regularity::new(RegularityParams::default())?))),
    ("bucket tree, published", || {
        let params = Buckets { placement: Placement::Direct, levels: 4, ..Buckets::default() };
        Ok(Box::new(PublishedBucketTree::new(params)?))
    }),
    ("bucket tree, Crumple", || Ok(Box::new(BucketTree::new(BucketTreeParams::default())?))),
    ("hashed cells, Crumple", || {
        let find = Find { vertex_tets: false, edge_tets: false, triangle_pairs: true };
        Ok(Box::new(SpatialHash::new(SpatialHashParams { find, ..Default::default() })?))
    }),
];
/// The method whose answers are the truth; it is exact.
const EXACT: usize = 3;

/// Scenes: words, name, frame, which pairs.
const SCENES: [(&str, &str, usize, Pairs); 4] = [
    ("sheet that crosses itself", "loop-80k", 2, Pairs::Within),
    ("crumpled sheet", "crumple-20k", 2, Pairs::Within),
    ("cloth on a body", "V20", 10, Pairs::All),
    ("two soups", "B16", 5, Pairs::Between),
];

/// Repetitions of update and query.
const ROUNDS: usize = 3;
/// Brute force is left out where there are more triangles: it would take longer than everything else together.
const ALL_PAIRS: usize = 25_000;

/// One method on a scene.
struct Asked {
    first: f64,
    update: f64,
    query: f64,
    stats: Stats,
    found: Contacts,
}

fn ask(stage: &Stage, [before, now]: &[Pose; 2], pairs: Pairs, make: Make) -> Result<Asked> {
    let mut detector = make()?;
    let slices = before.slices();
    let (first, done) = timed(|| detector.update(&stage.mesh, Frame::new(&slices)).map(drop));
    done?;
    let (mut updates, mut queries) = (Vec::new(), Vec::new());
    let (mut stats, mut found) = (Stats::default(), Contacts::default());
    for _ in 0..ROUNDS {
        // There and back, so that each update meets the motion of one step.
        detector.update(&stage.mesh, Frame::new(&slices)).map(drop)?;
        let slices = now.slices();
        let (seconds, ready) = timed(|| detector.update(&stage.mesh, Frame::new(&slices)));
        let mut ready = ready?;
        updates.push(seconds);
        let (seconds, counted) = timed(|| ready.contacts(pairs, &mut found));
        queries.push(seconds);
        stats = counted;
    }
    Ok(Asked { first, update: smallest(&updates), query: smallest(&queries), stats, found })
}

fn set(scene: usize) -> Result<(Stage, [Pose; 2])> {
    let (_, name, frame, _) = SCENES[scene];
    let stage = Stage::named(name)?;
    let poses = [frame - 1, frame].map(|f| stage.pose(f));
    Ok((stage, poses))
}

/// A row in a process of its own, for its memory: makes the method, follows two frames, asks once.
pub fn alone(row: Row) -> Result<()> {
    let (stage, [before, now]) = set(row.scene)?;
    if let Some(method) = row.method {
        let mut detector = METHODS[method].1()?;
        let slices = before.slices();
        detector.update(&stage.mesh, Frame::new(&slices)).map(drop)?;
        let slices = now.slices();
        let mut found = Contacts::default();
        detector.update(&stage.mesh, Frame::new(&slices))?.contacts(SCENES[row.scene].3, &mut found);
    }
    Ok(())
}

/// X1: the table that Madera et al. wish for.
pub fn compared(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "scene",
        "triangles",
        "method",
        "build and first frame",
        "update",
        "query",
        "visits and tests",
        "exact tests",
        "exact tests per pair found",
        "pairs",
        "missed",
        "peak memory",
        "bytes per triangle",
    ]);
    for (s, (what, _, _, pairs)) in SCENES.into_iter().enumerate() {
        let (stage, poses) = set(s)?;
        let triangles = stage.mesh.triangles().len();
        let idle = memory::of("X1", Row { scene: s, method: None })?;
        let mut all = Vec::new();
        for (m, (method, make)) in METHODS.into_iter().enumerate() {
            if m == 0 && triangles > ALL_PAIRS {
                continue;
            }
            let held = memory::of("X1", Row { scene: s, method: Some(m) })?;
            let bytes = held.zip(idle).map(|(with, without)| with.saturating_sub(without));
            all.push((m, method, ask(&stage, &poses, pairs, make)?, bytes));
        }
        let truth =
            all.iter().find(|a| a.0 == EXACT).map(|a| a.2.found.triangle_pairs.clone()).unwrap_or_default();
        for (_, method, asked, bytes) in all {
            let found = asked.found.triangle_pairs;
            let [first, update, query] = [asked.first, asked.update, asked.query].map(Value::Seconds);
            let each = |n: u64| n as f64 / triangles as f64;
            row!(
                sheet,
                what,
                triangles,
                method,
                first,
                update,
                query,
                asked.stats.visits + asked.stats.tests,
                asked.stats.candidates,
                asked.stats.candidates as f64 / found.len().max(1) as f64,
                found.len(),
                missing(&truth, &found),
                bytes.map_or(Value::Nothing, Value::Bytes),
                bytes.map_or(Value::Nothing, |n| Value::Number(each(n)))
            );
        }
    }
    let how = format!(
        "pairs of intersecting triangles: within the first two scenes, everywhere in the third, between the soups of the \
         fourth. “First frame” includes building the structure; update and query are the best of {ROUNDS}, from one frame to \
         the next. Tightness is the number of exact tests for each pair found: 1 would be perfect. Missed are pairs that \
         Crumple's regularity, which is exact, finds; all pairs of boxes is left out beyond {ALL_PAIRS} triangles. Memory is the \
         peak of a process that makes the method, follows two frames and asks once, less that of a process that only \
         holds the scene; nothing where the system does not tell."
    );
    Ok(Finding::new(how, sheet).remark(
        "Layers answer about volumes and the distance hierarchy about distances, which needs closed surfaces or two bodies: X2 asks \
         all methods about two of these. Vertices in tets are compared in T18 and T25 to T29.",
    ))
}
