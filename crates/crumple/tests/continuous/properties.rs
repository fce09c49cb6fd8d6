//! What must follow when a query is told in another way.

use crate::generate::{Point, Query, Random, how_many, kind, query, seed};
use crumple::narrow::continuous::{Batch, ImpactTime, Kind, edge_edge, vertex_triangle};

/// Verdicts equal and times in common.
fn same(a: Option<ImpactTime>, b: Option<ImpactTime>, q: &Query) {
    assert_eq!(a.is_some(), b.is_some(), "{q:?} {a:?} {b:?}");
    if let (Some(a), Some(b)) = (a, b) {
        assert!(a.after <= b.by && b.after <= a.by, "{q:?} {a:?} {b:?}");
    }
}

fn reorder(q: &Query, order: [usize; 4]) -> Query {
    q.map(|points| order.map(|i| points[i]))
}

#[test]
fn order_of_corners_and_edges() {
    let mut random = Random::new(seed() + 10);
    for i in 0..how_many(3000) {
        let q = query(&mut random, kind(i));
        let ask = |[s, e]: Query| vertex_triangle(&s, &e, 1.0);
        for order in [[0, 2, 3, 1], [0, 3, 2, 1], [0, 2, 1, 3]] {
            same(ask(q), ask(reorder(&q, order)), &q);
        }
        let ask = |[s, e]: Query| edge_edge(&s, &e, 1.0);
        for order in [[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]] {
            same(ask(q), ask(reorder(&q, order)), &q);
        }
    }
}

#[test]
fn backwards_mirrored_turned_and_scaled() {
    let mut random = Random::new(seed() + 11);
    for i in 0..how_many(3000) {
        let q = query(&mut random, kind(i));
        let [s, e] = q;
        for ask in [vertex_triangle, edge_edge] {
            let one = ask(&s, &e, 1.0);
            assert_eq!(one.is_some(), ask(&e, &s, 1.0).is_some(), "{q:?}");
            let map = |f: &dyn Fn(Point) -> Point| same(one, ask(&s.map(f), &e.map(f), 1.0), &q);
            map(&|[x, y, z]| [-x, y, z]);
            map(&|[x, y, z]| [z, x, y]);
            // A power of two keeps every bit, unless numbers are subnormal or huge.
            if kind(i) < 11 {
                map(&|p| p.map(|x| x * 2f64.powi(-300)));
                map(&|p| p.map(|x| x * 2f64.powi(300)));
            }
        }
    }
}

/// On a grid sums are exact: the same motion seen from elsewhere, and from something that moves.
#[test]
fn moved_along() {
    let mut random = Random::new(seed() + 12);
    for i in 0..how_many(3000) {
        let q = query(&mut random, i % 7);
        let by = |points: [Point; 4], d: Point| points.map(|p| [p[0] + d[0], p[1] + d[1], p[2] + d[2]]);
        let [s, e] = q;
        for ask in [vertex_triangle, edge_edge] {
            let one = ask(&s, &e, 1.0);
            same(one, ask(&by(s, [1e12, -3.0, 7.0]), &by(e, [1e12, -3.0, 7.0]), 1.0), &q);
            same(one, ask(&by(s, [5.0, 0.25, 1e9]), &by(e, [-2.0, 64.0, 0.5]), 1.0), &q);
        }
    }
}

/// Batches end with any number of queries left over.
#[test]
fn batches() {
    let mut random = Random::new(seed() + 13);
    let mut id = 0;
    for size in (0..12).cycle().take(how_many(3000) as usize / 3) {
        let until = if size % 3 == 0 { 0.4 } else { 1.0 };
        let (mut batch, mut found, mut expected) = (Batch::new(until), Vec::new(), Vec::new());
        for _ in 0..size {
            id += 1;
            let [s, e] = query(&mut random, kind(id));
            let (features, ask): (_, fn(&_, &_, f64) -> _) = if random.below(2) == 0 {
                (Kind::VertexTriangle, vertex_triangle)
            } else {
                (Kind::EdgeEdge, edge_edge)
            };
            expected.extend(ask(&s, &e, until).map(|t: ImpactTime| (id, t)));
            batch.push(features, id, &s, &e, |id, t| found.push((id, t)));
        }
        batch.flush(|id, t| found.push((id, t)));
        found.sort_by_key(|&(id, _)| id);
        let ids = |of: &[(u64, ImpactTime)]| of.iter().map(|&(id, _)| id).collect::<Vec<_>>();
        if until == 1.0 {
            assert_eq!(found, expected);
        } else {
            // Stages 1 and 2 look at the whole step here; what is certainly later may be told or not.
            let late = |of: &[(u64, ImpactTime)]| {
                of.iter().filter(|(_, t)| t.after <= until).copied().collect::<Vec<_>>()
            };
            assert_eq!(ids(&late(&found)), ids(&late(&expected)));
        }
    }
}
