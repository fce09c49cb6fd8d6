use super::*;
use crate::geometry::Aabb;
use crate::methods::brute_force;
use crate::narrow::Feature;
use crate::{Bodies, Budget, Containment, Drawing, Frame, Guarantee, Positions, Tone, TriangleId};

/// The surface of a box, outward, each face cut into `n` by `n` squares of two triangles.
fn cuboid(low: Point, high: Point, n: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mut ids = std::collections::HashMap::new();
    for axis in 0..3 {
        for side in 0..2 {
            let mut at = |i: usize, j: usize| {
                let mut grid = [0; 3];
                grid[axis] = side * n;
                grid[(axis + 1) % 3] = i;
                grid[(axis + 2) % 3] = j;
                *ids.entry(grid).or_insert_with(|| {
                    let p = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * grid[k] as f64 / n as f64);
                    positions.push(p);
                    positions.len() as u32 - 1
                })
            };
            for i in 0..n {
                for j in 0..n {
                    let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let quad = if side == 1 { [p, q, r, s] } else { [s, r, q, p] };
                    triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
                }
            }
        }
    }
    (positions, triangles)
}

struct World {
    bodies: Bodies,
    positions: Vec<Vec<Point>>,
}

impl World {
    fn of(parts: &[(Vec<Point>, Vec<[u32; 3]>)]) -> Self {
        let bodies = parts.iter().map(|(p, t)| Mesh::from_triangles("part", p.len(), t).unwrap());
        Self {
            bodies: Bodies::new(bodies).unwrap(),
            positions: parts.iter().map(|(p, _)| p.clone()).collect(),
        }
    }

    fn ask<T>(&self, ask: impl FnOnce(&Bodies, Frame<'_>) -> T) -> T {
        let slices: Vec<Positions<'_>> = self.positions.iter().map(Positions::from).collect();
        ask(&self.bodies, Frame::new(&slices))
    }

    fn build(&self, params: DistanceHierarchyParams) -> DistanceHierarchy {
        let mut hierarchy = DistanceHierarchy::new(params).unwrap();
        self.ask(|bodies, frame| hierarchy.update(bodies, frame).unwrap());
        hierarchy
    }

    fn shift(&mut self, body: usize, by: Point) {
        self.positions[body].iter_mut().for_each(|p| (0..3).for_each(|k| p[k] += by[k]));
    }
}

const A: BodyId = BodyId(0);
const B: BodyId = BodyId(1);

#[test]
fn boxes_apart_touching_and_in_each_other() {
    let ask = |low: f64, high: f64| {
        let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 8), cuboid([low; 3], [high; 3], 4)]);
        let found = world.build(DistanceHierarchyParams::default()).distance([A, B]).unwrap();
        let expected = world.ask(|bodies, frame| brute_force::distance(bodies, frame, A, B).unwrap());
        assert_eq!(found, expected);
        found.unwrap()
    };
    let apart = ask(2.0, 3.0);
    assert_eq!((apart.distance, apart.contains), (3f64.sqrt(), None));
    assert!(matches!((apart.a.feature, apart.b.feature), (Feature::Vertex(_), Feature::Vertex(_))));
    assert_eq!(ask(1.0, 2.0).distance, 0.0);
    assert_eq!((ask(0.25, 0.75).distance, ask(0.25, 0.75).contains), (0.25, Some(Containment::A)));
    assert_eq!(ask(-1.0, 2.0).contains, Some(Containment::B));
    assert_eq!((ask(0.5, 1.5).distance, ask(0.5, 1.5).contains), (0.0, None));
}

#[test]
fn a_part_outside_is_not_contained() {
    let (mut p, mut t) = cuboid([0.25; 3], [0.5; 3], 2);
    let (q, s) = cuboid([0.6; 3], [0.9; 3], 1);
    t.extend(s.iter().map(|c| c.map(|v| v + p.len() as u32)));
    p.extend(q);
    let mut world = World::of(&[cuboid([0.0; 3], [1.0; 3], 3), (p, t)]);
    assert_eq!(
        world.build(DistanceHierarchyParams::default()).distance([A, B]).unwrap().unwrap().contains,
        Some(Containment::A)
    );
    let n = world.positions[1].len();
    world.positions[1][n - 8..].iter_mut().for_each(|p| p[0] += 5.0);
    assert_eq!(
        world.build(DistanceHierarchyParams::default()).distance([A, B]).unwrap().unwrap().contains,
        None
    );
}

