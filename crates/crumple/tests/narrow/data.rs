//! Extra checks on published triangle pairs, when the environment variable `CRUMPLE_DATA` names the data directory.

use crate::oracle::Point;
use crumple::geometry::predicates::Settled;
use crumple::narrow::contact::contact;
use crumple::narrow::tri_tri::{intersects, intersects_tallied};
use crumple::narrow::tri_tri_distance;
use std::path::PathBuf;

fn directory() -> Option<PathBuf> {
    std::env::var_os("CRUMPLE_DATA").map(|d| PathBuf::from(d).join("tri-tri"))
}

fn read(name: &str) -> Option<String> {
    let path = directory()?.join(name);
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn check(a: &[Point; 3], b: &[Point; 3], expected: bool, tally: &mut Settled) {
    assert_eq!(intersects_tallied(a.each_ref(), b.each_ref(), tally), expected, "{a:?} {b:?}");
    assert_eq!(intersects(b, a), expected, "{b:?} {a:?}");
    assert_eq!(contact(a, b).is_some(), expected, "{a:?} {b:?}");
    assert_eq!(tri_tri_distance::closest(a, b).distance == 0.0, expected, "{a:?} {b:?}");
}

#[test]
fn pairs_of_shen_heng_tang() {
    for (name, expected) in [("shen2003_intersected.txt", true), ("shen2003_separated.txt", false)] {
        let Some(text) = read(name) else { return };
        let numbers: Vec<f64> = text.split_whitespace().map(|w| w.parse().expect("number")).collect();
        let (points, rest) = numbers.as_chunks::<3>();
        let (pairs, odd) = points.as_chunks::<6>();
        assert!(rest.is_empty() && odd.is_empty());
        assert_eq!(pairs.len(), 2500);
        for p in pairs {
            check(&[p[0], p[1], p[2]], &[p[3], p[4], p[5]], expected, &mut Settled::default());
        }
    }
}

/// Near misses and true hits from real meshes; nearly all signs must be settled by the filter.
#[test]
fn pairs_of_real_meshes() {
    let Some(text) = read("real_pairs.csv") else { return };
    let (mut tally, mut pairs, mut hits) = (Settled::default(), 0, 0);
    for line in text.lines().skip(2) {
        let fields: Vec<f64> = line.split(',').map(|w| w.parse().expect("number")).collect();
        assert_eq!(fields.len(), 22, "{line}");
        let p: Vec<Point> = fields[3..21].as_chunks::<3>().0.to_vec();
        let expected = fields[21] == 1.0;
        check(&[p[0], p[1], p[2]], &[p[3], p[4], p[5]], expected, &mut tally);
        pairs += 1;
        hits += usize::from(expected);
    }
    assert_eq!((pairs, hits), (4200, 2100));
    let all = tally.filtered + tally.exact;
    println!("signs settled by the filter: {} of {all}", tally.filtered);
    // What is left are mostly true zeros: near misses that touch a plane.
    assert!(tally.filtered * 100 >= all * 98);
}
