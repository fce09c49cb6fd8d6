//! Published verdicts, when the environment variable `CRUMPLE_DATA` names the data directory.

use crumple::methods::brute_force::impacts;
use crumple::narrow::continuous::{ImpactTime, edge_edge, vertex_triangle};
use crumple_io::{read, read_queries};
use std::path::{Path, PathBuf};

fn directory(name: &str) -> Option<PathBuf> {
    let data = std::env::var_os("CRUMPLE_DATA").map(|d| PathBuf::from(d).join(name));
    if data.is_none() {
        println!("skipped: CRUMPLE_DATA does not name the data directory");
    }
    data
}

fn files(under: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(under).unwrap_or_else(|e| panic!("{}: {e}", under.display())) {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "csv") {
            found.push(path);
        }
    }
    found.sort();
}

/// The published files have verdicts and no roots: times are held to the roots of the oracle.
fn hold_time(is_edges: bool, start: &[[f64; 3]; 4], end: &[[f64; 3]; 4], time: ImpactTime) {
    let ask = if is_edges { impacts::edge_edge } else { impacts::vertex_triangle };
    let first = ask(start, end).expect("the oracle finds it too");
    assert!(first.is_in_interval(time.after, time.by), "{start:?} {end:?} {time:?}");
}

/// Hand-made queries with the verdicts of symbolic root finding (Wang et al. 2021): all equal.
#[test]
fn hand_made_queries() {
    let Some(data) = directory("ccd-queries") else { return };
    let mut all = Vec::new();
    files(&data, &mut all);
    let (mut asked, mut hits) = ([0; 2], [0; 2]);
    for path in &all {
        let edges = path.components().any(|c| c.as_os_str() == "edge-edge");
        for (i, q) in read_queries(path).expect("queries").iter().enumerate() {
            let ask = if edges { edge_edge } else { vertex_triangle };
            let got = ask(&q.start, &q.end, 1.0);
            assert_eq!(got.is_some(), q.collides, "{} query {i}", path.display());
            if let Some(time) = got {
                hold_time(edges, &q.start, &q.end, time);
            }
            asked[usize::from(edges)] += 1;
            hits[usize::from(edges)] += usize::from(q.collides);
        }
    }
    assert_eq!((asked, hits), ([1250, 1074], [177, 127]));
}

/// The listed pairs of two frames of a simulation.
fn frame_pair(name: &str, frames: [&str; 2], expected: [[usize; 2]; 2]) {
    let Some(data) = directory("frame-pairs") else { return };
    let data = data.join(name);
    let [start, end] = frames.map(|f| read(&data.join(f)).expect("frame").positions);
    for ((file, ask), expected) in
        [("ccd_ee.csv", edge_edge as fn(&_, &_, f64) -> _), ("ccd_vf.csv", vertex_triangle)]
            .into_iter()
            .zip(expected)
    {
        let text = std::fs::read_to_string(data.join(file)).expect("rows");
        let (mut rows, mut hits) = (0, 0);
        for line in text.lines().skip(1) {
            let row: Vec<usize> = line.split(',').map(|w| w.parse().expect("number")).collect();
            let points = |p: &[[f64; 3]]| -> [[f64; 3]; 4] { std::array::from_fn(|i| p[row[i]]) };
            let got = ask(&points(&start), &points(&end), 1.0);
            assert_eq!(got.is_some(), row[4] == 1, "{name} {file} {line}");
            if let Some(time) = got.filter(|_| rows % 64 == 0) {
                hold_time(file == "ccd_ee.csv", &points(&start), &points(&end), time);
            }
            rows += 1;
            hits += row[4];
        }
        assert_eq!([rows, hits], expected, "{name} {file}");
    }
}

#[test]
fn rod_twist() {
    frame_pair("rod-twist", ["3036.ply", "3037.ply"], [[4370, 4179], [801, 765]]);
}

#[test]
fn cloth_ball() {
    frame_pair("cloth-ball", ["cloth_ball92.ply", "cloth_ball93.ply"], [[94825, 94822], [19034, 19032]]);
}

#[test]
fn n_body() {
    frame_pair("n-body-simulation", ["balls16_18.ply", "balls16_19.ply"], [[41036, 41031], [9460, 9459]]);
}