#[test]
fn hardly_anything_has_no_distance() {
    let triangle = (vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
    let point = (vec![[0.0, 0.0, 3.0]; 3], vec![[0, 1, 2]]);
    let empty = (vec![[9.0; 3]; 2], Vec::new());
    let world = World::of(&[triangle, point, empty]);
    let mut h = world.build(DistanceHierarchyParams::default());
    let found = h.distance([A, B]).unwrap().unwrap();
    assert_eq!((found.distance, found.a.feature), (3.0, Feature::Vertex(0)));
    assert_eq!(h.distance([A, BodyId(2)]).unwrap(), None);
    assert_eq!(h.distance([A, A]).unwrap(), None);
    assert_eq!(h.vertex_distances([A, BodyId(2)]).unwrap(), None);
    let far = h.vertex_distances([BodyId(2), A]).unwrap().unwrap();
    assert_eq!((far.len(), far[0].triangle, far[0].feature), (2, TriangleId(0), Feature::Edge(1)));
    assert!(h.closer_than([A, BodyId(2)], 100.0).unwrap().is_empty());
    assert_eq!(h.closer_than([A, B], f64::INFINITY).unwrap().len(), 1);
    assert!(
        h.closer_than([A, B], f64::NAN).unwrap().is_empty()
            && h.closer_than([A, B], -1.0).unwrap().is_empty()
    );
    assert_eq!(h.all_pairs().len(), 1);
    let mut none = DistanceHierarchy::new(DistanceHierarchyParams::default()).unwrap();
    none.update(&Bodies::new([]).unwrap(), Frame::new(&[])).unwrap();
    assert!(none.all_pairs().is_empty());
}

#[test]
fn bad_parameters_and_bad_frames_are_refused() {
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 1)]);
    for region_triangles in [0, 65] {
        let params = DistanceHierarchyParams { region_triangles, ..DistanceHierarchyParams::default() };
        assert_eq!(DistanceHierarchy::new(params).unwrap_err().parameter, "region_triangles");
    }
    let mut h = world.build(DistanceHierarchyParams::default());
    let bad = vec![[f64::NAN; 3]; 8];
    let slices = [Positions::from(&bad)];
    assert!(h.update(&world.bodies, Frame::new(&slices)).is_err());
}

#[test]
fn crowded_triangles_do_not_make_a_deep_octree() {
    // Each triangle half as far from the corner as the one before, and then many in one place.
    let (mut p, mut t): (Vec<Point>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    for i in 0..200 {
        let x = 0.5f64.powi(i.min(150));
        t.push([0, 1, 2].map(|k| p.len() as u32 + k));
        p.extend([[x, x, x], [x, 0.0, x], [x, x, 0.0]]);
    }
    let world = World::of(&[(p, t), cuboid([2.0; 3], [3.0; 3], 2)]);
    for partition in [Partition::Octree, Partition::Median, Partition::Limbs] {
        let mut h = world.build(DistanceHierarchyParams {
            partition,
            region_triangles: 1,
            ..DistanceHierarchyParams::default()
        });
        let expected = world.ask(|bodies, frame| brute_force::distance(bodies, frame, A, B).unwrap());
        assert_eq!(h.distance([A, B]).unwrap(), expected);
        world.ask(|bodies, frame| h.validate(bodies, frame).unwrap());
    }
}

#[test]
fn medians_fill_nodes_and_blocks() {
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 20)]);
    let h =
        world.build(DistanceHierarchyParams { region_triangles: 10, ..DistanceHierarchyParams::default() });
    let regions = h.bodies[0].regions.as_ref().unwrap();
    assert_eq!(regions.blocks.len(), 512);
    assert!(regions.blocks.iter().all(|b| (9..=10).contains(&b.count)));
    assert!(regions.nodes.iter().all(|n| n.count == 8));
}

