//! Scene files: what they mean, and that every error names its key.

use crumple_scenes::{Elements, by_name, random, toml};

fn error(text: &str) -> String {
    toml::parse(text).map(|s| s.name).expect_err(text).to_string()
}

#[test]
fn errors_name_the_key() {
    let body =
        |inner: &str| format!("name = \"x\"\n[[body]]\nshape = {{ kind = \"sheet\" }}\n[[body]]\n{inner}");
    for (text, starts) in [
        ("frames = 2".to_owned(), "name: expected"),
        ("name = 3".to_owned(), "name: expected a string, found 3"),
        ("name = \"x\"".to_owned(), "body: expected at least one body"),
        (
            "name = \"x\"\nscene = \"nope\"".to_owned(),
            "scene: expected the name of a registered scene, found \"nope\"",
        ),
        (
            "name = \"x\"\nscene = \"fan\"\nframes = 9".to_owned(),
            "frames: expected an integer from 1 to 4, found 9",
        ),
        ("name = \"x\"\nscene = \"fan\"\n[[body]]\nshape = {}".to_owned(), "body: expected either"),
        (
            "name = \"x\"\nscene = \"enormous\"\nf32 = true".to_owned(),
            "body[0]: vertex 0 is not finite in frame 0",
        ),
        ("name = \"x\"\nscene = \"fan\"\n[expect]\nself = -1".to_owned(), "expect.self: expected"),
        (
            "name = \"x\"\nscene = \"fan\"\n[expect]\nselv = 1".to_owned(),
            "expect.selv: unknown key; known are",
        ),
        (body("name = \"y\""), "body[1].shape: expected a table with a kind, found nothing"),
        (body("shape = { kind = \"blubb\" }"), "body[1].shape.kind: expected one of icosphere"),
        (
            body("shape = { kind = \"sheet\", cells = [0, 2] }"),
            "body[1].shape.cells: expected 2 integers from 1 to 1000",
        ),
        (body("shape = { kind = \"sheet\", cells = [2, 2, 2] }"), "body[1].shape.cells: expected 2 integers"),
        (
            body("shape = { kind = \"sheet\", sise = [2, 2] }"),
            "body[1].shape.sise: unknown key; known are cells",
        ),
        (
            body("shape = { kind = \"torus\", tube = -1 }"),
            "body[1].shape.tube: expected a number above 0, found -1",
        ),
        (body("shape = { kind = \"points\", count = 1e3 }"), "body[1].shape.count: expected an integer"),
        (body("shape = { kind = \"points\", lo = [nan, 0, 0] }"), "body[1].shape.lo: expected 3 numbers"),
        (body("shape = { kind = \"points\", hi = [1e200, 0, 0] }"), "body[1].shape.hi: expected 3 numbers"),
        (
            body("shape = { kind = \"mesh\", vertices = [[0, 0]] }"),
            "body[1].shape.vertices: expected a list of [x, y, z]",
        ),
        (
            body("shape = { kind = \"mesh\", vertices = [[0, 0, 0]], triangles = [[0, 0, 1]] }"),
            "body[1].shape.triangles: expected lists of 3 vertex indices below 1",
        ),
        (
            body("shape = { kind = \"mesh\", frames = [[[0, 0, 0]], []] }"),
            "body[1].shape.frames: expected 1 positions in every frame",
        ),
        (
            body("shape = { kind = \"mesh\", frames = [[[0, 0, 0]], [[0, 0, 0]]] }"),
            "body[1].shape: expected positions for 1 frames",
        ),
        (
            body("shape = { kind = \"human\" }\nmotion = [{ kind = \"bend\" }, 3]"),
            "body[1].motion: expected a list of tables",
        ),
        (
            body(
                "shape = { kind = \"human\" }\nmotion = [{ kind = \"bend\" }, { kind = \"cone\", alpha = 200 }]",
            ),
            "body[1].motion[1].alpha: expected degrees from 0 to 180, found 200",
        ),
        (
            body("shape = { kind = \"human\" }\nplace = { shift = 3 }"),
            "body[1].place.shift: expected 3 numbers, found 3",
        ),
        (
            body("name = \"body0\"\nshape = { kind = \"human\" }"),
            "body[1].name: expected a name of its own, found \"body0\" again",
        ),
        (body("shape = { kind = \"human\" }\nsnap = 0"), "body[1].snap: expected a number above 0"),
        (body("shape = { kind = \"human\" }\nf32 = 1"), "body[1].f32: expected true or false"),
        (
            "name = \"x\"\nframes = 10000\n[[body]]\nshape = { kind = \"triangle-soup\", count = 2000000 }"
                .to_owned(),
            "frames: expected at most 100000000 positions",
        ),
        (
            body(
                "shape = { kind = \"points\", hi = [1e100, 0, 0] }\nplace = { scale = [1e100, 1, 1], shift = [1, 1, 1] }\nsnap = 1e-200",
            ),
            "body[1]: vertex 0 is not finite",
        ),
    ] {
        let message = error(&text);
        assert!(message.starts_with(starts), "{text}\n  gave:     {message}\n  expected: {starts}");
    }
}

#[test]
fn syntax_errors_show_the_line() {
    let message = error("name = \"x\"\nframes = = 2\n");
    assert!(message.contains("line 2"), "{message}");
    // Nesting beyond reason is an error too, not an overflow.
    let deep = format!("name = {}", "[".repeat(100_000));
    assert!(toml::parse(&deep).is_err());
}

#[test]
fn place_comes_after_motion_and_rounding_comes_last() {
    let s = toml::parse(
        r#"
        name = "x"
        frames = 2
        [[body]]
        shape = { kind = "mesh", vertices = [[1, 0, 0]] }
        motion = [{ kind = "rigid", velocity = [1, 0, 0] }]
        place = { scale = [2, 2, 2], degrees = 90, shift = [0, 0, 0.1] }
        snap = 0.25
        [[body]]
        shape = { kind = "mesh", vertices = [[0.1, 0, 0]] }
        f32 = true
        "#,
    )
    .unwrap();
    assert_eq!(s.bodies[0].positions(1), [[0.0, 4.0, 0.0]]);
    assert_eq!(s.bodies[1].positions(0), [[f64::from(0.1_f32), 0.0, 0.0]]);
    assert_eq!((s.bodies[0].name.as_str(), &s.bodies[1].elements), ("body0", &Elements::Points));
}

#[test]
fn a_reference_keeps_the_stated_answers_unless_it_changes_the_scene() {
    let parse = |more: &str| toml::parse(&format!("name = \"x\"\nscene = \"spiral-ramp\"\n{more}")).unwrap();
    assert_eq!((parse("").expect.self_pairs, parse("").frames), (Some(44), 4));
    assert!(parse("frames = 2").expect.is_empty());
    assert!(parse("f32 = true").expect.is_empty());
    assert_eq!(parse("f32 = true\n[expect]\nself = 44").expect.self_pairs, Some(44));
}

#[test]
fn what_is_written_reads_back_to_the_same_bits() {
    for name in ["grid-ties", "tet-balls", "far-1e12", "tiny", "nested-closed", "hardly-anything", "hair-gap"]
    {
        let scene = by_name(name).unwrap();
        assert_eq!(toml::parse(&toml::write(&scene)).unwrap().collect(), scene, "{name}");
    }
    for seed in 0..60 {
        let scene = random::scene(seed, 40);
        let back = toml::parse(&toml::write(&scene)).unwrap_or_else(|e| panic!("{seed}: {e}")).collect();
        assert_eq!(back, scene, "{seed}");
    }
}
