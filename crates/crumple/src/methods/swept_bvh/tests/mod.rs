//! Clearances kept over steps: every answer against one without memory, and against brute force.

mod crowded;

use super::SweptBvh;
use crate::geometry::Point;
use crate::methods::brute_force::impacts;
use crate::{Bodies, BodyId, Features, Frame, Impact, Mesh, Pairs};
use proptest::prelude::*;

type Positions = Vec<Vec<Point>>;

/// Edges of a sheet along one side.
const N: u32 = 16;

/// A grid sheet, and a ball of eight triangles.
fn bodies() -> Bodies {
    let at = |i: u32, j: u32| i * (N + 1) + j;
    let cells = (0..N * N).map(|c| (c / N, c % N));
    let sheet: Vec<[u32; 3]> = cells
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    let ball: Vec<[u32; 3]> = (0..8u32).map(|o| [o & 1, 2 + (o >> 1 & 1), 4 + (o >> 2)]).collect();
    let vertices = ((N + 1) * (N + 1)) as usize;
    Bodies::new([
        Mesh::from_triangles("sheet", vertices, &sheet).expect("sound"),
        Mesh::from_triangles("ball", 6, &ball).expect("sound"),
    ])
    .expect("small")
}

/// A sheet that rolls up until it passes through itself, sinking faster and faster, and a ball that goes through it.
fn pose(t: f64) -> Positions {
    let roll = |v: u32| {
        let (i, j) = (f64::from(v / (N + 1)) / 4.0, f64::from(v % (N + 1)) / 4.0);
        let curl = 0.8 + t;
        let radius = 1.0 / curl + 0.02 * (3.0 * j + 2.0 * t).sin();
        [radius * (curl * i).sin(), j, radius * (curl * i).cos() - t * t]
    };
    let ball = (0..6).map(|v| {
        let mut p = [0.3, 2.1, 2.0 - 4.0 * t];
        p[v / 2] += if v % 2 == 0 { 0.2 } else { -0.2 };
        p
    });
    vec![(0..(N + 1) * (N + 1)).map(roll).collect(), ball.collect()]
}

fn all(method: &mut SweptBvh, pairs: Pairs, allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync)) -> Vec<Impact> {
    let mut out = Vec::new();
    method.impacts(pairs, allows, &mut out);
    out
}

/// Follows steps with a method that remembers and with one that does not; counts steps that were looked ahead, and impacts in them.
fn hold_to_fresh(frames: &[Positions], patch: usize, with_oracle: bool) -> [usize; 2] {
    let bodies = bodies();
    let mut kept = SweptBvh::with_patch_size(patch);
    let (mut ahead, mut found) = (0, 0);
    for (f, step) in frames.windows(2).enumerate() {
        let step = Frame::from(&step[0]).step_to(Frame::from(&step[1]));
        kept.update(&bodies, step).expect("finite");
        let mut fresh = SweptBvh::with_patch_size(patch);
        fresh.update(&bodies, step).expect("finite");
        let got = all(&mut kept, Pairs::All, &|_, _| true);
        assert_eq!(got, all(&mut fresh, Pairs::All, &|_, _| true), "step {f}");
        assert!(!fresh.looks_ahead());
        assert_eq!(kept.first(Pairs::All, &|_, _| true), fresh.first(Pairs::All, &|_, _| true), "step {f}");
        if kept.looks_ahead() {
            ahead += 1;
            found += got.len();
            if with_oracle && f % 7 == 0 {
                let before = step.before().expect("a step");
                let hits = impacts::impacts(&bodies, before, step).expect("finite");
                let features: Vec<Features> = hits.iter().map(|h| h.features).collect();
                assert_eq!(got.iter().map(|i| i.features).collect::<Vec<_>>(), features, "step {f}");
            }
        }
    }
    [ahead, found]
}

#[test]
fn smooth_motion_is_looked_ahead_and_nothing_is_missed() {
    let frames: Vec<Positions> = (0..80).map(|f| pose(f64::from(f) / 80.0)).collect();
    let [ahead, found] = hold_to_fresh(&frames, 8, true);
    assert!(ahead > 40 && found > 100, "{ahead} steps ahead, {found} impacts in them");
}

#[test]
fn what_leaves_its_leeway_is_searched() {
    // Now and then a vertex is thrown off, and stays off: through the sheet, or a little.
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut off = vec![[0.0; 3]; ((N + 1) * (N + 1)) as usize];
    let frames: Vec<Positions> = (0..80)
        .map(|f| {
            if next() % 4 == 0 {
                let v = next() as usize % off.len();
                let far = [0.02, 0.1, 0.7][next() as usize % 3];
                off[v] = [0, 1, 2].map(|_| far * ((next() % 1001) as f64 / 500.0 - 1.0));
            }
            let mut at = pose(f64::from(f) / 80.0);
            at[0].iter_mut().zip(&off).for_each(|(p, d)| *p = [p[0] + d[0], p[1] + d[1], p[2] + d[2]]);
            at
        })
        .collect();
    let [ahead, found] = hold_to_fresh(&frames, 4, true);
    assert!(ahead > 40 && found > 100, "{ahead} steps ahead, {found} impacts in them");
}