#[test]
fn bounds_hold_at_every_scale_and_place() {
    for (scale, offset) in [(1.0, 0.0), (1e-50, 0.0), (1e45, 0.0), (1e-3, 1e6), (1.0, -1e12)] {
        let move_to = |parts: (Vec<Point>, Vec<[u32; 3]>)| {
            (parts.0.iter().map(|p| p.map(|x| x * scale + offset)).collect::<Vec<_>>(), parts.1)
        };
        let parts = [cuboid([0.0; 3], [1.0; 3], 4), cuboid([1.5, 0.2, 0.3], [2.0, 3.0, 3.0], 4)].map(move_to);
        let world = World::of(&parts);
        let mut h = world
            .build(DistanceHierarchyParams { region_triangles: 4, ..DistanceHierarchyParams::default() });
        let exact = world.ask(|bodies, frame| brute_force::distance(bodies, frame, A, B).unwrap()).unwrap();
        assert_eq!(h.distance([A, B]).unwrap(), Some(exact));
        let [a, b] = [0, 1].map(|i| h.bodies[i].regions.as_ref().unwrap());
        let roots = a.bound(a.root).distance(b.bound(b.root));
        assert!(h.scale.certain(roots) <= exact.distance && roots <= h.scale.limit(exact.distance));
        for visits in 0..30 {
            h.forget();
            let some = h.budgeted([A, B], Budget::visits(visits)).unwrap().unwrap();
            assert!(some.lower <= exact.upper && exact.lower <= some.upper);
            assert!(some.lower <= some.distance && some.distance <= some.upper);
            assert_eq!(some.guarantee == Guarantee::Proved, some == exact, "{visits} visits");
        }
    }
}

#[test]
fn no_time_still_gives_bounds() {
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 8), cuboid([1.5, 0.25, 0.25], [2.5, 3.25, 3.25], 8)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    let none = h.budgeted([A, B], Budget::time(std::time::Duration::ZERO)).unwrap().unwrap();
    assert!(none.guarantee == Guarantee::Partial && none.lower <= 0.5 && none.upper > 0.5);
    let hour = h.budgeted([A, B], Budget::time(std::time::Duration::from_secs(3600))).unwrap().unwrap();
    assert_eq!((hour.guarantee, hour.distance), (Guarantee::Proved, 0.5));
}

