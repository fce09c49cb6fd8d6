//! Culled or not, the contacts are those of brute force.

use super::*;
use crate::narrow::tri_tri;

/// Random numbers below `n`.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn brute_force(meshes: &[Mesh], positions: &[Vec<Point>]) -> Vec<Touching> {
    let mut found = Vec::new();
    let corners = |b: usize, t: usize| meshes[b].triangles()[t].map(|v| positions[b][v.index()]);
    let element = |b: usize, t: usize| (BodyId(b as u32), TriangleId(t as u32));
    for a in 0..meshes.len() {
        for b in a + 1..meshes.len() {
            for s in 0..meshes[a].triangle_count() {
                for t in 0..meshes[b].triangle_count() {
                    if tri_tri::intersects(&corners(a, s), &corners(b, t)) {
                        found.push([element(a, s), element(b, t)]);
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// What is found by cells, however few triangles there are.
fn one_shot(meshes: &[Mesh], positions: &[Vec<Point>]) -> Option<Vec<Touching>> {
    let boxes: Vec<Aabb> = positions.iter().map(|p| Aabb::of(p)).collect();
    let mut near = Vec::new();
    for a in 0..boxes.len() {
        near.extend(
            (a + 1..boxes.len())
                .filter(|&b| boxes[a].overlaps(&boxes[b]))
                .map(|b| [a, b].map(|i| BodyId(i as u32))),
        );
    }
    let common = |[a, b]: &[BodyId; 2]| boxes[a.index()].intersection(&boxes[b.index()]);
    let region = near.iter().map(common).fold(Aabb::EMPTY, |all, b| all.union(&b));
    if region.is_empty() {
        return Some(Vec::new());
    }
    let is_near: Vec<bool> =
        (0..boxes.len()).map(|b| near.iter().flatten().any(|n| n.index() == b)).collect();
    let question = OneShot { meshes, positions, boxes: &boxes, near: &near, most: usize::MAX };
    question.contacts_in_region(&region, &is_near).map(|(found, _)| found)
}

/// Bodies of triangles on a lattice, so that ties happen: in parts, between them, and at the ends of the region.
#[test]
fn lattice_soups_as_by_brute_force() {
    let mut random = Random(7);
    let (mut given_up, mut found) = (0, 0);
    for round in 0..400 {
        // With 496 steps a part is a step wide; with others cuts are anywhere.
        let steps = [496, 62, 16, 7][round % 4];
        let reach = [2, 9, steps][round / 4 % 3].min(steps);
        let scale = [1.0, 0.1, 3e-7, 1e12][round / 12 % 4];
        let bodies = 2 + random.below(3) as usize;
        let (mut meshes, mut positions) = (Vec::new(), Vec::new());
        for _ in 0..bodies {
            let count = 1 + random.below(60) as usize;
            let mut points: Vec<Point> = Vec::new();
            for _ in 0..count {
                let at = [0; 3].map(|_| random.below(steps + 1));
                for _ in 0..3 {
                    let p = at.map(|x| scale * (x + random.below(reach + 1)) as f64);
                    points.push(p);
                }
            }
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            meshes.push(Mesh::from_triangles("", points.len(), &triangles).expect("in range"));
            positions.push(points);
        }
        let truth = brute_force(&meshes, &positions);
        match one_shot(&meshes, &positions) {
            Some(answer) => assert_eq!(answer, truth, "round {round}"),
            None => given_up += 1,
        }
        found += truth.len();
    }
    assert!(given_up < 40 && found > 1000, "{given_up} given up, {found} found");
}

/// A body of small triangles on a height field.
fn sheet(n: usize, height: impl Fn(f64, f64) -> f64) -> (Mesh, Vec<Point>) {
    let at = |i: usize| i as f64 / n as f64;
    let points = (0..(n + 1) * (n + 1)).map(|i| {
        let (x, y) = (at(i % (n + 1)), at(i / (n + 1)));
        [x, y, height(x, y)]
    });
    let square = |i: usize| {
        let v = (i / n * (n + 1) + i % n) as u32;
        let w = v + n as u32 + 1;
        [[v, v + 1, w], [v + 1, w + 1, w]]
    };
    let triangles: Vec<[u32; 3]> = (0..n * n).flat_map(square).collect();
    let mesh = Mesh::from_triangles("", (n + 1) * (n + 1), &triangles).expect("in range");
    (mesh, points.collect())
}

#[test]
fn few_triangles_are_left_of_two_sheets() {
    let (a, at) = sheet(32, |x, y| 0.3 * (5.0 * x).sin() * (4.0 * y).cos());
    let (b, bt) = sheet(40, |x, y| 0.1 * (3.0 * x + y).sin());
    let (meshes, positions) = ([a, b], [at, bt]);
    let truth = brute_force(&meshes, &positions);
    assert!(truth.len() > 80, "{}", truth.len());
    assert_eq!(one_shot(&meshes, &positions), Some(truth));
    let soups: Vec<TriangleSoup<'_>> = (meshes.iter().zip(&positions))
        .map(|(m, positions)| TriangleSoup { triangles: bytemuck::cast_slice(m.triangles()), positions })
        .collect();
    let region = Aabb::of(&positions[0]).intersection(&Aabb::of(&positions[1]));
    let kept = Culling::of(&region).cull(&soups).expect("they are small");
    assert!(kept[0].len() < 1200 && kept[1].len() < 1800, "{} {}", kept[0].len(), kept[1].len());
}

#[test]
fn many_large_triangles_are_not_for_cells() {
    let (a, at) = sheet(80, |x, y| x * y);
    let mut random = Random(3);
    let points: Vec<Point> =
        (0..60_000).map(|_| [0; 3].map(|_| random.below(1000) as f64 / 1000.0)).collect();
    let triangles: Vec<[u32; 3]> = (0..20_000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let b = Mesh::from_triangles("", points.len(), &triangles).expect("in range");
    assert_eq!(one_shot(&[a, b], &[at, points]), None);
}
