use crumple::{Mesh, Scene};

use crate::{FrameLabel, Options, Recorder};

/// A sheet and a spike through it, called as nastily as a file can be.
fn scene(height: f64) -> Scene {
    let mut scene = Scene::new();
    let sheet = Mesh::from_triangles("<script>alert(1)</script>", 4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let spike = Mesh::from_triangles("spike & \"co\"", 3, &[[0, 1, 2]]).unwrap();
    scene.add(sheet, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]][..]).unwrap();
    scene.add(spike, &[[3.0, 1.0, height], [3.5, 1.0, height], [3.0, 1.2, height - 1.0]][..]).unwrap();
    scene
}

fn page(options: Options) -> String {
    let mut recorder = Recorder::new(options);
    for (k, height) in [2.0, 0.5, 0.25, 3.0].into_iter().enumerate() {
        recorder.frame(&mut scene(height), &FrameLabel::file(k, format!("f{k}.obj"))).unwrap();
    }
    recorder.problem(&FrameLabel::file(4, "f4.obj"), "it has 9 faces, against 2 <b>");
    recorder.finish().to_html()
}

/// The data that the scripts are given.
fn data(html: &str) -> serde_json::Value {
    let start = html.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..end]).unwrap()
}

#[test]
fn a_page_holds_every_frame_and_the_worst_first() {
    let html = page(Options::new("spike"));
    let data = data(&html);
    assert_eq!(data["frames"].as_array().unwrap().len(), 5);
    assert_eq!(data["worst"], serde_json::json!([1, 2]));
    assert_eq!(data["frames"][1]["pairs"], serde_json::json!([0, 1]));
    // The spike's tip is half a unit under the sheet.
    assert!((data["frames"][1]["places"][0]["depth"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert!((data["frames"][2]["places"][0]["depth"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    // The sheet does not move: its positions are there once.
    assert_eq!(data["frames"][0]["chunks"][0], data["frames"][2]["chunks"][0]);
    assert_ne!(data["frames"][0]["chunks"][1], data["frames"][2]["chunks"][1]);
    assert!(html.contains("Frame 4 (f4.obj) was not checked: it has 9 faces, against 2 &lt;b&gt;"));
    assert_eq!(html.matches("class=\"thumb\"").count(), 2);
}

#[test]
fn names_are_text_and_nothing_is_loaded() {
    let html = page(Options::new("</title><script>alert(2)</script>"));
    assert!(!html.contains("<script>alert") && !html.contains("</title><script"));
    assert!(data(&html)["bodies"][0]["name"] == "<script>alert(1)</script>");
    assert!(html.contains("default-src 'none'; script-src 'sha256-"));
    for word in ["http://", "https://", "url(", "@import", "innerHTML", "eval("] {
        let allowed = usize::from(word == "http://");
        // The one address is the name of SVG's elements.
        assert_eq!(html.matches(word).count(), allowed, "{word}");
    }
}

#[test]
fn what_does_not_fit_is_left_out_and_said() {
    let mut options = Options::new("spike");
    (options.frames, options.budget, options.most_places) = (5, 10, 0);
    let html = page(options);
    assert!(html.contains("keep the positions of their surfaces"));
    assert!(html.contains("2 smaller ones are not listed"));
}

#[test]
fn a_large_body_is_thinned_and_that_is_said() {
    let side = 21_u32;
    let positions: Vec<[f64; 3]> =
        (0..side * side).map(|i| [f64::from(i % side), f64::from(i / side), 0.0]).collect();
    let squares = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let triangles: Vec<[u32; 3]> =
        squares.flat_map(|v| [[v, v + 1, v + side], [v + 1, v + side + 1, v + side]]).collect();
    let mut scene = Scene::new();
    let mesh = Mesh::from_triangles("grid", positions.len(), &triangles).unwrap();
    scene.add(mesh, &positions).unwrap();
    let mut options = Options::new("grid");
    options.most_triangles = 100;
    let mut recorder = Recorder::new(options);
    recorder.frame(&mut scene, &FrameLabel::file(0, "grid.obj")).unwrap();
    assert!(recorder.finish().to_html().contains("of 800 triangles are drawn"));
}

#[test]
fn an_empty_page_says_so() {
    let html = Recorder::new(Options::new("nothing")).finish().to_html();
    assert!(html.contains("id=\"trouble\"") && data(&html)["frames"].as_array().unwrap().is_empty());
}