#[test]
fn bodies_that_go_together_are_safe_for_ever() {
    let mut world = World::of(&[cuboid([0.0; 3], [1.0; 3], 2), cuboid([3.0, 0.0, 0.0], [4.0, 1.0, 1.0], 2)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    assert_eq!(h.safety([A, B], 2.0).unwrap(), None);
    let mut next = |h: &mut DistanceHierarchy, a: f64, b: f64| {
        world.shift(0, [a, 0.0, 0.0]);
        world.shift(1, [b, 0.0, 0.0]);
        world.ask(|bodies, frame| h.update(bodies, frame).unwrap());
        let distance = h.distance([A, B]).unwrap().unwrap().distance;
        (distance, h.safety([A, B], distance).unwrap().unwrap())
    };
    let (_, together) = next(&mut h, 0.25, 0.25);
    assert_eq!((together.approach, together.frames), (0.0, f64::INFINITY));
    let (distance, closing) = next(&mut h, 0.25, -0.25);
    assert_eq!((distance, closing.frames), (1.5, 2.0), "three steps of a half make them touch");
    assert!((closing.approach - 0.5).abs() < 1e-12);
}

#[test]
fn only_near_bodies_have_records() {
    let boxes: Vec<_> =
        (0..20).map(|i| cuboid([3.0 * i as f64, 0.0, 0.0], [3.0 * i as f64 + 1.0, 1.0, 1.0], 2)).collect();
    let world = World::of(&boxes);
    let mut h = world.build(DistanceHierarchyParams::default());
    let near = h.bodies_closer_than(2.5);
    assert_eq!(near.len(), 19);
    assert!(
        near.iter().all(|n| n.bodies[1].0 == n.bodies[0].0 + 1 && (n.distance.distance - 2.0).abs() < 1e-12)
    );
    assert_eq!(h.records(), 19);
    assert_eq!(h.all_pairs().len(), 190);
    assert_eq!(h.records(), 19 + 18 + 17, "boxes of diagonal 1.7 are near up to 10.4");
    h.forget();
    assert_eq!(h.records(), 0);
    assert!(h.bodies_closer_than(1.5).is_empty());
}

#[test]
fn a_front_covers_all_pairs_and_keeps_its_promises() {
    let mut world = World::of(&[cuboid([0.0; 3], [1.0; 3], 6), cuboid([1.3, 0.2, 0.4], [2.0, 1.0, 1.5], 6)]);
    let (mut most, mut kept) = (0, Vec::new());
    for warm_start in [true, false] {
        let params = DistanceHierarchyParams {
            region_triangles: 12,
            warm_start,
            ..DistanceHierarchyParams::default()
        };
        kept.push(world.build(params));
    }
    for frame in 0..40 {
        // Steps of a ten thousandth of the gap, and now and then a large one.
        let step = if frame % 16 == 15 { 0.05 } else { 3e-5 };
        let turn = f64::from(frame).sin();
        world.shift(0, [step, step * turn, 0.0]);
        world.shift(1, [-step * turn, 0.0, step]);
        let [warm, cold] = &mut kept[..] else { unreachable!() };
        world.ask(|bodies, frame| [&mut *warm, &mut *cold].map(|h| h.update(bodies, frame).unwrap()));
        assert_eq!(warm.distance([A, B]).unwrap(), cold.distance([A, B]).unwrap(), "frame {frame}");
        world.ask(|bodies, frame| warm.validate(bodies, frame).unwrap());
        let front = warm.records.front(A, B).unwrap();
        most = most.max(
            front.promises().filter(|p| p.near != search::block_pair::ALL && p.others > p.lower).count(),
        );
    }
    assert!(most > 10, "near triangles were told apart in {most} pairs of blocks");
}

/// By how much the closest vertices of two clouds came closer, and what the motions say about that.
fn approaches(before: [&[Point]; 2], now: [&[Point]; 2]) -> (f64, f64, f64) {
    let all: Vec<(motion::Motion, motion::RigidMotion)> = (0..2)
        .map(|i| {
            let pairs = before[i].iter().zip(now[i]);
            let steps = pairs.fold(Aabb::EMPTY, |b, (p, q)| b.with(&std::array::from_fn(|k| q[k] - p[k])));
            let steps = motion::Motion { min: steps.min, max: steps.max };
            let extent = Aabb::of(before[i]);
            (steps, motion::RigidMotion::of(before[i], now[i], &extent, steps))
        })
        .collect();
    let apart = |p: &Point, q: &Point| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
    let mut most = f64::NEG_INFINITY;
    for (p, p_now) in before[0].iter().zip(now[0]) {
        for (q, q_now) in before[1].iter().zip(now[1]) {
            most = most.max(apart(p, q) - apart(p_now, q_now));
        }
    }
    (most, all[0].0.approach(&all[1].0), all[0].1.approach(&all[1].1))
}

#[test]
fn bodies_that_turn_together_hardly_approach() {
    let clouds = [cuboid([0.0; 3], [1.0; 3], 5).0, cuboid([1.5, 0.25, -0.5], [2.5, 1.0, 3.0], 5).0];
    for (angle, wobble, offset) in [(0.1, 0.0, 0.0), (0.01, 1e-4, 0.0), (-0.3, 0.02, 5.0), (0.01, 1e-4, 1e9)]
    {
        let before =
            clouds.each_ref().map(|c| -> Vec<Point> { c.iter().map(|p| p.map(|x| x + offset)).collect() });
        let turned = [0usize, 1].map(|i| -> Vec<Point> {
            let (sin, cos) = f64::sin_cos(angle);
            clouds[i]
                .iter()
                .enumerate()
                .map(|(v, &[x, y, z])| {
                    let more = wobble * (7.0 * (v + 100 * i) as f64).sin();
                    [cos * x - sin * y + offset, sin * x + cos * y + more + offset, z + 0.5 + offset]
                })
                .collect()
        });
        let [b, t] = [&before, &turned].map(|c| c.each_ref().map(Vec::as_slice));
        let (most, shifted, split) = approaches(b, t);
        assert!(most <= shifted && most <= split, "{angle} {wobble} {offset}: {most} {shifted} {split}");
        assert!(split < 0.3 * shifted, "{angle} {wobble} {offset}: {split} of {shifted}");
        // One that stands still, and one of which a vertex leaps.
        let mut leap = turned[1].clone();
        leap[17][1] -= 1.0;
        for now in [[b[0], t[1]], [t[0], &leap]] {
            let (most, shifted, split) = approaches(b, now);
            assert!(most <= shifted && most <= split, "{angle} {wobble} {offset}: {most} {shifted} {split}");
        }
    }
}

#[test]
fn what_holds_what_is_remembered_only_while_it_cannot_change() {
    let mut world = World::of(&[cuboid([0.0; 3], [4.0; 3], 4), cuboid([1.0; 3], [1.5; 3], 2)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    let mut held = Vec::new();
    // Slowly about, then out through the wall in one step, and slowly on.
    for step in [0.0, 0.125, 0.125, 8.0, 0.125, -8.0, 0.125] {
        world.shift(1, [step, 0.0, 0.0]);
        world.shift(0, [0.0, 1e-3, 0.0]);
        let found = world.ask(|bodies, frame| {
            h.update(bodies, frame).unwrap();
            let found = h.distance([A, B]).unwrap();
            assert_eq!(found, brute_force::distance(bodies, frame, A, B).unwrap());
            let swapped = h.distance([B, A]).unwrap().unwrap().contains;
            assert_eq!(swapped, found.unwrap().contains.map(Containment::swapped));
            found
        });
        held.push(found.unwrap().contains.is_some());
    }
    assert_eq!(held, [true, true, true, false, false, true, true]);
}

#[test]
fn loose_vertices_neither_hold_nor_hinder() {
    // A vertex that no triangle uses lies far outside; it is no part of the surface.
    let (mut p, t) = cuboid([1.0; 3], [2.0; 3], 2);
    p.push([50.0; 3]);
    let world = World::of(&[cuboid([0.0; 3], [4.0; 3], 4), (p, t)]);
    let found = world.build(DistanceHierarchyParams::default()).distance([A, B]).unwrap().unwrap();
    assert_eq!((found.distance, found.contains), (1.0, Some(Containment::A)));
    assert_eq!(Some(found), world.ask(|bodies, frame| brute_force::distance(bodies, frame, A, B).unwrap()));
}

#[test]
fn a_frame_that_is_refused_changes_nothing() {
    let mut world = World::of(&[cuboid([0.0; 3], [1.0; 3], 4), cuboid([2.0; 3], [3.0; 3], 4)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    let before = h.distance([A, B]).unwrap();
    let good = world.positions.clone();
    for bad in [f64::NAN, f64::INFINITY, -1e51] {
        world.shift(0, [0.5; 3]);
        *world.positions[1].last_mut().unwrap() = [0.0, bad, 0.0];
        assert!(world.ask(|bodies, frame| h.update(bodies, frame)).is_err());
        world.positions.clone_from(&good);
        world.ask(|bodies, frame| h.validate(bodies, frame).unwrap());
        assert_eq!(h.distance([A, B]).unwrap(), before);
    }
    let short = [Positions::from(&good[0])];
    assert!(h.update(&world.bodies, Frame::new(&short)).is_err());
    assert_eq!(h.distance([A, B]).unwrap(), before);
}

/// What nobody prepared: each against brute force, on one thread and two, in both orders, near and very far from the
/// origin, with budgets down to nothing.
#[test]
fn odd_bodies_equal_brute_force() {
    let triangle = |z: f64| (vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], vec![[0, 1, 2]]);
    let flat = (vec![[0.5; 3]; 3], vec![[0, 1, 2]]);
    let needle = (vec![[-1.0, 0.25, 0.5], [3.0, 0.25, 0.5], [1.0, 0.25, 0.5]], vec![[0, 1, 2]]);
    let twice = (triangle(0.5).0, vec![[0, 1, 2], [0, 1, 2], [2, 1, 0]]);
    let empty = (vec![[0.0; 3]; 3], Vec::new());
    let boxes = [
        cuboid([0.0; 3], [1.0; 3], 3),
        cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0], 3),
        cuboid([0.25; 3], [0.5; 3], 2),
        cuboid([0.5; 3], [4.0; 3], 3),
    ];
    let mut parts = vec![triangle(0.0), triangle(0.0), triangle(2.0), flat, needle, twice, empty];
    parts.extend(boxes.iter().cloned());
    // Coincident, and turned inside out.
    parts.push(boxes[0].clone());
    parts.push((boxes[0].0.clone(), boxes[0].1.iter().map(|&[p, q, r]| [p, r, q]).collect()));
    for offset in [0.0, 1e12] {
        let moved = |(p, t): &(Vec<Point>, Vec<[u32; 3]>)| {
            (p.iter().map(|p| p.map(|x| x + offset)).collect::<Vec<_>>(), t.clone())
        };
        let world = World::of(&parts.iter().map(moved).collect::<Vec<_>>());
        let mut h = world
            .build(DistanceHierarchyParams { region_triangles: 4, ..DistanceHierarchyParams::default() });
        let n = parts.len() as u32;
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (BodyId(a), BodyId(b)))).filter(|(a, b)| a != b)
        {
            let expected = world.ask(|bodies, frame| brute_force::distance(bodies, frame, a, b).unwrap());
            assert_eq!(h.distance([a, b]).unwrap(), expected, "{a} {b} at {offset}");
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(
                    pool.install(|| h.distance([a, b]).unwrap()),
                    expected,
                    "{a} {b}, {threads} threads"
                );
            }
            let Some(exact) = expected else { continue };
            for visits in [0, 1, 2] {
                h.forget();
                let some = h.budgeted([a, b], Budget::visits(visits)).unwrap().unwrap();
                assert!(some.lower <= exact.upper && exact.lower <= some.upper, "{a} {b} {visits}");
            }
            let near = world
                .ask(|bodies, frame| brute_force::pairs_closer_than(bodies, frame, a, b, exact.distance));
            assert_eq!(h.closer_than([a, b], exact.distance).unwrap(), near.unwrap(), "{a} {b} at {offset}");
        }
        for pair in h.all_pairs() {
            let exact = world.ask(|bodies, frame| {
                brute_force::distance(bodies, frame, pair.bodies[0], pair.bodies[1]).unwrap()
            });
            assert_eq!(Some(pair.distance), exact);
        }
        world.ask(|bodies, frame| h.validate(bodies, frame).unwrap());
    }
}

