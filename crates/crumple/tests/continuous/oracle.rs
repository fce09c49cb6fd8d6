//! Every verdict and every time against rational arithmetic. `CRUMPLE_CCD_QUERIES=10000000 CRUMPLE_CCD_SEED=2 cargo test
//! --release -p crumple --test continuous oracle` makes a long run of it, at 0.2 ms of CPU time a query. Last runs: 2,000,000
//! queries each with seeds 21 to 25, 4,548,557 contacts, no difference.

use crate::generate::{Query, Random, how_many, kind, query, seed};
use crumple::methods::brute_force::impacts;
use crumple::narrow::continuous::{self, ImpactTime};

const WIDTH: f64 = 1.0 / (1u64 << 40) as f64;

fn check(what: &str, got: Option<ImpactTime>, expected: Option<impacts::Instant>, q: &Query) -> bool {
    assert_eq!(got.is_some(), expected.is_some(), "{what} {q:?} {got:?}");
    let (Some(t), Some(instant)) = (got, expected) else { return false };
    assert!(0.0 <= t.after && t.by <= 1.0 && t.by - t.after <= WIDTH, "{what} {q:?} {t:?}");
    assert!(instant.is_in_interval(t.after, t.by), "{what} {q:?} {t:?}");
    if instant.compare(0.0).is_eq() {
        assert_eq!((t.after, t.by), (0.0, 0.0), "{what} {q:?}");
    }
    true
}

#[test]
fn verdicts_and_times_of_all_kinds() {
    let mut random = Random::new(seed());
    let (n, mut hits) = (how_many(2000), 0);
    for i in 0..n {
        let q = query(&mut random, kind(i));
        let [s, e] = &q;
        let hit = if random.below(2) == 0 {
            check(
                "vertex-triangle",
                continuous::vertex_triangle(s, e, 1.0),
                impacts::vertex_triangle(s, e),
                &q,
            )
        } else {
            check("edge-edge", continuous::edge_edge(s, e, 1.0), impacts::edge_edge(s, e), &q)
        };
        hits += u64::from(hit);
        if (i + 1) % 1_000_000 == 0 {
            println!("{} queries, {hits} contacts, seed {}", i + 1, seed());
        }
    }
    println!("{n} queries, {hits} contacts, seed {}", seed());
    assert!(hits * 5 > n && hits * 2 < n);
}

#[test]
fn points_on_edges_and_on_points() {
    let mut random = Random::new(seed() + 1);
    let mut hits = [0; 2];
    for i in 0..how_many(2000) {
        let q = query(&mut random, kind(i));
        let [s, e] = q.map(|[a, b, c, _]| [a, b, c]);
        let hit = check("point-edge", continuous::point_edge(&s, &e), impacts::point_edge(&s, &e), &q);
        hits[0] += u64::from(hit);
        let [s, e] = q.map(|[a, b, ..]| [a, b]);
        let hit = check("point-point", continuous::point_point(&s, &e), impacts::point_point(&s, &e), &q);
        hits[1] += u64::from(hit);
    }
    assert!(hits.iter().all(|&n| n > 100), "{hits:?}");
}

/// `None` before the first contact only; `Some` at the latest from there on, and then the same.
#[test]
fn until_a_time() {
    let mut random = Random::new(seed() + 2);
    let (mut skipped, mut told) = (0, 0);
    for i in 0..how_many(4000) {
        let q = query(&mut random, kind(i));
        let [s, e] = &q;
        let ask = |until: f64| match i % 2 {
            0 => continuous::vertex_triangle(s, e, until),
            _ => continuous::edge_edge(s, e, until),
        };
        let whole = ask(1.0);
        for until in [0.0, 1e-12, 0.1, 0.25, 0.5, 0.7, 1.0 - f64::EPSILON, 2.0] {
            match (whole, ask(until)) {
                (None, None) => {}
                (Some(t), None) => {
                    assert!(t.by > until, "{q:?} {until} {t:?}");
                    skipped += 1;
                }
                (Some(t), Some(early)) => {
                    assert!(early.after <= t.by && t.after <= early.by, "{q:?} {until} {t:?} {early:?}");
                    assert!(early.by - early.after <= WIDTH);
                    told += 1;
                }
                (None, Some(t)) => panic!("{q:?} {until} {t:?}"),
            }
        }
        if let Some(t) = whole {
            assert!(ask(t.by).is_some(), "{q:?} {t:?}");
        }
    }
    assert!(skipped > 300 && told > 300, "{skipped} {told}");
}
