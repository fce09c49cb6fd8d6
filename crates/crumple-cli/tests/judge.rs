//! `crumple judge`: verdicts, thresholds, pages, going on after any stop, shards.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{Scratch, crumple, refused};

const CLEAN: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";

/// A sheet with so many spikes through it, each 0.5 deep.
fn spiked(spikes: usize) -> String {
    let mut text = CLEAN.to_owned();
    for k in 0..spikes {
        let (x, first) = (1.0 + 0.01 * k as f64, 4 + 3 * k);
        text += &format!("v {x} 1 1\nv {x} 1.4 1\nv {x} 1 -0.5\nf {first} {} {}\n", first + 1, first + 2);
    }
    text
}

/// A sheet of `n` × `n` squares that is folded over itself, so that it takes a while.
fn folded(n: usize) -> String {
    let mut text = String::new();
    for i in 0..=n {
        for j in 0..=n {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            text += &format!("v {} {v} {}\n", (9.0 * u).sin() + 0.2 * v, (7.0 * u + v).cos());
        }
    }
    for i in 0..n {
        for j in 0..n {
            let at = |i: usize, j: usize| i * (n + 1) + j + 1;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            text += &format!("f {a} {b} {c}\nf {a} {c} {d}\n");
        }
    }
    text
}

/// A folder of files to be judged.
fn folder(files: &Scratch, name: &str, content: &[(&str, String)]) -> String {
    let folder = files.path(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in content {
        std::fs::write(Path::new(&folder).join(file), text).expect("written");
    }
    folder
}

fn lines(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("results");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

#[test]
fn every_file_has_a_verdict_and_the_worst_decides() {
    let files = Scratch::new();
    let content = [
        ("clean.obj", CLEAN.to_owned()),
        ("broken.obj", "v 0 0 zero\n".to_owned()),
        ("<script>.obj", spiked(3)),
        ("frame_2.obj", spiked(1)),
        ("frame_10.obj", spiked(1)),
    ];
    let meshes = folder(&files, "meshes", &content);
    let [out, pages, page, xml] =
        ["out/verdicts.jsonl", "pages", "elsewhere/all.html", "all.xml"].map(|f| files.path(f));
    for made in ["out", "elsewhere"] {
        std::fs::create_dir_all(files.path(made)).expect("a folder");
    }
    let output =
        crumple(&["judge", &meshes, "--out", &out, "--reports", &pages, "--summary", &page, "--junit", &xml]);
    assert_eq!(output.status.code(), Some(2), "one is broken");
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = text.lines().filter_map(|l| l.get(9..)?.split(':').next()).collect();
    assert_eq!(
        names[..5],
        ["<script>.obj", "broken.obj", "clean.obj", "frame_2.obj", "frame_10.obj"],
        "{text}"
    );
    assert!(text.contains("COLLIDES <script>.obj: 3 triangle pairs, depth 0.5000"), "{text}");
    assert!(text.ends_with("5 judged: 1 passed, 3 collide, 1 broken\n"), "{text}");
    let rows = lines(&out);
    assert_eq!(rows.len(), 5);
    assert!(
        rows[1]["problem"].as_str().is_some_and(|p| p.contains("line 1") && p.contains("zero")),
        "{}",
        rows[1]
    );
    // Pages are found from the results and from the summary, wherever these are.
    let report = rows[0]["report"].as_str().expect("a page");
    let html =
        std::fs::read_to_string(Path::new(&files.path("out")).join(report)).expect("the page of the first");
    assert!(!html.contains("<script>.obj") && html.contains("&lt;script&gt;.obj"));
    let summary = std::fs::read_to_string(&page).expect("a summary");
    let link = summary.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a link");
    assert!(link.starts_with("../pages/"), "{link}");
    assert!(Path::new(&files.path("elsewhere")).join(link).exists(), "{link}");
    assert!(
        std::fs::read_to_string(&xml).is_ok_and(|x| x.contains("tests=\"5\" failures=\"3\" errors=\"1\""))
    );
}

#[test]
fn thresholds_decide_the_status() {
    let files = Scratch::new();
    let meshes = folder(&files, "meshes", &[("a.obj", spiked(3)), ("b.obj", CLEAN.to_owned())]);
    let status = |more: &[&str]| crumple(&[&["judge", &meshes], more].concat()).status.code();
    assert_eq!(status(&[]), Some(1));
    assert_eq!(status(&["--allow-pairs", "2"]), Some(1));
    assert_eq!(status(&["--allow-pairs", "3"]), Some(0));
    assert_eq!(status(&["--allow-depth", "0.4"]), Some(1));
    assert_eq!(status(&["--allow-depth", "0.6"]), Some(0), "any number of shallow ones");
    assert_eq!(status(&["--allow-depth", "0.6", "--allow-pairs", "2"]), Some(1));
    assert_eq!(status(&["--allow-depth", "0.4", "--allow-pairs", "3"]), Some(1));
    refused(&["judge", &files.path("none")], &["none"]);
    refused(&["judge", &meshes, "--shard", "3/3"], &["3/3"]);
}

#[test]
fn options_for_sequences_are_refused_where_there_is_none() {
    let files = Scratch::new();
    let frames = [("f_1.obj", CLEAN.to_owned()), ("f_2.obj", CLEAN.to_owned())];
    let meshes = folder(&files, "meshes", &frames);
    for option in [&["--continuous"][..], &["--every", "2"], &["--split-frames", "1"]] {
        refused(&[&["judge", &meshes], option].concat(), &[option[0], "--sequences"]);
        let taken = crumple(&[&["judge", &meshes, "--sequences"], option].concat());
        assert_eq!(taken.status.code(), Some(0), "{option:?}");
    }
    let file = Path::new(&meshes).join("f_1.obj").display().to_string();
    refused(&["judge", &file, "--sequences"], &["--sequences", "folder"]);
}

/// A folder whose units take long enough to be stopped in.
fn slow_folder(files: &Scratch) -> String {
    let mut content: Vec<(String, String)> =
        (0..12).map(|k| (format!("folded_{k}.obj"), folded(20 + 4 * k))).collect();
    content.push(("broken.obj".to_owned(), "v 1 2\n".to_owned()));
    let content: Vec<(&str, String)> = content.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
    folder(files, "slow", &content)
}

#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_file() {
    let files = Scratch::new();
    let meshes = slow_folder(&files);
    let run = |out: &str, pages: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crumple"));
        command.args(["judge", &meshes, "--out", out, "--reports", pages, "--threads", "2"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let [whole, pages] = ["whole.jsonl", "pages"].map(|f| files.path(f));
    let start = std::time::Instant::now();
    assert_eq!(run(&whole, &pages).status().expect("it runs").code(), Some(2));
    let long = start.elapsed();
    let whole = std::fs::read(&whole).expect("results");
    assert_eq!(whole.iter().filter(|&&b| b == b'\n').count(), 13);
    // Killed ever later, so that all moments are met: while a unit is judged, written, its page written.
    let mut kills = 0;
    for round in 0..6 {
        let out = files.path(&format!("killed_{round}.jsonl"));
        for step in 1.. {
            let mut child = run(&out, &pages).spawn().expect("it starts");
            std::thread::sleep(long.mul_f64(0.04 * f64::from(step) + 0.017 * f64::from(round)));
            // A run that ended by itself cannot be killed.
            if child.try_wait().expect("a child").is_some() {
                break;
            }
            child.kill().expect("killed");
            child.wait().expect("ended");
            kills += 1;
            let so_far = std::fs::read(&out).unwrap_or_default();
            assert!(whole.starts_with(&so_far), "only appended to, in order");
        }
        assert!(run(&out, &pages).status().expect("it runs").code() == Some(2));
        assert!(std::fs::read(&out).is_ok_and(|b| b == whole), "round {round}, {kills} kills");
    }
    assert!(kills >= 12, "{kills} kills");
}

#[test]
fn a_line_that_was_cut_off_is_written_again() {
    let files = Scratch::new();
    let meshes =
        folder(&files, "meshes", &[("a.obj", spiked(2)), ("b.obj", CLEAN.to_owned()), ("c.obj", spiked(1))]);
    let out = files.path("all.jsonl");
    crumple(&["judge", &meshes, "--out", &out]);
    let whole = std::fs::read(&out).expect("results");
    for end in (0..whole.len()).step_by(23) {
        std::fs::write(&out, &whole[..end]).expect("cut");
        crumple(&["judge", &meshes, "--out", &out]);
        assert!(std::fs::read(&out).is_ok_and(|b| b == whole), "cut at byte {end}");
    }
    // What is no results file is not touched.
    let other = files.file("other.jsonl", "{\"a\":1}\n");
    refused(&["judge", &meshes, "--out", &other], &["other.jsonl", "line 1"]);
    assert!(std::fs::read_to_string(&other).is_ok_and(|t| t == "{\"a\":1}\n"));
}

#[test]
fn a_limit_leaves_the_rest_for_the_next_run_and_changed_files_are_judged_again() {
    let files = Scratch::new();
    let content: Vec<(String, String)> = (0..7).map(|k| (format!("m{k}.obj"), spiked(k))).collect();
    let content: Vec<(&str, String)> = content.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
    let meshes = folder(&files, "meshes", &content);
    let [whole, out] = ["whole.jsonl", "out.jsonl"].map(|f| files.path(f));
    crumple(&["judge", &meshes, "--out", &whole]);
    for rows in [3, 6, 7, 7] {
        crumple(&["judge", &meshes, "--out", &out, "--limit", "3"]);
        assert_eq!(lines(&out).len(), rows);
    }
    assert_eq!(std::fs::read(&out).ok(), std::fs::read(&whole).ok());
    std::fs::write(Path::new(&meshes).join("m2.obj"), CLEAN).expect("written");
    crumple(&["judge", &meshes, "--out", &out]);
    let rows = lines(&out);
    assert_eq!(
        (rows.len(), rows[7]["name"].as_str(), rows[7]["pairs"].as_u64()),
        (8, Some("m2.obj"), Some(0))
    );
}

/// Nine frames of a spike that goes down through a sheet between frames 3 and 4 and comes back between 7 and 8.
fn spike_frames(files: &Scratch) -> String {
    let heights = [4.0, 3.0, 2.0, 1.0, -3.0, -3.5, -4.0, -3.0, 1.0];
    let frames: Vec<(String, String)> = heights
        .iter()
        .enumerate()
        .map(|(k, z)| {
            (format!("f_{k}.obj"), format!("{CLEAN}v 1 1 {z}\nv 1.2 1 {z}\nv 1 1.2 {z}\nf 4 5 6\n"))
        })
        .collect();
    let frames: Vec<(&str, String)> = frames.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
    folder(files, "frames", &frames)
}

#[test]
fn parts_of_a_sequence_overlap_by_one_frame() {
    let files = Scratch::new();
    let frames = spike_frames(&files);
    let impacts = |more: &[&str]| {
        let out = files.path("impacts.jsonl");
        let _ = std::fs::remove_file(&out);
        let args = [&["judge", &frames, "--sequences", "--continuous", "--out", &out], more].concat();
        assert_eq!(crumple(&args).status.code(), Some(1));
        lines(&out)
    };
    let whole = impacts(&[]);
    assert_eq!(whole.len(), 1);
    let all = whole[0]["impacts"].as_u64().expect("a count");
    assert!(all >= 6, "three corners, twice");
    // Whatever the parts: the step from frame 3 to 4 is counted once, by the part of frame 4.
    for most in ["1", "2", "3", "4", "5", "8"] {
        let parts = impacts(&["--split-frames", most]);
        let sum: u64 = parts.iter().filter_map(|p| p["impacts"].as_u64()).sum();
        assert_eq!(sum, all, "{most} frames a part");
        assert_eq!(parts.iter().filter_map(|p| p["frames"].as_u64()).sum::<u64>(), 9);
    }
}

#[test]
fn shards_merge_to_the_file_of_one_run() {
    let files = Scratch::new();
    let frames = spike_frames(&files);
    let meshes = slow_folder(&files);
    let more = ["--sequences", "--continuous", "--split-frames", "2"];
    let run = |out: &str, shard: &[&str]| {
        crumple(
            &[
                &["judge", &frames, &meshes, "--out", out, "--reports", &files.path("pages")],
                &more[..],
                shard,
            ]
            .concat(),
        )
    };
    let [whole, merged, page] = ["whole.jsonl", "merged.jsonl", "merged.html"].map(|f| files.path(f));
    assert_eq!(run(&whole, &[]).status.code(), Some(2));
    for n in [1, 2, 3, 40] {
        let parts: Vec<String> = (0..n).map(|i| files.path(&format!("part_{n}_{i}.jsonl"))).collect();
        for (i, part) in parts.iter().enumerate() {
            run(part, &["--shard", &format!("{i}/{n}")]);
        }
        let mut args = vec!["merge"];
        args.extend(parts.iter().map(String::as_str));
        args.extend(["--out", &merged, "--summary", &page]);
        assert_eq!(crumple(&args).status.code(), Some(2));
        assert_eq!(std::fs::read(&merged).ok(), std::fs::read(&whole).ok(), "{n} shards");
        let _ = std::fs::remove_file(&merged);
    }
}