#[test]
fn a_new_version_of_a_body_is_cut_afresh() {
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 4), cuboid([2.0; 3], [3.0; 3], 4)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    h.distance([A, B]).unwrap();
    let (p, t) = cuboid([1.5; 3], [1.75; 3], 1);
    let body = Mesh::from_triangles("small", p.len(), &t).unwrap();
    let next = World {
        bodies: world.bodies.with_mesh(A, body).unwrap(),
        positions: vec![p, world.positions[1].clone()],
    };
    next.ask(|bodies, frame| {
        h.update(bodies, frame).unwrap();
        h.validate(bodies, frame).unwrap();
        assert_eq!(h.records(), 0);
        assert_eq!(h.distance([A, B]).unwrap(), brute_force::distance(bodies, frame, A, B).unwrap());
    });
}

#[test]
fn one_surface_against_itself_ignores_what_shares_a_vertex() {
    let world = World::of(&[cuboid([0.0; 3], [1.0, 1.0, 0.125], 8)]);
    let mut h =
        world.build(DistanceHierarchyParams { region_triangles: 7, ..DistanceHierarchyParams::default() });
    let found = h.closer_than([A; 2], 0.13).unwrap();
    let triangles = world.bodies.triangles();
    let mut expected = 0;
    for (i, s) in triangles.iter().enumerate() {
        for t in &triangles[i + 1..] {
            let [p, q] = [s, t].map(|t| t.map(|v| world.positions[0][v.index()]));
            let apart = !s.iter().any(|v| t.contains(v));
            let closest = crate::narrow::tri_tri_distance::closest(&p, &q);
            expected += usize::from(apart && closest.distance <= 0.13);
        }
    }
    assert!(expected > 500);
    assert_eq!(found.len(), expected);
    assert!(found.windows(2).all(|w| w[0].pair < w[1].pair));
    assert!(found.iter().all(|n| n.pair.a < n.pair.b));
}

