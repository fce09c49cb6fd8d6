//! Distances above zero: against sampled times, and cases with distances that one can see.

use crate::generate::{Point, Random, how_many, query, seed};
use crumple::narrow::continuous::separation::{self, Approach, BAND};
use crumple::narrow::{continuous, point_tri, seg_seg};

fn at([s, e]: &[[Point; 4]; 2], t: f64) -> [Point; 4] {
    std::array::from_fn(|i| std::array::from_fn(|k| (1.0 - t) * s[i][k] + t * e[i][k]))
}

fn distance(p: &[Point; 4], edges: bool) -> f64 {
    if edges {
        seg_seg::closest(&[p[0], p[1]], &[p[2], p[3]]).distance_sq.sqrt()
    } else {
        point_tri::closest(&p[0], &[p[1], p[2], p[3]]).distance_sq.sqrt()
    }
}

fn ask(q: &[[Point; 4]; 2], edges: bool, d: f64, until: f64) -> Option<Approach> {
    let ask = if edges { separation::edge_edge } else { separation::vertex_triangle };
    ask(&q[0], &q[1], d, until)
}

/// No sample before the time told, or at any time if none is told, is nearer; and what is told is within the band.
#[test]
fn samples() {
    let mut random = Random::new(seed() + 20);
    let (mut told, mut never, mut gave_up) = (0, 0, 0);
    let n = how_many(3000);
    for i in 0..n {
        let q = query(&mut random, [1, 2, 3, 7, 8][i as usize % 5]);
        let (edges, d) = (random.below(2) == 0, [0.01, 0.3, 1.0][random.below(3) as usize]);
        let answer = ask(&q, edges, d, 1.0);
        let sure = answer.map_or(1.0, |a| a.after);
        for k in 0..=64 {
            let t = f64::from(k) / 64.0 * sure;
            if answer.is_some_and(|a| t >= a.after) {
                break;
            }
            assert!(distance(&at(&q, t), edges) > d * (1.0 - 1e-9), "{q:?} {edges} {d} {t} {answer:?}");
        }
        match answer {
            Some(a) if a.distance <= d * (1.0 + BAND) => {
                let then = distance(&at(&q, a.after), edges);
                assert!((then - a.distance).abs() < 1e-9, "{q:?} {edges} {d} {a:?}");
                told += 1;
            }
            Some(_) => gave_up += 1,
            None => {
                let [s, e] = &q;
                let hit = if edges { continuous::edge_edge } else { continuous::vertex_triangle };
                assert_eq!(hit(s, e, 1.0), None);
                never += 1;
            }
        }
    }
    println!("{told} told, {never} never, {gave_up} gave up");
    assert!(told > n / 4 && never > n / 10 && gave_up * 1000 <= n);
}

#[test]
fn a_falling_point_and_a_crossing_edge() {
    let fall = |from: f64, to: f64| {
        [from, to].map(|z| [[1.0, 1.0, z], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    };
    let a = ask(&fall(2.0, -2.0), false, 1.0, 1.0).unwrap();
    assert!((a.after - 0.25).abs() < 1e-7 && a.after <= 0.25 && a.distance >= 1.0);
    assert_eq!(ask(&fall(2.0, 1.001), false, 1.0, 1.0), None);
    assert!(ask(&fall(2.0, 1.0), false, 1.0, 1.0).is_some());
    assert_eq!(ask(&fall(2.0, -2.0), false, 1.0, 0.2), None);
    assert_eq!(ask(&fall(0.5, 0.5), false, 1.0, 1.0).unwrap().after, 0.0);
    let cross = [2.0, -2.0].map(|z| [[-1.0, 0.0, z], [1.0, 0.0, z], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    let a = ask(&cross, true, 0.5, 1.0).unwrap();
    assert!((a.after - 0.375).abs() < 1e-7 && a.after <= 0.375);
    // Past a corner, at a distance of 1 at t = 1/2: above it never, below it before.
    let pass = [[-5.0, -1.0, 0.0], [5.0, -1.0, 0.0]]
        .map(|p| [p, [0.0, 0.0, 0.0], [1.0, 4.0, 0.0], [-1.0, 4.0, 0.0]]);
    assert_eq!(ask(&pass, false, 0.999, 1.0), None);
    assert!(ask(&pass, false, 1.001, 1.0).is_some_and(|a| a.after < 0.5 && a.after > 0.49));
}

#[test]
fn out_of_range_is_told() {
    let huge = [1e200, -1e200].map(|z| [[1.0, 1.0, z], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    assert!(ask(&huge, false, 1.0, 1.0).is_some_and(|a| a.after < 0.5));
}