#[test]
fn other_questions_and_other_steps_in_between() {
    let bodies = bodies();
    let frames: Vec<Positions> = (0..60).map(|f| pose(f64::from(f) / 60.0)).collect();
    let (mut kept, mut ahead) = (SweptBvh::with_patch_size(8), 0);
    for f in 1..frames.len() {
        // Every eleventh step is tried twice, first twice as far; every thirteenth begins elsewhere.
        let mut steps = vec![(f - 1, f)];
        if f % 11 == 0 {
            steps.insert(0, (f - 1, (f + 1).min(frames.len() - 1)));
        }
        if f % 13 == 0 {
            steps.insert(0, (f / 2, f));
        }
        for (from, to) in steps {
            let step = Frame::from(&frames[from]).step_to(Frame::from(&frames[to]));
            kept.update(&bodies, step).expect("finite");
            let mut fresh = SweptBvh::with_patch_size(8);
            fresh.update(&bodies, step).expect("finite");
            let pairs = [Pairs::All, Pairs::All, Pairs::All, Pairs::Within, Pairs::Between][f / 9 % 5];
            let is_asked = |a: BodyId, b: BodyId| f % 17 > 1 || a != b;
            assert_eq!(all(&mut kept, pairs, &is_asked), all(&mut fresh, pairs, &is_asked), "step {f}");
            ahead += usize::from(kept.looks_ahead());
            let near = |method: &mut SweptBvh| method.first_closer_than(0.01, pairs, &is_asked);
            assert_eq!(near(&mut kept), near(&mut fresh), "step {f}");
        }
    }
    assert!(ahead > 15, "{ahead}");
}

#[test]
fn scenes_at_rest_far_away_tiny_and_huge() {
    let (bodies, still) = (bodies(), pose(0.3));
    let place = |by: f64, far: f64| -> Positions {
        still.iter().map(|b| b.iter().map(|p| p.map(|x| by * x + far)).collect()).collect()
    };
    for at in [still.clone(), place(1.0, 1e9), place(1e-250, 0.0), place(1e49, 0.0)] {
        let mut kept = SweptBvh::with_patch_size(8);
        for _ in 0..6 {
            let step = Frame::from(&at).step_to(Frame::from(&at));
            kept.update(&bodies, step).expect("finite");
            let mut fresh = SweptBvh::with_patch_size(8);
            fresh.update(&bodies, step).expect("finite");
            assert_eq!(all(&mut kept, Pairs::All, &|_, _| true), all(&mut fresh, Pairs::All, &|_, _| true));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Many small bodies, each a patch of its own, that hit at many times: the horizon falls while patches stand open.
    #[test]
    fn the_earliest_of_all_is_the_first(
        triangles in prop::collection::vec(prop::array::uniform6(prop::array::uniform3(-9i8..10)), 2..12),
        spread in 0.0f64..12.0,
    ) {
        let one = |_: &[[i8; 3]; 6]| Mesh::from_triangles("one", 3, &[[0, 1, 2]]).expect("sound");
        let bodies = Bodies::new(triangles.iter().map(one)).expect("small");
        let place = |b: usize, end: usize| if end == 0 { [spread * (b % 3) as f64, spread * (b / 3) as f64, 0.0] } else { [0.0; 3] };
        let at = |end: usize| -> Positions {
            let body = |(b, t): (usize, &[[i8; 3]; 6])| {
                t[3 * end..3 * end + 3].iter().map(|p| [0, 1, 2].map(|k| f64::from(p[k]) / 3.0 + place(b, end)[k])).collect()
            };
            triangles.iter().enumerate().map(body).collect()
        };
        hold_first_to_all(&bodies, &at(0), &at(1));
    }
}

/// The first impact is the least of all those that may be the first.
fn hold_first_to_all(bodies: &Bodies, start: &Positions, end: &Positions) {
    // Not within bodies, which would open every patch at the beginning.
    let mut method = SweptBvh::new();
    method.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
    let found = all(&mut method, Pairs::Between, &|_, _| true);
    let by = found.iter().map(|i| i.time.by).fold(f64::INFINITY, f64::min);
    let first = found.iter().filter(|i| i.time.after <= by).map(|i| i.features).min();
    assert_eq!(method.first(Pairs::Between, &|_, _| true).map(|i| i.features), first);
}