#[test]
fn a_drawing_has_spheres_lines_by_level_and_the_closest_features() {
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 8), cuboid([1.25, 0.1, 0.2], [2.0; 3], 8)]);
    let mut h = world.build(DistanceHierarchyParams::default());
    let found = h.distance([A, B]).unwrap().unwrap();
    let mut drawing = Drawing::default();
    h.draw(&mut drawing);
    let of = |tone: Tone| drawing.lines.iter().filter(|l| l.2 == tone).count();
    assert!(of(Tone::Level(0)) > 0 && of(Tone::Level(1)) > 0);
    assert!(drawing.lines.contains(&(found.a.point, found.b.point, Tone::Hit)));
    assert!(drawing.triangles.contains(&(found.a.triangle, Tone::Hit)));
    assert!(drawing.triangles.contains(&(found.b.triangle, Tone::Hit)));
    let mut lines = Drawing::default();
    h.draw_lines(&mut lines);
    assert!(lines.lines.iter().all(|l| drawing.lines.contains(l)));
    assert!(
        [Tone::Level(0), Tone::Level(1), Tone::Hit].iter().all(|t| lines.lines.iter().any(|l| l.2 == *t))
    );
    assert!(lines.points.len() == 2 && lines.boxes.is_empty());
}

#[test]
fn what_is_not_there_is_an_error() {
    let mut h = DistanceHierarchy::new(DistanceHierarchyParams::default()).unwrap();
    let missing = || Error::NoBody { body: B };
    assert_eq!(h.distance([A, B]), Err(Error::NoBody { body: A }), "before any update");
    let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 1)]);
    world.ask(|bodies, frame| h.update(bodies, frame).unwrap());
    assert_eq!(h.distance([A, B]), Err(missing()));
    assert_eq!(h.budgeted([B, A], Budget::visits(3)), Err(missing()));
    assert_eq!(h.closer_than([A, B], 1.0), Err(missing()));
    assert_eq!(h.vertices_closer_than([A, B], 1.0), Err(missing()));
    assert_eq!(h.vertex_distances([A, B]), Err(missing()));
    assert_eq!(h.safety([A, B], 1.0), Err(missing()));
}

