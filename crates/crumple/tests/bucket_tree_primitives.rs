//! `PrimitiveTree` with points, segments, triangles, tets, boxes and a type of the user's, against everything with
//! everything: each query sorted, each answer once.

use crumple::geometry::{Aabb, Point};
use crumple::methods::bucket_tree::{BucketTreeParams, Primitive, PrimitiveId, PrimitiveTree};
use crumple_scenes::Rng;

/// A user's own type: it has a box, an ordering point off the middle of it, and a distance that is not the box's.
#[derive(Clone)]
struct Ball {
    centre: Point,
    radius: f64,
}

impl Primitive for Ball {
    fn bounds(&self) -> Aabb {
        Aabb { min: self.centre.map(|x| x - self.radius), max: self.centre.map(|x| x + self.radius) }
    }

    fn ordering_point(&self) -> Point {
        [self.centre[0] + self.radius, self.centre[1], self.centre[2]]
    }

    fn distance_sq(&self, to: &Point) -> f64 {
        let away = (0..3).map(|k| (to[k] - self.centre[k]).powi(2)).sum::<f64>().sqrt() - self.radius;
        away.max(0.0).powi(2)
    }
}

fn all_params() -> [BucketTreeParams; 2] {
    [BucketTreeParams::default(), BucketTreeParams { slack: 0.0, patience: 1.0 }]
}

/// A coordinate, on a coarse grid half of the time, so that boxes touch and points coincide.
fn coordinate(rng: &mut Rng) -> f64 {
    if rng.chance(0.5) { rng.below(9) as f64 / 8.0 } else { rng.unit() }
}

/// Corners of something small, or now and then large.
fn corners<const N: usize>(rng: &mut Rng) -> [Point; N] {
    let size = if rng.chance(0.02) { 1.0 } else { 0.15 };
    let at: Point = std::array::from_fn(|_| coordinate(rng));
    std::array::from_fn(|_| std::array::from_fn(|k| at[k] + size * (coordinate(rng) - 0.5)))
}

fn named<P: Primitive>(tree: &PrimitiveTree<P>) -> Vec<(PrimitiveId, &P)> {
    tree.iter().collect()
}

/// Every query of two trees, before and after edits and a step in which everything moves.
fn hold<P: Primitive + Clone>(make: impl Fn(&mut Rng) -> P) {
    for (n, params) in all_params().into_iter().enumerate() {
        let mut rng = Rng::new(n as u64 + 1);
        let mut a = PrimitiveTree::new(params).unwrap();
        let mut b = PrimitiveTree::new(params).unwrap();
        let mut names: Vec<PrimitiveId> = (0..700).map(|_| a.insert(make(&mut rng)).unwrap()).collect();
        for _ in 0..150 {
            b.insert(make(&mut rng)).unwrap();
        }
        compare(&mut a, &b, &mut rng);
        for _ in 0..300 {
            let gone = names.swap_remove(rng.below(names.len()));
            assert!(a.remove(gone).is_some() && a.remove(gone).is_none());
            let moved = names[rng.below(names.len())];
            assert!(a.set(moved, make(&mut rng)).unwrap());
        }
        compare(&mut a, &b, &mut rng);
        a.update(|_, p| *p = make(&mut rng)).unwrap();
        compare(&mut a, &b, &mut rng);
    }
}

fn compare<P: Primitive>(a: &mut PrimitiveTree<P>, b: &PrimitiveTree<P>, rng: &mut Rng) {
    a.validate().unwrap();
    let mut within = Vec::new();
    a.pairs(&mut within);
    let mut between = Vec::new();
    a.pairs_with(b, &mut between);
    let (in_a, in_b) = (named(a), named(b));
    let mut expected = Vec::new();
    for (i, (p, x)) in in_a.iter().enumerate() {
        let others = in_a[i + 1..].iter().filter(|(_, y)| x.bounds().overlaps(&y.bounds()));
        expected.extend(others.map(|(q, _)| (*p, *q)));
    }
    expected.sort_unstable();
    assert!(within == expected, "{} pairs, expected {}", within.len(), expected.len());
    expected.clear();
    for (p, x) in &in_a {
        let others = in_b.iter().filter(|(_, y)| x.bounds().overlaps(&y.bounds()));
        expected.extend(others.map(|(q, _)| (*p, *q)));
    }
    expected.sort_unstable();
    assert!(between == expected, "{} pairs between, expected {}", between.len(), expected.len());
    for _ in 0..25 {
        let query = Aabb::of(&corners::<2>(rng));
        let mut found = Vec::new();
        a.in_box(&query, &mut found);
        let mut expected: Vec<_> =
            in_a.iter().filter(|(_, x)| x.bounds().overlaps(&query)).map(|(p, _)| *p).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        let [to] = corners::<1>(rng).map(|p| p.map(|x| 3.0 * x - 1.0));
        let least = (in_a.iter().map(|(p, x)| (x.distance_sq(&to), *p)))
            .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        assert_eq!(a.nearest(&to).map(|(p, d)| (d, p)), least);
    }
}

#[test]
fn points() {
    hold(|rng| corners::<1>(rng)[0]);
}

#[test]
fn segments() {
    hold(corners::<2>);
}

#[test]
fn triangles() {
    hold(corners::<3>);
}

#[test]
fn tets() {
    hold(corners::<4>);
}

#[test]
fn boxes() {
    hold(|rng| Aabb::of(&corners::<2>(rng)));
}

#[test]
fn balls_of_the_users_own() {
    hold(|rng| Ball { centre: corners::<1>(rng)[0], radius: 0.1 * rng.unit() });
}

#[test]
fn hostile_heaps() {
    let far = 1e12;
    // All on one point; all but one in a corner; far from the origin with a spacing near that of the numbers there; one
    // alone; some as large as everything.
    let heaps: [Vec<[Point; 2]>; 5] = [
        vec![[[0.25; 3]; 2]; 600],
        (0..600)
            .map(|i| if i == 7 { [[1e6; 3]; 2] } else { [[f64::from(i) * 1e-9, 0.0, 1e-10]; 2] })
            .collect(),
        (0..600)
            .map(|i| [f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100)].map(|x| far + 1e-3 * x))
            .map(|p| [p, p.map(|x| x + 6e-4)])
            .collect(),
        vec![[[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]],
        (0..600)
            .map(|i| [[f64::from(i); 3], [f64::from(i) + if i % 100 == 0 { 1e5 } else { 0.5 }; 3]])
            .collect(),
    ];
    for heap in heaps {
        for params in all_params() {
            let mut tree = PrimitiveTree::new(params).unwrap();
            let names: Vec<_> = heap.iter().map(|s| tree.insert(*s).unwrap()).collect();
            let none = PrimitiveTree::new(params).unwrap();
            compare(&mut tree, &none, &mut Rng::new(1));
            // A teleport, and back.
            for by in [1e7, -1e7] {
                tree.update(|_, s| s.iter_mut().for_each(|p| p[1] += by)).unwrap();
                compare(&mut tree, &none, &mut Rng::new(2));
            }
            names.into_iter().for_each(|id| assert!(tree.remove(id).is_some()));
            compare(&mut tree, &none, &mut Rng::new(3));
            assert!(tree.is_empty() && tree.nearest(&[0.0; 3]).is_none());
        }
    }
}
