//! X1: one question, every method that can answer it.

use anyhow::Result;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::published::{Placement, PublishedBucketTree, PublishedParams as Buckets};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::methods::regularity::published::{Published, PublishedParams, Rules};
use crumple::methods::regularity::{Regularity, RegularityParams};
use crumple::{Contacts, Detector, Frame, Pairs, Stats};
use crumple_io::report::bytes;

use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, missing, smallest, timed};
use crate::reproduce::sheet::{Sheet, Value, row};

type Make = fn() -> Result<Box<dyn Detector>>;

/// Every way to find intersecting triangles.
const METHODS: [(&str, Make); 6] = [
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
];

/// Bytes of this process in memory now; `None` where the system does not tell.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

/// X1: the table that Madera et al. wish for.
pub fn compared(_: Extent) -> Result<Finding> {
    const ROUNDS: usize = 3;
    /// Brute force is left out where it would take longer than everything else together.
    const ALL_PAIRS: usize = 25_000;
    let mut sheet = Sheet::new([
        "scene",
        "triangles",
        "method",
        "first frame",
        "update",
        "query",
        "visits and tests",
        "exact tests",
        "exact tests per pair found",
        "pairs",
        "missed",
        "memory",
    ]);
    for (what, name, frame, pairs) in [
        ("sheet that crosses itself", "loop-80k", 2, Pairs::Within),
        ("crumpled sheet", "crumple-20k", 2, Pairs::Within),
        ("cloth on a body", "V20", 10, Pairs::All),
        ("two soups", "B16", 5, Pairs::Between),
    ] {
        let stage = Stage::named(name)?;
        let [before, now] = [frame - 1, frame].map(|f| stage.pose(f));
        let mut truth = None;
        let mut rows = Vec::new();
        for (method, make) in METHODS {
            if method == METHODS[0].0 && stage.mesh.triangles().len() > ALL_PAIRS {
                continue;
            }
            let memory = resident();
            let mut detector = make()?;
            let slices = before.slices();
            let (first, done) = timed(|| detector.update(&stage.mesh, Frame::new(&slices)).map(drop));
            done?;
            let (mut updates, mut queries) = (Vec::new(), Vec::new());
            let (mut stats, mut found) = (Stats::default(), Contacts::default());
            for _ in 0..ROUNDS {
                // There and back, so that each update meets the motion of one step.
                let back = before.slices();
                detector.update(&stage.mesh, Frame::new(&back)).map(drop)?;
                let slices = now.slices();
                let (seconds, ready) = timed(|| detector.update(&stage.mesh, Frame::new(&slices)));
                let mut ready = ready?;
                updates.push(seconds);
                let (seconds, counted) = timed(|| ready.contacts(pairs, &mut found));
                queries.push(seconds);
                stats = counted;
            }
            let grown = resident().zip(memory).map(|(after, before)| after.saturating_sub(before));
            if method == METHODS[3].0 {
                truth = Some(found.triangle_pairs.clone());
            }
            rows.push((
                method,
                first,
                smallest(&updates),
                smallest(&queries),
                stats,
                found.triangle_pairs,
                grown,
            ));
        }
        let truth = truth.unwrap_or_default();
        for (method, first, update, query, stats, found, grown) in rows {
            row!(
                sheet,
                what,
                stage.mesh.triangles().len(),
                method,
                Value::Seconds(first),
                Value::Seconds(update),
                Value::Seconds(query),
                stats.visits + stats.tests,
                stats.candidates,
                stats.candidates as f64 / found.len().max(1) as f64,
                found.len(),
                missing(&truth, &found),
                grown.map_or(Value::Nothing, |n| Value::Text(bytes(n)))
            );
        }
    }
    let how = format!(
        "pairs of intersecting triangles: within the first two scenes, everywhere in the third, between the soups of the \
         fourth. “First frame” includes building the structure; update and query are the best of {ROUNDS}, from one frame to \
         the next. Tightness is the number of exact tests for each pair found: 1 would be perfect. Missed are pairs that \
         Crumple's regularity, which is exact, finds. Memory is what the process grew by while the method was made and \
         asked: an upper estimate in whole pages, nothing where freed memory was used again."
    );
    Ok(Finding::new(how, sheet).remark(
        "Hashing answers about vertices in tets, layers about volumes and the distance hierarchy about distances: other \
         questions, which T25 to T29, H21 to H25 and M19 to M24 time.",
    ))
}