#[cfg(feature = "published")]
mod published_rules {
    use super::published::{Epsilons, Published, PublishedParams, Step};
    use super::*;

    #[test]
    fn published_rules_miss_with_small_epsilons_and_not_with_large_ones() {
        let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 10), cuboid([1.05, 0.3, 0.3], [2.0; 3], 10)]);
        let mut truth = world.build(DistanceHierarchyParams::default());
        let mut run = |levels: &[f64]| {
            let mut p = world
                .ask(|bodies, frame| Published::new(bodies, frame, PublishedParams::new(levels)).unwrap());
            p.validate().unwrap();
            let step = p.step();
            let verdict = p.judge(&mut truth, levels[levels.len() - 1]).unwrap();
            assert_eq!((p.numcd().len(), p.numcd()[0].count), (1, p.cd(0).len()));
            assert_eq!(step.expanded.iter().sum::<u64>(), p.cd(0).len() as u64);
            assert_eq!(step.created, step.expanded);
            assert_eq!(verdict.surplus, 0);
            (step, verdict)
        };
        let (small, missing) = run(&[0.3, 0.2, 0.1]);
        let (large, complete) = run(&[2.0, 1.0, 0.1]);
        assert!(missing.missed > 0 && missing.there == complete.there);
        assert!(complete.there > 0 && complete.missed == complete.there - complete.found);
        assert!(
            large.collisions > small.collisions
                && large.compared[1] > small.compared.get(1).copied().unwrap_or(0)
        );
    }

    #[test]
    fn published_lines_come_and_go_with_the_bodies() {
        let mut world =
            World::of(&[cuboid([0.0; 3], [1.0; 3], 6), cuboid([5.0, 0.0, 0.0], [6.0, 1.0, 1.0], 6)]);
        let params =
            PublishedParams { epsilons: Epsilons::Computed { contact: 0.2 }, ..PublishedParams::new(&[1.0]) };
        let mut p = world.ask(|bodies, frame| Published::new(bodies, frame, params).unwrap());
        assert_eq!(p.step().expanded.iter().sum::<u64>(), 0);
        fn go(world: &mut World, p: &mut Published, x: f64) -> Step {
            world.shift(1, [x, 0.0, 0.0]);
            world.ask(|bodies, frame| p.update(bodies, frame).unwrap());
            p.step()
        }
        let near = go(&mut world, &mut p, -3.9);
        assert!(near.created[0] > 0 && near.collisions > 0 && near.removed.is_empty());
        assert!(p.numcd()[0].nearest < 0.2);
        let collision = p.collisions()[0];
        let [a, b] = p.features(&world.bodies, &collision).unwrap();
        assert!((b.point[0] - a.point[0] - 0.1).abs() < 1e-9);
        let far = go(&mut world, &mut p, 3.9);
        assert_eq!((far.removed, far.collisions), (near.created, 0));
    }

    #[test]
    fn bad_parameters_are_refused() {
        let world = World::of(&[cuboid([0.0; 3], [1.0; 3], 1)]);
        for params in [
            PublishedParams::new(&[]),
            PublishedParams::new(&[1.0, -1.0]),
            PublishedParams { region_vertices: 0, ..PublishedParams::new(&[1.0]) },
            PublishedParams {
                epsilons: Epsilons::Computed { contact: f64::NAN },
                ..PublishedParams::new(&[1.0])
            },
        ] {
            assert!(world.ask(|bodies, frame| Published::new(bodies, frame, params).is_err()));
        }
    }
}
