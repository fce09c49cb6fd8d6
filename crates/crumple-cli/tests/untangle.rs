//! `crumple untangle`: files in, files out that `check` finds clean, and honest about what is left.

mod support;

use serde_json::json;
use support::{Scratch, crumple, json as answer};

/// A sheet of quads with texture coordinates, at a height that depends on the place.
fn sheet(n: usize, height: impl Fn(f64, f64) -> f64) -> String {
    let mut text = "o cloth\n".to_owned();
    for j in 0..=n {
        for i in 0..=n {
            let (x, z) = (i as f64 / n as f64, j as f64 / n as f64);
            text += &format!("v {x} {} {z}\nvt {x} {z}\n", height(x, z));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i + 1;
            let corners = [a, a + 1, a + n + 2, a + n + 1].map(|v| format!("{v}/{v}"));
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    text
}

fn flat() -> String {
    sheet(12, |x, z| 0.003 * (37.0 * x).sin() * (23.0 * z).cos())
}

fn dented() -> String {
    sheet(12, |x, z| 0.03 - 0.12 * (-((x - 0.51).powi(2) + (z - 0.48).powi(2)) / 0.02).exp())
}

#[test]
fn what_crosses_is_moved_apart_and_written_as_it_came() {
    let files = Scratch::new();
    let (a, b, out) = (files.file("a.obj", &flat()), files.file("b.obj", &dented()), files.path("out.obj"));
    let picture = files.path("out.png");
    let report = answer(&["untangle", &a, &b, "--out", &out, "--picture", &picture], 0);
    assert_eq!(report["schema"], json!("crumple.untangle/1"));
    assert!(report["before"].as_u64() > Some(0) && report["after"] == json!(0), "{report}");
    let frame = &report["frames"][0];
    assert_eq!((&frame["left"], &frame["guarantee"]), (&json!([]), &json!("proved")));
    let [most, mean] = ["max", "mean"].map(|k| frame["displacement"][k].as_f64().expect("a length"));
    assert!(most > 0.0 && most < 0.15 && mean > 0.0 && mean <= most, "{report}");
    assert!(std::fs::read(&picture).is_ok_and(|b| b.starts_with(b"\x89PNG")));
    // Quads, texture coordinates and both bodies are there, and the file is clean.
    let text = std::fs::read_to_string(&out).expect("written");
    let count = |key: &str| text.lines().filter(|l| l.starts_with(key)).count();
    assert_eq!((count("f "), count("v "), count("o ")), (288, 338, 2));
    assert!(
        count("vt ") > 0 && text.lines().any(|l| l.starts_with("f ") && l.split_whitespace().count() == 5)
    );
    answer(&["check", &a, &b], 1);
    assert_eq!(answer(&["check", &out], 0)["frames"][0]["triangle_pairs"], json!([]));
}

#[test]
fn fixed_bodies_stay_and_are_not_written() {
    let files = Scratch::new();
    let (a, b, out) = (files.file("a.obj", &flat()), files.file("b.obj", &dented()), files.path("out.ply"));
    assert_eq!(answer(&["untangle", &b, "--fixed", &a, "--out", &out], 0)["after"], json!(0));
    assert_eq!(answer(&["info", &out], 0)["files"][0]["vertices"], json!(169));
    assert_eq!(answer(&["check", &out, &a], 0)["frames"][0]["triangle_pairs"], json!([]));
}

#[test]
fn every_frame_of_a_sequence_is_untangled() {
    let files = Scratch::new();
    // Two layers of one body; the second frame crosses.
    let both = |second: &str| {
        let lines = |text: &str, key: &str| -> Vec<String> {
            text.lines().filter(|l| l.starts_with(key)).map(str::to_owned).collect()
        };
        let shift = |face: &String| -> String {
            let corners = face.split_whitespace().skip(1).map(|c| {
                let v: usize = c.split('/').next().expect("a corner").parse().expect("a number");
                (v + 169).to_string()
            });
            format!("f {}", corners.collect::<Vec<_>>().join(" "))
        };
        let first = flat();
        let mut all = lines(&first, "v ");
        all.extend(lines(second, "v "));
        all.extend(lines(&first, "f ").iter().map(|f| {
            f.split_whitespace().map(|c| c.split('/').next().unwrap_or(c)).collect::<Vec<_>>().join(" ")
        }));
        all.extend(lines(second, "f ").iter().map(shift));
        all.join("\n") + "\n"
    };
    let one = files.file("f_1.obj", &both(&sheet(12, |_, _| 0.1)));
    let two = files.file("f_2.obj", &both(&dented()));
    let out = files.path("out.ply");
    let report = answer(&["untangle", "--sequence", &one, &two, "--out", &out], 0);
    assert_eq!(report["frames"].as_array().map(Vec::len), Some(2));
    assert_eq!((&report["frames"][0]["moved"], &report["frames"][0]["before"]), (&json!(0), &json!(0)));
    assert!(report["frames"][1]["before"].as_u64() > Some(0));
    for frame in ["out_0000.ply", "out_0001.ply"] {
        answer(&["check", &files.path(frame)], 0);
    }
}

#[test]
fn what_is_left_and_what_is_wrong_is_told() {
    let files = Scratch::new();
    // A Klein bottle cannot lie in space without crossing itself.
    let (n, m) = (16usize, 8usize);
    let mut text = String::new();
    for i in 0..n {
        for j in 0..m {
            let (u, v) =
                (std::f64::consts::TAU * i as f64 / n as f64, std::f64::consts::TAU * j as f64 / m as f64);
            let r = 2.0 + (0.5 * u).cos() * v.sin() - (0.5 * u).sin() * (2.0 * v).sin();
            let z = (0.5 * u).sin() * v.sin() + (0.5 * u).cos() * (2.0 * v).sin();
            text += &format!("v {} {} {z}\n", r * u.cos(), r * u.sin());
        }
    }
    // Around u once the figure of eight is turned by half: v becomes -v.
    let at = |i: usize, j: usize| if i < n { i * m + j % m + 1 } else { (m - j % m) % m + 1 };
    for i in 0..n {
        for j in 0..m {
            text += &format!("f {} {} {} {}\n", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
    let (bottle, out) = (files.file("bottle.obj", &text), files.path("out.obj"));
    let report = answer(&["untangle", &bottle, "--out", &out, "--rounds", "10"], 1);
    let left = report["frames"][0]["left"].as_array().expect("a list");
    assert!(!left.is_empty() && left.iter().all(|l| l["why"] == json!("one-sided")), "{report}");
    let sum: u64 = left.iter().filter_map(|l| l["contacts"].as_u64()).sum();
    assert_eq!(Some(sum), report["after"].as_u64());
    let sheet = files.file("sheet.obj", &flat());
    for (args, word) in [
        (vec!["untangle", &sheet], "--out"),
        (vec!["untangle", &sheet, "--out", "x.stl"], ".obj"),
        (vec!["untangle", &sheet, "--out", &out, "--gap", "-1"], "--gap"),
        (vec!["untangle", "missing.obj", "--out", &out], "missing.obj"),
    ] {
        let output = crumple(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{args:?}");
    }
}
