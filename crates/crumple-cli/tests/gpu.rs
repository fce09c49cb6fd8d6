//! `--gpu`: the same answer whoever draws; one clear error in a program that was built without it.

mod support;

use crumple_scenes::Surface;
use support::{Scratch, refused};

fn write(dir: &Scratch, name: &str, surface: &Surface) -> String {
    let mut text = String::new();
    surface.positions.iter().for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
    surface.triangles.iter().for_each(|t| {
        let [a, b, c] = t.map(|v| v + 1);
        text += &format!("f {a} {b} {c}\n");
    });
    dir.file(name, &text)
}

/// Two balls that overlap, and both in one file.
fn balls(dir: &Scratch) -> [String; 3] {
    let ball = crumple_scenes::shapes::icosphere(12).outward();
    let other = ball.clone().mapped(|[x, y, z]| [x + 0.7, y + 0.5, z + 0.3]);
    let both = ball.clone().joined(&other);
    [write(dir, "a.obj", &ball), write(dir, "b.obj", &other), write(dir, "both.obj", &both)]
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_program_without_it_says_how_to_build_one() {
    let dir = Scratch::new();
    let [a, b, _] = balls(&dir);
    for gpu in ["--gpu", "--gpu=any", "--gpu=some adapter"] {
        refused(&["overlap", &a, &b, gpu], &["without --gpu", "--features gpu"]);
        refused(&["overlap", &a, gpu], &["--features gpu"]);
    }
}

#[test]
fn it_has_no_bounds_to_refine() {
    let dir = Scratch::new();
    let [a, b, _] = balls(&dir);
    refused(&["overlap", &a, &b, "--gpu", "--tolerance", "1%"], &["--gpu", "--tolerance"]);
}

#[cfg(feature = "gpu")]
mod with {
    use serde_json::Value;

    use super::{Scratch, balls};
    use crate::support::crumple;

    /// The document and who drew. What the drivers say on standard error is theirs.
    fn json(args: &[&str]) -> (Value, String) {
        let output = crumple(&[args, &["--json"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        let mut document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
        let fields = document.as_object_mut().expect("an object");
        fields.remove("seconds");
        let drawn =
            fields.remove("drawn").map_or_else(String::new, |d| d.as_str().expect("a text").to_owned());
        (document, drawn)
    }

    #[test]
    fn whoever_draws_the_answer_is_the_same() {
        let dir = Scratch::new();
        let [a, b, both] = balls(&dir);
        for bodies in [&[a.as_str(), b.as_str()][..], &[both.as_str()]] {
            let ask = |gpu: &[&str]| json(&[&["overlap"], bodies, &["--resolution", "96"], gpu].concat());
            let (by_engine, why) = ask(&["--gpu=no such adapter"]);
            assert!(why.starts_with("on the CPU: no "), "{why}");
            let (by_gpu, by) = ask(&["--gpu=any"]);
            if std::env::var_os("CRUMPLE_GPU_REQUIRED").is_some() {
                assert!(by.starts_with("on the GPU "), "{by}");
            }
            assert_eq!(by_gpu, by_engine, "{by}");
            assert_eq!(ask(&["--gpu"]).0, by_engine);
            // The sampled volume is near the proved one, and its bounds hold trivially.
            let (proved, nobody) = ask(&[]);
            assert_eq!(nobody, "");
            let real = |v: &Value| v.as_f64().expect("a number");
            assert!((real(&by_gpu["volume"]) / real(&proved["volume"]) - 1.0).abs() < 2e-3, "{by_gpu}");
            assert!(real(&by_gpu["lower"]) <= real(&proved["lower"]), "{by_gpu}");
            assert!(real(&by_gpu["upper"]) >= real(&proved["upper"]), "{by_gpu}");
            assert_eq!(by_gpu["guarantee"], "sampled");
        }
    }

    #[test]
    fn it_is_said_who_draws() {
        let dir = Scratch::new();
        let [a, b, _] = balls(&dir);
        let output = crumple(&["overlap", &a, &b, "--gpu=no such adapter", "-v"]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("layers are drawn on the CPU: no "));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("sampled, without bounds") && text.contains("drawn on the CPU: no "), "{text}");
        let output = crumple(&["overlap", &a, &b, "--gpu=any", "-v"]);
        assert!(String::from_utf8_lossy(&output.stderr).contains("layers are drawn on the "));
    }
}
