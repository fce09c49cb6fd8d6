use super::*;
use crate::geometry::vector::sub;

/// Numbers that repeat in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    /// Between −1 and 1.
    fn unit(&mut self) -> f64 {
        self.next() as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn points(&mut self, kind: u64) -> [Point; 4] {
        std::array::from_fn(|_| {
            std::array::from_fn(|_| match kind {
                0 => (self.next() % 5) as f64,
                1 => self.unit(),
                2 => 1e8 + self.unit(),
                _ => self.unit() * 0.5f64.powi((self.next() % 60) as i32),
            })
        })
    }
}

/// What the filter claims, the integers confirm: no contact, or one where it says.
#[test]
fn the_filter_agrees_with_the_integers() {
    fn agree<const K: usize>(start: &[Point; 4], end: &[Point; 4], until: f64, seen: &mut [u32; 3]) {
        let exact = exact::first_contact::<K>(start, end);
        match filter::decide(&Motion::<K>::of(start, end), until) {
            Outcome::Never => {
                assert!(exact.is_none_or(|t| t.by > until), "{start:?} {end:?} {until} {exact:?}");
                seen[0] += 1;
            }
            Outcome::Contact { from, to, left } => {
                let t = exact::root_between::<K>(start, end, [from, to], left);
                assert_eq!(Some(t), exact, "{start:?} {end:?} {until}");
                seen[1] += 1;
            }
            Outcome::Unknown => seen[2] += 1,
        }
    }
    let (mut random, mut seen) = (Random(1), [0; 3]);
    for i in 0..20_000 {
        let (start, end) = (random.points(i % 4), random.points(i % 4));
        for until in [1.0, 0.3, 1e-3] {
            agree::<3>(&start, &end, until, &mut seen);
            agree::<4>(&start, &end, until, &mut seen);
        }
    }
    assert!(seen.iter().all(|&n| n > 1000), "{seen:?}");
}

/// A point that just passes a triangle or does not, by one unit in the last place, is beyond the filter.
#[test]
fn the_last_bit_is_left_to_the_integers() {
    // Over the edge from (0, 0) to (3, 1).
    let start = [[1.5, 0.5, 1.0], [0.0, 0.0, 0.0], [3.0, 1.0, 0.0], [1.0, 3.0, 0.0]];
    for (y, hit) in [(0.5f64.next_up(), true), (0.5, true), (0.5f64.next_down(), false)] {
        let (mut start, mut end) = (start, start);
        (start[0][1], end[0]) = (y, [1.5, y, -1.0]);
        assert_eq!(filter::decide(&Motion::<3>::of(&start, &end), 1.0), Outcome::Unknown);
        assert_eq!(vertex_triangle(&start, &end, 1.0).is_some(), hit);
    }
}

#[test]
fn a_batch_answers_as_one_by_one() {
    let (mut random, mut batch, mut found) = (Random(5), Batch::new(1.0), Vec::new());
    let mut expected = Vec::new();
    for i in 0..4001 {
        let (start, end) = (random.points(i % 4), random.points(i % 4));
        let (kind, one) = if random.next() % 2 == 0 {
            (Kind::VertexTriangle, vertex_triangle(&start, &end, 1.0))
        } else {
            (Kind::EdgeEdge, edge_edge(&start, &end, 1.0))
        };
        expected.extend(one.map(|t| (i, t)));
        batch.push(kind, i, &start, &end, |id, t| found.push((id, t)));
    }
    batch.flush(|id, t| found.push((id, t)));
    batch.flush(|id, t| found.push((id, t)));
    found.sort_by_key(|&(id, _)| id);
    assert_eq!(found, expected);
    assert!(found.len() > 100);
}

/// What each stage settles on the published queries: `CRUMPLE_DATA=DIR cargo test --release -p crumple --lib stages -- --ignored
/// --nocapture`. Of those left to integers that do not hit, counts too how many a plane through the middle would separate
/// throughout, normal to the shortest connection half-way.
#[test]
#[ignore = "prints counts"]
fn stages() {
    let data = std::path::PathBuf::from(std::env::var_os("CRUMPLE_DATA").expect("CRUMPLE_DATA"));
    let mut kinds = vec![("vertex-face", Vec::new()), ("edge-edge", Vec::new())];
    for (kind, queries) in &mut kinds {
        let mut folders = vec![data.join("ccd-queries")];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.iter().any(|part| part == *kind)
                    && path.extension().is_some_and(|e| e == "csv")
                {
                    queries.extend(crumple_io::read_queries(&path).expect("queries"));
                }
            }
        }
    }
    for (kind, queries) in kinds {
        let ends = queries.iter().map(|q| [q.start, q.end]);
        match kind {
            "edge-edge" => count_stages::<4>(kind, ends, |v| {
                let closest = crate::narrow::seg_seg::closest(&[[0.0; 3], sub(&v[0], &v[2])], &[v[0], v[1]]);
                sub(&closest.b, &closest.a)
            }),
            _ => count_stages::<3>(kind, ends, |v| {
                crate::narrow::point_tri::closest(&[0.0; 3], &[v[0], v[1], v[2]]).point
            }),
        }
    }
}

fn count_stages<const K: usize>(
    kind: &str,
    queries: impl Iterator<Item = [[Point; 4]; 2]>,
    closest: impl Fn(&[Point; K]) -> Point,
) {
    let (mut apart, mut never, mut contact, mut hits, mut misses, mut separated) = (0, 0, 0, 0, 0, 0);
    for [start, end] in queries {
        let motion = Motion::<K>::of(&start, &end);
        if motion.apart() {
            apart += 1;
            continue;
        }
        match super::filter::later_stages(&motion, 1.0) {
            Outcome::Never => never += 1,
            Outcome::Contact { .. } => contact += 1,
            Outcome::Unknown if super::first_contact::<K>(&start, &end, 1.0).is_some() => hits += 1,
            Outcome::Unknown => {
                misses += 1;
                let w = closest(&motion.at(0.5));
                let plane = motion.apart_along(&w, 0.0, 0.0);
                separated += usize::from(plane.is_some_and(|until| until > 1.0));
            }
        }
    }
    println!(
        "{kind}: {apart} apart along an axis, {never} never by ordinates, {contact} contacts; left to integers {hits} hits and {misses} misses, {separated} of which a plane separates"
    );
}
