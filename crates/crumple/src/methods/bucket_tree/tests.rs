//! What is peculiar to the trees themselves; meshes, suites and edits of bodies are in `tests/`.

use super::*;
use crate::geometry::{Aabb, Point};

/// A small generator, so that every run is the same.
pub(super) struct Draw(pub u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// On a coarse grid half of the time, so that boxes touch and points coincide.
    fn coordinate(&mut self) -> f64 {
        let x = self.next() as f64 / (1u64 << 31) as f64;
        if self.next().is_multiple_of(2) { (x * 8.0).floor() / 8.0 } else { x }
    }

    pub fn segment(&mut self, size: f64) -> [Point; 2] {
        let a: Point = std::array::from_fn(|_| self.coordinate());
        [a, std::array::from_fn(|k| a[k] + size * (self.coordinate() - 0.5))]
    }
}

/// Patient, and placing everything anew on a new grid in every step.
fn all_params() -> [BucketTreeParams; 2] {
    [BucketTreeParams::default(), BucketTreeParams { slack: 0.0, patience: 1.0 }]
}

/// Everything a tree answers, against everything with everything.
fn hold_to_brute_force(tree: &mut PrimitiveTree<[Point; 2]>, draw: &mut Draw) {
    tree.validate().unwrap();
    let all: Vec<(PrimitiveId, [Point; 2])> = tree.iter().map(|(id, p)| (id, *p)).collect();
    assert_eq!(all.len(), tree.len());
    let mut expected = Vec::new();
    for (i, (a, p)) in all.iter().enumerate() {
        for (b, q) in &all[i + 1..] {
            if p.bounds().overlaps(&q.bounds()) {
                expected.push((*a, *b));
            }
        }
    }
    expected.sort_unstable();
    let mut found = Vec::new();
    tree.pairs(&mut found);
    assert_eq!(found, expected);
    let query = draw.segment(0.8).bounds();
    let mut inside = Vec::new();
    tree.in_box(&query, &mut inside);
    let expected: Vec<_> =
        all.iter().filter(|(_, p)| p.bounds().overlaps(&query)).map(|(id, _)| *id).collect();
    assert_eq!(inside, expected);
    let to = draw.segment(3.0)[1];
    let least = all
        .iter()
        .map(|(id, p)| (p.distance_sq(&to), *id))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    assert_eq!(tree.nearest(&to).map(|(id, d)| (d, id)), least);
}

#[test]
fn thousands_of_edits_equal_brute_force() {
    for (n, params) in all_params().into_iter().enumerate() {
        let mut draw = Draw(n as u64 + 1);
        let mut tree = PrimitiveTree::new(params).unwrap();
        let mut names = Vec::new();
        let mut gone = Vec::new();
        for step in 0..4000 {
            // The soup grows to some hundreds, then shrinks to nothing, twice.
            let grows = step % 2000 < 1400;
            match draw.below(10) {
                0..5 if grows || names.is_empty() => {
                    // Now and then a heap on one point, or something huge.
                    let size = if draw.below(50) == 0 { 2.0 } else { 0.05 };
                    let s = if draw.below(4) == 0 { [[0.25; 3]; 2] } else { draw.segment(size) };
                    names.push(tree.insert(s).unwrap());
                }
                0..8 if (!grows || draw.below(4) == 0) && !names.is_empty() => {
                    let id = names.swap_remove(draw.below(names.len()));
                    assert!(tree.remove(id).is_some());
                    gone.push(id);
                }
                _ if !names.is_empty() => {
                    let id = names[draw.below(names.len())];
                    let [a, b] = *tree.get(id).unwrap();
                    let far = if draw.below(5) == 0 { 1.0 } else { 0.01 };
                    let by: Point = std::array::from_fn(|_| far * (draw.coordinate() - 0.5));
                    let moved = [a, b].map(|p| std::array::from_fn(|k| p[k] + by[k]));
                    assert!(tree.set(id, moved).unwrap());
                }
                _ => {}
            }
            if step % 500 == 250 {
                tree.update(|_, s| s.iter_mut().for_each(|p| p[0] += 0.01)).unwrap();
            }
            if step % 37 == 0 || names.len() < 3 {
                hold_to_brute_force(&mut tree, &mut draw);
            }
        }
        for id in gone {
            assert!(tree.get(id).is_none() && tree.remove(id).is_none(), "a removed name lives");
        }
        let mut fresh = PrimitiveTree::new(params).unwrap();
        for (_, s) in tree.iter() {
            fresh.insert(*s).unwrap();
        }
        hold_to_brute_force(&mut fresh, &mut draw);
    }
}

#[test]
fn two_trees_with_maps_of_their_own() {
    let mut draw = Draw(5);
    for params in all_params() {
        let mut a = PrimitiveTree::new(params).unwrap();
        let mut b = PrimitiveTree::new(params).unwrap();
        for _ in 0..150 {
            a.insert(draw.segment(0.2)).unwrap();
            let s = draw.segment(0.2);
            b.insert(Aabb::of(&s)).unwrap();
        }
        // Far from the others, so that the maps differ.
        a.insert([[1e9; 3]; 2]).unwrap();
        let mut expected = Vec::new();
        for (i, p) in a.iter() {
            expected.extend(b.iter().filter(|(_, q)| q.overlaps(&p.bounds())).map(|(j, _)| (i, j)));
        }
        let mut found = Vec::new();
        a.pairs_with(&b, &mut found);
        assert_eq!(found, expected);
    }
}

#[test]
fn all_but_one_in_a_corner() {
    // 5000 segments within a millionth of the whole, and one at the other end (B19).
    let mut draw = Draw(11);
    let mut tree = PrimitiveTree::new(BucketTreeParams::default()).unwrap();
    for _ in 0..5000 {
        tree.insert(draw.segment(0.05).map(|p| p.map(|x| x * 1e-6))).unwrap();
    }
    tree.insert([[1.0; 3]; 2]).unwrap();
    tree.update(|_, _| {}).unwrap();
    hold_to_brute_force(&mut tree, &mut draw);
    assert!(tree.buckets().iter().all(|(_, n)| *n <= octree::BUCKET));
    let mut pairs = Vec::new();
    let stats = tree.pairs(&mut pairs);
    assert!(stats.candidates < 4 * pairs.len() as u64, "{stats:?} for {} pairs", pairs.len());
}

#[test]
fn bad_input_is_refused() {
    let bad = BucketTreeParams { slack: f64::NAN, ..Default::default() };
    assert!(PrimitiveTree::<Point>::new(bad).is_err());
    let bad = BucketTreeParams { patience: 0.5, ..Default::default() };
    assert!(PrimitiveTree::<Point>::new(bad).is_err());
    let mut tree = PrimitiveTree::new(BucketTreeParams::default()).unwrap();
    assert!(tree.insert([0.0, f64::NAN, 0.0]).is_err());
    let id = tree.insert([1.0, 2.0, 3.0]).unwrap();
    assert!(tree.set(id, [f64::INFINITY; 3]).is_err());
    assert!(tree.update(|_, p| p[0] = f64::NAN).is_err());
    tree.validate().unwrap();
    let empty = PrimitiveTree::<Point>::new(BucketTreeParams::default()).unwrap();
    assert_eq!(empty.nearest(&[0.0; 3]), None);
}
